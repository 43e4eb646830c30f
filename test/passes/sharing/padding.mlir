// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='op-models=%S/Inputs/alias-models.mlir alignment=16 view-alignment=16' %s -o %t
// RUN: FileCheck %s < %t
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-verify-plan %t -o /dev/null

// Bytes around values that operators may touch.

// 1. Both sides count. In front they are rounded up to the alignment, so that
//    payload and buffer are aligned both; behind there is nothing to round.
//    What is padded behind alone has its payload where its buffer begins.
// CHECK: peak = 163
// CHECK-LABEL: func.func @sides
// CHECK-SAME: %arg0: tensor<16xi32> {gmem.offset = 0 : i64, gmem.padding = array<i64: 0, 5>, gmem.pool = "tensors", gmem.size = 69 : i64}
func.func @sides(%a: tensor<16xi32> {gmem.padding = array<i64: 0, 5>}) {
  // CHECK: "a.op"{{.*}} {gmem.offset = array<i64: 80>, gmem.padding = {{.*}}, gmem.payload_offset = array<i64: 112>, gmem.pool = ["tensors"], gmem.size = array<i64: 83>}
  %0 = "a.op"(%a) {gmem.padding = [array<i64: 17, 7>]} : (tensor<16xi32>) -> tensor<11xi32>
  "a.use"(%0) : (tensor<11xi32>) -> ()
  return
}

// -----

// 2. Of several results one is padded: the others say where they are, too, and
//    what has no memory says -1.
// CHECK-LABEL: func.func @results
func.func @results() {
  // CHECK: gmem.offset = array<i64: [[A:[0-9]+]], -1, [[B:[0-9]+]]>, gmem.padding = {{.*}}, gmem.payload_offset = array<i64: {{[0-9]+}}, -1, [[B]]>, gmem.pool = ["tensors", "", "tensors"], gmem.size = array<i64: 80, -1, 64>
  %0:3 = "a.op"() {gmem.padding = [array<i64: 16, 0>, array<i64: 0, 0>, array<i64: 0, 0>]} : () -> (tensor<16xi32>, index, tensor<16xi32>)
  "a.use"(%0#0, %0#2) : (tensor<16xi32>, tensor<16xi32>) -> ()
  return
}

// -----

// 3. A reshape shares the payload. Its class has the most that any of its values
//    asks for on each side.
// CHECK-LABEL: func.func @reshape
func.func @reshape(%a: tensor<16xi32> {gmem.padding = array<i64: 32, 8>}) {
  // CHECK-SAME: gmem.offset = 0 : i64, {{.*}}gmem.payload_offset = 32 : i64, {{.*}}gmem.size = 120 : i64
  // CHECK: tensor.expand_shape{{.*}}gmem.offset = array<i64: 0>, {{.*}}gmem.payload_offset = array<i64: 32>, {{.*}}gmem.size = array<i64: 120>
  %0 = tensor.expand_shape %a [[0, 1]] output_shape [4, 4] {gmem.padding = [array<i64: 16, 24>]} : tensor<16xi32> into tensor<4x4xi32>
  "a.use"(%0) : (tensor<4x4xi32>) -> ()
  return
}

// -----

// 4. What a call passes is one class: padded as the callee needs it.
// CHECK-LABEL: func.func @calls
func.func @calls() -> tensor<16xi32> {
  // CHECK: "a.op"{{.*}}gmem.payload_offset = array<i64: [[AT:[0-9]+]]>, {{.*}}gmem.size = array<i64: 96>
  %0 = "a.op"() : () -> tensor<16xi32>
  %1 = func.call @callee(%0) : (tensor<16xi32>) -> tensor<16xi32>
  return %1 : tensor<16xi32>
}
// CHECK-LABEL: func.func private @callee
// CHECK-SAME: gmem.payload_offset = [[AT]] : i64
func.func private @callee(%a: tensor<16xi32> {gmem.padding = array<i64: 16, 16>}) -> tensor<16xi32> {
  %0 = "a.op"(%a) : (tensor<16xi32>) -> tensor<16xi32>
  return %0 : tensor<16xi32>
}

// -----

// 5. Blocks: a carried value and where it comes from.
// CHECK-LABEL: func.func @loop
func.func @loop(%n: index, %a: tensor<16xi32>) -> tensor<16xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<16xi32>) {
    // CHECK: "t.relu"{{.*}}gmem.payload_offset
    %1 = "t.relu"(%x) {gmem.padding = [array<i64: 16, 16>]} : (tensor<16xi32>) -> tensor<16xi32>
    scf.yield %1 : tensor<16xi32>
  // The argument lies in what is written over it: at its payload.
  // CHECK: gmem.block_args = [{block = 0 : i64, offset = array<i64: -1, 16>, pool = ["", "tensors"], region = 0 : i64, size = array<i64: -1, 64>}]
  } {gmem.padding = [array<i64: 16, 16>]}
  return %0 : tensor<16xi32>
}

// -----

// 6. A result that is not padded lies over the payload of an operand that is,
//    and the other way round.
// CHECK: peak = 112
// CHECK-LABEL: func.func @over_payload
func.func @over_payload(%a: tensor<16xi32> {gmem.padding = array<i64: 16, 32>}) {
  // CHECK: "t.relu"{{.*}}gmem.alias = [{kind = "inplace", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 16>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>
  %0 = "t.relu"(%a) : (tensor<16xi32>) -> tensor<16xi32>
  // CHECK: "t.relu"{{.*}}gmem.alias = {{.*}}gmem.offset = array<i64: 0>, {{.*}}gmem.payload_offset = array<i64: 16>
  %1 = "t.relu"(%0) {gmem.padding = [array<i64: 16, 32>]} : (tensor<16xi32>) -> tensor<16xi32>
  "a.use"(%1) : (tensor<16xi32>) -> ()
  return
}

// -----

// 7. Both are padded: less on both sides lies in more on both sides.
// CHECK: peak = 128
// CHECK-LABEL: func.func @less_in_more
func.func @less_in_more(%a: tensor<16xi32> {gmem.padding = array<i64: 16, 8>}) {
  // CHECK: "t.relu"{{.*}}kind = "inplace"
  %0 = "t.relu"(%a) {gmem.padding = [array<i64: 32, 32>]} : (tensor<16xi32>) -> tensor<16xi32>
  "a.use"(%0) : (tensor<16xi32>) -> ()
  return
}

// -----

// 8. More on one side and less on the other: neither buffer contains the other,
//    so that the padding of one would reach beyond what is its own.
// CHECK-LABEL: func.func @askew
func.func @askew(%a: tensor<16xi32> {gmem.padding = array<i64: 16, 32>}) {
  // CHECK: "t.relu"
  // CHECK-NOT: kind = "inplace"
  // CHECK: "a.use"
  %0 = "t.relu"(%a) {gmem.padding = [array<i64: 32, 16>]} : (tensor<16xi32>) -> tensor<16xi32>
  "a.use"(%0) : (tensor<16xi32>) -> ()
  return
}

// -----

// 9. A slice in a padded whole lies in its payload.
// CHECK: peak = 96
// CHECK-LABEL: func.func @slice
func.func @slice(%a: tensor<16xi32> {gmem.padding = array<i64: 16, 16>}) {
  // CHECK: tensor.extract_slice{{.*}}gmem.alias = [{kind = "slice", offset = 32 : i64, {{.*}}gmem.offset = array<i64: 48>
  %0 = tensor.extract_slice %a[8] [8] [1] : tensor<16xi32> to tensor<8xi32>
  "a.use"(%0) : (tensor<8xi32>) -> ()
  "a.use"(%a) : (tensor<16xi32>) -> ()
  return
}

// -----

// 10. A slice that is padded may touch what lies around it: that are bytes of
//     the whole, which is read again, and so it gets memory of its own.
// CHECK-LABEL: func.func @padded_slice
func.func @padded_slice(%a: tensor<16xi32>) {
  // CHECK: tensor.extract_slice
  // CHECK-NOT: kind = "slice"
  // CHECK: "a.use"
  %0 = tensor.extract_slice %a[8] [4] [1] {gmem.padding = [array<i64: 0, 4>]} : tensor<16xi32> to tensor<4xi32>
  "a.use"(%0) : (tensor<4xi32>) -> ()
  "a.use"(%a) : (tensor<16xi32>) -> ()
  return
}

// -----

// 11. At the end of the whole its padding lies in that of the whole.
// CHECK: peak = 80
// CHECK-LABEL: func.func @last_slice
func.func @last_slice(%a: tensor<16xi32> {gmem.padding = array<i64: 0, 16>}) {
  // CHECK: tensor.extract_slice{{.*}}kind = "slice", offset = 48
  %0 = tensor.extract_slice %a[12] [4] [1] {gmem.padding = [array<i64: 0, 16>]} : tensor<16xi32> to tensor<4xi32>
  "a.use"(%0) : (tensor<4xi32>) -> ()
  "a.use"(%a) : (tensor<16xi32>) -> ()
  return
}

// -----

// 12. Of the parts of a concatenation the first may be padded in front and the
//     last behind, where the whole is; one that is padded towards another is
//     copied.
// CHECK-LABEL: func.func @concat
func.func @concat() {
  %0 = "a.op"() {gmem.padding = [array<i64: 16, 0>]} : () -> tensor<4xi32>
  %1 = "a.op"() {gmem.padding = [array<i64: 0, 4>]} : () -> tensor<4xi32>
  %2 = "a.op"() {gmem.padding = [array<i64: 0, 4>]} : () -> tensor<4xi32>
  // CHECK: tensor.concat{{.*}}gmem.alias = [{kind = "concat", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}, {kind = "concat", offset = 32 : i64, operand = 2 : i64, result = 0 : i64}]
  %3 = tensor.concat dim(0) %0, %1, %2 {gmem.padding = [array<i64: 16, 8>]} : (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<12xi32>
  "a.use"(%3) : (tensor<12xi32>) -> ()
  return
}

// -----

// 13. gmem.fixed is where the buffer begins.
// CHECK-LABEL: func.func @fixed
// CHECK-SAME: gmem.offset = 160 : i64, {{.*}}gmem.payload_offset = 176 : i64
func.func @fixed(%a: tensor<16xi32> {gmem.padding = array<i64: 16, 0>, gmem.fixed = 160 : i64}) {
  "a.use"(%a) : (tensor<16xi32>) -> ()
  return
}

// -----

// 14. What is returned in the memory of an argument has its padding, and gives
//     it its own.
// CHECK: peak = 88
// CHECK-LABEL: func.func @cache
// CHECK-SAME: gmem.offset = 0 : i64, {{.*}}gmem.payload_offset = 16 : i64, {{.*}}gmem.size = 88 : i64
func.func @cache(%a: tensor<16xi32> {gmem.padding = array<i64: 16, 0>}) -> (tensor<16xi32> {gmem.same_as = 0 : i64}) {
  // CHECK: "t.relu"{{.*}}gmem.offset = array<i64: 0>, {{.*}}gmem.payload_offset = array<i64: 16>, {{.*}}gmem.size = array<i64: 88>
  %0 = "t.relu"(%a) {gmem.padding = [array<i64: 0, 8>]} : (tensor<16xi32>) -> tensor<16xi32>
  return %0 : tensor<16xi32>
}

// -----

// 15. Memrefs: each has an alignment of its own.
// CHECK-LABEL: func.func @memref
func.func @memref(%x: memref<16xi32>) {
  // CHECK: memref.alloc() {gmem.offset = array<i64: 0>, gmem.padding = {{.*}}, gmem.payload_offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 136>}
  %a = memref.alloc() {gmem.padding = [array<i64: 1, 8>]} : memref<16xi32>
  memref.copy %x, %a : memref<16xi32> to memref<16xi32>
  memref.copy %a, %x : memref<16xi32> to memref<16xi32>
  return
}

// -----

// 16. No bytes with some around them, and paddings of nothing.
// CHECK-LABEL: func.func @empty
// CHECK-SAME: gmem.offset = 0 : i64, gmem.padding = array<i64: 0, 0>, gmem.pool = "tensors", gmem.size = 64 : i64
func.func @empty(%a: tensor<16xi32> {gmem.padding = array<i64: 0, 0>}) {
  // CHECK: "a.op"{{.*}}gmem.size = array<i64: 24>
  %0 = "a.op"(%a) {gmem.padding = [array<i64: 16, 8>]} : (tensor<16xi32>) -> tensor<0xi32>
  "a.use"(%0) : (tensor<0xi32>) -> ()
  return
}
