// slot_runs.c - the places of small buffers in large ones, as buffers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Small buffers are placed last. Where large buffers have taken the places that
// aliases give them in a parent, each needs bytes of its own, rounded up to the
// alignment of the pool. So the places that lie side by side in a large parent
// form a *run*: one buffer, live while any of them is, which may be at its
// place in the parent. It keeps that place free while large buffers are placed.

#include "slot_runs.h"

#include "problem_store.h"
#include "sub_problem.h"

enum {
  // Bytes between two places of a run, and the least and the most bytes of a
  // run: these fractions of a large buffer. Short runs find room one by one.
  GAP = 16,
  RUN = 8,
  MOST = 4,
};

#define NO_PARENT UINT32_MAX

typedef struct maker_s {
  const gmem_problem_t *problem;
  gmem_slot_runs_t *runs;
  gmem_scratch_t *memory;
  uint64_t least;
  uint32_t count;        // of buffers
  uint32_t *ids;         // by large buffer: in the new problem
  uint32_t *parents;     // by small buffer: a large one, or NO_PARENT
  uint64_t *places;      // by small buffer: its offset in that one
  uint32_t *rounds;      // by small buffer: how many parents are in between + 1
  gmem_order_t *members; // places in parents, and scratch
  uint32_t member_count;
  gmem_order_t *begins;      // scratch
  gmem_live_range_t *ranges; // scratch
} maker_t;

static const gmem_buffer_spec_t *buffer_of(const maker_t *maker, uint32_t i) {
  return gmem_problem_buffer(maker->problem, i);
}

static bool is_large(const maker_t *maker, uint32_t buffer) {
  return buffer_of(maker, buffer)->size >= maker->least;
}

static uint64_t end_of(const maker_t *maker, uint32_t buffer) {
  return maker->places[buffer] + buffer_of(maker, buffer)->size;
}

//===--- places of small buffers ------------------------------------------===//

// Whether |alias| gives its child, which has a parent if |has_one|, a larger
// one.
static bool is_better_parent(const maker_t *maker,
                             const gmem_alias_spec_t *alias, bool has_one) {
  uint32_t next = maker->parents[alias->parent];
  return next != NO_PARENT &&
         (!has_one || buffer_of(maker, next)->size >
                          buffer_of(maker, maker->parents[alias->child])->size);
}

// Finds a large parent of each small buffer, possibly through small ones: of
// the shortest ways, the one to the largest.
static void find_parents(maker_t *maker) {
  const gmem_problem_t *problem = maker->problem;
  size_t count = gmem_problem_alias_count(problem);
  for (uint32_t i = 0; i < maker->count; ++i)
    maker->parents[i] = is_large(maker, i) ? i : NO_PARENT;
  for (uint32_t round = 1; round <= GMEM_DEPTH_OF_SLOTS; ++round)
    for (size_t i = 0; i < count; ++i) {
      const gmem_alias_spec_t *alias = gmem_problem_alias(problem, i);
      uint32_t child = alias->child, own = maker->rounds[child];
      bool has_one = maker->parents[child] != NO_PARENT;
      if (maker->rounds[alias->parent] >= round || (has_one && own < round) ||
          !is_better_parent(maker, alias, has_one))
        continue;
      maker->parents[child] = maker->parents[alias->parent];
      maker->places[child] = maker->places[alias->parent] + alias->offset;
      maker->rounds[child] = round;
    }
}

// Lists the places in |parent|, in order.
static void list_members(maker_t *maker, uint32_t parent) {
  maker->member_count = 0;
  for (uint32_t i = 0; i < maker->count; ++i)
    if (maker->parents[i] == parent && !is_large(maker, i) &&
        buffer_of(maker, i)->size)
      maker->members[maker->member_count++] =
          (gmem_order_t){maker->places[i], i};
  gmem_sort_order(maker->members, maker->members + maker->count,
                  maker->member_count);
}

// Whether a large child may be at bytes [low, high) of |parent|.
static bool is_taken(const maker_t *maker, uint32_t parent, uint64_t low,
                     uint64_t high) {
  for (size_t i = 0; i < gmem_problem_alias_count(maker->problem); ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(maker->problem, i);
    if (alias->parent == parent && is_large(maker, alias->child) &&
        alias->offset < high &&
        alias->offset + buffer_of(maker, alias->child)->size > low)
      return true;
  }
  return false;
}

// The end of the run of members that begins with |first|; sets *end, of its
// bytes.
static uint32_t end_of_run(const maker_t *maker, uint32_t parent,
                           uint32_t first, uint64_t *end) {
  const gmem_order_t *members = maker->members;
  uint64_t gap = maker->least / GAP;
  uint32_t last = first + 1;
  *end = end_of(maker, members[first].index);
  for (; last < maker->member_count && members[last].key <= *end + gap;
       ++last) {
    uint64_t next = end_of(maker, members[last].index);
    if (next - members[first].key > maker->least / MOST ||
        is_taken(maker, parent, members[first].key, next))
      break;
    *end = next > *end ? next : *end;
  }
  return last;
}

//===--- runs -------------------------------------------------------------===//

// Lists when any of the members [first, last) is live.
static gmem_status_t unite_ranges(maker_t *maker, uint32_t first, uint32_t last,
                                  size_t *out_count) {
  size_t all = 0, count = 0;
  for (uint32_t i = first; i < last; ++i)
    all += buffer_of(maker, maker->members[i].index)->range_count;
  gmem_live_range_t *ranges;
  GMEM_TRY_NEW(ranges, maker->memory, all);
  GMEM_TRY_NEW(maker->ranges, maker->memory, all);
  GMEM_TRY_NEW(maker->begins, maker->memory, 2 * all);
  for (uint32_t i = first; i < last; ++i) {
    const gmem_buffer_spec_t *spec = buffer_of(maker, maker->members[i].index);
    for (size_t k = 0; k < spec->range_count; ++k, ++count) {
      ranges[count] = spec->ranges[k];
      maker->begins[count] =
          (gmem_order_t){gmem_time_key(spec->ranges[k].begin), (uint32_t)count};
    }
  }
  gmem_sort_order(maker->begins, maker->begins + all, all);
  *out_count = 0;
  for (size_t i = 0; i < all; ++i) {
    gmem_live_range_t next = ranges[maker->begins[i].index];
    gmem_live_range_t *back = maker->ranges + *out_count;
    if (*out_count == 0 || back[-1].end < next.begin)
      maker->ranges[(*out_count)++] = next;
    else if (back[-1].end < next.end)
      back[-1].end = next.end;
  }
  return GMEM_OK;
}

// The bytes that the members [first, last) take one by one, those that share a
// place as one; at least |size|.
static uint64_t round_members(const maker_t *maker, uint32_t first,
                              uint32_t last, uint64_t size) {
  const gmem_pool_spec_t *pool = gmem_problem_pool(maker->problem, 0);
  uint64_t rounded = 0, end = 0;
  for (uint32_t i = first; i < last; ++i) {
    uint32_t member = maker->members[i].index;
    uint64_t mask = gmem_alignment_in(buffer_of(maker, member), pool) - 1;
    uint64_t from = maker->places[member] > end ? maker->places[member] : end;
    end = end_of(maker, member) > from ? end_of(maker, member) : from;
    rounded += (end - from + mask) & ~mask;
  }
  return rounded > size ? rounded : size;
}

static gmem_status_t add_run(maker_t *maker, uint32_t parent, uint32_t first,
                             uint32_t last, uint64_t end) {
  uint64_t low = maker->members[first].key;
  gmem_buffer_spec_t run = {.name = "", .size = end - low, .alignment = 1};
  gmem_alias_spec_t alias = {
      .parent = maker->ids[parent], .offset = low, .is_optional = true};
  GMEM_TRY(unite_ranges(maker, first, last, &run.range_count));
  run.ranges = maker->ranges;
  GMEM_TRY(gmem_problem_add_buffer(maker->runs->problem, &run, &alias.child,
                                   maker->memory->diag));
  ++maker->runs->run_count;
  maker->runs->rounded[alias.child] =
      round_members(maker, first, last, run.size);
  return gmem_problem_add_alias(maker->runs->problem, &alias,
                                maker->memory->diag);
}

static gmem_status_t add_runs(maker_t *maker, uint32_t parent) {
  list_members(maker, parent);
  for (uint32_t first = 0, last; first < maker->member_count; first = last) {
    uint64_t end, low = maker->members[first].key;
    last = end_of_run(maker, parent, first, &end);
    if (last - first > 1 && end - low >= maker->least / RUN)
      GMEM_TRY(add_run(maker, parent, first, last, end));
  }
  return GMEM_OK;
}

gmem_status_t gmem_slot_runs_create(const gmem_problem_t *problem,
                                    uint64_t least, gmem_scratch_t *memory,
                                    gmem_slot_runs_t *runs) {
  maker_t maker = {.problem = problem,
                   .runs = runs,
                   .memory = memory,
                   .least = least,
                   .count = gmem_problem_buffer_count(problem)};
  *runs = (gmem_slot_runs_t){0};
  GMEM_TRY(
      gmem_problem_create(memory->allocator, &runs->problem, memory->diag));
  GMEM_TRY_NEW(runs->large, memory, maker.count);
  GMEM_TRY_NEW(maker.ids, memory, maker.count);
  GMEM_TRY_NEW(maker.parents, memory, maker.count);
  GMEM_TRY_ZEROS(maker.places, memory, maker.count);
  GMEM_TRY_ZEROS(maker.rounds, memory, maker.count);
  GMEM_TRY_NEW(maker.members, memory, 2 * (size_t)maker.count);
  GMEM_TRY(gmem_copy_large(problem, least,
                           gmem_problem_pool(problem, 0)->alignment,
                           runs->problem, maker.ids, memory->diag));
  GMEM_TRY_NEW(runs->rounded, memory, maker.count);
  for (uint32_t i = 0; i < maker.count; ++i)
    if (is_large(&maker, i)) {
      runs->rounded[runs->large_count] = buffer_of(&maker, i)->size;
      runs->large[runs->large_count++] = i;
    }
  find_parents(&maker);
  for (uint32_t i = 0; i < runs->large_count; ++i)
    GMEM_TRY(add_runs(&maker, runs->large[i]));
  return GMEM_OK;
}
