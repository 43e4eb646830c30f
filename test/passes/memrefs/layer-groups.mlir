// Memory that is made between the ops of a flat layer group, and that one of them writes:
// the group does not write it before it is made. And what its ops modify and view.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt %s --allow-unregistered-dialect --split-input-file --gmem-plan 2>/dev/null | FileCheck %s

// %b is not used any more by then.
// CHECK: peak = 64
// CHECK-LABEL: func.func @made_later
func.func @made_later(%in: memref<16xf32>, %out: memref<16xf32>) {
  %b = memref.alloc() : memref<16xf32>
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  "my.first"(%in) {gmem.layer_group = 1} : (memref<16xf32>) -> ()
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  %z = memref.alloc() : memref<16xf32>
  "my.write"(%z, %in) {gmem.layer_group = 1, gmem.op_model = {writes = array<i64: 0>}} : (memref<16xf32>, memref<16xf32>) -> ()
  memref.copy %z, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// Made before the group, it may be written as soon as that begins.
// CHECK: peak = 128
// CHECK-LABEL: func.func @made_before
func.func @made_before(%in: memref<16xf32>, %out: memref<16xf32>) {
  %b = memref.alloc() : memref<16xf32>
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  %z = memref.alloc() : memref<16xf32>
  "my.first"(%in) {gmem.layer_group = 1} : (memref<16xf32>) -> ()
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  "my.write"(%z, %in) {gmem.layer_group = 1, gmem.op_model = {writes = array<i64: 0>}} : (memref<16xf32>, memref<16xf32>) -> ()
  memref.copy %z, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// The memory of the round before is not used any more, either: one place for all rounds.
// CHECK: peak = 64
// CHECK-LABEL: func.func @in_a_loop
func.func @in_a_loop(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%old = %in) -> memref<16xf32> {
    "my.first"(%in) {gmem.layer_group = 1} : (memref<16xf32>) -> ()
    memref.copy %old, %out : memref<16xf32> to memref<16xf32>
    %z = memref.alloc() : memref<16xf32>
    "my.write"(%z, %in) {gmem.layer_group = 1, gmem.op_model = {writes = array<i64: 0>}} : (memref<16xf32>, memref<16xf32>) -> ()
    scf.yield %z : memref<16xf32>
  }
  return
}

// -----

// Views and deallocations in a group read no contents: %z is not used any more.
// CHECK: peak = 64
// CHECK-LABEL: func.func @view_and_dealloc
func.func @view_and_dealloc(%in: memref<16xf32>, %out: memref<16xf32>) {
  %z = memref.alloc() : memref<16xf32>
  memref.copy %in, %z : memref<16xf32> to memref<16xf32>
  memref.copy %z, %out : memref<16xf32> to memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  %v = memref.cast %z {gmem.layer_group = 1} : memref<16xf32> to memref<16xf32, strided<[1], offset: ?>>
  memref.dealloc %z {gmem.layer_group = 1} : memref<16xf32>
  return
}

// -----

// An op of the group modifies the tensor that another one makes.
// CHECK: peak = 4160
// CHECK-LABEL: func.func @own_result
func.func @own_result(%a: tensor<16xf32>) -> tensor<16xf32> {
  %t = "my.make"(%a) {gmem.layer_group = 1} : (tensor<16xf32>) -> tensor<16xf32>
  "my.write"(%t) {gmem.layer_group = 1, gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
  return %t : tensor<16xf32>
}

// -----

// Or one that an op without a group makes between them, of which it has a memref.
// CHECK: peak = 8256
// CHECK-LABEL: func.func @result_between
func.func @result_between(%a: tensor<16xf32>) -> tensor<16xf32> {
  %t = "my.make"(%a) {gmem.layer_group = 1} : (tensor<16xf32>) -> tensor<16xf32>
  %u = "my.other"(%a) : (tensor<16xf32>) -> tensor<16xf32>
  %m = bufferization.to_buffer %u {gmem.layer_group = 1} : tensor<16xf32> to memref<16xf32>
  "my.write"(%m) {gmem.layer_group = 1, gmem.op_model = {writes = array<i64: 0>}} : (memref<16xf32>) -> ()
  return %t : tensor<16xf32>
}

// -----

// In a stream, the group does not use %z before its alloc, nor %u before it is made.
// CHECK: peak = 4224
// CHECK-LABEL: func.func @in_a_stream
func.func @in_a_stream(%in: memref<16xf32>, %a: tensor<16xf32>) {
  "my.first"(%a) {gmem.layer_group = 1, gmem.stream = 1} : (tensor<16xf32>) -> ()
  %u = "my.other"(%a) : (tensor<16xf32>) -> tensor<16xf32>
  %z = memref.alloc() : memref<16xf32>
  memref.copy %in, %z : memref<16xf32> to memref<16xf32>
  "my.last"(%u, %z) {gmem.layer_group = 1, gmem.stream = 1} : (tensor<16xf32>, memref<16xf32>) -> ()
  return
}

// -----

// %t is not in local memory: an op without a group has a memref of it.
// CHECK: peak = 4160
// CHECK-LABEL: func.func @memref_leaves
// CHECK: "my.make"{{.*}}gmem.offset
func.func @memref_leaves(%a: tensor<16xf32>) {
  %t = "my.make"(%a) {gmem.layer_group = 3} : (tensor<16xf32>) -> tensor<16xf32>
  %m = bufferization.to_buffer %t {gmem.layer_group = 3} : tensor<16xf32> to memref<16xf32>
  %v = "my.pick"(%m, %a) {gmem.layer_group = 3} : (memref<16xf32>, tensor<16xf32>) -> memref<16xf32>
  "my.use"(%v) : (memref<16xf32>) -> ()
  return
}
