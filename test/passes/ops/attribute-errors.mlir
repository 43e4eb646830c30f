// Wrong models in the IR are reported at the op that carries them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan --split-input-file --verify-diagnostics=only-expected %s

// Case 1: an op's model is a dictionary.
func.func @f() -> tensor<4xf32> {
  // expected-error@+1 {{gmem.op_model: must be a dictionary}}
  %0 = "my.a"() {gmem.op_model = "weight"} : () -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Case 2: what it says is checked as in a file; it has no "op".
func.func @f() -> tensor<4xf32> {
  // expected-error@+1 {{gmem.op_model: unknown op model attribute 'op'}}
  %0 = "my.a"() {gmem.op_model = {op = "my.a"}} : () -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Case 3: as a whole too.
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{gmem.op_model: kind "none" does not support inplace, rowwise, destination, slice, insert, concat, tuple, tuple_element, permutation, swap, broadcast, strided_operands or strided_results}}
  %0 = "my.a"(%a) {gmem.op_model = {kind = "none", inplace = "all"}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Case 4: also inside a layer group, where weights are looked for.
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "my.group"(%a) ({
    // expected-error@+1 {{gmem.op_model: kind must be "unknown", "compute"}}
    %1 = "my.a"() {gmem.op_model = {kind = 1}} : () -> tensor<4xf32>
    "my.yield"(%1) : (tensor<4xf32>) -> ()
  }) {gmem.layer_group} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Case 5: a text that does not parse; the place in it is in the message.
// expected-error@+1 {{gmem.op_models: text:2:3: custom op 'nonsense' is unknown}}
module attributes {gmem.op_models = "\n  nonsense"} {
  func.func @f() { return }
}

// -----

// Case 6: no text.
// expected-error@+1 {{gmem.op_models: must be a string}}
module attributes {gmem.op_models = 1} {
  func.func @f() { return }
}

// -----

// Case 7: an argument cannot be a weight to some degree.
// expected-error@+1 {{gmem.weight must be a unit attribute}}
func.func @f(%a: tensor<4xf32> {gmem.weight = 1}) { return }
