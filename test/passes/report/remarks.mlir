// gmem-report as remarks: each where a buffer is made, in one line, as MLIR's
// own planner of memory does it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// In MLIR 19 tosa has other ops and attributes.
//
// RUN: gmem-opt --gmem-report='format=remarks alignment=64' %s -o %t.out 2>&1 | FileCheck %s
// RUN: gmem-opt %s | cmp - %t.out

// Pools at the module, then buffers in the order of the text, then what is left
// alone; views and constants are not listed. The interval has its last step in
// it.
// CHECK: remarks.mlir:0:0: remark: pool=weights: size=64 bytes, lower-bound=64 bytes, buffers=1, sum=64 bytes
// CHECK: remarks.mlir:0:0: remark: pool=tensors: size=64 bytes, lower-bound=64 bytes, buffers=3, sum=192 bytes
// CHECK: remarks.mlir:[[#@LINE+6]]:17: remark: planned: pool=tensors, offset=0, size=64 bytes, interval=[0,2]
// CHECK-NOT: remark: planned: pool=weights
// CHECK: remarks.mlir:[[#@LINE+6]]:8: remark: planned: pool=tensors, offset=0, size=64 bytes, interval=[2,3]
// CHECK: remarks.mlir:[[#@LINE+6]]:8: remark: planned: pool=tensors, offset=0, size=64 bytes, interval=[3,4]
// CHECK-NOT: remark: planned
// CHECK: remarks.mlir:[[#@LINE+1]]:37: remark: not planned: argument #1 of @main: its shape is dynamic
func.func @main(%x: tensor<16xf32>, %d: tensor<?xf32>) -> tensor<16xf32> {
  %w = arith.constant dense<1.0> : tensor<16xf32>
  %0 = tosa.add %x, %w : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %1 = tosa.tanh %0 : (tensor<16xf32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}
