// Every copy that control flow makes between different places is a record of
// the op that transfers control.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --pass-pipeline='builtin.module(gmem-plan{alignment=64 weight-alignment=64},gmem-verify-plan)' %s -o %t.mlir
// RUN: FileCheck %s < %t.mlir
//
// Planning again writes the same, whatever has been there before.
//
// RUN: sed -E 's/(gmem.copies = .*)from = [0-9]+/\1from = 7777/; s/linalg.add \{/linalg.add {gmem.copies = [], /' %t.mlir | gmem-opt --allow-unregistered-dialect --split-input-file --pass-pipeline='builtin.module(gmem-plan{alignment=64 weight-alignment=64},gmem-verify-plan)' -o %t.again
// RUN: diff %t.mlir %t.again

// Two calls of one function: it has an argument of its own, to which each call
// copies its constant, and a result, from which each copies.
//
// CHECK-LABEL: @constant_arguments
// CHECK: call @add({{.*}}gmem.copies = [{edge = "callee", from = 0 : i64, from_pool = "weights", number = 0 : i64, size = 64 : i64, to = [[A:[0-9]+]] : i64, to_pool = "tensors"}
// CHECK-SAME: {edge = "results", from = [[R:[0-9]+]] : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = {{[0-9]+}} : i64, to_pool = "tensors"}]
// CHECK: call @add({{.*}}gmem.copies = [{edge = "callee", from = 64 : i64, from_pool = "weights", number = 0 : i64, size = 64 : i64, to = [[A]] : i64, to_pool = "tensors"}
// CHECK-LABEL: func.func private @add
// CHECK-SAME: %{{.*}} {gmem.offset = [[A]] : i64
// CHECK: linalg.add {{.*}}gmem.offset = array<i64: [[R]]>
func.func @constant_arguments(%x: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %c1 = arith.constant dense<1.0> : tensor<16xf32>
  %c2 = arith.constant dense<2.0> : tensor<16xf32>
  %0 = call @add(%c1, %x) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %1 = call @add(%c2, %x) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %0, %1 : tensor<16xf32>, tensor<16xf32>
}
func.func private @add(%a: tensor<16xf32>, %b: tensor<16xf32>) -> tensor<16xf32> {
  %x = tensor.empty() : tensor<16xf32>
  %0 = linalg.add ins(%a, %b : tensor<16xf32>, tensor<16xf32>) outs(%x : tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

// The only call of a function with several returns: each return writes the
// results of the call. It returns its argument in place.
//
// CHECK-LABEL: @one_call
// CHECK: call @either({{.*}}) {gmem.offset
// CHECK-LABEL: func.func private @either
// CHECK: return {gmem.copies = [{edge = "caller", from = 0 : i64, from_pool = "weights", number = 0 : i64, size = 64 : i64, to = {{[0-9]+}} : i64, to_pool = "tensors"}]}
func.func @one_call(%x: tensor<16xf32>, %c: i1) -> tensor<16xf32> {
  %0 = call @either(%x, %c) : (tensor<16xf32>, i1) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
func.func private @either(%a: tensor<16xf32>, %c: i1) -> tensor<16xf32> {
  %k = arith.constant dense<1.0> : tensor<16xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %a : tensor<16xf32>
^bb2:
  return %k : tensor<16xf32>
}

// -----

// Several calls of a function with several returns: the call copies after each
// of them. Both return the same value first.
//
// CHECK-LABEL: @two_calls
// CHECK: call @both
// CHECK-SAME: {edge = "results", from = [[A:[0-9]+]] : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = [[R:[0-9]+]] : i64, to_pool = "tensors"}
// CHECK-SAME: {edge = "results", from = [[B:[0-9]+]] : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = [[S:[0-9]+]] : i64, to_pool = "tensors"}
// CHECK-SAME: {edge = "results", from = [[A]] : i64, from_pool = "tensors", number = 1 : i64, size = 64 : i64, to = [[R]] : i64, to_pool = "tensors"}
// CHECK-SAME: {edge = "results", from = 0 : i64, from_pool = "weights", number = 1 : i64, size = 64 : i64, to = [[S]] : i64, to_pool = "tensors"}]
func.func @two_calls(%x: tensor<16xf32>, %c: i1) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  %0:2 = call @both(%x, %x, %c) : (tensor<16xf32>, tensor<16xf32>, i1) -> (tensor<16xf32>, tensor<16xf32>)
  %1:2 = call @both(%0#1, %x, %c) : (tensor<16xf32>, tensor<16xf32>, i1) -> (tensor<16xf32>, tensor<16xf32>)
  return %0#0, %0#1, %1#0, %1#1 : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}
func.func private @both(%a: tensor<16xf32>, %b: tensor<16xf32>, %c: i1) -> (tensor<16xf32>, tensor<16xf32>) {
  %k = arith.constant dense<1.0> : tensor<16xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %a, %b : tensor<16xf32>, tensor<16xf32>
^bb2:
  return %a, %k : tensor<16xf32>, tensor<16xf32>
}

// -----

// A loop that swaps what it carries: the copies form a cycle. The constant is
// copied on the way in.
//
// CHECK-LABEL: @swap
// CHECK: scf.yield {gmem.copies = [{cycle, edge = "next", from = [[B:[0-9]+]] : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = [[A:[0-9]+]] : i64, to_pool = "tensors"}, {cycle, edge = "next", from = [[A]] : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = [[B]] : i64, to_pool = "tensors"}]}
// CHECK-NEXT: gmem.copies = [{edge = "region", from = 0 : i64, from_pool = "weights", number = 0 : i64, size = 64 : i64, to = [[B]] : i64, to_pool = "tensors"}]
func.func @swap(%a: tensor<16xf32>, %n: index) -> (tensor<16xf32>, tensor<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant dense<1.0> : tensor<16xf32>
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %a, %v = %k) -> (tensor<16xf32>, tensor<16xf32>) {
    scf.yield %v, %u : tensor<16xf32>, tensor<16xf32>
  }
  return %0#0, %0#1 : tensor<16xf32>, tensor<16xf32>
}

// -----

// A loop that shifts what it carries: each value is read before it is
// overwritten, so the copies are not in the order of the operands.
//
// CHECK-LABEL: @shift
// CHECK: scf.yield {gmem.copies = [
// CHECK-SAME: {edge = "next", from = [[B:[0-9]+]] : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = [[C:[0-9]+]] : i64
// CHECK-SAME: {edge = "next", from = [[A:[0-9]+]] : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = [[B]] : i64
func.func @shift(%a: tensor<16xf32>, %b: tensor<16xf32>, %c: tensor<16xf32>, %n: index) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:3 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %a, %v = %b, %w = %c) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
    %x = tensor.empty() : tensor<16xf32>
    %1 = linalg.add ins(%u, %w : tensor<16xf32>, tensor<16xf32>) outs(%x : tensor<16xf32>) -> tensor<16xf32>
    scf.yield %1, %u, %v : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
  }
  return %0#0, %0#1, %0#2 : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}

// -----

// A while loop: into its condition, from there to the body, and to the results
// when it ends.
//
// CHECK-LABEL: @while_loop
// CHECK: scf.condition{{.*}}gmem.copies = [{edge = "next", from = 0 : i64, from_pool = "weights", number = 1 : i64, size = 64 : i64, to = [[V:[0-9]+]] : i64, to_pool = "tensors"}]
// CHECK: scf.yield {gmem.copies = [{edge = "next", from = {{[0-9]+}} : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = [[U:[0-9]+]] : i64, to_pool = "tensors"}]}
// CHECK: gmem.copies = [{edge = "region", from = {{[0-9]+}} : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = [[U]] : i64, to_pool = "tensors"}, {edge = "results", from = 0 : i64, from_pool = "weights", number = 0 : i64, size = 64 : i64, to = {{[0-9]+}} : i64, to_pool = "tensors"}]
func.func @while_loop(%a: tensor<16xf32>, %b: tensor<16xf32>, %c: i1) -> (tensor<16xf32>, tensor<16xf32>) {
  %k = arith.constant dense<1.0> : tensor<16xf32>
  %r = scf.while (%u = %a) : (tensor<16xf32>) -> tensor<16xf32> {
    "a.test"(%u) : (tensor<16xf32>) -> ()
    scf.condition(%c) %k : tensor<16xf32>
  } do {
  ^bb0(%v: tensor<16xf32>):
    %x = tensor.empty() : tensor<16xf32>
    %y = linalg.add ins(%v, %a : tensor<16xf32>, tensor<16xf32>) outs(%x : tensor<16xf32>) -> tensor<16xf32>
    "a.use"(%y) : (tensor<16xf32>) -> ()
    scf.yield %b : tensor<16xf32>
  }
  return %r, %a : tensor<16xf32>, tensor<16xf32>
}

// -----

// A block that is both successors; a loop of blocks that swaps; an arm inside
// an arm. What is undefined or empty is not copied.
//
// CHECK-LABEL: @blocks
// CHECK: cf.cond_br {{.*}}gmem.copies = [{edge = "successor", from = 0 : i64, from_pool = "weights", number = 0 : i64, size = 64 : i64, to = [[X:[0-9]+]] : i64, to_pool = "tensors"}, {edge = "successor", from = 64 : i64, from_pool = "weights", number = 0 : i64, size = 64 : i64, to = [[Y:[0-9]+]] : i64, to_pool = "tensors"}, {edge = "successor", from = 64 : i64, from_pool = "weights", number = 1 : i64, size = 64 : i64, to = [[X]] : i64, to_pool = "tensors"}, {edge = "successor", from = 64 : i64, from_pool = "weights", number = 1 : i64, size = 64 : i64, to = [[Y]] : i64, to_pool = "tensors"}]
// CHECK: cf.cond_br {{.*}}gmem.copies = [{cycle, edge = "successor", from = [[Y]] : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = [[X]] : i64, to_pool = "tensors"}, {cycle, edge = "successor", from = [[X]] : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = [[Y]] : i64, to_pool = "tensors"}]
// CHECK: scf.if
// CHECK: scf.if
// CHECK: scf.yield {gmem.copies = [{edge = "parent", from = 0 : i64, from_pool = "weights"
// CHECK: scf.yield {gmem.copies = [{edge = "parent", from = 64 : i64, from_pool = "weights"
// CHECK: scf.yield %{{.*}}
// CHECK-NOT: gmem.copies
// CHECK: } else {
// CHECK: scf.yield {gmem.copies = [{edge = "parent"
// CHECK: scf.if
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: scf.yield %
func.func @blocks(%c: i1) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<0xf32>) {
  %k = arith.constant dense<1.0> : tensor<16xf32>
  %l = arith.constant dense<2.0> : tensor<16xf32>
  %e = "a.empty"() : () -> tensor<0xf32>
  cf.cond_br %c, ^bb1(%k, %l : tensor<16xf32>, tensor<16xf32>), ^bb1(%l, %l : tensor<16xf32>, tensor<16xf32>)
^bb1(%x: tensor<16xf32>, %y: tensor<16xf32>):
  cf.cond_br %c, ^bb1(%y, %x : tensor<16xf32>, tensor<16xf32>), ^bb2
^bb2:
  %0 = scf.if %c -> tensor<16xf32> {
    %1 = scf.if %c -> tensor<16xf32> {
      scf.yield %k : tensor<16xf32>
    } else {
      scf.yield %l : tensor<16xf32>
    }
    scf.yield %1 : tensor<16xf32>
  } else {
    scf.yield %x : tensor<16xf32>
  }
  %2:2 = scf.if %c -> (tensor<16xf32>, tensor<0xf32>) {
    %3 = tensor.empty() : tensor<16xf32>
    scf.yield %3, %e : tensor<16xf32>, tensor<0xf32>
  } else {
    %3 = tensor.empty() : tensor<16xf32>
    %4 = linalg.add ins(%0, %y : tensor<16xf32>, tensor<16xf32>) outs(%3 : tensor<16xf32>) -> tensor<16xf32>
    %f = "a.empty"() : () -> tensor<0xf32>
    scf.yield %4, %f : tensor<16xf32>, tensor<0xf32>
  }
  return %0, %x, %2#0, %2#1 : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<0xf32>
}

// -----

// Only the value itself is copied, not its padding.
//
// CHECK-LABEL: @padded
// CHECK: scf.yield {gmem.copies = [{edge = "parent", from = 0 : i64, from_pool = "weights", number = 0 : i64, size = 64 : i64, to = 64 : i64, to_pool = "tensors"}]}
func.func @padded(%c: i1) {
  %k = arith.constant dense<1.0> : tensor<16xf32>
  %0 = scf.if %c -> tensor<16xf32> {
    scf.yield %k : tensor<16xf32>
  } else {
    %1 = "a.make"() : () -> tensor<16xf32>
    scf.yield %1 : tensor<16xf32>
  } {gmem.padding = [array<i64: 64, 32>]}
  "a.use"(%0) : (tensor<16xf32>) -> ()
  return
}

// -----

// Control flow in a deferred region, and a call there.
//
// CHECK-LABEL: @deferred
// CHECK: scf.yield {gmem.copies = [{edge = "parent", from = [[Y:[0-9]+]] : i64
// CHECK: call @late({{.*}}gmem.copies = [{edge = "callee", from = {{[0-9]+}} : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = [[ARGUMENT:[0-9]+]] : i64
// CHECK-SAME: {edge = "results", from = [[MADE:[0-9]+]] : i64
// CHECK-LABEL: func.func private @late
// CHECK-SAME: gmem.offset = [[ARGUMENT]]
// CHECK: "x.make"{{.*}}gmem.offset = array<i64: [[MADE]]>
func.func @deferred(%c: i1, %x: tensor<16xf32>) {
  %token = async.execute {
    %y = "x.make"(%x) : (tensor<16xf32>) -> tensor<16xf32>
    %z = scf.if %c -> tensor<16xf32> {
      scf.yield %y : tensor<16xf32>
    } else {
      scf.yield %x : tensor<16xf32>
    }
    %w = func.call @late(%z) : (tensor<16xf32>) -> tensor<16xf32>
    "x.use"(%w) : (tensor<16xf32>) -> ()
    async.yield
  }
  return
}
func.func private @late(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = "x.make"(%x) : (tensor<16xf32>) -> tensor<16xf32>
  return %a : tensor<16xf32>
}

// -----

// Two deferred regions may run one function at once: it has no places, so there
// is nothing to copy.
//
// CHECK-LABEL: @at_once
// CHECK-NOT: gmem.copies
// CHECK-LABEL: func.func private @both
// CHECK-NOT: gmem.offset
func.func @at_once(%x: tensor<16xf32>) {
  %t0 = async.execute {
    %w = func.call @both(%x) : (tensor<16xf32>) -> tensor<16xf32>
    "x.use"(%w) : (tensor<16xf32>) -> ()
    async.yield
  }
  %t1 = async.execute {
    %w = func.call @both(%x) : (tensor<16xf32>) -> tensor<16xf32>
    "x.use"(%w) : (tensor<16xf32>) -> ()
    async.yield
  }
  return
}
func.func private @both(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = "x.make"(%x) : (tensor<16xf32>) -> tensor<16xf32>
  return %a : tensor<16xf32>
}
