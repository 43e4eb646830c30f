// tosa.cond_if and tosa.while_loop become scf before their bodies are lowered.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// In MLIR 19 tosa has other ops and attributes.
//
// RUN: gmem-opt --gmem-bufferize-and-plan --split-input-file %s 2>/dev/null | FileCheck %s

// CHECK-LABEL: func.func @cond
// CHECK: scf.if
// CHECK-NOT: tosa
func.func @cond(%a: tensor<64xf32>, %b: tensor<64xf32>, %c: tensor<i1>) -> tensor<64xf32> {
  %0 = tosa.cond_if %c (%x = %a, %y = %b) : tensor<i1> (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%x: tensor<64xf32>, %y: tensor<64xf32>):
    %1 = tosa.add %x, %y : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    tosa.yield %1 : tensor<64xf32>
  } else {
  ^bb0(%x: tensor<64xf32>, %y: tensor<64xf32>):
    %1 = tosa.sub %x, %y : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    tosa.yield %1 : tensor<64xf32>
  }
  return %0 : tensor<64xf32>
}

// -----

// CHECK-LABEL: func.func @loop
// CHECK: scf.while
// CHECK-NOT: tosa
func.func @loop(%a: tensor<64xi32>, %n: tensor<i32>) -> tensor<64xi32> {
  %0:2 = tosa.while_loop (%x = %a, %i = %n) : (tensor<64xi32>, tensor<i32>) -> (tensor<64xi32>, tensor<i32>) {
    %z = "tosa.const"() {values = dense<0> : tensor<i32>} : () -> tensor<i32>
    %1 = tosa.greater %i, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %1 : tensor<i1>
  } do {
  ^bb0(%x: tensor<64xi32>, %i: tensor<i32>):
    %o = "tosa.const"() {values = dense<1> : tensor<i32>} : () -> tensor<i32>
    %1 = tosa.add %x, %x : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
    %2 = tosa.sub %i, %o : (tensor<i32>, tensor<i32>) -> tensor<i32>
    tosa.yield %1, %2 : tensor<64xi32>, tensor<i32>
  }
  return %0#0 : tensor<64xi32>
}
