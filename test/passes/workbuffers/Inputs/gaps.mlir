func.func @gaps(%a: tensor<16xf32> {gmem.fixed = 0 : i64}, %b: tensor<16xf32> {gmem.fixed = 128 : i64}, %c: tensor<16xf32> {gmem.fixed = 256 : i64}) {
  "a.use"(%a, %b, %c) {gmem.workbuffers = [{size = 64}, {size = 64}]} : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> ()
  return
}
