// What is hoisted is a question of size, and of what happens to the value.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: gmem-opt --allow-unregistered-dialect --gmem-hoist-constants='op-models=%S/Inputs/my.mlir alignment=64 weight-alignment=64' --split-input-file %s 2>%t.err | FileCheck %s
// RUN: FileCheck %s --input-file=%t.err --check-prefix=SAYS
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='op-models=%S/Inputs/my.mlir alignment=64 weight-alignment=64 constants=hoist' --split-input-file %s -o /dev/null 2>/dev/null

// One original for three values that are as large as it together.
// SAYS:       remark: @parts_init computes 3 values of 12288 bytes {{.*}}constants that requests read 12288 -> 12288 bytes; 12288 bytes of
// CHECK-LABEL: func.func @parts(
// CHECK-NOT:   "my.table"(%
func.func @parts(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %w = "my.table"() : () -> tensor<3x32x32xf32>
  %a = "my.turn"(%w) {at = 0} : (tensor<3x32x32xf32>) -> tensor<32x32xf32>
  %b = "my.turn"(%w) {at = 1} : (tensor<3x32x32xf32>) -> tensor<32x32xf32>
  %c = "my.turn"(%w) {at = 2} : (tensor<3x32x32xf32>) -> tensor<32x32xf32>
  %0 = "my.use"(%x, %a) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %1 = "my.use"(%0, %b) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %2 = "my.use"(%1, %c) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  return %2 : tensor<32x32xf32>
}

// -----

// Weights of a byte that are widened: all four would make constants 9216 bytes
// larger, and requests save the 4096 of one. The turned ones are hoisted, as
// that takes no space.
// SAYS:       remark: @widened_init computes 4 values of 4096 bytes {{.*}}constants that requests read 4096 -> 4096 bytes
// SAYS-COUNT-4: note: my.turn, 1024 bytes, is computed once
// SAYS-COUNT-4: note: my.widen, 4096 bytes, stays: constants would grow by more than requests save
// CHECK-LABEL: func.func @widened(
// CHECK-NOT:   "my.turn"(%
// CHECK-COUNT-4: "my.widen"(%
func.func @widened(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %w0 = "my.table"() {at = 0} : () -> tensor<32x32xi8>
  %w1 = "my.table"() {at = 1} : () -> tensor<32x32xi8>
  %w2 = "my.table"() {at = 2} : () -> tensor<32x32xi8>
  %w3 = "my.table"() {at = 3} : () -> tensor<32x32xi8>
  %t0 = "my.turn"(%w0) : (tensor<32x32xi8>) -> tensor<32x32xi8>
  %a0 = "my.widen"(%t0) : (tensor<32x32xi8>) -> tensor<32x32xf32>
  %0 = "my.use"(%x, %a0) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %t1 = "my.turn"(%w1) : (tensor<32x32xi8>) -> tensor<32x32xi8>
  %a1 = "my.widen"(%t1) : (tensor<32x32xi8>) -> tensor<32x32xf32>
  %1 = "my.use"(%0, %a1) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %t2 = "my.turn"(%w2) : (tensor<32x32xi8>) -> tensor<32x32xi8>
  %a2 = "my.widen"(%t2) : (tensor<32x32xi8>) -> tensor<32x32xf32>
  %2 = "my.use"(%1, %a2) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %t3 = "my.turn"(%w3) : (tensor<32x32xi8>) -> tensor<32x32xi8>
  %a3 = "my.widen"(%t3) : (tensor<32x32xi8>) -> tensor<32x32xf32>
  %3 = "my.use"(%2, %a3) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  return %3 : tensor<32x32xf32>
}

// -----

// At the peak two widened ones are live at once: hoisting both adds 6144 bytes
// of constants and saves 8192.
// SAYS:       remark: @peak_init computes 2 values of 8192 bytes {{.*}}live at once 16384 -> 8192 bytes, constants that requests read 2048 -> 8192 bytes
// CHECK-LABEL: func.func @peak(
// CHECK-NOT:   "my.widen"(%
func.func @peak(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %w0 = "my.table"() {at = 0} : () -> tensor<32x32xi8>
  %w1 = "my.table"() {at = 1} : () -> tensor<32x32xi8>
  %a0 = "my.widen"(%w0) : (tensor<32x32xi8>) -> tensor<32x32xf32>
  %a1 = "my.widen"(%w1) : (tensor<32x32xi8>) -> tensor<32x32xf32>
  %0 = "my.use"(%x, %a0, %a1) : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  return %0 : tensor<32x32xf32>
}

// -----

// What is written over stays, here and where an element-wise op lets the result
// take the place of the value: hoisting it would only add a constant.
// SAYS-NOT:   remark: @over
// CHECK-LABEL: func.func @over(
// CHECK-COUNT-2: "my.turn"(%
func.func @over(%x: tensor<32x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>) {
  %w = "my.table"() : () -> tensor<32x32xf32>
  %a = "my.turn"(%w) {at = 0} : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %0 = "my.into"(%x, %a) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %b = "my.turn"(%w) {at = 1} : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %1 = "my.over"(%b, %x) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  return %0, %1 : tensor<32x32xf32>, tensor<32x32xf32>
}

// -----

// Types without a memref of the same bytes, values that are returned or carried
// by a loop, unknown ops, and ops with a request of their own.
// SAYS:       remark: @stay_init computes 1 value of 4096 bytes
// SAYS:       note: my.turn, 4096 bytes, is computed once
// SAYS-DAG:   note: my.turn, 4096 bytes, stays: control flow passes it on
// SAYS-DAG:   note: my.turn, 4096 bytes, stays: control flow passes it on
// SAYS-DAG:   note: my.turn, 128 bytes, stays: its type has no memref of the same bytes
// CHECK-LABEL: func.func @stay_init()
// CHECK-COUNT-1: "my.turn"(%
// CHECK-LABEL: func.func @stay(
// CHECK:       "my.turn"(%{{.*}}at = 0
// CHECK:       "my.turn"(%{{.*}}at = 1
// CHECK:       "my.turn"(%{{.*}}at = 2
// CHECK:       "my.random"(%
// CHECK:       "my.turn"(%{{.*}}at = 3
func.func @stay(%x: tensor<32x32xf32>, %n: index) -> (tensor<32x32xf32>, tensor<32x32xf32>) {
  %w = "my.table"() : () -> tensor<32x32xf32>
  %i = "my.table"() : () -> tensor<32x32xi1>
  %a = "my.turn"(%w) {at = 0} : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %b = "my.turn"(%i) {at = 1} : (tensor<32x32xi1>) -> tensor<32x32xi1>
  %c = "my.turn"(%w) {at = 2} : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %d = "my.random"(%w) : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %e = "my.turn"(%w) {at = 3, gmem.stream = 0 : i64} : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %v = "my.table"() : () -> tensor<32x32xf32>
  %f = "my.turn"(%v) {at = 4} : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %k = %zero to %n step %one iter_args(%s = %c) -> tensor<32x32xf32> {
    %t = "my.use"(%s, %b, %d, %e, %x, %f) : (tensor<32x32xf32>, tensor<32x32xi1>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.yield %t : tensor<32x32xf32>
  }
  return %a, %r : tensor<32x32xf32>, tensor<32x32xf32>
}

// -----

// Inside of a loop: what is computed in every iteration.
// SAYS:       remark: @loop_init computes 1 value of 4096 bytes
// CHECK-LABEL: func.func @loop(
// CHECK:       scf.for
// CHECK-NOT:   "my.turn"(%
// CHECK:       memref.get_global @loop_constant_0
func.func @loop(%x: tensor<32x32xf32>, %n: index) -> tensor<32x32xf32> {
  %w = "my.table"() : () -> tensor<32x32xf32>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %k = %zero to %n step %one iter_args(%s = %x) -> tensor<32x32xf32> {
    %f = "my.turn"(%w) : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %t = "my.use"(%s, %f) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.yield %t : tensor<32x32xf32>
  }
  return %r : tensor<32x32xf32>
}

// -----

// A division is not moved out of a branch: with these constants it may trap.
// SAYS-NOT:   remark: @branch
// CHECK-LABEL: func.func @branch(
// CHECK:       scf.if
// CHECK:       arith.divsi
func.func @branch(%x: tensor<32x32xi32>, %p: i1) -> tensor<32x32xi32> {
  %w = "my.table"() {at = 0} : () -> tensor<32x32xi32>
  %v = "my.table"() {at = 1} : () -> tensor<32x32xi32>
  %r = scf.if %p -> tensor<32x32xi32> {
    %q = arith.divsi %w, %v : tensor<32x32xi32>
    %t = "my.use"(%x, %q) : (tensor<32x32xi32>, tensor<32x32xi32>) -> tensor<32x32xi32>
    scf.yield %t : tensor<32x32xi32>
  } else {
    scf.yield %x : tensor<32x32xi32>
  }
  return %r : tensor<32x32xi32>
}

// -----

// A large value made from a scalar is computed where it is used first, not
// before.
// SAYS:       remark: @late_init computes 1 value
// CHECK-LABEL: func.func @late(
// CHECK:       "my.use"(%
// CHECK:       "my.tile"(%
// CHECK-NEXT:  "my.use"(%
func.func @late(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %w = "my.table"() : () -> tensor<32x32xf32>
  %s = arith.constant dense<1.0> : tensor<1x1xf32>
  %b = "my.tile"(%s) : (tensor<1x1xf32>) -> tensor<32x32xf32>
  %f = "my.turn"(%w) : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %0 = "my.use"(%x, %f) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %1 = "my.use"(%0, %b) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  return %1 : tensor<32x32xf32>
}

// -----

// A constant that stands for an input: the network is not computed ahead.
// CHECK-NOT:   remark: @input
// CHECK-LABEL: func.func @input(
// CHECK:       stablehlo.transpose
func.func @input() -> tensor<32x32xf32> {
  %w = "iree.unfoldable_constant"() {value = dense<1.0> : tensor<32x32xf32>} : () -> tensor<32x32xf32>
  %f = "stablehlo.transpose"(%w) : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %0 = "my.use"(%f) : (tensor<32x32xf32>) -> tensor<32x32xf32>
  return %0 : tensor<32x32xf32>
}
