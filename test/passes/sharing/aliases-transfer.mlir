// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='op-models=%S/Inputs/alias-models.mlir' %s | FileCheck %s
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='op-models=%S/Inputs/alias-models.mlir sharing=inplace,destination,slice,concat' %s | FileCheck %s --check-prefix=WITHOUT

// What control flow hands on stays where it is, so that nothing is copied.

// 1. What the arms of a branch yield is made in the place of the result.
// CHECK: peak = 4100
// CHECK-LABEL: func.func @branch
// WITHOUT: peak = 8192
// WITHOUT-LABEL: func.func @branch
func.func @branch(%c: i1, %x: tensor<1xi32>) -> tensor<1024xi32> {
  %0 = scf.if %c -> tensor<1024xi32> {
    %1 = "a.op"(%x) : (tensor<1xi32>) -> tensor<1024xi32>
    scf.yield %1 : tensor<1024xi32>
  } else {
    %2 = "a.op"(%x) : (tensor<1xi32>) -> tensor<1024xi32>
    scf.yield %2 : tensor<1024xi32>
  }
  return %0 : tensor<1024xi32>
}

// -----

// 2. A value that a loop carries and changes in place is one buffer.
// CHECK: peak = 4096
// CHECK-LABEL: func.func @loop
// WITHOUT: peak = 8192
// WITHOUT-LABEL: func.func @loop
func.func @loop(%a: tensor<1024xi32>, %n: index) -> tensor<1024xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %a) -> tensor<1024xi32> {
    %1 = "t.relu"(%v) : (tensor<1024xi32>) -> tensor<1024xi32>
    scf.yield %1 : tensor<1024xi32>
  }
  return %0 : tensor<1024xi32>
}

// -----

// 3. The initial value is read after the loop: the carried one is a copy.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @initial_lives
func.func @initial_lives(%a: tensor<1024xi32>, %n: index) -> (tensor<1024xi32>, tensor<1024xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %a) -> tensor<1024xi32> {
    %1 = "t.relu"(%v) : (tensor<1024xi32>) -> tensor<1024xi32>
    scf.yield %1 : tensor<1024xi32>
  }
  return %0, %a : tensor<1024xi32>, tensor<1024xi32>
}

// -----

// 4. Two values that change places in every iteration: all that is handed on
// at one time is read before any of it is written.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @swap
func.func @swap(%a: tensor<1024xi32>, %b: tensor<1024xi32>, %n: index) -> (tensor<1024xi32>, tensor<1024xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %a, %w = %b) -> (tensor<1024xi32>, tensor<1024xi32>) {
    scf.yield %w, %v : tensor<1024xi32>, tensor<1024xi32>
  }
  return %0#0, %0#1 : tensor<1024xi32>, tensor<1024xi32>
}

// -----

// 5. Blocks: a carried value is in the place of what is handed to its block.
// CHECK: peak = 4096
// CHECK-LABEL: func.func @blocks
func.func @blocks(%a: tensor<1024xi32>, %c: i1) -> tensor<1024xi32> {
  cf.br ^loop(%a : tensor<1024xi32>)
^loop(%v: tensor<1024xi32>):
  %0 = "t.relu"(%v) : (tensor<1024xi32>) -> tensor<1024xi32>
  cf.cond_br %c, ^loop(%0 : tensor<1024xi32>), ^end
^end:
  return %0 : tensor<1024xi32>
}

// -----

// 6. A function of several callers: what it is given and what it returns.
// CHECK: peak = 4096
// CHECK-LABEL: func.func @main
// WITHOUT: peak = 8192
// WITHOUT-LABEL: func.func @main
func.func @main(%a: tensor<1024xi32>) -> tensor<1024xi32> {
  %0 = func.call @f(%a) : (tensor<1024xi32>) -> tensor<1024xi32>
  %1 = func.call @f(%0) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %1 : tensor<1024xi32>
}
func.func private @f(%v: tensor<1024xi32>) -> tensor<1024xi32> {
  %0 = "t.relu"(%v) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %0 : tensor<1024xi32>
}

// -----

// 7. What the block was given is read after it was changed, in the block that
// follows the loop: %0 is not written over it.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @read_behind_loop
func.func @read_behind_loop(%a: tensor<1024xi32>, %c: i1) -> tensor<1024xi32> {
  cf.br ^loop(%a : tensor<1024xi32>)
^loop(%v: tensor<1024xi32>):
  // CHECK: "t.relu"
  // CHECK-NOT: kind = "inplace"
  %0 = "t.relu"(%v) : (tensor<1024xi32>) -> tensor<1024xi32>
  cf.cond_br %c, ^loop(%0 : tensor<1024xi32>), ^end
^end:
  return %v : tensor<1024xi32>
}

// -----

// 8. It is handed on itself when the changed one takes its place.
// CHECK: peak = 12288
// CHECK-LABEL: func.func @shift
func.func @shift(%a: tensor<1024xi32>, %b: tensor<1024xi32>, %n: index) -> (tensor<1024xi32>, tensor<1024xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %a, %w = %b) -> (tensor<1024xi32>, tensor<1024xi32>) {
    // CHECK-NOT: kind = "inplace"
    %1 = "t.add"(%v, %w) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
    scf.yield %1, %v : tensor<1024xi32>, tensor<1024xi32>
  }
  return %0#0, %0#1 : tensor<1024xi32>, tensor<1024xi32>
}

// -----

// 9. It is read again by the next round of a loop inside.
// CHECK-LABEL: func.func @inner_loop
func.func @inner_loop(%a: tensor<1024xi32>, %n: index) -> tensor<1024xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %a) -> tensor<1024xi32> {
    %1 = scf.for %j = %c0 to %n step %c1 iter_args(%w = %v) -> tensor<1024xi32> {
      // CHECK: "t.relu"
      // CHECK-NOT: kind = "inplace"
      %2 = "t.relu"(%v) : (tensor<1024xi32>) -> tensor<1024xi32>
      scf.yield %2 : tensor<1024xi32>
    }
    scf.yield %1 : tensor<1024xi32>
  }
  return %0 : tensor<1024xi32>
}

// -----

// 10. Read by two ops in the block, through a reshape: the last one of them
// may write over it.
// CHECK: peak = 4100
// CHECK-LABEL: func.func @last_reader
func.func @last_reader(%a: tensor<1024xi32>, %n: index) -> tensor<1024xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %a) -> tensor<1024xi32> {
    %1 = "tpu.Reshape"(%v) : (tensor<1024xi32>) -> tensor<32x32xi32>
    %2 = "a.op"(%1, %v) : (tensor<32x32xi32>, tensor<1024xi32>) -> tensor<1xi32>
    // CHECK: "t.add"
    // CHECK-SAME: kind = "inplace"
    %3 = "t.add"(%v, %2) : (tensor<1024xi32>, tensor<1xi32>) -> tensor<1024xi32>
    scf.yield %3 : tensor<1024xi32>
  }
  return %0 : tensor<1024xi32>
}

// -----

// 11. Ops that look at the shape alone were counted for the reader that comes
// last: the argument is handed to the second carried value by another name,
// which would find what is written over it.
// CHECK: peak = 12288
// CHECK-LABEL: func.func @other_name
func.func @other_name(%a: tensor<1024xi32>, %b: tensor<1024xi32>, %n: index) -> tensor<1024xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %a, %w = %b) -> (tensor<1024xi32>, tensor<1024xi32>) {
    %d = tensor.dim %v, %c0 : tensor<1024xi32>
    %e = tensor.dim %v, %c0 : tensor<1024xi32>
    %f = tensor.dim %v, %c0 : tensor<1024xi32>
    "a.op"(%w) : (tensor<1024xi32>) -> ()
    %1:2 = func.call @itself(%v) : (tensor<1024xi32>) -> (tensor<1xi32>, tensor<1024xi32>)
    // CHECK: "t.relu"
    // CHECK-NOT: kind = "inplace"
    %2 = "t.relu"(%v) : (tensor<1024xi32>) -> tensor<1024xi32>
    scf.yield %2, %1#1 : tensor<1024xi32>, tensor<1024xi32>
  }
  return %0#1 : tensor<1024xi32>
}
func.func private @itself(%v: tensor<1024xi32>) -> (tensor<1xi32>, tensor<1024xi32>) {
  %0 = "a.op"(%v) : (tensor<1024xi32>) -> tensor<1xi32>
  return %0, %v : tensor<1xi32>, tensor<1024xi32>
}

// -----

// 12. What a loop of blocks passes on is the same value in each iteration, and
// needs no copy, although the loop reads both.
// CHECK: peak = 4096
// CHECK-LABEL: func.func @only_source
// WITHOUT: peak = 8192
// WITHOUT-LABEL: func.func @only_source
func.func @only_source(%a: tensor<1024xi32>, %c: i1) -> tensor<1024xi32> {
  cf.br ^bb1(%a : tensor<1024xi32>)
^bb1(%v: tensor<1024xi32>):
  "a.use"(%v, %a) : (tensor<1024xi32>, tensor<1024xi32>) -> ()
  cf.cond_br %c, ^bb1(%a : tensor<1024xi32>), ^bb2
^bb2:
  return %a : tensor<1024xi32>
}

// -----

// 13. Not if another value comes in between.
// CHECK: peak = 12288
// CHECK-LABEL: func.func @two_sources
func.func @two_sources(%a: tensor<1024xi32>, %b: tensor<1024xi32>, %n: index) -> tensor<1024xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %a) -> tensor<1024xi32> {
    "a.use"(%v, %a, %b) : (tensor<1024xi32>, tensor<1024xi32>, tensor<1024xi32>) -> ()
    scf.yield %b : tensor<1024xi32>
  }
  return %a : tensor<1024xi32>
}

// -----

// 14. Nor if an op modifies the copy.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @written_copy
func.func @written_copy(%a: tensor<1024xi32>, %n: index) -> tensor<1024xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %a) -> tensor<1024xi32> {
    "a.write"(%v) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<1024xi32>) -> ()
    scf.yield %a : tensor<1024xi32>
  }
  return %a : tensor<1024xi32>
}

// -----

// 15. Nor if a branch whose semantics is unknown may write there, too.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @unknown_branch
func.func @unknown_branch(%a: tensor<1024xi32>, %c: i1) -> tensor<1024xi32> {
  cf.cond_br %c, ^bb1(%a : tensor<1024xi32>), ^bb2
^bb1(%v: tensor<1024xi32>):
  "a.use"(%v, %a) : (tensor<1024xi32>, tensor<1024xi32>) -> ()
  cf.br ^bb3
^bb2:
  "a.branch"(%a)[^bb1] : (tensor<1024xi32>) -> ()
^bb3:
  return %a : tensor<1024xi32>
}

// -----

// 16. Both ways to a block bring the same value.
// CHECK: peak = 4100
// CHECK-LABEL: func.func @both_ways
// WITHOUT: peak = 8196
// WITHOUT-LABEL: func.func @both_ways
func.func @both_ways(%x: tensor<1xi32>, %c: i1) -> tensor<1xi32> {
  %a = "a.op"() : () -> tensor<1024xi32>
  cf.cond_br %c, ^bb1(%a : tensor<1024xi32>), ^bb1(%a : tensor<1024xi32>)
^bb1(%v: tensor<1024xi32>):
  "a.use"(%v) : (tensor<1024xi32>) -> ()
  return %x : tensor<1xi32>
}

// -----

// 17. What nobody reads is written all the same: it may be in the place of its
// source where that is the last one to write there.
// CHECK: peak = 4100
// CHECK-LABEL: func.func @unread
// WITHOUT: peak = 8196
// WITHOUT-LABEL: func.func @unread
func.func @unread(%x: tensor<1xi32>, %n: index) -> tensor<1xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = "a.op"() : () -> tensor<1024xi32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %a) -> tensor<1024xi32> {
    %1 = "a.op"() : () -> tensor<1024xi32>
    "a.use"(%1) : (tensor<1024xi32>) -> ()
    scf.yield %1 : tensor<1024xi32>
  }
  return %x : tensor<1xi32>
}

// -----

// 18. Not where another one writes there while the source is in use.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @unread_overwrites
func.func @unread_overwrites(%n: index) -> tensor<1024xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = "a.op"() : () -> tensor<1024xi32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %a) -> tensor<1024xi32> {
    %1 = "a.op"() : () -> tensor<1024xi32>
    scf.yield %1 : tensor<1024xi32>
  }
  return %a : tensor<1024xi32>
}

// -----

// 19. In code that is not reached, a value may be made of its own copy.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @unreached
func.func @unreached(%a: tensor<1024xi32>) -> tensor<1024xi32> {
  return %a : tensor<1024xi32>
^bb1(%v: tensor<1024xi32>):
  %1 = "a.op"(%v) : (tensor<1024xi32>) -> tensor<1024xi32>
  cf.br ^bb1(%1 : tensor<1024xi32>)
}
