// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics --gmem-assign-weights %s

// expected-note @+1 {{these 2 buffers, 12000000000000000000 bytes in total, do not fit in pool 'weights'; if any one of them is removed, the others fit}}
module {
  func.func @sum_too_large() {
    // expected-note @+1 {{result #0 of 'top.Weight' of 6000000000000000000 bytes is live at the peak}}
    %0 = "top.Weight"() : () -> tensor<6000000000000000000xi8>
    // expected-error @+2 {{the weights cannot be placed: buffer 'result #0 of 'top.Weight'' of 6000000000000000000 bytes does not fit in pool 'weights' of 9223372036854775807 bytes; every plan exceeds the address space}}
    // expected-note @+1 {{result #0 of 'top.Weight' of 6000000000000000000 bytes is live at the peak}}
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
    // expected-error @+1 {{gmem.fixed: this constant is fixed at offsets 0 and 4096}}
    %1 = memref.get_global @a : memref<4xf32> {gmem.fixed = array<i64: 4096>}
    return
  }
}
