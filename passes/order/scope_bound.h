// scope_bound.h - how many bytes the tensors of a scope need in every order of
// its ops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_SCOPE_BOUND_H_
#define GMEM_PASSES_SCOPE_BOUND_H_

#include "order_inputs.h"

typedef struct gmem_scope_bound_s {
  uint64_t bytes; // of all workspace pools: no plan of any order that
                  // gmem-order-ops may choose needs less
  // Why a higher bound may exist: the search that ended without a proof, or
  // NULL: none did; the bound leaves out some facts (relaxed_graph.h).
  const char *gave_up;
  uint64_t print; // hash, of 63 bits, of what the bound is of
} gmem_scope_bound_t;

// Finds the bound with |effort|. |pools|: as the planner gets them. Ops in
// hardware queues give no bound: 0. Allocates in the arena of |analysis|. Fails
// with OUT_OF_MEMORY or OUT_OF_RANGE (sizes).
gmem_status_t gmem_scope_bound_find(const gmem_analysis_t *analysis,
                                    const gmem_model_options_t *options,
                                    const gmem_pool_spec_t *pools,
                                    gmem_effort_t effort,
                                    gmem_scope_bound_t *out_bound,
                                    gmem_diag_t *diag);

// Finds the hash alone, in linear time: a bound holds of programs with its
// hash.
gmem_status_t gmem_scope_bound_print(const gmem_analysis_t *analysis,
                                     const gmem_model_options_t *options,
                                     const gmem_pool_spec_t *pools,
                                     uint64_t *out_print, gmem_diag_t *diag);

#endif // GMEM_PASSES_SCOPE_BOUND_H_
