// region_needs.h - how many bytes functions and regions keep live at most, in
// the given order of their ops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_REGION_NEEDS_H_
#define GMEM_PASSES_REGION_NEEDS_H_

#include "analysis.h"

// Bytes that are live in steps [begin, end). |key|: of what they count.
typedef struct gmem_need_s {
  uint32_t key;
  int64_t begin, end;
  uint64_t bytes;
} gmem_need_t;

typedef GMEM_LIST(gmem_need_t) gmem_needs_t;

// Raises peaks[key], for each key, to the most bytes that are live at one step.
// Reorders |needs|. Fails with OUT_OF_MEMORY, also if an earlier allocation in
// |arena| has failed.
gmem_status_t gmem_needs_peaks(gmem_needs_t *needs, size_t key_count,
                               gmem_bump_t *arena, uint64_t *peaks,
                               gmem_diag_t *diag);

// The bytes of each function: the alias sets that begin in it, and what the
// functions that it calls need. Memory that it is given does not count;
// recursion counts once. Allocates in the arena of |analysis|. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_function_needs(const gmem_analysis_t *analysis,
                                  uint64_t **out_needs, gmem_diag_t *diag);

#endif // GMEM_PASSES_REGION_NEEDS_H_
