// A transformer block: attention by heads, an MLP by columns and rows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

shard.grid @grid(shape = 2)
func.func @main(%x: tensor<32x64xf32>, %wq: tensor<8x64x8xf32>, %wk: tensor<8x64x8xf32>, %wv: tensor<8x64x8xf32>, %wo: tensor<8x8x64xf32>, %up: tensor<64x256xf32>, %down: tensor<256x64xf32>) -> tensor<32x64xf32> {
  %whole = shard.sharding @grid split_axes = [[], []] : !shard.sharding
  %heads = shard.sharding @grid split_axes = [[0], [], []] : !shard.sharding
  %columns = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @grid split_axes = [[0], []] : !shard.sharding
  %x_s = shard.shard %x to %whole annotate_for_users : tensor<32x64xf32>
  %wq_s = shard.shard %wq to %heads annotate_for_users : tensor<8x64x8xf32>
  %wk_s = shard.shard %wk to %heads annotate_for_users : tensor<8x64x8xf32>
  %wv_s = shard.shard %wv to %heads annotate_for_users : tensor<8x64x8xf32>
  %wo_s = shard.shard %wo to %heads annotate_for_users : tensor<8x8x64xf32>
  %up_s = shard.shard %up to %columns annotate_for_users : tensor<64x256xf32>
  %down_s = shard.shard %down to %rows annotate_for_users : tensor<256x64xf32>
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0e30 : f32
  %e_q = tensor.empty() : tensor<8x32x8xf32>
  %i_q = linalg.fill ins(%zero : f32) outs(%e_q : tensor<8x32x8xf32>) -> tensor<8x32x8xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(h, s, e, d) -> (s, d)>, affine_map<(h, s, e, d) -> (h, d, e)>, affine_map<(h, s, e, d) -> (h, s, e)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x_s, %wq_s : tensor<32x64xf32>, tensor<8x64x8xf32>) outs(%i_q : tensor<8x32x8xf32>) {
  ^bb0(%a0: f32, %a1: f32, %acc: f32):
    %p = arith.mulf %a0, %a1 : f32
    %n = arith.addf %acc, %p : f32
    linalg.yield %n : f32
  } -> tensor<8x32x8xf32>
  %e_k = tensor.empty() : tensor<8x32x8xf32>
  %i_k = linalg.fill ins(%zero : f32) outs(%e_k : tensor<8x32x8xf32>) -> tensor<8x32x8xf32>
  %k = linalg.generic {indexing_maps = [affine_map<(h, s, e, d) -> (s, d)>, affine_map<(h, s, e, d) -> (h, d, e)>, affine_map<(h, s, e, d) -> (h, s, e)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x_s, %wk_s : tensor<32x64xf32>, tensor<8x64x8xf32>) outs(%i_k : tensor<8x32x8xf32>) {
  ^bb0(%a0: f32, %a1: f32, %acc: f32):
    %p = arith.mulf %a0, %a1 : f32
    %n = arith.addf %acc, %p : f32
    linalg.yield %n : f32
  } -> tensor<8x32x8xf32>
  %e_v = tensor.empty() : tensor<8x32x8xf32>
  %i_v = linalg.fill ins(%zero : f32) outs(%e_v : tensor<8x32x8xf32>) -> tensor<8x32x8xf32>
  %v = linalg.generic {indexing_maps = [affine_map<(h, s, e, d) -> (s, d)>, affine_map<(h, s, e, d) -> (h, d, e)>, affine_map<(h, s, e, d) -> (h, s, e)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x_s, %wv_s : tensor<32x64xf32>, tensor<8x64x8xf32>) outs(%i_v : tensor<8x32x8xf32>) {
  ^bb0(%a0: f32, %a1: f32, %acc: f32):
    %p = arith.mulf %a0, %a1 : f32
    %n = arith.addf %acc, %p : f32
    linalg.yield %n : f32
  } -> tensor<8x32x8xf32>
  %e_score = tensor.empty() : tensor<8x32x32xf32>
  %i_score = linalg.fill ins(%zero : f32) outs(%e_score : tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
  %score = linalg.generic {indexing_maps = [affine_map<(h, s, r, e) -> (h, s, e)>, affine_map<(h, s, r, e) -> (h, r, e)>, affine_map<(h, s, r, e) -> (h, s, r)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<8x32x8xf32>, tensor<8x32x8xf32>) outs(%i_score : tensor<8x32x32xf32>) {
  ^bb0(%a0: f32, %a1: f32, %acc: f32):
    %p = arith.mulf %a0, %a1 : f32
    %n = arith.addf %acc, %p : f32
    linalg.yield %n : f32
  } -> tensor<8x32x32xf32>
  %e_top = tensor.empty() : tensor<8x32xf32>
  %i_top = linalg.fill ins(%low : f32) outs(%e_top : tensor<8x32xf32>) -> tensor<8x32xf32>
  %top = linalg.generic {indexing_maps = [affine_map<(h, s, r) -> (h, s, r)>, affine_map<(h, s, r) -> (h, s)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%score : tensor<8x32x32xf32>) outs(%i_top : tensor<8x32xf32>) {
  ^bb0(%a0: f32, %acc: f32):
    %p = arith.maximumf %acc, %a0 : f32
    linalg.yield %p : f32
  } -> tensor<8x32xf32>
  %e_weight = tensor.empty() : tensor<8x32x32xf32>
  %i_weight = linalg.fill ins(%zero : f32) outs(%e_weight : tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
  %weight = linalg.generic {indexing_maps = [affine_map<(h, s, r) -> (h, s, r)>, affine_map<(h, s, r) -> (h, s)>, affine_map<(h, s, r) -> (h, s, r)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%score, %top : tensor<8x32x32xf32>, tensor<8x32xf32>) outs(%i_weight : tensor<8x32x32xf32>) {
  ^bb0(%a0: f32, %a1: f32, %acc: f32):
    %p = arith.subf %a0, %a1 : f32
    %n = math.exp %p : f32
    linalg.yield %n : f32
  } -> tensor<8x32x32xf32>
  %e_total = tensor.empty() : tensor<8x32xf32>
  %i_total = linalg.fill ins(%zero : f32) outs(%e_total : tensor<8x32xf32>) -> tensor<8x32xf32>
  %total = linalg.generic {indexing_maps = [affine_map<(h, s, r) -> (h, s, r)>, affine_map<(h, s, r) -> (h, s)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%weight : tensor<8x32x32xf32>) outs(%i_total : tensor<8x32xf32>) {
  ^bb0(%a0: f32, %acc: f32):
    %p = arith.addf %acc, %a0 : f32
    linalg.yield %p : f32
  } -> tensor<8x32xf32>
  %e_share = tensor.empty() : tensor<8x32x32xf32>
  %i_share = linalg.fill ins(%zero : f32) outs(%e_share : tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
  %share = linalg.generic {indexing_maps = [affine_map<(h, s, r) -> (h, s, r)>, affine_map<(h, s, r) -> (h, s)>, affine_map<(h, s, r) -> (h, s, r)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%weight, %total : tensor<8x32x32xf32>, tensor<8x32xf32>) outs(%i_share : tensor<8x32x32xf32>) {
  ^bb0(%a0: f32, %a1: f32, %acc: f32):
    %p = arith.divf %a0, %a1 : f32
    linalg.yield %p : f32
  } -> tensor<8x32x32xf32>
  %e_context = tensor.empty() : tensor<8x32x8xf32>
  %i_context = linalg.fill ins(%zero : f32) outs(%e_context : tensor<8x32x8xf32>) -> tensor<8x32x8xf32>
  %context = linalg.generic {indexing_maps = [affine_map<(h, s, e, r) -> (h, s, r)>, affine_map<(h, s, e, r) -> (h, r, e)>, affine_map<(h, s, e, r) -> (h, s, e)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%share, %v : tensor<8x32x32xf32>, tensor<8x32x8xf32>) outs(%i_context : tensor<8x32x8xf32>) {
  ^bb0(%a0: f32, %a1: f32, %acc: f32):
    %p = arith.mulf %a0, %a1 : f32
    %n = arith.addf %acc, %p : f32
    linalg.yield %n : f32
  } -> tensor<8x32x8xf32>
  %e_mixed = tensor.empty() : tensor<32x64xf32>
  %i_mixed = linalg.fill ins(%zero : f32) outs(%e_mixed : tensor<32x64xf32>) -> tensor<32x64xf32>
  %mixed = linalg.generic {indexing_maps = [affine_map<(s, d, h, e) -> (h, s, e)>, affine_map<(s, d, h, e) -> (h, e, d)>, affine_map<(s, d, h, e) -> (s, d)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%context, %wo_s : tensor<8x32x8xf32>, tensor<8x8x64xf32>) outs(%i_mixed : tensor<32x64xf32>) {
  ^bb0(%a0: f32, %a1: f32, %acc: f32):
    %p = arith.mulf %a0, %a1 : f32
    %n = arith.addf %acc, %p : f32
    linalg.yield %n : f32
  } -> tensor<32x64xf32>
  %mixed_s = shard.shard %mixed to %whole : tensor<32x64xf32>
  %mixed_u = shard.shard %mixed_s to %whole annotate_for_users : tensor<32x64xf32>
  %e_first = tensor.empty() : tensor<32x64xf32>
  %first = linalg.add ins(%x_s, %mixed_u : tensor<32x64xf32>, tensor<32x64xf32>) outs(%e_first : tensor<32x64xf32>) -> tensor<32x64xf32>
  %first_s = shard.shard %first to %whole : tensor<32x64xf32>
  %first_u = shard.shard %first_s to %whole annotate_for_users : tensor<32x64xf32>
  %e_hidden = tensor.empty() : tensor<32x256xf32>
  %i_hidden = linalg.fill ins(%zero : f32) outs(%e_hidden : tensor<32x256xf32>) -> tensor<32x256xf32>
  %hidden = linalg.matmul ins(%first_u, %up_s : tensor<32x64xf32>, tensor<64x256xf32>) outs(%i_hidden : tensor<32x256xf32>) -> tensor<32x256xf32>
  %e_active = tensor.empty() : tensor<32x256xf32>
  %active = linalg.tanh ins(%hidden : tensor<32x256xf32>) outs(%e_active : tensor<32x256xf32>) -> tensor<32x256xf32>
  %e_out = tensor.empty() : tensor<32x64xf32>
  %i_out = linalg.fill ins(%zero : f32) outs(%e_out : tensor<32x64xf32>) -> tensor<32x64xf32>
  %out = linalg.matmul ins(%active, %down_s : tensor<32x256xf32>, tensor<256x64xf32>) outs(%i_out : tensor<32x64xf32>) -> tensor<32x64xf32>
  %out_s = shard.shard %out to %whole : tensor<32x64xf32>
  %out_u = shard.shard %out_s to %whole annotate_for_users : tensor<32x64xf32>
  %e_last = tensor.empty() : tensor<32x64xf32>
  %last = linalg.add ins(%first_u, %out_u : tensor<32x64xf32>, tensor<32x64xf32>) outs(%e_last : tensor<32x64xf32>) -> tensor<32x64xf32>
  %result = shard.shard %last to %whole : tensor<32x64xf32>
  return %result : tensor<32x64xf32>
}
