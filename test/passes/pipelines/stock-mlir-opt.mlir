// The stock mlir-opt does what gmem-opt does once it has the plugin, and reads
// planned programs without it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// In MLIR 19 tosa has other ops and attributes.
//
// The stock tool is not instrumented and cannot load an instrumented plugin.
// UNSUPPORTED: sanitizer
//
// RUN: gmem-opt --gmem-plan %s -o %t
// RUN: mlir-opt --load-pass-plugin=%plugin --pass-pipeline='builtin.module(gmem-plan)' %s | cmp - %t
//
// Options, of a pipeline and of single passes.
// RUN: gmem-opt --gmem-plan='algorithm=ref-count alignment=64 keep-inputs=true' %s -o %t.options
// RUN: not cmp -s %t %t.options
// RUN: mlir-opt --load-pass-plugin=%plugin --pass-pipeline='builtin.module(gmem-plan{algorithm=ref-count alignment=64 keep-inputs=true})' %s | cmp - %t.options
// RUN: mlir-opt --load-pass-plugin=%plugin --pass-pipeline='builtin.module(gmem-assign-weights,gmem-assign-tensors{algorithm=ref-count alignment=64 keep-inputs=true},gmem-verify-plan)' %s | cmp - %t.options
// RUN: not mlir-opt --load-pass-plugin=%plugin --pass-pipeline='builtin.module(gmem-plan{alignment=48})' %s 2>&1 | FileCheck %s --check-prefix=OPTION --match-full-lines
// OPTION: <unknown>:0: error: gmem-plan: alignment='48' is not a power of two of at most 1099511627776
//
// Without the plugin there is no such pass, so it was the plugin that worked.
// RUN: not mlir-opt --pass-pipeline='builtin.module(gmem-plan)' %s 2>&1 | FileCheck %s --check-prefix=NO-PLUGIN
// NO-PLUGIN: 'gmem-plan' does not refer to a registered pass or pass pipeline
//
// Without it stock tools read, print and transform planned programs all the
// same: the attributes need no dialect.
// RUN: mlir-opt %t | cmp - %t
// RUN: mlir-opt --mlir-print-op-generic %t | mlir-opt | cmp - %t
// RUN: mlir-opt --emit-bytecode %t | mlir-opt | cmp - %t
// RUN: mlir-opt --canonicalize --cse %t | gmem-opt --gmem-verify-plan | cmp - %t
//
// The verifier works there too, on files and on faults.
// RUN: mlir-opt --load-pass-plugin=%plugin --pass-pipeline='builtin.module(gmem-verify-plan)' %t | cmp - %t
// RUN: not mlir-opt --load-pass-plugin=%plugin --pass-pipeline='builtin.module(gmem-verify-plan)' %s 2>&1 | FileCheck %s --check-prefix=NO-PLAN
// NO-PLAN: error: there is no plan here: run gmem-plan first

func.func @main(%x: tensor<16xf32>, %c: i1) -> tensor<16xf32> {
  %w = "tosa.const"() {values = dense<1.0> : tensor<16xf32>} : () -> tensor<16xf32>
  %0 = tosa.add %x, %w : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %1 = tosa.exp %0 : (tensor<16xf32>) -> tensor<16xf32>
  %2 = scf.if %c -> tensor<16xf32> {
    %3 = tosa.tanh %1 : (tensor<16xf32>) -> tensor<16xf32>
    scf.yield %3 : tensor<16xf32>
  } else {
    scf.yield %1 : tensor<16xf32>
  }
  return %2 : tensor<16xf32>
}
