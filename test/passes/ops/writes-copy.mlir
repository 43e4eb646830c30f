// A function that modifies its argument is called with two tensors: each call would
// modify a copy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan --split-input-file --verify-diagnostics %s

module {
  func.func private @update(%x: tensor<64xi8>, %cache: tensor<64xi8>) -> tensor<64xi8> {
    "my.update"(%cache, %x) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<64xi8>, tensor<64xi8>) -> ()
    %0 = tosa.abs %cache : (tensor<64xi8>) -> tensor<64xi8>
    return %0 : tensor<64xi8>
  }
  // expected-note @+1 {{argument #1 has bytes}}
  func.func @states(%x: tensor<64xi8>, %one: tensor<64xi8> {gmem.state}, %other: tensor<64xi8> {gmem.state}) -> tensor<64xi8> {
    // expected-note @+1 {{'func.call' passes a copy to a function that modifies it: inline the call, or return the tensor}}
    %0 = call @update(%x, %one) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
    %1 = call @update(%0, %other) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
    // expected-error @+1 {{'func.return' returns after an op modified argument #1, but 'func.call' has modified a copy of it}}
    return %1 : tensor<64xi8>
  }
}

// -----

module {
  func.func private @update(%x: tensor<64xi8>, %cache: tensor<64xi8>) -> tensor<64xi8> {
    "my.update"(%cache, %x) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<64xi8>, tensor<64xi8>) -> ()
    %0 = tosa.abs %cache : (tensor<64xi8>) -> tensor<64xi8>
    return %0 : tensor<64xi8>
  }
  func.func @tensors(%x: tensor<64xi8>) -> tensor<64xi8> {
    // expected-note @+1 {{result #0 of 'tosa.bitwise_not' has bytes}}
    %one = tosa.bitwise_not %x : (tensor<64xi8>) -> tensor<64xi8>
    %other = tosa.abs %x : (tensor<64xi8>) -> tensor<64xi8>
    // expected-note @+1 {{'func.call' passes a copy to a function that modifies it: inline the call, or return the tensor}}
    %0 = call @update(%x, %one) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
    %1 = call @update(%0, %other) : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
    // expected-error @+1 {{'tosa.add' reads result #0 of 'tosa.bitwise_not', but 'func.call' has modified a copy of it}}
    %2 = tosa.add %1, %one : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
    return %2 : tensor<64xi8>
  }
}

// -----

// A function that calls itself, by a reshape of the argument.
module {
  func.func @recursive(%x: tensor<64xi8>, %c: i1) -> tensor<64xi8> {
    // expected-note @+1 {{result #0 of 'tosa.abs' has bytes}}
    %one = tosa.abs %x : (tensor<64xi8>) -> tensor<64xi8>
    // expected-note @+1 {{'func.call' passes a copy to a function that modifies it: inline the call, or return the tensor}}
    call @update(%one, %c) : (tensor<64xi8>, i1) -> ()
    // expected-error @+1 {{'tosa.bitwise_not' reads result #0 of 'tosa.abs', but 'func.call' has modified a copy of it}}
    %0 = tosa.bitwise_not %one : (tensor<64xi8>) -> tensor<64xi8>
    return %0 : tensor<64xi8>
  }
  // expected-remark @+1 {{@update is recursive: its tensors are not planned}}
  func.func private @update(%cache: tensor<64xi8>, %c: i1) {
    %rows = tensor.expand_shape %cache [[0, 1]] output_shape [8, 8] : tensor<64xi8> into tensor<8x8xi8>
    "my.update"(%rows) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<8x8xi8>) -> ()
    scf.if %c {
      func.call @update(%cache, %c) : (tensor<64xi8>, i1) -> ()
    }
    return
  }
}
