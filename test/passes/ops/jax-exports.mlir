// What exports of StableHLO contain besides its ops: chlo, shardings and barriers.
// Constraints are views, and a barrier passes its operands on where they are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='alignment=64 strict=true' %s -o %t.mlir
// RUN: FileCheck %s <%t.mlir
// RUN: gmem-opt --allow-unregistered-dialect --gmem-verify-plan %t.mlir -o /dev/null
// RUN: gmem-machine %t.mlir

// Two buffers of 4096 bytes: the second is of the barrier's second operand, and then
// of the results of top_k.
// CHECK: peak = 8192 : i64
// CHECK-LABEL: func.func @main
// CHECK: "chlo.erf"{{.*}}kind = "inplace"{{.*}}gmem.offset = array<i64: [[A:[0-9]+]]>
// CHECK: "sdy.sharding_constraint"{{.*}}gmem.offset = array<i64: [[A]]>
// CHECK: "chlo.broadcast_add"{{.*}}kind = "inplace", offset = 0 : i64, operand = 0
// CHECK: "stablehlo.optimization_barrier"{{.*}}kind = "destination"{{.*}}kind = "destination"
// CHECK: "sdy.named_computation"
func.func @main(%x: tensor<32x32xf32>, %y: tensor<32x32xf32>) -> (tensor<32x4xf32>, tensor<32x4xi32>) {
  %c = "sdy.constant"() {value = dense<1.0> : tensor<32xf32>} : () -> tensor<32xf32>
  %0 = "chlo.erf"(%x) : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %1 = "sdy.sharding_constraint"(%0) {sharding = #sdy.sharding<@mesh, [{"x"}, {}]>} : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %2 = "chlo.broadcast_add"(%1, %c) : (tensor<32x32xf32>, tensor<32xf32>) -> tensor<32x32xf32>
  %3:2 = "stablehlo.optimization_barrier"(%2, %y) : (tensor<32x32xf32>, tensor<32x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>)
  %4 = "stablehlo.multiply"(%3#0, %3#1) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %5 = "sdy.named_computation"(%4) ({
  ^bb0(%a: tensor<32x32xf32>):
    %6 = "chlo.tan"(%a) : (tensor<32x32xf32>) -> tensor<32x32xf32>
    "sdy.return"(%6) : (tensor<32x32xf32>) -> ()
  }) {name = "block"} : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %7:2 = "chlo.top_k"(%5) {k = 4 : i64} : (tensor<32x32xf32>) -> (tensor<32x4xf32>, tensor<32x4xi32>)
  return %7#0, %7#1 : tensor<32x4xf32>, tensor<32x4xi32>
}
