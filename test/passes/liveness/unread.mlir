// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan=sharing=none %s | FileCheck %s

// Values that no op reads. Peaks in granules of 4096 bytes.

// 1. What is only written into needs no memory of its own: the result has it.
// CHECK: peak = 4096
// CHECK-LABEL: func.func @only_a_place
func.func @only_a_place(%zero: i32) -> tensor<1024xi32> {
  // CHECK: tensor.empty()
  // CHECK-NOT: gmem.offset
  // CHECK-SAME: tensor<1024xi32>
  %0 = tensor.empty() : tensor<1024xi32>
  %1 = linalg.fill ins(%zero : i32) outs(%0 : tensor<1024xi32>) -> tensor<1024xi32>
  return %1 : tensor<1024xi32>
}

// -----

// 2. The same by way of a view.
// CHECK: peak = 4096
// CHECK-LABEL: func.func @place_in_another_shape
func.func @place_in_another_shape(%zero: i32) -> tensor<32x32xi32> {
  // CHECK: tensor.empty()
  // CHECK-NOT: gmem.offset
  // CHECK: linalg.fill
  %0 = tensor.empty() : tensor<1024xi32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [32, 32] : tensor<1024xi32> into tensor<32x32xi32>
  %2 = linalg.fill ins(%zero : i32) outs(%1 : tensor<32x32xi32>) -> tensor<32x32xi32>
  return %2 : tensor<32x32xi32>
}

// -----

// 3. Read by an op that might want its contents, it is a tensor like any other,
// up to there: %0 is not there when the second result is made.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @read
func.func @read(%zero: i32) -> tensor<1024xi32> {
  // CHECK: tensor.empty(){{.*}}gmem.offset
  %0 = tensor.empty() : tensor<1024xi32>
  %1 = "a.op"(%0) : (tensor<1024xi32>) -> tensor<1024xi32>
  "a.use"(%1) : (tensor<1024xi32>) -> ()
  %2 = "a.op"() : () -> tensor<1024xi32>
  %3 = linalg.fill ins(%zero : i32) outs(%0 : tensor<1024xi32>) -> tensor<1024xi32>
  "a.use"(%2, %3) : (tensor<1024xi32>, tensor<1024xi32>) -> ()
  return %2 : tensor<1024xi32>
}

// -----

// 4. Passed on by control flow it is one, too.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @handed_on
func.func @handed_on(%n: index) -> tensor<1024xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: tensor.empty(){{.*}}gmem.offset
  %0 = tensor.empty() : tensor<1024xi32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %0) -> tensor<1024xi32> {
    scf.yield %x : tensor<1024xi32>
  }
  return %r : tensor<1024xi32>
}

// -----

// 5. An operand of which nothing is read (a shape) does not live for that: the
// value %a is not there when %1 is made.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @unread
func.func @unread(%a: tensor<1024xi32>) -> tensor<1024xi32> {
  %0 = "a.one"(%a) : (tensor<1024xi32>) -> tensor<1024xi32>
  %1 = "a.reshape"(%0, %a) {gmem.op_model = {kind = "compute", unread = array<i64: 1>}} : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  return %1 : tensor<1024xi32>
}

// -----

// 6. A shape that is known when the program runs alone was taken for one that
// no op reads: its place was used again before the reshape read it.
// CHECK: lower_bound = 12296 : i64
// CHECK-LABEL: func.func @run_time_shape
func.func @run_time_shape(%a: tensor<1024xi32>, %n: tensor<1xi64>) -> tensor<?xi32> {
  %shape = "a.shape"(%n) : (tensor<1xi64>) -> tensor<1xi64>
  %0 = "a.one"(%a) : (tensor<1024xi32>) -> tensor<1024xi32>
  %1 = "a.two"(%0, %a, %0) : (tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  %2 = "onnx.Reshape"(%1, %shape) {gmem.upper_bound = [array<i64: 1024>]} : (tensor<1024xi32>, tensor<1xi64>) -> tensor<?xi32>
  return %2 : tensor<?xi32>
}
