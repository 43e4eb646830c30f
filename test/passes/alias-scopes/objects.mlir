// What is apart from what, of arguments, globals and allocations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --split-input-file --pass-pipeline='builtin.module(gmem-lower-to-llvm{alias-scopes})' %s | FileCheck %s
// RUN: gmem-opt --split-input-file --pass-pipeline='builtin.module(gmem-lower-to-llvm{alias-scopes=false},gmem-alias-scopes{noalias-arguments})' %s | FileCheck --check-prefix=OPTION %s

// Case 1: arguments may share bytes with each other and with globals, unless
// the option says that they don't. A function without callers was given
// nothing that lies in its arenas; two arenas are two.
// CHECK-DAG: #[[X:.*]] = #llvm.alias_scope<{{.*}}"argument 1">
// CHECK-DAG: #[[Y:.*]] = #llvm.alias_scope<{{.*}}"argument 6">
// CHECK-DAG: #[[G:.*]] = #llvm.alias_scope<{{.*}}"g">
// CHECK-DAG: #[[A:.*]] = #llvm.alias_scope<{{.*}}"argument 13 [0, 64)">
// CHECK-DAG: #[[B:.*]] = #llvm.alias_scope<{{.*}}"argument 18 [0, 64)">
// CHECK-LABEL: llvm.func @entry
// CHECK: store {{.*}} {alias_scopes = [#[[X]]], noalias_scopes = [#[[A]], #[[B]]]}
// CHECK: store {{.*}} {alias_scopes = [#[[Y]]], noalias_scopes = [#[[A]], #[[B]]]}
// CHECK: store {{.*}} {alias_scopes = [#[[G]]], noalias_scopes = [#[[A]], #[[B]]]}
// CHECK: store {{.*}} {alias_scopes = [#[[A]]], noalias_scopes = [#[[X]], #[[Y]], #[[G]], #[[B]]]}
// CHECK: store {{.*}} {alias_scopes = [#[[B]]], noalias_scopes = [#[[X]], #[[Y]], #[[G]], #[[A]]]}
// OPTION-DAG: #[[X:.*]] = #llvm.alias_scope<{{.*}}"argument 1">
// OPTION-DAG: #[[Y:.*]] = #llvm.alias_scope<{{.*}}"argument 6">
// OPTION-DAG: #[[G:.*]] = #llvm.alias_scope<{{.*}}"g">
// OPTION-LABEL: llvm.func @entry
// OPTION: store {{.*}} {alias_scopes = [#[[X]]], noalias_scopes = [#[[Y]], #[[G]],
memref.global "private" @g : memref<16xf32> = dense<1.0>
func.func @entry(%x: memref<16xf32>, %y: memref<16xf32>, %v: f32, %i: index, %m: memref<4096xi8>, %n: memref<4096xi8, 1>) attributes {gmem.arena_arguments = ["memory", "memory.1"]} {
  %c0 = arith.constant 0 : index
  %g = memref.get_global @g : memref<16xf32>
  %a = memref.view %m[%c0][] : memref<4096xi8> to memref<16xf32>
  %b = memref.view %n[%c0][] : memref<4096xi8, 1> to memref<16xf32, 1>
  memref.store %v, %x[%i] : memref<16xf32>
  memref.store %v, %y[%i] : memref<16xf32>
  memref.store %v, %g[%i] : memref<16xf32>
  memref.store %v, %a[%i] : memref<16xf32>
  memref.store %v, %b[%i] : memref<16xf32, 1>
  return
}

// -----

// Case 2: a function that is called may have been given a part of its own
// arena: nothing is said of the two. Of the arena's other parts it is.
// CHECK-DAG: #[[A:.*]] = #llvm.alias_scope<{{.*}} [0, 64)">
// CHECK-DAG: #[[B:.*]] = #llvm.alias_scope<{{.*}} [64, 128)">
// CHECK-LABEL: llvm.func @callee
// CHECK: llvm.store %{{[a-z0-9]+}}, %{{[0-9]+}} : f32
// CHECK: store {{.*}} {alias_scopes = [#[[A]]], noalias_scopes = [#[[B]]]}
// CHECK: store {{.*}} {alias_scopes = [#[[B]]], noalias_scopes = [#[[A]]]}
// Nor with the option: what it was given is its own, but its bytes may have
// been used again when it was read for the last time.
// OPTION-LABEL: llvm.func @callee
// OPTION: llvm.store %{{[a-z0-9]+}}, %{{[0-9]+}} : f32
// OPTION: store {{.*}} {alias_scopes = [{{#[a-z_0-9]+}}], noalias_scopes = [{{#[a-z_0-9]+}}]}
func.func @callee(%x: memref<?xf32>, %v: f32, %i: index, %m: memref<4096xi8>) attributes {gmem.arena_arguments = ["memory"]} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %a = memref.view %m[%c0][] : memref<4096xi8> to memref<16xf32>
  %b = memref.view %m[%c64][] : memref<4096xi8> to memref<16xf32>
  memref.store %v, %x[%i] : memref<?xf32>
  memref.store %v, %a[%i] : memref<16xf32>
  memref.store %v, %b[%i] : memref<16xf32>
  return
}
func.func @caller(%n: index, %v: f32, %i: index, %m: memref<4096xi8>) attributes {gmem.arena_arguments = ["memory"]} {
  %c0 = arith.constant 0 : index
  %x = memref.view %m[%c0][%n] : memref<4096xi8> to memref<?xf32>
  call @callee(%x, %v, %i, %m) : (memref<?xf32>, f32, index, memref<4096xi8>) -> ()
  return
}

// -----

// Case 3: its wrapper for C does not count as a caller: it hands on what comes
// from outside. (The arguments of the wrapper are pointers to descriptors.)
// CHECK-DAG: #[[X:.*]] = #llvm.alias_scope<{{.*}}"argument 1">
// CHECK-DAG: #[[A:.*]] = #llvm.alias_scope<{{.*}}"argument 8 [0, 64)">
// CHECK-LABEL: llvm.func @wrapped
// CHECK: store {{.*}} {alias_scopes = [#[[X]]], noalias_scopes = [#[[A]]]}
// CHECK-LABEL: llvm.func @_mlir_ciface_wrapped
// CHECK-NOT: noalias_scopes
func.func @wrapped(%x: memref<16xf32>, %v: f32, %i: index, %m: memref<4096xi8>) attributes {gmem.arena_arguments = ["memory"], llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %a = memref.view %m[%c0][] : memref<4096xi8> to memref<16xf32>
  memref.store %v, %x[%i] : memref<16xf32>
  memref.store %v, %a[%i] : memref<16xf32>
  return
}

// -----

// Case 4: what is allocated at the start of a function is apart from all else,
// also where its address is rounded up. In a loop it is new each time: nothing
// is said.
// CHECK-DAG: #[[X:.*]] = #llvm.alias_scope<{{.*}}"argument 1">
// CHECK-DAG: #[[P:.*]] = #llvm.alias_scope<{{.*}}"allocation">
// CHECK-DAG: #[[Q:.*]] = #llvm.alias_scope<{{.*}}"allocation">
// CHECK-LABEL: llvm.func @allocations
// CHECK: store {{.*}} {alias_scopes = [#[[X:.*]]], noalias_scopes = [#[[P:.*]], #[[Q:.*]]]}
// CHECK: store {{.*}} {alias_scopes = [#[[P]]], noalias_scopes = [#[[X]], #[[Q]]]}
// CHECK: store {{.*}} {alias_scopes = [#[[Q]]], noalias_scopes = [#[[X]], #[[P]]]}
// CHECK-COUNT-2: llvm.store %{{[a-z0-9]+}}, %{{[0-9]+}} : f32
func.func private @use(memref<16xf32>)
func.func @allocations(%x: memref<16xf32>, %v: f32, %i: index) -> (memref<16xf32>, memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = memref.alloc() : memref<16xf32>
  %q = memref.alloc() {alignment = 128 : i64} : memref<16xf32>
  memref.store %v, %x[%i] : memref<16xf32>
  memref.store %v, %p[%i] : memref<16xf32>
  memref.store %v, %q[%i] : memref<16xf32>
  scf.for %k = %c0 to %i step %c1 {
    %r = memref.alloc() : memref<16xf32>
    memref.store %v, %r[%i] : memref<16xf32>
    memref.store %v, %x[%k] : memref<16xf32>
    func.call @use(%r) : (memref<16xf32>) -> ()
    memref.dealloc %r : memref<16xf32>
  }
  return %p, %q : memref<16xf32>, memref<16xf32>
}

// -----

// Case 5: without an arena there is nothing to cut: the program's own views of
// its own bytes are one place, and one place alone needs no scope.
// CHECK-LABEL: llvm.func @no_arena
// CHECK-NOT: noalias_scopes
func.func @no_arena(%v: f32, %i: index, %m: memref<4096xi8>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %a = memref.view %m[%c0][] : memref<4096xi8> to memref<16xf32>
  %b = memref.view %m[%c64][] : memref<4096xi8> to memref<16xf32>
  memref.store %v, %a[%i] : memref<16xf32>
  memref.store %v, %b[%i] : memref<16xf32>
  return
}

// -----

// Case 6: arenas that are globals, or allocated: gmem.arenas says which.
// CHECK-DAG: #[[A:.*]] = #llvm.alias_scope<{{.*}}"arena_of_mine [0, 64)">
// CHECK-DAG: #[[B:.*]] = #llvm.alias_scope<{{.*}}"arena_of_mine [64, 128)">
// CHECK-DAG: #[[C:.*]] = #llvm.alias_scope<{{.*}}"allocation [0, 64)">
// CHECK-DAG: #[[D:.*]] = #llvm.alias_scope<{{.*}}"allocation [64, 128)">
// CHECK-LABEL: llvm.func @own
// CHECK-NOT: scope.decl #[[A]]
// CHECK: store {{.*}} {alias_scopes = [#[[A]]], noalias_scopes = [#[[B]], #[[C]], #[[D]]]}
// CHECK: store {{.*}} {alias_scopes = [#[[B]]], noalias_scopes = [#[[A]], #[[C]], #[[D]]]}
// CHECK: store {{.*}} {alias_scopes = [#[[C]]], noalias_scopes = [#[[A]], #[[B]], #[[D]]]}
module attributes {gmem.arenas = [{pool = "memory", size = 4096 : i64, mode = "global", symbol = "arena_of_mine"}, {pool = "memory.1", size = 192 : i64, mode = "alloc"}]} {
  memref.global "private" @arena_of_mine : memref<4096xi8> = uninitialized
  func.func @own(%v: f32, %i: index) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %m = memref.get_global @arena_of_mine : memref<4096xi8>
    %n = memref.alloc() {alignment = 64 : i64} : memref<192xi8>
    %a = memref.view %m[%c0][] : memref<4096xi8> to memref<16xf32>
    %b = memref.view %m[%c64][] : memref<4096xi8> to memref<16xf32>
    %c = memref.view %n[%c0][] : memref<192xi8> to memref<16xf32>
    %d = memref.view %n[%c64][] : memref<192xi8> to memref<16xf32>
    memref.store %v, %a[%i] : memref<16xf32>
    memref.store %v, %b[%i] : memref<16xf32>
    memref.store %v, %c[%i] : memref<16xf32>
    memref.store %v, %d[%i] : memref<16xf32>
    memref.dealloc %n : memref<192xi8>
    return
  }
}
