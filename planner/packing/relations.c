// relations.c - applies the aliases, blocks and conflicts of a problem to the
// buffers of one packing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "packing_builder.h"

#include "offset_groups.h"

#include <assert.h>

typedef gmem_packing_builder_t builder_t;

//===--- buffers that start inside another --------------------------------===//

// Optional aliases apply when chosen; for a bound, all of them may.
static bool alias_counts(const builder_t *builder, size_t index) {
  const gmem_problem_t *problem = builder->packing->problem;
  const gmem_alias_spec_t *alias = gmem_problem_alias(problem, index);
  if (gmem_problem_buffer(problem, alias->child)->size == 0)
    return false;
  return !alias->is_optional || !builder->pool_of ||
         (builder->chosen && builder->chosen[index]);
}

// One pass over the aliases; returns whether anything changed.
static bool mark_inner_of_aliases(builder_t *builder) {
  const gmem_problem_t *problem = builder->packing->problem;
  bool found = false, *is_inner = builder->is_inner;
  for (size_t i = 0; i < gmem_problem_alias_count(problem); ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(problem, i);
    if (!alias_counts(builder, i))
      continue;
    bool child = is_inner[alias->child], parent = is_inner[alias->parent];
    bool may_be = alias->is_optional && !builder->pool_of;
    if (alias->offset > 0 || may_be) {
      found = found || !child;
      is_inner[alias->child] = true;
    } else if (parent && !child) { // they start together
      found = true;
      is_inner[alias->child] = true;
    }
  }
  return found;
}

gmem_status_t gmem_find_inner(builder_t *builder) {
  GMEM_TRY_ZEROS(builder->is_inner, &builder->memory,
                 gmem_problem_buffer_count(builder->packing->problem));
  gmem_mark_inner_of_blocks(builder->packing->problem, builder->is_inner);
  // A few passes suffice unless views of views of views were added in reverse
  // order; a buffer missed then only keeps the pool's alignment.
  enum { MOST_ROUNDS = 64 };
  for (int round = 0; round < MOST_ROUNDS; ++round)
    if (!mark_inner_of_aliases(builder))
      break;
  return GMEM_OK;
}

//===--- conflicts --------------------------------------------------------===//

// Both directions of every conflict between items, as keys (item, other item).
static size_t list_pairs(const gmem_packing_t *packing, const uint32_t *item_of,
                         gmem_order_t *pairs) {
  const gmem_problem_t *problem = packing->problem;
  size_t count = 0;
  for (size_t i = 0; i < gmem_problem_conflict_count(problem); ++i) {
    uint32_t first, second;
    gmem_problem_conflict(problem, i, &first, &second);
    uint64_t a = item_of[first], b = item_of[second];
    if (a == GMEM_NO_ITEM || b == GMEM_NO_ITEM || a == b ||
        (packing->items[a].fixed_offset != GMEM_NOT_FIXED &&
         packing->items[b].fixed_offset != GMEM_NOT_FIXED))
      continue; // two fixed items: nothing to decide
    assert(a < packing->count && b < packing->count);
    pairs[count++].key = a << 32 | b;
    pairs[count++].key = b << 32 | a;
  }
  return count;
}

// Converts the sorted |pairs|.
static void write_extra(gmem_packing_t *packing, const gmem_order_t *pairs,
                        size_t count) {
  for (size_t i = 0; i < count; ++i) {
    uint32_t item = (uint32_t)(pairs[i].key >> 32);
    assert(item < packing->count &&
           (i == 0 || pairs[i - 1].key < pairs[i].key));
    packing->extra[i] = (uint32_t)pairs[i].key;
    ++packing->extra_starts[item + 1];
    // A conflict applies to all bytes of a composite item, not only those of
    // the buffer.
    if (packing->items[item].member_count > 1)
      packing->is_exact = false;
  }
  for (size_t i = 0; i < packing->count; ++i)
    packing->extra_starts[i + 1] += packing->extra_starts[i];
}

static void map_members(const gmem_packing_t *packing, uint32_t *item_of) {
  for (uint32_t i = 0; i < gmem_problem_buffer_count(packing->problem); ++i)
    item_of[i] = GMEM_NO_ITEM;
  for (uint32_t i = 0; i < packing->member_count; ++i)
    item_of[packing->members[i].buffer] = packing->members[i].item;
}

gmem_status_t gmem_list_extra(gmem_packing_t *packing,
                              gmem_scratch_t *scratch) {
  uint32_t *item_of;
  gmem_order_t *pairs;
  GMEM_TRY_NEW(item_of, scratch, gmem_problem_buffer_count(packing->problem));
  GMEM_TRY_NEW(pairs, scratch,
               4 * gmem_problem_conflict_count(packing->problem));
  map_members(packing, item_of);
  size_t count = list_pairs(packing, item_of, pairs);
  if (count == 0)
    return GMEM_OK;
  count = gmem_sort_distinct(pairs, pairs + count, count);
  GMEM_TRY_NEW(packing->extra, &packing->memory, count);
  GMEM_TRY_ZEROS(packing->extra_starts, &packing->memory,
                 (size_t)packing->count + 1);
  write_extra(packing, pairs, count);
  return GMEM_OK;
}
