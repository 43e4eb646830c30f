// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sparse constant is planned as what it is in memory, and written out.
// RUN: gmem-opt --gmem-plan --gmem-materialize=weights=image %s | FileCheck %s
// CHECK: memref.global "private" constant @gmem_arena_weights : memref<4108xi8> = dense<
// RUN: gmem-run %s --entry main --compare --weights=image | FileCheck %s --check-prefix=RUNS
// RUNS: argument 0 {{ *}}f32 8 {{.*}} 0 2 0 0 0 0
// RUNS: argument 1 {{ *}}i16 2x3 {{.*}} 0 0 7 -1 0 0
// RUNS: equal: the planned and unplanned outputs are bitwise equal
// RUN: gmem-opt --gmem-plan %s -o %t.mlir
// RUN: gmem-translate --gmem-to-image --weights=all %t.mlir -o %t.gmem
// RUN: gmem-run %t.gmem | FileCheck %s --check-prefix=IMAGE
// IMAGE: w
memref.global "private" constant @w : memref<8xf32> = sparse<[[1]], [2.0]>
memref.global "private" constant @v : memref<2x3xi16> = sparse<[[0, 2], [1, 0]], [7, -1]>
func.func @main(%out: memref<8xf32>, %more: memref<2x3xi16>) {
  %w = memref.get_global @w : memref<8xf32>
  %v = memref.get_global @v : memref<2x3xi16>
  memref.copy %w, %out : memref<8xf32> to memref<8xf32>
  memref.copy %v, %more : memref<2x3xi16> to memref<2x3xi16>
  return
}
