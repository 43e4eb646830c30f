// gmem.init written by hand, what a plan makes of it, and what is refused.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: gmem-opt --gmem-plan=alignment=64 %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: gmem-opt --gmem-verify-plan %t.mlir -o /dev/null 2>&1 | count 0

// Memory that only the initialisation uses does not count in the peak, and no
// other pool may be said to be such memory.
// RUN: sed 's/{alignment = 64 : i64, base = [0-9]* : i64, kind = "workspace"/{alignment = 64 : i64, init, base = 4096 : i64, kind = "workspace"/' %t.mlir > %t.free.mlir
// RUN: not gmem-opt --gmem-verify-plan %t.free.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=FREE
// FREE: error: the plan's figures are wrong: gmem.pool_table takes for one of initialisation pool 'tensors'
// RUN: sed 's/ init, kind = "workspace"/ kind = "workspace"/' %t.mlir > %t.used.mlir
// RUN: not gmem-opt --gmem-verify-plan %t.used.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=USED
// USED: error: the plan's figures are wrong: gmem.pool_table does not take for one of initialisation pool 'init'

// A request that writes the constant: the global is no constant then, and a
// plan from before is refused.
// RUN: sed 's/linalg.negf ins(%\([a-z0-9_]*\) : memref<32x32xf32>) outs(%[a-z0-9_]* : memref<32x32xf32>)/linalg.negf ins(%\1 : memref<32x32xf32>) outs(%\1 : memref<32x32xf32>)/' %t.mlir > %t.written.mlir
// RUN: not diff -q %t.mlir %t.written.mlir
// RUN: not gmem-opt --gmem-verify-plan=only=contents %t.written.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=WRITTEN
// WRITTEN: error: writes operand #{{[01]}}, a constant that only @start may write

// RUN: sed 's/attributes {gmem.init}/attributes {gmem.init = 1}/' %s > %t.bad.mlir
// RUN: not gmem-opt --gmem-plan %t.bad.mlir 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: error: gmem.init must be a unit attribute

// Without gmem.init on the function the global is memory of its own, as before.
// RUN: sed 's/attributes {gmem.init}//' %s > %t.plain.mlir
// RUN: gmem-opt --gmem-plan %t.plain.mlir | FileCheck %s --check-prefix=PLAIN
// PLAIN-NOT: name = "init
// PLAIN:     get_global @table : memref<32x32xf32>{{$}}

// CHECK:       peak = 8192
// CHECK-SAME:  name = "weights", size = 4096
// CHECK-SAME:  init, kind = "constant", {{.*}}name = "init.weights", size = 1024
// CHECK-SAME:  name = "tensors", size = 4096
// CHECK-SAME:  init, {{.*}}name = "init", size = 4096
// CHECK-SAME:  name = "memory", size = 4096
// CHECK-LABEL: func.func @start()
// CHECK:       arith.constant {{.*}}gmem.pool = ["init.weights"]
// CHECK:       arith.extsi {{.*}}gmem.pool = ["init"]
// CHECK:       get_global @table {{.*}}gmem.offset = array<i64: 0>, gmem.pool = ["weights"]
// CHECK-LABEL: func.func @main(
// CHECK:       get_global @table {{.*}}gmem.offset = array<i64: 0>, gmem.pool = ["weights"]
memref.global "private" @table : memref<32x32xf32> = uninitialized {gmem.init = "start"}
func.func @start() attributes {gmem.init} {
  %w = arith.constant dense<3> : tensor<32x32xi8>
  %i = arith.extsi %w : tensor<32x32xi8> to tensor<32x32xi32>
  %f = arith.sitofp %i : tensor<32x32xi32> to tensor<32x32xf32>
  %g = memref.get_global @table : memref<32x32xf32>
  bufferization.materialize_in_destination %f in restrict writable %g
    : (tensor<32x32xf32>, memref<32x32xf32>) -> ()
  return
}
func.func @main(%x: tensor<32x32xf32>) -> f32 {
  %g = memref.get_global @table : memref<32x32xf32>
  %m = memref.alloc() : memref<32x32xf32>
  linalg.negf ins(%g : memref<32x32xf32>) outs(%m : memref<32x32xf32>)
  %c = arith.constant 0 : index
  %a = memref.load %m[%c, %c] : memref<32x32xf32>
  %b = tensor.extract %x[%c, %c] : tensor<32x32xf32>
  %r = arith.addf %a, %b : f32
  return %r : f32
}
