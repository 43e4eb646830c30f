// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// MLIR 19 has no --verify-diagnostics=only-expected.
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics=only-expected --gmem-plan %s
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-plan=keep-inputs %S/Inputs/same-as-kept.mlir 2>&1 | FileCheck %s --check-prefix=KEPT
// KEPT: error: result #0 of @kept cannot be returned in the memory of argument #0: the option keep-inputs preserves the argument

// Results that cannot be in the memory of their argument, and why.

// expected-error@+1 {{result #0 of @read_later cannot be returned in the memory of argument #0: the argument is still read by 'a.read' after 'a.write' writes the result}}
func.func @read_later(%c: tensor<4xi32>) -> (tensor<4xi32> {gmem.same_as = 0 : i64}, tensor<4xi32>) {
  // expected-note@+1 {{written here}}
  %0 = "a.write"() : () -> tensor<4xi32>
  // expected-note@+1 {{read here}}
  %1 = "a.read"(%c) : (tensor<4xi32>) -> tensor<4xi32>
  return %0, %1 : tensor<4xi32>, tensor<4xi32>
}

// -----

// An op that nobody knows may read all the time while it writes.
// expected-error@+1 {{result #0 of @unknown cannot be returned in the memory of argument #0: 'a.op' reads the argument while it writes the result}}
func.func @unknown(%c: tensor<4xi32>) -> (tensor<4xi32> {gmem.same_as = 0 : i64}) {
  // expected-note@+1 {{written here}}
  %0 = "a.op"(%c) : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// The argument is handed out, too.
// expected-error@+1 {{result #0 of @both cannot be returned in the memory of argument #0: the argument is still read by 'func.return' after 'a.write' writes the result}}
func.func @both(%c: tensor<4xi32>) -> (tensor<4xi32> {gmem.same_as = 0 : i64}, tensor<4xi32>) {
  // expected-note@+1 {{written here}}
  %0 = "a.write"() : () -> tensor<4xi32>
  // expected-note@+1 {{read here}}
  return %0, %c : tensor<4xi32>, tensor<4xi32>
}

// -----

// expected-error@+1 {{result #1 of @two_in_one cannot be returned in the memory of argument #0: another value in that memory is live at the same time}}
func.func @two_in_one(%c: tensor<4xi32>) -> (tensor<4xi32> {gmem.same_as = 0 : i64}, tensor<4xi32> {gmem.same_as = 0 : i64}) {
  %0:2 = "a.write"() : () -> (tensor<4xi32>, tensor<4xi32>)
  return %0#0, %0#1 : tensor<4xi32>, tensor<4xi32>
}

// -----

// expected-error@+1 {{result #0 of @sizes cannot be returned in the memory of argument #0: they have different sizes}}
func.func @sizes(%c: tensor<8xi32>) -> (tensor<4xi32> {gmem.same_as = 0 : i64}) {
  %0 = "a.op"(%c) : (tensor<8xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// expected-error@+1 {{result #0 of @constant cannot be returned in the memory of argument #0: the result is a constant}}
func.func @constant(%c: tensor<4xi32>) -> (tensor<4xi32> {gmem.same_as = 0 : i64}) {
  %0 = arith.constant dense<1> : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// expected-error@+1 {{result #0 of @dynamic cannot be returned in the memory of argument #0: the result has no planned memory}}
func.func @dynamic(%c: tensor<4xi32>) -> (tensor<?xi32> {gmem.same_as = 0 : i64}) {
  %0 = "a.op"(%c) : (tensor<4xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

// -----

// expected-error@+1 {{result #0 of @handle cannot be returned in the memory of argument #0: the argument has no planned memory}}
func.func @handle(%c: index) -> (tensor<4xi32> {gmem.same_as = 0 : i64}) {
  %0 = "a.op"() : () -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// expected-error@+1 {{gmem.same_as must be the number of an argument of the function, of type i64}}
func.func @number(%c: tensor<4xi32>) -> (tensor<4xi32> {gmem.same_as = 1 : i64}) {
  return %c : tensor<4xi32>
}

// -----

// expected-error@+1 {{gmem.same_as must be the number of an argument of the function, of type i64}}
func.func @word(%c: tensor<4xi32>) -> (tensor<4xi32> {gmem.same_as = "c"}) {
  return %c : tensor<4xi32>
}

// -----

// The memory of a memref has a pool of its own.
func.func private @f(%a: tensor<16xf32>) -> (memref<16xf32> {gmem.same_as = 0 : i64}) {
  "a.use"(%a) : (tensor<16xf32>) -> ()
  // expected-error@+1 {{cannot be at offset 0 in 'argument #0 of @f': they have no candidate pool in common}}
  %m = memref.alloc() : memref<16xf32>
  %c = arith.constant 1.0 : f32
  %i = arith.constant 0 : index
  memref.store %c, %m[%i] : memref<16xf32>
  return %m : memref<16xf32>
}
func.func @two_kinds(%a: tensor<16xf32>) {
  %m = func.call @f(%a) : (tensor<16xf32>) -> memref<16xf32>
  "a.use"(%m) : (memref<16xf32>) -> ()
  %n = func.call @f(%a) : (tensor<16xf32>) -> memref<16xf32>
  "a.use"(%n) : (memref<16xf32>) -> ()
  return
}
