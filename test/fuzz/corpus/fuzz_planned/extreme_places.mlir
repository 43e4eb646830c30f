// Places that end behind the last byte that has a number, alone or with paddings.
module attributes {gmem.plan = {algorithm = "greedy-by-size", keep_inputs = false, lower_bound = 64 : i64, optimal = true, peak = 64 : i64, view_alignment = 1 : i64}, gmem.pool_table = [{alignment = 1 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 1 : i64, base = 0 : i64, kind = "workspace", lower_bound = 64 : i64, name = "tensors", size = 64 : i64}]} {
  func.func @f() -> tensor<64xi8> {
    %0 = "any.first"() {gmem.offset = array<i64: 9223372036854775807>, gmem.pool = ["tensors"], gmem.size = array<i64: 9223372036854775807>} : () -> tensor<64xi8>
    %1 = "any.second"(%0) {gmem.offset = array<i64: 9223372036854775800>, gmem.padding = [array<i64: 0, 9223372036854775807>], gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<64xi8>) -> tensor<64xi8>
    %2 = "any.third"(%1) {gmem.offset = array<i64: 0>, gmem.padding = [array<i64: 9223372036854775807, 9223372036854775807>], gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<64xi8>) -> tensor<64xi8>
    return %2 : tensor<64xi8>
  }
}
