// Two kinds of ops with nearly one name.
func.func @main(%a: tensor<8xi8>) -> tensor<8xi8> {
  %0 = "my.op.a"(%a) : (tensor<8xi8>) -> tensor<8xi8>
  %1 = "my.op_a"(%0) : (tensor<8xi8>) -> tensor<8xi8>
  return %1 : tensor<8xi8>
}
