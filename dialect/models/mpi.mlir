// mpi.mlir - op models: mpi: messages between ranks
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A communicator and an error code are numbers; a request is running work.
"gmem.type_model"() {type = "!mpi.comm", kind = "scalar"} : () -> ()
"gmem.type_model"() {type = "!mpi.retval", kind = "scalar"} : () -> ()
"gmem.type_model"() {type = "!mpi.request", kind = "none"} : () -> ()

"gmem.op_model"() {op = "mpi.init"} : () -> ()
"gmem.op_model"() {op = "mpi.finalize"} : () -> ()
"gmem.op_model"() {op = "mpi.comm_world"} : () -> ()
"gmem.op_model"() {op = "mpi.comm_rank"} : () -> ()
"gmem.op_model"() {op = "mpi.comm_size"} : () -> ()
"gmem.op_model"() {op = "mpi.comm_split"} : () -> ()
"gmem.op_model"() {op = "mpi.retval_check"} : () -> ()
"gmem.op_model"() {op = "mpi.error_class"} : () -> ()

// All of these are done with their memrefs when they return. The buffers of an
// allreduce must be one buffer or disjoint, so that nothing is in place.
"gmem.op_model"() {op = "mpi.send"} : () -> ()
"gmem.op_model"() {op = "mpi.recv"} : () -> ()
"gmem.op_model"() {op = "mpi.allreduce"} : () -> ()
"gmem.op_model"() {op = "mpi.barrier"} : () -> ()

// These use their memref until the wait.
"gmem.op_model"() {op = "mpi.isend", starts} : () -> ()
"gmem.op_model"() {op = "mpi.irecv", starts} : () -> ()
"gmem.op_model"() {op = "mpi.wait", waits} : () -> ()
