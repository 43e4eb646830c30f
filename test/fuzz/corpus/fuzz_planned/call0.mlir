module @seed_1627 attributes {gmem.plan = {algorithm = "greedy-by-size", keep_inputs = false, lower_bound = 256 : i64, optimal = false, peak = 272 : i64, view_alignment = 1 : i64}, gmem.pool_table = [{alignment = 1 : i64, base = 0 : i64, kind = "constant", lower_bound = 32 : i64, name = "weights", size = 32 : i64}, {alignment = 1 : i64, base = 32 : i64, kind = "workspace", lower_bound = 256 : i64, name = "tensors", size = 272 : i64}]} {
  func.func @f1(%arg0: tensor<48xi8> {gmem.offset = 48 : i64, gmem.pool = "tensors", gmem.size = 48 : i64}, %arg1: tensor<32xi8> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 32 : i64}) {
    %inserted_slice = tensor.insert_slice %arg1 into %arg0[0] [32] [1] {gmem.alias = [{kind = "concat", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 48>} : tensor<32xi8> into tensor<48xi8>
    %concat = tensor.concat dim(0) %inserted_slice, %arg0, %arg0 {gmem.alias = [{kind = "concat", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}, {kind = "concat", offset = 48 : i64, operand = 1 : i64, result = 0 : i64}], gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 144>} : (tensor<48xi8>, tensor<48xi8>, tensor<48xi8>) -> tensor<144xi8>
    %0 = "any.elementwise"(%arg0, %arg0) {gmem.alias = [{kind = "inplace", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 48>, gmem.op_model = {inplace = "all"}, gmem.pool = ["tensors"], gmem.size = array<i64: 48>, test.elementwise} : (tensor<48xi8>, tensor<48xi8>) -> tensor<48xi8>
    return
  }
  func.func @f0(%arg0: tensor<32xi8> {gmem.offset = 144 : i64, gmem.pool = "tensors", gmem.size = 32 : i64}, %arg1: tensor<40xi8> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 40 : i64}) -> (tensor<16xi8>, tensor<32xi8>, tensor<16xi8>) attributes {gmem.block_args = [{block = 1 : i64, offset = array<i64: 224, 0>, pool = ["tensors", "tensors"], region = 0 : i64, size = array<i64: 48, 64>}]} {
    %0 = "any.compute"() {gmem.offset = array<i64: 176>, gmem.pool = ["tensors"], gmem.size = array<i64: 48>} : () -> tensor<48xi8>
    "any.call"(%0, %arg0) {callee = @f1, gmem.copies = [{edge = "callee", from = 176 : i64, from_pool = "tensors", number = 0 : i64, size = 48 : i64, to = 48 : i64, to_pool = "tensors"}, {edge = "callee", from = 144 : i64, from_pool = "tensors", number = 0 : i64, size = 32 : i64, to = 0 : i64, to_pool = "tensors"}]} : (tensor<48xi8>, tensor<32xi8>) -> ()
    %1 = "any.compute"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    %2 = "any.condition"() : () -> i1
    cf.cond_br %2, ^bb1(%0, %1 : tensor<48xi8>, tensor<64xi8>), ^bb2 {gmem.copies = [{edge = "successor", from = 176 : i64, from_pool = "tensors", number = 0 : i64, size = 48 : i64, to = 224 : i64, to_pool = "tensors"}]}
  ^bb1(%3: tensor<48xi8>, %4: tensor<64xi8>):  // 2 preds: ^bb0, ^bb2
    %5 = "any.elementwise"(%3) {gmem.alias = [{kind = "inplace", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 224>, gmem.op_model = {inplace = array<i64: 0>}, gmem.pool = ["tensors"], gmem.size = array<i64: 48>, test.elementwise = array<i64: 0>} : (tensor<48xi8>) -> tensor<48xi8>
    %6 = arith.subi %4, %4 {gmem.alias = [{kind = "inplace", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : tensor<64xi8>
    %7 = "npu.weight"() {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 32>} : () -> tensor<32xi8>
    %8 = "any.compute"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    return %8, %arg0, %8 : tensor<16xi8>, tensor<32xi8>, tensor<16xi8>
  ^bb2:  // 2 preds: ^bb0, ^bb2
    "any.call"(%0, %arg0) {callee = @f1, gmem.copies = [{edge = "callee", from = 176 : i64, from_pool = "tensors", number = 0 : i64, size = 48 : i64, to = 48 : i64, to_pool = "tensors"}, {edge = "callee", from = 144 : i64, from_pool = "tensors", number = 0 : i64, size = 32 : i64, to = 0 : i64, to_pool = "tensors"}]} : (tensor<48xi8>, tensor<32xi8>) -> ()
    %9 = "any.update"(%arg0) {gmem.offset = array<i64: 0>, gmem.op_model = {destination = 0 : i64}, gmem.pool = ["tensors"], gmem.size = array<i64: 32>, test.destination = 0 : i64} : (tensor<32xi8>) -> tensor<32xi8>
    %inserted_slice = tensor.insert_slice %arg0 into %0[16] [32] [1] {gmem.alias = [{kind = "concat", offset = 16 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 48>} : tensor<32xi8> into tensor<48xi8>
    %10 = "any.compute"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    %11 = "any.condition"() : () -> i1
    "any.branch"(%0, %10)[^bb1, ^bb2] : (tensor<48xi8>, tensor<64xi8>) -> ()
  }
}

