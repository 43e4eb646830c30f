// What stands for tensors: a list of them was not seen, so that they lost their
// memory before what took the list read them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan %s 2>%t | FileCheck %s
// RUN: FileCheck --allow-empty --check-prefix=SILENT --implicit-check-not="this value" %s < %t
// SILENT-NOT: error

// 1. The tensors of a list live as long as the list.
// CHECK: lower_bound = 12288 : i64, optimal = true, peak = 12288
// CHECK-LABEL: func.func @list
func.func @list(%a: tensor<4096xi8>, %x: tensor<4096xi8>) -> tensor<4096xi8> {
  %list = "my.list"(%a) : (tensor<4096xi8>) -> !my.list
  %0 = "my.op"(%x) : (tensor<4096xi8>) -> tensor<4096xi8>
  %1 = "my.op"(%0) : (tensor<4096xi8>) -> tensor<4096xi8>
  %2 = "my.pick"(%1, %list) : (tensor<4096xi8>, !my.list) -> tensor<4096xi8>
  return %2 : tensor<4096xi8>
}

// -----

// 2. But no longer, when it is only read.
// CHECK: lower_bound = 12288 : i64, optimal = true, peak = 12288
// CHECK-LABEL: func.func @read
func.func @read(%a: tensor<4096xi8>, %x: tensor<4096xi8>) -> tensor<4096xi8> {
  %list = "my.list"(%a) : (tensor<4096xi8>) -> !my.list
  %0 = "my.pick"(%x, %list) : (tensor<4096xi8>, !my.list) -> tensor<4096xi8>
  %1 = "my.grow"(%0) : (tensor<4096xi8>) -> tensor<8192xi8>
  %2 = "my.shrink"(%1) : (tensor<8192xi8>) -> tensor<4096xi8>
  return %2 : tensor<4096xi8>
}

// -----

// 3. Lists of lists, too.
// CHECK: lower_bound = 12288 : i64, optimal = true, peak = 12288
// CHECK-LABEL: func.func @lists
func.func @lists(%a: tensor<4096xi8>, %x: tensor<4096xi8>) -> tensor<4096xi8> {
  %list = "my.list"(%a) : (tensor<4096xi8>) -> !my.list
  %lists = "my.list"(%list) : (!my.list) -> !my.list
  %0 = "my.op"(%x) : (tensor<4096xi8>) -> tensor<4096xi8>
  %1 = "my.op"(%0) : (tensor<4096xi8>) -> tensor<4096xi8>
  %2 = "my.pick"(%1, %lists) : (tensor<4096xi8>, !my.list) -> tensor<4096xi8>
  return %2 : tensor<4096xi8>
}

// -----

// 4. What is exported belongs to the caller in the end.
// CHECK: lower_bound = 12288 : i64, optimal = true, peak = 12288
// CHECK-LABEL: func.func @exports
func.func @exports(%a: tensor<4096xi8>) -> (!hal.buffer_view, !hal.buffer_view) {
  %0 = "my.op"(%a) : (tensor<4096xi8>) -> tensor<4096xi8>
  %1 = "hal.tensor.export"(%0) : (tensor<4096xi8>) -> !hal.buffer_view
  %2 = "my.op"(%a) : (tensor<4096xi8>) -> tensor<4096xi8>
  %3 = "my.op"(%2) : (tensor<4096xi8>) -> tensor<4096xi8>
  %4 = "hal.tensor.export"(%3) : (tensor<4096xi8>) -> !hal.buffer_view
  return %1, %4 : !hal.buffer_view, !hal.buffer_view
}

// -----

// 5. What a loop carries on may be read at any time.
// CHECK: lower_bound = 12288 : i64, optimal = true, peak = 12288
// CHECK-LABEL: func.func @carried
func.func @carried(%n: index, %a: tensor<4096xi8>, %x: tensor<4096xi8>) -> tensor<4096xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %list = "my.list"(%a) : (tensor<4096xi8>) -> !my.list
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%l = %list) -> !my.list {
    scf.yield %l : !my.list
  }
  %0 = "my.op"(%x) : (tensor<4096xi8>) -> tensor<4096xi8>
  %1 = "my.op"(%0) : (tensor<4096xi8>) -> tensor<4096xi8>
  %2 = "my.pick"(%1, %last) : (tensor<4096xi8>, !my.list) -> tensor<4096xi8>
  return %2 : tensor<4096xi8>
}

// -----

// 6. An op with a model says what it does: this one looks at the shape.
// CHECK: lower_bound = 8192 : i64, optimal = true, peak = 8192
// CHECK-LABEL: func.func @shape
func.func @shape(%a: tensor<4096xi8>, %x: tensor<4096xi8>) -> tensor<4096xi8> {
  %shape = "shape.shape_of"(%a) : (tensor<4096xi8>) -> !shape.shape
  %0 = "my.op"(%x) : (tensor<4096xi8>) -> tensor<4096xi8>
  %1 = "my.op"(%0) : (tensor<4096xi8>) -> tensor<4096xi8>
  %2 = "my.pick"(%1, %shape) : (tensor<4096xi8>, !shape.shape) -> tensor<4096xi8>
  return %2 : tensor<4096xi8>
}

// -----

// 7. What a function exports is wanted after it has returned: the tensor of the
// caller was put in its place. (The view may be one of %x, too.)
// CHECK: lower_bound = 16384 : i64, optimal = true, peak = 16384
// CHECK-LABEL: func.func @caller
func.func @caller(%x: tensor<4096xi8>, %y: tensor<4096xi8>) -> tensor<4096xi8> {
  %view = call @export(%x) : (tensor<4096xi8>) -> !hal.buffer_view
  %0 = "my.op"(%y) : (tensor<4096xi8>) -> tensor<4096xi8>
  %1 = "my.pick"(%0, %view) : (tensor<4096xi8>, !hal.buffer_view) -> tensor<4096xi8>
  return %1 : tensor<4096xi8>
}
func.func private @export(%x: tensor<4096xi8>) -> !hal.buffer_view {
  %0 = "my.shrink"(%x) : (tensor<4096xi8>) -> tensor<4096xi8>
  %1 = "hal.tensor.export"(%0) : (tensor<4096xi8>) -> !hal.buffer_view
  return %1 : !hal.buffer_view
}
