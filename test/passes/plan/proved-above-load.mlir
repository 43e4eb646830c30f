// The best plan may need more than is ever live at once, and the planner may
// prove it. The plan in the IR says no more than can be proved from the IR: the
// bound is the load. Once such a plan was refused by its own verifier.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan %s -o %t
// RUN: FileCheck %s < %t
// RUN: gmem-opt --allow-unregistered-dialect --gmem-verify-plan %t -o /dev/null
//
// The planner alone proves it, from the same lives.
// RUN: gmem-translate --gmem-to-csv --allow-unregistered-dialect %t -o %t.csv
// RUN: gmem-solve --json %t.csv -o /dev/null | FileCheck %s --check-prefix=ALONE
// ALONE: "lower_bound": 12288, "peak": 12288, "optimal": true
//
// CHECK: gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 8192 : i64, optimal = false, peak = 12288 : i64}

// A ring of five, each live with the next: %1 and %5 are both live while
// @callee runs, which has one time for all that launches it.
func.func @main() {
  %1 = "a.first"() : () -> tensor<1024xi32>
  "a.launch"() {kernel = @callee} : () -> ()
  %2 = "a.next"(%1) : (tensor<1024xi32>) -> tensor<1024xi32>
  %3 = "a.next"(%2) : (tensor<1024xi32>) -> tensor<1024xi32>
  %4 = "a.next"(%3) : (tensor<1024xi32>) -> tensor<1024xi32>
  %5 = "a.next"(%4) : (tensor<1024xi32>) -> tensor<1024xi32>
  "a.launch"() {kernel = @callee} : () -> ()
  "a.last"(%5) : (tensor<1024xi32>) -> ()
  return
}
func.func private @callee() {
  "a.work"() : () -> ()
  return
}
