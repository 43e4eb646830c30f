// Of each memory that the plan places, one instance is in use at a time: all are in the same
// bytes. Plans written by hand, of each pair the first is sound; most of the others were
// accepted, by both checks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// RUN: gmem-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --gmem-verify-plan=only=contents -o /dev/null

// 1. Of two calls, each makes an instance. The first one is read before the second is made;
// behind that; by a view; and only its shape.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @make() -> memref<16xf32> {
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    return %z : memref<16xf32>
  }
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    %a = func.call @make() : () -> memref<16xf32>
    memref.copy %in, %a : memref<16xf32> to memref<16xf32>
    memref.copy %a, %out : memref<16xf32> to memref<16xf32>
    %b = func.call @make() : () -> memref<16xf32>
    memref.copy %in, %b : memref<16xf32> to memref<16xf32>
    memref.copy %b, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @make() -> memref<16xf32> {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    return %z : memref<16xf32>
  }
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    %a = func.call @make() : () -> memref<16xf32>
    // expected-note @+1 {{'func.call' makes an instance}}
    %b = func.call @make() : () -> memref<16xf32>
    // expected-error @+1 {{'memref.copy' uses result #0 of 'func.call', which may be an older instance of result #0 of 'memref.alloc' than the last one}}
    memref.copy %in, %a : memref<16xf32> to memref<16xf32>
    memref.copy %out, %b : memref<16xf32> to memref<16xf32>
    memref.copy %a, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @make() -> memref<16xf32> {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    return %z : memref<16xf32>
  }
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    %a = func.call @make() : () -> memref<16xf32>
    %v = memref.cast %a : memref<16xf32> to memref<?xf32>
    // expected-note @+1 {{'func.call' makes an instance}}
    %b = func.call @make() : () -> memref<16xf32>
    memref.copy %in, %b : memref<16xf32> to memref<16xf32>
    // expected-error @+1 {{'memref.copy' uses result #0 of 'func.call', which may be an older instance of result #0 of 'memref.alloc' than the last one}}
    memref.copy %v, %out : memref<?xf32> to memref<16xf32>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @make() -> memref<16xf32> {
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    return %z : memref<16xf32>
  }
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    %a = func.call @make() : () -> memref<16xf32>
    %v = memref.cast %a : memref<16xf32> to memref<?xf32>
    %b = func.call @make() : () -> memref<16xf32>
    memref.copy %in, %b : memref<16xf32> to memref<16xf32>
    %c0 = arith.constant 0 : index
    %d = memref.dim %a, %c0 : memref<16xf32>
    %e = memref.dim %v, %c0 : memref<?xf32>
    %x = arith.index_cast %e : index to i32
    return
  }
}

// -----

// 2. A function makes one that calls the other.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @make() -> memref<16xf32> {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    return %z : memref<16xf32>
  }
  func.func private @helper() {
    %x = func.call @make() : () -> memref<16xf32>
    return
  }
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    %a = func.call @make() : () -> memref<16xf32>
    memref.copy %in, %a : memref<16xf32> to memref<16xf32>
    // expected-note @+1 {{'func.call' makes an instance}}
    func.call @helper() : () -> ()
    // expected-error @+1 {{'memref.copy' uses result #0 of 'func.call', which may be an older instance of result #0 of 'memref.alloc' than the last one}}
    memref.copy %a, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// 3. A function is given one, reads it and makes another one; in the other order.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @make() -> memref<16xf32> {
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    return %z : memref<16xf32>
  }
  func.func private @g(%x: memref<16xf32>, %to: memref<16xf32>) {
    memref.copy %x, %to : memref<16xf32> to memref<16xf32>
    %y = func.call @make() : () -> memref<16xf32>
    memref.copy %to, %y : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    %a = func.call @make() : () -> memref<16xf32>
    memref.copy %in, %a : memref<16xf32> to memref<16xf32>
    func.call @g(%a, %out) : (memref<16xf32>, memref<16xf32>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @make() -> memref<16xf32> {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    return %z : memref<16xf32>
  }
  func.func private @g(%x: memref<16xf32>, %to: memref<16xf32>) {
    // expected-note @+1 {{'func.call' makes an instance}}
    %y = func.call @make() : () -> memref<16xf32>
    memref.copy %to, %y : memref<16xf32> to memref<16xf32>
    // expected-error @+1 {{'memref.copy' uses argument #0, which may be an older instance of result #0 of 'memref.alloc' than the last one}}
    memref.copy %x, %to : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    %a = func.call @make() : () -> memref<16xf32>
    memref.copy %in, %a : memref<16xf32> to memref<16xf32>
    func.call @g(%a, %out) : (memref<16xf32>, memref<16xf32>) -> ()
    return
  }
}

// -----

// 4. One branch makes another one, and the other one reads; the same branch does.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @make() -> memref<16xf32> {
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    return %z : memref<16xf32>
  }
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    %a = func.call @make() : () -> memref<16xf32>
    memref.copy %in, %a : memref<16xf32> to memref<16xf32>
    scf.if %c {
      %b = func.call @make() : () -> memref<16xf32>
      memref.copy %in, %b : memref<16xf32> to memref<16xf32>
    } else {
      memref.copy %a, %out : memref<16xf32> to memref<16xf32>
    }
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @make() -> memref<16xf32> {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    return %z : memref<16xf32>
  }
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    %a = func.call @make() : () -> memref<16xf32>
    memref.copy %in, %a : memref<16xf32> to memref<16xf32>
    scf.if %c {
      // expected-note @+1 {{'func.call' makes an instance}}
      %b = func.call @make() : () -> memref<16xf32>
      memref.copy %in, %b : memref<16xf32> to memref<16xf32>
      // expected-error @+1 {{'memref.copy' uses result #0 of 'func.call', which may be an older instance of result #0 of 'memref.alloc' than the last one}}
      memref.copy %a, %out : memref<16xf32> to memref<16xf32>
    } else {
      memref.copy %a, %out : memref<16xf32> to memref<16xf32>
    }
    return
  }
}

// -----

// 5. Each round of a loop makes one and reads that; reads one that was made before the loop.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @make() -> memref<16xf32> {
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    return %z : memref<16xf32>
  }
  func.func @f(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %b = func.call @make() : () -> memref<16xf32>
      memref.copy %in, %b : memref<16xf32> to memref<16xf32>
      memref.copy %b, %out : memref<16xf32> to memref<16xf32>
    }
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @make() -> memref<16xf32> {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    return %z : memref<16xf32>
  }
  func.func @f(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
    %a = func.call @make() : () -> memref<16xf32>
    memref.copy %in, %a : memref<16xf32> to memref<16xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      // expected-error @+1 {{'memref.copy' uses result #0 of 'func.call', which may be an older instance of result #0 of 'memref.alloc' than the last one}}
      memref.copy %a, %out : memref<16xf32> to memref<16xf32>
      // expected-note @+1 {{'func.call' makes an instance}}
      %b = func.call @make() : () -> memref<16xf32>
    }
    return
  }
}

// -----

// 6. A loop carries the last one, and the one before.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%new = %in, %old = %in) -> (memref<16xf32>, memref<16xf32>) {
      memref.copy %new, %out : memref<16xf32> to memref<16xf32>
      memref.copy %old, %out : memref<16xf32> to memref<16xf32>
      %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
      memref.copy %out, %z : memref<16xf32> to memref<16xf32>
      scf.yield %z, %in : memref<16xf32>, memref<16xf32>
    }
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%new = %in, %old = %in) -> (memref<16xf32>, memref<16xf32>) {
      memref.copy %new, %out : memref<16xf32> to memref<16xf32>
      memref.copy %old, %out : memref<16xf32> to memref<16xf32>
      // expected-note @+2 {{'memref.alloc' makes an instance}}
      // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
      %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
      memref.copy %out, %z : memref<16xf32> to memref<16xf32>
      // expected-error @+1 {{'scf.yield' uses argument #1, which may be an older instance of result #0 of 'memref.alloc' than the last one}}
      scf.yield %z, %new : memref<16xf32>, memref<16xf32>
    }
    return
  }
}

// -----

// 7. The same among blocks; the last one but one is passed on.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    cf.br ^head(%in : memref<16xf32>)
  ^head(%new: memref<16xf32>):
    memref.copy %new, %out : memref<16xf32> to memref<16xf32>
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    cf.cond_br %c, ^head(%z : memref<16xf32>), ^exit
  ^exit:
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    cf.br ^head(%in, %in : memref<16xf32>, memref<16xf32>)
  ^head(%new: memref<16xf32>, %old: memref<16xf32>):
    memref.copy %in, %new : memref<16xf32> to memref<16xf32>
    memref.copy %out, %old : memref<16xf32> to memref<16xf32>
    memref.copy %new, %out : memref<16xf32> to memref<16xf32>
    // expected-note @+2 {{'memref.alloc' makes an instance}}
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-error @+1 {{'cf.cond_br' uses argument #0, which may be an older instance of result #0 of 'memref.alloc' than the last one}}
    cf.cond_br %c, ^head(%z, %new : memref<16xf32>, memref<16xf32>), ^exit
  ^exit:
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    cf.br ^bb1(%in : memref<16xf32>)
  ^bb1(%x: memref<16xf32>):
    // expected-note @+2 {{'memref.alloc' makes an instance}}
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    cf.cond_br %c, ^bb1(%z : memref<16xf32>), ^bb2
  ^bb2:
    // expected-error @+1 {{'memref.copy' uses argument #0, which may be an older instance of result #0 of 'memref.alloc' than the last one}}
    memref.copy %in, %x : memref<16xf32> to memref<16xf32>
    memref.copy %out, %z : memref<16xf32> to memref<16xf32>
    memref.copy %x, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @make() -> memref<16xf32> {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    return %z : memref<16xf32>
  }
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    %a = func.call @make() : () -> memref<16xf32>
    cf.br ^bb1(%a, %in : memref<16xf32>, memref<16xf32>)
  ^bb1(%x: memref<16xf32>, %y: memref<16xf32>):
    memref.copy %in, %x : memref<16xf32> to memref<16xf32>
    memref.copy %out, %y : memref<16xf32> to memref<16xf32>
    memref.copy %x, %out : memref<16xf32> to memref<16xf32>
    // expected-note @+1 {{'func.call' makes an instance}}
    %b = func.call @make() : () -> memref<16xf32>
    // expected-error @+1 {{'cf.cond_br' uses argument #0, which may be an older instance of result #0 of 'memref.alloc' than the last one}}
    cf.cond_br %c, ^bb1(%b, %x : memref<16xf32>, memref<16xf32>), ^exit
  ^exit:
    return
  }
}

// -----

// 8. Code that runs later makes one; one of before is read when that may have happened; code
// that runs later reads one when another is made.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @make() -> memref<16xf32> {
    // expected-error @+1 {{result #0 of 'memref.alloc' has a place, but several instances of it may exist at once; plan again}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    return %z : memref<16xf32>
  }
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    %t = async.execute {
      %b = func.call @make() : () -> memref<16xf32>
      memref.copy %in, %b : memref<16xf32> to memref<16xf32>
      async.yield
    }
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @make() -> memref<16xf32> {
    // expected-error @+1 {{result #0 of 'memref.alloc' has a place, but several instances of it may exist at once; plan again}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    return %z : memref<16xf32>
  }
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    %a = func.call @make() : () -> memref<16xf32>
    memref.copy %in, %a : memref<16xf32> to memref<16xf32>
    %t = async.execute {
      %b = func.call @make() : () -> memref<16xf32>
      memref.copy %in, %b : memref<16xf32> to memref<16xf32>
      async.yield
    }
    memref.copy %a, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @make() -> memref<16xf32> {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    return %z : memref<16xf32>
  }
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    %a = func.call @make() : () -> memref<16xf32>
    memref.copy %in, %a : memref<16xf32> to memref<16xf32>
    %t = async.execute {
      // expected-error @+1 {{'memref.copy' uses result #0 of 'func.call', which may be an older instance of result #0 of 'memref.alloc' than the last one}}
      memref.copy %a, %out : memref<16xf32> to memref<16xf32>
      async.yield
    }
    // expected-note @+1 {{'func.call' makes an instance}}
    %b = func.call @make() : () -> memref<16xf32>
    memref.copy %in, %b : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// 9. A layer group reads its operands until it ends.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @make() -> memref<16xf32> {
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    return %z : memref<16xf32>
  }
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    %a = func.call @make() : () -> memref<16xf32>
    memref.copy %in, %a : memref<16xf32> to memref<16xf32>
    "x.r"(%a, %out) {gmem.layer_group = 1 : i64, gmem.op_model = {writes = array<i64: 1>}} : (memref<16xf32>, memref<16xf32>) -> ()
    "x.s"(%in, %out) {gmem.layer_group = 1 : i64, gmem.op_model = {writes = array<i64: 1>}} : (memref<16xf32>, memref<16xf32>) -> ()
    %b = func.call @make() : () -> memref<16xf32>
    memref.copy %in, %b : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @make() -> memref<16xf32> {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    return %z : memref<16xf32>
  }
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    %a = func.call @make() : () -> memref<16xf32>
    memref.copy %in, %a : memref<16xf32> to memref<16xf32>
    // expected-error @+1 {{'x.r' uses result #0 of 'func.call', which may be an older instance of result #0 of 'memref.alloc' than the last one}}
    "x.r"(%a, %out) {gmem.layer_group = 1 : i64, gmem.op_model = {writes = array<i64: 1>}} : (memref<16xf32>, memref<16xf32>) -> ()
    // expected-note @+1 {{'func.call' makes an instance}}
    %b = func.call @make() : () -> memref<16xf32>
    memref.copy %in, %b : memref<16xf32> to memref<16xf32>
    "x.s"(%in, %out) {gmem.layer_group = 1 : i64, gmem.op_model = {writes = array<i64: 1>}} : (memref<16xf32>, memref<16xf32>) -> ()
    return
  }
}

// -----

// 10. An op whose regions run in any order makes one for itself; returns one; passes one
// on, of another region and of the same.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    "any.regions"(%in) ({
    ^bb0(%v: memref<16xf32>):
      %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
      memref.copy %v, %z : memref<16xf32> to memref<16xf32>
      memref.copy %z, %out : memref<16xf32> to memref<16xf32>
      "any.yield"() : () -> ()
    }) : (memref<16xf32>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    %r = "any.regions"(%in) ({
      // expected-note @+2 {{'memref.alloc' makes an instance}}
      // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
      %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
      memref.copy %in, %z : memref<16xf32> to memref<16xf32>
      "any.yield"(%z) : (memref<16xf32>) -> ()
    }) : (memref<16xf32>) -> memref<16xf32>
    // expected-error @+1 {{'memref.copy' uses result #0 of 'any.regions', which may be an older instance of result #0 of 'memref.alloc' than the last one}}
    memref.copy %r, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @g(%in: memref<16xf32>, %out: memref<16xf32>) {
    "any.regions"(%in) ({
    ^bb0(%v: memref<16xf32>):
      // expected-error @+1 {{'memref.copy' uses argument #0, which may be an older instance of result #0 of 'memref.alloc' than the last one}}
      memref.copy %v, %out : memref<16xf32> to memref<16xf32>
      "any.yield"() : () -> ()
    }, {
      // expected-note @+2 {{'memref.alloc' makes an instance}}
      // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
      %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
      memref.copy %in, %z : memref<16xf32> to memref<16xf32>
      "any.yield"(%z) : (memref<16xf32>) -> ()
    }) : (memref<16xf32>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @h(%in: memref<16xf32>, %out: memref<16xf32>) {
    "any.regions"(%in) ({
    ^bb0(%v: memref<16xf32>):
      // expected-error @+1 {{'memref.copy' uses argument #0, which may be an older instance of result #0 of 'memref.alloc' than the last one}}
      memref.copy %v, %out : memref<16xf32> to memref<16xf32>
      // expected-note @+2 {{'memref.alloc' makes an instance}}
      // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
      %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
      memref.copy %in, %z : memref<16xf32> to memref<16xf32>
      "any.yield"(%z) : (memref<16xf32>) -> ()
    }) : (memref<16xf32>) -> ()
    return
  }
}

// -----

// 11. A loop of which both regions have the same arguments: the second one makes one; the first
// one does, behind which the second one reads.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @make() -> memref<16xf32> {
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    return %z : memref<16xf32>
  }
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    %a = func.call @make() : () -> memref<16xf32>
    memref.copy %in, %a : memref<16xf32> to memref<16xf32>
    %r = "x.loop"(%a) ({
    ^bb0(%x: memref<16xf32>):
      %c = "x.cond"() : () -> i1
      "x.end"(%c) : (i1) -> ()
    }, {
    ^bb0(%y: memref<16xf32>):
      memref.copy %y, %out : memref<16xf32> to memref<16xf32>
      %b = func.call @make() : () -> memref<16xf32>
      memref.copy %out, %b : memref<16xf32> to memref<16xf32>
      "x.end"(%b) : (memref<16xf32>) -> ()
    }) {gmem.op_model = {kind = "loop"}} : (memref<16xf32>) -> memref<16xf32>
    memref.copy %r, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @make() -> memref<16xf32> {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    return %z : memref<16xf32>
  }
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    %a = func.call @make() : () -> memref<16xf32>
    memref.copy %in, %a : memref<16xf32> to memref<16xf32>
    %r = "x.loop"(%a) ({
    ^bb0(%x: memref<16xf32>):
      // expected-note @+1 {{'func.call' makes an instance}}
      %b = func.call @make() : () -> memref<16xf32>
      memref.copy %out, %b : memref<16xf32> to memref<16xf32>
      %c = "x.cond"() : () -> i1
      // expected-error @+1 {{'x.end' uses argument #0, which may be an older instance of result #0 of 'memref.alloc' than the last one}}
      "x.end"(%c) : (i1) -> ()
    }, {
    ^bb0(%y: memref<16xf32>):
      memref.copy %y, %out : memref<16xf32> to memref<16xf32>
      "x.end"(%y) : (memref<16xf32>) -> ()
    }) {gmem.op_model = {kind = "loop"}} : (memref<16xf32>) -> memref<16xf32>
    memref.copy %r, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// 12. Ops of a function in an order that is not known, which is given memory from
// outside, and what its last run has made.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  "x.func"() ({
  ^bb0(%x: memref<16xf32>, %out: memref<16xf32>):
    "x.read"(%x, %out, %d) : (memref<16xf32>, memref<16xf32>, memref<16xf32>) -> ()
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %out, %z : memref<16xf32> to memref<16xf32>
    %d = memref.cast %z : memref<16xf32> to memref<16xf32>
    "x.return"(%z) : (memref<16xf32>) -> ()
  }) {sym_name = "g", sym_visibility = "private", function_type = (memref<16xf32>, memref<16xf32>) -> memref<16xf32>} : () -> ()
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    %a = "x.call"(%in, %out) {callee = @g} : (memref<16xf32>, memref<16xf32>) -> memref<16xf32>
    %b = "x.call"(%in, %out) {callee = @g} : (memref<16xf32>, memref<16xf32>) -> memref<16xf32>
    memref.copy %b, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  "x.func"() ({
  ^bb0(%x: memref<16xf32>, %out: memref<16xf32>):
    // expected-error @+1 {{'x.read' uses argument #0, which may be an older instance of result #0 of 'memref.alloc' than the last one}}
    "x.read"(%x, %out, %d) : (memref<16xf32>, memref<16xf32>, memref<16xf32>) -> ()
    // expected-note @+2 {{'memref.alloc' makes an instance}}
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %out, %z : memref<16xf32> to memref<16xf32>
    %d = memref.cast %z : memref<16xf32> to memref<16xf32>
    "x.return"(%z) : (memref<16xf32>) -> ()
  }) {sym_name = "g", sym_visibility = "private", function_type = (memref<16xf32>, memref<16xf32>) -> memref<16xf32>} : () -> ()
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    %a = "x.call"(%in, %out) {callee = @g} : (memref<16xf32>, memref<16xf32>) -> memref<16xf32>
    %b = "x.call"(%a, %out) {callee = @g} : (memref<16xf32>, memref<16xf32>) -> memref<16xf32>
    memref.copy %b, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// 13. A stream reads one while another one writes the next: of two calls, behind a wait or not;
// of two rounds of a loop that calls; one that a loop carries; one that the same stream
// accessed before the next; and one of a round before the last one.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @make() -> memref<16xf32> {
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    return %z : memref<16xf32>
  }
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    %a = func.call @make() : () -> memref<16xf32>
    "x.write"(%a, %in) {gmem.stream = 1 : i64, gmem.op_model = {writes = array<i64: 0>}} : (memref<16xf32>, memref<16xf32>) -> ()
    "x.read"(%a, %out) {gmem.stream = 1 : i64, gmem.op_model = {writes = array<i64: 1>}} : (memref<16xf32>, memref<16xf32>) -> ()
    "x.sync"() {gmem.wait = array<i64: 1>} : () -> ()
    %b = func.call @make() : () -> memref<16xf32>
    "x.write"(%b, %in) {gmem.stream = 2 : i64, gmem.op_model = {writes = array<i64: 0>}} : (memref<16xf32>, memref<16xf32>) -> ()
    "x.sync"() {gmem.wait = array<i64: 1, 2>} : () -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @make() -> memref<16xf32> {
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    return %z : memref<16xf32>
  }
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    %a = func.call @make() : () -> memref<16xf32>
    "x.write"(%a, %in) {gmem.stream = 1 : i64, gmem.op_model = {writes = array<i64: 0>}} : (memref<16xf32>, memref<16xf32>) -> ()
    // expected-note @+1 {{'x.read' in stream 1 writes bytes [0, 64) of pool 'tensors'}}
    "x.read"(%a, %out) {gmem.stream = 1 : i64, gmem.op_model = {writes = array<i64: 1>}} : (memref<16xf32>, memref<16xf32>) -> ()
    %b = func.call @make() : () -> memref<16xf32>
    // expected-error @+2 {{'x.write' in stream 2 writes bytes [0, 64) of pool 'tensors', but nothing orders it after 'x.read' in stream 1, which writes them}}
    // expected-note @+1 {{'x.write' in stream 2 writes bytes [0, 64) of pool 'tensors'}}
    "x.write"(%b, %in) {gmem.stream = 2 : i64, gmem.op_model = {writes = array<i64: 0>}} : (memref<16xf32>, memref<16xf32>) -> ()
    "x.sync"() {gmem.wait = array<i64: 1, 2>} : () -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @make() -> memref<16xf32> {
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    return %z : memref<16xf32>
  }
  func.func @f(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %k = %c0 to %n step %c1 {
      %b = func.call @make() : () -> memref<16xf32>
      "x.write"(%b, %in) {gmem.stream = 1 : i64, gmem.op_model = {writes = array<i64: 0>}} : (memref<16xf32>, memref<16xf32>) -> ()
      "x.read"(%b, %out) {gmem.stream = 2 : i64, gmem.op_model = {writes = array<i64: 1>}} : (memref<16xf32>, memref<16xf32>) -> ()
      "x.sync"() {gmem.wait = array<i64: 1, 2>} : () -> ()
    }
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @make() -> memref<16xf32> {
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    return %z : memref<16xf32>
  }
  func.func @f(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %k = %c0 to %n step %c1 {
      %b = func.call @make() : () -> memref<16xf32>
      // expected-note @+1 {{'x.write' in stream 1 writes bytes [0, 64) of pool 'tensors'}}
      "x.write"(%b, %in) {gmem.stream = 1 : i64, gmem.op_model = {writes = array<i64: 0>}} : (memref<16xf32>, memref<16xf32>) -> ()
      // expected-error @+2 {{'x.read' in stream 2 writes bytes [0, 64) of pool 'tensors' in a later iteration, but nothing orders it after 'x.write' in stream 1, which writes them in an earlier one}}
      // expected-note @+1 {{'x.read' in stream 2 writes bytes [0, 64) of pool 'tensors'}}
      "x.read"(%b, %out) {gmem.stream = 2 : i64, gmem.op_model = {writes = array<i64: 1>}} : (memref<16xf32>, memref<16xf32>) -> ()
    }
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%old = %in) -> memref<16xf32> {
      // expected-note @+1 {{'x.read' in stream 2 writes bytes [0, 64) of pool 'tensors'}}
      "x.read"(%old, %out) {gmem.stream = 2 : i64, gmem.op_model = {writes = array<i64: 1>}} : (memref<16xf32>, memref<16xf32>) -> ()
      %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
      // expected-error @+2 {{'x.write' in stream 1 writes bytes [0, 64) of pool 'tensors', but nothing orders it after 'x.read' in stream 2, which writes them}}
      // expected-note @+1 {{'x.write' in stream 1 writes bytes [0, 64) of pool 'tensors'}}
      "x.write"(%z, %in) {gmem.stream = 1 : i64, gmem.op_model = {writes = array<i64: 0>}} : (memref<16xf32>, memref<16xf32>) -> ()
      "x.sync"() {gmem.wait = array<i64: 1, 2>} : () -> ()
      scf.yield %z : memref<16xf32>
    }
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @make() -> memref<16xf32> {
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    return %z : memref<16xf32>
  }
  func.func @f(%in: memref<16xf32>) {
    %a = func.call @make() : () -> memref<16xf32>
    // expected-note @+1 {{'x.write' in stream 1 writes bytes [0, 64) of pool 'tensors'}}
    "x.write"(%a, %in) {gmem.stream = 1 : i64, gmem.op_model = {writes = array<i64: 0>}} : (memref<16xf32>, memref<16xf32>) -> ()
    %b = func.call @make() : () -> memref<16xf32>
    "x.write"(%b, %in) {gmem.stream = 1 : i64, gmem.op_model = {writes = array<i64: 0>}} : (memref<16xf32>, memref<16xf32>) -> ()
    // expected-error @+2 {{'x.write' in stream 2 writes bytes [0, 64) of pool 'tensors', but nothing orders it after 'x.write' in stream 1, which writes them}}
    // expected-note @+1 {{'x.write' in stream 2 writes bytes [0, 64) of pool 'tensors'}}
    "x.write"(%b, %in) {gmem.stream = 2 : i64, gmem.op_model = {writes = array<i64: 0>}} : (memref<16xf32>, memref<16xf32>) -> ()
    "x.sync"() {gmem.wait = array<i64: 1, 2>} : () -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index, %c: i1, %in: memref<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%old = %in) -> memref<16xf32> {
      %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
      scf.if %c {
        // expected-note @+1 {{'x.write' in stream 1 writes bytes [0, 64) of pool 'tensors'}}
        "x.write"(%z, %in) {gmem.stream = 1 : i64, gmem.op_model = {writes = array<i64: 0>}} : (memref<16xf32>, memref<16xf32>) -> ()
      }
      scf.yield %z : memref<16xf32>
    }
    // expected-error @+2 {{'x.write' in stream 2 writes bytes [0, 64) of pool 'tensors', but nothing orders it after 'x.write' in stream 1, which writes them}}
    // expected-note @+1 {{'x.write' in stream 2 writes bytes [0, 64) of pool 'tensors'}}
    "x.write"(%r, %in) {gmem.stream = 2 : i64, gmem.op_model = {writes = array<i64: 0>}} : (memref<16xf32>, memref<16xf32>) -> ()
    "x.sync"() {gmem.wait = array<i64: 1, 2>} : () -> ()
    return
  }
}

// -----

// 14. An op that does not read one passes it on.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @make() -> memref<16xf32> {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    return %z : memref<16xf32>
  }
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    %a = func.call @make() : () -> memref<16xf32>
    memref.copy %in, %a : memref<16xf32> to memref<16xf32>
    // expected-note @+1 {{'func.call' makes an instance}}
    %b = func.call @make() : () -> memref<16xf32>
    memref.copy %out, %b : memref<16xf32> to memref<16xf32>
    // expected-error @+1 {{'arith.select' uses result #0 of 'func.call', which may be an older instance of result #0 of 'memref.alloc' than the last one}}
    %r = arith.select %c, %a, %in {gmem.op_model = {unread = array<i64: 1>}} : memref<16xf32>
    memref.copy %r, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @make() -> memref<16xf32> {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    return %z : memref<16xf32>
  }
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    %a = func.call @make() : () -> memref<16xf32>
    memref.copy %in, %a : memref<16xf32> to memref<16xf32>
    // expected-note @+1 {{'func.call' makes an instance}}
    %b = func.call @make() : () -> memref<16xf32>
    memref.copy %out, %b : memref<16xf32> to memref<16xf32>
    // expected-error @+1 {{'cf.br' uses result #0 of 'func.call', which may be an older instance of result #0 of 'memref.alloc' than the last one}}
    cf.br ^bb1(%a : memref<16xf32>) {gmem.op_model = {unread = array<i64: 0>}}
  ^bb1(%r: memref<16xf32>):
    memref.copy %r, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// Blocks to which nothing branches, in the function and inside of an op.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @make() -> memref<16xf32> {
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    return %z : memref<16xf32>
  }
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    %a = call @make() : () -> memref<16xf32>
    memref.copy %in, %a : memref<16xf32> to memref<16xf32>
    %b = call @make() : () -> memref<16xf32>
    memref.copy %out, %b : memref<16xf32> to memref<16xf32>
    scf.execute_region {
      cf.br ^end
    ^nowhere:
      memref.copy %a, %out : memref<16xf32> to memref<16xf32>
      cf.br ^end
    ^end:
      scf.yield
    }
    return
  ^nowhere:
    memref.copy %a, %out : memref<16xf32> to memref<16xf32>
    return
  }
}
