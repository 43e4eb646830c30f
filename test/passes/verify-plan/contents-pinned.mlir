// A value that a loop makes and that must be intact when its function returns, as a
// handle leads to it or a layer group in several blocks reads it: behind the loop, and
// in its other rounds, nothing was known of it. Of each pair the first plan, written by
// hand, is sound, the second is not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --gmem-verify-plan=only=contents -o /dev/null

// 1. Behind a loop.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index) {
    scf.for %i = %n to %n step %n {
      %v = "x.v"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      %h = bufferization.to_buffer %v : tensor<16xf32> to memref<16xf32>
    }
    %a = "x.a"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index) {
    scf.for %i = %n to %n step %n {
      // expected-note @+1 {{result #0 of 'x.v' has bytes [0, 64) of pool 'tensors'}}
      %v = "x.v"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      %h = bufferization.to_buffer %v : tensor<16xf32> to memref<16xf32>
    }
    // expected-note @+1 {{'x.a' writes there}}
    %a = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-error @+1 {{'func.return' returns while a handle leads to result #0 of 'x.v', but 'x.a' has overwritten bytes [0, 64) of pool 'tensors'}}
    return
  }
}

// -----

// 2. In the rest of the loop.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index) {
    scf.for %i = %n to %n step %n {
      %v = "x.v"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      %h = bufferization.to_buffer %v : tensor<16xf32> to memref<16xf32>
      %a = "x.a"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    }
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index) {
    scf.for %i = %n to %n step %n {
      // expected-note @+1 {{result #0 of 'x.v' has bytes [0, 64) of pool 'tensors'}}
      %v = "x.v"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      %h = bufferization.to_buffer %v : tensor<16xf32> to memref<16xf32>
      // expected-note @+1 {{'x.a' writes there}}
      %a = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    }
    // expected-error @+1 {{'func.return' returns while a handle leads to result #0 of 'x.v', but 'x.a' has overwritten bytes [0, 64) of pool 'tensors'}}
    return
  }
}

// -----

// 3. In a later round, which does not make the value again.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index, %c: i1) {
    scf.for %i = %n to %n step %n {
      %a = "x.a"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      scf.if %c {
        %v = "x.v"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
        %h = bufferization.to_buffer %v : tensor<16xf32> to memref<16xf32>
      }
    }
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index, %c: i1) {
    scf.for %i = %n to %n step %n {
      // expected-note @+1 {{'x.a' writes there}}
      %a = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      scf.if %c {
        // expected-note @+1 {{result #0 of 'x.v' has bytes [0, 64) of pool 'tensors'}}
        %v = "x.v"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
        %h = bufferization.to_buffer %v : tensor<16xf32> to memref<16xf32>
      }
    }
    // expected-error @+1 {{'func.return' returns while a handle leads to result #0 of 'x.v', but 'x.a' has overwritten bytes [0, 64) of pool 'tensors'}}
    return
  }
}

// -----

// 4. In a later run of a loop in a loop, which may have no round.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index, %c: i1) {
    scf.for %i = %n to %n step %n {
      %a = "x.a"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      scf.for %k = %n to %n step %n {
        %v = "x.v"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
        %h = bufferization.to_buffer %v : tensor<16xf32> to memref<16xf32>
      }
    }
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index, %c: i1) {
    scf.for %i = %n to %n step %n {
      // expected-note @+1 {{'x.a' writes there}}
      %a = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      scf.for %k = %n to %n step %n {
        // expected-note @+1 {{result #0 of 'x.v' has bytes [0, 64) of pool 'tensors'}}
        %v = "x.v"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
        %h = bufferization.to_buffer %v : tensor<16xf32> to memref<16xf32>
      }
    }
    // expected-error @+1 {{'func.return' returns while a handle leads to result #0 of 'x.v', but 'x.a' has overwritten bytes [0, 64) of pool 'tensors'}}
    return
  }
}

// -----

// 5. In the other region of a while.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1) {
    scf.while : () -> () {
      %a = "x.a"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      scf.condition(%c)
    } do {
      %v = "x.v"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      %h = bufferization.to_buffer %v : tensor<16xf32> to memref<16xf32>
      scf.yield
    }
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1) {
    scf.while : () -> () {
      // expected-note @+1 {{'x.a' writes there}}
      %a = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      scf.condition(%c)
    } do {
      // expected-note @+1 {{result #0 of 'x.v' has bytes [0, 64) of pool 'tensors'}}
      %v = "x.v"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      %h = bufferization.to_buffer %v : tensor<16xf32> to memref<16xf32>
      scf.yield
    }
    // expected-error @+1 {{'func.return' returns while a handle leads to result #0 of 'x.v', but 'x.a' has overwritten bytes [0, 64) of pool 'tensors'}}
    return
  }
}

// -----

// 6. In the other region of an op that runs them in any order.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    "x.any"() ({
      %v = "x.v"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      %h = bufferization.to_buffer %v : tensor<16xf32> to memref<16xf32>
      "x.yield"() : () -> ()
    }, {
      %a = "x.a"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      "x.yield"() : () -> ()
    }) : () -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    "x.any"() ({
      // expected-note @+1 {{result #0 of 'x.v' has bytes [0, 64) of pool 'tensors'}}
      %v = "x.v"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      %h = bufferization.to_buffer %v : tensor<16xf32> to memref<16xf32>
      "x.yield"() : () -> ()
    }, {
      // expected-note @+1 {{'x.a' writes there}}
      %a = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      "x.yield"() : () -> ()
    }) : () -> ()
    // expected-error @+1 {{'func.return' returns while a handle leads to result #0 of 'x.v', but 'x.a' has overwritten bytes [0, 64) of pool 'tensors'}}
    return
  }
}

// -----

// 7. A layer group in several blocks reads its operands to the end, too.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index) {
    "x.first"() {gmem.layer_group = 1 : i64} : () -> ()
    scf.for %i = %n to %n step %n {
      %v = "x.v"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      "x.last"(%v) {gmem.layer_group = 1 : i64} : (tensor<16xf32>) -> ()
      %a = "x.a"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    }
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index) {
    "x.first"() {gmem.layer_group = 1 : i64} : () -> ()
    scf.for %i = %n to %n step %n {
      // expected-note @+1 {{result #0 of 'x.v' has bytes [0, 64) of pool 'tensors'}}
      %v = "x.v"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      "x.last"(%v) {gmem.layer_group = 1 : i64} : (tensor<16xf32>) -> ()
      // expected-note @+1 {{'x.a' writes there}}
      %a = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    }
    // expected-error @+1 {{'func.return' returns while a layer group uses result #0 of 'x.v', but 'x.a' has overwritten bytes [0, 64) of pool 'tensors'}}
    return
  }
}

// -----

// 8. A loop of blocks goes back with what is pinned, though it loses nothing else.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1) {
    "x.first"() {gmem.layer_group = 1 : i64} : () -> ()
    cf.br ^head
  ^head:
    %a = "x.a"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    cf.cond_br %c, ^body, ^end
  ^body:
    %v = "x.v"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.last"(%v) {gmem.layer_group = 1 : i64} : (tensor<16xf32>) -> ()
    cf.br ^head
  ^end:
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1) {
    "x.first"() {gmem.layer_group = 1 : i64} : () -> ()
    cf.br ^head
  ^head:
    // expected-note @+1 {{'x.a' writes there}}
    %a = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    cf.cond_br %c, ^body, ^end
  ^body:
    // expected-note @+1 {{result #0 of 'x.v' has bytes [0, 64) of pool 'tensors'}}
    %v = "x.v"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.last"(%v) {gmem.layer_group = 1 : i64} : (tensor<16xf32>) -> ()
    cf.br ^head
  ^end:
    // expected-error @+1 {{'func.return' returns while a layer group uses result #0 of 'x.v', but 'x.a' has overwritten bytes [0, 64) of pool 'tensors'}}
    return
  }
}

// -----

// 9. Sound: an op modifies what a loop in a loop carries. That was taken for memory from
// outside of the loop, which has contents when it begins.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index) {
    scf.for %i = %n to %n step %n {
      %0 = "x.a"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      %r = scf.for %k = %n to %n step %n iter_args(%x = %0) -> (tensor<16xf32>) {
        %h = bufferization.to_buffer %x : tensor<16xf32> to memref<16xf32>
        "x.w"(%h) : (memref<16xf32>) -> ()
        scf.yield {gmem.copies = [{edge = "next", from = 64 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 0 : i64, to_pool = "tensors"}]} %0 : tensor<16xf32>
      } {gmem.block_args = [{block = 0 : i64, region = 0 : i64, offset = array<i64: 0, 0>, pool = ["", "tensors"], size = array<i64: 0, 64>}], gmem.copies = [{edge = "region", from = 64 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 0 : i64, to_pool = "tensors"}], gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>}
    }
    return
  }
}

// -----

// 10. Sound: the loop is in a graph region, whose ops make all their writes again.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index) {
    "x.graph"() ({
      "x.use"(%1) : (tensor<16xf32>) -> ()
      scf.for %i = %n to %n step %n {
        %v = "x.v"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
        %h = bufferization.to_buffer %v : tensor<16xf32> to memref<16xf32>
      }
      %1 = "x.b"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      "x.yield"() : () -> ()
    }) : () -> ()
    return
  }
}
