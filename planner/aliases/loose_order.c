// loose_order.c - lowers the peak of buffers by the order of their placement.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where the pressure is at the bound at some time, the buffers that are live
// then form a stack without gaps. Moves of single buffers (alias_climb.c)
// hardly change such a stack: a buffer of another size in its middle moves all
// that lie above. Here the buffers are placed one after the other, each at the
// place of an alias that it prefers, or at the lowest or highest place below
// the ceiling that is free. So a change of the order moves the rest of the
// stack by itself.
//
// Those that find no place are left out. The search changes the order, the
// sides and the aliases, and keeps a change if the bytes left out increase by
// no more than a random amount, which is small (threshold accepting). When all
// buffers have a place, the ceiling is lowered. The order to begin with is that
// of the offsets.
//
// After a change only those buffers are placed again whose rivals or aliases
// are elsewhere than before.

#include "loose_order.h"

#include <assert.h>
#include <string.h>

enum {
  // The matrix of rivals has this many rows at most.
  MOST_ROWS = 1 << 10,
  // The ceiling is lowered by this fraction of the distance to the goal.
  LADDER = 4,
  // A change may leave out this fraction of the goal more; twice as much half
  // as often, and so on.
  THRESHOLD = 1 << 14,
  // Changes without success until the search returns to the last placement of
  // all buffers.
  PATIENCE = 5000,
  // The work to look at a buffer, in units of work: 1 / this.
  LOOKS_PER_STEP = 2,
};

// Aliases that a buffer prefers, besides the number of one.
#define ANY_ALIAS UINT32_MAX
#define NO_ALIAS (UINT32_MAX - 1)
// None, but the offset to begin with: that of a buffer with others at aliases,
// for which there may be no room elsewhere.
#define AT_START (UINT32_MAX - 2)

// What is known of two buffers.
typedef enum pair_e { STRANGERS, RIVALS, RIVALS_WITH_ALIAS } pair_t;

// How all buffers are placed, and the result. All but |order| and the lists are
// by row.
typedef struct recipe_s {
  uint32_t *order; // rows
  uint32_t *alias; // preferred
  bool *is_high;   // prefers the highest place
  int64_t *offsets, *ends;
  bool *is_out;      // found no place
  uint32_t *by_low;  // those that have a place, by their lowest byte
  uint32_t *by_high; // and by their end, the highest first
  uint32_t placed;   // length of both
  uint64_t left_out; // bytes without a place
  uint64_t peak;     // of those with a place
} recipe_t;

// A row that is placed in another way, and the positions between which the
// order differs.
typedef struct change_s {
  uint32_t row, first, last;
} change_t;

typedef struct reorder_s {
  gmem_loose_buffers_t *loose;
  gmem_search_t *search;
  uint32_t count;           // of rows
  uint32_t *buffers;        // by row
  uint32_t *rows;           // by buffer that is used
  int64_t *sizes;           // by row
  int64_t *sizes_elsewhere; // by row: where no alias is in place
  int64_t *starts;          // by row: the offset to begin with
  uint8_t *pairs;           // by row and row: pair_t
  uint32_t words;           // of a set of rows
  uint64_t *rivals;         // by row: set of rows that it interferes with
  uint64_t *affects;        // by row: these, and those it has an alias with
  uint64_t *placed;         // set of rows: placed before the current one
  uint64_t *changed;        // set of rows: elsewhere than before the change
  uint64_t *barriers; // set of rows: rivals of the current one that are placed
  uint32_t *places;   // by row: its position in the current order
  uint32_t *outs;     // scratch: rows that found no place
  int64_t ceiling;
  uint64_t goal, looks, random;
} reorder_t;

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

static void clear(const reorder_t *reorder, uint64_t *set) {
  memset(set, 0, reorder->words * sizeof *set);
}

//===--- the place of one buffer ------------------------------------------===//

static pair_t pair_of(const reorder_t *reorder, uint32_t a, uint32_t b) {
  return (pair_t)reorder->pairs[(size_t)a * reorder->count + b];
}

// Whether the alias of two rivals is in place when |row| is |apart| bytes above
// |other|.
static bool is_alias(const reorder_t *reorder, uint32_t row, uint32_t other,
                     int64_t apart) {
  const gmem_loose_buffers_t *loose = reorder->loose;
  uint32_t self = reorder->buffers[row], rival = reorder->buffers[other];
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

static bool is_free(reorder_t *reorder, const recipe_t *recipe, uint32_t row,
                    int64_t at) {
  int64_t end = at + reorder->sizes[row];
  if (at < 0 || end > reorder->ceiling)
    return false;
  for (uint32_t i = 0; i < recipe->placed; ++i) {
    uint32_t other = recipe->by_high[i];
    ++reorder->looks;
    if (recipe->ends[other] <= at)
      return true;
    if (has(reorder->barriers, other) && recipe->offsets[other] < end &&
        !(pair_of(reorder, row, other) == RIVALS_WITH_ALIAS &&
          is_alias(reorder, row, other, at - recipe->offsets[other])))
      return false;
  }
  return true;
}

// Finds a free place of |row| at the alias that it prefers.
static bool find_alias(reorder_t *reorder, const recipe_t *recipe, uint32_t row,
                       int64_t *out_at) {
  const gmem_loose_buffers_t *loose = reorder->loose;
  uint32_t buffer = reorder->buffers[row], wanted = recipe->alias[row];
  *out_at = reorder->starts[row];
  if (wanted == NO_ALIAS || wanted == AT_START)
    return wanted == AT_START && is_free(reorder, recipe, row, *out_at) &&
           gmem_is_aligned_at(loose, buffer, *out_at);
  for (size_t i = loose->first_tie[buffer]; i < loose->first_tie[buffer + 1];
       ++i) {
    const gmem_alias_spec_t *alias =
        gmem_problem_alias(loose->problem, loose->ties[i]);
    bool is_child = alias->child == buffer;
    uint32_t other = is_child ? alias->parent : alias->child;
    if (!loose->is_placed[other] ||
        (wanted != ANY_ALIAS && wanted != loose->ties[i]))
      continue;
    int64_t distance = (int64_t)alias->offset;
    *out_at = recipe->offsets[reorder->rows[other]] +
              (is_child ? distance : -distance);
    if (is_free(reorder, recipe, row, *out_at) &&
        gmem_is_aligned_at(loose, buffer, *out_at))
      return true;
  }
  return false;
}

static bool find_lowest(reorder_t *reorder, const recipe_t *recipe,
                        uint32_t row, int64_t *out_at) {
  uint32_t buffer = reorder->buffers[row];
  int64_t size = reorder->sizes_elsewhere[row];
  int64_t at = gmem_loose_align(reorder->loose, buffer, 0, false);
  for (uint32_t i = 0; i < recipe->placed; ++i) {
    uint32_t other = recipe->by_low[i];
    ++reorder->looks;
    if (recipe->offsets[other] >= at + size)
      break;
    int64_t end = recipe->ends[other];
    if (end > at && has(reorder->barriers, other))
      at = gmem_loose_align(reorder->loose, buffer, end, false);
  }
  *out_at = at;
  return at + size <= reorder->ceiling;
}

static bool find_highest(reorder_t *reorder, const recipe_t *recipe,
                         uint32_t row, int64_t *out_at) {
  uint32_t buffer = reorder->buffers[row];
  int64_t size = reorder->sizes_elsewhere[row], high = reorder->ceiling - size;
  if (high < 0)
    return false;
  int64_t at = gmem_loose_align(reorder->loose, buffer, high, true);
  for (uint32_t i = 0; i < recipe->placed && at >= 0; ++i) {
    uint32_t other = recipe->by_high[i];
    ++reorder->looks;
    if (recipe->ends[other] <= at)
      break;
    if (recipe->offsets[other] >= at + size || !has(reorder->barriers, other))
      continue;
    high = recipe->offsets[other] - size;
    at = high < 0 ? high : gmem_loose_align(reorder->loose, buffer, high, true);
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

static void put(recipe_t *recipe, uint32_t row, int64_t at, int64_t end) {
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

static void take_out(recipe_t *recipe, uint32_t row) {
  erase(recipe->by_low, recipe->placed, row);
  erase(recipe->by_high, recipe->placed--, row);
}

// Counts |row| at the place that the recipe has for it.
static void keep(const reorder_t *reorder, recipe_t *recipe, uint32_t row) {
  if (recipe->is_out[row]) {
    recipe->left_out += (uint64_t)reorder->sizes[row];
    return;
  }
  uint32_t buffer = reorder->buffers[row];
  uint64_t end = (uint64_t)recipe->ends[row];
  add(reorder->placed, row);
  reorder->loose->is_placed[buffer] = true;
  reorder->loose->offsets[buffer] = recipe->offsets[row];
  recipe->peak = end > recipe->peak ? end : recipe->peak;
}

// Finds a place for |row| beside those that are placed, and whether it is
// elsewhere than before.
static void place(reorder_t *reorder, recipe_t *recipe, uint32_t row) {
  const uint64_t *rivals = reorder->rivals + (size_t)row * reorder->words;
  int64_t at;
  for (uint32_t i = 0; i < reorder->words; ++i)
    reorder->barriers[i] = rivals[i] & reorder->placed[i];
  bool is_tied = find_alias(reorder, recipe, row, &at);
  bool is_out = !is_tied && !(recipe->is_high[row]
                                  ? find_highest(reorder, recipe, row, &at)
                                  : find_lowest(reorder, recipe, row, &at));
  int64_t end = at + (is_tied ? reorder->sizes : reorder->sizes_elsewhere)[row];
  drop(reorder->changed, row);
  if (is_out == recipe->is_out[row] &&
      (is_out || (at == recipe->offsets[row] && end == recipe->ends[row])))
    return;
  add(reorder->changed, row);
  if (!recipe->is_out[row])
    take_out(recipe, row);
  recipe->is_out[row] = is_out;
  if (!is_out)
    put(recipe, row, at, end);
}

static bool is_affected(const reorder_t *reorder, uint32_t row) {
  const uint64_t *affects = reorder->affects + (size_t)row * reorder->words;
  uint64_t found = 0;
  for (uint32_t i = 0; i < reorder->words; ++i)
    found |= affects[i] & reorder->changed[i];
  return found != 0;
}

static void begin(reorder_t *reorder, recipe_t *recipe) {
  clear(reorder, reorder->placed);
  memset(reorder->loose->is_placed, 0, reorder->loose->count);
  recipe->left_out = recipe->peak = 0;
}

static void place_all(reorder_t *reorder, recipe_t *recipe) {
  begin(reorder, recipe);
  recipe->placed = 0;
  memset(recipe->is_out, true, reorder->count);
  for (uint32_t i = 0; i < reorder->count; ++i) {
    place(reorder, recipe, recipe->order[i]);
    keep(reorder, recipe, recipe->order[i]);
  }
}

// Places those again that |change| affects. Returns whether at most |limit|
// bytes are left out; otherwise the result is not complete.
static bool place_again(reorder_t *reorder, recipe_t *recipe, change_t change,
                        uint64_t limit) {
  bool is_elsewhere = false;
  begin(reorder, recipe);
  clear(reorder, reorder->changed);
  for (uint32_t i = 0; i < reorder->count && recipe->left_out <= limit; ++i) {
    uint32_t row = recipe->order[i];
    if (i == change.first)
      add(reorder->changed, change.row);
    if (row == change.row || is_affected(reorder, row))
      place(reorder, recipe, row);
    if (row == change.row) {
      is_elsewhere = has(reorder->changed, row);
      add(reorder->changed, row);
    }
    // Those between its two positions find it placed, or not, unlike before.
    if (i == change.last && !is_elsewhere)
      drop(reorder->changed, change.row);
    keep(reorder, recipe, row);
  }
  return recipe->left_out <= limit;
}

static void copy(const reorder_t *reorder, const recipe_t *from, recipe_t *to) {
  size_t count = reorder->count;
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

static uint32_t below(reorder_t *reorder, uint32_t limit) {
  return gmem_random_below(&reorder->random, limit);
}

// A random rival of |row|, or any row if it has none.
static uint32_t rival_of(reorder_t *reorder, uint32_t row) {
  const gmem_loose_buffers_t *loose = reorder->loose;
  size_t first = loose->first_rival[reorder->buffers[row]];
  size_t count = loose->first_rival[reorder->buffers[row] + 1] - first;
  return count
             ? reorder
                   ->rows[loose->rivals[first + below(reorder, (uint32_t)count)]
                              .buffer]
             : below(reorder, reorder->count);
}

// Moves the row to position |to|.
static void move(recipe_t *recipe, uint32_t to, change_t *change) {
  uint32_t from = change->first, *order = recipe->order;
  if (from < to)
    memmove(order + from, order + from + 1, (to - from) * sizeof *order);
  else
    memmove(order + to + 1, order + to, (from - to) * sizeof *order);
  order[to] = change->row;
  change->first = from < to ? from : to;
  change->last = from < to ? to : from;
}

static void change_alias(reorder_t *reorder, recipe_t *recipe, uint32_t row) {
  const gmem_loose_buffers_t *loose = reorder->loose;
  size_t at = loose->first_tie[reorder->buffers[row]];
  size_t count = loose->first_tie[reorder->buffers[row] + 1] - at;
  if (count == 0)
    return;
  bool is_any = below(reorder, 2);
  recipe->alias[row] = recipe->alias[row] != NO_ALIAS ? NO_ALIAS
                       : is_any
                           ? ANY_ALIAS
                           : loose->ties[at + below(reorder, (uint32_t)count)];
}

static void change_side(recipe_t *recipe, uint32_t row) {
  recipe->is_high[row] = !recipe->is_high[row];
}

// A position before |row|: usually that of a rival.
static uint32_t earlier(reorder_t *reorder, uint32_t row) {
  enum { TRIES = 4 };
  uint32_t at = reorder->places[row];
  for (int i = 0; i < TRIES; ++i) {
    uint32_t to = reorder->places[rival_of(reorder, row)];
    if (to < at)
      return to;
  }
  return below(reorder, at + 1);
}

static uint32_t later(reorder_t *reorder, uint32_t row) {
  uint32_t at = reorder->places[row];
  return at + below(reorder, reorder->count - at);
}

static change_t change_of(const reorder_t *reorder, uint32_t row) {
  uint32_t at = reorder->places[row];
  return (change_t){row, at, at};
}

// Changes what concerns |out|, which found no place.
static change_t change(reorder_t *reorder, recipe_t *recipe, uint32_t out) {
  uint32_t rival = rival_of(reorder, out);
  uint32_t kind = below(reorder, 10);
  change_t change = change_of(reorder, kind < 3 || kind == 6 ? out : rival);
  if (kind < 3) {
    move(recipe, earlier(reorder, out), &change);
  } else if (kind < 6) {
    if (below(reorder, 2))
      change_alias(reorder, recipe, rival);
    if (below(reorder, 4) == 0)
      change_side(recipe, rival);
    move(recipe, later(reorder, out), &change);
  } else if (kind < 7) {
    change_side(recipe, out);
    move(recipe, below(reorder, reorder->count), &change);
  } else if (kind < 8) {
    change_alias(reorder, recipe, rival);
    if (below(reorder, 2))
      change_side(recipe, rival);
  } else if (kind < 9) {
    change = change_of(reorder, below(reorder, reorder->count));
    move(recipe, below(reorder, reorder->count), &change);
  } else {
    move(recipe, reorder->places[rival_of(reorder, out)], &change);
  }
  return change;
}

//===--- the search -------------------------------------------------------===//

static void number_places(const reorder_t *reorder, const recipe_t *recipe) {
  for (uint32_t i = 0; i < reorder->count; ++i)
    reorder->places[recipe->order[i]] = i;
}

static bool spend(reorder_t *reorder) {
  uint64_t steps = (reorder->looks + reorder->count) / LOOKS_PER_STEP;
  reorder->looks = 0;
  return gmem_search_spend(reorder->search, steps);
}

// The bytes more that a change may leave out.
static uint64_t threshold(reorder_t *reorder) {
  uint64_t bits = gmem_xorshift(&reorder->random) | UINT64_C(1) << 32;
  return (reorder->goal / THRESHOLD + 1) * (uint64_t)__builtin_ctzll(bits);
}

static uint32_t random_out(reorder_t *reorder, const recipe_t *recipe) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < reorder->count; ++i)
    if (recipe->is_out[i])
      reorder->outs[count++] = i;
  return reorder->outs[below(reorder, count)];
}

// Continues with all of |from| placed below a lower ceiling.
static void lower(reorder_t *reorder, const recipe_t *from, recipe_t *to) {
  uint64_t excess = from->peak - reorder->goal;
  reorder->ceiling = (int64_t)(from->peak - (excess + LADDER - 1) / LADDER);
  copy(reorder, from, to);
  place_all(reorder, to);
  number_places(reorder, to);
}

// |best| places all buffers, and so it does afterwards.
static void search_orders(reorder_t *reorder, uint64_t steps, recipe_t *best,
                          recipe_t *now, recipe_t *next) {
  uint64_t limit = gmem_search_limit_stage(reorder->search, steps);
  uint32_t failures = 0;
  if (best->peak > reorder->goal)
    lower(reorder, best, now);
  while (best->peak > reorder->goal && spend(reorder)) {
    if (now->left_out == 0) {
      copy(reorder, now, best);
      failures = 0;
      if (best->peak > reorder->goal)
        lower(reorder, best, now);
      continue;
    }
    if (++failures > PATIENCE) {
      lower(reorder, best, now);
      failures = 0;
    }
    copy(reorder, now, next);
    change_t made = change(reorder, next, random_out(reorder, now));
    uint64_t most = now->left_out + threshold(reorder);
    if (!place_again(reorder, next, made, most))
      continue;
    recipe_t old = *now;
    *now = *next;
    *next = old;
    number_places(reorder, now);
  }
  reorder->search->stage_limit = limit;
}

//===--- set-up -----------------------------------------------------------===//

static gmem_status_t new_recipe(const reorder_t *reorder,
                                gmem_scratch_t *memory, recipe_t *recipe) {
  size_t count = reorder->count;
  *recipe = (recipe_t){0};
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

// The alias that is in place between |row| and one that is earlier in the
// order; NO_ALIAS: none.
static uint32_t alias_in_place(const reorder_t *reorder, uint32_t row,
                               const bool *is_ordered) {
  const gmem_loose_buffers_t *loose = reorder->loose;
  uint32_t buffer = reorder->buffers[row];
  for (size_t i = loose->first_tie[buffer]; i < loose->first_tie[buffer + 1];
       ++i) {
    const gmem_alias_spec_t *alias =
        gmem_problem_alias(loose->problem, loose->ties[i]);
    uint32_t other = alias->child == buffer ? alias->parent : alias->child;
    if (loose->is_used[other] && is_ordered[reorder->rows[other]] &&
        gmem_is_tied(loose, loose->ties[i]))
      return loose->ties[i];
  }
  return NO_ALIAS;
}

static bool has_alias_in_place(const reorder_t *reorder, uint32_t row) {
  const gmem_loose_buffers_t *loose = reorder->loose;
  uint32_t buffer = reorder->buffers[row];
  for (size_t i = loose->first_tie[buffer]; i < loose->first_tie[buffer + 1];
       ++i)
    if (gmem_is_tied(loose, loose->ties[i]))
      return true;
  return false;
}

// Orders the rows by offset; of equal offsets, those first that have an alias
// in place with an earlier one.
static void order_by_offset(const reorder_t *reorder, gmem_order_t *rows,
                            bool *is_ordered, recipe_t *recipe) {
  uint32_t count = 0;
  memset(is_ordered, 0, reorder->count);
  for (uint32_t begin = 0, end; begin < reorder->count; begin = end) {
    for (end = begin; end < reorder->count && rows[end].key == rows[begin].key;)
      ++end;
    while (count < end) {
      uint32_t next = UINT32_MAX, alias = NO_ALIAS;
      for (uint32_t i = begin; i < end && alias == NO_ALIAS; ++i) {
        if (is_ordered[rows[i].index])
          continue;
        alias = alias_in_place(reorder, rows[i].index, is_ordered);
        next = next == UINT32_MAX || alias != NO_ALIAS ? rows[i].index : next;
      }
      recipe->alias[next] =
          alias == NO_ALIAS && has_alias_in_place(reorder, next) ? AT_START
                                                                 : alias;
      recipe->order[count++] = next;
      is_ordered[next] = true;
    }
  }
}

static void list_pairs(const reorder_t *reorder) {
  const gmem_loose_buffers_t *loose = reorder->loose;
  for (uint32_t row = 0; row < reorder->count; ++row) {
    uint32_t buffer = reorder->buffers[row];
    uint64_t *rivals = reorder->rivals + (size_t)row * reorder->words;
    uint64_t *affects = reorder->affects + (size_t)row * reorder->words;
    for (size_t i = loose->first_rival[buffer];
         i < loose->first_rival[buffer + 1]; ++i) {
      uint32_t other = reorder->rows[loose->rivals[i].buffer];
      add(rivals, other);
      add(affects, other);
      reorder->pairs[(size_t)row * reorder->count + other] =
          loose->rivals[i].distance == GMEM_NO_DISTANCE ? RIVALS
                                                        : RIVALS_WITH_ALIAS;
    }
    for (size_t i = loose->first_tie[buffer]; i < loose->first_tie[buffer + 1];
         ++i) {
      const gmem_alias_spec_t *alias =
          gmem_problem_alias(loose->problem, loose->ties[i]);
      uint32_t other = alias->child == buffer ? alias->parent : alias->child;
      if (loose->is_used[other])
        add(affects, reorder->rows[other]);
    }
  }
}

static gmem_status_t create(reorder_t *reorder, const uint64_t *rounded,
                            gmem_scratch_t *memory) {
  const gmem_loose_buffers_t *loose = reorder->loose;
  size_t count = reorder->count;
  GMEM_TRY_NEW(reorder->buffers, memory, count);
  GMEM_TRY_NEW(reorder->rows, memory, loose->count);
  GMEM_TRY_NEW(reorder->sizes, memory, count);
  GMEM_TRY_NEW(reorder->sizes_elsewhere, memory, count);
  GMEM_TRY_NEW(reorder->starts, memory, count);
  GMEM_TRY_NEW(reorder->places, memory, count);
  GMEM_TRY_NEW(reorder->outs, memory, count);
  GMEM_TRY_ZEROS(reorder->pairs, memory, count * count);
  reorder->words = (uint32_t)(count + 63) / 64;
  GMEM_TRY_ZEROS(reorder->rivals, memory, count * reorder->words);
  GMEM_TRY_ZEROS(reorder->affects, memory, count * reorder->words);
  GMEM_TRY_ZEROS(reorder->placed, memory, reorder->words);
  GMEM_TRY_ZEROS(reorder->changed, memory, reorder->words);
  GMEM_TRY_ZEROS(reorder->barriers, memory, reorder->words);
  for (uint32_t i = 0, row = 0; i < loose->count; ++i)
    if (loose->is_used[i]) {
      reorder->sizes[row] = reorder->sizes_elsewhere[row] =
          (int64_t)gmem_problem_buffer(loose->problem, i)->size;
      if (rounded)
        reorder->sizes_elsewhere[row] = (int64_t)rounded[i];
      reorder->starts[row] = loose->offsets[i];
      reorder->buffers[row] = i;
      reorder->rows[i] = row++;
    }
  list_pairs(reorder);
  return GMEM_OK;
}

static gmem_status_t make_start(const reorder_t *reorder,
                                gmem_scratch_t *memory, recipe_t *start) {
  gmem_order_t *rows, *scratch;
  bool *is_ordered;
  GMEM_TRY(new_recipe(reorder, memory, start));
  GMEM_TRY_NEW(rows, memory, reorder->count);
  GMEM_TRY_NEW(scratch, memory, reorder->count);
  GMEM_TRY_NEW(is_ordered, memory, reorder->count);
  for (uint32_t i = 0; i < reorder->count; ++i)
    rows[i] = (gmem_order_t){
        gmem_time_key(reorder->loose->offsets[reorder->buffers[i]]), i};
  gmem_sort_order(rows, scratch, reorder->count);
  order_by_offset(reorder, rows, is_ordered, start);
  for (uint32_t i = 0; i < reorder->count; ++i)
    if (start->alias[i] == NO_ALIAS &&
        reorder->sizes_elsewhere[i] > reorder->sizes[i])
      start->alias[i] = ANY_ALIAS;
  return GMEM_OK;
}

static void write_offsets(const reorder_t *reorder, const recipe_t *recipe) {
  for (uint32_t i = 0; i < reorder->count; ++i)
    reorder->loose->offsets[reorder->buffers[i]] = recipe->offsets[i];
}

// Tries several times from the same start on, with other random numbers.
static gmem_status_t run(reorder_t *reorder, uint32_t trials, uint64_t steps,
                         gmem_scratch_t *memory, uint64_t *peak) {
  recipe_t start, best, now, next;
  GMEM_TRY(make_start(reorder, memory, &start));
  GMEM_TRY(new_recipe(reorder, memory, &best));
  GMEM_TRY(new_recipe(reorder, memory, &now));
  GMEM_TRY(new_recipe(reorder, memory, &next));
  int64_t *offsets;
  GMEM_TRY_NEW(offsets, memory, reorder->loose->count);
  memcpy(offsets, reorder->loose->offsets,
         reorder->loose->count * sizeof *offsets);
  for (uint32_t i = 0; *peak > reorder->goal && i < trials; ++i) {
    reorder->ceiling = GMEM_MAX_ADDRESS / 2;
    copy(reorder, &start, &best);
    place_all(reorder, &best);
    search_orders(reorder, steps / trials, &best, &now, &next);
    if (best.peak >= *peak)
      continue;
    *peak = best.peak;
    write_offsets(reorder, &best);
    memcpy(offsets, reorder->loose->offsets,
           reorder->loose->count * sizeof *offsets);
  }
  memcpy(reorder->loose->offsets, offsets,
         reorder->loose->count * sizeof *offsets);
  memcpy(reorder->loose->is_placed, reorder->loose->is_used,
         reorder->loose->count);
  return GMEM_OK;
}

gmem_status_t gmem_reorder_loose(gmem_loose_buffers_t *loose,
                                 gmem_search_t *search, uint32_t trials,
                                 uint64_t steps, uint64_t goal,
                                 const uint64_t *rounded,
                                 gmem_scratch_t *memory) {
  reorder_t reorder = {.loose = loose,
                       .search = search,
                       .goal = goal,
                       .random = UINT64_C(0x9e3779b97f4a7c15)};
  uint64_t peak = 0;
  bool is_aligned = true;
  for (uint32_t i = 0; i < loose->count; ++i) {
    if (!loose->is_used[i])
      continue;
    uint64_t end = (uint64_t)loose->offsets[i] +
                   gmem_problem_buffer(loose->problem, i)->size;
    assert(loose->is_placed[i]);
    peak = end > peak ? end : peak;
    is_aligned &= gmem_is_aligned_at(loose, i, loose->offsets[i]);
    ++reorder.count;
  }
  peak = is_aligned ? peak : UINT64_MAX;
  if (reorder.count == 0 || reorder.count > MOST_ROWS || peak <= goal)
    return GMEM_OK;
  GMEM_TRY(create(&reorder, rounded, memory));
  return run(&reorder, trials, steps, memory, &peak);
}
