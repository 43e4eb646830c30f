// Models of ops that importers write: tf, tm_tensor, dialects of IREE, ttnn, and
// torch-mlir's of training.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan=alignment=64 %s -o %t 2> %t.said
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=SAID --allow-empty < %t.said
// RUN: gmem-opt --allow-unregistered-dialect --gmem-verify-plan %t -o /dev/null
// SAID-NOT: no model

// CHECK-LABEL: func.func @tf
// CHECK: "tf.Const"(){{.*}}gmem.pool = ["weights"]
// CHECK: "tf.BiasAdd"{{.*}}kind = "inplace"
// CHECK: "tf.Relu"{{.*}}kind = "inplace"
// CHECK: "tf.TensorScatterUpdate"{{.*}}kind = "destination"
// CHECK: "tf.Slice"{{.*}}kind = "slice"
// CHECK: "tf.Softmax"{{.*}}kind = "{{inplace|rowwise}}"
func.func @tf(%x: tensor<8x64xf32>, %i: tensor<2x1xi32>, %u: tensor<2x64xf32>) -> tensor<4x64xf32> {
  %w = "tf.Const"() {value = dense<0.5> : tensor<64x64xf32>} : () -> tensor<64x64xf32>
  %b = "tf.Const"() {value = dense<0.5> : tensor<64xf32>} : () -> tensor<64xf32>
  %begin = "tf.Const"() {value = dense<[2, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
  %size = "tf.Const"() {value = dense<[4, -1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %m = "tf.MatMul"(%x, %w) {transpose_a = false, transpose_b = false} : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %a = "tf.BiasAdd"(%m, %b) : (tensor<8x64xf32>, tensor<64xf32>) -> tensor<8x64xf32>
  %r = "tf.Relu"(%a) : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %t = "tf.TensorScatterUpdate"(%r, %i, %u) : (tensor<8x64xf32>, tensor<2x1xi32>, tensor<2x64xf32>) -> tensor<8x64xf32>
  %s = "tf.Slice"(%t, %begin, %size) : (tensor<8x64xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<4x64xf32>
  %p = "tf.Softmax"(%s) : (tensor<4x64xf32>) -> tensor<4x64xf32>
  return %p : tensor<4x64xf32>
}

// CHECK-LABEL: func.func @tm_tensor
// CHECK: "tm_tensor.scatter"
// CHECK: gmem.alias = [{kind = "destination", offset = 0 : i64, operand = 2 : i64
func.func @tm_tensor(%u: tensor<4xf32>, %i: tensor<4x1xi32>, %x: tensor<64xf32>) -> tensor<64xf32> {
  %s = "tm_tensor.scatter"(%u, %i, %x) <{operandSegmentSizes = array<i32: 2, 1>, unique_indices = true}> ({
  ^bb0(%a: f32, %b: f32):
    "tm_tensor.yield"(%a) : (f32) -> ()
  }) : (tensor<4xf32>, tensor<4x1xi32>, tensor<64xf32>) -> tensor<64xf32>
  return %s : tensor<64xf32>
}

// The tile size is the last operand, not the destination.
// CHECK-LABEL: sym_name = "iree"
// CHECK: "hal.tensor.import"{{.*}}gmem.offset = array<i64: [[AT:[0-9]+]]>
// CHECK-NEXT: "flow.tensor.barrier"{{.*}}gmem.offset = array<i64: [[AT]]>
// CHECK: "iree_linalg_ext.pack"{{.*}}gmem.alias = [{kind = "destination", offset = 0 : i64, operand = 1 : i64
"util.func"() <{function_type = (!hal.buffer_view) -> !hal.buffer_view, sym_name = "iree", sym_visibility = "public", tied_operands = [-1 : index]}> ({
^bb0(%v: !hal.buffer_view):
  %c8 = arith.constant 8 : index
  %x = "hal.tensor.import"(%v) <{operandSegmentSizes = array<i32: 1, 0, 0>, target_encoding = tensor<64x64xf32>}> : (!hal.buffer_view) -> tensor<64x64xf32>
  %b = "flow.tensor.barrier"(%x) <{operandSegmentSizes = array<i32: 1, 0>}> : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %e = "flow.tensor.splat"(%c8) <{operandSegmentSizes = array<i32: 1, 0>}> : (index) -> tensor<8x8x8x8xf32>
  %p = "iree_linalg_ext.pack"(%b, %e, %c8) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<64x64xf32>, tensor<8x8x8x8xf32>, index) -> tensor<8x8x8x8xf32>
  %r = "hal.tensor.export"(%p) <{source_encoding = tensor<8x8x8x8xf32>}> : (tensor<8x8x8x8xf32>) -> !hal.buffer_view
  "util.return"(%r) : (!hal.buffer_view) -> ()
}) : () -> ()

// An update of a cache changes no bytes that were read before it.
// CHECK-LABEL: func.func @ttnn
// CHECK: "ttnn.slice_static"(%arg0){{.*}}gmem.offset
// CHECK-NOT: kind = "slice"
// CHECK: "ttnn.update_cache"
func.func @ttnn(%cache: tensor<64x64xf32> {gmem.state = "cache"}, %x: tensor<1x64xf32>, %i: tensor<1xi32>) -> tensor<8x8xf32> {
  %old = "ttnn.slice_static"(%cache) {begins = [0 : i32, 0 : i32], ends = [8 : i32, 64 : i32], step = [1 : i32, 1 : i32]} : (tensor<64x64xf32>) -> tensor<8x64xf32>
  "ttnn.update_cache"(%cache, %x, %i) : (tensor<64x64xf32>, tensor<1x64xf32>, tensor<1xi32>) -> ()
  %new = "ttnn.slice_static"(%cache) {begins = [0 : i32, 0 : i32], ends = [8 : i32, 64 : i32], step = [1 : i32, 1 : i32]} : (tensor<64x64xf32>) -> tensor<8x64xf32>
  %m = "ttnn.matmul"(%old, %new) {transpose_b = true} : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x8xf32>
  return %m : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @torch
// CHECK: "torch.aten.threshold_backward"{{.*}}kind = "inplace"
// CHECK: "torch.aten.masked_fill.Scalar"{{.*}}kind = "inplace"
// CHECK-SAME: gmem.offset = array<i64: [[AT:[0-9]+]]>
// CHECK-NEXT: "torch.aten._reshape_alias"{{.*}}gmem.offset = array<i64: [[AT]]>
func.func @torch(%g: tensor<64x64xf32>, %m: tensor<64x64xi8>, %x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = "torch.constant.int"() {value = 0 : i64} : () -> !torch.int
  %l = "torch.prim.ListConstruct"(%c0) : (!torch.int) -> !torch.list<int>
  %d = "torch.aten.mm"(%g, %x) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %t = "torch.aten.threshold_backward"(%d, %x, %c0) : (tensor<64x64xf32>, tensor<64x64xf32>, !torch.int) -> tensor<64x64xf32>
  %f = "torch.aten.masked_fill.Scalar"(%t, %m, %c0) : (tensor<64x64xf32>, tensor<64x64xi8>, !torch.int) -> tensor<64x64xf32>
  %r = "torch.aten._reshape_alias"(%f, %l, %l) : (tensor<64x64xf32>, !torch.list<int>, !torch.list<int>) -> tensor<4096xf32>
  %p = "torch.aten.permute"(%r, %l) : (tensor<4096xf32>, !torch.list<int>) -> tensor<64x64xf32>
  return %p : tensor<64x64xf32>
}

// The tensors of a list are kept until they are taken out, and a tensor that is
// exported until the last use of its handle.
// CHECK-LABEL: func.func @handles
// CHECK: "torch.aten.mm"(%arg0, %arg0) {gmem.offset = array<i64: [[LISTED:[0-9]+]]>
// CHECK: "torch.aten.mm"(%arg1, %arg1)
// CHECK-NOT: gmem.offset = array<i64: [[LISTED]]>
// CHECK-SAME: gmem.size = array<i64: 16384>
// CHECK: "torch.prim.ListUnpack"
// CHECK-NOT: gmem.offset = array<i64: [[LISTED]],
// CHECK-SAME: gmem.size = array<i64: 8192, 8192>
// CHECK: "torch.aten.mm"({{.*}}) {gmem.offset = array<i64: [[EXPORTED:[0-9]+]]>
// CHECK: "hal.tensor.export"
// CHECK-NEXT: "torch.aten.mm"
// CHECK-NOT: gmem.offset = array<i64: [[EXPORTED]]>
// CHECK-SAME: gmem.size = array<i64: 16384>
// CHECK: "my.print"
func.func @handles(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c2 = "torch.constant.int"() {value = 2 : i64} : () -> !torch.int
  %a = "torch.aten.mm"(%x, %x) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %l = "torch.aten.chunk"(%a, %c2, %c2) : (tensor<64x64xf32>, !torch.int, !torch.int) -> !torch.list<vtensor>
  %b = "torch.aten.mm"(%y, %y) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %p:2 = "torch.prim.ListUnpack"(%l) : (!torch.list<vtensor>) -> (tensor<64x32xf32>, tensor<64x32xf32>)
  %s = "torch.aten.mm"(%p#0, %p#1) : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x64xf32>
  %v = "hal.tensor.export"(%s) <{source_encoding = tensor<64x64xf32>}> : (tensor<64x64xf32>) -> !hal.buffer_view
  %t = "torch.aten.mm"(%b, %b) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  "my.print"(%v) {gmem.op_model = {kind = "unknown"}} : (!hal.buffer_view) -> ()
  return %t : tensor<64x64xf32>
}
