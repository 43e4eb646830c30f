// A reshape between values of different sizes was taken for a view by the check
// of contents alone, which rejected the plan. It copies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan=alignment=64 %s -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: gmem-opt --allow-unregistered-dialect --gmem-verify-plan %t.mlir -o /dev/null

// Both are live at the copy, which reads what it does not write.
// RUN: sed 's/gmem.offset = array<i64: 12288>/gmem.offset = array<i64: 0>/' %t.mlir > %t.over.mlir
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan %t.over.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=OVER
// OVER: error: {{.*}}share bytes [0, 12288)

module attributes {gmem.op_models = "\22gmem.type_model\22() {encoding = \22#my.tiles\22, round = array<i64: 32, 32>} : () -> ()"} {
// Rows are rounded up to 32: 12 to 32, and 3, four times, to 128.
// CHECK-LABEL: func.func @split
// CHECK: "my.matmul"{{.*}}gmem.offset = array<i64: [[FROM:[0-9]+]]>{{.*}}gmem.size = array<i64: 12288>
// CHECK: "my.reshape"{{.*}}gmem.offset = array<i64: [[TO:[0-9]+]]>{{.*}}gmem.size = array<i64: 49152>
// The same size: a view.
// CHECK: "my.reshape"{{.*}}gmem.offset = array<i64: [[TO]]>{{.*}}gmem.size = array<i64: 49152>
func.func @split(%x: tensor<12x96xf32, #my.tiles>) -> tensor<1x4x3x96xf32, #my.tiles> {
  %0 = "my.matmul"(%x) {gmem.op_model = {}} : (tensor<12x96xf32, #my.tiles>) -> tensor<12x96xf32, #my.tiles>
  %1 = "my.reshape"(%0) {gmem.op_model = {kind = "reshape"}} : (tensor<12x96xf32, #my.tiles>) -> tensor<4x3x96xf32, #my.tiles>
  %2 = "my.reshape"(%1) {gmem.op_model = {kind = "reshape"}} : (tensor<4x3x96xf32, #my.tiles>) -> tensor<1x4x3x96xf32, #my.tiles>
  return %2 : tensor<1x4x3x96xf32, #my.tiles>
}
}
