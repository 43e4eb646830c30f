// loose_recipe.c - places single buffers one after the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Each buffer is placed at the place of an alias that it prefers, or at the
// lowest or highest place below the ceiling that is free; those that find none
// are left out. So a change of the order moves the rest of a stack by itself.
//
// After a change only those buffers are placed again whose rivals or aliases
// are elsewhere than before.

#include "loose_recipe.h"

#include <assert.h>
#include <string.h>

enum {
  // A change may leave out this fraction of the goal more; twice as much half
  // as often, and so on.
  THRESHOLD = 1 << 14,
  // The work to look at a buffer, in units of work: 1 / this.
  LOOKS_PER_STEP = 2,
};

// What is known of two buffers.
typedef enum pair_e { STRANGERS, RIVALS, RIVALS_WITH_ALIAS } pair_t;

//===--- sets of rows -----------------------------------------------------===//

static bool has(const uint64_t *set, uint32_t row) {
  return set[row / 64] >> row % 64 & 1;
}

static void add(uint64_t *set, uint32_t row) {
  set[row / 64] |= UINT64_C(1) << row % 64;
}

static void drop(uint64_t *set, uint32_t row) {
  set[row / 64] &= ~(UINT64_C(1) << row % 64);
}

static void clear(const gmem_placer_t *placer, uint64_t *set) {
  memset(set, 0, placer->words * sizeof *set);
}

//===--- the place of one buffer ------------------------------------------===//

static pair_t pair_of(const gmem_placer_t *placer, uint32_t a, uint32_t b) {
  return (pair_t)placer->pairs[(size_t)a * placer->count + b];
}

// Whether the alias of two rivals is in place when |row| is |apart| bytes above
// |other|.
static bool is_alias(const gmem_placer_t *placer, uint32_t row, uint32_t other,
                     int64_t apart) {
  const gmem_loose_buffers_t *loose = placer->loose;
  uint32_t self = placer->buffers[row], rival = placer->buffers[other];
  size_t low = loose->first_rival[self], high = loose->first_rival[self + 1];
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (loose->rivals[middle].buffer < rival)
      low = middle + 1;
    else
      high = middle;
  }
  assert(loose->rivals[low].buffer == rival);
  return loose->rivals[low].distance == apart;
}

static bool is_free(gmem_placer_t *placer, const gmem_recipe_t *recipe,
                    uint32_t row, int64_t at) {
  int64_t end = at + placer->sizes[row];
  if (at < 0 || end > placer->ceiling)
    return false;
  for (uint32_t i = 0; i < recipe->placed; ++i) {
    uint32_t other = recipe->by_high[i];
    ++placer->looks;
    if (recipe->ends[other] <= at)
      return true;
    if (has(placer->barriers, other) && recipe->offsets[other] < end &&
        !(pair_of(placer, row, other) == RIVALS_WITH_ALIAS &&
          is_alias(placer, row, other, at - recipe->offsets[other])))
      return false;
  }
  return true;
}

// Finds a free place of |row| at the alias that it prefers.
static bool find_alias(gmem_placer_t *placer, const gmem_recipe_t *recipe,
                       uint32_t row, int64_t *out_at) {
  const gmem_loose_buffers_t *loose = placer->loose;
  uint32_t buffer = placer->buffers[row], wanted = recipe->alias[row];
  *out_at = placer->starts[row];
  if (wanted == GMEM_NO_ALIAS || wanted == GMEM_AT_START)
    return wanted == GMEM_AT_START && is_free(placer, recipe, row, *out_at) &&
           gmem_is_aligned_at(loose, buffer, *out_at);
  for (size_t i = loose->first_tie[buffer]; i < loose->first_tie[buffer + 1];
       ++i) {
    const gmem_alias_spec_t *alias =
        gmem_problem_alias(loose->problem, loose->ties[i]);
    bool is_child = alias->child == buffer;
    uint32_t other = is_child ? alias->parent : alias->child;
    if (!loose->is_placed[other] ||
        (wanted != GMEM_ANY_ALIAS && wanted != loose->ties[i]))
      continue;
    int64_t distance = (int64_t)alias->offset;
    *out_at = recipe->offsets[placer->rows[other]] +
              (is_child ? distance : -distance);
    if (is_free(placer, recipe, row, *out_at) &&
        gmem_is_aligned_at(loose, buffer, *out_at))
      return true;
  }
  return false;
}

static bool find_lowest(gmem_placer_t *placer, const gmem_recipe_t *recipe,
                        uint32_t row, int64_t *out_at) {
  uint32_t buffer = placer->buffers[row];
  int64_t size = placer->sizes_elsewhere[row];
  int64_t at = gmem_loose_align(placer->loose, buffer, 0, false);
  for (uint32_t i = 0; i < recipe->placed; ++i) {
    uint32_t other = recipe->by_low[i];
    ++placer->looks;
    if (recipe->offsets[other] >= at + size)
      break;
    int64_t end = recipe->ends[other];
    if (end > at && has(placer->barriers, other))
      at = gmem_loose_align(placer->loose, buffer, end, false);
  }
  *out_at = at;
  return at + size <= placer->ceiling;
}

static bool find_highest(gmem_placer_t *placer, const gmem_recipe_t *recipe,
                         uint32_t row, int64_t *out_at) {
  uint32_t buffer = placer->buffers[row];
  int64_t size = placer->sizes_elsewhere[row], high = placer->ceiling - size;
  if (high < 0)
    return false;
  int64_t at = gmem_loose_align(placer->loose, buffer, high, true);
  for (uint32_t i = 0; i < recipe->placed && at >= 0; ++i) {
    uint32_t other = recipe->by_high[i];
    ++placer->looks;
    if (recipe->ends[other] <= at)
      break;
    if (recipe->offsets[other] >= at + size || !has(placer->barriers, other))
      continue;
    high = recipe->offsets[other] - size;
    at = high < 0 ? high : gmem_loose_align(placer->loose, buffer, high, true);
  }
  *out_at = at;
  return at >= 0;
}

//===--- all buffers ------------------------------------------------------===//

static void insert(uint32_t *list, uint32_t count, uint32_t at, uint32_t row) {
  memmove(list + at + 1, list + at, (count - at) * sizeof *list);
  list[at] = row;
}

static void erase(uint32_t *list, uint32_t count, uint32_t row) {
  uint32_t at = 0;
  while (list[at] != row)
    ++at;
  memmove(list + at, list + at + 1, (count - at - 1) * sizeof *list);
}

static void put(gmem_recipe_t *recipe, uint32_t row, int64_t at, int64_t end) {
  uint32_t low = 0, high = recipe->placed;
  recipe->offsets[row] = at;
  recipe->ends[row] = end;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (recipe->offsets[recipe->by_low[middle]] < at)
      low = middle + 1;
    else
      high = middle;
  }
  insert(recipe->by_low, recipe->placed, low, row);
  for (low = 0, high = recipe->placed; low < high;) {
    uint32_t middle = low + (high - low) / 2;
    if (recipe->ends[recipe->by_high[middle]] > end)
      low = middle + 1;
    else
      high = middle;
  }
  insert(recipe->by_high, recipe->placed++, low, row);
}

static void take_out(gmem_recipe_t *recipe, uint32_t row) {
  erase(recipe->by_low, recipe->placed, row);
  erase(recipe->by_high, recipe->placed--, row);
}

// Counts |row| at the place that the recipe has for it.
static void keep(const gmem_placer_t *placer, gmem_recipe_t *recipe,
                 uint32_t row) {
  if (recipe->is_out[row]) {
    recipe->left_out += (uint64_t)placer->sizes[row];
    return;
  }
  uint32_t buffer = placer->buffers[row];
  uint64_t end = (uint64_t)recipe->ends[row];
  add(placer->placed, row);
  placer->loose->is_placed[buffer] = true;
  placer->loose->offsets[buffer] = recipe->offsets[row];
  recipe->peak = end > recipe->peak ? end : recipe->peak;
}

// Finds a place for |row| beside those that are placed, and whether it is
// elsewhere than before.
static void place(gmem_placer_t *placer, gmem_recipe_t *recipe, uint32_t row) {
  const uint64_t *rivals = placer->rivals + (size_t)row * placer->words;
  int64_t at;
  for (uint32_t i = 0; i < placer->words; ++i)
    placer->barriers[i] = rivals[i] & placer->placed[i];
  bool is_tied = find_alias(placer, recipe, row, &at);
  bool is_out = !is_tied &&
                !(recipe->is_high[row] ? find_highest(placer, recipe, row, &at)
                                       : find_lowest(placer, recipe, row, &at));
  int64_t end = at + (is_tied ? placer->sizes : placer->sizes_elsewhere)[row];
  drop(placer->changed, row);
  if (is_out == recipe->is_out[row] &&
      (is_out || (at == recipe->offsets[row] && end == recipe->ends[row])))
    return;
  add(placer->changed, row);
  if (!recipe->is_out[row])
    take_out(recipe, row);
  recipe->is_out[row] = is_out;
  if (!is_out)
    put(recipe, row, at, end);
}

static bool is_affected(const gmem_placer_t *placer, uint32_t row) {
  const uint64_t *affects = placer->affects + (size_t)row * placer->words;
  uint64_t found = 0;
  for (uint32_t i = 0; i < placer->words; ++i)
    found |= affects[i] & placer->changed[i];
  return found != 0;
}

static void begin(gmem_placer_t *placer, gmem_recipe_t *recipe) {
  clear(placer, placer->placed);
  memset(placer->loose->is_placed, 0, placer->loose->count);
  recipe->left_out = recipe->peak = 0;
}

bool gmem_place_all(gmem_placer_t *placer, gmem_recipe_t *recipe,
                    uint64_t limit) {
  begin(placer, recipe);
  recipe->placed = 0;
  memset(recipe->is_out, true, placer->count);
  for (uint32_t i = 0; i < placer->active && recipe->left_out <= limit; ++i) {
    place(placer, recipe, recipe->order[i]);
    keep(placer, recipe, recipe->order[i]);
  }
  return recipe->left_out <= limit;
}

bool gmem_place_again(gmem_placer_t *placer, gmem_recipe_t *recipe,
                      gmem_reordering_t change, uint64_t limit) {
  bool is_elsewhere = false;
  begin(placer, recipe);
  clear(placer, placer->changed);
  for (uint32_t i = 0; i < placer->active && recipe->left_out <= limit; ++i) {
    uint32_t row = recipe->order[i];
    if (i == change.first)
      add(placer->changed, change.row);
    if (row == change.row || is_affected(placer, row))
      place(placer, recipe, row);
    if (row == change.row) {
      is_elsewhere = has(placer->changed, row);
      add(placer->changed, row);
    }
    // Those between its two positions find it placed, or not, unlike before.
    if (i == change.last && !is_elsewhere)
      drop(placer->changed, change.row);
    keep(placer, recipe, row);
  }
  return recipe->left_out <= limit;
}

void gmem_recipe_copy(const gmem_placer_t *placer, const gmem_recipe_t *from,
                      gmem_recipe_t *to) {
  size_t count = placer->count;
  memcpy(to->order, from->order, count * sizeof *to->order);
  memcpy(to->alias, from->alias, count * sizeof *to->alias);
  memcpy(to->is_high, from->is_high, count * sizeof *to->is_high);
  memcpy(to->offsets, from->offsets, count * sizeof *to->offsets);
  memcpy(to->ends, from->ends, count * sizeof *to->ends);
  memcpy(to->is_out, from->is_out, count * sizeof *to->is_out);
  memcpy(to->by_low, from->by_low, count * sizeof *to->by_low);
  memcpy(to->by_high, from->by_high, count * sizeof *to->by_high);
  to->placed = from->placed;
  to->left_out = from->left_out;
  to->peak = from->peak;
}

//===--- changes ----------------------------------------------------------===//

static uint32_t below(gmem_placer_t *placer, uint32_t limit) {
  return gmem_random_below(&placer->random, limit);
}

// Whether |row| is among those whose placement is changed.
static bool is_open(const gmem_placer_t *placer, uint32_t row) {
  return placer->places[row] >= placer->fixed &&
         placer->places[row] < placer->active;
}

// A random open row. There is one.
static uint32_t any_row(gmem_placer_t *placer) {
  uint32_t row = below(placer, placer->count);
  while (!is_open(placer, row))
    row = below(placer, placer->count);
  return row;
}

// A random open rival of |row|, or any open row where none is found.
static uint32_t rival_of(gmem_placer_t *placer, uint32_t row) {
  enum { TRIES = 8 };
  const gmem_loose_buffers_t *loose = placer->loose;
  size_t first = loose->first_rival[placer->buffers[row]];
  size_t count = loose->first_rival[placer->buffers[row] + 1] - first;
  for (int i = 0; count && i < TRIES; ++i) {
    size_t at = first + below(placer, (uint32_t)count);
    uint32_t rival = placer->rows[loose->rivals[at].buffer];
    if (is_open(placer, rival))
      return rival;
  }
  return any_row(placer);
}

// A random position of open rows.
static uint32_t any_place(gmem_placer_t *placer) {
  return placer->fixed + below(placer, placer->active - placer->fixed);
}

// Moves the row to position |to|.
static void move(gmem_recipe_t *recipe, uint32_t to,
                 gmem_reordering_t *change) {
  uint32_t from = change->first, *order = recipe->order;
  if (from < to)
    memmove(order + from, order + from + 1, (to - from) * sizeof *order);
  else
    memmove(order + to + 1, order + to, (from - to) * sizeof *order);
  order[to] = change->row;
  change->first = from < to ? from : to;
  change->last = from < to ? to : from;
}

static void change_alias(gmem_placer_t *placer, gmem_recipe_t *recipe,
                         uint32_t row) {
  const gmem_loose_buffers_t *loose = placer->loose;
  size_t at = loose->first_tie[placer->buffers[row]];
  size_t count = loose->first_tie[placer->buffers[row] + 1] - at;
  if (count == 0)
    return;
  bool is_any = below(placer, 2);
  recipe->alias[row] = recipe->alias[row] != GMEM_NO_ALIAS ? GMEM_NO_ALIAS
                       : is_any
                           ? GMEM_ANY_ALIAS
                           : loose->ties[at + below(placer, (uint32_t)count)];
}

static void change_side(gmem_recipe_t *recipe, uint32_t row) {
  recipe->is_high[row] = !recipe->is_high[row];
}

// A position before |row|: usually that of a rival.
static uint32_t earlier(gmem_placer_t *placer, uint32_t row) {
  enum { TRIES = 4 };
  uint32_t at = placer->places[row];
  for (int i = 0; i < TRIES; ++i) {
    uint32_t to = placer->places[rival_of(placer, row)];
    if (to < at)
      return to;
  }
  return placer->fixed + below(placer, at - placer->fixed + 1);
}

static uint32_t later(gmem_placer_t *placer, uint32_t row) {
  uint32_t at = placer->places[row];
  return at + below(placer, placer->active - at);
}

static gmem_reordering_t change_of(const gmem_placer_t *placer, uint32_t row) {
  uint32_t at = placer->places[row];
  return (gmem_reordering_t){row, at, at};
}

// Changes what concerns |out|, which found no place.
gmem_reordering_t gmem_recipe_change(gmem_placer_t *placer,
                                     gmem_recipe_t *recipe, uint32_t out) {
  uint32_t rival = rival_of(placer, out);
  uint32_t kind = below(placer, 10);
  gmem_reordering_t change =
      change_of(placer, kind < 3 || kind == 6 ? out : rival);
  if (kind < 3) {
    move(recipe, earlier(placer, out), &change);
  } else if (kind < 6) {
    if (below(placer, 2))
      change_alias(placer, recipe, rival);
    if (below(placer, 4) == 0)
      change_side(recipe, rival);
    move(recipe, later(placer, out), &change);
  } else if (kind < 7) {
    change_side(recipe, out);
    move(recipe, any_place(placer), &change);
  } else if (kind < 8) {
    change_alias(placer, recipe, rival);
    if (below(placer, 2))
      change_side(recipe, rival);
  } else if (kind < 9) {
    change = change_of(placer, any_row(placer));
    move(recipe, any_place(placer), &change);
  } else {
    move(recipe, placer->places[rival_of(placer, out)], &change);
  }
  return change;
}

//===--- steps of a search ------------------------------------------------===//

void gmem_number_places(const gmem_placer_t *placer,
                        const gmem_recipe_t *recipe) {
  for (uint32_t i = 0; i < placer->count; ++i)
    placer->places[recipe->order[i]] = i;
}

bool gmem_placer_spend(gmem_placer_t *placer) {
  uint64_t steps = (placer->looks + placer->active) / LOOKS_PER_STEP;
  placer->looks = 0;
  return gmem_search_spend(placer->search, steps);
}

// The bytes more that a change may leave out.
uint64_t gmem_placer_threshold(gmem_placer_t *placer) {
  uint64_t bits = gmem_xorshift(&placer->random) | UINT64_C(1) << 32;
  return (placer->goal / THRESHOLD + 1) * (uint64_t)__builtin_ctzll(bits);
}

uint32_t gmem_random_out(gmem_placer_t *placer, const gmem_recipe_t *recipe) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < placer->count; ++i)
    if (recipe->is_out[i] && placer->places[i] < placer->active)
      placer->outs[count++] = i;
  return placer->outs[below(placer, count)];
}

//===--- set-up -----------------------------------------------------------===//

gmem_status_t gmem_recipe_create(const gmem_placer_t *placer,
                                 gmem_scratch_t *memory,
                                 gmem_recipe_t *recipe) {
  size_t count = placer->count;
  *recipe = (gmem_recipe_t){0};
  GMEM_TRY_NEW(recipe->order, memory, count);
  GMEM_TRY_NEW(recipe->alias, memory, count);
  GMEM_TRY_ZEROS(recipe->is_high, memory, count);
  GMEM_TRY_ZEROS(recipe->offsets, memory, count);
  GMEM_TRY_ZEROS(recipe->ends, memory, count);
  GMEM_TRY_ZEROS(recipe->is_out, memory, count);
  GMEM_TRY_ZEROS(recipe->by_low, memory, count);
  GMEM_TRY_ZEROS(recipe->by_high, memory, count);
  return GMEM_OK;
}

static void list_pairs(const gmem_placer_t *placer) {
  const gmem_loose_buffers_t *loose = placer->loose;
  for (uint32_t row = 0; row < placer->count; ++row) {
    uint32_t buffer = placer->buffers[row];
    uint64_t *rivals = placer->rivals + (size_t)row * placer->words;
    uint64_t *affects = placer->affects + (size_t)row * placer->words;
    for (size_t i = loose->first_rival[buffer];
         i < loose->first_rival[buffer + 1]; ++i) {
      uint32_t other = placer->rows[loose->rivals[i].buffer];
      add(rivals, other);
      add(affects, other);
      placer->pairs[(size_t)row * placer->count + other] =
          loose->rivals[i].distance == GMEM_NO_DISTANCE ? RIVALS
                                                        : RIVALS_WITH_ALIAS;
    }
    for (size_t i = loose->first_tie[buffer]; i < loose->first_tie[buffer + 1];
         ++i) {
      const gmem_alias_spec_t *alias =
          gmem_problem_alias(loose->problem, loose->ties[i]);
      uint32_t other = alias->child == buffer ? alias->parent : alias->child;
      if (loose->is_used[other])
        add(affects, placer->rows[other]);
    }
  }
}

gmem_status_t gmem_placer_create(gmem_placer_t *placer, const uint64_t *rounded,
                                 gmem_scratch_t *memory) {
  const gmem_loose_buffers_t *loose = placer->loose;
  size_t count = 0;
  for (uint32_t i = 0; i < loose->count; ++i)
    count += loose->is_used[i];
  placer->count = placer->active = (uint32_t)count;
  GMEM_TRY_NEW(placer->buffers, memory, count);
  GMEM_TRY_NEW(placer->rows, memory, loose->count);
  GMEM_TRY_NEW(placer->sizes, memory, count);
  GMEM_TRY_NEW(placer->sizes_elsewhere, memory, count);
  GMEM_TRY_NEW(placer->starts, memory, count);
  GMEM_TRY_NEW(placer->places, memory, count);
  GMEM_TRY_NEW(placer->outs, memory, count);
  GMEM_TRY_ZEROS(placer->pairs, memory, count * count);
  placer->words = (uint32_t)(count + 63) / 64;
  GMEM_TRY_ZEROS(placer->rivals, memory, count * placer->words);
  GMEM_TRY_ZEROS(placer->affects, memory, count * placer->words);
  GMEM_TRY_ZEROS(placer->placed, memory, placer->words);
  GMEM_TRY_ZEROS(placer->changed, memory, placer->words);
  GMEM_TRY_ZEROS(placer->barriers, memory, placer->words);
  for (uint32_t i = 0, row = 0; i < loose->count; ++i)
    if (loose->is_used[i]) {
      placer->sizes[row] = placer->sizes_elsewhere[row] =
          (int64_t)gmem_problem_buffer(loose->problem, i)->size;
      if (rounded)
        placer->sizes_elsewhere[row] = (int64_t)rounded[i];
      placer->starts[row] = loose->offsets[i];
      placer->buffers[row] = i;
      placer->rows[i] = row++;
    }
  list_pairs(placer);
  return GMEM_OK;
}

void gmem_write_offsets(const gmem_placer_t *placer,
                        const gmem_recipe_t *recipe) {
  for (uint32_t i = 0; i < placer->count; ++i)
    placer->loose->offsets[placer->buffers[i]] = recipe->offsets[i];
}
