// Constants that are arguments, or that an initialisation and a request read:
// one place, stated by gmem.constant.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='op-models=%S/Inputs/my.mlir alignment=64 weight-alignment=64 constants=hoist constant-budget=16K' %s -o %t.mlir 2>/dev/null
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: gmem-opt --allow-unregistered-dialect --gmem-verify-plan %t.mlir -o /dev/null 2>&1 | count 0

// Two constants at one place are an error unless they are stated to be one.
// RUN: sed 's/"my.table"() {gmem.constant = [0-9] : i64, /"my.table"() {/' %t.mlir > %t.two.mlir
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan=only=contents %t.two.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan=only=placement %t.two.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=OVERLAP
// TWO:     error: {{.*}}they are different constants
// OVERLAP: error: result #0 of 'my.table' is in pool 'weights' but may only be in 'init.weights'

// An argument that the request does not read any more is not needed while the
// program runs; one that both read is.
// CHECK-LABEL: func.func @main_init(
// CHECK-SAME:    %{{.*}}: tensor<32x32xf32> {gmem.constant = [[A:[0-9]+]] : i64, gmem.offset = [[AT:[0-9]+]] : i64, gmem.pool = "init.weights"
// CHECK-SAME:    %{{.*}}: tensor<32x32xf32> {gmem.constant = [[B:[0-9]+]] : i64, gmem.offset = [[BT:[0-9]+]] : i64, gmem.pool = "weights"
// CHECK:         "my.table"() {gmem.constant = [[C:[0-9]+]] : i64, gmem.offset = array<i64: [[CT:[0-9]+]]>, gmem.pool = ["weights"]
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    {gmem.constant = [[A]] : i64, gmem.offset = [[AT]] : i64, gmem.pool = "init.weights"
// CHECK-SAME:    {gmem.constant = [[B]] : i64, gmem.offset = [[BT]] : i64, gmem.pool = "weights"
// CHECK:         "my.table"() {gmem.constant = [[C]] : i64, gmem.offset = array<i64: [[CT]]>, gmem.pool = ["weights"]
// CHECK-NOT:     my.turn
func.func @main(%x: tensor<32x32xf32>, %a: tensor<32x32xf32> {gmem.weight},
    %b: tensor<32x32xf32> {gmem.weight}) -> tensor<32x32xf32> {
  %c = "my.table"() : () -> tensor<32x32xf32>
  %0 = "my.turn"(%a) {at = 0} : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %1 = "my.turn"(%b) {at = 1} : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %2 = "my.turn"(%c) {at = 2} : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %3 = "my.use"(%x, %0, %1, %2, %b, %c) : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  return %3 : tensor<32x32xf32>
}
