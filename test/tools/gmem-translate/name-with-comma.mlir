// A comma or quote in the name of a location made --gmem-to-csv refuse the
// whole network.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --mlir-print-debuginfo --gmem-plan=alignment=64 %s | gmem-translate --gmem-to-csv | FileCheck %s
// CHECK: main/%arg0,0,
// CHECK: main/%0,2,
func.func @main(%x: tensor<8xf32> loc("a,b")) -> tensor<8xf32> {
  %a = tosa.exp %x : (tensor<8xf32>) -> tensor<8xf32> loc("conv \22first\22")
  return %a : tensor<8xf32>
}
