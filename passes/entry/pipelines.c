// pipelines.c - which passes each pipeline runs, in which order and why.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pipelines.h"

// gmem_plan_module runs them too, so each step is one pass without options.
const gmem_pipeline_step_t gmem_plan_steps[] = {
    {"gmem-assign-weights", NULL},
    {"gmem-assign-tensors", NULL},
    {"gmem-verify-plan", NULL},
    {NULL, NULL},
};

// From linalg or TOSA on tensors to a plan of memrefs. What is on memrefs
// already passes through. Each step leaves alone what is not of its kind.
const gmem_pipeline_step_t gmem_bufferize_and_plan_steps[] = {
    {"func.func(tosa-optional-decompositions),canonicalize", NULL},
    {"func.func(tosa-infer-shapes,tosa-make-broadcastable,"
     "tosa-to-linalg-named),canonicalize",
     NULL},
    {"func.func(tosa-layerwise-constant-fold,tosa-make-broadcastable)", NULL},
    {"func.func(tosa-to-linalg,tosa-to-arith{include-apply-rescale=true},"
     "tosa-to-tensor,tosa-to-scf)",
     NULL},
    // No cse while there are tensors: it makes one of all empty ones of a
    // shape, and one of all that are filled with the same, which then live from
    // their first layer to their last, and have to be copied.
    {"convert-elementwise-to-linalg,canonicalize", NULL},
    // A value that is made and read element by element needs no buffer; and
    // with axes of one element more of them are seen to be that.
    {"linalg-fold-unit-extent-dims,linalg-fuse-elementwise-ops", NULL},
    // Fusion leaves ops that nothing reads; with these gone, more values are
    // made where they are wanted.
    {"canonicalize,eliminate-empty-tensors", NULL},
    // Layouts at functions' boundaries are plain ones, so that callers that
    // nobody knows can call them. Views that nothing reads would lengthen lives
    // if they stayed.
    {"one-shot-bufferize{bufferize-function-boundaries=true "
     "function-boundary-type-conversion=identity-layout-map "
     "allow-return-allocs-from-loops=true}",
     NULL},
    {"canonicalize,cse", NULL},
    {"buffer-results-to-out-params{add-result-attr=true "
     "modify-public-functions=true "
     "hoist-static-allocs=true},drop-equivalent-buffer-results",
     "out-params"},
    {"gmem-plan", NULL},
    {NULL, NULL},
};

// From memrefs to the LLVM dialect. Twice expand-strided-metadata and
// lower-affine: the loops of linalg ops make new views and maps. All that make
// something of an index have to agree on how wide it is.
const gmem_pipeline_step_t gmem_lower_to_llvm_steps[] = {
    {"gmem-check-index-width", NULL},
    // Constants that are in the weights image by now take long to translate.
    {"symbol-dce", NULL},
    {"convert-bufferization-to-memref,expand-realloc,canonicalize,cse,"
     "expand-strided-metadata",
     NULL},
    {"func.func(convert-linalg-to-loops,convert-vector-to-scf),"
     "lower-affine,convert-scf-to-cf,expand-strided-metadata,lower-affine",
     NULL},
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
     "reconcile-unrealized-casts,gmem-check-index-width",
     NULL},
    // Before anything folds descriptors away, by which it finds the buffers.
    {"gmem-alias-scopes", "alias-scopes"},
    {NULL, NULL},
};
