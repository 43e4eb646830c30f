// lower_bound.c - how many bytes every plan needs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Buffers live at one time lie side by side, at addresses that are multiples of
// the alignment g that all of them share. So each takes its size rounded up to
// g, but for the topmost, which ends where its bytes end: at time t
//
//   bytes >= first aligned offset + sum of rounded sizes - largest slack
//
// where slack = rounded size - size. A sweep over time keeps the sum and a heap
// of the slacks; a slack leaves the heap when it is on top and its range ended.
// A fixed buffer adds a bound of its own: no plan is lower than its end.

#include "planner_internal.h"

typedef struct live_s {
  uint64_t size;
  uint64_t end; // key of the time
} live_t;

typedef struct slack_s {
  uint64_t slack;
  uint64_t end; // key of the time
} slack_t;

typedef struct load_s {
  const gmem_problem_t *problem;
  uint32_t pool;        // whose buffers count, or ALL_POOLS
  uint64_t granule;     // g, a power of two
  uint64_t first;       // lowest offset that is aligned to g
  live_t *ranges;       // of the buffers that count
  gmem_order_t *begins; // of the ranges, by time
  gmem_order_t *ends;
  gmem_order_t *scratch;
  slack_t *slacks; // a heap, largest slack on top
  size_t range_count, slack_count;
} load_t;

static const uint32_t ALL_POOLS = UINT32_MAX;

// Whether the buffer counts: it can only go to the pool in question.
static bool counts(const load_t *load, const gmem_buffer_spec_t *spec) {
  if (spec->size == 0)
    return false;
  if (load->pool == ALL_POOLS)
    return true;
  return spec->pools[0] == load->pool &&
         (spec->pool_count == 1 || spec->has_fixed_offset);
}

//===--- heap -------------------------------------------------------------===//

static void push_slack(load_t *load, slack_t slack) {
  size_t node = load->slack_count++;
  for (; node && load->slacks[(node - 1) / 2].slack < slack.slack;
       node = (node - 1) / 2)
    load->slacks[node] = load->slacks[(node - 1) / 2];
  load->slacks[node] = slack;
}

static void pop_slack(load_t *load) {
  slack_t last = load->slacks[--load->slack_count];
  size_t node = 0;
  for (size_t child = 1; child < load->slack_count; child = 2 * node + 1) {
    if (child + 1 < load->slack_count &&
        load->slacks[child + 1].slack > load->slacks[child].slack)
      ++child;
    if (load->slacks[child].slack <= last.slack)
      break;
    load->slacks[node] = load->slacks[child];
    node = child;
  }
  load->slacks[node] = last;
}

static uint64_t largest_slack(load_t *load, uint64_t time) {
  while (load->slack_count && load->slacks[0].end <= time)
    pop_slack(load);
  return load->slack_count ? load->slacks[0].slack : 0;
}

//===--- sweep ------------------------------------------------------------===//

static uint64_t rounded(const load_t *load, uint64_t size) {
  return (size + load->granule - 1) & ~(load->granule - 1);
}

// Bytes needed, or GMEM_UNLIMITED when the live sizes exceed every address.
static uint64_t sweep(load_t *load) {
  const gmem_order_t *begin = load->begins, *end = load->ends;
  const gmem_order_t *last = begin + load->range_count;
  uint64_t sum = load->first, bound = 0;
  while (begin < last) {
    uint64_t time = begin->key;
    for (; end->key <= time; ++end)
      sum -= rounded(load, load->ranges[end->index].size);
    for (; begin < last && begin->key == time; ++begin) {
      const live_t *range = &load->ranges[begin->index];
      uint64_t taken = rounded(load, range->size);
      if (taken > GMEM_UNLIMITED - sum)
        return GMEM_UNLIMITED;
      sum += taken;
      push_slack(load, (slack_t){taken - range->size, range->end});
    }
    uint64_t needed = sum - largest_slack(load, time);
    bound = needed > bound ? needed : bound;
  }
  return bound > GMEM_MAX_ADDRESS ? GMEM_UNLIMITED : bound;
}

static void list_ranges(load_t *load) {
  uint32_t next = 0;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(load->problem); ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(load->problem, i);
    if (!counts(load, spec))
      continue;
    for (size_t k = 0; k < spec->range_count; ++k, ++next) {
      uint64_t end = gmem_time_key(spec->ranges[k].end);
      uint64_t begin = gmem_time_key(spec->ranges[k].begin);
      load->ranges[next] = (live_t){spec->size, end};
      load->begins[next] = (gmem_order_t){begin, next};
      load->ends[next] = (gmem_order_t){end, next};
    }
  }
  gmem_order_sort(load->begins, load->scratch, load->range_count);
  gmem_order_sort(load->ends, load->scratch, load->range_count);
}

static gmem_status_t sweep_ranges(load_t *load, uint64_t *out_bytes,
                                  gmem_diag_t *diag) {
  const gmem_allocator_t *allocator = gmem_problem_allocator(load->problem);
  size_t count = load->range_count;
  load->ranges = gmem_planner_alloc(allocator, count, sizeof(live_t));
  load->begins = gmem_planner_alloc(allocator, count, sizeof(gmem_order_t));
  load->ends = gmem_planner_alloc(allocator, count, sizeof(gmem_order_t));
  load->scratch = gmem_planner_alloc(allocator, count, sizeof(gmem_order_t));
  load->slacks = gmem_planner_alloc(allocator, count, sizeof(slack_t));
  gmem_status_t status = GMEM_OK;
  if (load->ranges && load->begins && load->ends && load->scratch &&
      load->slacks) {
    list_ranges(load);
    *out_bytes = sweep(load);
  } else {
    status = gmem_planner_out_of_memory(diag);
  }
  gmem_planner_free(allocator, load->ranges, count, sizeof(live_t));
  gmem_planner_free(allocator, load->begins, count, sizeof(gmem_order_t));
  gmem_planner_free(allocator, load->ends, count, sizeof(gmem_order_t));
  gmem_planner_free(allocator, load->scratch, count, sizeof(gmem_order_t));
  gmem_planner_free(allocator, load->slacks, count, sizeof(slack_t));
  return status;
}

static gmem_status_t bound_of_load(load_t *load, uint64_t *out_bytes,
                                   gmem_diag_t *diag) {
  *out_bytes = 0;
  load->range_count = 0;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(load->problem); ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(load->problem, i);
    load->range_count += counts(load, spec) ? spec->range_count : 0;
  }
  if (load->range_count == 0)
    return GMEM_OK;
  if (load->range_count > UINT32_MAX) // indices of ranges are 32-bit
    return gmem_planner_out_of_memory(diag);
  return sweep_ranges(load, out_bytes, diag);
}

//===--- bounds -----------------------------------------------------------===//

static uint64_t shared_alignment(const load_t *load) {
  const gmem_pool_spec_t *pool = gmem_problem_pool(load->problem, load->pool);
  uint64_t shared = GMEM_MAX_ALIGNMENT;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(load->problem); ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(load->problem, i);
    if (counts(load, spec) && gmem_alignment_in(spec, pool) < shared)
      shared = gmem_alignment_in(spec, pool);
  }
  return shared;
}

static uint64_t highest_fixed_end(const gmem_problem_t *problem,
                                  uint32_t pool) {
  uint64_t highest = 0;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, i);
    if (!spec->has_fixed_offset || spec->pools[0] != pool)
      continue;
    uint64_t end = spec->fixed_offset + spec->size;
    highest = end > highest ? end : highest;
  }
  return highest;
}

gmem_status_t gmem_lower_bound_of_pool(const gmem_problem_t *problem,
                                       uint32_t pool, uint64_t *out_bytes,
                                       gmem_diag_t *diag) {
  *out_bytes = 0;
  if (pool >= gmem_problem_pool_count(problem))
    return gmem_planner_fail(diag, GMEM_ERR_OUT_OF_RANGE, pool,
                             "there is no such pool");
  load_t load = {.problem = problem, .pool = pool};
  load.granule = shared_alignment(&load);
  uint64_t base = gmem_problem_pool(problem, pool)->base;
  load.first = (0 - base) & (load.granule - 1);
  uint64_t bytes = 0;
  gmem_status_t status = bound_of_load(&load, &bytes, diag);
  if (status != GMEM_OK)
    return status;
  uint64_t fixed = highest_fixed_end(problem, pool);
  *out_bytes = fixed > bytes ? fixed : bytes;
  return GMEM_OK;
}

gmem_status_t gmem_lower_bound(const gmem_problem_t *problem,
                               uint64_t *out_bytes, gmem_diag_t *diag) {
  uint64_t sum = 0, bytes = 0;
  *out_bytes = 0;
  for (uint32_t i = 0; i < gmem_problem_pool_count(problem); ++i) {
    gmem_status_t status = gmem_lower_bound_of_pool(problem, i, &bytes, diag);
    if (status != GMEM_OK)
      return status;
    if (bytes == GMEM_UNLIMITED || !gmem_add_bytes(sum, bytes, &sum))
      sum = GMEM_UNLIMITED;
  }
  // Buffers that can go to several pools count only here. Their addresses
  // share no alignment across pools, so their sizes are taken as they are.
  load_t load = {.problem = problem, .pool = ALL_POOLS, .granule = 1};
  gmem_status_t status = GMEM_OK;
  if (gmem_problem_pool_count(problem) > 1)
    status = bound_of_load(&load, &bytes, diag);
  if (status == GMEM_OK)
    *out_bytes = bytes > sum ? bytes : sum;
  return status;
}
