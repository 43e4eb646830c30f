// A token of an upstream dialect was reported as a value of unknown size.
// RUN: gmem-opt %s --gmem-plan=strict=true | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// CHECK-LABEL: func.func @handles
// CHECK-SAME: %arg0: !async.token, %arg1: !gpu.async.token, %arg2: !llvm.ptr,
func.func @handles(%a: !async.token, %b: !gpu.async.token, %c: !llvm.ptr,
    %d: !nvgpu.device.async.token, %e: !gpu.mma_matrix<16x16xf16, "AOp">,
    %f: !xegpu.nbarrier, %g: !omp.map_bounds_ty, %h: !transform.any_op,
    %i: !spirv.ptr<f32, Function>, %j: !emitc.ptr<f32>, %k: !async.group) {
  return
}

// CHECK-LABEL: func.func @overlapped
// CHECK: math.exp {{.*}}gmem.offset
func.func @overlapped(%x: tensor<64xf32>) -> tensor<64xf32> {
  %group_size = arith.constant 1 : index
  %group = async.create_group %group_size : !async.group
  %y = math.exp %x : tensor<64xf32>
  async.await_all %group
  return %y : tensor<64xf32>
}
