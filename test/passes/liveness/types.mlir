// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gmem-opt --allow-unregistered-dialect --gmem-plan %s | FileCheck %s

// How many bytes a value takes.

// CHECK-LABEL: func.func @main
func.func @main() {
  // Narrow elements are packed, the whole tensor rounded up to bytes.
  // CHECK: "a.i1"{{.*}}gmem.size = array<i64: 2>
  %0 = "a.i1"() : () -> tensor<9xi1>
  // CHECK: "a.i4"{{.*}}gmem.size = array<i64: 5>
  %1 = "a.i4"() : () -> tensor<3x3xi4>
  // CHECK: "a.i33"{{.*}}gmem.size = array<i64: 16>
  %2 = "a.i33"() : () -> tensor<2xi33>
  // CHECK: "a.index"{{.*}}gmem.size = array<i64: 24>
  %3 = "a.index"() : () -> tensor<3xindex>
  // CHECK: "a.f8"{{.*}}gmem.size = array<i64: 3>
  %4 = "a.f8"() : () -> tensor<3xf8E4M3FN>
  // CHECK: "a.bf16"{{.*}}gmem.size = array<i64: 6>
  %5 = "a.bf16"() : () -> tensor<3xbf16>
  // CHECK: "a.complex"{{.*}}gmem.size = array<i64: 24>
  %6 = "a.complex"() : () -> tensor<3xcomplex<f32>>
  // CHECK: "a.vector"{{.*}}gmem.size = array<i64: 48>
  %7 = "a.vector"() : () -> tensor<3xvector<4xf32>>
  // CHECK: "a.quantized"{{.*}}gmem.size = array<i64: 3>
  %8 = "a.quantized"() : () -> tensor<3x!quant.uniform<i8:f32, 1.0>>
  // Calibrated elements are not quantized yet.
  // CHECK: "a.calibrated"{{.*}}gmem.size = array<i64: 12>
  %9 = "a.calibrated"() : () -> tensor<3x!quant.calibrated<f32<-1.0:1.0>>>
  // An encoding of another dialect says nothing about the size.
  // CHECK: "a.encoded"{{.*}}gmem.size = array<i64: 12>
  %10 = "a.encoded"() : () -> tensor<3xf32, 4096 : i64>
  // CHECK: "a.rank0"{{.*}}gmem.size = array<i64: 4>
  %11 = "a.rank0"() : () -> tensor<f32>
  // Nothing is something too: it has an offset like any other.
  // CHECK: "a.empty"{{.*}}gmem.offset = array<i64: {{[0-9]+}}>{{.*}}gmem.size = array<i64: 0>
  %12 = "a.empty"() : () -> tensor<4x0xf32>
  // Huge dimensions beside a zero do not overflow.
  // CHECK: "a.empty_and_huge"{{.*}}gmem.size = array<i64: 0>
  %13 = "a.empty_and_huge"() : () -> tensor<9223372036854775807x4x0xf32>
  // Results without memory are marked, those beside them planned.
  // CHECK: "a.mixed"{{.*}}gmem.offset = array<i64: -1, {{[0-9]+}}, -1>, gmem.pool = ["", "tensors", ""], gmem.size = array<i64: -1, 8, -1>
  %14:3 = "a.mixed"() : () -> (none, tensor<2xi32>, tensor<?xi32>)
  // Scalars, tokens and handles need none.
  // CHECK: "a.scalars"() : ()
  %15:3 = "a.scalars"() : () -> (i32, index, !a.token)
  // Sparse tensors are laid out by others.
  // CHECK: "a.sparse"() : ()
  %16 = "a.sparse"() : () -> tensor<8xf32, #sparse_tensor.encoding<{map = (d0) -> (d0 : compressed)}>>
  return
}
