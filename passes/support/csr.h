// csr.h - a list of items per key, all lists in one array (compressed sparse
// rows).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_CSR_H_
#define GMEM_PASSES_CSR_H_

#include <stdbool.h>
#include <stdint.h>

#include "bump.h"

typedef struct gmem_csr_s {
  uint32_t *first; // by key: its items are items[first[key], first[key + 1])
  uint32_t *items;
} gmem_csr_t;

// Visits the items of |key|: |item| points to each in turn.
#define GMEM_CSR_EACH(item, csr, key)                                          \
  for (const uint32_t *                                                        \
           item = (csr)->items + (csr)->first[key],                            \
          *const item##_end = (csr)->items + (csr)->first[(key) + 1];          \
       item < item##_end; ++item)

static inline size_t gmem_csr_count(const gmem_csr_t *csr, size_t key) {
  return csr->first[key + 1] - csr->first[key];
}

// A list in the making: pairs of a key and an item.
typedef struct gmem_csr_pair_s {
  uint32_t key, item;
} gmem_csr_pair_t;

typedef GMEM_LIST(gmem_csr_pair_t) gmem_csr_pairs_t;

// Groups the pairs by key, each less than |key_count|; the items of one key
// keep their order. Linear in keys and pairs. Allocates in |arena|; fails with
// OUT_OF_MEMORY, also if an earlier allocation has failed.
gmem_status_t gmem_csr_build(const gmem_csr_pairs_t *pairs, size_t key_count,
                             gmem_bump_t *arena, gmem_csr_t *out_csr,
                             gmem_diag_t *diag);

// Whether the lists are contiguous and in the order of their keys, and every
// item is less than |item_limit|.
bool gmem_csr_check(const gmem_csr_t *csr, size_t key_count, size_t item_limit);

#endif // GMEM_PASSES_CSR_H_
