#sparse = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 48 : i64, optimal = true, peak = 48 : i64}, gmem.pool_table = [{alignment = 4096 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 16 : i64, base = 0 : i64, kind = "workspace", lower_bound = 48 : i64, name = "tensors", size = 48 : i64}]} {
  func.func @main() {
    %0 = "a.i1"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 2>} : () -> tensor<9xi1>
    %1 = "a.i4"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 5>} : () -> tensor<3x3xi4>
    %2 = "a.i33"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>} : () -> tensor<2xi33>
    %3 = "a.index"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 24>} : () -> tensor<3xindex>
    %4 = "a.f8"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 3>} : () -> tensor<3xf8E4M3FN>
    %5 = "a.bf16"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 6>} : () -> tensor<3xbf16>
    %6 = "a.complex"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 24>} : () -> tensor<3xcomplex<f32>>
    %7 = "a.vector"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 48>} : () -> tensor<3xvector<4xf32>>
    %8 = "a.quantized"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 3>} : () -> tensor<3x!quant.uniform<i8:f32, 1.000000e+00>>
    %9 = "a.calibrated"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 12>} : () -> tensor<3x!quant.calibrated<f32<-1.000000e+00:1.000000e+00>>>
    %10 = "a.encoded"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 12>} : () -> tensor<3xf32, 4096 : i64>
    %11 = "a.rank0"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 4>} : () -> tensor<f32>
    %12 = "a.empty"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 0>} : () -> tensor<4x0xf32>
    %13 = "a.empty_and_huge"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 0>} : () -> tensor<9223372036854775807x4x0xf32>
    %14:3 = "a.mixed"() {gmem.offset = array<i64: -1, 0, -1>, gmem.pool = ["", "tensors", ""], gmem.size = array<i64: -1, 8, -1>} : () -> (none, tensor<2xi32>, tensor<?xi32>)
    %15:3 = "a.scalars"() : () -> (i32, index, !a.token)
    %16 = "a.sparse"() : () -> tensor<8xf32, #sparse>
    return
  }
}

