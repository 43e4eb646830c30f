// merged_contexts.c - see merged_contexts.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "merged_contexts.h"

#include "calls.h"
#include "program.h"

//===--- merged times of functions ----------------------------------------===//

// The end of the component that begins at |first| in the order.
static size_t component_end(const gmem_calls_t *calls, size_t count,
                            size_t first) {
  size_t end = first + 1;
  while (end < count && calls->callees[calls->order[end]].component == first)
    ++end;
  return end;
}

// Computes the merged times of the functions order[first, end), a component,
// including its callees; callees outside of the component are complete.
static bool find_runs(const gmem_calls_t *calls, const gmem_live_range_t *apart,
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
  for (size_t i = first; i < end; ++i)
    runs[calls->order[i]] = run;
  return run.ranges != NULL;
}

//===--- segment tree of calls --------------------------------------------===//

static bool join_spans(gmem_call_span_t *spans, size_t node,
                       gmem_ranges_t *ranges) {
  const gmem_call_span_t *left = &spans[2 * node];
  const gmem_call_span_t *right = &spans[2 * node + 1];
  spans[node] = left->range_count ? *left : *right;
  if (left->ranges == right->ranges || // the same callee
      left->range_count == 0 || right->range_count == 0)
    return true;
  ranges->count = 0;
  gmem_ranges_add_all(ranges, left->ranges, left->range_count);
  gmem_ranges_add_all(ranges, right->ranges, right->range_count);
  gmem_ranges_normalise(ranges);
  spans[node] = (gmem_call_span_t){gmem_ranges_copy(ranges), ranges->count};
  return spans[node].ranges != NULL;
}

// The segment tree answers queries over a long row of calls in logarithmic
// time.
bool gmem_merged_contexts_find(const gmem_program_t *program,
                               const gmem_calls_t *calls,
                               const gmem_live_range_t *apart,
                               gmem_bump_t *arena,
                               gmem_merged_contexts_t *out_merged) {
  size_t functions = program->function_count, count = calls->count;
  gmem_ranges_t ranges = {.arena = arena};
  gmem_call_span_t *runs = gmem_bump_alloc(arena, functions, sizeof *runs);
  gmem_call_span_t *spans = gmem_bump_alloc(arena, 2 * count, sizeof *spans);
  out_merged->spans = spans;
  if (!runs || !spans)
    return false;
  for (size_t i = 0, end; i < functions; i = end) {
    end = component_end(calls, functions, i);
    if (!find_runs(calls, apart, i, end, runs, &ranges))
      return false;
  }
  for (size_t i = 0; i < count; ++i)
    spans[count + i] = runs[calls->calls[i].callee];
  for (size_t node = count; node-- > 1;)
    if (!join_spans(spans, node, &ranges))
      return false;
  return true;
}

//===--- queries ----------------------------------------------------------===//

// A value live beyond this step is live while the callee runs: the second step
// of a call that has two.
static int64_t crossing(const gmem_program_t *program,
                        const gmem_call_t *call) {
  const gmem_program_op_t *op = &program->ops[call->op];
  return op->begin + (op->end > op->begin + 1 ? 2 : 1);
}

// The first call that a live range up to |end| does not cross.
static uint32_t first_call_beyond(const gmem_program_t *program,
                                  const gmem_calls_t *calls,
                                  const gmem_callee_t *caller, int64_t end) {
  uint32_t low = caller->first_call, high = caller->end_call;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (crossing(program, &calls->calls[middle]) <= end)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void gmem_merged_contexts_add(const gmem_program_t *program,
                              const gmem_calls_t *calls,
                              const gmem_merged_contexts_t *merged,
                              uint32_t function, int64_t begin, int64_t end,
                              gmem_ranges_t *ranges) {
  const gmem_callee_t *caller = &calls->callees[function];
  size_t low =
      gmem_first_call_from(program, calls, function, begin) + calls->count;
  size_t high = first_call_beyond(program, calls, caller, end) + calls->count;
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
