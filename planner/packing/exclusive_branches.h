// exclusive_branches.h - the memory that mutually exclusive branches need.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_EXCLUSIVE_BRANCHES_H_
#define GMEM_PLANNER_EXCLUSIVE_BRANCHES_H_

#include "items.h"

// A sum of up to 2^32 sizes.
__extension__ typedef unsigned __int128 gmem_sum_t;

// |bytes| rounded up to a multiple of |granule|, a power of two.
static inline uint64_t gmem_round_up(uint64_t bytes, uint64_t granule) {
  return (bytes + granule - 1) & ~(granule - 1);
}

// The bytes that |live| of an item takes from all others in whole granules (see
// lower_bound.c): |granule| times the number of addresses divisible by it that
// are in there, at the least over all positions of the item. *slack: how far at
// most the last of these granules extends beyond the live bytes; 0 when there
// is none.
static inline uint64_t gmem_taken_bytes(const gmem_item_t *item,
                                        const gmem_live_part_t *live,
                                        uint64_t granule, uint64_t *slack) {
  uint64_t begin = gmem_round_up(live->begin, granule), end = live->end;
  if (item->alignment < granule) {
    // At worst the bytes begin right after such an address.
    begin = 0;
    end = live->end - live->begin + ((live->begin - 1) & (item->alignment - 1));
    end = end >= granule ? end - (granule - 1) : 0;
  }
  uint64_t bytes = gmem_round_up(end, granule) - begin;
  *slack = bytes ? begin + bytes - end : 0;
  return bytes;
}

// Adds |bytes| in the sections of |span|, counted from the first of the
// packing, to |sums|: the differences from section to section, with one more at
// the end.
static inline void gmem_add_span(gmem_sum_t *sums, gmem_span_t span,
                                 uint64_t bytes) {
  sums[span.begin] += bytes;
  sums[span.end] -= bytes;
}

// Adds the bytes that items in branches take in granules of |granule| bytes
// when every choice takes its largest arm. Exact when choices are nested in
// each other's arms; otherwise the sum of one possible combination of arms,
// which is a lower bound. Temporary arrays are in |memory|. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_add_choices(const gmem_packing_t *packing, uint64_t granule,
                               gmem_sum_t *sums, gmem_scratch_t *memory);

#endif // GMEM_PLANNER_EXCLUSIVE_BRANCHES_H_
