func.func @main(%image: tensor<64xf32>) -> tensor<64xf32> {
  %bias = arith.constant dense<1.0> : tensor<64xf32> loc("bias")
  %0 = tosa.add %image, %bias {gmem.workbuffers = [{size = 100}, {size = 0}, {size = 300, kind = "immutable"}, {size = 10, threads = 3}]} : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32> loc("conv")
  %1 = func.call @layer(%0) : (tensor<64xf32>) -> tensor<64xf32>
  %2 = func.call @layer(%1) : (tensor<64xf32>) -> tensor<64xf32>
  return %2 : tensor<64xf32>
}
func.func private @layer(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = tosa.tanh %x {gmem.workbuffers = [{size = 700}]} : (tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
