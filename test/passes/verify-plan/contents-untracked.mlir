// Memory that control flow passes on and that is not followed (proof_untracked.h): what asks
// for the memory of a memref still finds it. Plans written by hand; the first one is sound.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// RUN: gmem-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --gmem-verify-plan=only=contents -o /dev/null

// 1. The older instance is used before the allocation is executed.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    cf.br ^own(%in : memref<16xf32>)
  ^own(%old: memref<16xf32>):
    memref.copy %old, %out : memref<16xf32> to memref<16xf32>
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    cf.br ^other(%z : memref<16xf32>)
  ^other(%x: memref<16xf32>):
    cf.cond_br %c, ^own(%x : memref<16xf32>), ^exit
  ^exit:
    return
  }
}

// -----

// 2. An older instance gets back to the block of the allocation through another block.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    cf.br ^own(%in : memref<16xf32>)
  ^own(%old: memref<16xf32>):
    // expected-note @+2 {{'memref.alloc' makes an instance}}
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    // expected-error @+1 {{'memref.copy' uses argument #0, which may be an older instance of result #0 of 'memref.alloc' than the last one}}
    memref.copy %old, %out : memref<16xf32> to memref<16xf32>
    cf.br ^other(%z : memref<16xf32>)
  ^other(%x: memref<16xf32>):
    cf.cond_br %c, ^own(%x : memref<16xf32>), ^exit
  ^exit:
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    cf.br ^own(%in : memref<16xf32>)
  ^own(%old: memref<16xf32>):
    // expected-note @+2 {{'memref.alloc' makes an instance}}
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    // expected-error @+1 {{'memref.copy' uses argument #0, which may be an older instance of result #0 of 'memref.alloc' than the last one}}
    memref.copy %old, %out : memref<16xf32> to memref<16xf32>
    cf.br ^other(%z : memref<16xf32>)
  ^other(%x: memref<16xf32>):
    %v = memref.cast %x : memref<16xf32> to memref<?xf32>
    %w = memref.cast %v : memref<?xf32> to memref<16xf32>
    cf.cond_br %c, ^own(%w : memref<16xf32>), ^exit
  ^exit:
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    cf.br ^own(%in, %in : memref<16xf32>, memref<16xf32>)
  ^own(%old: memref<16xf32>, %other: memref<16xf32>):
    // expected-note @+2 {{'memref.alloc' makes an instance}}
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    // expected-error @+1 {{'memref.copy' uses argument #0, which may be an older instance of result #0 of 'memref.alloc' than the last one}}
    memref.copy %old, %out : memref<16xf32> to memref<16xf32>
    cf.cond_br %c, ^other(%z : memref<16xf32>), ^other(%other : memref<16xf32>)
  ^other(%x: memref<16xf32>):
    cf.cond_br %c, ^own(%x, %in : memref<16xf32>, memref<16xf32>), ^exit
  ^exit:
    return
  }
}

// -----

// 3. It is used in another block than the one that binds it, or through a view there.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    cf.br ^head(%in : memref<16xf32>)
  ^head(%x: memref<16xf32>):
    cf.br ^own
  ^own:
    // expected-note @+2 {{'memref.alloc' makes an instance}}
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    // expected-error @+1 {{'memref.copy' uses argument #0, which may be an older instance of result #0 of 'memref.alloc' than the last one}}
    memref.copy %x, %out : memref<16xf32> to memref<16xf32>
    cf.cond_br %c, ^head(%z : memref<16xf32>), ^exit
  ^exit:
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    cf.br ^head(%in : memref<16xf32>)
  ^head(%x: memref<16xf32>):
    %v = memref.cast %x : memref<16xf32> to memref<?xf32>
    cf.br ^own
  ^own:
    // expected-note @+2 {{'memref.alloc' makes an instance}}
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    %w = memref.cast %v : memref<?xf32> to memref<16xf32>
    // expected-error @+1 {{'memref.copy' uses argument #0, which may be an older instance of result #0 of 'memref.alloc' than the last one}}
    memref.copy %w, %out : memref<16xf32> to memref<16xf32>
    cf.cond_br %c, ^head(%z : memref<16xf32>), ^exit
  ^exit:
    return
  }
}

// -----

// 4. Another op makes a memref of it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    cf.br ^head(%in : memref<16xf32>)
  ^head(%x: memref<16xf32>):
    %s = arith.select %c, %x, %in : memref<16xf32>
    cf.br ^own
  ^own:
    // expected-note @+2 {{'memref.alloc' makes an instance}}
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    // expected-error @+1 {{'memref.copy' uses result #0 of 'arith.select', which may be an older instance of result #0 of 'memref.alloc' than the last one}}
    memref.copy %s, %out : memref<16xf32> to memref<16xf32>
    cf.cond_br %c, ^head(%z : memref<16xf32>), ^exit
  ^exit:
    return
  }
}

// -----

// 5. Memory with a place must not get to a deallocation of other memory, to a return, a call,
// code inside of an op, or a store.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    // expected-note @+1 {{it is allocated here}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %u = memref.alloc() : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    memref.copy %in, %u : memref<16xf32> to memref<16xf32>
    cf.cond_br %c, ^use(%z : memref<16xf32>), ^use(%u : memref<16xf32>)
  ^use(%x: memref<16xf32>):
    // expected-error @+1 {{'memref.dealloc' frees memory without a place, or result #0 of 'memref.alloc', which the plan gives a place; plan again}}
    memref.dealloc %x : memref<16xf32>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) -> memref<16xf32> {
    // expected-note @+1 {{it is allocated here}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %u = memref.alloc() : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    memref.copy %in, %u : memref<16xf32> to memref<16xf32>
    cf.cond_br %c, ^use(%z : memref<16xf32>), ^use(%u : memref<16xf32>)
  ^use(%x: memref<16xf32>):
    // expected-error @+1 {{'func.return' returns to unknown callers result #0 of 'memref.alloc', which the plan gives a place; plan again}}
    return %x : memref<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @ext(memref<16xf32>)
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    // expected-note @+1 {{it is allocated here}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %u = memref.alloc() : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    memref.copy %in, %u : memref<16xf32> to memref<16xf32>
    cf.cond_br %c, ^use(%z : memref<16xf32>), ^use(%u : memref<16xf32>)
  ^use(%x: memref<16xf32>):
    // expected-error @+1 {{'func.call' passes to unknown code result #0 of 'memref.alloc', which the plan gives a place; plan again}}
    func.call @ext(%x) : (memref<16xf32>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @ext(memref<16xf32>)
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    // expected-note @+1 {{it is allocated here}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %u = memref.alloc() : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    memref.copy %in, %u : memref<16xf32> to memref<16xf32>
    cf.cond_br %c, ^use(%z : memref<16xf32>), ^use(%u : memref<16xf32>)
  ^use(%x: memref<16xf32>):
    // expected-error @+1 {{'linalg.generic' passes to unknown code result #0 of 'memref.alloc', which the plan gives a place; plan again}}
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%out : memref<16xf32>) {
    ^body(%e: f32):
      func.call @ext(%x) : (memref<16xf32>) -> ()
      linalg.yield %e : f32
    }
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>, %all: memref<1xmemref<16xf32>>) {
    // expected-note @+1 {{it is allocated here}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %u = memref.alloc() : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    memref.copy %in, %u : memref<16xf32> to memref<16xf32>
    cf.cond_br %c, ^use(%z : memref<16xf32>), ^use(%u : memref<16xf32>)
  ^use(%x: memref<16xf32>):
    %i = arith.constant 0 : index
    // expected-error @+1 {{'memref.store' may store result #0 of 'memref.alloc', which the plan gives a place; plan again}}
    memref.store %x, %all[%i] : memref<1xmemref<16xf32>>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    // expected-note @+1 {{it is allocated here}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %u = memref.alloc() : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    memref.copy %in, %u : memref<16xf32> to memref<16xf32>
    cf.cond_br %c, ^use(%z : memref<16xf32>), ^use(%u : memref<16xf32>)
  ^use(%x: memref<16xf32>):
    // expected-error @+1 {{'test.keep' may keep result #0 of 'memref.alloc', which the plan gives a place; plan again}}
    %k = "test.keep"(%x) : (memref<16xf32>) -> !llvm.ptr
    return
  }
}

// -----

// 6. A branch whose operands are not known.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    cf.br ^own(%in : memref<16xf32>)
  ^own(%old: memref<16xf32>):
    // expected-note @+2 {{'memref.alloc' makes an instance}}
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    // expected-error @+1 {{'memref.copy' uses argument #0, which may be an older instance of result #0 of 'memref.alloc' than the last one}}
    memref.copy %old, %out : memref<16xf32> to memref<16xf32>
    "test.br"(%in, %z)[^own, ^exit] : (memref<16xf32>, memref<16xf32>) -> ()
  ^exit:
    return
  }
}

// -----

// 7. An op of another stream may still read it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    cf.br ^own
  ^own:
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-note @+2 {{'memref.copy' in no stream writes bytes [0, 64) of pool 'tensors'}}
    // expected-error @+1 {{'memref.copy' in no stream writes bytes [0, 64) of pool 'tensors' in another block or iteration, but nothing orders it after 'memref.copy' in stream 1, which writes them}}
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    cf.br ^use(%z : memref<16xf32>)
  ^use(%x: memref<16xf32>):
    // expected-note @+1 {{'memref.copy' in stream 1 writes bytes [0, 64) of pool 'tensors'}}
    memref.copy %x, %out {gmem.stream = 1 : i64} : memref<16xf32> to memref<16xf32>
    cf.cond_br %c, ^own, ^exit
  ^exit:
    return
  }
}

// -----

// 8. Nor to what may keep it in a result or operand, or while it runs, nor to code that an
// op names.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    // expected-note @+1 {{it is allocated here}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %u = memref.alloc() : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    memref.copy %in, %u : memref<16xf32> to memref<16xf32>
    cf.cond_br %c, ^use(%z : memref<16xf32>), ^use(%u : memref<16xf32>)
  ^use(%x: memref<16xf32>):
    // expected-error @+1 {{'test.start' may keep result #0 of 'memref.alloc', which the plan gives a place; plan again}}
    %r = "test.start"(%x) : (memref<16xf32>) -> !async.token
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @ext(memref<16xf32>)
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    // expected-note @+1 {{it is allocated here}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %u = memref.alloc() : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    memref.copy %in, %u : memref<16xf32> to memref<16xf32>
    cf.cond_br %c, ^use(%z : memref<16xf32>), ^use(%u : memref<16xf32>)
  ^use(%x: memref<16xf32>):
    // expected-error @+1 {{'test.launch' passes to unknown code result #0 of 'memref.alloc', which the plan gives a place; plan again}}
    "test.launch"(%x) {code = @ext} : (memref<16xf32>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    // expected-note @+1 {{it is allocated here}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %u = memref.alloc() : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    memref.copy %in, %u : memref<16xf32> to memref<16xf32>
    cf.cond_br %c, ^use(%z : memref<16xf32>), ^use(%u : memref<16xf32>)
  ^use(%x: memref<16xf32>):
    // expected-error @+1 {{'test.keep' may keep result #0 of 'memref.alloc', which the plan gives a place; plan again}}
    %k = "test.keep"(%x) : (memref<16xf32>) -> tuple<!llvm.ptr>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @ext(memref<16xf32>)
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    // expected-note @+1 {{it is allocated here}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %u = memref.alloc() : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    memref.copy %in, %u : memref<16xf32> to memref<16xf32>
    cf.cond_br %c, ^use(%z : memref<16xf32>), ^use(%u : memref<16xf32>)
  ^use(%x: memref<16xf32>):
    %k = func.constant @ext : (memref<16xf32>) -> ()
    // expected-error @+1 {{'test.apply' passes to unknown code result #0 of 'memref.alloc', which the plan gives a place; plan again}}
    "test.apply"(%k, %x) : ((memref<16xf32>) -> (), memref<16xf32>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>, %p: !llvm.ptr) {
    // expected-note @+1 {{it is allocated here}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %u = memref.alloc() : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    memref.copy %in, %u : memref<16xf32> to memref<16xf32>
    cf.cond_br %c, ^use(%z : memref<16xf32>), ^use(%u : memref<16xf32>)
  ^use(%x: memref<16xf32>):
    // expected-error @+1 {{'test.put' may store result #0 of 'memref.alloc', which the plan gives a place; plan again}}
    "test.put"(%p, %x) : (!llvm.ptr, memref<16xf32>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    // expected-note @+1 {{it is allocated here}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %u = memref.alloc() : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    memref.copy %in, %u : memref<16xf32> to memref<16xf32>
    cf.cond_br %c, ^use(%z : memref<16xf32>), ^use(%u : memref<16xf32>)
  ^use(%x: memref<16xf32>):
    "test.region"(%x) ({
    ^body(%y: memref<16xf32>):
      // expected-error @+1 {{'test.keep' may keep result #0 of 'memref.alloc', which the plan gives a place; plan again}}
      %k = "test.keep"(%y) : (memref<16xf32>) -> !llvm.ptr
    }) : (memref<16xf32>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>, %tag: memref<1xi32>) {
    // expected-note @+1 {{it is allocated here}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %u = memref.alloc() : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    memref.copy %in, %u : memref<16xf32> to memref<16xf32>
    cf.cond_br %c, ^use(%z : memref<16xf32>), ^use(%u : memref<16xf32>)
  ^use(%x: memref<16xf32>):
    %i = arith.constant 0 : index
    // expected-error @+1 {{'memref.dma_start' may keep result #0 of 'memref.alloc', which the plan gives a place; plan again}}
    memref.dma_start %x[%i], %out[%i], %i, %tag[%i] : memref<16xf32>, memref<16xf32>, memref<1xi32>
    return
  }
}

// -----

module attributes {gmem.op_models = "\22gmem.op_model\22() {op = \22my.pointer\22, kind = \22view\22} : () -> ()", gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    // expected-note @+1 {{it is allocated here}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %u = memref.alloc() : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    memref.copy %in, %u : memref<16xf32> to memref<16xf32>
    cf.cond_br %c, ^use(%z : memref<16xf32>), ^use(%u : memref<16xf32>)
  ^use(%x: memref<16xf32>):
    // expected-error @+1 {{'my.pointer' may keep result #0 of 'memref.alloc', which the plan gives a place; plan again}}
    %k = "my.pointer"(%x) : (memref<16xf32>) -> !llvm.ptr
    return
  }
}

// -----

// 9. Two allocations in the same bytes.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    cf.br ^own
  ^own:
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    %y = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    cf.br ^use(%y, %z : memref<16xf32>, memref<16xf32>)
  // expected-note @+1 {{argument #1 has bytes [0, 64) of pool 'tensors'}}
  ^use(%a: memref<16xf32>, %b: memref<16xf32>):
    // expected-note @+1 {{'memref.copy' writes there}}
    memref.copy %out, %a : memref<16xf32> to memref<16xf32>
    // expected-error @+1 {{'memref.copy' reads argument #1, but 'memref.copy' has overwritten bytes [0, 64) of pool 'tensors'}}
    memref.copy %b, %out : memref<16xf32> to memref<16xf32>
    cf.cond_br %c, ^own, ^exit
  ^exit:
    return
  }
}

// -----

// 10. Code inside of an op is given it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>) {
    cf.br ^own
  ^own:
    // expected-note @+1 {{it is allocated here}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    cf.br ^use(%z : memref<16xf32>)
  ^use(%x: memref<16xf32>):
    // expected-error @+1 {{'my.group' frees result #0 of 'memref.alloc', which the plan gives a place; plan again}}
    "my.group"(%x) ({
    ^inside(%m: memref<16xf32>):
      memref.dealloc %m : memref<16xf32>
      "my.end"() : () -> ()
    }) {gmem.layer_group} : (memref<16xf32>) -> ()
    cf.cond_br %c, ^own, ^exit
  ^exit:
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %p: !llvm.ptr) {
    cf.br ^own
  ^own:
    // expected-note @+1 {{it is allocated here}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    cf.br ^use(%z : memref<16xf32>)
  ^use(%x: memref<16xf32>):
    // expected-error @+1 {{'my.group' may store result #0 of 'memref.alloc', which the plan gives a place; plan again}}
    "my.group"(%x) ({
    ^inside(%m: memref<16xf32>):
      "my.keep"(%m, %p) : (memref<16xf32>, !llvm.ptr) -> ()
      "my.end"() : () -> ()
    }) {gmem.layer_group} : (memref<16xf32>) -> ()
    cf.cond_br %c, ^own, ^exit
  ^exit:
    return
  }
}

// -----

module attributes {gmem.op_models = "\22gmem.op_model\22() {op = \22my.body\22, kind = \22scalar_body\22} : () -> ()", gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>) {
    cf.br ^own
  ^own:
    // expected-note @+1 {{it is allocated here}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    cf.br ^use(%z : memref<16xf32>)
  ^use(%x: memref<16xf32>):
    // expected-error @+1 {{'my.body' frees result #0 of 'memref.alloc', which the plan gives a place; plan again}}
    "my.body"(%x) ({
    ^inside(%m: memref<16xf32>):
      memref.dealloc %m : memref<16xf32>
      "my.end"() : () -> ()
    }) : (memref<16xf32>) -> ()
    cf.cond_br %c, ^own, ^exit
  ^exit:
    return
  }
}
