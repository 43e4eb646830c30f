// Deferred code that functions start, in plans written by hand: of each pair the first is
// sound, the second is not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --gmem-verify-plan=only=contents -o /dev/null

// 1. A function returns the token of what it has started: that goes on when it has returned.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @f() -> !async.token {
    %t = async.execute {
      %1 = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      "x.sink"(%1) : (tensor<16xf32>) -> ()
      async.yield
    }
    return %t : !async.token
  }
  func.func @main() {
    %t = func.call @f() : () -> !async.token
    %y = "x.b"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.use"(%y) : (tensor<16xf32>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @f() -> !async.token {
    %t = async.execute {
      // expected-note @+1 {{result #0 of 'x.a' has bytes [0, 64) of pool 'tensors'}}
      %1 = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      "x.sink"(%1) : (tensor<16xf32>) -> ()
      async.yield
    }
    return %t : !async.token
  }
  func.func @main() {
    %t = func.call @f() : () -> !async.token
    // expected-error @+2 {{result #0 of 'x.a' and result #0 of 'x.b' share bytes [0, 64) of pool 'tensors': the function of one may run at any time}}
    // expected-note @+1 {{result #0 of 'x.b' has bytes [0, 64) of pool 'tensors'}}
    %y = "x.b"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.use"(%y) : (tensor<16xf32>) -> ()
    return
  }
}

// -----

// 2. Through another function.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @f() -> !async.token {
    %t = async.execute {
      %1 = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      "x.sink"(%1) : (tensor<16xf32>) -> ()
      async.yield
    }
    return %t : !async.token
  }
  func.func private @g() -> !async.token {
    %t = func.call @f() : () -> !async.token
    return %t : !async.token
  }
  func.func @main() {
    %t = func.call @g() : () -> !async.token
    %y = "x.b"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.use"(%y) : (tensor<16xf32>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @f() -> !async.token {
    %t = async.execute {
      // expected-note @+1 {{result #0 of 'x.a' has bytes [0, 64) of pool 'tensors'}}
      %1 = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      "x.sink"(%1) : (tensor<16xf32>) -> ()
      async.yield
    }
    return %t : !async.token
  }
  func.func private @g() -> !async.token {
    %t = func.call @f() : () -> !async.token
    return %t : !async.token
  }
  func.func @main() {
    %t = func.call @g() : () -> !async.token
    // expected-error @+2 {{result #0 of 'x.a' and result #0 of 'x.b' share bytes [0, 64) of pool 'tensors': the function of one may run at any time}}
    // expected-note @+1 {{result #0 of 'x.b' has bytes [0, 64) of pool 'tensors'}}
    %y = "x.b"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.use"(%y) : (tensor<16xf32>) -> ()
    return
  }
}

// -----

// 3. Started again before it has ended, it would have several instances of its values.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @f() -> !async.token {
    %t = async.execute {
      %1 = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      "x.sink"(%1) : (tensor<16xf32>) -> ()
      async.yield
    }
    return %t : !async.token
  }
  func.func @main() {
    %t = func.call @f() : () -> !async.token
    %y = "x.b"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.use"(%y) : (tensor<16xf32>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @f() -> !async.token {
    %t = async.execute {
      // expected-error @+1 {{result #0 of 'x.a' has a place, but several instances of it may exist at once; plan again}}
      %1 = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      "x.sink"(%1) : (tensor<16xf32>) -> ()
      async.yield
    }
    return %t : !async.token
  }
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    scf.for %i = %c0 to %c9 step %c1 {
      %t = func.call @f() : () -> !async.token
    }
    %y = "x.b"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.use"(%y) : (tensor<16xf32>) -> ()
    return
  }
}

// -----

// 4. It ends with the function that waits for it, but not the work that it has put into a
// stream: what has waited for that stream before may have done so too early.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @f() {
    %t = async.execute {
      %1 = "x.a"() {gmem.stream = 1 : i64, gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      "x.sink"(%1) {gmem.stream = 1 : i64} : (tensor<16xf32>) -> ()
      async.yield
    }
    async.await %t : !async.token
    return
  }
  func.func @main() {
    func.call @f() : () -> ()
    "x.sync"() {gmem.wait = array<i64: 1>} : () -> ()
    %y = "x.b"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.use"(%y) : (tensor<16xf32>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @f() {
    %t = async.execute {
      %1 = "x.a"() {gmem.stream = 1 : i64, gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      // expected-note @+1 {{'x.sink' in stream 1 reads bytes [0, 64) of pool 'tensors'}}
      "x.sink"(%1) {gmem.stream = 1 : i64} : (tensor<16xf32>) -> ()
      async.yield
    }
    "x.sync"() {gmem.wait = array<i64: 1>} : () -> ()
    async.await %t : !async.token
    return
  }
  func.func @main() {
    func.call @f() : () -> ()
    // expected-error @+2 {{'x.b' in no stream writes bytes [0, 64) of pool 'tensors', but nothing orders it after 'x.sink' in stream 1, which reads them}}
    // expected-note @+1 {{'x.b' in no stream writes bytes [0, 64) of pool 'tensors'}}
    %y = "x.b"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.use"(%y) : (tensor<16xf32>) -> ()
    return
  }
}

// -----

// Deferred code may write the padding of what it uses until the function ends.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    %x = "x.a"() {gmem.padding = [array<i64: 0, 64>], gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} : () -> tensor<16xf32>
    %t = async.execute {
      "x.use"(%x) : (tensor<16xf32>) -> ()
      async.yield
    }
    %y = "x.b"() {gmem.padding = [array<i64: 0, 0>], gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.use"(%y) : (tensor<16xf32>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    %x = "x.a"() {gmem.padding = [array<i64: 0, 64>], gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} : () -> tensor<16xf32>
    // expected-note @+1 {{'async.execute' has not ended}}
    %t = async.execute {
      "x.use"(%x) : (tensor<16xf32>) -> ()
      async.yield
    }
    // expected-error @+1 {{'x.b' writes bytes [64, 128) of pool 'tensors', which 'async.execute' may still use}}
    %y = "x.b"() {gmem.padding = [array<i64: 0, 0>], gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.use"(%y) : (tensor<16xf32>) -> ()
    return
  }
}

// -----

// A callee that is passed the tensor may write its padding, too.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g(%x: tensor<16xf32> {gmem.padding = array<i64: 0, 64>, gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 128 : i64}) {
    "x.use"(%x) : (tensor<16xf32>) -> ()
    return
  }
  func.func @f() {
    %x = "x.a"() {gmem.padding = [array<i64: 0, 64>], gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} : () -> tensor<16xf32>
    %t = async.execute {
      "x.use"(%x) : (tensor<16xf32>) -> ()
      async.yield
    }
    func.call @g(%x) : (tensor<16xf32>) -> ()
    return
  }
}
