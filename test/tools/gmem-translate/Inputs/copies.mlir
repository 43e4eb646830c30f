func.func @main(%a: tensor<16xf32>, %n: index, %c: i1) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant dense<1.0> : tensor<16xf32> loc("one")
  %0 = call @twice(%k) : (tensor<16xf32>) -> tensor<16xf32>
  %1 = call @twice(%a) : (tensor<16xf32>) -> tensor<16xf32>
  %2:3 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %0, %v = %1, %w = %a) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
    scf.yield %v, %u, %k : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
  }
  return %2#0, %2#1, %2#2 : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}
func.func private @twice(%a: tensor<16xf32> loc("given")) -> tensor<16xf32> {
  %0 = tensor.empty() : tensor<16xf32>
  %1 = linalg.add ins(%a, %a : tensor<16xf32>, tensor<16xf32>) outs(%0 : tensor<16xf32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}
