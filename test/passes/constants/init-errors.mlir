// What gmem.init may not say.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt %s --split-input-file --verify-diagnostics --gmem-plan -o /dev/null

// Its memory is given back before the first request.
memref.global "private" @pre : memref<4xf32> = uninitialized {gmem.init = "start"}
func.func @start(%x: tensor<4xf32>) -> tensor<4xf32> attributes {gmem.init} {
  return %x : tensor<4xf32>
}
func.func @caller(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{must not call @start, which computes constants (gmem.init): it runs once, before all others}}
  %r = call @start(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// expected-error @+1 {{gmem.init names no function: @strat}}
memref.global "private" @pre : memref<4xf32> = uninitialized {gmem.init = "strat"}
func.func @start() attributes {gmem.init} {
  return
}

// -----

// expected-warning @+1 {{gmem.init has no effect: @start does not have gmem.init}}
memref.global "private" @pre : memref<4xf32> = uninitialized {gmem.init = "start"}
func.func @start() {
  return
}
