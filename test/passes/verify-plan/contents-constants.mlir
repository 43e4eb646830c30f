// A constant pool has constants, and parts of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// RUN: gmem-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --gmem-verify-plan=only=contents -o /dev/null

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    %w = "x.weight"() {gmem.op_model = {kind = "weight"}, gmem.offset = array<i64: 128>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    %v = "x.view"(%w) {gmem.op_model = {kind = "reshape"}, gmem.offset = array<i64: 128>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<64xi8>
    "x.use"(%v) : (tensor<64xi8>) -> ()
    return
  }
}

// -----

// It begins before the constant, or ends behind it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    %w = "x.weight"() {gmem.op_model = {kind = "weight"}, gmem.offset = array<i64: 128>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-error @+1 {{result #0 of 'x.view' is in a constant pool, but is not a part of a constant; plan again}}
    %v = "x.view"(%w) {gmem.op_model = {kind = "reshape"}, gmem.offset = array<i64: 124>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<64xi8>
    "x.use"(%v) : (tensor<64xi8>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    %w = "x.weight"() {gmem.op_model = {kind = "weight"}, gmem.offset = array<i64: 128>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-error @+1 {{result #0 of 'x.view' is in a constant pool, but is not a part of a constant; plan again}}
    %v = "x.view"(%w) {gmem.op_model = {kind = "reshape"}, gmem.offset = array<i64: 132>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<64xi8>
    "x.use"(%v) : (tensor<64xi8>) -> ()
    return
  }
}

// -----

// It is a view of another tensor.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    %t = "x.compute"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-error @+1 {{result #0 of 'x.view' is in a constant pool, but is not a part of a constant; plan again}}
    %v = "x.view"(%t) {gmem.op_model = {kind = "reshape"}, gmem.offset = array<i64: 128>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<64xi8>
    "x.use"(%v) : (tensor<64xi8>) -> ()
    return
  }
}

// -----

// Made by an op: nothing is written there.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    // expected-error @+1 {{result #0 of 'tensor.empty' is in a constant pool, but is not a constant; plan again}}
    %e = tensor.empty() {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : tensor<16xf32>
    "x.use"(%e) : (tensor<16xf32>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    // expected-error @+1 {{result #0 of 'memref.alloc' is in a constant pool, but is not a constant; plan again}}
    %e = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : memref<16xf32>
    "x.use"(%e) : (memref<16xf32>) -> ()
    return
  }
}

// -----

// Two loads of one constant are one constant; others share no bytes.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  memref.global "private" constant @a : memref<16xf32> = dense<1.0>
  memref.global "private" constant @b : memref<16xf32> = dense<1.0>
  func.func @f() {
    %a = "memref.get_global"() <{name = @a}> {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> memref<16xf32>
    %b = "memref.get_global"() <{name = @b}> {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> memref<16xf32>
    %c = "memref.get_global"() <{name = @a}> {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> memref<16xf32>
    "x.use"(%a, %b, %c) : (memref<16xf32>, memref<16xf32>, memref<16xf32>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  memref.global "private" constant @a : memref<16xf32> = dense<1.0>
  memref.global "private" constant @b : memref<16xf32> = dense<2.0>
  func.func @f() {
    // expected-note @+1 {{result #0 of 'memref.get_global' has bytes [0, 64) of pool 'weights'}}
    %a = "memref.get_global"() <{name = @a}> {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> memref<16xf32>
    // expected-error @+2 {{result #0 of 'memref.get_global' and result #0 of 'memref.get_global' share bytes [0, 64) of pool 'weights': they are different constants}}
    // expected-note @+1 {{result #0 of 'memref.get_global' has bytes [0, 64) of pool 'weights'}}
    %b = "memref.get_global"() <{name = @b}> {gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> memref<16xf32>
    "x.use"(%a, %b) : (memref<16xf32>, memref<16xf32>) -> ()
    return
  }
}

// -----

// Two weights are one if the ops are equal.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    %a = "x.weight"() {gmem.op_model = {kind = "weight"}, x.value = @v1, gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    %b = "x.weight"() {gmem.op_model = {kind = "weight"}, x.value = @v1, gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.use"(%a, %b) : (tensor<16xf32>, tensor<16xf32>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    // expected-note @+1 {{result #0 of 'x.weight' has bytes [0, 64) of pool 'weights'}}
    %a = "x.weight"() {gmem.op_model = {kind = "weight"}, x.value = @v1, gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-error @+2 {{result #0 of 'x.weight' and result #0 of 'x.weight' share bytes [0, 64) of pool 'weights': they are different constants}}
    // expected-note @+1 {{result #0 of 'x.weight' has bytes [0, 64) of pool 'weights'}}
    %b = "x.weight"() {gmem.op_model = {kind = "weight"}, x.value = @v2, gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.use"(%a, %b) : (tensor<16xf32>, tensor<16xf32>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    // expected-note @+1 {{result #0 of 'x.weight' has bytes [0, 64) of pool 'weights'}}
    %a = "x.weight"() {gmem.op_model = {kind = "weight"}, x.value = @v1, gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-error @+2 {{result #0 of 'x.weight' and result #0 of 'x.weight' share bytes [0, 64) of pool 'weights': they are different constants}}
    // expected-note @+1 {{result #0 of 'x.weight' has bytes [0, 64) of pool 'weights'}}
    %b = "x.weight"() {gmem.op_model = {kind = "weight"}, x.value = @v1, gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> tensor<64xi8>
    "x.use"(%a, %b) : (tensor<16xf32>, tensor<64xi8>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    // expected-note @+1 {{result #0 of 'x.weight' has bytes [0, 64) of pool 'weights'}}
    %a = "x.weight"() {gmem.op_model = {kind = "weight"}, x.value = @v1, gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-error @+2 {{result #0 of 'x.weight' and result #0 of 'x.other' share bytes [0, 64) of pool 'weights': they are different constants}}
    // expected-note @+1 {{result #0 of 'x.other' has bytes [0, 64) of pool 'weights'}}
    %b = "x.other"() {gmem.op_model = {kind = "weight"}, x.value = @v1, gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.use"(%a, %b) : (tensor<16xf32>, tensor<16xf32>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    // expected-note @+1 {{result #0 of 'x.weight' has bytes [0, 64) of pool 'weights'}}
    %a = "x.weight"() {gmem.op_model = {kind = "weight"}, x.value = @v1, gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-error @+2 {{result #0 of 'x.weight' and result #0 of 'x.weight' share bytes [0, 64) of pool 'weights': they are different constants}}
    // expected-note @+1 {{result #0 of 'x.weight' has bytes [0, 64) of pool 'weights'}}
    %b = "x.weight"() ({
      "x.end"() : () -> ()
    }) {gmem.op_model = {kind = "weight"}, x.value = @v1, gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.use"(%a, %b) : (tensor<16xf32>, tensor<16xf32>) -> ()
    return
  }
}

// -----

// Or have one number, unless their contents differ.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    %a = "x.weight"() {gmem.op_model = {kind = "weight"}, gmem.constant = 7 : i64, x.value = @v1, gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    %b = "x.weight"() {gmem.op_model = {kind = "weight"}, gmem.constant = 7 : i64, x.value = @v2, gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.use"(%a, %b) : (tensor<16xf32>, tensor<16xf32>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    // expected-note @+1 {{result #0 of 'x.weight' has bytes [0, 64) of pool 'weights'}}
    %a = "x.weight"() {gmem.op_model = {kind = "weight"}, gmem.constant = 7 : i64, x.value = @v1, gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-error @+2 {{result #0 of 'x.weight' and result #0 of 'x.weight' share bytes [0, 64) of pool 'weights': they are different constants}}
    // expected-note @+1 {{result #0 of 'x.weight' has bytes [0, 64) of pool 'weights'}}
    %b = "x.weight"() {gmem.op_model = {kind = "weight"}, gmem.constant = 8 : i64, x.value = @v2, gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.use"(%a, %b) : (tensor<16xf32>, tensor<16xf32>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    // expected-note @+1 {{result #0 of 'x.weight' has bytes [0, 64) of pool 'weights'}}
    %a = "x.weight"() {gmem.op_model = {kind = "weight"}, gmem.constant = 7 : i64, x.value = dense<1.0> : tensor<16xf32>, gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    // expected-error @+2 {{result #0 of 'x.weight' and result #0 of 'x.weight' share bytes [0, 64) of pool 'weights': they are different constants}}
    // expected-note @+1 {{result #0 of 'x.weight' has bytes [0, 64) of pool 'weights'}}
    %b = "x.weight"() {gmem.op_model = {kind = "weight"}, gmem.constant = 7 : i64, x.value = dense<2.0> : tensor<16xf32>, gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.use"(%a, %b) : (tensor<16xf32>, tensor<16xf32>) -> ()
    return
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f() {
    %a = "x.weight"() {gmem.op_model = {kind = "weight"}, gmem.constant = 7 : i64, x.value = dense<1.0> : tensor<16xf32>, gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    %b = "x.weight"() {gmem.op_model = {kind = "weight"}, gmem.constant = 7 : i64, x.value = @v2, gmem.offset = array<i64: 0>, gmem.pool = ["weights"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.use"(%a, %b) : (tensor<16xf32>, tensor<16xf32>) -> ()
    return
  }
}
