// Wrong relocations are reported at the op that states them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan --split-input-file --verify-diagnostics=only-expected %s

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{gmem.relocations must be an array of dictionaries}}
  %0 = "my.a"(%a) {gmem.relocations = {where = 8, result = 0}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{gmem.relocations: entry #1 has no where}}
  %0 = "my.a"(%a) {gmem.relocations = [{where = 8, result = 0}, {result = 0}]} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{gmem.relocations: entry #0: 'offset' is unknown: expected where, operand, result, workbuffer, addend, kind or stream}}
  %0 = "my.a"(%a) {gmem.relocations = [{where = 8, result = 0, offset = 4}]} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{gmem.relocations: entry #0: 'kind' must be "abs64", "lo32" or "hi32"}}
  %0 = "my.a"(%a) {gmem.relocations = [{where = 8, result = 0, kind = "abs32"}]} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{gmem.relocations: entry #0: there is no operand #1}}
  %0 = "my.a"(%a) {gmem.relocations = [{where = 8, operand = 1}]} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{gmem.relocations: entry #0: there is no workbuffer #0}}
  %0 = "my.a"(%a) {gmem.relocations = [{where = 8, workbuffer = 0}]} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{gmem.relocations: entry #0 names several values: expected one of operand, result and workbuffer}}
  %0 = "my.a"(%a) {gmem.relocations = [{where = 8, operand = 0, result = 0}]} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{gmem.relocations: entry #0 names no value}}
  %0 = "my.a"(%a) {gmem.relocations = [{where = 8}]} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// The address ends before 2^63, and streams have 16 bits.
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{gmem.relocations: entry #0: 'where' }}
  %0 = "my.a"(%a) {gmem.relocations = [{where = 9223372036854775807, result = 0}]} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{gmem.relocations: entry #0: 'stream' }}
  %0 = "my.a"(%a) {gmem.relocations = [{where = 8, result = 0, stream = 65536}]} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
