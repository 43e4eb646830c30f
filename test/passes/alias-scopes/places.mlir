// Which accesses are told apart: by the bytes that they may touch, never by
// when they happen. Written on memrefs, as gmem-materialize leaves them, and
// looked at after the lowering; a load or store stands for its place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --split-input-file --pass-pipeline='builtin.module(gmem-lower-to-llvm{alias-scopes})' %s | FileCheck %s

// Case 1: buffers of one arena whose bytes are apart are; one that shares bytes
// with another is not, wherever it begins. The last one covers both others.
// CHECK-DAG: #[[A:.*]] = #llvm.alias_scope<{{.*}}"argument 3 [0, 64)">
// CHECK-DAG: #[[B:.*]] = #llvm.alias_scope<{{.*}}"argument 3 [64, 128)">
// CHECK-DAG: #[[D:.*]] = #llvm.alias_scope<{{.*}}"argument 3 [124, 132)">
// CHECK-LABEL: llvm.func @bytes
// CHECK: llvm.intr.experimental.noalias.scope.decl #[[A]]
// CHECK: store {{.*}} {alias_scopes = [#[[A]]], noalias_scopes = [#[[B]], #[[D]]]}
// CHECK: store {{.*}} {alias_scopes = [#[[B]]], noalias_scopes = [#[[A]]]}
// CHECK: llvm.store %{{[a-z0-9]+}}, %{{[0-9]+}} : f32
// CHECK: store {{.*}} {alias_scopes = [#[[D]]], noalias_scopes = [#[[A]]]}
func.func @bytes(%v: f32, %i: index, %arena: memref<4096xi8>) attributes {gmem.arena_arguments = ["memory"]} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c124 = arith.constant 124 : index
  %a = memref.view %arena[%c0][] : memref<4096xi8> to memref<16xf32>
  %b = memref.view %arena[%c64][] : memref<4096xi8> to memref<4x4xf32>
  %c = memref.view %arena[%c0][] : memref<4096xi8> to memref<2x16xf32>
  %d = memref.view %arena[%c124][] : memref<4096xi8> to memref<2xf32>
  memref.store %v, %a[%i] : memref<16xf32>
  memref.store %v, %b[%i, %i] : memref<4x4xf32>
  memref.store %v, %c[%i, %i] : memref<2x16xf32>
  memref.store %v, %d[%i] : memref<2xf32>
  return
}

// -----

// Case 2: what is made of a buffer has the place of the buffer, though its own
// shape says less (or nothing): only the buffer bounds what may be reached. The
// row of %a and all of %a share bytes.
// CHECK-DAG: #[[A:.*]] = #llvm.alias_scope<{{.*}}"argument 4 [0, 256)">
// CHECK-DAG: #[[B:.*]] = #llvm.alias_scope<{{.*}}"argument 4 [256, 320)">
// CHECK-LABEL: llvm.func @parts
// CHECK-COUNT-4: store {{.*}} {alias_scopes = [#[[A]]], noalias_scopes = [#[[B]]]}
// CHECK: store {{.*}} {alias_scopes = [#[[B]]], noalias_scopes = [#[[A]]]}
func.func @parts(%v: f32, %i: index, %n: index, %arena: memref<4096xi8>) attributes {gmem.arena_arguments = ["memory"]} {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %a = memref.view %arena[%c0][] : memref<4096xi8> to memref<4x16xf32>
  %b = memref.view %arena[%c256][] : memref<4096xi8> to memref<16xf32>
  %row = memref.subview %a[%n, 0] [1, 16] [1, 1] : memref<4x16xf32> to memref<1x16xf32, strided<[16, 1], offset: ?>>
  %first = memref.reinterpret_cast %a to offset: [0], sizes: [1], strides: [1] : memref<4x16xf32> to memref<1xf32>
  %again = memref.reinterpret_cast %first to offset: [%n], sizes: [8], strides: [1] : memref<1xf32> to memref<8xf32, strided<[1], offset: ?>>
  memref.store %v, %a[%i, %i] : memref<4x16xf32>
  memref.store %v, %row[%c0, %i] : memref<1x16xf32, strided<[16, 1], offset: ?>>
  memref.store %v, %first[%i] : memref<1xf32>
  memref.store %v, %again[%i] : memref<8xf32, strided<[1], offset: ?>>
  memref.store %v, %b[%i] : memref<16xf32>
  return
}

// -----

// Case 3: a buffer of bytes in which the program has views of its own: its size
// is that of the buffer in bytes, not in elements of what is in it.
// CHECK-DAG: #[[A:.*]] = #llvm.alias_scope<{{.*}}"argument 3 [0, 128)">
// CHECK-DAG: #[[B:.*]] = #llvm.alias_scope<{{.*}}"argument 3 [128, 192)">
// CHECK-LABEL: llvm.func @views_in_views
// CHECK-COUNT-2: store {{.*}} {alias_scopes = [#[[A]]], noalias_scopes = [#[[B]]]}
func.func @views_in_views(%v: f32, %i: index, %arena: memref<4096xi8>) attributes {gmem.arena_arguments = ["memory"]} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.view %arena[%c0][] : memref<4096xi8> to memref<128xi8>
  %b = memref.view %arena[%c128][] : memref<4096xi8> to memref<16xf32>
  %low = memref.view %a[%c0][] : memref<128xi8> to memref<16xf32>
  %high = memref.view %a[%c64][] : memref<128xi8> to memref<16xf32>
  memref.store %v, %low[%i] : memref<16xf32>
  memref.store %v, %high[%i] : memref<16xf32>
  memref.store %v, %b[%i] : memref<16xf32>
  return
}

// -----

// Case 4: a buffer whose size is not known may be all of the arena: it is not
// apart from another, but it is from constants. Nor is anything known of what is
// chosen while the program runs.
// CHECK-DAG: #[[ALL:.*]] = #llvm.alias_scope<{{.*}}"argument 5">
// CHECK-DAG: #[[A:.*]] = #llvm.alias_scope<{{.*}}"argument 5 [0, 64)">
// CHECK-DAG: #[[W:.*]] = #llvm.alias_scope<{{.*}}"w">
// CHECK-LABEL: llvm.func @unknown
// CHECK: %[[V:.*]] = llvm.load {{.*}} {alias_scopes = [#[[W]]], noalias_scopes = [#[[ALL]], #[[A]]]}
// CHECK: store {{.*}} {alias_scopes = [#[[ALL]]], noalias_scopes = [#[[W]]]}
// CHECK: store {{.*}} {alias_scopes = [#[[A]]], noalias_scopes = [#[[W]]]}
// CHECK: llvm.store %[[V]], %{{[0-9]+}} : f32
memref.global "private" constant @w : memref<16xf32> = dense<1.0>
func.func @unknown(%i: index, %n: index, %m: index, %p: i1, %arena: memref<4096xi8>) attributes {gmem.arena_arguments = ["memory"]} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %w = memref.get_global @w : memref<16xf32>
  %a = memref.view %arena[%c64][%n] : memref<4096xi8> to memref<?xf32>
  %b = memref.view %arena[%c0][] : memref<4096xi8> to memref<16xf32>
  %c = memref.view %arena[%c64][] : memref<4096xi8> to memref<16xf32>
  %d = arith.select %p, %b, %c : memref<16xf32>
  %v = memref.load %w[%i] : memref<16xf32>
  memref.store %v, %a[%i] : memref<?xf32>
  memref.store %v, %b[%i] : memref<16xf32>
  memref.store %v, %d[%i] : memref<16xf32>
  return
}

// -----

// Case 5: a copy touches two places: it has the scopes of both, and is apart
// from what is apart from both.
// CHECK-DAG: #[[A:.*]] = #llvm.alias_scope<{{.*}} [0, 64)">
// CHECK-DAG: #[[B:.*]] = #llvm.alias_scope<{{.*}} [64, 128)">
// CHECK-DAG: #[[C:.*]] = #llvm.alias_scope<{{.*}} [128, 192)">
// CHECK-LABEL: llvm.func @copy
// CHECK: store {{.*}} {alias_scopes = [#[[C]]], noalias_scopes = [#[[A]], #[[B]]]}
// CHECK: "llvm.intr.memcpy"{{.*}}alias_scopes = [#[[B]], #[[A]]]{{.*}}noalias_scopes = [#[[C]]]
func.func @copy(%v: f32, %i: index, %arena: memref<4096xi8>) attributes {gmem.arena_arguments = ["memory"]} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.view %arena[%c0][] : memref<4096xi8> to memref<16xf32>
  %b = memref.view %arena[%c64][] : memref<4096xi8> to memref<16xf32>
  %c = memref.view %arena[%c128][] : memref<4096xi8> to memref<16xf32>
  memref.store %v, %a[%i] : memref<16xf32>
  memref.store %v, %c[%i] : memref<16xf32>
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>
  return
}

// -----

// Case 6: elements that LLVM spreads out, and empty ones: 3 elements of vectors
// of 3 floats take 16 bytes each.
// CHECK-DAG: "argument 3 [0, 48)"
// CHECK-DAG: "argument 3 [48, 52)"
// CHECK-LABEL: llvm.func @elements
func.func @elements(%i: index, %v: vector<3xf32>, %arena: memref<4096xi8>) attributes {gmem.arena_arguments = ["memory"]} {
  %c0 = arith.constant 0 : index
  %c48 = arith.constant 48 : index
  %true = arith.constant true
  %a = memref.view %arena[%c0][] : memref<4096xi8> to memref<3xvector<3xf32>>
  %b = memref.view %arena[%c48][] : memref<4096xi8> to memref<4xi1>
  memref.store %v, %a[%i] : memref<3xvector<3xf32>>
  memref.store %true, %b[%i] : memref<4xi1>
  return
}
