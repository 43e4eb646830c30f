// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='op-models=%S/Inputs/alias-models.mlir' %s | FileCheck %s

// Results that are written into the operand that their op is given for them.

// 1. The operand dies: the result is in its place.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @dies
func.func @dies(%a: tensor<1024xi32>, %d: tensor<1024xi32>) -> tensor<1024xi32> {
  // CHECK: "t.into"{{.*}}gmem.alias = [{kind = "destination", offset = 0 : i64, operand = 1 : i64, result = 0 : i64}]
  %0 = "t.into"(%a, %d) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  return %0 : tensor<1024xi32>
}

// -----

// 2. Its contents are wanted later: the op must copy them.
// CHECK: peak = 12288
// CHECK-LABEL: func.func @lives
func.func @lives(%a: tensor<1024xi32>, %d: tensor<1024xi32>) -> (tensor<1024xi32>, tensor<1024xi32>) {
  // CHECK-NOT: kind = "destination"
  %0 = "t.into"(%a, %d) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  return %0, %d : tensor<1024xi32>, tensor<1024xi32>
}

// -----

// 3. The same memory is read through another operand in any order.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @read
func.func @read(%d: tensor<1024xi32>) -> tensor<1024xi32> {
  // CHECK-NOT: kind = "destination"
  %0 = "t.into"(%d, %d) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  return %0 : tensor<1024xi32>
}

// -----

// 4. Through another operand, element by element.
// CHECK: peak = 4096
// CHECK-LABEL: func.func @read_alike
func.func @read_alike(%d: tensor<1024xi32>) -> tensor<1024xi32> {
  // CHECK: "t.addinto"{{.*}}gmem.alias = [{kind = "destination", offset = 0 : i64, operand = 1 : i64, result = 0 : i64}]
  %0 = "t.addinto"(%d, %d) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  return %0 : tensor<1024xi32>
}

// -----

// 5. Two results, two destinations.
// CHECK: peak = 12288
// CHECK-LABEL: func.func @two
func.func @two(%a: tensor<1024xi32>, %d: tensor<1024xi32>, %e: tensor<1024xi32>) -> (tensor<1024xi32>, tensor<1024xi32>) {
  // CHECK: "t.into"{{.*}}gmem.alias = [{kind = "destination", offset = 0 : i64, operand = 1 : i64, result = 0 : i64}, {kind = "destination", offset = 0 : i64, operand = 2 : i64, result = 1 : i64}]
  %0:2 = "t.into"(%a, %d, %e) : (tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>) -> (tensor<1024xi32>, tensor<1024xi32>)
  return %0#0, %0#1 : tensor<1024xi32>, tensor<1024xi32>
}

// -----

// 6. One destination for two results: what the second one starts from would be
// overwritten by the first.
// CHECK: peak = 16384
// CHECK-LABEL: func.func @shared
func.func @shared(%a: tensor<1024xi32>, %d: tensor<1024xi32>) -> (tensor<1024xi32>, tensor<1024xi32>) {
  // CHECK-NOT: kind = "destination"
  %0:2 = "t.into"(%a, %d, %d) : (tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>) -> (tensor<1024xi32>, tensor<1024xi32>)
  return %0#0, %0#1 : tensor<1024xi32>, tensor<1024xi32>
}

// -----

// 7. By number, and nothing is written into a constant.
// CHECK: kind = "workspace", lower_bound = 8192
// CHECK-LABEL: func.func @number
func.func @number(%a: tensor<1024xi32>, %b: tensor<1024xi32>) -> tensor<1024xi32> {
  %w = arith.constant dense<0> : tensor<1024xi32>
  // CHECK: "t.into0"{{.*}}gmem.alias = [{kind = "destination", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}]
  %0 = "t.into0"(%a, %b) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  // CHECK: "t.into0"
  // CHECK-NOT: kind = "destination"
  %1 = "t.into0"(%w, %0) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  return %1 : tensor<1024xi32>
}

// -----

// 8. Another shape is another tensor; the same type with a dynamic dimension is
// the same one.
// CHECK: peak = 12288
// CHECK-LABEL: func.func @shape
func.func @shape(%a: tensor<1024xi32>, %d: tensor<16x64xi32>) -> tensor<64x16xi32> {
  // CHECK-NOT: kind = "destination"
  %0 = "t.into"(%a, %d) : (tensor<1024xi32>, tensor<16x64xi32>) -> tensor<64x16xi32>
  return %0 : tensor<64x16xi32>
}

// -----

// 9. A result that nobody reads is written all the same.
// CHECK: peak = 12288
// CHECK-LABEL: func.func @unread_result
func.func @unread_result(%a: tensor<1024xi32>, %d: tensor<1024xi32>) -> tensor<1024xi32> {
  // CHECK-NOT: kind = "destination"
  %0 = "t.into"(%a, %d) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  return %d : tensor<1024xi32>
}

// -----

// 10. With fewer operands than results, results were written into operands that
// are not theirs.
// CHECK-LABEL: func.func @too_few
func.func @too_few(%a: tensor<1024xi32>) -> tensor<1024xi32> {
  // CHECK-NOT: kind = "destination"
  %0:2 = "t.into"(%a) : (tensor<1024xi32>) -> (tensor<1024xi32>, tensor<1024xi32>)
  return %0#1 : tensor<1024xi32>
}

// -----

// 11. The op reads its destination once more, through a list of tensors: this plan
// was made, and refused by the check of contents.
// CHECK-LABEL: func.func @list
func.func @list(%x: tensor<64xi64>, %v: tensor<64xi64>) -> tensor<64xi64> {
  %f = "torch.constant.bool"() {value = 0 : i1} : () -> !torch.bool
  %a = "torch.aten.abs"(%x) : (tensor<64xi64>) -> tensor<64xi64>
  // CHECK: torch.aten.index_put
  // CHECK-NOT: kind = "destination"
  %l = "torch.prim.ListConstruct"(%a) : (tensor<64xi64>) -> !torch.list<vtensor>
  %ll = "torch.prim.ListConstruct"(%l) : (!torch.list<vtensor>) -> !torch.list<list<vtensor>>
  %b = "torch.aten.index_put"(%a, %ll, %v, %f) : (tensor<64xi64>, !torch.list<list<vtensor>>, tensor<64xi64>, !torch.bool) -> tensor<64xi64>
  %m = "torch.prim.ListConstruct"(%v) : (tensor<64xi64>) -> !torch.list<vtensor>
  // CHECK: torch.prim.ListConstruct
  // CHECK-NEXT: torch.aten.index_put{{.*}}kind = "destination"
  %c = "torch.aten.index_put"(%b, %m, %v, %f) : (tensor<64xi64>, !torch.list<vtensor>, tensor<64xi64>, !torch.bool) -> tensor<64xi64>
  return %c : tensor<64xi64>
}
