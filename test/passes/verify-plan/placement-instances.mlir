// Allocations with a place of which several instances may be in use at once, or that
// are in use when nothing in the program says so: the analysis has no live ranges of
// them that count. In plans written by hand: the first of each number is sound.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --gmem-verify-plan=only=placement -o /dev/null

// 1. What two calls return, of a function of one allocation: the first is not in use
// any more when the second is made.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 64 : i64, optimal = true, peak = 64 : i64}, gmem.pool_table = [{alignment = 64 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 64 : i64, kind = "workspace", lower_bound = 64 : i64, name = "memory", size = 64 : i64}]} {
  func.func private @make() -> memref<16xf32> {
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    return %z : memref<16xf32>
  }
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    %a = call @make() : () -> memref<16xf32>
    memref.copy %in, %a : memref<16xf32> to memref<16xf32>
    memref.copy %a, %out : memref<16xf32> to memref<16xf32>
    %b = call @make() : () -> memref<16xf32>
    memref.copy %in, %b : memref<16xf32> to memref<16xf32>
    memref.copy %b, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// It is.
// expected-remark @+1 {{this plan is not valid for the program as it is now}}
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 64 : i64, optimal = true, peak = 64 : i64}, gmem.pool_table = [{alignment = 64 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 64 : i64, kind = "workspace", lower_bound = 64 : i64, name = "memory", size = 64 : i64}]} {
  func.func private @make() -> memref<16xf32> {
    // expected-error @+1 {{result #0 of 'memref.alloc' has a place, but several instances of it may be live at once}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    return %z : memref<16xf32>
  }
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    // expected-note @+1 {{an earlier instance is still live here}}
    %a = call @make() : () -> memref<16xf32>
    %b = call @make() : () -> memref<16xf32>
    memref.copy %in, %a : memref<16xf32> to memref<16xf32>
    memref.copy %out, %b : memref<16xf32> to memref<16xf32>
    memref.copy %a, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// 2. What a loop of blocks passes on: the newest instance only.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 64 : i64, optimal = true, peak = 64 : i64}, gmem.pool_table = [{alignment = 64 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 64 : i64, kind = "workspace", lower_bound = 64 : i64, name = "memory", size = 64 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    cf.br ^head(%in : memref<16xf32>)
  ^head(%new: memref<16xf32>):
    memref.copy %in, %new : memref<16xf32> to memref<16xf32>
    memref.copy %new, %out : memref<16xf32> to memref<16xf32>
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    cf.cond_br %c, ^head(%z : memref<16xf32>), ^exit
  ^exit:
    return
  }
}

// -----

// The newest and the one before.
// expected-remark @+1 {{this plan is not valid for the program as it is now}}
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 64 : i64, optimal = true, peak = 64 : i64}, gmem.pool_table = [{alignment = 64 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 64 : i64, kind = "workspace", lower_bound = 64 : i64, name = "memory", size = 64 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    cf.br ^head(%in, %in : memref<16xf32>, memref<16xf32>)
  ^head(%new: memref<16xf32>, %old: memref<16xf32>):
    memref.copy %in, %new : memref<16xf32> to memref<16xf32>
    memref.copy %out, %old : memref<16xf32> to memref<16xf32>
    memref.copy %new, %out : memref<16xf32> to memref<16xf32>
    // expected-error @+1 {{result #0 of 'memref.alloc' has a place, but several instances of it may be live at once}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    cf.cond_br %c, ^head(%z, %new : memref<16xf32>, memref<16xf32>), ^exit
  ^exit:
    return
  }
}

// -----

// One is used behind the loop, with one of before it.
// expected-remark @+1 {{this plan is not valid for the program as it is now}}
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 64 : i64, optimal = true, peak = 64 : i64}, gmem.pool_table = [{alignment = 64 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 64 : i64, kind = "workspace", lower_bound = 64 : i64, name = "memory", size = 64 : i64}]} {
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>, %c: i1) {
    cf.br ^head(%in : memref<16xf32>)
  ^head(%x: memref<16xf32>):
    // expected-error @+1 {{result #0 of 'memref.alloc' has a place, but several instances of it may be live at once}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    cf.cond_br %c, ^head(%z : memref<16xf32>), ^exit
  ^exit:
    memref.copy %in, %x : memref<16xf32> to memref<16xf32>
    memref.copy %out, %z : memref<16xf32> to memref<16xf32>
    memref.copy %x, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// Both are of the loop, through two arguments.
// expected-remark @+1 {{this plan is not valid for the program as it is now}}
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 64 : i64, optimal = true, peak = 64 : i64}, gmem.pool_table = [{alignment = 64 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 64 : i64, kind = "workspace", lower_bound = 64 : i64, name = "memory", size = 64 : i64}]} {
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>, %c: i1) {
    cf.br ^head(%in, %in : memref<16xf32>, memref<16xf32>)
  ^head(%x: memref<16xf32>, %y: memref<16xf32>):
    // expected-error @+1 {{result #0 of 'memref.alloc' has a place, but several instances of it may be live at once}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    cf.cond_br %c, ^head(%z, %x : memref<16xf32>, memref<16xf32>), ^exit
  ^exit:
    memref.copy %in, %x : memref<16xf32> to memref<16xf32>
    memref.copy %out, %y : memref<16xf32> to memref<16xf32>
    memref.copy %x, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// 3. The same of a loop with a region.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 64 : i64, optimal = true, peak = 64 : i64}, gmem.pool_table = [{alignment = 64 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 64 : i64, kind = "workspace", lower_bound = 64 : i64, name = "memory", size = 64 : i64}]} {
  func.func @f(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%new = %in) -> (memref<16xf32>) {
      memref.copy %in, %new : memref<16xf32> to memref<16xf32>
      memref.copy %new, %out : memref<16xf32> to memref<16xf32>
      %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
      scf.yield %z : memref<16xf32>
    }
    return
  }
}

// -----

// expected-remark @+1 {{this plan is not valid for the program as it is now}}
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 64 : i64, optimal = true, peak = 64 : i64}, gmem.pool_table = [{alignment = 64 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 64 : i64, kind = "workspace", lower_bound = 64 : i64, name = "memory", size = 64 : i64}]} {
  func.func @f(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-note @+1 {{an earlier instance is still live here}}
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%new = %in, %old = %in) -> (memref<16xf32>, memref<16xf32>) {
      memref.copy %in, %new : memref<16xf32> to memref<16xf32>
      memref.copy %out, %old : memref<16xf32> to memref<16xf32>
      memref.copy %new, %out : memref<16xf32> to memref<16xf32>
      // expected-error @+1 {{result #0 of 'memref.alloc' has a place, but several instances of it may be live at once}}
      %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
      scf.yield %z, %new : memref<16xf32>, memref<16xf32>
    }
    return
  }
}

// -----

// 4. In each round of a loop of its own: one after the other.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 64 : i64, optimal = true, peak = 64 : i64}, gmem.pool_table = [{alignment = 64 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 64 : i64, kind = "workspace", lower_bound = 64 : i64, name = "memory", size = 64 : i64}]} {
  func.func @f(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
      memref.copy %in, %z : memref<16xf32> to memref<16xf32>
      memref.copy %z, %out : memref<16xf32> to memref<16xf32>
    }
    return
  }
}

// -----

// At the same time.
// expected-remark @+1 {{this plan is not valid for the program as it is now}}
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 64 : i64, optimal = true, peak = 64 : i64}, gmem.pool_table = [{alignment = 64 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 64 : i64, kind = "workspace", lower_bound = 64 : i64, name = "memory", size = 64 : i64}]} {
  func.func @f(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-note @+1 {{this may run concurrently with itself}}
    scf.parallel (%i) = (%c0) to (%n) step (%c1) {
      // expected-error @+1 {{result #0 of 'memref.alloc' has a place, but it is in code that may run concurrently with itself}}
      %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
      memref.copy %in, %z : memref<16xf32> to memref<16xf32>
      memref.copy %z, %out : memref<16xf32> to memref<16xf32>
    }
    return
  }
}

// -----

// 5. Recursion: an instance for each call.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 64 : i64, optimal = true, peak = 64 : i64}, gmem.pool_table = [{alignment = 64 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 64 : i64, kind = "workspace", lower_bound = 64 : i64, name = "memory", size = 64 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    call @g(%c, %in, %out) : (i1, memref<16xf32>, memref<16xf32>) -> ()
    return
  }
  func.func private @g(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    memref.copy %z, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// expected-remark @+1 {{this plan is not valid for the program as it is now}}
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 64 : i64, optimal = true, peak = 64 : i64}, gmem.pool_table = [{alignment = 64 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 64 : i64, kind = "workspace", lower_bound = 64 : i64, name = "memory", size = 64 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    // expected-note @+1 {{this may run concurrently with itself}}
    call @g(%c, %in, %out) : (i1, memref<16xf32>, memref<16xf32>) -> ()
    return
  }
  func.func private @g(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    // expected-error @+1 {{result #0 of 'memref.alloc' has a place, but it is in code that may run concurrently with itself}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    scf.if %c {
      func.call @g(%c, %out, %in) : (i1, memref<16xf32>, memref<16xf32>) -> ()
    }
    memref.copy %z, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// 6. A stream that still reads one when the next round allocates it again.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 64 : i64, optimal = true, peak = 64 : i64}, gmem.pool_table = [{alignment = 64 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 64 : i64, kind = "workspace", lower_bound = 64 : i64, name = "memory", size = 64 : i64}]} {
  func.func @f(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
      memref.copy %in, %z {gmem.stream = 1 : i64} : memref<16xf32> to memref<16xf32>
      memref.copy %z, %out {gmem.stream = 1 : i64} : memref<16xf32> to memref<16xf32>
      "x.wait"() {gmem.wait = array<i64: 1>} : () -> ()
    }
    return
  }
}

// -----

// expected-remark @+1 {{this plan is not valid for the program as it is now}}
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 64 : i64, optimal = true, peak = 64 : i64}, gmem.pool_table = [{alignment = 64 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 64 : i64, kind = "workspace", lower_bound = 64 : i64, name = "memory", size = 64 : i64}]} {
  func.func @f(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      // expected-error @+1 {{result #0 of 'memref.alloc' has a place, but a stream may still access it when it is allocated again}}
      %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
      memref.copy %in, %z : memref<16xf32> to memref<16xf32>
      // expected-note @+1 {{this may still run then: nothing synchronizes with it in between}}
      memref.copy %z, %out {gmem.stream = 1 : i64} : memref<16xf32> to memref<16xf32>
    }
    return
  }
}

// -----

// 7. Its caller gets it and keeps it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 64 : i64, optimal = true, peak = 64 : i64}, gmem.pool_table = [{alignment = 64 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 64 : i64, kind = "workspace", lower_bound = 64 : i64, name = "memory", size = 64 : i64}]} {
  func.func private @make(%in: memref<16xf32>) -> memref<16xf32> {
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    return %z : memref<16xf32>
  }
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    %z = call @make(%in) : (memref<16xf32>) -> memref<16xf32>
    memref.copy %z, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// The caller is not known.
// expected-remark @+1 {{this plan is not valid for the program as it is now}}
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 64 : i64, optimal = true, peak = 64 : i64}, gmem.pool_table = [{alignment = 64 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 64 : i64, kind = "workspace", lower_bound = 64 : i64, name = "memory", size = 64 : i64}]} {
  func.func @make(%in: memref<16xf32>) -> memref<16xf32> {
    // expected-error @+1 {{result #0 of 'memref.alloc' has a place, but it is returned}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    // expected-note @+1 {{returned here}}
    return %z : memref<16xf32>
  }
}

// -----

// 8. Freed, alone.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 64 : i64, optimal = true, peak = 64 : i64}, gmem.pool_table = [{alignment = 64 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 64 : i64, kind = "workspace", lower_bound = 64 : i64, name = "memory", size = 64 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    memref.copy %z, %out : memref<16xf32> to memref<16xf32>
    memref.dealloc %z : memref<16xf32>
    return
  }
}

// -----

// By an op that may free memory of the caller instead: it stays.
// expected-remark @+1 {{this plan is not valid for the program as it is now}}
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 64 : i64, optimal = true, peak = 64 : i64}, gmem.pool_table = [{alignment = 64 : i64, base = 0 : i64, kind = "constant", lower_bound = 0 : i64, name = "weights", size = 0 : i64}, {alignment = 64 : i64, kind = "workspace", lower_bound = 64 : i64, name = "memory", size = 64 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
    // expected-error @+1 {{result #0 of 'memref.alloc' has a place, but a deallocation of it may also free memory that is not planned}}
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    memref.copy %z, %out : memref<16xf32> to memref<16xf32>
    %x = arith.select %c, %z, %in : memref<16xf32>
    // expected-note @+1 {{freed here}}
    memref.dealloc %x : memref<16xf32>
    return
  }
}
