// verify_plan.h - gmem-verify-plan, and the verified plan of each scope for
// other passes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_VERIFY_PLAN_H_
#define GMEM_PASSES_VERIFY_PLAN_H_

#include "gmem/passes.h"
#include "scope_plan.h"

gmem_pass_fn gmem_verify_plan;

// The use of a verified plan of one scope. It is valid during the call only.
typedef gmem_status_t (*gmem_scope_plan_fn)(gmem_scope_plan_t *plan,
                                            const gmem_op_models_t *models,
                                            void *user, gmem_diag_t *diag);

typedef struct gmem_plan_visit_s {
  gmem_scope_plan_fn use; // or NULL; reports its own errors, but OUT_OF_MEMORY
  void *user;
  bool is_verified;        // the caller has verified the plans
  gmem_verify_only_t only; // the checks to run; only contents: |use| is NULL
  bool strict_figures;     // wrong figures are an error, not a remark
  bool over_capacity;      // pools may exceed their capacities
} gmem_plan_visit_t;

// Verifies the plan of every scope in |top| and then calls |visit->use| with
// it.
gmem_status_t gmem_for_each_plan_in(MlirOperation top,
                                    const gmem_plan_visit_t *visit,
                                    const gmem_allocator_t *allocator,
                                    gmem_diag_t *diag);

#endif // GMEM_PASSES_VERIFY_PLAN_H_
