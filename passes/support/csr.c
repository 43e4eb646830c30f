// csr.c - see csr.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "csr.h"

#include <assert.h>

// Counting sort by key. Filling from the end keeps the order of the items and
// turns the ends of the lists into their beginnings.
gmem_status_t gmem_csr_build(const gmem_csr_pairs_t *pairs, size_t key_count,
                             gmem_bump_t *arena, gmem_csr_t *out_csr,
                             gmem_diag_t *diag) {
  GMEM_TRY_ALLOC(out_csr->first, arena, key_count + 1, diag);
  GMEM_TRY_ALLOC(out_csr->items, arena, pairs->count, diag);
  for (size_t i = 0; i < pairs->count; ++i) {
    assert(pairs->at[i].key < key_count);
    ++out_csr->first[pairs->at[i].key];
  }
  uint32_t total = 0;
  for (size_t key = 0; key <= key_count; ++key)
    out_csr->first[key] = total += out_csr->first[key];
  for (size_t i = pairs->count; i-- > 0;)
    out_csr->items[--out_csr->first[pairs->at[i].key]] = pairs->at[i].item;
  assert(out_csr->first[0] == 0 && out_csr->first[key_count] == pairs->count);
  return GMEM_OK;
}

bool gmem_csr_check(const gmem_csr_t *csr, size_t key_count,
                    size_t item_limit) {
  if (csr->first[0] != 0)
    return false;
  for (size_t key = 0; key < key_count; ++key)
    if (csr->first[key] > csr->first[key + 1])
      return false;
  for (size_t i = 0; i < csr->first[key_count]; ++i)
    if (csr->items[i] >= item_limit)
      return false;
  return true;
}
