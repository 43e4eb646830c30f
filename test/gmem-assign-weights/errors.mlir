// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics --gmem-assign-weights %s

// expected-error @+1 {{the weights cannot be placed: }}
module {
  func.func @sum_too_large() {
    %0 = "top.Weight"() : () -> tensor<6000000000000000000xi8>
    %1 = "top.Weight"() : () -> tensor<6000000000000000000xi8>
    return
  }
}

// -----

// One constant has one place, whoever gets it.
module {
  memref.global "private" constant @a : memref<4xf32> = dense<1.0>
  func.func @two_places() {
    %0 = memref.get_global @a : memref<4xf32> {gmem.fixed = array<i64: 0>}
    // expected-error @+1 {{gmem.fixed: one constant is fixed at 0 and 4096}}
    %1 = memref.get_global @a : memref<4xf32> {gmem.fixed = array<i64: 4096>}
    return
  }
}
