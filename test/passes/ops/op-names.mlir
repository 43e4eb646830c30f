// Ops of one name that stand for many: an attribute names the model. And models
// whose name lacks the dialect.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: split-file %s %t
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='alignment=64 op-models=%t/models.mlir' %t/net.mlir -o %t/planned.mlir 2>%t/messages
// RUN: FileCheck %s < %t/planned.mlir
// RUN: FileCheck %s --check-prefix=SAID --implicit-check-not=warning < %t/messages
// RUN: gmem-opt --allow-unregistered-dialect --gmem-verify-plan %t/planned.mlir -o /dev/null
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='op-models=%t/models.mlir strict=true' %t/known.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=STRICT
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='op-models=%t/functions-models.mlir' %t/functions.mlir 2>/dev/null | FileCheck %s --check-prefix=CALLED

// By the name behind that of the op, by the name alone, by the op.
// CHECK: "my.call"{{.*}}kind = "inplace"{{.*}}kernel = "scale"
// CHECK-NEXT: "my.call"{{.*}}kind = "inplace"{{.*}}kernel = @lib::@turn
// CHECK-NEXT: "my.call"{{.*}}kind = "destination"{{.*}}kernel = "other"
// CHECK-NEXT: "my.call"{{.*}}kind = "destination"{{.*}}kernel = 1 : i64

// Importers of ONNX write its ops as torch.operator; a constant is one.
// CHECK-NEXT: "torch.operator"() <{name = "onnx.Constant"}>{{.*}}gmem.pool = ["weights"]
// CHECK: "torch.operator"{{.*}}"onnx.Relu"{{.*}}kind = "inplace"
// CHECK-NEXT: "torch.operator"{{.*}}"onnx.Concat"{{.*}}kind = "concat"

// Each such name without a model is one of its own.
// SAID: warning: the op model of 'dot' matches no op: it names no dialect, as 'my.dot' does
// SAID: warning: the op model of 'half' matches no op: is 'torch.operator.own.half' meant, which has none?
// SAID: remark: no model for 3 ops (3 names)
// SAID: note: 'torch.operator.own.double': 1 op, 1024 bytes
// SAID: note: 'torch.operator.own.half': 1 op, 512 bytes
// SAID: note: 'my.use'

// STRICT: warning: the op model of 'dot' matches no op: it names no dialect
// STRICT: warning: the op model of 'half' matches no op: it names no dialect
// STRICT: warning: op models that match no op: lib.never{{$}}

// A function without a body; one that has a body does what its ops do.
// CALLED: call @outside{{.*}}kind = "inplace"
// CALLED: call @inside
// CALLED-NOT: kind = "inplace"
// CALLED: return

//--- functions-models.mlir
"gmem.op_name"() {op = "func.call", attribute = "callee"} : () -> ()
"gmem.op_model"() {op = "func.call.outside", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "func.call.inside", inplace = array<i64: 0>} : () -> ()

//--- functions.mlir
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %a = call @outside(%x) : (tensor<64xf32>) -> tensor<64xf32>
  %b = call @inside(%a) : (tensor<64xf32>) -> tensor<64xf32>
  return %b : tensor<64xf32>
}
func.func private @outside(tensor<64xf32>) -> tensor<64xf32>
func.func private @inside(%x: tensor<64xf32>) -> tensor<64xf32> {
  %a = "lib.use"(%x, %x) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %b = "lib.use"(%a, %x) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %b : tensor<64xf32>
}

//--- models.mlir
"gmem.op_name"() {op = "my.call", attribute = "kernel"} : () -> ()
"gmem.op_model"() {op = "my.call", destination = 1} : () -> ()
"gmem.op_model"() {op = "my.call.scale", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "turn", inplace = array<i64: 0>} : () -> ()
"gmem.op_model"() {op = "lib.never"} : () -> ()
"gmem.op_model"() {op = "half"} : () -> ()
"gmem.op_model"() {op = "dot"} : () -> ()

//--- known.mlir
func.func @calls(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
  %a = "my.call"(%x, %y) {kernel = "scale"} : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %b = "my.call"(%a, %y) {kernel = @lib::@turn} : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %b : tensor<64xf32>
}

//--- net.mlir
func.func @main(%x: tensor<64xf32>, %y: tensor<64xf32>) -> (tensor<64xf32>, tensor<2x64xf32>, tensor<256xf32>) {
  %a = "my.call"(%x, %y) {kernel = "scale"} : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %b = "my.call"(%a, %y) {kernel = @lib::@turn} : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %c = "my.call"(%b, %y) {kernel = "other"} : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %d = "my.call"(%b, %c) {kernel = 1 : i64} : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %w = "torch.operator"() <{name = "onnx.Constant"}> {torch.onnx.value = dense<1.0> : tensor<1x64xf32>} : () -> tensor<1x64xf32>
  %u = "my.use"(%b) : (tensor<64xf32>) -> tensor<1x64xf32>
  %r = "torch.operator"(%u) <{name = "onnx.Relu"}> : (tensor<1x64xf32>) -> tensor<1x64xf32>
  %s = "torch.operator"(%r, %w) <{name = "onnx.Concat"}> {torch.onnx.axis = 0 : si64} : (tensor<1x64xf32>, tensor<1x64xf32>) -> tensor<2x64xf32>
  %h = "torch.operator"(%s) <{name = "own.half"}> : (tensor<2x64xf32>) -> tensor<128xf32>
  %e = "torch.operator"(%h) <{name = "own.double"}> : (tensor<128xf32>) -> tensor<256xf32>
  return %d, %s, %e : tensor<64xf32>, tensor<2x64xf32>, tensor<256xf32>
}
