// pipelines.c - the passes of each pipeline, in order, with reasons.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pipelines.h"

#include "mlir_seam.h"

// gmem_plan_module (plan/plan_module.c) runs the same passes in the same order
// without a pass manager; keep the two equal.
const gmem_pipeline_step_t gmem_plan_steps[] = {
    {"gmem-hoist-constants{constants=keep}", NULL},
    {"gmem-order-ops{order=given}", NULL},
    {"gmem-assign-weights", NULL},
    {"gmem-assign-tensors", NULL},
    {"gmem-verify-plan{figures=strict}", NULL},
    {NULL, NULL},
};

// From linalg or TOSA on tensors to a plan of memrefs. Each pass ignores ops of
// other kinds, so programs that use memrefs already are accepted.
const gmem_pipeline_step_t gmem_bufferize_and_plan_steps[] = {
    // Before anything folds constants.
    {"gmem-transforms-to-globals", NULL},
    // Before the first canonicalize, which does not terminate on some of them.
    {"gmem-simplify-branches", NULL},
    // Control flow first: its regions are lowered by the passes that follow,
    // and tosa.yield has no other lowering.
    {"func.func(tosa-to-scf)", NULL},
    {"func.func(tosa-optional-decompositions),canonicalize", NULL},
    {"func.func(tosa-infer-shapes,tosa-make-broadcastable,"
     "tosa-to-linalg-named),canonicalize",
     NULL},
    {"func.func(tosa-layerwise-constant-fold,tosa-make-broadcastable)", NULL},
    {"func.func(tosa-to-linalg,tosa-to-arith{include-apply-rescale=true},"
     "tosa-to-tensor)",
     NULL},
    // No cse before bufferization: it would merge all tensor.empty ops of one
    // shape, and all fills with one value. The merged tensors would be live
    // from their first to their last layer and would have to be copied.
    {"convert-elementwise-to-linalg,canonicalize", NULL},
    // An elementwise op that is fused with its user needs no buffer. Folding
    // unit extents allows more fusion.
    {"linalg-fold-unit-extent-dims,linalg-fuse-elementwise-ops", NULL},
    // Fusion leaves dead ops, which would prevent elimination of tensor.empty.
    {"canonicalize", NULL},
    // What is fused needs no buffer, and what bufferization computes into a
    // destination is to be computed into the constant.
    {"gmem-hoist-constants{constants=keep}", NULL},
    // Ops on tensors have no effects, so that they can move; those on memrefs
    // have. Arguments will be memory of the caller.
    {"gmem-order-ops{order=given io=separate}", NULL},
    // An optimisation that makes invalid IR of some programs.
    {"gmem-eliminate-empty-tensors", NULL},
    // Canonicalization makes new ones where it removes blocks.
    {"gmem-simplify-branches", NULL},
    // Identity layouts at function boundaries allow calls from outside of the
    // module. The canonicalization afterwards removes dead views, which would
    // extend live ranges.
    {"one-shot-bufferize{bufferize-function-boundaries=true "
     "function-boundary-type-conversion=identity-layout-map "
     "allow-return-allocs-from-loops=true}",
     NULL},
    {"canonicalize,cse", NULL},
    {"buffer-results-to-out-params{add-result-attr=true " GMEM_PUBLIC_FUNCTIONS
     "hoist-static-allocs=true},drop-equivalent-buffer-results",
     "out-params"},
    {"gmem-workspace-io", "workspace-io"},
    // Bufferization allocates in loops, and frees nothing.
    {"gmem-expand-allocs", NULL},
    {"gmem-plan", NULL},
    {NULL, NULL},
};

// From tensors with shardings to the program of each rank.
const gmem_pipeline_step_t gmem_shard_and_plan_steps[] = {
    {"gmem-check-sharding,func.func(sharding-propagation,shard-partition),"
     "gmem-expand-collectives,gmem-check-sharding,convert-shard-to-mpi",
     NULL},
    // Canonicalization brings constants out of branches. No cse, as above.
    {"canonicalize,gmem-simplify-partition,canonicalize", NULL},
    {"gmem-bufferize-and-plan{out-params=$out-params "
     "workspace-io=$workspace-io}",
     NULL},
    {NULL, NULL},
};

// From memrefs to the LLVM dialect. expand-strided-metadata and lower-affine
// run twice: lowering linalg ops to loops creates new views and affine maps.
// All passes that convert the index type must use the same width.
const gmem_pipeline_step_t gmem_lower_to_llvm_steps[] = {
    // No conversion knows the ops that state op models.
    {"gmem-remove-op-models", NULL},
    {"gmem-check-transforms", NULL},
    {"gmem-check-index-width", NULL},
    // Removes constants that have moved into the weights image, which would
    // take long to translate.
    {"symbol-dce", NULL},
    {"convert-bufferization-to-memref,expand-realloc,canonicalize,cse,"
     "expand-strided-metadata",
     NULL},
    {"func.func(convert-linalg-to-loops,convert-vector-to-scf),"
     "lower-affine,convert-scf-to-cf,expand-strided-metadata,lower-affine",
     NULL},
    // Before memrefs are pointers, of which it makes the arguments of the
    // calls.
    {"gmem-lower-messages", NULL},
    {"convert-vector-to-llvm,convert-complex-to-standard,"
     "func.func(convert-math-to-llvm),convert-math-to-libm,"
     "convert-complex-to-llvm,"
     "convert-arith-to-llvm{index-bitwidth=$index-bitwidth},"
     "convert-index-to-llvm{index-bitwidth=$index-bitwidth},"
     "convert-ub-to-llvm{index-bitwidth=$index-bitwidth}",
     NULL},
    {"finalize-memref-to-llvm{index-bitwidth=$index-bitwidth},"
     "convert-func-to-llvm{index-bitwidth=$index-bitwidth},"
     "convert-cf-to-llvm{index-bitwidth=$index-bitwidth},"
     "reconcile-unrealized-casts,gmem-check-index-width,"
     "gmem-check-memory-spaces",
     NULL},
    // Before any folding of memref descriptors, by which the pass identifies
    // buffers.
    {"gmem-alias-scopes", "alias-scopes"},
    {"gmem-align-arguments", NULL},
    {NULL, NULL},
};
