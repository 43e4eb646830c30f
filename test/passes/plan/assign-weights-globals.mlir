// Constant globals are weights.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan=weight-alignment=16 %s | FileCheck %s 
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='weight-alignment=16 share-weights' %s | FileCheck %s --check-prefix=SHARE
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='weight-alignment=16 weight-order=name' %s | FileCheck %s --check-prefix=NAME
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='weight-alignment=16 weight-order=first-use' %s | FileCheck %s --check-prefix=USE
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='weight-alignment=16' %s -o %t.mlir
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='weight-alignment=16' %t.mlir -o %t.again.mlir
// RUN: cmp %t.mlir %t.again.mlir

// 1. One weight per global, however often and wherever it is got; equal ones
// are one if that is asked for. By name: of the symbol.
// CHECK-LABEL: module
// CHECK-SAME: {alignment = 16 : i64, base = 0 : i64, kind = "constant", lower_bound = 48 : i64, name = "weights", size = 48 : i64}
// CHECK-LABEL: func.func @main
// CHECK: memref.get_global @c : memref<{{.*}}> {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 16>}
// CHECK: memref.get_global @b : memref<{{.*}}> {gmem.offset = array<i64: 16>
// CHECK: memref.get_global @a : memref<{{.*}}> {gmem.offset = array<i64: 32>
// CHECK-LABEL: func.func @other
// CHECK: memref.get_global @c : memref<{{.*}}> {gmem.offset = array<i64: 0>
// SHARE-LABEL: module
// SHARE-SAME: name = "weights", size = 32 : i64}
// SHARE: memref.get_global @c : memref<{{.*}}> {gmem.offset = array<i64: 0>
// SHARE: memref.get_global @b : memref<{{.*}}> {gmem.offset = array<i64: 16>
// SHARE: memref.get_global @a : memref<{{.*}}> {gmem.offset = array<i64: 0>
// SHARE: memref.get_global @c : memref<{{.*}}> {gmem.offset = array<i64: 0>
// NAME-LABEL: module
// NAME: memref.get_global @c : memref<{{.*}}> {gmem.offset = array<i64: 32>
// NAME: memref.get_global @b : memref<{{.*}}> {gmem.offset = array<i64: 16>
// NAME: memref.get_global @a : memref<{{.*}}> {gmem.offset = array<i64: 0>
// NAME: memref.get_global @c : memref<{{.*}}> {gmem.offset = array<i64: 32>
// USE-LABEL: module
// USE: memref.get_global @c : memref<{{.*}}> {gmem.offset = array<i64: 32>
// USE: memref.get_global @b : memref<{{.*}}> {gmem.offset = array<i64: 0>
// USE: memref.get_global @a : memref<{{.*}}> {gmem.offset = array<i64: 16>
// USE: memref.get_global @c : memref<{{.*}}> {gmem.offset = array<i64: 32>
module {
  memref.global "private" constant @a : memref<4xf32> = dense<1.0>
  memref.global "private" constant @b : memref<4xf32> = dense<2.0>
  memref.global "private" constant @c : memref<4xf32> = dense<1.0>
  func.func @main() {
    %c = memref.get_global @c : memref<4xf32>
    %b = memref.get_global @b : memref<4xf32>
    %a = memref.get_global @a : memref<4xf32>
    "use"(%b) : (memref<4xf32>) -> ()
    "use"(%a) : (memref<4xf32>) -> ()
    "use"(%c) : (memref<4xf32>) -> ()
    return
  }
  func.func @other(%p: i1) {
    scf.if %p {
      %c = memref.get_global @c : memref<4xf32>
      "use"(%c) : (memref<4xf32>) -> ()
    }
    return
  }
}

// -----

// 2. Pools: of the global, or of the op that gets it, which wins. One constant
// may be in several.
// CHECK-LABEL: module
// CHECK-SAME: name = "weights", size = 16 : i64}, {{.*}}name = "flash", size = 16 : i64}, {{.*}}name = "rom", size = 16 : i64}
// CHECK: memref.get_global @plain : memref<{{.*}}> {gmem.offset = array<i64: 0>, gmem.pool = ["weights"]
// CHECK: memref.get_global @flash : memref<{{.*}}> {gmem.offset = array<i64: 0>, gmem.pool = ["flash"]
// CHECK: memref.get_global @flash : memref<{{.*}}> {gmem.offset = array<i64: 0>, gmem.pool = ["rom"], gmem.pools = ["rom"]
// CHECK: memref.get_global @flash : memref<{{.*}}> {gmem.offset = array<i64: 0>, gmem.pool = ["flash"]
module {
  memref.global "private" constant @plain : memref<4xf32> = dense<1.0>
  memref.global "private" constant @flash : memref<4xf32> = dense<2.0> {gmem.pools = ["flash"]}
  func.func @pools() {
    %0 = memref.get_global @plain : memref<4xf32>
    %1 = memref.get_global @flash : memref<4xf32>
    %2 = memref.get_global @flash : memref<4xf32> {gmem.pools = ["rom"]}
    %3 = memref.get_global @flash : memref<4xf32>
    "use"(%0, %1, %2, %3) : (memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
    return
  }
}

// -----

// 3. An alignment of a global is that of its pool: the
// others follow it, those of other pools do not. Elements have the sizes that
// they have in a memref.
// CHECK-LABEL: module
// CHECK-SAME: {alignment = 64 : i64, base = 0 : i64, kind = "constant", lower_bound = {{[0-9]+}} : i64, name = "weights", size = 68 : i64}, {alignment = 32 : i64, base = 96 : i64, kind = "constant", lower_bound = 32 : i64, name = "flash", size = 32 : i64}
// CHECK: memref.get_global @bits : memref<{{.*}}> {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 5>}
// CHECK: memref.get_global @aligned : memref<{{.*}}> {gmem.offset = array<i64: 64>, gmem.pool = ["weights"], gmem.size = array<i64: 4>}
// CHECK: memref.get_global @other : memref<{{.*}}> {gmem.offset = array<i64: 0>, gmem.pool = ["flash"], gmem.size = array<i64: 32>}
module {
  memref.global "private" constant @bits : memref<5xi1> = dense<true>
  memref.global "private" constant @aligned : memref<1xf32> = dense<2.0> {alignment = 64 : i64}
  memref.global "private" constant @other : memref<8xf32> = dense<2.0> {alignment = 32 : i64, gmem.pools = ["flash"]}
  func.func @alignments() {
    %0 = memref.get_global @bits : memref<5xi1>
    %1 = memref.get_global @aligned : memref<1xf32>
    %2 = memref.get_global @other : memref<8xf32>
    "use"(%0, %1, %2) : (memref<5xi1>, memref<1xf32>, memref<8xf32>) -> ()
    return
  }
}

// -----

// 4. A place that is asked for, by any op that gets it.
// CHECK-LABEL: func.func @fixed
// CHECK: memref.get_global @a : memref<{{.*}}> {gmem.offset = array<i64: 64>
// CHECK: memref.get_global @a : memref<{{.*}}> {gmem.fixed = array<i64: 64>, gmem.offset = array<i64: 64>
// CHECK: memref.get_global @b : memref<{{.*}}> {gmem.offset = array<i64: 0>
// SHARE-LABEL: func.func @fixed
// SHARE: memref.get_global @a : memref<{{.*}}> {gmem.offset = array<i64: 64>
// SHARE: memref.get_global @a : memref<{{.*}}> {gmem.fixed = array<i64: 64>, gmem.offset = array<i64: 64>
// SHARE: memref.get_global @b : memref<{{.*}}> {gmem.offset = array<i64: 0>
module {
  memref.global "private" constant @a : memref<4xf32> = dense<1.0>
  memref.global "private" constant @b : memref<4xf32> = dense<1.0>
  func.func @fixed() {
    %0 = memref.get_global @a : memref<4xf32>
    %1 = memref.get_global @a : memref<4xf32> {gmem.fixed = array<i64: 64>}
    %2 = memref.get_global @b : memref<4xf32>
    "use"(%0, %1, %2) : (memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
    return
  }
}

// -----

// 5. Left alone: what is no constant, has no contents here, is elsewhere, is in
// another space, or whose elements are not one after the other.
// CHECK-LABEL: func.func @left
// CHECK: memref.get_global @variable : memref<4xf32>{{$}}
// CHECK: memref.get_global @blank : memref<4xf32>{{$}}
// CHECK: memref.get_global @extern : memref<4xf32>{{$}}
// CHECK: memref.get_global @space : memref<4xf32, 1>{{$}}
// CHECK: memref.get_global @strided : memref<4xf32, strided<[2]>>{{$}}
module {
  memref.global "private" @variable : memref<4xf32> = dense<1.0>
  memref.global "private" constant @blank : memref<4xf32> = uninitialized
  memref.global "private" constant @extern : memref<4xf32>
  memref.global "private" constant @space : memref<4xf32, 1> = dense<1.0>
  memref.global "private" constant @strided : memref<4xf32, strided<[2]>> = dense<1.0>
  func.func @left() {
    %0 = memref.get_global @variable : memref<4xf32>
    %1 = memref.get_global @blank : memref<4xf32>
    %2 = memref.get_global @extern : memref<4xf32>
    %3 = memref.get_global @space : memref<4xf32, 1>
    %4 = memref.get_global @strided : memref<4xf32, strided<[2]>>
    "use"(%0, %1, %2, %3, %4) : (memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32, 1>, memref<4xf32, strided<[2]>>) -> ()
    return
  }
}

// -----

// 6. Left alone, wherever it is got: what is written or freed although it is a
// constant, through views too. Reading it, and handing it on, is fine.
// CHECK-LABEL: func.func @spoilt
// CHECK: memref.get_global @stored : memref<4xf32>{{$}}
// CHECK: memref.get_global @copied : memref<4xf32>{{$}}
// CHECK: memref.get_global @freed : memref<4xf32>{{$}}
// CHECK: memref.get_global @output : memref<4xf32>{{$}}
// CHECK: memref.get_global @stored : memref<4xf32>{{$}}
// CHECK: memref.get_global @read : memref<{{.*}}> {gmem.offset = array<i64: 0>
module {
  memref.global "private" constant @stored : memref<4xf32> = dense<1.0>
  memref.global "private" constant @copied : memref<4xf32> = dense<1.0>
  memref.global "private" constant @freed : memref<4xf32> = dense<1.0>
  memref.global "private" constant @output : memref<4xf32> = dense<1.0>
  memref.global "private" constant @read : memref<4xf32> = dense<1.0>
  func.func @spoilt(%x: f32, %i: index, %p: i1) -> memref<4xf32> {
    %0 = memref.get_global @stored : memref<4xf32>
    %1 = memref.get_global @copied : memref<4xf32>
    %2 = memref.get_global @freed : memref<4xf32>
    %3 = memref.get_global @output : memref<4xf32>
    %4 = memref.get_global @stored : memref<4xf32>
    %5 = memref.get_global @read : memref<4xf32>
    %6 = memref.subview %0[2] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 2>>
    %7 = memref.cast %6 : memref<2xf32, strided<[1], offset: 2>> to memref<?xf32, strided<[1], offset: 2>>
    scf.if %p {
      memref.store %x, %7[%i] : memref<?xf32, strided<[1], offset: 2>>
    }
    memref.copy %5, %1 : memref<4xf32> to memref<4xf32>
    memref.dealloc %2 : memref<4xf32>
    linalg.exp ins(%5 : memref<4xf32>) outs(%3 : memref<4xf32>)
    %8 = scf.if %p -> memref<4xf32> {
      scf.yield %5 : memref<4xf32>
    } else {
      scf.yield %4 : memref<4xf32>
    }
    return %8 : memref<4xf32>
  }
}
