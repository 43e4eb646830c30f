// bench_rules.c - the simple rules of other planners, to compare with.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench_rules.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

double bench_rule_limit = 60;

typedef enum rule_e { LARGEST_FIRST, LONGEST_FIRST, PROGRAM_ORDER } rule_t;

typedef struct row_s {
  const gmem_live_range_t *ranges;
  size_t range_count;
  uint64_t size, offset, alignment; // bytes
  bool is_fixed;
  uint64_t key;
  uint32_t buffer;
} row_t;

// Bytes that are taken: from |begin| up to |end|.
typedef struct span_s {
  uint64_t begin, end;
} span_t;

// Spans in ascending order, which neither overlap nor touch.
typedef struct spans_s {
  span_t *at;
  uint32_t count, room;
} spans_t;

// A span of time, and what the rows placed so far take in all of it, and in
// some of it.
typedef struct node_s {
  spans_t always, sometimes;
} node_t;

typedef struct state_s {
  row_t *rows; // in the order of the rule
  uint32_t count;
  int64_t *times; // the begins of live ranges, each once, in ascending order
  uint32_t time_count;
  node_t *nodes; // a segment tree over |times|: children 2n and 2n + 1
  uint32_t leaf_count;
  spans_t found, merged; // spans of several nodes
  uint32_t *runs;        // where those of each node begin in |found|
  uint32_t run_count, run_room;
} state_t;

static void *must(void *memory) {
  if (!memory)
    exit(1);
  return memory;
}

//===--- rows -------------------------------------------------------------===//

static int64_t begin_of(const row_t *row) { return row->ranges[0].begin; }

static int by_key(const void *a, const void *b) {
  const row_t *x = a, *y = b;
  if (x->is_fixed != y->is_fixed)
    return x->is_fixed ? -1 : 1;
  if (x->key != y->key)
    return x->key > y->key ? -1 : 1;
  if (begin_of(x) != begin_of(y))
    return begin_of(x) < begin_of(y) ? -1 : 1;
  return (x->buffer > y->buffer) - (x->buffer < y->buffer);
}

static int by_time(const void *a, const void *b) {
  const int64_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

static void list_rows(const gmem_problem_t *problem, rule_t rule,
                      state_t *state) {
  uint64_t least = gmem_problem_pool(problem, 0)->alignment;
  state->rows = must(calloc(state->count, sizeof *state->rows));
  for (uint32_t i = 0; i < state->count; ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, i);
    int64_t last = spec->ranges[spec->range_count - 1].end;
    uint64_t life = (uint64_t)(last - spec->ranges[0].begin);
    state->rows[i] =
        (row_t){.ranges = spec->ranges,
                .range_count = spec->range_count,
                .size = spec->size,
                .offset = spec->fixed_offset,
                .alignment = spec->alignment > least ? spec->alignment : least,
                .is_fixed = spec->has_fixed_offset,
                .key = rule == LARGEST_FIRST   ? spec->size
                       : rule == LONGEST_FIRST ? life
                                               : 0,
                .buffer = i};
  }
  qsort(state->rows, state->count, sizeof *state->rows, by_key);
}

// Of two ranges that overlap one begins in the other, so that other times do
// not matter.
static void list_times(state_t *state) {
  size_t count = 0;
  for (uint32_t i = 0; i < state->count; ++i)
    count += state->rows[i].range_count;
  state->times = must(malloc(count * sizeof *state->times));
  count = 0;
  for (uint32_t i = 0; i < state->count; ++i)
    for (size_t k = 0; k < state->rows[i].range_count; ++k)
      state->times[count++] = state->rows[i].ranges[k].begin;
  qsort(state->times, count, sizeof *state->times, by_time);
  for (size_t i = 0; i < count; ++i)
    if (i == 0 || state->times[i] != state->times[i - 1])
      state->times[state->time_count++] = state->times[i];
  state->leaf_count = 1;
  while (state->leaf_count < state->time_count)
    state->leaf_count *= 2;
  state->nodes =
      must(calloc(2 * (size_t)state->leaf_count, sizeof *state->nodes));
}

// The first of |times| that is not before |time|.
static uint32_t find_time(const state_t *state, int64_t time) {
  uint32_t low = 0, high = state->time_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (state->times[middle] < time)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

//===--- spans ------------------------------------------------------------===//

static void reserve(spans_t *spans, uint32_t room) {
  if (room <= spans->room)
    return;
  spans->room = room > 2 * spans->room ? room : 2 * spans->room;
  spans->at = must(realloc(spans->at, spans->room * sizeof *spans->at));
}

// The first span that ends at |offset| or later.
static uint32_t find_span(const spans_t *spans, uint64_t offset) {
  uint32_t low = 0, high = spans->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (spans->at[middle].end < offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void add_span(spans_t *spans, span_t span) {
  uint32_t first = find_span(spans, span.begin), last = first;
  for (; last < spans->count && spans->at[last].begin <= span.end; ++last) {
    const span_t *other = &spans->at[last];
    span.begin = other->begin < span.begin ? other->begin : span.begin;
    span.end = other->end > span.end ? other->end : span.end;
  }
  reserve(spans, spans->count + 1);
  memmove(&spans->at[first + 1], &spans->at[last],
          (spans->count - last) * sizeof span);
  spans->at[first] = span;
  spans->count = spans->count + 1 - (last - first);
}

// Merges the runs from |first| to |middle| and from there to |last|, without
// branches that depend on the spans, which mispredict.
static void merge_two(state_t *state, uint32_t first, uint32_t middle,
                      uint32_t last) {
  const span_t *at = state->found.at;
  span_t *to = &state->merged.at[first];
  uint32_t i = first, k = middle;
  while (i < middle && k < last) {
    bool is_right = at[k].begin < at[i].begin;
    *to++ = at[is_right ? k : i];
    k += is_right;
    i += !is_right;
  }
  memcpy(to, &at[i], (middle - i) * sizeof *to);
  memcpy(to + (middle - i), &at[k], (last - k) * sizeof *to);
}

// Sorts what has been found: its runs are sorted.
static void merge_runs(state_t *state) {
  reserve(&state->merged, state->found.count);
  while (state->run_count > 1) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < state->run_count; i += 2) {
      uint32_t *runs = state->runs, last = state->found.count;
      uint32_t middle = i + 1 < state->run_count ? runs[i + 1] : last;
      last = i + 2 < state->run_count ? runs[i + 2] : last;
      merge_two(state, runs[i], middle, last);
      runs[kept++] = runs[i];
    }
    spans_t sorted = state->merged;
    sorted.count = state->found.count;
    state->merged = state->found;
    state->found = sorted;
    state->run_count = kept;
  }
}

//===--- the tree ---------------------------------------------------------===//

// Times of a row, and the node that is visited with its times: [begin, end).
typedef struct visit_s {
  uint32_t first, last; // of the row
  uint32_t node, begin, end;
} visit_t;

static bool is_outside(const visit_t *at) {
  return at->last <= at->begin || at->end <= at->first;
}

static bool is_inside(const visit_t *at) {
  return at->first <= at->begin && at->end <= at->last;
}

static visit_t child(const visit_t *at, bool is_second) {
  uint32_t middle = at->begin + (at->end - at->begin) / 2;
  visit_t below = *at;
  below.node = 2 * at->node + is_second;
  *(is_second ? &below.begin : &below.end) = middle;
  return below;
}

static void find(state_t *state, const spans_t *spans) {
  spans_t *found = &state->found;
  if (spans->count == 0)
    return;
  reserve(found, found->count + spans->count);
  if (state->run_count == state->run_room) {
    state->run_room = 2 * state->run_room + 64;
    state->runs =
        must(realloc(state->runs, state->run_room * sizeof *state->runs));
  }
  memcpy(&found->at[found->count], spans->at, spans->count * sizeof *spans->at);
  state->runs[state->run_count++] = found->count;
  found->count += spans->count;
}

static void find_taken(state_t *state, visit_t at) {
  if (is_outside(&at))
    return;
  const node_t *node = &state->nodes[at.node];
  if (is_inside(&at)) {
    find(state, &node->sometimes);
    return;
  }
  find(state, &node->always);
  find_taken(state, child(&at, false));
  find_taken(state, child(&at, true));
}

static void take(state_t *state, visit_t at, span_t span) {
  if (is_outside(&at))
    return;
  node_t *node = &state->nodes[at.node];
  add_span(&node->sometimes, span);
  if (is_inside(&at)) {
    if (at.end - at.begin > 1) // or no row is live in a part of it
      add_span(&node->always, span);
    return;
  }
  take(state, child(&at, false), span);
  take(state, child(&at, true), span);
}

static visit_t root_for(const state_t *state, const gmem_live_range_t *range) {
  return (visit_t){.first = find_time(state, range->begin),
                   .last = find_time(state, range->end),
                   .node = 1,
                   .end = state->leaf_count};
}

//===--- rules ------------------------------------------------------------===//

static uint64_t align(uint64_t offset, uint64_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

static uint64_t find_gap(const spans_t *taken, const row_t *self, rule_t rule) {
  uint64_t top = 0, best = UINT64_MAX, least = UINT64_MAX;
  for (uint32_t i = 0; i < taken->count; ++i) {
    const span_t *span = &taken->at[i];
    if (span->begin >= top && span->begin - top >= self->size &&
        span->begin - top < least) {
      best = top;
      least = rule == LONGEST_FIRST ? 0 : span->begin - top;
    }
    uint64_t end = align(span->end, self->alignment);
    top = end > top ? end : top;
  }
  return best < UINT64_MAX ? best : top;
}

static void place(state_t *state, row_t *self, rule_t rule) {
  state->found.count = state->run_count = 0;
  if (!self->is_fixed) {
    for (size_t k = 0; k < self->range_count; ++k)
      find_taken(state, root_for(state, &self->ranges[k]));
    merge_runs(state);
    self->offset = find_gap(&state->found, self, rule);
  }
  span_t span = {self->offset, self->offset + self->size};
  for (size_t k = 0; k < self->range_count; ++k)
    take(state, root_for(state, &self->ranges[k]), span);
}

static void free_state(state_t *state) {
  for (size_t i = 0; i < 2 * (size_t)state->leaf_count; ++i) {
    free(state->nodes[i].always.at);
    free(state->nodes[i].sometimes.at);
  }
  free(state->nodes);
  free(state->times);
  free(state->rows);
  free(state->runs);
  free(state->found.at);
  free(state->merged.at);
}

// Of the processor: this process is not alone on it.
static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// |user| is a const rule_t *. The program ends when there is no memory.
static gmem_status_t run(const gmem_problem_t *problem, gmem_search_t *search,
                         gmem_placement_t *plan, void *user,
                         gmem_diag_t *diag) {
  rule_t rule = *(const rule_t *)user;
  state_t state = {.count = gmem_problem_buffer_count(problem)};
  double start = now();
  bool is_over = false;
  (void)search;
  list_rows(problem, rule, &state);
  list_times(&state);
  for (uint32_t i = 0; i < state.count && !is_over; ++i) {
    place(&state, &state.rows[i], rule);
    plan[state.rows[i].buffer] =
        (gmem_placement_t){.offset = state.rows[i].offset};
    is_over = i % 256 == 0 && now() - start > bench_rule_limit;
  }
  free_state(&state);
  if (is_over)
    *diag = (gmem_diag_t){.status = GMEM_ERR_TIMEOUT, .text = "over the limit"};
  return is_over ? GMEM_ERR_TIMEOUT : GMEM_OK;
}

const gmem_algorithm_t bench_rules[BENCH_RULES] = {
    {"largest-first", "by size into the smallest gap", run,
     &(rule_t){LARGEST_FIRST}},
    {"longest-first", "by live range into the lowest gap", run,
     &(rule_t){LONGEST_FIRST}},
    {"program-order", "in order of begin into the smallest gap", run,
     &(rule_t){PROGRAM_ORDER}},
};
