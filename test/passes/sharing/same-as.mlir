// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='sharing=none' %s | FileCheck %s
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='io=separate sharing=all' %s | FileCheck %s --check-prefix=IO

// gmem.same_as: results in the memory of arguments.

// 1. A cache: what is inserted goes where the cache is, whatever else is told
// to share. The argument dies where the result is written.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @cache
// CHECK-SAME: %arg0: tensor<1024xi32> {gmem.offset = [[AT:[0-9]+]] : i64
// IO-LABEL: func.func @cache
// IO-SAME: %arg0: tensor<1024xi32> {gmem.offset = [[AT:[0-9]+]] : i64, gmem.pool = "io"
func.func @cache(%c: tensor<1024xi32>, %k: tensor<1xi32>) -> (tensor<1024xi32> {gmem.same_as = 0 : i64}, tensor<1024xi32>) {
  // CHECK: tensor.insert_slice{{.*}}gmem.alias = [{kind = "destination", offset = 0 : i64, operand = 1 : i64, result = 0 : i64}], gmem.offset = array<i64: [[AT]]>
  // IO: tensor.insert_slice{{.*}}gmem.offset = array<i64: [[AT]]>, gmem.pool = ["io"]
  %0 = tensor.insert_slice %k into %c[16][1][1] : tensor<1xi32> into tensor<1024xi32>
  %1 = "a.op"(%0) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %0, %1 : tensor<1024xi32>, tensor<1024xi32>
}

// -----

// 2. Through a chain of ops: the argument is dead long before the result is
// written, and what is between may be anywhere.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: %arg0: tensor<1024xi32> {gmem.offset = [[AT:[0-9]+]] : i64
// IO-LABEL: func.func @chain
func.func @chain(%c: tensor<1024xi32>) -> (tensor<1024xi32> {gmem.same_as = 0 : i64}) {
  %0 = "a.op"(%c) : (tensor<1024xi32>) -> tensor<16xi32>
  %1 = "a.op"(%0) : (tensor<16xi32>) -> tensor<16xi32>
  // CHECK: "a.last"{{.*}}gmem.offset = array<i64: [[AT]]>
  %2 = "a.last"(%1) : (tensor<16xi32>) -> tensor<1024xi32>
  return %2 : tensor<1024xi32>
}

// -----

// 3. The argument itself, and a reshape of it, are there already, even where
// inputs are kept.
// CHECK-LABEL: func.func @itself
// IO-LABEL: func.func @itself
func.func @itself(%a: tensor<4xi32>, %b: tensor<4xi32>) -> (tensor<4xi32> {gmem.same_as = 0 : i64}, tensor<2x2xi32> {gmem.same_as = 1 : i64}) {
  %0 = tensor.expand_shape %b [[0, 1]] output_shape [2, 2] : tensor<4xi32> into tensor<2x2xi32>
  return %a, %0 : tensor<4xi32>, tensor<2x2xi32>
}

// -----

// 4. Element by element over the argument: several results, each over its own.
// CHECK-LABEL: func.func @several
// CHECK-SAME: %arg0: tensor<8xi32> {gmem.offset = [[A:[0-9]+]] : i64
// CHECK-SAME: %arg1: tensor<8xi32> {gmem.offset = [[B:[0-9]+]] : i64
// IO-LABEL: func.func @several
func.func @several(%a: tensor<8xi32>, %b: tensor<8xi32>) -> (tensor<8xi32> {gmem.same_as = 1 : i64}, tensor<8xi32> {gmem.same_as = 0 : i64}) {
  // CHECK: tosa.abs{{.*}}gmem.offset = array<i64: [[A]]>
  %0 = tosa.abs %a : (tensor<8xi32>) -> tensor<8xi32>
  // CHECK: tosa.abs{{.*}}gmem.offset = array<i64: [[B]]>
  %1 = tosa.abs %b : (tensor<8xi32>) -> tensor<8xi32>
  return %1, %0 : tensor<8xi32>, tensor<8xi32>
}
