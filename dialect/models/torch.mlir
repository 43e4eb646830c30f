// torch.mlir - op models: torch, on builtin tensors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "torch.vtensor.literal", kind = "weight"} : () -> ()

"gmem.op_model"() {op = "torch.aten.view", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "torch.aten.reshape", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "torch.aten.flatten.using_ints", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "torch.aten.squeeze", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "torch.aten.squeeze.dim", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "torch.aten.unsqueeze", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "torch.aten._unsafe_view", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "torch.aten.unflatten.int", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "torch.aten.detach", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "torch_c.to_builtin_tensor", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "torch_c.from_builtin_tensor", kind = "reshape"} : () -> ()

// The parameters of an exported module: read whole, memory of their own.
"gmem.op_model"() {op = "util.global.load", kind = "weight"} : () -> ()
