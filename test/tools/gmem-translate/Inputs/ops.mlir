// A call made twice, a loop, a layer group, and names of the frontend: one that
// two ops have, and one that no file format takes.
func.func @main(%image: tensor<64xf32> loc("image")) -> tensor<64xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %a = tosa.exp %image : (tensor<64xf32>) -> tensor<64xf32> loc("conv1")
  %b = func.call @layer(%a) : (tensor<64xf32>) -> tensor<64xf32> loc("conv1")
  %c = func.call @layer(%b) : (tensor<64xf32>) -> tensor<64xf32> loc("a, b")
  %d = scf.for %i = %zero to %four step %one iter_args(%x = %c) -> tensor<64xf32> {
    %y = tosa.exp %x : (tensor<64xf32>) -> tensor<64xf32> loc("in loop")
    scf.yield %y : tensor<64xf32>
  } loc("loop")
  %e = "tpu.Group"(%d) ({
    %f = "tpu.Load"(%d) : (tensor<64xf32>) -> tensor<64xf32>
    %g = "tpu.Active"(%f) {gmem.name = "act"} : (tensor<64xf32>) -> tensor<64xf32>
    %h = "tpu.Store"(%g) : (tensor<64xf32>) -> tensor<64xf32>
    "tpu.Yield"(%h) : (tensor<64xf32>) -> ()
  }) : (tensor<64xf32>) -> tensor<64xf32> loc("group")
  return %e : tensor<64xf32>
}
func.func private @layer(%x: tensor<64xf32>) -> tensor<64xf32> {
  %y = tosa.tanh %x : (tensor<64xf32>) -> tensor<64xf32> loc("inner")
  %z = tosa.exp %y : (tensor<64xf32>) -> tensor<64xf32>
  return %z : tensor<64xf32>
}
