// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// In MLIR 19 tosa has other ops and attributes.
// plan-cache: a plan is not made twice.

// 1. The first run stores the plan of the problem, the second one uses it.
// RUN: rm -rf %t && mkdir %t
// RUN: gmem-opt %s --gmem-plan='plan-cache=%t/cache' > %t/first
// RUN: ls %t/cache | grep -cx '[0-9a-f]\{64\}[.]plan' | FileCheck %s --check-prefix=ONE
// ONE: 1
// RUN: cp -r %t/cache %t/before
// RUN: gmem-opt %s --gmem-plan='plan-cache=%t/cache' | cmp - %t/first
// RUN: gmem-opt %s --gmem-plan | cmp - %t/first
// RUN: diff -r %t/cache %t/before

// 2. Another plan in the folder, which is sound, is used: in all passes that plan,
// with any effort if it is proved optimal.
// RUN: cp -r %t/cache %t/mirrored
// RUN: sh -c 'python3 -B %S/Inputs/mirror_plan.py %t/mirrored/*.plan'
// RUN: gmem-opt %s --gmem-plan='plan-cache=%t/mirrored' > %t/second
// RUN: not cmp -s %t/first %t/second
// RUN: gmem-opt %t/second --gmem-verify-plan -o /dev/null
// RUN: gmem-opt %s --gmem-plan='plan-cache=%t/mirrored effort=exhaustive' | cmp - %t/second
// RUN: gmem-opt %s --gmem-assign-weights --gmem-assign-tensors='plan-cache=%t/mirrored' --gmem-verify-plan | cmp - %t/second
// RUN: gmem-opt %s --gmem-report='plan-cache=%t/mirrored' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REPORT
// REPORT: f/%arg0 4,096 0 [0, 4)

// 3. Other options that matter are another problem: nothing is found, and added.
// RUN: gmem-opt %s --gmem-plan='plan-cache=%t/mirrored alignment=64' -o /dev/null
// RUN: ls %t/mirrored | count 2

// 4. One of a named algorithm is used for it alone, and for no more effort than it
// was made with.
// RUN: gmem-opt %s --gmem-plan='algorithm=ref-count' > %t/third
// RUN: gmem-opt %s --gmem-plan='plan-cache=%t/named algorithm=ref-count' | cmp - %t/third
// RUN: sh -c 'python3 -B %S/Inputs/mirror_plan.py %t/named/*.plan'
// RUN: cp -r %t/named %t/other
// RUN: gmem-opt %s --gmem-plan='plan-cache=%t/named algorithm=ref-count effort=fast' > %t/fourth
// RUN: not cmp -s %t/third %t/fourth
// RUN: gmem-opt %s --gmem-plan='plan-cache=%t/named algorithm=ref-count effort=exhaustive' | cmp - %t/third
// RUN: gmem-opt %s --gmem-plan='plan-cache=%t/other algorithm=greedy-by-size' > %t/greedy
// RUN: gmem-opt %s --gmem-plan='algorithm=greedy-by-size' | cmp - %t/greedy

// 5. A damaged or wrong plan is not believed, and replaced.
// RUN: cp -r %t/before %t/damaged
// RUN: sh -c 'sed -i s/^peak.*/peak\ 4096/ %t/damaged/*.plan'
// RUN: gmem-opt %s --gmem-plan='plan-cache=%t/damaged' | cmp - %t/first
// RUN: diff -r %t/before %t/damaged

// 6. Where it cannot be written, that is an error.
// RUN: not gmem-opt %s --gmem-plan='plan-cache=%t/first' 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: plan-cache.mlir:{{[0-9]+}}:1: error: plan-cache: '{{.*}}/first': {{.*}}: Not a directory
// RUN: not gmem-opt %s --gmem-plan='plan-cache=%t/none/cache' 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: plan-cache: '{{.*}}/none/cache': cannot be created: No such file or directory

module {
func.func @f(%a: tensor<1024xf32>) -> tensor<1024xf32> {
  %shift = arith.constant dense<0> : tensor<1xi8>
  %0 = tosa.exp %a : (tensor<1024xf32>) -> tensor<1024xf32>
  %1 = tosa.add %0, %a : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  %2 = tosa.mul %0, %1, %shift : (tensor<1024xf32>, tensor<1024xf32>, tensor<1xi8>) -> tensor<1024xf32>
  return %2 : tensor<1024xf32>
}
}
