// other-dialects.mlir - models of ops on memrefs of a dialect that is not known.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "npu.load"} : () -> ()
"gmem.op_model"() {op = "npu.start", starts} : () -> ()
"gmem.op_model"() {op = "npu.wait", waits} : () -> ()
"gmem.op_model"() {op = "npu.conv"} : () -> ()
"gmem.op_model"() {op = "npu.relu", inplace = "all"} : () -> ()
"gmem.op_model"() {op = "npu.add", inplace = array<i64: 0, 1>} : () -> ()
"gmem.op_model"() {op = "npu.mul"} : () -> ()
