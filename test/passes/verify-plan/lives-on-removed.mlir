// Ops that canonicalize and cse remove from a planned program, or merge.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// In MLIR 19 canonicalize removes other ops.

// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='sharing=none alignment=64 weight-alignment=64' %s -o %t
// RUN: not gmem-opt --allow-unregistered-dialect --split-input-file --pass-pipeline='builtin.module(canonicalize,cse,gmem-verify-plan)' %t -o /dev/null 2>&1 | grep '%t' | FileCheck %s --implicit-check-not=error: --implicit-check-not=remark:

// 1. An op that nobody uses: the pool need not be as large.
// CHECK: remark: the plan is sound, but its figures in the IR no longer hold: plan again to update them
// CHECK-NEXT: note: pool 'tensors' has size 128, not 192 as in gmem.pool_table: it ends with result #0 of 'x.make'
// CHECK-NEXT: note: pool 'tensors' has lower_bound 128, not 192 as in gmem.pool_table
// CHECK-NEXT: note: the plan has peak 128, lower_bound 128 and is optimal, not peak 192, lower_bound 192 and optimal as in gmem.plan
func.func @unused(%x: tensor<16xf32>) -> tensor<16xf32> {
  %unused = tosa.abs %x {gmem.fixed = array<i64: 128>} : (tensor<16xf32>) -> tensor<16xf32>
  %y = "x.make"(%x) : (tensor<16xf32>) -> tensor<16xf32>
  return %y : tensor<16xf32>
}

// -----

// 2. Two equal ops at one offset become one, which lives longer: nothing else is
// there in between, so nothing is reported.
func.func @merged_apart(%x: tensor<16xf32>) {
  %a = tosa.exp %x {gmem.fixed = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
  "x.use"(%a) : (tensor<16xf32>) -> ()
  %b = tosa.abs %x {gmem.fixed = array<i64: 128>} : (tensor<16xf32>) -> tensor<16xf32>
  "x.use"(%b) : (tensor<16xf32>) -> ()
  %c = tosa.exp %x {gmem.fixed = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
  "x.use"(%c) : (tensor<16xf32>) -> ()
  return
}

// -----

// 3. Here something else is there.
// CHECK-NEXT: error: result #0 of 'tosa.exp' and result #0 of 'tosa.abs' share bytes [64, 128) of pool 'tensors' while both are live at this op
// CHECK-NEXT: note: result #0 of 'tosa.exp' has bytes [64, 128)
// CHECK-NEXT: note: result #0 of 'tosa.abs' has bytes [64, 128)
// CHECK-NEXT: remark: this plan is not valid for the program as it is now: if the program has changed since it was planned, plan it again
func.func @merged_over(%x: tensor<16xf32>) {
  %a = tosa.exp %x {gmem.fixed = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
  "x.use"(%a) : (tensor<16xf32>) -> ()
  %b = tosa.abs %x {gmem.fixed = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
  "x.use"(%b) : (tensor<16xf32>) -> ()
  %c = tosa.exp %x {gmem.fixed = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
  "x.use"(%c) : (tensor<16xf32>) -> ()
  return
}

// -----

// 4. An alloc that nobody reads.
// CHECK-NEXT: remark: the plan is sound
// CHECK-NEXT: note: pool 'memory' has size 64, not 256 as in gmem.pool_table: it ends with result #0 of 'memref.alloc'
// CHECK-NEXT: note: pool 'memory' has lower_bound 64, not 256 as in gmem.pool_table
// CHECK-NEXT: note: the plan has peak 64, lower_bound 64 and is optimal, not peak 256, lower_bound 256 and optimal as in gmem.plan
func.func @dead_alloc(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<64xf32>
  %v = memref.subview %b[0] [16] [1] : memref<64xf32> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// 5. Of two equal constants one is left.
// CHECK-NEXT: remark: the plan is sound
// CHECK-NEXT: note: pool 'weights' has lower_bound 16, not 80 as in gmem.pool_table
func.func @constants() -> tensor<4xf32> {
  %a = arith.constant dense<1.0> : tensor<4xf32>
  %b = arith.constant dense<1.0> : tensor<4xf32>
  %c = "x.make"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}

// -----

// 6. An op that has lost its results. The copies that its branches made into
// them are still recorded: they overwrite nothing that anyone needs.
// CHECK-NEXT: remark: the plan is sound
// CHECK-NEXT: note: the results of 'scf.if' no longer exist
// CHECK-NEXT: note: pool 'tensors' has size 128, not 192 as in gmem.pool_table: it ends with result #0 of 'x.make'
// CHECK-NEXT: note: pool 'tensors' has lower_bound 128, not 192 as in gmem.pool_table
// CHECK-NEXT: note: the plan has peak 128
// CHECK-NEXT: note: gmem.copies has the copy of bytes [64, 128) of pool 'tensors' to bytes [128, 192) of pool 'tensors' (edge 'parent' 0), which is not needed any more
func.func @no_copies(%c: i1, %x: tensor<16xf32>) {
  %unused = scf.if %c -> tensor<16xf32> {
    %p = "x.make"(%x) : (tensor<16xf32>) -> tensor<16xf32>
    "x.use"(%p) : (tensor<16xf32>) -> ()
    scf.yield %p : tensor<16xf32>
  } else {
    scf.yield %x : tensor<16xf32>
  }
  "x.use"(%x) : (tensor<16xf32>) -> ()
  return
}

// -----

// 7. It has lost one of two: which place is whose is unknown.
// CHECK-NEXT: error: the number of results of '{{.*}}', 1, differs from that in gmem.pool, 2, so the result of each place is unknown: plan again
// CHECK-NEXT: remark: this plan is not valid
func.func @fewer_results(%c: i1, %x: tensor<16xf32>) -> tensor<16xf32> {
  %a:2 = scf.if %c -> (tensor<16xf32>, tensor<16xf32>) {
    %p = "x.make"(%x) : (tensor<16xf32>) -> tensor<16xf32>
    scf.yield %p, %x : tensor<16xf32>, tensor<16xf32>
  } else {
    %p = "x.make"(%x) : (tensor<16xf32>) -> tensor<16xf32>
    scf.yield %p, %p : tensor<16xf32>, tensor<16xf32>
  }
  return %a#1 : tensor<16xf32>
}

// -----

// 8. The same of a loop and a value that it carries.
// CHECK-NEXT: error: the number of results of '{{.*}}', 1, differs from that in gmem.pool, 2, so the result of each place is unknown: plan again
// CHECK-NEXT: remark: this plan is not valid
func.func @carried(%n: index, %x: tensor<16xf32>) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %x) -> (tensor<16xf32>, tensor<16xf32>) {
    %r = "x.make"(%p) : (tensor<16xf32>) -> tensor<16xf32>
    scf.yield %r, %q : tensor<16xf32>, tensor<16xf32>
  }
  return %a#0 : tensor<16xf32>
}

// -----

// 9. A loop that never runs.
// CHECK-NEXT: remark: the plan is sound
// CHECK-NEXT: note: pool 'tensors' has lower_bound 64, not 128 as in gmem.pool_table
// CHECK-NEXT: note: the plan has peak 128, lower_bound 64 and is not optimal, not peak 128, lower_bound 128 and optimal as in gmem.plan
func.func @never(%x: tensor<16xf32>) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = scf.for %i = %c0 to %c0 step %c1 iter_args(%p = %x) -> (tensor<16xf32>) {
    %r = "x.make"(%p) : (tensor<16xf32>) -> tensor<16xf32>
    scf.yield %r : tensor<16xf32>
  }
  return %a : tensor<16xf32>
}

// -----

// 10. One that runs once: its body reads the argument where it was copied from,
// and writes there.
// CHECK-NEXT: error: argument #0 of @once and result #0 of 'x.make' share bytes [64, 128) of pool 'tensors' while both are live at this op
// CHECK-NEXT: note: argument #0 of @once has bytes [64, 128)
// CHECK-NEXT: note: result #0 of 'x.make' has bytes [64, 128)
// CHECK-NEXT: remark: this plan is not valid
func.func @once(%x: tensor<16xf32>) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = scf.for %i = %c0 to %c1 step %c1 iter_args(%p = %x) -> (tensor<16xf32>) {
    %r = "x.make"(%p) : (tensor<16xf32>) -> tensor<16xf32>
    scf.yield %r : tensor<16xf32>
  }
  return %a : tensor<16xf32>
}

// -----

// 11. A new op: canonicalization makes a select of the branches.
// CHECK-NEXT: error: result #0 of 'arith.select' needs memory but has no offset
// CHECK-NEXT: note: a pass may have created or replaced this op after the program was planned
// CHECK-NEXT: remark: this plan is not valid
func.func @select(%c: i1, %x: tensor<16xf32>) -> tensor<16xf32> {
  %y = "x.make"(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %a = scf.if %c -> tensor<16xf32> {
    scf.yield %y : tensor<16xf32>
  } else {
    scf.yield %x : tensor<16xf32>
  }
  %z = "x.make"(%a) : (tensor<16xf32>) -> tensor<16xf32>
  return %z : tensor<16xf32>
}

// CHECK-NOT: note:
