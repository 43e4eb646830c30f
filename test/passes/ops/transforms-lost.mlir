// Where the functions that make a constant would be lost in silence, so that its
// placeholder would be the weight, an error or a warning says so.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan --split-input-file --verify-diagnostics=only-expected %s
// RUN: gmem-opt --allow-unregistered-dialect --gmem-bufferize-and-plan --split-input-file --verify-diagnostics=only-expected %S/Inputs/transforms-bufferized.mlir
// RUN: gmem-opt --gmem-shard-and-plan --split-input-file --verify-diagnostics=only-expected %S/Inputs/transforms-sharded.mlir

// expected-error@+1 {{gmem.transform: this global is not planned}}
memref.global "private" @w : memref<4xf32> = dense<1.0> {gmem.transform = [{name = "a", bytes = 16}]}
func.func @f(%x: memref<4xf32>) {
  %w = memref.get_global @w : memref<4xf32>
  memref.copy %w, %x : memref<4xf32> to memref<4xf32>
  return
}

// -----

// expected-error@+1 {{gmem.transform: this global is not planned}}
memref.global "private" constant @w : memref<4xf32> = dense<1.0> {gmem.transform = [{name = "a", bytes = 16}]}
func.func @f(%x: memref<4xf32>) {
  %w = memref.get_global @w : memref<4xf32>
  memref.copy %x, %w : memref<4xf32> to memref<4xf32>
  return
}

// -----

// expected-error@+1 {{gmem.transform: the last result has 17 bytes, which is not the size of the constant}}
memref.global "private" constant @w : memref<4xf32> = dense<1.0> {gmem.transform = [{name = "a", bytes = 17}]}
func.func @f(%x: memref<4xf32>) {
  %w = memref.get_global @w : memref<4xf32>
  memref.copy %w, %x : memref<4xf32> to memref<4xf32>
  return
}

// -----

// expected-error@+1 {{gmem.source must be elements, beside gmem.transform}}
memref.global "private" constant @w : memref<4xf32> = dense<1.0> {gmem.source = dense<1> : tensor<4xi8>}
func.func @f(%x: memref<4xf32>) {
  %w = memref.get_global @w : memref<4xf32>
  memref.copy %w, %x : memref<4xf32> to memref<4xf32>
  return
}

// -----

func.func @init() attributes {gmem.init} {
  return
}
// expected-error@+1 {{gmem.transform: a function computes this global (gmem.init)}}
memref.global "private" constant @w : memref<4xf32> = uninitialized {gmem.init = "init", gmem.transform = [{name = "a", bytes = 16}]}
func.func @f(%x: memref<4xf32>) {
  %w = memref.get_global @w : memref<4xf32>
  memref.copy %w, %x : memref<4xf32> to memref<4xf32>
  return
}

// -----

memref.global "private" constant @w : memref<4xf32> = dense<1.0>
func.func @f(%x: memref<4xf32>) {
  // expected-error@+1 {{gmem.transform: a memref cannot have it: state it on its global, or on the constant, before bufferization}}
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

// A global that is constant is planned, but not without memrefs.
// RUN: gmem-opt --gmem-plan %S/Inputs/transforms-global.mlir -o %t
// RUN: gmem-translate --gmem-to-json %t | FileCheck %s
// CHECK: "transforms": [
// CHECK-NEXT: {
// CHECK-NEXT: "buffer": "main/%0",
// CHECK-NEXT: "name": "a",
// CHECK-NEXT: "size": 16
// RUN: not gmem-opt --gmem-plan=memrefs=false %S/Inputs/transforms-global.mlir -o %t 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: gmem.transform: this global is not planned, {{.*}} or because of memrefs=false
