// No memref has the bytes of a tuple, of packed elements, or of a scalar.
func.func @f() -> tuple<tensor<4xf32>> {
  // expected-error@+1 {{gmem.transform: no memref has the bytes of this type}}
  %0 = "my.w"() {gmem.transform = [{name = "a", bytes = 16}]} : () -> tuple<tensor<4xf32>>
  return %0 : tuple<tensor<4xf32>>
}

// -----

func.func @f() -> tensor<4xi4> {
  // expected-error@+1 {{gmem.transform: no memref has the bytes of this type}}
  %0 = arith.constant {gmem.transform = [{name = "a", bytes = 2}]} dense<1> : tensor<4xi4>
  return %0 : tensor<4xi4>
}

// -----

func.func @f() -> tensor<4xf32> {
  // expected-error@+1 {{gmem.transform: the last result has 3 bytes, which is not the size of the constant}}
  %0 = arith.constant {gmem.transform = [{name = "a", bytes = 3}]} dense<1.0> : tensor<4xf32>
  return %0 : tensor<4xf32>
}
