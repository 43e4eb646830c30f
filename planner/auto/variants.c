// variants.c - the merge search on other forms of the same packing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A search may succeed on one form of a problem and fail on another that
// differs in nothing that matters, because its orders and ties differ. So it is
// repeated
//
// * with time counted in begins and ends, which do not change when it is
//   stretched,
// * backwards in time,
// * and, where all sizes are close to multiples of one number, with these: few
//   bytes more or less in each size keep items from forming rectangles. The
//   real items are then placed in the order of the offsets found.

#include "variants.h"

#include <string.h>

#include "algorithms.h"
#include "merge_search.h"
#include "ordered_fit.h"
#include "packing_query.h"
#include "search.h"

// Rounding may change the pressure by this fraction of the bound.
enum { LEAST_FRACTION = 1 << 10 };

// Larger packings rarely depend on orders and ties, and take longer.
enum { MOST_ITEMS = 1 << 12 };

// The number of the first exact search of a second run; a first one makes less.
enum { SECOND_RUN = 1 << 10 };

// The begin and the end of an item, as ranks among all of these.
typedef struct ranks_s {
  uint32_t begin, end;
} ranks_t;

typedef struct variant_s {
  const gmem_packing_t *whole;
  gmem_packing_t view; // owns only |items|
  uint64_t *offsets;   // of the items of the view
  gmem_order_t *order; // index: the item of the whole; and scratch
  uint64_t *changes;   // one more than there are sections
  ranks_t *ranks;      // by item of the whole
  uint32_t last_rank;
  uint64_t step;    // sizes are multiples of it; 1: they are kept
  bool is_mirrored; // time runs backwards
} variant_t;

//===--- rounded sizes ----------------------------------------------------===//

static uint64_t round_to(uint64_t size, uint64_t step) {
  uint64_t half = step / 2, rounded = (size + half) / step * step;
  return rounded ? rounded : step;
}

static uint64_t distance(uint64_t a, uint64_t b) {
  return a < b ? b - a : a - b;
}

// The most bytes by which the sizes that are live in one section differ from
// multiples of |step|.
static uint64_t most_error(variant_t *variant, uint64_t step) {
  const gmem_packing_t *whole = variant->whole;
  uint64_t *changes = variant->changes, error = 0, most = 0;
  memset(changes, 0, ((size_t)whole->section_count + 1) * sizeof *changes);
  for (uint32_t i = 0; i < whole->count; ++i) { // modulo 2^64
    const gmem_item_t *item = &whole->items[i];
    uint64_t by = distance(item->extent, round_to(item->extent, step));
    changes[item->begin - whole->first_section] += by;
    changes[item->end - whole->first_section] -= by;
  }
  for (uint32_t i = 0; i < whole->section_count; ++i) {
    error += changes[i];
    most = error > most ? error : most;
  }
  return most;
}

// The largest power of two near to multiples of which all sizes are, without
// being such; 1 when there is none.
static uint64_t find_step(variant_t *variant) {
  const gmem_packing_t *whole = variant->whole;
  uint64_t most = whole->bound / LEAST_FRACTION, best = 1;
  for (uint64_t step = 2 * whole->granule; step <= most; step *= 2) {
    uint64_t error = most_error(variant, step);
    if (error > 0 && error <= most)
      best = step;
  }
  return best;
}

//===--- ranks of times ---------------------------------------------------===//

static void list_times(variant_t *variant, gmem_order_t *times) {
  const gmem_packing_t *whole = variant->whole;
  for (uint32_t i = 0; i < whole->count; ++i) {
    uint64_t first = UINT64_MAX, last = 0;
    for (uint32_t k = whole->items[i].member; k < gmem_members_end(whole, i);
         ++k) {
      const gmem_buffer_spec_t *spec =
          gmem_problem_buffer(whole->problem, whole->members[k].buffer);
      uint64_t begin = gmem_time_key(spec->ranges[0].begin);
      uint64_t end = gmem_time_key(spec->ranges[spec->range_count - 1].end);
      first = begin < first ? begin : first;
      last = end > last ? end : last;
    }
    times[2 * (size_t)i] = (gmem_order_t){first, i};
    times[2 * (size_t)i + 1] = (gmem_order_t){last, i};
  }
}

static gmem_status_t rank_times(variant_t *variant, gmem_scratch_t *memory) {
  size_t count = 2 * (size_t)variant->whole->count;
  gmem_order_t *times;
  GMEM_TRY_NEW(times, memory, 2 * count);
  GMEM_TRY_ZEROS(variant->ranks, memory, variant->whole->count);
  list_times(variant, times);
  gmem_sort_order(times, times + count, count);
  bool *is_begun;
  GMEM_TRY_ZEROS(is_begun, memory, variant->whole->count);
  for (size_t i = 0; i < count; ++i) {
    variant->last_rank += i > 0 && times[i].key != times[i - 1].key;
    ranks_t *ranks = &variant->ranks[times[i].index];
    *(is_begun[times[i].index] ? &ranks->end : &ranks->begin) =
        variant->last_rank;
    is_begun[times[i].index] = true;
  }
  return GMEM_OK;
}

//===--- the view ---------------------------------------------------------===//

static gmem_item_t view_of(const variant_t *variant, uint32_t index) {
  const gmem_packing_t *whole = variant->whole;
  const gmem_item_t *item = &whole->items[index];
  gmem_item_t view = *item;
  view.duration = variant->ranks[index].end - variant->ranks[index].begin;
  uint32_t both = 2 * whole->first_section + whole->section_count;
  if (variant->is_mirrored) {
    view.begin = both - item->end;
    view.end = both - item->begin;
  }
  if (variant->step > 1)
    view.size = view.extent = round_to(item->extent, variant->step);
  return view;
}

// Lists the items of the view in the order of a packing: by begin, duration,
// size.
static void list_items(variant_t *variant) {
  const gmem_packing_t *whole = variant->whole;
  gmem_order_t *order = variant->order, *scratch = order + whole->count;
  for (uint32_t i = 0; i < whole->count; ++i)
    order[i] = (gmem_order_t){whole->items[i].size, i};
  gmem_sort_order(order, scratch, whole->count);
  for (uint32_t i = 0; i < whole->count; ++i) {
    ranks_t ranks = variant->ranks[order[i].index];
    if (variant->is_mirrored)
      ranks = (ranks_t){variant->last_rank - ranks.end,
                        variant->last_rank - ranks.begin};
    order[i].key = (uint64_t)ranks.begin << 32 | ranks.end;
  }
  gmem_sort_order(order, scratch, whole->count);
  for (uint32_t i = 0; i < whole->count; ++i)
    variant->view.items[i] = view_of(variant, order[i].index);
}

static gmem_status_t make_view(variant_t *variant, const gmem_task_t *task) {
  gmem_packing_t *view = &variant->view;
  list_items(variant);
  for (uint32_t i = 0; i < view->count; ++i)
    variant->offsets[i] = task->offsets[variant->order[i].index];
  view->goal = variant->whole->goal;
  if (variant->step == 1)
    return GMEM_OK;
  GMEM_TRY(gmem_packing_pressure(view, NULL, &view->bound, task->memory->diag));
  view->goal = view->bound;
  return GMEM_OK;
}

//===--- back to the packing ----------------------------------------------===//

static gmem_status_t take_over(variant_t *variant, const gmem_task_t *task,
                               uint64_t *offsets) {
  const gmem_packing_t *whole = variant->whole;
  for (uint32_t i = 0; i < whole->count; ++i)
    offsets[variant->order[i].index] = variant->offsets[i];
  if (variant->step > 1)
    GMEM_TRY(gmem_ordered_fit_settle(task, offsets));
  if (gmem_packing_peak(whole, offsets) <
      gmem_packing_peak(whole, task->offsets))
    memcpy(task->offsets, offsets, whole->count * sizeof *offsets);
  return GMEM_OK;
}

//===--- all variants -----------------------------------------------------===//

static gmem_status_t create(const gmem_task_t *task, variant_t *variant) {
  gmem_scratch_t *memory = task->memory;
  const gmem_packing_t *whole = task->packing;
  *variant = (variant_t){.whole = whole, .view = *whole, .step = 1};
  GMEM_TRY_NEW(variant->view.items, memory, whole->count);
  GMEM_TRY_NEW(variant->offsets, memory, whole->count);
  GMEM_TRY_NEW(variant->order, memory, 2 * (size_t)whole->count);
  GMEM_TRY_NEW(variant->changes, memory, (size_t)whole->section_count + 1);
  GMEM_TRY(rank_times(variant, memory));
  variant->step = find_step(variant);
  return GMEM_OK;
}

// |pack| places the items of each form. The orders of its exact searches are
// those from number |first_search| on, so that two runs use other ones.
static gmem_status_t pack_variants(const gmem_task_t *task, gmem_pack_t *pack,
                                   uint64_t first_search) {
  const gmem_packing_t *whole = task->packing;
  gmem_search_t *search = task->search;
  variant_t variant;
  uint64_t *offsets;
  if (!whole->is_plain || whole->count > MOST_ITEMS ||
      whole->bound > GMEM_MAX_ADDRESS / 4)
    return GMEM_OK;
  GMEM_TRY(create(task, &variant));
  GMEM_TRY_NEW(offsets, task->memory, whole->count);
  uint64_t limit = search->stage_limit, searches = search->searches;
  uint64_t left = limit > search->steps ? limit - search->steps : 0;
  for (int i = 0; i < 2; ++i) {
    variant.is_mirrored = i == 1;
    GMEM_TRY(make_view(&variant, task));
    search->searches = first_search; // the same orders for each form
    gmem_search_limit_stage(search, left / 2);
    bool was_partial = search->is_partial;
    search->is_partial = true; // peaks of other sizes
    gmem_status_t status = gmem_pack(pack, &variant.view, search,
                                     variant.offsets, task->memory->diag);
    search->is_partial = was_partial;
    search->stage_limit = limit;
    GMEM_TRY(status);
    GMEM_TRY(take_over(&variant, task, offsets));
    if (gmem_packing_peak(whole, task->offsets) <= whole->goal ||
        search->cancelled)
      break;
  }
  search->searches = searches;
  return GMEM_OK;
}

gmem_status_t gmem_variants_pack(const gmem_task_t *task) {
  return pack_variants(task, gmem_merge_pack, 0);
}

gmem_status_t gmem_exact_variants_pack(const gmem_task_t *task) {
  return pack_variants(task, gmem_merge_exact_pack, SECOND_RUN);
}
