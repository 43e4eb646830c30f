// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gmem.state: memory that is kept between runs. Nothing else is in its bytes,
// at any time and in any function, but the state after a run.

// RUN: gmem-opt --split-input-file --gmem-plan=alignment=64 %s | FileCheck %s
// RUN: gmem-opt --split-input-file --gmem-plan=alignment=64 %s -o %t
// RUN: gmem-opt --split-input-file --gmem-verify-plan=only=contents %t -o /dev/null

// Without the attribute, all memory is that of the function with the most.
// RUN: sed 's/ {gmem.state}//' %s > %t.none.mlir
// RUN: gmem-opt --split-input-file --gmem-plan=alignment=64 %t.none.mlir -o %t.none
// RUN: FileCheck %s --check-prefix=NONE < %t.none
// NONE: peak = 4096

// A plan made without it is refused, by placement and by contents alone.
// RUN: sed 's/%%kept: tensor<64xf32> {/%%kept: tensor<64xf32> {gmem.state, /; s/%%arg1: tensor<64xf32> {/&gmem.state, /' %t.none > %t.wrong
// RUN: not cmp -s %t.none %t.wrong
// RUN: not gmem-opt --split-input-file --gmem-verify-plan %t.wrong -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLACED
// PLACED: error: {{.*}}share
// RUN: not gmem-opt --split-input-file --gmem-verify-plan=only=contents %t.wrong -o /dev/null 2>&1 | FileCheck %s --check-prefix=CONTENTS
// CONTENTS: error: the state has bytes {{.*}} which another function uses between two runs

// So is one that writes over what its function must keep.
// RUN: sed 's/%%arg0: tensor<16xi32> {/&gmem.state, /' %t.none > %t.over
// RUN: not gmem-opt --split-input-file --gmem-verify-plan=only=contents %t.over -o /dev/null 2>&1 | FileCheck %s --check-prefix=OVER
// OVER: error: 'func.return' returns, but must keep

// CHECK: peak = 5376
// CHECK: func.func @step
// CHECK-SAME: gmem.offset = 1280
// CHECK-SAME: gmem.offset = 0 : i64, {{.*}}gmem.state
func.func @step(%token: tensor<64xf32>, %cache: tensor<256xf32> {gmem.state}, %at: index)
    -> (tensor<64xf32>, tensor<256xf32> {gmem.same_as = 1 : i64}) {
  %k = tosa.exp %token : (tensor<64xf32>) -> tensor<64xf32>
  // CHECK: tensor.insert_slice {{.*}}gmem.offset = array<i64: 0>
  %next = tensor.insert_slice %k into %cache[%at] [64] [1] : tensor<64xf32> into tensor<256xf32>
  // CHECK: tosa.tanh {{.*}}gmem.offset = array<i64: 1280>
  %t = tosa.tanh %next : (tensor<256xf32>) -> tensor<256xf32>
  %o = tensor.extract_slice %t[0] [64] [1] : tensor<256xf32> to tensor<64xf32>
  return %o, %next : tensor<64xf32>, tensor<256xf32>
}
// A state that only this function reads is not overwritten in place.
// CHECK: func.func @table
// CHECK-SAME: gmem.offset = 1024 : i64, {{.*}}gmem.state
func.func @table(%x: tensor<64xf32>, %kept: tensor<64xf32> {gmem.state}) -> tensor<64xf32> {
  // CHECK: tosa.exp {{.*}}gmem.offset = array<i64: 1536>
  %0 = tosa.exp %kept : (tensor<64xf32>) -> tensor<64xf32>
  %1 = tosa.add %0, %x : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %1 : tensor<64xf32>
}
// CHECK: func.func @other
// CHECK-SAME: gmem.offset = 1280
func.func @other(%x: tensor<512xf32>) -> tensor<512xf32> {
  %0 = tosa.sigmoid %x : (tensor<512xf32>) -> tensor<512xf32>
  %1 = tosa.reverse %0 {axis = 0 : i32} : (tensor<512xf32>) -> tensor<512xf32>
  return %1 : tensor<512xf32>
}

// -----

// Alone in its program, a state that is only read is kept to the end: the
// results are not computed in its place. %0 is 64 bytes behind it.
// CHECK: func.func @alone
// CHECK-SAME: gmem.offset = 0 : i64
// CHECK: tosa.abs {{.*}}gmem.offset = array<i64: 64>
func.func @alone(%kept: tensor<16xi32> {gmem.state}) -> tensor<16xi32> {
  %0 = tosa.abs %kept : (tensor<16xi32>) -> tensor<16xi32>
  return %0 : tensor<16xi32>
}
