// Ops on memrefs of a dialect that is not registered: MLIR does not say which
// memrefs they write, so that "inplace" of their models was ignored, and the
// token of a transfer was reported as a value of unknown size.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='op-models=%S/Inputs/other-dialects.mlir strict=true' %s 2>%t.err | tee %t.planned.mlir | FileCheck %s
// RUN: count 0 <%t.err
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-verify-plan %t.planned.mlir -o /dev/null

// The check of contents knows from the model alone that npu.add may write over what
// it reads.
// RUN: sed 's/inplace = array<i64: 0, 1>/kind = \\22compute\\22/' %t.planned.mlir >%t.apart.mlir
// RUN: not gmem-opt --allow-unregistered-dialect --split-input-file --gmem-verify-plan=only=contents %t.apart.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=APART
// APART: error: 'npu.add' 

// %b lies over %a, %d over %c; %w, which is loaded while npu.conv runs, is in use
// until npu.wait.
// CHECK: peak = 12288 : i64
// CHECK-LABEL: func.func @main
// CHECK: %alloc = memref.alloc() {gmem.offset = array<i64: [[A:[0-9]+]]>
// CHECK: %alloc_0 = memref.alloc() {gmem.offset = array<i64: [[A]]>
// CHECK: %alloc_1 = memref.alloc() {gmem.offset = array<i64: [[W:[0-9]+]]>
// CHECK: %alloc_2 = memref.alloc() {gmem.offset = array<i64: [[C:[0-9]+]]>
// CHECK: %alloc_3 = memref.alloc() {gmem.offset = array<i64: [[C]]>
func.func @main(%in: memref<32x32xf32>, %far: memref<32x32xf32>, %out: memref<32x32xf32>) {
  %a = memref.alloc() : memref<32x32xf32, "near">
  "npu.load"(%in, %a) : (memref<32x32xf32>, memref<32x32xf32, "near">) -> ()
  %b = memref.alloc() : memref<32x32xf32, "near">
  "npu.relu"(%a, %b) : (memref<32x32xf32, "near">, memref<32x32xf32, "near">) -> ()
  %w = memref.alloc() : memref<32x32xf32, "near">
  %t = "npu.start"(%far, %w) : (memref<32x32xf32>, memref<32x32xf32, "near">) -> !npu.token
  %c = memref.alloc() : memref<32x32xf32, "near">
  "npu.conv"(%b, %c) : (memref<32x32xf32, "near">, memref<32x32xf32, "near">) -> ()
  "npu.wait"(%t) : (!npu.token) -> ()
  %d = memref.alloc() : memref<32x32xf32, "near">
  "npu.add"(%c, %b, %d) : (memref<32x32xf32, "near">, memref<32x32xf32, "near">, memref<32x32xf32, "near">) -> ()
  "npu.mul"(%d, %w, %out) : (memref<32x32xf32, "near">, memref<32x32xf32, "near">, memref<32x32xf32>) -> ()
  return
}
