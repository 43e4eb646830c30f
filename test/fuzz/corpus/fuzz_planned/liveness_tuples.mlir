module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 257 : i64, optimal = true, peak = 257 : i64}, gmem.pool_table = [{alignment = 4096 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 16 : i64, base = 0 : i64, kind = "workspace", lower_bound = 257 : i64, name = "tensors", size = 257 : i64}]} {
  func.func @main(%arg0: tensor<4xi32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 16 : i64}) {
    %0 = "a.flat"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 65>} : () -> tuple<tensor<3xi8>, tensor<1xi8>>
    %1 = "a.nested"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 257>} : () -> tuple<tensor<3xi8>, tuple<tensor<65xi8>, tensor<2xi32>>, tensor<1xi8>>
    %2 = "a.empty"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tuple<tensor<3xi8>, tensor<0xi8>>
    %3:2 = "a.scalars"() : () -> (tuple<i32, !a.token>, tuple<>)
    %4 = "a.mixed"() : () -> tuple<tensor<3xi8>, !a.token>
    %5 = "a.dynamic"() : () -> tuple<tensor<?xi8>, tensor<1xi8>>
    %6 = "a.deep"() : () -> tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tensor<1xi8>>>>>>>>>>
    return
  }
}

