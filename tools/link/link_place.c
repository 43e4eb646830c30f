// link_place.c - places the blocks of the models in a shared pool, as a planner
// problem with one buffer per model.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Concurrency becomes time: each time step is a set of models that run
// concurrently, such that two models are live at a common step if and only if
// they are concurrent. The planner's lower bound is the largest load of a step,
// so every step is extended to a maximal clique of the concurrency graph,
// largest models first.

#include "link_place.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "link_pools.h"

typedef struct steps_s {
  const gmem_link_pool_t *pool;
  size_t *order;             // blocks, the largest first
  bool *at;                  // step x block: the block is live
  size_t count;              // steps
  size_t room;               // capacity of |at|, in steps
  gmem_live_range_t *ranges; // of one block: at most one per step
} steps_t;

static bool is_together(const steps_t *steps, size_t a, size_t b) {
  const gmem_link_block_t *blocks = steps->pool->blocks;
  return steps->pool->constant || // constants are always live
         gmem_link_is_together(blocks[a].model, blocks[b].model);
}

// Extends the last step, in which some blocks are live, to a maximal clique.
static void extend_step(const steps_t *steps) {
  size_t count = steps->pool->block_count;
  bool *live = steps->at + (steps->count - 1) * count;
  for (size_t i = 0; i < count; ++i) {
    size_t next = steps->order[i];
    bool fits = !live[next];
    for (size_t k = 0; k < count && fits; ++k)
      fits = !live[k] || is_together(steps, next, k);
    live[next] |= fits;
  }
}

static bool is_known(const steps_t *steps, size_t a, size_t b) {
  size_t count = steps->pool->block_count;
  for (size_t i = 0; i < steps->count; ++i)
    if (steps->at[i * count + a] && steps->at[i * count + b])
      return true;
  return false;
}

// Adds a step at which the blocks |a| and |b|, which may be equal, are live.
static void add_step(steps_t *steps, size_t a, size_t b) {
  size_t count = steps->pool->block_count;
  if (steps->count == steps->room) {
    steps->room = steps->room ? 2 * steps->room : 16;
    steps->at = gmem_need(realloc(steps->at, steps->room * count));
  }
  assert(steps->count < steps->room);
  bool *live = steps->at + steps->count++ * count;
  memset(live, 0, count * sizeof *live);
  live[a] = live[b] = true;
  extend_step(steps);
}

static void sort_blocks(const steps_t *steps) {
  const gmem_link_block_t *blocks = steps->pool->blocks;
  size_t *order = steps->order;
  for (size_t i = 0; i < steps->pool->block_count; ++i) {
    size_t k = i;
    for (; k && blocks[order[k - 1]].size < blocks[i].size; --k)
      order[k] = order[k - 1];
    order[k] = i;
  }
}

// Adds steps such that every concurrent pair and every block is live at some
// step.
static void find_steps(steps_t *steps) {
  size_t count = steps->pool->block_count;
  steps->order = gmem_need(calloc(count + 1, sizeof *steps->order));
  sort_blocks(steps);
  for (size_t i = 0; i < count; ++i)
    for (size_t k = 0; k <= i; ++k) {
      size_t a = steps->order[i], b = steps->order[k];
      if (is_together(steps, a, b) && !is_known(steps, a, b))
        add_step(steps, a, b);
    }
  for (size_t i = 0; i < count; ++i)
    assert(is_known(steps, i, i) && "every block is live at some step");
  steps->ranges = gmem_need(calloc(steps->count + 1, sizeof *steps->ranges));
}

//===--- the planner's problem --------------------------------------------===//

// Stores the live ranges of block |index| in steps->ranges. Returns their
// number.
static size_t find_ranges(const steps_t *steps, size_t index) {
  gmem_live_range_t *ranges = steps->ranges;
  size_t count = steps->pool->block_count, found = 0;
  for (size_t i = 0; i < steps->count; ++i) {
    if (!steps->at[i * count + index])
      continue;
    if (found && ranges[found - 1].end == (int64_t)i)
      ++ranges[found - 1].end;
    else
      ranges[found++] = (gmem_live_range_t){(int64_t)i, (int64_t)i + 1};
  }
  return found;
}

static gmem_status_t add_blocks(const steps_t *steps, gmem_problem_t *problem,
                                gmem_diag_t *diag) {
  const gmem_link_pool_t *pool = steps->pool;
  for (size_t i = 0; i < pool->block_count; ++i) {
    const gmem_link_block_t *block = &pool->blocks[i];
    uint32_t ignored;
    GMEM_TRY(gmem_problem_add_buffer(
        problem,
        &(gmem_buffer_spec_t){.name = block->model->name,
                              .size = block->size,
                              .alignment = block->alignment,
                              .ranges = steps->ranges,
                              .range_count = find_ranges(steps, i)},
        &ignored, diag));
  }
  return GMEM_OK;
}

// Adds the pool and its blocks to the empty |problem|.
static gmem_status_t fill_problem(const steps_t *steps, gmem_problem_t *problem,
                                  gmem_diag_t *diag) {
  uint32_t ignored;
  gmem_pool_spec_t spec = {.name = steps->pool->name,
                           .capacity = steps->pool->capacity,
                           .alignment = 1};
  GMEM_TRY(gmem_problem_add_pool(problem, &spec, &ignored, diag));
  return add_blocks(steps, problem, diag);
}

//===--- infeasibility ----------------------------------------------------===//

static void print_block(const steps_t *steps, const gmem_problem_t *problem,
                        uint32_t index) {
  const gmem_buffer_spec_t *block = gmem_problem_buffer(problem, index);
  fprintf(stderr, "gmem-link: note: %s (%s) needs %" PRIu64 " bytes\n",
          block->name, steps->pool->blocks[index].model->path, block->size);
}

// Prints the models that do not fit together.
static gmem_status_t report_shortage(const steps_t *steps,
                                     const gmem_problem_t *problem) {
  const gmem_link_pool_t *pool = steps->pool;
  uint32_t *few = gmem_need(calloc(pool->block_count + 1, sizeof *few));
  uint32_t which[1];
  gmem_infeasible_t found = {0};
  gmem_diag_t diag;
  const char *what = pool->constant ? "the constants of these models"
                                    : "these concurrent models";
  gmem_status_t status =
      pool->limiter
          ? gmem_tool_error("pool '%s': the capacity of %" PRIu64
                            " bytes (%s) is too small for %s",
                            pool->name, pool->capacity, pool->limiter->path,
                            what)
          : gmem_tool_error("pool '%s': %s need addresses of more than 63 bits",
                            pool->name, what);
  if (gmem_find_shortage(problem, NULL, few, which, &found, &diag) == GMEM_OK)
    for (size_t i = 0; i < found.count; ++i)
      print_block(steps, problem, few[i]);
  for (uint32_t i = 0; !found.count && i < pool->block_count; ++i)
    print_block(steps, problem, i);
  free(few);
  return status;
}

//===--- placing ----------------------------------------------------------===//

static void take_places(gmem_link_pool_t *pool, const gmem_placement_t *plan) {
  pool->size = 0;
  for (size_t i = 0; i < pool->block_count; ++i) {
    gmem_link_block_t *block = &pool->blocks[i];
    // Empty blocks are placed at 0.
    block->offset = block->size ? plan[i].offset : 0;
    assert(block->offset % block->alignment == 0);
    if (block->offset + block->size > pool->size)
      pool->size = block->offset + block->size;
  }
}

static gmem_status_t solve(const steps_t *steps, const gmem_problem_t *problem,
                           gmem_placement_t *plan, gmem_link_pool_t *pool) {
  gmem_plan_figures_t figures;
  gmem_diag_t diag;
  gmem_status_t status = gmem_solve(problem, NULL, plan, &figures, &diag);
  if (status == GMEM_ERR_OVER_BUDGET)
    return report_shortage(steps, problem);
  if (status != GMEM_OK)
    return gmem_tool_error("%s", diag.text);
  take_places(pool, plan);
  pool->lower_bound = figures.lower_bound;
  return GMEM_OK;
}

static gmem_status_t place_blocks(const steps_t *steps, gmem_problem_t *problem,
                                  gmem_link_pool_t *pool) {
  gmem_diag_t diag;
  gmem_placement_t *plan =
      gmem_need(calloc(pool->block_count + 1, sizeof *plan));
  gmem_status_t status = fill_problem(steps, problem, &diag);
  status = status == GMEM_OK
               ? solve(steps, problem, plan, pool)
               : gmem_tool_check(status, &diag, "pool '%s'", pool->name);
  free(plan);
  return status;
}

static gmem_status_t place(gmem_link_pool_t *pool) {
  steps_t steps = {.pool = pool};
  gmem_problem_t *problem;
  gmem_diag_t diag;
  find_steps(&steps);
  if (gmem_problem_create(NULL, &problem, &diag) != GMEM_OK)
    gmem_need(NULL);
  gmem_status_t status = place_blocks(&steps, problem, pool);
  gmem_problem_destroy(problem);
  free(steps.ranges);
  free(steps.order);
  free(steps.at);
  return status;
}

gmem_status_t gmem_link_pools_place(gmem_link_pools_t *pools) {
  for (size_t i = 0; i < pools->count; ++i)
    GMEM_TRY(place(&pools->at[i]));
  return GMEM_OK;
}
