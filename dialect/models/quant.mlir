// quant.mlir - op models: quant
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The stored integers as what they mean, and back.
"gmem.op_model"() {op = "quant.scast", kind = "reshape"} : () -> ()
