// What a callee modifies is no constant, and nothing that is computed from it is:
// it was computed from the contents before the call, or the plan was refused.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='constants=hoist constant-budget=1M' %s | FileCheck %s
// RUN: sed -e '/my.write/d' %s | gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='constants=hoist constant-budget=1M' 2>&1 | FileCheck %s --check-prefix=FREE

// Where it modifies nothing, the sum and the negative are computed once.
// FREE: @one_init computes
// FREE: @two_init computes

// CHECK-NOT: gmem.init
// CHECK-LABEL: func.func @one(
// CHECK: call @write
// CHECK: tosa.reduce_sum
func.func private @write(%v: tensor<8192xi8>, %x: tensor<64xi8>) {
  "my.write"(%v, %x) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<8192xi8>, tensor<64xi8>) -> ()
  return
}
func.func @one(%x: tensor<64xi8>) -> tensor<16384xi8> {
  %k = "tosa.const"() {values = dense<1> : tensor<8192xi8>} : () -> tensor<8192xi8>
  %v = tosa.abs %k : (tensor<8192xi8>) -> tensor<8192xi8>
  call @write(%v, %x) : (tensor<8192xi8>, tensor<64xi8>) -> ()
  %s = tosa.reduce_sum %v {axis = 0 : i32} : (tensor<8192xi8>) -> tensor<1xi8>
  %b = "my.grow"(%x) : (tensor<64xi8>) -> tensor<16384xi8>
  %0 = "my.op"(%s, %b) : (tensor<1xi8>, tensor<16384xi8>) -> tensor<16384xi8>
  return %0 : tensor<16384xi8>
}

// -----

// CHECK-NOT: gmem.init
// CHECK-LABEL: func.func @two(
// CHECK: tosa.abs
func.func private @write(%v: tensor<64xi8>) -> tensor<64xi8> {
  "my.write"(%v) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<64xi8>) -> ()
  %0 = "my.read"(%v) : (tensor<64xi8>) -> tensor<64xi8>
  return %0 : tensor<64xi8>
}
func.func @two(%x: tensor<64xi8>) -> tensor<64xi8> {
  %k = "tosa.const"() {values = dense<1> : tensor<64xi8>} : () -> tensor<64xi8>
  %v = tosa.abs %k : (tensor<64xi8>) -> tensor<64xi8>
  %u = tosa.abs %x : (tensor<64xi8>) -> tensor<64xi8>
  %0 = call @write(%v) : (tensor<64xi8>) -> tensor<64xi8>
  %1 = call @write(%u) : (tensor<64xi8>) -> tensor<64xi8>
  %2 = tosa.add %0, %1 : (tensor<64xi8>, tensor<64xi8>) -> tensor<64xi8>
  return %2 : tensor<64xi8>
}
