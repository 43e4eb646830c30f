// infeasibility_notes.h - which buffers fill pools that are too small, and
// which few of them are too much already, for those who are told that there
// is no plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_INFEASIBILITY_NOTES_H_
#define GMEM_PASSES_INFEASIBILITY_NOTES_H_

#include "bump.h"
#include "gmem/planner.h"
#include "mlir_seam.h"

// What the notes are about. Buffers have names that describe them.
typedef struct gmem_shortage_case_s {
  const gmem_problem_t *problem; // has no plan that is known
  uint32_t buffer;               // that found no place
  gmem_effort_t effort;          // of the look for the reason
  MlirLocation scope;
  // Where a buffer of the problem comes from.
  MlirLocation (*locate)(const void *user, uint32_t buffer);
  const void *user;
} gmem_shortage_case_t;

// Writes, into |arena|, notes on the largest buffers that are live when most of
// those are that can go nowhere but to the pools that are too small (of equals
// the first), on the bytes of all others then, and on a set of buffers that
// does not fit whatever their offsets, where one is known. Returns how many
// notes there are, none when memory is out.
size_t gmem_infeasibility_notes(const gmem_shortage_case_t *about,
                                gmem_bump_t *arena, gmem_note_t **out_notes);

#endif // GMEM_PASSES_INFEASIBILITY_NOTES_H_
