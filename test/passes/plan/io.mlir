// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='io=separate sharing=none' %s | FileCheck %s --check-prefix=SEPARATE
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='io=tagged io-tags=2 capacity=0x10000 sharing=none' %s | FileCheck %s --check-prefix=TAGGED
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='io=separate tensor-base=none sharing=none' %s | FileCheck %s --check-prefix=NONE

// Network inputs and outputs in pools of their own.

// 1. What is passed in and handed out is in the pool "io", which lies behind
// the tensors; outputs take the place of inputs that have died. The peak is
// that of both pools.
// SEPARATE: gmem.plan = {algorithm = "auto", io = "separate", keep_inputs = false, lower_bound = 24576 : i64, optimal = true, peak = 24576 : i64
// SEPARATE-SAME: {alignment = 4096 : i64, base = 0 : i64, kind = "workspace", lower_bound = 12288 : i64, name = "tensors", size = 12288 : i64}, {alignment = 4096 : i64, base = 12288 : i64, kind = "workspace", lower_bound = 12288 : i64, name = "io", size = 12288 : i64}]
// The capacity is that of the tensors; single regions have no addresses.
// TAGGED: gmem.plan = {algorithm = "auto", io = "tagged", io_tags = 2 : i64, keep_inputs = false, lower_bound = 30720 : i64, optimal = true, peak = 30720 : i64
// TAGGED-SAME: {alignment = 4096 : i64, base = 0 : i64, capacity = 65536 : i64, kind = "workspace", lower_bound = 18432 : i64, name = "tensors", size = 18432 : i64}, {alignment = 4096 : i64, kind = "workspace", lower_bound = 8192 : i64, name = "io.0", size = 8192 : i64}, {alignment = 4096 : i64, kind = "workspace", lower_bound = 4096 : i64, name = "io.1", size = 4096 : i64}]
// NONE: {alignment = 4096 : i64, kind = "workspace", lower_bound = 12288 : i64, name = "tensors", size = 12288 : i64}, {alignment = 4096 : i64, kind = "workspace", lower_bound = 12288 : i64, name = "io", size = 12288 : i64}]
// The largest has the first region; of two of one size, the first in the text.
// TAGGED-LABEL: func.func @main
// TAGGED-SAME: %arg0: tensor<1024xi32> {gmem.offset = 0 : i64, gmem.pool = "io.1"
// TAGGED-SAME: %arg1: tensor<2048xi32> {gmem.offset = 0 : i64, gmem.pool = "io.0"
// SEPARATE-LABEL: func.func @main
// SEPARATE-SAME: %arg0: tensor<1024xi32> {gmem.offset = {{[0-9]+}} : i64, gmem.pool = "io"
func.func @main(%a: tensor<1024xi32>, %b: tensor<2048xi32>) -> (tensor<1024xi32>, tensor<512xi32>) {
  // SEPARATE: "a.op"{{.*}}gmem.pool = ["tensors"]
  %0 = "a.op"(%a, %b) : (tensor<1024xi32>, tensor<2048xi32>) -> tensor<3072xi32>
  // SEPARATE: "a.op"{{.*}}gmem.pool = ["io"]
  // TAGGED: "a.op"
  // TAGGED: "a.op"{{.*}}gmem.pool = ["tensors"]
  %1 = "a.op"(%0) : (tensor<3072xi32>) -> tensor<1024xi32>
  %2 = "a.op"(%0) : (tensor<3072xi32>) -> tensor<512xi32>
  return %1, %2 : tensor<1024xi32>, tensor<512xi32>
}

// -----

// 2. An input that is handed out again is one tensor in one place; what is not
// asked for by the world, the arguments of a function that others call, is with
// the tensors unless it is the caller's.
// SEPARATE-LABEL: func.func @caller
// SEPARATE-SAME: gmem.pool = "io"
func.func @caller(%a: tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>) {
  // SEPARATE: "a.op"{{.*}}gmem.pool = ["tensors"]
  %0 = "a.op"(%a) : (tensor<8xi32>) -> tensor<8xi32>
  %1 = func.call @callee(%0) : (tensor<8xi32>) -> tensor<8xi32>
  return %a, %1 : tensor<8xi32>, tensor<8xi32>
}
// SEPARATE-LABEL: func.func private @callee
// SEPARATE-SAME: gmem.pool = "tensors"
func.func private @callee(%a: tensor<8xi32>) -> tensor<8xi32> {
  // SEPARATE: "a.op"{{.*}}gmem.pool = ["io"]
  %0 = "a.op"(%a) : (tensor<8xi32>) -> tensor<8xi32>
  return %0 : tensor<8xi32>
}

// -----

// 3. Without inputs and outputs the pool is empty, and there are no tags.
// SEPARATE: peak = 0 : i64{{.*}}name = "io", size = 0
// TAGGED: peak = 0 : i64
// TAGGED-NOT: "io.0"
func.func @nothing() {
  return
}
