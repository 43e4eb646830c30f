// What a list stands for has its contents where the list is used. The plans, written by
// hand, were accepted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// RUN: gmem-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --gmem-verify-plan=only=contents -o /dev/null

// 1. An iteration overwrites what the list of the one before stands for.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index, %x: tensor<64xi8> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %first: !my.list) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%old = %first) -> !my.list {
      // expected-note @+2 {{'my.compute' makes an instance}}
      // expected-note @+1 {{result #0 of 'my.compute' has bytes [64, 128) of pool 'tensors'}}
      %t = "my.compute"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<64xi8>) -> tensor<64xi8>
      // expected-error @+1 {{'my.unlist' uses argument #1, which may be an older instance of result #0 of 'my.compute' than the last one}}
      "my.unlist"(%old) : (!my.list) -> ()
      %new = "my.list"(%t) : (tensor<64xi8>) -> !my.list
      scf.yield %new : !my.list
    }
    return
  }
}

// -----

// 2. The list of a layer group is used outside of it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<64xi8> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %t = "my.compute"(%x) {gmem.layer_group = 1 : i64} : (tensor<64xi8>) -> tensor<64xi8>
    // expected-error @+1 {{'my.list' reads result #0 of 'my.compute', which has no place in the plan}}
    %l = "my.list"(%t) {gmem.layer_group = 1 : i64} : (tensor<64xi8>) -> !my.list
    "my.unlist"(%l) : (!my.list) -> ()
    return
  }
}

// -----

// 3. A function that a mixed layer group calls runs at any time, and makes again what its
// list stands for.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @group(%i: index) {
    %s = "my.compute"(%i) {gmem.layer_group = 7 : i64} : (index) -> tensor<64xi8>
    %l = func.call @made(%i) {gmem.layer_group = 7 : i64} : (index) -> !my.list
    "my.between"() : () -> ()
    "my.unlist"(%l) {gmem.layer_group = 7 : i64} : (!my.list) -> ()
    return
  }
  func.func private @made(%i: index) -> !my.list {
    // expected-error @+1 {{result #0 of 'my.compute' has a place, but its function may run again when what it has returned still stands for it; plan again}}
    %t = "my.compute"(%i) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    %l = "my.list"(%t) : (tensor<64xi8>) -> !my.list
    return %l : !my.list
  }
  func.func @f(%i: index) {
    %l = func.call @made(%i) : (index) -> !my.list
    %k = func.call @made(%i) : (index) -> !my.list
    "my.unlist"(%l) : (!my.list) -> ()
    return
  }
}

// -----

// 4. The group alone: it runs once.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @group(%i: index) {
    %s = "my.compute"(%i) {gmem.layer_group = 7 : i64} : (index) -> tensor<64xi8>
    %l = func.call @made(%i) {gmem.layer_group = 7 : i64} : (index) -> !my.list
    "my.between"() : () -> ()
    "my.unlist"(%l) {gmem.layer_group = 7 : i64} : (!my.list) -> ()
    return
  }
  func.func private @made(%i: index) -> !my.list {
    %t = "my.compute"(%i) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    %l = "my.list"(%t) : (tensor<64xi8>) -> !my.list
    return %l : !my.list
  }
}

// -----

// 5. So does a function that an op in a branch runs: it was refused.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @branch(%i: index, %c: i1) {
    scf.if %c {
      %l = "my.run"(%i) {callees = [@made]} : (index) -> !my.list
      "my.unlist"(%l) : (!my.list) -> ()
    }
    return
  }
  func.func private @made(%i: index) -> !my.list {
    %t = "my.compute"(%i) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    %l = "my.list"(%t) : (tensor<64xi8>) -> !my.list
    return %l : !my.list
  }
}

// -----

// 6. In a loop it runs again.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @loop(%n: index, %c: i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      scf.if %c {
        %l = "my.run"(%i) {callees = [@made]} : (index) -> !my.list
        "my.unlist"(%l) : (!my.list) -> ()
      }
    }
    return
  }
  func.func private @made(%i: index) -> !my.list {
    // expected-error @+1 {{result #0 of 'my.compute' has a place, but its function may run again when what it has returned still stands for it; plan again}}
    %t = "my.compute"(%i) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    %l = "my.list"(%t) : (tensor<64xi8>) -> !my.list
    return %l : !my.list
  }
}

// -----

// 7. A function that an op of a layer group runs: what its list stands for has bytes of its own,
// shares them with what the caller makes then, or is made again.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @group(%i: index) {
    %l = func.call @made(%i) {gmem.layer_group = 7 : i64} : (index) -> !my.list
    %m = "my.compute"(%i) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    "my.use"(%m) : (tensor<64xi8>) -> ()
    "my.unlist"(%l) : (!my.list) -> ()
    return
  }
  func.func private @made(%i: index) -> !my.list {
    %t = "my.compute"(%i) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    %l = "my.list"(%t) : (tensor<64xi8>) -> !my.list
    return %l : !my.list
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @group(%i: index) {
    %l = func.call @made(%i) {gmem.layer_group = 7 : i64} : (index) -> !my.list
    // expected-error @+2 {{result #0 of 'my.compute' and result #0 of 'my.compute' share bytes [64, 128) of pool 'tensors': a list may still stand for one}}
    // expected-note @+1 {{result #0 of 'my.compute' has bytes [64, 128) of pool 'tensors'}}
    %m = "my.compute"(%i) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    "my.use"(%m) : (tensor<64xi8>) -> ()
    "my.unlist"(%l) : (!my.list) -> ()
    return
  }
  func.func private @made(%i: index) -> !my.list {
    // expected-note @+1 {{result #0 of 'my.compute' has bytes [64, 128) of pool 'tensors'}}
    %t = "my.compute"(%i) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    %l = "my.list"(%t) : (tensor<64xi8>) -> !my.list
    return %l : !my.list
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @group(%i: index) {
    %l = func.call @made(%i) {gmem.layer_group = 7 : i64} : (index) -> !my.list
    %k = func.call @made(%i) {gmem.layer_group = 8 : i64} : (index) -> !my.list
    "my.unlist"(%l) : (!my.list) -> ()
    return
  }
  func.func private @made(%i: index) -> !my.list {
    // expected-error @+1 {{result #0 of 'my.compute' has a place, but its function may run again when what it has returned still stands for it; plan again}}
    %t = "my.compute"(%i) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    %l = "my.list"(%t) : (tensor<64xi8>) -> !my.list
    return %l : !my.list
  }
}

// -----

// An op that escapes may use a tensor to the end of the function.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @escapes(%i: index) {
    %a = "my.compute"(%i) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    "my.use"(%a) : (tensor<64xi8>) -> ()
    %t = "my.compute"(%i) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    "my.publish"(%t) {gmem.op_model = {escapes}} : (tensor<64xi8>) -> ()
    %m = "my.compute"(%i) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    "my.use"(%m) : (tensor<64xi8>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @escapes(%i: index) {
    // expected-note @+1 {{result #0 of 'my.compute' has bytes [0, 64) of pool 'tensors'}}
    %t = "my.compute"(%i) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    "my.publish"(%t) {gmem.op_model = {escapes}} : (tensor<64xi8>) -> ()
    // expected-note @+1 {{'my.compute' writes there}}
    %m = "my.compute"(%i) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    "my.use"(%m) : (tensor<64xi8>) -> ()
    // expected-error @+1 {{'func.return' returns while deferred code uses result #0 of 'my.compute', but 'my.compute' has overwritten bytes [0, 64) of pool 'tensors'}}
    return
  }
}

// -----

// Control flow copies a tensor to one without a place, as a list may still stand for that.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @passed(%i: index, %c: i1) {
    %t = "my.compute"(%i) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    %m = "my.compute"(%i) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    "my.use"(%m) : (tensor<64xi8>) -> ()
    cf.br ^bb1(%t : tensor<64xi8>)
  ^bb1(%p: tensor<64xi8>):
    %l = "my.list"(%p) : (tensor<64xi8>) -> !my.list
    "my.unlist"(%l) : (!my.list) -> ()
    cf.br ^bb2(%l : !my.list)
  ^bb2(%k: !my.list):
    "my.unlist"(%k) : (!my.list) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @passed(%i: index, %c: i1) {
    // expected-note @+1 {{result #0 of 'my.compute' has bytes [0, 64) of pool 'tensors'}}
    %t = "my.compute"(%i) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    // expected-note @+1 {{'my.compute' writes there}}
    %m = "my.compute"(%i) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    "my.use"(%m) : (tensor<64xi8>) -> ()
    // expected-error @+1 {{'cf.br' copies result #0 of 'my.compute', but 'my.compute' has overwritten bytes [0, 64) of pool 'tensors'}}
    cf.br ^bb1(%t : tensor<64xi8>)
  ^bb1(%p: tensor<64xi8>):
    %l = "my.list"(%p) : (tensor<64xi8>) -> !my.list
    "my.unlist"(%l) : (!my.list) -> ()
    cf.br ^bb2(%l : !my.list)
  ^bb2(%k: !my.list):
    "my.unlist"(%k) : (!my.list) -> ()
    return
  }
}

// -----

// An insert that writes a tensor over itself leaves it for the lists that stand for it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @same(%i: index, %c: i1) {
    %t = "my.compute"(%i) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    %o = "my.compute"(%i) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    %d = "my.compute"(%i) {gmem.offset = array<i64: 256>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} : (index) -> tensor<128xi8>
    %l = "my.list"(%t) : (tensor<64xi8>) -> !my.list
    %k = "my.list"(%o) : (tensor<64xi8>) -> !my.list
    cf.cond_br %c, ^bb1(%l : !my.list), ^bb1(%k : !my.list)
  ^bb1(%p: !my.list):
    %w = tensor.insert_slice %t into %d[0] [64] [1] {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} : tensor<64xi8> into tensor<128xi8>
    "my.use"(%w) : (tensor<128xi8>) -> ()
    "my.unlist"(%p) : (!my.list) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @same(%i: index, %c: i1) {
    %t = "my.compute"(%i) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    %o = "my.compute"(%i) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    %d = "my.compute"(%i) {gmem.offset = array<i64: 256>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} : (index) -> tensor<128xi8>
    %l = "my.list"(%t) : (tensor<64xi8>) -> !my.list
    %k = "my.list"(%o) : (tensor<64xi8>) -> !my.list
    cf.cond_br %c, ^bb1(%l : !my.list), ^bb1(%k : !my.list)
  // expected-note @+1 {{argument #0 has bytes [0, 64) of pool 'tensors'}}
  ^bb1(%p: !my.list):
    // expected-note @+1 {{'tensor.insert_slice' writes there}}
    %w = tensor.insert_slice %o into %d[0] [64] [1] {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} : tensor<64xi8> into tensor<128xi8>
    "my.use"(%w) : (tensor<128xi8>) -> ()
    // expected-error @+1 {{'my.unlist' reads argument #0, but 'tensor.insert_slice' has overwritten bytes [0, 64) of pool 'tensors'}}
    "my.unlist"(%p) : (!my.list) -> ()
    return
  }
}

// -----

// A function that runs only before the list is made may share bytes with its tensor.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @user(%i: index) {
    %l = func.call @made(%i) {gmem.layer_group = 7 : i64} : (index) -> !my.list
    "my.unlist"(%l) : (!my.list) -> ()
    return
  }
  func.func private @made(%i: index) -> !my.list {
    func.call @before(%i) : (index) -> ()
    %t = "my.compute"(%i) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    %l = "my.list"(%t) : (tensor<64xi8>) -> !my.list
    return %l : !my.list
  }
  func.func private @before(%i: index) {
    %t = "my.compute"(%i) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    "my.use"(%t) : (tensor<64xi8>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @user(%i: index) {
    %l = func.call @made(%i) {gmem.layer_group = 7 : i64} : (index) -> !my.list
    "my.unlist"(%l) : (!my.list) -> ()
    return
  }
  func.func private @made(%i: index) -> !my.list {
    // expected-note @+1 {{result #0 of 'my.compute' has bytes [64, 128) of pool 'tensors'}}
    %t = "my.compute"(%i) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    %l = "my.list"(%t) : (tensor<64xi8>) -> !my.list
    // expected-note @+1 {{'func.call' writes there}}
    func.call @before(%i) : (index) -> ()
    // expected-error @+1 {{'func.return' returns result #0 of 'my.compute', but 'func.call' has overwritten bytes [64, 128) of pool 'tensors'}}
    return %l : !my.list
  }
  func.func private @before(%i: index) {
    %t = "my.compute"(%i) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    "my.use"(%t) : (tensor<64xi8>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @user(%i: index) {
    %l = func.call @made(%i) {gmem.layer_group = 7 : i64} : (index) -> !my.list
    func.call @before(%i) : (index) -> ()
    "my.unlist"(%l) : (!my.list) -> ()
    return
  }
  func.func private @made(%i: index) -> !my.list {
    // expected-note @+1 {{result #0 of 'my.compute' has bytes [64, 128) of pool 'tensors'}}
    %t = "my.compute"(%i) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    %l = "my.list"(%t) : (tensor<64xi8>) -> !my.list
    return %l : !my.list
  }
  func.func private @before(%i: index) {
    // expected-error @+2 {{result #0 of 'my.compute' and result #0 of 'my.compute' share bytes [64, 128) of pool 'tensors': a list may still stand for one}}
    // expected-note @+1 {{result #0 of 'my.compute' has bytes [64, 128) of pool 'tensors'}}
    %t = "my.compute"(%i) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    "my.use"(%t) : (tensor<64xi8>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @user(%i: index) {
    %l = func.call @made(%i) {gmem.layer_group = 7 : i64} : (index) -> !my.list
    func.call @before(%i) : (index) -> ()
    "my.unlist"(%l) : (!my.list) -> ()
    return
  }
  func.func private @made(%i: index) -> !my.list {
    func.call @before(%i) : (index) -> ()
    // expected-note @+1 {{result #0 of 'my.compute' has bytes [64, 128) of pool 'tensors'}}
    %t = "my.compute"(%i) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    %l = "my.list"(%t) : (tensor<64xi8>) -> !my.list
    return %l : !my.list
  }
  func.func private @before(%i: index) {
    // expected-error @+2 {{result #0 of 'my.compute' and result #0 of 'my.compute' share bytes [64, 128) of pool 'tensors': a list may still stand for one}}
    // expected-note @+1 {{result #0 of 'my.compute' has bytes [64, 128) of pool 'tensors'}}
    %t = "my.compute"(%i) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    "my.use"(%t) : (tensor<64xi8>) -> ()
    return
  }
}

// -----

// A list stands for what an earlier iteration has made, of other contents than those that are
// written there now: it was accepted.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @blocks(%i: index, %c: i1, %first: !my.list) {
    %d = "my.compute"(%i) {gmem.offset = array<i64: 512>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} : (index) -> tensor<128xi8>
    cf.br ^bb1(%first : !my.list)
  // expected-note @+1 {{argument #0 has bytes [128, 256) of pool 'tensors'}}
  ^bb1(%l: !my.list):
    %x = "my.compute"(%i) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    cf.cond_br %c, ^bb2, ^bb4
  ^bb2:
    %t = tensor.insert_slice %x into %d[0] [64] [1] {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} : tensor<64xi8> into tensor<128xi8>
    %k = "my.list"(%t) : (tensor<128xi8>) -> !my.list
    cf.br ^bb3
  ^bb3:
    "my.use"(%t) : (tensor<128xi8>) -> ()
    cf.br ^bb1(%k : !my.list)
  ^bb4:
    // expected-note @+1 {{'tensor.insert_slice' writes there}}
    %y = tensor.insert_slice %x into %d[0] [64] [1] {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} : tensor<64xi8> into tensor<128xi8>
    "my.use"(%y) : (tensor<128xi8>) -> ()
    // expected-error @+1 {{'my.unlist' reads argument #0, but 'tensor.insert_slice' has overwritten bytes [128, 256) of pool 'tensors'}}
    "my.unlist"(%l) : (!my.list) -> ()
    return
  }
}

// -----

// The same of an earlier call.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @calls(%i: index) {
    %s = "my.compute"(%i) {gmem.offset = array<i64: 768>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    %first = "my.list"(%s) : (tensor<64xi8>) -> !my.list
    // expected-note @+1 {{result #0 of 'func.call' has bytes [128, 256) of pool 'tensors'}}
    %l = func.call @made(%i, %first) : (index, !my.list) -> !my.list
    %k = func.call @made(%i, %l) : (index, !my.list) -> !my.list
    return
  }
  func.func private @made(%i: index, %l: !my.list) -> !my.list {
    %d = "my.compute"(%i) {gmem.offset = array<i64: 512>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} : (index) -> tensor<128xi8>
    %x = "my.compute"(%i) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    // expected-note @+1 {{'tensor.insert_slice' writes there}}
    %y = tensor.insert_slice %x into %d[0] [64] [1] {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} : tensor<64xi8> into tensor<128xi8>
    "my.use"(%y) : (tensor<128xi8>) -> ()
    // expected-error @+1 {{'my.unlist' reads result #0 of 'func.call', but 'tensor.insert_slice' has overwritten bytes [128, 256) of pool 'tensors'}}
    "my.unlist"(%l) : (!my.list) -> ()
    %t = tensor.insert_slice %x into %d[0] [64] [1] {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} : tensor<64xi8> into tensor<128xi8>
    %k = "my.list"(%t) : (tensor<128xi8>) -> !my.list
    return %k : !my.list
  }
}

// -----

// A result is copied where what a returned list stands for is: it was accepted.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @main(%i: index, %c: i1) {
    %r:2 = call @made(%i, %c) {gmem.offset = array<i64: -1, 64>, gmem.pool = ["", "tensors"], gmem.size = array<i64: -1, 64>} : (index, i1) -> (!my.list, tensor<64xi8>)
    "my.use"(%r#1) : (tensor<64xi8>) -> ()
    "my.unlist"(%r#0) : (!my.list) -> ()
    return
  }
  func.func private @made(%i: index, %c: i1) -> (!my.list, tensor<64xi8>) {
    %a = "my.compute"(%i) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    // expected-note @+1 {{result #0 of 'my.compute' has bytes [64, 128) of pool 'tensors'}}
    %b = "my.compute"(%i) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    %l = "my.list"(%b) : (tensor<64xi8>) -> !my.list
    // expected-error @+2 {{'func.return' returns result #0 of 'my.compute', but 'func.return' has overwritten bytes [64, 128) of pool 'tensors'}}
    // expected-note @+1 {{'func.return' writes there}}
    return {gmem.copies = [{edge = "caller", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 64 : i64, to_pool = "tensors"}]} %l, %a : !my.list, tensor<64xi8>
  ^bb2:
    %k = "my.list"(%a) : (tensor<64xi8>) -> !my.list
    return %k, %b : !my.list, tensor<64xi8>
  }
}

// -----

// The same by the call, of two returns; and where only the list of the other one stands for that.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @main(%i: index, %c: i1) {
    // expected-note @+2 {{result #0 of 'func.call' has bytes [64, 128) of pool 'tensors'}}
    // expected-note @+1 {{'func.call' writes result #1 there}}
    %r:2 = call @made(%i, %c) {gmem.copies = [{edge = "results", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 64 : i64, to_pool = "tensors"}], gmem.offset = array<i64: -1, 64>, gmem.pool = ["", "tensors"], gmem.size = array<i64: -1, 64>} : (index, i1) -> (!my.list, tensor<64xi8>)
    "my.use"(%r#1) : (tensor<64xi8>) -> ()
    // expected-error @+1 {{'my.unlist' reads result #0 of 'func.call', but 'func.call' has overwritten bytes [64, 128) of pool 'tensors'}}
    "my.unlist"(%r#0) : (!my.list) -> ()
    return
  }
  func.func @other(%i: index, %c: i1) {
    %r:2 = call @made(%i, %c) {gmem.copies = [{edge = "results", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}, {edge = "results", from = 64 : i64, from_pool = "tensors", number = 1 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}], gmem.offset = array<i64: -1, 128>, gmem.pool = ["", "tensors"], gmem.size = array<i64: -1, 64>} : (index, i1) -> (!my.list, tensor<64xi8>)
    "my.use"(%r#1) : (tensor<64xi8>) -> ()
    return
  }
  func.func private @made(%i: index, %c: i1) -> (!my.list, tensor<64xi8>) {
    %a = "my.compute"(%i) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    %b = "my.compute"(%i) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    %l = "my.list"(%b) : (tensor<64xi8>) -> !my.list
    return %l, %a : !my.list, tensor<64xi8>
  ^bb2:
    %k = "my.list"(%a) : (tensor<64xi8>) -> !my.list
    return %k, %b : !my.list, tensor<64xi8>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @main(%i: index, %c: i1) {
    %r:2 = call @made(%i, %c) {gmem.copies = [{edge = "results", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 64 : i64, to_pool = "tensors"}], gmem.offset = array<i64: -1, 64>, gmem.pool = ["", "tensors"], gmem.size = array<i64: -1, 64>} : (index, i1) -> (!my.list, tensor<64xi8>)
    "my.use"(%r#1) : (tensor<64xi8>) -> ()
    "my.unlist"(%r#0) : (!my.list) -> ()
    return
  }
  func.func @other(%i: index, %c: i1) {
    %r:2 = call @made(%i, %c) {gmem.copies = [{edge = "results", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}, {edge = "results", from = 64 : i64, from_pool = "tensors", number = 1 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}], gmem.offset = array<i64: -1, 128>, gmem.pool = ["", "tensors"], gmem.size = array<i64: -1, 64>} : (index, i1) -> (!my.list, tensor<64xi8>)
    "my.use"(%r#1) : (tensor<64xi8>) -> ()
    return
  }
  func.func private @made(%i: index, %c: i1) -> (!my.list, tensor<64xi8>) {
    %a = "my.compute"(%i) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    %b = "my.compute"(%i) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (index) -> tensor<64xi8>
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    %l = "my.list"(%a) : (tensor<64xi8>) -> !my.list
    return %l, %a : !my.list, tensor<64xi8>
  ^bb2:
    %k = "my.list"(%b) : (tensor<64xi8>) -> !my.list
    return %k, %b : !my.list, tensor<64xi8>
  }
}
