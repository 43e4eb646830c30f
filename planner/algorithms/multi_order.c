// multi_order.c - first fit and best fit with many orders; keeps the best
// result.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <string.h>

#include "algorithms.h"
#include "ordered_fit.h"
#include "packing.h"
#include "packing_query.h"
#include "planner_memory.h"

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

static gmem_status_t try_all(gmem_ordered_fit_t *fit, gmem_search_t *search,
                             uint64_t *trial, uint64_t *offsets,
                             gmem_diag_t *diag) {
  const gmem_packing_t *packing = fit->packing;
  uint64_t best = UINT64_MAX;
  for (size_t i = 0; i < sizeof attempts / sizeof *attempts; ++i) {
    GMEM_TRY(gmem_item_order(packing, attempts[i].key, fit->order, diag));
    GMEM_TRY(gmem_ordered_fit_run(fit, attempts[i].rule, search, trial, diag));
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

gmem_status_t gmem_multi_order_pack(const gmem_packing_t *packing,
                                    gmem_search_t *search, uint64_t *offsets,
                                    gmem_diag_t *diag) {
  gmem_ordered_fit_t fit;
  gmem_status_t status = gmem_ordered_fit_create(packing, &fit, diag);
  uint64_t *trial =
      gmem_planner_alloc(packing->allocator, packing->count, sizeof *trial);
  if (status == GMEM_OK && !trial)
    status = gmem_planner_out_of_memory(diag);
  if (status == GMEM_OK)
    status = try_all(&fit, search, trial, offsets, diag);
  gmem_planner_free(packing->allocator, trial, packing->count, sizeof *trial);
  gmem_ordered_fit_destroy(&fit);
  return status;
}
