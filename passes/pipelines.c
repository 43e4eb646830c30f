// pipelines.c - which passes each pipeline runs, in which order and why.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass_table.h"

// gmem_plan_module runs them too, so each step is one pass without options.
const gmem_pipeline_step_t gmem_plan_steps[] = {
    {"gmem-assign-weights", NULL},
    {"gmem-assign-tensors", NULL},
    {"gmem-verify-plan", NULL},
    {NULL, NULL},
};

// From linalg or TOSA on tensors, or anything that bufferizes, to a plan of the
// memrefs. Each of the steps leaves alone what is not of its kind.
const gmem_pipeline_step_t gmem_bufferize_and_plan_steps[] = {
    {"func.func(tosa-optional-decompositions),canonicalize", NULL},
    {"func.func(tosa-infer-shapes,tosa-make-broadcastable,"
     "tosa-to-linalg-named),canonicalize",
     NULL},
    {"func.func(tosa-layerwise-constant-fold,tosa-make-broadcastable),"
     "func.func(tosa-to-linalg,tosa-to-arith{include-apply-rescale=true},"
     "tosa-to-tensor)",
     NULL},
    {"convert-elementwise-to-linalg,canonicalize,cse", NULL},
    {"linalg-fuse-elementwise-ops,eliminate-empty-tensors", NULL},
    {"one-shot-bufferize{bufferize-function-boundaries=true "
     "function-boundary-type-conversion=identity-layout-map},"
     "canonicalize,cse",
     NULL},
    {"gmem-plan", NULL},
    {NULL, NULL},
};

const gmem_pipeline_step_t gmem_lower_to_llvm_steps[] = {
    {"canonicalize,cse,expand-strided-metadata,"
     "func.func(convert-linalg-to-affine-loops),lower-affine,"
     "convert-scf-to-cf,expand-strided-metadata,lower-affine",
     NULL},
    {"func.func(convert-math-to-llvm),convert-math-to-libm,"
     "convert-arith-to-llvm,convert-index-to-llvm,convert-vector-to-llvm,"
     "finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,"
     "reconcile-unrealized-casts",
     NULL},
    {NULL, NULL},
};
