module @seed_20 attributes {gmem.plan = {algorithm = "greedy-by-size", keep_inputs = false, lower_bound = 240 : i64, optimal = true, peak = 240 : i64, view_alignment = 1 : i64}, gmem.pool_table = [{alignment = 1 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 1 : i64, base = 0 : i64, kind = "workspace", lower_bound = 240 : i64, name = "tensors", size = 240 : i64}]} {
  func.func @f0() -> (tensor<32xi8>, tensor<64xi8>) {
    %0 = "any.compute"() {gmem.offset = array<i64: 192>, gmem.padding = [array<i64: 0, 8>], gmem.pool = ["tensors"], gmem.size = array<i64: 40>} : () -> tensor<32xi8>
    %1 = arith.addi %0, %0 {gmem.alias = [{kind = "inplace", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 192>, gmem.padding = [array<i64: 0, 16>], gmem.pool = ["tensors"], gmem.size = array<i64: 48>} : tensor<32xi8>
    %2 = "any.elementwise"(%1, %1) {gmem.offset = array<i64: 80>, gmem.op_model = {inplace = "all"}, gmem.padding = [array<i64: 0, 0>], gmem.pool = ["tensors"], gmem.size = array<i64: 48>, test.elementwise} : (tensor<32xi8>, tensor<32xi8>) -> tensor<32xi8>
    %3 = arith.addi %2, %1 {gmem.offset = array<i64: 0>, gmem.padding = [array<i64: 24, 24>], gmem.payload_offset = array<i64: 24>, gmem.pool = ["tensors"], gmem.size = array<i64: 80>} : tensor<32xi8>
    %expanded = tensor.expand_shape %2 [[0, 1]] output_shape [2, 16] {gmem.offset = array<i64: 80>, gmem.padding = [array<i64: 0, 0>], gmem.pool = ["tensors"], gmem.size = array<i64: 48>} : tensor<32xi8> into tensor<2x16xi8>
    %collapsed = tensor.collapse_shape %expanded [[0, 1]] {gmem.offset = array<i64: 80>, gmem.padding = [array<i64: 0, 16>], gmem.pool = ["tensors"], gmem.size = array<i64: 48>} : tensor<2x16xi8> into tensor<32xi8>
    %4 = "any.compute"() {gmem.offset = array<i64: 0>, gmem.padding = [array<i64: 64, 64>], gmem.payload_offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 192>} : () -> tensor<64xi8>
    return %1, %4 : tensor<32xi8>, tensor<64xi8>
  }
}

