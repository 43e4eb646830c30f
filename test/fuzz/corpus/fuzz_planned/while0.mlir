module @seed_648 attributes {gmem.plan = {algorithm = "greedy-by-size", keep_inputs = false, lower_bound = 256 : i64, optimal = false, peak = 320 : i64, view_alignment = 1 : i64}, gmem.pool_table = [{alignment = 1 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 1 : i64, base = 0 : i64, kind = "workspace", lower_bound = 256 : i64, name = "tensors", size = 320 : i64}]} {
  func.func @f0(%arg0: tensor<64xi8> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<96xi8>, tensor<16xi8>, tensor<16xi8>) {
    scf.while : () -> () {
      %8 = "any.condition"() : () -> i1
      scf.condition(%8)
    } do {
      %8 = "any.concat"(%arg0, %arg0, %arg0, %arg0) {axis = 0 : i64, gmem.alias = [{kind = "concat", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 0>, gmem.op_model = {concat = {axis = "axis"}}, gmem.pool = ["tensors"], gmem.size = array<i64: 256>, test.does = "join", test.part = 0 : i64} : (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>) -> tensor<256xi8>
      scf.yield
    }
    %0 = "any.elementwise"(%arg0, %arg0, %arg0) {gmem.offset = array<i64: 64>, gmem.op_model = {inplace = array<i64: 0>}, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, test.elementwise = array<i64: 0>} : (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
    %1 = "any.index"() : () -> index
    %2 = "any.index"() : () -> index
    %3 = "any.index"() : () -> index
    scf.for %arg1 = %1 to %2 step %3 {
      %concat = tensor.concat dim(0) %0, %0, %arg0, %0 {gmem.alias = [{kind = "concat", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 256>} : (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>) -> tensor<256xi8>
    }
    %4 = "any.elementwise"(%arg0, %arg0, %0) {gmem.alias = [{kind = "inplace", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 0>, gmem.op_model = {inplace = "all"}, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, test.elementwise} : (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
    %5 = "any.compute"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 96>} : () -> tensor<96xi8>
    %6 = "any.compute"() {gmem.offset = array<i64: 96>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    %7 = "any.compute"() {gmem.offset = array<i64: 112>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>} : () -> tensor<16xi8>
    return %5, %6, %7 : tensor<96xi8>, tensor<16xi8>, tensor<16xi8>
  }
}

