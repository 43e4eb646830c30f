// Who frees what a call returns? A deallocation is removed if all that it may free has a
// place: a function that returned planned memory or other once let its caller free either.
// Plans written by hand: of each pair the first is sound, the second is not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --gmem-verify-plan=only=contents -o /dev/null

// 1. A function returns one of two that it makes, both planned.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @make(%c: i1) -> memref<16xf32> {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %b = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %d = arith.select %c, %a, %b : memref<16xf32>
    return %d : memref<16xf32>
  }
  func.func @f(%c: i1, %in: memref<16xf32>) {
    %r = func.call @make(%c) : (i1) -> memref<16xf32>
    memref.dealloc %r : memref<16xf32>
    return
  }
}

// -----

// One of them has no place.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @make(%c: i1) -> memref<16xf32> {
    // expected-note @+1 {{it is allocated here}}
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %b = memref.alloc() : memref<16xf32>
    %d = arith.select %c, %a, %b : memref<16xf32>
    return %d : memref<16xf32>
  }
  func.func @f(%c: i1, %in: memref<16xf32>) {
    %r = func.call @make(%c) : (i1) -> memref<16xf32>
    // expected-error @+1 {{'memref.dealloc' frees memory without a place, or result #0 of 'memref.alloc', which the plan gives a place; plan again}}
    memref.dealloc %r : memref<16xf32>
    return
  }
}

// -----

// 2. A call gets back what it gives: another call gives memory without a place.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @same(%m: memref<16xf32>) -> memref<16xf32> {
    return %m : memref<16xf32>
  }
  func.func @f(%c: i1, %in: memref<16xf32>) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %b = memref.alloc() : memref<16xf32>
    %r = func.call @same(%a) : (memref<16xf32>) -> memref<16xf32>
    %q = func.call @same(%b) : (memref<16xf32>) -> memref<16xf32>
    memref.dealloc %r : memref<16xf32>
    memref.dealloc %q : memref<16xf32>
    return
  }
}

// -----

// This call gives one of both.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @same(%m: memref<16xf32>) -> memref<16xf32> {
    return %m : memref<16xf32>
  }
  func.func @f(%c: i1, %in: memref<16xf32>) {
    // expected-note @+1 {{it is allocated here}}
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %b = memref.alloc() : memref<16xf32>
    %s = arith.select %c, %a, %b : memref<16xf32>
    %r = func.call @same(%s) : (memref<16xf32>) -> memref<16xf32>
    // expected-error @+1 {{'memref.dealloc' frees memory without a place, or result #0 of 'memref.alloc', which the plan gives a place; plan again}}
    memref.dealloc %r : memref<16xf32>
    return
  }
}

// -----

// 3. Another call gives what a caller that is not known has given: nobody frees that.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @same(%m: memref<16xf32>) -> memref<16xf32> {
    return %m : memref<16xf32>
  }
  func.func @f(%c: i1, %in: memref<16xf32>) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %r = func.call @same(%a) : (memref<16xf32>) -> memref<16xf32>
    memref.dealloc %r : memref<16xf32>
    %q = func.call @same(%in) : (memref<16xf32>) -> memref<16xf32>
    return
  }
}

// -----

// The result of this call is planned memory or what the caller gives.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @same(%m: memref<16xf32>) -> memref<16xf32> {
    return %m : memref<16xf32>
  }
  func.func @f(%c: i1, %in: memref<16xf32>) {
    // expected-note @+1 {{it is allocated here}}
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %s = arith.select %c, %a, %in : memref<16xf32>
    %r = func.call @same(%s) : (memref<16xf32>) -> memref<16xf32>
    // expected-error @+1 {{'memref.dealloc' frees memory without a place, or result #0 of 'memref.alloc', which the plan gives a place; plan again}}
    memref.dealloc %r : memref<16xf32>
    return
  }
}

// -----

// 4. What a call returns goes to a function that frees it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @make(%c: i1) -> memref<16xf32> {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %b = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %d = arith.select %c, %a, %b : memref<16xf32>
    return %d : memref<16xf32>
  }
  func.func private @free(%m: memref<16xf32>) {
    memref.dealloc %m : memref<16xf32>
    return
  }
  func.func @f(%c: i1, %in: memref<16xf32>) {
    %r = func.call @make(%c) : (i1) -> memref<16xf32>
    func.call @free(%r) : (memref<16xf32>) -> ()
    return
  }
}

// -----

// It has no place on one way.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @make(%c: i1) -> memref<16xf32> {
    // expected-note @+1 {{it is allocated here}}
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %b = memref.alloc() : memref<16xf32>
    %d = arith.select %c, %a, %b : memref<16xf32>
    return %d : memref<16xf32>
  }
  func.func private @free(%m: memref<16xf32>) {
    memref.dealloc %m : memref<16xf32>
    return
  }
  func.func @f(%c: i1, %in: memref<16xf32>) {
    %r = func.call @make(%c) : (i1) -> memref<16xf32>
    // expected-error @+1 {{'func.call' frees memory without a place, or result #0 of 'memref.alloc', which the plan gives a place; plan again}}
    func.call @free(%r) : (memref<16xf32>) -> ()
    return
  }
}

// -----

// 5. The same through two functions, which stand behind the one that calls them.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %b = memref.alloc() : memref<16xf32>
    %r = func.call @again(%a) : (memref<16xf32>) -> memref<16xf32>
    %q = func.call @again(%b) : (memref<16xf32>) -> memref<16xf32>
    memref.dealloc %r : memref<16xf32>
    memref.dealloc %q : memref<16xf32>
    return
  }
  func.func private @again(%m: memref<16xf32>) -> memref<16xf32> {
    %r = func.call @same(%m) : (memref<16xf32>) -> memref<16xf32>
    return %r : memref<16xf32>
  }
  func.func private @same(%m: memref<16xf32>) -> memref<16xf32> {
    return %m : memref<16xf32>
  }
}

// -----

// Here, too, this call gives one of both.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %in: memref<16xf32>) {
    // expected-note @+1 {{it is allocated here}}
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %b = memref.alloc() : memref<16xf32>
    %s = arith.select %c, %a, %b : memref<16xf32>
    %r = func.call @again(%s) : (memref<16xf32>) -> memref<16xf32>
    // expected-error @+1 {{'memref.dealloc' frees memory without a place, or result #0 of 'memref.alloc', which the plan gives a place; plan again}}
    memref.dealloc %r : memref<16xf32>
    return
  }
  func.func private @again(%m: memref<16xf32>) -> memref<16xf32> {
    %r = func.call @same(%m) : (memref<16xf32>) -> memref<16xf32>
    return %r : memref<16xf32>
  }
  func.func private @same(%m: memref<16xf32>) -> memref<16xf32> {
    return %m : memref<16xf32>
  }
}
