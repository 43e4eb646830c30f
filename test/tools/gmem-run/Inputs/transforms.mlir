// Constants that functions make; both have the same placeholder as %plain.
func.func @main() -> tensor<4xf32> {
  %w = arith.constant {gmem.name = "w", gmem.transform = [{name = "negate", bytes = 4}, {name = "widen", bytes = 16}], gmem.source = dense<[1, 2, 3, 4]> : tensor<4xi8>} dense<0.5> : tensor<4xf32>
  %other = arith.constant {gmem.name = "other", gmem.transform = [{name = "widen", bytes = 16}], gmem.source = dense<[1, 2, 3, 4]> : tensor<4xi8>} dense<0.5> : tensor<4xf32>
  %plain = arith.constant dense<0.5> : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.mul ins(%w, %other : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.add ins(%0, %plain : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
