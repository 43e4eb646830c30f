// loop_nests.c - see loop_nests.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "loop_nests.h"

#include <assert.h>
#include <stdlib.h>

// Blocks by address.
typedef struct block_key_s {
  const void *block;
  uint32_t number;
} block_key_t;

static int compare_keys(const void *left, const void *right) {
  uintptr_t a = (uintptr_t)((const block_key_t *)left)->block;
  uintptr_t b = (uintptr_t)((const block_key_t *)right)->block;
  return (a > b) - (a < b);
}

// Sets the end of each block to the end of its last back edge, or of itself.
static void find_loops(gmem_loop_nests_t *nests, const block_key_t *keys) {
  for (uint32_t i = 0; i < nests->count; ++i) {
    MlirOperation last = mlirBlockGetTerminator(nests->blocks[i]);
    intptr_t count = last.ptr ? mlirOperationGetNumSuccessors(last) : 0;
    for (intptr_t k = 0; k < count; ++k) {
      block_key_t key = {mlirOperationGetSuccessor(last, k).ptr, 0};
      const block_key_t *to =
          bsearch(&key, keys, nests->count, sizeof key, compare_keys);
      if (to && to->number <= i && nests->ends[to->number] <= i)
        nests->ends[to->number] = i + 1;
    }
  }
}

// Merges overlapping loops into loop nests.
static void join_loops(gmem_loop_nests_t *nests) {
  for (uint32_t begin = 0, end; begin < nests->count; begin = end) {
    end = begin + 1;
    for (uint32_t i = begin; i < end; ++i)
      if (nests->ends[i] > end)
        end = nests->ends[i];
    assert(end <= nests->count);
    for (uint32_t i = begin; i < end; ++i)
      nests->ends[i] = end;
  }
}

gmem_status_t gmem_loop_nests_find(MlirBlock first, gmem_bump_t *arena,
                                   gmem_loop_nests_t *out, gmem_diag_t *diag) {
  *out = (gmem_loop_nests_t){.count = 0};
  for (MlirBlock block = first; !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block))
    ++out->count;
  block_key_t *keys;
  GMEM_TRY_ALLOC(keys, arena, out->count, diag);
  GMEM_TRY_ALLOC(out->blocks, arena, out->count, diag);
  GMEM_TRY_ALLOC(out->ends, arena, out->count, diag);
  MlirBlock block = first;
  for (uint32_t i = 0; i < out->count; ++i) {
    out->blocks[i] = block;
    out->ends[i] = i + 1;
    keys[i] = (block_key_t){block.ptr, i};
    block = mlirBlockGetNextInRegion(block);
  }
  qsort(keys, out->count, sizeof *keys, compare_keys);
  find_loops(out, keys);
  join_loops(out);
  return GMEM_OK;
}
