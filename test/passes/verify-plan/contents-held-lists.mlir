// gmem.hold on lists and views: what they stand for is kept from the op on until that is made
// again. What a loop carries was not kept (2, 3, 5: accepted), and what is made before the
// loop was kept from the begin of the function on (8: refused).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// RUN: gmem-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --gmem-verify-plan=only=contents -o /dev/null

// 1. Sound: what the loop carries, and is in a list, has bytes of its own; copies of the edges
// make it again.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index, %x: tensor<64xi8> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<64xi8> {
      %l = "my.list"(%a) {gmem.hold} : (tensor<64xi8>) -> !my.list
      %y = "my.compute"() {gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
      scf.yield {gmem.copies = [{edge = "next", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 64 : i64, to_pool = "tensors"}]} %x : tensor<64xi8>
    } {gmem.block_args = [{block = 0 : i64, offset = array<i64: -1, 64>, pool = ["", "tensors"], region = 0 : i64, size = array<i64: -1, 64>}], gmem.copies = [{edge = "region", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 64 : i64, to_pool = "tensors"}, {edge = "results", from = 64 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}], gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>}
    return
  }
}

// -----

// 2. Another op of the body writes there, before the next round makes it again.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index, %x: tensor<64xi8> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<64xi8> {
      // expected-note @+1 {{'my.list' has gmem.hold}}
      %l = "my.list"(%a) {gmem.hold} : (tensor<64xi8>) -> !my.list
      // expected-error @+1 {{'my.compute' writes bytes [64, 128) of pool 'tensors', which 'my.list' may still use}}
      %y = "my.compute"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
      scf.yield {gmem.copies = [{edge = "next", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 64 : i64, to_pool = "tensors"}]} %x : tensor<64xi8>
    } {gmem.block_args = [{block = 0 : i64, offset = array<i64: -1, 64>, pool = ["", "tensors"], region = 0 : i64, size = array<i64: -1, 64>}], gmem.copies = [{edge = "region", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 64 : i64, to_pool = "tensors"}, {edge = "results", from = 64 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}], gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>}
    return
  }
}

// -----

// 3. A view of what the loop carries.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index, %x: tensor<64xi8> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<64xi8> {
      // expected-note @+1 {{'tensor.expand_shape' has gmem.hold}}
      %v = tensor.expand_shape %a [[0, 1]] output_shape [8, 8] {gmem.hold, gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : tensor<64xi8> into tensor<8x8xi8>
      // expected-error @+1 {{'my.compute' writes bytes [64, 128) of pool 'tensors', which 'tensor.expand_shape' may still use}}
      %y = "my.compute"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
      scf.yield {gmem.copies = [{edge = "next", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 64 : i64, to_pool = "tensors"}]} %x : tensor<64xi8>
    } {gmem.block_args = [{block = 0 : i64, offset = array<i64: -1, 64>, pool = ["", "tensors"], region = 0 : i64, size = array<i64: -1, 64>}], gmem.copies = [{edge = "region", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 64 : i64, to_pool = "tensors"}, {edge = "results", from = 64 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}], gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>}
    return
  }
}

// -----

// 4. Sound: a loop with two regions.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %x: tensor<64xi8> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %r = scf.while (%b = %x) : (tensor<64xi8>) -> tensor<64xi8> {
      scf.condition(%c) {gmem.copies = [{edge = "next", from = 64 : i64, from_pool = "tensors", number = 1 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}]} %b : tensor<64xi8>
    } do {
    ^bb0(%a: tensor<64xi8>):
      %l = "my.list"(%a) {gmem.hold} : (tensor<64xi8>) -> !my.list
      %y = "my.compute"() {gmem.offset = array<i64: 256>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
      scf.yield {gmem.copies = [{edge = "next", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 64 : i64, to_pool = "tensors"}]} %x : tensor<64xi8>
    } attributes {gmem.block_args = [{block = 0 : i64, offset = array<i64: 64>, pool = ["tensors"], region = 0 : i64, size = array<i64: 64>}, {block = 0 : i64, offset = array<i64: 128>, pool = ["tensors"], region = 1 : i64, size = array<i64: 64>}], gmem.copies = [{edge = "region", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 64 : i64, to_pool = "tensors"}, {edge = "results", from = 64 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 192 : i64, to_pool = "tensors"}], gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>}
    return
  }
}

// -----

// 5. The same with another value in the bytes of what the second region is passed.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %x: tensor<64xi8> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %r = scf.while (%b = %x) : (tensor<64xi8>) -> tensor<64xi8> {
      scf.condition(%c) {gmem.copies = [{edge = "next", from = 64 : i64, from_pool = "tensors", number = 1 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}]} %b : tensor<64xi8>
    } do {
    ^bb0(%a: tensor<64xi8>):
      // expected-note @+1 {{'my.list' has gmem.hold}}
      %l = "my.list"(%a) {gmem.hold} : (tensor<64xi8>) -> !my.list
      // expected-error @+1 {{'my.compute' writes bytes [128, 192) of pool 'tensors', which 'my.list' may still use}}
      %y = "my.compute"() {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
      scf.yield {gmem.copies = [{edge = "next", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 64 : i64, to_pool = "tensors"}]} %x : tensor<64xi8>
    } attributes {gmem.block_args = [{block = 0 : i64, offset = array<i64: 64>, pool = ["tensors"], region = 0 : i64, size = array<i64: 64>}, {block = 0 : i64, offset = array<i64: 128>, pool = ["tensors"], region = 1 : i64, size = array<i64: 64>}], gmem.copies = [{edge = "region", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 64 : i64, to_pool = "tensors"}, {edge = "results", from = 64 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 192 : i64, to_pool = "tensors"}], gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>}
    return
  }
}

// -----

// 6. Sound: a loop of blocks.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %x: tensor<64xi8> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) attributes {gmem.block_args = [{block = 1 : i64, offset = array<i64: 64>, pool = ["tensors"], region = 0 : i64, size = array<i64: 64>}]} {
    cf.br ^a(%x : tensor<64xi8>) {gmem.copies = [{edge = "successor", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 64 : i64, to_pool = "tensors"}]}
  ^a(%a: tensor<64xi8>):
    %l = "my.list"(%a) {gmem.hold} : (tensor<64xi8>) -> !my.list
    %y = "my.compute"() {gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    cf.cond_br %c, ^a(%x : tensor<64xi8>), ^exit {gmem.copies = [{edge = "successor", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 64 : i64, to_pool = "tensors"}]}
  ^exit:
    return
  }
}

// -----

// 7. The same with another value in the bytes of the argument.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %x: tensor<64xi8> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) attributes {gmem.block_args = [{block = 1 : i64, offset = array<i64: 64>, pool = ["tensors"], region = 0 : i64, size = array<i64: 64>}]} {
    cf.br ^a(%x : tensor<64xi8>) {gmem.copies = [{edge = "successor", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 64 : i64, to_pool = "tensors"}]}
  ^a(%a: tensor<64xi8>):
    // expected-note @+1 {{'my.list' has gmem.hold}}
    %l = "my.list"(%a) {gmem.hold} : (tensor<64xi8>) -> !my.list
    // expected-error @+1 {{'my.compute' writes bytes [64, 128) of pool 'tensors', which 'my.list' may still use}}
    %y = "my.compute"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    cf.cond_br %c, ^a(%x : tensor<64xi8>), ^exit {gmem.copies = [{edge = "successor", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 64 : i64, to_pool = "tensors"}]}
  ^exit:
    return
  }
}

// -----

// 8. Sound: what is made once, before the loop, is kept from the list on only.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %y = "my.compute"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    %t = "my.compute"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    scf.for %k = %c0 to %n step %c1 {
      %s = "my.compute"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
      %l = "my.list"(%t, %s) {gmem.hold} : (tensor<64xi8>, tensor<64xi8>) -> !my.list
    }
    %z = "my.compute"() {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    return
  }
}

// -----

// 9. It is overwritten behind the loop.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %y = "my.compute"() {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    // expected-note @+1 {{result #0 of 'my.compute' has bytes [0, 64) of pool 'tensors'}}
    %t = "my.compute"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    scf.for %k = %c0 to %n step %c1 {
      %s = "my.compute"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
      %l = "my.list"(%t, %s) {gmem.hold} : (tensor<64xi8>, tensor<64xi8>) -> !my.list
    }
    // expected-note @+1 {{'my.compute' writes there}}
    %z = "my.compute"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    // expected-error @+1 {{'func.return' returns while gmem.hold keeps result #0 of 'my.compute', but 'my.compute' has overwritten bytes [0, 64) of pool 'tensors'}}
    return
  }
}

// -----

// 10. Sound: what is written over a held tensor, which this round has made, is the same.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1) {
    cf.br ^a
  ^a:
    %t = "my.compute"() {gmem.hold, gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    %u = tensor.concat dim(0) %t, %t {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} : (tensor<64xi8>, tensor<64xi8>) -> tensor<128xi8>
    %s = tensor.extract_slice %u[64] [64] [1] {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : tensor<128xi8> to tensor<64xi8>
    cf.cond_br %c, ^a, ^exit
  ^exit:
    return
  }
}

// -----

// 11. So is a part of it, but the next round makes that first.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %x: tensor<64xi8> {gmem.offset = 128 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    cf.br ^a
  ^a:
    %a = "my.compute"() {gmem.offset = array<i64: 256>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} : () -> tensor<128xi8>
    // expected-error @+1 {{'tensor.extract_slice' writes bytes [0, 64) of pool 'tensors', which 'my.list' may still use}}
    %s = tensor.extract_slice %a[0] [64] [1] {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : tensor<128xi8> to tensor<64xi8>
    %t = tensor.concat dim(0) %s, %x {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} : (tensor<64xi8>, tensor<64xi8>) -> tensor<128xi8>
    // expected-note @+1 {{'my.list' has gmem.hold}}
    %l = "my.list"(%t) {gmem.hold} : (tensor<128xi8>) -> !my.list
    cf.cond_br %c, ^a, ^exit
  ^exit:
    return
  }
}

// -----

// 12. Sound as 10, in a later block than the one that makes it once in a round.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1) {
    %t = "my.compute"() {gmem.hold, gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    cf.br ^a
  ^a:
    %u = tensor.concat dim(0) %t, %t {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} : (tensor<64xi8>, tensor<64xi8>) -> tensor<128xi8>
    %s = tensor.extract_slice %u[64] [64] [1] {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : tensor<128xi8> to tensor<64xi8>
    cf.cond_br %c, ^a, ^exit
  ^exit:
    return
  }
}
