// memref_coalescing.c - allocation sites of which at most one is live at a
// time: the allocations in the arms of a branch that yields one of them, or the
// allocation of a loop iteration and the one before the loop. They can share
// one place although both may be live, under the same name, at one step.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two sites can be coalesced if at no time two different memrefs are live of
// which one may denote the first site and the other the second. A memref and
// its views count as one memref. Where control flow transfers one memref to
// another, both are live at that step, but they denote the same memory.
//
// Cost: the limits below bound the size of each pairwise check and the number
// of checks per site. A site beyond a limit is not coalesced, which is always
// correct.

#include "memref_coalescing.h"

#include <stdlib.h>

#include "ir_reading.h"
#include "memref_alignment.h"
#include "memref_analysis.h"
#include "memref_liveness.h"
#include "vocabulary.h"

enum {
  MAX_VALUES = 64,         // in the points-to set of a site
  MAX_USES = 4096,         // of these values
  MAX_SPANS = 128,         // live ranges in all contexts, per pair
  MAX_TRANSFERS = 128,     // per pair
  MAX_TRIES = 4,           // other sites tried per site
  MAX_SITES_PER_PLACE = 16 // sites checked per try
};

// Which of the two sites of a pair a memref may denote.
enum { IS_LEFT = 1, IS_RIGHT = 2 };

typedef struct span_s {
  int64_t begin, end; // on the timeline
  uint32_t base;      // value that it is a view of, or the value itself
  uint8_t is;         // IS_LEFT, IS_RIGHT or both
} span_t;

typedef struct transfer_s {
  uint32_t from, to; // bases
  int64_t time;      // on the timeline
} transfer_t;

typedef struct coalescing_s {
  gmem_memref_analysis_t *analysis;
  uint32_t *first_transfer; // by value: index in |by_source| of its first
                            // transfer; the next entry is the end
  uint32_t *by_source;      // transfers, by source
  uint32_t *latest;         // by value: last visited site it may denote, + 1
  uint32_t *last_of;        // by first site of a place: the last site there
  uint32_t *previous;       // by site: the previous one at the same place, or
                            // GMEM_NO_INDEX
  uint8_t *is;              // by value: IS_LEFT, IS_RIGHT, for the current pair
  span_t spans[MAX_SPANS];
  size_t span_count;
  transfer_t transfers[MAX_TRANSFERS];
  size_t transfer_count;
  bool is_over_limit;
} coalescing_t;

//===--- transfers --------------------------------------------------------===//

// Sorts the transfers by source, so that each pair visits only those of its own
// values: many transfers may have the same target.
static bool list_transfers(coalescing_t *state) {
  const gmem_memref_analysis_t *analysis = state->analysis;
  const gmem_control_flow_t *control = analysis->control;
  size_t count = analysis->program->value_count;
  state->first_transfer =
      gmem_bump_alloc(analysis->arena, count + 1, sizeof(uint32_t));
  state->by_source = gmem_bump_alloc(analysis->arena, control->transfer_count,
                                     sizeof(uint32_t));
  if (!state->first_transfer || !state->by_source)
    return false;
  for (size_t i = 0; i < control->transfer_count; ++i)
    ++state->first_transfer[control->transfers[i].from];
  uint32_t total = 0;
  for (size_t i = 0; i <= count; ++i)
    state->first_transfer[i] = total += state->first_transfer[i];
  for (uint32_t i = (uint32_t)control->transfer_count; i-- > 0;)
    state->by_source[--state->first_transfer[control->transfers[i].from]] = i;
  return true;
}

// The value that |value| is a view of, through chains of views, or itself.
static uint32_t base_of(const gmem_program_t *program, uint32_t value) {
  for (;;) {
    uint32_t op = program->values[value].op;
    if (op == GMEM_NO_INDEX || program->ops[op].kind != GMEM_OP_VIEW ||
        !mlirOperationGetNumOperands(program->ops[op].op))
      return value;
    uint32_t shown = gmem_memref_of(
        program, mlirOperationGetOperand(program->ops[op].op, 0));
    if (shown == GMEM_NO_INDEX || shown >= value)
      return value;
    value = shown;
  }
}

// Adds the times of |transfer|, whose source may denote one of the sites, in
// all contexts.
static void add_transfer(coalescing_t *state, const gmem_transfer_t *transfer) {
  const gmem_memref_analysis_t *analysis = state->analysis;
  size_t count;
  uint32_t function =
      gmem_program_function_at(analysis->program, transfer->time);
  const uint32_t *contexts =
      gmem_contexts_of(analysis->contexts, function, &count);
  for (size_t i = 0; i < count && !state->is_over_limit; ++i) {
    state->is_over_limit = state->transfer_count == MAX_TRANSFERS;
    if (!state->is_over_limit)
      state->transfers[state->transfer_count++] = (transfer_t){
          base_of(analysis->program, transfer->from),
          base_of(analysis->program, transfer->to),
          gmem_context_time(analysis->contexts, contexts[i], transfer->time)};
  }
}

//===--- one pair ---------------------------------------------------------===//

// Sets or clears the marks of all values that may denote |site|.
static void mark(coalescing_t *state, const gmem_allocation_site_t *site,
                 uint8_t bits, bool is_set) {
  for (size_t i = 0; i < site->seen_count; ++i) {
    uint8_t *is = &state->is[site->seen_as[i]];
    *is = is_set ? (uint8_t)(*is | bits) : 0;
  }
}

// Adds the live ranges of |value|; without the cuts of its site if it may
// denote only that one.
static void add_spans(coalescing_t *state, uint32_t value) {
  gmem_memref_analysis_t *analysis = state->analysis;
  uint8_t is = state->is[value];
  analysis->ranges.count = 0;
  gmem_memref_add_value(analysis, value, is != (IS_LEFT | IS_RIGHT));
  gmem_ranges_normalise(&analysis->ranges);
  for (size_t i = 0; i < analysis->ranges.count && !state->is_over_limit; ++i) {
    state->is_over_limit = state->span_count == MAX_SPANS;
    if (!state->is_over_limit)
      state->spans[state->span_count++] =
          (span_t){analysis->ranges.data[i].begin, analysis->ranges.data[i].end,
                   base_of(analysis->program, value), is};
  }
}

// Adds the spans and transfers of all values that may denote |site|; without
// |has_both|, values that may denote both sites are skipped because they were
// added for the other one.
static bool add_site(coalescing_t *state, const gmem_allocation_site_t *site,
                     bool has_both) {
  gmem_memref_analysis_t *analysis = state->analysis;
  if (!gmem_memref_find_cuts(analysis, site))
    return false;
  for (size_t i = 0; i < site->seen_count; ++i) {
    uint32_t value = site->seen_as[i];
    if (state->is[value] == (IS_LEFT | IS_RIGHT) && !has_both)
      continue;
    add_spans(state, value);
    for (uint32_t t = state->first_transfer[value];
         t < state->first_transfer[value + 1]; ++t)
      add_transfer(state, &analysis->control->transfers[state->by_source[t]]);
  }
  return !analysis->ranges.out_of_memory;
}

static bool is_transferred(const coalescing_t *state, uint32_t a, uint32_t b,
                           int64_t time) {
  for (size_t i = 0; i < state->transfer_count; ++i) {
    const transfer_t *transfer = &state->transfers[i];
    if (transfer->time == time && ((transfer->from == a && transfer->to == b) ||
                                   (transfer->from == b && transfer->to == a)))
      return true;
  }
  return false;
}

// Whether two live memrefs may denote the two sites at the same time.
static bool conflict(const coalescing_t *state, const span_t *a,
                     const span_t *b) {
  int64_t begin = a->begin > b->begin ? a->begin : b->begin;
  int64_t end = a->end < b->end ? a->end : b->end;
  bool is_one = (a->is | b->is) != (IS_LEFT | IS_RIGHT);
  if (begin >= end || is_one || a->base == b->base)
    return false;
  return end - begin > 1 || !is_transferred(state, a->base, b->base, begin);
}

// Sets |*out_exclusive| to whether at most one of the two sites is live at a
// time. Returns false if out of memory.
static bool check_pair(coalescing_t *state, const gmem_allocation_site_t *left,
                       const gmem_allocation_site_t *right,
                       bool *out_exclusive) {
  state->span_count = state->transfer_count = 0;
  state->is_over_limit = false;
  mark(state, left, IS_LEFT, true);
  mark(state, right, IS_RIGHT, true);
  bool is_ok = add_site(state, left, true) && add_site(state, right, false);
  mark(state, left, 0, false);
  mark(state, right, 0, false);
  *out_exclusive = is_ok && !state->is_over_limit;
  for (size_t i = 0; i < state->span_count && *out_exclusive; ++i)
    for (size_t k = 0; k < i && *out_exclusive; ++k)
      *out_exclusive = !conflict(state, &state->spans[i], &state->spans[k]);
  return is_ok;
}

//===--- all sites --------------------------------------------------------===//

static MlirAttribute alignment_of(const gmem_memref_analysis_t *analysis,
                                  const gmem_allocation_site_t *site) {
  return gmem_op_attribute(
      analysis->program->ops[analysis->program->values[site->value].op].op,
      "alignment");
}

// Whether a pairwise check of the site stays within the limits.
static bool is_simple(const coalescing_t *state,
                      const gmem_allocation_site_t *site) {
  const gmem_memref_analysis_t *analysis = state->analysis;
  const uint32_t *first_user = analysis->uses->first_user;
  size_t uses = 0, transfers = 0, spans = 0;
  for (size_t i = 0; i < site->seen_count; ++i) {
    uint32_t value = site->seen_as[i];
    size_t contexts;
    gmem_contexts_of(analysis->contexts,
                     gmem_value_function(analysis->program, value), &contexts);
    uses += first_user[value + 1] - first_user[value];
    transfers +=
        state->first_transfer[value + 1] - state->first_transfer[value];
    spans += analysis->live_values[value].range_count * contexts;
  }
  return uses <= MAX_USES && transfers <= MAX_TRANSFERS && spans <= MAX_SPANS;
}

// Whether the site, by itself, is a candidate for coalescing.
static bool is_candidate(const coalescing_t *state,
                         const gmem_allocation_site_t *site) {
  const gmem_memref_analysis_t *analysis = state->analysis;
  const gmem_program_op_t *op =
      &analysis->program->ops[analysis->program->values[site->value].op];
  return site->reason == GMEM_MEMREF_PLANNED && !site->is_shared &&
         site->seen_count > 1 && site->seen_count <= MAX_VALUES &&
         is_simple(state, site) && !op->hold &&
         mlirAttributeIsNull(mlirOperationGetDiscardableAttributeByName(
             op->op, gmem_attr_name(GMEM_ATTR_FIXED)));
}

static bool are_alike(const gmem_memref_analysis_t *analysis,
                      const gmem_allocation_site_t *left,
                      const gmem_allocation_site_t *right) {
  const gmem_value_t *values = analysis->program->values;
  return values[left->value].size == values[right->value].size &&
         mlirTypeEqual(mlirValueGetType(values[left->value].value),
                       mlirValueGetType(values[right->value].value)) &&
         mlirAttributeEqual(alignment_of(analysis, left),
                            alignment_of(analysis, right)) &&
         gmem_alignment_assumed(values[left->value].value) ==
             gmem_alignment_assumed(values[right->value].value);
}

// Adds site |index| to the place of site |other| if it can be coalesced with
// every site there. Returns false if out of memory.
static bool try_coalesce(coalescing_t *state, uint32_t index, uint32_t other) {
  gmem_allocation_site_t *sites = state->analysis->memrefs->sites;
  uint32_t first = (uint32_t)gmem_allocation_sites_from(
      state->analysis->memrefs, sites[other].leader);
  int tries = 0;
  for (uint32_t at = state->last_of[first]; at != GMEM_NO_INDEX;
       at = state->previous[at]) {
    bool is_exclusive = false;
    if (++tries > MAX_SITES_PER_PLACE ||
        !are_alike(state->analysis, &sites[at], &sites[index]))
      return true;
    if (!check_pair(state, &sites[at], &sites[index], &is_exclusive))
      return false;
    if (!is_exclusive)
      return true;
  }
  sites[index].leader = sites[other].leader;
  state->previous[index] = state->last_of[first];
  state->last_of[first] = index;
  return true;
}

// Looks for a place among the sites with common values. Returns false if out of
// memory.
static bool coalesce_site(coalescing_t *state, uint32_t index) {
  gmem_allocation_site_t *sites = state->analysis->memrefs->sites;
  gmem_allocation_site_t *site = &sites[index];
  uint32_t tried = 0;
  int tries = 0;
  for (size_t i = 0;
       i < site->seen_count && tries < MAX_TRIES && site->leader == site->value;
       ++i) {
    uint32_t other = state->latest[site->seen_as[i]];
    if (other == 0 || other == tried)
      continue;
    tried = other;
    ++tries;
    if (!try_coalesce(state, index, other - 1))
      return false;
  }
  for (size_t i = 0; i < site->seen_count; ++i)
    state->latest[site->seen_as[i]] = index + 1;
  return true;
}

bool gmem_memref_coalesce(gmem_memref_analysis_t *analysis) {
  const gmem_memrefs_t *memrefs = analysis->memrefs;
  gmem_bump_t *arena = analysis->arena;
  size_t values = analysis->program->value_count, sites = memrefs->site_count;
  coalescing_t *state = gmem_bump_alloc(arena, 1, sizeof *state);
  if (!state)
    return false;
  *state = (coalescing_t){
      .analysis = analysis,
      .latest = gmem_bump_alloc(arena, values, sizeof(uint32_t)),
      .last_of = gmem_bump_alloc(arena, sites, sizeof(uint32_t)),
      .previous = gmem_bump_alloc(arena, sites, sizeof(uint32_t)),
      .is = gmem_bump_alloc(arena, values, sizeof(uint8_t))};
  if (!state->latest || !state->last_of || !state->previous || !state->is ||
      !list_transfers(state))
    return false;
  for (uint32_t i = 0; i < sites; ++i) {
    state->last_of[i] = i;
    state->previous[i] = GMEM_NO_INDEX;
  }
  for (uint32_t i = 0; i < sites; ++i)
    if (is_candidate(state, &memrefs->sites[i]) && !coalesce_site(state, i))
      return false;
  return true;
}
