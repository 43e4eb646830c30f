// A value is live in the blocks in front of one at whose begin it is live, as
// far as all of them reach that: as a whole, and in no other block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt %s --split-input-file --allow-unregistered-dialect --gmem-plan=debug=liveness -o /dev/null 2>&1 | FileCheck %s

// The value is live in both arms of both branches, and in a loop between them.
// CHECK: value 0: tensor, steps [1, 12)
func.func @ladder(%c: i1) {
  %v = "net.v"() : () -> tensor<64xf32>
  cf.cond_br %c, ^left, ^right
^left:
  cf.br ^join
^right:
  cf.br ^join
^join:
  cf.br ^header
^header:
  cf.cond_br %c, ^body, ^behind
^body:
  cf.br ^header
^behind:
  cf.cond_br %c, ^one, ^other
^one:
  cf.br ^end
^other:
  cf.br ^end
^end:
  "net.use"(%v) : (tensor<64xf32>) -> ()
  return
}

// -----

// It is not live in ^left (steps 4 and 5), which leaves without it.
// CHECK: value 0: tensor, steps [1, 4) [6, 8)
func.func @left(%c: i1) {
  %v = "net.v"() : () -> tensor<64xf32>
  cf.br ^before
^before:
  "net.switch"()[^left, ^right, ^end] : () -> ()
^left:
  "net.op"() : () -> ()
  cf.br ^far
^right:
  cf.br ^end
^end:
  "net.use"(%v) : (tensor<64xf32>) -> ()
  cf.br ^far
^far:
  return
}

// -----

// It is not live in ^again (steps 6 and 7), behind which it is defined again.
// CHECK: value 0: tensor, steps [3, 6) [8, 10)
func.func @again(%c: i1) {
  cf.br ^header
^header:
  cf.br ^definition
^definition:
  %v = "net.v"() : () -> tensor<64xf32>
  cf.br ^before
^before:
  "net.switch"()[^again, ^rest, ^end] : () -> ()
^again:
  "net.op"() : () -> ()
  cf.br ^header
^rest:
  cf.br ^end
^end:
  "net.use"(%v) : (tensor<64xf32>) -> ()
  return
}

// -----

// ^end goes back to the middle of the blocks in front of it: it is live in all
// of ^end (steps 5 to 7).
// CHECK: value 0: tensor, steps [1, 8)
func.func @entered(%c: i1) {
  %v = "net.v"() : () -> tensor<64xf32>
  cf.br ^before
^before:
  cf.cond_br %c, ^middle, ^end
^middle:
  cf.br ^end
^end:
  "net.use"(%v) : (tensor<64xf32>) -> ()
  "net.op"() : () -> ()
  cf.cond_br %c, ^middle, ^far
^far:
  return
}

// -----

// ^latch goes back to the block in front of which they are: it is live in all
// of ^latch (steps 6 and 7).
// CHECK: value 0: tensor, steps [1, 8)
func.func @latch(%c: i1) {
  %v = "net.v"() : () -> tensor<64xf32>
  cf.br ^before
^before:
  cf.cond_br %c, ^header, ^latch
^header:
  "net.use"(%v) : (tensor<64xf32>) -> ()
  cf.br ^latch
^latch:
  "net.op"() : () -> ()
  cf.cond_br %c, ^header, ^far
^far:
  return
}
