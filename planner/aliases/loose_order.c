// loose_order.c - lowers the peak of buffers by the order of their placement.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where the pressure is at the bound at some time, the buffers that are live
// then form a stack without gaps. Moves of single buffers (alias_climb.c)
// hardly change such a stack: a buffer of another size in its middle moves all
// that lie above. Here the buffers are placed one after the other, each at the
// place of an alias that it prefers, or at the lowest or highest place below
// the ceiling that is free (loose_recipe.c). So a change of the order moves the
// rest of the stack by itself.
//
// Those that find no place are left out. The search changes the order, the
// sides and the aliases, and keeps a change if the bytes left out increase by
// no more than a random amount, which is small (threshold accepting). When all
// buffers have a place, the ceiling is lowered. The order to begin with is that
// of the offsets.

#include "loose_order.h"

#include <assert.h>
#include <string.h>

#include "loose_recipe.h"

enum {
  // The ceiling is lowered by this fraction of the distance to the goal.
  LADDER = 4,
  // Changes without success until the search returns to the last placement of
  // all buffers.
  PATIENCE = 5000,
};

//===--- the search -------------------------------------------------------===//

// Continues with all of |from| placed below a lower ceiling.
static void lower(gmem_placer_t *placer, const gmem_recipe_t *from,
                  gmem_recipe_t *to) {
  uint64_t excess = from->peak - placer->goal;
  placer->ceiling = (int64_t)(from->peak - (excess + LADDER - 1) / LADDER);
  gmem_recipe_copy(placer, from, to);
  (void)gmem_place_all(placer, to, UINT64_MAX);
  gmem_number_places(placer, to);
}

// |best| places all buffers, and so it does afterwards.
static void search_orders(gmem_placer_t *placer, uint64_t steps,
                          gmem_recipe_t *best, gmem_recipe_t *now,
                          gmem_recipe_t *next) {
  uint64_t limit = gmem_search_limit_stage(placer->search, steps);
  uint32_t failures = 0;
  if (best->peak > placer->goal)
    lower(placer, best, now);
  while (best->peak > placer->goal && gmem_placer_spend(placer)) {
    if (now->left_out == 0) {
      gmem_recipe_copy(placer, now, best);
      failures = 0;
      if (best->peak > placer->goal)
        lower(placer, best, now);
      continue;
    }
    if (++failures > PATIENCE) {
      lower(placer, best, now);
      failures = 0;
    }
    gmem_recipe_copy(placer, now, next);
    gmem_reordering_t made =
        gmem_recipe_change(placer, next, gmem_random_out(placer, now));
    uint64_t most = now->left_out + gmem_placer_threshold(placer);
    if (!gmem_place_again(placer, next, made, most))
      continue;
    gmem_recipe_t old = *now;
    *now = *next;
    *next = old;
    gmem_number_places(placer, now);
  }
  placer->search->stage_limit = limit;
}

//===--- set-up -----------------------------------------------------------===//
// The alias that is in place between |row| and one that is earlier in the
// order; GMEM_NO_ALIAS: none.
static uint32_t alias_in_place(const gmem_placer_t *placer, uint32_t row,
                               const bool *is_ordered) {
  const gmem_loose_buffers_t *loose = placer->loose;
  uint32_t buffer = placer->buffers[row];
  for (size_t i = loose->first_tie[buffer]; i < loose->first_tie[buffer + 1];
       ++i) {
    const gmem_alias_spec_t *alias =
        gmem_problem_alias(loose->problem, loose->ties[i]);
    uint32_t other = alias->child == buffer ? alias->parent : alias->child;
    if (loose->is_used[other] && is_ordered[placer->rows[other]] &&
        gmem_is_tied(loose, loose->ties[i]))
      return loose->ties[i];
  }
  return GMEM_NO_ALIAS;
}

static bool has_alias_in_place(const gmem_placer_t *placer, uint32_t row) {
  const gmem_loose_buffers_t *loose = placer->loose;
  uint32_t buffer = placer->buffers[row];
  for (size_t i = loose->first_tie[buffer]; i < loose->first_tie[buffer + 1];
       ++i)
    if (gmem_is_tied(loose, loose->ties[i]))
      return true;
  return false;
}

// Orders the rows by offset; of equal offsets, those first that have an alias
// in place with an earlier one.
static void order_by_offset(const gmem_placer_t *placer, gmem_order_t *rows,
                            bool *is_ordered, gmem_recipe_t *recipe) {
  uint32_t count = 0;
  memset(is_ordered, 0, placer->count);
  for (uint32_t begin = 0, end; begin < placer->count; begin = end) {
    for (end = begin; end < placer->count && rows[end].key == rows[begin].key;)
      ++end;
    while (count < end) {
      uint32_t next = UINT32_MAX, alias = GMEM_NO_ALIAS;
      for (uint32_t i = begin; i < end && alias == GMEM_NO_ALIAS; ++i) {
        if (is_ordered[rows[i].index])
          continue;
        alias = alias_in_place(placer, rows[i].index, is_ordered);
        next =
            next == UINT32_MAX || alias != GMEM_NO_ALIAS ? rows[i].index : next;
      }
      recipe->alias[next] =
          alias == GMEM_NO_ALIAS && has_alias_in_place(placer, next)
              ? GMEM_AT_START
              : alias;
      recipe->order[count++] = next;
      is_ordered[next] = true;
    }
  }
}

static gmem_status_t make_start(const gmem_placer_t *placer,
                                gmem_scratch_t *memory, gmem_recipe_t *start) {
  gmem_order_t *rows, *scratch;
  bool *is_ordered;
  GMEM_TRY(gmem_recipe_create(placer, memory, start));
  GMEM_TRY_NEW(rows, memory, placer->count);
  GMEM_TRY_NEW(scratch, memory, placer->count);
  GMEM_TRY_NEW(is_ordered, memory, placer->count);
  for (uint32_t i = 0; i < placer->count; ++i)
    rows[i] = (gmem_order_t){
        gmem_time_key(placer->loose->offsets[placer->buffers[i]]), i};
  gmem_sort_order(rows, scratch, placer->count);
  order_by_offset(placer, rows, is_ordered, start);
  for (uint32_t i = 0; i < placer->count; ++i)
    if (start->alias[i] == GMEM_NO_ALIAS &&
        placer->sizes_elsewhere[i] > placer->sizes[i])
      start->alias[i] = GMEM_ANY_ALIAS;
  return GMEM_OK;
}

// Tries several times from the same start on, with other random numbers.
static gmem_status_t run(gmem_placer_t *placer, uint32_t trials, uint64_t steps,
                         gmem_scratch_t *memory, uint64_t *peak) {
  gmem_recipe_t start, best, now, next;
  GMEM_TRY(make_start(placer, memory, &start));
  GMEM_TRY(gmem_recipe_create(placer, memory, &best));
  GMEM_TRY(gmem_recipe_create(placer, memory, &now));
  GMEM_TRY(gmem_recipe_create(placer, memory, &next));
  int64_t *offsets;
  GMEM_TRY_NEW(offsets, memory, placer->loose->count);
  memcpy(offsets, placer->loose->offsets,
         placer->loose->count * sizeof *offsets);
  for (uint32_t i = 0; *peak > placer->goal && i < trials; ++i) {
    placer->ceiling = GMEM_MAX_ADDRESS / 2;
    gmem_recipe_copy(placer, &start, &best);
    (void)gmem_place_all(placer, &best, UINT64_MAX);
    search_orders(placer, steps / trials, &best, &now, &next);
    if (best.peak >= *peak)
      continue;
    *peak = best.peak;
    gmem_write_offsets(placer, &best);
    memcpy(offsets, placer->loose->offsets,
           placer->loose->count * sizeof *offsets);
  }
  memcpy(placer->loose->offsets, offsets,
         placer->loose->count * sizeof *offsets);
  memcpy(placer->loose->is_placed, placer->loose->is_used,
         placer->loose->count);
  return GMEM_OK;
}

gmem_status_t gmem_reorder_loose(gmem_loose_buffers_t *loose,
                                 gmem_search_t *search, uint32_t trials,
                                 uint64_t steps, uint64_t goal,
                                 const uint64_t *rounded,
                                 gmem_scratch_t *memory) {
  gmem_placer_t placer = {.loose = loose,
                          .search = search,
                          .goal = goal,
                          .random = UINT64_C(0x9e3779b97f4a7c15)};
  uint64_t peak = 0;
  uint32_t count = 0;
  bool is_aligned = true;
  for (uint32_t i = 0; i < loose->count; ++i) {
    if (!loose->is_used[i])
      continue;
    uint64_t end = (uint64_t)loose->offsets[i] +
                   gmem_problem_buffer(loose->problem, i)->size;
    assert(loose->is_placed[i]);
    peak = end > peak ? end : peak;
    is_aligned &= gmem_is_aligned_at(loose, i, loose->offsets[i]);
    ++count;
  }
  peak = is_aligned ? peak : UINT64_MAX;
  if (count == 0 || count > GMEM_MOST_ROWS || peak <= goal)
    return GMEM_OK;
  GMEM_TRY(gmem_placer_create(&placer, rounded, memory));
  return run(&placer, trials, steps, memory, &peak);
}
