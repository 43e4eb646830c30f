// The report says what the alignment costs: every plan is larger by that than
// what is live, whether or not values may share memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: gmem-opt --allow-unregistered-dialect --gmem-report %s -o /dev/null 2>&1 | FileCheck %s
// RUN: gmem-opt --allow-unregistered-dialect --gmem-report=alignment=64 %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=LESS
// RUN: gmem-opt --allow-unregistered-dialect --gmem-report=format=json %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=JSON
// CHECK: pool tensors: 4,160 bytes, equal to the lower bound
// CHECK-NEXT: 3 buffers, 192 bytes in total; reuse 0.04; alignment 4096 costs 4,032 bytes{{$}}
// LESS: pool tensors: 128 bytes, equal to the lower bound
// LESS-NEXT: 3 buffers, 192 bytes in total; reuse 1.50; alignment 64{{$}}
// JSON: "name": "tensors"{{.*}} "sum": 192, "padding": 4032, "peak": {"bytes": 128,

func.func @main(%x: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %0 = tosa.exp %x : (tensor<16xf32>) -> tensor<16xf32>
  %1 = "my.other"(%0) : (tensor<16xf32>) -> tensor<16xf32>
  return %0, %1 : tensor<16xf32>, tensor<16xf32>
}
