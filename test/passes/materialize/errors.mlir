// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What cannot be done is said, and nothing is changed.
// RUN: gmem-opt --allow-unregistered-dialect -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(gmem-materialize{arena-mode=arg})' %s
// RUN: not gmem-opt -pass-pipeline='builtin.module(gmem-materialize{arena-mode=stack})' %s 2>&1 | FileCheck %s --check-prefix=MODE
// RUN: not gmem-opt -pass-pipeline='builtin.module(gmem-materialize{weights=none})' %s 2>&1 | FileCheck %s --check-prefix=WEIGHTS
// MODE: gmem-materialize: arena-mode='stack' is not one of: alloc, arg, global
// WEIGHTS: gmem-materialize: weights='none' is neither keep nor image

// expected-error @+1 {{there is no plan here: run gmem-plan first}}
module {
  func.func @no_plan() {
    %a = memref.alloc() : memref<8xf32>
    return
  }
}

// -----

// What has been materialised has no plan any more.
// expected-error @+1 {{there is no plan here any more: gmem-materialize has already applied it}}
module attributes {gmem.arenas = []} {
  func.func @again() {
    return
  }
}
