// What contents alone accepted: records that write over what the same edge has
// brought, or are on none; ops in the middle of a layer group; what the last op of a
// region does, if it does not leave that; constants in other memory; conditions and bounds
// in memory. Of each pair the first plan, written by hand, is sound, the second is not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --gmem-verify-plan=only=contents -o /dev/null

// 1. A pass has removed a value that a record is for: it writes elsewhere.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> attributes {gmem.block_args = [{block = 1 : i64, region = 0 : i64, offset = array<i64: 128>, pool = ["tensors"], size = array<i64: 64>}]} {
    cf.br ^b(%x : tensor<16xf32>) {gmem.copies = [{edge = "successor", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}, {edge = "successor", from = 64 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 192 : i64, to_pool = "tensors"}]}
  ^b(%z: tensor<16xf32>):
    return %z : tensor<16xf32>
  }
}

// -----

// It writes over another value of the edge, of which a record has brought the contents.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> attributes {gmem.block_args = [{block = 1 : i64, region = 0 : i64, offset = array<i64: 128>, pool = ["tensors"], size = array<i64: 64>}]} {
    // expected-error @+1 {{'cf.br' passes contents to argument #0, but gmem.copies writes others there, too; plan again}}
    cf.br ^b(%x : tensor<16xf32>) {gmem.copies = [{edge = "successor", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}, {edge = "successor", from = 64 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}]}
  ^b(%z: tensor<16xf32>):
    return %z : tensor<16xf32>
  }
}

// -----

// One byte is enough.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> attributes {gmem.block_args = [{block = 1 : i64, region = 0 : i64, offset = array<i64: 128>, pool = ["tensors"], size = array<i64: 64>}]} {
    // expected-error @+1 {{'cf.br' passes contents to argument #0, but gmem.copies writes others there, too; plan again}}
    cf.br ^b(%x : tensor<16xf32>) {gmem.copies = [{edge = "successor", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}, {edge = "successor", from = 64 : i64, from_pool = "tensors", number = 0 : i64, size = 1 : i64, to = 191 : i64, to_pool = "tensors"}]}
  ^b(%z: tensor<16xf32>):
    return %z : tensor<16xf32>
  }
}

// -----

// The same record twice: it brings nothing else.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> attributes {gmem.block_args = [{block = 1 : i64, region = 0 : i64, offset = array<i64: 128>, pool = ["tensors"], size = array<i64: 64>}]} {
    cf.br ^b(%x : tensor<16xf32>) {gmem.copies = [{edge = "successor", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}, {edge = "successor", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}]}
  ^b(%z: tensor<16xf32>):
    return %z : tensor<16xf32>
  }
}

// -----

// But not if its source has been overwritten in between.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> attributes {gmem.block_args = [{block = 1 : i64, region = 0 : i64, offset = array<i64: 128>, pool = ["tensors"], size = array<i64: 64>}]} {
    // expected-note @-1 {{argument #0 has bytes [0, 64) of pool 'tensors'}}
    // expected-note @+2 {{'cf.br' writes there}}
    // expected-error @+1 {{'cf.br' copies argument #0, but 'cf.br' has overwritten bytes [0, 64) of pool 'tensors'}}
    cf.br ^b(%x : tensor<16xf32>) {gmem.copies = [{edge = "successor", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}, {edge = "successor", from = 64 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 0 : i64, to_pool = "tensors"}, {edge = "successor", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 128 : i64, to_pool = "tensors"}]}
  ^b(%z: tensor<16xf32>):
    return %z : tensor<16xf32>
  }
}

// -----

// The op does not have the edge of the record.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    // expected-error @+1 {{gmem.copies #0 is on an edge that the op does not have; plan again}}
    %1 = "x.a"(%x) {gmem.copies = [{edge = "region", from = 0 : i64, from_pool = "tensors", number = 0 : i64, size = 64 : i64, to = 64 : i64, to_pool = "tensors"}], gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %y : tensor<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    // expected-error @+1 {{gmem.copies #0 is on an edge that the op does not have; plan again}}
    scf.if %c {
      "x.b"(%x) : (tensor<16xf32>) -> ()
    } {gmem.copies = [{edge = "region", from = 0 : i64, from_pool = "tensors", number = 2 : i64, size = 64 : i64, to = 64 : i64, to_pool = "tensors"}]}
    return %y : tensor<16xf32>
  }
}

// -----

// 2. The ops of a group may write their results from its first op on, so that nothing else
// may be there before its last one.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
    %1 = "x.a"(%x) {gmem.layer_group = 1 : i64, gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %n = "x.n"(%y) {gmem.offset = array<i64: 320>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %m = "x.m"(%n) {gmem.offset = array<i64: 256>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %2 = "x.b"(%1) {gmem.layer_group = 1 : i64, gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %1, %m, %2 : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
    %1 = "x.a"(%x) {gmem.layer_group = 1 : i64, gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+1 {{'x.n' writes bytes [192, 256) of pool 'tensors', which 'x.b' may still use}}
    %n = "x.n"(%y) {gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %m = "x.m"(%n) {gmem.offset = array<i64: 256>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-note @+1 {{'x.b' has not ended}}
    %2 = "x.b"(%1) {gmem.layer_group = 1 : i64, gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %1, %m, %2 : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
  }
}

// -----

// Nor inside of one of its ops.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32>, tensor<16xf32>) {
    %1 = "x.a"(%x) ({
      // expected-error @+1 {{'x.n' writes bytes [192, 256) of pool 'tensors', which 'x.b' may still use}}
      %n = "x.n"(%y) {gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
      "x.yield"(%n) : (tensor<16xf32>) -> ()
    }) {gmem.layer_group = 1 : i64, gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-note @+1 {{'x.b' has not ended}}
    %2 = "x.b"(%1) {gmem.layer_group = 1 : i64, gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %1, %2 : tensor<16xf32>, tensor<16xf32>
  }
}

// -----

// The workbuffer of an op with regions is in use until its group ends, too.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32>, tensor<16xf32>) {
    %1 = "x.a"(%x) ({
      "x.yield"() : () -> ()
    }) {gmem.layer_group = 1 : i64, gmem.workbuffers = [{size = 64 : i64, threads = 1 : i64}], gmem.workbuffer_pool = ["tensors"], gmem.workbuffer_offset = array<i64: 320>, gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %n = "x.n"(%y) {gmem.offset = array<i64: 384>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %2 = "x.b"(%1, %y) {gmem.layer_group = 1 : i64, gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    return %1, %2 : tensor<16xf32>, tensor<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32>, tensor<16xf32>) {
    // expected-note @+1 {{'x.a' has not ended}}
    %1 = "x.a"(%x) ({
      "x.yield"() : () -> ()
    }) {gmem.layer_group = 1 : i64, gmem.workbuffers = [{size = 64 : i64, threads = 1 : i64}], gmem.workbuffer_pool = ["tensors"], gmem.workbuffer_offset = array<i64: 320>, gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+1 {{'x.n' writes bytes [320, 384) of pool 'tensors', which 'x.a' may still use}}
    %n = "x.n"(%y) {gmem.offset = array<i64: 320>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %2 = "x.b"(%1, %y) {gmem.layer_group = 1 : i64, gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    return %1, %2 : tensor<16xf32>, tensor<16xf32>
  }
}

// -----

// 3. The last op of a region reads, and writes.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    scf.execute_region {
      %1 = "x.a"(%x) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
      %2 = "x.b"(%x) {gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
      "x.last"(%1) : (tensor<16xf32>) -> ()
    }
    return %y : tensor<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    scf.execute_region {
      // expected-note @+1 {{result #0 of 'x.a' has bytes [128, 192) of pool 'tensors'}}
      %1 = "x.a"(%x) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
      // expected-note @+1 {{'x.b' writes there}}
      %2 = "x.b"(%x) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
      // expected-error @+1 {{'x.last' reads result #0 of 'x.a', but 'x.b' has overwritten bytes [128, 192) of pool 'tensors'}}
      "x.last"(%1) : (tensor<16xf32>) -> ()
    }
    return %y : tensor<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    %y = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %m = memref.alloc() {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %y : memref<16xf32> to memref<16xf32>
    scf.execute_region {
      "x.last"(%m) : (memref<16xf32>) -> ()
    }
    memref.copy %y, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [64, 128) of pool 'tensors'}}
    %y = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %m = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %y : memref<16xf32> to memref<16xf32>
    scf.execute_region {
      // expected-note @+1 {{'x.last' writes there}}
      "x.last"(%m) : (memref<16xf32>) -> ()
    }
    // expected-error @+1 {{'memref.copy' reads result #0 of 'memref.alloc', but 'x.last' has overwritten bytes [64, 128) of pool 'tensors'}}
    memref.copy %y, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// Whatever runs the region.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    %y = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %m = memref.alloc() {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %y : memref<16xf32> to memref<16xf32>
    "x.region"() ({
      memref.copy %in, %m : memref<16xf32> to memref<16xf32>
    }) : () -> ()
    memref.copy %y, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [64, 128) of pool 'tensors'}}
    %y = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %m = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %y : memref<16xf32> to memref<16xf32>
    "x.region"() ({
      // expected-note @+1 {{'memref.copy' writes there}}
      memref.copy %in, %m : memref<16xf32> to memref<16xf32>
    }) : () -> ()
    // expected-error @+1 {{'memref.copy' reads result #0 of 'memref.alloc', but 'memref.copy' has overwritten bytes [64, 128) of pool 'tensors'}}
    memref.copy %y, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// 4. No op writes a constant inside of a layer group: it is there all the time.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = "x.group"(%x) ({
      %w = arith.constant {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} dense<1.0> : tensor<16xf32>
      %1 = "x.a"(%x, %w) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      "x.yield"(%1) : (tensor<16xf32>) -> ()
    }) {gmem.layer_group, gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %y : tensor<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = "x.group"(%x) ({
      // expected-error @+1 {{result #0 of 'arith.constant' is a constant, but is not in a constant pool; plan again}}
      %w = arith.constant {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} dense<1.0> : tensor<16xf32>
      %1 = "x.a"(%x, %w) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      "x.yield"(%1) : (tensor<16xf32>) -> ()
    }) {gmem.layer_group, gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %y : tensor<16xf32>
  }
}

// -----

// Nor elsewhere: what is written over it is not there in the next run.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() -> (tensor<16xf32>) {
    // expected-error @+1 {{result #0 of 'arith.constant' is a constant, but is not in a constant pool; plan again}}
    %w = arith.constant {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} dense<1.0> : tensor<16xf32>
    %a = "x.a"(%w) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %b = "x.b"(%a) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %b : tensor<16xf32>
  }
}

// -----

// One that is an argument.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  // expected-error @+1 {{argument #0 is a constant, but is not in a constant pool; plan again}}
  func.func @f(%w: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64, gmem.weight}) -> (tensor<16xf32>) {
    %a = "x.a"(%w) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %b = "x.b"(%a) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %b : tensor<16xf32>
  }
}

// -----

// Sound: what is loaded from a variable is made by the op that loads it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  ml_program.global private mutable @v(dense<1.0> : tensor<16xf32>) : tensor<16xf32>
  func.func @f() -> (tensor<16xf32>) {
    %w = ml_program.global_load @v : tensor<16xf32> {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>}
    %a = "x.a"(%w) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %b = "x.b"(%a) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %b : tensor<16xf32>
  }
}

// -----

// 5. A workbuffer that cannot be read is none that may be anywhere.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32>, tensor<16xf32>) {
    // expected-error @+1 {{gmem.workbuffers is malformed: gmem-plan writes array of dictionaries; plan again}}
    %1 = "x.a"(%x) {gmem.workbuffers = [{size = 64 : i64, threads = 0 : i64}], gmem.workbuffer_pool = ["tensors"], gmem.workbuffer_offset = array<i64: 64>, gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %1, %y : tensor<16xf32>, tensor<16xf32>
  }
}

// -----

// 6. A condition in memory is read, and so are the bounds of a loop.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = "x.while"(%x) ({
    ^b(%a: tensor<16xf32>):
      %c = "x.c"(%a) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 1>} : (tensor<16xf32>) -> tensor<i1>
      %d = "x.d"(%a) {gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
      "x.use"(%d) : (tensor<16xf32>) -> ()
      "x.condition"(%c, %a) : (tensor<i1>, tensor<16xf32>) -> ()
    }, {
    ^b(%a: tensor<16xf32>):
      "x.yield"(%a) : (tensor<16xf32>) -> ()
    }) {gmem.op_model = {kind = "while"}, gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.block_args = [{block = 0 : i64, region = 0 : i64, offset = array<i64: 0>, pool = ["tensors"], size = array<i64: 64>}, {block = 0 : i64, region = 1 : i64, offset = array<i64: 0>, pool = ["tensors"], size = array<i64: 64>}]} : (tensor<16xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = "x.while"(%x) ({
    ^b(%a: tensor<16xf32>):
      // expected-note @+1 {{result #0 of 'x.c' has bytes [128, 129) of pool 'tensors'}}
      %c = "x.c"(%a) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 1>} : (tensor<16xf32>) -> tensor<i1>
      // expected-note @+1 {{'x.d' writes there}}
      %d = "x.d"(%a) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
      "x.use"(%d) : (tensor<16xf32>) -> ()
      // expected-error @+1 {{'x.condition' reads result #0 of 'x.c', but 'x.d' has overwritten bytes [128, 129) of pool 'tensors'}}
      "x.condition"(%c, %a) : (tensor<i1>, tensor<16xf32>) -> ()
    }, {
    ^b(%a: tensor<16xf32>):
      "x.yield"(%a) : (tensor<16xf32>) -> ()
    }) {gmem.op_model = {kind = "while"}, gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.block_args = [{block = 0 : i64, region = 0 : i64, offset = array<i64: 0>, pool = ["tensors"], size = array<i64: 64>}, {block = 0 : i64, region = 1 : i64, offset = array<i64: 0>, pool = ["tensors"], size = array<i64: 64>}]} : (tensor<16xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %n = "x.n"(%x) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %d = "x.d"(%x) {gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    "x.use"(%d) : (tensor<16xf32>) -> ()
    %0 = "x.for"(%n, %x) ({
    ^b(%a: tensor<16xf32>):
      "x.yield"(%a) : (tensor<16xf32>) -> ()
    }) {gmem.op_model = {kind = "for"}, gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.block_args = [{block = 0 : i64, region = 0 : i64, offset = array<i64: 0>, pool = ["tensors"], size = array<i64: 64>}]} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    // expected-note @+1 {{result #0 of 'x.n' has bytes [128, 192) of pool 'tensors'}}
    %n = "x.n"(%x) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-note @+1 {{'x.d' writes there}}
    %d = "x.d"(%x) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    "x.use"(%d) : (tensor<16xf32>) -> ()
    // expected-error @+1 {{'x.for' reads result #0 of 'x.n', but 'x.d' has overwritten bytes [128, 192) of pool 'tensors'}}
    %0 = "x.for"(%n, %x) ({
    ^b(%a: tensor<16xf32>):
      "x.yield"(%a) : (tensor<16xf32>) -> ()
    }) {gmem.op_model = {kind = "for"}, gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.block_args = [{block = 0 : i64, region = 0 : i64, offset = array<i64: 0>, pool = ["tensors"], size = array<i64: 64>}]} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
}

// -----

// 7. They may use their workbuffers from then on, too.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32>, tensor<16xf32>) {
    %z = "x.z"(%x) {gmem.offset = array<i64: 256>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %0 = "x.a"(%x) {gmem.layer_group = 1 : i64, gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %n = "x.n"(%z) {gmem.offset = array<i64: 320>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    "x.b"() {gmem.layer_group = 1 : i64, gmem.workbuffers = [{size = 64 : i64}], gmem.workbuffer_pool = ["tensors"], gmem.workbuffer_offset = array<i64: 384>} : () -> ()
    return %0, %n : tensor<16xf32>, tensor<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32>, tensor<16xf32>) {
    // expected-note @+1 {{result #0 of 'x.z' has bytes [256, 320) of pool 'tensors'}}
    %z = "x.z"(%x) {gmem.offset = array<i64: 256>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %0 = "x.a"(%x) {gmem.layer_group = 1 : i64, gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+1 {{'x.n' reads result #0 of 'x.z', but 'x.b' has overwritten bytes [256, 320) of pool 'tensors'}}
    %n = "x.n"(%z) {gmem.offset = array<i64: 320>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-note @+1 {{'x.b' writes workbuffer #0 there}}
    "x.b"() {gmem.layer_group = 1 : i64, gmem.workbuffers = [{size = 64 : i64}], gmem.workbuffer_pool = ["tensors"], gmem.workbuffer_offset = array<i64: 256>} : () -> ()
    return %0, %n : tensor<16xf32>, tensor<16xf32>
  }
}

// -----

// If they are in several blocks, from the function's begin on, and read what they do until its end.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32>, tensor<16xf32>) {
    "x.a"(%x) {gmem.layer_group = 1 : i64} : (tensor<16xf32>) -> ()
    %m = "x.m"(%y) {gmem.offset = array<i64: 256>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %n = "x.n"(%m) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    cf.br ^b
  ^b:
    %1 = "x.b"(%y) {gmem.layer_group = 1 : i64, gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %1, %n : tensor<16xf32>, tensor<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32>, tensor<16xf32>) {
    "x.a"(%x) {gmem.layer_group = 1 : i64} : (tensor<16xf32>) -> ()
    // expected-error @+1 {{'x.m' writes bytes [192, 256) of pool 'tensors', which 'x.b' may still use}}
    %m = "x.m"(%y) {gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %n = "x.n"(%m) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    cf.br ^b
  ^b:
    // expected-note @+1 {{'x.b' has not ended}}
    %1 = "x.b"(%y) {gmem.layer_group = 1 : i64, gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %1, %n : tensor<16xf32>, tensor<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  // expected-note @+1 {{argument #1 has bytes [0, 64) of pool 'tensors'}}
  func.func @f(%c: i1, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32>, tensor<16xf32>) {
    "x.a"(%x) {gmem.layer_group = 1 : i64} : (tensor<16xf32>) -> ()
    // expected-note @+1 {{'x.m' writes there}}
    %m = "x.m"(%y) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %n = "x.n"(%m) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    cf.br ^b
  ^b:
    %1 = "x.b"(%y) {gmem.layer_group = 1 : i64, gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+1 {{'func.return' returns while a layer group uses argument #1, but 'x.m' has overwritten bytes [0, 64) of pool 'tensors'}}
    return %1, %n : tensor<16xf32>, tensor<16xf32>
  }
}

// -----

// So does a function that one of them calls. The planner, too, took it to run at the call.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32>, tensor<16xf32>) {
    %0 = "x.a"(%x) {gmem.layer_group = 1 : i64, gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %m = "x.m"(%y) {gmem.offset = array<i64: 256>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %n = "x.n"(%m) {gmem.offset = array<i64: 320>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    func.call @g() {gmem.layer_group = 1 : i64} : () -> ()
    return %0, %n : tensor<16xf32>, tensor<16xf32>
  }
  func.func private @g() {
    %1 = "x.a"() {gmem.offset = array<i64: 384>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.use"(%1) : (tensor<16xf32>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32>, tensor<16xf32>) {
    %0 = "x.a"(%x) {gmem.layer_group = 1 : i64, gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-note @+1 {{result #0 of 'x.m' has bytes [256, 320) of pool 'tensors'}}
    %m = "x.m"(%y) {gmem.offset = array<i64: 256>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %n = "x.n"(%m) {gmem.offset = array<i64: 320>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    func.call @g() {gmem.layer_group = 1 : i64} : () -> ()
    return %0, %n : tensor<16xf32>, tensor<16xf32>
  }
  func.func private @g() {
    // expected-error @+2 {{result #0 of 'x.m' and result #0 of 'x.a' share bytes [256, 320) of pool 'tensors': the function of one may run at any time}}
    // expected-note @+1 {{result #0 of 'x.a' has bytes [256, 320) of pool 'tensors'}}
    %1 = "x.a"() {gmem.offset = array<i64: 256>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.use"(%1) : (tensor<16xf32>) -> ()
    return
  }
}

// -----

// 8. A branch has a workbuffer.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    cf.br ^b {gmem.workbuffers = [{size = 64 : i64}], gmem.workbuffer_pool = ["tensors"], gmem.workbuffer_offset = array<i64: 128>}
  ^b:
    return %y : tensor<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  // expected-note @+1 {{argument #0 has bytes [64, 128) of pool 'tensors'}}
  func.func @f(%y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    // expected-note @+1 {{'cf.br' writes workbuffer #0 there}}
    cf.br ^b {gmem.workbuffers = [{size = 64 : i64}], gmem.workbuffer_pool = ["tensors"], gmem.workbuffer_offset = array<i64: 64>}
  ^b:
    // expected-error @+1 {{'func.return' returns argument #0, but 'cf.br' has overwritten bytes [64, 128) of pool 'tensors'}}
    return %y : tensor<16xf32>
  }
}

// -----

// 9. A number says that two constants are one, but their contents know better. Placement accepted it, too.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = arith.constant {gmem.constant = 0 : i64, gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} dense<1.0> : tensor<16xf32>
    %1 = arith.constant {gmem.constant = 0 : i64, gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} dense<1.0> : tensor<16xf32>
    %2 = "x.a"(%x, %0, %1) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    return %2 : tensor<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    // expected-note @+1 {{result #0 of 'arith.constant' has bytes [0, 64) of pool 'weights'}}
    %0 = arith.constant {gmem.constant = 0 : i64, gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} dense<1.0> : tensor<16xf32>
    // expected-error @+2 {{result #0 of 'arith.constant' and result #0 of 'arith.constant' share bytes [0, 64) of pool 'weights': they are different constants}}
    // expected-note @+1 {{result #0 of 'arith.constant' has bytes [0, 64) of pool 'weights'}}
    %1 = arith.constant {gmem.constant = 0 : i64, gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} dense<2.0> : tensor<16xf32>
    %2 = "x.a"(%x, %0, %1) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    return %2 : tensor<16xf32>
  }
}

// -----

// 10. An op of a group may write the padding of its operand from the begin of the group
// on, but not before another op has made the operand.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    %a = "x.a"() {gmem.offset = array<i64: 160>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.first"() {gmem.layer_group = 1 : i64} : () -> ()
    %c = "x.c"(%a) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %d = "x.d"(%c) {gmem.offset = array<i64: 128>, gmem.padding = [array<i64: 0, 8>], gmem.pool = ["tensors"], gmem.size = array<i64: 72>} : (tensor<16xf32>) -> tensor<16xf32>
    "x.last"(%d) {gmem.layer_group = 1 : i64} : (tensor<16xf32>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    %d = "x.d"() {gmem.offset = array<i64: 128>, gmem.padding = [array<i64: 0, 8>], gmem.pool = ["tensors"], gmem.size = array<i64: 72>} : () -> tensor<16xf32>
    // expected-note @+1 {{result #0 of 'x.a' has bytes [192, 256)}}
    %a = "x.a"() {gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.first"() {gmem.layer_group = 1 : i64} : () -> ()
    // expected-error @+1 {{'x.c' reads result #0 of 'x.a', but 'x.last' has overwritten bytes [192, 200) of pool 'tensors'}}
    %c = "x.c"(%a) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-note @+1 {{'x.last' writes there}}
    "x.last"(%d) {gmem.layer_group = 1 : i64} : (tensor<16xf32>) -> ()
    return
  }
}

// -----

// 11. It may do so at any time from then on until the group ends, not just when it is its
// turn: another value must not be there in between, however soon it is read.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    %d = "x.d"() {gmem.offset = array<i64: 128>, gmem.padding = [array<i64: 0, 8>], gmem.pool = ["tensors"], gmem.size = array<i64: 72>} : () -> tensor<16xf32>
    "x.first"() {gmem.layer_group = 1 : i64} : () -> ()
    // expected-error @+1 {{'x.z' writes bytes [192, 256) of pool 'tensors', which 'x.last' may still use}}
    %z = "x.z"() {gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.use"(%z) : (tensor<16xf32>) -> ()
    // expected-note @+1 {{'x.last' has not ended}}
    "x.last"(%d) {gmem.layer_group = 1 : i64} : (tensor<16xf32>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    "x.first"() {gmem.layer_group = 1 : i64} : () -> ()
    %d = "x.d"() {gmem.offset = array<i64: 128>, gmem.padding = [array<i64: 0, 8>], gmem.pool = ["tensors"], gmem.size = array<i64: 72>} : () -> tensor<16xf32>
    // expected-error @+1 {{'x.z' writes bytes [192, 256) of pool 'tensors', which 'x.last' may still use}}
    %z = "x.z"() {gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.use"(%z) : (tensor<16xf32>) -> ()
    // expected-note @+1 {{'x.last' has not ended}}
    "x.last"(%d) {gmem.layer_group = 1 : i64} : (tensor<16xf32>) -> ()
    return
  }
}

// -----

// Sound: the other value ends before that.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    "x.first"() {gmem.layer_group = 1 : i64} : () -> ()
    %z = "x.z"() {gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.use"(%z) : (tensor<16xf32>) -> ()
    %d = "x.d"() {gmem.offset = array<i64: 128>, gmem.padding = [array<i64: 0, 8>], gmem.pool = ["tensors"], gmem.size = array<i64: 72>} : () -> tensor<16xf32>
    "x.last"(%d) {gmem.layer_group = 1 : i64} : (tensor<16xf32>) -> ()
    return
  }
}

// -----

// Sound: the padding belongs to two ops of the group and to another one between them.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    "x.first"() {gmem.layer_group = 1 : i64} : () -> ()
    %d = "x.d"() {gmem.offset = array<i64: 128>, gmem.padding = [array<i64: 0, 8>], gmem.pool = ["tensors"], gmem.size = array<i64: 72>} : () -> tensor<16xf32>
    "x.between"(%d) : (tensor<16xf32>) -> ()
    "x.next"(%d) {gmem.layer_group = 1 : i64} : (tensor<16xf32>) -> ()
    "x.last"(%d) {gmem.layer_group = 1 : i64} : (tensor<16xf32>) -> ()
    return
  }
}
