// The pools in which each buffer may be placed and its constraints, and the
// problem that the planner gets, as text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: gmem-opt %s --split-input-file --allow-unregistered-dialect --gmem-debug=pools+problem '--gmem-plan=io=separate capacity=64K' -o /dev/null 2>&1 | FileCheck %s --match-full-lines --strict-whitespace

// CHECK:== pools
// CHECK-NEXT:pool 0: 'tensors', alignment 128
// CHECK-NEXT:pool 1: 'io', alignment 0
// CHECK-NEXT:alias set 0: pools 1, fixed at 4096
// CHECK-NEXT:alias set 1: pools 0
// CHECK-NEXT:alias set 2: pools 1, at the offset of alias set 0
// CHECK-NEXT:== problem
// CHECK-NEXT:pool 0: 'tensors', alignment 4096, capacity 65536
// CHECK-NEXT:pool 1: 'io', alignment 4096
// CHECK-NEXT:buffer 0: argument #0 of @f, 256 bytes, alignment 64, 2 uses, pools 1, fixed at 4096, times [0, 2)
// CHECK-NEXT:buffer 1: result #0 of 'tosa.exp', 256 bytes, alignment 64, 2 uses, pools 0, times [1, 3)
// CHECK-NEXT:buffer 2: result #0 of 'a.work', 256 bytes, alignment 64, 2 uses, pools 1, times [2, 4)
// CHECK-NEXT:buffer 3: workbuffer #0 of 'a.work', 100 bytes, alignment 128, 1 uses, pools 0, times [2, 3)
// CHECK-NEXT:buffer 2 is at byte 0 of buffer 0
// CHECK-NEXT:buffer 1 may be at byte 0 of buffer 0
func.func @f(%a: tensor<64xf32> {gmem.fixed = 4096 : i64}) -> (tensor<64xf32> {gmem.same_as = 0 : i64}) {
  %0 = tosa.exp %a : (tensor<64xf32>) -> tensor<64xf32>
  %1 = "a.work"(%0) {gmem.workbuffers = [{size = 100 : i64, alignment = 128 : i64}]} : (tensor<64xf32>) -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// -----

// Streams leave the two accesses unordered.
// CHECK:== pools
// CHECK-NEXT:pool 0: 'memory', alignment 64
// CHECK-NEXT:pool 1: 'memory.1', alignment 64
// CHECK-NEXT:alias set 0: pools 0, alignment 64
// CHECK-NEXT:alias set 1: pools 1, alignment 64
// CHECK-NEXT:== problem
// CHECK-NEXT:pool 0: 'memory', alignment 64
// CHECK-NEXT:pool 1: 'memory.1', alignment 64
// CHECK-NEXT:buffer 0: result #0 of 'memref.alloc', 4 bytes, alignment 64, 2 uses, pools 0, times [3, 4)
// CHECK-NEXT:buffer 1: result #0 of 'memref.alloc', 4 bytes, alignment 64, 2 uses, pools 1, times [4, 5)
// CHECK-NEXT:buffers 0 and 1 share no bytes
func.func @streams() {
  %a = memref.alloc() : memref<1xi32>
  %b = memref.alloc() {alignment = 32 : i64} : memref<1xi32, 1>
  "a.write"(%a) {gmem.stream = 1 : i64} : (memref<1xi32>) -> ()
  "a.write"(%b) {gmem.stream = 2 : i64} : (memref<1xi32, 1>) -> ()
  return
}
