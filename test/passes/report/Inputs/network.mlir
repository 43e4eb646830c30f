// network.mlir - the network of the example in docs/report.md.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main(%x: tensor<64xf32>, %d: tensor<?xf32>) -> tensor<16xf32> {
  %0 = tosa.exp %x : (tensor<64xf32>) -> tensor<64xf32>
  %1 = tensor.extract_slice %0[16] [16] [1] : tensor<64xf32> to tensor<16xf32>
  %2 = tosa.tanh %1 : (tensor<16xf32>) -> tensor<16xf32>
  return %2 : tensor<16xf32>
}
