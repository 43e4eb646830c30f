// Does every op find what it reads? Plans of straight code, written by hand: of
// each pair the first is sound, the second is not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --gmem-verify-plan=only=contents -o /dev/null

// 1. A value stays until its last reader.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = "x.a"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %1 = "x.b"(%0) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %2 = "x.c"(%0, %1) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    return %2 : tensor<16xf32>
  }
}

// -----

// It dies early: the result of x.b is over it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    // expected-note @+1 {{result #0 of 'x.a' has bytes [64, 128) of pool 'tensors'}}
    %0 = "x.a"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-note @+1 {{'x.b' writes there}}
    %1 = "x.b"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+1 {{'x.c' reads result #0 of 'x.a', but 'x.b' has overwritten bytes [64, 128) of pool 'tensors'}}
    %2 = "x.c"(%0, %1) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    return %2 : tensor<16xf32>
  }
}

// -----

// One byte is enough.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    // expected-note @+1 {{result #0 of 'x.a' has bytes [64, 128) of pool 'tensors'}}
    %0 = "x.a"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-note @+1 {{'x.b' writes there}}
    %1 = "x.b"(%x) {gmem.offset = array<i64: 127>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+1 {{'x.c' reads result #0 of 'x.a', but 'x.b' has overwritten bytes [127, 128) of pool 'tensors'}}
    %2 = "x.c"(%0, %1) {gmem.offset = array<i64: 256>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    return %2 : tensor<16xf32>
  }
}

// -----

// 2. An element-wise op may write over its operand.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = tosa.exp %x {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %1 = tosa.tanh %0 {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %1 : tensor<16xf32>
  }
}

// -----

// Not when another op reads that later.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    // expected-note @+1 {{result #0 of 'tosa.exp' has bytes [64, 128) of pool 'tensors'}}
    %0 = tosa.exp %x {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-note @+1 {{'tosa.tanh' writes there}}
    %1 = tosa.tanh %0 {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+1 {{'x.c' reads result #0 of 'tosa.exp', but 'tosa.tanh' has overwritten bytes [64, 128) of pool 'tensors'}}
    %2 = "x.c"(%0, %1) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    return %2 : tensor<16xf32>
  }
}

// -----

// Nor in part: the elements that it writes are not those that it has read.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    // expected-note @+1 {{result #0 of 'tosa.exp' has bytes [64, 128) of pool 'tensors'}}
    %0 = tosa.exp %x {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+2 {{'tosa.tanh' still reads result #0 of 'tosa.exp', but 'tosa.tanh' has overwritten bytes [80, 128) of pool 'tensors'}}
    // expected-note @+1 {{'tosa.tanh' writes there}}
    %1 = tosa.tanh %0 {gmem.offset = array<i64: 80>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %1 : tensor<16xf32>
  }
}

// -----

// 3. A matmul reads elements again after it has written some.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<4x4xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<4x4xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %z: tensor<4x4xf32> {gmem.offset = 128 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<4x4xf32> {
    %0 = linalg.matmul {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} ins(%x, %y : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}

// -----

// It is written over its own input, and gmem.alias says that this is fine.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  // expected-note @+1 {{argument #0 has bytes [0, 64) of pool 'tensors'}}
  func.func @f(%x: tensor<4x4xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<4x4xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %z: tensor<4x4xf32> {gmem.offset = 128 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<4x4xf32> {
    // expected-error @+2 {{'linalg.matmul' still reads argument #0, but 'linalg.matmul' has overwritten bytes [0, 64) of pool 'tensors'}}
    // expected-note @+1 {{'linalg.matmul' writes there}}
    %0 = linalg.matmul {gmem.alias = [{kind = "inplace", offset = 0 : i64, operand = 0 : i64, result = 0 : i64}], gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} ins(%x, %y : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}

// -----

// 4. A destination is written in place.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%c: tensor<32xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 128 : i64}, %k: tensor<8xf32> {gmem.offset = 128 : i64, gmem.pool = "tensors", gmem.size = 32 : i64}) -> tensor<32xf32> {
    %0 = tensor.insert_slice %k into %c[8] [8] [1] {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} : tensor<8xf32> into tensor<32xf32>
    return %0 : tensor<32xf32>
  }
}

// -----

// But not if what was there is read later.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  // expected-note @+1 {{argument #0 has bytes [0, 128) of pool 'tensors'}}
  func.func @f(%c: tensor<32xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 128 : i64}, %k: tensor<8xf32> {gmem.offset = 128 : i64, gmem.pool = "tensors", gmem.size = 32 : i64}) -> tensor<32xf32> {
    // expected-note @+1 {{'tensor.insert_slice' writes there}}
    %0 = tensor.insert_slice %k into %c[8] [8] [1] {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} : tensor<8xf32> into tensor<32xf32>
    // expected-error @+1 {{'x.c' reads argument #0, but 'tensor.insert_slice' has overwritten bytes [32, 64) of pool 'tensors'}}
    %1 = "x.c"(%0, %c) {gmem.offset = array<i64: 256>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    return %1 : tensor<32xf32>
  }
}

// -----

// 5. A slice is a part of its operand.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<32xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 128 : i64}) -> tensor<16xf32> {
    %0 = tensor.extract_slice %x[8] [16] [1] {gmem.offset = array<i64: 32>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : tensor<32xf32> to tensor<16xf32>
    %1 = "x.c"(%0, %x) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>, tensor<32xf32>) -> tensor<16xf32>
    return %1 : tensor<16xf32>
  }
}

// -----

// It is at a wrong offset: it would be copied over other elements of the whole,
// which is read later.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  // expected-note @+1 {{argument #0 has bytes [0, 128) of pool 'tensors'}}
  func.func @f(%x: tensor<32xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 128 : i64}) -> tensor<16xf32> {
    // expected-error @+2 {{'tensor.extract_slice' still reads argument #0, but 'tensor.extract_slice' has overwritten bytes [64, 128) of pool 'tensors'}}
    // expected-note @+1 {{'tensor.extract_slice' writes there}}
    %0 = tensor.extract_slice %x[8] [16] [1] {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : tensor<32xf32> to tensor<16xf32>
    %1 = "x.c"(%0, %x) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>, tensor<32xf32>) -> tensor<16xf32>
    return %1 : tensor<16xf32>
  }
}

// -----

// 6. The parts of a concatenation are written where they belong.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<32xf32> {
    %0 = "x.a"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %1 = "x.b"(%x) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %2 = tosa.concat %0, %1 {axis = 0 : i32, gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<32xf32>
    return %2 : tensor<32xf32>
  }
}

// -----

// They are there in the wrong order.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<32xf32> {
    // expected-note @+1 {{result #0 of 'x.a' has bytes [128, 192) of pool 'tensors'}}
    %0 = "x.a"(%x) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %1 = "x.b"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+2 {{'tosa.concat' still reads result #0 of 'x.a', but 'tosa.concat' has overwritten bytes [128, 192) of pool 'tensors'}}
    // expected-note @+1 {{'tosa.concat' writes there}}
    %2 = tosa.concat %0, %1 {axis = 0 : i32, gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<32xf32>
    return %2 : tensor<32xf32>
  }
}

// -----

// A part has lost its contents before the whole is read.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<32xf32> {
    %0 = "x.a"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %1 = "x.b"(%x) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-note @+1 {{result #0 of 'tosa.concat' has bytes [64, 192) of pool 'tensors'}}
    %2 = tosa.concat %0, %1 {axis = 0 : i32, gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<32xf32>
    // expected-note @+1 {{'x.d' writes there}}
    %3 = "x.d"(%x) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+1 {{'x.e' reads result #0 of 'tosa.concat', but 'x.d' has overwritten bytes [128, 192) of pool 'tensors'}}
    %4 = "x.e"(%2, %3) {gmem.offset = array<i64: 256>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} : (tensor<32xf32>, tensor<16xf32>) -> tensor<32xf32>
    return %4 : tensor<32xf32>
  }
}

// -----

// 7. A reshape has the bytes of its operand, for as long as one of them is read.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<4x4xf32> {
    %0 = "x.a"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %1 = tensor.expand_shape %0 [[0, 1]] output_shape [4, 4] {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : tensor<16xf32> into tensor<4x4xf32>
    %2 = "x.b"(%x) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %3 = "x.c"(%1, %2) {gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<4x4xf32>, tensor<16xf32>) -> tensor<4x4xf32>
    return %3 : tensor<4x4xf32>
  }
}

// -----

// It is elsewhere, where nothing was written.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<4x4xf32> {
    %0 = "x.a"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+1 {{'tensor.expand_shape' passes contents to result #0 of 'tensor.expand_shape', but a view is not where its operand is; plan again}}
    %1 = tensor.expand_shape %0 [[0, 1]] output_shape [4, 4] {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : tensor<16xf32> into tensor<4x4xf32>
    return %1 : tensor<4x4xf32>
  }
}

// -----

// Its operand is not read any more, but it is.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<4x4xf32> {
    // expected-note @+1 {{result #0 of 'x.a' has bytes [64, 128) of pool 'tensors'}}
    %0 = "x.a"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %1 = tensor.expand_shape %0 [[0, 1]] output_shape [4, 4] {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : tensor<16xf32> into tensor<4x4xf32>
    // expected-note @+1 {{'x.b' writes there}}
    %2 = "x.b"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+1 {{'x.c' reads result #0 of 'x.a', but 'x.b' has overwritten bytes [64, 128) of pool 'tensors'}}
    %3 = "x.c"(%1, %2) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<4x4xf32>, tensor<16xf32>) -> tensor<4x4xf32>
    return %3 : tensor<4x4xf32>
  }
}

// -----

// 8. A workbuffer belongs to its op while it runs.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = "x.a"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %1 = "x.b"(%0) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.workbuffers = [{size = 64 : i64}], gmem.workbuffer_offset = array<i64: 0>, gmem.workbuffer_pool = ["tensors"]} : (tensor<16xf32>) -> tensor<16xf32>
    return %1 : tensor<16xf32>
  }
}

// -----

// Not over the operand of its op,
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    // expected-note @+1 {{result #0 of 'x.a' has bytes [64, 128) of pool 'tensors'}}
    %0 = "x.a"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+2 {{'x.b' still reads result #0 of 'x.a', but 'x.b' has overwritten bytes [64, 128) of pool 'tensors'}}
    // expected-note @+1 {{'x.b' writes workbuffer #0 there}}
    %1 = "x.b"(%0) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.workbuffers = [{size = 64 : i64}], gmem.workbuffer_offset = array<i64: 64>, gmem.workbuffer_pool = ["tensors"]} : (tensor<16xf32>) -> tensor<16xf32>
    return %1 : tensor<16xf32>
  }
}

// -----

// nor over its result,
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = "x.a"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+3 {{'x.b' has made result #0 of 'x.b', but 'x.b' has overwritten bytes [160, 192) of pool 'tensors'}}
    // expected-note @+2 {{result #0 of 'x.b' has bytes [128, 192) of pool 'tensors'}}
    // expected-note @+1 {{'x.b' writes workbuffer #0 there}}
    %1 = "x.b"(%0) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.workbuffers = [{size = 64 : i64}], gmem.workbuffer_offset = array<i64: 160>, gmem.workbuffer_pool = ["tensors"]} : (tensor<16xf32>) -> tensor<16xf32>
    return %1 : tensor<16xf32>
  }
}

// -----

// nor over what is read later; and each thread has one.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    // expected-note @+1 {{result #0 of 'x.a' has bytes [256, 320) of pool 'tensors'}}
    %0 = "x.a"(%x) {gmem.offset = array<i64: 256>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+2 {{'x.b' still reads result #0 of 'x.a', but 'x.b' has overwritten bytes [256, 320) of pool 'tensors'}}
    // expected-note @+1 {{'x.b' writes workbuffer #0 there}}
    %1 = "x.b"(%0) {gmem.offset = array<i64: 512>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.workbuffers = [{size = 64 : i64, threads = 4 : i64}], gmem.workbuffer_offset = array<i64: 64>, gmem.workbuffer_pool = ["tensors"]} : (tensor<16xf32>) -> tensor<16xf32>
    return %1 : tensor<16xf32>
  }
}

// -----

// Two workbuffers of an op share bytes.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    // expected-error @+1 {{'x.b' has bytes [160, 192) of pool 'tensors' in a workbuffer and in another one}}
    %1 = "x.b"(%x) {gmem.offset = array<i64: 512>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.workbuffers = [{size = 64 : i64}, {size = 64 : i64}], gmem.workbuffer_offset = array<i64: 128, 160>, gmem.workbuffer_pool = ["tensors", "tensors"]} : (tensor<16xf32>) -> tensor<16xf32>
    return %1 : tensor<16xf32>
  }
}

// -----

// A workbuffer beside the padding of an operand.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = "x.a"(%x) {gmem.padding = [array<i64: 0, 64>], gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} : (tensor<16xf32>) -> tensor<16xf32>
    %1 = "x.b"(%0) {gmem.offset = array<i64: 512>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.workbuffers = [{size = 64 : i64}, {size = 64 : i64}], gmem.workbuffer_offset = array<i64: 192, 256>, gmem.workbuffer_pool = ["tensors", "tensors"]} : (tensor<16xf32>) -> tensor<16xf32>
    return %1 : tensor<16xf32>
  }
}

// -----

// A workbuffer in it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = "x.a"(%x) {gmem.padding = [array<i64: 0, 64>], gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+1 {{'x.b' has bytes [144, 192) of pool 'tensors' in a workbuffer and in the padding of a value that it uses}}
    %1 = "x.b"(%0) {gmem.offset = array<i64: 512>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.workbuffers = [{size = 64 : i64}, {size = 64 : i64}], gmem.workbuffer_offset = array<i64: 144, 256>, gmem.workbuffer_pool = ["tensors", "tensors"]} : (tensor<16xf32>) -> tensor<16xf32>
    return %1 : tensor<16xf32>
  }
}

// -----

// 9. The padding around a value may be written by every op that uses it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = "x.a"(%x) {gmem.padding = [array<i64: 64, 64>], gmem.offset = array<i64: 64>, gmem.payload_offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 192>} : (tensor<16xf32>) -> tensor<16xf32>
    %1 = "x.b"(%x) {gmem.offset = array<i64: 256>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %2 = "x.c"(%0, %1) {gmem.offset = array<i64: 320>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    return %2 : tensor<16xf32>
  }
}

// -----

// Another value is in it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = "x.a"(%x) {gmem.padding = [array<i64: 64, 64>], gmem.offset = array<i64: 64>, gmem.payload_offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 192>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-note @+1 {{result #0 of 'x.b' has bytes [192, 256) of pool 'tensors'}}
    %1 = "x.b"(%x) {gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+2 {{'x.c' still reads result #0 of 'x.b', but 'x.c' has overwritten bytes [192, 256) of pool 'tensors'}}
    // expected-note @+1 {{'x.c' writes there}}
    %2 = "x.c"(%0, %1) {gmem.offset = array<i64: 320>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    return %2 : tensor<16xf32>
  }
}

// -----

// It may also be written by the caller of a function that returns the value.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32>, tensor<16xf32>) {
    %0 = "x.a"(%x) {gmem.padding = [array<i64: 64, 64>], gmem.offset = array<i64: 64>, gmem.payload_offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 192>} : (tensor<16xf32>) -> tensor<16xf32>
    %1 = "x.b"(%x) {gmem.offset = array<i64: 256>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %0, %1 : tensor<16xf32>, tensor<16xf32>
  }
}

// -----

// Another value that is returned is in it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32>, tensor<16xf32>) {
    %0 = "x.a"(%x) {gmem.padding = [array<i64: 64, 64>], gmem.offset = array<i64: 64>, gmem.payload_offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 192>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-note @+1 {{result #0 of 'x.b' has bytes [192, 256) of pool 'tensors'}}
    %1 = "x.b"(%x) {gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+2 {{'func.return' returns result #0 of 'x.b', but 'func.return' has overwritten bytes [192, 256) of pool 'tensors'}}
    // expected-note @+1 {{'func.return' writes there}}
    return %0, %1 : tensor<16xf32>, tensor<16xf32>
  }
}

// -----

// A view has the padding of what it is a view of.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = "x.a"(%x) {gmem.padding = [array<i64: 0, 64>], gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} : (tensor<16xf32>) -> tensor<16xf32>
    %1 = tensor.expand_shape %0 [[0, 1]] output_shape [4, 4] {gmem.padding = [array<i64: 0, 64>], gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} : tensor<16xf32> into tensor<4x4xf32>
    %2 = "x.b"(%x) {gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %3 = "x.c"(%1, %2) {gmem.offset = array<i64: 320>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<4x4xf32>, tensor<16xf32>) -> tensor<16xf32>
    return %3 : tensor<16xf32>
  }
}

// -----

// It has more, in which another value is.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = "x.a"(%x) {gmem.padding = [array<i64: 0, 64>], gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} : (tensor<16xf32>) -> tensor<16xf32>
    %1 = tensor.expand_shape %0 [[0, 1]] output_shape [4, 4] {gmem.padding = [array<i64: 0, 64>], gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 192>} : tensor<16xf32> into tensor<4x4xf32>
    // expected-note @+1 {{result #0 of 'x.b' has bytes [192, 256) of pool 'tensors'}}
    %2 = "x.b"(%x) {gmem.offset = array<i64: 192>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+2 {{'x.c' still reads result #0 of 'x.b', but 'x.c' has overwritten bytes [192, 256) of pool 'tensors'}}
    // expected-note @+1 {{'x.c' writes there}}
    %3 = "x.c"(%1, %2) {gmem.offset = array<i64: 320>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<4x4xf32>, tensor<16xf32>) -> tensor<16xf32>
    return %3 : tensor<16xf32>
  }
}

// -----

// 10. gmem.hold keeps a value to the end of its function.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = "x.a"(%x) {gmem.hold, gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %1 = "x.b"(%0) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %1 : tensor<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    // expected-note @+1 {{result #0 of 'x.a' has bytes [64, 128) of pool 'tensors'}}
    %0 = "x.a"(%x) {gmem.hold, gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %1 = "x.b"(%0) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-note @+1 {{'x.c' writes there}}
    %2 = "x.c"(%1) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+1 {{'func.return' returns while gmem.hold keeps result #0 of 'x.a', but 'x.c' has overwritten bytes [64, 128) of pool 'tensors'}}
    return %2 : tensor<16xf32>
  }
}

// -----

// 11. Inputs may be written over, unless the plan keeps them.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = "x.a"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %1 = "x.b"(%0) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %1 : tensor<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = true, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  // expected-note @+1 {{argument #0 has bytes [0, 64) of pool 'tensors'}}
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = "x.a"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-note @+1 {{'x.b' writes there}}
    %1 = "x.b"(%0) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+1 {{'func.return' returns, but must keep argument #0, but 'x.b' has overwritten bytes [0, 64) of pool 'tensors'}}
    return %1 : tensor<16xf32>
  }
}

// -----

// 12. Outputs are whole at the return.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32>, tensor<16xf32>) {
    %0 = "x.a"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %1 = "x.b"(%0) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %0, %1 : tensor<16xf32>, tensor<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32>, tensor<16xf32>) {
    // expected-note @+1 {{result #0 of 'x.a' has bytes [64, 128) of pool 'tensors'}}
    %0 = "x.a"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-note @+1 {{'x.b' writes there}}
    %1 = "x.b"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+1 {{'func.return' returns result #0 of 'x.a', but 'x.b' has overwritten bytes [64, 128) of pool 'tensors'}}
    return %0, %1 : tensor<16xf32>, tensor<16xf32>
  }
}

// -----

// 13. A layer group may read its operands until it ends, and may write its
// results from its first op on.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32>, tensor<16xf32>) {
    %0 = "x.a"(%x) {gmem.layer_group = 0 : i64, gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    %1 = "x.b"(%0) {gmem.layer_group = 0 : i64, gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %0, %1 : tensor<16xf32>, tensor<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  // expected-note @+1 {{argument #0 has bytes [0, 64) of pool 'tensors'}}
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32>, tensor<16xf32>) {
    // expected-error @+1 {{'x.a' reads argument #0, but 'x.b' has overwritten bytes [0, 64) of pool 'tensors'}}
    %0 = "x.a"(%x) {gmem.layer_group = 0 : i64, gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    // expected-note @+1 {{'x.b' writes there}}
    %1 = "x.b"(%0) {gmem.layer_group = 0 : i64, gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %0, %1 : tensor<16xf32>, tensor<16xf32>
  }
}

// -----

// 14. Two results of an op share no byte.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32>, tensor<16xf32>) {
    %0:2 = "x.a"(%x) {gmem.offset = array<i64: 64, 128>, gmem.pool = ["tensors", "tensors"], gmem.size = array<i64: 64, 64>} : (tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
    return %0#0, %0#1 : tensor<16xf32>, tensor<16xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> (tensor<16xf32>, tensor<16xf32>) {
    // expected-error @+3 {{'x.a' has made result #0 of 'x.a', but 'x.a' has overwritten bytes [96, 128) of pool 'tensors'}}
    // expected-note @+2 {{result #0 of 'x.a' has bytes [64, 128) of pool 'tensors'}}
    // expected-note @+1 {{'x.a' writes result #1 there}}
    %0:2 = "x.a"(%x) {gmem.offset = array<i64: 64, 96>, gmem.pool = ["tensors", "tensors"], gmem.size = array<i64: 64, 64>} : (tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
    return %0#0, %0#1 : tensor<16xf32>, tensor<16xf32>
  }
}

// -----

// 15. A value that is read has a place.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = "x.a"(%x) : (tensor<16xf32>) -> tensor<16xf32>
    // expected-error @+1 {{'x.b' reads result #0 of 'x.a', which has no place in the plan}}
    %1 = "x.b"(%0) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %1 : tensor<16xf32>
  }
}

// -----

// The order in which the caller writes arguments is not known: they are at their
// places all at once, whether the function reads them or not.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  // expected-note @+3 {{the caller writes argument #1 there}}
  // expected-note @+2 {{argument #0 has bytes [0, 64) of pool 'tensors'}}
  // expected-error @+1 {{the caller passes argument #0, but the caller has overwritten bytes [32, 64) of pool 'tensors'}}
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 32 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %z: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xf32> {
    %0 = "x.a"(%z) {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<16xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
}

// -----

// A view has one, too: it must not lie in what is viewed.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<4x4xf32> {
    %0 = tensor.expand_shape %x [[0, 1]] output_shape [4, 4] {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.workbuffers = [{size = 64 : i64}], gmem.workbuffer_offset = array<i64: 64>, gmem.workbuffer_pool = ["tensors"]} : tensor<16xf32> into tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}

// -----

module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  // expected-note@+1 {{argument #0 has bytes [0, 64) of pool 'tensors'}}
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<4x4xf32> {
    // expected-error@+2 {{'tensor.expand_shape' views argument #0, but 'tensor.expand_shape' has overwritten bytes [32, 64) of pool 'tensors'}}
    // expected-note@+1 {{'tensor.expand_shape' writes workbuffer #0 there}}
    %0 = tensor.expand_shape %x [[0, 1]] output_shape [4, 4] {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>, gmem.workbuffers = [{size = 64 : i64}], gmem.workbuffer_offset = array<i64: 32>, gmem.workbuffer_pool = ["tensors"]} : tensor<16xf32> into tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}

// -----

// 16. A value put together from many parts has their contents: a part of it may
// have the bytes of what begins with the same part.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 8192 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %c = tensor.concat dim(0) %x, %y, %x, %y, %x, %y, %x, %y, %x, %y, %x, %y, %x, %y, %x, %y, %x, %y, %x, %y, %x, %y, %x, %y, %x, %y, %x, %y, %x, %y, %x, %y, %x, %y, %x, %y, %x, %y, %x, %y {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 2560>} : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<640xf32>
    %s = tensor.extract_slice %c[0] [16] [1] {gmem.offset = array<i64: 4096>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : tensor<640xf32> to tensor<16xf32>
    %d = tensor.concat dim(0) %c, %x {gmem.offset = array<i64: 4096>, gmem.pool = ["tensors"], gmem.size = array<i64: 2624>} : (tensor<640xf32>, tensor<16xf32>) -> tensor<656xf32>
    "x.c"(%s, %d) : (tensor<16xf32>, tensor<656xf32>) -> ()
    return
  }
}

// -----

// Not of what begins with another one.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 8192 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}, %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %c = tensor.concat dim(0) %x, %y, %x, %y, %x, %y, %x, %y, %x, %y, %x, %y, %x, %y, %x, %y, %x, %y, %x, %y, %x, %y, %x, %y, %x, %y, %x, %y, %x, %y, %x, %y, %x, %y, %x, %y, %x, %y, %x, %y {gmem.offset = array<i64: 128>, gmem.pool = ["tensors"], gmem.size = array<i64: 2560>} : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<640xf32>
    // expected-note @+1 {{result #0 of 'tensor.extract_slice' has bytes [4096, 4160) of pool 'tensors'}}
    %s = tensor.extract_slice %c[0] [16] [1] {gmem.offset = array<i64: 4096>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : tensor<640xf32> to tensor<16xf32>
    // expected-note @+1 {{'tensor.concat' writes there}}
    %d = tensor.concat dim(0) %y, %c {gmem.offset = array<i64: 4096>, gmem.pool = ["tensors"], gmem.size = array<i64: 2624>} : (tensor<16xf32>, tensor<640xf32>) -> tensor<656xf32>
    // expected-error @+1 {{'x.c' reads result #0 of 'tensor.extract_slice', but 'tensor.concat' has overwritten bytes [4096, 4160) of pool 'tensors'}}
    "x.c"(%s, %d) : (tensor<16xf32>, tensor<656xf32>) -> ()
    return
  }
}

// -----

// 17. The caller may write the padding of an input.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 8192 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.padding = array<i64: 0, 64>, gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 128 : i64},
    %y: tensor<16xf32> {gmem.offset = 128 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "x.a"(%y) : (tensor<16xf32>) -> ()
    return
  }
}

// -----

// Another input lies in it.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 8192 : i64}]} {
  // expected-note @+2 {{the caller writes there}}
  // expected-error @+1 {{the caller passes argument #1, but the caller has overwritten bytes [64, 128) of pool 'tensors'}}
  func.func @f(%x: tensor<16xf32> {gmem.padding = array<i64: 0, 64>, gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 128 : i64},
    // expected-note @+1 {{argument #1 has bytes [64, 128) of pool 'tensors'}}
    %y: tensor<16xf32> {gmem.offset = 64 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    "x.a"(%y) : (tensor<16xf32>) -> ()
    return
  }
}

// -----

// 18. A value that a function returns twice is one value for its caller, too.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 8192 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    %r:2 = call @g() {gmem.offset = array<i64: 64, 64>, gmem.pool = ["tensors", "tensors"], gmem.size = array<i64: 64, 64>} : () -> (tensor<16xf32>, tensor<16xf32>)
    %c = tensor.concat dim(0) %r#0, %x {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<32xf32>
    "x.c"(%r#1, %c) : (tensor<16xf32>, tensor<32xf32>) -> ()
    return
  }
  func.func private @g() -> (tensor<16xf32>, tensor<16xf32>) {
    %0 = "x.a"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    return %0, %0 : tensor<16xf32>, tensor<16xf32>
  }
}

// -----

// What writes another value over one writes it over both.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 8192 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    // expected-note @+1 {{result #1 of 'func.call' has bytes [64, 128) of pool 'tensors'}}
    %r:2 = call @g() {gmem.offset = array<i64: 64, 64>, gmem.pool = ["tensors", "tensors"], gmem.size = array<i64: 64, 64>} : () -> (tensor<16xf32>, tensor<16xf32>)
    // expected-note @+1 {{'tensor.concat' writes there}}
    %c = tensor.concat dim(0) %x, %x {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 128>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<32xf32>
    // expected-error @+1 {{'x.c' reads result #1 of 'func.call', but 'tensor.concat' has overwritten bytes [64, 128) of pool 'tensors'}}
    "x.c"(%r#1, %c) : (tensor<16xf32>, tensor<32xf32>) -> ()
    return
  }
  func.func private @g() -> (tensor<16xf32>, tensor<16xf32>) {
    %0 = "x.a"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : () -> tensor<16xf32>
    return %0, %0 : tensor<16xf32>, tensor<16xf32>
  }
}

// -----

// 19. Without gmem.padding a place has the bytes of its type.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 8192 : i64}]} {
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) {
    // expected-error @+1 {{result #0 has a gmem.size of 80 bytes but a type of 64 bytes}}
    %0 = "x.a"(%x) {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 80>} : (tensor<16xf32>) -> tensor<16xf32>
    return
  }
}

// -----

// An argument.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 8192 : i64}]} {
  // expected-error @+1 {{argument #0 has a gmem.size of 65 bytes but a type of 64 bytes}}
  func.func @f(%x: tensor<16xf32> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 65 : i64}) {
    return
  }
}

// -----

// A view is made with a shape that is there.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<64xi8> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xi8> {
    %0 = "x.shape"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 8>} : () -> tensor<1xindex>
    %1 = "x.a"() {gmem.offset = array<i64: 72>, gmem.pool = ["tensors"], gmem.size = array<i64: 8>} : () -> tensor<8xi8>
    %2 = tensor.reshape %x(%0) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<64xi8>, tensor<1xindex>) -> tensor<?xi8>
    %3 = "x.b"(%2) {gmem.offset = array<i64: 80>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>} : (tensor<?xi8>) -> tensor<16xi8>
    return %3 : tensor<16xi8>
  }
}

// -----

// It has been overwritten; only what the view is of was looked for.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: tensor<64xi8> {gmem.offset = 0 : i64, gmem.pool = "tensors", gmem.size = 64 : i64}) -> tensor<16xi8> {
    // expected-note @+1 {{result #0 of 'x.shape' has bytes [64, 72) of pool 'tensors'}}
    %0 = "x.shape"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 8>} : () -> tensor<1xindex>
    // expected-note @+1 {{'x.a' writes there}}
    %1 = "x.a"() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 8>} : () -> tensor<8xi8>
    // expected-error @+1 {{'tensor.reshape' reads result #0 of 'x.shape', but 'x.a' has overwritten bytes [64, 72) of pool 'tensors'}}
    %2 = tensor.reshape %x(%0) {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 64>} : (tensor<64xi8>, tensor<1xindex>) -> tensor<?xi8>
    %3 = "x.b"(%2) {gmem.offset = array<i64: 80>, gmem.pool = ["tensors"], gmem.size = array<i64: 16>} : (tensor<?xi8>) -> tensor<16xi8>
    return %3 : tensor<16xi8>
  }
}

// -----

// So is that of a memref.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: memref<64xi8>, %n: index) -> index {
    %i = arith.constant 0 : index
    %v = arith.constant 0 : i8
    %0 = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 8>} : memref<1xindex>
    memref.store %n, %0[%i] : memref<1xindex>
    %1 = memref.alloc() {gmem.offset = array<i64: 64>, gmem.pool = ["tensors"], gmem.size = array<i64: 8>} : memref<8xi8>
    linalg.fill ins(%v : i8) outs(%1 : memref<8xi8>)
    %2 = memref.reshape %x(%0) : (memref<64xi8>, memref<1xindex>) -> memref<?xi8>
    %3 = memref.dim %2, %i : memref<?xi8>
    linalg.fill ins(%n : index) outs(%0 : memref<1xindex>)
    return %3 : index
  }
}

// -----

// It has been overwritten.
module attributes {gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 0 : i64, optimal = false, peak = 0 : i64}, gmem.pool_table = [{kind = "constant", name = "weights", size = 1024 : i64}, {kind = "workspace", name = "tensors", size = 1024 : i64}]} {
  func.func @f(%x: memref<64xi8>, %n: index) -> index {
    %i = arith.constant 0 : index
    %v = arith.constant 0 : i8
    // expected-note @+1 {{result #0 of 'memref.alloc' has bytes [0, 8) of pool 'tensors'}}
    %0 = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 8>} : memref<1xindex>
    memref.store %n, %0[%i] : memref<1xindex>
    %1 = memref.alloc() {gmem.offset = array<i64: 0>, gmem.pool = ["tensors"], gmem.size = array<i64: 8>} : memref<8xi8>
    // expected-note @+1 {{'linalg.fill' writes there}}
    linalg.fill ins(%v : i8) outs(%1 : memref<8xi8>)
    // expected-error @+1 {{'memref.reshape' reads result #0 of 'memref.alloc', but 'linalg.fill' has overwritten bytes [0, 8) of pool 'tensors'}}
    %2 = memref.reshape %x(%0) : (memref<64xi8>, memref<1xindex>) -> memref<?xi8>
    %3 = memref.dim %2, %i : memref<?xi8>
    linalg.fill ins(%n : index) outs(%0 : memref<1xindex>)
    return %3 : index
  }
}
