// TensorFlow Lite's own dialect: constants are weights, element-wise ops write
// over their operands, and a concatenation is made where its result is, unless it
// has to convert an operand of another scale.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='alignment=8 strict=true' %s -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: gmem-machine %t.mlir
// The checker refuses that place, too: the scale of an operand is changed.
// RUN: sed 's/tensor<24x!quant.uniform<i8:f32, [^>]*>>/tensor<24x!quant.uniform<i8:f32, 3.0>>/g' %t.mlir > %t.scale.mlir
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan=only=contents %t.scale.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=SCALE
// SCALE: error: {{.*}}'tfl.concatenation'

!q = !quant.uniform<i8:f32, 1.0>
!p = !quant.uniform<i8:f32, 2.0>

// CHECK-LABEL: func.func @main
func.func @main(%image: tensor<1x8x8x4x!q>) -> tensor<1x10x!q> {
  // CHECK: tfl.pseudo_qconst{{.*}}gmem.pool = ["weights"]
  %w = "tfl.pseudo_qconst"() {qtype = tensor<10x512x!q>, value = dense<1> : tensor<10x512xi8>} : () -> tensor<10x512x!q>
  %none = "tfl.no_value"() {value} : () -> none
  // CHECK: tfl.relu6{{.*}}kind = "inplace"
  %0 = "tfl.relu6"(%image) : (tensor<1x8x8x4x!q>) -> tensor<1x8x8x4x!q>
  // CHECK: tfl.average_pool_2d
  %1 = "tfl.average_pool_2d"(%0) {filter_height = 3 : i32} : (tensor<1x8x8x4x!q>) -> tensor<1x8x8x4x!q>
  // CHECK: tfl.concatenation{{.*}}kind = "concat"{{.*}}kind = "concat"
  %2 = "tfl.concatenation"(%0, %1) {axis = 0 : i32, fused_activation_function = "NONE"} : (tensor<1x8x8x4x!q>, tensor<1x8x8x4x!q>) -> tensor<2x8x8x4x!q>
  %shape = "tfl.pseudo_const"() {value = dense<[1, 512]> : tensor<2xi32>} : () -> tensor<2xi32>
  %3 = "tfl.reshape"(%2, %shape) : (tensor<2x8x8x4x!q>, tensor<2xi32>) -> tensor<1x512x!q>
  %4 = "tfl.fully_connected"(%3, %w, %none) {fused_activation_function = "NONE"} : (tensor<1x512x!q>, tensor<10x512x!q>, none) -> tensor<1x10x!q>
  // CHECK: tfl.softmax{{.*}}kind = "inplace"
  %5 = "tfl.softmax"(%4) {beta = 1.0 : f32} : (tensor<1x10x!q>) -> tensor<1x10x!q>
  return %5 : tensor<1x10x!q>
}

// CHECK-LABEL: func.func @scales
func.func @scales(%a: tensor<16x!p>, %b: tensor<16x!q>) -> tensor<32x!q> {
  %0 = "tfl.max_pool_2d"(%a) : (tensor<16x!p>) -> tensor<16x!p>
  %1 = "tfl.max_pool_2d"(%b) : (tensor<16x!q>) -> tensor<16x!q>
  // CHECK: tfl.concatenation
  // CHECK-NOT: kind = "concat"
  // CHECK: return
  %2 = "tfl.concatenation"(%0, %1) {axis = 0 : i32, fused_activation_function = "NONE"} : (tensor<16x!p>, tensor<16x!q>) -> tensor<32x!q>
  return %2 : tensor<32x!q>
}

// CHECK-LABEL: func.func @one_scale
func.func @one_scale(%a: tensor<24x!q>, %b: tensor<16x!q>) -> tensor<40x!q> {
  %0 = "tfl.max_pool_2d"(%a) : (tensor<24x!q>) -> tensor<24x!q>
  %1 = "tfl.max_pool_2d"(%b) : (tensor<16x!q>) -> tensor<16x!q>
  // CHECK: tfl.concatenation{{.*}}kind = "concat"
  %2 = "tfl.concatenation"(%0, %1) {axis = 0 : i32, fused_activation_function = "NONE"} : (tensor<24x!q>, tensor<16x!q>) -> tensor<40x!q>
  return %2 : tensor<40x!q>
}
