// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan %s 2>/dev/null | FileCheck %s

// Programs that do not run in the order of their text, or in which memory is
// reached by another way than the values say. Each of them was given a plan in
// which two tensors that are wanted together shared bytes. Granules of 4096.

// A cast to a dynamic shape is the same memory, which has no place of its own:
// %0 lives as long as %1. (%0, %2 and the result.)
// CHECK: peak = 12288
// CHECK-LABEL: func.func @dynamic_view
func.func @dynamic_view(%a: tensor<1024xf32>) -> tensor<1024xf32> {
  %0 = "a.one"(%a) : (tensor<1024xf32>) -> tensor<1024xf32>
  %1 = tensor.cast %0 : tensor<1024xf32> to tensor<?xf32>
  %2 = "a.two"(%a) : (tensor<1024xf32>) -> tensor<1024xf32>
  %3 = "a.three"(%1, %2) : (tensor<?xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  return %3 : tensor<1024xf32>
}

// -----

// A view of what is not planned is not planned either: it is where the other
// is.
// CHECK-LABEL: func.func @view_of_dynamic
func.func @view_of_dynamic(%a: tensor<?xf32>) -> tensor<1024xf32> {
  // CHECK: tensor.cast
  // CHECK-NOT: gmem.offset
  // CHECK-SAME: tensor<1024xf32>
  %0 = tensor.cast %a : tensor<?xf32> to tensor<1024xf32>
  // CHECK: "a.one"{{.*}}gmem.offset
  %1 = "a.one"(%0) : (tensor<1024xf32>) -> tensor<1024xf32>
  return %1 : tensor<1024xf32>
}

// -----

// A handle may go anywhere: what it stands for lives to the end.
// CHECK: peak = 16384
// CHECK-LABEL: func.func @handle
func.func @handle(%a: tensor<1024xf32>) -> tensor<1024xf32> {
  %0 = "a.one"(%a) : (tensor<1024xf32>) -> tensor<1024xf32>
  %1 = builtin.unrealized_conversion_cast %0 : tensor<1024xf32> to !llvm.ptr
  "a.keep"(%1) : (!llvm.ptr) -> ()
  %2 = "a.two"() : () -> tensor<1024xf32>
  %3 = "a.three"(%2) : (tensor<1024xf32>) -> tensor<1024xf32>
  %4 = "a.four"(%3, %2) : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  return %4 : tensor<1024xf32>
}

// -----

// A graph: b uses what a defines below it. All values live all the time.
// CHECK: peak = 16384
// CHECK-LABEL: ml_program.subgraph @graph
ml_program.subgraph @graph(%a: tensor<1024xf32>) -> tensor<1024xf32> {
  %1 = "a.b"(%0) : (tensor<1024xf32>) -> tensor<1024xf32>
  %2 = "a.c"(%1) : (tensor<1024xf32>) -> tensor<1024xf32>
  %0 = "a.a"(%a) : (tensor<1024xf32>) -> tensor<1024xf32>
  ml_program.output %2 : tensor<1024xf32>
}

// -----

// A function inside a function runs when it is called, not where it stands: it
// is left alone, and %b, which it captures, lives to the end.
// CHECK: peak = 12288
// CHECK-LABEL: func.func @nested
func.func @nested(%a: tensor<1024xf32>, %b: tensor<1024xf32>) -> tensor<1024xf32> {
  "a.func"() ({
    // CHECK: "a.inside"
    // CHECK-NOT: gmem.offset
    // CHECK-SAME: tensor<1024xf32>
    %t = "a.inside"(%b) : (tensor<1024xf32>) -> tensor<1024xf32>
    "a.return"() : () -> ()
  }) {sym_name = "inner", function_type = () -> ()} : () -> ()
  %0 = "a.x"(%a) : (tensor<1024xf32>) -> tensor<1024xf32>
  "a.call"() {callee = @inner} : () -> ()
  %1 = "a.y"(%0) : (tensor<1024xf32>) -> tensor<1024xf32>
  return %1 : tensor<1024xf32>
}

// -----

// The region of an op that yields a token may run until the function ends.
// CHECK: peak = 16384
// CHECK-LABEL: func.func @async
func.func @async() -> tensor<1024xf32> {
  %x = "a.x"() : () -> tensor<1024xf32>
  %token = async.execute {
    %inside = "a.inside"(%x) : (tensor<1024xf32>) -> tensor<1024xf32>
    "a.use"(%inside) : (tensor<1024xf32>) -> ()
    async.yield
  }
  %y = "a.y"() : () -> tensor<1024xf32>
  async.await %token : !async.token
  %z = "a.z"(%y) : (tensor<1024xf32>) -> tensor<1024xf32>
  return %z : tensor<1024xf32>
}

// -----

// In a loop, the region may still run in the next iteration, and the next of it
// with it: nothing in it has one place, nor has %y, which it reads and the next
// iteration makes again. %x comes from outside and is kept.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @async_in_loop
func.func @async_in_loop(%n: index, %x: tensor<1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: "a.y"() : () -> tensor<1024xf32>
    %y = "a.y"() : () -> tensor<1024xf32>
    // CHECK: tensor.expand_shape
    // CHECK-NOT: gmem.offset
    // CHECK: async.execute
    %v = tensor.expand_shape %y [[0, 1]] output_shape [32, 32] : tensor<1024xf32> into tensor<32x32xf32>
    %token = async.execute {
      // CHECK: "a.inside"(%{{[a-z0-9]*}}, %{{[a-z0-9]*}}) : (
      %inside = "a.inside"(%v, %x) : (tensor<32x32xf32>, tensor<1024xf32>) -> tensor<1024xf32>
      async.yield
    }
  }
  // CHECK: "a.z"{{.*}}gmem.offset = array<i64: 4096>
  %z = "a.z"() : () -> tensor<1024xf32>
  return
}

// -----

// A call that yields a promise: its callee may run until then, and nothing is
// passed by reference. (The argument and the value of @work, %x, %y and %z.)
// CHECK: peak = 20480
// CHECK-LABEL: func.func @async_call
func.func @async_call(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %promise = "a.spawn"(%x) {callee = @work} : (tensor<1024xf32>) -> !async.token
  %y = "a.y"() : () -> tensor<1024xf32>
  "a.await"(%promise) : (!async.token) -> ()
  %z = "a.z"(%x, %y) : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  return %z : tensor<1024xf32>
}
func.func private @work(%x: tensor<1024xf32>) -> !async.token {
  %0 = "a.one"(%x) : (tensor<1024xf32>) -> tensor<1024xf32>
  %1 = "a.done"(%0) : (tensor<1024xf32>) -> !async.token
  return %1 : !async.token
}

// -----

// Functions in a table may run whenever the table is used.
// CHECK: peak = 8192
// CHECK-LABEL: func.func private @entry_of_table
"a.table"() {sym_name = "table", functions = [@entry_of_table]} : () -> ()
func.func private @entry_of_table() {
  %0 = "a.inside"() : () -> tensor<1024xf32>
  "a.use"(%0) : (tensor<1024xf32>) -> ()
  return
}
func.func @uses_table() -> tensor<1024xf32> {
  %0 = "a.x"() : () -> tensor<1024xf32>
  "a.call_through"() {table = @table} : () -> ()
  return %0 : tensor<1024xf32>
}

// -----

// An op that names two functions may run one while the other runs: no reuse
// between %0 and the value of @callback, which runs before %0 in the text.
// CHECK: peak = 8192
// CHECK-LABEL: func.func private @callback
func.func private @callback() {
  %0 = "a.inside"() : () -> tensor<1024xf32>
  "a.use"(%0) : (tensor<1024xf32>) -> ()
  return
}
func.func private @worker() {
  %0 = "a.x"() : () -> tensor<1024xf32>
  "a.use"(%0) : (tensor<1024xf32>) -> ()
  return
}
func.func @with_callback() {
  "a.call"() {callee = @worker, callback = @callback} : () -> ()
  return
}

// -----

// A call inside a flat layer group: the group reads its input %v as long as it
// runs, so %v lives while the callee does. (%v, %o, %r, the operand and the two
// values of @f.)
// CHECK: peak = 24576
// CHECK-LABEL: func.func private @f
func.func private @f(%a: tensor<1024xf32>) -> tensor<1024xf32> {
  %t = "a.f1"(%a) : (tensor<1024xf32>) -> tensor<1024xf32>
  %u = "a.f2"(%t) : (tensor<1024xf32>) -> tensor<1024xf32>
  return %u : tensor<1024xf32>
}
func.func @call_in_group(%a: tensor<1024xf32>, %b: tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) {
  %v = "a.v"(%a) : (tensor<1024xf32>) -> tensor<1024xf32>
  %o = "a.g1"(%v) {gmem.layer_group = 1} : (tensor<1024xf32>) -> tensor<1024xf32>
  %r = "func.call"(%b) {callee = @f, gmem.layer_group = 1} : (tensor<1024xf32>) -> tensor<1024xf32>
  return %o, %r : tensor<1024xf32>, tensor<1024xf32>
}

// -----

// Held in a loop, %h is there in the next iteration too, before its own text.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @held_in_a_loop
func.func @held_in_a_loop(%n: index, %condition: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %t = "a.t"() : () -> tensor<1024xf32>
    "a.use"(%t) : (tensor<1024xf32>) -> ()
    scf.if %condition {
      %h = "a.h"() {gmem.hold} : () -> tensor<1024xf32>
    }
  }
  return
}

// -----

// A return is in no layer group: what it returns is global.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @return_in_a_group
func.func @return_in_a_group(%a: tensor<1024xf32>) -> tensor<1024xf32> {
  // CHECK: "a.one"{{.*}}gmem.offset
  %0 = "a.one"(%a) {gmem.layer_group = 1} : (tensor<1024xf32>) -> tensor<1024xf32>
  return {gmem.layer_group = 1} %0 : tensor<1024xf32>
}

// -----

// What is loaded from a variable is no constant; what is loaded from a constant
// is.
// CHECK-LABEL: module attributes
module {
  "util.global"() {sym_name = "variable", is_mutable, type = tensor<1024xf32>} : () -> ()
  "util.global"() {sym_name = "constant", type = tensor<1024xf32>} : () -> ()
  // CHECK-LABEL: func.func @globals
  func.func @globals() -> tensor<1024xf32> {
    // CHECK: @variable{{.*}}gmem.pool = ["tensors"]
    %0 = "util.global.load"() {global = @variable} : () -> tensor<1024xf32>
    // CHECK: @constant{{.*}}gmem.pool = ["weights"]
    %1 = "util.global.load"() {global = @constant} : () -> tensor<1024xf32>
    %2 = "a.one"(%0, %1) : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
    return %2 : tensor<1024xf32>
  }
}

// -----

// Iterations of a parallel loop run at the same time: what is inside has no
// one address, nor what a function that it calls uses.
// CHECK-LABEL: func.func @parallel
func.func @parallel(%n: index) {
  scf.forall (%i) in (%n) {
    // CHECK: "a.inside"() : () -> tensor<1024xf32>
    %0 = "a.inside"() : () -> tensor<1024xf32>
    func.call @in_parallel() : () -> ()
  }
  return
}
func.func private @in_parallel() {
  // CHECK: "a.deeper"() : () -> tensor<1024xf32>
  %0 = "a.deeper"() : () -> tensor<1024xf32>
  return
}

// -----

// A body with more arguments than the function has: they are placed like those
// of any block, and the function stays valid.
// CHECK-LABEL: gpu.module
gpu.module @kernels {
  // CHECK: gpu.func @extra(%arg0: tensor<4xf32>)
  // CHECK: gmem.block_args = [{block = 0 : i64, offset = array<i64: 0, -1>
  gpu.func @extra(%a: tensor<4xf32>) workgroup(%m: memref<32xf32, #gpu.address_space<workgroup>>) {
    gpu.return
  }
}
