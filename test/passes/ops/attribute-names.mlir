// The prefix gmem is reserved: an attribute of another name is an error,
// with the name that may be meant, wherever it stands.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan --split-input-file --verify-diagnostics=only-expected %s

func.func @op(%a: tensor<4xf32>) {
  // expected-error@+1 {{unknown attribute 'gmem.layergroup': did you mean 'gmem.layer_group'?}}
  "my.use"(%a) {gmem.layergroup} : (tensor<4xf32>) -> ()
  return
}

// -----

// A known name, after the same one where it counts.
func.func @properties(%a: tensor<4xf32>) {
  "my.use"(%a) {gmem.stream = 1 : i64} : (tensor<4xf32>) -> ()
  // expected-error@+1 {{'gmem.stream' is among the properties of this op, <{...}>, where it has no effect: attributes of gmem stand behind them, in {...}}}
  "my.use"(%a) <{gmem.stream = 2 : i64}> : (tensor<4xf32>) -> ()
  return
}

// -----

// In a body that is not planned.
func.func @body(%a: tensor<4xf32>) {
  "my.group"(%a) ({
    // expected-error@+1 {{unknown attribute 'gmem.hodl': did you mean 'gmem.hold'?}}
    "my.op"() {gmem.hodl} : () -> ()
  }) {gmem.layer_group} : (tensor<4xf32>) -> ()
  return
}

// -----

// expected-error@+1 {{unknown attribute 'gmem.wieght': did you mean 'gmem.weight'?}}
func.func @argument(%a: tensor<4xf32> {gmem.wieght}) {
  return
}

// -----

// expected-error@+1 {{unknown attribute 'gmem.same_a': did you mean 'gmem.same_as'?}}
func.func @result(%a: tensor<4xf32>) -> (tensor<4xf32> {gmem.same_a = 0}) {
  return %a : tensor<4xf32>
}

// -----

// expected-error@+1 {{unknown attribute 'gmem.nothing_like_it': docs/attributes.md lists the attributes of gmem}}
module attributes {gmem.nothing_like_it = 1} {
  func.func @f() { return }
}

// -----

// Others may have what they like.
module attributes {gmemory.x, my.gmem.x} {
  func.func @others(%a: tensor<4xf32> {my.gmem.layergroup}) { return }
}
