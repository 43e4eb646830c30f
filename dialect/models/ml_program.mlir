// ml_program.mlir - op models: ml_program
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "ml_program.global_load_const", kind = "weight"} : () -> ()
