// Ops whose result needs only the same row of the operand work in place; an
// operand that is read otherwise, or of another shape, is not overwritten.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan=alignment=64 %s 2>/dev/null | FileCheck %s
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='alignment=64 sharing=none' %s 2>/dev/null | FileCheck %s --check-prefix=NONE

// CHECK: peak = 4096
// NONE: peak = 8192
// CHECK-LABEL: func.func @softmax
func.func @softmax(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  // CHECK: "ttir.softmax"{{.*}}kind = "inplace", offset = 0 : i64, operand = 0
  %0 = "ttir.softmax"(%x) {dimension = 0 : si32} : (tensor<1024xf32>) -> tensor<1024xf32>
  return %0 : tensor<1024xf32>
}

// -----

// The second operand is not one of those rows.
// CHECK-LABEL: func.func @gamma
func.func @gamma(%x: tensor<4x4xf32>, %g: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK: "ttir.rms_norm"
  // CHECK-NOT: kind = "inplace"
  // CHECK: return
  %0 = "ttir.rms_norm"(%x, %g) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  "my.use"(%x) : (tensor<4x4xf32>) -> ()
  return %0 : tensor<4x4xf32>
}

// -----

// It reads the same memory in another order.
// CHECK-LABEL: func.func @both
func.func @both(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK: "ttir.rms_norm"
  // CHECK-NOT: kind = "inplace"
  // CHECK: return
  %0 = "ttir.rms_norm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// CHECK-LABEL: func.func @narrow
func.func @narrow(%x: tensor<64xf32>) -> tensor<64xf16> {
  // CHECK-NOT: kind = "inplace"
  %0 = "ttir.softmax"(%x) : (tensor<64xf32>) -> tensor<64xf16>
  return %0 : tensor<64xf16>
}

// -----

// Channel by channel, with parameters.
// CHECK: peak = 8224
// CHECK-LABEL: func.func @norm
func.func @norm(%x: tensor<1x8x16x16xf32>, %s: tensor<8xf32>) -> tensor<1x8x16x16xf32> {
  // CHECK: "ttir.batch_norm_inference"{{.*}}kind = "inplace", offset = 0 : i64, operand = 0
  %0 = "ttir.exp"(%x) : (tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32>
  %1 = "ttir.batch_norm_inference"(%0, %s, %s, %s, %s) : (tensor<1x8x16x16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<1x8x16x16xf32>
  "my.use"(%s) : (tensor<8xf32>) -> ()
  return %1 : tensor<1x8x16x16xf32>
}
