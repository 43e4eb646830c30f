// byte_ownership.c - see byte_ownership.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "byte_ownership.h"

#include <assert.h>
#include <stdlib.h>

#include "alias_attributes.h"
#include "diagnostics.h"
#include "live_ranges.h"

//===--- aliases in use ---------------------------------------------------===//

// Whether both are live together and placed as the alias states.
static bool is_taken(const gmem_liveness_t *liveness, const gmem_alias_t *alias,
                     const gmem_value_place_t *places) {
  return gmem_alias_holds(alias, places) &&
         gmem_alias_sets_meet(liveness, liveness->set_of[alias->child],
                              liveness->set_of[alias->parent]);
}

// If two values have the same size, either buffer may contain the other.
static gmem_taken_alias_t take(const gmem_liveness_t *liveness,
                               const gmem_alias_t *alias,
                               const gmem_value_place_t *places) {
  uint32_t child = alias->child, parent = alias->parent;
  if (places[child].size > places[parent].size) {
    child = alias->parent;
    parent = alias->child;
  }
  return (gmem_taken_alias_t){
      .child = liveness->set_of[child],
      .parent = liveness->set_of[parent],
      .offset = (uint64_t)(places[child].offset - places[parent].offset),
      .kind = alias->kind,
      .is_equal = places[child].size == places[parent].size};
}

static int compare_numbers(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static uint32_t low_of(const gmem_taken_alias_t *alias) {
  return alias->child < alias->parent ? alias->child : alias->parent;
}

static uint32_t high_of(const gmem_taken_alias_t *alias) {
  return alias->child < alias->parent ? alias->parent : alias->child;
}

// Sort order of the list.
static int compare_taken(const void *a, const void *b) {
  const gmem_taken_alias_t *left = a, *right = b;
  int order = compare_numbers(left->child, right->child);
  if (order == 0)
    order = compare_numbers(left->parent, right->parent);
  return order ? order : compare_numbers(left->kind, right->kind);
}

static int compare_pairs(const void *a, const void *b) {
  const gmem_taken_alias_t *left = a, *right = b;
  int order = compare_numbers(low_of(left), low_of(right));
  if (order == 0)
    order = compare_numbers(high_of(left), high_of(right));
  return order ? order : compare_taken(a, b);
}

// Keeps one alias per pair. All aliases of a pair have the same offset, and of
// two equal buffers either may be the child.
static void keep_one_per_pair(gmem_taken_aliases_t *taken) {
  gmem_taken_alias_t *aliases = taken->aliases;
  size_t kept = 0;
  qsort(aliases, taken->count, sizeof *aliases, compare_pairs);
  for (size_t i = 0; i < taken->count; ++i)
    if (kept == 0 || low_of(&aliases[kept - 1]) != low_of(&aliases[i]) ||
        high_of(&aliases[kept - 1]) != high_of(&aliases[i]))
      aliases[kept++] = aliases[i];
  taken->count = kept;
}

gmem_status_t gmem_taken_aliases_find(const gmem_liveness_t *liveness,
                                      const gmem_aliases_t *aliases,
                                      const gmem_value_place_t *places,
                                      gmem_bump_t *arena,
                                      gmem_taken_aliases_t *out_taken,
                                      gmem_diag_t *diag) {
  *out_taken = (gmem_taken_aliases_t){
      .aliases =
          gmem_bump_alloc(arena, aliases->count, sizeof *out_taken->aliases)};
  if (!out_taken->aliases)
    return gmem_out_of_memory(diag);
  for (size_t i = 0; i < aliases->count; ++i) {
    const gmem_alias_t *alias = &aliases->aliases[i];
    if (is_taken(liveness, alias, places))
      out_taken->aliases[out_taken->count++] = take(liveness, alias, places);
  }
  keep_one_per_pair(out_taken);
  qsort(out_taken->aliases, out_taken->count, sizeof *out_taken->aliases,
        compare_taken);
  return GMEM_OK;
}

//===--- ownership --------------------------------------------------------===//

// One alias set yields to another while both are live.
typedef struct precedence_s {
  uint32_t loser, winner; // alias sets
} precedence_t;

static int compare_precedences(const void *a, const void *b) {
  const precedence_t *left = a, *right = b;
  int order = compare_numbers(left->loser, right->loser);
  return order ? order : compare_numbers(left->winner, right->winner);
}

// The larger buffer contains the smaller one. Alias sets are numbered in order
// of definition, so this is a total order.
static precedence_t precedence_of(const gmem_taken_alias_t *alias) {
  uint32_t child = alias->child, parent = alias->parent;
  return alias->is_equal && child < parent ? (precedence_t){parent, child}
                                           : (precedence_t){child, parent};
}

// Subtracts the ranges of |winner| from |owned|. Returns false if out of
// memory.
static bool take_out(gmem_owned_t *owned, const gmem_alias_set_t *winner,
                     gmem_bump_t *arena) {
  if (owned->range_count == 0)
    return true;
  int64_t hull_end = owned->ranges[owned->range_count - 1].end;
  size_t next = gmem_first_range_after(winner->ranges, winner->range_count,
                                       owned->ranges[0].begin),
         last = next;
  while (last < winner->range_count && winner->ranges[last].begin < hull_end)
    ++last;
  // Each subtracted range splits one range at most.
  gmem_live_range_t *left =
      gmem_bump_alloc(arena, owned->range_count + (last - next), sizeof *left);
  size_t count = 0;
  for (size_t i = 0; left && i < owned->range_count; ++i) {
    gmem_live_range_t rest = owned->ranges[i];
    for (; next < last && winner->ranges[next].begin < rest.end; ++next) {
      gmem_live_range_t taken = winner->ranges[next];
      if (rest.begin < taken.begin)
        left[count++] = (gmem_live_range_t){rest.begin, taken.begin};
      if (rest.begin < taken.end)
        rest.begin = taken.end;
      if (taken.end > rest.end)
        break; // may overlap the next range, too
    }
    if (rest.begin < rest.end)
      left[count++] = rest;
  }
  assert(!left || gmem_ranges_check(left, count));
  *owned = (gmem_owned_t){left, count};
  return left != NULL;
}

gmem_status_t gmem_owned_ranges_find(const gmem_liveness_t *liveness,
                                     const gmem_taken_aliases_t *taken,
                                     gmem_bump_t *arena,
                                     gmem_owned_t **out_owned,
                                     gmem_diag_t *diag) {
  gmem_owned_t *owned =
      gmem_bump_alloc(arena, liveness->set_count, sizeof *owned);
  precedence_t *precedences =
      gmem_bump_alloc(arena, taken->count, sizeof *precedences);
  *out_owned = owned;
  if (!owned || !precedences)
    return gmem_out_of_memory(diag);
  for (size_t i = 0; i < liveness->set_count; ++i)
    owned[i] =
        (gmem_owned_t){liveness->sets[i].ranges, liveness->sets[i].range_count};
  for (size_t i = 0; i < taken->count; ++i)
    precedences[i] = precedence_of(&taken->aliases[i]);
  qsort(precedences, taken->count, sizeof *precedences, compare_precedences);
  for (size_t i = 0; i < taken->count; ++i)
    if (!take_out(&owned[precedences[i].loser],
                  &liveness->sets[precedences[i].winner], arena))
      return gmem_out_of_memory(diag);
  return GMEM_OK;
}
