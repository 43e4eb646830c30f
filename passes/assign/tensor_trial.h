// tensor_trial.h - how much memory the tensors of a scope would need.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_TENSOR_TRIAL_H_
#define GMEM_PASSES_TENSOR_TRIAL_H_

#include <stdbool.h>

#include "bump.h"
#include "gmem/passes.h"
#include "op_model_text.h"

typedef struct gmem_tensor_trial_s {
  bool has_plan; // false: there is none, whatever the capacities
  bool fits;     // below the capacities
  uint64_t peak; // bytes of all pools; without limits if it does not fit
} gmem_tensor_trial_t;

// Plans the tensors of |scope| as gmem-assign-tensors does, with the same
// options, but changes nothing and reports nothing. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_tensor_trial(MlirOperation scope,
                                const gmem_op_models_t *models,
                                const gmem_plan_options_t *options,
                                const gmem_allocator_t *allocator,
                                gmem_tensor_trial_t *out_trial,
                                gmem_diag_t *diag);

// Whether |a| is better than |b|: it has a plan, or fits, or is smaller.
static inline bool gmem_trial_is_better(const gmem_tensor_trial_t *a,
                                        const gmem_tensor_trial_t *b) {
  if (a->has_plan != b->has_plan)
    return a->has_plan;
  if (a->fits != b->fits)
    return a->fits;
  return a->has_plan && a->peak < b->peak;
}

#endif // GMEM_PASSES_TENSOR_TRIAL_H_
