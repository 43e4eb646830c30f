// Permutes, transposes and broadcasts are views where only axes of size 1 change
// places or are added, and copies where they move or repeat an element. %x is
// read afterwards, so that in-place results would need memory too.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// In MLIR 19 tosa has other ops and attributes.
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan=alignment=64 %s 2>/dev/null | FileCheck %s
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan=alignment=64 %s 2>/dev/null | gmem-opt --allow-unregistered-dialect --gmem-verify-plan -o /dev/null

// CHECK-LABEL: func.func @views
// CHECK-SAME: %arg0: tensor<1x4x1x8xf32> {gmem.offset = [[X:[0-9]+]] : i64
func.func @views(%x: tensor<1x4x1x8xf32>) {
  // CHECK: "ttir.permute"{{.*}}gmem.offset = array<i64: [[X]]>
  %0 = "ttir.permute"(%x) <{permutation = array<i64: 1, 0, 3, 2>}> : (tensor<1x4x1x8xf32>) -> tensor<4x1x8x1xf32>
  // CHECK: "stablehlo.transpose"{{.*}}gmem.offset = array<i64: [[X]]>
  %1 = "stablehlo.transpose"(%x) {permutation = array<i64: 2, 0, 1, 3>} : (tensor<1x4x1x8xf32>) -> tensor<1x1x4x8xf32>
  // CHECK: "mhlo.transpose"{{.*}}gmem.offset = array<i64: [[X]]>
  %2 = "mhlo.transpose"(%x) {permutation = dense<[0, 1, 3, 2]> : tensor<4xi64>} : (tensor<1x4x1x8xf32>) -> tensor<1x4x8x1xf32>
  // CHECK: tosa.transpose{{.*}}gmem.offset = array<i64: [[X]]>
  %3 = tosa.transpose %x {perms = array<i32: 1, 0, 2, 3>} : (tensor<1x4x1x8xf32>) -> tensor<4x1x1x8xf32>
  // CHECK: "ttir.transpose"{{.*}}gmem.offset = array<i64: [[X]]>
  %4 = "ttir.transpose"(%x) <{dim0 = -4 : si32, dim1 = 1 : si32}> : (tensor<1x4x1x8xf32>) -> tensor<4x1x1x8xf32>
  // CHECK: "torch.aten.transpose.int"{{.*}}gmem.offset = array<i64: [[X]]>
  %a = "torch.constant.int"() {value = 2 : i64} : () -> !torch.int
  %b = "torch.constant.int"() {value = -1 : i64} : () -> !torch.int
  %5 = "torch.aten.transpose.int"(%x, %a, %b) : (tensor<1x4x1x8xf32>, !torch.int, !torch.int) -> tensor<1x4x8x1xf32>
  // CHECK: "tpu.Permute"{{.*}}gmem.offset = array<i64: [[X]]>
  %6 = "tpu.Permute"(%x) {order = [0, 1, 2, 3]} : (tensor<1x4x1x8xf32>) -> tensor<1x4x1x8xf32>
  // CHECK: "stablehlo.broadcast_in_dim"{{.*}}gmem.offset = array<i64: [[X]]>
  %7 = "stablehlo.broadcast_in_dim"(%x) {broadcast_dimensions = array<i64: 0, 1, 2, 4>} : (tensor<1x4x1x8xf32>) -> tensor<1x4x1x1x8xf32>
  // CHECK: "ttir.broadcast"{{.*}}gmem.offset = array<i64: [[X]]>
  %8 = "ttir.broadcast"(%x) <{broadcast_dimensions = array<i64: 1, 1, 1, 1>}> : (tensor<1x4x1x8xf32>) -> tensor<1x4x1x8xf32>
  // CHECK: "onnx.Transpose"{{.*}}gmem.offset = array<i64: [[X]]>
  %9 = "onnx.Transpose"(%0) {perm = [1, 0, 3, 2]} : (tensor<4x1x8x1xf32>) -> tensor<1x4x1x8xf32>
  "my.use"(%x, %0, %1, %2, %3, %4, %5, %6, %7, %8, %9) : (tensor<1x4x1x8xf32>, tensor<4x1x8x1xf32>, tensor<1x1x4x8xf32>, tensor<1x4x8x1xf32>, tensor<4x1x1x8xf32>, tensor<4x1x1x8xf32>, tensor<1x4x8x1xf32>, tensor<1x4x1x8xf32>, tensor<1x4x1x1x8xf32>, tensor<1x4x1x8xf32>, tensor<1x4x1x8xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @copies
// CHECK-SAME: %arg0: tensor<4x8xf32> {gmem.offset = [[X:[0-9]+]] : i64
func.func @copies(%x: tensor<4x8xf32>) {
  // CHECK-NOT: "{{.*}}gmem.offset = array<i64: [[X]]>
  %0 = "ttir.permute"(%x) <{permutation = array<i64: 1, 0>}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %1 = "ttir.transpose"(%x) <{dim0 = 0 : si32, dim1 = 1 : si32}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %2 = "stablehlo.broadcast_in_dim"(%x) {broadcast_dimensions = array<i64: 1, 2>} : (tensor<4x8xf32>) -> tensor<2x4x8xf32>
  // Without a list: in reverse order.
  %3 = "onnx.Transpose"(%x) : (tensor<4x8xf32>) -> tensor<8x4xf32>
  // A list that is too short, and axes that are none.
  %4 = "ttir.permute"(%x) <{permutation = array<i64: 0>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = "ttir.permute"(%x) <{permutation = array<i64: 0, 2>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // Square: the shapes are the same, but the elements are not where they were.
  %s = "my.make"() : () -> tensor<8x8xf32>
  // CHECK: "my.make"{{.*}}gmem.offset = array<i64: [[S:[0-9]+]]>
  // CHECK-NOT: "{{.*}}gmem.offset = array<i64: [[S]]>
  %6 = "ttir.permute"(%s) <{permutation = array<i64: 1, 0>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // Other elements.
  %7 = "ttir.permute"(%x) <{permutation = array<i64: 0, 1>}> : (tensor<4x8xf32>) -> tensor<4x8xi32>
  // CHECK: "my.use"
  "my.use"(%x, %0, %1, %2, %3, %4, %5, %6, %7, %s) : (tensor<4x8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<2x4x8xf32>, tensor<8x4xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x8xf32>, tensor<4x8xi32>, tensor<8x8xf32>) -> ()
  return
}
