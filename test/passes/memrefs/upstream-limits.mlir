// A limit of a memory space, which the planner pass of MLIR's main branch does not
// know: a plan that is too large is an error, and one that fits is one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: not gmem-opt %s --gmem-plan=space-capacity=memory.1=8191 2>&1 | FileCheck %s --check-prefix=OVER
// RUN: gmem-opt %s --gmem-plan=space-capacity=memory.1=8192 | FileCheck %s

// OVER: error: {{.*}}memory.1{{.*}}8191
// CHECK: capacity = 8192 : i64, kind = "workspace", lower_bound = 8192 : i64, name = "memory.1", size = 8192 : i64
func.func @two_at_once(%in: memref<1024xf32>, %out: memref<1024xf32>) {
  %a = memref.alloc() : memref<1024xf32, 1>
  %b = memref.alloc() : memref<1024xf32, 1>
  memref.copy %in, %a {gmem.op_model = {}} : memref<1024xf32> to memref<1024xf32, 1>
  memref.copy %a, %b {gmem.op_model = {}} : memref<1024xf32, 1> to memref<1024xf32, 1>
  memref.copy %b, %out {gmem.op_model = {}} : memref<1024xf32, 1> to memref<1024xf32>
  return
}
