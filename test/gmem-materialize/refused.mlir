// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans that cannot become part of a program.
// RUN: gmem-opt --allow-unregistered-dialect -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(gmem-plan,gmem-materialize{arena-mode=global})' %s
// RUN: gmem-opt --allow-unregistered-dialect -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(gmem-plan,gmem-materialize{arena-mode=arg})' %s

// 1. A tensor has a place: it is too early.
func.func @tensor(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  // expected-error @+1 {{result #0 of 'a.op' has a place in the plan and is no memref: bufferize before gmem-plan}}
  %0 = "a.op"() : () -> tensor<8xf32>
  "a.use"(%0) : (tensor<8xf32>) -> ()
  return
}

// -----

// 2. A kernel runs in many threads at once, and one arena would be that of all:
//    no function of another dialect is given one, in no mode.
gpu.module @kernels {
  // expected-error @+1 {{@kernel needs an arena and is no func.func}}
  gpu.func @kernel(%x: memref<8xf32>) {
    %a = memref.alloc() : memref<8xf32>
    memref.copy %x, %a : memref<8xf32> to memref<8xf32>
    memref.copy %a, %x : memref<8xf32> to memref<8xf32>
    gpu.return
  }
}
