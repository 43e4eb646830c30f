// byte_ownership.h - what shares bytes in a plan, and who owns them when.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_BYTE_OWNERSHIP_H_
#define GMEM_PASSES_BYTE_OWNERSHIP_H_

#include "plan_attributes.h"
#include "sharing_finder.h"

typedef struct gmem_taken_alias_s {
  uint32_t child, parent; // classes
  uint64_t offset;        // bytes from the start of the parent's buffer to that
                          //   of the child, which lies in it with its padding
  bool is_equal;          // both buffers are the same bytes
  gmem_sharing_t kind;    // the first of several by which these two may share
} gmem_taken_alias_t;

typedef struct gmem_taken_aliases_s {
  gmem_taken_alias_t *aliases; // by child, then by parent; each pair once
  size_t count;
} gmem_taken_aliases_t;

// Lists those of |aliases| by which two classes share bytes while both are
// live, as |places|, one per value, say. Everything lives in |arena|. Fails
// with OUT_OF_MEMORY.
gmem_status_t gmem_taken_aliases_find(const gmem_liveness_t *liveness,
                                      const gmem_aliases_t *aliases,
                                      const gmem_value_place_t *places,
                                      gmem_bump_t *arena,
                                      gmem_taken_aliases_t *out_taken,
                                      gmem_diag_t *diag);

// When the bytes of a class are its own.
typedef struct gmem_owned_s {
  const gmem_live_range_t *ranges; // a part of the class's; sorted
  size_t range_count;              // 0: a view of others all its life
} gmem_owned_t;

// Finds for every class when it owns its bytes: while it is live, without the
// times at which another one that it shares bytes with does. That is the larger
// of two, of equals the one that is defined first. So in a plan that holds
// every byte that is live has one owner at every time, whatever the aliases
// are. |*out_owned| has one entry per class. Everything lives in |arena|.
// Fails with OUT_OF_MEMORY.
gmem_status_t gmem_owned_ranges_find(const gmem_liveness_t *liveness,
                                     const gmem_taken_aliases_t *taken,
                                     gmem_bump_t *arena,
                                     gmem_owned_t **out_owned,
                                     gmem_diag_t *diag);

#endif // GMEM_PASSES_BYTE_OWNERSHIP_H_
