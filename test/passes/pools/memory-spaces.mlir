// Each memory space is a pool of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// In MLIR 19 memref.assume_alignment has no result.
// RUN: gmem-opt --split-input-file --gmem-plan %s | FileCheck %s
// RUN: gmem-opt --gmem-plan='memref-alignment=512 space-capacity=memory=65536,memory.1=512' %s | FileCheck %s --check-prefix=OPTIONS
// RUN: gmem-opt --split-input-file --gmem-plan=memref-alignment=1 %s | FileCheck %s --check-prefix=LEAST
// RUN: gmem-opt --split-input-file --gmem-plan='io=separate tensor-base=8192' %s | FileCheck %s --check-prefix=IO

// 1. The default space, a number, an attribute of a dialect, a string: letters,
// digits and '_' stay, all between is one dot, and none is at the ends. Only
// offsets count in these pools, so they have no base; no tensor is there, so
// the pool of tensors is not.
// CHECK-LABEL: module
// CHECK-SAME: gmem.pool_table = [
// CHECK-SAME: kind = "constant", {{[^}]*}}name = "weights", size = 0 : i64},
// CHECK-SAME: {alignment = 64 : i64, kind = "workspace", lower_bound = 16 : i64, name = "memory", size = 16 : i64},
// CHECK-SAME: {alignment = 64 : i64, kind = "workspace", lower_bound = 20 : i64, name = "memory.1", size = 20 : i64},
// CHECK-SAME: {alignment = 64 : i64, kind = "workspace", lower_bound = 24 : i64, name = "memory.gpu.address_space.workgroup", size = 24 : i64},
// CHECK-SAME: {alignment = 64 : i64, kind = "workspace", lower_bound = 28 : i64, name = "memory.Tile_2.1", size = 28 : i64}]
// CHECK: memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 16>} : memref<4xf32>
// CHECK: gmem.pool = ["memory.1"]{{.*}} : memref<5xf32, 1>
// CHECK: gmem.pool = ["memory.gpu.address_space.workgroup"]{{.*}} : memref<6xf32, #gpu.address_space<workgroup>>
// CHECK: gmem.pool = ["memory.Tile_2.1"]{{.*}} : memref<7xf32, "(Tile_2 / 1)">
// All modules of the file at once: it is enough that one of them has the space 1.
// OPTIONS: memref_alignment = 512 : i64
// OPTIONS-SAME: {alignment = 512 : i64, capacity = 65536 : i64, kind = "workspace", lower_bound = 16 : i64, name = "memory", size = 16 : i64},
// OPTIONS-SAME: {alignment = 512 : i64, capacity = 512 : i64, kind = "workspace", lower_bound = 20 : i64, name = "memory.1", size = 20 : i64},
module {
  func.func @names(%x: f32) {
    %c0 = arith.constant 0 : index
    %0 = memref.alloc() : memref<4xf32>
    %1 = memref.alloc() : memref<5xf32, 1>
    %2 = memref.alloc() : memref<6xf32, #gpu.address_space<workgroup>>
    %3 = memref.alloc() : memref<7xf32, "(Tile_2 / 1)">
    memref.store %x, %0[%c0] : memref<4xf32>
    memref.store %x, %1[%c0] : memref<5xf32, 1>
    memref.store %x, %2[%c0] : memref<6xf32, #gpu.address_space<workgroup>>
    memref.store %x, %3[%c0] : memref<7xf32, "(Tile_2 / 1)">
    return
  }
}

// -----

// 2. Spaces that would share a name do not: the second one is numbered. A long
// name is cut, always at the same place, and then clashes in the same way.
// CHECK-LABEL: module
// CHECK-SAME: name = "memory.1", size = 4 : i64}
// CHECK-SAME: name = "memory.1.2", size = 8 : i64}
// CHECK-SAME: name = "memory.1.2.2", size = 12 : i64}
// CHECK-SAME: name = "memory.a2345678901234567890123456789012345678901234567890123456789012345678901234567890123456789", size = 16 : i64}
// CHECK-SAME: name = "memory.a2345678901234567890123456789012345678901234567890123456789012345678901234567890123456789.2", size = 20 : i64}
module {
  func.func @clashes(%x: f32) {
    %c0 = arith.constant 0 : index
    %0 = memref.alloc() : memref<1xf32, 1>
    %1 = memref.alloc() : memref<2xf32, 1 : i32>
    %2 = memref.alloc() : memref<3xf32, "1.2">
    %3 = memref.alloc() : memref<4xf32, "a23456789012345678901234567890123456789012345678901234567890123456789012345678901234567890">
    %4 = memref.alloc() : memref<5xf32, "a23456789012345678901234567890123456789012345678901234567890123456789012345678901234567890 more">
    memref.store %x, %0[%c0] : memref<1xf32, 1>
    memref.store %x, %1[%c0] : memref<2xf32, 1 : i32>
    memref.store %x, %2[%c0] : memref<3xf32, "1.2">
    memref.store %x, %3[%c0] : memref<4xf32, "a23456789012345678901234567890123456789012345678901234567890123456789012345678901234567890">
    memref.store %x, %4[%c0] : memref<5xf32, "a23456789012345678901234567890123456789012345678901234567890123456789012345678901234567890 more">
    return
  }
}

// -----

// 3. Each buffer has its own alignment: that of all, what its op asks for if
// that is more, or what its elements need (a vector is aligned to its size). The
// pool has the largest of them, and the others need not follow it.
// CHECK-LABEL: module
// CHECK-SAME: {alignment = 256 : i64, kind = "workspace", lower_bound = 259 : i64, name = "memory", size = 259 : i64}
// CHECK: gmem.offset = array<i64: 0>{{.*}} : memref<64xi8>
// CHECK: gmem.offset = array<i64: 128>{{.*}} : memref<1xvector<9xf64>>
// CHECK: gmem.offset = array<i64: 64>{{.*}} : memref<40xi8>
// CHECK: gmem.offset = array<i64: 256>{{.*}} : memref<3xi8>
// LEAST-LABEL: func.func @alignments
// LEAST: gmem.offset = array<i64: 0>{{.*}} : memref<64xi8>
// LEAST: gmem.offset = array<i64: 128>{{.*}} : memref<1xvector<9xf64>>
// LEAST: gmem.offset = array<i64: 64>{{.*}} : memref<40xi8>
// LEAST: gmem.offset = array<i64: 104>{{.*}} : memref<3xi8>
module {
  func.func @alignments(%x: i8, %v: vector<9xf64>) {
    %c0 = arith.constant 0 : index
    %0 = memref.alloc() {alignment = 256 : i64} : memref<64xi8>
    %1 = memref.alloc() : memref<1xvector<9xf64>>
    %2 = memref.alloc() : memref<40xi8>
    %3 = memref.alloc() : memref<3xi8>
    memref.store %x, %0[%c0] : memref<64xi8>
    memref.store %v, %1[%c0] : memref<1xvector<9xf64>>
    memref.store %x, %2[%c0] : memref<40xi8>
    memref.store %x, %3[%c0] : memref<3xi8>
    memref.store %x, %2[%c0] : memref<40xi8>
    memref.store %v, %1[%c0] : memref<1xvector<9xf64>>
    memref.store %x, %0[%c0] : memref<64xi8>
    return
  }
}

// -----

// 4. Tensors and memrefs in one scope: tensors have addresses behind the
// weights, memory spaces come after their pools and have none. An input of
// memref type is not planned.
// CHECK-LABEL: module
// CHECK-SAME: peak = 4108 : i64
// CHECK-SAME: {alignment = 4096 : i64, base = 0 : i64, kind = "workspace", lower_bound = 4096 : i64, name = "tensors", size = 4096 : i64},
// CHECK-SAME: {alignment = 64 : i64, kind = "workspace", lower_bound = 12 : i64, name = "memory.3", size = 12 : i64}]
module {
  func.func @both(%x: tensor<1024xf32>, %s: f32) -> tensor<1024xf32> {
    %c0 = arith.constant 0 : index
    %0 = memref.alloc() : memref<3xf32, 3>
    memref.store %s, %0[%c0] : memref<3xf32, 3>
    %1 = tosa.tanh %x : (tensor<1024xf32>) -> tensor<1024xf32>
    return %1 : tensor<1024xf32>
  }
}

// -----

// 5. A pool of inputs and outputs without tensors before it lies where tensors
// would; empty pools of tensors are left out only where there are memrefs.
// IO: name = "weights", size = 0 : i64}, {alignment = 4096 : i64, base = 8192 : i64, kind = "workspace", lower_bound = 4096 : i64, name = "io", size = 4096 : i64}, {alignment = 64 : i64, kind = "workspace", lower_bound = 12 : i64, name = "memory", size = 12 : i64}]
module {
  func.func @io_alone(%x: tensor<1024xf32>, %s: f32) -> tensor<1024xf32> {
    %c0 = arith.constant 0 : index
    %0 = memref.alloc() : memref<3xf32>
    memref.store %s, %0[%c0] : memref<3xf32>
    return %x : tensor<1024xf32>
  }
}

// -----

// 6. What the program assumes of a memref counts like what its op asks for.
// CHECK: {alignment = 256 : i64, kind = "workspace", lower_bound = 12 : i64, name = "memory", size = 12 : i64}]
module {
  func.func @assumed(%s: f32) {
    %c0 = arith.constant 0 : index
    %0 = memref.alloc() : memref<3xf32>
    %1 = memref.assume_alignment %0, 256 : memref<3xf32>
    memref.store %s, %1[%c0] : memref<3xf32>
    return
  }
}
