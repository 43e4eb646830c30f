// exclusive_lives.c - see exclusive_lives.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Who may share bytes with whom while both are live is known: those of which
// one lies in the other by an alias, and those that gmem.same_as ties. Of each
// such pair the larger holds the bytes (of two equal ones the first). What is
// inside of something that is inside of a third at that time is inside of the
// third, so that leaving out the steps of all outer ones loses no byte.

#include "exclusive_lives.h"

#include <stdlib.h>

#include "alias_attributes.h"
#include "diagnostics.h"

typedef struct pair_s {
  uint32_t inner, outer; // classes
} pair_t;

typedef struct finder_s {
  const gmem_analysis_t *analysis;
  const gmem_place_t *places;
  gmem_arena_t *arena;
  pair_t *pairs; // sorted by inner, then the outer that holds first
  size_t count, room;
} finder_t;

static uint64_t size_of(const finder_t *finder, uint32_t class) {
  const gmem_liveness_t *liveness = &finder->analysis->liveness;
  return liveness->schedule->values[liveness->classes[class].root].size;
}

// Whether |left| holds the bytes that it shares with |right|.
static bool holds_before(uint64_t left_size, uint32_t left, uint64_t right_size,
                         uint32_t right) {
  return left_size != right_size ? left_size > right_size : left < right;
}

static bool add_pair(finder_t *finder, uint32_t left, uint32_t right) {
  bool left_holds =
      holds_before(size_of(finder, left), left, size_of(finder, right), right);
  if (gmem_classes_meet_only_at(&finder->analysis->liveness, left, right, 0, 0))
    return true;
  if (!gmem_arena_grow(finder->arena, &finder->pairs, finder->count,
                       &finder->room, sizeof *finder->pairs))
    return false;
  finder->pairs[finder->count++] =
      left_holds ? (pair_t){right, left} : (pair_t){left, right};
  return true;
}

// All classes at one place: those tied to one head, by head.
static bool add_ties(finder_t *finder) {
  const gmem_boundary_t *classes = finder->analysis->boundaries.classes;
  size_t count = finder->analysis->liveness.class_count;
  for (uint32_t i = 0; i < count; ++i) {
    if (classes[i].tied_to == i)
      continue;
    uint32_t head = gmem_tied_head(classes, i);
    if (!add_pair(finder, i, head))
      return false;
    // Few are ever tied to one argument, and those together at an op only.
    for (uint32_t k = 0; k < i; ++k)
      if (classes[k].tied_to != k && gmem_tied_head(classes, k) == head &&
          !add_pair(finder, i, k))
        return false;
  }
  return true;
}

static bool list_pairs(finder_t *finder) {
  const gmem_aliases_t *aliases = &finder->analysis->aliases;
  const uint32_t *class_of = finder->analysis->liveness.class_of;
  for (size_t i = 0; i < aliases->count; ++i) {
    const gmem_alias_t *alias = &aliases->aliases[i];
    if (gmem_alias_holds(alias, finder->places) &&
        !add_pair(finder, class_of[alias->child], class_of[alias->parent]))
      return false;
  }
  return add_ties(finder);
}

typedef struct sort_key_s {
  pair_t pair;
  uint64_t outer_size;
} sort_key_t;

static int compare_keys(const void *a, const void *b) {
  const sort_key_t *left = a, *right = b;
  if (left->pair.inner != right->pair.inner)
    return left->pair.inner < right->pair.inner ? -1 : 1;
  if (left->pair.outer == right->pair.outer)
    return 0;
  return holds_before(left->outer_size, left->pair.outer, right->outer_size,
                      right->pair.outer)
             ? -1
             : 1;
}

static bool sort_pairs(finder_t *finder) {
  sort_key_t *keys =
      gmem_arena_alloc(finder->arena, finder->count, sizeof *keys);
  if (!keys)
    return false;
  for (size_t i = 0; i < finder->count; ++i)
    keys[i] =
        (sort_key_t){finder->pairs[i], size_of(finder, finder->pairs[i].outer)};
  qsort(keys, finder->count, sizeof *keys, compare_keys);
  for (size_t i = 0; i < finder->count; ++i)
    finder->pairs[i] = keys[i].pair;
  return true;
}

//===--- ranges -----------------------------------------------------------===//

typedef struct ranges_s {
  gmem_live_range_t *at;
  size_t count;
} ranges_t;

static int64_t max_time(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t min_time(int64_t a, int64_t b) { return a < b ? a : b; }

// The steps of |left| that are steps of |right|, or that are none.
static bool combine(gmem_arena_t *arena, const gmem_live_range_t *left,
                    size_t left_count, const gmem_live_range_t *right,
                    size_t right_count, bool shared, ranges_t *out) {
  out->at = gmem_arena_alloc(arena, left_count + right_count, sizeof *out->at);
  out->count = 0;
  if (!out->at)
    return false;
  for (size_t i = 0, k = 0; i < left_count; ++i) {
    int64_t begin = left[i].begin;
    while (k < right_count && right[k].end <= begin)
      ++k;
    for (size_t j = k; j < right_count && right[j].begin < left[i].end; ++j) {
      gmem_live_range_t both = {max_time(left[i].begin, right[j].begin),
                                min_time(left[i].end, right[j].end)};
      if (shared)
        out->at[out->count++] = both;
      else if (begin < both.begin)
        out->at[out->count++] = (gmem_live_range_t){begin, both.begin};
      begin = both.end;
    }
    if (!shared && begin < left[i].end)
      out->at[out->count++] = (gmem_live_range_t){begin, left[i].end};
  }
  return true;
}

// Fills the life of class |inner| from the pairs [first, end) that have it
// inside; the lives of the outer ones are filled.
static bool fill(finder_t *finder, size_t first, size_t end,
                 gmem_exclusive_life_t *lives) {
  const gmem_class_t *classes = finder->analysis->liveness.classes;
  uint32_t inner = finder->pairs[first].inner;
  ranges_t left = {(gmem_live_range_t *)classes[inner].ranges,
                   classes[inner].range_count};
  for (size_t i = first; i < end && left.count; ++i) {
    const gmem_class_t *outer = &classes[finder->pairs[i].outer];
    if (!combine(finder->arena, left.at, left.count, outer->ranges,
                 outer->range_count, false, &left))
      return false;
  }
  lives[inner] = (gmem_exclusive_life_t){left.at, left.count, GMEM_NO_INDEX};
  for (size_t i = first; i < end && lives[inner].range_count == 0; ++i) {
    uint32_t outer = finder->pairs[i].outer;
    if (lives[outer].inside != GMEM_NO_INDEX)
      continue;
    if (!combine(finder->arena, classes[inner].ranges,
                 classes[inner].range_count, lives[outer].ranges,
                 lives[outer].range_count, true, &left))
      return false;
    lives[inner] = (gmem_exclusive_life_t){left.at, left.count, outer};
  }
  return true;
}

typedef struct group_s {
  uint64_t size;
  uint32_t class;
  size_t first, end; // pairs
} group_t;

static int outer_first(const void *a, const void *b) {
  const group_t *left = a, *right = b;
  return holds_before(left->size, left->class, right->size, right->class) ? -1
                                                                          : 1;
}

// The outer of each pair before its inner.
static bool fill_all(finder_t *finder, gmem_exclusive_life_t *lives) {
  group_t *groups =
      gmem_arena_alloc(finder->arena, finder->count, sizeof *groups);
  size_t count = 0;
  if (!groups)
    return false;
  for (size_t i = 0; i < finder->count; ++i) {
    uint32_t inner = finder->pairs[i].inner;
    if (i == 0 || finder->pairs[i - 1].inner != inner)
      groups[count++] = (group_t){size_of(finder, inner), inner, i, i};
    groups[count - 1].end = i + 1;
  }
  qsort(groups, count, sizeof *groups, outer_first);
  for (size_t i = 0; i < count; ++i)
    if (!fill(finder, groups[i].first, groups[i].end, lives))
      return false;
  return true;
}

gmem_status_t gmem_exclusive_lives(const gmem_analysis_t *analysis,
                                   const gmem_place_t *places,
                                   gmem_exclusive_life_t **out_lives,
                                   gmem_diag_t *diag) {
  const gmem_liveness_t *liveness = &analysis->liveness;
  finder_t finder = {
      .analysis = analysis, .places = places, .arena = analysis->arena};
  gmem_exclusive_life_t *lives =
      gmem_arena_alloc(analysis->arena, liveness->class_count, sizeof *lives);
  *out_lives = lives;
  if (!lives)
    return gmem_out_of_memory(diag);
  for (size_t i = 0; i < liveness->class_count; ++i)
    lives[i] = (gmem_exclusive_life_t){liveness->classes[i].ranges,
                                       liveness->classes[i].range_count,
                                       GMEM_NO_INDEX};
  return list_pairs(&finder) && sort_pairs(&finder) && fill_all(&finder, lives)
             ? GMEM_OK
             : gmem_out_of_memory(diag);
}
