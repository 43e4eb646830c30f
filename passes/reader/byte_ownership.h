// byte_ownership.h - buffers of a plan that share bytes, and which one owns
// them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_BYTE_OWNERSHIP_H_
#define GMEM_PASSES_BYTE_OWNERSHIP_H_

#include "plan_attributes.h"
#include "sharing_finder.h"

typedef struct gmem_taken_alias_s {
  uint32_t child, parent; // alias sets
  uint64_t offset;        // bytes from the start of the parent's buffer to the
                          //   child's, which it contains with its padding
  bool is_equal;          // both buffers have the same offset and size
  gmem_sharing_t kind;    // of the first alias between the two
} gmem_taken_alias_t;

typedef struct gmem_taken_aliases_s {
  gmem_taken_alias_t *aliases; // sorted by child, parent; pairs are unique
  size_t count;
} gmem_taken_aliases_t;

// Lists the pairs of alias sets that share bytes in |places|, one per value, by
// one of |aliases| while both are live. Allocates in |arena|. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_taken_aliases_find(const gmem_liveness_t *liveness,
                                      const gmem_aliases_t *aliases,
                                      const gmem_value_place_t *places,
                                      gmem_bump_t *arena,
                                      gmem_taken_aliases_t *out_taken,
                                      gmem_diag_t *diag);

// The time during which an alias set owns its bytes.
typedef struct gmem_owned_s {
  const gmem_live_range_t *ranges; // a subset of the live ranges; sorted
  size_t range_count;              // 0: a view of others at all times
} gmem_owned_t;

// Finds the ranges in which every alias set owns its bytes: its live ranges
// minus those in which another set that shares bytes with it owns them. The
// owner is the larger of two sets, or, if they are equally large, the one that
// is defined first. Hence in a valid plan every live byte has exactly one owner
// at any time, whatever the aliases. |*out_owned| has one entry per set.
// Allocates in |arena|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_owned_ranges_find(const gmem_liveness_t *liveness,
                                     const gmem_taken_aliases_t *taken,
                                     gmem_bump_t *arena,
                                     gmem_owned_t **out_owned,
                                     gmem_diag_t *diag);

#endif // GMEM_PASSES_BYTE_OWNERSHIP_H_
