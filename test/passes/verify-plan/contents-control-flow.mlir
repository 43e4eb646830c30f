// Does every op find what it reads? Control flow and calls, in plans written by
// hand: of each pair the first is sound, the second is not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --gmem-verify-plan=only=contents -o /dev/null

// 1. Where control flow passes a value on, it has one place or a copy is made.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = scf.if %c -> tensor<16xf32> {
      %1 = "x.a"(%x) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
      scf.yield {gmem.copies = [{edge = "parent", from = 128 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 192 : i64, to_pool = "tensors"}]} %1 : tensor<16xf32>
    } else {
      %1 = "x.b"(%y) {gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
      scf.yield %1 : tensor<16xf32>
    } {gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>}
    return %0 : tensor<16xf32>
  }
}

// -----

// A transfer without a record: no copy is made.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = scf.if %c -> tensor<16xf32> {
      %1 = "x.a"(%x) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
      // expected-error @+1 {{'scf.yield' passes result #0 of 'x.a' to result #0 of 'scf.if', but no gmem.copies brings bytes [128, 192) of pool 'tensors' to bytes [192, 256) of pool 'tensors'; plan again}}
      scf.yield %1 : tensor<16xf32>
    } else {
      %1 = "x.b"(%y) {gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
      scf.yield %1 : tensor<16xf32>
    } {gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>}
    return %0 : tensor<16xf32>
  }
}

// -----

// The record copies something else.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = scf.if %c -> tensor<16xf32> {
      %1 = "x.a"(%x) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
      // expected-error @+1 {{'scf.yield' passes result #0 of 'x.a' to result #0 of 'scf.if', but no gmem.copies brings bytes [128, 192) of pool 'tensors' to bytes [192, 256) of pool 'tensors'; plan again}}
      scf.yield {gmem.copies = [{edge = "parent", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 192 : i64, to_pool = "tensors"}]} %1 : tensor<16xf32>
    } else {
      %1 = "x.b"(%y) {gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
      scf.yield %1 : tensor<16xf32>
    } {gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>}
    return %0 : tensor<16xf32>
  }
}

// -----

// A record too many writes over what is read later.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  // expected-note @+1 {{argument #2 has bytes [64, 128) of pool 'tensors'}}
  func.func @f(%c: i1, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = scf.if %c -> tensor<16xf32> {
      %1 = "x.a"(%x) {gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
      // expected-note @+1 {{'scf.yield' writes there}}
      scf.yield {gmem.copies = [{edge = "parent", from = 192 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 64 : i64, to_pool = "tensors"}]} %1 : tensor<16xf32>
    } else {
      %1 = "x.b"(%y) {gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
      scf.yield %1 : tensor<16xf32>
    } {gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>}
    // expected-error @+1 {{'x.c' reads argument #2, but 'scf.yield' has overwritten bytes [64, 128) of pool 'tensors'}}
    %2 = "x.c"(%0, %y) {gmem.offset = array<i64: 256>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    return %2 : tensor<16xf32>
  }
}

// -----

// 2. Only one of two branches writes over a value: it is lost behind them.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    scf.if %c {
      %1 = "x.a"(%x) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
      "x.use"(%1) : (tensor<16xf32>) -> ()
    } else {
      %1 = "x.b"(%x) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
      "x.use"(%1) : (tensor<16xf32>) -> ()
    }
    return %y : tensor<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  // expected-note @+1 {{argument #2 has bytes [64, 128) of pool 'tensors'}}
  func.func @f(%c: i1, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    scf.if %c {
      %1 = "x.a"(%x) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
      "x.use"(%1) : (tensor<16xf32>) -> ()
    } else {
      // expected-note @+1 {{'x.b' writes there}}
      %1 = "x.b"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
      "x.use"(%1) : (tensor<16xf32>) -> ()
    }
    // expected-error @+1 {{'func.return' returns argument #2, but 'x.b' has overwritten bytes [64, 128) of pool 'tensors'}}
    return %y : tensor<16xf32>
  }
}

// -----

// 3. What a loop reads of before stays until its last iteration.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%l: index, %u: index, %s: index, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = scf.for %i = %l to %u step %s iter_args(%a = %y) -> tensor<16xf32> {
      %1 = "x.a"(%x, %a) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      %2 = "x.b"(%1) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
      scf.yield %2 : tensor<16xf32>
    } {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.block_args = [{block = 0 : i64, region = 0 : i64, offset = array<i64: 0, 64>, pool = ["", "tensors"], size = array<i64: 0, 64>}]}
    return %0 : tensor<16xf32>
  }
}

// -----

// The first iteration writes over what the second reads.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  // expected-note @+1 {{argument #3 has bytes [0, 64) of pool 'tensors'}}
  func.func @f(%l: index, %u: index, %s: index, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = scf.for %i = %l to %u step %s iter_args(%a = %y) -> tensor<16xf32> {
      // expected-error @+1 {{'x.a' reads argument #3, but 'x.b' has overwritten bytes [0, 64) of pool 'tensors'}}
      %1 = "x.a"(%x, %a) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      // expected-note @+1 {{'x.b' writes there}}
      %2 = "x.b"(%1) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
      %3 = "x.c"(%2) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
      scf.yield %3 : tensor<16xf32>
    } {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.block_args = [{block = 0 : i64, region = 0 : i64, offset = array<i64: 0, 64>, pool = ["", "tensors"], size = array<i64: 0, 64>}]}
    return %0 : tensor<16xf32>
  }
}

// -----

// 4. A loop that swaps what it carries needs copies in a cycle.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%l: index, %u: index, %s: index, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32>, tensor<16xf32>) {
    %0:2 = scf.for %i = %l to %u step %s iter_args(%a = %x, %b = %y) -> (tensor<16xf32>, tensor<16xf32>) {
      "x.use"(%a, %b) : (tensor<16xf32>, tensor<16xf32>) -> ()
      scf.yield {gmem.copies = [{cycle, edge = "next", from = 64 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 0 : i64, to_pool = "tensors"}, {cycle, edge = "next", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 64 : i64, to_pool = "tensors"}]} %b, %a : tensor<16xf32>, tensor<16xf32>
    } {gmem.offset = array<i64: 0, 64>, gmem.pool = ["tensors", "tensors"], gmem.size = array<i64: 64, 64>, gmem.block_args = [{block = 0 : i64, region = 0 : i64, offset = array<i64: 0, 0, 64>, pool = ["", "tensors", "tensors"], size = array<i64: 0, 64, 64>}]}
    return %0#0, %0#1 : tensor<16xf32>, tensor<16xf32>
  }
}

// -----

// One after the other, the second reads what the first has written.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%l: index, %u: index, %s: index, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32>, tensor<16xf32>) {
    // expected-note @+1 {{argument #1 has bytes [0, 64) of pool 'tensors'}}
    %0:2 = scf.for %i = %l to %u step %s iter_args(%a = %x, %b = %y) -> (tensor<16xf32>, tensor<16xf32>) {
      "x.use"(%a, %b) : (tensor<16xf32>, tensor<16xf32>) -> ()
      // expected-error @+2 {{'scf.yield' copies argument #1, but 'scf.yield' has overwritten bytes [0, 64) of pool 'tensors'}}
      // expected-note @+1 {{'scf.yield' writes there}}
      scf.yield {gmem.copies = [{edge = "next", from = 64 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 0 : i64, to_pool = "tensors"}, {edge = "next", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 64 : i64, to_pool = "tensors"}]} %b, %a : tensor<16xf32>, tensor<16xf32>
    } {gmem.offset = array<i64: 0, 64>, gmem.pool = ["tensors", "tensors"], gmem.size = array<i64: 64, 64>, gmem.block_args = [{block = 0 : i64, region = 0 : i64, offset = array<i64: 0, 0, 64>, pool = ["", "tensors", "tensors"], size = array<i64: 0, 64, 64>}]}
    return %0#0, %0#1 : tensor<16xf32>, tensor<16xf32>
  }
}

// -----

// Two copies that are no cycle, in the order in which the source of the second
// is read before it is written over.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%l: index, %u: index, %s: index, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32>, tensor<16xf32>) {
    %0:2 = scf.for %i = %l to %u step %s iter_args(%a = %x, %b = %y) -> (tensor<16xf32>, tensor<16xf32>) {
      %1 = "x.a"(%a, %b) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      scf.yield {gmem.copies = [{edge = "next", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 64 : i64, to_pool = "tensors"}, {edge = "next", from = 128 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 0 : i64, to_pool = "tensors"}]} %1, %a : tensor<16xf32>, tensor<16xf32>
    } {gmem.offset = array<i64: 0, 64>, gmem.pool = ["tensors", "tensors"], gmem.size = array<i64: 64, 64>, gmem.block_args = [{block = 0 : i64, region = 0 : i64, offset = array<i64: 0, 0, 64>, pool = ["", "tensors", "tensors"], size = array<i64: 0, 64, 64>}]}
    return %0#0, %0#1 : tensor<16xf32>, tensor<16xf32>
  }
}

// -----

// In the other one.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%l: index, %u: index, %s: index, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32>, tensor<16xf32>) {
    // expected-note @+1 {{argument #1 has bytes [0, 64) of pool 'tensors'}}
    %0:2 = scf.for %i = %l to %u step %s iter_args(%a = %x, %b = %y) -> (tensor<16xf32>, tensor<16xf32>) {
      %1 = "x.a"(%a, %b) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      // expected-error @+2 {{'scf.yield' copies argument #1, but 'scf.yield' has overwritten bytes [0, 64) of pool 'tensors'}}
      // expected-note @+1 {{'scf.yield' writes there}}
      scf.yield {gmem.copies = [{edge = "next", from = 128 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 0 : i64, to_pool = "tensors"}, {edge = "next", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 64 : i64, to_pool = "tensors"}]} %1, %a : tensor<16xf32>, tensor<16xf32>
    } {gmem.offset = array<i64: 0, 64>, gmem.pool = ["tensors", "tensors"], gmem.size = array<i64: 64, 64>, gmem.block_args = [{block = 0 : i64, region = 0 : i64, offset = array<i64: 0, 0, 64>, pool = ["", "tensors", "tensors"], size = array<i64: 0, 64, 64>}]}
    return %0#0, %0#1 : tensor<16xf32>, tensor<16xf32>
  }
}

// -----

// 5. A while loop: what its condition passes on is carried to its body.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = scf.while (%a = %x) : (tensor<16xf32>) -> tensor<16xf32> {
      %c = "x.test"(%a) : (tensor<16xf32>) -> i1
      scf.condition(%c) %a : tensor<16xf32>
    } do {
    ^bb0(%b: tensor<16xf32>):
      %1 = "x.a"(%b, %y) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      scf.yield {gmem.copies = [{edge = "next", from = 128 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 0 : i64, to_pool = "tensors"}]} %1 : tensor<16xf32>
    } attributes {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.block_args = [{block = 0 : i64, region = 0 : i64, offset = array<i64: 0>, pool = ["tensors"], size = array<i64: 64>}, {block = 0 : i64, region = 1 : i64, offset = array<i64: 0>, pool = ["tensors"], size = array<i64: 64>}]}
    return %0 : tensor<16xf32>
  }
}

// -----

// The condition needs a value that the body writes over.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  // expected-note @+1 {{argument #1 has bytes [64, 128) of pool 'tensors'}}
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = scf.while (%a = %x) : (tensor<16xf32>) -> tensor<16xf32> {
      // expected-error @+1 {{'x.test' reads argument #1, but 'x.a' has overwritten bytes [64, 128) of pool 'tensors'}}
      %c = "x.test"(%a, %y) : (tensor<16xf32>, tensor<16xf32>) -> i1
      scf.condition(%c) %a : tensor<16xf32>
    } do {
    ^bb0(%b: tensor<16xf32>):
      // expected-note @+1 {{'x.a' writes there}}
      %1 = "x.a"(%b) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
      scf.yield {gmem.copies = [{edge = "next", from = 64 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 0 : i64, to_pool = "tensors"}]} %1 : tensor<16xf32>
    } attributes {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.block_args = [{block = 0 : i64, region = 0 : i64, offset = array<i64: 0>, pool = ["tensors"], size = array<i64: 64>}, {block = 0 : i64, region = 1 : i64, offset = array<i64: 0>, pool = ["tensors"], size = array<i64: 64>}]}
    return %0 : tensor<16xf32>
  }
}

// -----

// 6. A loop of blocks.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> attributes {gmem.block_args = [{block = 1 : i64, region = 0 : i64, offset = array<i64: 128>, pool = ["tensors"], size = array<i64: 64>}]} {
    cf.br ^bb1(%x : tensor<16xf32>) {gmem.copies = [{edge = "successor", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}]}
  ^bb1(%a: tensor<16xf32>):
    %1 = "x.a"(%a, %y) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    cf.cond_br %c, ^bb1(%1 : tensor<16xf32>), ^bb2 {gmem.copies = [{edge = "successor", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}]}
  ^bb2:
    return %1 : tensor<16xf32>
  }
}

// -----

// What is read in the next round is written over in this one.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  // expected-note @+1 {{argument #2 has bytes [64, 128) of pool 'tensors'}}
  func.func @f(%c: i1, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> attributes {gmem.block_args = [{block = 1 : i64, region = 0 : i64, offset = array<i64: 128>, pool = ["tensors"], size = array<i64: 64>}]} {
    cf.br ^bb1(%x : tensor<16xf32>) {gmem.copies = [{edge = "successor", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}]}
  ^bb1(%a: tensor<16xf32>):
    // expected-error @+1 {{'x.a' reads argument #2, but 'x.b' has overwritten bytes [64, 128) of pool 'tensors'}}
    %1 = "x.a"(%a, %y) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    // expected-note @+1 {{'x.b' writes there}}
    %2 = "x.b"(%1) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    cf.cond_br %c, ^bb1(%2 : tensor<16xf32>), ^bb2 {gmem.copies = [{edge = "successor", from = 64 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}]}
  ^bb2:
    return %1 : tensor<16xf32>
  }
}

// -----

// The copy is on one of two edges only.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> attributes {gmem.block_args = [{block = 1 : i64, region = 0 : i64, offset = array<i64: 128>, pool = ["tensors"], size = array<i64: 64>}]} {
    cf.br ^bb1(%x : tensor<16xf32>) {gmem.copies = [{edge = "successor", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}]}
  ^bb1(%a: tensor<16xf32>):
    %1 = "x.a"(%a, %y) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+1 {{'cf.cond_br' passes result #0 of 'x.a' to argument #0, but no gmem.copies brings bytes [0, 64) of pool 'tensors' to bytes [128, 192) of pool 'tensors'; plan again}}
    cf.cond_br %c, ^bb1(%1 : tensor<16xf32>), ^bb2
  ^bb2:
    return %1 : tensor<16xf32>
  }
}

// -----

// A branch that is not known writes all arguments, in any order: two with a byte in
// common cannot both have what it passes.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> attributes {gmem.block_args = [{block = 1 : i64, region = 0 : i64, offset = array<i64: 128, 192>, pool = ["tensors", "tensors"], size = array<i64: 64, 64>}]} {
    "x.branch"(%x, %y)[^bb1] : (tensor<16xf32>, tensor<16xf32>) -> ()
  ^bb1(%a: tensor<16xf32>, %b: tensor<16xf32>):
    %0 = "x.a"(%a, %b) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> attributes {gmem.block_args = [{block = 1 : i64, region = 0 : i64, offset = array<i64: 128, 160>, pool = ["tensors", "tensors"], size = array<i64: 64, 64>}]} {
    // expected-error @+3 {{'x.branch' passes argument #0, but 'x.branch' has overwritten bytes [160, 192) of pool 'tensors'}}
    // expected-note @+2 {{'x.branch' writes there}}
    // expected-note @+2 {{argument #0 has bytes [128, 192) of pool 'tensors'}}
    "x.branch"(%x, %y)[^bb1] : (tensor<16xf32>, tensor<16xf32>) -> ()
  ^bb1(%a: tensor<16xf32>, %b: tensor<16xf32>):
    %0 = "x.a"(%a, %b) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
}

// -----

// 7. A function with two callers: each copies to its arguments and from its
// results.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g(%a: tensor<16xf32> {gmem.offset = 512 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = "x.g"(%a) {gmem.offset = array<i64: 576>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32>, tensor<16xf32>) {
    %0 = call @g(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.copies = [{edge = "callee", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 512 : i64, to_pool = "tensors"}, {edge = "results", from = 576 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 64 : i64, to_pool = "tensors"}]} : (tensor<16xf32>) -> tensor<16xf32>
    %1 = call @g(%0) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.copies = [{edge = "callee", from = 64 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 512 : i64, to_pool = "tensors"}, {edge = "results", from = 576 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}]} : (tensor<16xf32>) -> tensor<16xf32>
    return %0, %1 : tensor<16xf32>, tensor<16xf32>
  }
}

// -----

// The caller keeps a value where the callee works.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g(%a: tensor<16xf32> {gmem.offset = 512 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = "x.g"(%a) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32>, tensor<16xf32>) {
    %0 = call @g(%x) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.copies = [{edge = "callee", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 512 : i64, to_pool = "tensors"}, {edge = "results", from = 64 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}]} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-note @+1 {{result #0 of 'func.call' has bytes [64, 128) of pool 'tensors'}}
    %1 = call @g(%0) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.copies = [{edge = "callee", from = 128 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 512 : i64, to_pool = "tensors"}]} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-note @+1 {{'func.call' writes there}}
    %2 = call @g(%0) {gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.copies = [{edge = "callee", from = 128 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 512 : i64, to_pool = "tensors"}, {edge = "results", from = 64 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 192 : i64, to_pool = "tensors"}]} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+1 {{'func.return' returns result #0 of 'func.call', but 'func.call' has overwritten bytes [64, 128) of pool 'tensors'}}
    return %1, %2 : tensor<16xf32>, tensor<16xf32>
  }
}

// -----

// One of the callers does not copy its argument.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g(%a: tensor<16xf32> {gmem.offset = 512 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = "x.g"(%a) {gmem.offset = array<i64: 576>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32>, tensor<16xf32>) {
    %0 = call @g(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.copies = [{edge = "callee", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 512 : i64, to_pool = "tensors"}, {edge = "results", from = 576 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 64 : i64, to_pool = "tensors"}]} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+1 {{'func.call' passes result #0 of 'func.call' to argument #0, but no gmem.copies brings bytes [64, 128) of pool 'tensors' to bytes [512, 576) of pool 'tensors'; plan again}}
    %1 = call @g(%0) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.copies = [{edge = "results", from = 576 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}]} : (tensor<16xf32>) -> tensor<16xf32>
    return %0, %1 : tensor<16xf32>, tensor<16xf32>
  }
}

// -----

// Nor its result.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g(%a: tensor<16xf32> {gmem.offset = 512 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = "x.g"(%a) {gmem.offset = array<i64: 576>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32>, tensor<16xf32>) {
    %0 = call @g(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.copies = [{edge = "callee", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 512 : i64, to_pool = "tensors"}, {edge = "results", from = 576 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 64 : i64, to_pool = "tensors"}]} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+1 {{'func.call' passes result #0 of 'x.g' to result #0 of 'func.call', but no gmem.copies brings bytes [576, 640) of pool 'tensors' to bytes [128, 192) of pool 'tensors'; plan again}}
    %1 = call @g(%0) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.copies = [{edge = "callee", from = 64 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 512 : i64, to_pool = "tensors"}]} : (tensor<16xf32>) -> tensor<16xf32>
    return %0, %1 : tensor<16xf32>, tensor<16xf32>
  }
}

// -----

// Its return writes the result of one of the calls; nothing writes that of the
// other one, which was accepted.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g(%a: tensor<16xf32> {gmem.offset = 512 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = "x.g"(%a) {gmem.offset = array<i64: 576>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+1 {{gmem.copies copies to the results of the only call, but the function has another one; plan again}}
    return {gmem.copies = [{edge = "caller", from = 576 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 64 : i64, to_pool = "tensors"}]} %0 : tensor<16xf32>
  }
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32>, tensor<16xf32>) {
    %0 = call @g(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.copies = [{edge = "callee", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 512 : i64, to_pool = "tensors"}]} : (tensor<16xf32>) -> tensor<16xf32>
    %1 = call @g(%0) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.copies = [{edge = "callee", from = 64 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 512 : i64, to_pool = "tensors"}]} : (tensor<16xf32>) -> tensor<16xf32>
    return %0, %1 : tensor<16xf32>, tensor<16xf32>
  }
}

// -----

// 8. A function with one caller gets its arguments where they are.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g(%a: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = "x.g"(%a) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32>, tensor<16xf32>) {
    %0 = call @g(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %0, %x : tensor<16xf32>, tensor<16xf32>
  }
}

// -----

// But it may not write over them if the caller reads them later.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g(%a: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = tosa.exp %a {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
  // expected-note @+1 {{argument #0 has bytes [0, 64) of pool 'tensors'}}
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32>, tensor<16xf32>) {
    // expected-note @+1 {{'func.call' writes there}}
    %0 = call @g(%x) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+1 {{'func.return' returns argument #0, but 'func.call' has overwritten bytes [0, 64) of pool 'tensors'}}
    return %0, %x : tensor<16xf32>, tensor<16xf32>
  }
}

// -----

// 9. A region that runs later reads its operands until its function ends.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %t, %v = async.execute -> !async.value<tensor<16xf32>> {
      %1 = "x.a"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
      async.yield %1 : tensor<16xf32>
    }
    %2 = "x.b"() {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    return %2 : tensor<16xf32>
  }
}

// -----

// It may still read this.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  // expected-note @+1 {{argument #0 has bytes [0, 64) of pool 'tensors'}}
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %t, %v = async.execute -> !async.value<tensor<16xf32>> {
      %1 = "x.a"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
      async.yield %1 : tensor<16xf32>
    }
    // expected-note @+1 {{'x.b' writes there}}
    %2 = "x.b"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-error @+1 {{'func.return' returns while deferred code uses argument #0, but 'x.b' has overwritten bytes [0, 64) of pool 'tensors'}}
    return %2 : tensor<16xf32>
  }
}

// -----

// It may write this at any time.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    // expected-note @+1 {{'async.execute' has not ended}}
    %t, %v = async.execute -> !async.value<tensor<16xf32>> {
      %1 = "x.a"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
      async.yield %1 : tensor<16xf32>
    }
    // expected-error @+1 {{'x.b' writes bytes [64, 128) of pool 'tensors', which 'async.execute' may still use}}
    %2 = "x.b"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    return %2 : tensor<16xf32>
  }
}

// -----

// Its workbuffer is used all the time.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %t = async.execute attributes {gmem.workbuffers = [{size = 64 : i64}], gmem.workbuffer_offset = array<i64: 128>, gmem.workbuffer_pool = ["tensors"]} {
      %1 = "x.a"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
      async.yield
    }
    return
  }
}

// -----

// The result of an op inside is in it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    // expected-note @+1 {{'async.execute' has not ended}}
    %t = async.execute attributes {gmem.workbuffers = [{size = 64 : i64}], gmem.workbuffer_offset = array<i64: 64>, gmem.workbuffer_pool = ["tensors"]} {
      // expected-error @+1 {{'x.a' writes bytes [64, 128) of pool 'tensors', which 'async.execute' may still use}}
      %1 = "x.a"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
      async.yield
    }
    return
  }
}

// -----

// An op with a workbuffer passes a value to its region.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "x.a"(%x) ({
    ^bb0(%y: tensor<16xf32>):
      "x.b"(%y) : (tensor<16xf32>) -> ()
    }) {gmem.block_args = [{block = 0 : i64, offset = array<i64: 64>, pool = ["tensors"], region = 0 : i64, size = array<i64: 64>}], gmem.workbuffers = [{size = 64 : i64}], gmem.workbuffer_offset = array<i64: 128>, gmem.workbuffer_pool = ["tensors"]} : (tensor<16xf32>) -> ()
    return
  }
}

// -----

// The value is in the workbuffer.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    // expected-note @+2 {{'x.a' has not ended}}
    // expected-error @+1 {{'x.a' writes bytes [64, 128) of pool 'tensors', which 'x.a' may still use}}
    "x.a"(%x) ({
    ^bb0(%y: tensor<16xf32>):
      "x.b"(%y) : (tensor<16xf32>) -> ()
    }) {gmem.block_args = [{block = 0 : i64, offset = array<i64: 64>, pool = ["tensors"], region = 0 : i64, size = array<i64: 64>}], gmem.workbuffers = [{size = 64 : i64}], gmem.workbuffer_offset = array<i64: 96>, gmem.workbuffer_pool = ["tensors"]} : (tensor<16xf32>) -> ()
    return
  }
}

// -----

// An op passes values to its regions.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "x.a"(%x) ({
    ^bb0(%y: tensor<16xf32>):
      "x.b"(%x) : (tensor<16xf32>) -> ()
    }, {
    ^bb0(%z: tensor<16xf32>):
      "x.b"(%z) : (tensor<16xf32>) -> ()
    }) {gmem.block_args = [{block = 0 : i64, offset = array<i64: 64>, pool = ["tensors"], region = 0 : i64, size = array<i64: 64>}, {block = 0 : i64, offset = array<i64: 128>, pool = ["tensors"], region = 1 : i64, size = array<i64: 64>}]} : (tensor<16xf32>) -> ()
    return
  }
}

// -----

// They share bytes.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    // expected-note @+2 {{'x.a' writes there}}
    // expected-error @+1 {{'x.a' passes argument #0, but 'x.a' has overwritten bytes [96, 128) of pool 'tensors'}}
    "x.a"(%x) ({
    // expected-note @+1 {{argument #0 has bytes [64, 128) of pool 'tensors'}}
    ^bb0(%y: tensor<16xf32>):
      "x.b"(%x) : (tensor<16xf32>) -> ()
    }, {
    ^bb0(%z: tensor<16xf32>):
      "x.b"(%z) : (tensor<16xf32>) -> ()
    }) {gmem.block_args = [{block = 0 : i64, offset = array<i64: 64>, pool = ["tensors"], region = 0 : i64, size = array<i64: 64>}, {block = 0 : i64, offset = array<i64: 96>, pool = ["tensors"], region = 1 : i64, size = array<i64: 64>}]} : (tensor<16xf32>) -> ()
    return
  }
}

// -----

// A value of no bytes has none there, wherever the plan puts it: this was refused.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %t, %v = async.execute -> !async.value<tensor<0xf32>> {
      %1 = "x.a"(%x) {gmem.offset = array<i64: 68>, gmem.pool = ["tensors"], gmem.size = array<i64: 0>} : (tensor<16xf32>) -> tensor<0xf32>
      async.yield %1 : tensor<0xf32>
    }
    %2 = "x.b"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    return %2 : tensor<16xf32>
  }
}

// -----

// It may read what the argument of a block points to after that block: this was
// accepted.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%a: memref<16xf32>, %c: i1) {
    %m = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %k = memref.alloc() {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    cf.cond_br %c, ^bb1(%m : memref<16xf32>), ^bb1(%k : memref<16xf32>)
  // expected-note @+1 {{argument #0 has bytes [64, 128) of pool 'tensors'}}
  ^bb1(%x: memref<16xf32>):
    memref.copy %a, %x : memref<16xf32> to memref<16xf32>
    %t = async.execute {
      memref.copy %x, %a : memref<16xf32> to memref<16xf32>
      async.yield
    }
    cf.br ^bb2
  ^bb2:
    // expected-note @+1 {{'x.b' writes there}}
    %2 = "x.b"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.use"(%2) : (tensor<16xf32>) -> ()
    // expected-error @+1 {{'func.return' returns while deferred code uses argument #0, but 'x.b' has overwritten bytes [64, 128) of pool 'tensors'}}
    return
  }
}

// -----

// What an op passes to its regions is at its places all at once, read or not.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    // expected-note @+2 {{'x.regions' writes there}}
    // expected-error @+1 {{'x.regions' passes argument #0, but 'x.regions' has overwritten bytes [32, 64) of pool 'tensors'}}
    "x.regions"() ({
    // expected-note @+1 {{argument #0 has bytes [0, 64) of pool 'tensors'}}
    ^bb0(%x: tensor<16xf32>, %y: tensor<16xf32>):
      "x.yield"() : () -> ()
    }) {gmem.block_args = [{block = 0 : i64, offset = array<i64: 0, 32>, pool = ["tensors", "tensors"], region = 0 : i64, size = array<i64: 64, 64>}]} : () -> ()
    return
  }
}

// -----

// Ops of a graph region run in another order than that of the text: a workbuffer
// is not in a value that is defined behind it. This was accepted.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    "x.graph"() ({
      // expected-note @+2 {{'x.a' writes workbuffer #0 there}}
      // expected-error @+1 {{'x.a' reads result #0 of 'x.b', but 'x.a' has overwritten bytes [64, 128) of pool 'tensors'}}
      %1 = "x.a"(%2) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.workbuffers = [{size = 64 : i64}], gmem.workbuffer_offset = array<i64: 64>, gmem.workbuffer_pool = ["tensors"]} : (tensor<16xf32>) -> tensor<16xf32>
      // expected-note @+1 {{result #0 of 'x.b' has bytes [64, 128) of pool 'tensors'}}
      %2 = "x.b"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      "x.yield"(%1) : (tensor<16xf32>) -> ()
    }) : () -> ()
    return
  }
}

// -----

// What an op of a graph region copies to the arguments of a function or of a loop,
// what it passes to its regions and what it modifies is not in a value that is
// defined behind it either. These were accepted.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "x.use"(%x) : (tensor<16xf32>) -> ()
    return
  }
  func.func @f(%i: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "x.graph"() ({
      // expected-note @+1 {{'x.call' writes there}}
      "x.call"(%i) {callee = @g, gmem.copies = [{edge = "callee", from = 64 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 0 : i64, to_pool = "tensors"}]} : (tensor<16xf32>) -> ()
      // expected-error @+1 {{'x.use' reads result #0 of 'x.a', but 'x.call' has overwritten bytes [0, 64) of pool 'tensors'}}
      "x.use"(%1) : (tensor<16xf32>) -> ()
      // expected-note @+1 {{result #0 of 'x.a' has bytes [0, 64) of pool 'tensors'}}
      %1 = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      "x.yield"() : () -> ()
    }) : () -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index, %i: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "x.graph"() ({
      // expected-note @+1 {{'scf.for' writes there}}
      %r = scf.for %k = %n to %n step %n iter_args(%x = %i) -> (tensor<16xf32>) {
        "x.use"(%x) : (tensor<16xf32>) -> ()
        scf.yield %x : tensor<16xf32>
      } {gmem.block_args = [{block = 0 : i64, region = 0 : i64, offset = array<i64: 0, 0>, pool = ["", "tensors"], size = array<i64: 0, 64>}], gmem.copies = [{edge = "region", from = 64 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 0 : i64, to_pool = "tensors"}, {edge = "results", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 192 : i64, to_pool = "tensors"}], gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>}
      // expected-error @+1 {{'x.use' reads result #0 of 'x.a', but 'scf.for' has overwritten bytes [0, 64) of pool 'tensors'}}
      "x.use"(%1, %r) : (tensor<16xf32>, tensor<16xf32>) -> ()
      // expected-note @+1 {{result #0 of 'x.a' has bytes [0, 64) of pool 'tensors'}}
      %1 = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      "x.yield"() : () -> ()
    }) : () -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    "x.graph"() ({
      // expected-error @+1 {{'x.use' reads result #0 of 'x.a', but 'x.any' has overwritten bytes [0, 64) of pool 'tensors'}}
      "x.use"(%1) : (tensor<16xf32>) -> ()
      // expected-note @+1 {{'x.any' writes there}}
      "x.any"() ({
      ^bb0(%x: tensor<16xf32>):
        "x.use"(%x) : (tensor<16xf32>) -> ()
        "x.yield"() : () -> ()
      }) {gmem.block_args = [{block = 0 : i64, region = 0 : i64, offset = array<i64: 0>, pool = ["tensors"], size = array<i64: 64>}]} : () -> ()
      // expected-note @+1 {{result #0 of 'x.a' has bytes [0, 64) of pool 'tensors'}}
      %1 = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      "x.yield"() : () -> ()
    }) : () -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    %0 = "x.c"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.graph"() ({
      // expected-error @+1 {{'x.b' reads result #0 of 'x.a', but 'x.w' has overwritten bytes [0, 64) of pool 'tensors'}}
      %2 = "x.b"(%1) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
      // expected-note @+1 {{'x.w' writes there}}
      "x.w"(%0) {gmem.op_model = {unread = array<i64: 0>, writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
      // expected-note @+1 {{result #0 of 'x.a' has bytes [0, 64) of pool 'tensors'}}
      %1 = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      "x.yield"() : () -> ()
    }) : () -> ()
    return
  }
}

// -----

// 10. Code that may run concurrently with itself has no places.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    scf.forall (%i) in (%n) {
      // expected-error @+1 {{result #0 of 'x.a' has a place, but several instances of it may exist at once; plan again}}
      %1 = "x.a"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
      "x.use"(%1) : (tensor<16xf32>) -> ()
    }
    return
  }
}

// -----

// Two ops of such code may use their workbuffers at once. This was accepted.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index) {
    scf.forall (%i) in (%n) {
      "x.one"() {gmem.workbuffers = [{size = 64 : i64, threads = 1 : i64}], gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["tensors"]} : () -> ()
      "x.held"() {gmem.workbuffers = [{size = 64 : i64, threads = 1 : i64}], gmem.workbuffer_offset = array<i64: 64>, gmem.workbuffer_pool = ["tensors"]} : () -> ()
    }
    "x.next"() {gmem.workbuffers = [{size = 64 : i64, threads = 1 : i64}], gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["tensors"]} : () -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index) {
    scf.forall (%i) in (%n) {
      // expected-error @+1 {{'x.one' writes bytes [0, 64) of pool 'tensors', which 'x.held' may still use}}
      "x.one"() {gmem.workbuffers = [{size = 64 : i64, threads = 1 : i64}], gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["tensors"]} : () -> ()
      // expected-note @+1 {{'x.held' has not ended}}
      "x.held"() {gmem.workbuffers = [{size = 64 : i64, threads = 1 : i64}], gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["tensors"]} : () -> ()
    }
    "x.next"() {gmem.workbuffers = [{size = 64 : i64, threads = 1 : i64}], gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["tensors"]} : () -> ()
    return
  }
}

// -----

// So may an op and a function.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g() {
    "x.one"() {gmem.workbuffers = [{size = 64 : i64, threads = 1 : i64}], gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["tensors"]} : () -> ()
    return
  }
  func.func @f(%n: index) {
    scf.forall (%i) in (%n) {
      "x.held"() {gmem.workbuffers = [{size = 64 : i64, threads = 1 : i64}], gmem.workbuffer_offset = array<i64: 64>, gmem.workbuffer_pool = ["tensors"]} : () -> ()
      func.call @g() : () -> ()
    }
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g() {
    "x.one"() {gmem.workbuffers = [{size = 64 : i64, threads = 1 : i64}], gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["tensors"]} : () -> ()
    return
  }
  func.func @f(%n: index) {
    scf.forall (%i) in (%n) {
      // expected-note @+1 {{'x.held' has not ended}}
      "x.held"() {gmem.workbuffers = [{size = 64 : i64, threads = 1 : i64}], gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["tensors"]} : () -> ()
      // expected-error @+1 {{'func.call' writes bytes [0, 64) of pool 'tensors', which 'x.held' may still use}}
      func.call @g() : () -> ()
    }
    return
  }
}

// -----

// Or two ops of a function.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g() {
    "x.one"() {gmem.workbuffers = [{size = 64 : i64, threads = 1 : i64}], gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["tensors"]} : () -> ()
    "x.held"() {gmem.workbuffers = [{size = 64 : i64, threads = 1 : i64}], gmem.workbuffer_offset = array<i64: 64>, gmem.workbuffer_pool = ["tensors"]} : () -> ()
    return
  }
  func.func @f(%n: index) {
    scf.forall (%i) in (%n) {
      func.call @g() : () -> ()
    }
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g() {
    // expected-note @+1 {{a workbuffer of 'x.one' has bytes [0, 64) of pool 'tensors'}}
    "x.one"() {gmem.workbuffers = [{size = 64 : i64, threads = 1 : i64}], gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["tensors"]} : () -> ()
    // expected-note @+2 {{a workbuffer of 'x.two' has bytes [0, 64) of pool 'tensors'}}
    // expected-error @+1 {{a workbuffer of 'x.one' and a workbuffer of 'x.two' share bytes [0, 64) of pool 'tensors': several threads may run them at once}}
    "x.two"() {gmem.workbuffers = [{size = 64 : i64, threads = 1 : i64}], gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["tensors"]} : () -> ()
    return
  }
  func.func @f(%n: index) {
    scf.forall (%i) in (%n) {
      func.call @g() : () -> ()
    }
    return
  }
}

// -----

// Or two functions.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g() {
    "x.one"() {gmem.workbuffers = [{size = 64 : i64, threads = 1 : i64}], gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["tensors"]} : () -> ()
    return
  }
  func.func private @h() {
    "x.two"() {gmem.workbuffers = [{size = 64 : i64, threads = 1 : i64}], gmem.workbuffer_offset = array<i64: 64>, gmem.workbuffer_pool = ["tensors"]} : () -> ()
    return
  }
  func.func @f(%n: index) {
    scf.forall (%i) in (%n) {
      func.call @g() : () -> ()
      func.call @h() : () -> ()
    }
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g() {
    // expected-note @+1 {{a workbuffer of 'x.one' has bytes [0, 64) of pool 'tensors'}}
    "x.one"() {gmem.workbuffers = [{size = 64 : i64, threads = 1 : i64}], gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["tensors"]} : () -> ()
    return
  }
  func.func private @h() {
    // expected-note @+2 {{a workbuffer of 'x.two' has bytes [0, 64) of pool 'tensors'}}
    // expected-error @+1 {{a workbuffer of 'x.one' and a workbuffer of 'x.two' share bytes [0, 64) of pool 'tensors': several threads may run them at once}}
    "x.two"() {gmem.workbuffers = [{size = 64 : i64, threads = 1 : i64}], gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["tensors"]} : () -> ()
    return
  }
  func.func @f(%n: index) {
    scf.forall (%i) in (%n) {
      func.call @g() : () -> ()
      func.call @h() : () -> ()
    }
    return
  }
}

// -----

// Or deferred code and the next round of a loop, which follows it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index) {
    scf.for %i = %n to %n step %n {
      %a = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      %k = async.execute {
        "x.held"() {gmem.workbuffers = [{size = 64 : i64, threads = 1 : i64}], gmem.workbuffer_offset = array<i64: 64>, gmem.workbuffer_pool = ["tensors"]} : () -> ()
        async.yield
      }
    }
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index) {
    scf.for %i = %n to %n step %n {
      // expected-error @+1 {{'x.a' writes bytes [0, 64) of pool 'tensors', which 'x.held' may still use}}
      %a = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      %k = async.execute {
        // expected-note @+1 {{'x.held' has not ended}}
        "x.held"() {gmem.workbuffers = [{size = 64 : i64, threads = 1 : i64}], gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["tensors"]} : () -> ()
        async.yield
      }
    }
    return
  }
}

// -----

// Nor have functions that call themselves.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g(%c: i1) {
    // expected-error @+1 {{result #0 of 'x.a' has a place, but several instances of it may exist at once; plan again}}
    %0 = "x.a"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    scf.if %c {
      func.call @g(%c) : (i1) -> ()
    }
    "x.use"(%0) : (tensor<16xf32>) -> ()
    return
  }
  func.func @f(%c: i1) {
    call @g(%c) : (i1) -> ()
    return
  }
}

// -----

// What a loop carries has no place, as a stream may still read it: it gets to
// the results all the same, and they are not written over.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index) -> tensor<16xf32> {
    %0 = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    %1 = scf.for %i = %n to %n step %n iter_args(%a = %0) -> (tensor<16xf32>) {
      "x.read"(%a) {gmem.stream = 1 : i64} : (tensor<16xf32>) -> ()
      scf.yield %0 : tensor<16xf32>
    } {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>}
    "x.work"() {gmem.workbuffer_offset = array<i64: 64>, gmem.workbuffer_pool = ["tensors"], gmem.workbuffers = [{size = 64 : i64}]} : () -> ()
    return %1 : tensor<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index) -> tensor<16xf32> {
    %0 = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-note @+1 {{result #0 of 'scf.for' has bytes [128, 192) of pool 'tensors'}}
    %1 = scf.for %i = %n to %n step %n iter_args(%a = %0) -> (tensor<16xf32>) {
      "x.read"(%a) {gmem.stream = 1 : i64} : (tensor<16xf32>) -> ()
      scf.yield %0 : tensor<16xf32>
    } {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>}
    // expected-note @+1 {{'x.work' writes workbuffer #0 there}}
    "x.work"() {gmem.workbuffer_offset = array<i64: 65>, gmem.workbuffer_pool = ["tensors"], gmem.workbuffers = [{size = 64 : i64}]} : () -> ()
    // expected-error @+1 {{'func.return' returns result #0 of 'scf.for', but 'x.work' has overwritten bytes [128, 129) of pool 'tensors'}}
    return %1 : tensor<16xf32>
  }
}

// -----

// A handle leads to a value that only ops of its block use: it is not forgotten with it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1) {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    %1 = "x.a"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    %h = bufferization.to_buffer %1 : tensor<16xf32> to memref<16xf32>
    cf.br ^bb2
  ^bb2:
    %2 = "x.b"() {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1) {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    // expected-note @+1 {{result #0 of 'x.a' has bytes [64, 128)}}
    %1 = "x.a"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    %h = bufferization.to_buffer %1 : tensor<16xf32> to memref<16xf32>
    cf.br ^bb2
  ^bb2:
    // expected-note @+1 {{'x.b' writes there}}
    %2 = "x.b"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-error @+1 {{'func.return' returns while a handle leads to result #0 of 'x.a', but 'x.b' has overwritten bytes [64, 128)}}
    return
  }
}

// -----

// Nothing is in an argument of a block at first, but something when the block comes again.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1) attributes {gmem.block_args = [{block = 1 : i64, offset = array<i64: 64>, pool = ["tensors"], region = 0 : i64, size = array<i64: 64>}]} {
    %e = tensor.empty() : tensor<16xf32>
    cf.br ^bb1(%e : tensor<16xf32>)
  ^bb1(%p: tensor<16xf32>):
    %1 = "x.a"() {gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.use"(%p) : (tensor<16xf32>) -> ()
    %2 = "x.b"() {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    cf.cond_br %c, ^bb1(%2 : tensor<16xf32>), ^bb2 {gmem.copies = [{edge = "successor", from = 128 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 64 : i64, to_pool = "tensors"}]}
  ^bb2:
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1) attributes {gmem.block_args = [{block = 1 : i64, offset = array<i64: 64>, pool = ["tensors"], region = 0 : i64, size = array<i64: 64>}]} {
    %e = tensor.empty() : tensor<16xf32>
    cf.br ^bb1(%e : tensor<16xf32>)
  // expected-note @+1 {{argument #0 has bytes [64, 128)}}
  ^bb1(%p: tensor<16xf32>):
    // expected-note @+1 {{'x.a' writes there}}
    %1 = "x.a"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-error @+1 {{'x.use' reads argument #0, but 'x.a' has overwritten bytes [64, 128)}}
    "x.use"(%p) : (tensor<16xf32>) -> ()
    %2 = "x.b"() {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    cf.cond_br %c, ^bb1(%2 : tensor<16xf32>), ^bb2 {gmem.copies = [{edge = "successor", from = 128 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 64 : i64, to_pool = "tensors"}]}
  ^bb2:
    return
  }
}

// -----

// What a block of a loop loses, its first block needs.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1) {
    %0 = "x.a"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    cf.br ^bb1
  ^bb1:
    "x.use"(%0) : (tensor<16xf32>) -> ()
    cf.br ^bb2
  ^bb2:
    %1 = "x.b"() {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.use"(%1) : (tensor<16xf32>) -> ()
    cf.cond_br %c, ^bb1, ^bb3
  ^bb3:
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1) {
    // expected-note @+1 {{result #0 of 'x.a' has bytes [64, 128)}}
    %0 = "x.a"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    cf.br ^bb1
  ^bb1:
    // expected-error @+1 {{'x.use' reads result #0 of 'x.a', but 'x.b' has overwritten bytes [64, 128)}}
    "x.use"(%0) : (tensor<16xf32>) -> ()
    cf.br ^bb2
  ^bb2:
    // expected-note @+1 {{'x.b' writes there}}
    %1 = "x.b"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.use"(%1) : (tensor<16xf32>) -> ()
    cf.cond_br %c, ^bb1, ^bb3
  ^bb3:
    return
  }
}

// -----

// A block has one place for each argument, not another one in a second entry.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  // expected-error @+1 {{gmem.block_args is malformed}}
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) attributes {gmem.block_args = [{block = 1 : i64, offset = array<i64: 0>, pool = ["tensors"], region = 0 : i64, size = array<i64: 64>}, {block = 1 : i64, offset = array<i64: 0>, pool = ["tensors"], region = 0 : i64, size = array<i64: 64>}]} {
    cf.br ^bb1(%x : tensor<16xf32>)
  ^bb1(%p: tensor<16xf32>):
    return
  }
}

// -----

// 22. Code that a round of a loop has deferred may go on in the next ones: what
// is made before the loop, or is a constant, stays.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    cf.br ^loop
  ^loop:
    %w = arith.constant {gmem.constant = 0 : i64, gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} dense<1.0> : tensor<16xf32>
    %t = async.execute {
      "x.a"(%x, %w) : (tensor<16xf32>, tensor<16xf32>) -> ()
      async.yield
    }
    cf.cond_br %c, ^loop, ^end
  ^end:
    return
  }
}

// -----

// What is made in the loop does not.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1) {
    cf.br ^loop
  ^loop:
    // expected-error @+1 {{result #0 of 'x.a' has a place, but deferred code may use it when it is made again}}
    %v = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    %t = async.execute {
      "x.b"(%v) : (tensor<16xf32>) -> ()
      async.yield
    }
    cf.cond_br %c, ^loop, ^end
  ^end:
    return
  }
}

// -----

// Nor does what is read as a view.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index) {
    scf.for %i = %n to %n step %n {
      // expected-error @+1 {{result #0 of 'x.a' has a place, but deferred code may use it when it is made again}}
      %v = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      %r = tensor.expand_shape %v [[0, 1]] output_shape [4, 4] : tensor<16xf32> into tensor<4x4xf32>
      %t = async.execute {
        "x.b"(%r) : (tensor<4x4xf32>) -> ()
        async.yield
      }
    }
    return
  }
}

// -----

// 23. An input that an op in a loop modifies is the caller's when the function
// returns, though the text or the walk comes to the return first.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    cf.br ^loop
  ^loop:
    cf.cond_br %c, ^body, ^end
  ^body:
    "x.w"(%x) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    cf.br ^loop
  ^end:
    %s = "x.a"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    return %s : tensor<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  // expected-note @+1 {{argument #1 has bytes [0, 64) of pool 'tensors'}}
  func.func @f(%c: i1, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    cf.br ^loop
  ^loop:
    cf.cond_br %c, ^body, ^end
  ^body:
    "x.w"(%x) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    cf.br ^loop
  ^end:
    // expected-note @+1 {{'x.a' writes there}}
    %s = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-error @+1 {{'func.return' returns after an op modified argument #1, but 'x.a' has overwritten bytes [0, 64) of pool 'tensors'}}
    return %s : tensor<16xf32>
  }
}

// -----

// The same where some code is deferred, which is not ahead of the ops before it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %y = "x.y"() {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    %k = async.execute {
      %z = "x.z"() {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      async.yield
    }
    cf.br ^loop
  ^loop:
    cf.cond_br %c, ^body, ^end
  ^end:
    %a = "x.a"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    return
  ^body:
    "x.w"(%x) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    cf.br ^loop
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  // expected-note @+1 {{argument #1 has bytes [0, 64) of pool 'tensors'}}
  func.func @f(%c: i1, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %y = "x.y"() {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    %k = async.execute {
      %z = "x.z"() {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
      async.yield
    }
    cf.br ^loop
  ^loop:
    cf.cond_br %c, ^body, ^end
  ^end:
    // expected-note @+1 {{'x.a' writes there}}
    %a = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-error @+1 {{'func.return' returns after an op modified argument #1, but 'x.a' has overwritten bytes [0, 64) of pool 'tensors'}}
    return
  ^body:
    "x.w"(%x) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<16xf32>) -> ()
    cf.br ^loop
  }
}
