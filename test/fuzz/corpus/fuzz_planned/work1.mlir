module @seed_7 attributes {gmem.plan = {algorithm = "greedy-by-size", keep_inputs = false, lower_bound = 592 : i64, optimal = true, peak = 592 : i64, view_alignment = 1 : i64}, gmem.pool_table = [{alignment = 1 : i64, base = 0 : i64, kind = "constant", lower_bound = 96 : i64, name = "weights", size = 96 : i64}, {alignment = 64 : i64, base = 128 : i64, kind = "workspace", lower_bound = 592 : i64, name = "tensors", size = 592 : i64}]} {
  func.func @f1(%arg0: tensor<64xi8> {gmem.offset = 512 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "any.for"() ({
      %inserted_slice_0 = tensor.insert_slice %arg0 into %arg0[0] [64] [1] {gmem.offset = array<i64: 448>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : tensor<64xi8> into tensor<64xi8>
      %2 = "any.concat"(%arg0, %arg0, %arg0) {axis = 0 : i64, gmem.offset = array<i64: 256>, gmem.op_model = {concat = {axis = "axis"}}, gmem.pool = ["tensors"], gmem.size = array<i64: 192>, test.does = "join", test.part = 0 : i64} : (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>) -> tensor<192xi8>
      %expanded = tensor.expand_shape %inserted_slice_0 [[0, 1]] output_shape [4, 16] {gmem.offset = array<i64: 448>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["tensors"], gmem.workbuffers = [{alignment = 8 : i64, size = 200 : i64, threads = 1 : i64}]} : tensor<64xi8> into tensor<4x16xi8>
      %extracted_slice = tensor.extract_slice %expanded[0, 0] [2, 16] [2, 1] {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 32>} : tensor<4x16xi8> to tensor<2x16xi8>
      %collapsed = tensor.collapse_shape %extracted_slice [[0, 1]] {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 32>, gmem.workbuffer_offset = array<i64: -1>, gmem.workbuffer_pool = [""], gmem.workbuffers = [{alignment = 64 : i64, size = 0 : i64, threads = 1 : i64}]} : tensor<2x16xi8> into tensor<32xi8>
      %3 = "any.insert"(%2, %inserted_slice_0) {begin = array<i64: 46>, gmem.offset = array<i64: 0>, gmem.op_model = {destination = 0 : i64, insert = {begin = "begin", operand = 1 : i64}}, gmem.pool = ["tensors"], gmem.size = array<i64: 192>, test.destination = 0 : i64, test.does = "insert", test.offset = 46 : i64, test.part = 1 : i64} : (tensor<192xi8>, tensor<64xi8>) -> tensor<192xi8>
      "any.yield"() : () -> ()
    }) {gmem.op_model = {kind = "for"}, test.does = "for"} : () -> ()
    %0 = "any.compute"(%arg0, %arg0) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
    %1 = "any.elementwise"(%0, %arg0) {gmem.offset = array<i64: 64>, gmem.op_model = {inplace = array<i64: 1>}, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, test.elementwise = array<i64: 1>} : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
    %inserted_slice = tensor.insert_slice %arg0 into %0[0] [64] [1] {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : tensor<64xi8> into tensor<64xi8>
    return
  }
  func.func @f0(%arg0: tensor<16xi8> {gmem.offset = 576 : i64, gmem.pool = "tensors", gmem.size = 16 : i64}, %arg1: tensor<16xi8> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 16 : i64}, %arg2: tensor<16xi8> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 16 : i64}) -> tensor<64xi8> {
    %0 = "any.compute"() {gmem.offset = array<i64: 512>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    call @f1(%0) : (tensor<64xi8>) -> ()
    %1 = "npu.weight"() {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 96>} : () -> tensor<96xi8>
    %extracted_slice = tensor.extract_slice %arg0[0] [16] [1] {gmem.alias = [{kind = "slice", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 576>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>, gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["tensors"], gmem.workbuffers = [{alignment = 64 : i64, size = 200 : i64, threads = 2 : i64}]} : tensor<16xi8> to tensor<16xi8>
    %2 = "any.slice"(%arg0) {begin = array<i64: 0>, gmem.offset = array<i64: 0>, gmem.op_model = {slice = {begin = "begin", size = "size"}}, gmem.pool = ["tensors"], gmem.size = array<i64: 16>, size = array<i64: 16>, test.does = "slice", test.offset = 0 : i64, test.part = 0 : i64} : (tensor<16xi8>) -> tensor<16xi8>
    %extracted_slice_0 = tensor.extract_slice %arg0[0] [16] [1] {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>} : tensor<16xi8> to tensor<16xi8>
    return %0 : tensor<64xi8>
  }
}

