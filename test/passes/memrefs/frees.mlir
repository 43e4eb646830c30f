// Frees of planned memory go; what may free something else stays, and all that
// it may free with it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// MLIR 19 has no --verify-diagnostics=only-expected.

// RUN: gmem-opt %s --split-input-file --allow-unregistered-dialect --verify-diagnostics=only-expected --gmem-plan --gmem-materialize=arena-mode=arg | FileCheck %s

// 1. By a view, by its metadata, in a callee, guarded: all of them go.
// CHECK-LABEL: @all_go
// CHECK-NOT:   memref.dealloc %{{.*}} : memref<{{(4xi32|i32|\?xi32)}}>
// CHECK:       return
// CHECK-LABEL: func.func private @frees
// CHECK-NOT:   memref.dealloc
func.func @all_go(%c: i1) {
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  %d = memref.alloc() : memref<4xi32>
  %e = memref.alloc() : memref<4xi32>
  "some.use"(%a, %b, %d, %e) : (memref<4xi32>, memref<4xi32>, memref<4xi32>, memref<4xi32>) -> ()
  %v = memref.cast %a : memref<4xi32> to memref<?xi32>
  memref.dealloc %v : memref<?xi32>
  %base, %o, %s, %t = memref.extract_strided_metadata %b : memref<4xi32> -> memref<i32>, index, index, index
  memref.dealloc %base : memref<i32>
  scf.if %c {
    memref.dealloc %d : memref<4xi32>
  }
  call @frees(%e) : (memref<4xi32>) -> ()
  return
}
func.func private @frees(%m: memref<4xi32>) {
  memref.dealloc %m : memref<4xi32>
  return
}

// -----

// 2. What is freed may be an argument: it stays.
// CHECK-LABEL: @or_argument
// CHECK:       memref.alloc() : memref<4xi32>
// CHECK:       memref.dealloc
func.func @or_argument(%c: i1, %m: memref<4xi32>) {
  // expected-remark @+1 {{this memref of @or_argument is not planned: a deallocation of it may also free memory that is not planned}}
  %a = memref.alloc() : memref<4xi32>
  %s = arith.select %c, %a, %m : memref<4xi32>
  // expected-note @+1 {{freed here}}
  memref.dealloc %s : memref<4xi32>
  return
}

// -----

// 3. One that is left alone draws the next after it, and that the next.
// CHECK-LABEL: @row
// CHECK-NOT:   memref.view
// CHECK-COUNT-3: memref.dealloc
func.func @row(%c: i1) {
  // expected-remark @+1 {{this memref of @row is not planned: it escapes through a value that is not a memref}}
  %a = memref.alloc() : memref<4xi32>
  // expected-remark @+1 {{this memref of @row is not planned: a deallocation of it may also free memory that is not planned (1 more in this function for the same reason)}}
  %b = memref.alloc() : memref<4xi32>
  %d = memref.alloc() : memref<4xi32>
  // expected-note @+1 {{escapes here}}
  %p = memref.extract_aligned_pointer_as_index %a : memref<4xi32> -> index
  %x = arith.select %c, %a, %b : memref<4xi32>
  %y = arith.select %c, %b, %d : memref<4xi32>
  // expected-note @+1 {{freed here}}
  memref.dealloc %x : memref<4xi32>
  memref.dealloc %y : memref<4xi32>
  %e = "some.copy"(%p) : (index) -> memref<4xi32>
  memref.dealloc %e : memref<4xi32>
  return
}

// -----

// 4. A clone may be what was cloned, or not.
// CHECK-LABEL: @clone
// CHECK:       memref.alloc() : memref<4xi32>
// CHECK:       memref.dealloc
func.func @clone() {
  // expected-remark @+1 {{this memref of @clone is not planned: a deallocation of it may also free memory that is not planned}}
  %a = memref.alloc() : memref<4xi32>
  %b = bufferization.clone %a : memref<4xi32> to memref<4xi32>
  // expected-note @+1 {{freed here}}
  memref.dealloc %b : memref<4xi32>
  return
}

// -----

// 5. What frees by what it finds out when it runs, and what moves memory.
// CHECK-LABEL: @others
// CHECK-NOT:   memref.view
// CHECK:       bufferization.dealloc
// CHECK:       memref.realloc
func.func @others(%c: i1) {
  // expected-remark @+1 {{this memref of @others is not planned: a deallocation of it may also free memory that is not planned (1 more in this function for the same reason)}}
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  // expected-note @+1 {{freed here}}
  %owned = bufferization.dealloc (%a : memref<4xi32>) if (%c) retain (%b : memref<4xi32>)
  %r = memref.realloc %b : memref<4xi32> to memref<8xi32>
  memref.dealloc %r : memref<8xi32>
  return
}

// -----

// 6. Two that a branch gives, both planned: the free of what comes out goes.
// CHECK-LABEL: @either
// CHECK-NOT:   memref.dealloc %{{.*}} : memref<4xi32>
// CHECK:       return
func.func @either(%c: i1, %in: memref<4xi32>) {
  %m = scf.if %c -> memref<4xi32> {
    %a = memref.alloc() : memref<4xi32>
    memref.copy %in, %a : memref<4xi32> to memref<4xi32>
    scf.yield %a : memref<4xi32>
  } else {
    %b = memref.alloc() : memref<4xi32>
    memref.copy %in, %b : memref<4xi32> to memref<4xi32>
    scf.yield %b : memref<4xi32>
  }
  "some.use"(%m) : (memref<4xi32>) -> ()
  memref.dealloc %m : memref<4xi32>
  return
}

// -----

// 7. A body that is not entered frees a memref that cannot be followed.
// CHECK-LABEL: @inside
// CHECK:       memref.alloc() : memref<4xi32>
func.func @inside() {
  // expected-remark @+1 {{this memref of @inside is not planned: a deallocation of it may also free memory that is not planned}}
  %a = memref.alloc() : memref<4xi32>
  // expected-note @+1 {{freed here}}
  "some.group"() ({
    memref.dealloc %a : memref<4xi32>
  }) {gmem.layer_group} : () -> ()
  return
}

// -----

// 8. One op frees two: one of them is not planned, so that it stays, and with it
//    the other memref, in whatever order they are.
// CHECK-LABEL: @several
// CHECK:       memref.alloc() : memref<4xi32>
// CHECK:       bufferization.dealloc
func.func @several(%c: i1, %n: index) {
  // expected-remark @+1 {{this memref of @several is not planned: a deallocation of it may also free memory that is not planned}}
  %a = memref.alloc() : memref<4xi32>
  // expected-remark @+1 {{this memref of @several is not planned: its size is dynamic and has no known bound}}
  %b = memref.alloc(%n) : memref<?xi32>
  "some.use"(%a, %b) : (memref<4xi32>, memref<?xi32>) -> ()
  // expected-note @+1 {{freed here}}
  bufferization.dealloc (%b, %a : memref<?xi32>, memref<4xi32>) if (%c, %c)
  return
}

// -----

// 9. Both are planned: it goes.
// CHECK-LABEL: @both
// CHECK-NOT:   bufferization.dealloc
// CHECK:       return
func.func @both(%c: i1) {
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  "some.use"(%a, %b) : (memref<4xi32>, memref<4xi32>) -> ()
  bufferization.dealloc (%b, %a : memref<4xi32>, memref<4xi32>) if (%c, %c)
  return
}

// -----

// 10. A buffer that grows may be freed for a larger one.
// CHECK-LABEL: @grows
// CHECK:       memref.alloc() : memref<4xi32>
func.func @grows(%n: index, %v: i32) -> i32 {
  %c0 = arith.constant 0 : index
  // expected-remark @+1 {{this memref of @grows is not planned: a deallocation of it may also free memory that is not planned}}
  %a = memref.alloc() : memref<4xi32>
  %d = memref.cast %a : memref<4xi32> to memref<?xi32>
  // expected-note @+1 {{freed here}}
  %r, %size = sparse_tensor.push_back %n, %d, %v : index, memref<?xi32>, i32
  %x = memref.load %r[%c0] : memref<?xi32>
  return %x : i32
}

// -----

// 11. A function that is not called frees nothing, nor does one that is given what
//     has no place: both stay.
// CHECK-LABEL: @beside
// CHECK-NOT:   memref.dealloc
// CHECK-LABEL: func.func private @not_called
// CHECK:       memref.dealloc
// CHECK-LABEL: func.func private @given_planned
// CHECK-NOT:   memref.dealloc
// CHECK-LABEL: func.func private @given_other
// CHECK:       memref.dealloc
func.func @beside(%n: index) {
  %a = memref.alloc() : memref<4xi32>
  // expected-remark @+1 {{this memref of @beside is not planned: its size is dynamic and has no known bound}}
  %b = memref.alloc(%n) : memref<?xi32>
  "some.use"(%a, %b) : (memref<4xi32>, memref<?xi32>) -> ()
  call @given_planned(%a) : (memref<4xi32>) -> ()
  call @given_other(%b) : (memref<?xi32>) -> ()
  return
}
func.func private @not_called(%m: memref<4xi32>) {
  memref.dealloc %m : memref<4xi32>
  return
}
func.func private @given_planned(%m: memref<4xi32>) {
  memref.dealloc %m : memref<4xi32>
  return
}
func.func private @given_other(%m: memref<?xi32>) {
  memref.dealloc %m : memref<?xi32>
  return
}

// -----

// 12. What a call returns has no place: its free stays, in whatever function.
// CHECK-LABEL: @returned
// CHECK-NOT:   memref.dealloc
// CHECK-LABEL: func.func private @make
// CHECK:       memref.view
// CHECK-LABEL: func.func private @consume
// CHECK:       memref.dealloc
func.func @returned(%n: index) {
  %a = memref.alloc() : memref<4xi32>
  "some.use"(%a) : (memref<4xi32>) -> ()
  %r = call @make(%n) : (index) -> memref<?xi32>
  call @consume(%r) : (memref<?xi32>) -> ()
  memref.dealloc %a : memref<4xi32>
  return
}
func.func private @make(%n: index) -> memref<?xi32> {
  %b = memref.alloc() : memref<8xi32>
  // expected-remark @+1 {{this memref of @make is not planned: its size is dynamic and has no known bound}}
  %d = memref.alloc(%n) : memref<?xi32>
  "some.copy"(%b, %d) : (memref<8xi32>, memref<?xi32>) -> ()
  return %d : memref<?xi32>
}
func.func private @consume(%m: memref<?xi32>) {
  memref.dealloc %m : memref<?xi32>
  return
}
