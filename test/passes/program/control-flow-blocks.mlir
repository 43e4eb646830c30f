// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan=sharing=none %s | FileCheck %s
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan=sharing=transfer %s | FileCheck %s --check-prefix=STAY

// Blocks with branches, of any terminator: live is what a way through the
// blocks leads to a use of. Peaks in granules of 4096 bytes.

// 1. %a is live in the blocks between its definition and its use, not in ^other,
// which stands between them in the text.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @between
func.func @between(%c: i1, %a: tensor<1024xi32>) {
  cf.cond_br %c, ^use, ^other
^other:
  %0 = "a.one"() : () -> tensor<1024xi32>
  %1 = "a.two"(%0) : (tensor<1024xi32>) -> tensor<1024xi32>
  return
^use:
  %2 = "a.three"(%a) : (tensor<1024xi32>) -> tensor<1024xi32>
  return
}

// -----

// 2. A loop of blocks: %0 is used in it and lives in all of it, %a does not; the
// argument is written where control comes from.
// CHECK: peak = 16384
// STAY: peak = 12288
// CHECK-LABEL: func.func @loop
// CHECK-SAME: gmem.block_args = [{block = 1 : i64, offset = array<i64: {{[0-9]+}}>, pool = ["tensors"], region = 0 : i64
func.func @loop(%c: i1) {
  %a = "a.start"() : () -> tensor<1024xi32>
  %0 = "a.start"(%a) : (tensor<1024xi32>) -> tensor<1024xi32>
  %1 = "a.start"() : () -> tensor<1024xi32>
  cf.br ^loop(%1 : tensor<1024xi32>)
^loop(%2: tensor<1024xi32>):
  %3 = "a.first"(%2) : (tensor<1024xi32>) -> tensor<1024xi32>
  cf.br ^next
^end:
  return
^next:
  %4 = "a.second"(%0, %3) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  cf.cond_br %c, ^loop(%4 : tensor<1024xi32>), ^end
}

// -----

// 3. A function with two returns: each of its values must be there at its own.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @returns
func.func @returns(%c: i1, %a: tensor<1024xi32>) -> tensor<1024xi32> {
  cf.cond_br %c, ^one, ^two
^one:
  %0 = "a.one"(%a) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %0 : tensor<1024xi32>
^two:
  %1 = "a.two"() : () -> tensor<1024xi32>
  %2 = "a.three"(%1) : (tensor<1024xi32>) -> tensor<1024xi32>
  return %2 : tensor<1024xi32>
}

// -----

// 4. A terminator that nobody knows, with more operands than its blocks have
// arguments: the last ones are theirs.
// CHECK: peak = 12288
// STAY: peak = 8192
// CHECK-LABEL: func.func @unknown_terminator
func.func @unknown_terminator(%a: tensor<1024xi32>, %b: tensor<1024xi32>) {
  "a.branch"(%a, %b)[^next] : (tensor<1024xi32>, tensor<1024xi32>) -> ()
^next(%x: tensor<1024xi32>):
  %0 = "a.one"(%x) : (tensor<1024xi32>) -> tensor<1024xi32>
  return
}

// -----

// 5. One whose operands are not those of its blocks: the argument is written
// while all of them are there, and is where none of them is.
// CHECK: peak = 8192
// STAY: peak = 8192
// CHECK-LABEL: func.func @strange_terminator
func.func @strange_terminator(%a: tensor<1024xi32>) {
  "a.branch"(%a)[^next, ^next] : (tensor<1024xi32>) -> ()
^next(%x: tensor<1024xi32>):
  "a.use"(%x) : (tensor<1024xi32>) -> ()
  return
}

// -----

// 6. To one block by two ways: %y may be handed to %x while %z is wanted later,
// so that %x cannot lie where %z is, although it is not used.
// STAY: peak = 12288
// STAY-LABEL: func.func @two_ways
func.func @two_ways(%c: i1, %y: tensor<1024xi32>, %z: tensor<1024xi32>) {
  cf.cond_br %c, ^next(%y : tensor<1024xi32>), ^next(%z : tensor<1024xi32>)
^next(%x: tensor<1024xi32>):
  "a.use"(%z) : (tensor<1024xi32>) -> ()
  return
}

// -----

// 7. Blocks inside of an op: what comes from outside lives as long as the op,
// which is a loop for all that is known; what is inside goes by the blocks.
// CHECK: peak = 12288
// CHECK-LABEL: func.func @inside
func.func @inside(%c: i1, %a: tensor<1024xi32>) {
  "a.loop"() ({
    %0 = "a.start"() : () -> tensor<1024xi32>
    cf.cond_br %c, ^one, ^two
  ^one:
    %1 = "a.one"() : () -> tensor<1024xi32>
    %2 = "a.two"(%1) : (tensor<1024xi32>) -> tensor<1024xi32>
    "a.yield"() : () -> ()
  ^two:
    "a.use"(%0, %a) : (tensor<1024xi32>, tensor<1024xi32>) -> ()
    "a.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

// 8. A block that control does not come to has places all the same.
// CHECK-LABEL: func.func @never
// CHECK: a.never{{.*}}gmem.offset
func.func @never(%a: tensor<1024xi32>) {
  "a.use"(%a) : (tensor<1024xi32>) -> ()
  return
^never(%x: tensor<1024xi32>):
  %0 = "a.never"(%x, %a) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  cf.br ^never(%0 : tensor<1024xi32>)
}

// -----

// 9. Inputs that are kept live on all ways to all ends.
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='sharing=none keep-inputs=true' %s | FileCheck %s --check-prefix=KEEP
// KEEP: peak = 12288
// KEEP-LABEL: func.func @kept
func.func @kept(%c: i1, %a: tensor<1024xi32>) {
  cf.cond_br %c, ^one, ^two
^one:
  "a.use"(%a) : (tensor<1024xi32>) -> ()
  return
^two:
  %1 = "a.two"() : () -> tensor<1024xi32>
  %2 = "a.three"(%1) : (tensor<1024xi32>) -> tensor<1024xi32>
  return
}

// -----

// 10. A loop of blocks that %x, which its head makes, does not go round: it is
// made anew each time, so it is not there in the rest of the loop, although that
// stands between its definition and its use.
// CHECK: peak = 8192
// CHECK-LABEL: func.func @out_of_loop
func.func @out_of_loop(%c: i1) {
  cf.br ^head
^head:
  %x = "a.head"() : () -> tensor<1024xi32>
  cf.cond_br %c, ^rest, ^behind
^rest:
  %0 = "a.one"() : () -> tensor<1024xi32>
  %1 = "a.two"(%0) : (tensor<1024xi32>) -> tensor<1024xi32>
  cf.br ^head
^behind:
  "a.use"(%x) : (tensor<1024xi32>) -> ()
  return
}

// -----

// 11. A row of blocks with a loop in it, which goes back above %x: %a, from
// before the loop, is live in all of it, and so is %x in what is behind it.
// CHECK: peak = 16384
// CHECK-LABEL: func.func @row
func.func @row(%c: i1) {
  %a = "a.start"() : () -> tensor<1024xi32>
  cf.br ^one
^one:
  cf.br ^two
^two:
  %x = "a.two"() : () -> tensor<1024xi32>
  cf.cond_br %c, ^three, ^four
^three:
  cf.br ^five
^four:
  cf.br ^five
^five:
  %0 = "a.five"(%x) : (tensor<1024xi32>) -> tensor<1024xi32>
  %1 = "a.five"(%0, %x) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  cf.cond_br %c, ^one, ^six
^six:
  "a.use"(%a) : (tensor<1024xi32>) -> ()
  return
}

// -----

// 12. ^again stands behind %a's use in the text, and control goes on from it to
// that: %a is live there.
// CHECK: peak = 12288
// CHECK-LABEL: func.func @from_below
func.func @from_below(%c: i1) {
  %a = "a.start"() : () -> tensor<1024xi32>
  cf.cond_br %c, ^one, ^two
^one:
  cf.cond_br %c, ^two, ^again
^two:
  "a.use"(%a) : (tensor<1024xi32>) -> ()
  return
^again:
  %0 = "a.one"() : () -> tensor<1024xi32>
  %1 = "a.two"(%0) : (tensor<1024xi32>) -> tensor<1024xi32>
  cf.br ^one
}
