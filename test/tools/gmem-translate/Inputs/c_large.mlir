// Tensors of 3 and 6 GiB.
func.func @main(%a: tensor<3x1073741824xi8>) -> tensor<6x1073741824xi8> {
  %0 = "my.op"(%a) : (tensor<3x1073741824xi8>) -> tensor<6x1073741824xi8>
  return %0 : tensor<6x1073741824xi8>
}
