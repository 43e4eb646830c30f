// What is no op model is refused. (What IRDL cannot say, that an attribute is
// optional for example, is checked when a model is used: test/passes/ops/.)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --split-input-file --verify-diagnostics %s

// Case 1: no op.
// expected-error@+1 {{'gmem.op_model' op attribute "op" is expected but not provided}}
"gmem.op_model"() {kind = "none"} : () -> ()

// -----

// Case 2: an op that is no string.
// expected-error@+1 {{expected base attribute 'builtin.string' but got 'builtin.integer'}}
"gmem.op_model"() {op = 1 : i64, kind = "none"} : () -> ()

// -----

// Case 3: results and regions, which an op model has none of.
// expected-error@+1 {{op expects exactly 0 results, but got 1}}
%0 = "gmem.op_model"() {op = "a.b", kind = "none"} : () -> i32

// -----

// Case 4: another op of the dialect: there is none.
// expected-error@+1 {{unregistered operation 'gmem.op_modl' found in dialect ('gmem') that does not allow unknown operations}}
"gmem.op_modl"() {op = "a.b", kind = "none"} : () -> ()

// -----

// Case 5: an argument model without a text to look for.
// expected-error@+1 {{'gmem.argument_model' op attribute "contains" is expected but not provided}}
"gmem.argument_model"() {attribute = "a.b", kind = "weight"} : () -> ()
