// profile.h - how many bytes are live at each time, under changes: a segment
// tree over the times at which live ranges begin and end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PROFILE_H_
#define GMEM_PASSES_PROFILE_H_

#include "gmem/planner.h"
#include "pointer_map.h"

typedef struct gmem_profile_s {
  const int64_t *times; // ascending; slot i is [times[i], times[i + 1])
  size_t time_count;
  size_t leaves;       // a power of two, at least the number of slots
  int64_t *most, *all; // by node of the tree, the root 1: the maximum within,
                       //   without what |all| of its ancestors adds; bytes
                       //   added to all slots within
} gmem_profile_t;

// |times| must outlive the profile, which has no live bytes. Allocates in
// |arena|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_profile_make(const int64_t *times, size_t count,
                                gmem_bump_t *arena, gmem_profile_t *out_profile,
                                gmem_diag_t *diag);

// Adds |bytes|, which may be negative, in a range whose ends are in |times|.
void gmem_profile_add(gmem_profile_t *profile, gmem_live_range_t range,
                      int64_t bytes);

static inline int64_t gmem_profile_peak(const gmem_profile_t *profile) {
  return profile->most[1];
}

// The leaf of the first slot at the peak.
size_t gmem_profile_peak_leaf(const gmem_profile_t *profile);

// Calls |visit| with the O(log n) nodes that the range consists of: those are
// on the paths from the root to the leaves in the range, and on no other.
typedef void (*gmem_profile_node_fn)(size_t node, void *user);
void gmem_profile_cover(const gmem_profile_t *profile, gmem_live_range_t range,
                        gmem_profile_node_fn visit, void *user);

#endif // GMEM_PASSES_PROFILE_H_
