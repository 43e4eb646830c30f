// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan=algorithm=ref-count %s | FileCheck %s

// algorithm=ref-count: a result may take over the address of an ended tensor
// when five conditions hold. One case for each: without the condition the
// result would be at another place.

// 0. All conditions hold: %2 takes over the address of %0, which ended at the
//    op that made %1.

// CHECK-LABEL: func.func @all_hold
func.func @all_hold() -> tensor<1024xi32> {
  // CHECK: "a.start"{{.*}}gmem.offset = array<i64: 0>
  %0 = "a.start"() : () -> tensor<1024xi32>
  // CHECK: "a.first"{{.*}}gmem.offset = array<i64: 4096>
  %1 = "a.first"(%0) : (tensor<1024xi32>) -> tensor<1024xi32>
  // CHECK: "a.second"{{.*}}gmem.offset = array<i64: 0>
  %2 = "a.second"(%1) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %2 : tensor<1024xi32>
}

// -----

// 1. The tensor is not held: gmem.hold keeps %0 to the end of the function, so
//    %2 opens new memory.

// CHECK-LABEL: func.func @held
func.func @held() -> tensor<1024xi32> {
  // CHECK: "a.start"{{.*}}gmem.offset = array<i64: 0>
  %0 = "a.start"() {gmem.hold} : () -> tensor<1024xi32>
  // CHECK: "a.first"{{.*}}gmem.offset = array<i64: 4096>
  %1 = "a.first"(%0) : (tensor<1024xi32>) -> tensor<1024xi32>
  // CHECK: "a.second"{{.*}}gmem.offset = array<i64: 8192>
  %2 = "a.second"(%1) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %2 : tensor<1024xi32>
}

// -----

// 2a. The address is not in use by an alias: %0 has ended when %3 is placed,
//     but its reshape %1 is at the same address and still wanted.

// CHECK-LABEL: func.func @in_use_by_an_alias
func.func @in_use_by_an_alias() -> tensor<1024xi32> {
  // CHECK: "a.start"{{.*}}gmem.offset = array<i64: 0>
  %0 = "a.start"() : () -> tensor<1024xi32>
  // CHECK: "tpu.Reshape"{{.*}}gmem.offset = array<i64: 0>
  %1 = "tpu.Reshape"(%0) : (tensor<1024xi32>) -> tensor<32x32xi32>
  // CHECK: "a.first"{{.*}}gmem.offset = array<i64: 4096>
  %2 = "a.first"() : () -> tensor<1024xi32>
  // CHECK: "a.second"{{.*}}gmem.offset = array<i64: 8192>
  %3 = "a.second"(%2) : (tensor<1024xi32>) -> tensor<1024xi32>
  // CHECK: "a.third"{{.*}}gmem.offset = array<i64: 4096>
  %4 = "a.third"(%3, %1) : (tensor<1024xi32>, tensor<32x32xi32>) -> tensor<1024xi32>
  return %4 : tensor<1024xi32>
}

// -----

// 2b. Nor by a tensor that took it over: %0 has ended, %2 is at its address
//     now and is still wanted when %3 is placed.

// CHECK-LABEL: func.func @in_use_by_a_successor
func.func @in_use_by_a_successor() -> tensor<1024xi32> {
  // CHECK: "a.start"{{.*}}gmem.offset = array<i64: 0>
  %0 = "a.start"() : () -> tensor<1024xi32>
  // CHECK: "a.first"{{.*}}gmem.offset = array<i64: 4096>
  %1 = "a.first"(%0) : (tensor<1024xi32>) -> tensor<1024xi32>
  // CHECK: "a.second"{{.*}}gmem.offset = array<i64: 0>
  %2 = "a.second"(%1) : (tensor<1024xi32>) -> tensor<1024xi32>
  // CHECK: "a.third"{{.*}}gmem.offset = array<i64: 4096>
  %3 = "a.third"() : () -> tensor<1024xi32>
  // CHECK: "a.fourth"{{.*}}gmem.offset = array<i64: 8192>
  %4 = "a.fourth"(%2, %3) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  return %4 : tensor<1024xi32>
}

// -----

// 3. The tensor has ended: %0 has a reader left when %2 is placed.

// CHECK-LABEL: func.func @not_ended
func.func @not_ended() -> tensor<1024xi32> {
  // CHECK: "a.start"{{.*}}gmem.offset = array<i64: 0>
  %0 = "a.start"() : () -> tensor<1024xi32>
  // CHECK: "a.first"{{.*}}gmem.offset = array<i64: 4096>
  %1 = "a.first"(%0) : (tensor<1024xi32>) -> tensor<1024xi32>
  // CHECK: "a.second"{{.*}}gmem.offset = array<i64: 8192>
  %2 = "a.second"(%1) : (tensor<1024xi32>) -> tensor<1024xi32>
  // CHECK: "a.third"{{.*}}gmem.offset = array<i64: 4096>
  %3 = "a.third"(%2, %0) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  return %3 : tensor<1024xi32>
}

// -----

// 4. The address space is large enough: 4096 bytes for %2 fit where %0 was,
//    4100 bytes do not.

// CHECK-LABEL: func.func @too_small
func.func @too_small() -> tensor<1025xi32> {
  // CHECK: "a.start"{{.*}}gmem.offset = array<i64: 0>
  %0 = "a.start"() : () -> tensor<1024xi32>
  // CHECK: "a.first"{{.*}}gmem.offset = array<i64: 4096>
  %1 = "a.first"(%0) : (tensor<1024xi32>) -> tensor<1024xi32>
  // CHECK: "a.second"{{.*}}gmem.offset = array<i64: 8192>
  %2 = "a.second"(%1) : (tensor<1024xi32>) -> tensor<1025xi32>
  return %2 : tensor<1025xi32>
}

// -----

// 4b. An address keeps the size it was opened with: %2 is small, and %4 gets
//     all of what %0 had.

// CHECK-LABEL: func.func @keeps_its_size
func.func @keeps_its_size() -> tensor<2048xi32> {
  // CHECK: "a.start"{{.*}}gmem.offset = array<i64: 0>
  %0 = "a.start"() : () -> tensor<2048xi32>
  // CHECK: "a.first"{{.*}}gmem.offset = array<i64: 8192>
  %1 = "a.first"(%0) : (tensor<2048xi32>) -> tensor<16xi32>
  // CHECK: "a.second"{{.*}}gmem.offset = array<i64: 0>
  %2 = "a.second"(%1) : (tensor<16xi32>) -> tensor<16xi32>
  // CHECK: "a.third"{{.*}}gmem.offset = array<i64: 8192>
  %3 = "a.third"(%2) : (tensor<16xi32>) -> tensor<16xi32>
  // CHECK: "a.fourth"{{.*}}gmem.offset = array<i64: 0>
  %4 = "a.fourth"(%3) : (tensor<16xi32>) -> tensor<2048xi32>
  return %4 : tensor<2048xi32>
}

// -----

// 5. The tensor is no input of the op: %0 ends at a.first, whose result must
//    not be written over it.

// CHECK-LABEL: func.func @input_of_the_op
func.func @input_of_the_op() -> tensor<1024xi32> {
  // CHECK: "a.start"{{.*}}gmem.offset = array<i64: 0>
  %0 = "a.start"() : () -> tensor<1024xi32>
  // CHECK: "a.first"{{.*}}gmem.offset = array<i64: 4096>
  %1 = "a.first"(%0) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %1 : tensor<1024xi32>
}

// -----

// 5b. Except for a reshape, which is its input.

// CHECK-LABEL: func.func @reshape
func.func @reshape() -> tensor<32x32xi32> {
  // CHECK: "a.start"{{.*}}gmem.offset = array<i64: 0>
  %0 = "a.start"() : () -> tensor<1024xi32>
  // CHECK: "tpu.Reshape"{{.*}}gmem.offset = array<i64: 0>
  %1 = "tpu.Reshape"(%0) : (tensor<1024xi32>) -> tensor<32x32xi32>
  return %1 : tensor<32x32xi32>
}

// -----

// A value without users is not held for ever: %1 takes over from %0, which
// nobody reads.

// CHECK-LABEL: func.func @without_users
func.func @without_users() -> tensor<1024xi32> {
  // CHECK: "a.start"{{.*}}gmem.offset = array<i64: 0>
  %0 = "a.start"() : () -> tensor<1024xi32>
  // CHECK: "a.first"{{.*}}gmem.offset = array<i64: 0>
  %1 = "a.first"() : () -> tensor<1024xi32>
  return %1 : tensor<1024xi32>
}

// -----

// The addresses opened are tried in the order of their opening: %3 takes the
// first that fits, not the best.

// CHECK-LABEL: func.func @first_fit
func.func @first_fit() -> tensor<1024xi32> {
  // CHECK: "a.start"{{.*}}gmem.offset = array<i64: 0, 8192>
  %0:2 = "a.start"() : () -> (tensor<2048xi32>, tensor<1024xi32>)
  // CHECK: "a.first"{{.*}}gmem.offset = array<i64: 12288>
  %1 = "a.first"(%0#0, %0#1) : (tensor<2048xi32>, tensor<1024xi32>) -> tensor<16xi32>
  // CHECK: "a.second"{{.*}}gmem.offset = array<i64: 0>
  %2 = "a.second"(%1) : (tensor<16xi32>) -> tensor<1024xi32>
  return %2 : tensor<1024xi32>
}
