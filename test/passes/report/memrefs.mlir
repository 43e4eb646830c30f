// A report on memrefs: roots are the buffers, each with the memory space it is
// in; what is left alone comes with the op that is the reason.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --gmem-report %s -o %t.out 2> %t.err
// RUN: FileCheck %s --match-full-lines < %t.err
// RUN: gmem-opt %s | cmp - %t.out
// RUN: gmem-opt --gmem-report=format=json %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=JSON
// RUN: gmem-opt --gmem-report=format=remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARKS
func.func private @outside(memref<8xf32>)
func.func @main(%x: memref<8xf32>, %n: index) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32, 1>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32, 1>
  %c = memref.alloc() : memref<8xf32>
  memref.copy %b, %c : memref<8xf32, 1> to memref<8xf32>
  %d = memref.alloc(%n) : memref<?xf32>
  %e = memref.alloc() : memref<8xf32>
  linalg.exp ins(%c : memref<8xf32>) outs(%e : memref<8xf32>)
  call @outside(%e) : (memref<8xf32>) -> ()
  %f = memref.alloc() : memref<8xf32>
  linalg.exp ins(%e : memref<8xf32>) outs(%f : memref<8xf32>)
  memref.dealloc %a : memref<8xf32>
  return %f : memref<8xf32>
}
// CHECK: pool memory: 32 bytes, equal to the lower bound
// CHECK-NEXT:  2 buffers, 64 bytes in total; reuse 2.00; alignment 64
// CHECK:  main/%alloc{{ .*}} linalg.exp (memrefs.mlir:{{[0-9]+}}:3) memref.copy (memrefs.mlir:{{[0-9]+}}:3) main/%alloc_1
// CHECK:  main/%alloc_1{{ .*}} main/%alloc
// CHECK: pool memory.1: 32 bytes, equal to the lower bound
// CHECK: not planned: 3 values
// CHECK-NEXT:  its size is dynamic and has no known bound: 1; dynamic-bound= bounds it
// CHECK-NEXT:    result #0 of 'memref.alloc' in @main, memrefs.mlir:19:8
// CHECK-NEXT:  it is passed to an unknown function: 1; a body of the function, or its inlining
// CHECK-NEXT:    result #0 of 'memref.alloc' in @main, memrefs.mlir:20:8: see func.call (memrefs.mlir:22:3)
// CHECK-NEXT:  it is returned: 1; MLIR's buffer-results-to-out-params{hoist-static-allocs=true} has the caller allocate it
// CHECK-NEXT:    result #0 of 'memref.alloc' in @main, memrefs.mlir:23:8: see func.return (memrefs.mlir:26:3)
// JSON: "reason": "it is returned", "help": "MLIR's buffer-results-to-out-params{hoist-static-allocs=true} has the caller allocate it", "cause": {"op": "func.return", "location": "{{.*}}memrefs.mlir:26:3"}}],
// REMARKS: memrefs.mlir:15:8: remark: planned: pool=memory.1, offset=0, size=32 bytes
// REMARKS: memrefs.mlir:23:8: remark: not planned: result #0 of 'memref.alloc': it is returned
// REMARKS: memrefs.mlir:26:3: note: because of this op
