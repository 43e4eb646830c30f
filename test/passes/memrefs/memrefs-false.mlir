// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan=memrefs=false --gmem-verify-plan %s 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t
// The plan says that it is one of tensors; without that it would be incomplete.
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan=memrefs=false %s 2> %t | sed 's/memrefs = false, //' > %t.mlir
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan %t.mlir 2>&1 | FileCheck %s --check-prefix=WITHOUT
// RUN: not gmem-opt --gmem-plan=memrefs=perhaps %s 2>&1 | FileCheck %s --check-prefix=WORD

// With memrefs=false only tensors are planned: what the program allocates, and
// constant memrefs, stay as they are.
// CHECK: gmem.plan = {{.*}}memrefs = false
// CHECK-SAME: name = "tensors", size = 64 : i64
// CHECK-NOT: name = "memory"
// REMARK: remark: this memref of @f is not planned: planning of memrefs is disabled (memrefs=false)
// WITHOUT: error: result #0 of 'memref.alloc' needs memory but has no offset
// WORD: memrefs
memref.global "private" constant @g : memref<4xf32> = dense<1.0>
func.func @f(%a: tensor<16xf32>) {
  // CHECK: memref.alloc() : memref<4xf32>
  %m = memref.alloc() : memref<4xf32>
  // CHECK: memref.get_global @g : memref<4xf32>
  %g = memref.get_global @g : memref<4xf32>
  memref.copy %g, %m : memref<4xf32> to memref<4xf32>
  "a.b"(%a, %m) : (tensor<16xf32>, memref<4xf32>) -> ()
  return
}
