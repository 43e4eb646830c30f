// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Op models in the program say something of its ops and are nothing to lower:
// gmem-lower-to-llvm removes them, also in nested modules, and gmem-run runs
// such a program.
// RUN: gmem-opt --gmem-lower-to-llvm %s | FileCheck %s --implicit-check-not=gmem.
// RUN: gmem-opt --gmem-remove-op-models %s | FileCheck %s --check-prefix=REMOVED --implicit-check-not=gmem.
// RUN: gmem-run %s --entry main --compare | FileCheck %s --check-prefix=RUNS
// RUN: gmem-opt --gmem-bufferize-and-plan --gmem-materialize --gmem-lower-to-llvm %s | FileCheck %s
"gmem.op_model"() {op = "my.reshape", kind = "reshape"} : () -> ()
"gmem.pure_ops"() {ops = ["my.f"]} : () -> ()
module @nested {
  "gmem.op_model"() {op = "my.other", kind = "reshape"} : () -> ()
}
// CHECK: llvm.func @main
// REMOVED: module @nested {
// REMOVED-NEXT: }
// REMOVED: func.func @main
// REMOVED: memref.copy
// RUNS: equal: the planned and unplanned outputs are bitwise equal
func.func @main(%a: memref<4xi32>, %b: memref<4xi32>) {
  %m = memref.alloc() : memref<4xi32>
  memref.copy %a, %m : memref<4xi32> to memref<4xi32>
  memref.copy %m, %b : memref<4xi32> to memref<4xi32>
  return
}
