module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 4100 : i64, optimal = true, peak = 4100 : i64}, gmem.pool_table = [{alignment = 4096 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 16 : i64, base = 0 : i64, kind = "workspace", lower_bound = 4100 : i64, name = "tensors", size = 4100 : i64}]} {
  func.func @kept(%arg0: tensor<1024xi32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 4096 : i64}, %arg1: tensor<1xi32> {gmem.offset = 4096 : i64, gmem.pool = "tensors", gmem.size = 4 : i64}) -> (tensor<1024xi32> {gmem.same_as = 0 : i64}) {
    %inserted_slice = tensor.insert_slice %arg1 into %arg0[16] [1] [1] {gmem.alias = [{kind = "destination", offset = 0 : i64, operand = 1 : i64, result = 0 : i64}], gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 4096>} : tensor<1xi32> into tensor<1024xi32>
    return %inserted_slice : tensor<1024xi32>
  }
}

