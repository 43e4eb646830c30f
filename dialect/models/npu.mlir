// npu.mlir - op models: npu, the accelerator dialect of examples/
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "npu.weight", kind = "weight"} : () -> ()

"gmem.op_model"() {op = "npu.input", kind = "input"} : () -> ()

"gmem.op_model"() {op = "npu.group", kind = "layer_group"} : () -> ()

"gmem.op_model"() {op = "npu.reshape", kind = "reshape"} : () -> ()

// Element-wise.
"gmem.op_model"() {op = "npu.add", inplace = "all"} : () -> ()
"gmem.op_model"() {op = "npu.cast", inplace = "all"} : () -> ()

"gmem.op_model"() {op = "npu.concat", concat = {axis = "axis"}} : () -> ()

// Nothing is shared: operands are read, results are written.
"gmem.op_model"() {op = "npu.argmax"} : () -> ()
"gmem.op_model"() {op = "npu.conv"} : () -> ()
"gmem.op_model"() {op = "npu.deconv"} : () -> ()
"gmem.op_model"() {op = "npu.layernorm"} : () -> ()
"gmem.op_model"() {op = "npu.matmul"} : () -> ()
"gmem.op_model"() {op = "npu.max_pool"} : () -> ()
"gmem.op_model"() {op = "npu.softmax"} : () -> ()

// A view where it moves nothing.
"gmem.op_model"() {op = "npu.permute", permutation = "order"} : () -> ()
