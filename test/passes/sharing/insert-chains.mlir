// Inserts that put an empty tensor together part by part make one tensor, and
// each part may be made in its place: the plan is that of a concatenation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='alignment=4096 debug=sharing' --gmem-verify-plan %s -o %t.mlir 2> %t.sharing
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: FileCheck %s --input-file=%t.sharing --check-prefix=SHARING
//
// To put the second part where the first one has been written, or the tensor
// where only a part of it is, is refused by both checks.
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan=alignment=64 %S/Inputs/insert-chain.mlir -o %t.planned
// RUN: sed '/any.second/s/i64: 4096>, gmem.op/i64: 0>, gmem.op/' %t.planned > %t.broken
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan=only=placement %t.broken -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLACEMENT
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan=only=contents %t.broken -o /dev/null 2>&1 | FileCheck %s --check-prefix=CONTENTS
// PLACEMENT: error: result #0 of 'tensor.insert_slice' and result #0 of 'any.second' share bytes [0, 4096) of pool 'tensors' while both are live at this op
// CONTENTS: error: 'tensor.insert_slice' reads result #0 of 'tensor.insert_slice', but 'any.second' has overwritten bytes [0, 4096) of pool 'tensors'
// RUN: sed '/any.second/!s/\[4096\] \[4096\]/[4032] [4096]/' %t.planned > %t.broken
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan=only=placement %t.broken -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLACED-OVER
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan=only=contents %t.broken -o /dev/null 2>&1 | FileCheck %s --check-prefix=WRITTEN-OVER
// PLACED-OVER: error: result #0 of 'tensor.insert_slice' and result #0 of 'any.second' share bytes [4096, 8192) of pool 'tensors' while both are live at this op
// WRITTEN-OVER: error: 'tensor.insert_slice' still reads result #0 of 'any.second', but 'tensor.insert_slice' has overwritten bytes [4096, 8128)
//
// A plan of two tensors lives on when the op is gone that kept them apart.
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='alignment=64 sharing=none' %S/Inputs/insert-chain-used.mlir -o %t.apart
// RUN: sed '/any.second/{s/(%inserted_slice)/()/;s/(tensor<8192xi8>)/()/}' %t.apart | gmem-opt --allow-unregistered-dialect --gmem-verify-plan -o /dev/null

// The second part is made after the first has been inserted.
// SHARING: == sharing
// SHARING-NEXT: concat at op 2: alias set 1 may be at byte 0 of alias set 2
// SHARING-NEXT: concat at op 4: alias set 3 may be at byte 4096 of alias set 2
// SHARING-NEXT: == sharing
// CHECK: peak = 8192
// CHECK: insert_slice {{.*}}gmem.alias = [{kind = "concat", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}]
// CHECK: insert_slice {{.*}}gmem.alias = [{kind = "concat", offset = 4096 : i64, operand = 0 : i64, result = 0 : i64}, {kind = "destination", offset = 0 : i64, operand = 1 : i64, result = 0 : i64}]
func.func @between(%x: tensor<64xi8>) -> tensor<8192xi8> {
  %e = tensor.empty() : tensor<8192xi8>
  %a = "any.make"(%x) {gmem.op_model = {}} : (tensor<64xi8>) -> tensor<4096xi8>
  %c = tensor.insert_slice %a into %e[0][4096][1] : tensor<4096xi8> into tensor<8192xi8>
  %b = "any.make"() {gmem.op_model = {}} : () -> tensor<4096xi8>
  %d = tensor.insert_slice %b into %c[4096][4096][1] : tensor<4096xi8> into tensor<8192xi8>
  return %d : tensor<8192xi8>
}

// -----

// A part that an insert writes over again is not that part any more: the second
// insert makes a tensor of its own, over the first one.
// SHARING-NEXT: concat at op 2: alias set 1 may be at byte 0 of alias set 2
// SHARING-NEXT: concat at op 4: alias set 3 may be at byte 4032 of alias set 4
// SHARING-NEXT: destination at op 4: alias set 4 may be at byte 0 of alias set 2
// SHARING-NEXT: == sharing
// CHECK: peak = 12288
func.func @overlap(%x: tensor<64xi8>) -> tensor<8192xi8> {
  %e = tensor.empty() : tensor<8192xi8>
  %a = "any.make"(%x) {gmem.op_model = {}} : (tensor<64xi8>) -> tensor<4096xi8>
  %c = tensor.insert_slice %a into %e[0][4096][1] : tensor<4096xi8> into tensor<8192xi8>
  %b = "any.make"() {gmem.op_model = {}} : () -> tensor<4096xi8>
  %d = tensor.insert_slice %b into %c[4032][4096][1] : tensor<4096xi8> into tensor<8192xi8>
  return %d : tensor<8192xi8>
}

// -----

// Another op reads the tensor before it is complete.
// SHARING-NEXT: concat at op 2: alias set 1 may be at byte 0 of alias set 2
// SHARING-NEXT: concat at op 4: alias set 3 may be at byte 4096 of alias set 4
// SHARING-NEXT: destination at op 4: alias set 4 may be at byte 0 of alias set 2
// SHARING-NEXT: == sharing
// CHECK: peak = 12288
func.func @used(%x: tensor<64xi8>) -> tensor<8192xi8> {
  %e = tensor.empty() : tensor<8192xi8>
  %a = "any.make"(%x) {gmem.op_model = {}} : (tensor<64xi8>) -> tensor<4096xi8>
  %c = tensor.insert_slice %a into %e[0][4096][1] : tensor<4096xi8> into tensor<8192xi8>
  %b = "any.make"(%c) {gmem.op_model = {}} : (tensor<8192xi8>) -> tensor<4096xi8>
  %d = tensor.insert_slice %b into %c[4096][4096][1] : tensor<4096xi8> into tensor<8192xi8>
  return %d : tensor<8192xi8>
}

// -----

// The part is the tensor itself.
// SHARING-NEXT: concat at op 1: alias set 0 may be at byte 0 of alias set 1
// SHARING-NEXT: concat at op 2: alias set 1 may be at byte 0 of alias set 2
// SHARING-NEXT: == sharing
// CHECK: peak = 64
func.func @itself(%x: tensor<64xi8>) -> tensor<64xi8> {
  %e = tensor.empty() : tensor<64xi8>
  %c = tensor.insert_slice %x into %e[0][64][1] : tensor<64xi8> into tensor<64xi8>
  %d = tensor.insert_slice %c into %c[0][64][1] : tensor<64xi8> into tensor<64xi8>
  return %d : tensor<64xi8>
}

// -----

// In any order, and not all of it: the last byte is never written.
// SHARING-NEXT: concat at op 2: alias set 0 may be at byte 64 of alias set 1
// SHARING-NEXT: concat at op 4: alias set 2 may be at byte 128 of alias set 1
// SHARING-NEXT: concat at op 6: alias set 3 may be at byte 0 of alias set 1
// SHARING-NEXT: == sharing
// CHECK: peak = 193
func.func @parts() -> tensor<193xi8> {
  %e = tensor.empty() : tensor<193xi8>
  %a = "any.make"() {gmem.op_model = {}} : () -> tensor<64xi8>
  %c = tensor.insert_slice %a into %e[64][64][1] : tensor<64xi8> into tensor<193xi8>
  %b = "any.make"() {gmem.op_model = {}} : () -> tensor<64xi8>
  %d = tensor.insert_slice %b into %c[128][64][1] : tensor<64xi8> into tensor<193xi8>
  %f = "any.make"() {gmem.op_model = {}} : () -> tensor<64xi8>
  %g = tensor.insert_slice %f into %d[0][64][1] : tensor<64xi8> into tensor<193xi8>
  return %g : tensor<193xi8>
}

// -----

// Columns are copied, and so is what comes behind them; the rows before are not.
// SHARING-NEXT: concat at op 2: alias set 0 may be at byte 0 of alias set 1
// SHARING-NEXT: concat at op 4: alias set 2 may be at byte 64 of alias set 1
// SHARING-NEXT: destination at op 6: alias set 4 may be at byte 0 of alias set 1
// SHARING-NEXT: == sharing
// CHECK: peak = 4160
func.func @columns() -> tensor<4x64xi8> {
  %e = tensor.empty() : tensor<4x64xi8>
  %a = "any.make"() {gmem.op_model = {}} : () -> tensor<1x64xi8>
  %c = tensor.insert_slice %a into %e[0, 0][1, 64][1, 1] : tensor<1x64xi8> into tensor<4x64xi8>
  %b = "any.make"() {gmem.op_model = {}} : () -> tensor<1x64xi8>
  %d = tensor.insert_slice %b into %c[1, 0][1, 64][1, 1] : tensor<1x64xi8> into tensor<4x64xi8>
  %f = "any.make"() {gmem.op_model = {}} : () -> tensor<2x32xi8>
  %g = tensor.insert_slice %f into %d[2, 0][2, 32][1, 1] : tensor<2x32xi8> into tensor<4x64xi8>
  return %g : tensor<4x64xi8>
}

// -----

// What a loop carries has contents, and so has a tensor that another op has
// made.
// SHARING-NEXT: transfer at op 3: alias set 1 may be at byte 0 of alias set 3
// SHARING-NEXT: transfer at op 3: alias set 3 may be at byte 0 of alias set 2
// SHARING-NEXT: concat at op 4: alias set 0 may be at byte 0 of alias set 4
// SHARING-NEXT: destination at op 4: alias set 4 may be at byte 0 of alias set 3
// SHARING-NEXT: concat at op 5: alias set 0 may be at byte 64 of alias set 5
// SHARING-NEXT: destination at op 5: alias set 5 may be at byte 0 of alias set 4
// SHARING-NEXT: transfer at op 6: alias set 5 may be at byte 0 of alias set 3
// SHARING-NEXT: == sharing
// CHECK: peak = 4160
func.func @carried(%x: tensor<64xi8>, %n: index) -> tensor<128xi8> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %e = "any.make"() {gmem.op_model = {}} : () -> tensor<128xi8>
  %r = scf.for %i = %zero to %n step %one iter_args(%c = %e) -> (tensor<128xi8>) {
    %d = tensor.insert_slice %x into %c[0][64][1] : tensor<64xi8> into tensor<128xi8>
    %f = tensor.insert_slice %x into %d[64][64][1] : tensor<64xi8> into tensor<128xi8>
    scf.yield %f : tensor<128xi8>
  }
  return %r : tensor<128xi8>
}

// -----

// In each iteration anew.
// SHARING-NEXT: transfer at op 3: alias set 0 may be at byte 0 of alias set 2
// SHARING-NEXT: transfer at op 3: alias set 2 may be at byte 0 of alias set 1
// SHARING-NEXT: concat at op 5: alias set 3 may be at byte 0 of alias set 4
// SHARING-NEXT: concat at op 7: alias set 5 may be at byte 64 of alias set 4
// SHARING-NEXT: transfer at op 8: alias set 4 may be at byte 0 of alias set 2
// SHARING-NEXT: == sharing
// CHECK: peak = 4160
func.func @iteration(%x: tensor<128xi8>, %n: index) -> tensor<128xi8> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %e = tensor.empty() : tensor<128xi8>
  %r = scf.for %i = %zero to %n step %one iter_args(%v = %x) -> (tensor<128xi8>) {
    %a = "any.make"(%v) {gmem.op_model = {}} : (tensor<128xi8>) -> tensor<64xi8>
    %c = tensor.insert_slice %a into %e[0][64][1] : tensor<64xi8> into tensor<128xi8>
    %b = "any.make"() {gmem.op_model = {}} : () -> tensor<64xi8>
    %d = tensor.insert_slice %b into %c[64][64][1] : tensor<64xi8> into tensor<128xi8>
    scf.yield %d : tensor<128xi8>
  }
  return %r : tensor<128xi8>
}

// -----

// A result in an argument is live with it as short as can be: %c is not there.
// SHARING-NEXT: concat at op 2: alias set 1 may be at byte 0 of alias set 2
// SHARING-NEXT: concat at op 4: alias set 3 may be at byte 64 of alias set 4
// SHARING-NEXT: destination at op 4: alias set 4 may be at byte 0 of alias set 2
// SHARING-NEXT: == sharing
// CHECK: peak = 8256
func.func @cache(%x: tensor<128xi8>) -> (tensor<128xi8> {gmem.same_as = 0 : i64}) {
  %e = tensor.empty() : tensor<128xi8>
  %a = "any.make"() {gmem.op_model = {}} : () -> tensor<64xi8>
  %c = tensor.insert_slice %a into %e[0][64][1] : tensor<64xi8> into tensor<128xi8>
  %b = "any.make"(%x) {gmem.op_model = {}} : (tensor<128xi8>) -> tensor<64xi8>
  %d = tensor.insert_slice %b into %c[64][64][1] : tensor<64xi8> into tensor<128xi8>
  return %d : tensor<128xi8>
}

// -----

// In streams, another op may write to a part that is not complete.
// SHARING-NEXT: concat at op 1: alias set 0 may be at byte 0 of alias set 1
// SHARING-NEXT: concat at op 3: alias set 2 may be at byte 64 of alias set 3
// SHARING-NEXT: destination at op 3: alias set 3 may be at byte 0 of alias set 1
// CHECK: peak = 4160
func.func @streams(%x: tensor<64xi8>) -> tensor<128xi8> {
  %e = tensor.empty() : tensor<128xi8>
  %c = tensor.insert_slice %x into %e[0][64][1] : tensor<64xi8> into tensor<128xi8>
  %b = "any.make"() {gmem.op_model = {}, gmem.stream = 0 : i64} : () -> tensor<64xi8>
  %d = tensor.insert_slice %b into %c[64][64][1] : tensor<64xi8> into tensor<128xi8>
  return %d : tensor<128xi8>
}

// -----

// The whole is inserted into itself, which writes nothing, and used again.
// SHARING-NOT: at op
// SHARING: concat at op 1: alias set 0 may be at byte 64 of alias set 1
// SHARING-NEXT: concat at op 3: alias set 1 may be at byte 0 of alias set 2
// SHARING-NOT: at op
// CHECK-LABEL: func.func @used_again
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0] [128] [1] {gmem.alias = [{kind = "concat"
func.func @used_again(%x: tensor<64xi8>, %c: i1) -> tensor<128xi8> {
  %e = tensor.empty() : tensor<128xi8>
  %a = tensor.insert_slice %x into %e[64][64][1] : tensor<64xi8> into tensor<128xi8>
  scf.if %c {
    %b = tensor.insert_slice %a into %a[0][128][1] : tensor<128xi8> into tensor<128xi8>
    "any.use"(%b) : (tensor<128xi8>) -> ()
  }
  "any.use"(%a) : (tensor<128xi8>) -> ()
  %d = "any.make"(%a) {gmem.op_model = {}} : (tensor<128xi8>) -> tensor<128xi8>
  return %d : tensor<128xi8>
}
