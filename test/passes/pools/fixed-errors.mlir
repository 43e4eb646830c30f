// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// MLIR 19 has no --verify-diagnostics=only-expected.
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics=only-expected --gmem-plan %s

// expected-error@+1 {{the tensors cannot be placed: buffer 'argument #0 of @misaligned': the fixed offset 100 is not aligned to 4096}}
func.func @misaligned(%a: tensor<4xi32> {gmem.fixed = 100 : i64}) {
  return
}

// -----

// Both are live at the second op.
func.func @overlap(%a: tensor<1024xi32>) -> tensor<1024xi32> {
  // expected-error@+1 {{the tensors cannot be placed: buffers 'result #0 of 'a.first'' and 'result #0 of 'a.second'' share the bytes [0, 4096) of pool 'tensors' at time 2}}
  %0 = "a.first"(%a) {gmem.fixed = array<i64: 0>} : (tensor<1024xi32>) -> tensor<1024xi32>
  %1 = "a.second"(%0) {gmem.fixed = array<i64: 0>} : (tensor<1024xi32>) -> tensor<1024xi32>
  return %1 : tensor<1024xi32>
}

// -----

func.func @two_places(%a: tensor<4xi32> {gmem.fixed = 0 : i64}) -> tensor<2x2xi32> {
  // expected-error@+1 {{gmem.fixed: result #0 of 'tensor.expand_shape' and argument #0 of @two_places share memory but are fixed at offsets 4096 and 0}}
  %1 = tensor.expand_shape %a [[0, 1]] output_shape [2, 2] {gmem.fixed = array<i64: 4096>} : tensor<4xi32> into tensor<2x2xi32>
  return %1 : tensor<2x2xi32>
}

// -----

func.func @no_memory() {
  // expected-error@+1 {{gmem.fixed: result #0 of 'a.op' has no planned memory}}
  %0 = "a.op"() {gmem.fixed = array<i64: 0>} : () -> tensor<?xi32>
  return
}

// -----

func.func @constant() -> tensor<2x2xi32> {
  %0 = arith.constant dense<1> : tensor<4xi32>
  // expected-error@+1 {{gmem.fixed: result #0 of 'tensor.expand_shape' shares the memory of a constant: set gmem.fixed on the constant}}
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 2] {gmem.fixed = array<i64: 4096>} : tensor<4xi32> into tensor<2x2xi32>
  return %1 : tensor<2x2xi32>
}

// -----

// expected-error@+1 {{gmem.fixed must be an offset of type i64, or -1, on an argument}}
func.func @word(%a: tensor<4xi32> {gmem.fixed = "low"}) {
  return
}

// -----

func.func @count() {
  // expected-error@+1 {{gmem.fixed must be array<i64> with one offset, or -1, per result}}
  %0 = "a.op"() {gmem.fixed = array<i64: 0, 0>} : () -> tensor<4xi32>
  return
}

// -----

func.func @negative() {
  // expected-error@+1 {{gmem.fixed must be array<i64> with one offset, or -1, per result}}
  %0 = "a.op"() {gmem.fixed = array<i64: -4096>} : () -> tensor<4xi32>
  return
}
