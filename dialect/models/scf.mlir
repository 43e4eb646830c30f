// scf.mlir - op models: scf
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "scf.if", kind = "branch"} : () -> ()
"gmem.op_model"() {op = "scf.index_switch", kind = "branch"} : () -> ()
"gmem.op_model"() {op = "scf.execute_region", kind = "branch"} : () -> ()
"gmem.op_model"() {op = "scf.for", kind = "for"} : () -> ()
"gmem.op_model"() {op = "scf.while", kind = "while"} : () -> ()
"gmem.op_model"() {op = "scf.forall", kind = "parallel"} : () -> ()
"gmem.op_model"() {op = "scf.parallel", kind = "parallel"} : () -> ()

// The region combines scalars; inserts in parallel.
"gmem.op_model"() {op = "scf.reduce", kind = "unknown"} : () -> ()
