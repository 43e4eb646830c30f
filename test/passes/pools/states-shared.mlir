// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gmem.state with a name: one state of several functions, at one place.

// RUN: gmem-opt --gmem-plan=alignment=64 %s -o %t
// RUN: FileCheck %s < %t
// RUN: gmem-opt --gmem-verify-plan=only=contents %t -o /dev/null
// RUN: gmem-opt --gmem-verify-plan=only=placement %t -o /dev/null

// Without a name, each function has a state of its own.
// RUN: sed 's/gmem.state = "cache"/gmem.state/' %s | gmem-opt --gmem-plan=alignment=64 | FileCheck %s --check-prefix=OWN
// OWN: peak = 7168

// Negative controls: the state of one function is elsewhere; a value of a function
// that does not share it has its bytes; one that shares it loses it.
// RUN: sed '/@reads/s/gmem.offset = 0 : i64/gmem.offset = 3072 : i64/' %t > %t.moved
// RUN: not cmp -s %t %t.moved
// RUN: not gmem-opt --gmem-verify-plan=only=placement %t.moved -o /dev/null 2>&1 | FileCheck %s --check-prefix=MOVED-PLACE
// MOVED-PLACE: error: {{.*}} gmem.state requires
// RUN: not gmem-opt --gmem-verify-plan=only=contents %t.moved -o /dev/null 2>&1 | FileCheck %s --check-prefix=MOVED
// MOVED: error: the state is at another place than in another function, which has it in bytes [0, 1024)
// RUN: sed '/@reads/s/, gmem.state = "cache"//' %t > %t.dropped
// RUN: not cmp -s %t %t.dropped
// RUN: not gmem-opt --gmem-verify-plan=only=contents %t.dropped -o /dev/null 2>&1 | FileCheck %s --check-prefix=DROPPED
// DROPPED: error: the state has bytes [0, 1024) {{.*}} which another function uses between two runs
// RUN: sed '/tosa.exp/s/gmem.offset = array<i64: [0-9]*>/gmem.offset = array<i64: 0>/' %t > %t.lost
// RUN: not cmp -s %t %t.lost
// RUN: not gmem-opt --gmem-verify-plan=only=contents %t.lost -o /dev/null 2>&1 | FileCheck %s --check-prefix=LOST
// LOST: error: 'func.return' returns, but must keep
// RUN: not gmem-opt --gmem-verify-plan=only=placement %t.lost -o /dev/null 2>&1 | FileCheck %s --check-prefix=LOST-PLACE
// LOST-PLACE: error: {{.*}}share bytes

// The image has one state, of which the others are names; it is zero at first, and
// kept.
// RUN: gmem-translate --gmem-to-image %t -o %t.gmem
// RUN: gmem-run %t.gmem | FileCheck %s --check-prefix=TABLE
// TABLE:      tensors {{.*}} always {{.*}} filled
// TABLE-NEXT: next
// TABLE-NEXT: step/%arg1
// TABLE-NOT:  always
// RUN: gmem-run %t.gmem --requests 4

// Both functions write the state, a third one reads it.
// CHECK: peak = 5120
// CHECK: func.func @fill
// CHECK-SAME: gmem.offset = 0 : i64, {{[^)]*}}gmem.state = "cache"
func.func @fill(%prompt: tensor<256xf32>, %filled: tensor<256xf32> {gmem.state = "cache"} loc("filled"))
    -> (tensor<256xf32> {gmem.same_as = 1 : i64}) {
  // CHECK: tosa.add {{.*}}gmem.offset = array<i64: 0>
  %0 = tosa.add %filled, %prompt : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32> loc("next")
  return %0 : tensor<256xf32>
}
// CHECK: func.func @step
// CHECK-SAME: gmem.offset = 0 : i64, {{[^)]*}}gmem.state = "cache"
func.func @step(%token: tensor<64xf32>, %cache: tensor<4x64xf32> {gmem.state = "cache"}, %at: index)
    -> (tensor<64xf32>, tensor<4x64xf32> {gmem.same_as = 1 : i64}) {
  %k = tosa.tanh %token : (tensor<64xf32>) -> tensor<64xf32>
  // CHECK: tensor.insert_slice {{.*}}gmem.offset = array<i64: 0>
  %next = tensor.insert_slice %k into %cache[%at, 0] [1, 64] [1, 1] : tensor<64xf32> into tensor<4x64xf32>
  return %k, %next : tensor<64xf32>, tensor<4x64xf32>
}
// CHECK: func.func @reads
// CHECK-SAME: gmem.offset = 0 : i64, {{[^)]*}}gmem.state = "cache"
func.func @reads(%x: tensor<256xf32> {gmem.state = "cache"}) -> tensor<256xf32> {
  %0 = tosa.exp %x : (tensor<256xf32>) -> tensor<256xf32>
  return %0 : tensor<256xf32>
}
// CHECK: func.func @other
// CHECK-SAME: gmem.offset = 1024 : i64
func.func @other(%x: tensor<512xf32>) -> tensor<512xf32> {
  %0 = tosa.sigmoid %x : (tensor<512xf32>) -> tensor<512xf32>
  %1 = tosa.reverse %0 {axis = 0 : i32} : (tensor<512xf32>) -> tensor<512xf32>
  return %1 : tensor<512xf32>
}
