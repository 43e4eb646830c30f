shard.grid @grid(shape = 2)
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %s = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<4xf32>
  // expected-error@+1 {{gmem.transform: a program of ranks cannot have it}}
  %0 = arith.constant {gmem.transform = [{name = "a", bytes = 16}]} dense<1.0> : tensor<4xf32>
  %1 = arith.addf %a, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// Nothing is sharded, but what prepares the program for ranks folds constants.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{gmem.transform: a program of ranks cannot have it}}
  %0 = arith.constant {gmem.transform = [{name = "a", bytes = 16}]} dense<1.0> : tensor<4xf32>
  %1 = arith.addf %x, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
