// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An op that reads a value that is partly valid must state the valid region of its results,
// and some elements of each result must be valid.
// REQUIRES: mlir-22
// MLIR 19 has no --verify-diagnostics=only-expected.
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan=alignment=64 --split-input-file --verify-diagnostics=only-expected %s -o /dev/null

func.func @unstated(%x: tensor<8x8xi8>) -> tensor<8x8xi8> {
  %0 = "v.blur"(%x) {gmem.op_model = {valid_region = {kernel = array<i64: 3, 3>}}} : (tensor<8x8xi8>) -> tensor<8x8xi8>
  // expected-error@+1 {{gmem.valid_region: 'v.sum' reads operand #0, of which only the elements [1, 7) x [1, 7) are valid: its op model does not say which elements of the results are valid then (valid_region)}}
  %1 = "v.sum"(%0) : (tensor<8x8xi8>) -> tensor<8x8xi8>
  return %1 : tensor<8x8xi8>
}

// -----

func.func @empty(%x: tensor<2x8xi8>) -> tensor<2x8xi8> {
  // expected-error@+1 {{gmem.valid_region: no element of result #0 of 'v.blur' is valid}}
  %0 = "v.blur"(%x) {gmem.op_model = {valid_region = {kernel = array<i64: 3, 3>}}} : (tensor<2x8xi8>) -> tensor<2x8xi8>
  return %0 : tensor<2x8xi8>
}

// -----

func.func @cut(%x: tensor<8xi8> {gmem.valid_region = {begin = array<i64: 4>, end = array<i64: 8>}}) -> tensor<4xi8> {
  // expected-error@+1 {{gmem.valid_region: no element of result #0 of 'v.cut' is valid}}
  %0 = "v.cut"(%x) {gmem.op_model = {slice = {begin = array<i64: 0>}}} : (tensor<8xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

func.func @steps(%x: tensor<8xi8> {gmem.valid_region = {begin = array<i64: 4>, end = array<i64: 8>}}) -> tensor<4xi8> {
  // expected-error@+1 {{of which only the elements [4, 8) are valid: it takes a part whose box is not constant, or has steps}}
  %0 = "v.cut"(%x) {gmem.op_model = {slice = {begin = array<i64: 0>, step = array<i64: 2>}}} : (tensor<8xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

func.func @reshape(%x: tensor<8xi8> {gmem.valid_region = {begin = array<i64: 4>, end = array<i64: 8>}}) -> tensor<2x4xi8> {
  // expected-error@+1 {{the result has other axes than the operand}}
  %0 = "v.reshape"(%x) {gmem.op_model = {kind = "reshape"}} : (tensor<8xi8>) -> tensor<2x4xi8>
  return %0 : tensor<2x4xi8>
}

// -----

func.func @place(%x: tensor<8xi8> {gmem.valid_region = {begin = array<i64: 4>, end = array<i64: 8>}}) -> tensor<4xi8> {
  // expected-error@+1 {{'v.same' reads operand #0, of which only the elements [4, 8) are valid: its op model}}
  %0 = "v.same"(%x) {gmem.op_model = {valid_region = "same"}} : (tensor<8xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

func.func @other(%x: tensor<8xi8>, %y: tensor<8xi8> {gmem.valid_region = {begin = array<i64: 4>, end = array<i64: 8>}}) -> tensor<8xi8> {
  // expected-error@+1 {{'v.blur' reads operand #1, of which only the elements [4, 8) are valid: its op model}}
  %0 = "v.blur"(%x, %y) {gmem.op_model = {valid_region = {kernel = array<i64: 3>}}} : (tensor<8xi8>, tensor<8xi8>) -> tensor<8xi8>
  return %0 : tensor<8xi8>
}

// -----

func.func @unread(%x: tensor<8xi8>, %y: tensor<8xi8> {gmem.valid_region = {begin = array<i64: 4>, end = array<i64: 8>}}) -> tensor<8xi8> {
  %0 = "v.like"(%x, %y) {gmem.op_model = {unread = array<i64: 1>}} : (tensor<8xi8>, tensor<8xi8>) -> tensor<8xi8>
  return %0 : tensor<8xi8>
}

// -----

func.func @axes(%x: tensor<8x8xi8> {gmem.valid_region = {begin = array<i64: 0, 4>, end = array<i64: 8, 8>}}) -> tensor<8x8xi8> {
  // expected-error@+1 {{valid_region of result #0: a part of the operand is valid along an axis that its op model does not list}}
  %0 = "v.blur"(%x) {gmem.op_model = {valid_region = {kernel = array<i64: 3>}}} : (tensor<8x8xi8>) -> tensor<8x8xi8>
  return %0 : tensor<8x8xi8>
}

// -----

func.func @lists(%x: tensor<8x8xi8>) -> tensor<8x8xi8> {
  // expected-error@+1 {{valid_region of result #0: the lists of its op model are not constant, do not match the operand, or have numbers that are negative, 0 or too large}}
  %0 = "v.blur"(%x) {gmem.op_model = {valid_region = {kernel = array<i64: 3, 3, 3>}}} : (tensor<8x8xi8>) -> tensor<8x8xi8>
  return %0 : tensor<8x8xi8>
}

// -----

func.func @lengths(%x: tensor<8x8xi8>) -> tensor<8x8xi8> {
  // expected-error@+1 {{valid_region of result #0: the lists of its op model}}
  %0 = "v.blur"(%x) {gmem.op_model = {valid_region = {before = array<i64: 1>, after = array<i64: 1, 1>}}} : (tensor<8x8xi8>) -> tensor<8x8xi8>
  return %0 : tensor<8x8xi8>
}

// -----

func.func @twice(%x: tensor<8x8xi8>) -> tensor<8x8xi8> {
  // expected-error@+1 {{valid_region of result #0: the lists of its op model}}
  %0 = "v.blur"(%x) {gmem.op_model = {valid_region = {kernel = array<i64: 3, 3>, axes = array<i64: 1, -1>}}} : (tensor<8x8xi8>) -> tensor<8x8xi8>
  return %0 : tensor<8x8xi8>
}

// -----

func.func @zero(%x: tensor<8xi8>) -> tensor<8xi8> {
  // expected-error@+1 {{valid_region of result #0: the lists of its op model}}
  %0 = "v.blur"(%x) {gmem.op_model = {valid_region = {step = array<i64: 0>}}} : (tensor<8xi8>) -> tensor<8xi8>
  return %0 : tensor<8xi8>
}

// -----

func.func @shape(%x: tensor<?xi8> {gmem.upper_bound = array<i64: 8>}) -> tensor<8xi8> {
  // expected-error@+1 {{valid_region of result #0: operand and result must be tensors of static shape, of equal ranks, with elements of whole bytes}}
  %0 = "v.blur"(%x) {gmem.op_model = {valid_region = {kernel = array<i64: 3>}}} : (tensor<?xi8>) -> tensor<8xi8>
  return %0 : tensor<8xi8>
}

// -----

func.func @no_operand(%x: tensor<8xi8>) -> tensor<8xi8> {
  // expected-error@+1 {{valid_region of result #0: operand and result must be tensors}}
  %0 = "v.blur"(%x) {gmem.op_model = {valid_region = {kernel = array<i64: 3>, operand = 1}}} : (tensor<8xi8>) -> tensor<8xi8>
  return %0 : tensor<8xi8>
}

// -----

func.func @flow(%x: tensor<8xi8> {gmem.valid_region = {begin = array<i64: 4>, end = array<i64: 8>}}) -> tensor<8xi8> {
  // expected-error@+1 {{'cf.br' reads operand #0, of which only the elements [4, 8) are valid: control flow and calls require values that are valid as a whole}}
  cf.br ^bb1(%x : tensor<8xi8>)
^bb1(%y: tensor<8xi8>):
  return %y : tensor<8xi8>
}

// -----

func.func @loop(%x: tensor<8xi8> {gmem.valid_region = {begin = array<i64: 4>, end = array<i64: 8>}}, %n: index) -> tensor<8xi8> {
  %c = arith.constant 1 : index
  // expected-error@+1 {{'scf.for' reads operand #3, of which only}}
  %0 = scf.for %i = %c to %n step %c iter_args(%y = %x) -> tensor<8xi8> {
    %1 = "v.op"(%y) : (tensor<8xi8>) -> tensor<8xi8>
    scf.yield %1 : tensor<8xi8>
  }
  return %0 : tensor<8xi8>
}

// -----

// A region that reads the value alone is as good as an op.
func.func @inside(%x: tensor<8xi8> {gmem.valid_region = {begin = array<i64: 4>, end = array<i64: 8>}}, %n: index) {
  %c = arith.constant 1 : index
  scf.for %i = %c to %n step %c {
    %1 = "v.op"(%x) {gmem.op_model = {inplace = "all"}} : (tensor<8xi8>) -> tensor<8xi8>
    "v.use"(%1) : (tensor<8xi8>) -> ()
  }
  return
}

// -----

func.func @group(%x: tensor<8xi8> {gmem.valid_region = {begin = array<i64: 4>, end = array<i64: 8>}}) -> tensor<8xi8> {
  // expected-error@+1 {{gmem.valid_region: a region of 'v.group' reads a value that is partly valid: its op model}}
  %0 = "v.group"() ({
    %1 = "v.op"(%x) : (tensor<8xi8>) -> tensor<8xi8>
    "v.yield"(%1) : (tensor<8xi8>) -> ()
  }) {gmem.layer_group} : () -> tensor<8xi8>
  return %0 : tensor<8xi8>
}

// -----

func.func private @callee(%y: tensor<8xi8>) -> tensor<8xi8> {
  return %y : tensor<8xi8>
}
func.func @caller(%x: tensor<8xi8> {gmem.valid_region = {begin = array<i64: 4>, end = array<i64: 8>}}) {
  // expected-error@+1 {{'func.call' reads operand #0, of which only the elements [4, 8) are valid: }}
  %0 = func.call @callee(%x) : (tensor<8xi8>) -> tensor<8xi8>
  "v.use"(%0) : (tensor<8xi8>) -> ()
  return
}

// -----

// expected-error@+1 {{gmem.valid_region: calls pass argument #0 of this function, and require values that are valid as a whole}}
func.func private @callee(%y: tensor<8xi8> {gmem.valid_region = {begin = array<i64: 4>, end = array<i64: 8>}}) -> tensor<8xi8> {
  return %y : tensor<8xi8>
}
func.func @caller(%x: tensor<8xi8>) {
  %0 = func.call @callee(%x) : (tensor<8xi8>) -> tensor<8xi8>
  "v.use"(%0) : (tensor<8xi8>) -> ()
  return
}

// -----

func.func private @callee(%y: tensor<8xi8>) -> tensor<8xi8> {
  %0 = "v.blur"(%y) {gmem.op_model = {valid_region = {kernel = array<i64: 3>}}} : (tensor<8xi8>) -> tensor<8xi8>
  // expected-error@+1 {{'func.return' reads operand #0, of which only the elements [1, 7) are valid: control flow}}
  return %0 : tensor<8xi8>
}
func.func @caller(%x: tensor<8xi8>) {
  %0 = func.call @callee(%x) : (tensor<8xi8>) -> tensor<8xi8>
  "v.use"(%0) : (tensor<8xi8>) -> ()
  return
}

// -----

// expected-error@+1 {{gmem.valid_region must be {begin = array<i64>, end = array<i64>} with the first valid element and the one behind the last of each dimension}}
func.func @outside(%x: tensor<8xi8> {gmem.valid_region = {begin = array<i64: 4>, end = array<i64: 9>}}) -> tensor<8xi8> {
  return %x : tensor<8xi8>
}

// -----

// In a graph region ops are in no order: a value may be used before the op that makes it.
"any.graph"() ({
  func.func @main(%x: tensor<8xi8>) {
    "v.graph"() ({
      // expected-error@+1 {{'v.use' reads operand #0, of which only the elements [1, 7) are valid: its defining op comes later}}
      %1 = "v.use"(%0) {gmem.op_model = {valid_region = "same"}} : (tensor<8xi8>) -> tensor<8xi8>
      %0 = "v.blur"(%x) {gmem.op_model = {valid_region = {kernel = array<i64: 3>}}} : (tensor<8xi8>) -> tensor<8xi8>
      "v.end"() : () -> ()
    }) : () -> ()
    return
  }
}) : () -> ()
