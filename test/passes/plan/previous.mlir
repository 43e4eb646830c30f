// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An earlier plan keeps offsets: an op that is inserted moves nothing that has
// room where it was.
// RUN: gmem-opt --allow-unregistered-dialect --mlir-print-debuginfo --gmem-plan=alignment=64 %s -o %t.old.mlir
// RUN: sed 's,^ *// INSERT ,,' %s >%t.edited.mlir
// RUN: gmem-opt --allow-unregistered-dialect --mlir-print-debuginfo --gmem-plan="alignment=64 previous=%t.old.mlir" %t.edited.mlir -o %t.new.mlir 2>&1 | FileCheck %s
// RUN: gmem-opt --allow-unregistered-dialect --gmem-verify-plan %t.new.mlir -o /dev/null
// RUN: not gmem-diff %t.old.mlir %t.new.mlir | FileCheck --check-prefix=DIFF %s

// CHECK: remark: previous: 5 of 5 buffers kept, 0 moved, 0 of another size or pool, 1 new
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

// The same with plan JSON and a plan image of that plan.
// RUN: gmem-translate --gmem-to-json %t.old.mlir -o %t.old.json
// RUN: gmem-translate --gmem-to-image %t.old.mlir -o %t.old.gmem
// RUN: gmem-opt --allow-unregistered-dialect --mlir-print-debuginfo --gmem-plan="alignment=64 previous=%t.old.json" %t.edited.mlir -o %t.json.mlir
// RUN: cmp %t.new.mlir %t.json.mlir
// RUN: gmem-opt --allow-unregistered-dialect --mlir-print-debuginfo --gmem-plan="alignment=64 previous=%t.old.gmem" %t.edited.mlir -o %t.image.mlir
// RUN: cmp %t.new.mlir %t.image.mlir

// What could not be kept is listed: other shapes, other alignments, other pools.
// RUN: sed 's/64xf32/65xf32/' %t.edited.mlir >%t.shape.mlir
// RUN: gmem-opt --allow-unregistered-dialect --mlir-print-debuginfo --gmem-plan="alignment=64 previous=%t.old.json" %t.shape.mlir -o /dev/null 2>&1 | FileCheck --check-prefix=SHAPE %s
// SHAPE: remark: previous: {{[0-9]}} of 4 buffers kept, {{[0-9]}} moved, 1 of another size or pool, 1 new
// SHAPE: note: {{.*}}of another size or pool: result #0 of 'c.op' (c), before: 256 bytes at 128 of pool 'tensors', now: 260 bytes at
// RUN: sed 's/64xf32/63xf32/' %t.edited.mlir >%t.smaller.mlir
// RUN: gmem-opt --allow-unregistered-dialect --mlir-print-debuginfo --gmem-plan="alignment=64 previous=%t.old.json" %t.smaller.mlir -o /dev/null 2>&1 | FileCheck --check-prefix=SMALLER %s
// SMALLER: remark: previous: {{[0-9]}} of 4 buffers kept, {{[0-9]}} moved, 1 of another size or pool, 1 new
// RUN: gmem-opt --allow-unregistered-dialect --mlir-print-debuginfo --gmem-plan="alignment=256 previous=%t.old.json" %t.edited.mlir -o /dev/null 2>&1 | FileCheck --check-prefix=ALIGN %s
// ALIGN: remark: previous: 2 of 5 buffers kept, 3 moved (3 from offsets that the alignment does not allow), 0 of
// RUN: sed 's/"tensors"/"sram"/' %t.old.json >%t.pool.json
// RUN: gmem-opt --allow-unregistered-dialect --mlir-print-debuginfo --gmem-plan="alignment=64 previous=%t.pool.json" %t.edited.mlir -o /dev/null 2>&1 | FileCheck --check-prefix=POOL %s
// POOL: remark: previous: 0 of 0 buffers kept, 0 moved, 5 of another size or pool, 1 new

// With several modules, names of buffers and pools have prefixes.
// RUN: sed -e 's/^func.func @main.*{$/module @n {\n&/' -e 's/^}$/}\n}/' %s >%t.one.mlir
// RUN: sed 's/^module @n/module @m/' %t.one.mlir >%t.two.mlir
// RUN: cat %t.one.mlir >>%t.two.mlir
// RUN: gmem-opt --allow-unregistered-dialect --mlir-print-debuginfo --gmem-plan=alignment=64 %t.two.mlir -o %t.two.old.mlir
// RUN: gmem-opt --allow-unregistered-dialect --mlir-print-debuginfo --gmem-plan="alignment=64 previous=%t.two.old.mlir" %t.two.mlir -o /dev/null 2>&1 | FileCheck --check-prefix=TWO %s
// TWO-COUNT-2: remark: previous: 5 of 5 buffers kept, 0 moved, 0 of another size or pool, 0 new

// RUN: not gmem-opt --allow-unregistered-dialect --gmem-plan=previous=%t.none.mlir %s 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: {{.*}}.mlir:[[#]]:[[#]]: error: previous: '{{.*}}.none.mlir': No such file or directory
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-plan=previous=%t.edited.mlir %s 2>&1 | FileCheck --check-prefix=NOPLAN %s
// NOPLAN: error: previous: '{{.*}}.edited.mlir' has no valid plan
// A device may have no end.
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-plan=previous=/dev/zero %s 2>&1 | FileCheck --check-prefix=DEVICE %s
// DEVICE: error: previous: '/dev/zero' is not a regular file
// An earlier plan that is damaged is no plan.
// RUN: sed 's/array<i64: 128>/array<i64: 384>/' %t.old.mlir >%t.damaged.mlir
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-plan=previous=%t.damaged.mlir %s 2>&1 | FileCheck --check-prefix=DAMAGED %s
// DAMAGED: has no valid plan

// RUN: echo '{"version": 1' >%t.cut.json
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-plan=previous=%t.cut.json %s 2>&1 | FileCheck --check-prefix=CUT %s
// CUT: error: previous: '{{.*}}.cut.json': line 2, column 0: '}' expected near end of file
// RUN: echo '{"version": 1, "models": []}' >%t.other.json
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-plan=previous=%t.other.json %s 2>&1 | FileCheck --check-prefix=OTHER %s
// OTHER: error: previous: '{{.*}}.other.json': no plan: 'version' or 'buffers' is missing
// RUN: sed 's/"version": 1/"version": 2/' %t.old.json >%t.late.json
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-plan=previous=%t.late.json %s 2>&1 | FileCheck --check-prefix=LATE %s
// LATE: error: previous: '{{.*}}.late.json': version 2 is not supported, only 1
// RUN: sed 's/"offset": 128/"offset": -128/' %t.old.json >%t.minus.json
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-plan=previous=%t.minus.json %s 2>&1 | FileCheck --check-prefix=MINUS %s
// MINUS: error: previous: '{{.*}}.minus.json': buffers[{{[0-9]+}}] lacks 'name', 'pool', 'offset' or 'size', or one has another type
// RUN: sed 's/"name": "b"/"name": "a"/' %t.old.json >%t.same.json
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-plan=previous=%t.same.json %s 2>&1 | FileCheck --check-prefix=SAME %s
// SAME: error: previous: '{{.*}}.same.json': two buffers have the name 'a'
// RUN: head -c 200 %t.old.gmem >%t.cut.gmem
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-plan=previous=%t.cut.gmem %s 2>&1 | FileCheck --check-prefix=IMAGE %s
// IMAGE: error: previous: '{{.*}}.cut.gmem': {{.+}}

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
