// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// MLIR 19 has no --verify-diagnostics=only-expected.
// Plans that cannot become part of a program.
// RUN: gmem-opt --allow-unregistered-dialect -split-input-file -verify-diagnostics=only-expected -pass-pipeline='builtin.module(gmem-plan,gmem-materialize{arena-mode=global})' %s
// RUN: gmem-opt --allow-unregistered-dialect -split-input-file -verify-diagnostics=only-expected -pass-pipeline='builtin.module(gmem-plan,gmem-materialize{arena-mode=arg})' %s

// 1. A tensor has a place: it is too early.
func.func @tensor(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  // expected-error @+1 {{result #0 of 'a.op' is planned but is not a memref: bufferize before gmem-plan}}
  %0 = "a.op"() : () -> tensor<8xf32>
  "a.use"(%0) : (tensor<8xf32>) -> ()
  return
}

// -----

// 2. A kernel runs in many threads at once, and one arena would be that of all:
//    what functions of other dialects allocate is left to them, and so is what
//    they call. The rest of the program is planned, and becomes part of an arena.
module {
  gpu.module @kernels {
    func.func private @helper(%x: memref<8xf32>) {
      // expected-remark @+1 {{this memref of @helper is not planned: it is in code that may run concurrently with itself}}
      %a = memref.alloc() : memref<8xf32>
      memref.copy %x, %a : memref<8xf32> to memref<8xf32>
      return
    }
    gpu.func @kernel(%x: memref<8xf32>) {
      // expected-remark @+1 {{this memref of @kernel is not planned: its function is not a func.func}}
      %a = memref.alloc() : memref<8xf32>
      memref.copy %x, %a : memref<8xf32> to memref<8xf32>
      // expected-note @+1 {{this may run concurrently with itself}}
      func.call @helper(%a) : (memref<8xf32>) -> ()
      memref.copy %a, %x : memref<8xf32> to memref<8xf32>
      gpu.return
    }
  }
  func.func @host(%x: memref<8xf32>) {
    %a = memref.alloc() : memref<8xf32>
    memref.copy %x, %a : memref<8xf32> to memref<8xf32>
    return
  }
}
