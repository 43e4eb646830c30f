#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
module @seed_28 attributes {gmem.plan = {algorithm = "greedy-by-size", keep_inputs = false, lower_bound = 288 : i64, optimal = true, peak = 288 : i64, view_alignment = 1 : i64}, gmem.pool_table = [{alignment = 1 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 1 : i64, base = 0 : i64, kind = "workspace", lower_bound = 288 : i64, name = "tensors", size = 288 : i64}]} {
  func.func @f0(%arg0: tensor<40xi8> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 40 : i64}) -> (tensor<32xi8>, tensor<64xi8>, tensor<32xi8>) {
    %0 = "any.compute"(%arg0, %arg0) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<40xi8>, tensor<40xi8>) -> tensor<64xi8>
    %1 = "any.insert"(%0, %arg0) {begin = array<i64: 0>, gmem.offset = array<i64: 0>, gmem.op_model = {destination = 0 : i64, insert = {begin = "begin", operand = 1 : i64}}, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, test.destination = 0 : i64, test.does = "insert", test.offset = 0 : i64, test.part = 1 : i64} : (tensor<64xi8>, tensor<40xi8>) -> tensor<64xi8>
    %2 = tensor.empty() : tensor<40xi8>
    %mapped = linalg.map { arith.addi {overflowFlags = #arith.overflow<none>} } ins(%arg0, %arg0 : tensor<40xi8>, tensor<40xi8>) outs(%2 : tensor<40xi8>) {gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 40>}
    %3 = "any.index"() : () -> index
    %4 = "any.index"() : () -> index
    %5 = "any.index"() : () -> index
    %6 = scf.for %arg1 = %3 to %4 step %5 iter_args(%arg2 = %arg0) -> (tensor<40xi8>) {
      %10:2 = "any.fused"(%0, %mapped) ({
        "any.read"(%arg2) : (tensor<40xi8>) -> ()
        %16:2 = "any.local"() : () -> (tensor<32xi8>, tensor<32xi8>)
      }) {gmem.layer_group, gmem.offset = array<i64: 0, 272>, gmem.pool = ["tensors", "tensors"], gmem.size = array<i64: 128, 16>} : (tensor<64xi8>, tensor<40xi8>) -> (tensor<128xi8>, tensor<16xi8>)
      %expanded = tensor.expand_shape %10#1 [[0, 1]] output_shape [4, 4] {gmem.offset = array<i64: 272>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>} : tensor<16xi8> into tensor<4x4xi8>
      %expanded_0 = tensor.expand_shape %10#1 [[0, 1]] output_shape [4, 4] {gmem.offset = array<i64: 272>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>} : tensor<16xi8> into tensor<4x4xi8>
      %11 = tensor.empty() : tensor<4x4xi8>
      %12 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%expanded, %expanded_0 : tensor<4x4xi8>, tensor<4x4xi8>) outs(%11 : tensor<4x4xi8>) attrs =  {gmem.offset = array<i64: 232>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>} {
      ^bb0(%in: i8, %in_1: i8, %out: i8):
        linalg.yield %in : i8
      } -> tensor<4x4xi8>
      %collapsed = tensor.collapse_shape %12 [[0, 1]] {gmem.offset = array<i64: 232>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>} : tensor<4x4xi8> into tensor<16xi8>
      %13 = arith.extui %10#1 {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : tensor<16xi8> to tensor<16xi32>
      %14 = arith.trunci %13 {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>} : tensor<16xi32> to tensor<16xi8>
      %15 = "any.compute"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 40>} : () -> tensor<40xi8>
      scf.yield {gmem.copies = [{edge = "next", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 40 : i64, to = 232 : i64, to_pool = "tensors"}]} %15 : tensor<40xi8>
    } {gmem.block_args = [{block = 0 : i64, offset = array<i64: -1, 232>, pool = ["", "tensors"], region = 0 : i64, size = array<i64: -1, 40>}], gmem.copies = [{edge = "region", from = 64 : i64, from_pool = "tensors", number = 0 : i64, size = 40 : i64, to = 232 : i64, to_pool = "tensors"}, {edge = "results", from = 232 : i64, from_pool = "tensors", number = 0 : i64, size = 40 : i64, to = 0 : i64, to_pool = "tensors"}], gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 40>}
    %extracted_slice = tensor.extract_slice %6[0] [40] [1] {gmem.offset = array<i64: 40>, gmem.pool = ["tensors"], gmem.size = array<i64: 40>} : tensor<40xi8> to tensor<40xi8>
    %7 = "any.update"(%mapped, %mapped, %6) {gmem.offset = array<i64: 40>, gmem.op_model = {destination = 0 : i64}, gmem.pool = ["tensors"], gmem.size = array<i64: 40>, test.destination = 0 : i64} : (tensor<40xi8>, tensor<40xi8>, tensor<40xi8>) -> tensor<40xi8>
    %8 = "any.compute"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 32>} : () -> tensor<32xi8>
    %9 = "any.compute"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    return %8, %9, %8 : tensor<32xi8>, tensor<64xi8>, tensor<32xi8>
  }
}

