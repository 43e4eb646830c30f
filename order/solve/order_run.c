// order_run.c - runs an algorithm on the segments of a net.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The net is reduced (reduce.h) and cut into segments that every order executes
// one after the other. Each segment starts with the best of the simple orders;
// the segments with the highest peaks are then improved, as long as they are
// above the lower bound.

#include <assert.h>
#include <string.h>

#include "executed.h"
#include "interval.h"
#include "needs.h"
#include "order_bound.h"
#include "order_methods.h"
#include "reduce.h"

typedef struct segment_s {
  uint64_t peak;
  uint32_t begin, end; // positions
} segment_t;

typedef struct runner_s {
  const gmem_order_net_t *net; // reduced
  const gmem_order_method_t *method;
  gmem_order_work_t *work;
  gmem_scratch_t *memory;
  gmem_order_profile_t profile;
  segment_t *segments;
  uint32_t segment_count;
  uint32_t *order;
  uint64_t floor; // a lower bound on all orders
} runner_t;

//===--- simple orders ----------------------------------------------------===//

static gmem_status_t make_segments(runner_t *r) {
  uint32_t *cuts, *scratch;
  GMEM_TRY_NEW(cuts, r->memory, 2 * (size_t)r->net->op_count + 2);
  GMEM_TRY_NEW(scratch, r->memory, (size_t)r->net->op_count + 1);
  uint32_t count = gmem_order_find_cuts(r->net, scratch, cuts);
  r->segment_count = count - 1;
  GMEM_TRY_NEW(r->segments, r->memory, r->segment_count);
  for (uint32_t i = 0; i < r->segment_count; ++i)
    r->segments[i] = (segment_t){UINT64_MAX, cuts[i], cuts[i + 1]};
  gmem_scratch_drop(r->memory, scratch);
  gmem_scratch_drop(r->memory, cuts);
  return GMEM_OK;
}

// Takes the segments in which |order| is better than what there is.
static void take_segments(runner_t *r, const uint32_t *order,
                          const uint64_t *needs) {
  for (uint32_t i = 0; i < r->segment_count; ++i) {
    segment_t *segment = &r->segments[i];
    uint64_t peak = 0;
    for (uint32_t p = segment->begin; p < segment->end; ++p)
      peak = needs[p] > peak ? needs[p] : peak;
    if (peak >= segment->peak)
      continue;
    segment->peak = peak;
    memcpy(r->order + segment->begin, order + segment->begin,
           (segment->end - segment->begin) * sizeof *order);
  }
}

static gmem_status_t start(runner_t *r) {
  uint32_t *order, n = r->net->op_count;
  uint64_t *needs;
  GMEM_TRY_NEW(r->order, r->memory, n);
  GMEM_TRY_NEW(order, r->memory, n);
  GMEM_TRY_NEW(needs, r->memory, n);
  for (const gmem_order_simple_fn *make = r->method->starts; *make; ++make) {
    gmem_scratch_t memory = {.allocator = r->memory->allocator,
                             .diag = r->memory->diag};
    gmem_status_t status = (*make)(r->net, &memory, order);
    if (status == GMEM_OK)
      status = gmem_order_needs(r->net, order, &memory, needs);
    gmem_scratch_free(&memory);
    GMEM_TRY(status);
    take_segments(r, order, needs);
    gmem_order_spend(r->work, 2 * (uint64_t)n);
  }
  gmem_scratch_drop(r->memory, needs);
  gmem_scratch_drop(r->memory, order);
  return GMEM_OK;
}

//===--- segments ---------------------------------------------------------===//

static gmem_status_t run_stages(runner_t *r, const gmem_order_net_t *net,
                                segment_t *segment, gmem_scratch_t *memory) {
  uint64_t bound = 0;
  uint32_t count = segment->end - segment->begin, *best, *before;
  GMEM_TRY(gmem_order_bound(net, memory, &bound));
  gmem_order_spend(r->work, count);
  r->floor = bound > r->floor ? bound : r->floor;
  GMEM_TRY_NEW(best, memory, count);
  GMEM_TRY_NEW(before, memory, count);
  for (uint32_t i = 0; i < count; ++i)
    best[i] = i; // the interval has the current order
  for (const gmem_order_stage_t *stage = r->method->stages;
       stage->run && segment->peak > r->floor; ++stage) {
    if (!r->work->gave_up) // it has not proved this segment yet
      r->work->gave_up = stage->name;
    if (!gmem_order_has_time(r->work))
      break;
    uint64_t left = r->work->limit - r->work->steps;
    gmem_order_work_stage(r->work, stage->name, left / 16 * stage->share + 1);
    gmem_order_goal_t goal = {
        .floor = r->floor, .peak = segment->peak, .order = best};
    GMEM_TRY(
        stage->run(net, r->work, r->memory->allocator, &goal, r->memory->diag));
    assert(goal.peak <= segment->peak);
    assert(goal.bound <= goal.peak || goal.bound <= r->floor);
    segment->peak = goal.peak;
    r->floor = goal.bound > r->floor ? goal.bound : r->floor;
    r->work->lower_bound = r->floor;
    if (segment->peak <= r->floor)
      r->work->gave_up = NULL;
  }
  memcpy(before, r->order + segment->begin, count * sizeof *before);
  for (uint32_t i = 0; i < count; ++i)
    r->order[segment->begin + i] = before[best[i]];
  return GMEM_OK;
}

static gmem_status_t improve(runner_t *r, segment_t *segment) {
  gmem_order_net_t net;
  gmem_scratch_t memory = {.allocator = r->memory->allocator,
                           .diag = r->memory->diag};
  gmem_status_t status = gmem_order_interval(&r->profile, segment->begin,
                                             segment->end, &memory, &net);
  if (status == GMEM_OK)
    status = run_stages(r, &net, segment, &memory);
  gmem_scratch_free(&memory);
  return status;
}

static segment_t *highest(const runner_t *r) {
  segment_t *high = r->segments;
  for (uint32_t i = 1; i < r->segment_count; ++i)
    if (r->segments[i].peak > high->peak)
      high = &r->segments[i];
  return high;
}

// Improves the highest segment until it is proved, or its stages have given up.
// Others are then lower, and cannot lower the peak.
static gmem_status_t improve_all(runner_t *r) {
  uint64_t peak = 0, ignored;
  GMEM_TRY(gmem_order_profile_create(r->net, r->memory, &r->profile));
  // The stages change the order inside of segments only: what the profile
  // contains of the others stays right.
  GMEM_TRY(gmem_order_profile_read(&r->profile, r->order, r->memory, &ignored));
  while (r->segment_count > 0) {
    segment_t *segment = highest(r);
    uint64_t before = segment->peak;
    if (before <= r->floor || before <= peak)
      break;
    gmem_order_work_stage(r->work, "segments", UINT64_MAX);
    GMEM_TRY(improve(r, segment));
    r->work->peak = highest(r)->peak;
    if (segment->peak > r->floor) // given up: |peak| at least
      peak = segment->peak > peak ? segment->peak : peak;
    if (segment->peak == before && before > r->floor)
      break;
  }
  return GMEM_OK;
}

//===--- the whole --------------------------------------------------------===//

static void expand(const gmem_order_reduced_t *reduced, const uint32_t *order,
                   uint32_t *out) {
  uint32_t count = 0;
  for (uint32_t p = 0; p < reduced->net.op_count; ++p)
    for (uint32_t i = reduced->groups.begin[order[p]];
         i < reduced->groups.begin[order[p] + 1]; ++i)
      out[count++] = reduced->groups.items[i];
}

gmem_status_t gmem_order_run(const gmem_order_net_t *net,
                             const gmem_order_method_t *method,
                             gmem_order_work_t *work, gmem_scratch_t *memory,
                             uint32_t *order, gmem_order_outcome_t *out) {
  gmem_order_reduced_t reduced;
  GMEM_TRY(gmem_order_reduce(net, memory, &reduced));
  runner_t runner = {
      .net = &reduced.net, .method = method, .work = work, .memory = memory};
  GMEM_TRY(make_segments(&runner));
  GMEM_TRY(start(&runner));
  GMEM_TRY(gmem_order_bound(&reduced.net, memory, &runner.floor));
  work->lower_bound = runner.floor;
  GMEM_TRY(improve_all(&runner));
  expand(&reduced, runner.order, order);
  out->bound = runner.floor;
  return gmem_order_peak(net, order, memory, NULL, &out->peak);
}
