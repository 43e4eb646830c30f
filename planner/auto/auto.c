// auto.c - the default algorithm: stages from fast to thorough, each run only
// if the goal has not been reached.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The sweep places all items, for problems of any size. Then the packing is cut
// where no item is live across; parts that reach the goal are finished, often
// all of them. Every other part goes through merging, multi-order placement,
// hill climbing and exact search by itself, with its share of the work: a part
// need not be better than the bound of the worst part.

#include <assert.h>
#include <string.h>

#include "adjacency.h"
#include "algorithms.h"
#include "merge_search.h"
#include "packing_query.h"
#include "search.h"
#include "section_lists.h"
#include "variants.h"

// The stages that share the work among the parts, and their units of work, by
// effort. A unit takes a few nanoseconds.
typedef enum stage_e {
  MERGE,
  VARIANTS,
  CLIMB,
  EXACT_VARIANTS,
  EXACT,
  NEAR_MERGE,
  STAGES
} stage_t;

static gmem_pack_t pack_other_starts;

static const struct {
  const char *name;
  gmem_pack_t *pack;
  uint64_t steps[3]; // fast, normal, exhaustive
} stages[STAGES] = {
    [MERGE] = {"merge", gmem_merge_pack, {1 << 22, 1 << 27, 1 << 30}},
    [VARIANTS] = {"variants", pack_other_starts, {0, 1 << 28, 1 << 30}},
    [CLIMB] = {"hill-climb", gmem_hill_climb_pack, {0, 1 << 26, 1 << 29}},
    [EXACT_VARIANTS] = {"variants",
                        gmem_exact_variants_pack,
                        {0, 3 << 26, 3 << 26}},
    [EXACT] = {"exact", gmem_merge_then_exact_pack, {0, 1 << 28, 1 << 30}},
    [NEAR_MERGE] = {"near-merge",
                    gmem_near_merge_pack,
                    {1 << 20, 1 << 26, 1 << 28}},
};

// Up to this many items a short exact search may prove at once that the bound
// cannot be reached, which saves the climb.
enum { SMALL = 64, SMALL_STEPS = 1 << 18 };

// Packings with more items than this may be dense.
enum { MANY_ITEMS = 2000 };

// Units of work per item of a first repair of dense packings, before any order
// is tried: that costs more.
enum { REPAIR_STEPS = 1 << 9 };

// Unused work of easy parts is given to the hard ones in a second round.
enum { ROUNDS = 2 };

// Orders are tried up to this many conflicts per item; above it, the sweep
// gives equal results in a fraction of the time.
static const uint64_t PAIRS_PER_ITEM = 50;

// With gaps in live ranges, or choices, items live at one time need not
// interfere. The sweep does not use that and may give poor results. Then orders
// are tried for this much work; with items of several parts, or choices, only
// up to this many pairs, and one order where it would take all of that, and at
// fast effort.
static const uint64_t LOOSE_PAIRS = UINT64_C(1) << 25;
enum { STEPS_PER_PAIR = 16 };
static const uint64_t LOOSE_STEPS = UINT64_C(1) << 28;

// At fast effort only up to this many items, and for this much work; above it,
// when some items are composite, for this much work each.
enum { FEW_ITEMS = 1 << 10, FEW_STEPS = 1 << 20, COMPOSITE_STEPS = 1 << 8 };

typedef struct auto_s {
  gmem_search_t *search;
  gmem_scratch_t *memory;
  uint64_t *trial;         // offsets, one per item of the whole packing
  uint64_t budget[STAGES]; // units of work that are left of it
  uint64_t parts;          // parts that share it and have not been reached yet
  bool is_first_round;     // orders are tried in this one alone
  uint64_t goal;           // a lower bound on the peak of the whole, in bytes
} auto_t;

// Scales the budget down when less work is left than that, so that every stage
// gets its share.
static void set_budget(auto_t *run) {
  uint64_t all = 0, left = gmem_search_left(run->search);
  for (int i = 0; i < STAGES; ++i) {
    const uint64_t *steps = stages[i].steps;
    run->budget[i] =
        gmem_by_effort(run->search->effort, steps[0], steps[1], steps[2]);
    all += run->budget[i];
  }
  left = left < all ? left : all;
  for (int i = 0; i < STAGES; ++i)
    run->budget[i] = run->budget[i] * left / all; // less than 2^63
}

//===--- one part ---------------------------------------------------------===//

static bool is_done(const auto_t *run, const gmem_packing_t *part,
                    const uint64_t *offsets) {
  return gmem_packing_peak(part, offsets) <= run->goal;
}

// Gaps in live ranges, or choices.
static bool is_loose(const gmem_packing_t *packing) {
  return packing->has_choices || packing->part_count > 0;
}

// Gaps in live ranges, but no items of several parts, and no choices.
static bool has_gaps(const gmem_packing_t *packing) {
  return packing->is_whole && !packing->is_simple;
}

// Moreover some items have several buffers.
static bool is_composite(const gmem_packing_t *packing) {
  return is_loose(packing) && packing->member_count > packing->count;
}

// Keeps the better one of two placements in |offsets|.
static void keep_better(const gmem_packing_t *packing, const uint64_t *trial,
                        uint64_t *offsets) {
  if (gmem_packing_peak(packing, trial) < gmem_packing_peak(packing, offsets))
    memcpy(offsets, trial, packing->count * sizeof *offsets);
}

// A search from another start than the best placement: on other forms of a
// plain packing, and of others from the largest items first. A climb depends
// more on its start than on its work.
static gmem_status_t pack_other_starts(const gmem_task_t *task) {
  gmem_task_t other = *task;
  if (task->packing->is_plain)
    return gmem_variants_pack(task);
  if (task->search->is_partial) // leaves the work to the search around this one
    return GMEM_OK;
  GMEM_TRY_NEW(other.offsets, task->memory, task->packing->count);
  GMEM_TRY(gmem_greedy_hill_climb_pack(&other));
  keep_better(task->packing, other.offsets, task->offsets);
  return GMEM_OK;
}

// About the pairs of items that a placement by order looks at.
static gmem_status_t count_pairs(const gmem_packing_t *part,
                                 uint64_t *out_pairs, gmem_scratch_t *memory) {
  uint64_t in_sections;
  GMEM_TRY(gmem_count_conflicts(part, NULL, out_pairs, memory));
  if (is_loose(part)) {
    GMEM_TRY(gmem_count_section_pairs(part, &in_sections, memory));
    *out_pairs = in_sections < *out_pairs ? in_sections : *out_pairs;
  }
  return GMEM_OK;
}

// Work for multi-order placement; 0: skip it.
static uint64_t steps_for_orders(const auto_t *run, const gmem_packing_t *part,
                                 uint64_t pairs) {
  bool is_sparse = pairs <= PAIRS_PER_ITEM * part->count;
  if (!is_sparse && (!is_loose(part) || STEPS_PER_PAIR * pairs > LOOSE_STEPS) &&
      !has_gaps(part))
    return 0;
  if (gmem_search_effort(run->search) != GMEM_EFFORT_FAST)
    return is_sparse ? UINT64_MAX : LOOSE_STEPS;
  if (part->count <= FEW_ITEMS)
    return FEW_STEPS;
  return is_composite(part) && is_sparse
             ? COMPOSITE_STEPS * (uint64_t)part->count
             : 0;
}

// Whether one order is tried all the same: the sweep, which takes an item for
// live in the gaps, too, has failed.
static bool needs_order(const auto_t *run, const gmem_packing_t *part,
                        uint64_t pairs, const uint64_t *offsets) {
  return is_loose(part) && !has_gaps(part) && pairs <= LOOSE_PAIRS &&
         gmem_packing_peak(part, offsets) - run->goal > run->goal / 4;
}

static gmem_status_t try_orders(auto_t *run, const gmem_packing_t *part,
                                uint64_t *offsets) {
  uint64_t pairs = 0;
  GMEM_TRY(count_pairs(part, &pairs, run->memory));
  uint64_t steps = steps_for_orders(run, part, pairs);
  gmem_pack_t *pack = gmem_multi_order_pack;
  if (steps == 0) {
    if (!needs_order(run, part, pairs, offsets))
      return GMEM_OK;
    pack = gmem_greedy_by_size_pack;
    steps = UINT64_MAX;
  }
  gmem_search_begin_stage(run->search, "multi-order", steps);
  GMEM_TRY(gmem_pack(pack, part, run->search, run->trial, run->memory->diag));
  keep_better(part, run->trial, offsets);
  return GMEM_OK;
}

// Runs a stage on the part with its share of the work, at most |most|.
static gmem_status_t run_stage(auto_t *run, stage_t stage, uint64_t most,
                               const gmem_packing_t *part, uint64_t *offsets) {
  gmem_search_t *search = run->search;
  uint64_t *left = &run->budget[stage], share = *left / run->parts;
  if (stage != MERGE && (share == 0 || is_done(run, part, offsets)))
    return GMEM_OK;
  gmem_search_begin_stage(search, stages[stage].name,
                          share < most ? share : most);
  GMEM_TRY(
      gmem_pack(stages[stage].pack, part, search, offsets, run->memory->diag));
  uint64_t used = search->steps - search->stage_start;
  *left -= used < *left ? used : *left;
  if (stage == EXACT && search->proved && !is_done(run, part, offsets))
    run->goal = gmem_packing_peak(part, offsets);
  search->proved = false; // of the part only
  return GMEM_OK;
}

static gmem_status_t improve(auto_t *run, const gmem_packing_t *part,
                             uint64_t *offsets) {
  GMEM_TRY(run_stage(run, MERGE, UINT64_MAX, part, offsets));
  if (run->is_first_round && !is_done(run, part, offsets))
    GMEM_TRY(try_orders(run, part, offsets));
  if (part->count <= SMALL)
    GMEM_TRY(run_stage(run, EXACT, SMALL_STEPS, part, offsets));
  GMEM_TRY(run_stage(run, VARIANTS, UINT64_MAX, part, offsets));
  if (!part->is_plain) // the same start again would end the same
    run->budget[VARIANTS] = 0;
  GMEM_TRY(run_stage(run, CLIMB, UINT64_MAX, part, offsets));
  GMEM_TRY(run_stage(run, EXACT_VARIANTS, UINT64_MAX, part, offsets));
  GMEM_TRY(run_stage(run, EXACT, UINT64_MAX, part, offsets));
  GMEM_TRY(run_stage(run, NEAR_MERGE, UINT64_MAX, part, offsets));
  run->parts -= run->parts > 1;
  return GMEM_OK;
}

//===--- parts ------------------------------------------------------------===//

// The items of |packing| from |first| on up to the next cut in time, as a
// packing of their own, whose end is the next first item. Only plain packings
// are cut: explicit conflicts and fixed items extend further.
static gmem_packing_t cut(const gmem_packing_t *packing, uint32_t first) {
  gmem_packing_t part = *packing;
  if (!packing->is_plain)
    return part;
  uint32_t last = first, end = packing->items[first].end;
  for (; last < packing->count && packing->items[last].begin < end; ++last)
    if (packing->items[last].end > end)
      end = packing->items[last].end;
  assert(last > first);
  part.items = packing->items + first; // a view
  part.count = last - first;
  part.first_section = packing->items[first].begin;
  part.section_count = end - part.first_section;
  return part;
}

static uint32_t count_unfinished(const gmem_packing_t *packing,
                                 const uint64_t *offsets, uint64_t goal) {
  uint32_t count = 0;
  for (uint32_t first = 0; first < packing->count;) {
    gmem_packing_t part = cut(packing, first);
    count += gmem_packing_peak(&part, offsets + first) > goal;
    first += part.count;
  }
  return count;
}

static gmem_status_t improve_parts(auto_t *run, const gmem_packing_t *packing,
                                   uint64_t *offsets) {
  bool was_partial = run->search->is_partial;
  gmem_status_t status = GMEM_OK;
  for (uint32_t first = 0; first < packing->count;) {
    gmem_packing_t part = cut(packing, first);
    part.goal = run->goal;
    run->search->is_partial = was_partial || part.count < packing->count;
    if (!is_done(run, &part, offsets + first))
      status = improve(run, &part, offsets + first);
    run->search->is_partial = was_partial;
    GMEM_TRY(status);
    first += part.count;
  }
  gmem_search_found(run->search, gmem_packing_peak(packing, offsets));
  return GMEM_OK;
}

//===--- all items --------------------------------------------------------===//

static bool has_fixed(const gmem_packing_t *packing) {
  for (uint32_t i = 0; i < packing->count; ++i)
    if (gmem_is_fixed(&packing->items[i]))
      return true;
  return false;
}

// Whether a few orders are tried on all items before the sweep is repaired for
// long: that costs more, and starts better from them. The sweep keeps away from
// fixed items at all times, the orders only while these are live.
static gmem_status_t is_dense(const gmem_task_t *task, bool *out_is_dense) {
  const gmem_packing_t *packing = task->packing;
  bool is_fast = gmem_search_effort(task->search) == GMEM_EFFORT_FAST;
  uint64_t pairs = 0;
  *out_is_dense = packing->is_simple && packing->count > FEW_ITEMS &&
                  !packing->is_plain && has_fixed(packing);
  if (*out_is_dense || is_fast || !packing->is_simple ||
      packing->count <= MANY_ITEMS)
    return GMEM_OK;
  GMEM_TRY(gmem_count_conflicts(packing, NULL, &pairs, task->memory));
  *out_is_dense = pairs > PAIRS_PER_ITEM * packing->count;
  return GMEM_OK;
}

// The sweep stops by itself, as it does alone: only a limit of the caller has
// to leave work for the later stages.
static uint64_t steps_to_place(const gmem_search_t *search) {
  return search->has_own_limit ? gmem_search_left(search) / 4 : UINT64_MAX;
}

// Runs an engine on all items for at most |steps|, from the placement so far.
static gmem_status_t place(const gmem_task_t *task, const char *name,
                           gmem_pack_t *pack, uint64_t steps) {
  gmem_search_begin_stage(task->search, name, steps);
  return gmem_pack(pack, task->packing, task->search, task->offsets,
                   task->memory->diag);
}

static bool is_placed(const gmem_task_t *task) {
  return gmem_packing_peak(task->packing, task->offsets) <= task->packing->goal;
}

// The sweep's placement, the orders' if it is better, and the repair of that.
// |sweep|: by item, receives the sweep's.
static gmem_status_t place_by_orders(const gmem_task_t *task, uint64_t *sweep) {
  uint64_t steps = steps_to_place(task->search);
  GMEM_TRY(place(task, "sweep", gmem_sweep_place_pack, steps));
  memcpy(sweep, task->offsets, task->packing->count * sizeof *sweep);
  if (!is_placed(task))
    GMEM_TRY(place(task, "repair", gmem_sweep_repair_pack,
                   REPAIR_STEPS * (uint64_t)task->packing->count));
  if (!is_placed(task))
    GMEM_TRY(place(task, "orders", gmem_dense_orders_pack, UINT64_MAX));
  return is_placed(task) ? GMEM_OK
                         : place(task, "repair", gmem_sweep_repair_pack, steps);
}

// A better start is not always repaired to a better end: where the bound is not
// reached, the sweep is repaired, too, as it is alone.
static gmem_status_t place_dense(const gmem_task_t *task) {
  uint64_t *sweep;
  GMEM_TRY_NEW(sweep, task->memory, task->packing->count);
  GMEM_TRY(place_by_orders(task, sweep));
  if (is_placed(task))
    return GMEM_OK;
  gmem_task_t alone = *task;
  alone.offsets = sweep;
  GMEM_TRY(place(&alone, "repair", gmem_sweep_repair_pack,
                 steps_to_place(task->search)));
  keep_better(task->packing, sweep, task->offsets);
  return GMEM_OK;
}

// The most bytes of items from whose begin to whose end a section lies: no
// sweep has a lower peak.
static gmem_status_t pressure_of_hulls(const gmem_task_t *task,
                                       uint64_t *out_most) {
  const gmem_packing_t *packing = task->packing;
  uint64_t *changes, sum = 0; // modulo 2^64
  GMEM_TRY_ZEROS(changes, task->memory, (size_t)packing->section_count + 1);
  for (uint32_t i = 0; i < packing->count; ++i) {
    const gmem_item_t *item = &packing->items[i];
    changes[item->begin - packing->first_section] += item->size;
    changes[item->end - packing->first_section] -= item->size;
  }
  *out_most = 0;
  for (uint32_t s = 0; s < packing->section_count; ++s) {
    sum += changes[s];
    *out_most = sum > *out_most ? sum : *out_most;
  }
  gmem_scratch_drop(task->memory, changes);
  return GMEM_OK;
}

// The better one of the sweep and of a few orders, which use the gaps; orders
// alone where gaps are long.
static gmem_status_t place_in_gaps(const gmem_task_t *task) {
  uint64_t goal = task->packing->goal, hulls;
  GMEM_TRY(pressure_of_hulls(task, &hulls));
  if (hulls > goal && hulls - goal > goal / 4)
    GMEM_TRY(place(task, "orders", gmem_greedy_by_size_pack, UINT64_MAX));
  else
    GMEM_TRY(
        place(task, "sweep", gmem_sweep_pack, steps_to_place(task->search)));
  return is_placed(task)
             ? GMEM_OK
             : place(task, "orders", gmem_dense_orders_pack, UINT64_MAX);
}

static gmem_status_t place_all(const gmem_task_t *task) {
  bool dense;
  if (has_gaps(task->packing))
    return place_in_gaps(task);
  GMEM_TRY(is_dense(task, &dense));
  if (dense)
    return place_dense(task);
  // Few composite items are placed by orders: the repair, which takes all their
  // bytes for live all the time, would be in vain.
  bool in_vain =
      is_composite(task->packing) && task->packing->count <= FEW_ITEMS;
  return place(task, "sweep", in_vain ? gmem_sweep_place_pack : gmem_sweep_pack,
               steps_to_place(task->search));
}

// All stages at the effort of the search.
static gmem_status_t run_stages(const gmem_task_t *task) {
  const gmem_packing_t *packing = task->packing;
  gmem_search_t *search = task->search;
  uint64_t *offsets = task->offsets;
  GMEM_TRY(place_all(task));
  if (is_placed(task))
    return GMEM_OK;
  search->proved = false;
  gmem_search_found(search, gmem_packing_peak(packing, offsets));
  auto_t run = {.search = search,
                .memory = task->memory,
                .parts = count_unfinished(packing, offsets, packing->goal),
                .goal = packing->goal};
  set_budget(&run);
  GMEM_TRY_NEW(run.trial, task->memory, packing->count);
  int rounds = gmem_search_effort(search) == GMEM_EFFORT_FAST ? 1 : ROUNDS;
  for (int round = 0; run.parts && round < rounds; ++round) {
    run.is_first_round = round == 0;
    GMEM_TRY(improve_parts(&run, packing, offsets));
    run.parts = count_unfinished(packing, offsets, run.goal);
  }
  search->proved = gmem_packing_peak(packing, offsets) <= run.goal;
  return GMEM_OK;
}

// The stages of one effort, keeping the better placement.
static gmem_status_t improve_all(const gmem_task_t *task, uint64_t *trial) {
  GMEM_TRY(gmem_pack(run_stages, task->packing, task->search, trial,
                     task->memory->diag));
  keep_better(task->packing, trial, task->offsets);
  return GMEM_OK;
}

// Whether more effort may give a lower peak.
static bool may_improve(const gmem_task_t *task) {
  const gmem_search_t *search = task->search;
  return !search->proved && !search->cancelled &&
         gmem_search_left(search) > 0 &&
         gmem_packing_peak(task->packing, task->offsets) > task->packing->goal;
}

// Other efforts begin with fast effort, so that they never give a higher peak.
static gmem_status_t run_efforts(const gmem_task_t *task,
                                 gmem_effort_t effort) {
  gmem_search_t *search = task->search;
  uint64_t *trial;
  search->effort = GMEM_EFFORT_FAST;
  GMEM_TRY(run_stages(task));
  if (effort == GMEM_EFFORT_FAST || !may_improve(task))
    return GMEM_OK;
  GMEM_TRY_NEW(trial, task->memory, task->packing->count);
  search->effort = effort;
  return improve_all(task, trial);
}

gmem_status_t gmem_auto_pack(const gmem_task_t *task) {
  gmem_effort_t effort = task->search->effort;
  gmem_status_t status = run_efforts(task, effort);
  task->search->effort = effort;
  return status;
}
