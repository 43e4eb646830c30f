// order_window.c - replaces intervals round the peak by a best order of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <string.h>

#include "executed.h"
#include "interval.h"
#include "needs.h"
#include "repair.h"

enum { FIRST_WIDTH = 16, LAST_WIDTH = 256 };

typedef struct windows_s {
  const gmem_order_net_t *net;
  gmem_order_work_t *work;
  const gmem_allocator_t *allocator;
  gmem_order_goal_t *goal;
  gmem_diag_t *diag;
  gmem_scratch_t *memory;
  gmem_order_profile_t profile;
  uint32_t *before; // the ops of a window
  uint32_t *order;  // their new order
} windows_t;

// Sets *out_better if the positions [begin, end) have an order with a lower
// peak; it is then part of goal->order.
static gmem_status_t improve(windows_t *w, uint32_t begin, uint32_t end,
                             gmem_scratch_t *memory, bool *out_better) {
  gmem_order_net_t net;
  uint32_t *order = w->goal->order;
  GMEM_TRY(gmem_order_interval(&w->profile, begin, end, memory, &net));
  gmem_order_goal_t part = {
      .floor = w->goal->floor, .peak = w->goal->peak, .order = w->order};
  GMEM_TRY(gmem_order_best_first(&net, w->work, w->allocator, &part, w->diag));
  *out_better = part.peak < w->goal->peak;
  if (!*out_better)
    return GMEM_OK;
  memcpy(w->before, order + begin, (end - begin) * sizeof *order);
  for (uint32_t i = 0; i < end - begin; ++i)
    order[begin + i] = w->before[w->order[i]];
  return GMEM_OK;
}

static gmem_status_t improve_width(windows_t *w, uint32_t peak_at,
                                   uint32_t width, bool *out_better) {
  uint32_t begin = peak_at > width / 2 ? peak_at - width / 2 : 0;
  uint32_t end =
      w->net->op_count - begin > width ? begin + width : w->net->op_count;
  gmem_scratch_t memory = {.allocator = w->allocator, .diag = w->diag};
  uint64_t limit = w->work->stage_limit, left = limit - w->work->steps;
  w->work->stage_limit = w->work->steps + left / 4;
  gmem_status_t status = improve(w, begin, end, &memory, out_better);
  w->work->stage_limit = limit;
  gmem_scratch_free(&memory);
  return status;
}

static gmem_status_t improve_peak(windows_t *w, uint32_t peak_at,
                                  bool *out_better) {
  *out_better = false;
  for (uint32_t width = FIRST_WIDTH; width <= LAST_WIDTH && !*out_better;
       width *= 2) {
    if (!gmem_order_spend(w->work, 1))
      return GMEM_OK;
    GMEM_TRY(improve_width(w, peak_at, width, out_better));
    if (width >= w->net->op_count)
      break;
  }
  return GMEM_OK;
}

static gmem_status_t run(windows_t *w) {
  bool is_better = true;
  GMEM_TRY(gmem_order_profile_create(w->net, w->memory, &w->profile));
  GMEM_TRY_NEW(w->before, w->memory, LAST_WIDTH);
  GMEM_TRY_NEW(w->order, w->memory, LAST_WIDTH);
  while (is_better && gmem_order_spend(w->work, w->net->op_count)) {
    uint32_t peak_at = 0;
    GMEM_TRY(gmem_order_profile_read(&w->profile, w->goal->order, w->memory,
                                     &w->goal->peak));
    if (w->goal->peak <= w->goal->floor)
      break;
    GMEM_TRY(gmem_order_find_peak(w->net, w->goal->order, w->memory, &peak_at));
    GMEM_TRY(improve_peak(w, peak_at, &is_better));
  }
  return gmem_order_peak(w->net, w->goal->order, w->memory, NULL,
                         &w->goal->peak);
}

gmem_status_t gmem_order_window(const gmem_order_net_t *net,
                                gmem_order_work_t *work,
                                const gmem_allocator_t *allocator,
                                gmem_order_goal_t *goal, gmem_diag_t *diag) {
  gmem_scratch_t memory = {.allocator = allocator, .diag = diag};
  windows_t windows = {.net = net,
                       .work = work,
                       .allocator = allocator,
                       .goal = goal,
                       .diag = diag,
                       .memory = &memory};
  goal->bound = goal->floor < goal->peak ? goal->floor : goal->peak;
  if (goal->peak <= goal->floor)
    return GMEM_OK;
  gmem_status_t status = run(&windows);
  gmem_scratch_free(&memory);
  return status;
}
