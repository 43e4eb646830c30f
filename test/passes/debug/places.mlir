// The placements of constants, paddings and workbuffers as text: debug=plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// In MLIR 19 tosa has other ops and attributes.

// RUN: gmem-opt %s --allow-unregistered-dialect --gmem-plan="alignment=64 debug=plan" -o /dev/null 2>&1 | FileCheck %s --strict-whitespace

// CHECK:      {{^}}== plan{{$}}
// CHECK-NEXT: {{^}}pool 0: weights, constant, 4104 bytes of at least 4104, alignment 4096, base 0{{$}}
// CHECK-NEXT: {{^}}pool 1: tensors, workspace, 336 bytes of at least 336, alignment 64, base 4160{{$}}
// CHECK-NEXT: {{^}}value 0: pool 1, bytes [128, 192){{$}}
// CHECK-NEXT: {{^}}value 1: pool 0, bytes [0, 64){{$}}
// CHECK-NEXT: {{^}}value 2: pool 1, bytes [192, 336), payload from 256{{$}}
// CHECK-NEXT: {{^}}workbuffer 0: pool 1, bytes [0, 100){{$}}
// CHECK-NEXT: {{^}}workbuffer 1: pool 0, bytes [4096, 4104){{$}}

func.func @main(%a: tensor<16xf32>) -> tensor<16xf32> {
  %w = arith.constant dense<1.0> : tensor<16xf32>
  %0 = "npu.conv"(%a, %w) {gmem.padding = [array<i64: 32, 16>], gmem.workbuffers = [{size = 100 : i64}, {size = 8 : i64, kind = "immutable"}]} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
