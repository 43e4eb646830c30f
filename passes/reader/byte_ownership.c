// byte_ownership.c - see byte_ownership.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "byte_ownership.h"

#include <assert.h>
#include <stdlib.h>

#include "alias_attributes.h"
#include "diagnostics.h"
#include "live_ranges.h"

//===--- aliases in use ---------------------------------------------------===//

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

// Two alias sets as a number that sorts like the pair.
static uint64_t pair_of(uint32_t first, uint32_t second) {
  return (uint64_t)first << 32 | second;
}

// The two alias sets, the smaller number first.
static uint64_t unordered_pair(const gmem_taken_alias_t *alias) {
  return alias->child < alias->parent ? pair_of(alias->child, alias->parent)
                                      : pair_of(alias->parent, alias->child);
}

// Sort order of the list.
static int compare_taken(const void *a, const void *b) {
  const gmem_taken_alias_t *left = a, *right = b;
  int order = compare_numbers(pair_of(left->child, left->parent),
                              pair_of(right->child, right->parent));
  return order ? order : compare_numbers(left->kind, right->kind);
}

static int compare_pairs(const void *a, const void *b) {
  int order = compare_numbers(unordered_pair(a), unordered_pair(b));
  return order ? order : compare_taken(a, b);
}

// Keeps one alias per pair. All aliases of a pair have the same offset, and of
// two equal buffers either may be the child.
static void keep_one_per_pair(gmem_taken_aliases_t *taken) {
  gmem_taken_alias_t *aliases = taken->aliases;
  size_t kept = 0;
  qsort(aliases, taken->count, sizeof *aliases, compare_pairs);
  for (size_t i = 0; i < taken->count; ++i)
    if (kept == 0 ||
        unordered_pair(&aliases[kept - 1]) != unordered_pair(&aliases[i]))
      aliases[kept++] = aliases[i];
  taken->count = kept;
}

gmem_status_t gmem_taken_aliases_find(const gmem_liveness_t *liveness,
                                      const gmem_aliases_t *aliases,
                                      const gmem_value_place_t *places,
                                      gmem_bump_t *arena,
                                      gmem_taken_aliases_t *out_taken,
                                      gmem_diag_t *diag) {
  *out_taken = (gmem_taken_aliases_t){NULL, 0};
  GMEM_TRY_ALLOC(out_taken->aliases, arena, aliases->count, diag);
  for (size_t i = 0; i < aliases->count; ++i) {
    const gmem_alias_t *alias = &aliases->aliases[i];
    if (gmem_alias_holds(alias, places) &&
        gmem_alias_sets_meet(liveness, liveness->set_of[alias->child],
                             liveness->set_of[alias->parent]))
      out_taken->aliases[out_taken->count++] = take(liveness, alias, places);
  }
  keep_one_per_pair(out_taken);
  qsort(out_taken->aliases, out_taken->count, sizeof *out_taken->aliases,
        compare_taken);
  return GMEM_OK;
}

//===--- ownership --------------------------------------------------------===//

// While both are live, one alias set, the first of the pair, yields to another.
// The larger buffer contains the smaller one. Alias sets are numbered in order
// of definition, so this is a total order.
static uint64_t precedence_of(const gmem_taken_alias_t *alias) {
  return alias->is_equal && alias->child < alias->parent
             ? pair_of(alias->parent, alias->child)
             : pair_of(alias->child, alias->parent);
}

static int compare_precedences(const void *a, const void *b) {
  return compare_numbers(*(const uint64_t *)a, *(const uint64_t *)b);
}

// The ranges of |set| from the first one that ends after |begin| to one that
// ends after |end|.
static gmem_ranges_t ranges_within(const gmem_alias_set_t *set, int64_t begin,
                                   int64_t end) {
  assert(set->range_count && begin < end);
  size_t first = gmem_first_range_after(set->ranges, set->range_count, begin);
  size_t last = gmem_first_range_after(set->ranges, set->range_count, end);
  last += last < set->range_count;
  return (gmem_ranges_t){.data = (gmem_live_range_t *)set->ranges + first,
                         .count = last - first};
}

// Subtracts the ranges of |winner| from |owned|. |left| is scratch memory.
static void take_out(gmem_owned_t *owned, const gmem_alias_set_t *winner,
                     gmem_ranges_t *left) {
  const gmem_ranges_t all = {.data = (gmem_live_range_t *)owned->ranges,
                             .count = owned->range_count};
  if (!all.count)
    return;
  const gmem_ranges_t taken =
      ranges_within(winner, all.data[0].begin, all.data[all.count - 1].end);
  left->count = 0;
  gmem_ranges_add_difference(left, &all, &taken);
  *owned = (gmem_owned_t){gmem_ranges_copy(left), left->count};
}

gmem_status_t gmem_owned_ranges_find(const gmem_liveness_t *liveness,
                                     const gmem_taken_aliases_t *taken,
                                     gmem_bump_t *arena,
                                     gmem_owned_t **out_owned,
                                     gmem_diag_t *diag) {
  gmem_owned_t *owned;
  uint64_t *precedences;
  gmem_ranges_t left = {.arena = arena};
  GMEM_TRY_ALLOC(owned, arena, liveness->set_count, diag);
  GMEM_TRY_ALLOC(precedences, arena, taken->count, diag);
  for (size_t i = 0; i < liveness->set_count; ++i)
    owned[i] =
        (gmem_owned_t){liveness->sets[i].ranges, liveness->sets[i].range_count};
  for (size_t i = 0; i < taken->count; ++i)
    precedences[i] = precedence_of(&taken->aliases[i]);
  qsort(precedences, taken->count, sizeof *precedences, compare_precedences);
  for (size_t i = 0; i < taken->count && !arena->out_of_memory; ++i) {
    uint32_t loser = (uint32_t)(precedences[i] >> 32);
    uint32_t winner = (uint32_t)precedences[i];
    assert(loser != winner && loser < liveness->set_count);
    take_out(&owned[loser], &liveness->sets[winner], &left);
  }
  *out_owned = owned;
  return gmem_bump_status(arena, diag);
}
