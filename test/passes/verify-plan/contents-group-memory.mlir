// Memory that an op of a flat layer group writes: the group may do so from its first op to
// its last, but not before another op has made the memref. In plans written by hand: of
// each number the first is sound, the others are not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --gmem-verify-plan=only=contents -o /dev/null

// 1. %b is not used any more when %z, in its bytes, is made: that was refused.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    %b = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %b : memref<16xf32> to memref<16xf32>
    "my.first"(%in) {gmem.layer_group = 1 : i64} : (memref<16xf32>) -> ()
    memref.copy %b, %out : memref<16xf32> to memref<16xf32>
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %z {gmem.layer_group = 1 : i64} : memref<16xf32> to memref<16xf32>
    memref.copy %z, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// It is still read.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'memory'}}
    %b = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %b : memref<16xf32> to memref<16xf32>
    "my.first"(%in) {gmem.layer_group = 1 : i64} : (memref<16xf32>) -> ()
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-error @+1 {{'memref.copy' reads result #0 of 'memref.alloc', but 'memref.copy' has overwritten bytes [0, 64) of pool 'memory'}}
    memref.copy %b, %out : memref<16xf32> to memref<16xf32>
    // expected-note @+1 {{'memref.copy' writes there}}
    memref.copy %in, %z {gmem.layer_group = 1 : i64} : memref<16xf32> to memref<16xf32>
    memref.copy %z, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// 2. %b is made and used while the group runs.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    "my.first"(%in) {gmem.layer_group = 1 : i64} : (memref<16xf32>) -> ()
    %b = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %b : memref<16xf32> to memref<16xf32>
    memref.copy %b, %out : memref<16xf32> to memref<16xf32>
    memref.copy %in, %z {gmem.layer_group = 1 : i64} : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// The group writes the bytes of %b meanwhile, in %z, which is there before the group.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    "my.first"(%in) {gmem.layer_group = 1 : i64} : (memref<16xf32>) -> ()
    %b = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-error @+1 {{'memref.copy' writes bytes [0, 64) of pool 'memory', which 'memref.copy' may still use}}
    memref.copy %in, %b : memref<16xf32> to memref<16xf32>
    memref.copy %b, %out : memref<16xf32> to memref<16xf32>
    // expected-note @+1 {{'memref.copy' has not ended}}
    memref.copy %in, %z {gmem.layer_group = 1 : i64} : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// Or made in it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    "my.first"(%in) {gmem.layer_group = 1 : i64} : (memref<16xf32>) -> ()
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    %b = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-error @+1 {{'memref.copy' writes bytes [0, 64) of pool 'memory', which 'memref.copy' may still use}}
    memref.copy %in, %b : memref<16xf32> to memref<16xf32>
    memref.copy %b, %out : memref<16xf32> to memref<16xf32>
    // expected-note @+1 {{'memref.copy' has not ended}}
    memref.copy %in, %z {gmem.layer_group = 1 : i64} : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// 3. Others may write the memory itself, and read it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    "my.first"(%in) {gmem.layer_group = 1 : i64} : (memref<16xf32>) -> ()
    %z = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.copy %in, %z : memref<16xf32> to memref<16xf32>
    memref.copy %z, %out : memref<16xf32> to memref<16xf32>
    memref.copy %in, %z {gmem.layer_group = 1 : i64} : memref<16xf32> to memref<16xf32>
    memref.copy %z, %out : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// 4. A tensor without a place is in memory of the group, if nothing else uses it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%a: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %t = "my.make"(%a) {gmem.layer_group = 1 : i64} : (tensor<16xf32>) -> tensor<16xf32>
    %m = bufferization.to_buffer %t {gmem.layer_group = 1 : i64} : tensor<16xf32> to memref<16xf32>
    "my.use"(%m) {gmem.layer_group = 1 : i64} : (memref<16xf32>) -> ()
    return
  }
}

// -----

// A memref of it is used by an op that is not of the group.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%a: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %t = "my.make"(%a) {gmem.layer_group = 1 : i64} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+1 {{'bufferization.to_buffer' reads, until its group ends, result #0 of 'my.make', which has no place in the plan}}
    %m = bufferization.to_buffer %t {gmem.layer_group = 1 : i64} : tensor<16xf32> to memref<16xf32>
    "my.use"(%m) : (memref<16xf32>) -> ()
    return
  }
}
