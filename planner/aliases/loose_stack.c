// loose_stack.c - places buffers below a ceiling, a stack of them first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where the pressure reaches the bound at one time only, the buffers that are
// live then form a stack without gaps, and all others are placed before or
// after that time, where there is room. So the stack comes first in the order
// of placement (loose_recipe.c): then it has no gaps, whatever its order is,
// and that order decides whether the others find places. Parents of buffers in
// the stack come at its bottom, with these; the others lie above in the order
// of their ends, so that the bytes of those that end early lie side by side.
//
// The buffers outside of the stack are added some at a time, those with the
// most bytes times duration first; whenever some find no place, the order of
// the stack or the placement of others is changed, and a change is kept if the
// bytes left out increase by no more than a small random amount. The time that
// this takes varies much with the random numbers, so it is tried several times.
// Every other time with half the room above the goal: a higher ceiling is a
// larger gap between those that are placed from below and from above, and which
// of the two is better differs from problem to problem.

#include "loose_stack.h"

#include <string.h>

#include "loose_recipe.h"

enum {
  TRIALS = 8,
  // Buffers outside of the stack that are placed first, and more at a time.
  FIRST = 20,
  MORE = 10,
  // One change in so many concerns the buffers outside of the stack.
  ONE_OF = 4,
};

typedef struct stack_s {
  gmem_placer_t placer;
  uint32_t time;      // of the stack
  uint32_t *parents;  // by row of the stack: the largest one, or NO_PARENT
  uint32_t bottom;    // rows of parents and of those in the stack with one
  uint32_t height;    // these, and the others in the stack
  gmem_order_t *keys; // scratch
} stack_t;

#define NO_PARENT UINT32_MAX

static bool is_in_stack(const stack_t *stack, uint32_t row) {
  return gmem_is_live_at(stack->placer.loose->live, stack->placer.buffers[row],
                         stack->time);
}

//===--- the order to begin with ------------------------------------------===//

// The largest parent of |row| that is not in the stack and larger than it.
static uint32_t parent_of(const stack_t *stack, uint32_t row) {
  const gmem_placer_t *placer = &stack->placer;
  const gmem_loose_buffers_t *loose = placer->loose;
  uint32_t buffer = placer->buffers[row], parent = NO_PARENT;
  int64_t largest = placer->sizes[row];
  for (size_t i = loose->first_tie[buffer]; i < loose->first_tie[buffer + 1];
       ++i) {
    uint32_t other = gmem_problem_alias(loose->problem, loose->ties[i])->parent;
    if (other == buffer || !loose->is_used[other])
      continue;
    uint32_t at = placer->rows[other];
    if (placer->sizes[at] > largest && !is_in_stack(stack, at)) {
      largest = placer->sizes[at];
      parent = at;
    }
  }
  return parent;
}

static uint64_t duration_of(const stack_t *stack, uint32_t row) {
  const gmem_alias_pressure_t *live = stack->placer.loose->live;
  uint32_t buffer = stack->placer.buffers[row];
  uint64_t times = 0;
  for (size_t i = live->first_span[buffer]; i < live->first_span[buffer + 1];
       ++i)
    times += live->spans[i].end - live->spans[i].begin;
  return times;
}

static uint32_t end_of(const stack_t *stack, uint32_t row) {
  const gmem_alias_pressure_t *live = stack->placer.loose->live;
  return live->spans[live->first_span[stack->placer.buffers[row] + 1] - 1].end;
}

// Appends the |count| rows of the keys to |order|, the least key first.
static uint32_t append(stack_t *stack, uint32_t count, uint32_t *order,
                       uint32_t length) {
  gmem_sort_order(stack->keys, stack->keys + stack->placer.count, count);
  for (uint32_t i = 0; i < count; ++i)
    order[length++] = stack->keys[i].index;
  return length;
}

// Lists the parents, the largest first, each with its rows of the stack.
static uint32_t list_bottom(stack_t *stack, uint32_t *order) {
  const gmem_placer_t *placer = &stack->placer;
  uint32_t count = 0, length = 0;
  for (uint32_t row = 0; row < placer->count; ++row) {
    bool has_child = false;
    for (uint32_t i = 0; i < placer->count && !has_child; ++i)
      has_child = stack->parents[i] == row;
    if (has_child)
      stack->keys[count++] = (gmem_order_t){~(uint64_t)placer->sizes[row], row};
  }
  gmem_sort_order(stack->keys, stack->keys + placer->count, count);
  for (uint32_t k = 0; k < count; ++k) {
    order[length++] = stack->keys[k].index;
    for (uint32_t row = 0; row < placer->count; ++row)
      if (stack->parents[row] == stack->keys[k].index)
        order[length++] = row;
  }
  return length;
}

// Whether |row| is at the bottom, whose rows are in |outs| meanwhile.
static bool is_at_bottom(const stack_t *stack, uint32_t row) {
  for (uint32_t i = 0; i < stack->bottom; ++i)
    if (stack->placer.outs[i] == row)
      return true;
  return false;
}

// Lists all rows: the bottom, the rest of the stack, the others.
static void list_order(stack_t *stack, uint32_t *order) {
  const gmem_placer_t *placer = &stack->placer;
  uint64_t unit = (uint64_t)placer->ceiling / (UINT64_C(1) << 24) + 1;
  uint32_t count = 0;
  for (uint32_t row = 0; row < placer->count; ++row)
    stack->parents[row] =
        is_in_stack(stack, row) ? parent_of(stack, row) : NO_PARENT;
  stack->bottom = list_bottom(stack, order);
  memcpy(placer->outs, order, stack->bottom * sizeof *order);
  for (uint32_t row = 0; row < placer->count; ++row)
    if (is_in_stack(stack, row) && stack->parents[row] == NO_PARENT)
      stack->keys[count++] = (gmem_order_t){end_of(stack, row), row};
  stack->height = append(stack, count, order, stack->bottom);
  count = 0;
  for (uint32_t row = 0; row < placer->count; ++row)
    if (!is_in_stack(stack, row) && !is_at_bottom(stack, row))
      stack->keys[count++] = (gmem_order_t){
          ~((uint64_t)placer->sizes[row] / unit * duration_of(stack, row)),
          row};
  (void)append(stack, count, order, stack->height);
}

//===--- the search -------------------------------------------------------===//

// Moves a row of the stack that is above its bottom to another place there, or
// swaps two.
static void change_stack(stack_t *stack, gmem_recipe_t *recipe) {
  uint64_t *random = &stack->placer.random;
  uint32_t count = stack->height - stack->bottom;
  uint32_t *order = recipe->order + stack->bottom;
  uint32_t from = gmem_random_below(random, count);
  uint32_t to = gmem_random_below(random, count), row = order[from];
  if (gmem_random_below(random, 2)) {
    order[from] = order[to];
  } else if (from < to) {
    memmove(order + from, order + from + 1, (to - from) * sizeof *order);
  } else {
    memmove(order + to + 1, order + to, (from - to) * sizeof *order);
  }
  order[to] = row;
}

// Changes |next|, a copy of a recipe that leaves out |left_out| bytes. Returns
// whether that is to be kept.
static bool change(stack_t *stack, gmem_recipe_t *next) {
  gmem_placer_t *placer = &stack->placer;
  uint64_t most = next->left_out + gmem_placer_threshold(placer);
  uint32_t out = gmem_random_out(placer, next);
  bool is_open = placer->places[out] >= placer->fixed;
  if (stack->height - stack->bottom > 1 &&
      (!is_open || gmem_random_below(&placer->random, ONE_OF))) {
    change_stack(stack, next);
    return gmem_place_all(placer, next, most);
  }
  if (!is_open)
    return false;
  gmem_reordering_t made = gmem_recipe_change(placer, next, out);
  return gmem_place_again(placer, next, made, most);
}

// Adds more rows to those that are placed, all of which have places.
static void add_rows(stack_t *stack, gmem_recipe_t *now) {
  gmem_placer_t *placer = &stack->placer;
  uint32_t left = placer->count - placer->active;
  placer->active += left < MORE ? left : MORE;
  (void)gmem_place_all(placer, now, UINT64_MAX);
  gmem_number_places(placer, now);
}

// Whether all rows find places, with |now| as the first recipe.
static bool search_places(stack_t *stack, uint64_t steps, gmem_recipe_t *now,
                          gmem_recipe_t *next) {
  gmem_placer_t *placer = &stack->placer;
  uint64_t limit = gmem_search_limit_stage(placer->search, steps);
  uint32_t left = placer->count - stack->height;
  placer->fixed = stack->height;
  placer->active = stack->height + (left < FIRST ? left : FIRST);
  (void)gmem_place_all(placer, now, UINT64_MAX);
  gmem_number_places(placer, now);
  while ((now->left_out || placer->active < placer->count) &&
         gmem_placer_spend(placer)) {
    if (now->left_out == 0) {
      add_rows(stack, now);
      continue;
    }
    gmem_recipe_copy(placer, now, next);
    if (!change(stack, next))
      continue;
    gmem_recipe_t old = *now;
    *now = *next;
    *next = old;
    gmem_number_places(placer, now);
  }
  placer->search->stage_limit = limit;
  return now->left_out == 0 && placer->active == placer->count;
}

static gmem_status_t run(stack_t *stack, uint64_t steps, uint64_t slack,
                         gmem_scratch_t *memory, bool *out_found) {
  gmem_placer_t *placer = &stack->placer;
  gmem_recipe_t start, now, next;
  GMEM_TRY_NEW(stack->parents, memory, placer->count);
  GMEM_TRY_NEW(stack->keys, memory, 2 * (size_t)placer->count);
  GMEM_TRY(gmem_recipe_create(placer, memory, &start));
  GMEM_TRY(gmem_recipe_create(placer, memory, &now));
  GMEM_TRY(gmem_recipe_create(placer, memory, &next));
  list_order(stack, start.order);
  for (uint32_t row = 0; row < placer->count; ++row)
    start.alias[row] = GMEM_ANY_ALIAS;
  for (int i = 0; i < TRIALS && !*out_found; ++i) {
    placer->ceiling = (int64_t)(placer->goal + slack / (i % 2 ? 2 : 1));
    gmem_recipe_copy(placer, &start, &now);
    *out_found = search_places(stack, steps / TRIALS, &now, &next);
  }
  if (*out_found)
    gmem_write_offsets(placer, &now);
  return GMEM_OK;
}

static gmem_status_t find_time(const gmem_loose_buffers_t *loose,
                               gmem_alias_pressure_t *live,
                               gmem_scratch_t *memory, uint32_t *out_time) {
  size_t count = gmem_problem_alias_count(loose->problem);
  bool *chosen; // all: the least pressure
  GMEM_TRY_NEW(chosen, memory, count);
  memset(chosen, true, count);
  *out_time = gmem_find_pressure(live, chosen).first;
  return GMEM_OK;
}

gmem_status_t gmem_stack_loose(gmem_loose_buffers_t *loose,
                               gmem_alias_pressure_t *live,
                               gmem_search_t *search, uint64_t steps,
                               uint64_t goal, uint64_t slack,
                               const uint64_t *rounded, gmem_scratch_t *memory,
                               bool *out_found) {
  stack_t stack = {.placer = {.loose = loose,
                              .search = search,
                              .ceiling = (int64_t)(goal + slack),
                              .goal = goal,
                              .random = UINT64_C(0x9e3779b97f4a7c15)}};
  int64_t *offsets;
  *out_found = false;
  uint32_t used = 0;
  for (uint32_t i = 0; i < loose->count; ++i)
    used += loose->is_used[i];
  if (used == 0 || used > GMEM_MOST_ROWS)
    return GMEM_OK;
  GMEM_TRY_NEW(offsets, memory, loose->count);
  memcpy(offsets, loose->offsets, loose->count * sizeof *offsets);
  GMEM_TRY(find_time(loose, live, memory, &stack.time));
  GMEM_TRY(gmem_placer_create(&stack.placer, rounded, memory));
  GMEM_TRY(run(&stack, steps, slack, memory, out_found));
  if (!*out_found)
    memcpy(loose->offsets, offsets, loose->count * sizeof *offsets);
  memcpy(loose->is_placed, loose->is_used, loose->count);
  return GMEM_OK;
}
