// Several modules with functions: pools and buffers of each have its name, and
// op models of the modules around it hold in the copy that is planned.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-report=alignment=64 %s -o %t.out 2>&1 | FileCheck %s
// RUN: gmem-opt --allow-unregistered-dialect %s | cmp - %t.out
//
// The pass run on the inner module: without the model of the outer one, each of
// the two results would need memory of its own.
// RUN: gmem-opt --allow-unregistered-dialect --pass-pipeline='builtin.module(builtin.module(gmem-report{alignment=64}))' %s -o %t.out 2>&1 | FileCheck %s --check-prefix=INNER
// RUN: gmem-opt --allow-unregistered-dialect %s | cmp - %t.out

// CHECK: pool 0/tensors: 64 bytes
// CHECK: pool b#1/tensors: 128 bytes
// CHECK: not planned: 0 values
// INNER: pool tensors: 128 bytes
// INNER-NEXT: 1 buffer, 128 bytes in total; reuse 1.00; 1 view
module attributes {gmem.op_models = "\"gmem.op_model\"() {op = \"my.view\", kind = \"reshape\"} : () -> ()"} {
  func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
    return %x : tensor<16xf32>
  }
  module @b {
    func.func @f(%x: tensor<32xf32>) -> tensor<32xf32> {
      %0 = "my.view"(%x) : (tensor<32xf32>) -> tensor<32xf32>
      return %0 : tensor<32xf32>
    }
  }
}
