// exact.c - branch and bound with restarts, for peaks between the lower bound
// and the best placement so far.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A tree search (branch_and_bound.c) decides one capacity. Its run time is
// heavy-tailed: a problem may take five hundred nodes with one order of the
// items and millions with the next. So searches are short, with limits from
// Luby's sequence (Luby, Sinclair, Zuckerman, "Optimal speedup of Las Vegas
// algorithms", 1993), and each uses a different order:
//
// * first, orders that are known to perform well, by units of time and by
//   sections
// * then random combinations of the same properties, weighted by the sections
//   in which earlier searches failed (Boussemart, Hemery, Lecoutre, Sais,
//   "Boosting systematic search by weighting constraints", 2004)
// * occasionally a longer search, with a quarter of all nodes so far, so that
//   every search that can complete completes
//
// The capacities tried range from the lower bound to just below the best
// placement, or the ceiling of the packing. Three searches of four try the
// lowest capacity not proved infeasible; the fourth tries one closer to the
// best placement, lower after a success and higher after failures. Placements
// found become the best; proofs of infeasibility raise the lower end.

#include <assert.h>
#include <string.h>

#include "algorithms.h"
#include "branch_and_bound.h"
#include "packing_query.h"
#include "search.h"

enum {
  NODES_PER_RUN = 1000,
  FIRST_LONG_RUN = 16 * NODES_PER_RUN,
  TURNS_PER_LONG_RUN = 64,
  LADDER = 4, // searches per cycle; one of them is not at the lowest capacity
  TURNS_PER_HALVING = 24,
  MOST_HALVINGS = 6,
};

// Which of the capacities a search tries.
typedef enum rung_e { FOOT, PART_OF_THE_WAY, RUNGS } rung_t;

// The properties of an item that orders combine, as 16.16 logarithms.
enum { PRESSURE, PRESSURE_SUM, DURATION, SECTIONS, SIZE, PROPERTIES };

typedef struct exact_s {
  const gmem_packing_t *packing;
  gmem_search_t *search;
  gmem_tree_t tree;
  uint64_t *offsets; // the best placement
  uint64_t peak;     // its peak
  uint64_t lowest;   // proved: no placement has a lower peak
  uint64_t unit;     // every peak is a multiple of it
  unsigned halvings; // the upper rung is the gap / 2^halvings below the best
  unsigned patience; // searches until it moves up
  uint64_t seed;
  uint64_t turns[RUNGS]; // searches on each rung
  uint64_t *failures;    // per rung and section: see branch_and_bound.h
  uint64_t *logs;        // per item: PROPERTIES logarithms
  gmem_order_t *order;   // and as much scratch
  uint32_t *items;       // in the order of a run
  size_t count;
} exact_t;

//===--- portable arithmetic ----------------------------------------------===//

// log2 of |value| + 1 in 16.16 fixed point.
static uint64_t log2_fixed(uint64_t value) {
  uint64_t mantissa = value < UINT64_MAX ? value + 1 : value;
  unsigned zeros = (unsigned)__builtin_clzll(mantissa);
  uint64_t result = 63 - zeros, m = mantissa << zeros >> 32; // [2^31, 2^32)
  for (int bit = 0; bit < 16; ++bit) {
    m = m * m >> 31;
    uint64_t carry = m >> 32;
    m >>= carry;
    result = result << 1 | carry;
  }
  return result;
}

// xorshift64* (Vigna 2016).
static uint64_t next_random(exact_t *exact) {
  uint64_t x = exact->seed;
  x ^= x >> 12;
  x ^= x << 25;
  x ^= x >> 27;
  exact->seed = x;
  return x * UINT64_C(0x2545F4914F6CDD1D);
}

// In [0, 256).
static uint64_t random_byte(exact_t *exact) { return next_random(exact) >> 56; }

static uint64_t greatest_divisor(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// The least multiple of |unit|, any number, from |bytes| on.
static uint64_t next_multiple(uint64_t bytes, uint64_t unit) {
  uint64_t more = (unit - bytes % unit) % unit;
  return bytes > UINT64_MAX - more ? UINT64_MAX : bytes + more;
}

// 1, 1, 2, 1, 1, 2, 4, ... for |index| = 1, 2, ...
static uint64_t luby(uint64_t index) {
  for (;;) {
    uint64_t power = 1;
    while (power - 1 < index)
      power *= 2;
    if (power - 1 == index)
      return power / 2;
    index -= power / 2 - 1;
  }
}

//===--- orders -----------------------------------------------------------===//

// The weight of each property, in 1/256.
typedef struct mixture_s {
  uint64_t weights[PROPERTIES];
  uint64_t noise;
  // The failure weights replace the pressure.
  bool learned;
} mixture_t;

// Sorts by descending weight; the first difference decides.
static const mixture_t known_good[] = {
    {{65536, 0, 0, 256, 1}, 0, false},   {{65536, 0, 256, 0, 1}, 0, false},
    {{0, 0, 0, 256, 256}, 0, false},     {{0, 0, 256, 0, 256}, 0, false},
    {{0, 0, 0, 4096, 1}, 0, false},      {{0, 0, 4096, 0, 1}, 0, false},
    {{65536, 0, 0, 256, 256}, 0, false}, {{65536, 0, 256, 0, 256}, 0, false},
    {{0, 256, 0, 0, 0}, 0, false},       {{0, 0, 0, 1, 4096}, 0, false},
};

// Most orders use learned weights, and sizes little: so did all, and most, of
// those that succeeded on variants of problem J of MiniMalloc's set.
static mixture_t random_mixture(exact_t *exact) {
  mixture_t mixture = {{0}, 0, false};
  uint64_t kind = (next_random(exact) >> 32) % 16;
  mixture.learned = kind != 0;
  mixture.weights[kind % 2 ? PRESSURE : PRESSURE_SUM] =
      20 * (random_byte(exact) * random_byte(exact) >> 8);
  mixture.weights[DURATION] = random_byte(exact);
  mixture.weights[SECTIONS] = random_byte(exact);
  mixture.weights[SIZE] = random_byte(exact);
  uint64_t dropped = random_byte(exact);
  if (dropped < 77)
    mixture.weights[DURATION] = 0;
  else if (dropped < 148)
    mixture.weights[SECTIONS] = 0;
  if (random_byte(exact) < 154)
    mixture.weights[SIZE] = 13;
  mixture.noise = random_byte(exact) * random_byte(exact) >> 8;
  return mixture;
}

// The maximum or the sum of |values| over the sections of |item|.
static uint64_t over_sections(const exact_t *exact, const gmem_item_t *item,
                              const uint64_t *values, bool summed) {
  uint64_t most = 0, sum = 0;
  for (uint32_t s = item->begin; s < item->end; ++s) {
    uint64_t value = values[s - exact->packing->first_section];
    sum += value;
    most = value > most ? value : most;
  }
  return summed ? sum : most;
}

static uint64_t key_of(exact_t *exact, const mixture_t *mixture,
                       uint32_t item) {
  const gmem_item_t *self = &exact->packing->items[item];
  const uint64_t *logs = exact->logs + (size_t)item * PROPERTIES;
  uint64_t key =
      mixture->noise ? mixture->noise * (next_random(exact) >> 48) : 0;
  for (int i = 0; i < PROPERTIES; ++i) {
    uint64_t value = logs[i];
    if (mixture->learned && i <= PRESSURE_SUM && mixture->weights[i])
      value = log2_fixed(
          over_sections(exact, self, exact->tree.failures, i == PRESSURE_SUM) /
          GMEM_FAILURE_WEIGHT);
    key += mixture->weights[i] * value;
  }
  return key;
}

static void make_order(exact_t *exact, const mixture_t *mixture) {
  size_t count = exact->count;
  for (uint32_t i = 0; i < count; ++i)
    exact->order[i] = (gmem_order_t){~key_of(exact, mixture, i), i};
  gmem_sort_order(exact->order, exact->order + count, count);
  for (uint32_t i = 0; i < count; ++i)
    exact->items[i] = exact->order[i].index;
}

//===--- runs -------------------------------------------------------------===//

// The capacity to try: on the lowest rung the lowest peak not proved
// infeasible, on the other a fraction of the gap below the best placement.
static uint64_t capacity_of(const exact_t *exact, rung_t rung) {
  assert(exact->lowest < exact->peak);
  uint64_t steps = (exact->peak - 1 - exact->lowest) / exact->unit;
  uint64_t down = rung == FOOT ? steps : steps >> exact->halvings;
  return exact->lowest + (steps - down) * exact->unit;
}

static void keep_placement(exact_t *exact) {
  for (size_t i = 0; i < exact->count; ++i)
    exact->offsets[i] = exact->tree.items[i].floor;
  exact->peak = gmem_packing_peak(exact->packing, exact->offsets);
  gmem_search_found(exact->search, exact->peak);
}

// Older failures decay.
static void fade_failures(exact_t *exact) {
  for (uint32_t s = 0; s < exact->packing->section_count; ++s)
    exact->tree.failures[s] -= exact->tree.failures[s] / 10;
}

static uint64_t nodes_of(const exact_t *exact, uint64_t turn) {
  if (turn % TURNS_PER_LONG_RUN != TURNS_PER_LONG_RUN - 1)
    return NODES_PER_RUN * luby(turn + 1);
  return FIRST_LONG_RUN + exact->tree.nodes / 4;
}

// Success lowers the next capacity on the upper rung; failure raises it.
static void move_rung(exact_t *exact, bool found) {
  if (found) {
    exact->patience = TURNS_PER_HALVING;
    exact->halvings -= exact->halvings > 1;
  } else if (--exact->patience == 0) {
    exact->patience = TURNS_PER_HALVING;
    exact->halvings += exact->halvings < MOST_HALVINGS;
  }
}

// Returns false when the search ends.
static bool run_once(exact_t *exact, rung_t rung) {
  const uint64_t known = sizeof known_good / sizeof *known_good;
  uint64_t turn = exact->turns[rung]++;
  uint64_t capacity = capacity_of(exact, rung), nodes = nodes_of(exact, turn);
  exact->tree.failures = exact->failures + rung * exact->packing->section_count;
  mixture_t mixture = turn < known ? known_good[turn] : random_mixture(exact);
  make_order(exact, &mixture);
  gmem_tree_result_t result = gmem_branch_and_bound_run(
      &exact->tree, capacity, exact->items, nodes, exact->search);
  if (result == GMEM_TREE_FOUND)
    keep_placement(exact);
  if (result == GMEM_TREE_INFEASIBLE)
    exact->lowest = next_multiple(exact->tree.needed, exact->unit);
  if (rung == PART_OF_THE_WAY)
    move_rung(exact, result == GMEM_TREE_FOUND);
  fade_failures(exact);
  return gmem_search_spend(exact->search, 16 * exact->count);
}

static void run_all(exact_t *exact) {
  uint64_t goal = exact->packing->goal;
  for (uint64_t run = 0; exact->peak > goal && exact->peak > exact->lowest;
       ++run)
    if (!run_once(exact, run % LADDER == LADDER - 1 ? PART_OF_THE_WAY : FOOT))
      return;
}

//===--- set-up -----------------------------------------------------------===//

// The greatest number of which all offsets and ends of stacked items are
// multiples. Alignments do not matter where they divide it.
static uint64_t find_unit(const gmem_packing_t *packing) {
  uint64_t unit = 0;
  for (uint32_t i = 0; i < packing->count && unit != 1; ++i) {
    const gmem_item_t *item = &packing->items[i];
    unit = greatest_divisor(item->size, unit);
    unit = greatest_divisor(item->extent, unit);
    if (gmem_is_fixed(item))
      unit = greatest_divisor(item->fixed_offset, unit);
  }
  for (uint32_t i = 0; i < packing->count && unit != 1; ++i) {
    uint64_t alignment = packing->items[i].alignment;
    if (unit % alignment || packing->base % alignment)
      unit = greatest_divisor(greatest_divisor(alignment, packing->base), unit);
  }
  return unit;
}

static void find_properties(exact_t *exact) {
  const gmem_packing_t *packing = exact->packing;
  uint64_t *loads = exact->tree.loads;
  memset(loads, 0, packing->section_count * sizeof *loads);
  for (uint32_t i = 0; i < packing->count; ++i)
    for (uint32_t s = packing->items[i].begin; s < packing->items[i].end; ++s)
      loads[s - packing->first_section] += packing->items[i].extent;
  for (uint32_t i = 0; i < packing->count; ++i) {
    const gmem_item_t *item = &packing->items[i];
    uint64_t *logs = exact->logs + (size_t)i * PROPERTIES;
    logs[PRESSURE] = log2_fixed(over_sections(exact, item, loads, false));
    logs[PRESSURE_SUM] = log2_fixed(over_sections(exact, item, loads, true));
    logs[DURATION] = log2_fixed(item->duration);
    logs[SECTIONS] = log2_fixed(item->end - item->begin);
    logs[SIZE] = log2_fixed(item->extent);
  }
}

static gmem_status_t create(exact_t *exact, gmem_scratch_t *memory) {
  const gmem_packing_t *packing = exact->packing;
  size_t count = exact->count = packing->count;
  GMEM_TRY(gmem_branch_and_bound_create(packing, memory, &exact->tree));
  GMEM_TRY_NEW(exact->logs, memory, PROPERTIES * count);
  GMEM_TRY_ZEROS(exact->failures, memory,
                 RUNGS * (size_t)packing->section_count);
  GMEM_TRY_NEW(exact->order, memory, 2 * count);
  GMEM_TRY_NEW(exact->items, memory, count);
  find_properties(exact);
  exact->unit = find_unit(packing);
  return GMEM_OK;
}

gmem_status_t gmem_exact_pack(const gmem_task_t *task) {
  const gmem_packing_t *packing = task->packing;
  gmem_search_t *search = task->search;
  exact_t exact = {.packing = packing,
                   .search = search,
                   .offsets = task->offsets,
                   .peak = gmem_packing_peak(packing, task->offsets),
                   .halvings = 2,
                   .patience = TURNS_PER_HALVING,
                   .seed = UINT64_C(0x9E3779B97F4A7C15) * ++search->searches};
  if (packing->ceiling && packing->ceiling < exact.peak)
    exact.peak = packing->ceiling;
  search->proved = exact.peak <= packing->bound;
  if (exact.peak <= packing->goal || !gmem_branch_and_bound_supports(packing))
    return GMEM_OK;
  GMEM_TRY(create(&exact, task->memory));
  exact.lowest = next_multiple(packing->bound, exact.unit);
  run_all(&exact);
  search->proved = exact.peak <= exact.lowest;
  return GMEM_OK;
}

gmem_status_t gmem_multi_order_exact_pack(const gmem_task_t *task) {
  GMEM_TRY(gmem_pack(gmem_multi_order_pack, task->packing, task->search,
                     task->offsets, task->memory->diag));
  // The number of exact searches seeds later ones.
  return gmem_packing_peak(task->packing, task->offsets) > task->packing->goal
             ? gmem_exact_pack(task)
             : GMEM_OK;
}
