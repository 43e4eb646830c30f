// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// In MLIR 19 memref.assume_alignment has no result.
// Views begin where the payload does, and end where it ends.
// RUN: gmem-opt -pass-pipeline='builtin.module(gmem-plan,gmem-materialize{arena-mode=arg})' %s | FileCheck %s

// CHECK-LABEL: func.func @padded
// CHECK-SAME: memref<264xi8> {gmem.arena = "memory"
// CHECK: %[[ARENA:.*]] = memref.assume_alignment {{.*}}, 64 : memref<264xi8>
// CHECK: %[[A:.*]] = arith.constant 64 : index
// CHECK: memref.view %[[ARENA]][%[[A]]][] : memref<264xi8> to memref<16xf32>
// CHECK: %[[B:.*]] = arith.constant 192 : index
// CHECK: memref.view %[[ARENA]][%[[B]]][] : memref<264xi8> to memref<16xf32>
// CHECK-NOT: gmem.payload_offset
func.func @padded(%x: memref<16xf32>) {
  %a = memref.alloc() {gmem.padding = [array<i64: 4, 0>]} : memref<16xf32>
  %b = memref.alloc() {gmem.padding = [array<i64: 64, 8>]} : memref<16xf32>
  memref.copy %x, %a {gmem.op_model = {}} : memref<16xf32> to memref<16xf32>
  memref.copy %a, %b {gmem.op_model = {}} : memref<16xf32> to memref<16xf32>
  memref.copy %b, %x {gmem.op_model = {}} : memref<16xf32> to memref<16xf32>
  return
}
