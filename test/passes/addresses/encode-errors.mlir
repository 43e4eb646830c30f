// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// MLIR 19 has no --verify-diagnostics=only-expected.
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics=only-expected --pass-pipeline='builtin.module(gmem-plan{alignment=64 algorithm=none sharing=none},gmem-encode-addresses)' %s

// Where an op demands equal types and its values are at different addresses,
// no type can be right. It is named, and no type changes (unit test
// passes_addresses_test).
func.func @same_types(%a: tensor<16xf32>, %b: tensor<16xf32>) -> tensor<16xf32> {
  // expected-error@+1 {{this op does not allow its new types: 'arith.addf' op requires the same encoding for all operands and results}}
  %0 = arith.addf %a, %b : tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

// Two callers copy their operands to where the callee has its argument: a call
// states one type for both.
func.func @main(%a: tensor<16xf32>, %b: tensor<16xf32>) {
  // expected-error@+1 {{this op does not allow its new types: 'func.call' op operand type mismatch: expected operand type 'tensor<16xf32, 128 : i64>', but provided 'tensor<16xf32, 0 : i64>' for operand number 0}}
  func.call @sub(%a) : (tensor<16xf32>) -> ()
  func.call @sub(%b) : (tensor<16xf32>) -> ()
  return
}
func.func private @sub(%x: tensor<16xf32>) {
  "a.use"(%x) : (tensor<16xf32>) -> ()
  return
}

// -----

// The same of a loop that copies what it is given.
func.func @loop(%n: index, %a: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  // expected-error@+1 {{this op does not allow its new types: 'scf.for' op}}
  %r = scf.for %i = %n to %n step %n iter_args(%x = %a) -> tensor<16xf32> {
    %1 = "a.b"(%x) : (tensor<16xf32>) -> tensor<16xf32>
    scf.yield %1 : tensor<16xf32>
  }
  return %r, %a : tensor<16xf32>, tensor<16xf32>
}

// -----

// Contents that state their type.
func.func @contents() {
  // expected-error@+1 {{this op does not allow its new types: 'arith.constant' op}}
  %0 = arith.constant dense<1.0> : tensor<16xf32>
  "a.use"(%0) : (tensor<16xf32>) -> ()
  return
}

// -----

func.func @returns(%c: i1, %a: tensor<16xf32>, %b: tensor<16xf32>) -> tensor<16xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %a : tensor<16xf32>
^bb2:
  // expected-error@+1 {{@returns returns its result #0 at different addresses: the type of the function can hold only one}}
  return %b : tensor<16xf32>
}

// -----

// expected-error@+1 {{calls of this function pass or return tensors at different addresses: its type can hold only one}}
func.func private @outside(tensor<16xf32>)
func.func @calls(%a: tensor<16xf32>, %b: tensor<16xf32>) {
  call @outside(%a) : (tensor<16xf32>) -> ()
  call @outside(%b) : (tensor<16xf32>) -> ()
  return
}

// -----

func.func @group(%a: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %0:2 = "tpu.Group"(%a) ({
    // expected-error@+1 {{this value is yielded by its layer group as two results at different addresses: its type can hold only one}}
    %s = "tpu.Store"(%a) : (tensor<16xf32>) -> tensor<16xf32>
    "tpu.Yield"(%s, %s) : (tensor<16xf32>, tensor<16xf32>) -> ()
  }) : (tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
  return %0#0, %0#1 : tensor<16xf32>, tensor<16xf32>
}

// -----

// What the type says already would be lost.
// expected-error@+1 {{argument #0 of @encoded has an encoding in its type already: it cannot hold an address}}
func.func @encoded(%a: tensor<16xf32, "elsewhere"> {gmem.bytes = 64 : i64}) {
  return
}

// -----

// The same of an address: gmem-import-addresses takes it out.
// expected-error@+1 {{argument #0 of @addressed has an encoding in its type already: it cannot hold an address}}
func.func @addressed(%a: tensor<16xf32, 64 : i64>) {
  return
}
