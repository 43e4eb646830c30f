// What is no op model is refused.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --split-input-file --verify-diagnostics %s

// Case 1: a kind that does not exist; a misspelt one must not mean "no model".
// expected-error@+1 {{'"stack"' does not satisfy the constraint}}
"gmem.op_model"() {op = "a.b", kind = "stack"} : () -> ()

// -----

// Case 2: no kind.
// expected-error@+1 {{'gmem.op_model' op attribute "kind" is expected but not provided}}
"gmem.op_model"() {op = "a.b"} : () -> ()

// -----

// Case 3: no op.
// expected-error@+1 {{'gmem.op_model' op attribute "op" is expected but not provided}}
"gmem.op_model"() {kind = "none"} : () -> ()

// -----

// Case 4: an op that is no string.
// expected-error@+1 {{expected base attribute 'builtin.string' but got 'builtin.integer'}}
"gmem.op_model"() {op = 1 : i64, kind = "none"} : () -> ()

// -----

// Case 5: a kind that is no string.
// expected-error@+1 {{'1 : i64' does not satisfy the constraint}}
"gmem.op_model"() {op = "a.b", kind = 1 : i64} : () -> ()

// -----

// Case 6: results and regions, which an op model has none of.
// expected-error@+1 {{op expects exactly 0 results, but got 1}}
%0 = "gmem.op_model"() {op = "a.b", kind = "none"} : () -> i32

// -----

// Case 7: another op of the dialect: there is none.
// expected-error@+1 {{unregistered operation 'gmem.op_modl' found in dialect ('gmem') that does not allow unknown operations}}
"gmem.op_modl"() {op = "a.b", kind = "none"} : () -> ()
