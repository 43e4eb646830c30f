// Two names of memrefs that no path gives to their values together: a write to the
// memory of one is then no write to that of the other. In plans written by hand, of each
// pair the first is sound, the second is not. The sound ones were refused: only values
// that are bound together were compared, and not what is passed to them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// RUN: gmem-opt %s --split-input-file --verify-diagnostics --gmem-verify-plan=only=contents -o /dev/null

// 1. %p is %m or %k. Not both of %a and %b are one of these, as only %p is passed to
// them.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    cf.cond_br %c, ^left, ^right
  ^left:
    %m = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %m : memref<16xf32> to memref<16xf32>
    cf.br ^join(%m : memref<16xf32>)
  ^right:
    %k = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %k : memref<16xf32> to memref<16xf32>
    cf.br ^join(%k : memref<16xf32>)
  ^join(%p: memref<16xf32>):
    %own = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %own : memref<16xf32> to memref<16xf32>
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %p, %b = %own) -> (memref<16xf32>, memref<16xf32>) {
      memref.copy %in, %a : memref<16xf32> to memref<16xf32>
      memref.copy %b, %out : memref<16xf32> to memref<16xf32>
      scf.yield %b, %a : memref<16xf32>, memref<16xf32>
    }
    return
  }
}

// -----

// Both %m and %k are passed to the loop.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    %own = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %own : memref<16xf32> to memref<16xf32>
    cf.cond_br %c, ^left, ^right
  ^left:
    %m = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %k = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %k : memref<16xf32> to memref<16xf32>
    cf.br ^join(%m, %k : memref<16xf32>, memref<16xf32>)
  ^right:
    cf.br ^join(%own, %own : memref<16xf32>, memref<16xf32>)
  ^join(%p: memref<16xf32>, %q: memref<16xf32>):
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    // expected-note @+1 {{argument #2 has bytes [0, 64)}}
    %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %p, %b = %q) -> (memref<16xf32>, memref<16xf32>) {
      // expected-note @+1 {{'memref.copy' writes there}}
      memref.copy %in, %a : memref<16xf32> to memref<16xf32>
      // expected-error @+1 {{'memref.copy' reads argument #2, but 'memref.copy' has overwritten bytes [0, 64) of pool 'tensors'}}
      memref.copy %b, %out : memref<16xf32> to memref<16xf32>
      scf.yield %b, %a : memref<16xf32>, memref<16xf32>
    }
    return
  }
}

// -----

// 2. %q is %p or %z.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %d: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    %z = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    cf.cond_br %c, ^left, ^right
  ^left:
    %m = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %m : memref<16xf32> to memref<16xf32>
    cf.br ^join(%m : memref<16xf32>)
  ^right:
    %k = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %k : memref<16xf32> to memref<16xf32>
    cf.br ^join(%k : memref<16xf32>)
  ^join(%p: memref<16xf32>):
    %q = scf.if %d -> (memref<16xf32>) {
      scf.yield %p : memref<16xf32>
    } else {
      scf.yield %z : memref<16xf32>
    }
    memref.copy %in, %q : memref<16xf32> to memref<16xf32>
    memref.copy %p, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// %z shares bytes with both that %p may be.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %d: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    cf.cond_br %c, ^left, ^right
  ^left:
    %m = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %m : memref<16xf32> to memref<16xf32>
    cf.br ^join(%m : memref<16xf32>)
  ^right:
    %k = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %k : memref<16xf32> to memref<16xf32>
    cf.br ^join(%k : memref<16xf32>)
  // expected-note @+1 {{argument #0 has bytes [0, 64)}}
  ^join(%p: memref<16xf32>):
    %q = scf.if %d -> (memref<16xf32>) {
      scf.yield %p : memref<16xf32>
    } else {
      scf.yield %z : memref<16xf32>
    }
    // expected-note @+1 {{'memref.copy' writes there}}
    memref.copy %in, %q : memref<16xf32> to memref<16xf32>
    // expected-error @+1 {{'memref.copy' reads argument #0, but 'memref.copy' has overwritten bytes [0, 64) of pool 'tensors'}}
    memref.copy %p, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// 3. By one branch %p is the memory of the iteration before, by another %q is that of
// this iteration.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %d: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    %own = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %own : memref<16xf32> to memref<16xf32>
    cf.br ^head(%own : memref<16xf32>)
  ^head(%x: memref<16xf32>):
    cf.cond_br %c, ^use(%x, %own : memref<16xf32>, memref<16xf32>), ^make
  ^make:
    %m = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %m : memref<16xf32> to memref<16xf32>
    cf.cond_br %d, ^head(%m : memref<16xf32>), ^use(%own, %m : memref<16xf32>, memref<16xf32>)
  ^use(%p: memref<16xf32>, %q: memref<16xf32>):
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %p, %b = %q) -> (memref<16xf32>, memref<16xf32>) {
      memref.copy %in, %a : memref<16xf32> to memref<16xf32>
      memref.copy %b, %out : memref<16xf32> to memref<16xf32>
      scf.yield %b, %a : memref<16xf32>, memref<16xf32>
    }
    return
  }
}

// -----

// Both are passed to the loop.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %d: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    %own = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %own : memref<16xf32> to memref<16xf32>
    cf.br ^head(%own : memref<16xf32>)
  ^head(%x: memref<16xf32>):
    cf.cond_br %c, ^use(%x, %x : memref<16xf32>, memref<16xf32>), ^make
  ^make:
    // expected-note @+2 {{'memref.alloc' makes an instance}}
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
    %m = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %m : memref<16xf32> to memref<16xf32>
    // expected-error @+1 {{'cf.cond_br' uses argument #0, which may be an older instance of result #0 of 'memref.alloc' than the last one}}
    cf.cond_br %d, ^head(%m : memref<16xf32>), ^use(%m, %x : memref<16xf32>, memref<16xf32>)
  ^use(%p: memref<16xf32>, %q: memref<16xf32>):
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %p, %b = %q) -> (memref<16xf32>, memref<16xf32>) {
      memref.copy %in, %a : memref<16xf32> to memref<16xf32>
      memref.copy %b, %out : memref<16xf32> to memref<16xf32>
      scf.yield %b, %a : memref<16xf32>, memref<16xf32>
    }
    return
  }
}
