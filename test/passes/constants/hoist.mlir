// A weight that is transposed in every request: the transposed one becomes a
// constant that @main_init computes, and the original is not needed afterwards.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: gmem-opt --gmem-hoist-constants %s 2>%t.err | FileCheck %s
// RUN: FileCheck %s --input-file=%t.err --check-prefix=REMARK
// RUN: gmem-opt --gmem-plan='alignment=64 constants=hoist' %s -o %t.mlir 2>/dev/null
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=PLAN
// RUN: gmem-opt --gmem-verify-plan %t.mlir -o /dev/null 2>&1 | count 0

// Nothing is left to hoist from what was hoisted, and the plan stays the same.
// RUN: gmem-opt --gmem-hoist-constants %t.mlir 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: gmem-opt --gmem-plan='alignment=64 constants=hoist' %t.mlir | diff %t.mlir -

// The default keeps everything as it is, and says what hoisting would save.
// RUN: gmem-opt --gmem-plan=alignment=64 %s -o %t.kept 2>%t.err
// RUN: FileCheck %s --input-file=%t.kept --check-prefix=KEPT
// RUN: FileCheck %s --input-file=%t.err --check-prefix=SAVES
// So does a report, which once was silent; a report of a plan has nothing to add.
// RUN: gmem-opt --gmem-report=alignment=64 %s -o /dev/null 2>&1 >/dev/null | FileCheck %s --check-prefix=SAVES
// RUN: gmem-opt --gmem-report %t.kept -o /dev/null 2>&1 >/dev/null | not grep "from constants"
// RUN: gmem-opt --gmem-plan='alignment=64 constants=keep' %s 2>/dev/null | diff %t.kept -
// RUN: gmem-opt --pass-pipeline='builtin.module(gmem-assign-weights,gmem-assign-tensors{alignment=64},gmem-verify-plan)' %s 2>/dev/null | diff %t.kept -

// CHECK:       memref.global "private" @main_constant_0 : memref<64x96xf32> =
// CHECK-SAME:    uninitialized {gmem.init = "main_init"}
// CHECK-LABEL: func.func @main_init() attributes {gmem.init}
// CHECK:       %[[W:.*]] = arith.constant dense<5.000000e-01> : tensor<96x64xf32>
// CHECK:       %[[T:.*]] = linalg.transpose ins(%[[W]]
// CHECK:       %[[G:.*]] = memref.get_global @main_constant_0
// CHECK:       bufferization.materialize_in_destination %[[T]] in restrict writable %[[G]]
// CHECK-LABEL: func.func @main(
// CHECK-NOT:   linalg.transpose
// CHECK-NOT:   tensor<96x64xf32>
// CHECK:       %[[H:.*]] = memref.get_global @main_constant_0
// CHECK:       %[[V:.*]] = bufferization.to_tensor %[[H]] restrict
// CHECK:       linalg.matmul ins(%{{.*}}, %[[V]]

// REMARK:      remark: @main_init computes 1 value of 24576 bytes from constants, once: values live at once 32768 -> 8192 bytes, constants that requests read 24576 -> 24576 bytes; 24576 bytes of constants are read only there
// REMARK:      hoist.mlir:[[#]]:{{.*}} note: linalg.transpose, 24576 bytes, is computed once
// REMARK:      note: linalg.fill, 384 bytes, stays: it is made from scalars

// PLAN-SAME is about the first line: pools of the request, and of the function
// that runs once, which count in no peak.
// PLAN:        peak = 640
// PLAN-SAME:   name = "weights", size = 24576
// PLAN-SAME:   init, kind = "constant", {{.*}}name = "init.weights", size = 24576
// PLAN-SAME:   name = "tensors", size = 640
// PLAN-SAME:   init, kind = "workspace", {{.*}}name = "init", size = 24576

// TWICE-NOT:   remark
// TWICE-NOT:   @main_constant_1
// KEPT:        peak = 25216
// KEPT-NOT:    gmem.init
// SAVES:       remark: every request computes 1 value of 24576 bytes from constants; with constants=hoist this is done once: values live at once 25216 -> 640 bytes, constants that requests read 24576 -> 24576 bytes
// SAVES:       note: linalg.transpose, 24576 bytes, is computed once
func.func @main(%x: tensor<1x64xf32>) -> tensor<1x96xf32> {
  %w = arith.constant dense<0.5> : tensor<96x64xf32>
  %e = tensor.empty() : tensor<64x96xf32>
  %t = linalg.transpose ins(%w : tensor<96x64xf32>)
    outs(%e : tensor<64x96xf32>) permutation = [1, 0]
  %c = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<1x96xf32>
  %z = linalg.fill ins(%c : f32) outs(%o : tensor<1x96xf32>) -> tensor<1x96xf32>
  %r = linalg.matmul ins(%x, %t : tensor<1x64xf32>, tensor<64x96xf32>)
    outs(%z : tensor<1x96xf32>) -> tensor<1x96xf32>
  return %r : tensor<1x96xf32>
}
