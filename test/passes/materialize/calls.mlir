// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that are called are handed the arenas that they need.
// RUN: gmem-opt -pass-pipeline='builtin.module(gmem-plan,gmem-materialize)' %s | FileCheck %s --check-prefix=ALLOC
// RUN: gmem-opt -pass-pipeline='builtin.module(gmem-plan,gmem-materialize{arena-mode=arg})' %s | FileCheck %s --check-prefix=ARG
// RUN: gmem-opt -pass-pipeline='builtin.module(gmem-plan,gmem-materialize{arena-mode=global})' %s | FileCheck %s --check-prefix=GLOBAL

// 1. Three deep. What calls the function from inside may give it buffers that
//    end while it runs, and whose bytes it uses again: no noalias there.
// ALLOC-LABEL: func.func @entry(%arg0: memref<8xf32>) {
// ALLOC-NEXT: %[[WHOLE:.*]] = memref.alloc() {alignment = 64 : i64, gmem.arena = "memory"} : memref<[[SIZE:[0-9]+]]xi8>
// ALLOC: call @middle(%{{.*}}, %[[WHOLE]]) : (memref<8xf32>, memref<[[SIZE]]xi8>) -> ()
// ALLOC: call @public_leaf_in_arena(%{{.*}}, %[[WHOLE]]) : (memref<8xf32>, memref<[[SIZE]]xi8>) -> ()
// ALLOC: memref.dealloc %[[WHOLE]]
// ALLOC-NEXT: return
// ARG-LABEL: func.func @entry(%arg0: memref<8xf32>, %arg1: memref<{{[0-9]+}}xi8> {gmem.arena = "memory", llvm.noalias})
// ARG: call @middle(%{{.*}}, %arg1)
// ARG: call @public_leaf(%{{.*}}, %arg1)
// GLOBAL-LABEL: func.func @entry(%arg0: memref<8xf32>) {
// GLOBAL: call @middle(%{{[a-z_]+}}) : (memref<8xf32>) -> ()
func.func @entry(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  call @middle(%a) : (memref<8xf32>) -> ()
  call @public_leaf(%a) : (memref<8xf32>) -> ()
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  return
}

// 2. It has no memory of its own, and passes its arguments on. Attributes of
//    other arguments stay where they are.
// ALLOC-LABEL: func.func private @middle(%arg0: memref<8xf32> {a.note}, %arg1: memref<{{[0-9]+}}xi8> {gmem.arena = "memory"}) attributes {gmem.arena_arguments = ["memory"]} {
// ALLOC-NEXT: call @public_leaf_in_arena(%arg0, %arg1)
// ALLOC-NEXT: call @public_leaf_in_arena(%arg0, %arg1)
// ARG-LABEL: func.func private @middle(%arg0: memref<8xf32> {a.note}, %arg1: memref<{{[0-9]+}}xi8> {gmem.arena = "memory"})
// ARG-NEXT: call @public_leaf(%arg0, %arg1)
// GLOBAL-LABEL: func.func private @middle(%arg0: memref<8xf32> {a.note}) {
// GLOBAL-NEXT: call @public_leaf(%arg0) : (memref<8xf32>) -> ()
func.func private @middle(%x: memref<8xf32> {a.note}) {
  call @public_leaf(%x) : (memref<8xf32>) -> ()
  call @public_leaf(%x) : (memref<8xf32>) -> ()
  return
}

// 3. It is called from inside and may be from outside, where it must look as it
//    did: it becomes two.
// ALLOC-LABEL: func.func private @public_leaf_in_arena(%arg0: memref<8xf32> {b.note}, %arg1: memref<{{[0-9]+}}xi8> {gmem.arena = "memory"}) attributes {gmem.arena_arguments = ["memory"]} {
// ALLOC: memref.view
// ALLOC-LABEL: func.func @public_leaf(%arg0: memref<8xf32> {b.note}) attributes {c.note} {
// ALLOC-NEXT: %[[OWN:.*]] = memref.alloc() {alignment = 64 : i64, gmem.arena = "memory"}
// ALLOC-NEXT: call @public_leaf_in_arena(%arg0, %[[OWN]])
// ALLOC-NEXT: memref.dealloc %[[OWN]]
// ALLOC-NEXT: return
// ARG-LABEL: func.func @public_leaf(%arg0: memref<8xf32> {b.note}, %arg1: memref<{{[0-9]+}}xi8> {gmem.arena = "memory"}) attributes {c.note, gmem.arena_arguments = ["memory"]}
// GLOBAL-LABEL: func.func @public_leaf(%arg0: memref<8xf32> {b.note}) attributes {c.note} {
// GLOBAL-NEXT: memref.get_global @gmem_arena_memory
func.func @public_leaf(%x: memref<8xf32> {b.note}) attributes {c.note} {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  return
}

// 4. A second entry, by way of results, and an attribute list of the call.
// ALLOC-LABEL: func.func @other_entry
// ALLOC-NEXT: %[[WHOLE:.*]] = memref.alloc()
// ALLOC-NEXT: %[[R:.*]] = call @sum(%arg0, %[[WHOLE]])
// ALLOC-NEXT: memref.dealloc %[[WHOLE]]
// ALLOC-NEXT: return %[[R]]
func.func @other_entry(%x: memref<8xf32>) -> f32 {
  %0 = call @sum(%x) : (memref<8xf32>) -> f32
  return %0 : f32
}

func.func private @sum(%x: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  %0 = memref.load %a[%c0] : memref<8xf32>
  return %0 : f32
}

// 5. What a recursive function runs is not planned: it is left alone.
// ALLOC-LABEL: func.func @recursive(%arg0: memref<8xf32>, %arg1: i1) {
// ALLOC: call @leaf_of_recursive(%arg0) : (memref<8xf32>) -> ()
// ALLOC-LABEL: func.func private @leaf_of_recursive(%arg0: memref<8xf32>) {
// ALLOC-NEXT: memref.alloc() : memref<8xf32>
// ARG-LABEL: func.func @recursive(%arg0: memref<8xf32>, %arg1: i1) {
func.func @recursive(%x: memref<8xf32>, %go: i1) {
  %false = arith.constant false
  scf.if %go {
    func.call @recursive(%x, %false) : (memref<8xf32>, i1) -> ()
  }
  call @leaf_of_recursive(%x) : (memref<8xf32>) -> ()
  return
}

func.func private @leaf_of_recursive(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  return
}

// 6. That the memory of an argument is unshared is not stated any more of
//    what is called from inside: in the arena the callee's own buffer lies where
//    what it was given lay, and LLVM would move accesses across. What is only
//    called from outside is given nothing of the arena.
// ALLOC-LABEL: func.func @promises(%arg0: memref<8xf32> {llvm.noalias}
// ALLOC: call @promised(%{{.*}}, %arg0, %{{.*}}) : (
// ALLOC-LABEL: func.func private @promised(%arg0: memref<8xf32>, %arg1: memref<8xf32> {llvm.nonnull}, %arg2:
// ARG-LABEL: func.func private @promised(%arg0: memref<8xf32>, %arg1: memref<8xf32> {llvm.nonnull}, %arg2:
func.func @promises(%x: memref<8xf32> {llvm.noalias}) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  call @promised(%a, %x) : (memref<8xf32>, memref<8xf32>) -> ()
  return
}

func.func private @promised(%x: memref<8xf32> {llvm.noalias}, %y: memref<8xf32> {llvm.noalias, llvm.nonnull}) {
  memref.copy %x, %y : memref<8xf32> to memref<8xf32>
  %a = memref.alloc() : memref<8xf32>
  memref.copy %y, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %y : memref<8xf32> to memref<8xf32>
  return
}
