// quant.mlir - op models: quant
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Casts between quantized values and their storage type.
"gmem.op_model"() {op = "quant.scast", kind = "reshape"} : () -> ()

// Nothing is shared: operands are read, results are written.
"gmem.op_model"() {op = "quant.dcast"} : () -> ()
"gmem.op_model"() {op = "quant.qcast"} : () -> ()
