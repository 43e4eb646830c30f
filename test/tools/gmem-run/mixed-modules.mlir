// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program is compiled as a whole: a function on tensors beside the entry on
// memrefs is bufferized.
// RUN: gmem-run %s --entry m --compare 2>/dev/null | FileCheck %s
// RUN: gmem-run %s --entry t --compare 2>/dev/null | FileCheck %s
// RUN: gmem-run %s --entry m --unplanned 2>/dev/null | FileCheck %s --check-prefix=UNPLANNED
// CHECK: equal: the planned and unplanned outputs are bitwise equal
// UNPLANNED: run ms
func.func @t(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @m(%a: memref<4xf32>, %b: memref<4xf32>) {
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  return
}
