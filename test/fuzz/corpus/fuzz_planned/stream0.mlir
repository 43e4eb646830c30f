module @seed_0 attributes {gmem.plan = {algorithm = "greedy-by-size", keep_inputs = false, lower_bound = 192 : i64, optimal = false, peak = 208 : i64, view_alignment = 1 : i64}, gmem.pool_table = [{alignment = 1 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 1 : i64, base = 0 : i64, kind = "workspace", lower_bound = 192 : i64, name = "tensors", size = 208 : i64}]} {
  func.func @main(%arg0: tensor<48xi8> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 48 : i64}) -> tensor<32xi8> {
    %0 = "any.over"(%arg0) {gmem.offset = array<i64: 48>, gmem.op_model = {inplace = "all"}, gmem.pool = ["tensors"], gmem.size = array<i64: 48>, test.elementwise, test.id = 2 : i64} : (tensor<48xi8>) -> tensor<48xi8>
    %1 = "any.over"(%arg0) {gmem.offset = array<i64: 48>, gmem.op_model = {inplace = "all"}, gmem.pool = ["tensors"], gmem.size = array<i64: 48>, test.elementwise, test.id = 4 : i64} : (tensor<48xi8>) -> tensor<48xi8>
    %inserted_slice = tensor.insert_slice %1 into %arg0[0] [48] [1] {gmem.alias = [{kind = "concat", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 48>, gmem.pool = ["tensors"], gmem.size = array<i64: 48>, test.id = 6 : i64} : tensor<48xi8> into tensor<48xi8>
    %extracted_slice = tensor.extract_slice %1[32] [16] [1] {gmem.offset = array<i64: 176>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>, test.id = 8 : i64} : tensor<48xi8> to tensor<16xi8>
    %inserted_slice_0 = tensor.insert_slice %1 into %inserted_slice[0] [48] [1] {gmem.offset = array<i64: 96>, gmem.pool = ["tensors"], gmem.size = array<i64: 48>, gmem.stream = 1 : i64, test.id = 10 : i64} : tensor<48xi8> into tensor<48xi8>
    %2 = "any.reshape"(%extracted_slice) {gmem.offset = array<i64: 176>, gmem.op_model = {kind = "reshape"}, gmem.pool = ["tensors"], gmem.size = array<i64: 16>, gmem.stream = 2 : i64, test.does = "view", test.id = 12 : i64} : (tensor<16xi8>) -> tensor<16xi8>
    %3:2 = "any.op"(%extracted_slice) {gmem.offset = array<i64: 48, 144>, gmem.pool = ["tensors", "tensors"], gmem.size = array<i64: 48, 32>, gmem.stream = 1 : i64, test.id = 16 : i64} : (tensor<16xi8>) -> (tensor<48xi8>, tensor<32xi8>)
    "any.op"(%2) {test.id = 17 : i64} : (tensor<16xi8>) -> ()
    "any.op"(%arg0) {test.id = 18 : i64} : (tensor<48xi8>) -> ()
    %4 = "any.over"(%extracted_slice) {gmem.offset = array<i64: 192>, gmem.op_model = {inplace = "all"}, gmem.pool = ["tensors"], gmem.size = array<i64: 16>, gmem.stream = 0 : i64, test.elementwise, test.id = 19 : i64} : (tensor<16xi8>) -> tensor<16xi8>
    %5 = "any.over"(%inserted_slice_0) {gmem.offset = array<i64: 0>, gmem.op_model = {inplace = "all"}, gmem.pool = ["tensors"], gmem.size = array<i64: 48>, gmem.stream = 2 : i64, test.elementwise, test.id = 21 : i64} : (tensor<48xi8>) -> tensor<48xi8>
    %extracted_slice_1 = tensor.extract_slice %3#1[0] [16] [1] {gmem.alias = [{kind = "slice", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 144>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>, test.id = 23 : i64} : tensor<32xi8> to tensor<16xi8>
    return {test.id = 25 : i64} %3#1 : tensor<32xi8>
  }
}

