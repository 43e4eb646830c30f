// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// In MLIR 19 lines of split files are counted from the split.
// RUN: not gmem-opt --split-input-file --gmem-plan %s -o /dev/null 2>&1 | FileCheck %s
// What cannot be a state, and attributes of another form.

// CHECK: [[@LINE+1]]:{{[0-9]+}}: error: argument #0 of @called cannot have gmem.state: the program calls this function, so that its callers have the memory
func.func private @called(%x: tensor<16xi32> {gmem.state}) -> tensor<16xi32> {
  return %x : tensor<16xi32>
}
func.func @main(%x: tensor<16xi32>) -> tensor<16xi32> {
  %0 = call @called(%x) : (tensor<16xi32>) -> tensor<16xi32>
  return %0 : tensor<16xi32>
}

// -----

// CHECK: [[@LINE+1]]:{{[0-9]+}}: error: argument #0 of @constant cannot have gmem.state: it is a constant
func.func @constant(%x: tensor<16xi32> {gmem.state, gmem.weight}) -> tensor<16xi32> {
  %0 = tosa.abs %x : (tensor<16xi32>) -> tensor<16xi32>
  return %0 : tensor<16xi32>
}

// -----

// CHECK: error: gmem.state must be a unit attribute or a non-empty string
func.func @number(%x: tensor<16xi32> {gmem.state = 1 : i64}) -> tensor<16xi32> {
  return %x : tensor<16xi32>
}

// -----

func.func @forms(%x: tensor<16xi32>) -> tensor<16xi32> {
  // CHECK: error: gmem.sensitive must be a unit attribute
  %0 = tosa.abs %x {gmem.sensitive = true} : (tensor<16xi32>) -> tensor<16xi32>
  return %0 : tensor<16xi32>
}

// -----

func.func @groups(%x: tensor<16xi32>) -> tensor<16xi32> {
  // CHECK: error: gmem.memory_group must be a name of 1 to 255 printable ASCII characters
  %0 = tosa.abs %x {gmem.memory_group = ""} : (tensor<16xi32>) -> tensor<16xi32>
  return %0 : tensor<16xi32>
}

// -----

// CHECK: warning: gmem.state has no effect: the caller has the memory of a memref
func.func @memref(%x: memref<16xi32> {gmem.state}) {
  return
}

// -----

// The result is computed while the state is still read: it cannot follow it.
// CHECK: error: result #0 of @read_later cannot be returned in the memory of argument #0
func.func @read_later(%x: tensor<16xi32> {gmem.state}) -> (tensor<16xi32> {gmem.same_as = 0 : i64}, tensor<16xi32>) {
  %0 = tosa.reverse %x {axis = 0 : i32} : (tensor<16xi32>) -> tensor<16xi32>
  %1 = tosa.add %0, %x : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi32>
  return %0, %1 : tensor<16xi32>, tensor<16xi32>
}

// -----

// CHECK: error: gmem.state must be a unit attribute or a non-empty string
func.func @empty(%x: tensor<16xi32> {gmem.state = ""}) -> tensor<16xi32> {
  return %x : tensor<16xi32>
}

// -----

// CHECK: error: arguments #0 and #1 of one function are the state 'both'
func.func @both(%x: tensor<16xi32> {gmem.state = "both"}, %y: tensor<16xi32> {gmem.state = "both"}) -> tensor<16xi32> {
  %0 = tosa.add %x, %y : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi32>
  return %0 : tensor<16xi32>
}

// -----

func.func @small(%x: tensor<16xi32> {gmem.state = "sized"}) -> tensor<16xi32> {
  %0 = tosa.abs %x : (tensor<16xi32>) -> tensor<16xi32>
  return %0 : tensor<16xi32>
}
// CHECK: error: argument #1 of @large cannot be the state 'sized': they have different sizes
func.func @large(%a: tensor<16xi32>, %x: tensor<17xi32> {gmem.state = "sized"}) -> tensor<17xi32> {
  %0 = tosa.abs %x : (tensor<17xi32>) -> tensor<17xi32>
  return %0 : tensor<17xi32>
}
