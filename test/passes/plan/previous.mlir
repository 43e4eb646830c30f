// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An earlier plan keeps offsets: an op that is inserted moves nothing that has
// room where it was.
// RUN: gmem-opt --allow-unregistered-dialect --mlir-print-debuginfo --gmem-plan=alignment=64 %s -o %t.old.mlir
// RUN: sed 's,^ *// INSERT ,,' %s >%t.edited.mlir
// RUN: gmem-opt --allow-unregistered-dialect --mlir-print-debuginfo --gmem-plan="alignment=64 previous=%t.old.mlir" %t.edited.mlir -o %t.new.mlir 2>&1 | FileCheck %s
// RUN: gmem-opt --allow-unregistered-dialect --gmem-verify-plan %t.new.mlir -o /dev/null
// RUN: not gmem-diff %t.old.mlir %t.new.mlir | FileCheck --check-prefix=DIFF %s

// CHECK: remark: previous: 5 of 5 buffers kept, 0 moved, 1 new or of another size
// DIFF: buffers: 0 gone, 1 new, 0 grown, 0 shrunk, 0 moved

// Not by chance: without it, some move.
// RUN: gmem-opt --allow-unregistered-dialect --mlir-print-debuginfo --gmem-plan=alignment=64 %t.edited.mlir -o %t.fresh.mlir
// RUN: not gmem-diff %t.old.mlir %t.fresh.mlir | FileCheck --check-prefix=MOVED %s
// MOVED: {{[1-9][0-9]*}} moved

// The same again is the same bytes; so is a plan that is its own earlier one.
// RUN: gmem-opt --allow-unregistered-dialect --mlir-print-debuginfo --gmem-plan="alignment=64 previous=%t.old.mlir" %t.edited.mlir -o %t.twice.mlir
// RUN: cmp %t.new.mlir %t.twice.mlir
// RUN: gmem-opt --allow-unregistered-dialect --mlir-print-debuginfo --gmem-plan="alignment=64 previous=%t.new.mlir" %t.edited.mlir -o %t.own.mlir
// RUN: cmp %t.new.mlir %t.own.mlir

// RUN: not gmem-opt --allow-unregistered-dialect --gmem-plan=previous=%t.none.mlir %s 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: error: previous: '{{.*}}.none.mlir' cannot be read as MLIR; plan JSON and plan images are not read here, only planned modules
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-plan=previous=%t.edited.mlir %s 2>&1 | FileCheck --check-prefix=NOPLAN %s
// NOPLAN: error: previous: '{{.*}}.edited.mlir' has no valid plan
// A device may have no end.
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-plan=previous=/dev/zero %s 2>&1 | FileCheck --check-prefix=DEVICE %s
// DEVICE: error: previous: '/dev/zero' is not a regular file
// An earlier plan that is damaged is no plan.
// RUN: sed 's/array<i64: 128>/array<i64: 384>/' %t.old.mlir >%t.damaged.mlir
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-plan=previous=%t.damaged.mlir %s 2>&1 | FileCheck --check-prefix=DAMAGED %s
// DAMAGED: has no valid plan

// With gmem.constraints, the penalty in gmem.plan is without the buffers that move, and the
// remark says that its own has both.
// RUN: sed -e 's/"b.op"(%a)/"b.op"(%a) {gmem.tag = "b"}/' -e 's/"c.op"(%a, %b)/"c.op"(%a, %b) {gmem.tag = "c"}/' -e 's/^func.func @main.*{$/module attributes {gmem.constraints = [{kind = "apart", first = "b", second = "c", penalty = 2 : i64}]} {\n&/' -e 's/^}$/}\n}/' %s >%t.rules.mlir
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan="alignment=64 previous=%t.old.mlir" %t.rules.mlir -o %t.ruled.mlir 2>&1 | FileCheck --check-prefix=RULES %s
// RUN: gmem-opt --allow-unregistered-dialect --gmem-verify-plan=figures=strict %t.ruled.mlir -o /dev/null
// RULES: remark: gmem.constraints and previous: penalty {{[0-9]+}},

func.func @main(%x: tensor<16xf32>) -> (tensor<64xf32>, tensor<32xf32>) {
  %a = "a.op"(%x) : (tensor<16xf32>) -> tensor<32xf32> loc("a")
  %b = "b.op"(%a) : (tensor<32xf32>) -> tensor<16xf32> loc("b")
  // INSERT %n = "n.op"(%b) : (tensor<16xf32>) -> tensor<64xf32> loc("n")
  // INSERT "m.op"(%n) : (tensor<64xf32>) -> () loc("m")
  %c = "c.op"(%a, %b) : (tensor<32xf32>, tensor<16xf32>) -> tensor<64xf32> loc("c")
  %d = "d.op"(%c, %b) : (tensor<64xf32>, tensor<16xf32>) -> tensor<32xf32> loc("d")
  return %c, %d : tensor<64xf32>, tensor<32xf32>
}
