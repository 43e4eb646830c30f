// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan %s | FileCheck %s
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan=keep-inputs=true %s | FileCheck %s --check-prefix=KEEP

// Lives in straight-line functions, seen through the peak (each tensor is one
// granule of 4096 bytes).

// An input dies at its last use, and stays with keep-inputs.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @input_dies
// KEEP: keep_inputs = true{{.*}} peak = 12288
// KEEP-LABEL: func.func @input_dies
func.func @input_dies(%a: tensor<1024xi32>) -> tensor<1024xi32> {
  %0 = "a.op"(%a) : (tensor<1024xi32>) -> tensor<1024xi32>
  %1 = "a.op"(%0) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %1 : tensor<1024xi32>
}

// -----

// All arguments are there when the function begins, one without users too; it
// does not stay.
// CHECK: peak = 12288
// CHECK-LABEL: func.func @arguments
func.func @arguments(%a: tensor<1024xi32>, %unused: tensor<1024xi32>, %b: tensor<1024xi32>) -> tensor<1024xi32> {
  %0 = "a.op"(%a, %b) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  return %0 : tensor<1024xi32>
}

// -----

// Outputs live to the end: %0 is returned, so %2 is not over it.
// CHECK: peak = 12288
// CHECK-LABEL: func.func @outputs
func.func @outputs() -> (tensor<1024xi32>, tensor<1024xi32>) {
  %0 = "a.op"() : () -> tensor<1024xi32>
  %1 = "a.op"() : () -> tensor<1024xi32>
  %2 = "a.op"(%1) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %0, %2 : tensor<1024xi32>, tensor<1024xi32>
}

// -----

// gmem.hold keeps a value that no op reads any more.
// CHECK: peak = 12288
// CHECK-LABEL: func.func @hold
func.func @hold() -> tensor<1024xi32> {
  %0 = "a.op"() {gmem.hold} : () -> tensor<1024xi32>
  %1 = "a.op"() : () -> tensor<1024xi32>
  %2 = "a.op"(%1) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %2 : tensor<1024xi32>
}

// -----

// What a call returns is kept from the next round, too, which makes %x again:
// it is copied.
// CHECK: peak = 8192
// CHECK: func.func private @given(%{{.*}} {gmem.offset = [[GIVEN:.*]] : i64, gmem.pool
func.func private @given(%a: tensor<1024xi32>) -> tensor<1024xi32> {
  return %a : tensor<1024xi32>
}
func.func @hold_in_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: call @given(%{{.*}}) {gmem.copies = [{edge = "results", from = [[GIVEN]] : i64,
    %x = "a.op"() : () -> tensor<1024xi32>
    %v = func.call @given(%x) {gmem.hold} : (tensor<1024xi32>) -> tensor<1024xi32>
  }
  return
}

// -----

// A reshape of a reshape is the same memory, whose life is that of all three;
// what has another size is memory of its own.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @reshapes
func.func @reshapes(%a: tensor<1024xi32>) -> tensor<1024xi32> {
  // CHECK: tensor.expand_shape{{.*}}gmem.offset = array<i64: [[A:[0-9]+]]>
  %0 = tensor.expand_shape %a [[0, 1]] output_shape [32, 32] : tensor<1024xi32> into tensor<32x32xi32>
  // CHECK: tensor.collapse_shape{{.*}}gmem.offset = array<i64: [[A]]>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<32x32xi32> into tensor<1024xi32>
  // CHECK: "a.op"
  // CHECK-NOT: array<i64: [[A]]>
  // CHECK-SAME: tensor<1024xi32>
  %2 = "a.op"(%1) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %2 : tensor<1024xi32>
}

// -----

// A reshape of an argument is the argument, kept when inputs are kept.
// KEEP-LABEL: func.func @reshaped_input
// KEEP-SAME: gmem.offset = [[A:[0-9]+]]
func.func @reshaped_input(%a: tensor<1024xi32>) -> tensor<1024xi32> {
  // KEEP: "tpu.Reshape"{{.*}}gmem.offset = array<i64: [[A]]>
  %0 = "tpu.Reshape"(%a) : (tensor<1024xi32>) -> tensor<32x32xi32>
  %1 = "a.op"(%0) : (tensor<32x32xi32>) -> tensor<1024xi32>
  // KEEP: "a.last"
  // KEEP-NOT: array<i64: [[A]]>
  // KEEP-SAME: tensor<1024xi32>
  %2 = "a.last"(%1) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %2 : tensor<1024xi32>
}

// -----

// A reshape of a weight stays in constant memory.
// CHECK-LABEL: func.func @reshaped_weight
func.func @reshaped_weight() -> tensor<32x32xi32> {
  // CHECK: "top.Weight"{{.*}}gmem.offset = array<i64: 0>, gmem.pool = ["weights"]
  %0 = "top.Weight"() : () -> tensor<1024xi32>
  // CHECK: "tpu.Reshape"{{.*}}gmem.offset = array<i64: 0>, gmem.pool = ["weights"]
  %1 = "tpu.Reshape"(%0) : (tensor<1024xi32>) -> tensor<32x32xi32>
  return %1 : tensor<32x32xi32>
}

// -----

// What a network input is read from is host memory; the input itself is there
// before the function runs.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @network_input
// CHECK-NOT: gmem.offset
// CHECK-SAME: -> tensor<1024xi32>
func.func @network_input(%host: tensor<1024xf32>) -> tensor<1024xi32> {
  %0 = "a.start"() : () -> tensor<1024xi32>
  // CHECK: "top.Input"{{.*}}gmem.offset
  %1 = "top.Input"(%host) : (tensor<1024xf32>) -> tensor<1024xi32>
  %2 = "a.op"(%1) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %2 : tensor<1024xi32>
}
