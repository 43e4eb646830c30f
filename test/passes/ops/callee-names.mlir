// An op of another dialect that names a kernel in the attribute "callee" is no
// call, and the remark about ops without a model lists it. Calls need no model.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=my.call

// CHECK: remark: no model for 2 ops (2 names)
// CHECK: note: 'my.run': 1 op, 64 bytes of results
// CHECK: note: 'my.symbol': 1 op, 64 bytes of results
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = "my.run"(%x) {callee = "kernel"} : (tensor<16xf32>) -> tensor<16xf32>
  %1 = "my.symbol"(%0) {callee = @nowhere} : (tensor<16xf32>) -> tensor<16xf32>
  %2 = "my.call"(%1) {callee = @half} : (tensor<16xf32>) -> tensor<16xf32>
  %3 = call @outside(%2) : (tensor<16xf32>) -> tensor<16xf32>
  return %3 : tensor<16xf32>
}

func.func private @half(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = math.exp %x : tensor<16xf32>
  return %0 : tensor<16xf32>
}

func.func private @outside(%x: tensor<16xf32>) -> tensor<16xf32>
