// A cast of several tensors to a handle stands for all of them, not for the first: the
// others stay where they are until the handle is read for the last time. The second was
// overwritten before.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan=alignment=64 %s -o %t.mlir
// RUN: FileCheck %s < %t.mlir
//
// Both checks refuse a plan that overwrites it.
// RUN: sed '/my.other/s/gmem.offset = array<i64: [0-9]*>/gmem.offset = array<i64: 256>/' %t.mlir > %t.moved.mlir
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan=only=contents %t.moved.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=CONTENTS
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan=only=placement %t.moved.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLACEMENT
// CONTENTS: error: 'my.use' reads result #0 of 'my.second'
// PLACEMENT: error: result #0 of 'my.second' and result #0 of 'my.other' share bytes [256, 512) of pool 'tensors'

// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %a = "my.first"(%x) : (tensor<64xf32>) -> tensor<64xf32>
  // CHECK: my.second{{.*}}gmem.offset = array<i64: 256>
  %b = "my.second"(%a) : (tensor<64xf32>) -> tensor<64xf32>
  %p = builtin.unrealized_conversion_cast %a, %b : tensor<64xf32>, tensor<64xf32> to !my.pair
  // CHECK-NOT: my.other{{.*}}gmem.offset = array<i64: 256>
  %c = "my.other"(%x) : (tensor<64xf32>) -> tensor<64xf32>
  // CHECK: my.use
  %e = "my.use"(%p, %c) : (!my.pair, tensor<64xf32>) -> tensor<64xf32>
  return %e : tensor<64xf32>
}
