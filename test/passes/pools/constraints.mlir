// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Soft constraints between tagged values: the plan pays less than without
// them, at the same peak, and every reader adds up the same penalty.
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan=alignment=64 %s -o %t.mlir 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: FileCheck %s < %t.mlir
// RUN: gmem-opt --allow-unregistered-dialect --gmem-verify-plan=figures=strict %t.mlir -o /dev/null
// RUN: gmem-opt --allow-unregistered-dialect --gmem-report %t.mlir -o /dev/null 2>&1 | FileCheck --check-prefix=REPORT %s
// RUN: gmem-opt --allow-unregistered-dialect --gmem-report=format=json %t.mlir -o /dev/null 2>&1 | FileCheck --check-prefix=JSON %s

// Without them, the tensor of the cube reuses bytes of the vector engine.
// RUN: sed 's/gmem.constraints/other.constraints/' %s >%t.none.mlir
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan=alignment=64 %t.none.mlir | FileCheck --check-prefix=NONE %s

// The penalty in gmem.plan is recomputed; one that is wrong is stale.
// RUN: sed 's/penalty = 0/penalty = 7/' %t.mlir >%t.stale.mlir
// RUN: gmem-opt --allow-unregistered-dialect --gmem-verify-plan %t.stale.mlir -o /dev/null 2>&1 | FileCheck --check-prefix=STALE %s
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan=figures=strict %t.stale.mlir -o /dev/null

// The plan without them, with hard ones instead, is refused.
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan=alignment=64 %t.none.mlir -o %t.planned.mlir
// RUN: sed 's/other.constraints/gmem.constraints/; s/, penalty = 3 : i64//' %t.planned.mlir >%t.hard.mlir
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan %t.hard.mlir -o /dev/null 2>&1 | FileCheck --check-prefix=HARD %s

// Entries of which a single alias set has both tags are named: #1 and #2.
// RUN: sed 's/penalty = 3 : i64}\]/penalty = 3 : i64}, {kind = "apart", first = "cube", second = "cube"}, {kind = "near", first = "vector", second = "first", bytes = 64 : i64}]/' %s >%t.idle.mlir
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan=alignment=64 %t.idle.mlir -o /dev/null 2>&1 | FileCheck --check-prefix=IDLE %s
// IDLE: remark: gmem.constraints: entry #1 constrains nothing, as a single alias set has its tags (2 such entries)

// REMARK-NOT: constrains nothing
// REMARK: remark: gmem.constraints: penalty 0, proved least, peak 192; without constraints penalty 3, 0 hard ones broken, peak 192
// REPORT: penalty of gmem.constraints: 0
// JSON: "penalty": 0,
// STALE: the plan has penalty 0, not penalty 7 as in gmem.plan
// HARD: share bytes [{{.*}}) of pool 'tensors', but gmem.constraints keeps them apart
// CHECK: gmem.plan = {{.*}}penalty = 0
// NONE-NOT: gmem.plan = {{[^}]*}}penalty

module attributes {gmem.constraints = [
    {kind = "apart", first = "vector", second = "cube", penalty = 3 : i64}]} {
  func.func @main(%a: tensor<32xf32>) -> tensor<16xf32> {
    %0 = "v.one"(%a) {gmem.tag = ["vector", "first"]} : (tensor<32xf32>) -> tensor<16xf32>
    %1 = "v.two"(%0) : (tensor<16xf32>) -> tensor<16xf32>
    %2 = "c.one"(%1) {gmem.tag = "cube"} : (tensor<16xf32>) -> tensor<16xf32>
    return %2 : tensor<16xf32>
  }
}
