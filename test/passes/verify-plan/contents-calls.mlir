// What a function that is called does to memory of its caller, at any depth: in plans
// written by hand, of each pair the first is sound, the second is not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --gmem-verify-plan=only=contents -o /dev/null

// 1. A callee of a callee writes, and is given none of the memory.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @h(%m: memref<16xf32>, %f: f32) {
    %w = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    linalg.fill ins(%f : f32) outs(%m : memref<16xf32>)
    return
  }
  func.func private @g(%m: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    %own = memref.alloc() {gmem.offset = array<i64: 256>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    func.call @h(%own, %f) : (memref<16xf32>, f32) -> ()
    memref.copy %m, %out : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %m = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%m : memref<16xf32>)
    func.call @g(%m, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @h(%m: memref<16xf32>, %f: f32) {
    %w = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    linalg.fill ins(%f : f32) outs(%m : memref<16xf32>)
    return
  }
  func.func private @g(%m: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    %own = memref.alloc() {gmem.offset = array<i64: 256>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-note @+1 {{'func.call' writes there}}
    func.call @h(%own, %f) : (memref<16xf32>, f32) -> ()
    // expected-error @+1 {{'memref.copy' reads result #0 of 'memref.alloc', but 'func.call' has overwritten bytes [0, 64) of pool 'memory'}}
    memref.copy %m, %out : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64)}}
    %m = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%m : memref<16xf32>)
    func.call @g(%m, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    return
  }
}

// -----

// 2. Memory that one callee returns, and another one's own.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @makes(%f: f32) -> memref<16xf32> {
    %r = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%r : memref<16xf32>)
    return %r : memref<16xf32>
  }
  func.func private @g(%m: memref<16xf32>, %f: f32) {
    %w = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    memref.copy %w, %m : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %m = memref.alloc() {gmem.offset = array<i64: 128>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    %r = func.call @makes(%f) : (f32) -> memref<16xf32>
    func.call @g(%m, %f) : (memref<16xf32>, f32) -> ()
    memref.copy %r, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @makes(%f: f32) -> memref<16xf32> {
    %r = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%r : memref<16xf32>)
    return %r : memref<16xf32>
  }
  func.func private @g(%m: memref<16xf32>, %f: f32) {
    %w = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-note @+1 {{'linalg.fill' writes there}}
    linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
    memref.copy %w, %m : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %m = memref.alloc() {gmem.offset = array<i64: 128>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-note @+1 {{result #0 of 'func.call' has bytes [0, 64)}}
    %r = func.call @makes(%f) : (f32) -> memref<16xf32>
    func.call @g(%m, %f) : (memref<16xf32>, f32) -> ()
    // expected-error @+1 {{'memref.copy' reads result #0 of 'func.call', but 'linalg.fill' has overwritten bytes [0, 64) of pool 'memory'}}
    memref.copy %r, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// 3. A callee writes to what it is given, and keeps memory of its own.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    %own = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%own : memref<16xf32>)
    linalg.fill ins(%f : f32) outs(%m : memref<16xf32>)
    memref.copy %own, %out : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %m = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    func.call @g(%m, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%m: memref<16xf32>, %out: memref<16xf32>, %f: f32) {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64)}}
    %own = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%own : memref<16xf32>)
    // expected-note @+1 {{'linalg.fill' writes there}}
    linalg.fill ins(%f : f32) outs(%m : memref<16xf32>)
    // expected-error @+1 {{'memref.copy' reads result #0 of 'memref.alloc', but 'linalg.fill' has overwritten bytes [0, 64) of pool 'memory'}}
    memref.copy %own, %out : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @main(%out: memref<16xf32>, %f: f32) {
    %m = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    func.call @g(%m, %out, %f) : (memref<16xf32>, memref<16xf32>, f32) -> ()
    return
  }
}

// -----

// What is lost before a call may be given to it if it writes all of that first.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%x: memref<16xf32>, %y: memref<16xf32>) {
    memref.copy %x, %y : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @f(%a: memref<16xf32>) {
    %m = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %a, %m : memref<16xf32> to memref<16xf32>
    memref.copy %m, %a : memref<16xf32> to memref<16xf32>
    %t = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %a, %t : memref<16xf32> to memref<16xf32>
    memref.copy %t, %a : memref<16xf32> to memref<16xf32>
    func.call @g(%a, %m) : (memref<16xf32>, memref<16xf32>) -> ()
    memref.copy %m, %a : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%x: memref<16xf32>, %y: memref<16xf32>) {
    // expected-error @+1 {{'memref.copy' reads result #0 of 'memref.alloc', but 'memref.copy' has overwritten bytes [0, 64)}}
    memref.copy %y, %x : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @f(%a: memref<16xf32>) {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64)}}
    %m = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %a, %m : memref<16xf32> to memref<16xf32>
    memref.copy %m, %a : memref<16xf32> to memref<16xf32>
    %t = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-note @+1 {{'memref.copy' writes there}}
    memref.copy %a, %t : memref<16xf32> to memref<16xf32>
    memref.copy %t, %a : memref<16xf32> to memref<16xf32>
    func.call @g(%a, %m) : (memref<16xf32>, memref<16xf32>) -> ()
    memref.copy %m, %a : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// A callee may write one of the memories that it is given when it has read the other.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%x: memref<16xf32>, %y: memref<16xf32>, %a: memref<16xf32>) {
    memref.copy %x, %a : memref<16xf32> to memref<16xf32>
    memref.copy %a, %y : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @f(%a: memref<16xf32>) {
    %m = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %a, %m : memref<16xf32> to memref<16xf32>
    %t = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    func.call @g(%m, %t, %a) : (memref<16xf32>, memref<16xf32>, memref<16xf32>) -> ()
    memref.copy %t, %a : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func private @g(%x: memref<16xf32>, %y: memref<16xf32>, %a: memref<16xf32>) {
    // expected-note @+1 {{'memref.copy' writes there}}
    memref.copy %a, %y : memref<16xf32> to memref<16xf32>
    // expected-error @+1 {{'memref.copy' reads result #0 of 'memref.alloc', but 'memref.copy' has overwritten bytes [0, 64)}}
    memref.copy %x, %a : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @f(%a: memref<16xf32>) {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64)}}
    %m = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %a, %m : memref<16xf32> to memref<16xf32>
    %t = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    func.call @g(%m, %t, %a) : (memref<16xf32>, memref<16xf32>, memref<16xf32>) -> ()
    memref.copy %t, %a : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// An op uses its workbuffer while functions run that it names.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g() {
    "x.b"() {gmem.workbuffers = [{size = 64 : i64}], gmem.workbuffer_offset = array<i64: 64>, gmem.workbuffer_pool = ["tensors"]} : () -> ()
    return
  }
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "x.dispatch"(%x) {callees = [@g], gmem.workbuffers = [{size = 64 : i64}], gmem.workbuffer_offset = array<i64: 128>, gmem.workbuffer_pool = ["tensors"]} : (tensor<16xf32>) -> ()
    return
  }
}

// -----

// They write there.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g() {
    "x.b"() {gmem.workbuffers = [{size = 64 : i64}], gmem.workbuffer_offset = array<i64: 64>, gmem.workbuffer_pool = ["tensors"]} : () -> ()
    return
  }
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    // expected-note @+2 {{'x.dispatch' has not ended}}
    // expected-error @+1 {{'x.dispatch' writes bytes [96, 128) of pool 'tensors', which 'x.dispatch' may still use}}
    "x.dispatch"(%x) {callees = [@g], gmem.workbuffers = [{size = 64 : i64}], gmem.workbuffer_offset = array<i64: 96>, gmem.workbuffer_pool = ["tensors"]} : (tensor<16xf32>) -> ()
    return
  }
}

// -----

// Functions that call each other: whichever is walked first, it writes what the other one does.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1) {
    // expected-note @+1 {{result #0 of 'x.a' has bytes [0, 64) of pool 'tensors'}}
    %v = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-note @+1 {{'func.call' writes there}}
    func.call @g(%c) : (i1) -> ()
    // expected-error @+1 {{'x.c' reads result #0 of 'x.a', but 'func.call' has overwritten bytes [0, 64) of pool 'tensors'}}
    "x.c"(%v) : (tensor<16xf32>) -> ()
    return
  }
  func.func private @g(%c: i1) {
    scf.if %c {
      func.call @h(%c) : (i1) -> ()
    }
    return
  }
  func.func private @h(%c: i1) {
    scf.if %c {
      func.call @g(%c) : (i1) -> ()
    }
    "x.b"() {gmem.workbuffers = [{size = 64 : i64}], gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["tensors"]} : () -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1) {
    // expected-note @+1 {{result #0 of 'x.a' has bytes [0, 64) of pool 'tensors'}}
    %v = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-note @+1 {{'func.call' writes there}}
    func.call @h(%c) : (i1) -> ()
    // expected-error @+1 {{'x.c' reads result #0 of 'x.a', but 'func.call' has overwritten bytes [0, 64) of pool 'tensors'}}
    "x.c"(%v) : (tensor<16xf32>) -> ()
    return
  }
  func.func private @g(%c: i1) {
    scf.if %c {
      func.call @h(%c) : (i1) -> ()
    }
    "x.b"() {gmem.workbuffers = [{size = 64 : i64}], gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["tensors"]} : () -> ()
    return
  }
  func.func private @h(%c: i1) {
    scf.if %c {
      func.call @g(%c) : (i1) -> ()
    }
    return
  }
}
