// pipelines.h - the passes of each pipeline; {NULL, NULL} ends a list.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GMEM_PASSES_PIPELINES_H_
#define GMEM_PASSES_PIPELINES_H_

#include "gmem/passes.h"

extern const gmem_pipeline_step_t gmem_plan_steps[];
extern const gmem_pipeline_step_t gmem_bufferize_and_plan_steps[];
extern const gmem_pipeline_step_t gmem_shard_and_plan_steps[];
extern const gmem_pipeline_step_t gmem_lower_to_llvm_steps[];

#endif // GMEM_PASSES_PIPELINES_H_
