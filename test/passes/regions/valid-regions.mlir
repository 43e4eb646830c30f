// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that read neighbours: which elements of their results are valid, and what follows
// for slices, concatenations, reorderings and ops that work element by element.
// RUN: split-file %s %t.d
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='alignment=64 op-models=%t.d/models.mlir' %t.d/net.mlir -o %t
// RUN: FileCheck %s < %t
// RUN: gmem-opt --allow-unregistered-dialect --gmem-verify-plan %t -o /dev/null

// Without a border an op with a kernel of 3 by 3 loses a row and a column on each side;
// with one it does so only where the value before has lost some. A border of one element
// is not enough for a kernel of 5.
// CHECK-LABEL: func.func @blur
// CHECK: "v.blur"(%arg0) {{.*}}gmem.valid_region = [{begin = array<i64: 0, 1, 1, 0>, end = array<i64: 1, 7, 9, 4>}]
// CHECK: "v.blur"(%arg1) {
// CHECK-NOT: gmem.valid_region
// CHECK-SAME: }
// CHECK: "v.five"(%arg1) {{.*}}gmem.valid_region = [{begin = array<i64: 0, 1, 1, 0>, end = array<i64: 1, 7, 9, 4>}]
// CHECK: "v.add"{{.*}}gmem.valid_region = [{begin = array<i64: 0, 1, 1, 0>, end = array<i64: 1, 7, 9, 4>}]
// CHECK: "v.blur"{{.*}}gmem.valid_region = [{begin = array<i64: 0, 2, 2, 0>, end = array<i64: 1, 6, 8, 4>}]
// CHECK: "v.fill"
// CHECK-NOT: gmem.valid_region
// CHECK-SAME: -> tensor

// An argument of which a part is valid; its result is half as large.
// CHECK-LABEL: func.func @half
// CHECK: "v.half"{{.*}}gmem.valid_region = [{begin = array<i64: 2>, end = array<i64: 5>}]

// Sixteen elements at a time: the last eight of 40 are computed only where operand and
// result have room for sixteen.
// CHECK-LABEL: func.func @blocks
// CHECK: "v.vector"(%arg0) {{.*}}gmem.valid_region = [{begin = array<i64: 0>, end = array<i64: 32>}]
// CHECK: "v.vector"(%arg1) {{.*}}gmem.valid_region = [{begin = array<i64: 0>, end = array<i64: 32>}]
// CHECK: "v.vector"(%arg1) {gmem.offset
// CHECK-NOT: gmem.valid_region
// CHECK-SAME: -> tensor

// CHECK-LABEL: func.func @parts
// CHECK: "v.cut"{{.*}}gmem.valid_region = [{begin = array<i64: 0, 1>, end = array<i64: 4, 3>}]
// CHECK: "v.cut"{{.*}} -> tensor<2x2xi8>
// CHECK: "v.cat"{{.*}}gmem.valid_region = [{begin = array<i64: 1, 2>, end = array<i64: 7, 9>}]
// CHECK: "v.turn"{{.*}}gmem.valid_region = [{begin = array<i64: 2, 1>, end = array<i64: 9, 7>}]
// CHECK: "v.expand"{{.*}}gmem.valid_region = [{begin = array<i64: 2, 0, 1>, end = array<i64: 9, 1, 7>}]
// CHECK: "v.put"{{.*}}gmem.valid_region = [{begin = array<i64: 1, 2>, end = array<i64: 7, 5>}]

// JSON, C and images have them, also of values without padding and strides.
// RUN: gmem-translate --gmem-to-json %t -o %t.json
// RUN: python3 -B %root/test/tools/gmem-translate/Inputs/check_plan.py %t.json
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// JSON: "name": "half/%0"
// JSON: "layout": {
// JSON-NEXT: "element": 1,
// JSON: "valid_begin": [
// JSON-NEXT: 2
// JSON: "valid_end": [
// JSON-NEXT: 5
// JSON: "border": "undefined"
// RUN: gmem-translate --gmem-to-c --function=half --name=net %t -o %t.c.d
// RUN: FileCheck %s --check-prefix=HEADER < %t.c.d/net.h
// HEADER: #define NET_HALF_0_VALID_BEGIN {2}
// HEADER-NEXT: #define NET_HALF_0_VALID_END {5}
// RUN: gmem-translate --gmem-to-image %t -o %t.gmem
// RUN: gmem-run %t.gmem | FileCheck %s --check-prefix=IMAGE
// IMAGE-DAG: half/%0  layout: 6 by 1, valid [2,5){{$}}
// IMAGE-DAG: half/%arg0  layout: 12 by 1, valid [3,10){{$}}
// IMAGE-DAG: blur/%arg1  layout: 1 by 480 8 by 48 10 by 4 4 by 1, border constant 0+0 1+1 1+1 0+0{{$}}

// A plan with another region is refused, and one that is made again forgets the old ones.
// RUN: sed 's/begin = array<i64: 2>, end = array<i64: 5>/begin = array<i64: 1>, end = array<i64: 5>/' %t > %t.wrong
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan %t.wrong -o /dev/null 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: gmem.valid_region is not what op models, borders and operands say: plan again
// RUN: sed 's/, gmem.valid_region = {begin = array<i64: 3>, end = array<i64: 10>}//' %t > %t.changed
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan=alignment=64 %t.changed 2>/dev/null | FileCheck %s --check-prefix=AGAIN
// AGAIN-LABEL: func.func @half
// AGAIN: "v.half"
// AGAIN-NOT: gmem.valid_region
// AGAIN-SAME: -> tensor

//--- models.mlir
"gmem.op_model"() {op = "v.blur", valid_region = {kernel = array<i64: 3, 3>, axes = array<i64: 1, 2>}} : () -> ()
"gmem.op_model"() {op = "v.five", valid_region = {kernel = "kernel", axes = array<i64: -3, -2>}} : () -> ()
"gmem.op_model"() {op = "v.add", inplace = "all"} : () -> ()
"gmem.op_model"() {op = "v.fill", valid_region = "full"} : () -> ()
"gmem.op_model"() {op = "v.half", valid_region = {before = array<i64: 0>, after = array<i64: 1>, step = array<i64: 2>}} : () -> ()
"gmem.op_model"() {op = "v.vector", valid_region = {block = array<i64: 16>}} : () -> ()
"gmem.op_model"() {op = "v.blur2", valid_region = {before = "before", after = "after"}} : () -> ()
"gmem.op_model"() {op = "v.cut", slice = {begin = "at", size = "size"}} : () -> ()
"gmem.op_model"() {op = "v.cat", concat = {axis = "axis"}} : () -> ()
"gmem.op_model"() {op = "v.turn", permutation = array<i64: 1, 0>} : () -> ()
"gmem.op_model"() {op = "v.expand", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "v.put", insert = {operand = 0, begin = "at"}, destination = 1} : () -> ()
"gmem.op_model"() {op = "v.shape", kind = "none"} : () -> ()

//--- net.mlir
func.func @blur(%x: tensor<1x8x10x4xi8>,
                %y: tensor<1x8x10x4xi8> {gmem.padding = {before = array<i64: 0, 1, 1, 0>, after = array<i64: 0, 1, 1, 0>, border = "constant"}})
    -> tensor<1x8x10x4xi8> {
  %0 = "v.blur"(%x) : (tensor<1x8x10x4xi8>) -> tensor<1x8x10x4xi8>
  %1 = "v.blur"(%y) : (tensor<1x8x10x4xi8>) -> tensor<1x8x10x4xi8>
  %2 = "v.five"(%y) {kernel = array<i64: 5, 5>} : (tensor<1x8x10x4xi8>) -> tensor<1x8x10x4xi8>
  %3 = "v.add"(%0, %1) {gmem.padding = [{before = array<i64: 0, 1, 1, 0>, after = array<i64: 0, 1, 1, 0>, border = "replicate"}]}
    : (tensor<1x8x10x4xi8>, tensor<1x8x10x4xi8>) -> tensor<1x8x10x4xi8>
  %4 = "v.blur"(%3) : (tensor<1x8x10x4xi8>) -> tensor<1x8x10x4xi8>
  %5 = "v.fill"(%4, %2) : (tensor<1x8x10x4xi8>, tensor<1x8x10x4xi8>) -> tensor<1x8x10x4xi8>
  return %5 : tensor<1x8x10x4xi8>
}
func.func @half(%x: tensor<12xi8> {gmem.valid_region = {begin = array<i64: 3>, end = array<i64: 10>}}) -> tensor<6xi8> {
  %0 = "v.half"(%x) : (tensor<12xi8>) -> tensor<6xi8>
  %1 = "v.shape"(%x) : (tensor<12xi8>) -> tensor<1xi32>
  "v.use"(%1) : (tensor<1xi32>) -> ()
  return %0 : tensor<6xi8>
}
func.func @blocks(%x: tensor<40xi8>, %y: tensor<40xi8> {gmem.padding = {after = array<i64: 8>}}) -> tensor<40xi8> {
  %0 = "v.vector"(%x) {gmem.padding = [{after = array<i64: 8>}]} : (tensor<40xi8>) -> tensor<40xi8>
  %1 = "v.vector"(%y) {gmem.padding = [{after = array<i64: 7>}]} : (tensor<40xi8>) -> tensor<40xi8>
  %2 = "v.vector"(%y) {gmem.padding = [{after = array<i64: 8>}]} : (tensor<40xi8>) -> tensor<40xi8>
  %3 = "v.add"(%0, %1) : (tensor<40xi8>, tensor<40xi8>) -> tensor<40xi8>
  %4 = "v.fill"(%3, %2) : (tensor<40xi8>, tensor<40xi8>) -> tensor<40xi8>
  return %4 : tensor<40xi8>
}
func.func @parts(%x: tensor<8x6xi8>, %y: tensor<8x3xi8>) -> tensor<8x6xi8> {
  %0 = "v.blur2"(%x) {before = array<i64: 1, 2>, after = array<i64: 1, 1>} : (tensor<8x6xi8>) -> tensor<8x6xi8>
  %1 = "v.cut"(%0) {at = array<i64: 2, 1>, size = array<i64: 4, 3>} : (tensor<8x6xi8>) -> tensor<4x3xi8>
  %2 = "v.cut"(%0) {at = array<i64: 4, 2>, size = array<i64: 2, 2>} : (tensor<8x6xi8>) -> tensor<2x2xi8>
  %3 = "v.blur2"(%x) {before = array<i64: 1, 2>, after = array<i64: 0, 0>} : (tensor<8x6xi8>) -> tensor<8x6xi8>
  %4 = "v.blur2"(%y) {before = array<i64: 0, 0>, after = array<i64: 1, 0>} : (tensor<8x3xi8>) -> tensor<8x3xi8>
  %5 = "v.cat"(%3, %4) {axis = 1} : (tensor<8x6xi8>, tensor<8x3xi8>) -> tensor<8x9xi8>
  %6 = "v.turn"(%5) : (tensor<8x9xi8>) -> tensor<9x8xi8>
  %7 = "v.expand"(%6) : (tensor<9x8xi8>) -> tensor<9x1x8xi8>
  %8 = "v.put"(%2, %0) {at = array<i64: 0, 0>} : (tensor<2x2xi8>, tensor<8x6xi8>) -> tensor<8x6xi8>
  "v.use"(%1, %7) : (tensor<4x3xi8>, tensor<9x1x8xi8>) -> ()
  return %8 : tensor<8x6xi8>
}
