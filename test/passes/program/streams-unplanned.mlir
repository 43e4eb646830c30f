// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// MLIR 19 has no --verify-diagnostics=only-expected.
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan --verify-diagnostics=only-expected %s

// What a stream may still use when it is made again has no one place.

// The load of the next round may run beside what reads that of this one.
func.func @loop(%n: index) {
  scf.for %i = %n to %n step %n {
    // expected-remark@+1 {{this value of @loop is not planned: a stream may still access it when it is defined again}}
    %0 = "a.load"() {gmem.stream = 1 : i64} : () -> tensor<1024xi32>
    "a.read"(%0) {gmem.stream = 2 : i64} : (tensor<1024xi32>) -> ()
  }
  return
}

// -----

// Seen by another name, too.
func.func @reshaped(%n: index) {
  scf.for %i = %n to %n step %n {
    // expected-remark@+1 {{this value of @reshaped is not planned: a stream may still access it}}
    %0 = "a.load"() : () -> tensor<1024xi32>
    %1 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 512] : tensor<1024xi32> into tensor<2x512xi32>
    "a.read"(%1) {gmem.stream = 2 : i64} : (tensor<2x512xi32>) -> ()
  }
  return
}

// -----

// The second call writes the argument while the stream may still read the other
// name of it from the first. All uses of that name are in one stream, and the
// reshape itself is waited for.
// expected-remark@+1 {{this value of @argument is not planned: a stream may still access it}}
func.func private @argument(%0: tensor<1024xi32>) {
  %1 = "a.reshape"(%0) {gmem.stream = 2 : i64, gmem.op_model = {kind = "reshape"}} : (tensor<1024xi32>) -> tensor<2x512xi32>
  "a.barrier"() {gmem.wait = array<i64: 2>} : () -> ()
  "a.read"(%1) {gmem.stream = 2 : i64} : (tensor<2x512xi32>) -> ()
  return
}

func.func @calls() {
  %0 = "a.load"() : () -> tensor<1024xi32>
  call @argument(%0) : (tensor<1024xi32>) -> ()
  %1 = "a.load"() : () -> tensor<1024xi32>
  call @argument(%1) : (tensor<1024xi32>) -> ()
  return
}

// -----

// In one stream each waits for the one before, and with a wait the host does.
func.func @in_turn(%n: index) {
  scf.for %i = %n to %n step %n {
    %0 = "a.load"() {gmem.stream = 1 : i64} : () -> tensor<1024xi32>
    "a.read"(%0) {gmem.stream = 1 : i64} : (tensor<1024xi32>) -> ()
    %1 = "a.load"() {gmem.stream = 1 : i64} : () -> tensor<1024xi32>
    "a.read"(%1) {gmem.stream = 2 : i64} : (tensor<1024xi32>) -> ()
    "a.barrier"() {gmem.wait = array<i64: 2>} : () -> ()
  }
  return
}

// -----

// The branch is not taken twice.
func.func @branch(%c: i1) {
  scf.if %c {
    %0 = "a.load"() {gmem.stream = 1 : i64} : () -> tensor<1024xi32>
    "a.read"(%0) {gmem.stream = 2 : i64} : (tensor<1024xi32>) -> ()
  }
  return
}

// -----

// A function that is called twice.
func.func @twice() {
  call @callee() : () -> ()
  call @callee() : () -> ()
  call @once() : () -> ()
  return
}
func.func private @callee() {
  // expected-remark@+1 {{this value of @callee is not planned: a stream may still access it}}
  %0 = "a.load"() {gmem.stream = 1 : i64} : () -> tensor<1024xi32>
  "a.read"(%0) {gmem.stream = 2 : i64} : (tensor<1024xi32>) -> ()
  return
}
func.func private @once() {
  %0 = "a.load"() {gmem.stream = 1 : i64} : () -> tensor<1024xi32>
  "a.read"(%0) {gmem.stream = 2 : i64} : (tensor<1024xi32>) -> ()
  return
}

// -----

// Two streams run one function at a time.
func.func @both() {
  call @callee() {gmem.stream = 1 : i64} : () -> ()
  call @callee() {gmem.stream = 2 : i64} : () -> ()
  return
}
func.func private @callee() {
  // expected-remark@+1 {{this value of @callee is not planned: a stream may still access it}}
  %0 = "a.load"() : () -> tensor<1024xi32>
  "a.read"(%0) : (tensor<1024xi32>) -> ()
  return
}

// -----

func.func @memref(%n: index) {
  scf.for %i = %n to %n step %n {
    // expected-remark@+1 {{this memref of @memref is not planned: a stream may still access it when it is allocated again}}
    %0 = memref.alloc() : memref<1024xi32>
    // expected-note@+1 {{this may still run then: nothing synchronizes with it in between}}
    "a.write"(%0) {gmem.stream = 1 : i64} : (memref<1024xi32>) -> ()
    "a.read"(%0) {gmem.stream = 2 : i64} : (memref<1024xi32>) -> ()
    memref.dealloc %0 : memref<1024xi32>
  }
  return
}

// -----

// One outside of the loop is not allocated again.
func.func @outside(%n: index) {
  %0 = memref.alloc() : memref<1024xi32>
  scf.for %i = %n to %n step %n {
    %1 = memref.subview %0[0] [512] [1] : memref<1024xi32> to memref<512xi32>
    "a.write"(%1) {gmem.stream = 1 : i64} : (memref<512xi32>) -> ()
    "a.read"(%1) {gmem.stream = 2 : i64, gmem.wait = array<i64: 1>} : (memref<512xi32>) -> ()
  }
  memref.dealloc %0 : memref<1024xi32>
  return
}

// -----

// A loop that carries a memref uses the instance of the iteration before while
// it writes the next one: nothing orders stream 2 after stream 1.
func.func @carried(%n: index) {
  %0 = memref.alloc() : memref<64xi8>
  "a.write"(%0) {gmem.stream = 1 : i64} : (memref<64xi8>) -> ()
  %r = scf.for %i = %n to %n step %n iter_args(%old = %0) -> memref<64xi8> {
    // expected-note@+1 {{this may still run then: nothing synchronizes with it in between}}
    "a.read"(%old) {gmem.stream = 1 : i64} : (memref<64xi8>) -> ()
    // expected-remark@+1 {{this memref of @carried is not planned: a stream may still access it when it is allocated again}}
    %new = memref.alloc() : memref<64xi8>
    "a.write"(%new) {gmem.stream = 2 : i64} : (memref<64xi8>) -> ()
    "a.barrier"() {gmem.wait = array<i64: 1, 2>} : () -> ()
    scf.yield %new : memref<64xi8>
  }
  "a.read"(%r) : (memref<64xi8>) -> ()
  return
}

// -----

// Here stream 2 waits for stream 1, the host does, or both are one stream.
func.func @carried_in_turn(%n: index) {
  %0 = memref.alloc() : memref<64xi8>
  "a.write"(%0) {gmem.stream = 1 : i64} : (memref<64xi8>) -> ()
  %r = scf.for %i = %n to %n step %n iter_args(%old = %0) -> memref<64xi8> {
    "a.read"(%old) {gmem.stream = 1 : i64} : (memref<64xi8>) -> ()
    %new = memref.alloc() : memref<64xi8>
    "a.write"(%new) {gmem.stream = 2 : i64, gmem.wait = array<i64: 1>} : (memref<64xi8>) -> ()
    "a.barrier"() {gmem.wait = array<i64: 1, 2>} : () -> ()
    scf.yield %new : memref<64xi8>
  }
  "a.read"(%r) : (memref<64xi8>) -> ()
  return
}

// -----

func.func @carried_after_wait(%n: index, %true: i1) {
  %0 = memref.alloc() : memref<64xi8>
  "a.write"(%0) {gmem.stream = 1 : i64} : (memref<64xi8>) -> ()
  %r = scf.for %i = %n to %n step %n iter_args(%old = %0) -> memref<64xi8> {
    scf.if %true {
      "a.read"(%old) {gmem.stream = 1 : i64} : (memref<64xi8>) -> ()
    }
    "a.barrier"() {gmem.wait = array<i64: 1>} : () -> ()
    %new = memref.alloc() : memref<64xi8>
    "a.write"(%new) {gmem.stream = 2 : i64} : (memref<64xi8>) -> ()
    "a.barrier"() {gmem.wait = array<i64: 1, 2>} : () -> ()
    scf.yield %new : memref<64xi8>
  }
  "a.read"(%r) : (memref<64xi8>) -> ()
  return
}

// -----

// A branch hands its memref to stream 1, and nothing in the loop waits for that;
// the wait behind the loop comes too late for the next instance.
func.func @handed_out(%n: index, %true: i1) {
  scf.for %i = %n to %n step %n {
    %0 = scf.if %true -> memref<64xi8> {
      // expected-remark@+1 {{this memref of @handed_out is not planned: a stream may still access it when it is allocated again}}
      %1 = memref.alloc() : memref<64xi8>
      "a.write"(%1) : (memref<64xi8>) -> ()
      scf.yield %1 : memref<64xi8>
    } else {
      %2 = memref.alloc() : memref<64xi8>
      scf.yield %2 : memref<64xi8>
    }
    // expected-note@+1 {{this may still run then: nothing synchronizes with it in between}}
    "a.use"(%0) {gmem.stream = 1 : i64} : (memref<64xi8>) -> ()
  }
  "a.barrier"() {gmem.wait = array<i64: 1>} : () -> ()
  return
}

// -----

// A wait at the end of the loop comes in time.
func.func @handed_out_in_turn(%n: index, %true: i1) {
  scf.for %i = %n to %n step %n {
    %0 = scf.if %true -> memref<64xi8> {
      %1 = memref.alloc() : memref<64xi8>
      "a.write"(%1) : (memref<64xi8>) -> ()
      scf.yield %1 : memref<64xi8>
    } else {
      %2 = memref.alloc() : memref<64xi8>
      "a.write"(%2) : (memref<64xi8>) -> ()
      scf.yield %2 : memref<64xi8>
    }
    "a.use"(%0) {gmem.stream = 1 : i64} : (memref<64xi8>) -> ()
    "a.barrier"() {gmem.wait = array<i64: 1>} : () -> ()
  }
  return
}
