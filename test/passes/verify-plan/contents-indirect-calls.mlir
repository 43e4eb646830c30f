// Functions that may run themselves by what a table or a value holds, in plans written by
// hand: of each pair the first is sound, the second has several instances of a value.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --gmem-verify-plan=only=contents -o /dev/null

// 1. The table names another function, which runs none.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 4096 : i64}]} {
  func.func private @f(%x: tensor<64xi8> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %a = "my.compute"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<64xi8>) -> tensor<64xi8>
    "my.calls"() {table = @table} : () -> ()
    "my.use"(%a) : (tensor<64xi8>) -> ()
    return
  }
  func.func private @leaf() {
    %a = "my.compute"() {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    return
  }
  "my.table"() {sym_name = "table", entries = [@leaf]} : () -> ()
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 4096 : i64}]} {
  // expected-error @+1 {{argument #0 has a place, but several instances of it may exist at once; plan again}}
  func.func private @f(%x: tensor<64xi8> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %a = "my.compute"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<64xi8>) -> tensor<64xi8>
    "my.calls"() {table = @table} : () -> ()
    "my.use"(%a) : (tensor<64xi8>) -> ()
    return
  }
  "my.table"() {sym_name = "table", entries = [@f]} : () -> ()
}

// -----

// 2. By a function that the table leads on to, in a table that it names.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 4096 : i64}]} {
  func.func private @f() {
    // expected-error @+1 {{result #0 of 'my.compute' has a place, but several instances of it may exist at once; plan again}}
    %a = "my.compute"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    "my.calls"() {table = @z} : () -> ()
    "my.use"(%a) : (tensor<64xi8>) -> ()
    return
  }
  func.func private @g() {
    func.call @f() : () -> ()
    return
  }
  "my.table"() ({
    "my.entry"() {function = @g} : () -> ()
  }) {sym_name = "a"} : () -> ()
  "my.table"() {sym_name = "z", entries = [@a]} : () -> ()
}

// -----

// 3. By a value: @f is given a function that runs nothing, and in the second one which runs
// @f. A return only passes values on.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 4096 : i64}]} {
  func.func private @f(%g: () -> ()) {
    %a = "my.compute"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    func.call_indirect %g() : () -> ()
    "my.use"(%a) : (tensor<64xi8>) -> ()
    return
  }
  func.func private @leaf() {
    %a = "my.compute"() {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    return
  }
  func.func private @choose() -> (() -> ()) {
    %a = "my.compute"() {gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    %g = func.constant @leaf : () -> ()
    return %g : () -> ()
  }
  func.func @main() {
    %g = func.call @choose() : () -> (() -> ())
    func.call @f(%g) : (() -> ()) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 4096 : i64}]} {
  func.func private @f(%g: () -> ()) {
    // expected-error @+1 {{result #0 of 'my.compute' has a place, but several instances of it may exist at once; plan again}}
    %a = "my.compute"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    func.call_indirect %g() : () -> ()
    "my.use"(%a) : (tensor<64xi8>) -> ()
    return
  }
  func.func private @leaf() { return }
  func.func private @again() {
    %g = func.constant @leaf : () -> ()
    func.call @f(%g) : (() -> ()) -> ()
    return
  }
  func.func @main() {
    %g = func.constant @again : () -> ()
    func.call @f(%g) : (() -> ()) -> ()
    return
  }
}

// -----

// 4. By a value that is made inside of a layer group.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 4096 : i64}]} {
  func.func private @f(%g: !my.code) {
    // expected-error @+1 {{result #0 of 'my.compute' has a place, but several instances of it may exist at once; plan again}}
    %a = "my.compute"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    "my.run"(%g) : (!my.code) -> ()
    "my.use"(%a) : (tensor<64xi8>) -> ()
    return
  }
  func.func @main() {
    "my.group"() ({
      %g = "my.address"() {of = @f} : () -> !my.code
      "my.run"(%g) : (!my.code) -> ()
    }) {gmem.layer_group} : () -> ()
    return
  }
}

// -----

// 5. By what an op has made of a function, in the last op of one.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 4096 : i64}]} {
  func.func private @f(%g: !my.closure) {
    // expected-error @+1 {{result #0 of 'my.compute' has a place, but several instances of it may exist at once; plan again}}
    %a = "my.compute"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    "my.end"(%g) ({
      "my.use"(%a) : (tensor<64xi8>) -> ()
    }) : (!my.closure) -> ()
  }
  func.func @main() {
    %g = "my.address"() {of = @f} : () -> !my.code
    %c = "my.close"(%g) : (!my.code) -> !my.closure
    "my.run"(%c) : (!my.closure) -> ()
    return
  }
}

// -----

// 6. By deferred code, and not; the first calls one after the other.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 4096 : i64}]} {
  func.func private @f() {
    %a = "my.compute"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    "my.use"(%a) : (tensor<64xi8>) -> ()
    return
  }
  func.func @main() {
    %g = func.constant @f : () -> ()
    func.call_indirect %g() : () -> ()
    func.call_indirect %g() : () -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 4096 : i64}]} {
  func.func private @f() {
    // expected-error @+1 {{result #0 of 'my.compute' has a place, but several instances of it may exist at once; plan again}}
    %a = "my.compute"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    "my.use"(%a) : (tensor<64xi8>) -> ()
    return
  }
  func.func @main() {
    %g = func.constant @f : () -> ()
    %t = async.execute {
      func.call_indirect %g() : () -> ()
      async.yield
    }
    func.call_indirect %g() : () -> ()
    async.await %t : !async.token
    return
  }
}

// -----

// 7. By a table, in a function that a parallel op calls; and in two streams.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 4096 : i64}]} {
  func.func private @f() {
    // expected-error @+1 {{result #0 of 'my.compute' has a place, but several instances of it may exist at once; plan again}}
    %a = "my.compute"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    "my.use"(%a) : (tensor<64xi8>) -> ()
    return
  }
  "my.table"() {sym_name = "table", entries = [@f]} : () -> ()
  func.func private @uses_table() {
    "my.calls"() {table = @table} : () -> ()
    return
  }
  func.func @main() {
    scf.forall (%i) in (8) {
      func.call @uses_table() : () -> ()
    }
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 4096 : i64}]} {
  func.func private @f() {
    // expected-error @+1 {{result #0 of 'my.compute' has a place, but several instances of it may exist at once; plan again}}
    %a = "my.compute"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    "my.use"(%a) : (tensor<64xi8>) -> ()
    return
  }
  func.func @main() {
    %g = func.constant @f : () -> ()
    "my.run"(%g) {gmem.stream = 0 : i64} : (() -> ()) -> ()
    "my.run"(%g) {gmem.stream = 1 : i64} : (() -> ()) -> ()
    return
  }
}

// -----

// 8. What an indirect call returns stands for work that goes on; for a list.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 4096 : i64}]} {
  func.func private @f() -> !async.token {
    // expected-error @+1 {{result #0 of 'my.compute' has a place, but several instances of it may exist at once; plan again}}
    %a = "my.compute"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    %t = async.execute {
      "my.use"(%a) : (tensor<64xi8>) -> ()
      async.yield
    }
    return %t : !async.token
  }
  func.func @main() {
    %g = func.constant @f : () -> !async.token
    %t1 = func.call_indirect %g() : () -> !async.token
    %t2 = func.call_indirect %g() : () -> !async.token
    async.await %t1 : !async.token
    async.await %t2 : !async.token
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 4096 : i64}]} {
  func.func private @f(%i: index) -> !my.list {
    // expected-error @+1 {{result #0 of 'my.compute' has a place, but its function may run again when what it has returned still stands for it; plan again}}
    %a = "my.compute"(%i) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    %l = "my.list"(%a) : (tensor<64xi8>) -> !my.list
    return %l : !my.list
  }
  func.func @main(%i: index) {
    %g = func.constant @f : (index) -> !my.list
    %l1 = func.call_indirect %g(%i) : (index) -> !my.list
    %l2 = func.call_indirect %g(%i) : (index) -> !my.list
    "my.unlist"(%l1, %l2) : (!my.list, !my.list) -> ()
    return
  }
}
