module @seed_222 attributes {gmem.plan = {algorithm = "greedy-by-size", keep_inputs = false, lower_bound = 768 : i64, optimal = true, peak = 768 : i64, sharing = "none", view_alignment = 1 : i64}, gmem.pool_table = [{alignment = 1 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 1 : i64, base = 0 : i64, kind = "workspace", lower_bound = 768 : i64, name = "tensors", size = 768 : i64}]} {
  func.func @f0(%arg0: tensor<96xi8> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 96 : i64}, %arg1: tensor<96xi8> {gmem.offset = 96 : i64, gmem.pool = "tensors", gmem.size = 96 : i64}) -> (tensor<16xi8>, tensor<64xi8>, tensor<96xi8>) {
    %0 = "any.update"(%arg1, %arg0) {gmem.offset = array<i64: 256>, gmem.op_model = {destination = 0 : i64}, gmem.pool = ["tensors"], gmem.size = array<i64: 96>, test.destination = 0 : i64} : (tensor<96xi8>, tensor<96xi8>) -> tensor<96xi8>
    %1 = "any.index"() : () -> index
    %2 = "any.index"() : () -> index
    %3 = "any.index"() : () -> index
    scf.for %arg2 = %1 to %2 step %3 {
      %extracted_slice = tensor.extract_slice %arg1[48] [48] [1] {gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 48>} : tensor<96xi8> to tensor<48xi8>
      %16 = "any.bits"() {gmem.offset = array<i64: 248>, gmem.pool = ["tensors"], gmem.size = array<i64: 1>} : () -> tensor<7xi1>
      %17:2 = "any.compute"(%arg1) {gmem.offset = array<i64: 192, 224>, gmem.pool = ["tensors", "tensors"], gmem.size = array<i64: 32, 24>} : (tensor<96xi8>) -> (tensor<32xi8>, tensor<24xi8>)
      %18 = "any.of_bits"(%16) {gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 32>} : (tensor<7xi1>) -> tensor<32xi8>
    }
    %4 = "any.update"(%0, %arg0, %arg1) {gmem.offset = array<i64: 352>, gmem.op_model = {destination = 0 : i64}, gmem.pool = ["tensors"], gmem.size = array<i64: 96>, test.destination = 0 : i64} : (tensor<96xi8>, tensor<96xi8>, tensor<96xi8>) -> tensor<96xi8>
    %5 = "any.compute"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} : () -> tensor<128xi8>
    %6 = "any.into"(%0, %4, %5) {gmem.offset = array<i64: 128>, gmem.op_model = {destination = "trailing"}, gmem.pool = ["tensors"], gmem.size = array<i64: 128>, test.destination = 2 : i64} : (tensor<96xi8>, tensor<96xi8>, tensor<128xi8>) -> tensor<128xi8>
    %7 = tensor.empty() : tensor<128xi8>
    %8 = linalg.copy {gmem.offset = array<i64: 256>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} ins(%6 : tensor<128xi8>) outs(%7 : tensor<128xi8>) -> tensor<128xi8>
    %9 = "any.index"() : () -> index
    %10 = "any.index"() : () -> index
    %11 = "any.index"() : () -> index
    %12:3 = scf.for %arg2 = %9 to %10 step %11 iter_args(%arg3 = %8, %arg4 = %6, %arg5 = %5) -> (tensor<128xi8>, tensor<128xi8>, tensor<128xi8>) {
      scf.yield {gmem.copies = [{edge = "next", from = 384 : i64, from_pool = "tensors", number = 0 : i64, size = 128 : i64, to = 512 : i64, to_pool = "tensors"}, {edge = "next", from = 384 : i64, from_pool = "tensors", number = 0 : i64, size = 128 : i64, to = 640 : i64, to_pool = "tensors"}, {edge = "next", from = 256 : i64, from_pool = "tensors", number = 0 : i64, size = 128 : i64, to = 384 : i64, to_pool = "tensors"}]} %8, %arg3, %arg3 : tensor<128xi8>, tensor<128xi8>, tensor<128xi8>
    } {gmem.block_args = [{block = 0 : i64, offset = array<i64: -1, 384, 512, 640>, pool = ["", "tensors", "tensors", "tensors"], region = 0 : i64, size = array<i64: -1, 128, 128, 128>}], gmem.copies = [{edge = "region", from = 256 : i64, from_pool = "tensors", number = 0 : i64, size = 128 : i64, to = 384 : i64, to_pool = "tensors"}, {edge = "region", from = 128 : i64, from_pool = "tensors", number = 0 : i64, size = 128 : i64, to = 512 : i64, to_pool = "tensors"}, {edge = "region", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 128 : i64, to = 640 : i64, to_pool = "tensors"}, {edge = "results", from = 384 : i64, from_pool = "tensors", number = 0 : i64, size = 128 : i64, to = 0 : i64, to_pool = "tensors"}, {edge = "results", from = 512 : i64, from_pool = "tensors", number = 0 : i64, size = 128 : i64, to = 128 : i64, to_pool = "tensors"}, {edge = "results", from = 640 : i64, from_pool = "tensors", number = 0 : i64, size = 128 : i64, to = 256 : i64, to_pool = "tensors"}], gmem.offset = array<i64: 0, 128, 256>, gmem.pool = ["tensors", "tensors", "tensors"], gmem.size = array<i64: 128, 128, 128>}
    %13 = "any.compute"() {gmem.offset = array<i64: 160>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    %14 = "any.compute"() {gmem.offset = array<i64: 96>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    %15 = "any.compute"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 96>} : () -> tensor<96xi8>
    return %13, %14, %15 : tensor<16xi8>, tensor<64xi8>, tensor<96xi8>
  }
}

