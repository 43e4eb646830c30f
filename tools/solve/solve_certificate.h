// solve_certificate.h - why a plan is as large as it is, and why there is none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_SOLVE_CERTIFICATE_H_
#define GMEM_TOOLS_SOLVE_CERTIFICATE_H_

#include "gmem/planner.h"
#include "solve_session.h"

// What proves that no plan needs less.
typedef enum gmem_proof_e {
  GMEM_PROOF_NONE = 0,   // nothing: it is not known
  GMEM_PROOF_LOAD = 1,   // what is live at one time needs as much
  GMEM_PROOF_FIXED = 2,  // a fixed buffer ends there
  GMEM_PROOF_SEARCH = 3, // no placement that a search has not ruled out
} gmem_proof_t;

typedef struct gmem_pool_certificate_s {
  uint64_t size;        // bytes that the plan needs there
  uint64_t lower_bound; // bytes that every plan needs there
  uint64_t load_bound;  // the same, as far as the load alone says it
  gmem_proof_t proof;   // that |size| is needed
  gmem_peak_t peak;
  uint32_t *live; // the peak.count buffers of the peak, by offset
} gmem_pool_certificate_t;

typedef struct gmem_certificate_s {
  const gmem_problem_t *problem; // not owned
  const gmem_placement_t *plan;  // not owned
  gmem_plan_figures_t figures;
  gmem_proof_t proof; // that the sum over the pools is needed
  gmem_pool_certificate_t *pools;
} gmem_certificate_t;

// Buffers that are too much for a pool, or for several together, if any are
// known.
typedef struct gmem_shortage_s {
  const gmem_problem_t *problem; // not owned
  gmem_infeasible_t found;
  uint32_t *buffers;  // found.count
  uint32_t *pools;    // found.pool_count: that are too small
  uint64_t capacity;  // of these together; GMEM_UNLIMITED: one has no limit
  uint64_t sum;       // of their sizes
  uint64_t load;      // the largest sum of sizes that are live at one time,
  int64_t time;       //   and the first time of that
  bool is_plain;      // none share bytes: |load| bytes are needed
  uint64_t needed;    // bytes, in all pools together, at least
  uint64_t available; // there
} gmem_shortage_t;

// Looks who makes |plan|, which has passed gmem_check, as large as it is. The
// certificate must be freed, even after a failure (OUT_OF_MEMORY).
GMEM_MUST_USE gmem_status_t gmem_certificate_create(
    const gmem_problem_t *problem, const gmem_placement_t *plan,
    const gmem_plan_figures_t *figures, gmem_certificate_t *out_certificate,
    gmem_diag_t *diag);
void gmem_certificate_free(gmem_certificate_t *certificate);

// Looks for a reason why gmem_run failed with OVER_BUDGET. It takes about as
// long again. The shortage must be freed, even after a failure.
GMEM_MUST_USE gmem_status_t gmem_shortage_find(gmem_session_t *session,
                                               const gmem_problem_t *problem,
                                               gmem_shortage_t *out_shortage,
                                               gmem_diag_t *diag);
void gmem_shortage_free(gmem_shortage_t *shortage);

// Whether it is proved that there is no plan.
bool gmem_shortage_is_proved(const gmem_shortage_t *shortage);

// The sum of the sizes, at most UINT64_MAX.
uint64_t gmem_sum_of_sizes(const gmem_problem_t *problem,
                           const uint32_t *buffers, size_t count);

//===--- solve_certificate_text.c: for people
//------------------------------===//

//===--- solve_certificate_json.c: one object, without an end of line -----===//

#endif // GMEM_TOOLS_SOLVE_CERTIFICATE_H_
