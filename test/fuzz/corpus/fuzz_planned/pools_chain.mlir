module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 512 : i64, optimal = true, peak = 512 : i64}, gmem.pool_table = [{alignment = 4096 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 16 : i64, base = 0 : i64, kind = "workspace", lower_bound = 512 : i64, name = "tensors", size = 512 : i64}]} {
  func.func @main(%arg0: tensor<64xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 256 : i64}) -> tensor<64xf32> {
    %0 = tosa.exp %arg0 {gmem.alias = [{kind = "inplace", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 256>} : (tensor<64xf32>) -> tensor<64xf32>
    %1 = tosa.tanh %0 {gmem.offset = array<i64: 256>, gmem.pool = ["tensors"], gmem.size = array<i64: 256>} : (tensor<64xf32>) -> tensor<64xf32>
    %2 = tosa.add %0, %1 {gmem.alias = [{kind = "inplace", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 256>} : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    return %2 : tensor<64xf32>
  }
}

