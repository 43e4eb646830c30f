// alias_climb.c - lowers the peak of a plan by moving single buffers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A selection of aliases ties buffers to groups, which are hard to place: a
// parent with many children is as large as all of them, for as long as any of
// them is live. Here no buffer is tied. A child and its parent interfere like
// any two buffers, except at the distance of their alias, which is one more
// place for either. So the aliases to use are found together with the offsets.
//
// The search is guided ejection (algorithms/hill_climb.c): buffers that end
// above a ceiling are taken out and put where they eject the least weight,
// until all are below it; then the ceiling is lowered. A buffer that is
// misaligned without its parent is ejected with it.
//
// Most of the bytes are in few buffers, so only these are moved, and then the
// order in which they are placed is changed (loose_order.c). The others get the
// places in their parents that are free, or the lowest that are left. Then the
// order is changed again, with their places in the parents (slot_runs.c) kept.

#include "alias_climb.h"

#include <assert.h>
#include <string.h>

#include "loose_order.h"
#include "loose_stack.h"
#include "slot_runs.h"

enum {
  // A buffer is large if it has this fraction of the goal.
  LARGE = 1 << 10,
  TRIALS = 6,
  ORDER_TRIALS = 3,
  // The ceiling is lowered by this fraction of the distance to the goal.
  LADDER = 20,
  // The part of the goal that is left for the buffers that are not large.
  REST = 1 << 9,
  // Weights, as in hill_climb.c; additions proportional to the size, which is
  // this for a buffer as large as the goal, and for each child, if they are
  // many.
  WEIGHT = 50,
  WEIGHT_OF_SIZE = 50000,
  WEIGHT_OF_DURATION = 1000,
  WEIGHT_OF_RANGE = 100,
  WEIGHT_OF_CHILD = 1000,
  MANY_CHILDREN = 8,
  WEIGHT_OF_FAILURE = 100,
  HEAVIEST = 1 << 26,
};

// Which of the places below the ceiling is chosen.
typedef enum rule_e {
  CHEAPEST, // ejects the least weight
  LOWEST,   // the lowest that ejects nothing
} rule_t;

typedef struct climb_s {
  gmem_loose_buffers_t loose;
  gmem_search_t *search;
  uint64_t goal, ceiling; // bytes
  uint64_t *weights;      // by buffer
  uint32_t *waiting;      // buffers that are used and not placed
  uint32_t waiting_count;
  uint32_t *rounds;  // by buffer: the one in which it is placed in a parent
  uint32_t *longest; // by buffer: times at which it is live, or one inside it
  gmem_order_t *lows, *highs; // ends of the barriers; scratch
  gmem_order_t *ends;         // scratch: places that touch no barrier
  int64_t *places;            // scratch: in order
  gmem_order_t *sorted;       // scratch
  uint64_t random;
} climb_t;

static int64_t size_of(const climb_t *climb, uint32_t buffer) {
  return (int64_t)gmem_problem_buffer(climb->loose.problem, buffer)->size;
}

static uint64_t peak_of(const climb_t *climb) {
  const gmem_loose_buffers_t *loose = &climb->loose;
  int64_t peak = 0;
  for (uint32_t i = 0; i < loose->count; ++i)
    if (loose->is_placed[i] && loose->offsets[i] + size_of(climb, i) > peak)
      peak = loose->offsets[i] + size_of(climb, i);
  return (uint64_t)peak;
}

//===--- places -----------------------------------------------------------===//

static void add_barrier(climb_t *climb, uint32_t *count, int64_t low,
                        int64_t high, uint32_t buffer) {
  climb->lows[*count] = (gmem_order_t){gmem_time_key(low), buffer};
  climb->highs[(*count)++] = (gmem_order_t){gmem_time_key(high), buffer};
}

// Lists the open intervals of offsets at which |buffer| would overlap another.
static uint32_t list_barriers(climb_t *climb, uint32_t buffer) {
  const gmem_loose_buffers_t *loose = &climb->loose;
  uint32_t count = 0;
  for (size_t i = loose->first_rival[buffer];
       i < loose->first_rival[buffer + 1]; ++i) {
    gmem_rival_t rival = loose->rivals[i];
    if (!loose->is_placed[rival.buffer])
      continue;
    int64_t at = loose->offsets[rival.buffer];
    int64_t low = at - size_of(climb, buffer);
    int64_t high = at + size_of(climb, rival.buffer);
    if (rival.distance != GMEM_NO_DISTANCE) {
      add_barrier(climb, &count, low, at + rival.distance, rival.buffer);
      low = at + rival.distance;
    }
    add_barrier(climb, &count, low, high, rival.buffer);
  }
  gmem_search_spend(climb->search, 2 * (loose->first_rival[buffer + 1] -
                                        loose->first_rival[buffer]) +
                                       10 * (uint64_t)count);
  return count;
}

// Lists the offsets of |buffer| at the bottom, at the ceiling and where an
// alias of it is in place, in order.
static uint32_t list_ends(climb_t *climb, uint32_t buffer) {
  const gmem_loose_buffers_t *loose = &climb->loose;
  int64_t top = (int64_t)climb->ceiling - size_of(climb, buffer);
  uint32_t count = 2;
  climb->ends[0].key = gmem_time_key(gmem_loose_align(loose, buffer, 0, false));
  climb->ends[1].key =
      gmem_time_key(gmem_loose_align(loose, buffer, top, true));
  for (size_t i = loose->first_tie[buffer]; i < loose->first_tie[buffer + 1];
       ++i) {
    const gmem_alias_spec_t *alias =
        gmem_problem_alias(loose->problem, loose->ties[i]);
    bool is_child = alias->child == buffer;
    uint32_t other = is_child ? alias->parent : alias->child;
    int64_t distance = (int64_t)alias->offset;
    int64_t place = loose->offsets[other] + (is_child ? distance : -distance);
    if (loose->is_placed[other] && gmem_is_aligned_at(loose, buffer, place))
      climb->ends[count++].key = gmem_time_key(place);
  }
  gmem_sort_order(climb->ends, climb->sorted, count);
  return count;
}

// The aligned offset of |buffer| at barrier |i|; INT64_MAX: there is no more.
static int64_t next_to(const climb_t *climb, const gmem_order_t *barriers,
                       uint32_t i, uint32_t count, uint32_t buffer,
                       bool below) {
  return i < count ? gmem_loose_align(&climb->loose, buffer,
                                      gmem_time_of(barriers[i].key), below)
                   : INT64_MAX;
}

static int64_t lower_of(int64_t a, int64_t b) { return a < b ? a : b; }

// Lists the places of |buffer| that touch a barrier, the bottom or the ceiling,
// in order: no other is cheaper. The barriers are in order, and so are the
// aligned offsets next to them.
static uint32_t list_places(climb_t *climb, uint32_t buffer,
                            uint32_t barriers) {
  uint32_t ends = list_ends(climb, buffer), end = 0, low = 0, high = 0;
  int64_t most = (int64_t)climb->ceiling - size_of(climb, buffer), last = -1;
  int64_t below = next_to(climb, climb->lows, low, barriers, buffer, true);
  int64_t above = next_to(climb, climb->highs, high, barriers, buffer, false);
  uint32_t count = 0;
  for (;;) {
    int64_t other = end < ends ? gmem_time_of(climb->ends[end].key) : INT64_MAX;
    int64_t place = lower_of(lower_of(below, above), other);
    assert(count == 0 || place >= last);
    if (place > most)
      return count;
    if (place > last)
      climb->places[count++] = last = place;
    if (place == other)
      ++end;
    else if (place == below)
      below = next_to(climb, climb->lows, ++low, barriers, buffer, true);
    else
      above = next_to(climb, climb->highs, ++high, barriers, buffer, false);
  }
}

static gmem_cheapest_t choose_place(climb_t *climb, uint32_t buffer,
                                    rule_t rule) {
  gmem_cheapest_t best = {.cost = UINT64_MAX};
  uint32_t barriers = list_barriers(climb, buffer), low = 0, high = 0;
  gmem_sort_order(climb->lows, climb->sorted, barriers);
  gmem_sort_order(climb->highs, climb->sorted, barriers);
  uint32_t places = list_places(climb, buffer, barriers);
  uint64_t cost = 0;
  for (uint32_t i = 0; i < places; ++i) {
    uint64_t at = gmem_time_key(climb->places[i]);
    for (; low < barriers && climb->lows[low].key < at; ++low)
      cost += climb->weights[climb->lows[low].index];
    for (; high < barriers && climb->highs[high].key <= at; ++high)
      cost -= climb->weights[climb->highs[high].index];
    if (rule == CHEAPEST)
      gmem_consider(&best, at, cost, &climb->random);
    else if (cost == 0)
      return (gmem_cheapest_t){.offset = gmem_time_of(at)};
  }
  return best;
}

//===--- moves ------------------------------------------------------------===//

static void put(climb_t *climb, uint32_t buffer, int64_t offset) {
  assert(!climb->loose.is_placed[buffer]);
  climb->loose.offsets[buffer] = offset;
  climb->loose.is_placed[buffer] = true;
}

static void eject_one(climb_t *climb, uint32_t buffer) {
  assert(climb->loose.is_placed[buffer]);
  climb->loose.is_placed[buffer] = false;
  climb->waiting[climb->waiting_count++] = buffer;
}

// Ejects |buffer|, and all that is misaligned without it.
static void eject(climb_t *climb, uint32_t buffer) {
  const gmem_loose_buffers_t *loose = &climb->loose;
  uint32_t next = climb->waiting_count;
  eject_one(climb, buffer);
  for (; next < climb->waiting_count; ++next) {
    uint32_t parent = climb->waiting[next];
    for (size_t i = loose->first_tie[parent]; i < loose->first_tie[parent + 1];
         ++i) {
      uint32_t child =
          gmem_problem_alias(loose->problem, loose->ties[i])->child;
      if (loose->is_placed[child] &&
          !gmem_is_aligned_at(loose, child, loose->offsets[child]))
        eject_one(climb, child);
    }
  }
}

static void eject_above_ceiling(climb_t *climb) {
  const gmem_loose_buffers_t *loose = &climb->loose;
  for (uint32_t i = 0; i < loose->count; ++i)
    if (loose->is_placed[i] &&
        loose->offsets[i] + size_of(climb, i) > (int64_t)climb->ceiling)
      eject(climb, i);
}

// Whether |buffer| overlaps |rival| at |offset|.
static bool is_in_way(const climb_t *climb, uint32_t buffer, int64_t offset,
                      gmem_rival_t rival) {
  int64_t apart = offset - climb->loose.offsets[rival.buffer];
  return climb->loose.is_placed[rival.buffer] && apart != rival.distance &&
         apart < size_of(climb, rival.buffer) &&
         -apart < size_of(climb, buffer);
}

// Ejects all that |buffer| overlaps at |offset|.
static void make_room(climb_t *climb, uint32_t buffer, int64_t offset) {
  const gmem_loose_buffers_t *loose = &climb->loose;
  for (size_t i = loose->first_rival[buffer];
       i < loose->first_rival[buffer + 1]; ++i) {
    gmem_rival_t rival = loose->rivals[i];
    if (is_in_way(climb, buffer, offset, rival))
      eject(climb, rival.buffer);
  }
}

// Moves a random rival of |buffer| to a random free place.
static void move_rival(climb_t *climb, uint32_t buffer) {
  const gmem_loose_buffers_t *loose = &climb->loose;
  size_t first = loose->first_rival[buffer];
  size_t count = loose->first_rival[buffer + 1] - first;
  if (count == 0)
    return;
  uint32_t rival =
      loose->rivals[first + gmem_random_below(&climb->random, (uint32_t)count)]
          .buffer;
  if (!loose->is_placed[rival] || gmem_has_tied_child(loose, rival))
    return;
  loose->is_placed[rival] = false;
  gmem_cheapest_t place = choose_place(climb, rival, CHEAPEST);
  put(climb, rival, place.cost ? loose->offsets[rival] : place.offset);
}

// Places a random one of those that wait. Returns false when it is larger than
// the ceiling.
static bool insert_one(climb_t *climb) {
  uint32_t at = gmem_random_below(&climb->random, climb->waiting_count);
  uint32_t buffer = climb->waiting[at];
  gmem_cheapest_t place = choose_place(climb, buffer, CHEAPEST);
  if (place.cost == UINT64_MAX)
    return false;
  climb->waiting[at] = climb->waiting[--climb->waiting_count];
  if (place.cost && climb->weights[buffer] < HEAVIEST)
    climb->weights[buffer] += WEIGHT_OF_FAILURE;
  if (place.cost)
    make_room(climb, buffer, place.offset);
  if (!gmem_is_aligned_at(&climb->loose, buffer, place.offset)) {
    climb->waiting[climb->waiting_count++] = buffer; // its parent was ejected
    return true;
  }
  put(climb, buffer, place.offset);
  if (place.cost)
    move_rival(climb, buffer);
  return true;
}

//===--- all buffers ------------------------------------------------------===//

// Moves each buffer, from the lowest on, down as far as possible.
static void compact(climb_t *climb) {
  gmem_loose_buffers_t *loose = &climb->loose;
  gmem_order_t *order = climb->sorted;
  uint32_t count = 0;
  for (uint32_t i = 0; i < loose->count; ++i)
    if (loose->is_used[i])
      climb->waiting[count++] = i; // none waits
  for (uint32_t i = 0; i < count; ++i)
    order[i] = (gmem_order_t){gmem_time_key(loose->offsets[climb->waiting[i]]),
                              climb->waiting[i]};
  gmem_sort_order(order, order + count, count);
  for (uint32_t i = 0; i < count; ++i)
    climb->waiting[i] = order[i].index;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t buffer = climb->waiting[i];
    if (gmem_has_tied_child(loose, buffer))
      continue;
    loose->is_placed[buffer] = false;
    gmem_cheapest_t place = choose_place(climb, buffer, LOWEST);
    bool is_lower = !place.cost && place.offset < loose->offsets[buffer];
    put(climb, buffer, is_lower ? place.offset : loose->offsets[buffer]);
  }
}

// Work without improvement after which the search gives up: enough to insert
// every buffer about a hundred times.
static uint64_t patience_of(const climb_t *climb) {
  uint64_t used = 0;
  for (uint32_t i = 0; i < climb->loose.count; ++i)
    used += climb->loose.is_used[i];
  return used * used << 11;
}

static void lower_ceiling(climb_t *climb, uint64_t peak) {
  climb->ceiling = peak - (peak - climb->goal + LADDER - 1) / LADDER;
  eject_above_ceiling(climb);
}

static void copy_offsets(const climb_t *climb, int64_t *to) {
  memcpy(to, climb->loose.offsets, climb->loose.count * sizeof *to);
}

// Places the buffers that are used at their offsets, and lowers their peak,
// with up to |steps| units of work.
static void search_lower(climb_t *climb, uint64_t steps, int64_t *best) {
  gmem_loose_buffers_t *loose = &climb->loose;
  uint64_t limit = gmem_search_limit_stage(climb->search, steps);
  memcpy(loose->is_placed, loose->is_used, loose->count);
  uint64_t peak = peak_of(climb), patience = patience_of(climb);
  uint64_t end = climb->search->steps + patience;
  copy_offsets(climb, best);
  if (peak > climb->goal)
    lower_ceiling(climb, peak);
  while (peak > climb->goal && gmem_search_spend(climb->search, 1) &&
         climb->search->steps < end) {
    if (climb->waiting_count) {
      if (!insert_one(climb))
        break;
      continue;
    }
    compact(climb);
    peak = peak_of(climb);
    copy_offsets(climb, best);
    end = climb->search->steps + patience;
    if (peak > climb->goal)
      lower_ceiling(climb, peak);
  }
  memcpy(loose->offsets, best, loose->count * sizeof *best);
  memcpy(loose->is_placed, loose->is_used, loose->count);
  climb->waiting_count = 0;
  climb->search->stage_limit = limit;
}

// Whether |alias|, whose parent is placed, may be in place.
static bool is_free_in_parent(const climb_t *climb,
                              const gmem_alias_spec_t *alias, int64_t at) {
  const gmem_loose_buffers_t *loose = &climb->loose;
  uint32_t child = alias->child;
  bool is_free = gmem_is_aligned_at(loose, child, at);
  for (size_t i = loose->first_rival[child];
       is_free && i < loose->first_rival[child + 1]; ++i)
    is_free = !is_in_way(climb, child, at, loose->rivals[i]);
  return is_free;
}

// Places |buffer| in the largest parent that was placed before |round|, if that
// is possible.
static void put_in_parent(climb_t *climb, uint32_t buffer, uint32_t round) {
  const gmem_loose_buffers_t *loose = &climb->loose;
  int64_t largest = -1, place = 0;
  for (size_t i = loose->first_tie[buffer]; i < loose->first_tie[buffer + 1];
       ++i) {
    const gmem_alias_spec_t *alias =
        gmem_problem_alias(loose->problem, loose->ties[i]);
    uint32_t parent = alias->parent;
    int64_t at = loose->offsets[parent] + (int64_t)alias->offset;
    if (alias->child != buffer || !loose->is_placed[parent] ||
        climb->rounds[parent] >= round || size_of(climb, parent) <= largest ||
        !is_free_in_parent(climb, alias, at))
      continue;
    largest = size_of(climb, parent);
    place = at;
  }
  if (largest < 0)
    return;
  put(climb, buffer, place);
  climb->rounds[buffer] = round;
}

static uint32_t times_of(const climb_t *climb, uint32_t buffer) {
  const gmem_alias_pressure_t *live = climb->loose.live;
  const size_t *first = live->first_span;
  return live->spans[first[buffer + 1] - 1].end -
         live->spans[first[buffer]].begin;
}

// Finds how long each buffer that is not placed, or one that may be in it, is
// live.
static void find_longest(climb_t *climb) {
  const gmem_loose_buffers_t *loose = &climb->loose;
  size_t aliases = gmem_problem_alias_count(loose->problem);
  for (uint32_t i = 0; i < loose->count; ++i)
    climb->longest[i] = loose->is_placed[i] ? 0 : times_of(climb, i);
  for (uint32_t round = 1; round < GMEM_DEPTH_OF_SLOTS; ++round)
    for (size_t i = 0; i < aliases; ++i) {
      const gmem_alias_spec_t *alias = gmem_problem_alias(loose->problem, i);
      if (!loose->is_placed[alias->parent] &&
          climb->longest[alias->child] > climb->longest[alias->parent])
        climb->longest[alias->parent] = climb->longest[alias->child];
    }
}

// Lists those that are used and not placed in |waiting|, the largest first; of
// equal sizes, those that are live for long.
static uint32_t list_rest(climb_t *climb) {
  const gmem_loose_buffers_t *loose = &climb->loose;
  gmem_order_t *order = climb->ends;
  uint32_t count = 0;
  find_longest(climb);
  for (uint32_t i = 0; i < loose->count; ++i)
    if (loose->is_used[i] && !loose->is_placed[i])
      order[count++] = (gmem_order_t){~(uint64_t)climb->longest[i], i};
  gmem_sort_order(order, climb->sorted, count);
  for (uint32_t i = 0; i < count; ++i)
    order[i].key = ~(uint64_t)size_of(climb, order[i].index);
  gmem_sort_order(order, climb->sorted, count);
  for (uint32_t i = 0; i < count; ++i)
    climb->waiting[i] = order[i].index;
  return count;
}

// Places all that are not placed in their parents where possible: first in
// those that are placed, then in these. So a buffer is in a large parent rather
// than in one that has been put elsewhere.
static void put_in_parents(climb_t *climb) {
  memset(climb->rounds, 0, climb->loose.count * sizeof *climb->rounds);
  for (uint32_t round = 1; round <= GMEM_DEPTH_OF_SLOTS; ++round) {
    uint32_t count = list_rest(climb);
    for (uint32_t i = 0; i < count; ++i)
      put_in_parent(climb, climb->waiting[i], round);
  }
}

// Gives all that are used and not placed the lowest free places; before that,
// those in their parents, if |in_parents|.
static void place_rest(climb_t *climb, bool in_parents) {
  if (in_parents)
    put_in_parents(climb);
  uint32_t count = list_rest(climb);
  climb->ceiling = GMEM_MAX_ADDRESS / 2;
  for (uint32_t i = 0; i < count; ++i)
    put(climb, climb->waiting[i],
        choose_place(climb, climb->waiting[i], LOWEST).offset);
}

//===--- set-up -----------------------------------------------------------===//

static uint64_t weight_of(const climb_t *climb, uint32_t buffer) {
  const gmem_loose_buffers_t *loose = &climb->loose;
  const gmem_alias_pressure_t *live = loose->live;
  size_t first = live->first_span[buffer], last = live->first_span[buffer + 1];
  uint64_t times = live->spans[last - 1].end - live->spans[first].begin;
  uint64_t children = 0;
  for (size_t i = loose->first_tie[buffer]; i < loose->first_tie[buffer + 1];
       ++i) {
    const gmem_alias_spec_t *alias =
        gmem_problem_alias(loose->problem, loose->ties[i]);
    children += alias->parent == buffer && loose->is_used[alias->child];
  }
  // At most WEIGHT_OF_SIZE, without a product that overflows.
  uint64_t share =
      (uint64_t)size_of(climb, buffer) / (climb->goal / WEIGHT_OF_SIZE + 1);
  uint64_t weight = WEIGHT + share +
                    times * WEIGHT_OF_DURATION / live->time_count +
                    (last - first - 1) * WEIGHT_OF_RANGE +
                    (children > MANY_CHILDREN ? children * WEIGHT_OF_CHILD : 0);
  return weight < HEAVIEST ? weight : HEAVIEST;
}

// Uses the buffers of at least |least| bytes. *out_used: whether that is
// possible.
static gmem_status_t use(climb_t *climb, uint64_t least, gmem_scratch_t *memory,
                         bool *out_used) {
  gmem_loose_buffers_t *loose = &climb->loose;
  GMEM_TRY(gmem_list_rivals(loose, least, memory, out_used));
  if (!*out_used)
    return GMEM_OK;
  size_t barriers = 2 * (size_t)loose->most_rivals;
  size_t ends = (size_t)loose->most_ties + 2;
  size_t places = 2 * barriers + ends;
  size_t most = places > loose->count ? places : loose->count;
  GMEM_TRY_NEW(climb->lows, memory, barriers + 1);
  GMEM_TRY_NEW(climb->highs, memory, barriers + 1);
  GMEM_TRY_NEW(climb->ends, memory, most);
  GMEM_TRY_NEW(climb->places, memory, places);
  GMEM_TRY_NEW(climb->sorted, memory, 2 * most);
  return GMEM_OK;
}

static void set_weights(climb_t *climb) {
  for (uint32_t i = 0; i < climb->loose.count; ++i)
    climb->weights[i] = climb->loose.is_used[i] ? weight_of(climb, i) : 0;
}

// Lowers the peak of the large buffers, several times from |from| on with other
// random numbers, and keeps the best result.
static void move_large(climb_t *climb, uint64_t steps, const int64_t *from,
                       int64_t *trial, int64_t *best) {
  gmem_loose_buffers_t *loose = &climb->loose;
  uint64_t peak = UINT64_MAX;
  for (int i = 0; i < TRIALS && peak > climb->goal; ++i) {
    memcpy(loose->offsets, from, loose->count * sizeof *from);
    set_weights(climb);
    search_lower(climb, steps / TRIALS, trial);
    if (peak_of(climb) >= peak)
      continue;
    peak = peak_of(climb);
    memcpy(best, trial, loose->count * sizeof *best);
  }
  memcpy(loose->offsets, best, loose->count * sizeof *best);
}

// The goal without the buffers that are not used.
static uint64_t goal_of_large(const climb_t *climb) {
  uint64_t rest = 0, most = climb->goal / REST;
  for (uint32_t i = 0; i < climb->loose.count && rest < most; ++i)
    if (!climb->loose.is_used[i])
      rest += (uint64_t)size_of(climb, i);
  return climb->goal - (rest < most ? rest : most);
}

// Writes |plan| if its peak gets lower.
static void write_lower(const climb_t *climb, gmem_placement_t *plan) {
  const gmem_loose_buffers_t *loose = &climb->loose;
  if (peak_of(climb) >= gmem_plan_peak(loose->problem, plan))
    return;
  for (uint32_t i = 0; i < loose->count; ++i)
    if (loose->is_used[i])
      plan[i].offset = (uint64_t)loose->offsets[i];
}

static uint64_t least_large(const climb_t *climb) {
  return climb->goal / LARGE + 1;
}

// Moves the large buffers, whose offsets then are |best|, and places the rest.
static gmem_status_t move_all(climb_t *climb, uint64_t steps,
                              gmem_scratch_t *memory, gmem_placement_t *plan,
                              int64_t *best, bool *out_used) {
  gmem_loose_buffers_t *loose = &climb->loose;
  int64_t *from, *trial;
  GMEM_TRY_NEW(from, memory, loose->count);
  GMEM_TRY_NEW(trial, memory, loose->count);
  for (uint32_t i = 0; i < loose->count; ++i)
    from[i] = (int64_t)plan[i].offset;
  GMEM_TRY(use(climb, least_large(climb), memory, out_used));
  if (!*out_used)
    return GMEM_OK;
  move_large(climb, steps, from, trial, best);
  GMEM_TRY(use(climb, 1, memory, out_used));
  if (!*out_used)
    return GMEM_OK;
  set_weights(climb);
  place_rest(climb, false);
  write_lower(climb, plan);
  return GMEM_OK;
}

// Places the buffers that are not large beside those that are.
static gmem_status_t add_rest(climb_t *climb, gmem_scratch_t *memory,
                              gmem_placement_t *plan) {
  gmem_loose_buffers_t *loose = &climb->loose;
  uint64_t least = least_large(climb);
  bool is_used;
  GMEM_TRY(use(climb, 1, memory, &is_used));
  assert(is_used); // as in move_all
  for (uint32_t i = 0; i < loose->count; ++i)
    loose->is_placed[i] = (uint64_t)size_of(climb, i) >= least;
  set_weights(climb);
  place_rest(climb, true);
  write_lower(climb, plan);
  return GMEM_OK;
}

// Changes the order of the large buffers, which are at |from|, and places the
// rest.
static gmem_status_t reorder_large(climb_t *climb, uint64_t steps,
                                   gmem_scratch_t *memory, const int64_t *from,
                                   gmem_placement_t *plan) {
  gmem_loose_buffers_t *loose = &climb->loose;
  bool is_used;
  GMEM_TRY(use(climb, least_large(climb), memory, &is_used));
  assert(is_used); // as all were
  memcpy(loose->offsets, from, loose->count * sizeof *from);
  memcpy(loose->is_placed, loose->is_used, loose->count);
  GMEM_TRY(gmem_reorder_loose(loose, climb->search, ORDER_TRIALS, steps,
                              goal_of_large(climb), NULL, memory));
  return add_rest(climb, memory, plan);
}

// Places the large buffers at their offsets, and the runs above them.
static void put_runs(const climb_t *climb, const gmem_slot_runs_t *runs,
                     gmem_loose_buffers_t *both) {
  int64_t top = 0;
  for (uint32_t i = 0; i < both->count; ++i) {
    int64_t size = (int64_t)gmem_problem_buffer(runs->problem, i)->size;
    both->offsets[i] = i < runs->large_count
                           ? climb->loose.offsets[runs->large[i]]
                           : gmem_loose_align(both, i, top, false);
    both->is_placed[i] = true;
    if (both->offsets[i] + size > top)
      top = both->offsets[i] + size;
  }
}

// What is done with the large buffers and the runs.
typedef enum aim_e {
  REORDER, // their order is changed
  STACK,   // they are placed below a ceiling
} aim_t;

// Places the large buffers and the runs, so that the small ones, which are part
// of the goal and not of their |bound|, may find room as well.
static gmem_status_t stack_both(climb_t *climb, uint64_t steps, uint64_t bound,
                                const gmem_slot_runs_t *runs,
                                gmem_alias_pressure_t *live,
                                gmem_loose_buffers_t *both,
                                gmem_scratch_t *memory) {
  uint64_t rest = climb->goal > bound ? climb->goal - bound : 0;
  bool is_found;
  return gmem_stack_loose(
      both, live, climb->search, steps, climb->goal - rest / 2,
      gmem_search_enough(climb->search), runs->rounded, memory, &is_found);
}

static gmem_status_t place_both(climb_t *climb, uint64_t steps,
                                const gmem_slot_runs_t *runs,
                                const gmem_choice_t *choice, aim_t aim,
                                gmem_scratch_t *memory) {
  gmem_alias_pressure_t live;
  gmem_loose_buffers_t both;
  uint64_t bound;
  bool is_listed;
  GMEM_TRY(gmem_lower_bound(runs->problem, &bound, memory->diag));
  GMEM_TRY(gmem_alias_pressure_create(runs->problem, memory, &live));
  GMEM_TRY(
      gmem_loose_buffers_create(runs->problem, choice, &live, memory, &both));
  GMEM_TRY(gmem_list_rivals(&both, 1, memory, &is_listed));
  if (!is_listed)
    return GMEM_OK;
  put_runs(climb, runs, &both);
  if (aim == STACK)
    GMEM_TRY(stack_both(climb, steps, bound, runs, &live, &both, memory));
  else
    GMEM_TRY(gmem_reorder_loose(&both, climb->search, 1, steps, bound,
                                runs->rounded, memory));
  for (uint32_t i = 0; i < runs->large_count; ++i)
    climb->loose.offsets[runs->large[i]] = both.offsets[i];
  return GMEM_OK;
}

static gmem_status_t try_runs(climb_t *climb, uint64_t steps,
                              const gmem_slot_runs_t *runs, aim_t aim,
                              gmem_scratch_t *memory, gmem_placement_t *plan) {
  gmem_choice_t choice;
  gmem_status_t status =
      gmem_choice_create(runs->problem, &choice, memory->diag);
  if (status == GMEM_OK)
    status = place_both(climb, steps, runs, &choice, aim, memory);
  gmem_choice_destroy(&choice);
  return status == GMEM_OK ? add_rest(climb, memory, plan) : status;
}

// The same, with the places of the small buffers in their parents kept, from
// the offsets on that were found before. If there are no such places: only
// |without_runs|.
static gmem_status_t place_with_runs(climb_t *climb, uint64_t steps, aim_t aim,
                                     bool without_runs, gmem_scratch_t *memory,
                                     gmem_placement_t *plan) {
  gmem_slot_runs_t runs;
  gmem_status_t status = gmem_slot_runs_create(
      climb->loose.problem, least_large(climb), memory, &runs);
  if (status == GMEM_OK && (runs.run_count || without_runs))
    status = try_runs(climb, steps, &runs, aim, memory, plan);
  gmem_slot_runs_destroy(&runs);
  return status;
}

// Creates |climb|. *out_able: whether the buffers can be moved.
static gmem_status_t
create(const gmem_choice_t *choice, const gmem_alias_pressure_t *live,
       gmem_search_t *search, uint64_t goal, const gmem_placement_t *plan,
       gmem_scratch_t *memory, climb_t *climb, bool *out_able) {
  // Otherwise differences of offsets might overflow.
  const uint64_t most = GMEM_MAX_ADDRESS / 8;
  *out_able = gmem_can_be_loose(choice->problem) &&
              gmem_plan_peak(choice->problem, plan) <= most;
  if (!*out_able)
    return GMEM_OK;
  *climb = (climb_t){
      .search = search, .goal = goal, .random = UINT64_C(0x9e3779b97f4a7c15)};
  size_t count = gmem_problem_buffer_count(choice->problem);
  GMEM_TRY_NEW(climb->weights, memory, count);
  GMEM_TRY_NEW(climb->waiting, memory, count);
  GMEM_TRY_NEW(climb->rounds, memory, count);
  GMEM_TRY_NEW(climb->longest, memory, count);
  return gmem_loose_buffers_create(choice->problem, choice, live, memory,
                                   &climb->loose);
}

gmem_status_t gmem_alias_climb(const gmem_choice_t *choice,
                               const gmem_alias_pressure_t *live,
                               gmem_search_t *search, uint64_t steps,
                               uint64_t goal, gmem_placement_t *plan,
                               gmem_scratch_t *memory) {
  climb_t climb;
  int64_t *best;
  bool is_able;
  GMEM_TRY(create(choice, live, search, goal, plan, memory, &climb, &is_able));
  if (!is_able)
    return GMEM_OK;
  GMEM_TRY_NEW(best, memory, climb.loose.count);
  GMEM_TRY(move_all(&climb, steps, memory, plan, best, &is_able));
  if (!is_able || gmem_plan_peak(choice->problem, plan) <= goal)
    return GMEM_OK;
  GMEM_TRY(reorder_large(&climb, steps + steps / 8, memory, best, plan));
  return gmem_plan_peak(choice->problem, plan) > goal
             ? place_with_runs(&climb, steps / 8 * 3, REORDER, false, memory,
                               plan)
             : GMEM_OK;
}

// From the offsets |from| on, with all buffers used.
static gmem_status_t
place_from(const gmem_choice_t *choice, const gmem_alias_pressure_t *live,
           gmem_search_t *search, uint64_t steps, uint64_t goal, aim_t aim,
           const gmem_placement_t *from, gmem_placement_t *plan,
           gmem_scratch_t *memory) {
  climb_t climb;
  bool is_able;
  GMEM_TRY(create(choice, live, search, goal, from, memory, &climb, &is_able));
  if (is_able)
    GMEM_TRY(use(&climb, 1, memory, &is_able));
  if (!is_able)
    return GMEM_OK;
  for (uint32_t i = 0; i < climb.loose.count; ++i)
    climb.loose.offsets[i] = (int64_t)from[i].offset;
  return place_with_runs(&climb, steps, aim, true, memory, plan);
}

gmem_status_t gmem_alias_realign(const gmem_choice_t *choice,
                                 const gmem_alias_pressure_t *live,
                                 gmem_search_t *search, uint64_t steps,
                                 uint64_t goal, const gmem_placement_t *from,
                                 gmem_placement_t *plan,
                                 gmem_scratch_t *memory) {
  return place_from(choice, live, search, steps, goal, REORDER, from, plan,
                    memory);
}

gmem_status_t gmem_alias_stack(const gmem_choice_t *choice,
                               const gmem_alias_pressure_t *live,
                               gmem_search_t *search, uint64_t steps,
                               uint64_t goal, gmem_placement_t *plan,
                               gmem_scratch_t *memory) {
  return place_from(choice, live, search, steps, goal, STACK, plan, plan,
                    memory);
}
