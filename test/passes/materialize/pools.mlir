// Two memories of one memory space are two arenas.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// In MLIR 19 memref.assume_alignment has no result.
// RUN: gmem-opt -pass-pipeline='builtin.module(gmem-plan,gmem-materialize{arena-mode=arg})' %s | FileCheck %s --check-prefix=ARG
// RUN: gmem-opt -pass-pipeline='builtin.module(gmem-plan,gmem-materialize{arena-mode=alloc})' %s | FileCheck %s --check-prefix=ALLOC

// ARG: gmem.arenas = [{alignment = 64 : i64, kind = "workspace", mode = "arg", pool = "slow", size = 64 : i64}, {alignment = 128 : i64, kind = "workspace", mode = "arg", pool = "fast", size = 64 : i64}]
// ARG: func.func @main(%arg0: f32, %arg1: memref<64xi8> {gmem.arena = "slow", llvm.noalias}, %arg2: memref<64xi8> {gmem.arena = "fast", llvm.noalias}) attributes {gmem.arena_arguments = ["slow", "fast"]}
// ARG: %[[SLOW:.*]] = memref.assume_alignment %arg1, 64
// ARG: memref.view %[[SLOW]]
// The callee is handed the one that it needs.
// ARG: call @inner(%{{.*}}, %arg2)
// ARG: func.func private @inner(%arg0: memref<16xf32>, %arg1: memref<64xi8> {gmem.arena = "fast"})
// ARG: %[[FAST:.*]] = memref.assume_alignment %arg1, 128
// ARG: memref.view %[[FAST]]
// ALLOC: memref.alloc() {alignment = 64 : i64, gmem.arena = "slow"} : memref<64xi8>
// ALLOC: memref.alloc() {alignment = 128 : i64, gmem.arena = "fast"} : memref<64xi8>
module attributes {gmem.memories = [
    {name = "fast", speed = 2 : i64, alignment = 128 : i64, capacity = 64 : i64}, {name = "slow"}]} {
  func.func @main(%x: f32) {
    %c = arith.constant 0 : index
    %0 = memref.alloc() {gmem.pools = ["slow"]} : memref<16xf32>
    memref.store %x, %0[%c] : memref<16xf32>
    func.call @inner(%0) : (memref<16xf32>) -> ()
    return
  }
  func.func private @inner(%x: memref<16xf32>) {
    %c = arith.constant 0 : index
    %0 = memref.alloc() : memref<16xf32>
    %1 = memref.load %x[%c] : memref<16xf32>
    memref.store %1, %0[%c] : memref<16xf32>
    %2 = memref.load %0[%c] : memref<16xf32>
    memref.store %2, %x[%c] : memref<16xf32>
    return
  }
}
