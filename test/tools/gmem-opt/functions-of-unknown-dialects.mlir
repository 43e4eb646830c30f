// The type that an unknown function op states and what its body has need not
// agree; a call of such a function crashed the planner.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan %s | FileCheck %s

// Case 1: the type has an argument, the body has none.
// CHECK: sym_name = "caller1"
module {
  "my.func"() ({
    %0 = "my.make"() : () -> tensor<8xf32>
    "my.return"(%0) : (tensor<8xf32>) -> ()
  }) {sym_name = "callee", function_type = (tensor<8xf32>) -> tensor<8xf32>} : () -> ()
  "my.func"() ({
  ^bb0(%a: tensor<8xf32>):
    %0 = "my.call"(%a) {callee = @callee} : (tensor<8xf32>) -> tensor<8xf32>
    "my.return"(%0) : (tensor<8xf32>) -> ()
  }) {sym_name = "caller1", function_type = (tensor<8xf32>) -> tensor<8xf32>} : () -> ()
}

// -----

// Case 2: the type has a result, the return gives none.
// CHECK: sym_name = "caller2"
module {
  "my.func"() ({
    "my.return"() : () -> ()
  }) {sym_name = "callee", function_type = () -> tensor<8xf32>} : () -> ()
  "my.func"() ({
    %0 = "my.call"() {callee = @callee} : () -> tensor<8xf32>
    "my.return"(%0) : (tensor<8xf32>) -> ()
  }) {sym_name = "caller2", function_type = () -> tensor<8xf32>} : () -> ()
}
