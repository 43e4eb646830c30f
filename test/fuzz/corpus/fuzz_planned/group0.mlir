module @seed_21 attributes {gmem.plan = {algorithm = "greedy-by-size", keep_inputs = false, lower_bound = 320 : i64, optimal = true, peak = 320 : i64, view_alignment = 1 : i64}, gmem.pool_table = [{alignment = 1 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 1 : i64, base = 0 : i64, kind = "workspace", lower_bound = 320 : i64, name = "tensors", size = 320 : i64}]} {
  func.func @f0(%arg0: tensor<96xi8> {gmem.offset = 224 : i64, gmem.pool = "tensors", gmem.size = 96 : i64}, %arg1: tensor<96xi8> {gmem.offset = 128 : i64, gmem.pool = "tensors", gmem.size = 96 : i64}, %arg2: tensor<128xi8> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 128 : i64}) -> tensor<32xi8> {
    %0 = "any.update"(%arg0) {gmem.alias = [{kind = "destination", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 224>, gmem.op_model = {destination = 0 : i64}, gmem.pool = ["tensors"], gmem.size = array<i64: 96>, test.destination = 0 : i64} : (tensor<96xi8>) -> tensor<96xi8>
    %1 = "any.compute"() {gmem.layer_group = 1 : i64} : () -> tensor<64xi8>
    %2 = "any.compute"() {gmem.layer_group = 1 : i64} : () -> tensor<40xi8>
    %3:2 = "any.into"(%2, %1) {gmem.layer_group = 1 : i64, gmem.offset = array<i64: -1, 0>, gmem.op_model = {destination = "trailing"}, gmem.pool = ["", "tensors"], gmem.size = array<i64: -1, 64>, test.destination = 0 : i64} : (tensor<40xi8>, tensor<64xi8>) -> (tensor<40xi8>, tensor<64xi8>)
    %4 = arith.muli %3#1, %3#1 {gmem.alias = [{kind = "inplace", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : tensor<64xi8>
    %5 = "any.compute"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 32>} : () -> tensor<32xi8>
    return %5 : tensor<32xi8>
  }
}

