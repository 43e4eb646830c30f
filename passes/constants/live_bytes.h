// live_bytes.h - the peak of the bytes that are live at once, while alias sets
// are left out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of two alias sets that may share bytes only the larger one counts while both
// are live, as if the planner used every alias.

#ifndef GMEM_PASSES_LIVE_BYTES_H_
#define GMEM_PASSES_LIVE_BYTES_H_

#include "analysis.h"
#include "csr.h"
#include "profile.h"

// While both are live |child| does not count.
typedef struct gmem_overlap_s {
  uint32_t child, parent; // alias sets
  gmem_live_range_t range;
  bool is_counted; // both sets are
} gmem_overlap_t;

typedef GMEM_LIST(gmem_overlap_t) gmem_overlaps_t;

typedef struct gmem_live_bytes_s {
  const gmem_liveness_t *liveness;
  uint64_t alignment; // to which sizes are rounded up
  gmem_profile_t profile;
  gmem_overlaps_t overlaps;
  gmem_csr_t overlaps_of; // by alias set
  bool *is_counted;       // by alias set
} gmem_live_bytes_t;

// All alias sets count but those of functions with gmem.init. Allocates in
// |arena|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_live_bytes_make(const gmem_analysis_t *analysis,
                                   uint64_t alignment, gmem_bump_t *arena,
                                   gmem_live_bytes_t *out_live,
                                   gmem_diag_t *diag);

// Whether alias set |set| counts from now on; it did not, or did, before.
void gmem_live_bytes_count(gmem_live_bytes_t *live, uint32_t set,
                           bool is_counted);

#endif // GMEM_PASSES_LIVE_BYTES_H_
