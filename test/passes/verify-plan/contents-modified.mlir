// Functions that modify tensors that they are given, in plans written by hand.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// In MLIR 19 bufferization.to_buffer is to_memref.
//
// RUN: gmem-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --gmem-verify-plan=only=contents -o /dev/null

// 1. A function modifies what it is given: that is its caller's, who reads the new
// contents.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    return
  }

  func.func @f() -> tensor<16xf32> {
    %v = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    func.call @w(%v) : (tensor<16xf32>) -> ()
    %r = "x.b"(%v) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %r : tensor<16xf32>
  }
}

// -----

// It modifies a copy, and the caller does not see it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 128 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    return
  }

  func.func @f() -> tensor<16xf32> {
    // expected-note @+1 {{result #0 of 'x.a' has bytes [0, 64) of pool 'tensors'}}
    %v = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-note @+1 {{'func.call' passes a copy to a function that modifies it: inline the call, or return the tensor}}
    func.call @w(%v) {gmem.copies = [{edge = "callee", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}]} : (tensor<16xf32>) -> ()
    // expected-error @+1 {{'x.b' reads result #0 of 'x.a', but 'func.call' has modified a copy of it}}
    %r = "x.b"(%v) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %r : tensor<16xf32>
  }
}

// -----

// A copy is no matter to a caller who does not read the tensor again.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 128 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    return
  }

  func.func @f() -> tensor<16xf32> {
    %v = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    func.call @w(%v) {gmem.copies = [{edge = "callee", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}]} : (tensor<16xf32>) -> ()
    %r = "x.b"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    return %r : tensor<16xf32>
  }
}

// -----

// What the callee makes there is not the caller's.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    %t = "x.t"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    return
  }
  func.func @f() -> tensor<16xf32> {
    // expected-note @+1 {{result #0 of 'x.a' has bytes [0, 64) of pool 'tensors'}}
    %v = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-note @+1 {{'func.call' writes there}}
    func.call @w(%v) : (tensor<16xf32>) -> ()
    // expected-error @+1 {{'x.b' reads result #0 of 'x.a', but 'func.call' has overwritten bytes [0, 64) of pool 'tensors'}}
    %r = "x.b"(%v) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %r : tensor<16xf32>
  }
}

// -----

// 2. What shares the bytes of a tensor that a callee modifies is lost, as if the
// call modified it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    return
  }

  func.func @f() -> tensor<16xf32> {
    %v = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-note @+1 {{result #0 of 'scf.execute_region' has bytes [0, 64) of pool 'tensors'}}
    %o = scf.execute_region -> tensor<16xf32> {
      scf.yield %v : tensor<16xf32>
    } {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>}
    // expected-note @+1 {{'func.call' writes there}}
    func.call @w(%v) : (tensor<16xf32>) -> ()
    // expected-error @+1 {{'x.b' reads result #0 of 'scf.execute_region', but 'func.call' has overwritten bytes [0, 64) of pool 'tensors'}}
    %r = "x.b"(%o) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %r : tensor<16xf32>
  }
}

// -----

// 3. Calls in calls: the tensor is that of the first caller.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    return
  }

  func.func private @m(%s: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    func.call @w(%s) : (tensor<16xf32>) -> ()
    return
  }
  func.func @f() -> tensor<16xf32> {
    %v = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    func.call @m(%v) : (tensor<16xf32>) -> ()
    %r = "x.b"(%v) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %r : tensor<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 128 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    return
  }

  // expected-note @+1 {{argument #0 has bytes [0, 64) of pool 'tensors'}}
  func.func private @m(%s: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    // expected-note @+1 {{'func.call' passes a copy to a function that modifies it: inline the call, or return the tensor}}
    func.call @w(%s) {gmem.copies = [{edge = "callee", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}]} : (tensor<16xf32>) -> ()
    // expected-error @+1 {{'func.return' returns after an op modified argument #0, but 'func.call' has modified a copy of it}}
    return
  }
  func.func @f() -> tensor<16xf32> {
    %v = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    func.call @m(%v) : (tensor<16xf32>) -> ()
    %r = "x.b"(%v) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %r : tensor<16xf32>
  }
}

// -----

// 4. The next round of a loop reads it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    return
  }

  func.func @f(%n: index) -> tensor<16xf32> {
    %v = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    scf.for %i = %n to %n step %n {
      "x.b"(%v) : (tensor<16xf32>) -> ()
      func.call @w(%v) : (tensor<16xf32>) -> ()
    }
    %r = "x.c"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    return %r : tensor<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 128 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    return
  }

  func.func @f(%n: index) -> tensor<16xf32> {
    // expected-note @+1 {{result #0 of 'x.a' has bytes [0, 64) of pool 'tensors'}}
    %v = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    scf.for %i = %n to %n step %n {
      // expected-error @+1 {{'x.b' reads result #0 of 'x.a', but 'func.call' has modified a copy of it}}
      "x.b"(%v) : (tensor<16xf32>) -> ()
      // expected-note @+1 {{'func.call' passes a copy to a function that modifies it: inline the call, or return the tensor}}
      func.call @w(%v) {gmem.copies = [{edge = "callee", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}]} : (tensor<16xf32>) -> ()
    }
    %r = "x.c"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    return %r : tensor<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    return
  }

  func.func @f(%c: i1) -> tensor<16xf32> {
    %v = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    cf.br ^loop
  ^loop:
    "x.b"(%v) : (tensor<16xf32>) -> ()
    func.call @w(%v) : (tensor<16xf32>) -> ()
    cf.cond_br %c, ^loop, ^end
  ^end:
    %r = "x.c"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    return %r : tensor<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 128 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    return
  }

  func.func @f(%c: i1) -> tensor<16xf32> {
    // expected-note @+1 {{result #0 of 'x.a' has bytes [0, 64) of pool 'tensors'}}
    %v = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    cf.br ^loop
  ^loop:
    // expected-error @+1 {{'x.b' reads result #0 of 'x.a', but 'func.call' has modified a copy of it}}
    "x.b"(%v) : (tensor<16xf32>) -> ()
    // expected-note @+1 {{'func.call' passes a copy to a function that modifies it: inline the call, or return the tensor}}
    func.call @w(%v) {gmem.copies = [{edge = "callee", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}]} : (tensor<16xf32>) -> ()
    cf.cond_br %c, ^loop, ^end
  ^end:
    %r = "x.c"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    return %r : tensor<16xf32>
  }
}

// -----

// 5. An op that runs a function by a value writes the arguments itself.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 128 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    return
  }
  func.func @f(%i: index) -> tensor<16xf32> {
    // expected-note @+1 {{result #0 of 'x.a' has bytes [0, 64) of pool 'tensors'}}
    %v = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-note @+1 {{'x.runs' passes a copy to a function that modifies it: inline the call, or return the tensor}}
    "x.runs"(%i, %v) {function = @w} : (index, tensor<16xf32>) -> ()
    // expected-error @+1 {{'x.b' reads result #0 of 'x.a', but 'x.runs' has modified a copy of it}}
    %r = "x.b"(%v) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %r : tensor<16xf32>
  }
}

// -----

// 6. A memref of the tensor is one way to modify it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %i: index, %e: f32) {
    %m = bufferization.to_buffer %s : tensor<16xf32> to memref<16xf32>
    memref.store %e, %m[%i] : memref<16xf32>
    return
  }
  func.func @f(%i: index, %e: f32) -> tensor<16xf32> {
    %v = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    func.call @w(%v, %i, %e) : (tensor<16xf32>, index, f32) -> ()
    %r = "x.b"(%v) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %r : tensor<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 128 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %i: index, %e: f32) {
    %m = bufferization.to_buffer %s : tensor<16xf32> to memref<16xf32>
    memref.store %e, %m[%i] : memref<16xf32>
    return
  }
  func.func @f(%i: index, %e: f32) -> tensor<16xf32> {
    // expected-note @+1 {{result #0 of 'x.a' has bytes [0, 64) of pool 'tensors'}}
    %v = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-note @+1 {{'func.call' passes a copy to a function that modifies it: inline the call, or return the tensor}}
    func.call @w(%v, %i, %e) {gmem.copies = [{edge = "callee", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}]} : (tensor<16xf32>, index, f32) -> ()
    // expected-error @+1 {{'x.b' reads result #0 of 'x.a', but 'func.call' has modified a copy of it}}
    %r = "x.b"(%v) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %r : tensor<16xf32>
  }
}

// -----

// 7. A function that is given a memref, too, is walked for the call.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %m: memref<16xf32>) {
    "x.w"(%s, %m) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>, memref<16xf32>) -> ()
    return
  }
  func.func @f() -> tensor<16xf32> {
    %m = memref.alloc() {gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %v = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    func.call @w(%v, %m) : (tensor<16xf32>, memref<16xf32>) -> ()
    memref.dealloc %m : memref<16xf32>
    %r = "x.b"(%v) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %r : tensor<16xf32>
  }
}

// -----

// 8. A constant that a function modifies is changed from run to run.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 128 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    return
  }

  func.func @f() {
    %v = "x.a"() {gmem.op_model = {kind = "weight"}, gmem.constant = 0 : i64, gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-error @+1 {{'func.call' passes operand #0, a constant, to a function that modifies it: what is changed from run to run is an argument with gmem.state}}
    func.call @w(%v) {gmem.copies = [{edge = "callee", from = 0 : i64, from_pool = "weights", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}]} : (tensor<16xf32>) -> ()
    return
  }
}

// -----

// 9. An input that a callee modifies is the host's, who reads the new contents: of
// the input, or of what the callee returns at its place.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    return %s : tensor<16xf32>
  }
  func.func @f(%v: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %a = func.call @w(%v) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %b = func.call @w(%a) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %r = "x.b"(%b) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %r : tensor<16xf32>
  }
}

// -----

// Not of anything else.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    return %s : tensor<16xf32>
  }
  // expected-note @+1 {{argument #0 has bytes [0, 64) of pool 'tensors'}}
  func.func @f(%v: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %a = func.call @w(%v) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %b = "x.b"(%a) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-note @+1 {{'x.c' writes there}}
    %c = "x.c"(%b) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+1 {{'func.return' returns after an op modified argument #0, but 'x.c' has overwritten bytes [0, 64) of pool 'tensors'}}
    return %c : tensor<16xf32>
  }
}

// -----

// The copy is returned to somewhere else.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 128 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    return %s : tensor<16xf32>
  }
  // expected-note @+1 {{argument #0 has bytes [0, 64) of pool 'tensors'}}
  func.func @f(%v: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    // expected-note @+1 {{'func.call' passes a copy to a function that modifies it: inline the call, or return the tensor}}
    %a = func.call @w(%v) {gmem.copies = [{edge = "callee", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}], gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+1 {{'func.return' returns after an op modified argument #0, but 'func.call' has modified a copy of it}}
    return %a : tensor<16xf32>
  }
}

// -----

// Unless it is returned in the memory of the input.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 128 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    return %s : tensor<16xf32>
  }
  func.func @f(%v: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32> {gmem.same_as = 0 : i64}) {
    %a = func.call @w(%v) {gmem.copies = [{edge = "callee", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}, {edge = "results", from = 128 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 0 : i64, to_pool = "tensors"}], gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %a : tensor<16xf32>
  }
}
