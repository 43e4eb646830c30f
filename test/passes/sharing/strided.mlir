// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views with strides: slices and operands of concatenations along an inner axis, whose
// ops take strides.
// RUN: split-file %s %t.d
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='alignment=64 op-models=%t.d/models.mlir' %t.d/net.mlir -o %t 2>/dev/null
// RUN: FileCheck %s < %t
// RUN: gmem-opt --allow-unregistered-dialect --gmem-verify-plan=only=placement %t -o /dev/null
// RUN: gmem-opt --allow-unregistered-dialect --gmem-verify-plan=only=contents %t -o /dev/null
// RUN: gmem-machine %t

// The pieces that take strides lie in the concatenation, and so does the slice; the
// concatenation copies the third. 2560 bytes instead of 3072.
// CHECK: peak = 2560
// CHECK: "s.make"{{.*}}gmem.offset = array<i64: 0>{{.*}}gmem.size = array<i64: 1536>, gmem.strides = [{first = 0 : i64, pitch = 192 : i64, size = 1536 : i64, strides = array<i64: 192, 1>}]
// CHECK: "s.make"{{.*}}gmem.offset = array<i64: 0>{{.*}}gmem.strides = [{first = 64 : i64, pitch = 192 : i64, size = 1536 : i64, strides = array<i64: 192, 1>}]
// CHECK: "s.other"{{.*}}gmem.size = array<i64: 512>
// CHECK: "s.cat"{{.*}}gmem.alias = [{kind = "concat", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}, {kind = "concat", offset = 0 : i64, operand = 1 : i64, result = 0 : i64}]
// CHECK: "s.cut"{{.*}}gmem.alias = [{kind = "slice", offset = 384 : i64, operand = 0 : i64, result = 0 : i64}]{{.*}}gmem.strides = [{first = 64 : i64, pitch = 192 : i64, size = 768 : i64, strides = array<i64: 192, 1>}]
// CHECK: "s.make"{{.*}}gmem.size = array<i64: 512>
// CHECK-NOT: gmem.strides

// JSON and C have the strides and the address of the first element.
// RUN: gmem-translate --gmem-to-json %t -o %t.json
// RUN: python3 -B %root/test/tools/gmem-translate/Inputs/check_plan.py %t.json
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: gmem-translate --gmem-to-image %t -o %t.gmem
// RUN: gmem-run %t.gmem | FileCheck %s --check-prefix=IMAGE --match-full-lines
// IMAGE: tensors 0x0 1536 {{.*}} main/%1  layout: 8 by 192 64 by 1

// JSON: "name": "main/%1"
// JSON: "offset": 0,
// JSON: "payload_offset": 64,
// JSON-NEXT: "payload_size": 1408,
// JSON: "strides": [
// JSON-NEXT: 192,
// RUN: gmem-translate --gmem-to-c --name=net %t -o %t.c.d
// RUN: FileCheck %s --check-prefix=HEADER < %t.c.d/net.h
// HEADER: #define NET_MAIN_1_OFFSET UINT32_C(64)
// HEADER: #define NET_MAIN_1_STRIDES {192, 1}
// RUN: gmem-translate --gmem-to-image %t -o %t.gmem
// RUN: gmem-run %t.gmem --requests 2

// Options that leave nothing to share, another alignment of views, and ops that take no
// strides: copies, as ever.
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='alignment=64 sharing=none op-models=%t.d/models.mlir' %t.d/net.mlir 2>/dev/null | FileCheck %s --check-prefix=NONE
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='alignment=64 view-alignment=128 sharing=concat op-models=%t.d/models.mlir' %t.d/net.mlir 2>/dev/null | FileCheck %s --check-prefix=FEWER
// RUN: sed 's/strided_operands = array<i64: 0>, //' %t.d/models.mlir > %t.unread
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='alignment=64 sharing=slice op-models=%t.unread' %t.d/net.mlir 2>/dev/null | FileCheck %s --check-prefix=NONE
// NONE-NOT: gmem.strides
// FEWER: "s.make"{{.*}}first = 0
// FEWER-NOT: gmem.strides

// A program that is planned again, with other options, keeps nothing of it.
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='alignment=64 sharing=none' %t 2>/dev/null | FileCheck %s --check-prefix=NONE

// gmem-order-ops drops gmem.strides of an earlier plan, too: an op takes no strides now.
// RUN: sed 's/"s.cut"/"s.none"/' %t > %t.changed
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='alignment=64 order=best' %t.changed -o /dev/null

// The view of the plan is not the only one possible: with other alignment or kinds of
// sharing, the slice is a view, and not the piece of the concatenation.
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='alignment=64 op-models=%t.d/all.mlir' %t.d/either.mlir -o %t.either 2>/dev/null
// RUN: FileCheck %s --check-prefix=EITHER < %t.either
// RUN: gmem-opt --allow-unregistered-dialect --gmem-verify-plan %t.either -o /dev/null
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='alignment=64 view-alignment=1 op-models=%t.d/all.mlir' %t.d/either.mlir 2>/dev/null | gmem-opt --allow-unregistered-dialect --gmem-verify-plan -o /dev/null
// EITHER: "s.cut"{{.*}}gmem.strides = [{first = 0 : i64, pitch = 128 : i64

// Negative controls. Other columns than those of the concatenation, a user that takes no
// strides, strides that are none: both checkers refuse them, and the machine the first two.
// RUN: sed 's/first = 64 : i64, pitch = 192 : i64, size = 1536/first = 0 : i64, pitch = 192 : i64, size = 1536/' %t > %t.over
// RUN: not cmp -s %t %t.over
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan=only=placement %t.over -o /dev/null 2>&1 | FileCheck %s --check-prefix=NO-PART
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan=only=contents %t.over -o /dev/null 2>&1 | FileCheck %s --check-prefix=NO-STRIDES
// RUN: not gmem-machine %t.over
// NO-PART: error: gmem.strides: result #0 is no such part of a tensor, or an op that uses it does not take strides; plan again
// NO-STRIDES: error: does not take strides, but operand #1 has some: plan again
// RUN: sed 's/"s.cut"/"s.none"/' %t > %t.none
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan=only=placement %t.none -o /dev/null 2>&1 | FileCheck %s --check-prefix=NO-PART
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan=only=contents %t.none -o /dev/null 2>&1 | FileCheck %s --check-prefix=NO-RESULT
// NO-RESULT: error: does not take strides, but result #0 has some: plan again
// A slice that the plan moves out of its tensor is made by the op, which takes no strides
// of its result: both checkers and the machine accepted that.
// RUN: sed 's/size = 2560/size = 4096/; /"s.cut"/s/gmem.alias = [^]]*\], gmem.offset = array<i64: [0-9]*>/gmem.offset = array<i64: 2560>/' %t > %t.moved
// RUN: grep '"s.cut".*gmem.offset = array<i64: 2560>' %t.moved
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan %t.moved -o /dev/null 2>&1 | FileCheck %s --check-prefix=NO-RESULT
// RUN: not gmem-machine %t.moved
// RUN: sed 's/pitch = 192/pitch = 0/' %t > %t.zero
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan=only=placement %t.zero -o /dev/null 2>&1 | FileCheck %s --check-prefix=NO-PART
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan=only=contents %t.zero -o /dev/null 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: error: result #0 has a gmem.size of 1536 bytes but a type of 512 bytes: plan again

// A list that does not fit the results, or is none.
// RUN: sed -E 's/(gmem.strides = \[\{first = 64 [^]]*)\]/\1, {}]/' %t > %t.long
// RUN: not cmp -s %t %t.long
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan=only=placement %t.long -o /dev/null 2>&1 | FileCheck %s --check-prefix=NO-PART
// RUN: sed 's/"s.other"(%arg0) {/"s.other"(%arg0) {gmem.strides = 7, /' %t > %t.seven
// RUN: not cmp -s %t %t.seven
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan=only=placement %t.seven -o /dev/null 2>&1 | FileCheck %s --check-prefix=NO-PART
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan=only=contents %t.seven -o /dev/null 2>&1 | FileCheck %s --check-prefix=MALFORMED
// MALFORMED: error: gmem.padding or gmem.strides of result #0 is malformed: plan again

// A sub-tensor of a tensor with padding per dimension: rows of it, and columns.
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='alignment=64 view-alignment=1 op-models=%t.d/models.mlir' %t.d/padded.mlir -o %t.padded 2>/dev/null
// RUN: FileCheck %s --check-prefix=PADDED < %t.padded
// RUN: gmem-opt --allow-unregistered-dialect --gmem-verify-plan %t.padded -o /dev/null
// RUN: gmem-machine %t.padded
// PADDED: "s.other"{{.*}}gmem.payload_offset = array<i64: 64>
// PADDED: "s.cut"{{.*}}gmem.alias = [{kind = "slice", offset = 12 : i64{{.*}}gmem.offset = array<i64: 76>{{.*}}gmem.strides = [{first = 0 : i64, pitch = 12 : i64, size = 20 : i64, strides = array<i64: 12, 1>}]
// PADDED: "s.cut"{{.*}}gmem.offset = array<i64: 64>{{.*}}gmem.strides = [{first = 2 : i64, pitch = 12 : i64, size = 44 : i64, strides = array<i64: 12, 1>}]

//--- models.mlir
"gmem.op_model"() {op = "s.make", strided_operands = array<i64: 0>, strided_results = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "s.cat", concat = {axis = "axis"}} : () -> ()
"gmem.op_model"() {op = "s.cut", slice = {begin = "at"}} : () -> ()
//--- all.mlir
"gmem.op_model"() {op = "s.make", strided_operands = array<i64: 0>, strided_results = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "s.cat", concat = {axis = "axis"}, strided_operands = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "s.cut", slice = {begin = "at"}, strided_operands = array<i64: 0>, strided_results = array<i64: 0>} : () -> ()
//--- either.mlir
func.func @main(%a: tensor<8x64xi8>) -> (tensor<8x64xi8>, tensor<8x192xi8>) {
  %0 = "s.make"(%a) : (tensor<8x64xi8>) -> tensor<8x192xi8>
  %1 = "s.cut"(%0) {at = [0, 32]} : (tensor<8x192xi8>) -> tensor<8x64xi8>
  %2 = "s.make"(%a) : (tensor<8x64xi8>) -> tensor<8x64xi8>
  %3 = "s.cat"(%1, %2) {axis = 1} : (tensor<8x64xi8>, tensor<8x64xi8>) -> tensor<8x128xi8>
  %4 = "s.make"(%3) : (tensor<8x128xi8>) -> tensor<8x192xi8>
  %5 = "s.make"(%0) : (tensor<8x192xi8>) -> tensor<8x64xi8>
  return %5, %4 : tensor<8x64xi8>, tensor<8x192xi8>
}
//--- net.mlir
func.func @main(%a: tensor<8x64xi8>) -> tensor<8x64xi8> {
  %0 = "s.make"(%a) {test.strided} : (tensor<8x64xi8>) -> tensor<8x64xi8>
  %1 = "s.make"(%a) {test.strided} : (tensor<8x64xi8>) -> tensor<8x64xi8>
  %2 = "s.other"(%a) : (tensor<8x64xi8>) -> tensor<8x64xi8>
  %3 = "s.cat"(%0, %1, %2) {axis = 1, test.does = "join", test.part = 0, test.axis = 1} : (tensor<8x64xi8>, tensor<8x64xi8>, tensor<8x64xi8>) -> tensor<8x192xi8>
  %4 = "s.cut"(%3) {at = [2, 64], test.does = "slice", test.part = 0, test.begin = array<i64: 2, 64>} : (tensor<8x192xi8>) -> tensor<4x64xi8>
  %5 = "s.make"(%4) {test.strided} : (tensor<4x64xi8>) -> tensor<8x64xi8>
  return %5 : tensor<8x64xi8>
}
//--- padded.mlir
func.func @main(%a: tensor<4x8xi8>) -> (tensor<4x8xi8>, tensor<4x8xi8>) {
  %0 = "s.other"(%a) {gmem.padding = [{before = array<i64: 0, 2>, after = array<i64: 0, 2>}]} : (tensor<4x8xi8>) -> tensor<4x8xi8>
  %1 = "s.cut"(%0) {at = [1, 0], test.does = "slice", test.part = 0, test.begin = array<i64: 1, 0>} : (tensor<4x8xi8>) -> tensor<2x8xi8>
  %2 = "s.cut"(%0) {at = [0, 2], test.does = "slice", test.part = 0, test.begin = array<i64: 0, 2>} : (tensor<4x8xi8>) -> tensor<4x4xi8>
  %3 = "s.make"(%1) {test.strided} : (tensor<2x8xi8>) -> tensor<4x8xi8>
  %4 = "s.make"(%2) {test.strided} : (tensor<4x4xi8>) -> tensor<4x8xi8>
  return %3, %4 : tensor<4x8xi8>, tensor<4x8xi8>
}
