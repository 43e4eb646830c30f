func.func @main(%a: tensor<16xf32>, %n: index) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant dense<1.0> : tensor<16xf32>
  %0:3 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %a, %v = %k, %w = %k) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
    scf.yield %v, %u, %k : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
  }
  return %0#0, %0#1, %0#2 : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}
