// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan %s | FileCheck %s
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan %s | gmem-opt --allow-unregistered-dialect --split-input-file --gmem-verify-plan -o /dev/null

// What a function allocates shares memory with what its callers do, one buffer
// beside the other: those of the callee are there while it runs, and a memref
// that is given to it, or that it gives, is the caller's in that call alone.
// Buffers of 1024 bytes.

// Ten layers of one function, from one activation to the other and back: two
// activations and the scratch, as one layer needs.
// CHECK: name = "memory", size = 5120
// CHECK-LABEL: func.func @layers
func.func @layers(%in: memref<1024xi8>, %out: memref<1024xi8>) {
  // CHECK: memref.alloc() {{.*}}gmem.offset = array<i64: [[A:[0-9]+]]>
  // CHECK: memref.alloc() {{.*}}gmem.offset = array<i64: [[B:[0-9]+]]>
  // CHECK: memref.alloc() {{.*}}gmem.offset = array<i64: [[A]]>
  // CHECK: memref.alloc() {{.*}}gmem.offset = array<i64: [[B]]>
  %0 = memref.alloc() : memref<1024xi8>
  func.call @layer(%in, %0) : (memref<1024xi8>, memref<1024xi8>) -> ()
  %1 = memref.alloc() : memref<1024xi8>
  func.call @layer(%0, %1) : (memref<1024xi8>, memref<1024xi8>) -> ()
  %2 = memref.alloc() : memref<1024xi8>
  func.call @layer(%1, %2) : (memref<1024xi8>, memref<1024xi8>) -> ()
  %3 = memref.alloc() : memref<1024xi8>
  func.call @layer(%2, %3) : (memref<1024xi8>, memref<1024xi8>) -> ()
  %4 = memref.alloc() : memref<1024xi8>
  func.call @layer(%3, %4) : (memref<1024xi8>, memref<1024xi8>) -> ()
  %5 = memref.alloc() : memref<1024xi8>
  func.call @layer(%4, %5) : (memref<1024xi8>, memref<1024xi8>) -> ()
  %6 = memref.alloc() : memref<1024xi8>
  func.call @layer(%5, %6) : (memref<1024xi8>, memref<1024xi8>) -> ()
  %7 = memref.alloc() : memref<1024xi8>
  func.call @layer(%6, %7) : (memref<1024xi8>, memref<1024xi8>) -> ()
  %8 = memref.alloc() : memref<1024xi8>
  func.call @layer(%7, %8) : (memref<1024xi8>, memref<1024xi8>) -> ()
  func.call @layer(%8, %out) : (memref<1024xi8>, memref<1024xi8>) -> ()
  return
}
func.func private @layer(%x: memref<1024xi8>, %y: memref<1024xi8>) {
  %scratch = memref.alloc() : memref<3072xi8>
  "a.widen"(%x, %scratch) : (memref<1024xi8>, memref<3072xi8>) -> ()
  "a.narrow"(%x, %scratch, %y) : (memref<1024xi8>, memref<3072xi8>, memref<1024xi8>) -> ()
  memref.dealloc %scratch : memref<3072xi8>
  return
}

// -----

// The same when the layer allocates what it gives back: one place for the
// results of all calls, of which no two are wanted at one time, when each is
// copied away.
// CHECK: name = "memory", size = 2048
// CHECK-LABEL: func.func @results
func.func @results(%in: memref<1024xi8>, %out: memref<1024xi8>) {
  %0 = memref.alloc() : memref<1024xi8>
  %1 = func.call @layer(%in) : (memref<1024xi8>) -> memref<1024xi8>
  memref.copy %1, %0 : memref<1024xi8> to memref<1024xi8>
  %2 = func.call @layer(%0) : (memref<1024xi8>) -> memref<1024xi8>
  memref.copy %2, %0 : memref<1024xi8> to memref<1024xi8>
  %3 = func.call @layer(%0) : (memref<1024xi8>) -> memref<1024xi8>
  memref.copy %3, %out : memref<1024xi8> to memref<1024xi8>
  return
}
func.func private @layer(%x: memref<1024xi8>) -> memref<1024xi8> {
  %y = memref.alloc() : memref<1024xi8>
  "a.work"(%x, %y) : (memref<1024xi8>, memref<1024xi8>) -> ()
  return %y : memref<1024xi8>
}

// -----

// Not so when one is wanted by the next call, that allocates again: then two of
// it must be there at once, and it is left alone.
// CHECK-LABEL: func.func @two_at_once
// CHECK: func.func private @layer
// CHECK: memref.alloc() :
func.func @two_at_once(%in: memref<1024xi8>, %out: memref<1024xi8>) {
  %1 = func.call @layer(%in) : (memref<1024xi8>) -> memref<1024xi8>
  %2 = func.call @layer(%1) : (memref<1024xi8>) -> memref<1024xi8>
  memref.copy %2, %out : memref<1024xi8> to memref<1024xi8>
  return
}
func.func private @layer(%x: memref<1024xi8>) -> memref<1024xi8> {
  %y = memref.alloc() : memref<1024xi8>
  "a.work"(%x, %y) : (memref<1024xi8>, memref<1024xi8>) -> ()
  return %y : memref<1024xi8>
}

// -----

// A memref that a function gives back as it was given is the caller's own in
// that call alone: %a is not wanted after the second call, where %b comes back.
// CHECK: name = "memory", size = 1024
// CHECK-LABEL: func.func @given_back
func.func @given_back(%out: memref<1024xi8>) {
  %a = memref.alloc() : memref<1024xi8>
  %c = func.call @fill(%a) : (memref<1024xi8>) -> memref<1024xi8>
  memref.copy %c, %out : memref<1024xi8> to memref<1024xi8>
  %b = memref.alloc() : memref<1024xi8>
  %d = func.call @fill(%b) : (memref<1024xi8>) -> memref<1024xi8>
  memref.copy %d, %out : memref<1024xi8> to memref<1024xi8>
  return
}
func.func private @fill(%x: memref<1024xi8>) -> memref<1024xi8> {
  "a.fill"(%x) : (memref<1024xi8>) -> ()
  return %x : memref<1024xi8>
}

// -----

// The same two calls deep.
// CHECK: name = "memory", size = 1024
// CHECK-LABEL: func.func @given_back_deeper
func.func @given_back_deeper(%out: memref<1024xi8>) {
  %a = memref.alloc() : memref<1024xi8>
  %c = func.call @outer(%a) : (memref<1024xi8>) -> memref<1024xi8>
  memref.copy %c, %out : memref<1024xi8> to memref<1024xi8>
  %b = memref.alloc() : memref<1024xi8>
  %d = func.call @outer(%b) : (memref<1024xi8>) -> memref<1024xi8>
  memref.copy %d, %out : memref<1024xi8> to memref<1024xi8>
  return
}
func.func private @outer(%x: memref<1024xi8>) -> memref<1024xi8> {
  %0 = func.call @inner(%x) : (memref<1024xi8>) -> memref<1024xi8>
  %1 = func.call @inner(%0) : (memref<1024xi8>) -> memref<1024xi8>
  return %1 : memref<1024xi8>
}
func.func private @inner(%x: memref<1024xi8>) -> memref<1024xi8> {
  "a.fill"(%x) : (memref<1024xi8>) -> ()
  return %x : memref<1024xi8>
}

// -----

// Launched by an op without a model, as well, @fill gets memrefs that cannot be followed.
// CHECK-LABEL: func.func @launched
// CHECK: memref.alloc() :
func.func @launched(%out: memref<1024xi8>) {
  %a = memref.alloc() : memref<1024xi8>
  "a.launch"(%a) {kernel = @fill} : (memref<1024xi8>) -> ()
  memref.copy %a, %out : memref<1024xi8> to memref<1024xi8>
  return
}
func.func private @fill(%x: memref<1024xi8>) {
  "a.fill"(%x) : (memref<1024xi8>) -> ()
  return
}

// -----

// What a function allocates that calls itself may be there several times, and
// so may be what that calls; its arguments cannot be followed. What lives
// across it is planned.
// CHECK: name = "memory", size = 1024
// CHECK-LABEL: func.func @recursion
// CHECK: memref.alloc() {gmem
// CHECK: memref.alloc() :
// CHECK: func.func private @again
// CHECK: memref.alloc() :
// CHECK: func.func private @leaf
// CHECK: memref.alloc() :
func.func @recursion(%out: memref<1024xi8>) {
  %a = memref.alloc() : memref<1024xi8>
  %b = memref.alloc() : memref<1024xi8>
  "a.fill"(%a) : (memref<1024xi8>) -> ()
  func.call @again(%b) : (memref<1024xi8>) -> ()
  "a.use"(%a, %b) : (memref<1024xi8>, memref<1024xi8>) -> ()
  return
}
func.func private @again(%x: memref<1024xi8>) {
  %0 = memref.alloc() : memref<1024xi8>
  "a.work"(%0, %x) : (memref<1024xi8>, memref<1024xi8>) -> ()
  func.call @again(%x) : (memref<1024xi8>) -> ()
  func.call @leaf() : () -> ()
  return
}
func.func private @leaf() {
  %0 = memref.alloc() : memref<1024xi8>
  "a.use"(%0) : (memref<1024xi8>) -> ()
  return
}

// -----

// What is live across a call of a function that is not here meets nothing of it:
// what it needs is not known. Its arguments are not planned.
// CHECK: name = "memory", size = 1024
// CHECK-LABEL: func.func @external
// CHECK: memref.alloc() {gmem
// CHECK: memref.alloc() :
func.func @external() {
  %a = memref.alloc() : memref<1024xi8>
  %b = memref.alloc() : memref<1024xi8>
  "a.fill"(%a) : (memref<1024xi8>) -> ()
  func.call @elsewhere(%b) : (memref<1024xi8>) -> ()
  "a.use"(%a) : (memref<1024xi8>) -> ()
  return
}
func.func private @elsewhere(memref<1024xi8>)

// -----

// Operator by operator, @two_steps would need one block of 2048 for its scratch
// beside its operand and its result: 4096. Buffer by buffer it is 2048, for %x
// is dead when the second of them is written, and %y begins when it is.
// CHECK: name = "memory", size = 2048
// CHECK-LABEL: func.func @buffer_by_buffer
func.func @buffer_by_buffer(%in: memref<1024xi8>, %out: memref<1024xi8>) {
  %x = memref.alloc() : memref<1024xi8>
  memref.copy %in, %x : memref<1024xi8> to memref<1024xi8>
  %y = memref.alloc() : memref<1024xi8>
  func.call @two_steps(%x, %y) : (memref<1024xi8>, memref<1024xi8>) -> ()
  memref.copy %y, %out : memref<1024xi8> to memref<1024xi8>
  return
}
func.func private @two_steps(%x: memref<1024xi8>, %y: memref<1024xi8>) {
  %0 = memref.alloc() : memref<1024xi8>
  %1 = memref.alloc() : memref<1024xi8>
  "a.work"(%x, %0) : (memref<1024xi8>, memref<1024xi8>) -> ()
  "a.work"(%0, %1) : (memref<1024xi8>, memref<1024xi8>) -> ()
  "a.work"(%1, %y) : (memref<1024xi8>, memref<1024xi8>) -> ()
  return
}

// -----

// Each of %a, %b and %c dies in a call of its own, beside the scratch: they are
// in one place, and that is not the scratch's.
// CHECK: name = "memory", size = 2048
// CHECK-LABEL: func.func @each_beside_the_scratch
// CHECK: memref.alloc() {{.*}}gmem.offset = array<i64: [[A:[0-9]+]]>
// CHECK: memref.alloc() {{.*}}gmem.offset = array<i64: [[A]]>
// CHECK: memref.alloc() {{.*}}gmem.offset = array<i64: [[A]]>
// CHECK: func.func private @reduce
// CHECK-NOT: gmem.offset = array<i64: [[A]]>
// CHECK: return
func.func @each_beside_the_scratch() {
  %a = memref.alloc() : memref<1024xi8>
  "a.fill"(%a) : (memref<1024xi8>) -> ()
  func.call @reduce(%a) : (memref<1024xi8>) -> ()
  %b = memref.alloc() : memref<1024xi8>
  "a.fill"(%b) : (memref<1024xi8>) -> ()
  func.call @reduce(%b) : (memref<1024xi8>) -> ()
  %c = memref.alloc() : memref<1024xi8>
  "a.fill"(%c) : (memref<1024xi8>) -> ()
  func.call @reduce(%c) : (memref<1024xi8>) -> ()
  return
}
func.func private @reduce(%x: memref<1024xi8>) {
  %s = memref.alloc() : memref<1024xi8>
  "a.work"(%x, %s) : (memref<1024xi8>, memref<1024xi8>) -> ()
  return
}
