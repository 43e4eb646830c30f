// quant.mlir - op models: quant
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Casts between quantized values and their storage type.
"gmem.op_model"() {op = "quant.scast", kind = "reshape"} : () -> ()
