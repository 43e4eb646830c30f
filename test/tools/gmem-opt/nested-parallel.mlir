// Passes on several nested modules lost their options: MLIR clones a pass for
// each thread after it has been initialized.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --pass-pipeline='builtin.module(builtin.module(gmem-plan{alignment=64}))' %s | FileCheck %s

// CHECK: module @first attributes {gmem.plan = {{.*}}peak = 32 : i64{{.*}}alignment = 64
module @first {
  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
}
// CHECK: module @second attributes {gmem.plan = {{.*}}peak = 64 : i64{{.*}}alignment = 64
module @second {
  func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
    return %x : tensor<16xf32>
  }
}
