// loop_nests.c - see loop_nests.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "loop_nests.h"

#include <assert.h>

#include "pointer_map.h"

// Sets the end of each block to the end of its last back edge, or of itself.
static void find_loops(gmem_loop_nests_t *nests,
                       const gmem_pointer_map_t *numbers) {
  for (uint32_t i = 0; i < nests->count; ++i) {
    MlirOperation last = mlirBlockGetTerminator(nests->blocks[i]);
    intptr_t count = last.ptr ? mlirOperationGetNumSuccessors(last) : 0;
    for (intptr_t k = 0; k < count; ++k) {
      uint32_t to = gmem_pointer_map_find(
          numbers, mlirOperationGetSuccessor(last, k).ptr);
      if (to <= i && nests->ends[to] <= i) // not GMEM_NO_INDEX
        nests->ends[to] = i + 1;
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
  gmem_pointer_map_t numbers;
  GMEM_TRY(gmem_pointer_map_make(&numbers, out->count, arena, diag));
  GMEM_TRY_ALLOC(out->blocks, arena, out->count, diag);
  GMEM_TRY_ALLOC(out->ends, arena, out->count, diag);
  MlirBlock block = first;
  for (uint32_t i = 0; i < out->count; ++i) {
    out->blocks[i] = block;
    out->ends[i] = i + 1;
    gmem_pointer_map_add(&numbers, block.ptr, i);
    block = mlirBlockGetNextInRegion(block);
  }
  find_loops(out, &numbers);
  join_loops(out);
  return GMEM_OK;
}
