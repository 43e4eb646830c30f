// conflict_lists.c - the interference graph of buffers, as sorted lists.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One sweep over time: a buffer that becomes live interferes with all live
// buffers. Buffers with several live ranges meet repeatedly, so pairs are kept
// in a hash table; sorted, they form the lists.

#include "conflict_lists.h"

#include <assert.h>
#include <string.h>

#include "packing_query.h"
#include "planner_internal.h"
#include "planner_memory.h"
#include "problem_store.h"

// Not the key of any pair: the first number of a pair is the lower.
static const uint64_t NO_PAIR = UINT64_MAX;

typedef struct lister_s {
  const gmem_problem_t *problem;
  gmem_scratch_t memory;
  const uint32_t *group_of; // by buffer
  uint64_t most_pairs;
  uint64_t *slots; // hash table of pairs: lower << 32 | higher group
  size_t slot_count, pair_count;
  uint32_t *storage; // by buffer: equal for views of one storage
  uint32_t *live;    // buffers
  uint32_t *live_at; // by buffer: its position in |live|
  size_t live_count;
  gmem_order_t *begins; // of live ranges: key: time, index: buffer; and scratch
  gmem_order_t *ends;
  size_t range_count;
} lister_t;

//===--- pairs ------------------------------------------------------------===//

static size_t slot_of(const lister_t *lister, uint64_t key) {
  uint64_t hash = (key ^ key >> 32) * UINT64_C(0x9e3779b97f4a7c15);
  size_t slot = (size_t)(hash >> 20) & (lister->slot_count - 1);
  while (lister->slots[slot] != NO_PAIR && lister->slots[slot] != key)
    slot = (slot + 1) & (lister->slot_count - 1);
  return slot;
}

static gmem_status_t make_slots(lister_t *lister, size_t count) {
  GMEM_TRY_NEW(lister->slots, &lister->memory, count);
  lister->slot_count = count;
  memset(lister->slots, 0xff, count * sizeof *lister->slots);
  return GMEM_OK;
}

static gmem_status_t double_slots(lister_t *lister) {
  uint64_t *old = lister->slots;
  size_t count = lister->slot_count;
  GMEM_TRY(make_slots(lister, 2 * count));
  for (size_t i = 0; i < count; ++i)
    if (old[i] != NO_PAIR)
      lister->slots[slot_of(lister, old[i])] = old[i];
  gmem_scratch_drop(&lister->memory, old);
  return GMEM_OK;
}

static gmem_status_t add_pair(lister_t *lister, uint32_t a, uint32_t b) {
  uint64_t key = gmem_pair_key(a, b);
  size_t slot = slot_of(lister, key);
  assert(a != b);
  if (lister->slots[slot] == key)
    return GMEM_OK;
  if (lister->pair_count == lister->most_pairs ||
      lister->pair_count == UINT32_MAX)
    return gmem_planner_fail(
        lister->memory.diag, GMEM_ERR_OUT_OF_RANGE, GMEM_NO_BUFFER,
        "more than %zu pairs of buffers interfere", lister->pair_count);
  lister->slots[slot] = key;
  if (2 * ++lister->pair_count > lister->slot_count)
    GMEM_TRY(double_slots(lister));
  return GMEM_OK;
}

//===--- set-up -----------------------------------------------------------===//

// Views of one storage, as a forest that is flat at the end.
static void find_storage(lister_t *lister) {
  const gmem_problem_t *problem = lister->problem;
  uint32_t *up = lister->storage;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i)
    up[i] = i;
  for (size_t i = 0; i < gmem_problem_alias_count(problem); ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(problem, i);
    if (alias->is_optional ||
        gmem_problem_buffer(problem, alias->child)->size == 0)
      continue;
    uint32_t a = alias->child, b = alias->parent;
    for (; up[a] != a; a = up[a])
      up[a] = up[up[a]];
    for (; up[b] != b; b = up[b])
      up[b] = up[up[b]];
    up[a < b ? b : a] = a < b ? a : b; // the lower index is the root
  }
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i)
    up[i] = up[up[i]]; // parents have lower indices and are flat already
}

static size_t count_ranges(const lister_t *lister) {
  size_t count = 0;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(lister->problem); ++i)
    if (lister->group_of[i] != GMEM_NO_BUFFER)
      count += gmem_problem_buffer(lister->problem, i)->range_count;
  return count;
}

static void list_ranges(lister_t *lister) {
  size_t count = 0;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(lister->problem); ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(lister->problem, i);
    for (size_t k = 0;
         lister->group_of[i] != GMEM_NO_BUFFER && k < spec->range_count;
         ++k, ++count) {
      lister->begins[count] =
          (gmem_order_t){gmem_time_key(spec->ranges[k].begin), i};
      lister->ends[count] =
          (gmem_order_t){gmem_time_key(spec->ranges[k].end), i};
    }
  }
  gmem_sort_order(lister->begins, lister->begins + count, count);
  gmem_sort_order(lister->ends, lister->ends + count, count);
}

static gmem_status_t create(lister_t *lister) {
  enum { FIRST_SLOTS = 1024 };
  uint32_t buffers = gmem_problem_buffer_count(lister->problem);
  size_t room = 2 * (lister->range_count = count_ranges(lister));
  GMEM_TRY_NEW(lister->storage, &lister->memory, buffers);
  GMEM_TRY_NEW(lister->live, &lister->memory, buffers);
  GMEM_TRY_NEW(lister->live_at, &lister->memory, buffers);
  GMEM_TRY_NEW(lister->begins, &lister->memory, room);
  GMEM_TRY_NEW(lister->ends, &lister->memory, room);
  return make_slots(lister, FIRST_SLOTS);
}

//===--- sweep over time --------------------------------------------------===//

static gmem_status_t meet(lister_t *lister, uint32_t buffer) {
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(lister->problem, buffer);
  uint32_t group = lister->group_of[buffer];
  for (size_t i = 0; i < lister->live_count; ++i) {
    uint32_t other = lister->live[i];
    if (lister->group_of[other] == group ||
        lister->storage[other] == lister->storage[buffer] ||
        gmem_buffers_exclude(spec, gmem_problem_buffer(lister->problem, other)))
      continue;
    GMEM_TRY(add_pair(lister, group, lister->group_of[other]));
  }
  lister->live_at[buffer] = (uint32_t)lister->live_count;
  lister->live[lister->live_count++] = buffer;
  return GMEM_OK;
}

static void leave(lister_t *lister, uint32_t buffer) {
  assert(lister->live[lister->live_at[buffer]] == buffer);
  uint32_t last = lister->live[--lister->live_count];
  lister->live[lister->live_at[buffer]] = last;
  lister->live_at[last] = lister->live_at[buffer];
}

static gmem_status_t walk(lister_t *lister) {
  size_t ended = 0;
  for (size_t i = 0; i < lister->range_count; ++i) {
    for (; lister->ends[ended].key <= lister->begins[i].key; ++ended)
      leave(lister, lister->ends[ended].index);
    GMEM_TRY(meet(lister, lister->begins[i].index));
  }
  return GMEM_OK;
}

static gmem_status_t add_explicit(lister_t *lister) {
  size_t count = gmem_problem_conflict_count(lister->problem);
  for (size_t i = 0; i < count; ++i) {
    uint32_t first, second;
    gmem_problem_conflict(lister->problem, i, &first, &second);
    uint32_t a = lister->group_of[first], b = lister->group_of[second];
    if (a != b && a != GMEM_NO_BUFFER && b != GMEM_NO_BUFFER)
      GMEM_TRY(add_pair(lister, a, b));
  }
  return GMEM_OK;
}

//===--- lists ------------------------------------------------------------===//

static void count_others(gmem_conflicts_t *conflicts, const gmem_order_t *pairs,
                         size_t count) {
  size_t *starts = conflicts->starts;
  memset(starts, 0, ((size_t)conflicts->count + 1) * sizeof *starts);
  for (size_t i = 0; i < count; ++i) {
    ++starts[pairs[i].key >> 32];
    ++starts[pairs[i].key & UINT32_MAX];
  }
  size_t sum = 0;
  for (size_t i = 0; i <= conflicts->count; ++i) {
    sum += starts[i];
    starts[i] = sum; // the end, until the list is filled from the back
  }
}

// |pairs| are sorted. Filled from the back: each list first receives the
// neighbours above its own number, in descending order, then those below.
static void fill_others(gmem_conflicts_t *conflicts, const gmem_order_t *pairs,
                        size_t count) {
  for (size_t i = count; i-- > 0;) {
    uint32_t lower = (uint32_t)(pairs[i].key >> 32);
    uint32_t higher = (uint32_t)pairs[i].key;
    conflicts->others[--conflicts->starts[lower]] = higher;
    conflicts->others[--conflicts->starts[higher]] = lower;
  }
}

static gmem_status_t write_lists(lister_t *lister,
                                 gmem_conflicts_t *conflicts) {
  const gmem_allocator_t *allocator = lister->memory.allocator;
  size_t count = 0, room = 2 * lister->pair_count;
  gmem_order_t *pairs;
  GMEM_TRY_NEW(pairs, &lister->memory, room);
  conflicts->other_count = room;
  conflicts->others = gmem_planner_alloc(allocator, room, sizeof(uint32_t));
  conflicts->starts = gmem_planner_alloc(
      allocator, (size_t)conflicts->count + 1, sizeof *conflicts->starts);
  if (!conflicts->others || !conflicts->starts)
    return gmem_planner_out_of_memory(lister->memory.diag);
  for (size_t i = 0; i < lister->slot_count; ++i)
    if (lister->slots[i] != NO_PAIR)
      pairs[count++].key = lister->slots[i];
  assert(count == lister->pair_count);
  gmem_sort_order(pairs, pairs + count, count);
  count_others(conflicts, pairs, count);
  fill_others(conflicts, pairs, count);
  return GMEM_OK;
}

static gmem_status_t list_all(lister_t *lister, gmem_conflicts_t *conflicts) {
  GMEM_TRY(create(lister));
  find_storage(lister);
  list_ranges(lister);
  GMEM_TRY(walk(lister));
  GMEM_TRY(add_explicit(lister));
  return write_lists(lister, conflicts);
}

gmem_status_t gmem_list_conflicts(const gmem_problem_t *problem,
                                  const uint32_t *group_of, uint32_t count,
                                  uint64_t most_pairs,
                                  gmem_conflicts_t *conflicts,
                                  gmem_diag_t *diag) {
  lister_t lister = {
      .problem = problem,
      .memory = {.allocator = gmem_problem_allocator(problem), .diag = diag},
      .group_of = group_of,
      .most_pairs = most_pairs};
  *conflicts = (gmem_conflicts_t){.count = count};
  gmem_status_t status = list_all(&lister, conflicts);
  gmem_scratch_free(&lister.memory);
  return status;
}

gmem_status_t gmem_conflicts_create(const gmem_problem_t *problem,
                                    uint64_t most_pairs,
                                    gmem_conflicts_t *out_conflicts,
                                    gmem_diag_t *diag) {
  GMEM_PLANNER_NEED(problem && out_conflicts, diag);
  uint32_t count = gmem_problem_buffer_count(problem), *self;
  gmem_scratch_t memory = {.allocator = gmem_problem_allocator(problem),
                           .diag = diag};
  *out_conflicts = (gmem_conflicts_t){0};
  GMEM_TRY_NEW(self, &memory, count);
  for (uint32_t i = 0; i < count; ++i)
    self[i] = gmem_problem_buffer(problem, i)->size ? i : GMEM_NO_BUFFER;
  gmem_status_t status = gmem_list_conflicts(problem, self, count, most_pairs,
                                             out_conflicts, diag);
  gmem_scratch_free(&memory);
  return status;
}

void gmem_conflicts_destroy(const gmem_problem_t *problem,
                            gmem_conflicts_t *conflicts) {
  if (!conflicts)
    return;
  const gmem_allocator_t *allocator = gmem_problem_allocator(problem);
  gmem_planner_free(allocator, conflicts->others, conflicts->other_count,
                    sizeof(uint32_t));
  gmem_planner_free(allocator, conflicts->starts, (size_t)conflicts->count + 1,
                    sizeof *conflicts->starts);
  *conflicts = (gmem_conflicts_t){0};
}
