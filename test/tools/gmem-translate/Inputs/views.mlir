// views.mlir - values that share bytes in every way: parts of a tensor (one of
// them outlives it), parts that are made inside of a whole, results in place
// and into a destination, what a loop hands on, and a cache that is returned
// where it came from.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main(%x: tensor<4x32xf32> loc("x"), %from: index, %to: index) -> tensor<4x32xf32> {
  %head = tensor.extract_slice %x[0, 0] [2, 32] [1, 1] : tensor<4x32xf32> to tensor<2x32xf32> loc("head")
  %tail = tensor.extract_slice %x[2, 0] [2, 32] [1, 1] : tensor<4x32xf32> to tensor<2x32xf32> loc("tail")
  %left = "npu.conv"(%head) : (tensor<2x32xf32>) -> tensor<2x32xf32> loc("left")
  %mixed = "npu.mix"(%x) : (tensor<4x32xf32>) -> tensor<2x32xf32> loc("mixed")
  %right = "npu.conv2"(%tail, %mixed) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32> loc("right")
  %whole = tosa.concat %left, %right {axis = 0 : i32} : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<4x32xf32> loc("whole")
  %end = scf.for %i = %from to %to step %to iter_args(%v = %whole) -> tensor<4x32xf32> {
    %next = tosa.tanh %v : (tensor<4x32xf32>) -> tensor<4x32xf32> loc("next")
    scf.yield %next : tensor<4x32xf32>
  } loc("end")
  %zero = arith.constant 0.0 : f32
  %filled = linalg.fill ins(%zero : f32) outs(%end : tensor<4x32xf32>) -> tensor<4x32xf32> loc("filled")
  return %filled : tensor<4x32xf32>
}
func.func @cache(%k: tensor<64xf32> loc("cache"), %step: tensor<64xf32> loc("step")) -> (tensor<64xf32> {gmem.same_as = 0 : i64}) {
  %new = tosa.add %k, %step : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32> loc("new")
  return %new : tensor<64xf32>
}
