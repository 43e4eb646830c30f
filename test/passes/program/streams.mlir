// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan --gmem-verify-plan %s | FileCheck %s
// RUN: sed 's/gmem.stream/test.stream/; s/gmem.wait/test.wait/' %s | gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan - | FileCheck %s --check-prefix=TEXT

// What runs in streams, seen through the peak (each tensor is one granule of 4096
// bytes), and as if it ran in the order of the text.

// Nothing orders the second load and the op that reads the first one, so the one
// may not be written where the other is read.
// CHECK: peak = 16384
// CHECK-LABEL: func.func @beside
// TEXT: peak = 12288
// TEXT-LABEL: func.func @beside
func.func @beside(%x: tensor<1024xi32>) -> tensor<1024xi32> {
  %0 = "a.load"(%x) {gmem.stream = 1 : i64} : (tensor<1024xi32>) -> tensor<1024xi32>
  %1 = "a.op"(%0) {gmem.stream = 2 : i64} : (tensor<1024xi32>) -> tensor<1024xi32>
  %2 = "a.load"(%x) {gmem.stream = 1 : i64} : (tensor<1024xi32>) -> tensor<1024xi32>
  %3 = "a.op"(%1, %2) {gmem.stream = 2 : i64} : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  return %3 : tensor<1024xi32>
}

// -----

// The second load waits: as in the text.
// CHECK: peak = 12288
// CHECK-LABEL: func.func @waits
func.func @waits(%x: tensor<1024xi32>) -> tensor<1024xi32> {
  %0 = "a.load"(%x) {gmem.stream = 1 : i64} : (tensor<1024xi32>) -> tensor<1024xi32>
  %1 = "a.op"(%0) {gmem.stream = 2 : i64} : (tensor<1024xi32>) -> tensor<1024xi32>
  %2 = "a.load"(%x) {gmem.stream = 1 : i64, gmem.wait = array<i64: 2>} : (tensor<1024xi32>) -> tensor<1024xi32>
  %3 = "a.op"(%1, %2) {gmem.stream = 2 : i64} : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  return %3 : tensor<1024xi32>
}

// -----

// So does the host, which puts the load into its stream only then. A stream that
// nothing is in is no reason to wait.
// CHECK: peak = 12288
// CHECK-LABEL: func.func @host_waits
func.func @host_waits(%x: tensor<1024xi32>) -> tensor<1024xi32> {
  %0 = "a.load"(%x) {gmem.stream = 1 : i64} : (tensor<1024xi32>) -> tensor<1024xi32>
  %1 = "a.op"(%0) {gmem.stream = 2 : i64} : (tensor<1024xi32>) -> tensor<1024xi32>
  "a.barrier"() {gmem.wait = array<i64: 2, 9>} : () -> ()
  %2 = "a.load"(%x) {gmem.stream = 1 : i64} : (tensor<1024xi32>) -> tensor<1024xi32>
  %3 = "a.op"(%1, %2) {gmem.stream = 2 : i64} : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  return %3 : tensor<1024xi32>
}

// -----

// What makes an operand is waited for, be the operand no more than a token; and
// with it what was before that in its stream.
// CHECK: peak = 12288
// CHECK-LABEL: func.func @token
func.func @token(%x: tensor<1024xi32>) -> tensor<1024xi32> {
  %0 = "a.load"(%x) {gmem.stream = 1 : i64} : (tensor<1024xi32>) -> tensor<1024xi32>
  %1 = "a.op"(%0) {gmem.stream = 2 : i64} : (tensor<1024xi32>) -> tensor<1024xi32>
  %t = "a.record"() {gmem.stream = 2 : i64} : () -> i32
  %2 = "a.load"(%x, %t) {gmem.stream = 1 : i64} : (tensor<1024xi32>, i32) -> tensor<1024xi32>
  %3 = "a.op"(%1, %2) {gmem.stream = 2 : i64} : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  return %3 : tensor<1024xi32>
}

// -----

// In one stream each op waits for the one before.
// CHECK: peak = 12288
// CHECK-LABEL: func.func @in_turn
func.func @in_turn(%x: tensor<1024xi32>) -> tensor<1024xi32> {
  %0 = "a.load"(%x) {gmem.stream = 1 : i64} : (tensor<1024xi32>) -> tensor<1024xi32>
  %1 = "a.op"(%0) {gmem.stream = 1 : i64} : (tensor<1024xi32>) -> tensor<1024xi32>
  %2 = "a.load"(%x) {gmem.stream = 1 : i64} : (tensor<1024xi32>) -> tensor<1024xi32>
  %3 = "a.op"(%1, %2) {gmem.stream = 1 : i64} : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  return %3 : tensor<1024xi32>
}

// -----

// Nothing need be left of a reshape, which is not sure to hold up the host, nor
// is a wait on it.
// CHECK: peak = 16384
// CHECK-LABEL: func.func @vanishes
func.func @vanishes(%x: tensor<1024xi32>) -> tensor<1024xi32> {
  %0 = "a.load"(%x) {gmem.stream = 1 : i64} : (tensor<1024xi32>) -> tensor<1024xi32>
  %1 = "a.op"(%0) {gmem.stream = 2 : i64} : (tensor<1024xi32>) -> tensor<1024xi32>
  %r = tensor.expand_shape %1 [[0, 1]] output_shape [2, 512] {gmem.wait = array<i64: 2>} : tensor<1024xi32> into tensor<2x512xi32>
  %2 = "a.load"(%x) {gmem.stream = 1 : i64} : (tensor<1024xi32>) -> tensor<1024xi32>
  %3 = "a.op"(%r, %2) {gmem.stream = 2 : i64} : (tensor<2x512xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  return %3 : tensor<1024xi32>
}

// -----

// An op does not write over an operand that another stream may still read ...
// CHECK: peak = 8192
// CHECK-LABEL: func.func @read_beside
// CHECK-NOT: gmem.alias
// TEXT: peak = 4096
// TEXT-LABEL: func.func @read_beside
func.func @read_beside(%x: tensor<1024xi32>) -> tensor<1024xi32> {
  "a.read"(%x) {gmem.stream = 1 : i64} : (tensor<1024xi32>) -> ()
  %0 = tosa.exp %x {gmem.stream = 2 : i64} : (tensor<1024xi32>) -> tensor<1024xi32>
  return %0 : tensor<1024xi32>
}

// -----

// ... but when that is done.
// CHECK: peak = 4096
// CHECK-LABEL: func.func @read_before
// CHECK: tosa.exp{{.*}}gmem.alias = [{kind = "inplace"
func.func @read_before(%x: tensor<1024xi32>) -> tensor<1024xi32> {
  "a.read"(%x) {gmem.stream = 1 : i64} : (tensor<1024xi32>) -> ()
  %0 = tosa.exp %x {gmem.stream = 2 : i64, gmem.wait = array<i64: 1>} : (tensor<1024xi32>) -> tensor<1024xi32>
  return %0 : tensor<1024xi32>
}

// -----

// A tensor and a part of it may be read at one time.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @part
// CHECK: tensor.extract_slice{{.*}}gmem.alias = [{kind = "slice"
func.func @part(%x: tensor<2048xi32>) {
  "a.read"(%x) {gmem.stream = 1 : i64} : (tensor<2048xi32>) -> ()
  %0 = tensor.extract_slice %x[1024] [1024] [1] : tensor<2048xi32> to tensor<1024xi32>
  "a.read"(%0) {gmem.stream = 2 : i64} : (tensor<1024xi32>) -> ()
  return
}

// -----

// A loop leaves %0 being read in stream 1 when a round ends, and when all do: %1
// and %2 are somewhere else.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @left_by_loop
// TEXT: peak = 4096
// TEXT-LABEL: func.func @left_by_loop
func.func @left_by_loop(%n: index) -> tensor<1024xi32> {
  scf.for %i = %n to %n step %n {
    %0 = "a.load"() {gmem.stream = 1 : i64} : () -> tensor<1024xi32>
    "a.read"(%0) {gmem.stream = 1 : i64} : (tensor<1024xi32>) -> ()
    %1 = "a.op"() : () -> tensor<1024xi32>
  }
  %2 = "a.op"() : () -> tensor<1024xi32>
  return %2 : tensor<1024xi32>
}

// -----

// Not so when each round waits for it.
// CHECK: peak = 4096
// CHECK-LABEL: func.func @done_in_loop
func.func @done_in_loop(%n: index) -> tensor<1024xi32> {
  scf.for %i = %n to %n step %n {
    %0 = "a.load"() {gmem.stream = 1 : i64} : () -> tensor<1024xi32>
    "a.read"(%0) {gmem.stream = 1 : i64} : (tensor<1024xi32>) -> ()
    %1 = "a.op"() {gmem.wait = array<i64: 1>} : () -> tensor<1024xi32>
  }
  %2 = "a.op"() : () -> tensor<1024xi32>
  return %2 : tensor<1024xi32>
}

// -----

// A function leaves what it reads to its caller; %1 need not be apart from it,
// since the host waits before, but %0 is.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @calls
// TEXT: peak = 4096
// TEXT-LABEL: func.func @calls
func.func @calls() -> tensor<1024xi32> {
  call @leaves() : () -> ()
  %0 = "a.op"() : () -> tensor<1024xi32>
  "a.read"(%0) {gmem.wait = array<i64: 1>} : (tensor<1024xi32>) -> ()
  %1 = "a.op"() : () -> tensor<1024xi32>
  return %1 : tensor<1024xi32>
}
func.func private @leaves() {
  %0 = "a.load"() {gmem.stream = 1 : i64} : () -> tensor<1024xi32>
  "a.read"(%0) {gmem.stream = 1 : i64} : (tensor<1024xi32>) -> ()
  return
}

// -----

// A call in a stream runs there as a whole, in turn with the others.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @called_in_stream
func.func @called_in_stream() -> tensor<1024xi32> {
  call @plain() {gmem.stream = 1 : i64} : () -> ()
  call @plain() {gmem.stream = 1 : i64} : () -> ()
  %0 = "a.op"() {gmem.stream = 2 : i64} : () -> tensor<1024xi32>
  return %0 : tensor<1024xi32>
}
func.func private @plain() {
  %0 = "a.load"() : () -> tensor<1024xi32>
  "a.read"(%0) : (tensor<1024xi32>) -> ()
  %1 = "a.load"() : () -> tensor<1024xi32>
  "a.read"(%1) : (tensor<1024xi32>) -> ()
  return
}

// -----

// Memrefs: what uses them counts, not where they are allocated and freed.
// CHECK: size = 8192 : i64}]
// CHECK-LABEL: func.func @memrefs
// TEXT: size = 4096 : i64}]
// TEXT-LABEL: func.func @memrefs
func.func @memrefs() {
  %0 = memref.alloc() : memref<1024xi32>
  "a.write"(%0) {gmem.stream = 1 : i64} : (memref<1024xi32>) -> ()
  %1 = memref.alloc() : memref<1024xi32>
  "a.write"(%1) {gmem.stream = 2 : i64} : (memref<1024xi32>) -> ()
  %2 = memref.alloc() : memref<1024xi32>
  "a.write"(%2) {gmem.stream = 2 : i64} : (memref<1024xi32>) -> ()
  memref.dealloc %0 : memref<1024xi32>
  memref.dealloc %1 : memref<1024xi32>
  memref.dealloc %2 : memref<1024xi32>
  return
}

// -----

// %b is allocated when %a is not used any more, and %r may be either: each has a
// place of its own, with and without streams.
// CHECK: size = 8192 : i64}]
// CHECK-LABEL: func.func @turns
// TEXT: size = 8192 : i64}]
// TEXT-LABEL: func.func @turns
func.func @turns(%c: i1) {
  %a = memref.alloc() : memref<1024xi32>
  "a.write"(%a) {gmem.stream = 1 : i64} : (memref<1024xi32>) -> ()
  "a.read"(%a) {gmem.stream = 2 : i64, gmem.wait = array<i64: 1>} : (memref<1024xi32>) -> ()
  %r = scf.if %c -> memref<1024xi32> {
    scf.yield %a : memref<1024xi32>
  } else {
    %b = memref.alloc() : memref<1024xi32>
    "a.write"(%b) {gmem.stream = 1 : i64} : (memref<1024xi32>) -> ()
    scf.yield %b : memref<1024xi32>
  }
  "a.read"(%r) {gmem.wait = array<i64: 1, 2>} : (memref<1024xi32>) -> ()
  return
}

// -----

// The part is read in stream 2 when the next round makes the whole anew: it has to
// be a copy.
// CHECK-LABEL: func.func @part_of_last_round
// CHECK-NOT: kind = "slice"
// TEXT-LABEL: func.func @part_of_last_round
// TEXT: kind = "slice"
func.func @part_of_last_round(%n: index) {
  scf.for %i = %n to %n step %n {
    %0 = "a.load"() {gmem.stream = 1 : i64} : () -> tensor<2048xi32>
    %1 = tensor.extract_slice %0[1024] [1024] [1] {gmem.stream = 2 : i64} : tensor<2048xi32> to tensor<1024xi32>
    "a.barrier"() {gmem.wait = array<i64: 1, 2>} : () -> ()
    "a.read"(%1) {gmem.stream = 2 : i64} : (tensor<1024xi32>) -> ()
  }
  return
}

// -----

// Workbuffers of ops in different streams lie apart, of one stream in turn do not.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @workbuffers
// TEXT: peak = 4096
// TEXT-LABEL: func.func @workbuffers
func.func @workbuffers() {
  "a.op"() {gmem.stream = 1 : i64, gmem.workbuffers = [{size = 4096 : i64}]} : () -> ()
  "a.op"() {gmem.stream = 2 : i64, gmem.workbuffers = [{size = 4096 : i64}]} : () -> ()
  "a.op"() {gmem.stream = 2 : i64, gmem.workbuffers = [{size = 4096 : i64}]} : () -> ()
  return
}

// -----

// Two halves: a DMA engine loads the one while the other is computed with. Each
// load waits for the op before the last, by a token of it, and so lands in the
// half that this has left.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @two_halves
// CHECK: a.dma{{.*}}gmem.offset = array<i64: [[FIRST:[0-9]+]]>
// CHECK: a.dma{{.*}}gmem.offset = array<i64: [[SECOND:[0-9]+]]>
// CHECK: a.dma{{.*}}gmem.offset = array<i64: [[FIRST]]>
// CHECK: a.dma{{.*}}gmem.offset = array<i64: [[SECOND]]>
func.func @two_halves() {
  %a0 = "a.dma"() {gmem.stream = 0 : i64} : () -> tensor<1024xi32>
  %t0 = "a.conv"(%a0) {gmem.stream = 1 : i64} : (tensor<1024xi32>) -> i32
  %a1 = "a.dma"() {gmem.stream = 0 : i64} : () -> tensor<1024xi32>
  %t1 = "a.conv"(%a1) {gmem.stream = 1 : i64} : (tensor<1024xi32>) -> i32
  %a2 = "a.dma"(%t0) {gmem.stream = 0 : i64} : (i32) -> tensor<1024xi32>
  %t2 = "a.conv"(%a2) {gmem.stream = 1 : i64} : (tensor<1024xi32>) -> i32
  %a3 = "a.dma"(%t1) {gmem.stream = 0 : i64} : (i32) -> tensor<1024xi32>
  %t3 = "a.conv"(%a3) {gmem.stream = 1 : i64} : (tensor<1024xi32>) -> i32
  return
}

// -----

// Without the tokens any load may be early, and each has a place of its own; in
// the order of the text one would do for all.
// CHECK: peak = 16384
// CHECK-LABEL: func.func @no_tokens
// TEXT: peak = 4096
// TEXT-LABEL: func.func @no_tokens
func.func @no_tokens() {
  %a0 = "a.dma"() {gmem.stream = 0 : i64} : () -> tensor<1024xi32>
  "a.conv"(%a0) {gmem.stream = 1 : i64} : (tensor<1024xi32>) -> ()
  %a1 = "a.dma"() {gmem.stream = 0 : i64} : () -> tensor<1024xi32>
  "a.conv"(%a1) {gmem.stream = 1 : i64} : (tensor<1024xi32>) -> ()
  %a2 = "a.dma"() {gmem.stream = 0 : i64} : () -> tensor<1024xi32>
  "a.conv"(%a2) {gmem.stream = 1 : i64} : (tensor<1024xi32>) -> ()
  %a3 = "a.dma"() {gmem.stream = 0 : i64} : () -> tensor<1024xi32>
  "a.conv"(%a3) {gmem.stream = 1 : i64} : (tensor<1024xi32>) -> ()
  return
}
