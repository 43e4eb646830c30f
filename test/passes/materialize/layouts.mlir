// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types: every view is of the very type that was allocated.
// RUN: gmem-opt -pass-pipeline='builtin.module(gmem-plan,gmem-materialize{arena-mode=arg})' %s | FileCheck %s
// RUN: gmem-opt -pass-pipeline='builtin.module(gmem-plan,gmem-materialize{arena-mode=global})' %s | FileCheck %s --check-prefix=GLOBAL

// GLOBAL: memref.global "private" @gmem_arena_memory_1 : memref<{{[0-9]+}}xi8, 1> = uninitialized
// GLOBAL: memref.global "private" @gmem_arena_memory_gpu_address_space_workgroup : memref<{{[0-9]+}}xi8, #gpu.address_space<workgroup>> = uninitialized

// 1. Strides: a row of as many elements as the layout reaches, in it the layout.
//    3 + 3 * 4 + 1 * 2 + 1 elements.
// CHECK-LABEL: func.func @strided
// CHECK: %[[ROW:.*]] = memref.view %{{.*}} to memref<18xf32>
// CHECK-NEXT: memref.reinterpret_cast %[[ROW]] to offset: [3], sizes: [4, 2], strides: [4, 2] : memref<18xf32> to memref<4x2xf32, strided<[4, 2], offset: 3>>
func.func @strided(%x: memref<4x2xf32>) {
  %a = memref.alloc() : memref<4x2xf32, strided<[4, 2], offset: 3>>
  memref.copy %x, %a : memref<4x2xf32> to memref<4x2xf32, strided<[4, 2], offset: 3>>
  memref.copy %a, %x : memref<4x2xf32, strided<[4, 2], offset: 3>> to memref<4x2xf32>
  return
}

// 2. Sizes that are bound: asserted before the view is made.
// CHECK-LABEL: func.func @dynamic
// CHECK: %[[MOST:.*]] = arith.constant 6 : index
// CHECK-NEXT: %[[GOOD:.*]] = arith.cmpi ule, %arg1, %[[MOST]] : index
// CHECK-NEXT: cf.assert %[[GOOD]], "dimension #0 of a planned memref has more elements than its bound of 6"
// CHECK: %[[GOOD:.*]] = arith.cmpi ule, %arg2
// CHECK-NEXT: cf.assert %[[GOOD]], "dimension #2 of a planned memref has more elements than its bound of 9"
// CHECK: memref.view %{{.*}}[%arg1, %arg2] : {{.*}} to memref<?x4x?xf32>
func.func @dynamic(%x: memref<?x4x?xf32>, %n: index, %m: index) {
  %a = memref.alloc(%n, %m) {gmem.upper_bound = [array<i64: 6, 4, 9>]} : memref<?x4x?xf32>
  memref.copy %x, %a : memref<?x4x?xf32> to memref<?x4x?xf32>
  memref.copy %a, %x : memref<?x4x?xf32> to memref<?x4x?xf32>
  return
}

// 3. Both: 5 * 8 + 1 * 3 + 1 elements at most.
// CHECK-LABEL: func.func @dynamic_strided
// CHECK: cf.assert
// CHECK: %[[ROW:.*]] = memref.view %{{.*}} to memref<44xi16>
// CHECK: memref.reinterpret_cast %[[ROW]] to offset: [0], sizes: [%arg1, 2], strides: [8, 3] : memref<44xi16> to memref<?x2xi16, strided<[8, 3]>>
func.func @dynamic_strided(%x: memref<?x2xi16>, %n: index) {
  %a = memref.alloc(%n) {gmem.upper_bound = [array<i64: 6, 2>]} : memref<?x2xi16, strided<[8, 3]>>
  memref.copy %x, %a : memref<?x2xi16> to memref<?x2xi16, strided<[8, 3]>>
  memref.copy %a, %x : memref<?x2xi16, strided<[8, 3]>> to memref<?x2xi16>
  return
}

// 4. Nothing at all, and a single element.
// CHECK-LABEL: func.func @small
// CHECK: memref.view %{{.*}} to memref<0x4xf32>
// CHECK: memref.view %{{.*}} to memref<f32>
func.func @small(%x: memref<0x4xf32>, %y: f32) -> f32 {
  %a = memref.alloc() : memref<0x4xf32>
  memref.copy %x, %a : memref<0x4xf32> to memref<0x4xf32>
  %b = memref.alloc() : memref<f32>
  memref.store %y, %b[] : memref<f32>
  %0 = memref.load %b[] : memref<f32>
  return %0 : f32
}

// 5. Memory spaces: an arena in each, in the order in which they are met.
// CHECK-LABEL: func.func @spaces
// CHECK-SAME: memref<{{[0-9]+}}xi8> {gmem.arena = "memory", llvm.noalias}
// CHECK-SAME: memref<{{[0-9]+}}xi8, 1> {gmem.arena = "memory.1", llvm.noalias}
// CHECK-SAME: memref<{{[0-9]+}}xi8, #gpu.address_space<workgroup>> {gmem.arena = "memory.gpu.address_space.workgroup", llvm.noalias}
// CHECK-SAME: gmem.arena_arguments = ["memory", "memory.1", "memory.gpu.address_space.workgroup"]
func.func @spaces(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  %b = memref.alloc() : memref<4xf32, 1>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32, 1>
  %c = memref.alloc() : memref<4xf32, #gpu.address_space<workgroup>>
  memref.copy %b, %c : memref<4xf32, 1> to memref<4xf32, #gpu.address_space<workgroup>>
  memref.copy %c, %x : memref<4xf32, #gpu.address_space<workgroup>> to memref<4xf32>
  return
}

// 6. An alignment that the program asks for.
// CHECK-LABEL: func.func @aligned
// CHECK: memref.view
func.func @aligned(%x: memref<4xf32>) {
  %a = memref.alloc() {alignment = 256 : i64} : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  memref.copy %a, %x : memref<4xf32> to memref<4xf32>
  return
}
