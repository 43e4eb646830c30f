// What gmem.bytes and type models refuse.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan --split-input-file --verify-diagnostics=only-expected %s

func.func @dense() {
  // expected-error@+1 {{gmem.bytes states 32 bytes of a value whose type says otherwise: only values of types of other dialects, encoded and dynamic tensors may have it}}
  %0 = "my.op"() {gmem.bytes = array<i64: 32>} : () -> tensor<4xf32>
  return
}

// -----

// The size of the type may be stated.
func.func @same(%a: tensor<4xf32> {gmem.bytes = 16 : i64}) {
  return
}

// -----

// expected-error@+1 {{gmem.bytes states 17 bytes of a value whose type says otherwise}}
func.func @argument(%a: tensor<4xf32> {gmem.bytes = 17 : i64}) {
  return
}

// -----

func.func @form() {
  // expected-error@+1 {{gmem.bytes must be array<i64> with the bytes, or -1, per result}}
  %0 = "my.op"() {gmem.bytes = array<i64: 32, 32>} : () -> !my.t
  return
}

// -----

// expected-error@+1 {{gmem.bytes must be a number of bytes of type i64, or -1, on an argument}}
func.func @number(%a: !my.t {gmem.bytes = "4"}) {
  return
}

// -----

// expected-error@+1 {{text:1:1: gmem.type_model requires 'type' or 'encoding'}}
module attributes {gmem.op_models = "\22gmem.type_model\22() {} : () -> ()"} {
  func.func @f() { return }
}

// -----

// expected-error@+1 {{text:1:1: unknown type model attribute 'bits'}}
module attributes {gmem.op_models = "\22gmem.type_model\22() {type = \22!a.b\22, bits = 8} : () -> ()"} {
  func.func @f() { return }
}

// -----

// expected-error@+1 {{text:1:1: unknown type model attribute 'element_bit': did you mean 'element_bits'?}}
module attributes {gmem.op_models = "\22gmem.type_model\22() {type = \22!a.b\22, element_bit = 8} : () -> ()"} {
  func.func @f() { return }
}

// -----

// expected-error@+1 {{text:1:1: round must be an array<i64> of numbers from 1 to 1048576, one for each of the last dimensions}}
module attributes {gmem.op_models = "\22gmem.type_model\22() {type = \22!a.b\22, round = array<i64: 0>} : () -> ()"} {
  func.func @f() { return }
}

// -----

// expected-error@+1 {{text:1:1: element_bits must be an i64 from 1 to 1048576}}
module attributes {gmem.op_models = "\22gmem.type_model\22() {type = \22!a.b\22, element_bits = 0 : i64} : () -> ()"} {
  func.func @f() { return }
}

// -----

// expected-error@+1 {{text:1:1: kind "none" does not support element_bits or round}}
module attributes {gmem.op_models = "\22gmem.type_model\22() {type = \22!a.b\22, element_bits = 8, kind = \22none\22} : () -> ()"} {
  func.func @f() { return }
}

// -----

// expected-error@+1 {{text:1:1: kind "scalar" does not support element_bits or round}}
module attributes {gmem.op_models = "\22gmem.type_model\22() {type = \22!a.b\22, element_bits = 8, kind = \22scalar\22} : () -> ()"} {
  func.func @f() { return }
}

// -----

// expected-error@+1 {{text:1:1: kind must be "none" or "scalar"}}
module attributes {gmem.op_models = "\22gmem.type_model\22() {type = \22!a.b\22, kind = \22some\22} : () -> ()"} {
  func.func @f() { return }
}

// -----

// expected-error@+1 {{text:1:1: kind "view" does not support starts or waits}}
module attributes {gmem.op_models = "\22gmem.op_model\22() {op = \22a.b\22, starts, kind = \22view\22} : () -> ()"} {
  func.func @f() { return }
}

// -----

// A type of MLIR itself has the size that MLIR's documents state. Such a model
// was accepted, and had no effect.
// expected-error@+1 {{text:1:1: type 'i1' is not one of another dialect, which begin with '!'}}
module attributes {gmem.op_models = "\22gmem.type_model\22() {type = \22i1\22, element_bits = 8} : () -> ()"} {
  func.func @f() { return }
}
