// Two memrefs that have the same bytes, in plans written by hand: of each pair the
// first is sound, as the memory is written anew as a whole before it is read; the
// second is not. All of them were refused.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt %s --split-input-file --verify-diagnostics --gmem-verify-plan=only=contents -o /dev/null

// 1. All of it, or a part.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func @f(%v: i32, %out: memref<16xi32>) {
    %s = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xi32>
    linalg.fill ins(%v : i32) outs(%s : memref<16xi32>)
    memref.copy %s, %out : memref<16xi32> to memref<16xi32>
    %t = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xi32>
    linalg.fill ins(%v : i32) outs(%t : memref<16xi32>)
    memref.copy %t, %out : memref<16xi32> to memref<16xi32>
    linalg.fill ins(%v : i32) outs(%s : memref<16xi32>)
    memref.copy %s, %out : memref<16xi32> to memref<16xi32>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func @f(%v: i32, %out: memref<16xi32>) {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64)}}
    %s = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xi32>
    linalg.fill ins(%v : i32) outs(%s : memref<16xi32>)
    memref.copy %s, %out : memref<16xi32> to memref<16xi32>
    %t = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xi32>
    // expected-note @+1 {{'linalg.fill' writes there}}
    linalg.fill ins(%v : i32) outs(%t : memref<16xi32>)
    memref.copy %t, %out : memref<16xi32> to memref<16xi32>
    %w = memref.subview %s[0] [15] [1] : memref<16xi32> to memref<15xi32, strided<[1]>>
    linalg.fill ins(%v : i32) outs(%w : memref<15xi32, strided<[1]>>)
    // expected-error @+1 {{'memref.copy' reads result #0 of 'memref.alloc', but 'linalg.fill' has overwritten bytes [0, 64) of pool 'memory'}}
    memref.copy %s, %out : memref<16xi32> to memref<16xi32>
    return
  }
}

// -----

// 2. An op that does not read its output, or one that does.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func @f(%v: i32, %out: memref<16xi32>) {
    %s = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xi32>
    linalg.fill ins(%v : i32) outs(%s : memref<16xi32>)
    memref.copy %s, %out : memref<16xi32> to memref<16xi32>
    %t = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xi32>
    linalg.fill ins(%v : i32) outs(%t : memref<16xi32>)
    memref.copy %t, %out : memref<16xi32> to memref<16xi32>
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%out : memref<16xi32>) outs(%s : memref<16xi32>) {
    ^bb0(%e: i32, %o: i32):
      %x = arith.addi %e, %e : i32
      linalg.yield %x : i32
    }
    memref.copy %s, %out : memref<16xi32> to memref<16xi32>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func @f(%v: i32, %out: memref<16xi32>) {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64)}}
    %s = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xi32>
    linalg.fill ins(%v : i32) outs(%s : memref<16xi32>)
    memref.copy %s, %out : memref<16xi32> to memref<16xi32>
    %t = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xi32>
    // expected-note @+1 {{'linalg.fill' writes there}}
    linalg.fill ins(%v : i32) outs(%t : memref<16xi32>)
    memref.copy %t, %out : memref<16xi32> to memref<16xi32>
    // expected-error @+1 {{'linalg.generic' reads result #0 of 'memref.alloc', but 'linalg.fill' has overwritten bytes [0, 64) of pool 'memory'}}
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%out : memref<16xi32>) outs(%s : memref<16xi32>) {
    ^bb0(%e: i32, %o: i32):
      %x = arith.addi %e, %o : i32
      linalg.yield %x : i32
    }
    return
  }
}

// -----

// 3. A function that writes it, or one that reads it first.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xi32>, %v: i32, %out: memref<16xi32>) {
    linalg.fill ins(%v : i32) outs(%m : memref<16xi32>)
    return
  }
  func.func @f(%v: i32, %out: memref<16xi32>) {
    %s = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xi32>
    linalg.fill ins(%v : i32) outs(%s : memref<16xi32>)
    memref.copy %s, %out : memref<16xi32> to memref<16xi32>
    %t = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xi32>
    linalg.fill ins(%v : i32) outs(%t : memref<16xi32>)
    memref.copy %t, %out : memref<16xi32> to memref<16xi32>
    call @g(%s, %v, %out) : (memref<16xi32>, i32, memref<16xi32>) -> ()
    memref.copy %s, %out : memref<16xi32> to memref<16xi32>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xi32>, %v: i32, %out: memref<16xi32>) {
    // expected-error @+1 {{'memref.copy' reads result #0 of 'memref.alloc', but 'linalg.fill' has overwritten bytes [0, 64) of pool 'memory'}}
    memref.copy %m, %out : memref<16xi32> to memref<16xi32>
    linalg.fill ins(%v : i32) outs(%m : memref<16xi32>)
    return
  }
  func.func @f(%v: i32, %out: memref<16xi32>) {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64)}}
    %s = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xi32>
    linalg.fill ins(%v : i32) outs(%s : memref<16xi32>)
    memref.copy %s, %out : memref<16xi32> to memref<16xi32>
    %t = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xi32>
    // expected-note @+1 {{'linalg.fill' writes there}}
    linalg.fill ins(%v : i32) outs(%t : memref<16xi32>)
    memref.copy %t, %out : memref<16xi32> to memref<16xi32>
    call @g(%s, %v, %out) : (memref<16xi32>, i32, memref<16xi32>) -> ()
    return
  }
}

// -----

// 4. A function that is given all of it, or one that may be given other memory.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xi32>, %v: i32, %out: memref<16xi32>) {
    linalg.fill ins(%v : i32) outs(%m : memref<16xi32>)
    return
  }
  func.func @f(%v: i32, %out: memref<16xi32>) {
    %s = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xi32>
    linalg.fill ins(%v : i32) outs(%s : memref<16xi32>)
    memref.copy %s, %out : memref<16xi32> to memref<16xi32>
    %t = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xi32>
    linalg.fill ins(%v : i32) outs(%t : memref<16xi32>)
    memref.copy %t, %out : memref<16xi32> to memref<16xi32>
    %w = memref.expand_shape %s [[0, 1]] output_shape [4, 4] : memref<16xi32> into memref<4x4xi32>
    %u = memref.collapse_shape %w [[0, 1]] : memref<4x4xi32> into memref<16xi32>
    call @g(%u, %v, %out) : (memref<16xi32>, i32, memref<16xi32>) -> ()
    memref.copy %s, %out : memref<16xi32> to memref<16xi32>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xi32>, %v: i32, %out: memref<16xi32>) {
    linalg.fill ins(%v : i32) outs(%m : memref<16xi32>)
    return
  }
  func.func @f(%v: i32, %out: memref<16xi32>, %c: i1) {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64)}}
    %s = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xi32>
    %u = arith.select %c, %s, %out : memref<16xi32>
    linalg.fill ins(%v : i32) outs(%s : memref<16xi32>)
    memref.copy %s, %out : memref<16xi32> to memref<16xi32>
    %t = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xi32>
    // expected-note @+1 {{'linalg.fill' writes there}}
    linalg.fill ins(%v : i32) outs(%t : memref<16xi32>)
    memref.copy %t, %out : memref<16xi32> to memref<16xi32>
    call @g(%u, %v, %out) : (memref<16xi32>, i32, memref<16xi32>) -> ()
    // expected-error @+1 {{'memref.copy' reads result #0 of 'memref.alloc', but 'linalg.fill' has overwritten bytes [0, 64) of pool 'memory'}}
    memref.copy %s, %out : memref<16xi32> to memref<16xi32>
    return
  }
}

// -----

// 5. Each iteration writes it before it reads it, or the other way round.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func @f(%v: i32, %out: memref<16xi32>, %zero: index, %n: index, %one: index) {
    %s = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xi32>
    scf.for %i = %zero to %n step %one {
      %t = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xi32>
      linalg.fill ins(%v : i32) outs(%t : memref<16xi32>)
      memref.copy %t, %out : memref<16xi32> to memref<16xi32>
      linalg.fill ins(%v : i32) outs(%s : memref<16xi32>)
      memref.copy %s, %out : memref<16xi32> to memref<16xi32>
    }
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func @f(%v: i32, %out: memref<16xi32>, %zero: index, %n: index, %one: index) {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64)}}
    %s = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xi32>
    linalg.fill ins(%v : i32) outs(%s : memref<16xi32>)
    scf.for %i = %zero to %n step %one {
      // expected-error @+1 {{'memref.copy' reads result #0 of 'memref.alloc', but 'linalg.fill' has overwritten bytes [0, 64) of pool 'memory'}}
      memref.copy %s, %out : memref<16xi32> to memref<16xi32>
      linalg.fill ins(%v : i32) outs(%s : memref<16xi32>)
      %t = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xi32>
      // expected-note @+1 {{'linalg.fill' writes there}}
      linalg.fill ins(%v : i32) outs(%t : memref<16xi32>)
      memref.copy %t, %out : memref<16xi32> to memref<16xi32>
    }
    return
  }
}

// -----

// 6. On both paths of a branch it is read no more, or behind one that wrote it on one path.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func @f(%v: i32, %out: memref<16xi32>, %c: i1) {
    %s = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xi32>
    scf.if %c {
      %t = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xi32>
      linalg.fill ins(%v : i32) outs(%t : memref<16xi32>)
      memref.copy %t, %out : memref<16xi32> to memref<16xi32>
      linalg.fill ins(%v : i32) outs(%s : memref<16xi32>)
      memref.copy %s, %out : memref<16xi32> to memref<16xi32>
    } else {
      linalg.fill ins(%v : i32) outs(%s : memref<16xi32>)
      memref.copy %s, %out : memref<16xi32> to memref<16xi32>
    }
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func @f(%v: i32, %out: memref<16xi32>, %c: i1) {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64)}}
    %s = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xi32>
    linalg.fill ins(%v : i32) outs(%s : memref<16xi32>)
    memref.copy %s, %out : memref<16xi32> to memref<16xi32>
    %t = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xi32>
    // expected-note @+1 {{'linalg.fill' writes there}}
    linalg.fill ins(%v : i32) outs(%t : memref<16xi32>)
    memref.copy %t, %out : memref<16xi32> to memref<16xi32>
    scf.if %c {
      linalg.fill ins(%v : i32) outs(%s : memref<16xi32>)
    }
    // expected-error @+1 {{'memref.copy' reads result #0 of 'memref.alloc', but 'linalg.fill' has overwritten bytes [0, 64) of pool 'memory'}}
    memref.copy %s, %out : memref<16xi32> to memref<16xi32>
    return
  }
}
