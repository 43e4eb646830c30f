// A constant that a function of another module computes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
memref.global "private" @table : memref<32x32xf32> = uninitialized {gmem.init = "start"}
func.func private @start() attributes {gmem.init}
func.func @main(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %g = memref.get_global @table : memref<32x32xf32>
  %t = bufferization.to_tensor %g restrict : memref<32x32xf32> to tensor<32x32xf32>
  %r = tosa.add %x, %t : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  return %r : tensor<32x32xf32>
}
