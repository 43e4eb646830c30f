// omp.mlir - op models: omp: threads, and work that may go on behind the program
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "omp.parallel", kind = "parallel"} : () -> ()

// Nothing stands for the work, and what waits for it takes no memrefs.
"gmem.op_model"() {op = "omp.target", escapes} : () -> ()
"gmem.op_model"() {op = "omp.target_enter_data", escapes} : () -> ()
"gmem.op_model"() {op = "omp.target_exit_data", escapes} : () -> ()
"gmem.op_model"() {op = "omp.target_update", escapes} : () -> ()
"gmem.op_model"() {op = "omp.task", escapes} : () -> ()
"gmem.op_model"() {op = "omp.taskloop", escapes} : () -> ()
