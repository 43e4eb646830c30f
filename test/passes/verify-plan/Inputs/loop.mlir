// loop.mlir - a value that is carried round a loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main(%x: tensor<24xf32>, %from: index, %to: index) -> tensor<24xf32> {
  %r = scf.for %i = %from to %to step %to iter_args(%v = %x) -> tensor<24xf32> {
    %n = tosa.exp %v : (tensor<24xf32>) -> tensor<24xf32>
    scf.yield %n : tensor<24xf32>
  }
  return %r : tensor<24xf32>
}
