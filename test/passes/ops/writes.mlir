// What an op changes where it is has no parts: they would change with it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// In MLIR 19 bufferization.to_buffer is to_memref.
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan --split-input-file %s | FileCheck %s

// Case 1: a row of a cache is taken, then the cache is changed, then the row is
// read: it must be a copy.
// CHECK-LABEL: func.func @changed
func.func @changed(%cache: tensor<64x64xf32>, %new: tensor<1x64xf32>, %i: tensor<1xi64>) -> tensor<16x64xf32> {
  // CHECK: ttir.slice_static
  // CHECK-NOT: gmem.alias
  %row = "ttir.slice_static"(%cache) {begins = [16 : i32, 0 : i32], ends = [32 : i32, 64 : i32], step = [1 : i32, 1 : i32]} : (tensor<64x64xf32>) -> tensor<16x64xf32>
  "ttir.update_cache"(%cache, %new, %i) {batch_offset = 0 : i32} : (tensor<64x64xf32>, tensor<1x64xf32>, tensor<1xi64>) -> ()
  %x = "my.use"(%row, %cache) : (tensor<16x64xf32>, tensor<64x64xf32>) -> tensor<16x64xf32>
  return %x : tensor<16x64xf32>
}

// -----

// Case 2: where nothing changes it, it is a view: what was refused above is
// refused because of that op.
// CHECK-LABEL: func.func @unchanged
func.func @unchanged(%cache: tensor<64x64xf32>, %new: tensor<1x64xf32>, %i: tensor<1xi64>) -> tensor<16x64xf32> {
  // CHECK: ttir.slice_static
  // CHECK-SAME: gmem.alias = [{kind = "slice", offset = 4096 : i64, operand = 0 : i64, result = 0 : i64}]
  %row = "ttir.slice_static"(%cache) {begins = [16 : i32, 0 : i32], ends = [32 : i32, 64 : i32], step = [1 : i32, 1 : i32]} : (tensor<64x64xf32>) -> tensor<16x64xf32>
  "my.read"(%cache, %new, %i) : (tensor<64x64xf32>, tensor<1x64xf32>, tensor<1xi64>) -> ()
  %x = "my.use"(%row, %cache) : (tensor<16x64xf32>, tensor<64x64xf32>) -> tensor<16x64xf32>
  return %x : tensor<16x64xf32>
}

// -----

// Case 3: what is overwritten where it is was taken for dead before, since its
// old contents do not matter: another tensor lay there while it was written.
// CHECK: peak = 12288
// CHECK-LABEL: func.func @overwritten
func.func @overwritten(%in: tensor<4096xi8>, %out: tensor<4096xi8>) -> tensor<4096xi8> {
  %0 = "my.op"(%in) : (tensor<4096xi8>) -> tensor<4096xi8>
  %1 = "my.op"(%0) : (tensor<4096xi8>) -> tensor<4096xi8>
  "torch.overwrite.tensor.contents"(%0, %out) : (tensor<4096xi8>, tensor<4096xi8>) -> ()
  %2 = "my.op"(%1) : (tensor<4096xi8>) -> tensor<4096xi8>
  return %2 : tensor<4096xi8>
}

// -----

// Case 4: the state that an op with a result changes is the caller's: it keeps
// its memory, also behind the op that changes it, under whatever name. (The
// addition is made in the memory of its operand.)
// CHECK: peak = 12288
// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<4096xi8>, %state: tensor<4096xi8>) -> tensor<4096xi8> {
  %0 = call @step(%x, %state) : (tensor<4096xi8>, tensor<4096xi8>) -> tensor<4096xi8>
  %1 = "my.op"(%0) : (tensor<4096xi8>) -> tensor<4096xi8>
  return %1 : tensor<4096xi8>
}
func.func private @step(%x: tensor<4096xi8>, %state: tensor<4096xi8>) -> tensor<4096xi8> {
  %flat = "tpu.Reshape"(%state) : (tensor<4096xi8>) -> tensor<64x64xi8>
  %0 = "tpu.RecurrentGatedDeltaRule"(%x, %x, %x, %x, %x, %flat) : (tensor<4096xi8>, tensor<4096xi8>, tensor<4096xi8>, tensor<4096xi8>, tensor<4096xi8>, tensor<64x64xi8>) -> tensor<4096xi8>
  %1 = arith.addi %0, %0 : tensor<4096xi8>
  return %1 : tensor<4096xi8>
}

// -----

// Case 5: the same where nothing is changed: the state is dead behind the op
// that reads it.
// CHECK: peak = 12288
// CHECK-LABEL: func.func @reads
func.func @reads(%x: tensor<4096xi8>, %state: tensor<4096xi8>) -> tensor<8192xi8> {
  %0 = "my.read"(%x, %state) : (tensor<4096xi8>, tensor<4096xi8>) -> tensor<4096xi8>
  %1 = "my.grow"(%0) : (tensor<4096xi8>) -> tensor<8192xi8>
  return %1 : tensor<8192xi8>
}

// -----

// Case 6: and where it is: there is no room for the larger tensor.
// CHECK: peak = 16384
// CHECK-LABEL: func.func @changes
func.func @changes(%x: tensor<4096xi8>, %state: tensor<4096xi8>) -> tensor<8192xi8> {
  %0 = "my.read"(%x, %state) {gmem.op_model = {writes = array<i64: 1>}} : (tensor<4096xi8>, tensor<4096xi8>) -> tensor<4096xi8>
  %1 = "my.grow"(%0) : (tensor<4096xi8>) -> tensor<8192xi8>
  return %1 : tensor<8192xi8>
}

// -----

// Case 7: a memref of a tensor may be written to: the half of the tensor was
// taken for a view of it all the same.
// CHECK-LABEL: func.func @memref
func.func @memref(%x: tensor<128xi8>, %i: index, %v: i8) -> tensor<64xi8> {
  %t = "my.op"(%x) : (tensor<128xi8>) -> tensor<128xi8>
  // CHECK: tensor.extract_slice
  // CHECK-NOT: gmem.alias
  // CHECK: bufferization.to_buffer
  %half = tensor.extract_slice %t[0] [64] [1] : tensor<128xi8> to tensor<64xi8>
  %m = bufferization.to_buffer %t : tensor<128xi8> to memref<128xi8>
  memref.store %v, %m[%i] : memref<128xi8>
  return %half : tensor<64xi8>
}

// -----

// Case 8: but not to one that is only read.
// CHECK-LABEL: func.func @read_only
func.func @read_only(%x: tensor<128xi8>, %i: index) -> (tensor<64xi8>, i8) {
  %t = "my.op"(%x) : (tensor<128xi8>) -> tensor<128xi8>
  // CHECK: tensor.extract_slice
  // CHECK-SAME: gmem.alias = [{kind = "slice"
  %half = tensor.extract_slice %t[0] [64] [1] : tensor<128xi8> to tensor<64xi8>
  %m = bufferization.to_buffer %t read_only : tensor<128xi8> to memref<128xi8>
  %v = memref.load %m[%i] : memref<128xi8>
  return %half, %v : tensor<64xi8>, i8
}

// -----

// Case 9: a layer group may change what it takes, deep inside.
// CHECK: peak = 16384
// CHECK-LABEL: func.func @group
func.func @group(%x: tensor<4096xi8>, %state: tensor<4096xi8>) -> tensor<8192xi8> {
  %0 = "tpu.Group"(%x, %state) ({
    %1 = "my.local"(%x, %state) {gmem.op_model = {writes = array<i64: 1>}} : (tensor<4096xi8>, tensor<4096xi8>) -> tensor<4096xi8>
    "tpu.Yield"(%1) : (tensor<4096xi8>) -> ()
  }) : (tensor<4096xi8>, tensor<4096xi8>) -> tensor<4096xi8>
  %2 = "my.grow"(%0) : (tensor<4096xi8>) -> tensor<8192xi8>
  return %2 : tensor<8192xi8>
}

// -----

// Case 10: the same for what is no input (case 3) and is not read behind the op
// that overwrites it: its place was given away before, and then written to.
// CHECK: peak = 12288
// CHECK-LABEL: func.func @never_read
func.func @never_read(%in: tensor<4096xi8>) -> tensor<4096xi8> {
  %out = "my.make"() : () -> tensor<4096xi8>
  %0 = "my.op"(%in) : (tensor<4096xi8>) -> tensor<4096xi8>
  %1 = "my.op"(%0) : (tensor<4096xi8>) -> tensor<4096xi8>
  "torch.overwrite.tensor.contents"(%0, %out) : (tensor<4096xi8>, tensor<4096xi8>) -> ()
  return %1 : tensor<4096xi8>
}

// -----

// Case 11: what a function modifies of its arguments is the caller's, who reads
// it behind the call: both are in one place.
// CHECK-LABEL: func.func private @update
// CHECK-SAME: %arg1: tensor<4096xi8> {gmem.offset = [[CACHE:[0-9]+]]
// CHECK-LABEL: func.func @modified
// CHECK-SAME: %arg1: tensor<4096xi8> {gmem.offset = [[CACHE]] : i64, {{.*}}gmem.state
func.func private @update(%x: tensor<4096xi8>, %cache: tensor<4096xi8>) -> tensor<4096xi8> {
  "my.update"(%cache, %x) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<4096xi8>, tensor<4096xi8>) -> ()
  %0 = "my.op"(%cache) : (tensor<4096xi8>) -> tensor<4096xi8>
  return %0 : tensor<4096xi8>
}
func.func @modified(%x: tensor<4096xi8>, %cache: tensor<4096xi8> {gmem.state}) -> tensor<4096xi8> {
  // CHECK: call @update
  // CHECK-NOT: gmem.copies
  %0 = call @update(%x, %cache) : (tensor<4096xi8>, tensor<4096xi8>) -> tensor<4096xi8>
  %1 = "my.op"(%0, %cache) : (tensor<4096xi8>, tensor<4096xi8>) -> tensor<4096xi8>
  return %1 : tensor<4096xi8>
}

// -----

// Case 12: so is what it returns of them, where two calls are one behind the other.
// CHECK-LABEL: func.func @threaded
// CHECK: call @append
// CHECK-NOT: edge = "results"
// CHECK: call @append
// CHECK-NOT: edge = "results"
func.func private @append(%x: tensor<4096xi8>, %cache: tensor<4096xi8>) -> tensor<4096xi8> {
  "my.update"(%cache, %x) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<4096xi8>, tensor<4096xi8>) -> ()
  return %cache : tensor<4096xi8>
}
func.func @threaded(%x: tensor<4096xi8>, %cache: tensor<4096xi8>) -> tensor<4096xi8> {
  %0 = call @append(%x, %cache) : (tensor<4096xi8>, tensor<4096xi8>) -> tensor<4096xi8>
  %1 = call @append(%x, %0) : (tensor<4096xi8>, tensor<4096xi8>) -> tensor<4096xi8>
  return %1 : tensor<4096xi8>
}

// -----

// Case 13: of several calls that modify one tensor, each does so where it is: the
// plan was refused.
// CHECK-LABEL: func.func private @step
// CHECK-SAME: %arg1: tensor<4096xi8> {gmem.offset = [[CACHE:[0-9]+]]
// CHECK-LABEL: func.func private @twice
// CHECK-SAME: %arg1: tensor<4096xi8> {gmem.offset = [[CACHE]]
// CHECK: call @step
// CHECK-NOT: to = [[CACHE]]
// CHECK: call @step
// CHECK-NOT: to = [[CACHE]]
// CHECK-LABEL: func.func @one_state
// CHECK-SAME: %arg1: tensor<4096xi8> {gmem.offset = [[CACHE]] : i64, {{.*}}gmem.state
// CHECK: call @twice
// CHECK-NOT: to = [[CACHE]]
// CHECK: call @twice
// CHECK-NOT: to = [[CACHE]]
func.func private @step(%x: tensor<4096xi8>, %cache: tensor<4096xi8>) -> tensor<4096xi8> {
  "my.update"(%cache, %x) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<4096xi8>, tensor<4096xi8>) -> ()
  %0 = "my.op"(%cache) : (tensor<4096xi8>) -> tensor<4096xi8>
  return %0 : tensor<4096xi8>
}
func.func private @twice(%x: tensor<4096xi8>, %cache: tensor<4096xi8>) -> tensor<4096xi8> {
  %0 = call @step(%x, %cache) : (tensor<4096xi8>, tensor<4096xi8>) -> tensor<4096xi8>
  %flat = "tpu.Reshape"(%cache) : (tensor<4096xi8>) -> tensor<4096xi8>
  %1 = call @step(%0, %flat) : (tensor<4096xi8>, tensor<4096xi8>) -> tensor<4096xi8>
  return %1 : tensor<4096xi8>
}
func.func @one_state(%x: tensor<4096xi8>, %cache: tensor<4096xi8> {gmem.state}) -> tensor<4096xi8> {
  %0 = call @twice(%x, %cache) : (tensor<4096xi8>, tensor<4096xi8>) -> tensor<4096xi8>
  %1 = call @twice(%0, %cache) : (tensor<4096xi8>, tensor<4096xi8>) -> tensor<4096xi8>
  return %1 : tensor<4096xi8>
}

// -----

// Case 14: so do those of several functions that share a state.
// CHECK-LABEL: func.func private @append
// CHECK-SAME: %arg1: tensor<4096xi8> {gmem.offset = [[CACHE:[0-9]+]]
// CHECK-LABEL: func.func @prefill
// CHECK-SAME: %arg1: tensor<4096xi8> {gmem.offset = [[CACHE]]
// CHECK: call @append
// CHECK-NOT: to = [[CACHE]]
// CHECK-LABEL: func.func @decode
// CHECK-SAME: %arg1: tensor<4096xi8> {gmem.offset = [[CACHE]]
// CHECK: call @append
// CHECK-NOT: to = [[CACHE]]
func.func @clear(%cache: tensor<4096xi8> {gmem.state = "cache"}) {
  "my.clear"(%cache) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<4096xi8>) -> ()
  return
}
func.func private @append(%x: tensor<4096xi8>, %cache: tensor<4096xi8>) -> tensor<4096xi8> {
  "my.update"(%cache, %x) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<4096xi8>, tensor<4096xi8>) -> ()
  %0 = "my.op"(%cache) : (tensor<4096xi8>) -> tensor<4096xi8>
  return %0 : tensor<4096xi8>
}
func.func @prefill(%x: tensor<4096xi8>, %cache: tensor<4096xi8> {gmem.state = "cache"}) -> tensor<4096xi8> {
  %0 = call @append(%x, %cache) : (tensor<4096xi8>, tensor<4096xi8>) -> tensor<4096xi8>
  return %0 : tensor<4096xi8>
}
func.func @decode(%x: tensor<4096xi8>, %cache: tensor<4096xi8> {gmem.state = "cache"}) -> tensor<4096xi8> {
  %0 = call @append(%x, %cache) : (tensor<4096xi8>, tensor<4096xi8>) -> tensor<4096xi8>
  %1 = "my.op"(%0, %cache) : (tensor<4096xi8>, tensor<4096xi8>) -> tensor<4096xi8>
  return %1 : tensor<4096xi8>
}

// -----

// Case 15: a result in the memory of the tensor is no reason to refuse the plan:
// then the calls have copies.
// CHECK-LABEL: func.func @returned
// CHECK-SAME: %arg2: tensor<4096xi8> {gmem.offset = [[CACHE:[0-9]+]]
// CHECK: scf.if
// CHECK: } {gmem.offset = array<i64: [[CACHE]]>
func.func private @put(%x: tensor<4096xi8>, %cache: tensor<4096xi8>) -> tensor<4096xi8> {
  "my.update"(%cache, %x) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<4096xi8>, tensor<4096xi8>) -> ()
  return %cache : tensor<4096xi8>
}
func.func @returned(%x: tensor<4096xi8>, %p: i1, %cache: tensor<4096xi8>) -> (tensor<4096xi8> {gmem.same_as = 2 : i64}) {
  %0 = scf.if %p -> tensor<4096xi8> {
    %1 = func.call @put(%x, %cache) : (tensor<4096xi8>, tensor<4096xi8>) -> tensor<4096xi8>
    scf.yield %1 : tensor<4096xi8>
  } else {
    %y = "my.op"(%x) : (tensor<4096xi8>) -> tensor<4096xi8>
    %1 = func.call @put(%y, %cache) : (tensor<4096xi8>, tensor<4096xi8>) -> tensor<4096xi8>
    scf.yield %1 : tensor<4096xi8>
  }
  return %0 : tensor<4096xi8>
}

// -----

// Case 16: such a result elsewhere in the module is no reason for copies.
// CHECK-LABEL: func.func private @count
// CHECK-SAME: %arg0: tensor<4096xi8> {gmem.offset = [[CACHE:[0-9]+]]
// CHECK-LABEL: func.func @in_loop
// CHECK-SAME: %arg1: tensor<4096xi8> {gmem.offset = [[CACHE]] : i64, {{.*}}gmem.state
// CHECK-NOT: to = [[CACHE]]
func.func @other(%x: tensor<4096xi8>, %y: tensor<4096xi8>) -> (tensor<4096xi8> {gmem.same_as = 1 : i64}) {
  %0 = "my.op"(%x) : (tensor<4096xi8>) -> tensor<4096xi8>
  return %0 : tensor<4096xi8>
}
func.func private @count(%cache: tensor<4096xi8>) {
  "my.update"(%cache) {gmem.op_model = {writes = array<i64: 0>}} : (tensor<4096xi8>) -> ()
  return
}
func.func @in_loop(%n: index, %cache: tensor<4096xi8> {gmem.state}) -> tensor<4096xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    func.call @count(%cache) : (tensor<4096xi8>) -> ()
  }
  func.call @count(%cache) : (tensor<4096xi8>) -> ()
  %0 = "my.op"(%cache) : (tensor<4096xi8>) -> tensor<4096xi8>
  return %0 : tensor<4096xi8>
}
