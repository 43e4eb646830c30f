// Bufferization keeps the functions that make constants (gmem.transform): on a global
// of each, which nothing folds or merges with others that have the same placeholder.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
//
// RUN: gmem-opt --gmem-bufferize-and-plan=out-params=true %s -o %t
// RUN: FileCheck %s < %t
// RUN: gmem-opt --gmem-bufferize-and-plan='out-params=true share-weights=true constants=hoist' %s -o %t.shared
// RUN: FileCheck %s --check-prefix=SHARED < %t.shared
// RUN: gmem-opt --gmem-verify-plan %t.shared -o /dev/null

// CHECK-DAG: memref.global "private" constant @transformed : memref<4xf32> = uninitialized {gmem.source = dense<[1, 2, 3, 4]> : tensor<4xi8>, gmem.transform = [{bytes = 4 : i64, name = "negate"}, {bytes = 16 : i64, name = "widen"}]}
// CHECK-DAG: memref.global "private" constant @transformed_1 : memref<4xf32> = uninitialized {gmem.source = dense<[1, 2, 3, 4]> : tensor<4xi8>, gmem.transform = [{bytes = 16 : i64, name = "widen"}]}
// CHECK-DAG: memref.global "private" constant @transformed_2 : memref<2x2xi8> = uninitialized {gmem.source = dense<3> : tensor<2x2xi8>, gmem.transform = [{bytes = 4 : i64, name = "negate"}]}
// CHECK: %[[W:.*]] = memref.get_global @transformed : memref<4xf32> {gmem.name = "w", gmem.offset = array<i64: 0>
// CHECK: %[[SAME:.*]] = memref.get_global @transformed_0 : memref<4xf32> {gmem.name = "same", gmem.offset = array<i64: 4096>
// CHECK: memref.get_global @transformed_1 : memref<4xf32> {gmem.name = "other", gmem.offset = array<i64: 8192>
// CHECK: memref.load %[[W]]
// It is copied before an op writes to it.
// CHECK: memref.copy %[[SAME]], %[[COPY:.*]] :
// CHECK: memref.store %{{.*}}, %[[COPY]]

// Those with one chain and source are one constant; nothing is computed ahead of time
// from what functions make later.
// SHARED: memref.get_global @transformed : memref<4xf32> {gmem.name = "w", gmem.offset = array<i64: 0>
// SHARED: memref.get_global @transformed_0 : memref<4xf32> {gmem.name = "same", gmem.offset = array<i64: 0>
// SHARED: memref.get_global @transformed_1 : memref<4xf32> {gmem.name = "other", gmem.offset = array<i64: 4096>
// SHARED-NOT: gmem.init

func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<2x2xi8>) {
  %w = arith.constant {gmem.name = "w", gmem.transform = [{name = "negate", bytes = 4}, {name = "widen", bytes = 16}], gmem.source = dense<[1,2,3,4]> : tensor<4xi8>} dense<2.0> : tensor<4xf32>
  %same = arith.constant {gmem.name = "same", gmem.transform = [{name = "negate", bytes = 4}, {name = "widen", bytes = 16}], gmem.source = dense<[1,2,3,4]> : tensor<4xi8>} dense<2.0> : tensor<4xf32>
  %other = arith.constant {gmem.name = "other", gmem.transform = [{name = "widen", bytes = 16}], gmem.source = dense<[1,2,3,4]> : tensor<4xi8>} dense<2.0> : tensor<4xf32>
  %own = arith.constant {gmem.name = "own", gmem.transform = [{name = "negate", bytes = 4}]} dense<3> : tensor<2x2xi8>
  %p = arith.constant dense<2.0> : tensor<4xf32>
  %i = arith.constant 1 : index
  %a = arith.addf %w, %p : tensor<4xf32>
  %b = arith.addf %other, %same : tensor<4xf32>
  %e = tensor.extract %w[%i] : tensor<4xf32>
  %f = tensor.insert %e into %same[%i] : tensor<4xf32>
  %g = arith.addf %a, %f : tensor<4xf32>
  %h = arith.mulf %b, %x : tensor<4xf32>
  %j = arith.addi %own, %own : tensor<2x2xi8>
  return %g, %h, %j : tensor<4xf32>, tensor<4xf32>, tensor<2x2xi8>
}

// A plan whose chains differ afterwards is refused: two globals with one chain no
// longer, or with other sources; a chain is lost.
// RUN: sed '0,/name = "widen"/s//name = "other"/' %t.shared > %t.torn
// RUN: not gmem-opt --gmem-verify-plan %t.torn -o /dev/null 2>&1 | FileCheck %s --check-prefix=TORN
// RUN: sed '0,/dense<\[1, 2/s//dense<[9, 2/' %t.shared > %t.torn
// RUN: not gmem-opt --gmem-verify-plan %t.torn -o /dev/null 2>&1 | FileCheck %s --check-prefix=TORN
// TORN: error: {{.*}} share bytes [0, 16) of pool 'weights' while both are constants

// A program that would read a constant before functions have made it is refused.
// RUN: not gmem-opt --gmem-materialize %t -o /dev/null 2>&1 | FileCheck %s --check-prefix=KEEP
// RUN: not gmem-opt --gmem-materialize='weights=image arena-mode=global' %t -o /dev/null 2>&1 | FileCheck %s --check-prefix=KEEP
// KEEP: error: result #0 of 'memref.get_global' {{.*}}is made by functions from outside the program (gmem.transform): use weights=image and arena-mode=arg
// RUN: not gmem-opt --gmem-lower-to-llvm %t -o /dev/null 2>&1 | FileCheck %s --check-prefix=LOWER
// LOWER: error: gmem.transform: functions from outside the program make this constant, which it reads: use gmem-materialize{arena-mode=arg weights=image}
// RUN: gmem-opt --gmem-materialize='weights=image arena-mode=arg' %t -o %t.arena 2>/dev/null
// RUN: gmem-opt --gmem-lower-to-llvm %t.arena -o /dev/null
