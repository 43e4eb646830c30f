// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='op-models=%S/Inputs/alias-models.mlir' %s | FileCheck %s

// Results that are written over an operand that dies, element by element.

// 1. The operand dies at the op: one tensor is enough.
// CHECK: peak = 4096
// CHECK-LABEL: func.func @dies
func.func @dies(%a: tensor<1024xi32>) -> tensor<1024xi32> {
  // CHECK: "t.relu"{{.*}}gmem.alias = [{kind = "inplace", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 0>
  %0 = "t.relu"(%a) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %0 : tensor<1024xi32>
}

// -----

// 2. The operand is read once more: the result needs memory of its own.
// CHECK: peak = 8196
// CHECK-LABEL: func.func @lives
func.func @lives(%a: tensor<1024xi32>) -> (tensor<1024xi32>, tensor<1xi32>) {
  // CHECK: "t.relu"
  // CHECK-NOT: kind = "inplace"
  %0 = "t.relu"(%a) : (tensor<1024xi32>) -> tensor<1024xi32>
  %1 = "a.op"(%a) : (tensor<1024xi32>) -> tensor<1xi32>
  return %0, %1 : tensor<1024xi32>, tensor<1xi32>
}

// -----

// 3. An op without a model reads all before it writes anything: nothing shares.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @unknown
func.func @unknown(%a: tensor<1024xi32>) -> tensor<1024xi32> {
  // CHECK-NOT: kind = "inplace"
  %0 = "a.op"(%a) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %0 : tensor<1024xi32>
}

// -----

// 4. The second operand dies, the first does not.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @second
func.func @second(%a: tensor<1024xi32>, %b: tensor<1024xi32>) -> tensor<1024xi32> {
  // CHECK: "t.add"{{.*}}gmem.alias = [{kind = "inplace", offset = 0 : i64, operand = 1 : i64, result = 0 : i64}]
  %0 = "t.add"(%a, %b) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  // CHECK: "t.add"{{.*}}gmem.alias = [{kind = "inplace"
  %1 = "t.add"(%0, %a) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  return %1 : tensor<1024xi32>
}

// -----

// 5. A broadcast operand is smaller than the result: one of its elements is
// read many times.
// CHECK: peak = 12288
// CHECK-LABEL: func.func @broadcast
func.func @broadcast(%a: tensor<1024xi32>, %b: tensor<2x1024xi32>) -> (tensor<2x1024xi32>) {
  // CHECK: "t.add"{{.*}}operand = 1 : i64
  %0 = "t.add"(%a, %b) : (tensor<1024xi32>, tensor<2x1024xi32>) -> tensor<2x1024xi32>
  return %0 : tensor<2x1024xi32>
}

// -----

// 6. Axes of one element do not matter.
// CHECK: peak = 4096
// CHECK-LABEL: func.func @unit_axes
func.func @unit_axes(%a: tensor<1x32x1x32xi32>) -> tensor<32x32xi32> {
  // CHECK: "t.relu"{{.*}}gmem.alias
  %0 = "t.relu"(%a) : (tensor<1x32x1x32xi32>) -> tensor<32x32xi32>
  return %0 : tensor<32x32xi32>
}

// -----

// 7. As many bytes, but other elements: the third would be read behind the
// place where it was overwritten.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @elements
func.func @elements(%a: tensor<2048xi16>) -> tensor<1024xi32> {
  // CHECK-NOT: kind = "inplace"
  %0 = "t.relu"(%a) : (tensor<2048xi16>) -> tensor<1024xi32>
  return %0 : tensor<1024xi32>
}

// -----

// 8. As many elements and bytes, but another shape.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @shape
func.func @shape(%a: tensor<16x64xi32>) -> tensor<64x16xi32> {
  // CHECK-NOT: kind = "inplace"
  %0 = "t.relu"(%a) : (tensor<16x64xi32>) -> tensor<64x16xi32>
  return %0 : tensor<64x16xi32>
}

// -----

// 9. Three elements of one bit and of two bits take a byte each, but the third
// is at another place.
// CHECK: peak = 4097
// CHECK-LABEL: func.func @bits
func.func @bits(%a: tensor<3xi1>) -> tensor<3xi2> {
  // CHECK-NOT: kind = "inplace"
  %0 = "t.relu"(%a) : (tensor<3xi1>) -> tensor<3xi2>
  return %0 : tensor<3xi2>
}

// -----

// 10. An encoding may say that elements lie in another order, even if its size
// is stated; an integer is an address and says nothing.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @encoding
func.func @encoding(%a: tensor<32x32xi32, "tiled"> {gmem.bytes = 4096 : i64}) -> tensor<32x32xi32> {
  // CHECK-NOT: kind = "inplace"
  %0 = "t.relu"(%a) : (tensor<32x32xi32, "tiled">) -> tensor<32x32xi32>
  return %0 : tensor<32x32xi32>
}

// -----

// CHECK: peak = 4096
// CHECK-LABEL: func.func @address
func.func @address(%a: tensor<32x32xi32, 4096 : i64>) -> tensor<32x32xi32> {
  // CHECK: "t.relu"{{.*}}gmem.alias
  %0 = "t.relu"(%a) : (tensor<32x32xi32, 4096 : i64>) -> tensor<32x32xi32>
  return %0 : tensor<32x32xi32>
}

// -----

// 11. The operand twice, and once read in another order: not over it.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @twice
func.func @twice(%a: tensor<1024xi32>, %s: tensor<1xi32>) -> tensor<1024xi32> {
  // CHECK-NOT: kind = "inplace"
  %0 = "t.addt"(%a, %a, %s) : (tensor<1024xi32>, tensor<1024xi32>, tensor<1xi32>) -> tensor<1024xi32>
  return %0 : tensor<1024xi32>
}

// -----

// 12. The same through a reshape, which is the same memory.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @twice_reshaped
func.func @twice_reshaped(%a: tensor<1024xi32>, %s: tensor<1xi32>) -> tensor<1024xi32> {
  // CHECK-NOT: kind = "inplace"
  %r = "tpu.Reshape"(%a) : (tensor<1024xi32>) -> tensor<32x32xi32>
  %0 = "t.addt"(%r, %a, %s) : (tensor<32x32xi32>, tensor<1024xi32>, tensor<1xi32>) -> tensor<1024xi32>
  return %0 : tensor<1024xi32>
}

// -----

// 13. Twice, both element by element, and as an operand that is not read.
// CHECK: peak = 4096
// CHECK-LABEL: func.func @twice_alike
func.func @twice_alike(%a: tensor<1024xi32>) -> tensor<1024xi32> {
  // CHECK: "t.add"{{.*}}gmem.alias
  %0 = "t.add"(%a, %a) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  return %0 : tensor<1024xi32>
}

// -----

// CHECK: peak = 8192
// CHECK-LABEL: func.func @unread
func.func @unread(%a: tensor<1024xi32>, %b: tensor<1024xi32>) -> tensor<1024xi32> {
  // CHECK: "t.addt"{{.*}}gmem.alias = [{kind = "inplace", offset = 0 : i64, operand = 1 : i64, result = 0 : i64}]
  %0 = "t.addt"(%a, %b, %b) : (tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  return %0 : tensor<1024xi32>
}

// -----

// 14. Nothing is written over a constant.
// CHECK: kind = "workspace", lower_bound = 4096
// CHECK-LABEL: func.func @weight
func.func @weight() -> tensor<1024xi32> {
  // CHECK-NOT: kind = "inplace"
  %w = arith.constant dense<1> : tensor<1024xi32>
  %0 = "t.relu"(%w) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %0 : tensor<1024xi32>
}

// -----

// 15. A layer group reads and writes slice by slice: no model of an op in it
// holds for its global tensors.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @group
func.func @group(%a: tensor<1024xi32>) -> tensor<1024xi32> {
  // CHECK-NOT: kind = "inplace"
  %0 = "t.relu"(%a) {gmem.layer_group = 1} : (tensor<1024xi32>) -> tensor<1024xi32>
  return %0 : tensor<1024xi32>
}

// -----

// 16. In a loop that runs again, what was there before it is read again.
// CHECK: peak = 8196
// CHECK-LABEL: func.func @loop
func.func @loop(%a: tensor<1024xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // CHECK-NOT: gmem.alias
    %0 = "t.relu"(%a) : (tensor<1024xi32>) -> tensor<1024xi32>
    %1 = "a.op"(%0) : (tensor<1024xi32>) -> tensor<1xi32>
  }
  return
}

// -----

// 17. linalg.generic by its maps: %a and %b are read where the result is
// written, but %b in another order; only %a can be written over.
// CHECK: peak = 12288
// CHECK-LABEL: func.func @generic
#id = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
func.func @generic(%a: tensor<32x32xi32>, %b: tensor<32x32xi32>, %e: tensor<32x32xi32>) -> (tensor<32x32xi32>, tensor<32x32xi32>) {
  // CHECK: linalg.generic
  // CHECK-SAME: gmem.alias = [{kind = "inplace", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}]
  %0 = linalg.generic {indexing_maps = [#id, #t, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<32x32xi32>, tensor<32x32xi32>) outs(%e : tensor<32x32xi32>) attrs = {gmem.op_model = {kind = "scalar_body", inplace = "map", destination = "trailing"}} {
  ^bb0(%x: i32, %y: i32, %z: i32):
    %s = arith.addi %x, %y : i32
    linalg.yield %s : i32
  } -> tensor<32x32xi32>
  return %0, %e : tensor<32x32xi32>, tensor<32x32xi32>
}

// -----

// 18. The body reads %a by itself, anywhere: not over it.
// CHECK: peak = 12288
// CHECK-LABEL: func.func @captured
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @captured(%a: tensor<32x32xi32>, %e: tensor<32x32xi32>) -> (tensor<32x32xi32>, tensor<32x32xi32>) {
  // CHECK-NOT: kind = "inplace"
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<32x32xi32>) outs(%e : tensor<32x32xi32>) attrs = {gmem.op_model = {kind = "scalar_body", inplace = "map", destination = "trailing"}} {
  ^bb0(%x: i32, %z: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %y = tensor.extract %a[%j, %i] : tensor<32x32xi32>
    %s = arith.addi %x, %y : i32
    linalg.yield %s : i32
  } -> tensor<32x32xi32>
  return %0, %e : tensor<32x32xi32>, tensor<32x32xi32>
}

// -----

// 19. A chain of them is one buffer.
// CHECK: peak = 4096
// CHECK-LABEL: func.func @chain
func.func @chain(%a: tensor<1024xi32>) -> tensor<1024xi32> {
  // CHECK-COUNT-3: gmem.alias = [{kind = "inplace"
  %0 = "t.relu"(%a) : (tensor<1024xi32>) -> tensor<1024xi32>
  %1 = "tpu.Reshape"(%0) : (tensor<1024xi32>) -> tensor<32x32xi32>
  %2 = "t.relu"(%1) : (tensor<32x32xi32>) -> tensor<32x32xi32>
  %3 = "t.relu"(%2) : (tensor<32x32xi32>) -> tensor<1x32x32xi32>
  %4 = "tpu.Reshape"(%3) : (tensor<1x32x32xi32>) -> tensor<1024xi32>
  return %4 : tensor<1024xi32>
}

// -----

// 20. A result that nobody reads was put over an operand that is read again:
// the two are live together at the op alone, but the op writes all the same.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @unread_result
func.func @unread_result(%a: tensor<1024xi32>) -> tensor<1024xi32> {
  // CHECK-NOT: kind = "inplace"
  %0 = "t.relu"(%a) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %a : tensor<1024xi32>
}

// -----

// 21. As 17, but it is %b alone that dies.
// CHECK: peak = 16384
// CHECK-LABEL: func.func @generic_other_order
#id = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
func.func @generic_other_order(%a: tensor<32x32xi32>, %b: tensor<32x32xi32>, %e: tensor<32x32xi32>) -> (tensor<32x32xi32>, tensor<32x32xi32>, tensor<32x32xi32>) {
  // CHECK-NOT: kind = "inplace"
  %0 = linalg.generic {indexing_maps = [#id, #t, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<32x32xi32>, tensor<32x32xi32>) outs(%e : tensor<32x32xi32>) {
  ^bb0(%x: i32, %y: i32, %z: i32):
    %s = arith.addi %x, %y : i32
    linalg.yield %s : i32
  } -> tensor<32x32xi32>
  return %0, %a, %e : tensor<32x32xi32>, tensor<32x32xi32>, tensor<32x32xi32>
}

// -----

// 22. 0 is the only index on an axis of size 1.
// CHECK: peak = 4096
// CHECK-LABEL: func.func @unit_axis
#all = affine_map<(d0, d1) -> (d0, d1)>
#unit = affine_map<(d0, d1) -> (0, d1)>
func.func @unit_axis(%a: tensor<1x1024xi32>) -> tensor<1x1024xi32> {
  %e = tensor.empty() : tensor<1x1024xi32>
  // CHECK: kind = "inplace"
  %0 = linalg.generic {indexing_maps = [#unit, #all], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<1x1024xi32>) outs(%e : tensor<1x1024xi32>) {
  ^bb0(%x: i32, %z: i32):
    linalg.yield %x : i32
  } -> tensor<1x1024xi32>
  return %0 : tensor<1x1024xi32>
}

// -----

// 23. All rows of the result read the first row of the operand: not over it.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @first_row
#all = affine_map<(d0, d1) -> (d0, d1)>
#first = affine_map<(d0, d1) -> (0, d1)>
func.func @first_row(%a: tensor<32x32xi32>) -> tensor<32x32xi32> {
  %e = tensor.empty() : tensor<32x32xi32>
  // CHECK-NOT: kind = "inplace"
  %0 = linalg.generic {indexing_maps = [#first, #all], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<32x32xi32>) outs(%e : tensor<32x32xi32>) {
  ^bb0(%x: i32, %z: i32):
    linalg.yield %x : i32
  } -> tensor<32x32xi32>
  return %0 : tensor<32x32xi32>
}
