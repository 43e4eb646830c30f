// What a function makes and returns has a place unless a stream may still access it when the
// function runs again and another stream, or the host, accesses the next one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// RUN: gmem-opt %s --split-input-file --allow-unregistered-dialect --gmem-plan 2>/dev/null | FileCheck %s
// RUN: gmem-opt %s --split-input-file --allow-unregistered-dialect --gmem-plan 2>/dev/null | gmem-opt --split-input-file --allow-unregistered-dialect --gmem-verify-plan | FileCheck %s

// 1. The first stream is waited for before the second call; behind it.
// CHECK-LABEL: func.func private @made_in_turn
// CHECK: memref.alloc() {gmem.offset
func.func private @made_in_turn() -> memref<16xf32> {
  %z = memref.alloc() : memref<16xf32>
  return %z : memref<16xf32>
}
func.func @in_turn(%in: memref<16xf32>) {
  %a = call @made_in_turn() : () -> memref<16xf32>
  "x.write"(%a, %in) {gmem.stream = 1 : i64, gmem.op_model = {writes = array<i64: 0>}} : (memref<16xf32>, memref<16xf32>) -> ()
  "x.sync"() {gmem.wait = array<i64: 1>} : () -> ()
  %b = call @made_in_turn() : () -> memref<16xf32>
  "x.write"(%b, %in) {gmem.stream = 2 : i64, gmem.op_model = {writes = array<i64: 0>}} : (memref<16xf32>, memref<16xf32>) -> ()
  "x.sync"() {gmem.wait = array<i64: 2>} : () -> ()
  return
}

// -----

// CHECK-LABEL: func.func private @made_beside
// CHECK: memref.alloc() : memref
func.func private @made_beside() -> memref<16xf32> {
  %z = memref.alloc() : memref<16xf32>
  return %z : memref<16xf32>
}
func.func @beside(%in: memref<16xf32>) {
  %a = call @made_beside() : () -> memref<16xf32>
  "x.write"(%a, %in) {gmem.stream = 1 : i64, gmem.op_model = {writes = array<i64: 0>}} : (memref<16xf32>, memref<16xf32>) -> ()
  %b = call @made_beside() : () -> memref<16xf32>
  "x.write"(%b, %in) {gmem.stream = 2 : i64, gmem.op_model = {writes = array<i64: 0>}} : (memref<16xf32>, memref<16xf32>) -> ()
  "x.sync"() {gmem.wait = array<i64: 1, 2>} : () -> ()
  return
}

// -----

// 2. Each round of a loop waits; only the code behind the loop does.
// CHECK-LABEL: func.func private @made_in_rounds
// CHECK: memref.alloc() {gmem.offset
func.func private @made_in_rounds() -> memref<16xf32> {
  %z = memref.alloc() : memref<16xf32>
  return %z : memref<16xf32>
}
func.func @rounds(%n: index, %in: memref<16xf32>) {
  scf.for %k = %n to %n step %n {
    %b = func.call @made_in_rounds() : () -> memref<16xf32>
    "x.write"(%b, %in) {gmem.stream = 1 : i64, gmem.op_model = {writes = array<i64: 0>}} : (memref<16xf32>, memref<16xf32>) -> ()
    "x.read"(%b) {gmem.stream = 2 : i64} : (memref<16xf32>) -> ()
    "x.sync"() {gmem.wait = array<i64: 1, 2>} : () -> ()
  }
  return
}

// -----

// CHECK-LABEL: func.func private @made_in_overlapping_rounds
// CHECK: memref.alloc() : memref
func.func private @made_in_overlapping_rounds() -> memref<16xf32> {
  %z = memref.alloc() : memref<16xf32>
  return %z : memref<16xf32>
}
func.func @overlapping_rounds(%n: index, %in: memref<16xf32>) {
  scf.for %k = %n to %n step %n {
    %b = func.call @made_in_overlapping_rounds() : () -> memref<16xf32>
    "x.write"(%b, %in) {gmem.stream = 1 : i64, gmem.op_model = {writes = array<i64: 0>}} : (memref<16xf32>, memref<16xf32>) -> ()
    "x.read"(%b) {gmem.stream = 2 : i64} : (memref<16xf32>) -> ()
  }
  "x.sync"() {gmem.wait = array<i64: 1, 2>} : () -> ()
  return
}
