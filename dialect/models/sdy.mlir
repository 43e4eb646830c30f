// sdy.mlir - op models: sdy, the shardings in exports of StableHLO. Shapes are those
// of the whole program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"gmem.op_model"() {op = "sdy.constant", kind = "weight"} : () -> ()

// What says how a tensor is sharded is the same tensor.
"gmem.op_model"() {op = "sdy.data_flow_edge", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "sdy.propagation_barrier", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "sdy.sharding_constraint", kind = "reshape"} : () -> ()
"gmem.op_model"() {op = "sdy.sharding_group", unread = array<i64: 0>} : () -> ()

"gmem.op_model"() {op = "sdy.named_computation", kind = "branch"} : () -> ()

// Nothing is shared: operands are read, results are written.
"gmem.op_model"() {op = "sdy.reshard"} : () -> ()
