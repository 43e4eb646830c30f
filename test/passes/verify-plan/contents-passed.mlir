// What has no place in the plan, as a stream may still read it, gets to values that
// have one by copies that no record states. Of each pair of plans, written by hand,
// the first is sound, the second is not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --gmem-verify-plan=only=contents -o /dev/null

// 1. The results of a loop in a loop.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %u = "x.unplaced"() {gmem.stream = 1 : i64} : () -> tensor<16xf32>
    scf.for %i = %n to %n step %n {
      "x.use"(%x) : (tensor<16xf32>) -> ()
      %1 = scf.for %k = %n to %n step %n iter_args(%a = %u) -> tensor<16xf32> {
        scf.yield %a : tensor<16xf32>
      } {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>}
    }
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  // expected-note @+1 {{argument #1 has bytes [0, 64)}}
  func.func @f(%n: index, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %u = "x.unplaced"() {gmem.stream = 1 : i64} : () -> tensor<16xf32>
    scf.for %i = %n to %n step %n {
      // expected-error @+1 {{'x.use' reads argument #1, but 'scf.for' has overwritten bytes [0, 64) of pool 'tensors'}}
      "x.use"(%x) : (tensor<16xf32>) -> ()
      // expected-note @+1 {{'scf.for' writes there}}
      %1 = scf.for %k = %n to %n step %n iter_args(%a = %u) -> tensor<16xf32> {
        scf.yield %a : tensor<16xf32>
      } {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>}
    }
    return
  }
}

// -----

// What it carries, at first.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %u = "x.unplaced"() {gmem.stream = 1 : i64} : () -> tensor<16xf32>
    scf.for %i = %n to %n step %n {
      "x.use"(%x) : (tensor<16xf32>) -> ()
      %1 = scf.for %k = %n to %n step %n iter_args(%a = %u) -> tensor<16xf32> {
        scf.yield %a : tensor<16xf32>
      } {gmem.block_args = [{block = 0 : i64, offset = array<i64: -1, 64>, pool = ["", "tensors"], region = 0 : i64, size = array<i64: -1, 64>}], gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>}
    }
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  // expected-note @+1 {{argument #1 has bytes [0, 64)}}
  func.func @f(%n: index, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %u = "x.unplaced"() {gmem.stream = 1 : i64} : () -> tensor<16xf32>
    scf.for %i = %n to %n step %n {
      // expected-error @+1 {{'x.use' reads argument #1, but 'scf.for' has overwritten bytes [0, 64) of pool 'tensors'}}
      "x.use"(%x) : (tensor<16xf32>) -> ()
      // expected-note @+1 {{'scf.for' writes there}}
      %1 = scf.for %k = %n to %n step %n iter_args(%a = %u) -> tensor<16xf32> {
        scf.yield %a : tensor<16xf32>
      } {gmem.block_args = [{block = 0 : i64, offset = array<i64: -1, 0>, pool = ["", "tensors"], region = 0 : i64, size = array<i64: -1, 64>}], gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>}
    }
    return
  }
}

// -----

// Those of a branch in a loop.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index, %c: i1, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %u = "x.unplaced"() {gmem.stream = 1 : i64} : () -> tensor<16xf32>
    scf.for %i = %n to %n step %n {
      "x.use"(%x) : (tensor<16xf32>) -> ()
      %1 = scf.if %c -> tensor<16xf32> {
        scf.yield %u : tensor<16xf32>
      } else {
        scf.yield %u : tensor<16xf32>
      } {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>}
    }
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  // expected-note @+1 {{argument #2 has bytes [0, 64)}}
  func.func @f(%n: index, %c: i1, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %u = "x.unplaced"() {gmem.stream = 1 : i64} : () -> tensor<16xf32>
    scf.for %i = %n to %n step %n {
      // expected-error @+1 {{'x.use' reads argument #2, but 'scf.yield' has overwritten bytes [0, 64) of pool 'tensors'}}
      "x.use"(%x) : (tensor<16xf32>) -> ()
      %1 = scf.if %c -> tensor<16xf32> {
        // expected-note @+1 {{'scf.yield' writes there}}
        scf.yield %u : tensor<16xf32>
      } else {
        scf.yield %u : tensor<16xf32>
      } {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>}
    }
    return
  }
}

// -----

// The second region of a loop.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index, %c: i1, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %u = "x.unplaced"() {gmem.stream = 1 : i64} : () -> tensor<16xf32>
    scf.for %i = %n to %n step %n {
      "x.use"(%x) : (tensor<16xf32>) -> ()
      %1 = scf.while (%a = %u) : (tensor<16xf32>) -> tensor<16xf32> {
        scf.condition(%c) %a : tensor<16xf32>
      } do {
      ^bb0(%b: tensor<16xf32>):
        scf.yield %b : tensor<16xf32>
      } attributes {gmem.block_args = [{block = 0 : i64, offset = array<i64: 64>, pool = ["tensors"], region = 1 : i64, size = array<i64: 64>}], gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>}
    }
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  // expected-note @+1 {{argument #2 has bytes [0, 64)}}
  func.func @f(%n: index, %c: i1, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %u = "x.unplaced"() {gmem.stream = 1 : i64} : () -> tensor<16xf32>
    scf.for %i = %n to %n step %n {
      // expected-error @+1 {{'x.use' reads argument #2, but 'scf.condition' has overwritten bytes [0, 64) of pool 'tensors'}}
      "x.use"(%x) : (tensor<16xf32>) -> ()
      %1 = scf.while (%a = %u) : (tensor<16xf32>) -> tensor<16xf32> {
        // expected-note @+1 {{'scf.condition' writes there}}
        scf.condition(%c) %a : tensor<16xf32>
      } do {
      ^bb0(%b: tensor<16xf32>):
        scf.yield %b : tensor<16xf32>
      } attributes {gmem.block_args = [{block = 0 : i64, offset = array<i64: 0>, pool = ["tensors"], region = 1 : i64, size = array<i64: 64>}], gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>}
    }
    return
  }
}

// -----

// Arguments of a call.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g(%a: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    return
  }
  func.func @f(%n: index, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %u = "x.unplaced"() {gmem.stream = 1 : i64} : () -> tensor<16xf32>
    scf.for %i = %n to %n step %n {
      "x.use"(%x) : (tensor<16xf32>) -> ()
      func.call @g(%u) : (tensor<16xf32>) -> ()
    }
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g(%a: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    return
  }
  // expected-note @+1 {{argument #1 has bytes [0, 64)}}
  func.func @f(%n: index, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %u = "x.unplaced"() {gmem.stream = 1 : i64} : () -> tensor<16xf32>
    scf.for %i = %n to %n step %n {
      // expected-error @+1 {{'x.use' reads argument #1, but 'func.call' has overwritten bytes [0, 64) of pool 'tensors'}}
      "x.use"(%x) : (tensor<16xf32>) -> ()
      // expected-note @+1 {{'func.call' writes there}}
      func.call @g(%u) : (tensor<16xf32>) -> ()
    }
    return
  }
}

// -----

// Its results.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g(%a: tensor<16xf32>) -> tensor<16xf32> {
    return %a : tensor<16xf32>
  }
  func.func @f(%n: index, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %u = "x.unplaced"() {gmem.stream = 1 : i64} : () -> tensor<16xf32>
    scf.for %i = %n to %n step %n {
      "x.use"(%x) : (tensor<16xf32>) -> ()
      %1 = func.call @g(%u) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    }
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g(%a: tensor<16xf32>) -> tensor<16xf32> {
    return %a : tensor<16xf32>
  }
  // expected-note @+1 {{argument #1 has bytes [0, 64)}}
  func.func @f(%n: index, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %u = "x.unplaced"() {gmem.stream = 1 : i64} : () -> tensor<16xf32>
    scf.for %i = %n to %n step %n {
      // expected-error @+1 {{'x.use' reads argument #1, but 'func.call' has overwritten bytes [0, 64) of pool 'tensors'}}
      "x.use"(%x) : (tensor<16xf32>) -> ()
      // expected-note @+1 {{'func.call' writes there}}
      %1 = func.call @g(%u) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    }
    return
  }
}

// -----

// Arguments of a block.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %u = "x.unplaced"() {gmem.stream = 1 : i64} : () -> tensor<16xf32>
    scf.for %i = %n to %n step %n {
      "x.use"(%x) : (tensor<16xf32>) -> ()
      scf.execute_region {
        cf.br ^bb1(%u : tensor<16xf32>)
      ^bb1(%a: tensor<16xf32>):
        scf.yield
      } {gmem.block_args = [{block = 1 : i64, offset = array<i64: 64>, pool = ["tensors"], region = 0 : i64, size = array<i64: 64>}]}
    }
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  // expected-note @+1 {{argument #1 has bytes [0, 64)}}
  func.func @f(%n: index, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %u = "x.unplaced"() {gmem.stream = 1 : i64} : () -> tensor<16xf32>
    scf.for %i = %n to %n step %n {
      // expected-error @+1 {{'x.use' reads argument #1, but 'cf.br' has overwritten bytes [0, 64) of pool 'tensors'}}
      "x.use"(%x) : (tensor<16xf32>) -> ()
      scf.execute_region {
        // expected-note @+1 {{'cf.br' writes there}}
        cf.br ^bb1(%u : tensor<16xf32>)
      ^bb1(%a: tensor<16xf32>):
        scf.yield
      } {gmem.block_args = [{block = 1 : i64, offset = array<i64: 0>, pool = ["tensors"], region = 0 : i64, size = array<i64: 64>}]}
    }
    return
  }
}

// -----

// 2. A stream still reads where the results of a loop are.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %u = "x.unplaced"() {gmem.stream = 1 : i64} : () -> tensor<16xf32>
    "x.read"(%x) {gmem.stream = 1 : i64} : (tensor<16xf32>) -> ()
    %1 = scf.for %k = %n to %n step %n iter_args(%a = %u) -> tensor<16xf32> {
      scf.yield %a : tensor<16xf32>
    } {gmem.wait = array<i64: 1>, gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>}
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %u = "x.unplaced"() {gmem.stream = 1 : i64} : () -> tensor<16xf32>
    // expected-note @+1 {{'x.read' in stream 1 reads bytes [0, 64)}}
    "x.read"(%x) {gmem.stream = 1 : i64} : (tensor<16xf32>) -> ()
    // expected-note @+2 {{'scf.for' in no stream writes bytes [0, 64)}}
    // expected-error @+1 {{'scf.for' in no stream writes bytes [0, 64) of pool 'tensors', but nothing orders it after 'x.read' in stream 1, which reads them}}
    %1 = scf.for %k = %n to %n step %n iter_args(%a = %u) -> tensor<16xf32> {
      scf.yield %a : tensor<16xf32>
    } {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>}
    return
  }
}

// -----

// What a loop carries.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %u = "x.unplaced"() {gmem.stream = 1 : i64} : () -> tensor<16xf32>
    "x.read"(%x) {gmem.stream = 1 : i64} : (tensor<16xf32>) -> ()
    %1 = scf.for %k = %n to %n step %n iter_args(%a = %u) -> tensor<16xf32> {
      scf.yield %a : tensor<16xf32>
    } {gmem.wait = array<i64: 1>, gmem.block_args = [{block = 0 : i64, offset = array<i64: -1, 0>, pool = ["", "tensors"], region = 0 : i64, size = array<i64: -1, 64>}]}
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %u = "x.unplaced"() {gmem.stream = 1 : i64} : () -> tensor<16xf32>
    // expected-note @+1 {{'x.read' in stream 1 reads bytes [0, 64)}}
    "x.read"(%x) {gmem.stream = 1 : i64} : (tensor<16xf32>) -> ()
    // expected-note @+2 {{'scf.for' in no stream writes bytes [0, 64)}}
    // expected-error @+1 {{'scf.for' in no stream writes bytes [0, 64) of pool 'tensors', but nothing orders it after 'x.read' in stream 1, which reads them}}
    %1 = scf.for %k = %n to %n step %n iter_args(%a = %u) -> tensor<16xf32> {
      scf.yield %a : tensor<16xf32>
    } {gmem.block_args = [{block = 0 : i64, offset = array<i64: -1, 0>, pool = ["", "tensors"], region = 0 : i64, size = array<i64: -1, 64>}]}
    return
  }
}

// -----

// The results of a branch.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %u = "x.unplaced"() {gmem.stream = 1 : i64} : () -> tensor<16xf32>
    %1 = scf.if %c -> tensor<16xf32> {
      "x.read"(%x) {gmem.stream = 1 : i64} : (tensor<16xf32>) -> ()
      scf.yield {gmem.wait = array<i64: 1>} %u : tensor<16xf32>
    } else {
      scf.yield %u : tensor<16xf32>
    } {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>}
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %u = "x.unplaced"() {gmem.stream = 1 : i64} : () -> tensor<16xf32>
    %1 = scf.if %c -> tensor<16xf32> {
      // expected-note @+1 {{'x.read' in stream 1 reads bytes [0, 64)}}
      "x.read"(%x) {gmem.stream = 1 : i64} : (tensor<16xf32>) -> ()
      // expected-note @+2 {{'scf.yield' in no stream writes bytes [0, 64)}}
      // expected-error @+1 {{'scf.yield' in no stream writes bytes [0, 64) of pool 'tensors', but nothing orders it after 'x.read' in stream 1, which reads them}}
      scf.yield %u : tensor<16xf32>
    } else {
      scf.yield %u : tensor<16xf32>
    } {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>}
    return
  }
}

// -----

// Arguments of a call.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g(%a: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    return
  }
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %u = "x.unplaced"() {gmem.stream = 1 : i64} : () -> tensor<16xf32>
    "x.read"(%x) {gmem.stream = 1 : i64} : (tensor<16xf32>) -> ()
    call @g(%u) {gmem.wait = array<i64: 1>} : (tensor<16xf32>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g(%a: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    return
  }
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %u = "x.unplaced"() {gmem.stream = 1 : i64} : () -> tensor<16xf32>
    // expected-note @+1 {{'x.read' in stream 1 reads bytes [0, 64)}}
    "x.read"(%x) {gmem.stream = 1 : i64} : (tensor<16xf32>) -> ()
    // expected-note @+2 {{'func.call' in no stream writes bytes [0, 64)}}
    // expected-error @+1 {{'func.call' in no stream writes bytes [0, 64) of pool 'tensors', but nothing orders it after 'x.read' in stream 1, which reads them}}
    call @g(%u) : (tensor<16xf32>) -> ()
    return
  }
}

// -----

// Those of a block.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) attributes {gmem.block_args = [{block = 1 : i64, offset = array<i64: 0>, pool = ["tensors"], region = 0 : i64, size = array<i64: 64>}]} {
    %u = "x.unplaced"() {gmem.stream = 1 : i64} : () -> tensor<16xf32>
    "x.read"(%x) {gmem.stream = 1 : i64} : (tensor<16xf32>) -> ()
    cf.br ^bb1(%u : tensor<16xf32>) {gmem.wait = array<i64: 1>}
  ^bb1(%a: tensor<16xf32>):
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) attributes {gmem.block_args = [{block = 1 : i64, offset = array<i64: 0>, pool = ["tensors"], region = 0 : i64, size = array<i64: 64>}]} {
    %u = "x.unplaced"() {gmem.stream = 1 : i64} : () -> tensor<16xf32>
    // expected-note @+1 {{'x.read' in stream 1 reads bytes [0, 64)}}
    "x.read"(%x) {gmem.stream = 1 : i64} : (tensor<16xf32>) -> ()
    // expected-note @+2 {{'cf.br' in no stream writes bytes [0, 64)}}
    // expected-error @+1 {{'cf.br' in no stream writes bytes [0, 64) of pool 'tensors', but nothing orders it after 'x.read' in stream 1, which reads them}}
    cf.br ^bb1(%u : tensor<16xf32>)
  ^bb1(%a: tensor<16xf32>):
    return
  }
}

// -----

// 3. An argument of a function that has no place: a call reads its operand as well.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g(%p: tensor<16xf32>) {
    "x.use"(%p) {gmem.stream = 1 : i64} : (tensor<16xf32>) -> ()
    return
  }
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    func.call @g(%x) : (tensor<16xf32>) -> ()
    %y = "x.y"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g(%p: tensor<16xf32>) {
    "x.use"(%p) {gmem.stream = 1 : i64} : (tensor<16xf32>) -> ()
    return
  }
  // expected-note @+1 {{argument #0 has bytes [0, 64)}}
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    // expected-note @+1 {{'x.y' writes there}}
    %y = "x.y"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-error @+1 {{'func.call' copies argument #0, but 'x.y' has overwritten bytes [0, 64) of pool 'tensors'}}
    func.call @g(%x) : (tensor<16xf32>) -> ()
    return
  }
}
