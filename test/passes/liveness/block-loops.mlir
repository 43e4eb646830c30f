// A value from outside is live in a loop of blocks as a whole, and on every way
// into it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt %s --split-input-file --allow-unregistered-dialect --gmem-plan=debug=liveness -o /dev/null 2>&1 | FileCheck %s

// A loop with two entries, ^header and, from ^beside, ^body: the value is live
// in ^beside, too (steps 3 to 5).
// CHECK: value 0: tensor, steps [1, 9)
// CHECK-NEXT: value 1: tensor, steps [3, 5)
func.func @two_entries(%c: i1) {
  %v = "net.v"() : () -> tensor<64xf32>
  cf.cond_br %c, ^beside, ^header
^beside:
  %w = "net.w"() : () -> tensor<64xf32>
  "net.use"(%w) : (tensor<64xf32>) -> ()
  cf.br ^body
^header:
  cf.br ^body
^body:
  "net.use"(%v) : (tensor<64xf32>) -> ()
  cf.cond_br %c, ^header, ^end
^end:
  return
}

// -----

// The value is used in the inner loop, and live before both and until the outer
// one ends.
// CHECK: value 0: tensor, steps [1, 12)
// CHECK-NEXT: value 1: tensor, steps [3, 5)
// CHECK-NEXT: value 2: tensor, steps [9, 11)
// CHECK-NEXT: value 3: tensor, steps [12, 14)
func.func @nest(%c: i1) {
  %v = "net.v"() : () -> tensor<64xf32>
  cf.br ^before
^before:
  %w = "net.w"() : () -> tensor<64xf32>
  "net.use"(%w) : (tensor<64xf32>) -> ()
  cf.br ^outer
^outer:
  cf.br ^inner
^inner:
  "net.use"(%v) : (tensor<64xf32>) -> ()
  cf.cond_br %c, ^inner, ^latch
^latch:
  %z = "net.z"() : () -> tensor<64xf32>
  "net.use"(%z) : (tensor<64xf32>) -> ()
  cf.cond_br %c, ^outer, ^end
^end:
  %e = "net.e"() : () -> tensor<64xf32>
  "net.use"(%e) : (tensor<64xf32>) -> ()
  return
}
