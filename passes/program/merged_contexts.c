// merged_contexts.c - see merged_contexts.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "merged_contexts.h"

#include <assert.h>

#include "calls.h"
#include "partition_point.h"
#include "program.h"

//===--- merged times of functions ----------------------------------------===//

// Computes the merged times of the functions order[first, end), a component,
// including its callees; callees outside of the component are complete.
static void find_runs(const gmem_calls_t *calls, const gmem_live_range_t *apart,
                      size_t first, size_t end, gmem_call_span_t *runs,
                      gmem_ranges_t *ranges) {
  ranges->count = 0;
  for (size_t i = first; i < end; ++i) {
    uint32_t function = calls->order[i];
    const gmem_callee_t *callee = &calls->callees[function];
    gmem_ranges_add(ranges, apart[function].begin, apart[function].end);
    for (uint32_t c = callee->first_call; c < callee->end_call; ++c) {
      const gmem_call_span_t *next = &runs[calls->calls[c].callee];
      gmem_ranges_add_all(ranges, next->ranges, next->range_count);
    }
  }
  gmem_ranges_normalise(ranges);
  gmem_call_span_t run = {gmem_ranges_copy(ranges), ranges->count};
  for (size_t i = first; i < end && run.ranges; ++i)
    runs[calls->order[i]] = run;
}

//===--- segment tree of calls --------------------------------------------===//

static void join_spans(gmem_call_span_t *spans, size_t node,
                       gmem_ranges_t *ranges) {
  const gmem_call_span_t *left = &spans[2 * node];
  const gmem_call_span_t *right = &spans[2 * node + 1];
  spans[node] = left->range_count ? *left : *right;
  if (left->ranges == right->ranges || // the same callee
      left->range_count == 0 || right->range_count == 0)
    return;
  ranges->count = 0;
  gmem_ranges_add_all(ranges, left->ranges, left->range_count);
  gmem_ranges_add_all(ranges, right->ranges, right->range_count);
  gmem_ranges_normalise(ranges);
  const gmem_live_range_t *copy = gmem_ranges_copy(ranges);
  if (copy)
    spans[node] = (gmem_call_span_t){copy, ranges->count};
}

// The segment tree answers queries over a long row of calls in logarithmic
// time.
gmem_status_t gmem_merged_contexts_find(const gmem_calls_t *calls,
                                        const gmem_live_range_t *apart,
                                        gmem_bump_t *arena,
                                        gmem_merged_contexts_t *out_merged,
                                        gmem_diag_t *diag) {
  size_t functions = calls->program->function_count, count = calls->count;
  gmem_ranges_t ranges = {.arena = arena};
  gmem_call_span_t *runs, *spans;
  GMEM_TRY_ALLOC(runs, arena, functions, diag);
  GMEM_TRY_ALLOC(spans, arena, 2 * count, diag);
  out_merged->spans = spans;
  for (size_t i = 0, end; i < functions; i = end) {
    end = gmem_component_end(calls, i);
    find_runs(calls, apart, i, end, runs, &ranges);
  }
  for (size_t i = 0; i < count; ++i)
    spans[count + i] = runs[calls->calls[i].callee];
  for (size_t node = count; node-- > 1;)
    join_spans(spans, node, &ranges);
  return gmem_bump_status(arena, diag);
}

//===--- queries ----------------------------------------------------------===//

typedef struct end_key_s {
  const gmem_program_t *program;
  int64_t end;
} end_key_t;

// Whether a live range up to the end crosses the call, so that the value is
// live while the callee runs: beyond the second step of a call that has two.
static bool is_crossed(const void *element, const void *user) {
  const gmem_call_t *call = element;
  const end_key_t *key = user;
  const gmem_program_op_t *op = &key->program->ops[call->op];
  return op->begin + (op->end > op->begin + 1 ? 2 : 1) <= key->end;
}

void gmem_merged_contexts_add(const gmem_calls_t *calls,
                              const gmem_merged_contexts_t *merged,
                              uint32_t function, int64_t begin, int64_t end,
                              gmem_ranges_t *ranges) {
  const gmem_callee_t *caller = &calls->callees[function];
  end_key_t key = {calls->program, end};
  size_t low = gmem_first_call_from(calls, function, begin) + calls->count;
  size_t high = gmem_partition_point(&key, calls->calls + caller->first_call,
                                     caller->end_call - caller->first_call,
                                     sizeof *calls->calls, is_crossed) +
                caller->first_call + calls->count;
  assert(high <= 2 * calls->count);
  for (; low < high; low /= 2, high /= 2) {
    if (low % 2) {
      gmem_ranges_add_all(ranges, merged->spans[low].ranges,
                          merged->spans[low].range_count);
      ++low;
    }
    if (high % 2) {
      --high;
      gmem_ranges_add_all(ranges, merged->spans[high].ranges,
                          merged->spans[high].range_count);
    }
  }
}
