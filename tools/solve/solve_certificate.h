// solve_certificate.h - certificates of optimality and infeasibility.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_SOLVE_CERTIFICATE_H_
#define GMEM_TOOLS_SOLVE_CERTIFICATE_H_

#include <stdio.h>

#include "gmem/planner.h"
#include "json_writer.h"

// How a lower bound is proved.
typedef enum gmem_proof_e {
  GMEM_PROOF_NONE = 0,   // not proved
  GMEM_PROOF_LOAD = 1,   // the buffers that are live at one time
  GMEM_PROOF_FIXED = 2,  // a fixed buffer ends there
  GMEM_PROOF_SEARCH = 3, // exhaustive search
} gmem_proof_t;

typedef struct gmem_pool_certificate_s {
  uint64_t size;        // bytes that the plan needs in the pool
  uint64_t lower_bound; // bytes that every plan needs in the pool
  uint64_t load_bound;  // lower bound from the load alone
  gmem_proof_t proof;   // of |size| as a lower bound
  gmem_peak_t peak;
  uint32_t *live; // the peak.count buffers of the peak, by offset
} gmem_pool_certificate_t;

typedef struct gmem_certificate_s {
  const gmem_problem_t *problem; // not owned
  const gmem_placement_t *plan;  // not owned
  gmem_plan_figures_t figures;
  const gmem_penalty_figures_t *penalties; // NULL: not known; not owned
  gmem_proof_t proof; // of the sum over the pools as a lower bound
  gmem_pool_certificate_t *pools;
} gmem_certificate_t;

// A set of buffers that does not fit into a pool, or into several pools
// together, if one is known.
typedef struct gmem_shortage_s {
  const gmem_problem_t *problem; // not owned
  gmem_infeasible_t found;
  uint32_t *buffers;  // found.count
  uint32_t *pools;    // found.pool_count: the pools that are too small
  uint64_t capacity;  // sum over |pools|; GMEM_UNLIMITED if one is unlimited
  uint64_t sum;       // of the sizes of |buffers|
  uint64_t load;      // largest sum of the sizes that are live at one time
  int64_t time;       // first time with that load
  bool is_plain;      // no two can share bytes, so |load| bytes are needed
  uint64_t needed;    // lower bound, bytes summed over all pools
  uint64_t available; // capacity, bytes summed over all pools
} gmem_shortage_t;

// Finds the peaks of |plan|, which must have passed gmem_check, and the proofs
// of its lower bounds. Call gmem_certificate_free even after a failure
// (OUT_OF_MEMORY).
GMEM_MUST_USE gmem_status_t gmem_certificate_create(
    const gmem_problem_t *problem, const gmem_placement_t *plan,
    const gmem_plan_figures_t *figures, gmem_certificate_t *out_certificate,
    gmem_diag_t *diag);
void gmem_certificate_free(gmem_certificate_t *certificate);

// Explains why gmem_run failed with OVER_BUDGET, with the |options| of that
// run; takes about as long. Call gmem_shortage_free even after a failure.
GMEM_MUST_USE gmem_status_t gmem_shortage_find(
    const gmem_problem_t *problem, const gmem_solve_options_t *options,
    gmem_shortage_t *out_shortage, gmem_diag_t *diag);
void gmem_shortage_free(gmem_shortage_t *shortage);

// Whether the problem is proved infeasible.
bool gmem_shortage_is_proved(const gmem_shortage_t *shortage);

// The sum of the sizes, saturating at UINT64_MAX.
uint64_t gmem_sum_of_sizes(const gmem_problem_t *problem,
                           const uint32_t *buffers, size_t count);

//===--- as text ----------------------------------------------------------===//

// Prints at most |most| buffers, then the number of the others. Every line
// begins with |prefix|.
void gmem_shortage_print(const gmem_shortage_t *shortage, size_t most,
                         const char *prefix, FILE *output);

// Writes a certificate, or if that is NULL a shortage, with all buffers, to the
// file |path| (atomically), or to |output| if |path| is NULL.
GMEM_MUST_USE gmem_status_t gmem_proof_write(
    const gmem_certificate_t *certificate, const gmem_shortage_t *shortage,
    const char *path, FILE *output, gmem_diag_t *diag);

//===--- as JSON (docs/gmem-solve.md) -------------------------------------===//

// Each writes the member "certificate" of the open object.
void gmem_certificate_to_json(const gmem_certificate_t *certificate,
                              gmem_json_t *json);
void gmem_shortage_to_json(const gmem_shortage_t *shortage, gmem_json_t *json);

#endif // GMEM_TOOLS_SOLVE_CERTIFICATE_H_
