// interference.c - removes overwriting aliases of alias sets that interfere.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Two alias sets that share all bytes may be live together only where an op
// turns one into the other. Several ops can do so for one pair: in
//
//   loop(%v) { %r = relu(%v); yield %r }
//
// %r is written over %v and then transferred to it, so their live ranges
// overlap twice. The steps of an op occur once in each context of its function.
// Therefore the permitted overlaps of a pair are collected from all its aliases
// in all contexts, and the aliases are kept only if these cover every overlap
// of the live ranges.
//
// Two that have the same contents wherever both are live (only_sources.h) may
// overlap anywhere.
//
// Cost: O(n log n) in the aliases and contexts, plus one merge of the live
// ranges per pair.

#include <assert.h>

#include "csr.h"
#include "only_sources.h"
#include "partition_point.h"
#include "sharing_finder.h"
#include "sorting.h"

// A time at which the live ranges of two alias sets may overlap because of an
// overwriting alias.
typedef struct overlap_s {
  uint32_t low, high; // alias sets
  int64_t begin, end; // on the timeline of call contexts
  uint32_t alias;
} overlap_t;

static uint32_t set_of(const gmem_sharing_finder_t *finder, uint32_t value) {
  return finder->liveness->set_of[value];
}

typedef struct overlaps_s {
  overlap_t *at;
  size_t count, room;
  gmem_ranges_t times; // of the current alias
} overlaps_t;

// Adds the permitted overlaps of alias |index|, one for each context.
static void add_overlaps(const gmem_sharing_finder_t *finder, uint32_t index,
                         overlaps_t *overlaps) {
  const gmem_alias_t *alias = &finder->aliases->aliases[index];
  uint32_t child = set_of(finder, alias->child);
  uint32_t parent = set_of(finder, alias->parent);
  gmem_ranges_t *times = &overlaps->times;
  assert(child != parent && alias->begin < alias->end);
  times->count = 0;
  gmem_contexts_add_steps(
      finder->liveness->contexts,
      gmem_program_function_at(finder->program, alias->begin), alias->begin,
      alias->end, times);
  for (size_t i = 0; i < times->count; ++i)
    GMEM_APPEND(times->arena, overlaps,
                (overlap_t){.low = child < parent ? child : parent,
                            .high = child < parent ? parent : child,
                            .begin = times->data[i].begin,
                            .end = times->data[i].end,
                            .alias = index});
}

static int compare(const void *a, const void *b) {
  const overlap_t *left = a, *right = b;
  int order = gmem_compare_numbers(a, b, 2);
  if (!order)
    order = (left->begin > right->begin) - (left->begin < right->begin);
  return order ? order
               : (left->alias > right->alias) - (left->alias < right->alias);
}

// Lists the overwriting aliases by the lower of their two sets.
static gmem_status_t list_by_set(const gmem_sharing_finder_t *finder,
                                 gmem_bump_t *arena, gmem_csr_t *out_of_set) {
  const gmem_aliases_t *list = finder->aliases;
  gmem_csr_pairs_t pairs = {0};
  GMEM_TRY_ALLOC(pairs.at, arena, list->count, finder->diag);
  for (uint32_t i = 0; i < list->count; ++i) {
    uint32_t child = set_of(finder, list->aliases[i].child);
    uint32_t parent = set_of(finder, list->aliases[i].parent);
    if (gmem_alias_overwrites(&list->aliases[i]))
      pairs.at[pairs.count++] =
          (gmem_csr_pair_t){child < parent ? child : parent, i};
  }
  return gmem_csr_build(&pairs, finder->liveness->set_count, arena, out_of_set,
                        finder->diag);
}

//===--- overlaps of live ranges ------------------------------------------===//

// Whether |count| permitted overlaps, sorted by begin, cover [begin, end).
// |*next| is the first that does not end before; calls are in ascending order
// of |begin|.
static bool is_covered(const overlap_t *overlaps, size_t count, size_t *next,
                       int64_t begin, int64_t end) {
  while (*next < count && overlaps[*next].end <= begin)
    ++*next;
  assert(begin < end);
  for (size_t i = *next; i < count && overlaps[i].begin <= begin; ++i) {
    if (overlaps[i].end > begin)
      begin = overlaps[i].end;
    if (begin >= end)
      return true;
  }
  return false;
}

// Whether the permitted overlaps of one pair cover all overlaps of its live
// ranges. Iterates over the shorter list of ranges.
static bool covers_all_overlaps(const gmem_sharing_finder_t *finder,
                                const overlap_t *overlaps, size_t count) {
  const gmem_alias_set_t *few = &finder->liveness->sets[overlaps->low];
  const gmem_alias_set_t *many = &finder->liveness->sets[overlaps->high];
  if (few->range_count > many->range_count) {
    const gmem_alias_set_t *other = few;
    few = many;
    many = other;
  }
  size_t next = 0;
  for (size_t i = 0; i < few->range_count; ++i) {
    gmem_live_range_t range = few->ranges[i];
    for (size_t k = gmem_first_range_after(many->ranges, many->range_count,
                                           range.begin);
         k < many->range_count && many->ranges[k].begin < range.end; ++k) {
      gmem_live_range_t other = many->ranges[k];
      int64_t begin = range.begin > other.begin ? range.begin : other.begin;
      int64_t end = range.end < other.end ? range.end : other.end;
      if (!is_covered(overlaps, count, &next, begin, end))
        return false;
    }
  }
  return true;
}

//===--- dying operands ---------------------------------------------------===//

static bool is_live_at(const gmem_sharing_finder_t *finder, uint32_t set,
                       int64_t time) {
  const gmem_alias_set_t *entry = &finder->liveness->sets[set];
  return gmem_ranges_contain(entry->ranges, entry->range_count, time);
}

// Result 0 of |op| if it is in alias set |set|, as for a reshape, or null.
static MlirValue view_of(const gmem_sharing_finder_t *finder, MlirOperation op,
                         uint32_t set) {
  MlirValue none = {NULL};
  if (mlirOperationGetNumResults(op) == 0)
    return none;
  MlirValue result = mlirOperationGetResult(op, 0);
  return gmem_finder_set(finder, result) == set ? result : none;
}

// Whether |op| is the last op that reads |value|, an argument of its own block,
// directly or through reshapes. Any later read then follows another transfer to
// the argument.
static bool reads_last(const gmem_sharing_finder_t *finder, MlirOperation op,
                       MlirValue value) {
  enum { MAX_VIEWS = 16 };
  MlirValue views[MAX_VIEWS] = {value};
  uint32_t set = gmem_finder_set(finder, value);
  uint64_t reads = 1; // the alias set counts its definition
  int count = 1;
  for (int i = 0; i < count; ++i) {
    uint32_t index = gmem_finder_tensor(finder, views[i]);
    reads += finder->liveness->live_values[index].uses;
    for (MlirOpOperand use = mlirValueGetFirstUse(views[i]);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation user = mlirOpOperandGetOwner(use);
      MlirValue view = view_of(finder, user, set);
      if (!mlirBlockEqual(mlirOperationGetBlock(user),
                          mlirOperationGetBlock(op)) ||
          mlirOperationIsBeforeInBlock(op, user) ||
          (view.ptr && count == MAX_VIEWS))
        return false;
      if (view.ptr)
        views[count++] = view;
    }
  }
  // No reader is outside of the views visited.
  return reads == finder->liveness->sets[set].uses;
}

// Whether the operand of overlap |over| is live after its op only because a
// transfer passes the result to it there, not because gmem.hold keeps it until
// then. The |count| overlaps are sorted by begin.
static bool is_transferred_back(const gmem_sharing_finder_t *finder,
                                const overlap_t *overlaps, size_t count,
                                size_t over) {
  const gmem_alias_t *written = &finder->aliases->aliases[overlaps[over].alias];
  uint32_t set = set_of(finder, written->parent);
  MlirOperation op = finder->program->ops[written->op].op;
  int64_t end = overlaps[over].end;
  for (size_t i = over; i < count && overlaps[i].begin <= end; ++i) {
    const gmem_alias_t *alias = &finder->aliases->aliases[overlaps[i].alias];
    MlirValue to = finder->program->values[alias->parent].value;
    if (alias->kind == GMEM_SHARE_TRANSFER && overlaps[i].begin == end &&
        set_of(finder, alias->parent) == set && mlirValueIsABlockArgument(to) &&
        mlirBlockEqual(mlirBlockArgumentGetOwner(to),
                       mlirOperationGetBlock(op)))
      return !finder->liveness->live_values[alias->parent].is_held &&
             reads_last(finder, op, to);
  }
  return false;
}

// Whether the operand is dead after the op. This also matters for a result
// without uses: it is written and destroys the operand.
static bool operand_dies(const gmem_sharing_finder_t *finder,
                         const overlap_t *overlaps, size_t count,
                         size_t index) {
  const gmem_alias_t *alias = &finder->aliases->aliases[overlaps[index].alias];
  uint32_t operand = set_of(finder, alias->parent);
  return !is_live_at(finder, operand, overlaps[index].end) ||
         is_transferred_back(finder, overlaps, count, index);
}

//===--- streams ----------------------------------------------------------===//

// Whether streams forbid the alias. An overwritten value must not be in use any
// more. A part and its whole have the same contents, and the op between them
// writes nothing, so a direct alias of an unordered pair is permitted; an
// implied one is not. Neither is a part or whole that may still be in use when
// control leaves its block, since it may be redefined then.
static bool is_forbidden_by_streams(const gmem_sharing_finder_t *finder,
                                    const gmem_alias_t *alias) {
  const gmem_happens_before_t *order = &finder->liveness->order;
  uint32_t child = set_of(finder, alias->child);
  uint32_t parent = set_of(finder, alias->parent);
  if (!order->is_pending_at_exit)
    return false;
  bool is_direct =
      !gmem_alias_overwrites(alias) && alias->operand != GMEM_NO_INDEX;
  if (!is_direct && gmem_stream_pair_of(order, child, parent))
    return true;
  return !gmem_alias_overwrites(alias) && (order->is_pending_at_exit[child] ||
                                           order->is_pending_at_exit[parent]);
}

//===--- the analysis -----------------------------------------------------===//

// Whether one set of the pair is only ever a copy of the other. With streams, a
// copy may still be in use when the other one is defined anew.
static bool is_copy(const gmem_sharing_finder_t *finder,
                    const uint32_t *only_sources, const overlap_t *pair) {
  return !finder->liveness->order.is_pending_at_exit &&
         (only_sources[pair->low] == pair->high ||
          only_sources[pair->high] == pair->low);
}

static bool are_legal(const gmem_sharing_finder_t *finder,
                      const overlap_t *overlaps, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const gmem_alias_t *alias = &finder->aliases->aliases[overlaps[i].alias];
    assert(overlaps[i].low == overlaps->low &&
           overlaps[i].high > overlaps->low);
    assert(i == 0 || overlaps[i - 1].begin <= overlaps[i].begin);
    if (alias->kind != GMEM_SHARE_TRANSFER &&
        !operand_dies(finder, overlaps, count, i))
      return false;
  }
  return covers_all_overlaps(finder, overlaps, count);
}

// Marks the aliases of pairs that interfere, among |overlaps|, all those of one
// lower set.
static void reject(const gmem_sharing_finder_t *finder,
                   const uint32_t *only_sources, overlaps_t *all,
                   bool *is_rejected) {
  gmem_sort(all->at, all->count, sizeof *all->at, compare);
  const overlap_t *overlaps = all->at;
  for (size_t first = 0, next; first < all->count; first = next) {
    for (next = first + 1;
         next < all->count && overlaps[next].high == overlaps[first].high;)
      ++next;
    if (!is_copy(finder, only_sources, &overlaps[first]) &&
        !are_legal(finder, &overlaps[first], next - first))
      for (size_t i = first; i < next; ++i)
        is_rejected[overlaps[i].alias] = true;
  }
}

static gmem_status_t remove_interfering(gmem_sharing_finder_t *finder,
                                        gmem_bump_t *arena) {
  gmem_aliases_t *list = finder->aliases;
  overlaps_t overlaps = {.times = {.arena = arena}}; // of the current lower set
  bool *is_rejected;
  uint32_t *only_sources;
  gmem_csr_t of_set;
  GMEM_TRY(gmem_only_sources_find(finder->liveness, arena, &only_sources,
                                  finder->diag));
  GMEM_TRY_ALLOC(is_rejected, arena, list->count, finder->diag);
  for (uint32_t i = 0; i < list->count; ++i)
    is_rejected[i] = is_forbidden_by_streams(finder, &list->aliases[i]);
  GMEM_TRY(list_by_set(finder, arena, &of_set));
  for (uint32_t set = 0; set < finder->liveness->set_count; ++set) {
    overlaps.count = 0;
    GMEM_CSR_EACH (alias, &of_set, set)
      add_overlaps(finder, *alias, &overlaps);
    GMEM_TRY(gmem_bump_status(arena, finder->diag));
    reject(finder, only_sources, &overlaps, is_rejected);
  }
  size_t kept = 0;
  for (size_t i = 0; i < list->count; ++i)
    if (!is_rejected[i])
      list->aliases[kept++] = list->aliases[i];
  list->count = kept;
  return GMEM_OK;
}

gmem_status_t gmem_remove_interfering_aliases(gmem_sharing_finder_t *finder) {
  gmem_bump_t arena;
  gmem_bump_init(&arena, &finder->arena->allocator);
  gmem_status_t status = remove_interfering(finder, &arena);
  gmem_bump_destroy(&arena);
  return status;
}
