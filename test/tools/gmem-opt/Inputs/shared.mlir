// shared.mlir - each way to share memory, by ops that need no model of their
// own: slices, concatenations, destinations, in-place work, what branches, loops
// and blocks hand on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32> {gmem.fixed = 64 : i64}, %flag: i1) -> (tensor<8xf32> {gmem.same_as = 0 : i64}, tensor<16xf32>) {
  %0 = arith.addf %a, %b : tensor<8xf32>
  %1 = "my.op"(%0, %b) : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  %2 = tensor.extract_slice %1[8] [8] [1] : tensor<16xf32> to tensor<8xf32>
  %3 = math.tanh %2 : tensor<8xf32>
  %4 = tensor.concat dim(0) %3, %0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  %5 = tensor.extract_slice %4[0] [8] [1] : tensor<16xf32> to tensor<8xf32>
  %6 = scf.if %flag -> (tensor<8xf32>) {
    %t = math.tanh %5 : tensor<8xf32>
    scf.yield %t : tensor<8xf32>
  } else {
    scf.yield %5 : tensor<8xf32>
  }
  %e = tensor.empty() : tensor<16xf32>
  %7 = tensor.insert_slice %6 into %e[8] [8] [1] : tensor<8xf32> into tensor<16xf32>
  %zero = arith.constant 0 : index
  %four = arith.constant 4 : index
  %8 = scf.for %i = %zero to %four step %four iter_args(%v = %7) -> tensor<16xf32> {
    %n = arith.negf %v : tensor<16xf32>
    %p = tensor.insert_slice %6 into %n[0] [8] [1] : tensor<8xf32> into tensor<16xf32>
    scf.yield %p : tensor<16xf32>
  }
  %9 = func.call @blocks(%6, %flag) : (tensor<8xf32>, i1) -> tensor<8xf32>
  %held = "my.op"(%9) {gmem.hold} : (tensor<8xf32>) -> tensor<4xf32>
  %10 = "my.op"(%9) : (tensor<8xf32>) -> tensor<8xf32>
  return %10, %8 : tensor<8xf32>, tensor<16xf32>
}
func.func private @blocks(%x: tensor<8xf32>, %flag: i1) -> tensor<8xf32> {
  cf.cond_br %flag, ^bb1(%x : tensor<8xf32>), ^bb2(%x : tensor<8xf32>)
^bb1(%y: tensor<8xf32>):
  %s = math.exp %y : tensor<8xf32>
  cf.cond_br %flag, ^bb1(%s : tensor<8xf32>), ^bb2(%s : tensor<8xf32>)
^bb2(%z: tensor<8xf32>):
  %r = tensor.expand_shape %z [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
  %q = tensor.collapse_shape %r [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
  return %q : tensor<8xf32>
}
