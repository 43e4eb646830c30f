// certificate.c - the buffers that determine the peak of a plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <assert.h>

#include "planner_internal.h"
#include "planner_memory.h"
#include "problem_store.h"

typedef struct fullest_s {
  const gmem_problem_t *problem;
  const gmem_placement_t *plan;
  uint32_t pool;
  gmem_order_t *by_offset; // buffers of the pool; and scratch
  gmem_order_t *times;     // begins, ends; and scratch
  size_t count, room;
} fullest_t;

static bool is_live_at(const gmem_buffer_spec_t *spec, int64_t time) {
  for (size_t i = 0; i < spec->range_count; ++i)
    if (spec->ranges[i].begin <= time && time < spec->ranges[i].end)
      return true;
  return false;
}

static uint64_t end_of(const fullest_t *fullest, const gmem_order_t *place) {
  return place->key + gmem_problem_buffer(fullest->problem, place->index)->size;
}

// The highest end of any buffer.
static uint64_t find_top(const fullest_t *fullest) {
  uint64_t top = 0;
  for (size_t i = 0; i < fullest->count; ++i) {
    uint64_t end = end_of(fullest, &fullest->by_offset[i]);
    top = end > top ? end : top;
  }
  return top;
}

// The bytes in use at |time|; the buffers are in order of offsets.
static uint64_t bytes_at(const fullest_t *fullest, int64_t time,
                         uint32_t *buffers, size_t *count) {
  uint64_t bytes = 0, top = 0;
  *count = 0;
  for (size_t i = 0; i < fullest->count; ++i) {
    uint32_t buffer = fullest->by_offset[i].index;
    const gmem_buffer_spec_t *spec =
        gmem_problem_buffer(fullest->problem, buffer);
    if (!is_live_at(spec, time))
      continue;
    if (buffers)
      buffers[*count] = buffer;
    ++*count;
    uint64_t begin = fullest->by_offset[i].key, end = begin + spec->size;
    begin = begin > top ? begin : top;
    bytes += end > begin ? end - begin : 0;
    top = end > top ? end : top;
  }
  return bytes;
}

// One entry per live range, at its begin and at its end.
static size_t list_times(fullest_t *fullest, gmem_order_t *begins,
                         gmem_order_t *ends) {
  size_t count = 0;
  for (size_t i = 0; i < fullest->count; ++i) {
    uint32_t place = (uint32_t)i;
    const gmem_buffer_spec_t *spec =
        gmem_problem_buffer(fullest->problem, fullest->by_offset[place].index);
    for (size_t k = 0; k < spec->range_count; ++k, ++count) {
      begins[count] =
          (gmem_order_t){gmem_time_key(spec->ranges[k].begin), place};
      ends[count] = (gmem_order_t){gmem_time_key(spec->ranges[k].end), place};
    }
  }
  gmem_sort_order(begins, ends + fullest->room, count);
  gmem_sort_order(ends, ends + fullest->room, count);
  return count;
}

// Of the times at which a buffer that ends at |top| is live, the first with the
// largest total size.
static int64_t fullest_time(fullest_t *fullest, uint64_t top) {
  gmem_order_t *begins = fullest->times, *ends = begins + fullest->room;
  size_t count = list_times(fullest, begins, ends), tops = 0;
  __extension__ unsigned __int128 sum = 0, most = 0;
  int64_t time = 0;
  for (size_t i = 0, k = 0; i < count;) {
    uint64_t now = begins[i].key;
    for (; k < count && ends[k].key <= now; ++k) {
      const gmem_order_t *place = &fullest->by_offset[ends[k].index];
      sum -= gmem_problem_buffer(fullest->problem, place->index)->size;
      tops -= end_of(fullest, place) == top;
    }
    for (; i < count && begins[i].key == now; ++i) {
      const gmem_order_t *place = &fullest->by_offset[begins[i].index];
      sum += gmem_problem_buffer(fullest->problem, place->index)->size;
      tops += end_of(fullest, place) == top;
    }
    assert(tops <= count);
    if (tops && sum > most) {
      most = sum;
      time = gmem_time_of(now);
    }
  }
  return time;
}

static void list_pool(fullest_t *fullest) {
  const gmem_problem_t *problem = fullest->problem;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i)
    if (fullest->plan[i].pool == fullest->pool &&
        gmem_problem_buffer(problem, i)->size)
      fullest->by_offset[fullest->count++] =
          (gmem_order_t){fullest->plan[i].offset, i};
  gmem_sort_order(fullest->by_offset, fullest->by_offset + fullest->count,
                  fullest->count);
}

static gmem_status_t find_peak(fullest_t *fullest, uint32_t *buffers,
                               gmem_peak_t *out_peak, gmem_scratch_t *memory) {
  uint32_t buffer_count = gmem_problem_buffer_count(fullest->problem);
  for (uint32_t i = 0; i < buffer_count; ++i)
    fullest->room += gmem_problem_buffer(fullest->problem, i)->range_count;
  GMEM_TRY_NEW(fullest->by_offset, memory, 2 * (size_t)buffer_count);
  GMEM_TRY_NEW(fullest->times, memory, 3 * fullest->room);
  list_pool(fullest);
  if (fullest->count == 0)
    return GMEM_OK;
  out_peak->time = fullest_time(fullest, find_top(fullest));
  out_peak->bytes =
      bytes_at(fullest, out_peak->time, buffers, &out_peak->count);
  return GMEM_OK;
}

gmem_status_t gmem_find_peak(const gmem_problem_t *problem,
                             const gmem_placement_t *plan, uint32_t pool,
                             uint32_t *buffers, gmem_peak_t *out_peak,
                             gmem_diag_t *diag) {
  GMEM_PLANNER_NEED(
      problem && (plan || gmem_problem_buffer_count(problem) == 0) && out_peak,
      diag);
  *out_peak = (gmem_peak_t){0};
  if (pool >= gmem_problem_pool_count(problem))
    return gmem_planner_fail(diag, GMEM_ERR_OUT_OF_RANGE, pool, "unknown pool");
  fullest_t fullest = {.problem = problem, .plan = plan, .pool = pool};
  gmem_scratch_t memory = {.allocator = gmem_problem_allocator(problem),
                           .diag = diag};
  gmem_status_t status = find_peak(&fullest, buffers, out_peak, &memory);
  gmem_scratch_free(&memory);
  return status;
}
