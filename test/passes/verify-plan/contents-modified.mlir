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

// -----

// 10. A part of a tensor is not what it was when a callee has modified that.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    return
  }
  func.func @f() -> tensor<8xf32> {
    %v = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-note @+1 {{result #0 of 'tensor.extract_slice' has bytes [64, 96) of pool 'tensors'}}
    %h = tensor.extract_slice %v[0] [8] [1] {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 32>} : tensor<16xf32> to tensor<8xf32>
    func.call @w(%v) : (tensor<16xf32>) -> ()
    // expected-note @+1 {{'tensor.extract_slice' writes there}}
    %k = tensor.extract_slice %v[0] [8] [1] {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 32>} : tensor<16xf32> to tensor<8xf32>
    // expected-error @+1 {{'x.b' reads result #0 of 'tensor.extract_slice', but 'tensor.extract_slice' has overwritten bytes [64, 96) of pool 'tensors'}}
    %r = "x.b"(%h, %k) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 32>} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %r : tensor<8xf32>
  }
}

// -----

// Nor are two results that were one value in a callee, when another, by a call in a
// call, has modified one of them.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g(%s: tensor<16xf32> {gmem.offset = 256 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32>, tensor<16xf32>) {
    return %s, %s : tensor<16xf32>, tensor<16xf32>
  }
  func.func private @m(%s: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    func.call @w(%s) : (tensor<16xf32>) -> ()
    return
  }
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    return
  }
  func.func @f() -> tensor<16xf32> {
    %v = "x.a"() {gmem.offset = array<i64: 256>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-note @+1 {{result #1 of 'func.call' has bytes [64, 128) of pool 'tensors'}}
    %a:2 = func.call @g(%v) {gmem.copies = [{edge = "results", from = 256 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 0 : i64, to_pool = "tensors"}, {edge = "results", from = 256 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 64 : i64, to_pool = "tensors"}], gmem.offset = array<i64: 0, 64>, gmem.pool = ["tensors", "tensors"], gmem.size = array<i64: 64, 64>} : (tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
    func.call @m(%a#0) : (tensor<16xf32>) -> ()
    // expected-note @+1 {{'tensor.extract_slice' writes there}}
    %k = tensor.extract_slice %a#0[0] [16] [1] {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : tensor<16xf32> to tensor<16xf32>
    // expected-error @+1 {{'x.b' reads result #1 of 'func.call', but 'tensor.extract_slice' has overwritten bytes [64, 128) of pool 'tensors'}}
    %r = "x.b"(%a#1) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %r : tensor<16xf32>
  }
}

// -----

// 11. A tensor that a callee is the first to write has contents from then on.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    return
  }
  func.func @f() -> tensor<16xf32> {
    // expected-note @+1 {{result #0 of 'tensor.empty' has bytes [0, 64) of pool 'tensors'}}
    %v = tensor.empty() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : tensor<16xf32>
    func.call @w(%v) : (tensor<16xf32>) -> ()
    // expected-note @+1 {{'x.o' writes there}}
    %o = "x.o"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-error @+1 {{'x.b' reads result #0 of 'tensor.empty', but 'x.o' has overwritten bytes [0, 64) of pool 'tensors'}}
    %r = "x.b"(%v) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %r : tensor<16xf32>
  }
}

// -----

// If it writes a copy, they are out of date as well.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 128 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    return
  }
  func.func @f() -> tensor<16xf32> {
    // expected-note @+1 {{result #0 of 'tensor.empty' has bytes [0, 64) of pool 'tensors'}}
    %v = tensor.empty() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : tensor<16xf32>
    // expected-note @+1 {{'func.call' passes a copy to a function that modifies it: inline the call, or return the tensor}}
    func.call @w(%v) {gmem.copies = [{edge = "callee", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}]} : (tensor<16xf32>) -> ()
    // expected-error @+1 {{'x.b' reads result #0 of 'tensor.empty', but 'func.call' has modified a copy of it}}
    %r = "x.b"(%v) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %r : tensor<16xf32>
  }
}

// -----

// Also for the next round of a loop.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 128 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    return
  }
  func.func @f(%n: index) {
    // expected-note @+1 {{result #0 of 'tensor.empty' has bytes [0, 64) of pool 'tensors'}}
    %v = tensor.empty() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : tensor<16xf32>
    scf.for %i = %n to %n step %n {
      // expected-error @+2 {{'func.call' copies result #0 of 'tensor.empty', but 'func.call' has modified a copy of it}}
      // expected-note @+1 {{'func.call' passes a copy to a function that modifies it: inline the call, or return the tensor}}
      func.call @w(%v) {gmem.copies = [{edge = "callee", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}]} : (tensor<16xf32>) -> ()
    }
    return
  }
}

// -----

// It has no place: only this call may use it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 128 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    return
  }
  func.func @f(%n: index) {
    %v = tensor.empty() : tensor<16xf32>
    func.call @w(%v) : (tensor<16xf32>) -> ()
    %e = tensor.empty() : tensor<16xf32>
    scf.for %i = %n to %n step %n {
      // expected-error @+1 {{'func.call' passes result #0 of 'tensor.empty', which has no place in the plan, to a function that modifies it, and other ops use it}}
      func.call @w(%e) : (tensor<16xf32>) -> ()
    }
    return
  }
}

// -----

// 12. Whoever calls a function that returns an argument in its place reads the
// operand, not the result.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 128 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    return %s : tensor<16xf32>
  }
  // expected-note @+1 {{argument #0 has bytes [0, 64) of pool 'tensors'}}
  func.func private @m(%s: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32> {gmem.same_as = 0 : i64}) {
    // expected-note @+1 {{'func.call' passes a copy to a function that modifies it: inline the call, or return the tensor}}
    %a = func.call @w(%s) {gmem.copies = [{edge = "callee", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}, {edge = "results", from = 128 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 0 : i64, to_pool = "tensors"}], gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+1 {{'func.return' returns after an op modified argument #0, but 'func.call' has modified a copy of it}}
    return %a : tensor<16xf32>
  }
  func.func @f() -> tensor<16xf32> {
    %v = "x.a"() {gmem.offset = array<i64: 256>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    %a = func.call @m(%v) {gmem.copies = [{edge = "callee", from = 256 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 0 : i64, to_pool = "tensors"}], gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %r = "x.b"(%v) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %r : tensor<16xf32>
  }
}

// -----

// 13. An op with regions modifies an input: its new contents are the host's.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  // expected-note @+1 {{argument #0 has bytes [0, 64) of pool 'tensors'}}
  func.func @f(%v: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    "x.region"(%v) ({
      "x.end"() : () -> ()
    }) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    // expected-note @+1 {{'x.b' writes there}}
    %r = "x.b"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-error @+1 {{'func.return' returns after an op modified argument #0, but 'x.b' has overwritten bytes [0, 64) of pool 'tensors'}}
    return %r : tensor<16xf32>
  }
}

// -----

// 14. The caller modifies an argument by a memref of it that is returned.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 128 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> memref<16xf32> {
    %m = bufferization.to_buffer %s : tensor<16xf32> to memref<16xf32>
    return %m : memref<16xf32>
  }
  func.func @f(%i: index, %e: f32) -> tensor<16xf32> {
    // expected-note @+1 {{result #0 of 'x.a' has bytes [0, 64) of pool 'tensors'}}
    %v = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-note @+1 {{'func.call' passes a copy to a function that modifies it: inline the call, or return the tensor}}
    %m = func.call @w(%v) {gmem.copies = [{edge = "callee", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}]} : (tensor<16xf32>) -> memref<16xf32>
    memref.store %e, %m[%i] : memref<16xf32>
    // expected-error @+1 {{'x.b' reads result #0 of 'x.a', but 'func.call' has modified a copy of it}}
    %r = "x.b"(%v) {gmem.offset = array<i64: 256>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %r : tensor<16xf32>
  }
}

// -----

// 15. Deferred code may overwrite a tensor, which it does not read, at any time.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 128 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    // expected-note @+1 {{result #0 of 'x.a' has bytes [0, 64) of pool 'tensors'}}
    %v = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    %t = async.execute {
      "torch.overwrite.tensor.contents"(%x, %v) : (tensor<16xf32>, tensor<16xf32>) -> ()
      async.yield
    }
    // expected-note @+1 {{'x.o' writes there}}
    %o = "x.o"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    async.await %t : !async.token
    %r = "x.b"(%o) {gmem.offset = array<i64: 256>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+1 {{'func.return' returns while deferred code uses result #0 of 'x.a', but 'x.o' has overwritten bytes [0, 64) of pool 'tensors'}}
    return %r : tensor<16xf32>
  }
}

// -----

// 16. Code that is not known may call a function by a value.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 128 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    return
  }
  func.func @f() -> tensor<16xf32> {
    %g = func.constant @w : (tensor<16xf32>) -> ()
    // expected-note @+1 {{result #0 of 'x.a' has bytes [0, 64) of pool 'tensors'}}
    %v = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-note @+1 {{'func.call_indirect' passes a copy to a function that modifies it: inline the call, or return the tensor}}
    func.call_indirect %g(%v) : (tensor<16xf32>) -> ()
    // expected-error @+1 {{'x.b' reads result #0 of 'x.a', but 'func.call_indirect' has modified a copy of it}}
    %r = "x.b"(%v) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %r : tensor<16xf32>
  }
}

// -----

// One that modifies nothing.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 128 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "x.w"(%s) : (tensor<16xf32>) -> ()
    return
  }
  func.func @f() -> tensor<16xf32> {
    %g = func.constant @w : (tensor<16xf32>) -> ()
    %v = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    func.call_indirect %g(%v) : (tensor<16xf32>) -> ()
    %r = "x.b"(%v) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %r : tensor<16xf32>
  }
}

// -----

// 17. A callee is given a tensor twice, modifies the one and reads the other, a copy.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %t: tensor<16xf32> {gmem.offset = 128 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    "x.c"(%t) : (tensor<16xf32>) -> ()
    return
  }
  func.func @f() {
    %v = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-error @+1 {{'func.call' passes what its callee modifies as operands #0 and #1, of which one is a copy: inline the call}}
    func.call @w(%v, %v) {gmem.copies = [{edge = "callee", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}]} : (tensor<16xf32>, tensor<16xf32>) -> ()
    return
  }
}

// -----

// A memref of it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 128 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %i: index, %m: memref<16xf32>) -> f32 {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    %e = memref.load %m[%i] : memref<16xf32>
    return %e : f32
  }
  func.func @f(%i: index) -> f32 {
    %v = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    %m = bufferization.to_buffer %v : tensor<16xf32> to memref<16xf32>
    // expected-error @+1 {{'func.call' passes what its callee modifies as operands #0 and #2, of which one is a copy: inline the call}}
    %e = func.call @w(%v, %i, %m) {gmem.copies = [{edge = "callee", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}]} : (tensor<16xf32>, index, memref<16xf32>) -> f32
    return %e : f32
  }
}

// -----

// 18. Newer contents of an input are there on one of two ways to the return alone.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    return %s : tensor<16xf32>
  }
  // expected-note @+1 {{argument #1 has bytes [0, 64) of pool 'tensors'}}
  func.func @f(%c: i1, %s: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    cf.cond_br %c, ^then, ^else
  ^then:
    %v = func.call @w(%s) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    cf.br ^use
  ^use:
    "x.b"(%v) : (tensor<16xf32>) -> ()
    cf.br ^end
  ^else:
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    // expected-note @+1 {{'x.a' writes there}}
    %o = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.b"(%o) : (tensor<16xf32>) -> ()
    cf.br ^end
  ^end:
    // expected-error @+1 {{'func.return' returns after an op modified argument #1, but 'x.a' has overwritten bytes [0, 64) of pool 'tensors'}}
    return
  }
}

// -----

// On both.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    return %s : tensor<16xf32>
  }
  func.func @f(%c: i1, %s: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %u = func.call @w(%s) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %v = func.call @w(%u) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    cf.cond_br %c, ^use, ^end
  ^use:
    "x.b"(%v) : (tensor<16xf32>) -> ()
    cf.br ^end
  ^end:
    return
  }
}

// -----

// In the block that returns.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    return %s : tensor<16xf32>
  }
  func.func @f(%c: i1, %s: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    cf.cond_br %c, ^then, ^end
  ^then:
    %u = func.call @w(%s) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %v = func.call @w(%u) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    "x.b"(%v) : (tensor<16xf32>) -> ()
    return
  ^end:
    return
  }
}

// -----

// 19. Nothing copies an operand without contents: the callee writes its argument.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 128 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    return
  }
  func.func @f() {
    // expected-note @+1 {{result #0 of 'x.a' has bytes [128, 192) of pool 'tensors'}}
    %v = "x.a"() {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    %e = tensor.empty() : tensor<16xf32>
    // expected-note @+1 {{'func.call' writes there}}
    func.call @w(%e) : (tensor<16xf32>) -> ()
    // expected-error @+1 {{'x.b' reads result #0 of 'x.a', but 'func.call' has overwritten bytes [128, 192) of pool 'tensors'}}
    "x.b"(%v) : (tensor<16xf32>) -> ()
    return
  }
}

// -----

// 20. A list that control flow has passed on stands for the operand, too: it was accepted.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32> {gmem.offset = 128 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    return
  }
  func.func @f() {
    %v = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    %l = "x.list"(%v) : (tensor<16xf32>) -> !x.list
    cf.br ^next(%l : !x.list)
  // expected-note @+1 {{argument #0 has bytes [0, 64) of pool 'tensors'}}
  ^next(%k: !x.list):
    // expected-note @+1 {{'func.call' passes a copy to a function that modifies it: inline the call, or return the tensor}}
    func.call @w(%v) {gmem.copies = [{edge = "callee", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}]} : (tensor<16xf32>) -> ()
    // expected-error @+1 {{'x.unlist' reads argument #0, but 'func.call' has modified a copy of it}}
    "x.unlist"(%k) : (!x.list) -> ()
    return
  }
}

// -----

// 21. A function that calls itself has no places: it modifies a copy. It was accepted.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%s: tensor<16xf32>, %c: i1) {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    func.call @v(%c, %s) : (i1, tensor<16xf32>) -> ()
    return
  }
  func.func private @v(%c: i1, %s: tensor<16xf32>) {
    scf.if %c {
      func.call @w(%s, %c) : (tensor<16xf32>, i1) -> ()
    }
    return
  }
  func.func @f(%c: i1) {
    // expected-note @+1 {{result #0 of 'x.a' has bytes [0, 64) of pool 'tensors'}}
    %v = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-note @+1 {{'func.call' passes a copy to a function that modifies it: inline the call, or return the tensor}}
    func.call @v(%c, %v) : (i1, tensor<16xf32>) -> ()
    // expected-error @+1 {{'x.b' reads result #0 of 'x.a', but 'func.call' has modified a copy of it}}
    "x.b"(%v) : (tensor<16xf32>) -> ()
    return
  }
}

// -----

// Another operand may be read.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @w(%r: tensor<16xf32>, %s: tensor<16xf32>, %c: i1) {
    "x.w"(%s, %r) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>, tensor<16xf32>) -> ()
    scf.if %c {
      func.call @w(%r, %s, %c) : (tensor<16xf32>, tensor<16xf32>, i1) -> ()
    }
    return
  }
  func.func @f(%c: i1) {
    %u = "x.a"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    %v = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    func.call @w(%u, %v, %c) : (tensor<16xf32>, tensor<16xf32>, i1) -> ()
    "x.b"(%u) : (tensor<16xf32>) -> ()
    return
  }
}

// -----

// 22. A function that may run beside itself has no places: what it modifies is a copy.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    // expected-note @+1 {{result #0 of 'x.a' has bytes [0, 64) of pool 'tensors'}}
    %v = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    %u = "x.a"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    %s = async.execute {
      // expected-error @+2 {{'func.call' reads result #0 of 'x.a', but 'func.call' has modified a copy of it}}
      // expected-note @+1 {{'func.call' passes a copy to a function that modifies it: inline the call, or return the tensor}}
      func.call @w(%v) : (tensor<16xf32>) -> ()
      async.yield
    }
    %t = async.execute {
      func.call @w(%u) : (tensor<16xf32>) -> ()
      async.yield
    }
    async.await %s : !async.token
    async.await %t : !async.token
    "x.b"(%v, %u) : (tensor<16xf32>, tensor<16xf32>) -> ()
    return
  }
  func.func private @w(%s: tensor<16xf32>) {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index) {
    // expected-note @+1 {{result #0 of 'x.a' has bytes [0, 64) of pool 'tensors'}}
    %v = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    scf.forall (%i) in (%n) {
      // expected-error @+2 {{'func.call' reads result #0 of 'x.a', but 'func.call' has modified a copy of it}}
      // expected-note @+1 {{'func.call' passes a copy to a function that modifies it: inline the call, or return the tensor}}
      func.call @w(%v) : (tensor<16xf32>) -> ()
    }
    "x.b"(%v) : (tensor<16xf32>) -> ()
    return
  }
  func.func private @w(%s: tensor<16xf32>) {
    "x.w"(%s) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    return
  }
}

// -----

// 23. It modifies its argument by a memref of it, or reads it alone.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %i: index) {
    // expected-note @+1 {{result #0 of 'x.a' has bytes [0, 64) of pool 'tensors'}}
    %v = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-note @+1 {{'func.call' passes a copy to a function that modifies it: inline the call, or return the tensor}}
    func.call @w(%v, %c, %i) : (tensor<16xf32>, i1, index) -> ()
    // expected-error @+1 {{'x.b' reads result #0 of 'x.a', but 'func.call' has modified a copy of it}}
    "x.b"(%v) : (tensor<16xf32>) -> ()
    return
  }
  func.func private @w(%s: tensor<16xf32>, %c: i1, %i: index) {
    %m = bufferization.to_buffer %s : tensor<16xf32> to memref<16xf32>
    %k = memref.load %m[%i] : memref<16xf32>
    memref.store %k, %m[%i] : memref<16xf32>
    scf.if %c {
      func.call @w(%s, %c, %i) : (tensor<16xf32>, i1, index) -> ()
    }
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %i: index) {
    %v = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    func.call @w(%v, %c, %i) : (tensor<16xf32>, i1, index) -> ()
    "x.b"(%v) : (tensor<16xf32>) -> ()
    return
  }
  func.func private @w(%s: tensor<16xf32>, %c: i1, %i: index) {
    %m = bufferization.to_buffer %s : tensor<16xf32> to memref<16xf32>
    %k = memref.load %m[%i] : memref<16xf32>
    scf.if %c {
      func.call @w(%s, %c, %i) : (tensor<16xf32>, i1, index) -> ()
    }
    return
  }
}
