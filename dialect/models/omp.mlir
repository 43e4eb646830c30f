// omp.mlir - op models: omp: threads and asynchronous work
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "omp.parallel", kind = "parallel"} : () -> ()

// There is no token for the work, and ops that wait for it take no memrefs.
"gmem.op_model"() {op = "omp.target", escapes} : () -> ()
"gmem.op_model"() {op = "omp.target_enter_data", escapes} : () -> ()
"gmem.op_model"() {op = "omp.target_exit_data", escapes} : () -> ()
"gmem.op_model"() {op = "omp.target_update", escapes} : () -> ()
"gmem.op_model"() {op = "omp.task", escapes} : () -> ()
"gmem.op_model"() {op = "omp.taskloop", escapes} : () -> ()
