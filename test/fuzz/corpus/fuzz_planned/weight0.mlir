module @seed_1 attributes {gmem.plan = {algorithm = "greedy-by-size", keep_inputs = false, lower_bound = 160 : i64, optimal = true, peak = 160 : i64, view_alignment = 1 : i64}, gmem.pool_table = [{alignment = 1 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 1 : i64, base = 0 : i64, kind = "workspace", lower_bound = 160 : i64, name = "tensors", size = 160 : i64}]} {
  func.func @f0() -> (tensor<96xi8>, tensor<64xi8>) {
    %0 = "any.compute"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 32>} : () -> tensor<32xi8>
    %expanded = tensor.expand_shape %0 [[0, 1]] output_shape [4, 8] {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 32>} : tensor<32xi8> into tensor<4x8xi8>
    %extracted_slice = tensor.extract_slice %expanded[0, 0] [2, 8] [2, 1] {gmem.offset = array<i64: 32>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>} : tensor<4x8xi8> to tensor<2x8xi8>
    %collapsed = tensor.collapse_shape %extracted_slice [[0, 1]] {gmem.offset = array<i64: 32>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>} : tensor<2x8xi8> into tensor<16xi8>
    %1 = "any.slice"(%0) {begin = array<i64: 0>, gmem.alias = [{kind = "slice", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 0>, gmem.op_model = {slice = {begin = "begin", size = "size"}}, gmem.pool = ["tensors"], gmem.size = array<i64: 32>, size = array<i64: 32>, test.does = "slice", test.offset = 0 : i64, test.part = 0 : i64} : (tensor<32xi8>) -> tensor<32xi8>
    %2 = "any.slice"(%0) {begin = array<i64: 0>, gmem.alias = [{kind = "slice", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 0>, gmem.op_model = {slice = {begin = "begin", size = "size"}}, gmem.pool = ["tensors"], gmem.size = array<i64: 16>, size = array<i64: 16>, test.does = "slice", test.offset = 0 : i64, test.part = 0 : i64} : (tensor<32xi8>) -> tensor<16xi8>
    %3 = "any.slice"(%0) {begin = array<i64: 16>, gmem.alias = [{kind = "slice", offset = 16 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 16>, gmem.op_model = {slice = {begin = "begin", size = "size"}}, gmem.pool = ["tensors"], gmem.size = array<i64: 16>, size = array<i64: 16>, test.does = "slice", test.offset = 16 : i64, test.part = 0 : i64} : (tensor<32xi8>) -> tensor<16xi8>
    %4 = "any.compute"(%3) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>} : (tensor<16xi8>) -> tensor<16xi8>
    "any.write"(%4) {gmem.op_model = {writes = array<i64: 0>}, test.writes = array<i64: 0>} : (tensor<16xi8>) -> ()
    %5 = "any.compute"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 48>} : () -> tensor<48xi8>
    %6 = "any.into"(%5) {gmem.alias = [{kind = "destination", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 0>, gmem.op_model = {destination = "trailing"}, gmem.pool = ["tensors"], gmem.size = array<i64: 48>, test.destination = 0 : i64} : (tensor<48xi8>) -> tensor<48xi8>
    %7 = "any.compute"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 96>} : () -> tensor<96xi8>
    %8 = "any.compute"() {gmem.offset = array<i64: 96>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    return %7, %8 : tensor<96xi8>, tensor<64xi8>
  }
}

