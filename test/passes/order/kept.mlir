// What does not move. Each of these would need less memory in the order of
// order.mlir.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: gmem-opt --allow-unregistered-dialect --gmem-order-ops=op-models=%S/Inputs/my.mlir %s -o %t.mlir 2>&1 | count 0
// RUN: FileCheck %s --input-file=%t.mlir

// Without the attributes, and with a pure op instead of my.send, they move:
// RUN: sed -e 's/attributes {gmem.keep_order}//' -e 's/{gmem.keep_order}//' -e 's/, gmem.keep_order}/}/' -e 's/my.send/my.narrow/' -e '/my.set/d' -e 's/, gmem.stream = [0-9] : i64//' %s > %t.free.mlir
// RUN: gmem-opt --allow-unregistered-dialect --gmem-order-ops=op-models=%S/Inputs/my.mlir %t.free.mlir 2>&1 | FileCheck %s --check-prefix=FREE
// FREE: remark: order=best: {{[0-9]+}} ops of 6 blocks moved

// Ops that may have effects keep their order.
// CHECK-LABEL: @effects
// CHECK: n = 1
// CHECK: n = 2
// CHECK: n = 3
// CHECK: n = 4
func.func @effects(%x: tensor<2048xf32>) -> tensor<1024xf32> {
  %a = "my.send"(%x) {n = 1 : i32} : (tensor<2048xf32>) -> tensor<2048xf32>
  %b = "my.send"(%x) {n = 2 : i32} : (tensor<2048xf32>) -> tensor<2048xf32>
  %c = "my.send"(%a) {n = 3 : i32} : (tensor<2048xf32>) -> tensor<1024xf32>
  %d = "my.send"(%b) {n = 4 : i32} : (tensor<2048xf32>) -> tensor<1024xf32>
  %e = "my.join"(%c, %d) : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  return %e : tensor<1024xf32>
}

// Ops in hardware queues.
// CHECK-LABEL: @queues
// CHECK: n = 1
// CHECK: n = 2
// CHECK: n = 3
// CHECK: n = 4
func.func @queues(%x: tensor<2048xf32>) -> tensor<1024xf32> {
  %a = "my.widen"(%x) {n = 1 : i32, gmem.stream = 1 : i64} : (tensor<2048xf32>) -> tensor<2048xf32>
  %b = "my.widen"(%x) {n = 2 : i32, gmem.stream = 1 : i64} : (tensor<2048xf32>) -> tensor<2048xf32>
  %c = "my.narrow"(%a) {n = 3 : i32, gmem.stream = 1 : i64} : (tensor<2048xf32>) -> tensor<1024xf32>
  %d = "my.narrow"(%b) {n = 4 : i32, gmem.stream = 1 : i64} : (tensor<2048xf32>) -> tensor<1024xf32>
  %e = "my.join"(%c, %d) : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  return %e : tensor<1024xf32>
}

// An op that no other may pass.
// CHECK-LABEL: @fence
// CHECK: n = 1
// CHECK: n = 2
// CHECK: n = 3
// CHECK: n = 4
func.func @fence(%x: tensor<2048xf32>) -> tensor<1024xf32> {
  %a = "my.widen"(%x) {n = 1 : i32} : (tensor<2048xf32>) -> tensor<2048xf32>
  %b = "my.widen"(%x) {n = 2 : i32, gmem.keep_order} : (tensor<2048xf32>) -> tensor<2048xf32>
  %c = "my.narrow"(%a) {n = 3 : i32} : (tensor<2048xf32>) -> tensor<1024xf32>
  %d = "my.narrow"(%b) {n = 4 : i32} : (tensor<2048xf32>) -> tensor<1024xf32>
  %e = "my.join"(%c, %d) : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  return %e : tensor<1024xf32>
}

// A block.
// CHECK-LABEL: @block
// CHECK: n = 1
// CHECK: n = 2
// CHECK: n = 3
// CHECK: n = 4
func.func @block(%x: tensor<2048xf32>) -> tensor<1024xf32> {
  %a = "my.widen"(%x) {n = 1 : i32} : (tensor<2048xf32>) -> tensor<2048xf32>
  %b = "my.widen"(%x) {n = 2 : i32} : (tensor<2048xf32>) -> tensor<2048xf32>
  %c = "my.narrow"(%a) {n = 3 : i32} : (tensor<2048xf32>) -> tensor<1024xf32>
  %d = "my.narrow"(%b) {n = 4 : i32} : (tensor<2048xf32>) -> tensor<1024xf32>
  %e = "my.join"(%c, %d) : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  return {gmem.keep_order} %e : tensor<1024xf32>
}

// A function.
// CHECK-LABEL: @function
// CHECK: n = 1
// CHECK: n = 2
// CHECK: n = 3
// CHECK: n = 4
func.func @function(%x: tensor<2048xf32>) -> tensor<1024xf32> attributes {gmem.keep_order} {
  %a = "my.widen"(%x) {n = 1 : i32} : (tensor<2048xf32>) -> tensor<2048xf32>
  %b = "my.widen"(%x) {n = 2 : i32} : (tensor<2048xf32>) -> tensor<2048xf32>
  %c = "my.narrow"(%a) {n = 3 : i32} : (tensor<2048xf32>) -> tensor<1024xf32>
  %d = "my.narrow"(%b) {n = 4 : i32} : (tensor<2048xf32>) -> tensor<1024xf32>
  %e = "my.join"(%c, %d) : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  return %e : tensor<1024xf32>
}

// What reads a tensor before an op writes it in place.
// CHECK-LABEL: @in_place
// CHECK: n = 1
// CHECK: my.set
// CHECK: n = 3
// CHECK: n = 4
func.func @in_place(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %z = "my.widen"(%x) : (tensor<1024xf32>) -> tensor<1024xf32>
  %a = "my.widen"(%z) {n = 1 : i32} : (tensor<1024xf32>) -> tensor<2048xf32>
  "my.set"(%z, %x) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<1024xf32>, tensor<1024xf32>) -> ()
  %b = "my.widen"(%z) {n = 3 : i32} : (tensor<1024xf32>) -> tensor<2048xf32>
  %c = "my.narrow"(%b) {n = 4 : i32} : (tensor<2048xf32>) -> tensor<1024xf32>
  %e = "my.join"(%a, %c, %z) : (tensor<2048xf32>, tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  return %e : tensor<1024xf32>
}
