// copy_check.c - see copy_check.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "copy_check.h"

#include <stdlib.h>

#include "diagnostics.h"

// What a copy writes.
typedef struct write_s {
  uint32_t pool;
  uint64_t begin, end;
  size_t turn; // the number of the copy
} write_t;

static int in_memory_order(const void *a, const void *b) {
  const write_t *left = a, *right = b;
  if (left->pool != right->pool)
    return left->pool < right->pool ? -1 : 1;
  return (left->begin > right->begin) - (left->begin < right->begin);
}

// The first write that ends after byte |begin| of |pool|.
static size_t first_behind(const write_t *writes, size_t count, uint32_t pool,
                           uint64_t begin) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (writes[middle].pool < pool ||
        (writes[middle].pool == pool && writes[middle].end <= begin))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Whether copies |first| and |last| are of one cycle: all between them are.
static bool are_in_one_cycle(const gmem_control_copy_t *copies, size_t first,
                             size_t last) {
  while (first < last && copies[first].record.cycle)
    ++first;
  return copies[first].record.cycle;
}

// Whether an earlier copy overwrites what copy |turn| reads.
static bool reads_too_late(const gmem_control_copy_t *copies, size_t turn,
                           const write_t *writes, size_t count) {
  const gmem_control_copy_t *copy = &copies[turn];
  uint64_t begin = copy->record.from, end = begin + copy->record.size;
  for (size_t i = first_behind(writes, count, copy->from_pool, begin);
       i < count && writes[i].pool == copy->from_pool && writes[i].begin < end;
       ++i)
    if (writes[i].turn < turn &&
        !are_in_one_cycle(copies, writes[i].turn, turn))
      return true;
  return false;
}

gmem_status_t gmem_copies_check(const gmem_control_copy_t *copies, size_t count,
                                gmem_bump_t *arena, size_t *out_bad,
                                gmem_diag_t *diag) {
  write_t *writes;
  *out_bad = 0;
  GMEM_TRY_ALLOC(writes, arena, count, diag);
  for (size_t i = 0; i < count; ++i)
    writes[i] = (write_t){copies[i].to_pool, copies[i].record.to,
                          copies[i].record.to + copies[i].record.size, i};
  if (count > 1)
    qsort(writes, count, sizeof *writes, in_memory_order);
  while (*out_bad < count && !reads_too_late(copies, *out_bad, writes, count))
    ++*out_bad;
  return GMEM_OK;
}
