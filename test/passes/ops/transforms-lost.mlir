// Where the functions that make a constant would be lost in silence, so that its
// placeholder would be the weight, an error or a warning says so.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan --split-input-file --verify-diagnostics=only-expected %s
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan=memrefs=false --split-input-file --verify-diagnostics=only-expected %s
// RUN: gmem-opt --allow-unregistered-dialect --gmem-bufferize-and-plan --split-input-file --verify-diagnostics=only-expected %S/Inputs/transforms-bufferized.mlir
// RUN: gmem-opt --gmem-shard-and-plan --split-input-file --verify-diagnostics=only-expected %S/Inputs/transforms-sharded.mlir

// expected-error@+1 {{gmem.transform of a global is not supported}}
memref.global "private" constant @w : memref<4xf32> = dense<1.0> {gmem.transform = [{name = "a", bytes = 16}]}
func.func @f(%x: memref<4xf32>) {
  %w = memref.get_global @w : memref<4xf32>
  memref.copy %w, %x : memref<4xf32> to memref<4xf32>
  return
}

// -----

memref.global "private" constant @w : memref<4xf32> = dense<1.0>
func.func @f(%x: memref<4xf32>) {
  // expected-error@+1 {{gmem.transform: a memref cannot have it: state it on the constant, before bufferization}}
  %w = "memref.get_global"() <{name = @w}> {gmem.transform = [{name = "a", bytes = 16}]} : () -> memref<4xf32>
  memref.copy %w, %x : memref<4xf32> to memref<4xf32>
  return
}

// -----

func.func @f() -> tensor<4xf32> {
  // expected-error@+1 {{gmem.transform: the value is not a constant}}
  %0 = "my.a"() {gmem.transform = [{name = "a", bytes = 16}]} : () -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f() -> tensor<4xf32> {
  // expected-error@+1 {{gmem.transform: the last result has 4 bytes, which is not the size of the constant}}
  %0 = arith.constant {gmem.transform = [{name = "a", bytes = 4}]} 1.0 : f32
  %1 = tensor.splat %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "my.group"(%x) ({
    // expected-warning@+1 {{gmem.transform has no effect: values in the regions of this op have no global memory}}
    %1 = "my.a"() {gmem.transform = [{name = "a", bytes = 16}]} : () -> tensor<4xf32>
    "my.yield"(%1) : (tensor<4xf32>) -> ()
  }) {gmem.layer_group} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
