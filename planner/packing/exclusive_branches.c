// exclusive_branches.c - the memory that mutually exclusive branches need.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Only one arm of each choice exists in an execution. Choices are resolved from
// the rarest to the most frequent: a choice nested in an arm of another occurs
// in fewer items, so it is resolved first, and its remaining items count for
// the enclosing arm. Of each choice the arm with the largest total is kept, and
// the items of its other arms are dropped. The remaining items can all exist
// together, so their sum is a valid lower bound for any set of choices.

#include "exclusive_branches.h"

#include <assert.h>

#include "packing_builder.h"

// Above this number of (run, section) visits, each choice is resolved once for
// all sections.
static const uint64_t MOST_LOOKS = UINT64_C(1) << 25;

// Live bytes of an item in branches.
typedef struct run_s {
  gmem_span_t span;               // from the first section of the packing on
  uint64_t bytes;                 // that it takes
  const gmem_buffer_spec_t *spec; // for the branches
} run_t;

typedef struct decider_s {
  const gmem_packing_t *packing;
  uint64_t granule;
  gmem_sum_t *sums; // the results
  run_t *runs;
  size_t count, room;
  gmem_order_t *by_begin; // runs by begin; and scratch
  gmem_order_t *ranks;    // key: choice, index: its rank; and scratch
  size_t branch_count, rank_count;
  gmem_order_t *arms; // key: (rank, arm), index: place in |live|; and scratch
  uint32_t *live;     // runs
  bool *is_struck;    // by position in |live|: dropped
} decider_t;

//===--- ranks ------------------------------------------------------------===//

// Keeps one entry per choice, with the number of its runs as index.
static void count_choices(decider_t *decider) {
  size_t count = 0;
  for (size_t i = 0; i < decider->branch_count; ++i) {
    if (count && decider->ranks[count - 1].key == decider->ranks[i].key) {
      ++decider->ranks[count - 1].index;
      continue;
    }
    decider->ranks[count++] = (gmem_order_t){decider->ranks[i].key, 1};
  }
  decider->rank_count = count;
}

// Ranks choices by frequency: the rarest is 0.
static void rank_choices(decider_t *decider) {
  gmem_order_t *ranks = decider->ranks;
  gmem_order_t *scratch = ranks + decider->branch_count;
  size_t next = 0;
  for (size_t i = 0; i < decider->count; ++i) {
    const gmem_buffer_spec_t *spec = decider->runs[i].spec;
    for (size_t k = 0; k < spec->branch_count; ++k)
      ranks[next++].key = spec->branches[k].choice;
  }
  gmem_sort_order(ranks, scratch, decider->branch_count);
  count_choices(decider);
  size_t count = decider->rank_count;
  for (size_t i = 0; i < count; ++i)
    scratch[i] = (gmem_order_t){ranks[i].index, (uint32_t)i};
  gmem_sort_order(scratch, decider->arms, count);
  for (size_t i = 0; i < count; ++i)
    ranks[scratch[i].index].index = (uint32_t)i;
}

static uint64_t rank_of(const decider_t *decider, uint32_t choice) {
  size_t at = gmem_find_key(decider->ranks, decider->rank_count, choice);
  assert(at < decider->rank_count && decider->ranks[at].key == choice);
  return decider->ranks[at].index;
}

//===--- one choice -------------------------------------------------------===//

static size_t list_arms(decider_t *decider, size_t live_count) {
  size_t count = 0;
  for (size_t i = 0; i < live_count; ++i) {
    const gmem_buffer_spec_t *spec = decider->runs[decider->live[i]].spec;
    for (size_t k = 0; k < spec->branch_count; ++k)
      decider->arms[count++] =
          (gmem_order_t){rank_of(decider, spec->branches[k].choice) << 32 |
                             spec->branches[k].arm,
                         (uint32_t)i};
    decider->is_struck[i] = false;
  }
  gmem_sort_order(decider->arms, decider->arms + count, count);
  return count;
}

static gmem_sum_t weight_of(const decider_t *decider, size_t first,
                            size_t last) {
  gmem_sum_t weight = 0;
  for (size_t i = first; i < last; ++i) {
    uint32_t place = decider->arms[i].index;
    if (!decider->is_struck[place])
      weight += decider->runs[decider->live[place]].bytes;
  }
  return weight;
}

// Resolves the choice whose entries are arms[first .. last).
static void decide_one(decider_t *decider, size_t first, size_t last) {
  const gmem_order_t *arms = decider->arms;
  uint64_t best_arm = 0;
  gmem_sum_t best = 0;
  for (size_t begin = first, end; begin < last; begin = end) {
    for (end = begin; end < last && arms[end].key == arms[begin].key;)
      ++end;
    gmem_sum_t weight = weight_of(decider, begin, end);
    if (begin == first || weight > best) {
      best = weight;
      best_arm = arms[begin].key;
    }
  }
  for (size_t i = first; i < last; ++i)
    if (arms[i].key != best_arm)
      decider->is_struck[arms[i].index] = true;
}

static void decide(decider_t *decider, size_t live_count) {
  size_t count = list_arms(decider, live_count);
  for (size_t first = 0, last; first < count; first = last) {
    uint64_t rank = decider->arms[first].key >> 32;
    for (last = first; last < count && decider->arms[last].key >> 32 == rank;)
      ++last;
    decide_one(decider, first, last);
  }
}

//===--- all sections -----------------------------------------------------===//

static void add_run(const decider_t *decider, uint32_t run, gmem_span_t span) {
  gmem_add_span(decider->sums, span, decider->runs[run].bytes);
}

static void decide_sections(decider_t *decider) {
  size_t next = 0, live_count = 0;
  for (uint32_t s = 0; s < decider->packing->section_count; ++s) {
    size_t kept = 0;
    for (size_t i = 0; i < live_count; ++i)
      if (decider->runs[decider->live[i]].span.end > s)
        decider->live[kept++] = decider->live[i];
    live_count = kept;
    for (; next < decider->count && decider->by_begin[next].key == s; ++next)
      decider->live[live_count++] = decider->by_begin[next].index;
    if (live_count == 0)
      continue;
    decide(decider, live_count);
    for (size_t i = 0; i < live_count; ++i)
      if (!decider->is_struck[i])
        add_run(decider, decider->live[i], (gmem_span_t){s, s + 1});
  }
}

// Resolves each choice once for all sections.
static void decide_once(decider_t *decider) {
  for (uint32_t i = 0; i < decider->count; ++i)
    decider->live[i] = i;
  decide(decider, decider->count);
  for (uint32_t i = 0; i < decider->count; ++i)
    if (!decider->is_struck[i])
      add_run(decider, i, decider->runs[i].span);
}

//===--- set-up -----------------------------------------------------------===//

// Lists the runs; *looks: the visits of all sections.
static gmem_status_t list_runs(decider_t *decider, uint64_t *looks,
                               gmem_scratch_t *memory) {
  const gmem_packing_t *packing = decider->packing;
  for (uint32_t i = 0; i < packing->count; ++i) {
    const gmem_item_t *item = &packing->items[i];
    const gmem_buffer_spec_t *spec = gmem_member_spec(packing, item->member);
    for (gmem_live_part_t live = {0};
         item->has_branches && gmem_next_live(packing, item, &live);) {
      uint64_t slack;
      GMEM_TRY_ROOM(decider->runs, memory, decider->count, decider->room);
      decider->runs[decider->count++] =
          (run_t){{live.span.begin - packing->first_section,
                   live.span.end - packing->first_section},
                  gmem_taken_bytes(item, &live, decider->granule, &slack),
                  spec};
      decider->branch_count += spec->branch_count;
      *looks += (live.span.end - live.span.begin) * (spec->branch_count + 1);
    }
  }
  return GMEM_OK;
}

static gmem_status_t create(decider_t *decider, gmem_scratch_t *memory) {
  size_t runs = decider->count, branches = decider->branch_count;
  GMEM_TRY_NEW(decider->by_begin, memory, 2 * runs);
  GMEM_TRY_NEW(decider->ranks, memory, 2 * branches);
  GMEM_TRY_NEW(decider->arms, memory, 2 * branches);
  GMEM_TRY_NEW(decider->live, memory, runs);
  GMEM_TRY_NEW(decider->is_struck, memory, runs);
  for (uint32_t i = 0; i < runs; ++i)
    decider->by_begin[i] = (gmem_order_t){decider->runs[i].span.begin, i};
  gmem_sort_order(decider->by_begin, decider->by_begin + runs, runs);
  return GMEM_OK;
}

gmem_status_t gmem_add_choices(const gmem_packing_t *packing, uint64_t granule,
                               gmem_sum_t *sums, gmem_scratch_t *memory) {
  decider_t decider = {.packing = packing, .granule = granule, .sums = sums};
  uint64_t looks = 0;
  GMEM_TRY(list_runs(&decider, &looks, memory));
  GMEM_TRY(create(&decider, memory));
  rank_choices(&decider);
  if (looks <= MOST_LOOKS)
    decide_sections(&decider);
  else
    decide_once(&decider);
  return GMEM_OK;
}
