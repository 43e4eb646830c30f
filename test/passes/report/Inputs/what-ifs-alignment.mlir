// Only its alignment is more than it needs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main(%x: tensor<100xf32>, %z: tensor<100xf32>) -> tensor<100xf32> {
  %y = tosa.add %x, %z : (tensor<100xf32>, tensor<100xf32>) -> tensor<100xf32>
  return %y : tensor<100xf32>
}
