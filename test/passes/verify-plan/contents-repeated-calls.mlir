// A call that gives its callee what an earlier call has given is not walked again. In
// plans written by hand: of each pair the first is sound, the second is not, though the
// first call of the callee is the same.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --gmem-verify-plan=only=contents -o /dev/null

// 1. Other memory: the callee works where it is.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    %w = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    memref.copy %m, %out : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @g(%a, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    %b = memref.alloc() {gmem.offset = array<i64: 128>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
    func.call @g(%b, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    %w = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-note @+1 {{'linalg.fill' writes there}}
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    // expected-error @+1 {{'memref.copy' reads result #0 of 'memref.alloc', but 'linalg.fill' has overwritten bytes [64, 128) of pool 'memory'}}
    memref.copy %m, %out : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @g(%a, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [64, 128) of pool 'memory'}}
    %b = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
    func.call @g(%b, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    return
  }
}

// -----

// 2. The same memory, but lost since.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    %w = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    memref.copy %m, %out : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @g(%a, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    %b = memref.alloc() {gmem.offset = array<i64: 128>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
    func.call @g(%a, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    %w = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    // expected-error @+1 {{'memref.copy' reads result #0 of 'memref.alloc', but 'linalg.fill' has overwritten bytes [0, 64) of pool 'memory'}}
    memref.copy %m, %out : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'memory'}}
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @g(%a, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    %b = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-note @+1 {{'linalg.fill' writes there}}
    linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
    func.call @g(%a, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    return
  }
}

// -----

// 3. Lost memory that the callee writes anew, as a whole; it may be one of two.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    %w = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    linalg.fill ins(%f : f32) outs(%m : memref<16xf32>)
    memref.copy %m, %out : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @main(%out: memref<16xf32>, %b: i1, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    %o = memref.alloc() {gmem.offset = array<i64: 256>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    linalg.fill ins(%f : f32) outs(%o : memref<16xf32>)
    %k = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%k : memref<16xf32>)
    func.call @g(%a, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    linalg.fill ins(%f : f32) outs(%k : memref<16xf32>)
    func.call @g(%a, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    %w = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    linalg.fill ins(%f : f32) outs(%m : memref<16xf32>)
    memref.copy %m, %out : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @main(%out: memref<16xf32>, %b: i1, %f: f32) {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'memory'}}
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    %o = memref.alloc() {gmem.offset = array<i64: 256>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    linalg.fill ins(%f : f32) outs(%o : memref<16xf32>)
    %k = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%k : memref<16xf32>)
    func.call @g(%a, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    // expected-note @+1 {{'linalg.fill' writes there}}
    linalg.fill ins(%f : f32) outs(%k : memref<16xf32>)
    // expected-error @+1 {{'arith.select' reads result #0 of 'memref.alloc', but 'linalg.fill' has overwritten bytes [0, 64) of pool 'memory'}}
    %s = arith.select %b, %a, %o : memref<16xf32>
    func.call @g(%s, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    return
  }
}

// -----

// 4. Two memories that share bytes.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %n: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    linalg.fill ins(%f : f32) outs(%m : memref<16xf32>)
    memref.copy %n, %out : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    %b = memref.alloc() {gmem.offset = array<i64: 128>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
    func.call @g(%a, %b, %out, %f) : (memref<16xf32>, memref<16xf32>, memref<16xf32>, f32) -> ()
    %c = memref.alloc() {gmem.offset = array<i64: 256>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    %d = memref.alloc() {gmem.offset = array<i64: 512>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%d : memref<16xf32>)
    func.call @g(%c, %d, %out, %f) : (memref<16xf32>, memref<16xf32>, memref<16xf32>, f32) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %n: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    // expected-note @+1 {{'linalg.fill' writes there}}
    linalg.fill ins(%f : f32) outs(%m : memref<16xf32>)
    // expected-error @+1 {{'memref.copy' reads result #0 of 'memref.alloc', but 'linalg.fill' has overwritten bytes [288, 320) of pool 'memory'}}
    memref.copy %n, %out : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    %b = memref.alloc() {gmem.offset = array<i64: 128>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
    func.call @g(%a, %b, %out, %f) : (memref<16xf32>, memref<16xf32>, memref<16xf32>, f32) -> ()
    %c = memref.alloc() {gmem.offset = array<i64: 256>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [288, 352) of pool 'memory'}}
    %d = memref.alloc() {gmem.offset = array<i64: 288>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%d : memref<16xf32>)
    func.call @g(%c, %d, %out, %f) : (memref<16xf32>, memref<16xf32>, memref<16xf32>, f32) -> ()
    return
  }
}

// -----

// 5. What the caller has put where the callee works since the first call.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    %w = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    memref.copy %m, %out : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @g(%a, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    %k = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%k : memref<16xf32>)
    memref.copy %k, %out : memref<16xf32> to memref<16xf32>
    func.call @g(%a, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    %w = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    memref.copy %m, %out : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @g(%a, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [64, 128) of pool 'memory'}}
    %k = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%k : memref<16xf32>)
    // expected-note @+1 {{'func.call' writes there}}
    func.call @g(%a, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    // expected-error @+1 {{'memref.copy' reads result #0 of 'memref.alloc', but 'func.call' has overwritten bytes [64, 128) of pool 'memory'}}
    memref.copy %k, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// 6. The callee overwrites what it has been given when it has read that.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    memref.copy %m, %out : memref<16xf32> to memref<16xf32>
    %w = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    memref.copy %w, %out : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @g(%a, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    %b = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
    func.call @g(%b, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    memref.copy %m, %out : memref<16xf32> to memref<16xf32>
    %w = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-note @+1 {{'linalg.fill' writes there}}
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    memref.copy %w, %out : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @g(%a, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'memory'}}
    %b = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
    func.call @g(%b, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    // expected-error @+1 {{'memref.copy' reads result #0 of 'memref.alloc', but 'linalg.fill' has overwritten bytes [0, 64) of pool 'memory'}}
    memref.copy %b, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// 7. Memory that nothing was written to before the first call.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    %w = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    memref.copy %w, %out : memref<16xf32> to memref<16xf32>
    %p = memref.subview %m[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
    linalg.fill ins(%f : f32) outs(%p : memref<8xf32, strided<[1]>>)
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    func.call @g(%a, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    memref.copy %a, %out : memref<16xf32> to memref<16xf32>
    %b = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    func.call @g(%b, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    memref.copy %b, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    %w = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-note @+1 {{'linalg.fill' writes there}}
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    memref.copy %w, %out : memref<16xf32> to memref<16xf32>
    %p = memref.subview %m[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
    linalg.fill ins(%f : f32) outs(%p : memref<8xf32, strided<[1]>>)
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    func.call @g(%a, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    memref.copy %a, %out : memref<16xf32> to memref<16xf32>
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'memory'}}
    %b = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
    func.call @g(%b, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    // expected-error @+1 {{'memref.copy' reads result #0 of 'memref.alloc', but 'linalg.fill' has overwritten bytes [0, 64) of pool 'memory'}}
    memref.copy %b, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// 8. What the callee writes by the name that it is given.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %f: f32) {
    linalg.fill ins(%f : f32) outs(%m : memref<16xf32>)
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    func.call @g(%a, %f) : (memref<16xf32>, f32) -> ()
    %k = memref.alloc() {gmem.offset = array<i64: 128>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%k : memref<16xf32>)
    %b = memref.alloc() {gmem.offset = array<i64: 128>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %k, %out : memref<16xf32> to memref<16xf32>
    func.call @g(%b, %f) : (memref<16xf32>, f32) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %f: f32) {
    linalg.fill ins(%f : f32) outs(%m : memref<16xf32>)
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    func.call @g(%a, %f) : (memref<16xf32>, f32) -> ()
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [128, 192) of pool 'memory'}}
    %k = memref.alloc() {gmem.offset = array<i64: 128>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%k : memref<16xf32>)
    %b = memref.alloc() {gmem.offset = array<i64: 128>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-note @+1 {{'func.call' writes there}}
    func.call @g(%b, %f) : (memref<16xf32>, f32) -> ()
    // expected-error @+1 {{'memref.copy' reads result #0 of 'memref.alloc', but 'func.call' has overwritten bytes [128, 192) of pool 'memory'}}
    memref.copy %k, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// 9. Another caller.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    %w = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    memref.copy %m, %out : memref<16xf32> to memref<16xf32>
    return
  }
  func.func private @h(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 256>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @g(%a, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @g(%a, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    func.call @h(%out, %f) : (memref<16xf32>, f32) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    %w = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-note @+1 {{'linalg.fill' writes there}}
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    // expected-error @+1 {{'memref.copy' reads result #0 of 'memref.alloc', but 'linalg.fill' has overwritten bytes [64, 128) of pool 'memory'}}
    memref.copy %m, %out : memref<16xf32> to memref<16xf32>
    return
  }
  func.func private @h(%out: memref<16xf32>, %f: f32) {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [64, 128) of pool 'memory'}}
    %a = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @g(%a, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @g(%a, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    func.call @h(%out, %f) : (memref<16xf32>, f32) -> ()
    return
  }
}

// -----

// 10. A call in a call.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    %w = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    memref.copy %m, %out : memref<16xf32> to memref<16xf32>
    return
  }
  func.func private @h(%m: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    func.call @g(%m, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @h(%a, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    %b = memref.alloc() {gmem.offset = array<i64: 128>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
    func.call @h(%b, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    %w = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-note @+1 {{'linalg.fill' writes there}}
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    // expected-error @+1 {{'memref.copy' reads result #0 of 'memref.alloc', but 'linalg.fill' has overwritten bytes [96, 128) of pool 'memory'}}
    memref.copy %m, %out : memref<16xf32> to memref<16xf32>
    return
  }
  func.func private @h(%m: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    func.call @g(%m, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @h(%a, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [96, 160) of pool 'memory'}}
    %b = memref.alloc() {gmem.offset = array<i64: 96>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
    func.call @h(%b, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    return
  }
}

// -----

// 11. What is returned is lost later.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %n: memref<16xf32>, %f: f32) -> memref<16xf32> {
    %w = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    memref.copy %w, %m : memref<16xf32> to memref<16xf32>
    return %n : memref<16xf32>
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    %b = memref.alloc() {gmem.offset = array<i64: 128>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
    %r = func.call @g(%a, %b, %f) : (memref<16xf32>, memref<16xf32>, f32) -> memref<16xf32>
    %s = func.call @g(%a, %r, %f) : (memref<16xf32>, memref<16xf32>, f32) -> memref<16xf32>
    memref.copy %s, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %n: memref<16xf32>, %f: f32) -> memref<16xf32> {
    %w = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    memref.copy %w, %m : memref<16xf32> to memref<16xf32>
    return %n : memref<16xf32>
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    %b = memref.alloc() {gmem.offset = array<i64: 128>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
    %r = func.call @g(%a, %b, %f) : (memref<16xf32>, memref<16xf32>, f32) -> memref<16xf32>
    // expected-note @+1 {{result #0 of 'func.call' has bytes [128, 192) of pool 'memory'}}
    %s = func.call @g(%a, %r, %f) : (memref<16xf32>, memref<16xf32>, f32) -> memref<16xf32>
    %z = memref.alloc() {gmem.offset = array<i64: 128>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-note @+1 {{'linalg.fill' writes there}}
    linalg.fill ins(%f : f32) outs(%z : memref<16xf32>)
    // expected-error @+1 {{'memref.copy' reads result #0 of 'func.call', but 'linalg.fill' has overwritten bytes [128, 192) of pool 'memory'}}
    memref.copy %s, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// 12. The callee makes what it returns, and makes it again.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %f: f32) -> memref<16xf32> {
    %w = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %m, %w : memref<16xf32> to memref<16xf32>
    return %w : memref<16xf32>
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    %r = func.call @g(%a, %f) : (memref<16xf32>, f32) -> memref<16xf32>
    memref.copy %r, %out : memref<16xf32> to memref<16xf32>
    %s = func.call @g(%a, %f) : (memref<16xf32>, f32) -> memref<16xf32>
    memref.copy %s, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %f: f32) -> memref<16xf32> {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [64, 128) of pool 'memory'}}
    %w = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %m, %w : memref<16xf32> to memref<16xf32>
    return %w : memref<16xf32>
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    %r = func.call @g(%a, %f) : (memref<16xf32>, f32) -> memref<16xf32>
    // expected-note @+1 {{'func.call' makes an instance}}
    %s = func.call @g(%a, %f) : (memref<16xf32>, f32) -> memref<16xf32>
    // expected-error @+1 {{'memref.copy' uses result #0 of 'func.call', which may be an older instance of result #0 of 'memref.alloc' than the last one}}
    memref.copy %r, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// 13. The same, but the second call gives other memory.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %f: f32) -> memref<16xf32> {
    %w = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    return %w : memref<16xf32>
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    %r = func.call @g(%a, %f) : (memref<16xf32>, f32) -> memref<16xf32>
    %b = memref.alloc() {gmem.offset = array<i64: 96>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %r, %out : memref<16xf32> to memref<16xf32>
    %s = func.call @g(%b, %f) : (memref<16xf32>, f32) -> memref<16xf32>
    memref.copy %s, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %f: f32) -> memref<16xf32> {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [64, 128) of pool 'memory'}}
    %w = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    return %w : memref<16xf32>
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    %r = func.call @g(%a, %f) : (memref<16xf32>, f32) -> memref<16xf32>
    %b = memref.alloc() {gmem.offset = array<i64: 96>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-note @+1 {{'func.call' makes an instance}}
    %s = func.call @g(%b, %f) : (memref<16xf32>, f32) -> memref<16xf32>
    // expected-error @+1 {{'memref.copy' uses result #0 of 'func.call', which may be an older instance of result #0 of 'memref.alloc' than the last one}}
    memref.copy %r, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// 14. A loop: the second iteration.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    %w = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    memref.copy %m, %out : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    scf.for %i = %c0 to %c9 step %c1 {
    func.call @g(%a, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    }
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    %w = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    // expected-error @+1 {{'memref.copy' reads result #0 of 'memref.alloc', but 'linalg.fill' has overwritten bytes [0, 64) of pool 'memory'}}
    memref.copy %m, %out : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'memory'}}
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    scf.for %i = %c0 to %c9 step %c1 {
    func.call @g(%a, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-note @+1 {{'linalg.fill' writes there}}
    linalg.fill ins(%f : f32) outs(%z : memref<16xf32>)
    }
    return
  }
}

// -----

// 15. The memref is not all of the memory.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    %w = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    linalg.fill ins(%f : f32) outs(%m : memref<16xf32>)
    memref.copy %m, %out : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    %l = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%l : memref<16xf32>)
    func.call @g(%a, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    %c0 = arith.constant 0 : index
    %b = memref.alloc() {gmem.offset = array<i64: 512>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<64xi8>
    %z = arith.constant 0 : i8
    linalg.fill ins(%z : i8) outs(%b : memref<64xi8>)
    %v = memref.view %b[%c0][] : memref<64xi8> to memref<16xf32>
    %k = memref.alloc() {gmem.offset = array<i64: 512>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%k : memref<16xf32>)
    func.call @g(%v, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    %w = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    linalg.fill ins(%f : f32) outs(%m : memref<16xf32>)
    // expected-error @+1 {{'memref.copy' reads result #0 of 'memref.alloc', but 'linalg.fill' has overwritten bytes [512, 576) of pool 'memory'}}
    memref.copy %m, %out : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    %l = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%l : memref<16xf32>)
    func.call @g(%a, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    %c0 = arith.constant 0 : index
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [512, 640) of pool 'memory'}}
    %b = memref.alloc() {gmem.offset = array<i64: 512>, gmem.pool = ["memory"], gmem.size = array<i64: 128>} : memref<128xi8>
    %z = arith.constant 0 : i8
    linalg.fill ins(%z : i8) outs(%b : memref<128xi8>)
    %v = memref.view %b[%c0][] : memref<128xi8> to memref<16xf32>
    %k = memref.alloc() {gmem.offset = array<i64: 512>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-note @+1 {{'linalg.fill' writes there}}
    linalg.fill ins(%f : f32) outs(%k : memref<16xf32>)
    func.call @g(%v, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    return
  }
}

// -----

// 16. The callee works where the memory is before it writes that anew.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %f: f32) {
    %w = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    linalg.fill ins(%f : f32) outs(%m : memref<16xf32>)
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @g(%a, %f) : (memref<16xf32>, f32) -> ()
    func.call @g(%a, %f) : (memref<16xf32>, f32) -> ()
    memref.copy %a, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %f: f32) {
    %w = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    linalg.fill ins(%f : f32) outs(%m : memref<16xf32>)
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'memory'}}
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @g(%a, %f) : (memref<16xf32>, f32) -> ()
    func.call @g(%a, %f) : (memref<16xf32>, f32) -> ()
    %z = memref.alloc() {gmem.offset = array<i64: 32>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-note @+1 {{'linalg.fill' writes there}}
    linalg.fill ins(%f : f32) outs(%z : memref<16xf32>)
    // expected-error @+1 {{'memref.copy' reads result #0 of 'memref.alloc', but 'linalg.fill' has overwritten bytes [32, 64) of pool 'memory'}}
    memref.copy %a, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// 17. The same memory, by another argument.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %n: memref<16xf32>, %k: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    %w = memref.alloc() {gmem.offset = array<i64: 128>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    memref.copy %k, %out : memref<16xf32> to memref<16xf32>
    linalg.fill ins(%f : f32) outs(%n : memref<16xf32>)
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    %b = memref.alloc() {gmem.offset = array<i64: 128>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
    func.call @g(%a, %b, %a, %out, %f) : (memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, f32) -> ()
    func.call @g(%a, %b, %a, %out, %f) : (memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, f32) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %n: memref<16xf32>, %k: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    %w = memref.alloc() {gmem.offset = array<i64: 128>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-note @+1 {{'linalg.fill' writes there}}
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    // expected-error @+1 {{'memref.copy' reads result #0 of 'memref.alloc', but 'linalg.fill' has overwritten bytes [128, 192) of pool 'memory'}}
    memref.copy %k, %out : memref<16xf32> to memref<16xf32>
    linalg.fill ins(%f : f32) outs(%n : memref<16xf32>)
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [128, 192) of pool 'memory'}}
    %b = memref.alloc() {gmem.offset = array<i64: 128>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
    func.call @g(%a, %b, %a, %out, %f) : (memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, f32) -> ()
    func.call @g(%a, %b, %b, %out, %f) : (memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, f32) -> ()
    return
  }
}

// -----

// 18. A loop that carries the memref: its rounds find the state first, then check it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    %w = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    memref.copy %m, %out : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    %b = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %l = scf.for %i = %c0 to %c9 step %c1 iter_args(%p = %a) -> (memref<16xf32>) {
    func.call @g(%p, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
      scf.yield %p : memref<16xf32>
    }
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    %w = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-note @+1 {{'linalg.fill' writes there}}
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    // expected-error @+1 {{'memref.copy' reads argument #1, but 'linalg.fill' has overwritten bytes [64, 128) of pool 'memory'}}
    memref.copy %m, %out : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    %b = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    // expected-note @+1 {{argument #1 has bytes [64, 128) of pool 'memory'}}
    %l = scf.for %i = %c0 to %c9 step %c1 iter_args(%p = %a) -> (memref<16xf32>) {
    func.call @g(%p, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
      scf.yield %p : memref<16xf32>
    }
    return
  }
}

// -----

// 19. Where an argument is, a tensor.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%t: tensor<16xf32> {gmem.offset = 256 : i64, gmem.pool = "memory", gmem.size = 64 : i64}, %m: memref<16xf32>, %f: f32) {
    linalg.fill ins(%f : f32) outs(%m : memref<16xf32>)
    "x.use"(%t) : (tensor<16xf32>) -> ()
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %t = "x.make"() {gmem.offset = array<i64: 256>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    func.call @g(%t, %a, %f) : (tensor<16xf32>, memref<16xf32>, f32) -> ()
    %t2 = "x.make"() {gmem.offset = array<i64: 256>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    %b = memref.alloc() {gmem.offset = array<i64: 512>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    func.call @g(%t2, %b, %f) : (tensor<16xf32>, memref<16xf32>, f32) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  // expected-note @+1 {{argument #0 has bytes [256, 320) of pool 'memory'}}
  func.func private @g(%t: tensor<16xf32> {gmem.offset = 256 : i64, gmem.pool = "memory", gmem.size = 64 : i64}, %m: memref<16xf32>, %f: f32) {
    // expected-note @+1 {{'linalg.fill' writes there}}
    linalg.fill ins(%f : f32) outs(%m : memref<16xf32>)
    // expected-error @+1 {{'x.use' reads argument #0, but 'linalg.fill' has overwritten bytes [256, 320) of pool 'memory'}}
    "x.use"(%t) : (tensor<16xf32>) -> ()
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %t = "x.make"() {gmem.offset = array<i64: 256>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    func.call @g(%t, %a, %f) : (tensor<16xf32>, memref<16xf32>, f32) -> ()
    %t2 = "x.make"() {gmem.offset = array<i64: 256>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    %b = memref.alloc() {gmem.offset = array<i64: 256>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    func.call @g(%t2, %b, %f) : (tensor<16xf32>, memref<16xf32>, f32) -> ()
    return
  }
}

// -----

// 20. Memory that is elsewhere in what the callee uses.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    %v = memref.alloc() {gmem.offset = array<i64: 256>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%v : memref<16xf32>)
    memref.copy %v, %out : memref<16xf32> to memref<16xf32>
    memref.copy %m, %out : memref<16xf32> to memref<16xf32>
    %w = memref.alloc() {gmem.offset = array<i64: 128>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    memref.copy %w, %out : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 128>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @g(%a, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    %b = memref.alloc() {gmem.offset = array<i64: 160>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
    func.call @g(%b, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    %v = memref.alloc() {gmem.offset = array<i64: 256>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-note @+1 {{'linalg.fill' writes there}}
    linalg.fill ins(%f : f32) outs(%v : memref<16xf32>)
    memref.copy %v, %out : memref<16xf32> to memref<16xf32>
    // expected-error @+1 {{'memref.copy' reads result #0 of 'memref.alloc', but 'linalg.fill' has overwritten bytes [256, 288) of pool 'memory'}}
    memref.copy %m, %out : memref<16xf32> to memref<16xf32>
    %w = memref.alloc() {gmem.offset = array<i64: 128>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    memref.copy %w, %out : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 128>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @g(%a, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [224, 288) of pool 'memory'}}
    %b = memref.alloc() {gmem.offset = array<i64: 224>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
    func.call @g(%b, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    return
  }
}

// -----

// 21. It returns memory that nothing has been written to.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %f: f32) -> memref<16xf32> {
    return %m : memref<16xf32>
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    %k = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%k : memref<16xf32>)
    %r = func.call @g(%a, %f) : (memref<16xf32>, f32) -> memref<16xf32>
    memref.copy %k, %out : memref<16xf32> to memref<16xf32>
    linalg.fill ins(%f : f32) outs(%r : memref<16xf32>)
    memref.copy %r, %out : memref<16xf32> to memref<16xf32>
    %b = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    %l = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    %s = func.call @g(%b, %f) : (memref<16xf32>, f32) -> memref<16xf32>
    linalg.fill ins(%f : f32) outs(%l : memref<16xf32>)
    memref.copy %l, %out : memref<16xf32> to memref<16xf32>
    linalg.fill ins(%f : f32) outs(%s : memref<16xf32>)
    memref.copy %s, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %f: f32) -> memref<16xf32> {
    return %m : memref<16xf32>
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    %k = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%k : memref<16xf32>)
    %r = func.call @g(%a, %f) : (memref<16xf32>, f32) -> memref<16xf32>
    memref.copy %k, %out : memref<16xf32> to memref<16xf32>
    linalg.fill ins(%f : f32) outs(%r : memref<16xf32>)
    memref.copy %r, %out : memref<16xf32> to memref<16xf32>
    %b = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    %l = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-note @+1 {{result #0 of 'func.call' has bytes [0, 64) of pool 'memory'}}
    %s = func.call @g(%b, %f) : (memref<16xf32>, f32) -> memref<16xf32>
    linalg.fill ins(%f : f32) outs(%s : memref<16xf32>)
    // expected-note @+1 {{'linalg.fill' writes there}}
    linalg.fill ins(%f : f32) outs(%l : memref<16xf32>)
    memref.copy %l, %out : memref<16xf32> to memref<16xf32>
    // expected-error @+1 {{'memref.copy' reads result #0 of 'func.call', but 'linalg.fill' has overwritten bytes [0, 64) of pool 'memory'}}
    memref.copy %s, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// 22. Padding of the memory, which ops on it may write.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %f: f32) {
    linalg.fill ins(%f : f32) outs(%m : memref<16xf32>)
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @g(%a, %f) : (memref<16xf32>, f32) -> ()
    %b = memref.alloc() {gmem.padding = [array<i64: 0, 64>], gmem.offset = array<i64: 256>, gmem.pool = ["memory"], gmem.size = array<i64: 128>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
    %k = memref.alloc() {gmem.offset = array<i64: 320>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%k : memref<16xf32>)
    memref.copy %k, %out : memref<16xf32> to memref<16xf32>
    func.call @g(%b, %f) : (memref<16xf32>, f32) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %f: f32) {
    linalg.fill ins(%f : f32) outs(%m : memref<16xf32>)
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @g(%a, %f) : (memref<16xf32>, f32) -> ()
    %b = memref.alloc() {gmem.padding = [array<i64: 0, 64>], gmem.offset = array<i64: 256>, gmem.pool = ["memory"], gmem.size = array<i64: 128>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [320, 384) of pool 'memory'}}
    %k = memref.alloc() {gmem.offset = array<i64: 320>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%k : memref<16xf32>)
    // expected-note @+1 {{'func.call' writes there}}
    func.call @g(%b, %f) : (memref<16xf32>, f32) -> ()
    // expected-error @+1 {{'memref.copy' reads result #0 of 'memref.alloc', but 'func.call' has overwritten bytes [320, 384) of pool 'memory'}}
    memref.copy %k, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// 23. The same in a loop: the padding is written in an earlier iteration.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %f: f32) {
    linalg.fill ins(%f : f32) outs(%m : memref<16xf32>)
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %b = memref.alloc() {gmem.padding = [array<i64: 0, 64>], gmem.offset = array<i64: 256>, gmem.pool = ["memory"], gmem.size = array<i64: 128>} : memref<16xf32>
    %b2 = memref.alloc() {gmem.padding = [array<i64: 0, 64>], gmem.offset = array<i64: 512>, gmem.pool = ["memory"], gmem.size = array<i64: 128>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %k = memref.alloc() {gmem.offset = array<i64: 384>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%k : memref<16xf32>)
    scf.for %i = %c0 to %c9 step %c1 {
    memref.copy %k, %out : memref<16xf32> to memref<16xf32>
    func.call @g(%b, %f) : (memref<16xf32>, f32) -> ()
    }
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %f: f32) {
    // expected-note @+1 {{'linalg.fill' writes there}}
    linalg.fill ins(%f : f32) outs(%m : memref<16xf32>)
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %b = memref.alloc() {gmem.padding = [array<i64: 0, 64>], gmem.offset = array<i64: 256>, gmem.pool = ["memory"], gmem.size = array<i64: 128>} : memref<16xf32>
    %b2 = memref.alloc() {gmem.padding = [array<i64: 0, 64>], gmem.offset = array<i64: 512>, gmem.pool = ["memory"], gmem.size = array<i64: 128>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [320, 384) of pool 'memory'}}
    %k = memref.alloc() {gmem.offset = array<i64: 320>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%k : memref<16xf32>)
    scf.for %i = %c0 to %c9 step %c1 {
    // expected-error @+1 {{'memref.copy' reads result #0 of 'memref.alloc', but 'linalg.fill' has overwritten bytes [320, 384) of pool 'memory'}}
    memref.copy %k, %out : memref<16xf32> to memref<16xf32>
    func.call @g(%b, %f) : (memref<16xf32>, f32) -> ()
    }
    return
  }
}

// -----

// 24. A callee of the callee loses memory of the latter, which is written anew by a call.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @rewrite(%m: memref<16xi32>, %n: i32) {
    linalg.fill ins(%n : i32) outs(%m : memref<16xi32>)
    return
  }
  func.func private @made(%given: memref<4xi32>) -> memref<16xi32> {
    %c0 = arith.constant 0 : index
    %n = memref.load %given[%c0] : memref<4xi32>
    %m = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xi32>
    linalg.fill ins(%n : i32) outs(%m : memref<16xi32>)
    return %m : memref<16xi32>
  }
  func.func private @between(%given: memref<4xi32>) -> i32 {
    %c0 = arith.constant 0 : index
    %a = memref.load %given[%c0] : memref<4xi32>
    %m = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xi32>
    call @rewrite(%m, %a) : (memref<16xi32>, i32) -> ()
    %made = call @made(%given) : (memref<4xi32>) -> memref<16xi32>
    %c = memref.load %made[%c0] : memref<16xi32>
    call @rewrite(%m, %c) : (memref<16xi32>, i32) -> ()
    %d = memref.load %m[%c0] : memref<16xi32>
    return %d : i32
  }
  func.func @main(%n: i32) -> i32 {
    %c0 = arith.constant 0 : index
    %given = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 16>} : memref<4xi32>
    linalg.fill ins(%n : i32) outs(%given : memref<4xi32>)
    %a = call @between(%given) : (memref<4xi32>) -> i32
    %made = call @made(%given) : (memref<4xi32>) -> memref<16xi32>
    %b = memref.load %made[%c0] : memref<16xi32>
    return %b : i32
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @rewrite(%m: memref<16xi32>, %n: i32) {
    linalg.fill ins(%n : i32) outs(%m : memref<16xi32>)
    return
  }
  func.func private @made(%given: memref<4xi32>) -> memref<16xi32> {
    %c0 = arith.constant 0 : index
    %n = memref.load %given[%c0] : memref<4xi32>
    %m = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xi32>
    linalg.fill ins(%n : i32) outs(%m : memref<16xi32>)
    return %m : memref<16xi32>
  }
  func.func private @between(%given: memref<4xi32>) -> i32 {
    %c0 = arith.constant 0 : index
    %a = memref.load %given[%c0] : memref<4xi32>
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [64, 128) of pool 'memory'}}
    %m = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xi32>
    call @rewrite(%m, %a) : (memref<16xi32>, i32) -> ()
    // expected-note @+1 {{'func.call' writes there}}
    %made = call @made(%given) : (memref<4xi32>) -> memref<16xi32>
    %c = memref.load %made[%c0] : memref<16xi32>
    // expected-error @+1 {{'memref.load' reads result #0 of 'memref.alloc', but 'func.call' has overwritten bytes [64, 128) of pool 'memory'}}
    %b = memref.load %m[%c0] : memref<16xi32>
    call @rewrite(%m, %c) : (memref<16xi32>, i32) -> ()
    %d = memref.load %m[%c0] : memref<16xi32>
    return %d : i32
  }
  func.func @main(%n: i32) -> i32 {
    %c0 = arith.constant 0 : index
    %given = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 16>} : memref<4xi32>
    linalg.fill ins(%n : i32) outs(%given : memref<4xi32>)
    %a = call @between(%given) : (memref<4xi32>) -> i32
    %made = call @made(%given) : (memref<4xi32>) -> memref<16xi32>
    %b = memref.load %made[%c0] : memref<16xi32>
    return %b : i32
  }
}

// -----

// 25. The caller of the caller names the memory, too: the callee makes it anew, and writes
// all of it once the scratch is dead.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @rewrite(%m: memref<16xi8>, %n: i8) {
    %c0 = arith.constant 0 : index
    linalg.fill ins(%n : i8) outs(%m : memref<16xi8>)
    %t = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 16>} : memref<16xi8>
    memref.store %n, %t[%c0] : memref<16xi8>
    linalg.fill ins(%n : i8) outs(%m : memref<16xi8>)
    return
  }
  func.func private @made(%given: memref<8xi32>, %n: i8) -> memref<16xi8> {
    %c0 = arith.constant 0 : index
    %m = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 16>} : memref<16xi8>
    call @rewrite(%m, %n) : (memref<16xi8>, i8) -> ()
    %x = memref.load %m[%c0] : memref<16xi8>
    return %m : memref<16xi8>
  }
  func.func private @main(%n: i8) {
    %given = memref.alloc() {gmem.offset = array<i64: 128>, gmem.pool = ["memory"], gmem.size = array<i64: 32>} : memref<8xi32>
    %made = call @made(%given, %n) : (memref<8xi32>, i8) -> memref<16xi8>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @rewrite(%m: memref<16xi8>, %n: i8) {
    %c0 = arith.constant 0 : index
    linalg.fill ins(%n : i8) outs(%m : memref<16xi8>)
    %t = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 16>} : memref<16xi8>
    // expected-note @+1 {{'memref.store' writes there}}
    memref.store %n, %t[%c0] : memref<16xi8>
    // expected-error @+1 {{'memref.store' reads result #0 of 'memref.alloc', but 'memref.store' has overwritten bytes [64, 80) of pool 'memory'}}
    memref.store %n, %m[%c0] : memref<16xi8>
    return
  }
  func.func private @made(%given: memref<8xi32>, %n: i8) -> memref<16xi8> {
    %c0 = arith.constant 0 : index
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [64, 80) of pool 'memory'}}
    %m = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 16>} : memref<16xi8>
    call @rewrite(%m, %n) : (memref<16xi8>, i8) -> ()
    %x = memref.load %m[%c0] : memref<16xi8>
    return %m : memref<16xi8>
  }
  func.func private @main(%n: i8) {
    %given = memref.alloc() {gmem.offset = array<i64: 128>, gmem.pool = ["memory"], gmem.size = array<i64: 32>} : memref<8xi32>
    %made = call @made(%given, %n) : (memref<8xi32>, i8) -> memref<16xi8>
    return
  }
}
