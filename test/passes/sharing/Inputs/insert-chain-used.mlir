// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @f() -> tensor<8192xi8> {
  %e = tensor.empty() : tensor<8192xi8>
  %a = "any.first"() {gmem.op_model = {}} : () -> tensor<4096xi8>
  %c = tensor.insert_slice %a into %e[0][4096][1] : tensor<4096xi8> into tensor<8192xi8>
  %b = "any.second"(%c) {gmem.op_model = {}} : (tensor<8192xi8>) -> tensor<4096xi8>
  %d = tensor.insert_slice %b into %c[4096][4096][1] : tensor<4096xi8> into tensor<8192xi8>
  return %d : tensor<8192xi8>
}
