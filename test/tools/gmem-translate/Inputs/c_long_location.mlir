// An op with a long location.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#long = loc("a/folder/whose/name/is/long/and/whose/path/has/many/parts/so/that/the/location/does/not/fit/in/a/diagnostic/of/the/library/which/has/room/for/two/hundred/and/fifty/six/characters/so/that/a/path/of/this/length/must/be/kept/elsewhere/network.mlir":123:45)

func.func @main(%x: tensor<8xi8>, %w: tensor<8xi8>) -> tensor<8xi8> {
  %true = arith.constant true
  %0 = scf.if %true -> tensor<8xi8> {
    scf.yield %x : tensor<8xi8>
  } else {
    scf.yield %w : tensor<8xi8>
  } loc(#long)
  return %0 : tensor<8xi8>
}
