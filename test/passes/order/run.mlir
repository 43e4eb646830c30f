// A program in another order computes the same, bit for bit, and needs less
// memory also after bufferization.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: gmem-run %s --entry=main --compare --check=broken-plan --plan-options='alignment=64 order=best' 2>&1 | FileCheck %s --check-prefix=OUT
// RUN: gmem-opt --gmem-bufferize-and-plan='alignment=64 order=best' %s 2>/dev/null | FileCheck %s --check-prefix=BEST
// RUN: gmem-opt --gmem-bufferize-and-plan='alignment=64' %s 2>/dev/null | FileCheck %s --check-prefix=GIVEN

// OUT: remark: {{.*}}order=best
// OUT: equal: the planned and unplanned outputs are bitwise equal
// OUT: changes the outputs
// BEST: peak = 135168
// GIVEN: peak = 266240
#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: tensor<64x64xf32>, %w: tensor<64x512xf32>,
    %v: tensor<64x512xf32>, %u: tensor<512x16xf32>) -> tensor<64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<64x512xf32>
  %narrow = tensor.empty() : tensor<64x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%wide : tensor<64x512xf32>) -> tensor<64x512xf32>
  %a = linalg.matmul ins(%x, %w : tensor<64x64xf32>, tensor<64x512xf32>) outs(%f : tensor<64x512xf32>) -> tensor<64x512xf32>
  %g = linalg.fill ins(%zero : f32) outs(%wide : tensor<64x512xf32>) -> tensor<64x512xf32>
  %b = linalg.matmul ins(%x, %v : tensor<64x64xf32>, tensor<64x512xf32>) outs(%g : tensor<64x512xf32>) -> tensor<64x512xf32>
  %h = linalg.fill ins(%zero : f32) outs(%narrow : tensor<64x16xf32>) -> tensor<64x16xf32>
  %c = linalg.matmul ins(%a, %u : tensor<64x512xf32>, tensor<512x16xf32>) outs(%h : tensor<64x16xf32>) -> tensor<64x16xf32>
  %i = linalg.fill ins(%zero : f32) outs(%narrow : tensor<64x16xf32>) -> tensor<64x16xf32>
  %d = linalg.matmul ins(%b, %u : tensor<64x512xf32>, tensor<512x16xf32>) outs(%i : tensor<64x16xf32>) -> tensor<64x16xf32>
  %e = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%c, %d : tensor<64x16xf32>, tensor<64x16xf32>) outs(%narrow : tensor<64x16xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<64x16xf32>
  return %e : tensor<64x16xf32>
}
