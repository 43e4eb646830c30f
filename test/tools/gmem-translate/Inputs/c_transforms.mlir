// Constants that functions make: %w and %same are one, with a chain of four; %other
// has the same source and another chain; %own is its own source. %sum is computed
// from constants (constants=hoist).
func.func @main(%image: tensor<16xf32> loc("image")) -> tensor<16xf32> {
  %w = "tosa.const"() {
    values = dense<0.5> : tensor<16xf32>,
    gmem.source = dense<[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]> : tensor<16xi8>,
    gmem.transform = [{name = "negate", bytes = 16}, {name = "widen", bytes = 64}, {name = "narrow", bytes = 16}, {name = "widen", bytes = 64}]
  } : () -> tensor<16xf32> loc("w")
  %other = "tosa.const"() {
    values = dense<0.5> : tensor<16xf32>,
    gmem.source = dense<[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]> : tensor<16xi8>,
    gmem.transform = [{name = "widen", bytes = 64}]
  } : () -> tensor<16xf32> loc("other")
  %same = "tosa.const"() {
    values = dense<0.5> : tensor<16xf32>,
    gmem.source = dense<[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]> : tensor<16xi8>,
    gmem.transform = [{name = "negate", bytes = 16}, {name = "widen", bytes = 64}, {name = "narrow", bytes = 16}, {name = "widen", bytes = 64}]
  } : () -> tensor<16xf32> loc("same")
  %plain = "tosa.const"() {values = dense<0.25> : tensor<16xf32>} : () -> tensor<16xf32> loc("plain")
  %own = "tosa.const"() {
    values = dense<3> : tensor<8xi8>,
    gmem.transform = [{name = "negate", bytes = 8}]
  } : () -> tensor<8xi8> loc("own")
  %one = "tosa.const"() {values = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0]> : tensor<16xf32>} : () -> tensor<16xf32> loc("one")
  %sum = tosa.add %one, %plain : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32> loc("sum")
  %0 = "npu.conv"(%image, %w, %other, %same, %sum, %own)
    : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<8xi8>) -> tensor<16xf32> loc("conv")
  return %0 : tensor<16xf32>
}
