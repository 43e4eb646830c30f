// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='sharing=none alignment=1' %s 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.err
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='sharing=none alignment=1 dynamic-bound=7' %s 2>%t.err | FileCheck %s --check-prefix=BOUND
// RUN: not grep "its shape is dynamic" %t.err

// Dynamic dimensions: as large as their bounds, or not planned and reported.

// REMARK: remark: this value of @main is not planned: its shape is dynamic (1 more in this function for the same reason)

// BOUND: dynamic_bound = 7 : i64
// CHECK-LABEL: func.func @main
// BOUND-LABEL: func.func @main
// The attribute says most; what it says of static dimensions does not matter.
// CHECK-SAME: %arg0: tensor<?x4xi32> {gmem.offset = {{[0-9]+}} : i64, gmem.pool = "tensors", gmem.size = 160 : i64
// The bounds of encodings, in both dialects.
// CHECK-SAME: %arg1: tensor<?x4xi32, #stablehlo.bounds<8, ?>> {gmem.offset = {{[0-9]+}} : i64, gmem.pool = "tensors", gmem.size = 128 : i64
// CHECK-SAME: %arg2: tensor<4x?xi32, #mhlo.type_extensions<bounds = [?, 6]>> {gmem.offset = {{[0-9]+}} : i64, gmem.pool = "tensors", gmem.size = 96 : i64
// One dimension without a bound: only the bound of all helps.
// CHECK-SAME: %arg3: tensor<?x?xi8, #mhlo.type_extensions<bounds = [-1, 3]>>,
// BOUND-SAME: %arg3: tensor<?x?xi8, #mhlo.type_extensions<bounds = [-1, 3]>> {gmem.offset = {{[0-9]+}} : i64, gmem.pool = "tensors", gmem.size = 21 : i64
// Bounds of zero elements are bounds.
// CHECK-SAME: %arg4: tensor<?xi32> {gmem.offset = {{[0-9]+}} : i64, gmem.pool = "tensors", gmem.size = 0 : i64
func.func @main(%a: tensor<?x4xi32> {gmem.upper_bound = array<i64: 10, 0>},
                %b: tensor<?x4xi32, #stablehlo.bounds<8, ?>>,
                %c: tensor<4x?xi32, #mhlo.type_extensions<bounds = [?, 6]>>,
                %d: tensor<?x?xi8, #mhlo.type_extensions<bounds = [-1, 3]>>,
                %e: tensor<?xi32> {gmem.upper_bound = array<i64: 0>}) {
  // One list per result; sub-byte elements are rounded up as ever.
  // CHECK: "a.op"{{.*}}gmem.size = array<i64: 400, -1, 2>
  %0:3 = "a.op"(%a, %b, %c, %d) {gmem.upper_bound = [array<i64: 100>, array<i64>, array<i64: 3>]} : (tensor<?x4xi32>, tensor<?x4xi32, #stablehlo.bounds<8, ?>>, tensor<4x?xi32, #mhlo.type_extensions<bounds = [?, 6]>>, tensor<?x?xi8, #mhlo.type_extensions<bounds = [-1, 3]>>) -> (tensor<?xi32>, i32, tensor<?xi4>)
  // CHECK: "a.unknown"(%{{.*}}) : (
  // BOUND: "a.unknown"{{.*}}gmem.size = array<i64: 28>
  %1 = "a.unknown"(%0#0) : (tensor<?xi32>) -> tensor<?xi32>
  // A reshape makes no new bytes: it is as large as its operand, whatever the
  // bound of all.
  // CHECK: tensor.expand_shape{{.*}}gmem.size = array<i64: 400>
  // BOUND: tensor.expand_shape{{.*}}gmem.size = array<i64: 400>
  %2 = tensor.expand_shape %0#0 [[0, 1]] output_shape [25, 4] : tensor<?xi32> into tensor<?x4xi32>
  // An encoding that means something else by its bounds says nothing.
  "a.use"(%2) : (tensor<?x4xi32>) -> ()
  return
}

// Nor is a static tensor with it taken for a dense one.
// CHECK-LABEL: func.func @other_dialects
// CHECK-SAME: %arg0: tensor<4xi32, #x.bounds<3>>)
func.func @other_dialects(%a: tensor<4xi32, #x.bounds<3>>) {
  return
}
