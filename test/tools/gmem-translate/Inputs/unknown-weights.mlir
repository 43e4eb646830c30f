// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants of which one has bytes.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = true, peak = 0 : i64}, gmem.pool_table = [{alignment = 32 : i64, base = 0 : i64, kind = "constant", lower_bound = 100 : i64, name = "weights", size = 100 : i64}, {alignment = 4096 : i64, base = 4096 : i64, kind = "workspace", lower_bound = 0 : i64, name = "tensors", size = 0 : i64}]} {
  func.func @main(%arg0: tensor<4xi8> {gmem.offset = 0 : i64, gmem.pool = "weights", gmem.size = 4 : i64, gmem.weight}) -> tensor<4xi8> {
    %cst = arith.constant {gmem.offset = array<i64: 32>, gmem.pool = ["weights"], gmem.size = array<i64: 4>} dense<5> : tensor<4xi8>
    %cst_0 = arith.constant {gmem.offset = array<i64: 64>, gmem.pool = ["weights"], gmem.size = array<i64: 4>} dense_resource<__elided__> : tensor<4xi8>
    %0 = "top.Weight"() {gmem.offset = array<i64: 96>, gmem.pool = ["weights"], gmem.size = array<i64: 4>, name = "first"} : () -> tensor<4xi8>
    return %cst : tensor<4xi8>
  }
}
