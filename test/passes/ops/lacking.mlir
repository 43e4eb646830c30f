// What an op model says of operands and attributes that the op does not have has no
// effect. Slips in it were silent.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan=op-models=%S/Inputs/lacking-models.mlir %s -o /dev/null 2>&1 | FileCheck %s

func.func @main(%x: tensor<64x16xf32>) -> tensor<8x16xf32> {
  // CHECK: :[[#@LINE+1]]:8: warning: inplace in the op model of 'my.scale' has no effect: this op has no operand #1
  %0 = "my.scale"(%x) : (tensor<64x16xf32>) -> tensor<64x16xf32>
  // Once per model.
  // CHECK-NOT: warning
  %1 = "my.scale"(%0) : (tensor<64x16xf32>) -> tensor<64x16xf32>
  // One of the operands is there, or none needs to be.
  %2 = "my.add"(%1) : (tensor<64x16xf32>) -> tensor<64x16xf32>
  %3 = "my.any"() : () -> tensor<64x16xf32>
  // CHECK: :[[#@LINE+1]]:8: warning: destination in the op model of 'my.into' has no effect: this op has no operand #2
  %4 = "my.into"(%2, %3) : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
  // CHECK: :[[#@LINE+1]]:8: warning: slice in the op model of 'my.rows' has no effect: this op has no attribute 'frst'
  %5 = "my.rows"(%4) {first = [8, 0], count = [8, 16]} : (tensor<64x16xf32>) -> tensor<8x16xf32>
  // Without the attribute the axis is 0.
  %6 = "my.join"(%5) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  // CHECK: :[[#@LINE+1]]:8: warning: swap in the op model of 'my.turn' has no effect: this op has no attribute 'one'
  %7 = "my.turn"(%6) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  // CHECK-NOT: warning
  return %7 : tensor<8x16xf32>
}
