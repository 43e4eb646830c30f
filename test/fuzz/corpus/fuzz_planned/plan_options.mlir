module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 8192 : i64, optimal = true, peak = 8192 : i64}, gmem.pool_table = [{alignment = 4096 : i64, base = 0 : i64, kind = "constant", lower_bound = 5000 : i64, name = "weights", size = 5000 : i64}, {alignment = 16 : i64, base = 5008 : i64, kind = "workspace", lower_bound = 8192 : i64, name = "tensors", size = 8192 : i64}]} {
  func.func @main(%arg0: tensor<1024xi32> {gmem.offset = 4096 : i64, gmem.pool = "tensors", gmem.size = 4096 : i64}) -> tensor<1024xi32> {
    %0 = "top.Weight"() {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 5000>} : () -> tensor<5000xi8>
    %1 = "a.op"(%arg0, %0) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 4096>} : (tensor<1024xi32>, tensor<5000xi8>) -> tensor<1024xi32>
    %2 = "a.op"(%1, %0) {gmem.offset = array<i64: 4096>, gmem.pool = ["tensors"], gmem.size = array<i64: 4096>} : (tensor<1024xi32>, tensor<5000xi8>) -> tensor<1024xi32>
    return %2 : tensor<1024xi32>
  }
}

