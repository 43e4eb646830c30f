// The verifier's complaints are taken by the pass that asked: with a pass per
// nested module, on several threads, none is lost and none is said twice.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// MLIR 19 stops after the first module that fails.
//
// RUN: gmem-opt --verify-diagnostics --pass-pipeline='builtin.module(builtin.module(gmem-plan{sharing=none},gmem-encode-addresses))' %s

module @m0 {
  func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@+1 {{this op does not allow its new types: 'arith.addf' op requires the same encoding}}
    %0 = arith.addf %a, %b : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
module @m1 {
  func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@+1 {{this op does not allow its new types: 'arith.addf' op requires the same encoding}}
    %0 = arith.addf %a, %b : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
module @m2 {
  func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@+1 {{this op does not allow its new types: 'arith.addf' op requires the same encoding}}
    %0 = arith.addf %a, %b : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
module @m3 {
  func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@+1 {{this op does not allow its new types: 'arith.addf' op requires the same encoding}}
    %0 = arith.addf %a, %b : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
