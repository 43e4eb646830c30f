// Layer groups that cannot be executed as units.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// MLIR 19 has no --verify-diagnostics=only-expected.
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics=only-expected --gmem-plan %s

// 1. Two groups whose ops alternate.
func.func @alternate(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = "a.op"(%x) {gmem.layer_group = 1 : i64} : (tensor<16xf32>) -> tensor<16xf32>
  // expected-error @+1 {{layer groups 1 and 2 overlap: a group is executed as a unit, before or after the other}}
  %1 = "a.op"(%0) {gmem.layer_group = 2 : i64} : (tensor<16xf32>) -> tensor<16xf32>
  %2 = "a.op"(%1) {gmem.layer_group = 1 : i64} : (tensor<16xf32>) -> tensor<16xf32>
  %3 = "a.op"(%2) {gmem.layer_group = 2 : i64} : (tensor<16xf32>) -> tensor<16xf32>
  return %3 : tensor<16xf32>
}

// -----

// 2. One among the ops of the other.
func.func @among(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = "a.op"(%x) {gmem.layer_group = -5 : i64} : (tensor<16xf32>) -> tensor<16xf32>
  // expected-error @+1 {{layer groups -5 and 7 overlap}}
  %1 = "a.op"(%x) {gmem.layer_group = 7 : i64} : (tensor<16xf32>) -> tensor<16xf32>
  %2 = "a.op"(%0) {gmem.layer_group = -5 : i64} : (tensor<16xf32>) -> tensor<16xf32>
  "a.use"(%1) : (tensor<16xf32>) -> ()
  return %2 : tensor<16xf32>
}

// -----

// 3. One after the other, with the same numbers in another function and in the
// body of an op: no error.
func.func @apart(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = "a.op"(%x) {gmem.layer_group = 2 : i64} : (tensor<16xf32>) -> tensor<16xf32>
  %1 = "a.op"(%0) {gmem.layer_group = 2 : i64} : (tensor<16xf32>) -> tensor<16xf32>
  %2 = "a.op"(%1) {gmem.layer_group = 1 : i64} : (tensor<16xf32>) -> tensor<16xf32>
  %3 = "a.op"(%2) {gmem.layer_group = 1 : i64} : (tensor<16xf32>) -> tensor<16xf32>
  return %3 : tensor<16xf32>
}
func.func @other(%c: i1, %x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = "a.op"(%x) {gmem.layer_group = 1 : i64} : (tensor<16xf32>) -> tensor<16xf32>
  %1 = "a.op"(%0) {gmem.layer_group = 1 : i64} : (tensor<16xf32>) -> tensor<16xf32>
  %2 = scf.if %c -> tensor<16xf32> {
    %3 = "a.op"(%1) {gmem.layer_group = 3 : i64} : (tensor<16xf32>) -> tensor<16xf32>
    scf.yield %3 : tensor<16xf32>
  } else {
    scf.yield %1 : tensor<16xf32>
  }
  return %2 : tensor<16xf32>
}

// -----

// 4. No numbers.
func.func @truth(%x: tensor<16xf32>) -> tensor<16xf32> {
  // expected-error @+1 {{gmem.layer_group must be a unit attribute or an integer}}
  %0 = "a.op"(%x) {gmem.layer_group = true} : (tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
