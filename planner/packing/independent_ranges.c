// independent_ranges.c - when buffers with optional aliases count for a bound.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Two live buffers of different storages share bytes only if an optional alias
// relates the two. So live buffers that are pairwise unrelated, an independent
// set of the graph of the aliases, occupy disjoint bytes in every plan, and a
// bound may count them. The graph of the buffers that are live at one time
// falls into components: an op's operands and result, a concatenation and its
// parts. Most are trees, whose heaviest independent set is found exactly, from
// the leaves to the root. Of the others the buffers without a live parent
// count: of two that are related one is the child.
//
// Only the components of buffers that begin or end are looked at again.

#include <assert.h>
#include <string.h>

#include "exclusive_branches.h"
#include "packing_builder.h"

#define NO_EDGE UINT32_MAX

// An alias is seen from both its buffers: 2i and 2i + 1 are the two sides of
// relation i.
typedef struct side_s {
  uint32_t other;      // the buffer of the other side
  uint32_t next, last; // in the list of its own buffer, while both are live
} side_t;

// A time: twice the number of an event at it, and 1 for one of the ends.
typedef uint32_t moment_t;

// Of a buffer with optional aliases.
typedef struct node_s {
  uint32_t first_live;      // side; NO_EDGE: none
  uint32_t live_count : 30; // of sides
  bool is_live : 1, counts : 1;
  moment_t since;   // it counts
  uint32_t settled; // the number of the time at which it was looked at
} node_t;

// Of a component, in the order in which its buffers were reached.
typedef struct reached_s {
  uint32_t buffer;
  uint32_t up; // rank of the one that it was reached from; NO_EDGE: none
  gmem_sum_t with, without; // the heaviest sets of it and those below it
} reached_t;

typedef struct event_list_s {
  gmem_order_t *at; // key: time, index: buffer
  size_t count, next;
} event_list_t;

// A range in which a buffer counts.
typedef struct stretch_s {
  uint32_t buffer;
  moment_t begin, end;
} stretch_t;

typedef struct finder_s {
  gmem_packing_builder_t *builder;
  const gmem_problem_t *problem;
  gmem_scratch_t *memory; // of everything below
  side_t *sides;
  bool *is_child; // by side: its own buffer is a child of the other
  uint32_t side_count;
  uint32_t *of; // sides by buffer: those of b are of[first[b] .. first[b + 1])
  uint32_t *first;
  node_t *nodes; // by buffer
  event_list_t begins, ends;
  uint32_t *touched; // buffers that begin or end at this time
  size_t touched_count;
  reached_t *component;
  size_t component_count;
  uint32_t clock; // number of this time
  stretch_t *stretches;
  size_t stretch_count, stretch_room;
  uint64_t looks, look_limit;
} finder_t;

//===--- the graph --------------------------------------------------------===//

// Adds a relation; |pair| are aliases with the same two buffers. In a cycle of
// two the buffer that was added first is the parent.
static void add_relation(finder_t *finder, const gmem_order_t *pair,
                         size_t count) {
  uint32_t low = (uint32_t)(pair->key >> 32), high = (uint32_t)pair->key;
  bool low_is_child = true;
  for (size_t i = 0; i < count; ++i)
    low_is_child &=
        gmem_problem_alias(finder->problem, pair[i].index)->child == low;
  finder->is_child[finder->side_count] = low_is_child;
  finder->sides[finder->side_count++].other = high;
  finder->is_child[finder->side_count] = !low_is_child;
  finder->sides[finder->side_count++].other = low;
}

static gmem_status_t list_relations(finder_t *finder) {
  const gmem_problem_t *problem = finder->problem;
  size_t aliases = gmem_problem_alias_count(problem), count = 0;
  gmem_order_t *pairs;
  GMEM_TRY_NEW(pairs, finder->memory, 2 * aliases);
  GMEM_TRY_NEW(finder->sides, finder->memory, 2 * aliases);
  GMEM_TRY_NEW(finder->is_child, finder->memory, 2 * aliases);
  for (size_t i = 0; i < aliases; ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(problem, i);
    if (alias->is_optional &&
        gmem_problem_buffer(problem, alias->child)->size > 0)
      pairs[count++] = (gmem_order_t){
          gmem_pair_key(alias->child, alias->parent), (uint32_t)i};
  }
  gmem_sort_order(pairs, pairs + count, count);
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && pairs[end].key == pairs[i].key;)
      ++end;
    add_relation(finder, pairs + i, end - i);
  }
  gmem_scratch_drop(finder->memory, pairs);
  return GMEM_OK;
}

static uint32_t buffer_of(const finder_t *finder, uint32_t side) {
  return finder->sides[side ^ 1].other;
}

static gmem_status_t list_sides(finder_t *finder) {
  uint32_t buffers = gmem_problem_buffer_count(finder->problem);
  GMEM_TRY_ZEROS(finder->first, finder->memory, (size_t)buffers + 2);
  GMEM_TRY_NEW(finder->of, finder->memory, finder->side_count);
  for (uint32_t i = 0; i < finder->side_count; ++i)
    ++finder->first[buffer_of(finder, i) + 2];
  for (uint32_t i = 0; i < buffers; ++i)
    finder->first[i + 2] += finder->first[i + 1];
  for (uint32_t i = 0; i < finder->side_count; ++i)
    finder->of[finder->first[buffer_of(finder, i) + 1]++] = i;
  return GMEM_OK;
}

static bool has_sides(const finder_t *finder, uint32_t buffer) {
  return finder->first[buffer] < finder->first[buffer + 1];
}

//===--- live relations ---------------------------------------------------===//

static void link_side(finder_t *finder, uint32_t number) {
  side_t *side = &finder->sides[number];
  node_t *node = &finder->nodes[buffer_of(finder, number)];
  side->last = NO_EDGE;
  side->next = node->first_live;
  if (side->next != NO_EDGE)
    finder->sides[side->next].last = number;
  node->first_live = number;
  ++node->live_count;
}

static void unlink_side(finder_t *finder, uint32_t number) {
  const side_t *side = &finder->sides[number];
  node_t *node = &finder->nodes[buffer_of(finder, number)];
  if (side->next != NO_EDGE)
    finder->sides[side->next].last = side->last;
  if (side->last != NO_EDGE)
    finder->sides[side->last].next = side->next;
  else
    node->first_live = side->next;
  assert(node->live_count > 0);
  --node->live_count;
}

static void set_live(finder_t *finder, uint32_t buffer, bool is_live) {
  assert(finder->nodes[buffer].is_live != is_live);
  finder->nodes[buffer].is_live = is_live;
  finder->looks += finder->first[buffer + 1] - finder->first[buffer];
  for (size_t i = finder->first[buffer]; i < finder->first[buffer + 1]; ++i) {
    uint32_t number = finder->of[i];
    if (!finder->nodes[finder->sides[number].other].is_live)
      continue;
    if (is_live) {
      link_side(finder, number);
      link_side(finder, number ^ 1);
    } else {
      unlink_side(finder, number);
      unlink_side(finder, number ^ 1);
    }
  }
}

//===--- one component ----------------------------------------------------===//

// Lists the component of |buffer|; returns whether it is a tree.
static bool list_component(finder_t *finder, uint32_t buffer) {
  size_t count = 0, sides = 0;
  finder->component[count++] = (reached_t){buffer, NO_EDGE, 0, 0};
  finder->nodes[buffer].settled = finder->clock;
  for (uint32_t done = 0; done < count; ++done) {
    uint32_t at = finder->component[done].buffer;
    sides += finder->nodes[at].live_count;
    for (uint32_t i = finder->nodes[at].first_live; i != NO_EDGE;
         i = finder->sides[i].next) {
      uint32_t other = finder->sides[i].other;
      if (finder->nodes[other].settled == finder->clock)
        continue;
      finder->nodes[other].settled = finder->clock;
      finder->component[count++] = (reached_t){other, done, 0, 0};
    }
  }
  finder->component_count = count;
  finder->looks += count + sides;
  return sides == 2 * (count - 1);
}

static bool has_live_parent(const finder_t *finder, uint32_t buffer) {
  for (uint32_t i = finder->nodes[buffer].first_live; i != NO_EDGE;
       i = finder->sides[i].next)
    if (finder->is_child[i])
      return true;
  return false;
}

// The fewest bytes that |buffer| occupies, with its padding: unless it is on
// top, nothing else lies there.
static gmem_sum_t weight_of(const finder_t *finder, uint32_t buffer) {
  return gmem_round_up(gmem_problem_buffer(finder->problem, buffer)->size,
                       gmem_alignment_of(finder->builder, buffer));
}

// The heaviest sets with and without each buffer, from the leaves to the root.
static void weigh_tree(finder_t *finder) {
  for (size_t i = 0; i < finder->component_count; ++i)
    finder->component[i].with = weight_of(finder, finder->component[i].buffer);
  for (size_t i = finder->component_count; i-- > 1;) {
    const reached_t *one = &finder->component[i];
    reached_t *up = &finder->component[one->up];
    up->with += one->without;
    up->without += one->with > one->without ? one->with : one->without;
  }
}

// Whether |one| counts from now on; those before it in a tree are decided.
static bool should_count(const finder_t *finder, const reached_t *one,
                         bool is_tree) {
  bool is_free = one->up == NO_EDGE ||
                 !finder->nodes[finder->component[one->up].buffer].counts;
  if (!is_tree)
    return !has_live_parent(finder, one->buffer);
  return is_free &&
         (one->with > one->without ||
          (one->with == one->without && !has_live_parent(finder, one->buffer)));
}

static int64_t time_at(const finder_t *finder, moment_t moment) {
  const event_list_t *events = moment & 1 ? &finder->ends : &finder->begins;
  return gmem_time_of(events->at[moment >> 1].key);
}

static gmem_status_t set_counts(finder_t *finder, uint32_t buffer, bool counts,
                                moment_t time) {
  node_t *node = &finder->nodes[buffer];
  if (node->counts == counts)
    return GMEM_OK;
  node->counts = counts;
  if (counts) {
    node->since = time;
    return GMEM_OK;
  }
  assert(time_at(finder, node->since) < time_at(finder, time));
  GMEM_TRY_ROOM(finder->stretches, finder->memory, finder->stretch_count,
                finder->stretch_room);
  finder->stretches[finder->stretch_count++] =
      (stretch_t){buffer, node->since, time};
  return GMEM_OK;
}

static gmem_status_t settle(finder_t *finder, uint32_t buffer, moment_t time) {
  if (!finder->nodes[buffer].is_live ||
      finder->nodes[buffer].settled == finder->clock)
    return GMEM_OK;
  bool is_tree = list_component(finder, buffer);
  if (is_tree)
    weigh_tree(finder);
  for (size_t i = 0; i < finder->component_count; ++i) {
    const reached_t *one = &finder->component[i];
    GMEM_TRY(set_counts(finder, one->buffer, should_count(finder, one, is_tree),
                        time));
  }
  return GMEM_OK;
}

//===--- all times --------------------------------------------------------===//

static gmem_status_t list_events(finder_t *finder) {
  uint32_t buffers = gmem_problem_buffer_count(finder->problem);
  size_t count = 0, next = 0;
  gmem_order_t *scratch;
  for (uint32_t i = 0; i < buffers; ++i)
    if (has_sides(finder, i))
      count += gmem_problem_buffer(finder->problem, i)->range_count;
  GMEM_TRY_NEW(finder->begins.at, finder->memory, count);
  GMEM_TRY_NEW(finder->ends.at, finder->memory, count);
  finder->begins.count = finder->ends.count = count;
  for (uint32_t i = 0; i < buffers; ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(finder->problem, i);
    for (size_t k = 0; has_sides(finder, i) && k < spec->range_count; ++k) {
      finder->begins.at[next] =
          (gmem_order_t){gmem_time_key(spec->ranges[k].begin), i};
      finder->ends.at[next++] =
          (gmem_order_t){gmem_time_key(spec->ranges[k].end), i};
    }
  }
  GMEM_TRY_NEW(scratch, finder->memory, count);
  gmem_sort_order(finder->begins.at, scratch, count);
  gmem_sort_order(finder->ends.at, scratch, count);
  gmem_scratch_drop(finder->memory, scratch);
  GMEM_TRY_NEW(finder->touched, finder->memory, 2 * count);
  return GMEM_OK;
}

// Takes the events at |time| off the list.
static void take_events(finder_t *finder, event_list_t *events, uint64_t time,
                        bool is_live) {
  for (; events->next < events->count && events->at[events->next].key == time;
       ++events->next) {
    uint32_t buffer = events->at[events->next].index;
    set_live(finder, buffer, is_live);
    finder->touched[finder->touched_count++] = buffer;
  }
}

static gmem_status_t settle_around(finder_t *finder, uint32_t buffer,
                                   moment_t time) {
  if (finder->nodes[buffer].is_live)
    return settle(finder, buffer, time);
  GMEM_TRY(set_counts(finder, buffer, false, time));
  finder->looks += finder->first[buffer + 1] - finder->first[buffer];
  for (size_t i = finder->first[buffer]; i < finder->first[buffer + 1]; ++i)
    GMEM_TRY(settle(finder, finder->sides[finder->of[i]].other, time));
  return GMEM_OK;
}

static gmem_status_t walk_times(finder_t *finder) {
  event_list_t *begins = &finder->begins, *ends = &finder->ends;
  while (ends->next < ends->count && finder->looks <= finder->look_limit) {
    uint64_t time = ends->at[ends->next].key;
    moment_t moment = (moment_t)ends->next << 1 | 1;
    if (begins->next < begins->count && begins->at[begins->next].key < time) {
      time = begins->at[begins->next].key;
      moment = (moment_t)begins->next << 1;
    }
    ++finder->clock;
    finder->touched_count = 0;
    take_events(finder, ends, time, false);
    take_events(finder, begins, time, true);
    for (size_t i = 0; i < finder->touched_count; ++i)
      GMEM_TRY(settle_around(finder, finder->touched[i], moment));
  }
  return GMEM_OK;
}

// Hands the stretches, which are in order of time, to the builder by buffer.
static gmem_status_t hand_over(finder_t *finder) {
  gmem_packing_builder_t *builder = finder->builder;
  uint32_t buffers = gmem_problem_buffer_count(finder->problem);
  gmem_live_range_t *ranges;
  uint32_t next = 0; // fewer than UINT32_MAX, as events are
  GMEM_TRY_NEW(ranges, &builder->memory, finder->stretch_count);
  builder->uncovered_ranges = ranges;
  for (size_t i = 0; i < finder->stretch_count; ++i)
    ++builder->uncovered[finder->stretches[i].buffer].count;
  for (uint32_t i = 0; i < buffers; ++i) {
    if (has_sides(finder, i))
      builder->uncovered[i].first = next + 1;
    next += builder->uncovered[i].count;
    builder->uncovered[i].count = 0;
  }
  assert(next == finder->stretch_count);
  for (size_t i = 0; i < finder->stretch_count; ++i) {
    const stretch_t *stretch = &finder->stretches[i];
    gmem_uncovered_t *list = &builder->uncovered[stretch->buffer];
    ranges[list->first - 1 + list->count++] = (gmem_live_range_t){
        time_at(finder, stretch->begin), time_at(finder, stretch->end)};
  }
  return GMEM_OK;
}

static gmem_status_t find(finder_t *finder, bool *out_found) {
  enum { LOOKS = 1 << 20, LOOKS_PER_SIDE = 64 };
  uint32_t buffers = gmem_problem_buffer_count(finder->problem);
  GMEM_TRY(list_relations(finder));
  GMEM_TRY(list_sides(finder));
  GMEM_TRY(list_events(finder));
  if (finder->begins.count >= UINT32_MAX / 2) // the clock would overflow
    return GMEM_OK;
  GMEM_TRY_ZEROS(finder->nodes, finder->memory, buffers);
  GMEM_TRY_NEW(finder->component, finder->memory, buffers);
  for (uint32_t i = 0; i < buffers; ++i)
    finder->nodes[i].first_live = NO_EDGE;
  finder->look_limit = LOOKS + LOOKS_PER_SIDE * ((uint64_t)finder->side_count +
                                                 finder->begins.count);
  GMEM_TRY(walk_times(finder));
  *out_found = finder->looks <= finder->look_limit;
  gmem_scratch_drop(finder->memory, finder->nodes);
  gmem_scratch_drop(finder->memory, finder->sides);
  return *out_found ? hand_over(finder) : GMEM_OK;
}

gmem_status_t gmem_find_independent(gmem_packing_builder_t *builder,
                                    bool *out_found) {
  gmem_scratch_t memory = {.allocator = builder->packing->allocator,
                           .diag = builder->memory.diag};
  finder_t finder = {.builder = builder,
                     .problem = builder->packing->problem,
                     .memory = &memory};
  *out_found = false;
  gmem_status_t status = GMEM_OK;
  if (gmem_problem_alias_count(finder.problem) < UINT32_MAX / 2)
    status = find(&finder, out_found);
  gmem_scratch_free(&memory);
  return status;
}
