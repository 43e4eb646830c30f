// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MLIR's eliminate-empty-tensors makes invalid IR of this program: a slice of a
// result of scf.if is moved into it. The pipeline undoes the pass, says so in a
// remark, and no error reaches the user; the program runs as without a plan.
// RUN: not gmem-opt --eliminate-empty-tensors %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=UPSTREAM
// UPSTREAM: error: operand #0 does not dominate this use
// RUN: gmem-opt --gmem-bufferize-and-plan %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:
// CHECK: remark: eliminate-empty-tensors fails on this program (operand #0 does not dominate this use) and is left out
// RUN: gmem-opt %s -o %t.before
// RUN: gmem-opt --gmem-eliminate-empty-tensors %s 2>/dev/null | diff - %t.before
// RUN: gmem-run %s --entry main --compare 2>/dev/null | FileCheck %s --check-prefix=RUNS
// RUNS: equal: the planned and unplanned outputs are bitwise equal
func.func @main(%a: tensor<8xi32>, %c: i1, %v: i32) -> tensor<8xi32> {
  %r:2 = scf.if %c -> (tensor<8xi32>, tensor<4xi32>) {
    %e = tensor.empty() : tensor<4xi32>
    %f = linalg.fill ins(%v : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
    %g = linalg.add ins(%a, %a : tensor<8xi32>, tensor<8xi32>) outs(%a : tensor<8xi32>) -> tensor<8xi32>
    scf.yield %g, %f : tensor<8xi32>, tensor<4xi32>
  } else {
    %e = tensor.empty() : tensor<4xi32>
    %w = arith.addi %v, %v : i32
    %f = linalg.fill ins(%w : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
    scf.yield %a, %f : tensor<8xi32>, tensor<4xi32>
  }
  %i = tensor.insert_slice %r#1 into %r#0[2] [4] [1] : tensor<4xi32> into tensor<8xi32>
  return %i : tensor<8xi32>
}
