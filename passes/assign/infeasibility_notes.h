// infeasibility_notes.h - explains why a problem is infeasible: the buffers at
// the peak of the pools that are too small, and a small set that does not fit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_INFEASIBILITY_NOTES_H_
#define GMEM_PASSES_INFEASIBILITY_NOTES_H_

#include "bump.h"
#include "gmem/planner.h"
#include "mlir_seam.h"

// The failure to explain. Buffer names are descriptions for users.
typedef struct gmem_infeasible_case_s {
  const gmem_problem_t *problem; // without a known plan
  uint32_t buffer;               // that could not be placed
  gmem_effort_t effort;          // of the search for the reason
  MlirLocation scope;
  // Returns the source location of a buffer.
  MlirLocation (*locate)(const void *user, uint32_t buffer);
  const void *user;
} gmem_infeasible_case_t;

// Writes notes into |arena|: on the largest buffers at the peak (the first peak
// if there are several) among those that can only be placed in the pools that
// are too small, on the total size of the others there, and on a set of buffers
// that does not fit at any offsets, if one is known. Returns the number of
// notes, 0 if out of memory.
size_t gmem_infeasibility_notes(const gmem_infeasible_case_t *about,
                                gmem_bump_t *arena, gmem_note_t **out_notes);

#endif // GMEM_PASSES_INFEASIBILITY_NOTES_H_
