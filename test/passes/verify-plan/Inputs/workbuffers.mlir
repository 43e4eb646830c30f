func.func @main(%a: tensor<16xf32>) -> tensor<16xf32> {
  %w = "tosa.const"() {values = dense<1.0> : tensor<16xf32>} : () -> tensor<16xf32>
  %0 = tosa.add %a, %w {gmem.workbuffers = [{size = 64}, {size = 0}, {size = 64, kind = "immutable"}]} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %1 = tosa.tanh %0 {gmem.workbuffers = [{size = 64}]} : (tensor<16xf32>) -> tensor<16xf32>
  %2 = tosa.exp %1 : (tensor<16xf32>) -> tensor<16xf32>
  return %2 : tensor<16xf32>
}
