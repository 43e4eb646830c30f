// The gmem passes among those of MLIR, by flag and by --pass-pipeline.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One flag per pass; the pipeline is the same three in a row.
// RUN: gmem-opt --gmem-plan %s -o %t.plan
// RUN: gmem-opt --gmem-assign-weights --gmem-assign-tensors --gmem-verify-plan %s | cmp - %t.plan
// RUN: gmem-opt --pass-pipeline='builtin.module(gmem-plan)' %s | cmp - %t.plan
// RUN: gmem-opt --pass-pipeline='builtin.module(gmem-assign-weights,gmem-assign-tensors,gmem-verify-plan)' %s | cmp - %t.plan
//
// Options reach the passes they belong to, by either syntax.
// RUN: gmem-opt --gmem-plan='algorithm=none alignment=64 weight-alignment=32' %s -o %t.options
// RUN: gmem-opt --pass-pipeline='builtin.module(gmem-plan{algorithm=none alignment=64 weight-alignment=32})' %s | cmp - %t.options
// RUN: gmem-opt --gmem-assign-weights=weight-alignment=32 --gmem-assign-tensors='algorithm=none alignment=64' --gmem-verify-plan %s | cmp - %t.options
// RUN: FileCheck %s --check-prefix=OPTIONS < %t.options
// OPTIONS: gmem.plan = {algorithm = "none"
// OPTIONS-SAME: [{alignment = 32 : i64, {{.*}}name = "weights"{{.*}}{alignment = 64 : i64, {{.*}}name = "tensors"
//
// What runs before is planned after: cse makes the two equal adds one tensor,
// and the peak one tensor instead of two.
// RUN: gmem-opt --pass-pipeline='builtin.module(func.func(cse),gmem-plan)' %s | FileCheck %s --check-prefix=CSE
// RUN: FileCheck %s --check-prefix=ALL < %t.plan
// ALL: peak = 4160 : i64
// CSE: peak = 64 : i64
// CSE-COUNT-2: tosa.add
// CSE-NOT: tosa.add
//
// What runs after keeps the attributes it does not know.
// RUN: gmem-opt --pass-pipeline='builtin.module(gmem-plan,func.func(cse),gmem-verify-plan,strip-debuginfo)' %s | FileCheck %s --check-prefix=AFTER
// AFTER: gmem.plan
// AFTER: tosa.add {{.*}} {gmem.offset
//

func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %w = arith.constant dense<1.0> : tensor<16xf32>
  %0 = tosa.add %x, %w : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %1 = tosa.add %x, %w : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %2 = tosa.add %0, %1 : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %2 : tensor<16xf32>
}
