// Wrong chains of functions are reported at the constant that states them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan --split-input-file --verify-diagnostics=only-expected %s

func.func @f() -> tensor<4xf32> {
  // expected-error@+1 {{gmem.transform must be an array of dictionaries}}
  %0 = "my.w"() {values = dense<0.0> : tensor<4xf32>, gmem.transform = {name = "a", bytes = 16}} : () -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f() -> tensor<4xf32> {
  // expected-error@+1 {{gmem.transform is empty}}
  %0 = "my.w"() {values = dense<0.0> : tensor<4xf32>, gmem.transform = []} : () -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f() -> tensor<4xf32> {
  // expected-error@+1 {{gmem.transform: entry #1 has no name or no bytes}}
  %0 = "my.w"() {values = dense<0.0> : tensor<4xf32>, gmem.transform = [{name = "a", bytes = 16}, {name = "b"}]} : () -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f() -> tensor<4xf32> {
  // expected-error@+1 {{gmem.transform: entry #0: 'size' is unknown: expected name and bytes}}
  %0 = "my.w"() {values = dense<0.0> : tensor<4xf32>, gmem.transform = [{name = "a", size = 16}]} : () -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f() -> tensor<4xf32> {
  // expected-error@+1 {{gmem.transform: entry #0: 'name' must be a string that is not empty}}
  %0 = "my.w"() {values = dense<0.0> : tensor<4xf32>, gmem.transform = [{name = "", bytes = 16}]} : () -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f() -> tensor<4xf32> {
  // expected-error@+1 {{gmem.transform: entry #0: 'bytes' must be a positive i64}}
  %0 = "my.w"() {values = dense<0.0> : tensor<4xf32>, gmem.transform = [{name = "a", bytes = 0}]} : () -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f() -> tensor<4xf32> {
  // expected-error@+1 {{gmem.transform: the last result has 17 bytes, which is not the size of the constant}}
  %0 = "my.w"() {values = dense<0.0> : tensor<4xf32>, gmem.transform = [{name = "a", bytes = 16}, {name = "b", bytes = 17}]} : () -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{gmem.transform: expected a constant: an op without operands and with one result}}
  %0 = "my.a"(%a) {gmem.transform = [{name = "a", bytes = 16}]} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f() -> tensor<4xf32> {
  // expected-error@+1 {{gmem.source must be elements, beside gmem.transform}}
  %0 = "my.w"() {values = dense<0.0> : tensor<4xf32>, gmem.source = dense<0> : tensor<4xi8>} : () -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f() -> tensor<4xf32> {
  // expected-error@+1 {{gmem.source must be elements, beside gmem.transform}}
  %0 = "my.w"() {values = dense<0.0> : tensor<4xf32>, gmem.source = 4 : i64, gmem.transform = [{name = "a", bytes = 16}]} : () -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
