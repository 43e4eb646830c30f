func.func @main(%a: tensor<16xi32> {gmem.padding = array<i64: 32, 16>}) -> tensor<16xi32> {
  %0 = tosa.abs %a : (tensor<16xi32>) -> tensor<16xi32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [4, 4] {gmem.padding = [array<i64: 16, 8>]} : tensor<16xi32> into tensor<4x4xi32>
  %2 = tosa.bitwise_not %1 {gmem.padding = [array<i64: 0, 8>]} : (tensor<4x4xi32>) -> tensor<4x4xi32>
  %3 = tensor.collapse_shape %2 [[0, 1]] : tensor<4x4xi32> into tensor<16xi32>
  %c = arith.constant dense<1> : tensor<16xi32>
  %4 = tosa.add %3, %c {gmem.padding = [array<i64: 16, 16>]} : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi32>
  return %4 : tensor<16xi32>
}
