// decode.mlir - one step of a decoder with one head of 8 channels and room for
// 16 tokens. The caches of keys and values are states: each step appends a row.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @step(%token: tensor<8xf32> loc("token"), %at: tensor<1xi32> loc("at"),
                %keys: tensor<16x8xf32> {gmem.state} loc("keys"),
                %values: tensor<16x8xf32> {gmem.state} loc("values"))
    -> (tensor<8xf32>, tensor<16x8xf32> {gmem.same_as = 2 : i64}, tensor<16x8xf32> {gmem.same_as = 3 : i64}) {
  %k = "npu.project"(%token) {gmem.op_model = {}} : (tensor<8xf32>) -> tensor<8xf32> loc("k")
  %v = "npu.project"(%token) {gmem.op_model = {}} : (tensor<8xf32>) -> tensor<8xf32> loc("v")
  %all_keys = "npu.append"(%keys, %k, %at) {gmem.op_model = {destination = 0 : i64}}
      : (tensor<16x8xf32>, tensor<8xf32>, tensor<1xi32>) -> tensor<16x8xf32> loc("all_keys")
  %all_values = "npu.append"(%values, %v, %at) {gmem.op_model = {destination = 0 : i64}}
      : (tensor<16x8xf32>, tensor<8xf32>, tensor<1xi32>) -> tensor<16x8xf32> loc("all_values")
  %scores = "npu.scores"(%token, %all_keys, %at) {gmem.op_model = {}, gmem.sensitive}
      : (tensor<8xf32>, tensor<16x8xf32>, tensor<1xi32>) -> tensor<16xf32> loc("scores")
  %mixed = "npu.mix"(%scores, %all_values, %at) {gmem.op_model = {}}
      : (tensor<16xf32>, tensor<16x8xf32>, tensor<1xi32>) -> tensor<8xf32> loc("mixed")
  return %mixed, %all_keys, %all_values : tensor<8xf32>, tensor<16x8xf32>, tensor<16x8xf32>
}
// Another function of the program, which needs much of the memory.
func.func @other(%x: tensor<512xf32> loc("x")) -> tensor<512xf32> {
  %y = "npu.project"(%x) {gmem.op_model = {}, gmem.memory_group = "other"} : (tensor<512xf32>) -> tensor<512xf32> loc("y")
  return %y : tensor<512xf32>
}
