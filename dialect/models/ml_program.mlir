// ml_program.mlir - op models: ml_program
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "ml_program.global_load_const", kind = "weight"} : () -> ()

// Variables: copies of their contents.
"gmem.op_model"() {op = "ml_program.global_load"} : () -> ()
"gmem.op_model"() {op = "ml_program.global_store"} : () -> ()

// In the order that tokens state.
"gmem.op_model"() {op = "ml_program.global_load_graph", kind = "unknown"} : () -> ()
"gmem.op_model"() {op = "ml_program.global_store_graph", kind = "unknown"} : () -> ()

"gmem.type_model"() {type = "!ml_program.token", kind = "none"} : () -> ()
