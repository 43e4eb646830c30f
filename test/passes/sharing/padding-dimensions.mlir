// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gmem.padding per dimension: elements around a tensor, with strides. Values of
// other layouts do not share its memory.
// RUN: split-file %s %t.d
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan=alignment=16 %t.d/good.mlir -o %t
// RUN: FileCheck %s < %t
// RUN: gmem-opt --allow-unregistered-dialect --gmem-verify-plan=only=placement %t -o /dev/null
// RUN: gmem-opt --allow-unregistered-dialect --gmem-verify-plan=only=contents %t -o /dev/null
// RUN: gmem-machine %t

// JSON and C have the strides and the border.
// RUN: gmem-translate --gmem-to-json %t -o %t.json
// RUN: python3 %root/test/tools/gmem-translate/Inputs/check_plan.py %t.json
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// JSON: "name": "image",
// JSON: "payload_size": 18,
// JSON: "layout": {
// JSON-NEXT: "element": 1,
// JSON-NEXT: "sizes": [
// JSON: "border": "replicate"
// JSON: "name": "main/%1"
// JSON: "layout": null

// Negative controls: results over operands whose elements are elsewhere, and a
// place without room for what is around. Both checkers and the machine find them.
// RUN: sed '/tosa.bitwise_not/s/gmem.offset = array<i64: [0-9]*>/gmem.offset = array<i64: 0>/; /tosa.bitwise_not/s/gmem.payload_offset = array<i64: [0-9]*>/gmem.payload_offset = array<i64: 16>/' %t > %t.over
// RUN: not cmp -s %t %t.over
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan=only=placement %t.over -o /dev/null 2>&1 | FileCheck %s --check-prefix=OVER-PLACE
// OVER-PLACE: error: {{.*}}share bytes
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan=only=contents %t.over -o /dev/null 2>&1 | FileCheck %s --check-prefix=OVER
// OVER: error: {{.*}}tosa.abs{{.*}}overwritten bytes
// RUN: not gmem-machine %t.over | FileCheck %s --check-prefix=MACHINE
// MACHINE: 'tosa.abs'
// RUN: sed 's/\(bitwise_not %%arg0 {\).*gmem.padding/\1gmem.alias = [{kind = "inplace", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 0>, gmem.padding/; /@same_span/s/gmem.offset = [0-9]*/gmem.offset = 0/' %t > %t.gaps
// RUN: not cmp -s %t %t.gaps
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan=only=placement %t.gaps -o /dev/null 2>&1 | FileCheck %s --check-prefix=GAPS-PLACE
// GAPS-PLACE: error: {{.*}}share bytes [0, 16)
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan=only=contents %t.gaps -o /dev/null 2>&1 | FileCheck %s --check-prefix=GAPS
// GAPS: error: {{.*}}tosa.bitwise_not{{.*}}overwritten bytes [0, 14)
// RUN: not gmem-machine %t.gaps | FileCheck %s --check-prefix=GAPS-MACHINE
// GAPS-MACHINE: @same_span: 'tosa.bitwise_not' claims an alias {{.*}} of values whose elements are not at the same places
// RUN: sed '/t.conv/s/gmem.size = array<i64: [0-9]*>/gmem.size = array<i64: 35>/' %t > %t.small
// RUN: not cmp -s %t %t.small
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan=only=placement %t.small -o /dev/null 2>&1 | FileCheck %s --check-prefix=SMALL
// SMALL: error: {{.*}}type plus padding
// RUN: not gmem-machine %t.small | FileCheck %s --check-prefix=ROOM
// ROOM: a place without room for its gmem.padding

// RUN: not gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan %t.d/bad.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=BAD

//--- good.mlir
// The buffer is that of 5x7 elements: 8 before the first one, 18 from there to
// the last one, 9 behind it.
// CHECK: func.func @main
// CHECK-SAME: gmem.size = 43 : i64
func.func @main(%image: tensor<3x4xi8> {gmem.padding = {before = array<i64: 1, 1>, after = array<i64: 1, 2>, border = "replicate"}} loc("image")) -> tensor<3x4xi8> {
  // CHECK: t.conv{{.*}}gmem.size = array<i64: 36>
  %0 = "t.conv"(%image) {gmem.padding = [{after = array<i64: 1, 5>}]} : (tensor<3x4xi8>) -> tensor<3x4xi8>
  // The same gaps: over its operand.
  // CHECK: tosa.abs{{.*}}kind = "inplace"
  %1 = tosa.abs %0 {gmem.padding = [{after = array<i64: 1, 5>, border = "constant"}]} : (tensor<3x4xi8>) -> tensor<3x4xi8>
  // Other gaps: elsewhere, also if the bytes are as many.
  // CHECK: tosa.bitwise_not
  // CHECK-NOT: kind =
  // CHECK: tosa.abs
  %2 = tosa.bitwise_not %1 {gmem.padding = [{before = array<i64: 0, 2>, after = array<i64: 1, 3>}]} : (tensor<3x4xi8>) -> tensor<3x4xi8>
  // CHECK-NOT: kind =
  // CHECK: return
  %3 = tosa.abs %2 : (tensor<3x4xi8>) -> tensor<3x4xi8>
  return %3 : tensor<3x4xi8>
}
// A part of a padded tensor, and one in a padded tensor, are copied.
// CHECK: func.func @parts
// CHECK-NOT: gmem.alias
// CHECK: return
func.func @parts(%a: tensor<4x4xi8> {gmem.padding = {after = array<i64: 0, 2>}}) -> (tensor<2x4xi8>, tensor<8x4xi8>) {
  %0 = tensor.extract_slice %a[1, 0] [2, 4] [1, 1] : tensor<4x4xi8> to tensor<2x4xi8>
  %1 = tensor.concat dim(0) %a, %a {gmem.padding = [{after = array<i64: 0, 2>}]} : (tensor<4x4xi8>, tensor<4x4xi8>) -> tensor<8x4xi8>
  return %0, %1 : tensor<2x4xi8>, tensor<8x4xi8>
}
// As many bytes from the first element to the last one, and other gaps.
// CHECK: func.func @same_span
// CHECK-NOT: kind =
// CHECK: return
func.func @same_span(%a: tensor<2x2x2xi8> {gmem.padding = {after = array<i64: 0, 0, 2>}}) -> tensor<2x2x2xi8> {
  %0 = tosa.bitwise_not %a {gmem.padding = [{after = array<i64: 0, 3, 0>}]} : (tensor<2x2x2xi8>) -> tensor<2x2x2xi8>
  return %0 : tensor<2x2x2xi8>
}

//--- bad.mlir
// BAD: error: gmem.padding must be {before = array<i64>, after = array<i64>, border = "undefined", "constant" or "replicate"} with non-negative numbers
func.func @rank(%a: tensor<4x4xi8> {gmem.padding = {before = array<i64: 1>}}) {
  return
}

// -----

// BAD: error: gmem.padding must be {before
func.func @negative(%a: tensor<4xi8> {gmem.padding = {before = array<i64: -1>}}) {
  return
}

// -----

// BAD: error: gmem.padding must be {before
func.func @border(%a: tensor<4xi8> {gmem.padding = {after = array<i64: 1>, border = "mirror"}}) {
  return
}

// -----

// BAD: error: gmem.padding must be {before
func.func @key(%a: tensor<4xi8> {gmem.padding = {before = array<i64: 1>, behind = array<i64: 1>}}) {
  return
}

// -----

// BAD: error: gmem.padding must be {before
func.func @bits(%a: tensor<8xi1> {gmem.padding = {before = array<i64: 1>}}) {
  return
}

// -----

// BAD: error: gmem.padding must be {before
func.func @large(%a: tensor<4x4xi8> {gmem.padding = {before = array<i64: 4611686018427387904, 2>}}) {
  return
}

// -----

// BAD: error: gmem.padding per dimension: 'tensor.expand_shape' passes values on as they are, operand #0 included; let an op that copies it make the padded value
func.func @reshape(%a: tensor<4xi8> {gmem.padding = {before = array<i64: 1>}}) -> tensor<2x2xi8> {
  %0 = tensor.expand_shape %a [[0, 1]] output_shape [2, 2] : tensor<4xi8> into tensor<2x2xi8>
  return %0 : tensor<2x2xi8>
}

// -----

// BAD: error: gmem.padding per dimension: 'scf.yield' passes values on as they are, operand #0 included
func.func @loop(%n: index, %a: tensor<4xi8>) -> tensor<4xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<4xi8>) {
    %1 = "t.op"(%x) {gmem.padding = [{before = array<i64: 1>}]} : (tensor<4xi8>) -> tensor<4xi8>
    scf.yield %1 : tensor<4xi8>
  }
  return %0 : tensor<4xi8>
}

// -----

// Also an op that MLIR does not know, at the end of a block.
// BAD: error: gmem.padding per dimension: 't.yield' passes values on as they are, operand #0 included
func.func @unknown(%a: tensor<4xi8> {gmem.padding = {before = array<i64: 1>}}) -> tensor<4xi8> {
  %0 = "t.if"() ({
    "t.yield"(%a) : (tensor<4xi8>) -> ()
  }) {gmem.op_model = {kind = "branch"}} : () -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

// BAD: error: gmem.padding per dimension: argument #0 is passed by calls of this function
func.func private @callee(%a: tensor<4xi8> {gmem.padding = {before = array<i64: 1>}}) {
  return
}
func.func @caller(%a: tensor<4xi8>) {
  call @callee(%a) : (tensor<4xi8>) -> ()
  return
}

// -----

// BAD: error: gmem.padding per dimension: 'func.return' passes values on as they are, operand #0 included
func.func private @returns() -> tensor<4xi8> {
  %0 = "t.op"() {gmem.padding = [{before = array<i64: 1>}]} : () -> tensor<4xi8>
  return %0 : tensor<4xi8>
}
func.func @gets() -> tensor<4xi8> {
  %0 = call @returns() : () -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

// BAD: error: gmem.padding: {{.*}} has another padding per dimension than the value that it must be in the memory of
func.func @tied(%a: tensor<2x4xi8> {gmem.padding = {after = array<i64: 0, 2>}}) -> (tensor<2x4xi8> {gmem.same_as = 0 : i64}) {
  %0 = "t.op"() {gmem.padding = [{before = array<i64: 0, 1>, after = array<i64: 1, 1>}]} : () -> tensor<2x4xi8>
  return %0 : tensor<2x4xi8>
}
