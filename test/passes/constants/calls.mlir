// Constants that calls pass to functions: nothing is hoisted behind a call, and
// a remark says what inlining would make possible.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: gmem-opt --gmem-plan=constants=keep %s -o /dev/null 2>&1 | FileCheck %s
// RUN: gmem-opt --gmem-plan=constants=hoist %s 2>&1 | FileCheck %s --check-prefixes=CHECK,NONE
// RUN: gmem-opt --inline --gmem-plan=constants=hoist %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=INLINE

// CHECK:      remark: called functions compute 1 value of 32768 bytes from constants that their calls pass; inline these functions (--inline) so that constants=hoist can do this once
// CHECK:      [[@LINE+15]]:{{[0-9]+}}: note: linalg.transpose, 32768 bytes
// NONE-NOT:   gmem.init
// INLINE:     remark: @main_init computes 1 value of 32768 bytes from constants, once

module {

// Called with two constants, the argument is none.
func.func private @both(%w: tensor<64x128xf32>) -> tensor<128x64xf32> {
  %e = tensor.empty() : tensor<128x64xf32>
  %t = linalg.transpose ins(%w : tensor<64x128xf32>) outs(%e : tensor<128x64xf32>) permutation = [1, 0]
  return %t : tensor<128x64xf32>
}

func.func private @inner(%w: tensor<64x128xf32>, %x: tensor<128x64xf32>) -> tensor<128x64xf32> {
  %e = tensor.empty() : tensor<128x64xf32>
  %t = linalg.transpose ins(%w : tensor<64x128xf32>) outs(%e : tensor<128x64xf32>) permutation = [1, 0]
  %e2 = tensor.empty() : tensor<128x64xf32>
  %s = linalg.add ins(%t, %x : tensor<128x64xf32>, tensor<128x64xf32>) outs(%e2 : tensor<128x64xf32>) -> tensor<128x64xf32>
  return %s : tensor<128x64xf32>
}

func.func @main(%w: tensor<64x128xf32> {gmem.weight}, %u: tensor<64x128xf32> {gmem.weight}, %v: tensor<64x128xf32> {gmem.weight}, %x: tensor<128x64xf32>) -> (tensor<128x64xf32>, tensor<128x64xf32>, tensor<128x64xf32>) {
  %r = call @inner(%w, %x) : (tensor<64x128xf32>, tensor<128x64xf32>) -> tensor<128x64xf32>
  %a = call @both(%u) : (tensor<64x128xf32>) -> tensor<128x64xf32>
  %b = call @both(%v) : (tensor<64x128xf32>) -> tensor<128x64xf32>
  return %r, %a, %b : tensor<128x64xf32>, tensor<128x64xf32>, tensor<128x64xf32>
}

}
