// What an op changes where it is has no parts: they would change with it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan --split-input-file %s | FileCheck %s

// Case 1: a row of a cache is taken, then the cache is changed, then the row is
// read: it must be a copy.
// CHECK-LABEL: func.func @changed
func.func @changed(%cache: tensor<64x64xf32>, %new: tensor<1x64xf32>, %i: tensor<1xi64>) -> tensor<16x64xf32> {
  // CHECK: ttir.slice_static
  // CHECK-NOT: gmem.alias
  %row = "ttir.slice_static"(%cache) {begins = [16 : i32, 0 : i32], ends = [32 : i32, 64 : i32], step = [1 : i32, 1 : i32]} : (tensor<64x64xf32>) -> tensor<16x64xf32>
  "ttir.update_cache"(%cache, %new, %i) {batch_offset = 0 : i32} : (tensor<64x64xf32>, tensor<1x64xf32>, tensor<1xi64>) -> ()
  %x = "my.use"(%row, %cache) : (tensor<16x64xf32>, tensor<64x64xf32>) -> tensor<16x64xf32>
  return %x : tensor<16x64xf32>
}

// -----

// Case 2: where nothing changes it, it is a view: what was refused above is
// refused because of that op.
// CHECK-LABEL: func.func @unchanged
func.func @unchanged(%cache: tensor<64x64xf32>, %new: tensor<1x64xf32>, %i: tensor<1xi64>) -> tensor<16x64xf32> {
  // CHECK: ttir.slice_static
  // CHECK-SAME: gmem.alias = [{kind = "slice", offset = 4096 : i64, operand = 0 : i64, result = 0 : i64}]
  %row = "ttir.slice_static"(%cache) {begins = [16 : i32, 0 : i32], ends = [32 : i32, 64 : i32], step = [1 : i32, 1 : i32]} : (tensor<64x64xf32>) -> tensor<16x64xf32>
  "my.read"(%cache, %new, %i) : (tensor<64x64xf32>, tensor<1x64xf32>, tensor<1xi64>) -> ()
  %x = "my.use"(%row, %cache) : (tensor<16x64xf32>, tensor<64x64xf32>) -> tensor<16x64xf32>
  return %x : tensor<16x64xf32>
}
