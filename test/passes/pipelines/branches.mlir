// Branches that MLIR's bufferization and canonicalization do not bear: the
// pipeline rewrites them before.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// MLIR 19 crashes on it, in eliminate-empty-tensors.

// RUN: gmem-opt --gmem-simplify-branches %s | FileCheck %s
// RUN: timeout 120 gmem-opt --gmem-bufferize-and-plan %s -o /dev/null 2>&1 | FileCheck %s --allow-empty --check-prefix=QUIET
// RUN: timeout 120 gmem-run %s --entry one_block --compare 2>/dev/null | FileCheck %s --check-prefix=EQUAL
// RUN: timeout 120 gmem-run %s --entry unreachable --compare 2>/dev/null | FileCheck %s --check-prefix=EQUAL
// QUIET-NOT: error
// EQUAL: equal: the planned and unplanned outputs are bitwise equal

// Bufferization converts the operands for one of two equal successors only.
// RUN: not gmem-opt --one-shot-bufferize=bufferize-function-boundaries %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=UPSTREAM
// UPSTREAM: error: type mismatch for bb argument #0 of successor #1

// CHECK-LABEL: func.func @one_block(
// CHECK:         ^bb1(%[[A:.*]]: tensor<8xi32>, %[[N:.*]]: i32):
// CHECK:         cf.cond_br %{{.*}}, ^bb2, ^bb3
// CHECK:       ^bb2:
// CHECK:         %[[S:.*]] = arith.select %{{.*}}, %{{.*}}, %[[A]] : tensor<8xi32>
// CHECK-NEXT:    cf.br ^bb1(%[[S]], %{{.*}} : tensor<8xi32>, i32)
func.func @one_block(%a: tensor<8xi32>) -> tensor<8xi32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  cf.br ^loop(%a, %c0 : tensor<8xi32>, i32)
^loop(%b: tensor<8xi32>, %n: i32):
  %e = tensor.empty() : tensor<8xi32>
  %s = linalg.add ins(%b, %b : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  %m = arith.addi %n, %c1 : i32
  %goes = arith.cmpi slt, %m, %c3 : i32
  cf.cond_br %goes, ^again, ^end(%s : tensor<8xi32>)
^again:
  %odd = arith.trunci %m : i32 to i1
  cf.cond_br %odd, ^loop(%s, %m : tensor<8xi32>, i32), ^loop(%b, %m : tensor<8xi32>, i32)
^end(%r: tensor<8xi32>):
  return %r : tensor<8xi32>
}

// Scalars alone stay: upstream bears them.
// CHECK-LABEL: func.func @scalars(
// CHECK:         cf.cond_br %{{.*}}, ^bb1(%{{.*}} : i32), ^bb1(%{{.*}} : i32)
func.func @scalars(%p: i1, %a: i32, %b: i32) -> i32 {
  cf.cond_br %p, ^end(%a : i32), ^end(%b : i32)
^end(%r: i32):
  return %r : i32
}

// Canonicalization finds that ^loop is never reached, but goes on in it: %l
// becomes its own operand, and folding it has no end, or crashes.
// CHECK-LABEL: func.func @unreachable(
// CHECK-NOT:     cf.cond_br
// CHECK:         cf.br ^bb1(%arg0 : tensor<8xi32>)
// CHECK-NEXT:  ^bb1(%[[R:.*]]: tensor<8xi32>):
// CHECK-NEXT:    return %[[R]]
// CHECK-NEXT:  }
func.func @unreachable(%a: tensor<8xi32>) -> tensor<8xi32> {
  %c0 = arith.constant 0 : i32
  %c7 = arith.constant 7 : i32
  %m = arith.andi %c7, %c0 : i32
  %never = arith.cmpi ne, %m, %c0 : i32
  cf.cond_br %never, ^loop(%a, %c7 : tensor<8xi32>, i32), ^end(%a : tensor<8xi32>)
^loop(%b: tensor<8xi32>, %n: i32):
  %l = arith.subi %n, %c0 : i32
  %goes = arith.cmpi slt, %l, %c7 : i32
  cf.cond_br %goes, ^again, ^end(%b : tensor<8xi32>)
^again:
  %odd = arith.trunci %l : i32 to i1
  cf.cond_br %odd, ^loop(%a, %l : tensor<8xi32>, i32), ^loop(%b, %l : tensor<8xi32>, i32)
^end(%r: tensor<8xi32>):
  return %r : tensor<8xi32>
}
