// bench_rules.c - the simple rules of other planners, to compare with.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench_rules.h"

#include <stdlib.h>
#include <string.h>

typedef enum rule_e { LARGEST_FIRST, LONGEST_FIRST, PROGRAM_ORDER } rule_t;

typedef struct row_s {
  int64_t begin, end; // from the first to the last use
  const gmem_live_range_t *ranges;
  size_t range_count;
  uint64_t size, offset, alignment; // bytes
  bool is_fixed;
  uint64_t key;
  uint32_t buffer;
  uint32_t mark; // the last row, + 1, that has seen it
} row_t;

// Rows placed so far that are live in a span of time.
typedef struct bucket_s {
  uint32_t *rows, count, room;
} bucket_t;

typedef struct state_s {
  row_t *rows; // in the order of the rule
  row_t **live;
  bucket_t *buckets;
  int64_t first, width; // of time
  uint32_t count;
} state_t;

static int by_key(const void *a, const void *b) {
  const row_t *x = a, *y = b;
  if (x->is_fixed != y->is_fixed)
    return x->is_fixed ? -1 : 1;
  if (x->key != y->key)
    return x->key > y->key ? -1 : 1;
  if (x->begin != y->begin)
    return x->begin < y->begin ? -1 : 1;
  return (x->buffer > y->buffer) - (x->buffer < y->buffer);
}

static int by_offset(const void *a, const void *b) {
  const row_t *x = *(row_t *const *)a, *y = *(row_t *const *)b;
  return (x->offset > y->offset) - (x->offset < y->offset);
}

static void list_rows(const gmem_problem_t *problem, rule_t rule,
                      state_t *state) {
  uint64_t least = gmem_problem_pool(problem, 0)->alignment;
  int64_t last = INT64_MIN;
  uint64_t lives = 1;
  state->first = INT64_MAX;
  for (uint32_t i = 0; i < state->count; ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, i);
    row_t *row = &state->rows[i];
    *row =
        (row_t){.begin = spec->ranges[0].begin,
                .end = spec->ranges[spec->range_count - 1].end,
                .ranges = spec->ranges,
                .range_count = spec->range_count,
                .size = spec->size,
                .offset = spec->fixed_offset,
                .alignment = spec->alignment > least ? spec->alignment : least,
                .is_fixed = spec->has_fixed_offset,
                .buffer = i};
    uint64_t life = (uint64_t)(row->end - row->begin);
    row->key = rule == LARGEST_FIRST   ? row->size
               : rule == LONGEST_FIRST ? life
                                       : 0;
    lives += life;
    state->first = row->begin < state->first ? row->begin : state->first;
    last = row->end > last ? row->end : last;
  }
  qsort(state->rows, state->count, sizeof *state->rows, by_key);
  state->width = (int64_t)(lives / state->count) + 1;
  int64_t shortest = (last - state->first) / (int64_t)state->count + 1;
  state->width = state->width > shortest ? state->width : shortest;
  state->buckets = calloc((size_t)((last - state->first) / state->width) + 1,
                          sizeof *state->buckets);
}

static bool add(bucket_t *bucket, uint32_t row) {
  if (bucket->count == bucket->room) {
    uint32_t room = bucket->room ? 2 * bucket->room : 16;
    uint32_t *rows = realloc(bucket->rows, room * sizeof *rows);
    if (!rows)
      return false;
    bucket->rows = rows;
    bucket->room = room;
  }
  bucket->rows[bucket->count++] = row;
  return true;
}

static bool meet(const row_t *a, const row_t *b) {
  for (size_t i = 0, k = 0; i < a->range_count && k < b->range_count;) {
    if (a->ranges[i].end <= b->ranges[k].begin)
      ++i;
    else if (b->ranges[k].end <= a->ranges[i].begin)
      ++k;
    else
      return true;
  }
  return false;
}

static uint64_t align(uint64_t offset, uint64_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

static uint64_t find_gap(const state_t *state, uint32_t count,
                         const row_t *self, rule_t rule) {
  uint64_t top = 0, best = UINT64_MAX, least = UINT64_MAX, size = self->size;
  for (uint32_t i = 0; i < count; ++i) {
    const row_t *row = state->live[i];
    if (row->offset >= top && row->offset - top >= size &&
        row->offset - top < least) {
      best = top;
      least = rule == LONGEST_FIRST ? 0 : row->offset - top;
    }
    uint64_t end = row->offset + row->size;
    end = align(end, self->alignment);
    top = end > top ? end : top;
  }
  return best < UINT64_MAX ? best : top;
}

static bool place(state_t *state, uint32_t index, rule_t rule) {
  row_t *self = &state->rows[index];
  int64_t first = (self->begin - state->first) / state->width;
  int64_t last = (self->end - 1 - state->first) / state->width;
  uint32_t count = 0;
  for (int64_t b = first; b <= last; ++b)
    for (uint32_t i = 0; i < state->buckets[b].count; ++i) {
      row_t *other = &state->rows[state->buckets[b].rows[i]];
      if (other->mark == index + 1 || !meet(other, self))
        continue;
      other->mark = index + 1;
      state->live[count++] = other;
    }
  qsort(state->live, count, sizeof *state->live, by_offset);
  if (!self->is_fixed)
    self->offset = find_gap(state, count, self, rule);
  for (int64_t b = first; b <= last; ++b)
    if (!add(&state->buckets[b], index))
      return false;
  return true;
}

// |user| is a const rule_t *. The program ends when there is no memory.
static gmem_status_t run(const gmem_problem_t *problem, gmem_search_t *search,
                         gmem_placement_t *plan, void *user,
                         gmem_diag_t *diag) {
  rule_t rule = *(const rule_t *)user;
  state_t state = {.count = gmem_problem_buffer_count(problem)};
  (void)search;
  (void)diag;
  state.rows = calloc(state.count, sizeof *state.rows);
  state.live = calloc(state.count, sizeof(row_t *));
  if (!state.rows || !state.live)
    exit(1);
  list_rows(problem, rule, &state);
  for (uint32_t i = 0; i < state.count; ++i)
    if (!state.buckets || !place(&state, i, rule))
      exit(1);
  int64_t buckets = 0;
  for (uint32_t i = 0; i < state.count; ++i) {
    const row_t *row = &state.rows[i];
    int64_t last = (row->end - 1 - state.first) / state.width;
    plan[row->buffer] = (gmem_placement_t){.offset = row->offset};
    buckets = last + 1 > buckets ? last + 1 : buckets;
  }
  for (int64_t b = 0; b < buckets; ++b)
    free(state.buckets[b].rows);
  free(state.buckets);
  free(state.live);
  free(state.rows);
  return GMEM_OK;
}

const gmem_algorithm_t bench_rules[BENCH_RULES] = {
    {"largest-first", "by size into the smallest gap", run,
     &(rule_t){LARGEST_FIRST}},
    {"longest-first", "by live range into the lowest gap", run,
     &(rule_t){LONGEST_FIRST}},
    {"program-order", "in order of begin into the smallest gap", run,
     &(rule_t){PROGRAM_ORDER}},
};
