// multi_order.c - first fit and best fit with many orders; keeps the best
// result.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <string.h>

#include "algorithms.h"
#include "ordered_fit.h"
#include "packing_query.h"
#include "search.h"

typedef struct attempt_s {
  gmem_item_key_t key;
  gmem_fit_rule_t rule;
} attempt_t;

// Ordered by how many networks they solve to optimality. Both rules run on one
// computed order.
static const attempt_t attempts[] = {
    {GMEM_KEY_SIZE, GMEM_FIT_BEST},
    {GMEM_KEY_SIZE, GMEM_FIT_FIRST},
    {GMEM_KEY_AREA, GMEM_FIT_FIRST},
    {GMEM_KEY_AREA, GMEM_FIT_BEST},
    {GMEM_KEY_PRESSURE, GMEM_FIT_FIRST},
    {GMEM_KEY_PRESSURE, GMEM_FIT_BEST},
    {GMEM_KEY_DURATION, GMEM_FIT_FIRST},
    {GMEM_KEY_DURATION, GMEM_FIT_BEST},
    {GMEM_KEY_CONFLICT_BYTES, GMEM_FIT_FIRST},
    {GMEM_KEY_CONFLICT_BYTES, GMEM_FIT_BEST},
    {GMEM_KEY_SECTIONS, GMEM_FIT_FIRST},
    {GMEM_KEY_SECTIONS, GMEM_FIT_BEST},
    {GMEM_KEY_CONFLICTS, GMEM_FIT_FIRST},
    {GMEM_KEY_CONFLICTS, GMEM_FIT_BEST},
    {GMEM_KEY_BEGIN, GMEM_FIT_FIRST},
    {GMEM_KEY_BEGIN, GMEM_FIT_BEST},
    {GMEM_KEY_END, GMEM_FIT_FIRST},
    {GMEM_KEY_END, GMEM_FIT_BEST},
};

gmem_status_t gmem_multi_order_pack(const gmem_packing_t *packing,
                                    gmem_search_t *search, uint64_t *offsets,
                                    gmem_scratch_t *memory) {
  gmem_ordered_fit_t fit;
  uint64_t best = UINT64_MAX, *trial;
  GMEM_TRY(gmem_ordered_fit_create(packing, memory, &fit));
  GMEM_TRY_NEW(trial, memory, packing->count);
  for (size_t i = 0; i < sizeof attempts / sizeof *attempts; ++i) {
    GMEM_TRY(gmem_item_order(packing, attempts[i].key, fit.order, memory));
    GMEM_TRY(gmem_ordered_fit_run(&fit, attempts[i].rule, search, trial));
    uint64_t peak = gmem_packing_peak(packing, trial);
    if (peak < best) {
      best = peak;
      memcpy(offsets, trial, packing->count * sizeof *offsets);
    }
    if (best <= packing->goal || !gmem_search_spend(search, packing->count))
      return GMEM_OK;
  }
  return GMEM_OK;
}
