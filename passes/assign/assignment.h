// assignment.h - places the constants or the tensors of a scope: what
// gmem-assign-weights and gmem-assign-tensors have in common.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_ASSIGNMENT_H_
#define GMEM_PASSES_ASSIGNMENT_H_

#include "gmem/passes.h"
#include "plan_attributes.h"
#include "planner_problem.h"

// The size limits of a pool, in bytes.
typedef struct gmem_pool_limits_s {
  uint64_t capacity; // hard limit, or GMEM_UNLIMITED
  uint64_t hint;     // soft limit, exceeded only if nothing else fits; or
                     //   GMEM_UNLIMITED
  uint64_t tried;    // limit of the current attempt
  uint32_t lifts;    // how often it was raised above the capacity
} gmem_pool_limits_t;

typedef struct gmem_assignment_s {
  const gmem_plan_options_t *options;
  gmem_analysis_t analysis;
  gmem_problem_part_t part;
  gmem_pool_spec_t *pools;    // by pool of the part
  gmem_pool_limits_t *limits; // by pool of the part
  gmem_problem_t *problem;    // NULL before it is built and when that fails
  gmem_placement_t *plan;     // by buffer of the part
  gmem_plan_figures_t figures;
  uint64_t bound; // gmem_lower_bound of the problem; GMEM_UNLIMITED: unknown,
                  //   as the plan comes from a folder
  gmem_penalty_figures_t penalties; // of a problem with constraints
  gmem_constraint_t *pins;          // GMEM_AT, by an earlier plan; penalty 1
  size_t pin_count;
  gmem_pool_table_t table; // of the scope: pools of the other kind, and, after
                           //   gmem_assignment_tabulate, those of the part
  gmem_diag_t *diag;
} gmem_assignment_t;

// The number of the first pool of the part in the table.
uint32_t gmem_assignment_first_pool(const gmem_assignment_t *assignment);

// Lists the buffers of the constants or tensors of the analysis, describes
// their pools to the planner, with the limits of their memories, and reads the
// pools of the other kind from the pool table. |usual|: the default alignment
// in bytes.
gmem_status_t gmem_assignment_begin(gmem_assignment_t *assignment,
                                    bool constant, uint64_t usual);

// Frees the problem.
void gmem_assignment_end(gmem_assignment_t *assignment);

// Sets the limits of a pool to at most |capacity| bytes.
void gmem_assignment_limit(gmem_assignment_t *assignment, uint32_t pool,
                           uint64_t capacity);

// Whether the plan has a buffer elsewhere than its pin.
static inline bool gmem_assignment_moves(const gmem_assignment_t *assignment,
                                         const gmem_constraint_t *pin) {
  const gmem_placement_t *place = &assignment->plan[pin->first];
  return place->pool != pin->pool || place->offset != pin->bytes;
}

// Solves the problem. The first attempt uses the size hints; each attempt that
// fails relaxes one of them, as few as necessary, and with the option
// over_capacity then lifts capacities.
gmem_status_t gmem_assignment_solve(gmem_assignment_t *assignment,
                                    const gmem_algorithm_t *algorithm);

// Returns |status|. If the planner has failed with it, reports that, and why,
// at the buffer that does not fit or is rejected, else at the scope, and by how
// much pools would exceed their capacities. OUT_OF_MEMORY is not reported. On
// failure the limits of the assignment are no longer those of its options.
gmem_status_t gmem_assignment_report(gmem_assignment_t *assignment,
                                     gmem_status_t status);

// Allocates two arrays of placements, one entry per value and one per
// workbuffer, and sets those of the representative values and of the
// workbuffers of the part. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_assignment_places(const gmem_assignment_t *assignment,
                                     gmem_value_place_t **out_places,
                                     gmem_value_place_t **out_work_places);

// Replaces the pools of the part in the table. The first pool of the part that
// may have an address begins at its |base|, and the others follow, unless
// |is_based| is false. Fails with OUT_OF_MEMORY, or with OUT_OF_RANGE, not
// reported: addresses do not fit in 63 bits.
gmem_status_t gmem_assignment_tabulate(gmem_assignment_t *assignment,
                                       bool is_based);

// Emits a remark for every pool that exceeds its size hint, unless the options
// ask for quiet; then sets the bases of memories and writes the table.
gmem_status_t gmem_assignment_write_pools(gmem_assignment_t *assignment);

#endif // GMEM_PASSES_ASSIGNMENT_H_
