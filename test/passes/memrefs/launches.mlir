// A kernel that the host waits for reads and writes the memrefs it is given; one
// that runs on, as its token says, keeps them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
//
// RUN: gmem-opt --gmem-plan=strict=true %s -o %t.mlir 2>%t.err
// RUN: FileCheck %s <%t.mlir
// RUN: FileCheck %s --check-prefix=REMARK --implicit-check-not="no model" <%t.err
// RUN: gmem-opt --gmem-verify-plan %t.mlir -o /dev/null

// CHECK-LABEL: func.func @waits
// CHECK: memref.alloc() {gmem.offset = array<i64: [[A:[0-9]+]]>
// CHECK: memref.alloc() {gmem.offset = array<i64: {{[0-9]+}}>
// CHECK: memref.alloc() {gmem.offset = array<i64: [[A]]>
// CHECK-LABEL: func.func @runs_on
// CHECK: memref.alloc() : memref<64xf32>
// REMARK: remark: this memref of @runs_on is not planned: it escapes through a value that is not a memref
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @twice(%x: memref<64xf32>, %y: memref<64xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %x[%i] : memref<64xf32>
      %w = arith.addf %v, %v : f32
      memref.store %w, %y[%i] : memref<64xf32>
      gpu.return
    }
  }
  func.func @waits(%x: memref<64xf32>, %y: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %a = memref.alloc() : memref<64xf32>
    gpu.launch_func @kernels::@twice blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%x : memref<64xf32>, %a : memref<64xf32>)
    %b = memref.alloc() : memref<64xf32>
    gpu.launch_func @kernels::@twice blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xf32>, %b : memref<64xf32>)
    %c = memref.alloc() : memref<64xf32>
    gpu.launch_func @kernels::@twice blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%b : memref<64xf32>, %c : memref<64xf32>)
    gpu.memcpy %y, %c : memref<64xf32>, memref<64xf32>
    return
  }
  func.func @runs_on(%x: memref<64xf32>, %y: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %a = memref.alloc() : memref<64xf32>
    %t = gpu.launch_func async @kernels::@twice blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%x : memref<64xf32>, %a : memref<64xf32>)
    gpu.wait [%t]
    gpu.memcpy %y, %a : memref<64xf32>, memref<64xf32>
    return
  }
}
