// Does every op find what it reads? Values whose size the type does not say, and
// elements narrower than a byte, in plans written by hand.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --gmem-verify-plan=only=contents -o /dev/null

// 1. Control flow copies as many bytes as both values may have: of bounds of 8
// and 16 elements those of 8, and of 12 and 16 those of 12.
module attributes {gmem.plan = {algorithm = "auto", dynamic_bound = 16 : i64, keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<?xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 32 : i64, gmem.upper_bound = array<i64: 8>}, %n: index) -> tensor<?xf32> {
    %0 = scf.for %i = %n to %n step %n iter_args(%p = %x) -> (tensor<?xf32>) {
      %1 = "x.a"(%p) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 48>, gmem.upper_bound = [array<i64: 12>]} : (tensor<?xf32>) -> tensor<?xf32>
      scf.yield {gmem.copies = [{edge = "next", from = 64 : i64, from_pool = "tensors", number = 0 : i64, size = 48 : i64, to = 0 : i64, to_pool = "tensors"}]} %1 : tensor<?xf32>
    } {gmem.block_args = [{block = 0 : i64, offset = array<i64: -1, 0>, pool = ["", "tensors"], region = 0 : i64, size = array<i64: -1, 64>}], gmem.copies = [{edge = "region", from = 64 : i64, from_pool = "tensors", number = 0 : i64, size = 32 : i64, to = 0 : i64, to_pool = "tensors"}], gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>}
    return %0 : tensor<?xf32>
  }
}

// -----

// A copy of fewer bytes leaves some behind.
module attributes {gmem.plan = {algorithm = "auto", dynamic_bound = 16 : i64, keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<?xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 32 : i64, gmem.upper_bound = array<i64: 8>}, %n: index) -> tensor<?xf32> {
    // expected-error @+1 {{'scf.for' passes argument #0 to argument #1, but no gmem.copies brings bytes [64, 96) of pool 'tensors' to bytes [0, 32) of pool 'tensors'; plan again}}
    %0 = scf.for %i = %n to %n step %n iter_args(%p = %x) -> (tensor<?xf32>) {
      scf.yield %p : tensor<?xf32>
    } {gmem.block_args = [{block = 0 : i64, offset = array<i64: -1, 0>, pool = ["", "tensors"], region = 0 : i64, size = array<i64: -1, 64>}], gmem.copies = [{edge = "region", from = 64 : i64, from_pool = "tensors", number = 0 : i64, size = 28 : i64, to = 0 : i64, to_pool = "tensors"}], gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>}
    return %0 : tensor<?xf32>
  }
}

// -----

// 2. An argument of unknown size that gets a value of stated size has memory of
// its own: x.a may write where the operands of the next rounds have been.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: !x.t {gmem.bytes = 32 : i64, gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 32 : i64}, %n: index) -> !x.t {
    %0 = scf.for %i = %n to %n step %n iter_args(%p = %x) -> (!x.t) {
      %1 = "x.a"(%p) {gmem.bytes = array<i64: 32>, gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 32>} : (!x.t) -> !x.t
      scf.yield %1 : !x.t
    } {gmem.bytes = array<i64: 32>, gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 32>}
    %2 = call @g(%0) {gmem.bytes = array<i64: 32>, gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 32>} : (!x.t) -> !x.t
    cf.br ^bb1(%2 : !x.t)
  ^bb1(%3: !x.t):
    %4 = "x.b"(%3) {gmem.bytes = array<i64: 32>, gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 32>} : (!x.t) -> !x.t
    "x.c"(%3) : (!x.t) -> ()
    return %4 : !x.t
  }
  func.func private @g(%a: !x.t) -> !x.t {
    %0 = "x.a"(%a) {gmem.bytes = array<i64: 32>, gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 32>} : (!x.t) -> !x.t
    "x.c"(%a) : (!x.t) -> ()
    return %0 : !x.t
  }
}

// -----

// 3. A part of 4 bits that ends inside of a byte does not have the contents of
// that byte, which others have as well: both concatenations are live.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%a: tensor<4xi1> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 1 : i64}, %b: tensor<4xi1> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 1 : i64}) -> (tensor<8xi1>, tensor<8xi1>) {
    // expected-note @+1 {{result #0 of 'tensor.concat' has bytes [128, 129) of pool 'tensors'}}
    %0 = tensor.concat dim(0) %a, %b {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 1>} : (tensor<4xi1>, tensor<4xi1>) -> tensor<8xi1>
    // expected-note @+1 {{'tensor.concat' writes there}}
    %1 = tensor.concat dim(0) %a, %a {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 1>} : (tensor<4xi1>, tensor<4xi1>) -> tensor<8xi1>
    // expected-error @+1 {{'func.return' returns result #0 of 'tensor.concat', but 'tensor.concat' has overwritten bytes [128, 129) of pool 'tensors'}}
    return %0, %1 : tensor<8xi1>, tensor<8xi1>
  }
}

// -----

// The bits behind the last part are those of no other.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%a: tensor<8xi1> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 1 : i64}, %b: tensor<4xi1> {gmem.offset = 1 : i64, gmem.pool = "tensors", gmem.size = 1 : i64}) -> (tensor<12xi1>, tensor<4xi1>) {
    %0 = tensor.concat dim(0) %a, %b {gmem.alias = [{kind = "concat", offset = 1 : i64, operand = 1 : i64, result = 0 : i64}], gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 2>} : (tensor<8xi1>, tensor<4xi1>) -> tensor<12xi1>
    return %0, %b : tensor<12xi1>, tensor<4xi1>
  }
}

// -----

// 4. A value of dynamic shape is as large as its bound, or as its operand if it
// is a view, without the padding around it.
module attributes {gmem.plan = {algorithm = "auto", dynamic_bound = 8 : i64, keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<?xi8> {gmem.offset = 20 : i64, gmem.padding = array<i64: 0, 2>, gmem.pool = "tensors", gmem.size = 10 : i64}) -> tensor<?xi8> {
    %0 = "x.a"(%x) {gmem.offset = array<i64: 0>, gmem.padding = [array<i64: 4, 4>], gmem.payload_offset = array<i64: 4>, gmem.pool = ["tensors"], gmem.size = array<i64: 20>, gmem.upper_bound = [array<i64: 12>]} : (tensor<?xi8>) -> tensor<?xi8>
    %1 = tensor.expand_shape %0 [[0, 1]] output_shape [4, 3] {gmem.offset = array<i64: 0>, gmem.payload_offset = array<i64: 4>, gmem.pool = ["tensors"], gmem.size = array<i64: 20>} : tensor<?xi8> into tensor<?x3xi8>
    %2 = "x.a"(%1) {gmem.offset = array<i64: 40>, gmem.pool = ["tensors"], gmem.size = array<i64: 8>} : (tensor<?x3xi8>) -> tensor<?xi8>
    return %2 : tensor<?xi8>
  }
}

// -----

// A byte is missing.
module attributes {gmem.plan = {algorithm = "auto", dynamic_bound = 8 : i64, keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<?xi8> {gmem.offset = 20 : i64, gmem.pool = "tensors", gmem.size = 8 : i64}) -> tensor<?xi8> {
    // expected-error @+1 {{result #0 has less memory around it than its gmem.padding: plan again}}
    %0 = "x.a"(%x) {gmem.offset = array<i64: 0>, gmem.padding = [array<i64: 4, 4>], gmem.payload_offset = array<i64: 4>, gmem.pool = ["tensors"], gmem.size = array<i64: 19>, gmem.upper_bound = [array<i64: 12>]} : (tensor<?xi8>) -> tensor<?xi8>
    return %0 : tensor<?xi8>
  }
}

// -----

// A cast within a padding is a view, too: nothing is copied.
module attributes {gmem.plan = {algorithm = "auto", dynamic_bound = 8 : i64, keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<8xi8> {gmem.offset = 20 : i64, gmem.padding = array<i64: 0, 2>, gmem.pool = "tensors", gmem.size = 10 : i64}) -> tensor<?xi8> {
    %0 = tensor.cast %x {gmem.offset = array<i64: 20>, gmem.pool = ["tensors"], gmem.size = array<i64: 10>} : tensor<8xi8> to tensor<?xi8>
    return %0 : tensor<?xi8>
  }
}

// -----

// So is an allocation.
module attributes {gmem.plan = {algorithm = "auto", dynamic_bound = 8 : i64, keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "memory", size = 1024 : i64}]} {
  func.func @f(%n: index, %y: memref<?xi8>) {
    %v = arith.constant 0 : i8
    %0 = memref.alloc(%n) {gmem.offset = array<i64: 0>, gmem.padding = [array<i64: 4, 8>], gmem.payload_offset = array<i64: 4>, gmem.pool = ["memory"], gmem.size = array<i64: 20>} : memref<?xi8>
    linalg.fill ins(%v : i8) outs(%0 : memref<?xi8>)
    // expected-error @+1 {{result #0 has less memory around it than its gmem.padding: plan again}}
    %1 = memref.alloc(%n) {gmem.offset = array<i64: 20>, gmem.padding = [array<i64: 0, 8>], gmem.pool = ["memory"], gmem.size = array<i64: 11>, gmem.upper_bound = [array<i64: 4>]} : memref<?xi8>
    linalg.copy ins(%0 : memref<?xi8>) outs(%1 : memref<?xi8>)
    memref.copy %1, %y : memref<?xi8> to memref<?xi8>
    return
  }
}

// -----

// 5. A message says whether a place is not in its pool, which bytes that has, or too small.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 100 : i64}]} {
  func.func @f() {
    // expected-error @+1 {{result #0 is placed outside of its pool: it has 64 bytes at offset 64, and pool 'tensors' has 100; plan again}}
    %0 = "x.a"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.b"(%0) : (tensor<16xf32>) -> ()
    return
  }
}

// -----

// No such pool.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 100 : i64}]} {
  func.func @f() {
    // expected-error @+1 {{result #0 is in pool 'tensor', which gmem.pool_table does not list: plan again}}
    %0 = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensor"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    "x.b"(%0) : (tensor<16xf32>) -> ()
    return
  }
}

// -----

// Too small.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 100 : i64}]} {
  func.func @f() {
    // expected-error @+1 {{result #0 has a gmem.size of 32 bytes but a type of 64 bytes: plan again}}
    %0 = "x.a"() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 32>} : () -> tensor<16xf32>
    "x.b"(%0) : (tensor<16xf32>) -> ()
    return
  }
}

// -----

// Too small behind its padding.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 100 : i64}]} {
  func.func @f() {
    // expected-error @+1 {{result #0 has 60 bytes from its gmem.payload_offset on but a type of 64 bytes: plan again}}
    %0 = "x.a"() {gmem.offset = array<i64: 0>, gmem.padding = [array<i64: 16, 0>], gmem.payload_offset = array<i64: 20>, gmem.pool = ["tensors"], gmem.size = array<i64: 80>} : () -> tensor<16xf32>
    "x.b"(%0) : (tensor<16xf32>) -> ()
    return
  }
}

// -----

// Outside of its own buffer.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "workspace", name = "tensors", size = 100 : i64}]} {
  func.func @f() {
    // expected-error @+1 {{result #0 has a gmem.payload_offset of 96, outside of its bytes [0, 80): plan again}}
    %0 = "x.a"() {gmem.offset = array<i64: 0>, gmem.padding = [array<i64: 16, 0>], gmem.payload_offset = array<i64: 96>, gmem.pool = ["tensors"], gmem.size = array<i64: 80>} : () -> tensor<16xf32>
    "x.b"(%0) : (tensor<16xf32>) -> ()
    return
  }
}
