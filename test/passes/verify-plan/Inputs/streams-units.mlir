// streams-units.mlir - functions whose buffers share bytes because of one wait.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Ops that are one op of their block: what they leave running in a stream is
// waited for, each time.

// A loop reads in stream 2 what stream 1 loads in each iteration.
func.func @loop(%n: index, %in: tensor<256xi8>) {
  scf.for %i = %n to %n step %n {
    %0 = "x.load"(%in) {gmem.stream = 1 : i64} : (tensor<256xi8>) -> tensor<256xi8>
    "x.use"(%0) {gmem.stream = 2 : i64} : (tensor<256xi8>) -> ()
    "x.sync"() {gmem.wait = array<i64: 2>} : () -> ()
  }
  return
}

// A loop leaves a read running in stream 1.
func.func @after_loop(%n: index, %in: tensor<256xi8>) -> tensor<256xi8> {
  %0 = "x.load"(%in) : (tensor<256xi8>) -> tensor<256xi8>
  scf.for %i = %n to %n step %n {
    "x.use"(%0) {gmem.stream = 1 : i64} : (tensor<256xi8>) -> ()
  }
  %1 = "x.next"(%in) {gmem.wait = array<i64: 1>} : (tensor<256xi8>) -> tensor<256xi8>
  return %1 : tensor<256xi8>
}

// So does a call.
func.func @call(%in: tensor<256xi8>) -> tensor<256xi8> {
  call @callee() : () -> ()
  %0 = "x.next"(%in) {gmem.wait = array<i64: 3>} : (tensor<256xi8>) -> tensor<256xi8>
  return %0 : tensor<256xi8>
}
func.func private @callee() {
  %0 = "x.load"() {gmem.stream = 3 : i64} : () -> tensor<256xi8>
  "x.use"(%0) {gmem.stream = 3 : i64} : (tensor<256xi8>) -> ()
  return
}

// A memref that stream 1 may still write.
func.func @memref(%in: memref<256xi8>) {
  %0 = memref.alloc() : memref<256xi8>
  "x.fill"(%0) {gmem.stream = 1 : i64} : (memref<256xi8>) -> ()
  memref.dealloc %0 : memref<256xi8>
  %1 = memref.alloc() : memref<256xi8>
  "x.fill"(%1) {gmem.stream = 2 : i64, gmem.wait = array<i64: 1>} : (memref<256xi8>) -> ()
  "x.use"(%1) {gmem.wait = array<i64: 2>} : (memref<256xi8>) -> ()
  memref.dealloc %1 : memref<256xi8>
  return
}

// The first op of a flat layer group may write what the last one returns.
func.func @group(%in: tensor<256xi8>) -> tensor<256xi8> {
  %0 = "x.load"() {gmem.stream = 2 : i64} : () -> tensor<256xi8>
  "x.use"(%0) {gmem.stream = 2 : i64} : (tensor<256xi8>) -> ()
  %1 = "x.first"(%in) {gmem.layer_group = 1 : i64, gmem.stream = 1 : i64, gmem.wait = array<i64: 2>} : (tensor<256xi8>) -> tensor<256xi8>
  %2 = "x.last"(%1) {gmem.layer_group = 1 : i64, gmem.stream = 1 : i64} : (tensor<256xi8>) -> tensor<256xi8>
  "x.sync"() {gmem.wait = array<i64: 1, 2>} : () -> ()
  return %2 : tensor<256xi8>
}
