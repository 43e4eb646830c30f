// choose_aliases.c - which optional aliases are taken.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Aliases are looked at in the order of their addition. One is taken unless the
// two are tied elsewhere, cannot be tied, or that would put other buffers upon
// each other that may share no bytes: the leave to share is for the two buffers
// of the alias alone.

#include "pack_pools.h"

// Pairs of buffers of two groups that are looked at for one alias.
static const uint64_t MOST_PAIRS = UINT64_C(1) << 16;

//===--- what may share bytes ---------------------------------------------===//

static bool live_together(const gmem_buffer_spec_t *a,
                          const gmem_buffer_spec_t *b) {
  for (size_t i = 0, k = 0; i < a->range_count && k < b->range_count;) {
    if (a->ranges[i].end <= b->ranges[k].begin)
      ++i;
    else if (b->ranges[k].end <= a->ranges[i].begin)
      ++k;
    else
      return true;
  }
  return false;
}

static bool in_conflict(const gmem_choice_t *choice, uint32_t a, uint32_t b) {
  uint64_t key = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
  size_t low = 0, high = choice->conflict_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (choice->conflicts[middle].key == key)
      return true;
    if (choice->conflicts[middle].key < key)
      low = middle + 1;
    else
      high = middle;
  }
  return false;
}

// Whether |buffer|, which lies |shift| bytes further up than its distance says,
// may lie upon |other|, which it does by leave of the alias when |is_pair|.
static bool may_share(const gmem_choice_t *choice, uint32_t buffer,
                      int64_t shift, uint32_t other, bool is_pair) {
  const gmem_buffer_spec_t *a = gmem_problem_buffer(choice->problem, buffer);
  const gmem_buffer_spec_t *b = gmem_problem_buffer(choice->problem, other);
  int64_t begin, other_begin;
  gmem_ties_root(&choice->ties, buffer, &begin);
  gmem_ties_root(&choice->ties, other, &other_begin);
  begin += shift;
  if (begin + (int64_t)a->size <= other_begin ||
      other_begin + (int64_t)b->size <= begin)
    return true;
  if (in_conflict(choice, buffer, other))
    return false;
  return is_pair || gmem_buffers_exclude(a, b) || !live_together(a, b);
}

static bool groups_agree(gmem_choice_t *choice,
                         const gmem_alias_spec_t *alias) {
  int64_t below_child, below_parent;
  gmem_ties_root(&choice->ties, alias->child, &below_child);
  gmem_ties_root(&choice->ties, alias->parent, &below_parent);
  int64_t shift = below_parent + (int64_t)alias->offset - below_child;
  uint64_t pairs = 0;
  uint32_t mine = alias->child;
  do {
    uint32_t other = alias->parent;
    do {
      bool is_pair = mine == alias->child && other == alias->parent;
      if (++pairs > MOST_PAIRS ||
          !may_share(choice, mine, shift, other, is_pair))
        return false;
      other = choice->next[other];
    } while (other != alias->parent);
    mine = choice->next[mine];
  } while (mine != alias->child);
  return true;
}

//===--- taking -----------------------------------------------------------===//

// Two rings become one, or one becomes two again.
static void swap_next(gmem_choice_t *choice, uint32_t a, uint32_t b) {
  uint32_t next = choice->next[a];
  choice->next[a] = choice->next[b];
  choice->next[b] = next;
}

// Whether the two are tied already; *holds: as the alias says.
static bool is_tied(const gmem_choice_t *choice, const gmem_alias_spec_t *alias,
                    bool *holds) {
  int64_t child, parent;
  if (gmem_ties_root(&choice->ties, alias->child, &child) !=
      gmem_ties_root(&choice->ties, alias->parent, &parent))
    return false;
  *holds = child == parent + (int64_t)alias->offset;
  return true;
}

static bool take(gmem_choice_t *choice, const gmem_alias_spec_t *alias) {
  const gmem_problem_t *problem = choice->problem;
  bool holds;
  if (gmem_problem_buffer(problem, alias->child)->size == 0)
    return false;
  if (is_tied(choice, alias, &holds))
    return holds;
  if (!groups_agree(choice, alias) ||
      gmem_ties_join(&choice->ties, problem, alias->child, alias->parent,
                     alias->offset, NULL) != GMEM_TIED)
    return false;
  swap_next(choice, alias->child, alias->parent);
  return true;
}

//===--- all --------------------------------------------------------------===//

// Lists the conflicts as keys (lower index, higher index), sorted.
static void sort_conflicts(gmem_choice_t *choice) {
  gmem_order_t *conflicts = choice->conflicts;
  size_t count = choice->conflict_count;
  for (size_t i = 0; i < count; ++i) {
    uint32_t a, b;
    gmem_problem_conflict(choice->problem, i, &a, &b);
    conflicts[i].key = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
  }
  gmem_order_sort(conflicts, conflicts + count, count);
}

gmem_status_t gmem_choice_create(const gmem_problem_t *problem,
                                 gmem_choice_t *choice, gmem_diag_t *diag) {
  const gmem_allocator_t *allocator = gmem_problem_allocator(problem);
  *choice =
      (gmem_choice_t){.problem = problem,
                      .alias_count = gmem_problem_alias_count(problem),
                      .conflict_count = gmem_problem_conflict_count(problem)};
  choice->conflicts = gmem_planner_alloc(allocator, 2 * choice->conflict_count,
                                         sizeof *choice->conflicts);
  choice->chosen =
      gmem_planner_alloc(allocator, choice->alias_count, sizeof(bool));
  choice->next = gmem_planner_alloc(
      allocator, gmem_problem_buffer_count(problem), sizeof(uint32_t));
  if (!choice->chosen || !choice->next || !choice->conflicts)
    return gmem_planner_out_of_memory(diag);
  sort_conflicts(choice);
  return GMEM_OK;
}

void gmem_choice_destroy(gmem_choice_t *choice) {
  const gmem_problem_t *problem = choice->problem;
  const gmem_allocator_t *allocator = gmem_problem_allocator(problem);
  gmem_ties_destroy(&choice->ties, problem);
  gmem_planner_free(allocator, choice->conflicts, 2 * choice->conflict_count,
                    sizeof *choice->conflicts);
  gmem_planner_free(allocator, choice->chosen, choice->alias_count,
                    sizeof(bool));
  gmem_planner_free(allocator, choice->next, gmem_problem_buffer_count(problem),
                    sizeof(uint32_t));
}

// Rings of the groups that are not optional. The root of a group is in its
// ring from the start; every other member is put in behind it.
static void link_groups(gmem_choice_t *choice) {
  uint32_t count = gmem_problem_buffer_count(choice->problem);
  for (uint32_t i = 0; i < count; ++i)
    choice->next[i] = i;
  for (uint32_t i = 0; i < count; ++i) {
    int64_t distance;
    uint32_t root = gmem_ties_root(&choice->ties, i, &distance);
    if (root != i)
      swap_next(choice, root, i);
  }
}

gmem_status_t gmem_choose_aliases(gmem_choice_t *choice, const bool *wanted,
                                  gmem_diag_t *diag) {
  const gmem_problem_t *problem = choice->problem;
  gmem_ties_destroy(&choice->ties, problem);
  if (!gmem_ties_copy(gmem_problem_ties(problem), problem, &choice->ties))
    return gmem_planner_out_of_memory(diag);
  link_groups(choice);
  for (size_t i = 0; i < choice->alias_count; ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(problem, i);
    choice->chosen[i] =
        alias->is_optional && (!wanted || wanted[i]) && take(choice, alias);
  }
  return GMEM_OK;
}
