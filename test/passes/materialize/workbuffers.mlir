// Workbuffers of a program on memrefs: its ops keep where they are in the arena
// of their pool, and their functions have that arena.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan --gmem-materialize=arena-mode=alloc %s | FileCheck %s --check-prefixes=CHECK,ALLOC
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan --gmem-materialize=arena-mode=arg %s | FileCheck %s --check-prefixes=CHECK,ARG
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan --gmem-materialize=arena-mode=global %s | FileCheck %s --check-prefixes=CHECK,GLOBAL

// The arena is large enough for them.
// CHECK: pool = "memory", size = 356 : i64
// CHECK-LABEL: func.func @main
func.func @main(%x: memref<64xf32>) {
  // ALLOC: memref.alloc(){{.*}}gmem.arena = "memory"{{.*}}memref<356xi8>
  // ARG-SAME: memref<356xi8> {gmem.arena = "memory"
  // GLOBAL: memref.get_global @gmem_arena_memory
  %0 = memref.alloc() : memref<64xf32>
  // CHECK: memref.copy {{.*}}gmem.workbuffer_offset = array<i64: 256>, gmem.workbuffer_pool = ["memory"]
  memref.copy %x, %0 {gmem.workbuffers = [{size = 100}]} : memref<64xf32> to memref<64xf32>
  memref.copy %0, %x : memref<64xf32> to memref<64xf32>
  memref.dealloc %0 : memref<64xf32>
  func.call @inner() : () -> ()
  return
}
// A function that has nothing there but workbuffers is given the arena, too.
// CHECK-LABEL: func.func private @inner
// ALLOC-SAME: memref<356xi8> {gmem.arena = "memory"}
// ARG-SAME: memref<356xi8> {gmem.arena = "memory"}
func.func private @inner() {
  // GLOBAL: memref.get_global @gmem_arena_memory
  // CHECK: "a.op"() {gmem.workbuffer_offset = array<i64: 0, -1>, gmem.workbuffer_pool = ["memory", ""]
  "a.op"() {gmem.workbuffers = [{size = 100}, {size = 0}]} : () -> ()
  return
}
