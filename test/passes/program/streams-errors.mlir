// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan --verify-diagnostics %s

func.func @negative() {
  // expected-error@+1 {{gmem.stream must be an i64 from 0 to 2147483647}}
  "a.op"() {gmem.stream = -1 : i64} : () -> ()
  return
}

// -----

func.func @index() {
  // expected-error@+1 {{gmem.stream must be an i64 from 0 to 2147483647}}
  "a.op"() {gmem.stream = 1 : index} : () -> ()
  return
}

// -----

func.func @word() {
  // expected-error@+1 {{gmem.stream must be an i64 from 0 to 2147483647}}
  "a.op"() {gmem.stream = "dma"} : () -> ()
  return
}

// -----

func.func @one_wait() {
  // expected-error@+1 {{gmem.wait must be an array<i64> of numbers from 0 to 2147483647}}
  "a.op"() {gmem.wait = 1 : i64} : () -> ()
  return
}

// -----

// A wait is read where nothing is in a stream, too.
func.func @list_of_waits() {
  // expected-error@+1 {{gmem.wait must be an array<i64> of numbers from 0 to 2147483647}}
  "a.op"() {gmem.wait = [1 : i64]} : () -> ()
  return
}

// -----

func.func @negative_wait() {
  // expected-error@+1 {{gmem.wait must be an array<i64> of numbers from 0 to 2147483647}}
  "a.op"() {gmem.stream = 1 : i64, gmem.wait = array<i64: 1, -2>} : () -> ()
  return
}

// -----

// A return waits, but is in no stream.
func.func @terminator() {
  "a.op"() {gmem.stream = 1 : i64} : () -> ()
  // expected-error@+1 {{a terminator cannot be in a stream: control flow runs on the host}}
  return {gmem.stream = 1 : i64, gmem.wait = array<i64: 1>}
}

// -----

// expected-error@+1 {{gmem.stream and gmem.wait are not supported on a function; set them on its ops or on calls to it}}
func.func @function() attributes {gmem.stream = 1 : i64} {
  return
}

// -----

func.func @nested(%c: i1) {
  scf.if %c {
    // expected-error@+1 {{an op in a stream cannot be nested in another op in a stream: the outer op runs entirely there}}
    "a.op"() {gmem.stream = 1 : i64} : () -> ()
  } {gmem.stream = 2 : i64}
  return
}

// -----

func.func @called() {
  call @outer() {gmem.stream = 1 : i64} : () -> ()
  return
}
func.func private @outer() {
  call @inner() : () -> ()
  return
}
func.func private @inner() {
  // expected-error@+1 {{an op in a stream cannot be in a function that is called in a stream: the call runs entirely there}}
  "a.op"() {gmem.stream = 1 : i64} : () -> ()
  return
}

// -----

func.func @group() {
  "a.fused"() ({
    // expected-error@+1 {{gmem.stream and gmem.wait are not supported inside an op that is planned as a unit; set them on that op}}
    "a.op"() {gmem.stream = 1 : i64} : () -> ()
  }) {gmem.layer_group} : () -> ()
  return
}

// -----

func.func @split_group() {
  "a.op"() {gmem.layer_group = 1 : i64, gmem.stream = 1 : i64} : () -> ()
  // expected-error@+1 {{the ops of a flat layer group must all be in the same stream, or in none}}
  "a.op"() {gmem.layer_group = 1 : i64, gmem.stream = 2 : i64} : () -> ()
  return
}

// -----

// expected-error@+1 {{result #0 of @same cannot be returned in the memory of argument #0: the streams that use them are not synchronised}}
func.func @same(%c: tensor<4xi32>) -> (tensor<4xi32> {gmem.same_as = 0 : i64}) {
  // expected-note@+1 {{may still run}}
  "a.read"(%c) {gmem.stream = 1 : i64} : (tensor<4xi32>) -> ()
  // expected-note@+1 {{when this begins}}
  %0 = "a.op"() {gmem.stream = 2 : i64} : () -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @calls() {
  call @works() {gmem.stream = 1 : i64} : () -> ()
  call @works() {gmem.stream = 2 : i64} : () -> ()
  return
}
func.func private @works() {
  // expected-error@+1 {{gmem.workbuffers: workbuffer #0 is mutable, but its function may run concurrently with itself: set "threads" to the number of threads}}
  "a.op"() {gmem.workbuffers = [{size = 64 : i64}]} : () -> ()
  return
}

// -----

// A function that calls itself.
func.func @recursive(%a: tensor<16xf32>) {
  // expected-error@+1 {{gmem.workbuffers: workbuffer #0 is mutable, but its function is recursive}}
  "a.op"(%a) {gmem.stream = 1 : i64, gmem.workbuffers = [{size = 64 : i64}]} : (tensor<16xf32>) -> ()
  func.call @recursive(%a) : (tensor<16xf32>) -> ()
  return
}
func.func @calls_recursive(%a: tensor<16xf32>) {
  func.call @recursive(%a) : (tensor<16xf32>) -> ()
  return
}

// -----

// Numbers beyond those of queues.
func.func @largest(%a: tensor<64xf32>) -> tensor<64xf32> {
  %0 = "x.load"(%a) {gmem.stream = 2147483647 : i64} : (tensor<64xf32>) -> tensor<64xf32>
  // expected-error @+1 {{gmem.stream must be an i64 from 0 to 2147483647}}
  %1 = "x.load"(%a) {gmem.stream = 2147483648 : i64} : (tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

func.func @too_large(%a: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error @+1 {{gmem.stream must be an i64 from 0 to 2147483647}}
  %0 = "x.load"(%a) {gmem.stream = 9223372036854775807 : i64} : (tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

func.func @waits_for_too_large(%a: tensor<64xf32>) -> tensor<64xf32> {
  %0 = "x.load"(%a) {gmem.stream = 1 : i64, gmem.wait = array<i64: 2147483647>} : (tensor<64xf32>) -> tensor<64xf32>
  // expected-error @+1 {{gmem.wait must be an array<i64> of numbers from 0 to 2147483647}}
  %1 = "x.load"(%a) {gmem.stream = 1 : i64, gmem.wait = array<i64: 0, 2147483648>} : (tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
