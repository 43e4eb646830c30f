// The report of a program that has a plan is of that plan, unless a new one is
// asked for. A plan that is wrong is not reported.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: gmem-opt %s --gmem-plan='alignment=64 sharing=none' -o %t.mlir
// RUN: gmem-opt %t.mlir --gmem-report 2>&1 >/dev/null | FileCheck %s
// RUN: gmem-opt %t.mlir --gmem-report='replan=true alignment=64' 2>&1 >/dev/null | FileCheck --check-prefix=AGAIN %s
// RUN: gmem-opt %s --gmem-report=alignment=64 2>&1 >/dev/null | FileCheck --check-prefix=AGAIN %s
// RUN: sed 's/gmem.offset = array<i64: 256>/gmem.offset = array<i64: 0>/' %t.mlir > %t.broken.mlir
// RUN: not gmem-opt %t.broken.mlir --gmem-report 2>&1 >/dev/null | FileCheck --check-prefix=BROKEN %s
// CHECK:  pool memory: 512 bytes
// AGAIN:  pool memory: 256 bytes
// BROKEN: error: {{.*}} share bytes
// BROKEN-NOT: pool memory: 
func.func @main(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  %b = memref.alloc() : memref<64xf32>
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  linalg.exp ins(%b : memref<64xf32>) outs(%y : memref<64xf32>)
  return
}
