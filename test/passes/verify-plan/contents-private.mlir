// Memory whose bytes nothing else has, of which control flow passes an older instance on:
// that has lost its contents when the next one has been written. Plans written by hand, of
// which the first is sound. Those with the layer group and with gmem.hold were accepted:
// what control flow had passed was forgotten at the end of its block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// RUN: gmem-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --gmem-verify-plan=only=contents -o /dev/null

// 1. The older instance is used in the block of the allocation, before that. Behind it,
// in the second plan, it has lost its contents.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    cf.br ^head(%in : memref<16xf32>)
  ^head(%old: memref<16xf32>):
    memref.copy %old, %out : memref<16xf32> to memref<16xf32>
    %m = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %m : memref<16xf32> to memref<16xf32>
    cf.cond_br %c, ^head(%m : memref<16xf32>), ^exit
  ^exit:
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    cf.br ^head(%in : memref<16xf32>)
  ^head(%old: memref<16xf32>):
    // expected-note @+2 {{'memref.alloc' makes an instance}}
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
    %m = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %m : memref<16xf32> to memref<16xf32>
    // expected-error @+1 {{'memref.copy' uses argument #0, which may be an older instance of result #0 of 'memref.alloc' than the last one}}
    memref.copy %old, %out : memref<16xf32> to memref<16xf32>
    cf.cond_br %c, ^head(%m : memref<16xf32>), ^exit
  ^exit:
    return
  }
}

// -----

// 2. It is used in another block than the one that binds it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    cf.br ^head(%in : memref<16xf32>)
  ^head(%old: memref<16xf32>):
    cf.br ^body
  ^body:
    // expected-note @+2 {{'memref.alloc' makes an instance}}
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
    %m = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %m : memref<16xf32> to memref<16xf32>
    // expected-error @+1 {{'memref.copy' uses argument #0, which may be an older instance of result #0 of 'memref.alloc' than the last one}}
    memref.copy %old, %out : memref<16xf32> to memref<16xf32>
    cf.cond_br %c, ^head(%m : memref<16xf32>), ^exit
  ^exit:
    return
  }
}

// -----

// 3. The allocation is in a region of an op of the block.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%old = %in) -> (memref<16xf32>) {
      %n = scf.if %c -> (memref<16xf32>) {
        // expected-note @+2 {{'memref.alloc' makes an instance}}
        // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
        %m = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
        memref.copy %in, %m : memref<16xf32> to memref<16xf32>
        scf.yield %m : memref<16xf32>
      } else {
        scf.yield %in : memref<16xf32>
      }
      // expected-error @+1 {{'memref.copy' uses argument #1, which may be an older instance of result #0 of 'memref.alloc' than the last one}}
      memref.copy %old, %out : memref<16xf32> to memref<16xf32>
      scf.yield %n : memref<16xf32>
    }
    return
  }
}

// -----

// 4. Deferred code goes on using it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    cf.br ^head(%in : memref<16xf32>)
  ^head(%old: memref<16xf32>):
    %t = async.execute {
      memref.copy %old, %out : memref<16xf32> to memref<16xf32>
      async.yield
    }
    cf.br ^body
  ^body:
    // expected-error @+1 {{result #0 of 'memref.alloc' has a place, but deferred code may use it when it is made again; plan again}}
    %m = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %m : memref<16xf32> to memref<16xf32>
    cf.cond_br %c, ^head(%m : memref<16xf32>), ^exit
  ^exit:
    return
  }
}

// -----

// 5. A layer group of both blocks uses it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    cf.br ^head(%in : memref<16xf32>)
  ^head(%old: memref<16xf32>):
    // expected-error @+1 {{'x.y' uses argument #0, which may be an older instance of result #0 of 'memref.alloc' than the last one}}
    "x.y"(%old) {gmem.layer_group = 0 : i64} : (memref<16xf32>) -> ()
    cf.br ^body
  ^body:
    // expected-note @+2 {{'memref.alloc' makes an instance}}
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
    %m = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %m : memref<16xf32> to memref<16xf32>
    "x.y"(%in) {gmem.layer_group = 0 : i64} : (memref<16xf32>) -> ()
    cf.cond_br %c, ^head(%m : memref<16xf32>), ^exit
  ^exit:
    return
  }
}

// -----

// 6. gmem.hold keeps it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    cf.br ^head(%in : memref<16xf32>)
  ^head(%old: memref<16xf32>):
    // expected-error @+1 {{'memref.cast' uses result #0 of 'memref.cast', which may be an older instance of result #0 of 'memref.alloc' than the last one}}
    %v = memref.cast %old {gmem.hold} : memref<16xf32> to memref<?xf32>
    cf.br ^body
  ^body:
    // expected-note @+2 {{'memref.alloc' makes an instance}}
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
    %m = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %m : memref<16xf32> to memref<16xf32>
    cf.cond_br %c, ^head(%m : memref<16xf32>), ^exit
  ^exit:
    return
  }
}

// -----

// 7. A function makes it for two calls.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @make(%in: memref<16xf32>) -> memref<16xf32> {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
    %m = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %m : memref<16xf32> to memref<16xf32>
    return %m : memref<16xf32>
  }
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    %a = call @make(%in) : (memref<16xf32>) -> memref<16xf32>
    // expected-note @+1 {{'func.call' makes an instance}}
    %b = call @make(%in) : (memref<16xf32>) -> memref<16xf32>
    // expected-error @+1 {{'memref.copy' uses result #0 of 'func.call', which may be an older instance of result #0 of 'memref.alloc' than the last one}}
    memref.copy %a, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// 8. A workbuffer has its bytes.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
    %m = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %m : memref<16xf32> to memref<16xf32>
    // expected-note @+1 {{'x.y' writes workbuffer #0 there}}
    "x.y"(%in) {gmem.workbuffers = [{size = 64 : i64}], gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["tensors"]} : (memref<16xf32>) -> ()
    // expected-error @+1 {{'memref.copy' reads result #0 of 'memref.alloc', but 'x.y' has overwritten bytes [0, 64) of pool 'tensors'}}
    memref.copy %m, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// 9. A record of a copy has them that brings no value its contents.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
    %m = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %m : memref<16xf32> to memref<16xf32>
    // expected-note @+1 {{'cf.br' writes there}}
    cf.br ^next {gmem.copies = [{edge = "successor", from = 64 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 0 : i64, to_pool = "tensors"}]}
  ^next:
    // expected-error @+1 {{'memref.copy' reads result #0 of 'memref.alloc', but 'cf.br' has overwritten bytes [0, 64) of pool 'tensors'}}
    memref.copy %m, %out : memref<16xf32> to memref<16xf32>
    return
  }
}
