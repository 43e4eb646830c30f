// tm_tensor.mlir - op models: tm_tensor, what torch-mlir lowers to beside linalg:
// destination-passing style, the destinations are the last operands
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "tm_tensor.attention",
  kind = "scalar_body", destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "tm_tensor.scan",
  kind = "scalar_body", destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "tm_tensor.scatter",
  kind = "scalar_body", destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "tm_tensor.sort",
  kind = "scalar_body", destination = "trailing"} : () -> ()
"gmem.op_model"() {op = "tm_tensor.topk",
  kind = "scalar_body", destination = "trailing"} : () -> ()
