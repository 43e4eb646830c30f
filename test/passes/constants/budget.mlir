// A budget for the growth of the constants buys smaller requests.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Two widened weights, never live together: as constants both take 6144 bytes
// more, and a request saves 4096.
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='op-models=%S/Inputs/my.mlir alignment=64 weight-alignment=64 constants=hoist' %s | FileCheck %s --check-prefix=NONE
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='op-models=%S/Inputs/my.mlir alignment=64 weight-alignment=64 constants=hoist constant-budget=6143' %s | FileCheck %s --check-prefix=NONE
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='op-models=%S/Inputs/my.mlir alignment=64 weight-alignment=64 constants=hoist constant-budget=6K' %s 2>&1 | FileCheck %s --check-prefix=SOME
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-plan=constant-budget=-1 %s 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-plan=constants=move %s 2>&1 | FileCheck %s --check-prefix=WORD

// NONE:       peak = 12288
// NONE-NOT:   gmem.init
// SOME:       remark: @main_init computes 2 values of 8192 bytes from constants, once: values live at once 12288 -> 8192 bytes, constants that requests read 2048 -> 8192 bytes
// SOME:       peak = 8192
// BAD:        error: gmem-plan: constant-budget='-1' is not a number of bytes or none
// WORD:       error: gmem-plan: constants='move' is neither hoist nor keep
func.func @main(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %w0 = "my.table"() {at = 0} : () -> tensor<32x32xi8>
  %w1 = "my.table"() {at = 1} : () -> tensor<32x32xi8>
  %a0 = "my.widen"(%w0) : (tensor<32x32xi8>) -> tensor<32x32xf32>
  %0 = "my.use"(%x, %a0) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %a1 = "my.widen"(%w1) : (tensor<32x32xi8>) -> tensor<32x32xf32>
  %1 = "my.use"(%0, %a1) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  return %1 : tensor<32x32xf32>
}
