// What every order of the ops needs: in gmem.plan, and in reports.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='op-models=%S/Inputs/my.mlir alignment=64 order=best' %s -o %t.best 2>/dev/null
// RUN: FileCheck %s --input-file=%t.best --check-prefix=BEST
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='op-models=%S/Inputs/my.mlir alignment=64 certify=true' %s -o %t.given 2>/dev/null
// RUN: FileCheck %s --input-file=%t.given --check-prefix=GIVEN
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan='op-models=%S/Inputs/my.mlir alignment=64' %s 2>/dev/null | FileCheck %s --check-prefix=NONE
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-report='op-models=%S/Inputs/my.mlir alignment=64 order=best' %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=TEXT-BEST
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-report='op-models=%S/Inputs/my.mlir alignment=64 certify=true' %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=TEXT-GIVEN
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-report='op-models=%S/Inputs/my.mlir alignment=64 certify=true format=json' %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=JSON

// Plans with a bound are as good as others, also for those that read them.
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-verify-plan=figures=strict %t.best -o /dev/null
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-verify-plan=figures=strict %t.given -o /dev/null

// A bound above the peak is wrong.
// RUN: sed 's/order_bound = 20480/order_bound = 24640/' %t.given > %t.high
// RUN: not gmem-opt --allow-unregistered-dialect --split-input-file --gmem-verify-plan %t.high -o /dev/null 2>&1 | FileCheck %s --check-prefix=HIGH
// HIGH: error: the plan's figures are wrong: gmem.plan says that no order of the ops needs as few bytes as this one

// The bound is of this program alone, not of one whose ops may not move, although
// the plan is the same.
// RUN: sed 's/n = 1 : i32}/n = 1 : i32, gmem.keep_order}/' %t.given > %t.other
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-verify-plan %t.other -o /dev/null 2>&1 | FileCheck %s --check-prefix=STALE
// RUN: not gmem-opt --allow-unregistered-dialect --split-input-file --gmem-verify-plan=figures=strict %t.other -o /dev/null 2>&1 | FileCheck %s --check-prefix=STALE
// STALE: the plan is sound, but its figures in the IR no longer hold
// STALE-NOT: note:
// STALE: note: order_bound in gmem.plan is of other ops or tensors, or another order
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-report %t.other -o /dev/null 2>&1 | FileCheck %s --check-prefix=FORGOTTEN
// FORGOTTEN: pool tensors:
// FORGOTTEN-NOT: order: every order of the ops needs 20,480
// FORGOTTEN: order: no order of the ops needs less

// 1. The branches one after the other.
// BEST: order_bound = 20480 : i64, order_print = [[#]] : i64, peak = 20480
// GIVEN: order_bound = 20480 : i64, order_print = [[#]] : i64, peak = 24576
// NONE-NOT: order_
// TEXT-BEST: order: no order of the ops needs less
// TEXT-GIVEN: order: every order of the ops needs 20,480 bytes, 4,096 less{{$}}
// JSON: "order": {"lower_bound": 20480, "proved": false, "gave_up": null}
func.func @branches(%x: tensor<2048xf32>) -> tensor<1024xf32> {
  %a = "my.widen"(%x) {n = 1 : i32} : (tensor<2048xf32>) -> tensor<2048xf32>
  %b = "my.widen"(%x) {n = 2 : i32} : (tensor<2048xf32>) -> tensor<2048xf32>
  %c = "my.narrow"(%a) {n = 3 : i32} : (tensor<2048xf32>) -> tensor<1024xf32>
  %d = "my.narrow"(%b) {n = 4 : i32} : (tensor<2048xf32>) -> tensor<1024xf32>
  %e = "my.join"(%c, %d) : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  return %e : tensor<1024xf32>
}

// -----

// 2. Ops with effects: there is only this order.
// GIVEN: order_bound = 24576 : i64, order_print = [[#]] : i64, peak = 24576
// TEXT-GIVEN: order: no order of the ops needs less
// JSON: "order": {"lower_bound": 24576, "proved": true, "gave_up": null}
func.func @effects(%x: tensor<2048xf32>) -> tensor<1024xf32> {
  %a = "my.send"(%x) : (tensor<2048xf32>) -> tensor<2048xf32>
  %b = "my.send"(%x) : (tensor<2048xf32>) -> tensor<2048xf32>
  %c = "my.send"(%a) : (tensor<2048xf32>) -> tensor<1024xf32>
  %d = "my.send"(%b) : (tensor<2048xf32>) -> tensor<1024xf32>
  %e = "my.join"(%c, %d) : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  return %e : tensor<1024xf32>
}

// -----

// 3. The body of a loop, beside what is live around it.
// TEXT-BEST: order: no order of the ops needs less
// TEXT-GIVEN: order: every order of the ops needs
// JSON: "proved": false
func.func @in_a_loop(%x: tensor<1024xf32>, %n: index) -> tensor<1024xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%y = %x) -> tensor<1024xf32> {
    %a = "my.widen"(%y) : (tensor<1024xf32>) -> tensor<2048xf32>
    %b = "my.widen"(%y) : (tensor<1024xf32>) -> tensor<2048xf32>
    %c = "my.narrow"(%a) : (tensor<2048xf32>) -> tensor<1024xf32>
    %d = "my.narrow"(%b) : (tensor<2048xf32>) -> tensor<1024xf32>
    %e = "my.join"(%c, %d, %y) : (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
    scf.yield %e : tensor<1024xf32>
  }
  return %r : tensor<1024xf32>
}

// -----

// 4. Hardware queues: nothing is known.
// GIVEN: order_bound = 0 : i64, order_gave_up = "hardware queues"
// TEXT-GIVEN: gave up: hardware queues
// JSON: "order": {"lower_bound": 0, "proved": false, "gave_up": "hardware queues"}
func.func @queues(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %a = "my.widen"(%x) {gmem.stream = 1 : i64} : (tensor<1024xf32>) -> tensor<1024xf32>
  %b = "my.narrow"(%a) {gmem.stream = 2 : i64, gmem.wait = array<i64: 1>} : (tensor<1024xf32>) -> tensor<1024xf32>
  %c = "my.narrow"(%b) {gmem.stream = 2 : i64} : (tensor<1024xf32>) -> tensor<1024xf32>
  return %c : tensor<1024xf32>
}

// -----

// 5. Copies that control flow makes of %a alone lie at its bytes, however long all
// are live: the bound once counted them beside it, and was above the peak.
// GIVEN: order_bound = 8192 : i64, order_print = [[#]] : i64, peak = 8192
func.func @copied() -> tensor<1024xi32> {
  %a = "my.make"() : () -> tensor<1024xi32>
  %r = scf.while () : () -> tensor<1024xi32> {
    %n = "my.condition"() : () -> i1
    scf.condition(%n) %a : tensor<1024xi32>
  } do {
  ^bb0(%b: tensor<1024xi32>):
    "my.use"(%a, %b) : (tensor<1024xi32>, tensor<1024xi32>) -> ()
    scf.yield
  }
  %c = "my.use"(%a, %r) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
  return %c : tensor<1024xi32>
}

// -----

// 6. Unreachable blocks: %a is not live where only such a block uses it, and the
// bound once counted it.
// GIVEN: order_bound = 0 : i64, order_gave_up = "unreachable blocks"
func.func @unreachable(%x: tensor<64xi32>) -> tensor<64xi32> {
  %a = "my.use"(%x, %x) : (tensor<64xi32>, tensor<64xi32>) -> tensor<512xi32>
  %b = "my.use"(%x, %a) : (tensor<64xi32>, tensor<512xi32>) -> tensor<64xi32>
  %c = "my.use"(%b, %b) : (tensor<64xi32>, tensor<64xi32>) -> tensor<1024xi32>
  %d = "my.use"(%c, %b) : (tensor<1024xi32>, tensor<64xi32>) -> tensor<64xi32>
  scf.execute_region {
    scf.yield
  ^bb1:
    "my.use"(%a, %d) : (tensor<512xi32>, tensor<64xi32>) -> ()
    scf.yield
  }
  return %d : tensor<64xi32>
}
