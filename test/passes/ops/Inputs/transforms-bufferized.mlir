func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{gmem.transform of a global is not supported}}
  %0 = arith.constant {gmem.transform = [{name = "a", bytes = 16}]} dense<1.0> : tensor<4xf32>
  %1 = arith.addf %x, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @f() -> tuple<tensor<4xf32>> {
  // expected-error@+1 {{gmem.transform: no memref has the bytes of this type}}
  %0 = "my.w"() {gmem.transform = [{name = "a", bytes = 16}]} : () -> tuple<tensor<4xf32>>
  return %0 : tuple<tensor<4xf32>>
}
