// An op model is one op of the gmem dialect, which gmem-opt knows without being
// told.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// IRDL of MLIR 19 has no names of operands.
//
// RUN: gmem-opt %s | FileCheck %s
// RUN: gmem-opt %s | gmem-opt | FileCheck %s
// Bytecode can hold it too.
// RUN: gmem-opt %s --emit-bytecode | gmem-opt | FileCheck %s
//
// Stock tools learn the dialect from its one file.
// RUN: mlir-opt --irdl-file=%root/dialect/gmem.irdl.mlir %s | FileCheck %s
// Without it they refuse, so the dialect above is ours.
// RUN: not mlir-opt %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: operation being parsed with an unregistered dialect

// Every kind there is.
// CHECK: "gmem.op_model"() {kind = "weight", op = "a.w"} : () -> ()
"gmem.op_model"() {op = "a.w", kind = "weight"} : () -> ()
// CHECK: kind = "layer_group"
"gmem.op_model"() {op = "a.g", kind = "layer_group"} : () -> ()
// CHECK: kind = "scalar_body"
"gmem.op_model"() {op = "a.s", kind = "scalar_body"} : () -> ()
// CHECK: kind = "reshape"
"gmem.op_model"() {op = "a.r", kind = "reshape"} : () -> ()
// CHECK: kind = "input"
"gmem.op_model"() {op = "a.i", kind = "input"} : () -> ()
// CHECK: kind = "none"
"gmem.op_model"() {op = "a.n", kind = "none"} : () -> ()
