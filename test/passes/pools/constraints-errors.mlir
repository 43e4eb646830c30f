// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics=only-expected --gmem-plan %s

// expected-error@+1 {{gmem.constraints must be an array of dictionaries}}
module attributes {gmem.constraints = "apart"} {
  func.func @main(%a: tensor<4xi32> {gmem.tag = "a"}) { return }
}

// -----

// expected-error@+1 {{gmem.constraints: entry #0: 'kind' must be apart, banks, boundary, near or at}}
module attributes {gmem.constraints = [{kind = "part", first = "a"}]} {
  func.func @main(%a: tensor<4xi32> {gmem.tag = "a"}) { return }
}

// -----

// expected-error@+1 {{gmem.constraints: entry #0: 'bank' is unknown: expected kind, first, second, pool, bytes, banks or penalty}}
module attributes {gmem.constraints = [{kind = "boundary", first = "a", bank = 1 : i64}]} {
  func.func @main(%a: tensor<4xi32> {gmem.tag = "a"}) { return }
}

// -----

// expected-error@+1 {{gmem.constraints: entry #1: there is no second tag}}
module attributes {gmem.constraints = [{kind = "boundary", first = "a", bytes = 64 : i64}, {kind = "apart", first = "a"}]} {
  func.func @main(%a: tensor<4xi32> {gmem.tag = "a"}) { return }
}

// -----

// expected-error@+1 {{gmem.constraints: entry #0: this kind has no banks}}
module attributes {gmem.constraints = [{kind = "boundary", first = "a", bytes = 64 : i64, banks = 2 : i64}]} {
  func.func @main(%a: tensor<4xi32> {gmem.tag = "a"}) { return }
}

// -----

// expected-error@+1 {{gmem.constraints: entry #0: there are no bytes}}
module attributes {gmem.constraints = [{kind = "boundary", first = "a"}]} {
  func.func @main(%a: tensor<4xi32> {gmem.tag = "a"}) { return }
}

// -----

// expected-error@+1 {{gmem.constraints: entry #0: 'b' is the gmem.tag of no value with planned memory}}
module attributes {gmem.constraints = [{kind = "apart", first = "a", second = "b"}]} {
  func.func @main(%a: tensor<4xi32> {gmem.tag = "a"}) { return }
}

// -----

// expected-error@+1 {{gmem.constraints: entry #0: 'sram' is not the name of a pool}}
module attributes {gmem.constraints = [{kind = "at", first = "a", pool = "sram", bytes = 0 : i64}]} {
  func.func @main(%a: tensor<4xi32> {gmem.tag = "a"}) { return }
}

// -----

module {
  // expected-error@+1 {{gmem.tag must be a non-empty string without NUL bytes, or an array of them that is not empty}}
  func.func @main(%a: tensor<4xi32> {gmem.tag = 3 : i64}) { return }
}

// -----

module {
  func.func @main(%a: tensor<4xi32>) {
    // expected-error@+1 {{gmem.tag must be a non-empty string without NUL bytes, or an array of them that is not empty}}
    %0 = "a.op"(%a) {gmem.tag = []} : (tensor<4xi32>) -> tensor<4xi32>
    return
  }
}

// -----

module {
  func.func @main(%a: tensor<4xi32>) {
    // expected-error@+1 {{gmem.tag must be a non-empty string without NUL bytes}}
    %0 = "a.op"(%a) {gmem.tag = ["a", "a\00b"]} : (tensor<4xi32>) -> tensor<4xi32>
    return
  }
}

// -----

module attributes {gmem.constraints = [{kind = "boundary", first = "a", bytes = 8 : i64}]} {
  // expected-error@+1 {{the tensors cannot be placed: a constraint of kind 'boundary' cannot be satisfied by any plan}}
  func.func @main(%a: tensor<4xi32> {gmem.tag = "a"}) { return }
}
