// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// In MLIR 19 memref.assume_alignment has no result.
// Constants that have a place: weights=keep leaves them where they are, without
// their places; weights=image makes them parts of an arena.
// RUN: gmem-opt -pass-pipeline='builtin.module(gmem-plan{weight-alignment=16},gmem-materialize)' %s | FileCheck %s --check-prefix=KEEP
// RUN: gmem-opt -pass-pipeline='builtin.module(gmem-plan{weight-alignment=16},gmem-materialize{weights=image})' %s | FileCheck %s --check-prefix=IMAGE
// RUN: gmem-opt -pass-pipeline='builtin.module(gmem-plan{weight-alignment=16},gmem-materialize{weights=image arena-mode=arg})' %s | FileCheck %s --check-prefix=ARG
// What the program reads is the same.
// RUN: gmem-opt -pass-pipeline='builtin.module(gmem-plan,gmem-lower-to-llvm)' %s | mlir-runner -e main -entry-point-result=i64 | FileCheck %s --check-prefix=VALUE
// RUN: gmem-opt -pass-pipeline='builtin.module(gmem-plan,gmem-materialize{weights=image},gmem-lower-to-llvm)' %s | mlir-runner -e main -entry-point-result=i64 | FileCheck %s --check-prefix=VALUE
// VALUE: 1000123458

// KEEP: gmem.arenas = []
// KEEP: memref.global "private" constant @floats
// KEEP-NOT: gmem.
// KEEP: memref.get_global @floats : memref<2xf32>
// KEEP-NOT: gmem.

// An image is static where arenas are not arguments, and the module is whole
// without anything else. Elements are as the lowering wants them: a byte for
// each bit, eight for 48, equal ones one by one.
// IMAGE: gmem.arenas = [{alignment = 16 : i64, kind = "constant", mode = "global", pool = "weights", size = [[SIZE:[0-9]+]] : i64, symbol = @gmem_arena_weights}]
// IMAGE: memref.global "private" constant @gmem_arena_weights : memref<[[SIZE]]xi8> = dense<[0, 0, -128, 63, 0, 0, 0, 64, 0,
// IMAGE-SAME: 0, 1, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0,
// IMAGE-SAME: 0, 1, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, 0, 0, 1, 15, 7, 0,
// IMAGE-SAME: 0, 5, 0, 0, 0, -24, 3, 0, 0, 0,
// IMAGE-SAME: 0, -2, -1, -2, -1]>
// IMAGE-SAME: {alignment = 16 : i64, gmem.arena = "weights"}

// ARG: gmem.arenas = [{alignment = 16 : i64, kind = "constant", mode = "arg", pool = "weights", size = [[SIZE:[0-9]+]] : i64}]

// Who maps an arena finds here what is to be in it.
// ARG: memref.global "private" constant @floats : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]> {gmem.offset = 0 : i64, gmem.pool = "weights"}
memref.global "private" constant @floats : memref<2xf32> = dense<[1.0, 2.0]>
memref.global "private" constant @bits : memref<10xi1> = dense<[false, true, false, true, true, false, false, false, false, true]>
memref.global "private" constant @all : memref<3xi1> = dense<true>
memref.global "private" constant @odd : memref<2xi48> = dense<[1, -1]>
memref.global "private" constant @nibbles : memref<3xi4> = dense<[1, -1, 7]>
memref.global "private" constant @resource : memref<2xi32> = dense_resource<numbers>

// What others may name stays, and what is no constant has no place.
// IMAGE: memref.global constant @public : memref<2xi16>
// IMAGE: memref.global "private" @variable
memref.global constant @public : memref<2xi16> = dense<-2>
memref.global "private" @variable : memref<1xi64> = dense<123456>

// IMAGE-NOT: memref.global
// IMAGE-LABEL: func.func @main() -> i64 {
// IMAGE: %[[WHOLE:.*]] = memref.get_global @gmem_arena_weights
// IMAGE: %[[ARENA:.*]] = memref.assume_alignment %[[WHOLE]], 16
// IMAGE: memref.view %[[ARENA]]{{.*}} to memref<2xf32>
// ARG-LABEL: func.func @main(
// ARG-SAME: %arg0: memref<[[SIZE]]xi8> {gmem.arena = "weights", llvm.noalias, llvm.readonly}) -> i64
func.func @main() -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %floats = memref.get_global @floats : memref<2xf32>
  %f = memref.load %floats[%c1] : memref<2xf32>
  %0 = arith.fptosi %f : f32 to i64
  %bits = memref.get_global @bits : memref<10xi1>
  %b = memref.load %bits[%c9] : memref<10xi1>
  %1 = arith.extui %b : i1 to i64
  %all = memref.get_global @all : memref<3xi1>
  %a = memref.load %all[%c1] : memref<3xi1>
  %2 = arith.extui %a : i1 to i64
  %odd = memref.get_global @odd : memref<2xi48>
  %o = memref.load %odd[%c1] : memref<2xi48>
  %3 = arith.extsi %o : i48 to i64
  %nibbles = memref.get_global @nibbles : memref<3xi4>
  %n = memref.load %nibbles[%c1] : memref<3xi4>
  %4 = arith.extsi %n : i4 to i64
  %resource = memref.get_global @resource : memref<2xi32>
  %r = memref.load %resource[%c1] : memref<2xi32>
  %5 = arith.extsi %r : i32 to i64
  %million = arith.constant 1000000 : i64
  %6 = arith.muli %5, %million : i64
  %public = memref.get_global @public : memref<2xi16>
  %p = memref.load %public[%c0] : memref<2xi16>
  %7 = arith.extsi %p : i16 to i64
  %again = memref.get_global @public : memref<2xi16>
  %q = memref.load %again[%c1] : memref<2xi16>
  %8 = arith.extsi %q : i16 to i64
  %variable = memref.get_global @variable : memref<1xi64>
  %v = memref.load %variable[%c0] : memref<1xi64>
  // 2 + 1 + 1 - 1 - 1 + 1000 million - 2 + 2 + 123456.
  %s0 = arith.addi %0, %1 : i64
  %s1 = arith.addi %s0, %2 : i64
  %s2 = arith.addi %s1, %3 : i64
  %s3 = arith.addi %s2, %4 : i64
  %s4 = arith.addi %s3, %6 : i64
  %s5 = arith.addi %s4, %7 : i64
  %s6 = arith.subi %s5, %8 : i64
  %s7 = arith.addi %s6, %v : i64
  return %s7 : i64
}

{-#
  dialect_resources: { builtin: { numbers: "0x0400000005000000E8030000" } }
#-}
