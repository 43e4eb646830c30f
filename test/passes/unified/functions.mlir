// Operators that are functions on memrefs: what they need inside lies between the
// tensors of who calls them. Buffers of 1024 bytes (n of them: n KiB), so that
// peaks are multiples. With each case: what it is operator by operator.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan %s | FileCheck %s
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan %s | gmem-opt --allow-unregistered-dialect --split-input-file --gmem-verify-plan -o /dev/null

// 1. A chain of operators, one of them twice. @two has 5 KiB when its input
//    is not wanted any more and its output not yet. As a block between these two it
//    would be 7 (@chain_of_blocks).
// CHECK: optimal = true, peak = 5120 : i64
// CHECK-LABEL: func.func @chain
func.func @chain() {
  %a = memref.alloc() : memref<1024xi8>
  %b = memref.alloc() : memref<1024xi8>
  "a.make"(%a) : (memref<1024xi8>) -> ()
  call @two(%a, %b) : (memref<1024xi8>, memref<1024xi8>) -> ()
  %c = memref.alloc() : memref<1024xi8>
  call @one(%b, %c) : (memref<1024xi8>, memref<1024xi8>) -> ()
  %d = memref.alloc() : memref<1024xi8>
  call @two(%c, %d) : (memref<1024xi8>, memref<1024xi8>) -> ()
  "a.use"(%d) : (memref<1024xi8>) -> ()
  return
}
func.func private @one(%x: memref<1024xi8>, %y: memref<1024xi8>) {
  %s = memref.alloc() : memref<2048xi8>
  "a.first"(%x, %s) : (memref<1024xi8>, memref<2048xi8>) -> ()
  "a.last"(%s, %y) : (memref<2048xi8>, memref<1024xi8>) -> ()
  return
}
func.func private @two(%x: memref<1024xi8>, %y: memref<1024xi8>) {
  %s = memref.alloc() : memref<4096xi8>
  %t = memref.alloc() : memref<1024xi8>
  "a.first"(%x, %s) : (memref<1024xi8>, memref<4096xi8>) -> ()
  "a.second"(%s, %t) : (memref<4096xi8>, memref<1024xi8>) -> ()
  "a.last"(%t, %y) : (memref<1024xi8>, memref<1024xi8>) -> ()
  return
}

// -----

// The same by blocks: 7 KiB.
// CHECK: optimal = true, peak = 7168 : i64
// CHECK-LABEL: func.func @chain_of_blocks
func.func @chain_of_blocks() {
  %a = memref.alloc() : memref<1024xi8>
  %b = memref.alloc() : memref<1024xi8>
  "a.make"(%a) : (memref<1024xi8>) -> ()
  "op.two"(%a, %b) {gmem.workbuffers = [{size = 5120}]} : (memref<1024xi8>, memref<1024xi8>) -> ()
  %c = memref.alloc() : memref<1024xi8>
  "op.one"(%b, %c) {gmem.workbuffers = [{size = 2048}]} : (memref<1024xi8>, memref<1024xi8>) -> ()
  %d = memref.alloc() : memref<1024xi8>
  "op.two"(%c, %d) {gmem.workbuffers = [{size = 5120}]} : (memref<1024xi8>, memref<1024xi8>) -> ()
  "a.use"(%d) : (memref<1024xi8>) -> ()
  return
}

// -----

// 2. Twice the same operator, once beside a tensor of 4 KiB that it knows nothing
//    of: its scratch is at one place, where neither time anything else lives: 10 KiB.
// CHECK: peak = 10240 : i64
// CHECK-LABEL: func.func @twice
func.func @twice() {
  %a = memref.alloc() : memref<1024xi8>
  %b = memref.alloc() : memref<1024xi8>
  "a.make"(%a) : (memref<1024xi8>) -> ()
  call @operator(%a, %b) : (memref<1024xi8>, memref<1024xi8>) -> ()
  %kept = memref.alloc() : memref<4096xi8>
  "a.make"(%kept) : (memref<4096xi8>) -> ()
  %c = memref.alloc() : memref<1024xi8>
  call @operator(%b, %c) : (memref<1024xi8>, memref<1024xi8>) -> ()
  "a.use"(%c, %kept) : (memref<1024xi8>, memref<4096xi8>) -> ()
  return
}
func.func private @operator(%x: memref<1024xi8>, %y: memref<1024xi8>) {
  %s = memref.alloc() : memref<4096xi8>
  %t = memref.alloc() : memref<1024xi8>
  "a.first"(%x, %s) : (memref<1024xi8>, memref<4096xi8>) -> ()
  "a.second"(%s, %t) : (memref<4096xi8>, memref<1024xi8>) -> ()
  "a.last"(%t, %y) : (memref<1024xi8>, memref<1024xi8>) -> ()
  return
}

// -----

// By blocks: 11 KiB, since the block of 5 KiB, the input and the output are beside
// those 4.
// CHECK: optimal = true, peak = 11264 : i64
// CHECK-LABEL: func.func @twice_by_blocks
func.func @twice_by_blocks() {
  %a = memref.alloc() : memref<1024xi8>
  %b = memref.alloc() : memref<1024xi8>
  "a.make"(%a) : (memref<1024xi8>) -> ()
  "op.operator"(%a, %b) {gmem.workbuffers = [{size = 5120}]} : (memref<1024xi8>, memref<1024xi8>) -> ()
  %kept = memref.alloc() : memref<4096xi8>
  "a.make"(%kept) : (memref<4096xi8>) -> ()
  %c = memref.alloc() : memref<1024xi8>
  "op.operator"(%b, %c) {gmem.workbuffers = [{size = 5120}]} : (memref<1024xi8>, memref<1024xi8>) -> ()
  "a.use"(%c, %kept) : (memref<1024xi8>, memref<4096xi8>) -> ()
  return
}

// -----

// 3. An operator that calls another one: the inner scratch is where the outer has
//    none left. By blocks the outer's is 5 KiB, and all is 7.
// CHECK: optimal = true, peak = 5120 : i64
// CHECK-LABEL: func.func @nested
func.func @nested() {
  %a = memref.alloc() : memref<1024xi8>
  %b = memref.alloc() : memref<1024xi8>
  "a.make"(%a) : (memref<1024xi8>) -> ()
  call @outer(%a, %b) : (memref<1024xi8>, memref<1024xi8>) -> ()
  "a.use"(%b) : (memref<1024xi8>) -> ()
  return
}
func.func private @outer(%x: memref<1024xi8>, %y: memref<1024xi8>) {
  %s = memref.alloc() : memref<3072xi8>
  %t = memref.alloc() : memref<1024xi8>
  "a.first"(%x, %s) : (memref<1024xi8>, memref<3072xi8>) -> ()
  call @inner(%s, %t) : (memref<3072xi8>, memref<1024xi8>) -> ()
  "a.last"(%t, %y) : (memref<1024xi8>, memref<1024xi8>) -> ()
  return
}
func.func private @inner(%x: memref<3072xi8>, %y: memref<1024xi8>) {
  %u = memref.alloc() : memref<2048xi8>
  "a.first"(%x, %u) : (memref<3072xi8>, memref<2048xi8>) -> ()
  "a.last"(%u, %y) : (memref<2048xi8>, memref<1024xi8>) -> ()
  return
}

// -----

// 4. Two memories. The scratch of an operator may go to either of them, each of
//    its buffers by itself: the fast one has room for the small one beside the
//    tensors.
// CHECK: gmem.pool_table = [{{.*}}name = "dtcm", {{.*}}size = 2048 : i64{{.*}}name = "sram", {{.*}}size = 4096 : i64
// CHECK-LABEL: func.func @two_memories
module attributes {gmem.memories = [{name = "dtcm", capacity = 2048 : i64, speed = 4 : i64}, {name = "sram", capacity = 4096 : i64}]} {
  func.func @two_memories() {
    %a = memref.alloc() : memref<1024xi8>
    %b = memref.alloc() : memref<1024xi8>
    "a.make"(%a) : (memref<1024xi8>) -> ()
    func.call @operator(%a, %b) : (memref<1024xi8>, memref<1024xi8>) -> ()
    "a.use"(%b) : (memref<1024xi8>) -> ()
    return
  }
  func.func private @operator(%x: memref<1024xi8>, %y: memref<1024xi8>) {
    // CHECK: memref.alloc() {{.*}}gmem.pool = ["sram"]
    %s = memref.alloc() : memref<4096xi8>
    // CHECK: memref.alloc() {{.*}}gmem.pool = ["dtcm"]
    %t = memref.alloc() : memref<1024xi8>
    "a.first"(%x, %s) : (memref<1024xi8>, memref<4096xi8>) -> ()
    "a.second"(%s, %t) : (memref<4096xi8>, memref<1024xi8>) -> ()
    "a.last"(%t, %y) : (memref<1024xi8>, memref<1024xi8>) -> ()
    return
  }
}

// -----

// 5. A control: what is in the output when an operator begins is kept. The second
//    call reads what the first one wrote into %b, although both touch it last: it
//    is live beside %s, in the one place that this has. 6 KiB, and not 5.
// CHECK: optimal = true, peak = 6144 : i64
// CHECK-LABEL: func.func @read_before
func.func @read_before() {
  %a = memref.alloc() : memref<1024xi8>
  %b = memref.alloc() : memref<1024xi8>
  "a.make"(%a) : (memref<1024xi8>) -> ()
  call @add(%a, %b) : (memref<1024xi8>, memref<1024xi8>) -> ()
  call @add(%b, %b) : (memref<1024xi8>, memref<1024xi8>) -> ()
  "a.use"(%b) : (memref<1024xi8>) -> ()
  return
}
func.func private @add(%x: memref<1024xi8>, %y: memref<1024xi8>) {
  %s = memref.alloc() : memref<4096xi8>
  %t = memref.alloc() : memref<1024xi8>
  "a.first"(%x, %s) : (memref<1024xi8>, memref<4096xi8>) -> ()
  "a.second"(%s, %t) : (memref<4096xi8>, memref<1024xi8>) -> ()
  "a.last"(%t, %y) : (memref<1024xi8>, memref<1024xi8>) -> ()
  return
}

// -----

// 6. The same with different arguments: in the second call %b has contents from
//    the beginning. In the first it has none, which the second must not hear of.
// CHECK: optimal = true, peak = 6144 : i64
// CHECK-LABEL: func.func @added_to
func.func @added_to() {
  %b = memref.alloc() : memref<1024xi8>
  call @into(%b) : (memref<1024xi8>) -> ()
  call @into(%b) : (memref<1024xi8>) -> ()
  "a.use"(%b) : (memref<1024xi8>) -> ()
  return
}
func.func private @into(%y: memref<1024xi8>) {
  %s = memref.alloc() : memref<4096xi8>
  %t = memref.alloc() : memref<1024xi8>
  "a.first"(%s) : (memref<4096xi8>) -> ()
  "a.second"(%s, %t) : (memref<4096xi8>, memref<1024xi8>) -> ()
  "a.last"(%t, %y) : (memref<1024xi8>, memref<1024xi8>) -> ()
  return
}

// -----

// 7. In a loop around the call the memory has contents from the second round on.
// CHECK: optimal = true, peak = 6144 : i64
// CHECK-LABEL: func.func @in_a_loop
func.func @in_a_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.alloc() : memref<1024xi8>
  scf.for %i = %c0 to %n step %c1 {
    func.call @into(%b) : (memref<1024xi8>) -> ()
  }
  "a.use"(%b) : (memref<1024xi8>) -> ()
  return
}
func.func private @into(%y: memref<1024xi8>) {
  %s = memref.alloc() : memref<4096xi8>
  %t = memref.alloc() : memref<1024xi8>
  "a.first"(%s) : (memref<4096xi8>) -> ()
  "a.second"(%s, %t) : (memref<4096xi8>, memref<1024xi8>) -> ()
  "a.last"(%t, %y) : (memref<1024xi8>, memref<1024xi8>) -> ()
  return
}
