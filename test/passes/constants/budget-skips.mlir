// A value that exceeds the budget keeps no smaller one out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// As constants the large value takes 12288 bytes more, 0.75 for each byte that
// requests save, and the small one 4096, 1 for each: the large one comes first.
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='op-models=%S/Inputs/my.mlir alignment=64 weight-alignment=64 constants=hoist constant-budget=6K' %s -o /dev/null 2>&1 | FileCheck %s
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='op-models=%S/Inputs/my.mlir alignment=64 weight-alignment=64 constants=hoist constant-budget=12K' %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=LARGE

// CHECK:      remark: @main_init computes 1 value of 4096 bytes from constants, once: values live at once 28672 -> 24576 bytes
// CHECK-NEXT: note: my.widen, 4096 bytes, is computed once
// CHECK:      note: my.widen, 16384 bytes, stays: constants would grow by more than requests save
// LARGE:      remark: @main_init computes 1 value of 16384 bytes from constants, once: values live at once 28672 -> 12288 bytes
func.func @main(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %w0 = "my.table"() {at = 0} : () -> tensor<64x64xi8>
  %w1 = "my.table"() {at = 1} : () -> tensor<32x32xi8>
  %a0 = "my.widen"(%w0) : (tensor<64x64xi8>) -> tensor<64x64xf32>
  %a1 = "my.widen"(%w1) : (tensor<32x32xi8>) -> tensor<32x32xf32>
  %0 = "my.use"(%x, %a0, %a1, %w1) : (tensor<32x32xf32>, tensor<64x64xf32>, tensor<32x32xf32>, tensor<32x32xi8>) -> tensor<32x32xf32>
  return %0 : tensor<32x32xf32>
}
