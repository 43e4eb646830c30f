// Constants of several values become arguments; those of functions that are called,
// and equal values, stay.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: gmem-opt %s --gmem-constants-to-arguments | FileCheck %s

// CHECK:      func.func @main(%arg0: tensor<2xf32> {test.name = "x"}, %arg1: tensor<2xf32>, %arg2: tensor<2x2xi8>) -> (tensor<2xf32> {test.name = "y"}, tensor<2x2xi8>) {
// CHECK-NEXT:   %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<2xf32>
// CHECK-NEXT:   %[[SUM:.*]] = arith.addf %arg0, %arg1 : tensor<2xf32>
// CHECK-NEXT:   %{{.*}} = arith.addf %[[SUM]], %[[ONE]] : tensor<2xf32>
// CHECK:          scf.yield %arg2 : tensor<2x2xi8>
func.func @main(%x: tensor<2xf32> {test.name = "x"}) -> (tensor<2xf32> {test.name = "y"}, tensor<2x2xi8>) {
  %w = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %one = arith.constant dense<1.0> : tensor<2xf32>
  %sum = arith.addf %x, %w : tensor<2xf32>
  %y = arith.addf %sum, %one : tensor<2xf32>
  %z = func.call @called(%y) : (tensor<2xf32>) -> tensor<2xf32>
  %i = scf.execute_region -> tensor<2x2xi8> {
    %inner = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
    scf.yield %inner : tensor<2x2xi8>
  }
  return %z, %i : tensor<2xf32>, tensor<2x2xi8>
}

// CHECK:      func.func @called(%arg0: tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT:   %{{.*}} = arith.constant dense<[3.000000e+00, 4.000000e+00]>
func.func @called(%x: tensor<2xf32>) -> tensor<2xf32> {
  %w = arith.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %y = arith.addf %x, %w : tensor<2xf32>
  return %y : tensor<2xf32>
}

// CHECK:      func.func private @declared(tensor<2xf32>)
func.func private @declared(tensor<2xf32>)
