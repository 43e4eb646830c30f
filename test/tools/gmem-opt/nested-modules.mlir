// Two modules in a module, one per device: each has a plan of its own, with the
// attributes on it, and the module around them has none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --gmem-plan='sharing=none algorithm=greedy-by-size alignment=64 weight-alignment=64' %s -o %t
// RUN: FileCheck %s < %t
// RUN: gmem-opt --gmem-verify-plan %t -o /dev/null
//
// A wrong plan in the second is found.
// RUN: sed '/@second/s/peak = 64/peak = 128/' %t > %t.wrong
// RUN: not gmem-opt --gmem-verify-plan=figures=strict %t.wrong -o /dev/null 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: .wrong:{{[0-9]+}}:3: error: the plan is sound, but its figures in the IR no longer hold: plan again to update them

// CHECK-LABEL: module @outer {
module @outer {
  // CHECK: module @first attributes {gmem.plan = {{.*}}peak = 96 : i64{{.*}}gmem.pool_table
  // Offsets begin anew in each module.
  // CHECK: %arg0: tensor<8xf32> {gmem.offset = 0 : i64
  module @first {
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = tosa.exp %x : (tensor<8xf32>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
  }
  // CHECK: module @second attributes {gmem.plan = {{.*}}peak = 64 : i64{{.*}}gmem.pool_table
  // CHECK: %arg0: tensor<16xf32> {gmem.offset = 0 : i64
  module @second {
    func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
      return %x : tensor<16xf32>
    }
  }
}
