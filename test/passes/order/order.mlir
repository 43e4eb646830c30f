// Ops move into an order that needs less memory: in the given order both wide
// values (8192 bytes each) are live at once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-order-ops=op-models=%S/Inputs/my.mlir %s -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-order-ops='op-models=%S/Inputs/my.mlir order=given' %s -o %t.given.mlir 2>&1 | count 0
// RUN: FileCheck %s --input-file=%t.given.mlir --check-prefix=GIVEN
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='op-models=%S/Inputs/my.mlir alignment=64 order=best' %s 2>/dev/null | FileCheck %s --check-prefix=PLAN
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='op-models=%S/Inputs/my.mlir alignment=64' %s 2>/dev/null | FileCheck %s --check-prefix=DEFAULT
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-report='op-models=%S/Inputs/my.mlir alignment=64 order=best' %s 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-order-ops=order=better %s 2>&1 | FileCheck %s --check-prefix=WORD

// WORD: gmem-order-ops: order='better' is neither given nor best

// REMARK: remark: order=best: {{[0-9]+}} ops of 1 block moved: the tensors need 20480 bytes, 24576 in the given order
// REMARK: remark: order=best: {{[0-9]+}} ops of 1 block moved: the tensors need 20480 bytes, 24576 in the given order
// CHECK-LABEL: @branches
// CHECK:      %[[A:.*]] = "my.widen"(%{{.*}}) {n = [[N:[12]]] : i32
// CHECK-NEXT: "my.narrow"(%[[A]])
// CHECK-NEXT: %[[B:.*]] = "my.widen"
// CHECK-NEXT: "my.narrow"(%[[B]])
// CHECK-NEXT: "my.join"
// GIVEN-LABEL: @branches
// GIVEN:       n = 1
// GIVEN:       n = 2
// GIVEN:       n = 3
// GIVEN:       n = 4
// PLAN:        peak = 20480
// DEFAULT:     peak = 24576
// REPORT:      pool tensors: 20,480 bytes
func.func @branches(%x: tensor<2048xf32>) -> tensor<1024xf32> {
  %a = "my.widen"(%x) {n = 1 : i32} : (tensor<2048xf32>) -> tensor<2048xf32>
  %b = "my.widen"(%x) {n = 2 : i32} : (tensor<2048xf32>) -> tensor<2048xf32>
  %c = "my.narrow"(%a) {n = 3 : i32} : (tensor<2048xf32>) -> tensor<1024xf32>
  %d = "my.narrow"(%b) {n = 4 : i32} : (tensor<2048xf32>) -> tensor<1024xf32>
  %e = "my.join"(%c, %d) : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  return %e : tensor<1024xf32>
}

// -----

// The region of a loop, by itself.
// CHECK-LABEL: @in_a_loop
// CHECK:      scf.for
// CHECK-NEXT: %[[A:.*]] = "my.widen"
// CHECK-NEXT: "my.narrow"(%[[A]])
// CHECK-NEXT: %[[B:.*]] = "my.widen"
// CHECK-NEXT: "my.narrow"(%[[B]])
func.func @in_a_loop(%x: tensor<1024xf32>, %n: index) -> tensor<1024xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%y = %x) -> tensor<1024xf32> {
    %a = "my.widen"(%y) : (tensor<1024xf32>) -> tensor<2048xf32>
    %b = "my.widen"(%y) : (tensor<1024xf32>) -> tensor<2048xf32>
    %c = "my.narrow"(%a) : (tensor<2048xf32>) -> tensor<1024xf32>
    %d = "my.narrow"(%b) : (tensor<2048xf32>) -> tensor<1024xf32>
    %e = "my.join"(%c, %d, %y) : (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
    scf.yield %e : tensor<1024xf32>
  }
  return %r : tensor<1024xf32>
}
