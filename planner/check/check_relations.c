// check_relations.c - checks aliases, blocks, conflicts and branches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The rules:
//
// * A child is at its offset in its parent, in the same pool. An optional child
//   may be elsewhere.
// * The buffers of a block are each at the first multiple of their alignment
//   after the previous one, measured from the start of the first.
// * A buffer that starts inside another (a child at an offset above 0, all but
//   the first of a block, and a child at the start of one of these) must
//   satisfy its own alignment; any other, that of its pool too.
// * Two buffers that are live at the same time share no bytes, unless they are
//   views of one storage, one is an optional child at its offset in the other,
//   or they are in different arms of one choice.
// * Two buffers of a conflict share no bytes in any case.
// * Buffers of size 0 occupy no bytes: aliases and blocks do not apply to them.

#include "checker.h"

#include <assert.h>
#include <string.h>

//===--- sets -------------------------------------------------------------===//

static uint32_t find_set(uint32_t *up, uint32_t buffer) {
  while (up[buffer] != buffer) {
    up[buffer] = up[up[buffer]];
    buffer = up[buffer];
  }
  return buffer;
}

static void join_sets(uint32_t *up, uint32_t a, uint32_t b) {
  a = find_set(up, a);
  b = find_set(up, b);
  if (a < b)
    up[b] = a;
  else
    up[a] = b;
}

//===--- aliases ----------------------------------------------------------===//

static bool is_empty(const gmem_checker_t *checker, uint32_t buffer) {
  return gmem_problem_buffer(checker->problem, buffer)->size == 0;
}

static bool is_in_place(const gmem_checker_t *checker,
                        const gmem_alias_spec_t *alias) {
  gmem_placement_t child = checker->plan[alias->child];
  gmem_placement_t parent = checker->plan[alias->parent];
  return child.pool == parent.pool && child.offset >= parent.offset &&
         child.offset - parent.offset == alias->offset;
}

static void join_views(gmem_checker_t *checker) {
  for (uint32_t i = 0; i < checker->buffer_count; ++i)
    checker->storage[i] = i;
  for (size_t i = 0; i < gmem_problem_alias_count(checker->problem); ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(checker->problem, i);
    if (!alias->is_optional && !is_empty(checker, alias->child))
      join_sets(checker->storage, alias->child, alias->parent);
  }
  for (uint32_t i = 0; i < checker->buffer_count; ++i)
    checker->storage[i] = find_set(checker->storage, i);
}

static uint64_t pair_key(uint32_t a, uint32_t b) {
  return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static void list_pairs(gmem_checker_t *checker) {
  for (size_t i = 0; i < gmem_problem_alias_count(checker->problem); ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(checker->problem, i);
    if (alias->is_optional && is_in_place(checker, alias))
      checker->pairs[checker->pair_count++].key =
          pair_key(alias->child, alias->parent);
  }
  gmem_check_sort(checker->pairs, checker->pairs + checker->pair_count,
                  checker->pair_count);
}

static bool is_pair(const gmem_checker_t *checker, uint32_t a, uint32_t b) {
  uint64_t key = pair_key(a, b);
  size_t at = gmem_check_find(checker->pairs, checker->pair_count, key);
  return at < checker->pair_count && checker->pairs[at].key == key;
}

//===--- buffers that start inside another --------------------------------===//

static void mark_blocks(gmem_checker_t *checker) {
  for (size_t i = 0; i < gmem_problem_block_count(checker->problem); ++i) {
    const gmem_block_spec_t *block = gmem_problem_block(checker->problem, i);
    bool is_first = true;
    for (size_t k = 0; k < block->count; ++k) {
      if (is_empty(checker, block->buffers[k]))
        continue;
      if (!is_first)
        checker->is_inside[block->buffers[k]] = true;
      is_first = false;
    }
  }
}

// A child that starts with its parent is inside when the parent is. |starts|:
// such children, key: parent, index: child, sorted. |queue|: buffers found so
// far.
static void follow_starts(gmem_checker_t *checker,
                          const gmem_check_entry_t *starts, size_t count,
                          uint32_t *queue) {
  size_t found = 0;
  for (uint32_t i = 0; i < checker->buffer_count; ++i)
    if (checker->is_inside[i])
      queue[found++] = i;
  for (size_t i = 0; i < found; ++i) {
    size_t at = gmem_check_find(starts, count, queue[i]);
    for (; at < count && starts[at].key == queue[i]; ++at) {
      uint32_t child = starts[at].index;
      if (!checker->is_inside[child])
        queue[found++] = child;
      checker->is_inside[child] = true;
    }
  }
}

// |starts| has room for two entries per alias, |queue| for all buffers.
static void mark_children(gmem_checker_t *checker, gmem_check_entry_t *starts,
                          uint32_t *queue) {
  size_t count = 0;
  for (size_t i = 0; i < gmem_problem_alias_count(checker->problem); ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(checker->problem, i);
    if (is_empty(checker, alias->child) || !is_in_place(checker, alias))
      continue;
    if (alias->offset > 0)
      checker->is_inside[alias->child] = true;
    else
      starts[count++] = (gmem_check_entry_t){alias->parent, alias->child};
  }
  gmem_check_sort(starts, starts + count, count);
  follow_starts(checker, starts, count, queue);
}

// Frees the part of the list that was scratch.
static gmem_status_t keep_pairs(gmem_checker_t *checker) {
  gmem_check_entry_t *kept;
  GMEM_TRY_NEW(kept, &checker->memory, checker->pair_count);
  if (checker->pair_count)
    memcpy(kept, checker->pairs, checker->pair_count * sizeof *kept);
  gmem_scratch_drop(&checker->memory, checker->pairs);
  checker->pairs = kept;
  return GMEM_OK;
}

//===--- set-up -----------------------------------------------------------===//

gmem_status_t gmem_check_find_relations(gmem_checker_t *checker) {
  uint32_t count = checker->buffer_count;
  GMEM_TRY_ZEROS(checker->is_inside, &checker->memory, count);
  GMEM_TRY_NEW(checker->has_block, &checker->memory, count);
  GMEM_TRY_NEW(checker->storage, &checker->memory, count);
  GMEM_TRY_NEW(checker->pairs, &checker->memory,
               2 * gmem_problem_alias_count(checker->problem));
  mark_blocks(checker);
  mark_children(checker, checker->pairs, checker->storage); // as scratch
  join_views(checker);
  list_pairs(checker);
  return keep_pairs(checker);
}

//===--- violated aliases, blocks and conflicts ---------------------------===//

static bool has_block(const gmem_checker_t *checker, uint32_t buffer) {
  return checker->has_block[buffer];
}

static void found_tie(gmem_checker_t *checker, gmem_violation_t violation,
                      uint32_t first, uint32_t second) {
  gmem_check_result_t found = {
      .violation = violation,
      .first = first,
      .second = second,
      .pool = checker->plan[first].pool,
      .time = gmem_problem_buffer(checker->problem, first)->ranges[0].begin};
  gmem_check_found(checker, &found);
}

static void check_aliases(gmem_checker_t *checker) {
  for (size_t i = 0; i < gmem_problem_alias_count(checker->problem); ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(checker->problem, i);
    if (!alias->is_optional && has_block(checker, alias->child) &&
        has_block(checker, alias->parent) && !is_in_place(checker, alias))
      found_tie(checker, GMEM_VIOLATION_ALIAS, alias->child, alias->parent);
  }
}

// |distance|: bytes from the start of the block; |before|: of the previous one.
static void check_follows(gmem_checker_t *checker, uint32_t last,
                          uint64_t before, uint32_t buffer, uint64_t distance) {
  if (!has_block(checker, last) || !has_block(checker, buffer))
    return;
  gmem_placement_t here = checker->plan[buffer], there = checker->plan[last];
  if (here.pool != there.pool || here.offset < there.offset ||
      here.offset - there.offset != distance - before)
    found_tie(checker, GMEM_VIOLATION_BLOCK, buffer, last);
}

static void check_block(gmem_checker_t *checker,
                        const gmem_block_spec_t *block) {
  uint32_t last = GMEM_NO_BUFFER;
  uint64_t before = 0, end = 0;
  for (size_t i = 0; i < block->count; ++i) {
    uint32_t buffer = block->buffers[i];
    const gmem_buffer_spec_t *spec =
        gmem_problem_buffer(checker->problem, buffer);
    if (spec->size == 0)
      continue;
    uint64_t over = end % spec->alignment;
    uint64_t distance = over ? end + (spec->alignment - over) : end;
    if (last != GMEM_NO_BUFFER)
      check_follows(checker, last, before, buffer, distance);
    last = buffer;
    before = distance;
    end = distance + spec->size;
  }
}

static void check_conflict(gmem_checker_t *checker, uint32_t a, uint32_t b) {
  uint32_t first = a < b ? a : b, second = a < b ? b : a;
  if (!has_block(checker, first) || !has_block(checker, second))
    return;
  gmem_placement_t x = checker->plan[first], y = checker->plan[second];
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(checker->problem, first);
  uint64_t x_end = x.offset + spec->size;
  uint64_t y_end =
      y.offset + gmem_problem_buffer(checker->problem, second)->size;
  uint64_t begin = x.offset > y.offset ? x.offset : y.offset;
  uint64_t end = x_end < y_end ? x_end : y_end;
  if (x.pool != y.pool || begin >= end)
    return;
  gmem_check_result_t found = {.violation = GMEM_VIOLATION_CONFLICT,
                               .first = first,
                               .second = second,
                               .pool = x.pool,
                               .time = spec->ranges[0].begin,
                               .begin = begin,
                               .end = end};
  gmem_check_found(checker, &found);
}

void gmem_check_ties(gmem_checker_t *checker) {
  const gmem_problem_t *problem = checker->problem;
  check_aliases(checker);
  for (size_t i = 0; i < gmem_problem_block_count(problem); ++i)
    check_block(checker, gmem_problem_block(problem, i));
  for (size_t i = 0; i < gmem_problem_conflict_count(problem); ++i) {
    uint32_t first, second;
    gmem_problem_conflict(problem, i, &first, &second);
    check_conflict(checker, first, second);
  }
}

//===--- overlap in time --------------------------------------------------===//

// The ends of the live blocks, by rank, in a tree of maxima: it enumerates the
// live blocks that overlap a new one without visiting the others.
typedef struct ends_s {
  uint64_t *most; // node i is the larger of 2i and 2i + 1; 0: not live
  size_t leaves;  // a power of two
} ends_t;

// Ends where the tree stays as it is.
static void set_end(ends_t *ends, size_t rank, uint64_t end) {
  size_t node = ends->leaves + rank;
  assert(rank < ends->leaves);
  while (node && ends->most[node] != end) {
    ends->most[node] = end;
    uint64_t beside = ends->most[node ^ 1];
    end = end > beside ? end : beside;
    node /= 2;
  }
}

// The first rank at or above |rank| whose block ends above |offset|; the number
// of leaves when there is none.
static size_t next_above(const ends_t *ends, size_t rank, uint64_t offset) {
  if (rank >= ends->leaves)
    return ends->leaves;
  size_t node = rank ? ends->leaves + rank : 1;
  while (ends->most[node] <= offset) {
    while (node % 2 ==
           1) // the last below its parent: continue after the parent
      node /= 2;
    if (node == 0)
      return ends->leaves;
    ++node;
  }
  while (node < ends->leaves)
    node = 2 * node + (ends->most[2 * node] <= offset);
  return node - ends->leaves;
}

static bool are_exclusive(const gmem_buffer_spec_t *a,
                          const gmem_buffer_spec_t *b) {
  for (size_t i = 0; i < a->branch_count; ++i)
    for (size_t k = 0; k < b->branch_count; ++k)
      if (a->branches[i].choice == b->branches[k].choice &&
          a->branches[i].arm != b->branches[k].arm)
        return true;
  return false;
}

static bool may_share(const gmem_checker_t *checker, uint32_t a, uint32_t b) {
  return checker->storage[a] == checker->storage[b] || is_pair(checker, a, b) ||
         are_exclusive(gmem_problem_buffer(checker->problem, a),
                       gmem_problem_buffer(checker->problem, b));
}

// The first rank of the pool of |block|.
static size_t first_of_pool(const gmem_checker_t *checker, uint32_t pool) {
  size_t low = 0, high = pool == 0 ? 0 : checker->block_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (checker->blocks[middle].pool < pool)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Compares the block of |rank|, which becomes live, with all blocks it
// overlaps. Returns whether one of these overlaps is a violation.
static bool overlaps_others(gmem_checker_t *checker, const ends_t *ends,
                            size_t rank, int64_t time) {
  const gmem_check_block_t *block = &checker->blocks[rank];
  bool found = false;
  size_t other =
      next_above(ends, first_of_pool(checker, block->pool), block->begin);
  for (; other < checker->block_count;
       other = next_above(ends, other + 1, block->begin)) {
    const gmem_check_block_t *met = &checker->blocks[other];
    if (met->pool != block->pool || met->begin >= block->end)
      break;
    if (may_share(checker, block->buffer, met->buffer))
      continue;
    gmem_check_found_overlap(checker, block, met, time);
    found = true;
  }
  return found;
}

// Lists the ends of the live ranges: key: time, index: rank; sorted. Begins
// have the rank as index from then on, in place of the ranges.
static gmem_status_t list_ends(gmem_checker_t *checker,
                               gmem_check_entry_t **out_ends) {
  gmem_scratch_t *memory = &checker->memory;
  size_t count = checker->range_count;
  gmem_check_entry_t *ends, *scratch;
  GMEM_TRY_NEW(ends, memory, count);
  *out_ends = ends;
  for (size_t i = 0; i < count; ++i) {
    const gmem_check_range_t *range =
        &checker->ranges[checker->begins[i].index];
    ends[i] = (gmem_check_entry_t){range->end, range->block};
    checker->begins[i].index = range->block;
  }
  gmem_scratch_drop(memory, checker->ranges);
  checker->ranges = NULL;
  GMEM_TRY_NEW(scratch, memory, count);
  gmem_check_sort(ends, scratch, count);
  gmem_scratch_drop(memory, scratch);
  return GMEM_OK;
}

// Stops after the first time with a violation, so that all violations at that
// time are found. |end|: the first end of a live range.
static void sweep(gmem_checker_t *checker, const gmem_check_entry_t *end,
                  ends_t *ends) {
  bool found = false;
  uint64_t found_at = 0;
  for (size_t i = 0; i < checker->range_count; ++i) {
    const gmem_check_entry_t *begin = &checker->begins[i];
    uint32_t rank = begin->index;
    if (found && begin->key != found_at)
      return;
    for (; end->key <= begin->key; ++end)
      set_end(ends, end->index, 0);
    if (overlaps_others(checker, ends, rank, gmem_check_time(begin->key))) {
      found = true;
      found_at = begin->key;
    }
    set_end(ends, rank, checker->blocks[rank].end);
  }
}

gmem_status_t gmem_check_sweep_relations(gmem_checker_t *checker) {
  gmem_check_entry_t *sorted;
  ends_t ends = {.leaves = 1};
  while (ends.leaves < checker->block_count)
    ends.leaves *= 2;
  GMEM_TRY(list_ends(checker, &sorted));
  GMEM_TRY_ZEROS(ends.most, &checker->memory, 2 * ends.leaves);
  sweep(checker, sorted, &ends);
  return GMEM_OK;
}
