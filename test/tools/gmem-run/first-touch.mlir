// The arena has its memory before the first request: 256 pages, none of which the
// request is the first to touch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UNSUPPORTED: sanitizer
// RUN: gmem-run %s --json --repeats=1 2>/dev/null | FileCheck %s
// CHECK-DAG: "arena_bytes": 1048576
// CHECK-DAG: "page_faults": {{[0-9][0-9]?}},

func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<32768x8xf32>
  %b = linalg.broadcast ins(%a : tensor<8xf32>) outs(%e : tensor<32768x8xf32>) dimensions = [0]
  %z = arith.constant 0.0 : f32
  %i = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%i : tensor<8xf32>) -> tensor<8xf32>
  %r = linalg.reduce { arith.addf } ins(%b : tensor<32768x8xf32>) outs(%f : tensor<8xf32>) dimensions = [0]
  return %r : tensor<8xf32>
}
