// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics=only-expected --gmem-plan %s

// expected-error@+1 {{gmem.upper_bound must be array<i64> with one element per dimension of the tensor, non-negative for dynamic dimensions}}
func.func @rank(%a: tensor<?x4xi32> {gmem.upper_bound = array<i64: 10>}) {
  return
}

// -----

// expected-error@+1 {{gmem.upper_bound must be array<i64> with one element per dimension of the tensor, non-negative for dynamic dimensions}}
func.func @negative(%a: tensor<?x4xi32> {gmem.upper_bound = array<i64: -1, 4>}) {
  return
}

// -----

func.func @lists() {
  // expected-error@+1 {{gmem.upper_bound must be an array with one array<i64> per result}}
  %0 = "a.op"() {gmem.upper_bound = array<i64: 4>} : () -> tensor<?xi32>
  return
}

// -----

func.func @too_large() {
  // expected-error@+1 {{the size of this tensor does not fit in 63 bits}}
  %0 = "a.op"() {gmem.upper_bound = [array<i64: 9223372036854775807, 2>]} : () -> tensor<?x?xi32>
  return
}

// -----

// Bounds that are none, of dialects that do not mean it, or for another rank:
// not planned, and said so.
// expected-remark@+3 {{this value of @no_bounds is not planned: its shape is dynamic (2 more in this function for the same reason)}}
// expected-remark@+1 {{this value of @no_bounds is not planned: the size of its encoding is unknown (1 more in this function for the same reason); gmem.bytes or a gmem.type_model states it}}
func.func @no_bounds(%a: tensor<?xi32, #x.bounds<3>>,
                     %b: tensor<?xi32, #stablehlo.bounds<3, 4>>,
                     %c: tensor<?xi32, #stablehlo.bounds<99999999999999999999>>,
                     %d: tensor<?xi32, #stablehlo.inbounds<3>>,
                     %e: tensor<*xi32>) {
  return
}
