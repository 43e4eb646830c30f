module @seed_4 attributes {gmem.plan = {algorithm = "greedy-by-size", keep_inputs = false, lower_bound = 176 : i64, optimal = true, peak = 176 : i64, view_alignment = 1 : i64}, gmem.pool_table = [{alignment = 1 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 1 : i64, base = 0 : i64, kind = "workspace", lower_bound = 176 : i64, name = "tensors", size = 176 : i64}]} {
  func.func @f0(%arg0: tensor<16xi8> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 16 : i64}) {
    %0 = "any.op"(%arg0, %arg0) {gmem.offset = array<i64: 16>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>, test.id = 3 : i64} : (tensor<16xi8>, tensor<16xi8>) -> tensor<16xi8>
    return {test.id = 4 : i64}
  }
  func.func @f1() -> (tensor<32xi8>, tensor<32xi8>) {
    %0 = "any.op"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>, test.id = 6 : i64} : () -> tensor<16xi8>
    %1 = "any.op"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 32>, gmem.stream = 0 : i64, test.id = 8 : i64} : () -> tensor<32xi8>
    return {test.id = 9 : i64} %1, %1 : tensor<32xi8>, tensor<32xi8>
  }
  func.func @main(%arg0: tensor<48xi8> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 48 : i64}) -> (tensor<32xi8>, tensor<48xi8>) {
    %extracted_slice = tensor.extract_slice %arg0[0] [32] [1] {gmem.alias = [{kind = "slice", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 32>, gmem.stream = 1 : i64, test.id = 11 : i64} : tensor<48xi8> to tensor<32xi8>
    %0 = "any.op"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.stream = 1 : i64, test.id = 14 : i64} : () -> tensor<64xi8>
    %1 = "any.op"(%arg0) {gmem.offset = array<i64: 144>, gmem.pool = ["tensors"], gmem.size = array<i64: 32>, gmem.workbuffer_offset = array<i64: 112>, gmem.workbuffer_pool = ["tensors"], gmem.workbuffers = [{size = 32 : i64}], test.id = 16 : i64} : (tensor<48xi8>) -> tensor<32xi8>
    %2 = "any.over"(%extracted_slice) {gmem.offset = array<i64: 112>, gmem.op_model = {inplace = "all"}, gmem.pool = ["tensors"], gmem.size = array<i64: 32>, gmem.stream = 0 : i64, test.elementwise, test.id = 17 : i64} : (tensor<32xi8>) -> tensor<32xi8>
    "any.op"(%0, %0) {gmem.stream = 0 : i64, test.id = 19 : i64} : (tensor<64xi8>, tensor<64xi8>) -> ()
    %extracted_slice_0 = tensor.extract_slice %2[16] [16] [1] {gmem.alias = [{kind = "slice", offset = 16 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>, test.id = 20 : i64} : tensor<32xi8> to tensor<16xi8>
    return {test.id = 22 : i64} %1, %arg0 : tensor<32xi8>, tensor<48xi8>
  }
}

