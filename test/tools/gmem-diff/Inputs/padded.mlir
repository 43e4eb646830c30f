func.func @main(%image: tensor<3x4xi8> {gmem.padding = {before = array<i64: 1, 1>, after = array<i64: 1, 2>, border = "replicate"}} loc("image")) -> tensor<3x4xi8> {
  %0 = tosa.abs %image : (tensor<3x4xi8>) -> tensor<3x4xi8>
  return %0 : tensor<3x4xi8>
}
