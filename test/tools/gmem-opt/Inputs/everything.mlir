// everything.mlir - one of each thing that planning looks at: calls, a loop, a
// control-flow graph, layer groups, a reshape, weights, ops and functions of
// unknown dialects, values that are not planned, a module in a module.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

module @outer {
  func.func @main(%image: tensor<1x8xf32>) -> tensor<8xf32> {
    %w = "npu.weight"() : () -> tensor<16xi8>
    %in = "npu.input"(%image) : (tensor<1x8xf32>) -> tensor<1x8xf32>
    %flat = "npu.reshape"(%in) : (tensor<1x8xf32>) -> tensor<8xf32>
    %held = "my.op"(%flat, %w) {gmem.hold} : (tensor<8xf32>, tensor<16xi8>) -> tensor<8xf32>
    %loop = func.call @loop(%held) : (tensor<8xf32>) -> tensor<8xf32>
    %a, %b = "my.two"(%loop) {gmem.layer_group = 1} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<4xi4>)
    %c = "my.op"(%a, %b) {gmem.layer_group = 1} : (tensor<8xf32>, tensor<4xi4>) -> tensor<8xf32>
    %d = "npu.group"(%c) ({
      %l = "npu.load"(%c) : (tensor<8xf32>) -> tensor<8xf32>
      "npu.yield"(%l) : (tensor<8xf32>) -> ()
    }) : (tensor<8xf32>) -> tensor<8xf32>
    %dynamic = "my.dynamic"(%d) : (tensor<8xf32>) -> tensor<?xf32>
    %e = "my.call"(%d) {callee = @branches} : (tensor<8xf32>) -> tensor<8xf32>
    return %e : tensor<8xf32>
  }
  func.func private @loop(%x: tensor<8xf32>) -> tensor<8xf32> {
    %zero = arith.constant 0 : index
    %four = arith.constant 4 : index
    %r = scf.for %i = %zero to %four step %four iter_args(%v = %x) -> tensor<8xf32> {
      %n = "my.op"(%v) : (tensor<8xf32>) -> tensor<8xf32>
      scf.yield %n : tensor<8xf32>
    }
    return %r : tensor<8xf32>
  }
  "my.func"() ({
  ^bb0(%x: tensor<8xf32>):
    %c = "my.bit"() : () -> i1
    "my.branch"(%c, %x)[^bb1, ^bb2] : (i1, tensor<8xf32>) -> ()
  ^bb1(%y: tensor<8xf32>):
    %s = "my.op"(%y) : (tensor<8xf32>) -> tensor<8xf32>
    "my.branch"(%s)[^bb2] : (tensor<8xf32>) -> ()
  ^bb2(%z: tensor<8xf32>):
    "my.return"(%z) : (tensor<8xf32>) -> ()
  }) {sym_name = "branches", function_type = (tensor<8xf32>) -> tensor<8xf32>} : () -> ()
  module @inner {
    func.func @main(%p: tensor<4xf32>, %q: tensor<4xf32>) -> tensor<4xf32> {
      %r = "my.op"(%p, %q) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %s = "my.op"(%r) : (tensor<4xf32>) -> tensor<4xf32>
      return %s : tensor<4xf32>
    }
  }
}
