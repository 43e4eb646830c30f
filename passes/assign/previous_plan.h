// previous_plan.h - an earlier plan whose offsets a new one keeps (option
// previous).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PREVIOUS_PLAN_H_
#define GMEM_PASSES_PREVIOUS_PLAN_H_

#include "assignment.h"
#include "gmem/passes.h"

typedef struct gmem_previous_plan_s {
  gmem_planned_t *now; // a plan of the program, for the names of its values
  gmem_earlier_buffer_t *buffers; // of the earlier plan, sorted by name
  size_t count, room;
  gmem_bump_t arena;
} gmem_previous_plan_t;

// Reads the plan in the file |options->previous|, and that of |top|, which was
// planned a first time. Call gmem_previous_plan_free even after a failure.
// Fails with OUT_OF_MEMORY or, reported at |top|, INVALID_ARGUMENT: the file
// cannot be read or has no valid plan.
gmem_status_t gmem_previous_plan_read(MlirOperation top,
                                      const gmem_plan_options_t *options,
                                      const gmem_allocator_t *allocator,
                                      gmem_previous_plan_t *out_previous,
                                      gmem_diag_t *diag);
void gmem_previous_plan_free(gmem_previous_plan_t *previous);

// Lists a soft constraint for each buffer of the assignment that the earlier
// plan has placed, by name, size and pool: to be there again. Allocates in the
// arena of the analysis. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_previous_plan_pin(const gmem_previous_plan_t *previous,
                                     gmem_assignment_t *assignment);

// Reports how many buffers were kept, and which have moved or are of another
// size.
void gmem_previous_plan_report(const gmem_previous_plan_t *previous,
                               const gmem_assignment_t *assignment);

#endif // GMEM_PASSES_PREVIOUS_PLAN_H_
