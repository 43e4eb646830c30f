// gmem-report as text: what a plan would be, in tables for people.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: mlir-22
// In MLIR 19 tosa has other ops and attributes.
//
// RUN: gmem-opt --allow-unregistered-dialect --gmem-report=alignment=64 %s -o %t.out 2> %t.err
// RUN: FileCheck %s --match-full-lines --strict-whitespace < %t.err
//
// The program goes through as it is.
// RUN: gmem-opt --allow-unregistered-dialect %s | cmp - %t.out
//
// The report is the same when there is a plan already that is made again.
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan --gmem-report='replan=true alignment=64 output=%t.again' %s -o /dev/null
// RUN: cmp %t.again %t.err
//
// It says what gmem-plan then does.
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan=alignment=64 %s | FileCheck %s --check-prefix=PLAN
// PLAN: peak = 256 : i64
//
// A file has the same text.
// RUN: gmem-opt --allow-unregistered-dialect --gmem-report='alignment=64 output=%t.file' %s -o /dev/null 2>&1 | count 0
// RUN: cmp %t.file %t.err

// 1. Constants: a line, without a table. 2. A pool: its size, and how it
// compares; the moment at which most is live. 3. Buffers: when they live, whose
// memory they share at other times, and by which alias at one time.
//      CHECK:pool weights: 64 bytes of constants
// CHECK-NEXT:  1 buffer, 64 bytes in total; alignment 4096
// CHECK-NEXT:pool tensors: 256 bytes, equal to the lower bound
// CHECK-NEXT:  5 buffers, 448 bytes in total; reuse 1.75; 1 view; alignment 64
// CHECK-NEXT:  peak liveness at step 5, test.two (text.mlir:[[#@LINE+18]]:8): 256 bytes in 3 buffers
// CHECK-NEXT:    128  main/%3  test.two (text.mlir:[[#@LINE+17]]:8)
// CHECK-NEXT:     64  main/%1  tosa.add (text.mlir:[[#@LINE+13]]:8)
// CHECK-NEXT:     64  main/%2  tosa.tanh (text.mlir:[[#@LINE+13]]:8)
// CHECK-NEXT:  buffer      bytes  offset  steps   from                        to                            memory shared with
// CHECK-NEXT:  main/%arg0     64     192  [0, 4)  func.func (text.mlir:[[#@LINE+8]]:1)  tosa.tanh (text.mlir:[[#@LINE+11]]:8)    main/%2; input
// CHECK-NEXT:  main/%1        64     128  [2, 6)  tosa.add (text.mlir:[[#@LINE+9]]:8)   test.two (text.mlir:[[#@LINE+12]]:8)
// CHECK-NEXT:  main/%2        64     192  [3, 6)  tosa.tanh (text.mlir:[[#@LINE+9]]:8)  test.two (text.mlir:[[#@LINE+11]]:8)     main/%arg0; inplace of main/%arg0
// CHECK-NEXT:  main/%3       128       0  [5, 7)  test.two (text.mlir:[[#@LINE+10]]:8)   tosa.exp (text.mlir:[[#@LINE+11]]:8)     main/%4
// CHECK-NEXT:  main/%4       128       0  [6, 8)  tosa.exp (text.mlir:[[#@LINE+10]]:8)   func.return (text.mlir:[[#@LINE+11]]:3)  main/%3; inplace of main/%3; output
// CHECK-NEXT:not planned: 1 value
// CHECK-NEXT:  its shape is dynamic: 1; dynamic-bound= bounds it, gmem.bytes states its size
// CHECK-NEXT:    argument #1 of @main, text.mlir:[[#@LINE+1]]:37
func.func @main(%x: tensor<16xf32>, %d: tensor<?xf32>) -> tensor<2x16xf32> {
  %w = "tosa.const"() {values = dense<1.0> : tensor<16xf32>} : () -> tensor<16xf32>
  %0 = tosa.add %x, %w : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %1 = tosa.tanh %x : (tensor<16xf32>) -> tensor<16xf32>
  %2 = tensor.expand_shape %1 [[0, 1]] output_shape [1, 16] : tensor<16xf32> into tensor<1x16xf32>
  %3 = "test.two"(%2, %0) : (tensor<1x16xf32>, tensor<16xf32>) -> tensor<2x16xf32>
  %4 = tosa.exp %3 : (tensor<2x16xf32>) -> tensor<2x16xf32>
  return %4 : tensor<2x16xf32>
}
