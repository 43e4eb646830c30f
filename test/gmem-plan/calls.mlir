// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan %s | FileCheck %s

// Functions of one module share its pools: what is live at a call is live as
// long as the callee runs. Peaks in granules of 4096 bytes.

// The only call of a function passes its operands and results by reference:
// the argument is the operand, the result is what the callee returns, and an
// operand that dies at the call dies inside the callee.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @by_reference
// CHECK-SAME: gmem.offset = [[A:[0-9]+]]
func.func @by_reference(%a: tensor<1024xi32>) -> tensor<1024xi32> {
  // CHECK: call @callee{{.*}}gmem.offset = array<i64: [[R:[0-9]+]]>
  %r = func.call @callee(%a) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %r : tensor<1024xi32>
}
// CHECK: func.func private @callee(%arg0: tensor<1024xi32> {gmem.offset = [[A]]
func.func private @callee(%x: tensor<1024xi32>) -> tensor<1024xi32> {
  // CHECK: "a.first"{{.*}}gmem.offset = array<i64: [[S:[0-9]+]]>
  %0 = "a.first"(%x) : (tensor<1024xi32>) -> tensor<1024xi32>
  // CHECK: "a.second"{{.*}}gmem.offset = array<i64: [[R]]>
  %1 = "a.second"(%0) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %1 : tensor<1024xi32>
}

// -----

// %b is not passed but lives across the call: three granules, where the callee
// alone needs two.
// CHECK: peak = 12288
// CHECK-LABEL: func.func @across
func.func @across(%a: tensor<1024xi32>, %b: tensor<1024xi32>) -> tensor<1024xi32> {
  %r = func.call @callee(%a) : (tensor<1024xi32>) -> tensor<1024xi32>
  %s = "a.last"(%r, %b) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  return %s : tensor<1024xi32>
}
func.func private @callee(%x: tensor<1024xi32>) -> tensor<1024xi32> {
  %0 = "a.first"(%x) : (tensor<1024xi32>) -> tensor<1024xi32>
  %1 = "a.second"(%0) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %1 : tensor<1024xi32>
}

// -----

// The same through a function in between: %b conflicts with what @inner uses.
// CHECK: peak = 12288
// CHECK-LABEL: func.func @outer
func.func @outer(%a: tensor<1024xi32>, %b: tensor<1024xi32>) -> tensor<1024xi32> {
  %r = func.call @middle(%a) : (tensor<1024xi32>) -> tensor<1024xi32>
  %s = "a.last"(%r, %b) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  return %s : tensor<1024xi32>
}
func.func private @middle(%x: tensor<1024xi32>) -> tensor<1024xi32> {
  %0 = func.call @inner(%x) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %0 : tensor<1024xi32>
}
func.func private @inner(%x: tensor<1024xi32>) -> tensor<1024xi32> {
  %0 = "a.first"(%x) : (tensor<1024xi32>) -> tensor<1024xi32>
  %1 = "a.second"(%0) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %1 : tensor<1024xi32>
}

// -----

// Called twice, a function has an argument and a result of its own, which are
// copied: an operand is wanted up to the call's first step, a result from its
// last one on, and neither of them while the callee runs. %0 is copied from what
// the callee returns and to its argument, so these are three places; %a and %1
// can be in one of them.
// CHECK: peak = 12288
// CHECK-LABEL: func.func @twice
func.func @twice(%a: tensor<1024xi32>) -> tensor<1024xi32> {
  %0 = func.call @callee(%a) : (tensor<1024xi32>) -> tensor<1024xi32>
  %1 = func.call @callee(%0) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %1 : tensor<1024xi32>
}
func.func private @callee(%x: tensor<1024xi32>) -> tensor<1024xi32> {
  %0 = "a.first"(%x) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %0 : tensor<1024xi32>
}

// -----

// Functions that do not call each other never run together: they share.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @one
func.func @one(%a: tensor<1024xi32>) -> tensor<1024xi32> {
  %0 = "a.op"(%a) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %0 : tensor<1024xi32>
}
func.func @two(%a: tensor<1024xi32>) -> tensor<1024xi32> {
  %0 = "a.op"(%a) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %0 : tensor<1024xi32>
}

// -----

// Any mention of a function may run it, by whatever op: here inside a layer
// group. %b is live there.
// CHECK: peak = 20480
// CHECK-LABEL: func.func @mention
func.func @mention(%a: tensor<1024xi32>, %b: tensor<1024xi32>) -> tensor<1024xi32> {
  %r = "tpu.Group"(%a) ({
    "a.launch"() {kernels = [@kernel]} : () -> ()
  }) : (tensor<1024xi32>) -> tensor<1024xi32>
  %s = "a.last"(%r, %b) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  return %s : tensor<1024xi32>
}
func.func private @kernel() {
  %0 = "a.first"() : () -> tensor<1024xi32>
  %1 = "a.second"(%0) : (tensor<1024xi32>) -> tensor<1024xi32>
  return
}

// -----

// A function whose address is taken may run at any time.
// CHECK: peak = 12288
// CHECK-LABEL: func.func @address
func.func @address(%a: tensor<1024xi32>) -> tensor<1024xi32> {
  %f = func.constant @callback : () -> ()
  %0 = "a.first"(%a) : (tensor<1024xi32>) -> tensor<1024xi32>
  func.call_indirect %f() : () -> ()
  return %0 : tensor<1024xi32>
}
func.func private @callback() {
  %0 = "a.inside"() : () -> tensor<1024xi32>
  "a.use"(%0) : (tensor<1024xi32>) -> ()
  return
}
