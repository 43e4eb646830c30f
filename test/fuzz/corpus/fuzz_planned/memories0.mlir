module attributes {gmem.memories = [{name = "m0", size = 256 : i64, speed = 8 : i64, targets = ["cpu", "dsp"]}, {alignment = 256 : i64, name = "m1"}], gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 576 : i64, optimal = false, peak = 832 : i64}, gmem.pool_table = [{alignment = 4096 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 16 : i64, kind = "workspace", lower_bound = 0 : i64, name = "m0", size = 256 : i64, size_hint = 256 : i64}, {alignment = 256 : i64, kind = "workspace", lower_bound = 0 : i64, name = "m1", size = 576 : i64}]} {
  func.func @main(%arg0: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "m0", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = "my.op"() {gmem.offset = array<i64: 64>, gmem.pool = ["m0"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    %1 = call @inner(%0) {gmem.copies = [{edge = "callee", from = 64 : i64, from_pool = "m0", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "m0"}, {edge = "results", from = 128 : i64, from_pool = "m0", number = 0 : i64, size = 64 : i64, to = 192 : i64, to_pool = "m0"}], gmem.offset = array<i64: 192>, gmem.pool = ["m0"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %2 = "my.op"(%1, %0) {gmem.offset = array<i64: 256>, gmem.pool = ["m1"], gmem.size = array<i64: 256>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<64xf32>
    %3 = "my.op"(%2, %1) {gmem.offset = array<i64: 512>, gmem.pool = ["m1"], gmem.pools = ["m1", "m0"], gmem.size = array<i64: 64>} : (tensor<64xf32>, tensor<16xf32>) -> tensor<4x4xf32>
    %4 = "my.op"() {gmem.offset = array<i64: 128>, gmem.pool = ["m0"], gmem.size = array<i64: 64>} : () -> tensor<4x4xf32>
    %5 = "my.op"(%arg0) {gmem.offset = array<i64: 512>, gmem.pool = ["m1"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<4x4xf32>
    %6 = call @inner(%0) {gmem.copies = [{edge = "callee", from = 64 : i64, from_pool = "m0", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "m0"}, {edge = "results", from = 128 : i64, from_pool = "m0", number = 0 : i64, size = 64 : i64, to = 64 : i64, to_pool = "m0"}], gmem.offset = array<i64: 64>, gmem.pool = ["m0"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %7 = "my.op"(%arg0, %2) {gmem.offset = array<i64: 64>, gmem.pool = ["m0"], gmem.size = array<i64: 64>} : (tensor<16xf32>, tensor<64xf32>) -> tensor<16xf32>
    %8 = "my.op"(%5, %1) {gmem.offset = array<i64: 0>, gmem.pool = ["m0"], gmem.size = array<i64: 64>} : (tensor<4x4xf32>, tensor<16xf32>) -> tensor<16xf32>
    %9 = "my.op"(%2) {gmem.offset = array<i64: 0>, gmem.pool = ["m0"], gmem.size = array<i64: 64>} : (tensor<64xf32>) -> tensor<16xf32>
    return %9 : tensor<16xf32>
  }
  func.func private @inner(%arg0: tensor<16xf32> {gmem.offset = 128 : i64, gmem.pool = "m0", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = "my.op"() {gmem.offset = array<i64: 128>, gmem.pool = ["m0"], gmem.size = array<i64: 64>, gmem.target = "cpu"} : () -> tensor<16xf32>
    %1 = "my.op"() {gmem.offset = array<i64: 128>, gmem.pool = ["m0"], gmem.size = array<i64: 64>} : () -> tensor<4x4xf32>
    %2 = "my.op"(%1) {gmem.offset = array<i64: 0>, gmem.pool = ["m1"], gmem.size = array<i64: 64>} : (tensor<4x4xf32>) -> tensor<16xf32>
    %3 = "my.op"(%2) {gmem.offset = array<i64: 128>, gmem.pool = ["m0"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %3 : tensor<16xf32>
  }
}

