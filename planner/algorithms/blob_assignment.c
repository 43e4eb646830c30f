// blob_assignment.c - see blob_assignment.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "blob_assignment.h"

#include <string.h>

uint64_t gmem_blobs_mark(gmem_blobs_run_t *run, uint32_t item) {
  const gmem_adjacency_t *adjacency = &run->adjacency;
  ++run->visit;
  for (size_t i = adjacency->starts[item]; i < adjacency->starts[item + 1];
       ++i) {
    uint32_t blob = run->blob_of[adjacency->neighbours[i]];
    if (blob != GMEM_NO_ITEM)
      run->stamps[blob] = run->visit;
  }
  return adjacency->starts[item + 1] - adjacency->starts[item] + 1;
}

void gmem_blobs_keep(gmem_blobs_run_t *run, uint64_t bytes) {
  if (bytes >= run->best && run->best_count)
    return;
  run->best = bytes;
  run->best_count = run->blob_count;
  memcpy(run->best_of, run->blob_of,
         run->packing->count * sizeof *run->best_of);
}
