// Functions and arguments that upstream passes remove from a planned module.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// In MLIR 19 inline gives the ops other locations.

// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --gmem-plan=alignment=64 %s -o %t
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --pass-pipeline='builtin.module(inline,gmem-verify-plan)' %t -o %t.after 2>&1 | grep '%t' | FileCheck %s --check-prefixes=UNUSED,INLINE --implicit-check-not=error: --implicit-check-not=remark:
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --pass-pipeline='builtin.module(symbol-dce,gmem-verify-plan)' %t -o %t.after 2>&1 | grep '%t' | FileCheck %s --check-prefixes=UNUSED --implicit-check-not=error: --implicit-check-not=remark:
// RUN: gmem-opt --allow-unregistered-dialect --split-input-file --pass-pipeline='builtin.module(remove-dead-values,gmem-verify-plan)' %t -o %t.after 2>&1 | grep '%t' | FileCheck %s --check-prefixes=UNUSED,DEAD --implicit-check-not=error: --implicit-check-not=remark:

// 1. A function that is inlined at each of its calls: both copies have its
// places, and are not live at one time. Nothing is reported.
module {
  func.func private @half(%x: tensor<16xf32>) -> tensor<16xf32> {
    %a = "x.make"(%x) : (tensor<16xf32>) -> tensor<16xf32>
    %b = "x.make"(%a) : (tensor<16xf32>) -> tensor<16xf32>
    return %b : tensor<16xf32>
  }
  func.func @inlined(%x: tensor<16xf32>) -> tensor<16xf32> {
    %y = call @half(%x) : (tensor<16xf32>) -> tensor<16xf32>
    %z = call @half(%y) : (tensor<16xf32>) -> tensor<16xf32>
    return %z : tensor<16xf32>
  }
}

// -----

// 2. A function that nobody calls.
// UNUSED: remark: the plan is sound
// UNUSED-NEXT: note: pool 'tensors' has size 64, not 256 as in gmem.pool_table: it ends with argument #0 of @main
// UNUSED-NEXT: note: pool 'tensors' has lower_bound 64, not 256 as in gmem.pool_table
// UNUSED-NEXT: note: the plan has peak 64, lower_bound 64 and is optimal, not peak 256, lower_bound 256 and optimal as in gmem.plan
module {
  func.func private @unused(%x: tensor<64xf32>) -> tensor<64xf32> {
    %a = tosa.abs %x : (tensor<64xf32>) -> tensor<64xf32>
    %b = tosa.exp %a : (tensor<64xf32>) -> tensor<64xf32>
    return %b : tensor<64xf32>
  }
  func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
    %y = tosa.abs %x : (tensor<16xf32>) -> tensor<16xf32>
    return %y : tensor<16xf32>
  }
}

// -----

// 3. An argument that its function does not read. remove-dead-values drops it, and
// the copies of before stay at the calls: they write where nothing is any more.
// INLINE: remark: the plan is sound
// INLINE-NEXT: note: pool 'tensors' has size 320, not 576 as in gmem.pool_table: it ends with argument #1 of @main
// INLINE-NEXT: note: pool 'tensors' has lower_bound 320, not 576 as in gmem.pool_table
// INLINE-NEXT: note: the plan has peak 320
// DEAD: remark: the plan is sound
// DEAD-NEXT: note: pool 'tensors' has size 320, not 576
// DEAD-NEXT: note: pool 'tensors' has lower_bound 320, not 576
// DEAD-NEXT: note: the plan has peak 320
// DEAD-NEXT: note: gmem.copies has the copy of bytes [64, 320) of pool 'tensors' to bytes [320, 576) of pool 'tensors' (edge 'callee' 0), which is not needed any more
// DEAD-NEXT: note: gmem.copies has the copy of bytes [64, 320) of pool 'tensors' to bytes [320, 576) of pool 'tensors' (edge 'callee' 0), which is not needed any more
module {
  func.func private @f(%x: tensor<16xf32>, %dead: tensor<64xf32>) -> tensor<16xf32> {
    %a = tosa.abs %x : (tensor<16xf32>) -> tensor<16xf32>
    return %a : tensor<16xf32>
  }
  func.func @main(%x: tensor<16xf32>, %d: tensor<64xf32>) -> tensor<16xf32> {
    %y = call @f(%x, %d) : (tensor<16xf32>, tensor<64xf32>) -> tensor<16xf32>
    %z = call @f(%y, %d) : (tensor<16xf32>, tensor<64xf32>) -> tensor<16xf32>
    return %z : tensor<16xf32>
  }
}

// -----

// 4. The same argument of a function with one call, which was its operand's
// memory: no copy. Nothing is reported.
module {
  func.func private @f(%x: tensor<16xf32>, %dead: tensor<64xf32>) -> tensor<16xf32> {
    %a = tosa.abs %x : (tensor<16xf32>) -> tensor<16xf32>
    return %a : tensor<16xf32>
  }
  func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
    %d = "x.make"() : () -> tensor<64xf32>
    %y = call @f(%x, %d) : (tensor<16xf32>, tensor<64xf32>) -> tensor<16xf32>
    return %y : tensor<16xf32>
  }
}
