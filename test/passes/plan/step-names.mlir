// gmem-plan names what has a place: by its location, or by an attribute in which
// frontends keep names; unique, and without touching a name that is there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan %s -o %t 2>/dev/null
// RUN: FileCheck %s < %t
// RUN: gmem-translate --allow-unregistered-dialect --gmem-to-json %t | FileCheck %s --check-prefix=JSON
// Planning again changes none.
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan %t 2>/dev/null | diff %t -
//
// A message of the verifier has the name.
// RUN: sh -c 'sed "/second/s/gmem.offset = array<i64: [0-9]*/gmem.offset = array<i64: 1/" %t > %t.broken'
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan %t.broken 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: error: {{.*}}result #0 of 'my.op' (second)

// CHECK: func.func @main(%arg0: tensor<4xf32> {{{.*}}gmem.name = "image"
// CHECK-SAME: %arg1: tensor<4xf32> {{{.*}}gmem.name = "weights.w0"
// CHECK-SAME: %arg2: tensor<4xf32> {gmem.offset
// JSON: "name": "image"
// JSON: "name": "weights.w0"
// JSON: "name": "main/%arg2"
func.func @main(%a: tensor<4xf32> loc("image"), %b: tensor<4xf32> {ttir.name = "weights.w0"}, %c: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: "my.op"{{.*}}gmem.name = "conv"
  // JSON: "name": "conv"
  %0 = "my.op"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("conv")
  // CHECK: "my.op"{{.*}}gmem.name = "conv.1"{{.*}}onnx_node_name = "conv"
  // JSON: "name": "conv.1"
  %1 = "my.op"(%0, %c) {onnx_node_name = "conv"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // Its own; the one after it wants the same.
  // CHECK: "my.op"{{.*}}gmem.name = "second"
  // JSON: "name": "second"
  %2 = "my.op"(%1) {gmem.name = "second"} : (tensor<4xf32>) -> tensor<4xf32> loc("first")
  // CHECK: "my.op"{{.*}}gmem.name = "second.1"
  // JSON: "name": "second.1"
  // JSON: "name": "second.1#1"
  %3:2 = "my.op"(%2) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) loc("second")
  // No name, no place.
  // CHECK: "my.op"(%{{[^)]*}}) {gmem.offset
  %4 = "my.op"(%3#0) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: "my.op"(%{{[^)]*}}) : ({{.*}}) -> i32
  %5 = "my.op"(%4) : (tensor<4xf32>) -> i32 loc("number")
  "my.use"(%3#1, %5) : (tensor<4xf32>, i32) -> ()
  return %4 : tensor<4xf32>
}
