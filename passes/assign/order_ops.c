// order_ops.c - gmem-order-ops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: nothing. It runs before the passes that place values.
// produces: with order=best, for every scope, ops in an order whose plan is
//           smaller than that of the given order: each block that a search
//           finds to keep fewer bytes live in another order is planned in that
//           order, with sharing and packing, and gets it if the plan is
//           smaller. Otherwise the program is unchanged, but for gmem.strides
//           of an earlier plan, which is removed. A remark that says what was
//           gained.
// fails:    on malformed input attributes.

#include <assert.h>
#include <stdlib.h>

#include "assign_passes.h"
#include "block_order.h"
#include "diagnostics.h"
#include "op_model_files.h"
#include "scope_memories.h"
#include "scopes.h"
#include "strided_marks.h"
#include "tensor_trial.h"

// The number of blocks whose best orders are planned one by one, by effort.
static const size_t most_trials[] = {[GMEM_EFFORT_NORMAL] = 8,
                                     [GMEM_EFFORT_FAST] = 2,
                                     [GMEM_EFFORT_EXHAUSTIVE] = 64};

typedef GMEM_LIST(gmem_block_order_t) orders_t;

// Those with the highest peak first: they matter most.
static int by_peak(const void *a, const void *b) {
  const gmem_block_order_t *left = a, *right = b;
  uint64_t x = left->figures.given_peak, y = right->figures.given_peak;
  if (x != y)
    return x > y ? -1 : 1;
  return (left->block > right->block) - (left->block < right->block);
}

// Lists the blocks with a better order.
static gmem_status_t list_orders(const gmem_analysis_t *analysis,
                                 const gmem_plan_options_t *options,
                                 orders_t *orders, gmem_diag_t *diag) {
  gmem_order_inputs_t inputs;
  GMEM_TRY(gmem_order_inputs_find(analysis, &options->model, &inputs, diag));
  for (uint32_t block = 0; block < analysis->program.block_count; ++block) {
    gmem_block_order_t order;
    if (!gmem_block_may_be_ordered(&analysis->facts, block))
      continue;
    GMEM_TRY(
        gmem_block_order_find(&inputs, block, options->effort, &order, diag));
    if (order.moved > 0)
      GMEM_APPEND(analysis->arena, orders, order);
  }
  GMEM_TRY(gmem_bump_status(analysis->arena, diag));
  if (orders->count)
    qsort(orders->at, orders->count, sizeof *orders->at, by_peak);
  return GMEM_OK;
}

//===--- the guard --------------------------------------------------------===//

// The best orders of some blocks, each applied or not.
typedef struct guard_s {
  MlirOperation scope;
  const gmem_op_models_t *models;
  const gmem_plan_options_t *options;
  const gmem_allocator_t *allocator;
  const gmem_block_order_t *orders;
  size_t count;
  bool *is_applied; // by order
  gmem_tensor_trial_t given, best;
  gmem_diag_t *diag;
} guard_t;

static void apply(guard_t *guard, size_t i, bool is_applied) {
  if (guard->is_applied[i] == is_applied)
    return;
  guard->is_applied[i] = is_applied;
  if (is_applied)
    gmem_block_order_apply(&guard->orders[i]);
  else
    gmem_block_order_undo(&guard->orders[i]);
}

static gmem_status_t try_now(const guard_t *guard, gmem_tensor_trial_t *trial) {
  return gmem_tensor_trial(guard->scope, guard->models, guard->options,
                           guard->allocator, trial, guard->diag);
}

// Applies all orders. Functions that do not call one another may have the same
// peak, so that one order alone gains nothing.
static gmem_status_t try_all(guard_t *guard) {
  gmem_tensor_trial_t trial;
  for (size_t i = 0; i < guard->count; ++i)
    apply(guard, i, true);
  GMEM_TRY(try_now(guard, &trial));
  bool is_better = gmem_trial_is_better(&trial, &guard->best);
  if (is_better)
    guard->best = trial;
  for (size_t i = 0; i < guard->count; ++i)
    apply(guard, i, is_better);
  return GMEM_OK;
}

// Changes one order after the other: to be applied, those with the highest peak
// first, where the plan gets smaller; or not to be, those with the lowest
// first, where it gets no larger.
static gmem_status_t try_each(guard_t *guard, bool is_applied) {
  size_t trials = most_trials[guard->options->effort];
  for (size_t k = 0; k < guard->count && trials > 0; ++k) {
    size_t i = is_applied ? k : guard->count - 1 - k;
    gmem_tensor_trial_t trial;
    if (guard->is_applied[i] == is_applied)
      continue;
    --trials;
    apply(guard, i, is_applied);
    GMEM_TRY(try_now(guard, &trial));
    bool is_kept = is_applied ? gmem_trial_is_better(&trial, &guard->best)
                              : !gmem_trial_is_better(&guard->best, &trial);
    if (is_kept)
      guard->best = trial;
    else
      apply(guard, i, !is_applied);
  }
  return GMEM_OK;
}

static gmem_status_t try_orders(guard_t *guard) {
  GMEM_TRY(try_now(guard, &guard->given));
  guard->best = guard->given;
  GMEM_TRY(try_all(guard));
  bool is_better = gmem_trial_is_better(&guard->best, &guard->given);
  return guard->count > 1 ? try_each(guard, !is_better) : GMEM_OK;
}

static void remark(const guard_t *guard) {
  uint32_t moved = 0, blocks = 0;
  for (size_t i = 0; i < guard->count; ++i) {
    moved += guard->is_applied[i] ? guard->orders[i].moved : 0;
    blocks += guard->is_applied[i];
  }
  if (blocks)
    gmem_remark(mlirOperationGetLocation(guard->scope),
                "order=best: %u op%s of %u block%s moved: the tensors need "
                "%llu bytes, %llu in the given order",
                moved, moved == 1 ? "" : "s", blocks, blocks == 1 ? "" : "s",
                (unsigned long long)guard->best.peak,
                (unsigned long long)guard->given.peak);
}

static gmem_status_t order_scope(MlirOperation scope,
                                 const gmem_op_models_t *models,
                                 gmem_bump_t *arena, void *user,
                                 gmem_diag_t *diag) {
  const gmem_plan_options_t *options = user;
  gmem_analysis_t analysis;
  orders_t orders = {0};
  gmem_strided_marks_clear(scope);
  GMEM_TRY(
      gmem_analyse(scope, models, &options->model, arena, &analysis, diag));
  GMEM_TRY(list_orders(&analysis, options, &orders, diag));
  if (orders.count == 0)
    return GMEM_OK;
  guard_t guard = {.scope = scope,
                   .models = models,
                   .options = options,
                   .allocator = &arena->allocator,
                   .orders = orders.at,
                   .count = orders.count,
                   .diag = diag};
  GMEM_TRY_ALLOC(guard.is_applied, arena, guard.count, diag);
  gmem_status_t status = try_orders(&guard);
  for (size_t i = 0; status != GMEM_OK && i < guard.count; ++i)
    apply(&guard, i, false);
  GMEM_TRY(status);
  if (!options->quiet)
    remark(&guard);
  return GMEM_OK;
}

gmem_status_t gmem_order_ops(MlirOperation top,
                             const gmem_plan_options_t *options,
                             const gmem_allocator_t *allocator,
                             gmem_diag_t *diag) {
  gmem_plan_options_t copy = *options;
  if (options->order == GMEM_ORDER_GIVEN)
    return GMEM_OK;
  GMEM_TRY(gmem_op_models_add_files(top, options, allocator, diag));
  GMEM_TRY(gmem_scope_memories_add(top, options, allocator, diag));
  return gmem_for_each_scope_in(top, allocator, order_scope, &copy, diag);
}
