// Does every op find what it reads? Constants, memrefs and rules that hold at
// every point, in plans written by hand: of each pair the first is sound, the
// second is not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// In MLIR 19 tosa has other ops and attributes.
// RUN: gmem-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --gmem-verify-plan=only=contents -o /dev/null

// 1. Equal constants may share their bytes.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() -> tensor<16xf32> {
    %0 = "tosa.const"() <{values = dense<1.0> : tensor<16xf32>}> {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    %1 = "tosa.const"() <{values = dense<1.0> : tensor<16xf32>}> {gmem.hold, gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    %2 = "tosa.const"() <{values = dense<2.0> : tensor<16xf32>}> {gmem.offset = array<i64: 64>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    %3 = "x.a"(%0, %1, %2) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    return %3 : tensor<16xf32>
  }
}

// -----

// Others not.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() -> tensor<16xf32> {
    // expected-note @+1 {{result #0 of 'tosa.const' has bytes [0, 64)}}
    %0 = "tosa.const"() <{values = dense<1.0> : tensor<16xf32>}> {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-error @+2 {{result #0 of 'tosa.const' and result #0 of 'tosa.const' share bytes [0, 64) of pool 'weights': they are different constants}}
    // expected-note @+1 {{result #0 of 'tosa.const' has bytes [0, 64)}}
    %1 = "tosa.const"() <{values = dense<2.0> : tensor<16xf32>}> {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    %2 = "x.a"(%0, %1) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    return %2 : tensor<16xf32>
  }
}

// -----

// Nor equal ones in part.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() -> tensor<16xf32> {
    // expected-note @+1 {{result #0 of 'tosa.const' has bytes [0, 64)}}
    %0 = "tosa.const"() <{values = dense<1.0> : tensor<16xf32>}> {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-error @+2 {{result #0 of 'tosa.const' and result #0 of 'tosa.const' share bytes [32, 64) of pool 'weights': they are different constants}}
    // expected-note @+1 {{result #0 of 'tosa.const' has bytes [32, 96)}}
    %1 = "tosa.const"() <{values = dense<1.0> : tensor<16xf32>}> {gmem.offset = array<i64: 32>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    %2 = "x.a"(%0, %1) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    return %2 : tensor<16xf32>
  }
}

// -----

// Nor with an immutable workbuffer.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() -> tensor<16xf32> {
    // expected-note @+1 {{result #0 of 'tosa.const' has bytes [0, 64)}}
    %0 = "tosa.const"() <{values = dense<1.0> : tensor<16xf32>}> {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-error @+2 {{result #0 of 'tosa.const' and a workbuffer of 'x.a' share bytes [0, 64) of pool 'weights': they are different constants}}
    // expected-note @+1 {{a workbuffer of 'x.a' has bytes [0, 64)}}
    %1 = "x.a"(%0) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.workbuffers = [{kind = "immutable", size = 64 : i64}], gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["weights"]} : (tensor<16xf32>) -> tensor<16xf32>
    return %1 : tensor<16xf32>
  }
}

// -----

// 2. An immutable workbuffer is written once.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = "x.a"(%x) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.workbuffers = [{kind = "immutable", size = 64 : i64}], gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["weights"]} : (tensor<16xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    // expected-error @+1 {{workbuffer #0 is immutable but not in a constant pool; plan again}}
    %0 = "x.a"(%x) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.workbuffers = [{kind = "immutable", size = 64 : i64}], gmem.workbuffer_offset = array<i64: 128>, gmem.workbuffer_pool = ["tensors"]} : (tensor<16xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
}

// -----

// A mutable one is written whenever its op runs.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    // expected-error @+1 {{workbuffer #0 is mutable but in a constant pool; plan again}}
    %0 = "x.a"(%x) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.workbuffers = [{size = 64 : i64}], gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["weights"]} : (tensor<16xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
}

// -----

// 3. No op writes constants.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() -> tensor<16xf32> {
    %0 = "tosa.const"() <{values = dense<1.0> : tensor<16xf32>}> {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-error @+1 {{'tosa.exp' writes bytes [0, 64) of pool 'weights', which holds constants}}
    %1 = tosa.exp %0 {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %1 : tensor<16xf32>
  }
}

// -----

// Nor is an input a constant, or memory that is allocated.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  // expected-error @+1 {{argument #0 is in a constant pool, but is not a constant; plan again}}
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "weights", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = "x.a"(%x) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
}

// -----

// What a call passes is one; what an op gives a function that it names is not known.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "weights", gmem.size = 64 : i64}) {
    "x.use"(%x) : (tensor<16xf32>) -> ()
    return
  }
  func.func @f() {
    %0 = arith.constant {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} dense<1.0> : tensor<16xf32>
    func.call @g(%0) : (tensor<16xf32>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  // expected-error @+1 {{argument #0 is in a constant pool, but is not a constant; plan again}}
  func.func private @g(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "weights", gmem.size = 64 : i64}) {
    "x.use"(%x) : (tensor<16xf32>) -> ()
    return
  }
  func.func @f() {
    %0 = arith.constant {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} dense<1.0> : tensor<16xf32>
    "x.dispatch"(%0) {callees = [@g]} : (tensor<16xf32>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    // expected-error @+1 {{result #0 of 'memref.alloc' is in a constant pool, but is not a constant; plan again}}
    %0 = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : memref<16xf32>
    "x.use"(%0) : (memref<16xf32>) -> ()
    return
  }
}

// -----

// 4. An argument that is a weight is one.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.weight, gmem.offset = 0 : i64, gmem.pool = "weights", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.weight, gmem.offset = 64 : i64, gmem.pool = "weights", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = "x.a"(%x, %y) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  // expected-error @+3 {{argument #0 and argument #1 share bytes [0, 64) of pool 'weights': they are different constants}}
  // expected-note @+2 {{argument #0 has bytes [0, 64)}}
  // expected-note @+1 {{argument #1 has bytes [0, 64)}}
  func.func @f(%x: tensor<16xf32> {gmem.weight, gmem.offset = 0 : i64, gmem.pool = "weights", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.weight, gmem.offset = 0 : i64, gmem.pool = "weights", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = "x.a"(%x, %y) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
}

// -----

// 5. Constant globals with equal contents may share their bytes.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  memref.global "private" constant @a : memref<16xf32> = dense<1.0>
  memref.global "private" constant @b : memref<16xf32> = dense<1.0>
  func.func @f() {
    %0 = memref.get_global @a : memref<16xf32> {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>}
    %1 = memref.get_global @b : memref<16xf32> {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>}
    "x.use"(%0, %1) : (memref<16xf32>, memref<16xf32>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  memref.global "private" constant @a : memref<16xf32> = dense<1.0>
  memref.global "private" constant @b : memref<16xf32> = dense<2.0>
  func.func @f() {
    // expected-note @+1 {{result #0 of 'memref.get_global' has bytes [0, 64)}}
    %0 = memref.get_global @a : memref<16xf32> {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>}
    // expected-error @+2 {{result #0 of 'memref.get_global' and result #0 of 'memref.get_global' share bytes [0, 64) of pool 'weights': they are different constants}}
    // expected-note @+1 {{result #0 of 'memref.get_global' has bytes [0, 64)}}
    %1 = memref.get_global @b : memref<16xf32> {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>}
    "x.use"(%0, %1) : (memref<16xf32>, memref<16xf32>) -> ()
    return
  }
}

// -----

// One that is no constant is not planned, whatever its attributes say.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  memref.global "private" @a : memref<16xf32> = dense<1.0>
  func.func @f() {
    %0 = memref.get_global @a : memref<16xf32> {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>}
    "x.use"(%0) : (memref<16xf32>) -> ()
    return
  }
}

// -----

// No constant is in memory that is used again.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  memref.global "private" constant @a : memref<16xf32> = dense<1.0>
  func.func @f() {
    // expected-error @+1 {{result #0 of 'memref.get_global' is a constant, but is not in a constant pool; plan again}}
    %0 = memref.get_global @a : memref<16xf32> {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>}
    "x.use"(%0) : (memref<16xf32>) -> ()
    return
  }
}

// -----

// 6. gmem.same_as: a result is returned in the memory of an argument.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32> {gmem.same_as = 0 : i64}) {
    %0 = "x.a"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %1 = "x.b"(%0) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %1 : tensor<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32> {gmem.same_as = 0 : i64}) {
    %0 = "x.a"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+1 {{result #0 is not returned in the memory of argument #0, as gmem.same_as says; plan again}}
    return %0 : tensor<16xf32>
  }
}

// -----

// In all of it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<8xf32> {gmem.same_as = 0 : i64}) {
    %0 = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 32>} : () -> tensor<8xf32>
    // expected-error @+1 {{result #0 is not returned in the memory of argument #0, as gmem.same_as says; plan again}}
    return %0 : tensor<8xf32>
  }
}

// -----

// Both have a place.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32>) -> (tensor<16xf32> {gmem.same_as = 0 : i64}) {
    // expected-error @+1 {{result #0 is not returned in the memory of argument #0, as gmem.same_as says; plan again}}
    return %x : tensor<16xf32>
  }
}

// -----

// At every return.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32> {gmem.same_as = 1 : i64}) {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    return %x : tensor<16xf32>
  ^bb2:
    %0 = "x.a"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+1 {{result #0 is not returned in the memory of argument #1, as gmem.same_as says; plan again}}
    return %0 : tensor<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  // expected-error @+1 {{gmem.same_as of result #0 names no argument}}
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32> {gmem.same_as = 7 : i64}) {
    return %x : tensor<16xf32>
  }
}

// -----

// 7. A memref keeps what is written to it until it is read.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%i: index, %v: f32) -> f32 {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.store %v, %a[%i] : memref<16xf32>
    %w = memref.load %a[%i] : memref<16xf32>
    %b = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.store %v, %b[%i] : memref<16xf32>
    %u = memref.load %b[%i] : memref<16xf32>
    %s = arith.addf %u, %w : f32
    return %s : f32
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%i: index, %v: f32) -> f32 {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.store %v, %a[%i] : memref<16xf32>
    %b = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-note @+1 {{'memref.store' writes there}}
    memref.store %v, %b[%i] : memref<16xf32>
    // expected-error @+1 {{'memref.load' reads result #0 of 'memref.alloc', but 'memref.store' has overwritten bytes [0, 64) of pool 'tensors'}}
    %w = memref.load %a[%i] : memref<16xf32>
    return %w : f32
  }
}

// -----

// 8. A view of a memref has the contents of the memref.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%i: index, %v: f32) -> f32 {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %s = memref.expand_shape %a [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
    memref.store %v, %s[%i, %i] : memref<4x4xf32>
    %b = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.store %v, %b[%i] : memref<16xf32>
    %w = memref.load %a[%i] : memref<16xf32>
    return %w : f32
  }
}

// -----

// What is written through the view, is lost.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%i: index, %v: f32) -> f32 {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %s = memref.expand_shape %a [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
    memref.store %v, %s[%i, %i] : memref<4x4xf32>
    %b = memref.alloc() {gmem.offset = array<i64: 32>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-note @+1 {{'memref.store' writes there}}
    memref.store %v, %b[%i] : memref<16xf32>
    // expected-error @+1 {{'memref.load' reads result #0 of 'memref.alloc', but 'memref.store' has overwritten bytes [32, 64) of pool 'tensors'}}
    %w = memref.load %a[%i] : memref<16xf32>
    return %w : f32
  }
}

// -----

// 9. A memref that is filled before a loop is read in every iteration.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%l: index, %u: index, %s: index, %v: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.store %v, %a[%l] : memref<16xf32>
    scf.for %i = %l to %u step %s {
      %w = memref.load %a[%i] : memref<16xf32>
      %b = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
      memref.store %w, %b[%i] : memref<16xf32>
      "x.use"(%b) : (memref<16xf32>) -> ()
    }
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%l: index, %u: index, %s: index, %v: f32) {
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 64) of pool 'tensors'}}
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.store %v, %a[%l] : memref<16xf32>
    scf.for %i = %l to %u step %s {
      // expected-error @+1 {{'memref.load' reads result #0 of 'memref.alloc', but 'memref.store' has overwritten bytes [0, 64) of pool 'tensors'}}
      %w = memref.load %a[%i] : memref<16xf32>
      %b = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
      // expected-note @+1 {{'memref.store' writes there}}
      memref.store %w, %b[%i] : memref<16xf32>
      "x.use"(%b) : (memref<16xf32>) -> ()
    }
    return
  }
}

// -----

// 10. A loop carries the memref that its last iteration has made: there are two
// at a time.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%l: index, %u: index, %s: index, %v: f32) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    memref.store %v, %a[%l] : memref<16xf32>
    %r = scf.for %i = %l to %u step %s iter_args(%o = %a) -> memref<16xf32> {
      // expected-note @+2 {{'memref.alloc' makes an instance}}
      // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [64, 128) of pool 'tensors'}}
      %b = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
      memref.store %v, %b[%i] : memref<16xf32>
      // expected-error @+1 {{'memref.load' uses argument #1, which may be an older instance of result #0 of 'memref.alloc' than the last one}}
      %w = memref.load %o[%i] : memref<16xf32>
      memref.store %w, %b[%s] : memref<16xf32>
      scf.yield %b : memref<16xf32>
    }
    %x = memref.load %r[%l] : memref<16xf32>
    return
  }
}

// -----

// 11. Memory that others may keep has no place: it is returned,
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @makes() -> memref<16xf32> {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    return %a : memref<16xf32>
  }
  func.func @f() {
    %a = call @makes() : () -> memref<16xf32>
    "x.use"(%a) : (memref<16xf32>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @makes() -> memref<16xf32> {
    // expected-note @+1 {{it is allocated here}}
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-error @+1 {{'func.return' returns to unknown callers result #0 of 'memref.alloc', which the plan gives a place; plan again}}
    return %a : memref<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @makes() -> memref<16xf32> {
    // expected-note @+1 {{it is allocated here}}
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-error @+1 {{'func.return' returns to unknown callers result #0 of 'memref.alloc', which the plan gives a place; plan again}}
    return %a : memref<16xf32>
  }
  func.func @f() {
    %a = call @makes() : () -> memref<16xf32>
    "x.use"(%a) : (memref<16xf32>) -> ()
    return
  }
}

// -----

// or passed to a function that is not known,
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @keeps(memref<16xf32> {gmem.no_capture})
  func.func @f() {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    call @keeps(%a) : (memref<16xf32>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @keeps(memref<16xf32>)
  func.func @f() {
    // expected-note @+1 {{it is allocated here}}
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-error @+1 {{'func.call' passes to unknown code result #0 of 'memref.alloc', which the plan gives a place; plan again}}
    call @keeps(%a) : (memref<16xf32>) -> ()
    return
  }
}

// -----

// by one that is,
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @keeps(memref<16xf32>)
  func.func private @g(%a: memref<16xf32>) {
    func.call @keeps(%a) : (memref<16xf32>) -> ()
    return
  }
  func.func @f() {
    // expected-note @+1 {{it is allocated here}}
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %v = memref.cast %a : memref<16xf32> to memref<?xf32>
    // expected-error @+1 {{'func.call' passes to unknown code result #0 of 'memref.alloc', which the plan gives a place; plan again}}
    call @g(%a) : (memref<16xf32>) -> ()
    return
  }
}

// -----

// or stored,
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%i: index) {
    %t = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 80>} : memref<2xmemref<16xf32>>
    %a = memref.load %t[%i] : memref<2xmemref<16xf32>>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%i: index) {
    %t = memref.alloc() : memref<2xmemref<16xf32>>
    // expected-note @+1 {{it is allocated here}}
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-error @+1 {{'memref.store' may store result #0 of 'memref.alloc', which the plan gives a place; plan again}}
    memref.store %a, %t[%i] : memref<2xmemref<16xf32>>
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%list: !x.list) {
    // expected-note @+1 {{it is allocated here}}
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-error @+1 {{'x.append' may store result #0 of 'memref.alloc', which the plan gives a place; plan again}}
    "x.append"(%list, %a) : (!x.list, memref<16xf32>) -> ()
    return
  }
}

// -----

// or becomes a pointer, a tensor, a token.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() -> index {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %p = "x.length"(%a) : (memref<16xf32>) -> index
    return %p : index
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    // expected-note @+1 {{it is allocated here}}
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-error @+1 {{'x.address' may keep result #0 of 'memref.alloc', which the plan gives a place; plan again}}
    %p = "x.address"(%a) : (memref<16xf32>) -> !llvm.ptr
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    // expected-note @+1 {{it is allocated here}}
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %v = memref.cast %a : memref<16xf32> to memref<?xf32>
    // expected-error @+1 {{'x.start' may keep result #0 of 'memref.alloc', which the plan gives a place; plan again}}
    %p = "x.start"(%v) : (memref<?xf32>) -> !x.token
    return
  }
}

// -----

// 12. A function whose address is taken may run at any time: nothing of another
// function is where it works.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g(%a: tensor<16xf32> {gmem.offset = 512 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = "x.g"(%a) {gmem.offset = array<i64: 576>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %g = constant @g : (tensor<16xf32>) -> tensor<16xf32>
    %0 = "x.a"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    "x.start"(%g) : ((tensor<16xf32>) -> tensor<16xf32>) -> ()
    return %0 : tensor<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  // expected-note @+1 {{argument #0 has bytes [512, 576)}}
  func.func private @g(%a: tensor<16xf32> {gmem.offset = 512 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = "x.g"(%a) {gmem.offset = array<i64: 576>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %g = constant @g : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+2 {{argument #0 and result #0 of 'x.a' share bytes [560, 576) of pool 'tensors': the function of one may run at any time}}
    // expected-note @+1 {{result #0 of 'x.a' has bytes [560, 624)}}
    %0 = "x.a"(%x) {gmem.offset = array<i64: 560>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    "x.start"(%g) : ((tensor<16xf32>) -> tensor<16xf32>) -> ()
    return %0 : tensor<16xf32>
  }
}

// -----

// Nor the workbuffer of an op.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g(%a: tensor<16xf32> {gmem.offset = 512 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    // expected-note @+1 {{result #0 of 'x.g' has bytes [576, 640)}}
    %0 = "x.g"(%a) {gmem.offset = array<i64: 576>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %g = constant @g : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+2 {{result #0 of 'x.g' and a workbuffer of 'x.a' share bytes [600, 640) of pool 'tensors': the function of one may run at any time}}
    // expected-note @+1 {{a workbuffer of 'x.a' has bytes [600, 664)}}
    %0 = "x.a"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.workbuffers = [{size = 64 : i64}], gmem.workbuffer_offset = array<i64: 600>, gmem.workbuffer_pool = ["tensors"]} : (tensor<16xf32>) -> tensor<16xf32>
    "x.start"(%g) : ((tensor<16xf32>) -> tensor<16xf32>) -> ()
    return %0 : tensor<16xf32>
  }
}

// -----

// 13. A deallocation is removed if all that it may free has a place.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1) {
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %b = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %d = arith.select %c, %a, %b : memref<16xf32>
    memref.dealloc %d : memref<16xf32>
    return
  }
}

// -----

// It may free memory that is not the allocator's.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1) {
    // expected-note @+1 {{it is allocated here}}
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %b = memref.alloc() : memref<16xf32>
    %d = arith.select %c, %a, %b : memref<16xf32>
    // expected-error @+1 {{'memref.dealloc' frees memory without a place, or result #0 of 'memref.alloc', which the plan gives a place; plan again}}
    memref.dealloc %d : memref<16xf32>
    return
  }
}

// -----

// Nor is what a call gives to an argument.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func private @g(%c: i1, %b: memref<16xf32>) {
    // expected-note @+1 {{it is allocated here}}
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    %d = arith.select %c, %a, %b : memref<16xf32>
    // expected-error @+1 {{'memref.dealloc' frees memory without a place, or result #0 of 'memref.alloc', which the plan gives a place; plan again}}
    memref.dealloc %d : memref<16xf32>
    return
  }
  func.func @f(%c: i1, %b: memref<16xf32>) {
    func.call @g(%c, %b) : (i1, memref<16xf32>) -> ()
    return
  }
}

// -----

// It frees both.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: i1, %b: memref<16xf32>) {
    // expected-note @+1 {{it is allocated here}}
    %a = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-error @+1 {{'bufferization.dealloc' frees memory without a place, or result #0 of 'memref.alloc', which the plan gives a place; plan again}}
    bufferization.dealloc (%b, %a : memref<16xf32>, memref<16xf32>) if (%c, %c)
    return
  }
}

// -----

// A branch that does not yield an argument may write over it: %t lies where the
// memref of the caller is, which only the other arm yields.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func @main(%c: i1, %f: f32) -> f32 {
    %m = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%m : memref<16xf32>)
    %0 = func.call @arms(%m, %c, %f) : (memref<16xf32>, i1, f32) -> f32
    return %0 : f32
  }
  func.func private @arms(%a: memref<16xf32>, %c: i1, %f: f32) -> f32 {
    %i = arith.constant 0 : index
    %b = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
    %w = scf.if %c -> (memref<16xf32>) {
      scf.yield %a : memref<16xf32>
    } else {
      %t = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
      memref.copy %b, %t : memref<16xf32> to memref<16xf32>
      scf.yield %b : memref<16xf32>
    }
    %0 = memref.load %w[%i] : memref<16xf32>
    return %0 : f32
  }
}

// -----

// A branch that yields it may not.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func @main(%c: i1, %f: f32) -> f32 {
    %m = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%m : memref<16xf32>)
    %0 = func.call @arms(%m, %c, %f) : (memref<16xf32>, i1, f32) -> f32
    return %0 : f32
  }
  func.func private @arms(%a: memref<16xf32>, %c: i1, %f: f32) -> f32 {
    %i = arith.constant 0 : index
    %b = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
    // expected-note @+1 {{result #0 of 'scf.if' has bytes [0, 64) of pool 'memory'}}
    %w = scf.if %c -> (memref<16xf32>) {
      scf.yield %b : memref<16xf32>
    } else {
      %t = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
      // expected-note @+1 {{'memref.copy' writes there}}
      memref.copy %b, %t : memref<16xf32> to memref<16xf32>
      scf.yield %a : memref<16xf32>
    }
    // expected-error @+1 {{'memref.load' reads result #0 of 'scf.if', but 'memref.copy' has overwritten bytes [0, 64) of pool 'memory'}}
    %0 = memref.load %w[%i] : memref<16xf32>
    return %0 : f32
  }
}

// -----

// Two arguments of a block get their memrefs on one edge: %x is never the first
// one while %y is the second one.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func @f(%c: i1, %v: f32) -> f32 {
    %i = arith.constant 0 : index
    %x = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    %y = memref.alloc() {gmem.offset = array<i64: 32>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    %z = memref.alloc() {gmem.offset = array<i64: 128>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    cf.cond_br %c, ^left, ^right
  ^left:
    linalg.fill ins(%v : f32) outs(%z : memref<16xf32>)
    cf.br ^end(%x, %z : memref<16xf32>, memref<16xf32>)
  ^right:
    linalg.fill ins(%v : f32) outs(%y : memref<16xf32>)
    cf.br ^end(%z, %y : memref<16xf32>, memref<16xf32>)
  ^end(%a: memref<16xf32>, %b: memref<16xf32>):
    memref.store %v, %a[%i] : memref<16xf32>
    %0 = memref.load %b[%i] : memref<16xf32>
    return %0 : f32
  }
}

// -----

// Here it is.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func @f(%c: i1, %v: f32) -> f32 {
    %i = arith.constant 0 : index
    %x = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    %y = memref.alloc() {gmem.offset = array<i64: 32>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    %z = memref.alloc() {gmem.offset = array<i64: 128>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    cf.cond_br %c, ^left, ^right
  ^left:
    linalg.fill ins(%v : f32) outs(%z : memref<16xf32>)
    cf.br ^end(%x, %z : memref<16xf32>, memref<16xf32>)
  ^right:
    linalg.fill ins(%v : f32) outs(%y : memref<16xf32>)
    cf.br ^end(%x, %y : memref<16xf32>, memref<16xf32>)
  // expected-note @+1 {{argument #1 has bytes [32, 96) of pool 'memory'}}
  ^end(%a: memref<16xf32>, %b: memref<16xf32>):
    // expected-note @+1 {{'memref.store' writes there}}
    memref.store %v, %a[%i] : memref<16xf32>
    // expected-error @+1 {{'memref.load' reads argument #1, but 'memref.store' has overwritten bytes [32, 64) of pool 'memory'}}
    %0 = memref.load %b[%i] : memref<16xf32>
    return %0 : f32
  }
}

// -----

// What a loop carries may be lost in one iteration around it and intact in the
// next one, as long as it is not read.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func @f(%n: index, %v: f32) {
    %i = arith.constant 0 : index
    %m = memref.alloc() {gmem.offset = array<i64: 128>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%v : f32) outs(%m : memref<16xf32>)
    %0 = scf.for %j = %i to %n step %n iter_args(%b = %m) -> (memref<16xf32>) {
      %r = scf.for %k = %i to %n step %n iter_args(%a = %b) -> (memref<16xf32>) {
        %x = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
        linalg.fill ins(%v : f32) outs(%x : memref<16xf32>)
        scf.yield %x : memref<16xf32>
      }
      %t = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
      linalg.fill ins(%v : f32) outs(%t : memref<16xf32>)
      scf.yield %r : memref<16xf32>
    }
    return
  }
}

// -----

// Here it is read.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func @f(%n: index, %v: f32) {
    %i = arith.constant 0 : index
    %m = memref.alloc() {gmem.offset = array<i64: 128>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    linalg.fill ins(%v : f32) outs(%m : memref<16xf32>)
    %0 = scf.for %j = %i to %n step %n iter_args(%b = %m) -> (memref<16xf32>) {
      // expected-note @+1 {{argument #1 has bytes [0, 64) of pool 'memory'}}
      %r = scf.for %k = %i to %n step %n iter_args(%a = %b) -> (memref<16xf32>) {
        // expected-error @+1 {{'memref.load' reads argument #1, but 'linalg.fill' has overwritten bytes [0, 64) of pool 'memory'}}
        %u = memref.load %a[%i] : memref<16xf32>
        %x = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
        linalg.fill ins(%v : f32) outs(%x : memref<16xf32>)
        scf.yield %x : memref<16xf32>
      }
      %t = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
      // expected-note @+1 {{'linalg.fill' writes there}}
      linalg.fill ins(%v : f32) outs(%t : memref<16xf32>)
      scf.yield %r : memref<16xf32>
    }
    return
  }
}

// -----

// The initial memref of the loop has no address; the carried one has.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func @unplaced(%n: index, %v: f32) {
    %i = arith.constant 0 : index
    %dynamic = memref.alloc(%n) : memref<?xf32>
    %m = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    %t = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["memory"], gmem.size = array<i64: 64>} : memref<16xf32>
    // expected-note @+1 {{result #0 of 'scf.for' has bytes [0, 64) of pool 'memory'}}
    %last = scf.for %j = %i to %n step %n iter_args(%b = %dynamic) -> (memref<?xf32>) {
      linalg.fill ins(%v : f32) outs(%m : memref<16xf32>)
      %y = memref.cast %m : memref<16xf32> to memref<?xf32>
      scf.yield %y : memref<?xf32>
    }
    // expected-note @+1 {{'linalg.fill' writes there}}
    linalg.fill ins(%v : f32) outs(%t : memref<16xf32>)
    // expected-error @+1 {{'memref.load' reads result #0 of 'scf.for', but 'linalg.fill' has overwritten bytes [0, 64) of pool 'memory'}}
    %u = memref.load %last[%i] : memref<?xf32>
    return
  }
}

// -----

// One inside of a layer group is a constant as elsewhere.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    %0 = "tosa.const"() {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>, values = dense<1.0> : tensor<16xf32>} : () -> tensor<16xf32>
    "npu.group"() ({
      %1 = "tosa.const"() {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>, values = dense<1.0> : tensor<16xf32>} : () -> tensor<16xf32>
      "npu.use"(%1) : (tensor<16xf32>) -> ()
    }) {gmem.layer_group} : () -> ()
    return
  }
}

// -----

// At bytes of another one.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    // expected-note @+1 {{result #0 of 'tosa.const' has bytes [0, 64) of pool 'weights'}}
    %0 = "tosa.const"() {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>, values = dense<1.0> : tensor<16xf32>} : () -> tensor<16xf32>
    "npu.group"() ({
      // expected-error @+2 {{result #0 of 'tosa.const' and result #0 of 'tosa.const' share bytes [0, 64) of pool 'weights': they are different constants}}
      // expected-note @+1 {{result #0 of 'tosa.const' has bytes [0, 64) of pool 'weights'}}
      %1 = "tosa.const"() {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>, values = dense<2.0> : tensor<16xf32>} : () -> tensor<16xf32>
      "npu.use"(%1) : (tensor<16xf32>) -> ()
    }) {gmem.layer_group} : () -> ()
    return
  }
}

// -----

// 14. A concatenation of one constant makes a copy of it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() -> tensor<64xi8> {
    %0 = arith.constant {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} dense<1> : tensor<64xi8>
    %1 = tensor.concat dim(0) %0 {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<64xi8>) -> tensor<64xi8>
    return %1 : tensor<64xi8>
  }
}

// -----

// Not where the constant is: what it makes is no constant, though nothing changes there.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() -> tensor<64xi8> {
    %0 = arith.constant {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} dense<1> : tensor<64xi8>
    // expected-error @+1 {{'tensor.concat' writes bytes [0, 64) of pool 'weights', which holds constants}}
    %1 = tensor.concat dim(0) %0 {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : (tensor<64xi8>) -> tensor<64xi8>
    return %1 : tensor<64xi8>
  }
}

// -----

// 15. Functions share a state as one argument: @g would be taken to know of both.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @g(%s: tensor<64xi8> {gmem.state = "s", gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %0 = "x.a"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    "x.b"(%0) : (tensor<64xi8>) -> ()
    return
  }
  func.func @f(%s: tensor<64xi8> {gmem.state = "s", gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64},
               // expected-error @+1 {{the state has the name of that in argument #0 of the function}}
               %t: tensor<64xi8> {gmem.state = "s", gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "x.b"(%t) : (tensor<64xi8>) -> ()
    return
  }
}

// -----

// 16. Pools are apart: what is in one of them is not looked for in another.
// expected-error @+1 {{pools #0 and #1 of the plan share addresses}}
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{base = 0 : i64, kind = "workspace", name = "a", size = 1024 : i64}, {base = 512 : i64, kind = "workspace", name = "b", size = 512 : i64}]} {
  func.func @f() {
    %0 = "x.a"() {gmem.offset = array<i64: 512>, gmem.pool = ["a"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    %1 = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["b"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    "x.b"(%0, %1) : (tensor<64xi8>, tensor<64xi8>) -> ()
    return
  }
}

// -----

// The first one would end behind address 0.
// expected-error @+1 {{gmem.pool_table is malformed}}
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{base = -64 : i64, kind = "workspace", name = "a", size = 1024 : i64}, {base = 0 : i64, kind = "workspace", name = "b", size = 512 : i64}]} {
  func.func @f() {
    %0 = "x.a"() {gmem.offset = array<i64: 64>, gmem.pool = ["a"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    %1 = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["b"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    "x.b"(%0, %1) : (tensor<64xi8>, tensor<64xi8>) -> ()
    return
  }
}
