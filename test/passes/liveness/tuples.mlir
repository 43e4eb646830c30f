// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='sharing=none alignment=1' %s 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.err
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='sharing=none alignment=1 dynamic-bound=16' %s 2>/dev/null | FileCheck %s --check-prefix=BOUND

// Tuples of tensors lie in memory element by element, each at a multiple of 64
// bytes.

// CHECK-LABEL: func.func @main
// BOUND-LABEL: func.func @main
func.func @main(%a: tensor<4xi32>) {
  // CHECK: "a.flat"{{.*}}gmem.size = array<i64: 65>
  %0 = "a.flat"() : () -> tuple<tensor<3xi8>, tensor<1xi8>>
  // Those inside it too: 3, 65 at 64, 8 at 192, 1 at 256.
  // CHECK: "a.nested"{{.*}}gmem.size = array<i64: 257>
  %1 = "a.nested"() : () -> tuple<tensor<3xi8>, tuple<tensor<65xi8>, tensor<2xi32>>, tensor<1xi8>>
  // Nothing at the end.
  // CHECK: "a.empty"{{.*}}gmem.size = array<i64: 64>
  %2 = "a.empty"() : () -> tuple<tensor<3xi8>, tensor<0xi8>>
  // No memory: no element, or none with memory.
  // CHECK: "a.scalars"() : ()
  %3:2 = "a.scalars"() : () -> (tuple<i32, !a.token>, tuple<>)
  // What has no size has no place in a tuple.
  // REMARK: remark: this value of @main is not planned: its tuple type has no known size (2 more in this function for the same reason)
  // CHECK: "a.mixed"() : ()
  // CHECK: "a.dynamic"() : ()
  // BOUND: "a.dynamic"{{.*}}gmem.size = array<i64: 65>
  %4 = "a.mixed"() : () -> tuple<tensor<3xi8>, !a.token>
  %5 = "a.dynamic"() : () -> tuple<tensor<?xi8>, tensor<1xi8>>
  // CHECK: "a.deep"() : ()
  %6 = "a.deep"() : () -> tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tensor<1xi8>>>>>>>>>>
  return
}
