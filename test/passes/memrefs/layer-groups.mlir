// Memory that is made between the ops of a flat layer group, and that one of them writes:
// the group does not write it before it is made.
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
