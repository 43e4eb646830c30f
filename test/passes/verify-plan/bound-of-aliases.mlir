// A bound that depends on which aliases are in place is computed again: %b is
// in %d only if %d is not written over %c, so that its padding counts. A bound
// above it does not hold. (The tag keeps %c and %d from being one tensor.)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='alignment=64 view-alignment=1' %s -o %t.mlir
// RUN: gmem-opt --allow-unregistered-dialect --gmem-verify-plan=figures=strict %t.mlir | FileCheck %s
// RUN: sed 's/lower_bound = 708/lower_bound = 709/g' %t.mlir > %t.broken
// RUN: not gmem-opt --allow-unregistered-dialect --gmem-verify-plan=figures=strict %t.broken -o /dev/null 2>&1 | FileCheck %s --check-prefix=ABOVE
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan='alignment=64 view-alignment=1 effort=fast' %s | gmem-opt --allow-unregistered-dialect --gmem-verify-plan=figures=strict | FileCheck %s --check-prefix=FAST
//
// CHECK: lower_bound = 708 : i64, optimal = true, peak = 708
// ABOVE: pool 'tensors' has lower_bound 644, not 709 as in gmem.pool_table
// FAST: lower_bound = 644 : i64, optimal = false, peak = 708

func.func @f(%x: tensor<196xi8>) -> tensor<392xi8> {
  %e = tensor.empty() : tensor<392xi8>
  %a = "test.make"(%x) : (tensor<196xi8>) -> tensor<196xi8>
  %b = "test.make"(%x) : (tensor<196xi8>) -> tensor<196xi8>
  %c = tensor.insert_slice %a into %e[0][196][1] {gmem.tag = "own"} : tensor<196xi8> into tensor<392xi8>
  %d = tensor.insert_slice %b into %c[196][196][1] : tensor<196xi8> into tensor<392xi8>
  return %d : tensor<392xi8>
}
