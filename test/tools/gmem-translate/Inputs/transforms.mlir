// Constants that functions make: %w and %same are one, %other has another chain.
func.func @main(%image: tensor<16xf32> loc("image")) -> tensor<16xf32> {
  %w = "tosa.const"() {
    values = dense<0.0> : tensor<16xf32>,
    gmem.source = dense<[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]> : tensor<16xi8>,
    gmem.transform = [{name = "negate", bytes = 16}, {name = "widen", bytes = 64}]
  } : () -> tensor<16xf32> loc("w")
  %other = "tosa.const"() {
    values = dense<0.0> : tensor<16xf32>,
    gmem.source = dense<[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]> : tensor<16xi8>,
    gmem.transform = [{name = "widen", bytes = 64}]
  } : () -> tensor<16xf32> loc("other")
  %same = "tosa.const"() {
    values = dense<0.0> : tensor<16xf32>,
    gmem.source = dense<[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]> : tensor<16xi8>,
    gmem.transform = [{name = "negate", bytes = 16}, {name = "widen", bytes = 64}]
  } : () -> tensor<16xf32> loc("same")
  %plain = "tosa.const"() {values = dense<0.0> : tensor<16xf32>} : () -> tensor<16xf32> loc("plain")
  %own = "tosa.const"() {
    values = dense<3> : tensor<8xi8>,
    gmem.transform = [{name = "negate", bytes = 8}]
  } : () -> tensor<8xi8> loc("own")
  %0 = "npu.conv"(%image, %w, %other, %same, %plain, %own)
    : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<8xi8>) -> tensor<16xf32> loc("conv")
  return %0 : tensor<16xf32>
}
