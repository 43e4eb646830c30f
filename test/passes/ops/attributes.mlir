// Models in the IR: on ops, and as text on what is around them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// In MLIR 19 tosa has other ops and attributes.
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan --split-input-file %s | FileCheck %s

// Case 1: an op's own model takes the place of that of its name, as a whole.
// CHECK-LABEL: func.func @own
func.func @own(%a: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: "my.a"() {{.*}}gmem.pool = ["weights"]
  %0 = "my.a"() {gmem.op_model = {kind = "weight"}} : () -> tensor<4xf32>
  // CHECK: tosa.const{{.*}}gmem.pool = ["tensors"]
  %1 = "tosa.const"() {gmem.op_model = {}, values = dense<1.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %2 = "my.b"(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// Case 2: of the texts around an op the nearest wins; in one text, what stands
// behind the last mark (written here so that it does not split this file); what a nearer one does not speak of, the outer does.
module attributes {gmem.op_models = "\"gmem.op_model\"() {op = \"my.a\", kind = \"weight\"} : () -> ()\n\"gmem.op_model\"() {op = \"my.b\", kind = \"weight\"} : () -> ()"} {
  module attributes {gmem.op_models = "\"gmem.op_model\"() {op = \"my.b\", kind = \"weight\"} : () -> ()\n\2F/ -----\n\"gmem.op_model\"() {op = \"my.b\"} : () -> ()"} {
    // CHECK-LABEL: func.func @nearest
    func.func @nearest() -> (tensor<4xf32>, tensor<4xf32>) {
      // CHECK: "my.a"() {{.*}}gmem.pool = ["weights"]
      %0 = "my.a"() : () -> tensor<4xf32>
      // CHECK: "my.b"() {{.*}}gmem.pool = ["tensors"]
      %1 = "my.b"() : () -> tensor<4xf32>
      return %0, %1 : tensor<4xf32>, tensor<4xf32>
    }
  }
}

// -----

// Case 3: conditions. A model does not hold of an op with an attribute or a
// tensor operand that it excludes; false and values that are no tensors do not
// count.
module attributes {gmem.op_models = "\"gmem.op_model\"() {op = \"my.a\", kind = \"weight\", unless = [0, \"relu\"]} : () -> ()"} {
  // CHECK-LABEL: func.func @unless
  func.func @unless(%i: index, %n: none, %t: tensor<4xf32>) -> tensor<4xf32> {
    // CHECK: "my.a"(%{{.*}}) {{.*}}gmem.pool = ["weights"]
    %0 = "my.a"(%i) : (index) -> tensor<4xf32>
    // CHECK: "my.a"(%{{.*}}) {{.*}}gmem.pool = ["weights"]
    %1 = "my.a"(%n, %t) : (none, tensor<4xf32>) -> tensor<4xf32>
    // CHECK: "my.a"(%{{.*}}) {{.*}}gmem.pool = ["tensors"]
    %2 = "my.a"(%t) : (tensor<4xf32>) -> tensor<4xf32>
    // CHECK: "my.a"() {{.*}}gmem.pool = ["weights"]
    %3 = "my.a"() {relu = false} : () -> tensor<4xf32>
    // CHECK: "my.a"() {{.*}}gmem.pool = ["tensors"]
    %4 = "my.a"() {relu = true} : () -> tensor<4xf32>
    %5 = "my.b"(%0, %1, %2, %3, %4) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    return %5 : tensor<4xf32>
  }
}

// -----

// Case 4: arguments that are constants, by their attribute or by hand, lie with
// the weights; those of a function that is called do not, whatever they say.
// CHECK-LABEL: func.func @entry
// CHECK-SAME: %{{[a-z0-9]+}}: tensor<4xf32> {gmem.offset = {{[0-9]+}} : i64, gmem.pool = "tensors"
// CHECK-SAME: %{{[a-z0-9]+}}: tensor<4xf32> {{{.*}}gmem.pool = "weights", gmem.size = 16 : i64, ttcore.argument_type = #ttcore.argument_type<parameter>}
// CHECK-SAME: %{{[a-z0-9]+}}: tensor<4xf32> {gmem.offset = 4096 : i64, gmem.pool = "weights", gmem.size = 16 : i64, gmem.weight}
func.func @entry(%a: tensor<4xf32> {ttcore.argument_type = #ttcore.argument_type<input>},
                 %b: tensor<4xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>},
                 %c: tensor<4xf32> {gmem.weight}) -> tensor<4xf32> {
  %0 = "my.a"(%a, %b, %c) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @callee(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @callee
// CHECK-SAME: gmem.pool = "tensors"
func.func @callee(%a: tensor<4xf32> {gmem.weight}) -> tensor<4xf32> {
  %0 = "my.b"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
