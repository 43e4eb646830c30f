// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// MLIR 19 has no --verify-diagnostics=only-expected.
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics=only-expected --gmem-plan %s

// Paddings that are none, and of what cannot have any.

func.func @not_per_result() {
  // expected-error@+1 {{gmem.padding must be an array with one array<i64: before, after>, or one dictionary, per result}}
  %0:2 = "a.op"() {gmem.padding = [array<i64: 1, 2>]} : () -> (tensor<4xi32>, tensor<4xi32>)
  return
}

// -----

func.func @no_list() {
  // expected-error@+1 {{gmem.padding must be an array with one array<i64: before, after>, or one dictionary, per result}}
  %0 = "a.op"() {gmem.padding = array<i64: 1, 2>} : () -> tensor<4xi32>
  return
}

// -----

func.func @one_side() {
  // expected-error@+1 {{gmem.padding must be array<i64: before, after> with two non-negative numbers of bytes}}
  %0 = "a.op"() {gmem.padding = [array<i64: 1>]} : () -> tensor<4xi32>
  return
}

// -----

func.func @other_integers() {
  // expected-error@+1 {{gmem.padding must be array<i64: before, after> with two non-negative numbers of bytes}}
  %0 = "a.op"() {gmem.padding = [array<i32: 1, 2>]} : () -> tensor<4xi32>
  return
}

// -----

func.func @negative() {
  // expected-error@+1 {{gmem.padding must be array<i64: before, after> with two non-negative numbers of bytes}}
  %0 = "a.op"() {gmem.padding = [array<i64: 0, -1>]} : () -> tensor<4xi32>
  return
}

// -----

// expected-error@+1 {{gmem.padding must be array<i64: before, after> with two non-negative numbers of bytes}}
func.func @argument(%a: tensor<4xi32> {gmem.padding = [array<i64: 1, 2>]}) {
  return
}

// -----

// A sum beyond 63 bits must not wrap round to a small one.
func.func @too_much() {
  // expected-error@+1 {{gmem.padding: result #0 of 'a.op' does not fit in 63 bits with its padding}}
  %0 = "a.op"() {gmem.padding = [array<i64: 9223372036854775807, 9223372036854775807>]} : () -> tensor<4xi32>
  return
}

// -----

// Neither may what two values of one class ask for.
func.func @too_much_together(%a: tensor<4xi32> {gmem.padding = array<i64: 9223372036854775000, 0>}) {
  // expected-error@+1 {{gmem.padding: result #0 of 'tensor.expand_shape' does not fit in 63 bits with its padding}}
  %0 = tensor.expand_shape %a [[0, 1]] output_shape [2, 2] {gmem.padding = [array<i64: 0, 9223372036854775000>]} : tensor<4xi32> into tensor<2x2xi32>
  return
}

// -----

// And rounding up what is in front is the last thing that may pass them.
// expected-error@+1 {{the tensors cannot be placed: buffer 'result #0 of 'a.op'': the size 9223372036854775824 is above 9223372036854775807}}
module {
func.func @too_much_rounded() {
  %0 = "a.op"() {gmem.padding = [array<i64: 9223372036854775700, 0>]} : () -> tensor<4xi32>
  "a.use"(%0) : (tensor<4xi32>) -> ()
  return
}
}

// -----

func.func @constant() {
  // expected-error@+1 {{gmem.padding: result #0 of 'arith.constant' shares the memory of a constant, which cannot be padded}}
  %0 = arith.constant {gmem.padding = [array<i64: 16, 16>]} dense<1> : tensor<4xi32>
  return
}

// -----

func.func @reshaped_constant() {
  %0 = arith.constant dense<1> : tensor<4xi32>
  // expected-error@+1 {{gmem.padding: result #0 of 'tensor.expand_shape' shares the memory of a constant, which cannot be padded}}
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 2] {gmem.padding = [array<i64: 0, 16>]} : tensor<4xi32> into tensor<2x2xi32>
  return
}

// -----

func.func @scalar() {
  // expected-error@+1 {{gmem.padding: result #1 has no planned memory}}
  %0:2 = "a.op"() {gmem.padding = [array<i64: 16, 16>, array<i64: 0, 1>]} : () -> (tensor<4xi32>, index)
  return
}

// -----

// expected-error@+1 {{gmem.padding: argument #0 has no planned memory}}
func.func @scalar_argument(%a: index {gmem.padding = array<i64: 16, 16>}) {
  return
}

// -----

func.func @no_results() {
  // expected-error@+1 {{gmem.padding must be an array with one array<i64: before, after>, or one dictionary, per result}}
  "a.op"() {gmem.padding = [array<i64: 16, 16>]} : () -> ()
  return
}

// -----

func.func @local(%a: tensor<4xi32>) {
  // expected-error@+1 {{gmem.padding: result #0 of 'a.op' has no planned memory}}
  %0 = "a.op"(%a) {gmem.layer_group = 1, gmem.padding = [array<i64: 16, 16>]} : (tensor<4xi32>) -> tensor<4xi32>
  "a.use"(%0) {gmem.layer_group = 1} : (tensor<4xi32>) -> ()
  return
}

// -----

// What the caller brings is the caller's.
// expected-error@+1 {{gmem.padding: argument #0 of @memref has no planned memory}}
func.func @memref(%a: memref<4xi32> {gmem.padding = array<i64: 16, 16>}) {
  return
}

// -----

// Where the elements of a memref are is what its type says.
func.func @memref_dimensions() {
  // expected-error@+1 {{gmem.padding must be {before = array<i64>, after = array<i64>, border = "undefined", "constant" or "replicate"} with non-negative numbers of elements for each dimension of a tensor of static shape, of elements of whole bytes}}
  %0 = memref.alloc() {gmem.padding = [{before = array<i64: 1>, after = array<i64: 1>}]} : memref<4xi32>
  "a.use"(%0) : (memref<4xi32>) -> ()
  return
}

// -----

// What is returned in the memory of an argument has its padding, which is more
// than there is room for.
// expected-error@+1 {{gmem.padding: argument #0 of @tied does not fit in 63 bits with the padding of the values at its offset}}
func.func @tied(%a: tensor<4xi32> {gmem.padding = array<i64: 9223372036854775000, 0>}) -> (tensor<4xi32> {gmem.same_as = 0 : i64}) {
  %0 = tosa.abs %a {gmem.padding = [array<i64: 0, 9223372036854775000>]} : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
