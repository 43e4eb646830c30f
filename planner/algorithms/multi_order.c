// multi_order.c - first fit and best fit with many orders, or with a few for
// dense packings; keeps the best result.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <string.h>

#include "algorithms.h"
#include "ordered_fit.h"
#include "packing_query.h"
#include "search.h"

// By how many networks they solve to optimality. Both rules run on each order:
// the better one first, which is best fit for the first order only.
static const gmem_item_key_t keys[] = {
    GMEM_KEY_SIZE,      GMEM_KEY_AREA,           GMEM_KEY_PRESSURE,
    GMEM_KEY_DURATION,  GMEM_KEY_CONFLICT_BYTES, GMEM_KEY_SECTIONS,
    GMEM_KEY_CONFLICTS, GMEM_KEY_BEGIN,          GMEM_KEY_END,
};
enum { KEYS = sizeof keys / sizeof *keys };

gmem_status_t gmem_multi_order_pack(const gmem_task_t *task) {
  const gmem_packing_t *packing = task->packing;
  gmem_search_t *search = task->search;
  gmem_ordered_fit_t fit;
  uint64_t best = UINT64_MAX, *trial;
  GMEM_TRY(gmem_ordered_fit_create(packing, task->memory, &fit));
  GMEM_TRY_NEW(trial, task->memory, packing->count);
  for (size_t i = 0; i < 2 * KEYS; ++i) {
    if (i % 2 == 0)
      GMEM_TRY(gmem_item_order(packing, keys[i / 2], fit.order, task->memory));
    bool is_first_fit = (i % 2 == 0) == (i >= 2);
    GMEM_TRY(gmem_ordered_fit_run(
        &fit, is_first_fit ? GMEM_FIT_FIRST : GMEM_FIT_BEST, search, trial));
    uint64_t peak = gmem_packing_peak(packing, trial);
    if (peak < best) {
      best = peak;
      memcpy(task->offsets, trial, packing->count * sizeof *trial);
    }
    if (best <= packing->goal || !gmem_search_spend(search, packing->count))
      return GMEM_OK;
  }
  return GMEM_OK;
}

//===--- dense packings ---------------------------------------------------===//

// The rules of others, and the items of the fullest sections first, which
// reaches the bound most often. The first two are for the effort fast, too.
static const struct {
  gmem_item_key_t key;
  gmem_fit_rule_t rule;
} rules[] = {
    {GMEM_KEY_BEGIN, GMEM_FIT_BEST},     {GMEM_KEY_SIZE, GMEM_FIT_BEST},
    {GMEM_KEY_PRESSURE, GMEM_FIT_FIRST}, {GMEM_KEY_PRESSURE, GMEM_FIT_BEST},
    {GMEM_KEY_DURATION, GMEM_FIT_BEST},  {GMEM_KEY_DURATION, GMEM_FIT_FIRST},
};
enum { RULES = sizeof rules / sizeof *rules, FAST_RULES = 2 };

// The limit of entries that one rule visits: some seconds.
static const uint64_t MOST_WORK = UINT64_C(1) << 33;

gmem_status_t gmem_dense_orders_pack(const gmem_task_t *task) {
  const gmem_packing_t *packing = task->packing;
  gmem_ordered_fit_t fit;
  uint64_t *trial;
  GMEM_TRY(gmem_ordered_fit_create(packing, task->memory, &fit));
  if (fit.blocks.work > MOST_WORK)
    return GMEM_OK;
  fit.ceiling = gmem_packing_peak(packing, task->offsets);
  GMEM_TRY_NEW(trial, task->memory, packing->count);
  bool is_fast = gmem_search_effort(task->search) == GMEM_EFFORT_FAST;
  for (size_t i = 0; i < (is_fast ? FAST_RULES : RULES); ++i) {
    GMEM_TRY(gmem_item_order(packing, rules[i].key, fit.order, task->memory));
    GMEM_TRY(
        gmem_ordered_fit_run_whole(&fit, rules[i].rule, task->search, trial));
    uint64_t peak =
        fit.is_given_up ? UINT64_MAX : gmem_packing_peak(packing, trial);
    if (peak < fit.ceiling) { // not when the limit of work ended it early
      memcpy(task->offsets, trial, packing->count * sizeof *trial);
      fit.ceiling = peak;
      gmem_search_found(task->search, peak);
    }
    if (fit.ceiling <= packing->goal ||
        !gmem_search_spend(task->search, packing->count))
      return GMEM_OK;
  }
  return GMEM_OK;
}
