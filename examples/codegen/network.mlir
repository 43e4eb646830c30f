// network.mlir - a small network for an accelerator without a name: a function
// that is called twice, and a loop that swaps the two values it carries.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main(%image: tensor<8x16xi32>) -> tensor<24x16xi32> {
  %a = func.call @block(%image) : (tensor<8x16xi32>) -> tensor<8x16xi32>
  %b = "nano.relu"(%a) : (tensor<8x16xi32>) -> tensor<8x16xi32>
  %c = func.call @block(%b) : (tensor<8x16xi32>) -> tensor<8x16xi32>
  %d:3 = "nano.repeat"(%a, %c, %b) ({
  ^bb0(%p: tensor<8x16xi32>, %q: tensor<8x16xi32>, %s: tensor<8x16xi32>):
    %t = "nano.add"(%s, %p) : (tensor<8x16xi32>, tensor<8x16xi32>) -> tensor<8x16xi32>
    "nano.next"(%q, %p, %t) : (tensor<8x16xi32>, tensor<8x16xi32>, tensor<8x16xi32>) -> ()
  }) {count = 5 : i64} : (tensor<8x16xi32>, tensor<8x16xi32>, tensor<8x16xi32>)
      -> (tensor<8x16xi32>, tensor<8x16xi32>, tensor<8x16xi32>)
  %e = "nano.concat"(%b, %d#0, %d#2) {axis = 0 : i64}
      : (tensor<8x16xi32>, tensor<8x16xi32>, tensor<8x16xi32>) -> tensor<24x16xi32>
  return %e : tensor<24x16xi32>
}

func.func private @block(%x: tensor<8x16xi32>) -> tensor<8x16xi32> {
  %w = "nano.weight"() {value = dense<[
      [-1, -2, 0, 2, -3, -3, 3, 1, -3, -1, 1, -3, 1, -2, -3, -3],
      [0, 0, -3, -2, -3, 1, 0, -3, 3, 1, -3, -2, 2, 2, 1, -3],
      [1, 1, 0, -3, -2, -3, 1, 3, -2, -1, 0, -2, 1, -3, 1, -1],
      [1, 3, 2, -2, -3, 1, 1, 2, -2, -1, -3, 1, 2, -3, 1, -3],
      [1, -2, 0, 2, 1, 0, 3, -1, 0, 1, 0, -1, -1, -2, 3, -2],
      [2, 3, -2, -3, 1, -1, 1, 0, -1, 2, 0, -1, 1, -3, -3, 1],
      [0, -2, 3, -1, -2, 0, 0, -3, 2, -3, 3, 1, 1, 3, 3, -1],
      [-1, 2, -1, 1, 0, 1, 3, 0, -3, 3, -3, -1, 0, 2, 2, -3],
      [-3, 2, 2, -1, 2, 1, 2, 3, 0, -1, 2, 0, 2, -1, -3, 0],
      [-1, -2, 1, -3, 0, -3, -2, 3, -1, -2, 2, -2, 0, 0, 3, 0],
      [-3, -2, 0, 0, 1, -1, -2, 3, 0, 3, 1, -1, 2, 0, -1, 2],
      [0, -2, -2, -3, -2, -2, -2, 2, -2, -3, 0, 3, 1, -2, -1, -1],
      [-3, -2, 0, 1, -1, 1, 1, -1, -2, 2, 3, 1, 1, 2, 2, 2],
      [-3, 0, 3, 3, 3, 2, 3, 1, 0, 0, 0, 0, -3, 0, 2, 0],
      [-3, -2, -3, -2, 0, -2, -3, -1, 1, -3, -3, -3, 1, -2, 1, -3],
      [-1, 1, -3, -3, 3, -2, 1, 0, -2, 2, -1, -1, 1, -1, 0, -3]]> : tensor<16x16xi32>} : () -> tensor<16x16xi32>
  %m = "nano.matmul"(%x, %w) : (tensor<8x16xi32>, tensor<16x16xi32>) -> tensor<8x16xi32>
  %r = "nano.relu"(%m) : (tensor<8x16xi32>) -> tensor<8x16xi32>
  %y = "nano.add"(%x, %r) : (tensor<8x16xi32>, tensor<8x16xi32>) -> tensor<8x16xi32>
  return %y : tensor<8x16xi32>
}
