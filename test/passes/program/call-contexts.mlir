// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan=alignment=1024 %s | FileCheck %s
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan=alignment=1024 %s | gmem-opt --allow-unregistered-dialect --split-input-file --gmem-verify-plan -o /dev/null

// Two calls of one function are two times: what is live across the one does not
// meet what is live across the other. Buffers of 1024 bytes.

// Each of four values is live across one call. They take turns in one place,
// beside the two of @work.
// CHECK: lower_bound = 3072 : i64, optimal = true, peak = 3072
// CHECK-LABEL: func.func @in_turns
func.func @in_turns() {
  %0 = "a.first"() : () -> tensor<1024xi8>
  func.call @work() : () -> ()
  "a.last"(%0) : (tensor<1024xi8>) -> ()
  %1 = "a.first"() : () -> tensor<1024xi8>
  func.call @work() : () -> ()
  "a.last"(%1) : (tensor<1024xi8>) -> ()
  %2 = "a.first"() : () -> tensor<1024xi8>
  func.call @work() : () -> ()
  "a.last"(%2) : (tensor<1024xi8>) -> ()
  %3 = "a.first"() : () -> tensor<1024xi8>
  func.call @work() : () -> ()
  "a.last"(%3) : (tensor<1024xi8>) -> ()
  return
}
func.func private @work() {
  %0 = "a.one"() : () -> tensor<1024xi8>
  %1 = "a.two"(%0) : (tensor<1024xi8>) -> tensor<1024xi8>
  return
}

// -----

// A control: launched by an op without a model, @work has one time for all.
// CHECK: peak = 6144
// CHECK-LABEL: func.func @at_once
func.func @at_once() {
  %0 = "a.first"() : () -> tensor<1024xi8>
  "a.launch"() {kernel = @work} : () -> ()
  "a.last"(%0) : (tensor<1024xi8>) -> ()
  %1 = "a.first"() : () -> tensor<1024xi8>
  "a.launch"() {kernel = @work} : () -> ()
  "a.last"(%1) : (tensor<1024xi8>) -> ()
  %2 = "a.first"() : () -> tensor<1024xi8>
  "a.launch"() {kernel = @work} : () -> ()
  "a.last"(%2) : (tensor<1024xi8>) -> ()
  %3 = "a.first"() : () -> tensor<1024xi8>
  "a.launch"() {kernel = @work} : () -> ()
  "a.last"(%3) : (tensor<1024xi8>) -> ()
  return
}
func.func private @work() {
  %0 = "a.one"() : () -> tensor<1024xi8>
  %1 = "a.two"(%0) : (tensor<1024xi8>) -> tensor<1024xi8>
  return
}

// -----

// One mention of that sort is enough: then the plain calls run at that one time,
// too, and %0 meets %1 there.
// CHECK: peak = 4096
// CHECK-LABEL: func.func @mixed
func.func @mixed() {
  %0 = "a.first"() : () -> tensor<1024xi8>
  func.call @work() : () -> ()
  "a.last"(%0) : (tensor<1024xi8>) -> ()
  %1 = "a.first"() : () -> tensor<1024xi8>
  "a.launch"() {kernel = @work} : () -> ()
  "a.last"(%1) : (tensor<1024xi8>) -> ()
  return
}
func.func private @work() {
  %0 = "a.one"() : () -> tensor<1024xi8>
  %1 = "a.two"(%0) : (tensor<1024xi8>) -> tensor<1024xi8>
  return
}

// -----

// Ten layers of one function: two activations and its scratch, not ten.
// CHECK: lower_bound = 5120 : i64, optimal = true, peak = 5120
// CHECK-LABEL: func.func @layers
func.func @layers(%x: tensor<1024xi8>) -> tensor<1024xi8> {
  %0 = func.call @layer(%x) : (tensor<1024xi8>) -> tensor<1024xi8>
  %1 = func.call @layer(%0) : (tensor<1024xi8>) -> tensor<1024xi8>
  %2 = func.call @layer(%1) : (tensor<1024xi8>) -> tensor<1024xi8>
  %3 = func.call @layer(%2) : (tensor<1024xi8>) -> tensor<1024xi8>
  %4 = func.call @layer(%3) : (tensor<1024xi8>) -> tensor<1024xi8>
  %5 = func.call @layer(%4) : (tensor<1024xi8>) -> tensor<1024xi8>
  %6 = func.call @layer(%5) : (tensor<1024xi8>) -> tensor<1024xi8>
  %7 = func.call @layer(%6) : (tensor<1024xi8>) -> tensor<1024xi8>
  %8 = func.call @layer(%7) : (tensor<1024xi8>) -> tensor<1024xi8>
  %9 = func.call @layer(%8) : (tensor<1024xi8>) -> tensor<1024xi8>
  return %9 : tensor<1024xi8>
}
func.func private @layer(%x: tensor<1024xi8>) -> tensor<1024xi8> {
  %s = "a.widen"(%x) : (tensor<1024xi8>) -> tensor<3072xi8>
  %r = "a.narrow"(%s, %x) : (tensor<3072xi8>, tensor<1024xi8>) -> tensor<1024xi8>
  return %r : tensor<1024xi8>
}

// -----

// Through a function in between: @middle is called twice and calls @inner twice,
// which has four times. %a is live in the first two of them, %b in the others,
// and what @middle keeps in the first of each two.
// CHECK: lower_bound = 3072 : i64, optimal = true, peak = 3072
// CHECK-LABEL: func.func @nested
func.func @nested() {
  %a = "a.first"() : () -> tensor<1024xi8>
  func.call @middle() : () -> ()
  "a.last"(%a) : (tensor<1024xi8>) -> ()
  %b = "a.first"() : () -> tensor<1024xi8>
  func.call @middle() : () -> ()
  "a.last"(%b) : (tensor<1024xi8>) -> ()
  return
}
func.func private @middle() {
  %0 = "a.first"() : () -> tensor<1024xi8>
  func.call @inner() : () -> ()
  "a.last"(%0) : (tensor<1024xi8>) -> ()
  func.call @inner() : () -> ()
  return
}
func.func private @inner() {
  %0 = "a.one"() : () -> tensor<1024xi8>
  "a.last"(%0) : (tensor<1024xi8>) -> ()
  return
}

// -----

// A callee's buffers fill gaps one by one: beside the four of @gaps are two free
// places, one behind the other only if the planner puts them so.
// CHECK: lower_bound = 6144 : i64, optimal = true, peak = 6144
// CHECK-LABEL: func.func @gaps
func.func @gaps() {
  %0 = "a.first"() : () -> tensor<1024xi8>
  %1 = "a.first"() : () -> tensor<1024xi8>
  %2 = "a.first"() : () -> tensor<1024xi8>
  %3 = "a.first"() : () -> tensor<1024xi8>
  %4 = "a.first"() : () -> tensor<1024xi8>
  %5 = "a.first"() : () -> tensor<1024xi8>
  "a.use"(%0, %1, %2, %3, %4, %5) : (tensor<1024xi8>, tensor<1024xi8>, tensor<1024xi8>, tensor<1024xi8>, tensor<1024xi8>, tensor<1024xi8>) -> ()
  "a.use"(%0, %2, %3, %5) : (tensor<1024xi8>, tensor<1024xi8>, tensor<1024xi8>, tensor<1024xi8>) -> ()
  func.call @work() : () -> ()
  "a.use"(%0, %2, %3, %5) : (tensor<1024xi8>, tensor<1024xi8>, tensor<1024xi8>, tensor<1024xi8>) -> ()
  func.call @work() : () -> ()
  return
}
func.func private @work() {
  %0 = "a.one"() : () -> tensor<1024xi8>
  %1 = "a.two"(%0) : (tensor<1024xi8>) -> tensor<1024xi8>
  return
}

// -----

// A function that calls itself has no place for its own values, and one time:
// %0 and %1 meet in it.
// CHECK: peak = 3072
// CHECK-LABEL: func.func @recursive
func.func @recursive() {
  %0 = "a.first"() : () -> tensor<1024xi8>
  func.call @again() : () -> ()
  "a.last"(%0) : (tensor<1024xi8>) -> ()
  %1 = "a.first"() : () -> tensor<1024xi8>
  func.call @again() : () -> ()
  "a.last"(%1) : (tensor<1024xi8>) -> ()
  return
}
func.func private @again() {
  func.call @work() : () -> ()
  func.call @again() : () -> ()
  return
}
func.func private @work() {
  %0 = "a.one"() : () -> tensor<1024xi8>
  "a.last"(%0) : (tensor<1024xi8>) -> ()
  return
}
