module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 32 : i64, optimal = true, peak = 32 : i64}, gmem.pool_table = [{alignment = 4096 : i64, base = 0 : i64, kind = "constant", lower_bound = 12289 : i64, name = "weights", size = 12304 : i64}, {alignment = 16 : i64, base = 12304 : i64, kind = "workspace", lower_bound = 32 : i64, name = "tensors", size = 32 : i64}]} {
  func.func @main(%arg0: tensor<4xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 16 : i64}) -> tensor<4xf32> {
    %cst = arith.constant {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 16>} dense<1.000000e+00> : tensor<4xf32>
    %0 = "tosa.const"() <{values = dense<1> : tensor<5xi8>}> {gmem.offset = array<i64: 4096>, gmem.pool = ["weights"], gmem.size = array<i64: 5>} : () -> tensor<5xi8>
    %c1_i32 = arith.constant 1 : i32
    %1 = "a.op"(%arg0) {gmem.offset = array<i64: 16>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>} : (tensor<4xf32>) -> tensor<4xf32>
    %2 = call @callee(%1) {gmem.offset = array<i64: 12288>, gmem.pool = ["weights"], gmem.size = array<i64: 16>} : (tensor<4xf32>) -> tensor<4xf32>
    return %2 : tensor<4xf32>
  }
  func.func private @callee(%arg0: tensor<4xf32> {gmem.offset = 16 : i64, gmem.pool = "tensors", gmem.size = 16 : i64}) -> tensor<4xf32> {
    %0 = "top.Weight"() {gmem.offset = array<i64: 8192>, gmem.pool = ["weights"], gmem.size = array<i64: 1>} : () -> tensor<3xi1>
    %1 = "top.Weight"() {gmem.offset = array<i64: 12288>, gmem.pool = ["weights"], gmem.size = array<i64: 16>} : () -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}

