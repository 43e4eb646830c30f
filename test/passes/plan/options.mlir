// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan %s | FileCheck %s
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='algorithm=none alignment=64 weight-alignment=256 weight-base=4096' %s | FileCheck %s --check-prefix=SMALL
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='tensor-base=0x10000 capacity=8192' %s | FileCheck %s --check-prefix=AT
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='tensor-base=none' %s | FileCheck %s --check-prefix=NONE
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-plan='capacity=8191' %s 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-plan='tensor-base=4096' %s 2>&1 | FileCheck %s --check-prefix=CLASH
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan %s -o %t.once
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan %t.once -o %t.twice
// RUN: cmp %t.once %t.twice
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan=algorithm=none %t.once | gmem-opt --allow-unregistered-dialect --gmem-plan -o %t.thrice
// RUN: cmp %t.once %t.thrice

// Tensors start after the weights, aligned; planning a planned file again
// gives the same bytes, whatever it was planned with before.
// CHECK: gmem.plan = {algorithm = "auto", keep_inputs = false, lower_bound = 8192 : i64, optimal = true, peak = 8192 : i64}
// CHECK-SAME: gmem.pool_table = [{alignment = 4096 : i64, base = 0 : i64, kind = "constant", lower_bound = 5000 : i64, name = "weights", size = 5000 : i64},
// CHECK-SAME: {alignment = 4096 : i64, base = 8192 : i64, kind = "workspace", lower_bound = 8192 : i64, name = "tensors", size = 8192 : i64}]

// SMALL: algorithm = "none"{{.*}} optimal = false, peak = 12288
// SMALL-SAME: [{alignment = 256 : i64, base = 4096 : i64, kind = "constant"
// SMALL-SAME: {alignment = 64 : i64, base = 9152 : i64, kind = "workspace"

// AT: {alignment = 4096 : i64, base = 65536 : i64, capacity = 8192 : i64, kind = "workspace"

// A memory of its own has no address.
// NONE: {alignment = 4096 : i64, kind = "workspace"

// FULL: error: the tensors cannot be placed: {{.*}}8191

// CLASH: error: pools 'weights' and 'tensors' share addresses

func.func @main(%a: tensor<1024xi32>) -> tensor<1024xi32> {
  %w = "top.Weight"() : () -> tensor<5000xi8>
  %0 = "a.op"(%a, %w) : (tensor<1024xi32>, tensor<5000xi8>) -> tensor<1024xi32>
  %1 = "a.op"(%0, %w) : (tensor<1024xi32>, tensor<5000xi8>) -> tensor<1024xi32>
  return %1 : tensor<1024xi32>
}
