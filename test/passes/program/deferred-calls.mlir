// A function that returns the token of what it has started: that goes on when the
// function has returned, so that its memory, and what it has been given, is used by
// nothing else. It was planned as if all of it ended with the function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt %s --allow-unregistered-dialect --gmem-plan='alignment=64' 2>/dev/null | FileCheck %s

func.func private @start(%x: tensor<16xf32>) -> (!async.token, !async.value<tensor<16xf32>>) {
  // CHECK: func.func private @start(%{{.*}}: tensor<16xf32> {gmem.offset = [[#ARGUMENT:]] : i64
  %t, %v = async.execute -> !async.value<tensor<16xf32>> {
    // CHECK: "x.a"{{.*}}gmem.offset = array<i64: [[#INSIDE:]]>
    %1 = "x.a"(%x) : (tensor<16xf32>) -> tensor<16xf32>
    async.yield %1 : tensor<16xf32>
  }
  return %t, %v : !async.token, !async.value<tensor<16xf32>>
}

// What is made after the call is where neither is.
// CHECK: func.func @main
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = "x.a"(%x) : (tensor<16xf32>) -> tensor<16xf32>
  // CHECK: call @start{{.*}}gmem.copies = [{{.*}}to = [[#ARGUMENT]] : i64
  %t, %v = func.call @start(%a) : (tensor<16xf32>) -> (!async.token, !async.value<tensor<16xf32>>)
  // CHECK-NOT: offset = array<i64: [[#ARGUMENT]]>
  // CHECK-NOT: offset = array<i64: [[#INSIDE]]>
  %y = "x.b"() : () -> tensor<16xf32>
  %z = "x.c"(%y) : (tensor<16xf32>) -> tensor<16xf32>
  %w = async.await %v : !async.value<tensor<16xf32>>
  %u = "x.d"(%z, %w) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %u : tensor<16xf32>
}

// Deferred code in deferred code goes on when a loop around it makes a value again
// that it uses: that has no place. It had one, and its plan was refused.
// CHECK-LABEL: func.func @nested
func.func @nested(%x: tensor<16xf32>, %n: index) {
  %t = async.execute {
    scf.for %i = %n to %n step %n {
      // CHECK: "x.e"(
      // CHECK-NOT: gmem.offset
      // CHECK-SAME: tensor<16xf32>
      %1 = "x.e"(%x) : (tensor<16xf32>) -> tensor<16xf32>
      %u = async.execute {
        "x.use"(%1) : (tensor<16xf32>) -> ()
        async.yield
      }
      // CHECK: "x.f"{{.*}}gmem.offset
      %2 = "x.f"(%x) : (tensor<16xf32>) -> tensor<16xf32>
      "x.use"(%2) : (tensor<16xf32>) -> ()
    }
    async.yield
  }
  return
}
