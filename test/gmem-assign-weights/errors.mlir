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
