// solve_previous.h - gmem-solve --previous: plans that keep the offsets of an
// earlier plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_SOLVE_PREVIOUS_H_
#define GMEM_TOOLS_SOLVE_PREVIOUS_H_

#include <stdio.h>

#include "problem_file.h"

// Which buffers of a problem an earlier plan has placed.
typedef struct gmem_previous_s {
  gmem_placement_t *places; // by buffer; valid where |is_known|
  bool *is_known;           // by buffer: of the same name, size and pool
  uint32_t count;           // buffers
} gmem_previous_t;

// Reads the plan in |path|, and matches its buffers with those of |problem| by
// name, size and pool, buffers of one name in their order. Call
// gmem_previous_free even after a failure. Fails as gmem_problem_file_read
// does, or with NOT_FOUND: the file has no plan.
GMEM_MUST_USE gmem_status_t gmem_previous_read(const gmem_problem_t *problem,
                                               const char *path,
                                               gmem_previous_t *out_previous,
                                               gmem_diag_t *diag);
void gmem_previous_free(gmem_previous_t *previous);

// Adds a soft constraint of penalty 1 to |problem| for each buffer that the
// plan has placed: to be there again. Fails with OUT_OF_MEMORY.
GMEM_MUST_USE gmem_status_t
gmem_previous_prefer(const gmem_previous_t *previous, gmem_problem_t *problem,
                     gmem_diag_t *diag);

// The numbers of buffers that |plan| keeps, moves, and that are new.
typedef struct gmem_moves_s {
  uint32_t kept, moved, added;
} gmem_moves_t;
gmem_moves_t gmem_previous_moves(const gmem_previous_t *previous,
                                 const gmem_placement_t *plan);

// Whether |plan| moves the buffer.
bool gmem_previous_is_moved(const gmem_previous_t *previous,
                            const gmem_placement_t *plan, uint32_t buffer);

// Prints the numbers, and a line for each buffer that moves.
void gmem_previous_print(const gmem_previous_t *previous,
                         const gmem_problem_t *problem,
                         const gmem_placement_t *plan, FILE *output);

#endif // GMEM_TOOLS_SOLVE_PREVIOUS_H_
