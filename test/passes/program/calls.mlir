// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan=sharing=none %s | FileCheck %s
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan=sharing=transfer %s | FileCheck %s --check-prefix=STAY

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
// can be in one of them. What is copied can also stay where it is: that saves
// one place.
// CHECK: peak = 12288
// STAY: peak = 8192
// STAY-LABEL: func.func @twice
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

// -----

// What is live at one call alone does not meet what runs in another: %a is with
// the two values of @first, %b with the three of @second. (A result is a place
// of its own only where it is copied.)
// CHECK: peak = 16384
// CHECK-LABEL: func.func @one_at_a_time
func.func @one_at_a_time() {
  %a = "a.start"() : () -> tensor<1024xi32>
  func.call @first() : () -> ()
  "a.use"(%a) : (tensor<1024xi32>) -> ()
  func.call @second() : () -> ()
  return
}
func.func private @first() {
  %0 = "a.one"() : () -> tensor<1024xi32>
  %1 = "a.two"(%0) : (tensor<1024xi32>) -> tensor<1024xi32>
  %2 = "a.three"(%0, %1) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  return
}
func.func private @second() {
  %0 = "a.one"() : () -> tensor<1024xi32>
  %1 = "a.two"() : () -> tensor<1024xi32>
  %2 = "a.three"() : () -> tensor<1024xi32>
  "a.use"(%0, %1, %2) : (tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>) -> ()
  return
}

// -----

// A function with two returns that is called once gives its result at either,
// as a branch does. Copied, %0, %1 and %r are each with each of the others at
// some step; both can stay where they are, for only one of them is made.
// CHECK: peak = 12288
// STAY: peak = 8192
// CHECK-LABEL: func.func @two_returns
func.func @two_returns(%c: i1) -> tensor<1024xi32> {
  %r = func.call @returns_twice(%c) : (i1) -> tensor<1024xi32>
  return %r : tensor<1024xi32>
}
func.func private @returns_twice(%c: i1) -> tensor<1024xi32> {
  %0 = "a.start"() : () -> tensor<1024xi32>
  cf.cond_br %c, ^one, ^two
^one:
  %1 = "a.one"(%0) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %1 : tensor<1024xi32>
^two:
  return %0 : tensor<1024xi32>
}

// -----

// An argument that is returned by one of two returns is the caller's %a, which
// is used later: %r cannot lie in its memory although it ends at once, but it
// can where the other return has its value.
// STAY: peak = 8192
// STAY-LABEL: func.func @argument_returned
// STAY-SAME: gmem.offset = [[A:[0-9]+]]
// STAY: call @perhaps
// STAY-NOT: gmem.offset = array<i64: [[A]]>
// STAY-SAME: tensor
func.func @argument_returned(%c: i1, %a: tensor<1024xi32>) {
  %r = func.call @perhaps(%c, %a) : (i1, tensor<1024xi32>) -> tensor<1024xi32>
  "a.use"(%a) : (tensor<1024xi32>) -> ()
  return
}
func.func private @perhaps(%c: i1, %x: tensor<1024xi32>) -> tensor<1024xi32> {
  cf.cond_br %c, ^one, ^two
^one:
  return %x : tensor<1024xi32>
^two:
  %0 = "a.one"() : () -> tensor<1024xi32>
  return %0 : tensor<1024xi32>
}

// -----

// A call in a loop: %a from outside lives while the callee runs, in every
// iteration.
// CHECK: peak = 12288
// CHECK-LABEL: func.func @in_loop
func.func @in_loop(%n: index, %a: tensor<1024xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    "a.use"(%a) : (tensor<1024xi32>) -> ()
    func.call @body() : () -> ()
  }
  return
}
func.func private @body() {
  %0 = "a.one"() : () -> tensor<1024xi32>
  %1 = "a.two"(%0) : (tensor<1024xi32>) -> tensor<1024xi32>
  return
}

// -----

// An op of its own that calls in its way, with one operand that is none of the
// callee's: nothing is known of when it hands over what.
// CHECK: peak = 16384
// CHECK-LABEL: func.func @launch
func.func @launch(%a: tensor<1024xi32>, %b: tensor<1024xi32>) -> tensor<1024xi32> {
  %r = "a.launch"(%a, %b) {callee = @kernel} : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  return %r : tensor<1024xi32>
}
func.func private @kernel(%x: tensor<1024xi32>) {
  "a.use"(%x) : (tensor<1024xi32>) -> ()
  return
}
