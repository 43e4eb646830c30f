// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics --gmem-import-addresses %s

// A plan has to be whole.
func.func @missing(%a: tensor<4xf32, 0 : i64>) {
  // expected-error@+1 {{3 values need memory but have no address in their types: result #0 of 'a.b' is the first}}
  %0 = "a.b"(%a) : (tensor<4xf32, 0 : i64>) -> tensor<4xf32>
  // expected-note@+2 {{result #0 of 'a.c'}}
  // expected-note@+1 {{result #1 of 'a.c'}}
  %1:2 = "a.c"(%0) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

// One is enough; an encoding of another kind is no address.
// expected-error@+1 {{1 value needs memory but has no address in its type: argument #0 of @other is the first}}
func.func @other(%a: tensor<4xf32, 0 : i32>) {
  return
}

// -----

// The notes name four more at most.
// expected-error@+5 {{7 values need memory but have no address in their types: argument #0 of @many is the first}}
// expected-note@+4 {{argument #1 of @many}}
// expected-note@+3 {{argument #2 of @many}}
// expected-note@+2 {{argument #3 of @many}}
// expected-note@+1 {{argument #4 of @many}}
func.func @many(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>, %e: tensor<f32>, %f: tensor<f32>, %g: tensor<f32>) {
  return
}

// -----

// expected-error@+1 {{argument #0 of @negative has address -1 and 16 bytes: not within [0, 2^63)}}
func.func @negative(%a: tensor<4xf32, -1 : i64>) {
  return
}

// -----

// expected-error@+1 {{argument #0 of @beyond has address 9223372036854775800 and 16 bytes: not within [0, 2^63)}}
func.func @beyond(%a: tensor<4xf32, 9223372036854775800 : i64>) {
  return
}

// -----

// What needs no global memory keeps its type, and is reported.
// expected-remark@+1 {{1 value has an address in its type but is not planned: type unchanged (this is the first)}}
func.func @left(%host: tensor<4xf32, 64 : i64>) {
  %0 = "top.Input"(%host) : (tensor<4xf32, 64 : i64>) -> tensor<4xf32, 0 : i64>
  return
}

// -----

// What runs several times at once is not planned, and keeps its types. An op
// that demands the same type of its operands and results would be wrong then:
// it is reported, and no type changes.
func.func @part(%a: tensor<4xf32, 0 : i64>) {
  scf.forall (%i) in (2) {
    // expected-remark@+3 {{1 value has an address in its type}}
    // expected-remark@+2 {{this value of @part is not planned: it is in code that may run concurrently with itself}}
    // expected-error@+1 {{this op does not allow its new types: 'arith.addf' op requires the same encoding for all operands and results}}
    %0 = arith.addf %a, %a : tensor<4xf32, 0 : i64>
  }
  return
}

// -----

// Where the payload of a padded value is in its buffer is not said.
func.func @padded(%a: tensor<4xf32, 64 : i64>) {
  // expected-error@+1 {{result #0 of 'a.op' has a gmem.padding, which imported addresses do not support: remove it}}
  %0 = "a.op"(%a) {gmem.padding = [array<i64: 16, 0>]} : (tensor<4xf32, 64 : i64>) -> tensor<4xf32, 128 : i64>
  "a.use"(%0) : (tensor<4xf32, 128 : i64>) -> ()
  return
}
