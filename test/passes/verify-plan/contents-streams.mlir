// What runs in streams, in plans written by hand: of each pair the first is sound,
// the second is not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --gmem-verify-plan=only=contents -o /dev/null

// Two streams run a function: all workbuffers of an op need threads, not only one of
// them.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g() {
    "x.work"() {gmem.workbuffer_offset = array<i64: 0, 128>, gmem.workbuffer_pool = ["tensors", "tensors"], gmem.workbuffers = [{size = 64 : i64, threads = 2 : i64}, {size = 64 : i64, threads = 2 : i64}]} : () -> ()
    return
  }
  func.func @f() {
    func.call @g() {gmem.stream = 1 : i64} : () -> ()
    func.call @g() {gmem.stream = 2 : i64} : () -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g() {
    // expected-note @+3 {{'x.work' in stream 1 writes bytes [0, 128)}}
    // expected-note @+2 {{'x.work' in stream 2 writes bytes [0, 128)}}
    // expected-error @+1 {{'x.work' in stream 2 writes bytes [0, 128) of pool 'tensors', but nothing orders it after 'x.work' in stream 1, which writes them}}
    "x.work"() {gmem.workbuffer_offset = array<i64: 0, 128>, gmem.workbuffer_pool = ["tensors", "tensors"], gmem.workbuffers = [{size = 64 : i64, threads = 2 : i64}, {size = 64 : i64}]} : () -> ()
    return
  }
  func.func @f() {
    func.call @g() {gmem.stream = 1 : i64} : () -> ()
    func.call @g() {gmem.stream = 2 : i64} : () -> ()
    return
  }
}

// -----

// Those of the ops in a layer group as well.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g() {
    "x.group"() ({
      "x.work"() {gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["tensors"], gmem.workbuffers = [{size = 64 : i64, threads = 2 : i64}]} : () -> ()
      "x.end"() : () -> ()
    }) {gmem.layer_group} : () -> ()
    return
  }
  func.func @f() {
    func.call @g() {gmem.stream = 1 : i64} : () -> ()
    func.call @g() {gmem.stream = 2 : i64} : () -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g() {
    // expected-note @+3 {{'x.group' in stream 1 writes bytes [0, 64)}}
    // expected-note @+2 {{'x.group' in stream 2 writes bytes [0, 64)}}
    // expected-error @+1 {{'x.group' in stream 2 writes bytes [0, 64) of pool 'tensors', but nothing orders it after 'x.group' in stream 1, which writes them}}
    "x.group"() ({
      "x.work"() {gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["tensors"], gmem.workbuffers = [{size = 64 : i64}]} : () -> ()
      "x.end"() : () -> ()
    }) {gmem.layer_group} : () -> ()
    return
  }
  func.func @f() {
    func.call @g() {gmem.stream = 1 : i64} : () -> ()
    func.call @g() {gmem.stream = 2 : i64} : () -> ()
    return
  }
}

// -----

// A view reads the shape that it is made with, when its stream gets to it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<64xi8> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xi8> {
    %0 = "x.shape"() {gmem.stream = 1, gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 8>} : () -> tensor<1xindex>
    %2 = tensor.reshape %x(%0) {gmem.stream = 1, gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<64xi8>, tensor<1xindex>) -> tensor<?xi8>
    %1 = "x.a"() {gmem.stream = 2, gmem.wait = array<i64: 1>, gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 8>} : () -> tensor<8xi8>
    %3 = "x.b"(%2) {gmem.stream = 1, gmem.wait = array<i64: 2>, gmem.offset = array<i64: 80>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>} : (tensor<?xi8>) -> tensor<16xi8>
    "x.done"() {gmem.wait = array<i64: 1>} : () -> ()
    return %3 : tensor<16xi8>
  }
}

// -----

// Its bytes may be written before that.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<64xi8> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xi8> {
    %0 = "x.shape"() {gmem.stream = 1, gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 8>} : () -> tensor<1xindex>
    "x.w"() {gmem.stream = 2, gmem.wait = array<i64: 1>} : () -> ()
    // expected-note @+1 {{'tensor.reshape' in stream 1 reads bytes [64, 72)}}
    %2 = tensor.reshape %x(%0) {gmem.stream = 1, gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<64xi8>, tensor<1xindex>) -> tensor<?xi8>
    // expected-error @+2 {{'x.a' in stream 2 writes bytes [64, 72) of pool 'tensors', but nothing orders it after 'tensor.reshape' in stream 1, which reads them}}
    // expected-note @+1 {{'x.a' in stream 2 writes bytes [64, 72)}}
    %1 = "x.a"() {gmem.stream = 2, gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 8>} : () -> tensor<8xi8>
    %3 = "x.b"(%2) {gmem.stream = 1, gmem.wait = array<i64: 2>, gmem.offset = array<i64: 80>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>} : (tensor<?xi8>) -> tensor<16xi8>
    "x.done"() {gmem.wait = array<i64: 1>} : () -> ()
    return %3 : tensor<16xi8>
  }
}

// -----

// A part that has no place is a copy: its stream reads what it is a part of.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<64xi8> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %0 = tensor.extract_slice %x[16] [16] [1] {gmem.stream = 1} : tensor<64xi8> to tensor<16xi8>
    "x.a"(%0) {gmem.stream = 1} : (tensor<16xi8>) -> ()
    %1 = "x.b"() {gmem.wait = array<i64: 1>, gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<64xi8> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    // expected-note @+1 {{'tensor.extract_slice' in stream 1 reads bytes [0, 64)}}
    %0 = tensor.extract_slice %x[16] [16] [1] {gmem.stream = 1} : tensor<64xi8> to tensor<16xi8>
    "x.a"(%0) {gmem.stream = 1} : (tensor<16xi8>) -> ()
    // expected-error @+2 {{'x.b' in no stream writes bytes [0, 64) of pool 'tensors', but nothing orders it after 'tensor.extract_slice' in stream 1, which reads them}}
    // expected-note @+1 {{'x.b' in no stream writes bytes [0, 64)}}
    %1 = "x.b"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    return
  }
}

// -----

// Blocks count as run in any order, and any number of times; the message says no more.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    // expected-note @+1 {{'x.a' in stream 0 writes bytes [128, 192) of pool 'tensors'}}
    %a = "x.a"() {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.stream = 0 : i64} : () -> tensor<16xf32>
    cf.br ^next
  ^next:
    "x.use"(%a) : (tensor<16xf32>) -> ()
    // expected-error @+2 {{'x.b' in no stream writes bytes [128, 192) of pool 'tensors' in another block or iteration, but nothing orders it after 'x.a' in stream 0, which writes them}}
    // expected-note @+1 {{'x.b' in no stream writes bytes [128, 192) of pool 'tensors'}}
    %b = "x.b"() {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.use"(%b) : (tensor<16xf32>) -> ()
    return
  }
}
