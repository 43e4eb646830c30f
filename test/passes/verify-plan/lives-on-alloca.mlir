// Allocs that promote-buffers-to-stack turns into allocas after planning: their
// places stand for nothing any more.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: gmem-opt --split-input-file --gmem-plan=alignment=64 %s -o %t
// RUN: gmem-opt --split-input-file --pass-pipeline='builtin.module(func.func(promote-buffers-to-stack),gmem-verify-plan)' %t -o %t.after 2>&1 | grep '%t' | FileCheck %s
// RUN: not gmem-opt --split-input-file --pass-pipeline='builtin.module(func.func(promote-buffers-to-stack),gmem-verify-plan{figures=strict})' %t -o /dev/null 2>&1 | grep '%t' | FileCheck %s --check-prefix=STRICT
// STRICT: 1:1: error: the plan is sound, but its figures in the IR no longer hold: plan again to update them

// Tools read it: what is on the stack stays there.
// RUN: gmem-opt --split-input-file --gmem-materialize %t.after 2>/dev/null | FileCheck %s --check-prefix=ARENA

// 1. One of two: the other is too large for the stack.
// CHECK: remark: the plan is sound, but its figures in the IR no longer hold: plan again to update them
// CHECK-NEXT: note: result #0 of 'memref.alloca' has an offset but is not planned any more
// CHECK-NEXT: note: pool 'memory' has lower_bound 399996, not 400060 as in gmem.pool_table
// CHECK-NEXT: note: the plan has peak 400060, lower_bound 399996 and is not optimal, not peak 400060, lower_bound 400060 and optimal as in gmem.plan
// ARENA-LABEL: func.func @some
// ARENA: memref.alloc() {{.*}} : memref<400060xi8>
// ARENA: %[[STACK:.*]] = memref.alloca() {{.*}} : memref<16xf32>
// ARENA: memref.copy %arg0, %[[STACK]]
func.func @some(%in: memref<16xf32>, %out: memref<16xf32>, %big: memref<99999xf32>) {
  %x = memref.alloc() : memref<99999xf32>
  memref.copy %big, %x : memref<99999xf32> to memref<99999xf32>
  %a = memref.alloc() : memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  memref.copy %x, %big : memref<99999xf32> to memref<99999xf32>
  return
}

// -----

// 2. All of them, also in a loop and in branches: the pool is empty.
// CHECK: remark: the plan is sound
// CHECK-NEXT: note: result #0 of 'memref.alloca' has an offset but is not planned any more
// CHECK-NEXT: note: result #0 of 'memref.alloca' has an offset but is not planned any more
// CHECK-NEXT: note: result #0 of 'memref.alloca' has an offset but is not planned any more
// CHECK-NEXT: note: result #0 of 'memref.alloca' has an offset but is not planned any more
// CHECK-NEXT: note: gmem.pool_table lists pool 'memory', which this module does not use
// CHECK-NEXT: note: the plan has peak 0, lower_bound 0 and is optimal, not peak 64, lower_bound 64 and optimal as in gmem.plan
// ARENA-LABEL: func.func @all
// ARENA-NOT: memref.alloc()
func.func @all(%in: memref<16xf32>, %out: memref<16xf32>, %n: index, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<16xf32>
    memref.copy %in, %a : memref<16xf32> to memref<16xf32>
    memref.copy %a, %out : memref<16xf32> to memref<16xf32>
    %b = memref.alloc() : memref<16xf32>
    memref.copy %in, %b : memref<16xf32> to memref<16xf32>
    memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  }
  scf.if %p {
    %a = memref.alloc() : memref<16xf32>
    memref.copy %in, %a : memref<16xf32> to memref<16xf32>
    memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  } else {
    %b = memref.alloc() : memref<16xf32>
    memref.copy %in, %b : memref<16xf32> to memref<16xf32>
    memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  }
  return
}
