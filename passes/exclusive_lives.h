// exclusive_lives.h - for readers that know nothing of sharing: which class
// holds which bytes when, so that no two hold the same byte at one time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_EXCLUSIVE_LIVES_H_
#define GMEM_PASSES_EXCLUSIVE_LIVES_H_

#include "analysis.h"
#include "plan_attributes.h"

// A class lives without the steps in which it lies inside of another live one:
// that one holds its bytes then. If nothing is left, |inside| is the class that
// it lies in during |ranges|, which is one that has steps of its own.
typedef struct gmem_exclusive_life_s {
  const gmem_live_range_t *ranges;
  size_t range_count; // at least 1
  uint32_t inside;    // class, or GMEM_NO_INDEX
} gmem_exclusive_life_t;

// One per class of the liveness, for the |places| of a proved plan, one per
// value. Everything lives in the arena of the analysis. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_exclusive_lives(const gmem_analysis_t *analysis,
                                   const gmem_place_t *places,
                                   gmem_exclusive_life_t **out_lives,
                                   gmem_diag_t *diag);

#endif // GMEM_PASSES_EXCLUSIVE_LIVES_H_
