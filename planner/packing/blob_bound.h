// blob_bound.h - a lower bound of the sizes of blobs: see gmem/planner/blobs.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_BLOB_BOUND_H_
#define GMEM_PLANNER_BLOB_BOUND_H_

#include "items.h"

// The k-th largest blob, from 0, of every set of blobs has at least sizes[k]
// bytes, for k below |count|; the sizes do not increase.
typedef struct gmem_blob_bound_s {
  uint64_t *sizes;
  uint32_t count;
} gmem_blob_bound_t;

// |memory| keeps the sizes. O(items live in all sections together), at most
// some 2^28; of a packing with more, or with exclusive branches, the bound is
// weaker. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_blob_bound_find(const gmem_packing_t *packing,
                                   gmem_scratch_t *memory,
                                   gmem_blob_bound_t *out_bound);

#endif // GMEM_PLANNER_BLOB_BOUND_H_
