// What reads a tensor stays before a call that modifies it, in place or a copy of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-order-ops %s | FileCheck %s

// CHECK-LABEL: func.func @reads
// CHECK: %[[V:.*]] = tosa.abs
// CHECK: tosa.concat %[[V]], %[[V]]
// CHECK: call @write(%[[V]])
func.func private @write(%v: tensor<64xi8>) {
  "my.write"(%v) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<64xi8>) -> ()
  return
}
func.func @reads(%x: tensor<64xi8>) -> tensor<257xi8> {
  %v = tosa.abs %x : (tensor<64xi8>) -> tensor<64xi8>
  %u = tosa.abs %x : (tensor<64xi8>) -> tensor<64xi8>
  %a = tosa.concat %v, %v, %v, %v {axis = 0 : i32} : (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>) -> tensor<256xi8>
  call @write(%v) : (tensor<64xi8>) -> ()
  call @write(%u) : (tensor<64xi8>) -> ()
  %b = tosa.concat %x, %x, %x, %x {axis = 0 : i32} : (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>) -> tensor<256xi8>
  %c = tosa.reduce_sum %b {axis = 0 : i32} : (tensor<256xi8>) -> tensor<1xi8>
  %d = tosa.concat %a, %c {axis = 0 : i32} : (tensor<256xi8>, tensor<1xi8>) -> tensor<257xi8>
  return %d : tensor<257xi8>
}

// -----

// One that calls itself, and one that an op runs which is no call.
// CHECK-LABEL: func.func @recursive
// CHECK: %[[V:.*]] = "my.compute"
// CHECK: arith.addi %[[V]], %[[V]]
// CHECK: call @again(%[[V]]
func.func private @again(%v: tensor<64xi8>, %c: i1) {
  "my.write"(%v) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<64xi8>) -> ()
  scf.if %c {
    func.call @again(%v, %c) : (tensor<64xi8>, i1) -> ()
  }
  return
}
func.func @recursive(%x: tensor<64xi8>, %c: i1) -> tensor<64xi8> {
  %v = "my.compute"(%x) : (tensor<64xi8>) -> tensor<64xi8>
  %a = arith.addi %v, %v : tensor<64xi8>
  call @again(%v, %c) : (tensor<64xi8>, i1) -> ()
  %b = arith.addi %a, %x : tensor<64xi8>
  return %b : tensor<64xi8>
}

// -----

// CHECK-LABEL: func.func @runs
// CHECK: %[[V:.*]] = tosa.abs
// CHECK: arith.addi %[[V]], %[[V]]
// CHECK: "my.run"
func.func private @run(%v: tensor<64xi8>) {
  "my.write"(%v) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<64xi8>) -> ()
  return
}
func.func @runs(%x: tensor<64xi8>) -> tensor<64xi8> {
  %v = tosa.abs %x : (tensor<64xi8>) -> tensor<64xi8>
  %a = arith.addi %v, %v : tensor<64xi8>
  "my.run"(%x, %v) {callees = [@run]} : (tensor<64xi8>, tensor<64xi8>) -> ()
  %b = arith.addi %a, %x : tensor<64xi8>
  return %b : tensor<64xi8>
}
