// Workbuffers: memory that ops want beside their operands and results.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// In MLIR 19 tosa has other ops and attributes.
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='alignment=64 weight-alignment=64 algorithm=greedy-by-size' %s | FileCheck %s
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='alignment=64 weight-alignment=64 algorithm=greedy-by-size' --gmem-plan='alignment=64 weight-alignment=64 algorithm=greedy-by-size' %s | FileCheck %s

// 1. A mutable one lives at its op alone: the second's lies where the argument
//    was, and the first's where the second's result will be.
// CHECK-LABEL: func.func @in_turns
func.func @in_turns(%a: tensor<16xf32>) -> tensor<16xf32> {
  // CHECK: "a.first"{{.*}}gmem.offset = array<i64: 128>{{.*}}gmem.workbuffer_offset = array<i64: 64>, gmem.workbuffer_pool = ["tensors"]
  %0 = "a.first"(%a) {gmem.workbuffers = [{size = 64}]} : (tensor<16xf32>) -> tensor<16xf32>
  // CHECK: "a.second"{{.*}}gmem.offset = array<i64: 64>{{.*}}gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["tensors"]
  %1 = "a.second"(%0) {gmem.workbuffers = [{size = 64, kind = "mutable"}]} : (tensor<16xf32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}

// -----

// 2. Peak and lower bound include them.
// CHECK: lower_bound = 192 : i64, optimal = true, peak = 192 : i64
// CHECK-LABEL: func.func @peak
func.func @peak(%a: tensor<16xf32>) {
  // CHECK: gmem.workbuffer_offset
  "a.use"(%a) {gmem.workbuffers = [{size = 128}]} : (tensor<16xf32>) -> ()
  return
}

// -----

// 3. One of size 0 and an empty list cost nothing, and have no place.
// CHECK: peak = 64 : i64
// CHECK-LABEL: func.func @nothing
func.func @nothing(%a: tensor<16xf32>) {
  // CHECK: gmem.workbuffer_offset = array<i64: -1, -1>, gmem.workbuffer_pool = ["", ""]
  "a.use"(%a) {gmem.workbuffers = [{size = 0}, {size = 0, kind = "immutable"}]} : (tensor<16xf32>) -> ()
  "a.use"(%a) {gmem.workbuffers = []} : (tensor<16xf32>) -> ()
  return
}

// -----

// 4. Several are buffers of their own, each aligned as it asks; what one asks
//    for above its pool's alignment is asked of the pool.
// CHECK: {alignment = 256 : i64{{.*}} name = "tensors"
// CHECK-LABEL: func.func @several
func.func @several(%a: tensor<16xf32>) {
  // CHECK: gmem.workbuffer_offset = array<i64: 512, 256>
  "a.use"(%a) {gmem.workbuffers = [{size = 3}, {size = 5, alignment = 256}]} : (tensor<16xf32>) -> ()
  return
}

// -----

// 5. Of several threads: each gets its bytes on cache lines of its own, or as
//    the alignment says.
// CHECK: {{.*}} name = "tensors", size = 1472 : i64
// CHECK-LABEL: func.func @threads
func.func @threads(%a: tensor<16xf32>) {
  // 4 x 64 bytes and 9 x 128, behind 64 of the argument.
  // CHECK: gmem.workbuffer_offset = array<i64: 1152, 0>
  "a.use"(%a) {gmem.workbuffers = [{size = 3, threads = 4}, {size = 65, threads = 9}]} : (tensor<16xf32>) -> ()
  return
}

// -----

// 6. An immutable one lies behind the constants, at every step, and is none of
//    them: a constant that is equal to nothing is next to it.
// CHECK: kind = "constant", lower_bound = 188 : i64, name = "weights", size = 188 : i64
// CHECK-LABEL: func.func @immutable
func.func @immutable(%a: tensor<16xf32>) {
  // CHECK: "tosa.const"{{.*}}gmem.offset = array<i64: 0>
  %w = "tosa.const"() {values = dense<1.0> : tensor<16xf32>} : () -> tensor<16xf32>
  // CHECK: gmem.workbuffer_offset = array<i64: 64, 64>, gmem.workbuffer_pool = ["weights", "tensors"]
  "a.use"(%a, %w) {gmem.workbuffers = [{size = 64, kind = "immutable"}, {size = 64}]} : (tensor<16xf32>, tensor<16xf32>) -> ()
  // CHECK: gmem.workbuffer_offset = array<i64: 128>, gmem.workbuffer_pool = ["weights"]
  "a.use"(%a) {gmem.workbuffers = [{size = 60, kind = "immutable"}]} : (tensor<16xf32>) -> ()
  return
}

// -----

// 7. An immutable one may ask for a constant pool, which is made.
// CHECK: name = "flash", size = 8 : i64
// CHECK-LABEL: func.func @flash
func.func @flash(%a: tensor<16xf32>) {
  // CHECK: gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["flash"]
  "a.use"(%a) {gmem.workbuffers = [{size = 8, kind = "immutable", pools = ["flash"]}]} : (tensor<16xf32>) -> ()
  return
}

// -----

// 8. In a loop one place does for all iterations. That of an op with regions is
//    there as long as they run.
// CHECK: peak = 192 : i64
// CHECK-LABEL: func.func @loop
func.func @loop(%n: index, %a: tensor<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: "a.inner"{{.*}}gmem.workbuffer_offset = array<i64: 128>
    "a.inner"() {gmem.workbuffers = [{size = 64}]} : () -> ()
    // CHECK: "a.other"{{.*}}gmem.workbuffer_offset = array<i64: 128>
    "a.other"() {gmem.workbuffers = [{size = 64}]} : () -> ()
  // CHECK: gmem.workbuffer_offset = array<i64: 64>
  } {gmem.workbuffers = [{size = 64}]}
  "a.use"(%a) : (tensor<16xf32>) -> ()
  return
}

// -----

// 9. What runs several times at once needs parts for its threads, which are
//    there as long as any of it runs: @other's lie elsewhere, although it comes
//    later in the text.
// CHECK: peak = 384 : i64
// CHECK-LABEL: func.func @parallel
func.func @parallel(%a: tensor<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
    // CHECK-DAG: "a.inner"() {gmem.workbuffer_offset = array<i64: 0>
    "a.inner"() {gmem.workbuffers = [{size = 64, threads = 2}]} : () -> ()
    // CHECK-DAG: "a.other"() {gmem.workbuffer_offset = array<i64: 128>
    "a.other"() {gmem.workbuffers = [{size = 64, threads = 2}]} : () -> ()
    // CHECK-DAG: "a.read"() {gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["weights"]
    "a.read"() {gmem.workbuffers = [{size = 64, kind = "immutable"}]} : () -> ()
  // CHECK: gmem.workbuffer_offset = array<i64: 320>
  } {gmem.workbuffers = [{size = 64}]}
  "a.use"(%a) : (tensor<16xf32>) -> ()
  return
}

// -----

// 10. The ops of a flat layer group run slice by slice: their workbuffers are
//     all there as long as it does.
// CHECK: peak = 256 : i64
// CHECK-LABEL: func.func @flat_group
func.func @flat_group(%a: tensor<16xf32>) -> tensor<16xf32> {
  // CHECK: gmem.workbuffer_offset
  %0 = "a.first"(%a) {gmem.layer_group = 1, gmem.workbuffers = [{size = 64}]} : (tensor<16xf32>) -> tensor<16xf32>
  // CHECK: gmem.workbuffer_offset
  %1 = "a.second"(%0) {gmem.layer_group = 1, gmem.workbuffers = [{size = 64}]} : (tensor<16xf32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}

// -----

// 11. An op in the body of a group has its own at the step of the group.
// CHECK: peak = 256 : i64
// CHECK-LABEL: func.func @group
func.func @group(%a: tensor<16xf32>) -> tensor<16xf32> {
  %0 = "a.group"(%a) ({
    // CHECK: "a.inner"() {gmem.workbuffer_offset = array<i64: {{[0-9]+}}>
    "a.inner"() {gmem.workbuffers = [{size = 64}]} : () -> ()
    // CHECK: "a.inner"() {gmem.workbuffer_offset = array<i64: {{[0-9]+}}>
    "a.inner"() {gmem.workbuffers = [{size = 64}]} : () -> ()
  }) {gmem.layer_group} : (tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

// 12. A function that is called twice has one place for its own, which nothing
//     has that lives across one of the calls.
// CHECK: peak = 192 : i64
// CHECK-LABEL: func.func @twice
func.func @twice(%a: tensor<16xf32>) -> tensor<16xf32> {
  func.call @callee() : () -> ()
  %0 = "a.make"(%a) : (tensor<16xf32>) -> tensor<16xf32>
  func.call @callee() : () -> ()
  "a.use"(%a) : (tensor<16xf32>) -> ()
  return %0 : tensor<16xf32>
}
func.func private @callee() {
  // CHECK: gmem.workbuffer_offset = array<i64: 64>
  "a.inner"() {gmem.workbuffers = [{size = 64}]} : () -> ()
  return
}

// -----

// 13. What asks for none any more has no place any more.
// CHECK-LABEL: func.func @stale
// CHECK-NEXT: "a.use"(%{{.*}}) : (tensor<16xf32>) -> ()
func.func @stale(%a: tensor<16xf32>) {
  "a.use"(%a) {gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["tensors"]} : (tensor<16xf32>) -> ()
  return
}

// -----

// 14. A program on memrefs has them where its memrefs are, and aligned like
//     those: there is no pool of tensors.
// CHECK: gmem.pool_table = [{{.*}}name = "weights"{{.*}}}, {alignment = 128 : i64, kind = "workspace", lower_bound = 192 : i64, name = "memory", size = 192 : i64}]
// CHECK-LABEL: func.func @memrefs
func.func @memrefs() {
  %0 = memref.alloc() : memref<16xf32>
  // CHECK: gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["memory"]
  "a.use"(%0) {gmem.workbuffers = [{size = 100, alignment = 128}]} : (memref<16xf32>) -> ()
  memref.dealloc %0 : memref<16xf32>
  return
}

// -----

// 15. Memrefs in other memory spaces leave the default one to workbuffers.
// CHECK-LABEL: func.func @other_space
func.func @other_space() {
  %0 = memref.alloc() : memref<16xf32, 3>
  // CHECK: gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["memory"]
  "a.use"(%0) {gmem.workbuffers = [{size = 100}]} : (memref<16xf32, 3>) -> ()
  // CHECK: gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["memory.3"]
  "a.use"(%0) {gmem.workbuffers = [{size = 100, pools = ["memory.3"]}]} : (memref<16xf32, 3>) -> ()
  memref.dealloc %0 : memref<16xf32, 3>
  return
}
