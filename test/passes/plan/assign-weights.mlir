// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// In MLIR 19 tosa has other ops and attributes.
// RUN: gmem-opt --allow-unregistered-dialect --gmem-assign-weights %s | FileCheck %s
// RUN: gmem-opt --allow-unregistered-dialect --gmem-assign-weights='weight-alignment=64 weight-base=0x10000' %s | FileCheck %s --check-prefix=ALIGN

// Weights lie one after the other in walk order, 4096-aligned unless told
// otherwise; equal ones are not joined, and no other op gets an address.

// CHECK: gmem.pool_table = [{alignment = 4096 : i64, base = 0 : i64, kind = "constant", lower_bound = 12289 : i64, name = "weights", size = 12304 : i64}]
// ALIGN: alignment = 64 : i64, base = 65536 : i64, kind = "constant", lower_bound = 193 : i64, name = "weights", size = 208 : i64
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: arith.constant {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 16>} dense<1.0
  // ALIGN: gmem.offset = array<i64: 0>
  %0 = arith.constant dense<1.0> : tensor<4xf32>
  // CHECK: "tosa.const"{{.*}}gmem.offset = array<i64: 4096>, gmem.pool = ["weights"], gmem.size = array<i64: 5>
  // ALIGN: gmem.offset = array<i64: 64>
  %1 = "tosa.const"() {values = dense<1> : tensor<5xi8>} : () -> tensor<5xi8>
  // A scalar constant is no weight.
  // CHECK: arith.constant 1 : i32
  %2 = arith.constant 1 : i32
  // CHECK: "a.op"(%arg0) : (tensor<4xf32>)
  %3 = "a.op"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  %4 = func.call @callee(%3) : (tensor<4xf32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

func.func private @callee(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: "top.Weight"{{.*}}gmem.offset = array<i64: 8192>
  // ALIGN: gmem.offset = array<i64: 128>
  %0 = "top.Weight"() : () -> tensor<3xi1>
  // CHECK: "top.Weight"{{.*}}gmem.offset = array<i64: 12288>
  // ALIGN: gmem.offset = array<i64: 192>
  %1 = "top.Weight"() : () -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
