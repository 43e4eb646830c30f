// An overlap is reported at the op that runs then, be it one of a callee, in
// whatever context; and it is none where the two are live in different calls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan=alignment=64 %s -o %t.mlir
// RUN: gmem-opt --allow-unregistered-dialect --gmem-verify-plan %t.mlir -o /dev/null
// RUN: sed '/a.one/s/offset = array<i64: [0-9]*>/offset = array<i64: 0>/; /a.second/s/offset = array<i64: [0-9]*>/offset = array<i64: 0>/; /a.third/s/offset = array<i64: [0-9]*>/offset = array<i64: 64>/; /a.first/s/offset = array<i64: [0-9]*>/offset = array<i64: 64>/' %t.mlir > %t.broken
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan %t.broken -o /dev/null 2>&1 | FileCheck %s
//
// CHECK: error: result #0 of 'a.second' and result #0 of 'a.one' share bytes [0, 64) of pool 'tensors' while both are live at this op
// CHECK: %{{.*}} = "a.one"

func.func @main() {
  %0 = "a.first"() : () -> tensor<64xi8>
  func.call @work() : () -> ()
  "a.use"(%0) : (tensor<64xi8>) -> ()
  %1 = "a.second"() : () -> tensor<64xi8>
  func.call @work() : () -> ()
  "a.use"(%1) : (tensor<64xi8>) -> ()
  %2 = "a.third"() : () -> tensor<64xi8>
  func.call @work() : () -> ()
  "a.use"(%2) : (tensor<64xi8>) -> ()
  return
}
func.func private @work() {
  %0 = "a.one"() : () -> tensor<64xi8>
  "a.use"(%0) : (tensor<64xi8>) -> ()
  return
}
