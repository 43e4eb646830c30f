module @seed_86 attributes {gmem.plan = {algorithm = "greedy-by-size", keep_inputs = false, lower_bound = 192 : i64, optimal = true, peak = 192 : i64, view_alignment = 1 : i64}, gmem.pool_table = [{alignment = 1 : i64, base = 0 : i64, kind = "constant", lower_bound = 16 : i64, name = "weights", size = 16 : i64}, {alignment = 1 : i64, base = 16 : i64, kind = "workspace", lower_bound = 192 : i64, name = "tensors", size = 192 : i64}]} {
  func.func @f0(%arg0: tensor<16xi8> {gmem.offset = 40 : i64, gmem.pool = "tensors", gmem.size = 16 : i64}, %arg1: tensor<40xi8> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 40 : i64}) -> (tensor<64xi8>, tensor<128xi8>) attributes {gmem.block_args = [{block = 1 : i64, offset = array<i64: 0>, pool = ["tensors"], region = 0 : i64, size = array<i64: 0>}]} {
    %0 = "any.update"(%arg0, %arg0) {gmem.offset = array<i64: 80>, gmem.op_model = {destination = 0 : i64}, gmem.pool = ["tensors"], gmem.size = array<i64: 16>, test.destination = 0 : i64} : (tensor<16xi8>, tensor<16xi8>) -> tensor<16xi8>
    %expanded = tensor.expand_shape %arg1 [[0, 1]] output_shape [4, 10] {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 40>} : tensor<40xi8> into tensor<4x10xi8>
    %extracted_slice = tensor.extract_slice %expanded[1, 0] [2, 10] [1, 1] {gmem.alias = [{kind = "slice", offset = 10 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 10>, gmem.pool = ["tensors"], gmem.size = array<i64: 20>} : tensor<4x10xi8> to tensor<2x10xi8>
    %collapsed = tensor.collapse_shape %extracted_slice [[0, 1]] {gmem.offset = array<i64: 10>, gmem.pool = ["tensors"], gmem.size = array<i64: 20>} : tensor<2x10xi8> into tensor<20xi8>
    %1 = "any.condition"() : () -> i1
    %2 = "any.flag"() : () -> i32
    cf.switch %2 : i32, [
      default: ^bb2,
      7: ^bb2
    ]
  ^bb1(%3: tensor<0xi8>):  // 2 preds: ^bb1, ^bb1
    %cst = arith.constant {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 16>} dense<1> : tensor<16xi8>
    %4 = linalg.copy {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>} ins(%0 : tensor<16xi8>) outs(%cst : tensor<16xi8>) -> tensor<16xi8>
    %5 = "any.elementwise"(%4, %cst) {gmem.alias = [{kind = "inplace", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 0>, gmem.op_model = {inplace = "all"}, gmem.pool = ["tensors"], gmem.size = array<i64: 16>, test.elementwise} : (tensor<16xi8>, tensor<16xi8>) -> tensor<16xi8>
    %6 = arith.muli %cst, %cst {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>} : tensor<16xi8>
    %7 = "any.condition"() : () -> i1
    cf.cond_br %7, ^bb1(%3 : tensor<0xi8>), ^bb1(%3 : tensor<0xi8>)
  ^bb2:  // 2 preds: ^bb0, ^bb0
    %8 = "any.compute"(%arg1) {gmem.offset = array<i64: 40>, gmem.pool = ["tensors"], gmem.size = array<i64: 40>} : (tensor<40xi8>) -> tensor<40xi8>
    "any.write"(%8, %arg1) {gmem.op_model = {writes = array<i64: 0>}, test.writes = array<i64: 0>} : (tensor<40xi8>, tensor<40xi8>) -> ()
    %9 = "any.fused"(%0, %arg1) ({
      "any.read"() : () -> ()
      %12:2 = "any.local"() : () -> (tensor<32xi8>, tensor<32xi8>)
    }) {gmem.layer_group, gmem.offset = array<i64: 40>, gmem.pool = ["tensors"], gmem.size = array<i64: 32>} : (tensor<16xi8>, tensor<40xi8>) -> tensor<32xi8>
    %expanded_0 = tensor.expand_shape %9 [[0, 1]] output_shape [4, 8] {gmem.offset = array<i64: 40>, gmem.pool = ["tensors"], gmem.size = array<i64: 32>} : tensor<32xi8> into tensor<4x8xi8>
    %extracted_slice_1 = tensor.extract_slice %expanded_0[0, 0] [2, 8] [2, 1] {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>} : tensor<4x8xi8> to tensor<2x8xi8>
    %collapsed_2 = tensor.collapse_shape %extracted_slice_1 [[0, 1]] {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>} : tensor<2x8xi8> into tensor<16xi8>
    %10 = "any.compute"() {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    %11 = "any.compute"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} : () -> tensor<128xi8>
    return %10, %11 : tensor<64xi8>, tensor<128xi8>
  }
}

