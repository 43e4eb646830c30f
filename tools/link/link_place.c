// link_place.c - where the blocks of the models lie in a shared memory: a
// problem of the planner with one buffer per model.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Time is a list of *moments*, each a set of models that run together: two
// models are live at one moment exactly when they run at one time, so the
// planner finds a place for each. The more models a moment has, the better the
// planner's lower bound: so every moment is made as large as it can be, heavy
// models first (a maximal clique of who runs with whom).

#include "link_place.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "link_pools.h"

typedef struct moments_s {
  const gmem_link_models_t *models;
  const gmem_link_pool_t *pool;
  size_t *order; // blocks, the largest first
  bool *at;      // moment x block: it is live then
  size_t count;  // moments
  size_t room;   // of |at|, in moments
} moments_t;

static bool is_together(const moments_t *moments, size_t a, size_t b) {
  const gmem_link_block_t *blocks = moments->pool->blocks;
  return moments->pool->constant || // weights are never away
         moments->models->together[blocks[a].model * moments->models->count +
                                   blocks[b].model];
}

// Makes the last moment, in which some blocks are live already, as large as it
// can be.
static void fill_moment(const moments_t *moments) {
  size_t count = moments->pool->block_count;
  bool *live = moments->at + (moments->count - 1) * count;
  for (size_t i = 0; i < count; ++i) {
    size_t next = moments->order[i];
    bool fits = !live[next];
    for (size_t k = 0; k < count && fits; ++k)
      fits = !live[k] || is_together(moments, next, k);
    live[next] |= fits;
  }
}

static bool is_known(const moments_t *moments, size_t a, size_t b) {
  size_t count = moments->pool->block_count;
  for (size_t i = 0; i < moments->count; ++i)
    if (moments->at[i * count + a] && moments->at[i * count + b])
      return true;
  return false;
}

// Adds a moment at which two blocks, or one, are live.
static bool add_moment(moments_t *moments, size_t a, size_t b) {
  size_t count = moments->pool->block_count;
  if (moments->count == moments->room) {
    size_t room = moments->room ? 2 * moments->room : 16;
    bool *grown = realloc(moments->at, room * count * sizeof *grown);
    if (!grown)
      return false;
    moments->at = grown;
    moments->room = room;
  }
  bool *live = moments->at + moments->count++ * count;
  memset(live, 0, count * sizeof *live);
  live[a] = live[b] = true;
  fill_moment(moments);
  return true;
}

static void sort_blocks(const moments_t *moments) {
  const gmem_link_block_t *blocks = moments->pool->blocks;
  size_t *order = moments->order;
  for (size_t i = 0; i < moments->pool->block_count; ++i) {
    size_t k = i;
    for (; k && blocks[order[k - 1]].size < blocks[i].size; --k)
      order[k] = order[k - 1];
    order[k] = i;
  }
}

// Every pair that runs together is in some moment, and every block.
static bool find_moments(moments_t *moments) {
  size_t count = moments->pool->block_count;
  moments->order = calloc(count + 1, sizeof *moments->order);
  if (!moments->order)
    return false;
  sort_blocks(moments);
  for (size_t i = 0; i < count; ++i)
    for (size_t k = 0; k <= i; ++k) {
      size_t a = moments->order[i], b = moments->order[k];
      if (is_together(moments, a, b) && !is_known(moments, a, b) &&
          !add_moment(moments, a, b))
        return false;
    }
  return true;
}

//===--- the planner's problem --------------------------------------------===//

// The moments at which block |index| is live. Returns how many ranges there
// are.
static size_t find_ranges(const moments_t *moments, size_t index,
                          gmem_live_range_t *ranges) {
  size_t count = moments->pool->block_count, found = 0;
  for (size_t i = 0; i < moments->count; ++i) {
    if (!moments->at[i * count + index])
      continue;
    if (found && ranges[found - 1].end == (int64_t)i)
      ++ranges[found - 1].end;
    else
      ranges[found++] = (gmem_live_range_t){(int64_t)i, (int64_t)i + 1};
  }
  return found;
}

static gmem_status_t add_blocks(const moments_t *moments,
                                gmem_problem_t *problem, gmem_diag_t *diag) {
  const gmem_link_pool_t *pool = moments->pool;
  gmem_live_range_t *ranges = calloc(moments->count + 1, sizeof *ranges);
  gmem_status_t status = ranges ? GMEM_OK : GMEM_ERR_OUT_OF_MEMORY;
  for (size_t i = 0; i < pool->block_count && status == GMEM_OK; ++i) {
    const gmem_link_block_t *block = &pool->blocks[i];
    uint32_t ignored;
    status = gmem_problem_add_buffer(
        problem,
        &(gmem_buffer_spec_t){.name = moments->models->at[block->model].name,
                              .size = block->size,
                              .alignment = block->alignment,
                              .ranges = ranges,
                              .range_count = find_ranges(moments, i, ranges)},
        &ignored, diag);
  }
  free(ranges);
  return status;
}

static gmem_status_t make_problem(const moments_t *moments,
                                  gmem_problem_t **out_problem,
                                  gmem_diag_t *diag) {
  uint32_t ignored;
  gmem_status_t status = gmem_problem_create(NULL, out_problem, diag);
  if (status != GMEM_OK)
    return status;
  status = gmem_problem_add_pool(
      *out_problem,
      &(gmem_pool_spec_t){.name = moments->pool->name,
                          .capacity = moments->pool->capacity,
                          .alignment = 1},
      &ignored, diag);
  return status == GMEM_OK ? add_blocks(moments, *out_problem, diag) : status;
}

//===--- too much ---------------------------------------------------------===//

static void print_block(const moments_t *moments, const gmem_problem_t *problem,
                        uint32_t index) {
  const gmem_buffer_spec_t *block = gmem_problem_buffer(problem, index);
  size_t model = moments->pool->blocks[index].model;
  fprintf(stderr, "gmem-link: note: %s (%s) needs %" PRIu64 " bytes\n",
          block->name, moments->models->at[model].path, block->size);
}

// Says which models are too many.
static bool report_shortage(const moments_t *moments,
                            const gmem_problem_t *problem) {
  const gmem_link_pool_t *pool = moments->pool;
  uint32_t *few = calloc(pool->block_count + 1, sizeof *few);
  uint32_t which[1];
  gmem_infeasible_t found = {0};
  gmem_diag_t diag;
  gmem_link_error(
      "pool '%s' has %" PRIu64 " bytes (%s), too few for models "
      "that %s",
      pool->name, pool->capacity, moments->models->at[pool->limiter].path,
      pool->constant ? "all keep their constants in it" : "run at one time");
  if (few &&
      gmem_find_shortage(problem, NULL, few, which, &found, &diag) == GMEM_OK)
    for (size_t i = 0; i < found.count; ++i)
      print_block(moments, problem, few[i]);
  for (uint32_t i = 0; few && !found.count && i < pool->block_count; ++i)
    print_block(moments, problem, i);
  free(few);
  return false;
}

//===--- placing ----------------------------------------------------------===//

static void take_places(gmem_link_pool_t *pool, const gmem_placement_t *plan) {
  pool->size = 0;
  for (size_t i = 0; i < pool->block_count; ++i) {
    gmem_link_block_t *block = &pool->blocks[i];
    // What is empty lies nowhere in particular.
    block->offset = block->size ? plan[i].offset : 0;
    if (block->offset + block->size > pool->size)
      pool->size = block->offset + block->size;
  }
}

static bool solve(const moments_t *moments, const gmem_problem_t *problem,
                  gmem_link_pool_t *pool) {
  gmem_plan_figures_t figures;
  gmem_diag_t diag;
  gmem_placement_t *plan;
  if (gmem_plan_create(problem, &plan, &diag) != GMEM_OK)
    return gmem_link_out_of_memory();
  gmem_status_t status = gmem_solve(problem, NULL, plan, &figures, &diag);
  if (status == GMEM_OK) {
    take_places(pool, plan);
    pool->lower_bound = figures.lower_bound;
  }
  gmem_plan_free(problem, plan);
  if (status == GMEM_ERR_OVER_BUDGET)
    return report_shortage(moments, problem);
  return status == GMEM_OK || gmem_link_error("%s", diag.text);
}

static bool place(const gmem_link_models_t *models, gmem_link_pool_t *pool) {
  moments_t moments = {.models = models, .pool = pool};
  gmem_problem_t *problem = NULL;
  gmem_diag_t diag = {.text = "out of memory"};
  bool good = find_moments(&moments) &&
              make_problem(&moments, &problem, &diag) == GMEM_OK;
  good = good ? solve(&moments, problem, pool)
              : gmem_link_error("pool '%s': %s", pool->name, diag.text);
  gmem_problem_destroy(problem);
  free(moments.order);
  free(moments.at);
  return good;
}

bool gmem_link_pools_place(const gmem_link_models_t *models,
                           gmem_link_pools_t *pools) {
  for (size_t i = 0; i < pools->count; ++i)
    if (!place(models, &pools->at[i]))
      return false;
  return true;
}
