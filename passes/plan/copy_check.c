// copy_check.c - see copy_check.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "copy_check.h"

#include <stdlib.h>

#include "diagnostics.h"

// The bytes that a copy writes.
typedef struct write_s {
  uint32_t pool;
  uint64_t begin, end;
  size_t turn;       // the number of the copy
  size_t cycles_end; // the first copy from there on that is in no cycle
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

// Whether an earlier copy overwrites what copy |turn| reads. Not if all between
// the two are in cycles: these copies are of one.
static bool reads_too_late(const gmem_control_copy_t *copies, size_t turn,
                           const write_t *writes, size_t count) {
  const gmem_control_copy_t *copy = &copies[turn];
  uint64_t begin = copy->record.from, end = begin + copy->record.size;
  for (size_t i = first_behind(writes, count, copy->from_pool, begin);
       i < count && writes[i].pool == copy->from_pool && writes[i].begin < end;
       ++i)
    if (writes[i].turn < turn && writes[i].cycles_end <= turn)
      return true;
  return false;
}

gmem_status_t gmem_copies_check(const gmem_control_copy_t *copies, size_t count,
                                gmem_bump_t *arena, size_t *out_bad,
                                gmem_diag_t *diag) {
  write_t *writes;
  *out_bad = 0;
  GMEM_TRY_ALLOC(writes, arena, count, diag);
  for (size_t i = count, end = count; i-- > 0;) {
    end = copies[i].record.cycle ? end : i;
    writes[i] = (write_t){copies[i].to_pool, copies[i].record.to,
                          copies[i].record.to + copies[i].record.size, i, end};
  }
  if (count > 1)
    qsort(writes, count, sizeof *writes, in_memory_order);
  while (*out_bad < count && !reads_too_late(copies, *out_bad, writes, count))
    ++*out_bad;
  return GMEM_OK;
}
