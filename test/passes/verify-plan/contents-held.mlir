// gmem.hold in loops, among blocks and in regions: from the begin of its function on, no
// other op writes the bytes of such a value, which may be there from an earlier round. Of
// plans that are wrong there, those in which the value was made again before the function
// returned were accepted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// RUN: gmem-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --gmem-verify-plan=only=contents -o /dev/null

// 1. Sound: what is held has bytes of its own, and all copies to it are of its op.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %x = "x.x"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      %v = scf.if %c -> tensor<16xf32> {
        scf.yield {gmem.copies = [{edge = "parent", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 64 : i64, to_pool = "tensors"}]} %x : tensor<16xf32>
      } else {
        %y = "x.y"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
        scf.yield %y : tensor<16xf32>
      } {gmem.hold, gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>}
      "x.use"(%v) : (tensor<16xf32>) -> ()
    }
    return
  }
}

// -----

// 2. The same with another value in its bytes, before it is made.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      // expected-error @+1 {{'x.x' writes bytes [0, 64) of pool 'tensors', which 'x.v' may still use}}
      %x = "x.x"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      // expected-note @+1 {{'x.v' has gmem.hold}}
      %v = "x.v"() {gmem.hold, gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    }
    return
  }
}

// -----

// 3. A loop of blocks.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1) {
    cf.br ^a
  ^a:
    // expected-error @+1 {{'x.x' writes bytes [0, 64) of pool 'tensors', which 'x.v' may still use}}
    %x = "x.x"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    cf.br ^b
  ^b:
    // expected-note @+1 {{'x.v' has gmem.hold}}
    %v = "x.v"() {gmem.hold, gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    cf.cond_br %c, ^a, ^exit
  ^exit:
    return
  }
}

// -----

// 4. Regions that run in any order.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    "x.regions"() ({
      // expected-note @+1 {{'x.v' has gmem.hold}}
      %v = "x.v"() {gmem.hold, gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      "x.yield"() : () -> ()
    }, {
      // expected-error @+1 {{'x.x' writes bytes [0, 64) of pool 'tensors', which 'x.v' may still use}}
      %x = "x.x"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      "x.yield"() : () -> ()
    }) : () -> ()
    return
  }
}

// -----

// 5. A call returns what it is given, where that is: the next round makes it again.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @id(%a: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    return %a : tensor<16xf32>
  }
  func.func @f(%n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      // expected-error @+1 {{'x.x' writes bytes [0, 64) of pool 'tensors', which 'func.call' may still use}}
      %x = "x.x"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      // expected-note @+1 {{'func.call' has gmem.hold}}
      %v = func.call @id(%x) {gmem.hold, gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    }
    return
  }
}

// -----

// 6. Memory that its own names write, and others: a view of it is held.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%in: memref<16xf32>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
      // expected-error @+1 {{'memref.copy' writes bytes [0, 64) of pool 'tensors', which 'memref.cast' may still use}}
      memref.copy %in, %x : memref<16xf32> to memref<16xf32>
      // expected-note @+1 {{'memref.cast' has gmem.hold}}
      %v = memref.cast %m {gmem.hold} : memref<16xf32> to memref<?xf32>
      memref.copy %in, %m : memref<16xf32> to memref<16xf32>
    }
    return
  }
}
