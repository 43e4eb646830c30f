// Attributes and kinds of models without effect where they stand: warnings, and
// none for those that have one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// In MLIR 19 lines of split files are counted from the split.
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan --split-input-file %s -o /dev/null 2>%t
// RUN: FileCheck %s --implicit-check-not=warning < %t

// CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: gmem.hold has no effect here: it is an attribute of: op
func.func @place(%a: tensor<4xf32>) attributes {gmem.hold} {
  return
}

// -----

// CHECK: warning: gmem.weight has no effect here: it is an attribute of: function argument
module attributes {gmem.weight} {
  func.func @f() { return }
}

// -----

// CHECK: [[@LINE+2]]:{{[0-9]+}}: warning: gmem.layer_group has no effect: an op without regions is no layer group (an integer says to which one it belongs) (1 more place)
func.func @group(%a: tensor<4xf32>) {
  "my.use"(%a) {gmem.layer_group} : (tensor<4xf32>) -> ()
  "my.use"(%a) {gmem.layer_group} : (tensor<4xf32>) -> ()
  return
}

// -----

// CHECK: [[@LINE+2]]:{{[0-9]+}}: warning: gmem.layer_group has no effect: an op without regions is no layer group
func.func @weight(%a: tensor<4xf32>) -> tensor<4xf32> {
  %w = arith.constant {gmem.layer_group} dense<1.0> : tensor<4xf32>
  %0 = arith.addf %a, %w : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK: [[@LINE+2]]:{{[0-9]+}}: warning: gmem.pools has no effect: nothing here needs memory
func.func @results(%a: tensor<4xf32>) {
  %0 = "my.number"(%a) {gmem.pools = ["x"]} : (tensor<4xf32>) -> i32
  return
}

// -----

// CHECK: [[@LINE+2]]:{{[0-9]+}}: warning: gmem.upper_bound has no effect: no dimension here is dynamic
func.func @bound(%a: tensor<4xf32>) {
  %0 = "my.op"(%a) {gmem.upper_bound = [array<i64: 4>]} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// CHECK: [[@LINE+3]]:{{[0-9]+}}: warning: gmem.hold has no effect: values in the regions of this op have no global memory
func.func @inside(%a: tensor<4xf32>) {
  "my.group"(%a) ({
    %0 = "my.op"(%a) {gmem.hold} : (tensor<4xf32>) -> tensor<4xf32>
    "my.yield"() : () -> ()
  }) {gmem.layer_group} : (tensor<4xf32>) -> ()
  return
}

// -----

// CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: gmem.weight has no effect: the function is called, so that what its calls pass decides
func.func private @callee(%a: tensor<4xf32> {gmem.weight}) {
  return
}
func.func @caller(%a: tensor<4xf32>) {
  call @callee(%a) : (tensor<4xf32>) -> ()
  return
}

// -----

// CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: gmem.no_capture has no effect: the function is not a declaration: its body says it
func.func @defined(%a: memref<4xf32> {gmem.no_capture}) {
  return
}

// -----

// CHECK: [[@LINE+2]]:{{[0-9]+}}: warning: the op model's kind "layer_group" has no effect on 'my.op': the op has no regions
func.func @kind(%a: tensor<4xf32>) {
  "my.op"(%a) {gmem.op_model = {kind = "layer_group"}} : (tensor<4xf32>) -> ()
  return
}

// -----

// CHECK: [[@LINE+3]]:{{[0-9]+}}: warning: the op model's kind "weight" has no effect on 'my.op': the op has no results
module attributes {gmem.op_models = "\22gmem.op_model\22() {op = \22my.op\22, kind = \22weight\22} : () -> ()"} {
func.func @text(%a: tensor<4xf32>) {
  "my.op"(%a) : (tensor<4xf32>) -> ()
  return
}
}

// -----

// CHECK: warning: gmem.target has no effect: no memory here lists the targets that reach it (1 more place)
func.func @target(%a: tensor<4xf32>) attributes {gmem.target = "t"} {
  "my.use"(%a) {gmem.target = "u"} : (tensor<4xf32>) -> ()
  return
}

// -----

// A memory that lists a target gives all of them an effect.
module attributes {gmem.target = "t", gmem.memories = [{name = "m", targets = ["t"]}, {name = "n"}]} {
  func.func @reached(%a: tensor<4xf32>) attributes {gmem.target = "u"} {
    "my.use"(%a) {gmem.target = "t"} : (tensor<4xf32>) -> ()
    return
  }
}

// -----

// All of these have an effect.
module attributes {gmem.op_models = ""} {
  func.func @effects(%a: tensor<4xf32> {gmem.weight}, %d: tensor<?xf32> {gmem.upper_bound = array<i64: 8>, gmem.fixed = 0 : i64}) -> (tensor<?xf32> {gmem.same_as = 1 : i64}) attributes {gmem.dynamic} {
    %0 = "my.op"(%a) {gmem.hold, gmem.layer_group = 1} : (tensor<4xf32>) -> tensor<4xf32>
    "my.group"(%a) ({
      "my.yield"() : () -> ()
    }) {gmem.layer_group} : (tensor<4xf32>) -> ()
    "my.list"(%0) {gmem.hold} : (tensor<4xf32>) -> !my.list
    %1 = "my.op"(%0) {gmem.pools = ["tensors"], gmem.padding = [array<i64: 64, 0>]} : (tensor<4xf32>) -> tensor<4xf32>
    "my.use"(%1) {gmem.stream = 1, gmem.workbuffers = [{size = 8 : i64}], gmem.pools = []} : (tensor<4xf32>) -> ()
    "my.use"(%1) {gmem.wait = array<i64: 1>} : (tensor<4xf32>) -> ()
    return %d : tensor<?xf32>
  }
  func.func private @declared(memref<4xf32> {gmem.no_capture})
}
