func.func @main(%x: tensor<8xi8>, %w: tensor<8xi8>) -> tensor<8xi8> {
  %true = arith.constant true
  %0 = scf.if %true -> tensor<8xi8> {
    %1 = "my.op"(%x) : (tensor<8xi8>) -> tensor<8xi8>
    scf.yield %1 : tensor<8xi8>
  } else {
    scf.yield %w : tensor<8xi8>
  }
  return %0 : tensor<8xi8>
}
// -----
func.func @main(%x: tensor<8xi8>) -> tensor<8xi8> {
  cf.br ^bb1(%x : tensor<8xi8>)
^bb1(%y: tensor<8xi8>):
  return %y : tensor<8xi8>
}
// -----
func.func @main(%x: tensor<8xi8>) -> tensor<8xi8> {
  %c0 = arith.constant 0 : index
  %0 = tensor.extract %x[%c0] : tensor<8xi8>
  %1 = "my.op"(%x, %0) : (tensor<8xi8>, i8) -> tensor<8xi8>
  return %1 : tensor<8xi8>
}
// -----
func.func @main(%x: tensor<8xi8>, %n: i32) -> tensor<8xi8> {
  %1 = "my.op"(%x) : (tensor<8xi8>) -> tensor<8xi8>
  return %1 : tensor<8xi8>
}
// -----
func.func @main(%x: tensor<?xi8>) -> tensor<8xi8> {
  %1 = "my.op"(%x) : (tensor<?xi8>) -> tensor<8xi8>
  return %1 : tensor<8xi8>
}
// -----
func.func @f(%x: tensor<8xi8>) -> tensor<8xi8> {
  %1 = "my.op"(%x) : (tensor<8xi8>) -> tensor<8xi8>
  return %1 : tensor<8xi8>
}
func.func @g(%x: tensor<8xi8>) -> tensor<8xi8> {
  %1 = "my.op"(%x) : (tensor<8xi8>) -> tensor<8xi8>
  return %1 : tensor<8xi8>
}
// -----
func.func @main(%x: tensor<8xi8>) -> tensor<8xi8> {
  %1 = call @g(%x) : (tensor<8xi8>) -> tensor<8xi8>
  return %1 : tensor<8xi8>
}
func.func @g(%x: tensor<8xi8>) -> tensor<8xi8> {
  %1 = "my.op"(%x) : (tensor<8xi8>) -> tensor<8xi8>
  return %1 : tensor<8xi8>
}
// -----
func.func @main(%x: tensor<8xi8>, %w: tensor<8xi8> {gmem.weight}) -> tensor<8xi8> {
  %1 = "my.op"(%x, %w) : (tensor<8xi8>, tensor<8xi8>) -> tensor<8xi8>
  return %1 : tensor<8xi8>
}
// -----
func.func @main(%x: tensor<8xi8>) -> tensor<8xi8> {
  %1 = "my.op"(%x) {gmem.workbuffers = [{size = 8, kind = "immutable"}]} : (tensor<8xi8>) -> tensor<8xi8>
  return %1 : tensor<8xi8>
}
