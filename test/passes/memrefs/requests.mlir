// Messages between ranks: communicators are numbers, requests are running work
// that ends where an op waits for it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// MLIR 19 has no mpi.comm_world.

// RUN: gmem-opt %s --split-input-file --allow-unregistered-dialect --gmem-plan=alignment=64 2>%t.err | tee %t.planned.mlir | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK --implicit-check-not="no model" %s <%t.err
// RUN: gmem-opt %t.planned.mlir --split-input-file --allow-unregistered-dialect --gmem-verify-plan=only=contents | FileCheck %s

// %u is live while the buffers of both requests are in use: three places. With
// the bytes of either, it is refused.
// RUN: sed -E 's/(alloc_2 = .*gmem.offset = array<i64: )[0-9]+/\10/' %t.planned.mlir >%t.sent.mlir
// RUN: not gmem-opt %t.sent.mlir --split-input-file --allow-unregistered-dialect --gmem-verify-plan=only=contents 2>&1 | FileCheck --check-prefix=OVER %s
// RUN: not gmem-opt %t.sent.mlir --split-input-file --allow-unregistered-dialect --gmem-verify-plan=only=placement 2>&1 | FileCheck --check-prefix=LIVE %s
// RUN: sed -E 's/(alloc_2 = .*gmem.offset = array<i64: )[0-9]+/\1256/' %t.planned.mlir >%t.received.mlir
// RUN: not gmem-opt %t.received.mlir --split-input-file --allow-unregistered-dialect --gmem-verify-plan=only=contents 2>&1 | FileCheck --check-prefix=OVER %s
// RUN: not gmem-opt %t.received.mlir --split-input-file --allow-unregistered-dialect --gmem-verify-plan=only=placement 2>&1 | FileCheck --check-prefix=LIVE %s
// OVER: error: 'mpi.wait' reads result #0 of 'memref.alloc', but 'linalg.exp' has overwritten bytes
// LIVE: error: {{.*}} share bytes {{.*}} while both are live at this op

// CHECK-LABEL: module
// CHECK-SAME:  peak = 768 : i64
// CHECK-COUNT-3: memref.alloc() {gmem.offset
func.func @exchange(%x: memref<64xf32>, %y: memref<64xf32>, %peer: i32) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %sent = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%sent : memref<64xf32>)
  %received = memref.alloc() : memref<64xf32>
  %s = mpi.isend(%sent, %tag, %peer, %world) : memref<64xf32>, i32, i32 -> !mpi.request
  %r = mpi.irecv(%received, %tag, %peer, %world) : memref<64xf32>, i32, i32 -> !mpi.request
  %u = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%u : memref<64xf32>)
  linalg.exp ins(%u : memref<64xf32>) outs(%y : memref<64xf32>)
  mpi.wait(%s) : !mpi.request
  mpi.wait(%r) : !mpi.request
  linalg.exp ins(%received : memref<64xf32>) outs(%y : memref<64xf32>)
  return
}

// -----

// After the wait the bytes are free: %u is where %sent was.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 256 : i64
func.func @waited(%x: memref<64xf32>, %y: memref<64xf32>, %peer: i32) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %sent = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%sent : memref<64xf32>)
  %status, %s = mpi.isend(%sent, %tag, %peer, %world) : memref<64xf32>, i32, i32 -> !mpi.retval, !mpi.request
  mpi.wait(%s) : !mpi.request
  %u = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%u : memref<64xf32>)
  linalg.exp ins(%u : memref<64xf32>) outs(%y : memref<64xf32>)
  return
}

// -----

// An op that reads a buffer while it is sent does not write over it.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func @read_while_sent(%x: memref<64xf32>, %y: memref<64xf32>, %peer: i32) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %sent = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%sent : memref<64xf32>)
  %s = mpi.isend(%sent, %tag, %peer, %world) : memref<64xf32>, i32, i32 -> !mpi.request
  %u = memref.alloc() : memref<64xf32>
  linalg.exp ins(%sent : memref<64xf32>) outs(%u : memref<64xf32>)
  mpi.wait(%s) : !mpi.request
  linalg.exp ins(%u : memref<64xf32>) outs(%y : memref<64xf32>)
  return
}

// -----

// Nothing waits, or waits in another block: the buffer is left alone.
// CHECK-LABEL: func.func @not_waited
// CHECK:       memref.alloc() : memref<64xf32>
// CHECK:       memref.alloc() : memref<64xf32>
// REMARK:      remark: this memref of @not_waited is not planned: it escapes through a value that is not a memref (1 more
func.func @not_waited(%x: memref<64xf32>, %c: i1, %peer: i32) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  %s = mpi.isend(%a, %tag, %peer, %world) : memref<64xf32>, i32, i32 -> !mpi.request
  %b = memref.alloc() : memref<64xf32>
  %r = mpi.irecv(%b, %tag, %peer, %world) : memref<64xf32>, i32, i32 -> !mpi.request
  scf.if %c {
    mpi.wait(%r) : !mpi.request
  }
  return
}

// -----

// The copy before a reduction in place goes to the bytes of what it copies.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 256 : i64
func.func @allreduce(%x: memref<8x8xf32>, %y: memref<8x8xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %part = memref.alloc() : memref<8x8xf32>
  linalg.exp ins(%x : memref<8x8xf32>) outs(%part : memref<8x8xf32>)
  %sum = memref.alloc() : memref<8x8xf32>
  linalg.copy ins(%part : memref<8x8xf32>) outs(%sum : memref<8x8xf32>)
  %flat = memref.collapse_shape %sum [[0, 1]] : memref<8x8xf32> into memref<64xf32>
  mpi.allreduce(%flat, %flat, MPI_SUM, %world) : memref<64xf32>, memref<64xf32>
  linalg.exp ins(%sum : memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  return
}

// -----

// The two buffers of a reduction are disjoint, even where the first one dies.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func @apart(%x: memref<64xf32>, %y: memref<64xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %part = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%part : memref<64xf32>)
  %sum = memref.alloc() : memref<64xf32>
  mpi.allreduce(%part, %sum, MPI_SUM, %world) : memref<64xf32>, memref<64xf32>
  linalg.exp ins(%sum : memref<64xf32>) outs(%y : memref<64xf32>)
  return
}

// -----

// Ops of one's own: the same two properties.
// CHECK-LABEL: module
// CHECK-SAME:  peak = 512 : i64
func.func @own(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  %t = "my.start"(%a) {gmem.op_model = {starts}} : (memref<64xf32>) -> !my.token
  %b = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%b : memref<64xf32>)
  linalg.exp ins(%b : memref<64xf32>) outs(%y : memref<64xf32>)
  "my.finish"(%t) {gmem.op_model = {waits}} : (!my.token) -> ()
  return
}

