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

// Aliases at offset 0, by parent, and the inner buffers that are left to look
// at.
typedef struct spread_s {
  gmem_order_t *starts; // key: parent, index: child; and scratch
  size_t count;
  uint32_t *queue;
  uint32_t queued;
} spread_t;

static void make_inner(builder_t *builder, spread_t *spread, uint32_t buffer) {
  if (builder->is_inner[buffer])
    return;
  builder->is_inner[buffer] = true;
  spread->queue[spread->queued++] = buffer;
}

// Marks the children that an alias places inside their parents.
static void mark_inside(builder_t *builder, spread_t *spread) {
  const gmem_problem_t *problem = builder->packing->problem;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i)
    if (builder->is_inner[i])
      spread->queue[spread->queued++] = i;
  for (size_t i = 0; i < gmem_problem_alias_count(problem); ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(problem, i);
    if (alias->offset > 0 && alias_counts(builder, i))
      make_inner(builder, spread, alias->child);
  }
}

static gmem_status_t list_starts(builder_t *builder, spread_t *spread) {
  const gmem_problem_t *problem = builder->packing->problem;
  size_t count = gmem_problem_alias_count(problem);
  GMEM_TRY_NEW(spread->starts, &builder->memory, 2 * count);
  for (size_t i = 0; i < count; ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(problem, i);
    if (alias->offset == 0 && alias_counts(builder, i))
      spread->starts[spread->count++] =
          (gmem_order_t){alias->parent, alias->child};
  }
  gmem_sort_order(spread->starts, spread->starts + spread->count,
                  spread->count);
  return GMEM_OK;
}

// A buffer is inner when it starts inside another or with one that does. So for
// a bound, all others have the alignment of the pool in every plan.
gmem_status_t gmem_find_inner(builder_t *builder) {
  const gmem_problem_t *problem = builder->packing->problem;
  uint32_t buffers = gmem_problem_buffer_count(problem);
  spread_t spread = {0};
  GMEM_TRY_ZEROS(builder->is_inner, &builder->memory, buffers);
  GMEM_TRY_NEW(spread.queue, &builder->memory, buffers);
  gmem_mark_inner_of_blocks(problem, builder->is_inner);
  mark_inside(builder, &spread);
  if (spread.queued)
    GMEM_TRY(list_starts(builder, &spread));
  for (uint32_t done = 0; done < spread.queued; ++done) {
    uint64_t parent = spread.queue[done];
    for (size_t i = gmem_find_key(spread.starts, spread.count, parent);
         i < spread.count && spread.starts[i].key == parent; ++i)
      make_inner(builder, &spread, spread.starts[i].index);
  }
  gmem_scratch_drop(&builder->memory, spread.queue);
  gmem_scratch_drop(&builder->memory, spread.starts);
  return GMEM_OK;
}

//===--- conflicts --------------------------------------------------------===//

// Both directions of every conflict between items, as keys (item, other item);
// |index|: of the conflict, twice, and the direction.
static size_t list_pairs(const gmem_packing_t *packing,
                         const uint32_t *member_of, gmem_order_t *pairs) {
  const gmem_problem_t *problem = packing->problem;
  size_t count = 0;
  for (uint32_t i = 0; i < gmem_problem_conflict_count(problem); ++i) {
    uint32_t first, second;
    gmem_problem_conflict(problem, i, &first, &second);
    if (member_of[first] == GMEM_NO_BUFFER ||
        member_of[second] == GMEM_NO_BUFFER)
      continue;
    uint64_t a = packing->members[member_of[first]].item;
    uint64_t b = packing->members[member_of[second]].item;
    if (a == b || (gmem_is_fixed(&packing->items[a]) &&
                   gmem_is_fixed(&packing->items[b])))
      continue; // two fixed items: nothing to decide
    assert(a < packing->count && b < packing->count);
    pairs[count++] = (gmem_order_t){a << 32 | b, 2 * i};
    pairs[count++] = (gmem_order_t){b << 32 | a, 2 * i + 1};
  }
  return count;
}

static gmem_member_pair_t pair_of(const gmem_packing_t *packing,
                                  const uint32_t *member_of, uint32_t index) {
  uint32_t first, second;
  gmem_problem_conflict(packing->problem, index / 2, &first, &second);
  bool is_reverse = index % 2;
  return (gmem_member_pair_t){member_of[is_reverse ? second : first],
                              member_of[is_reverse ? first : second]};
}

// Converts the sorted |pairs|, of which several may be of the same two items.
static void write_extra(gmem_packing_t *packing, const uint32_t *member_of,
                        const gmem_order_t *pairs, size_t count) {
  size_t listed = 0;
  for (size_t i = 0; i < count; ++i) {
    uint32_t item = (uint32_t)(pairs[i].key >> 32);
    packing->extra_pairs[i] = pair_of(packing, member_of, pairs[i].index);
    // Not every algorithm looks at the members of a composite item.
    if (packing->items[item].member_count > 1)
      packing->is_exact = false;
    if (i && pairs[i - 1].key == pairs[i].key)
      continue;
    packing->extra[listed] = (uint32_t)pairs[i].key;
    packing->pair_starts[listed++] = i;
    ++packing->extra_starts[item + 1];
  }
  packing->pair_starts[listed] = count;
  for (size_t i = 0; i < packing->count; ++i)
    packing->extra_starts[i + 1] += packing->extra_starts[i];
}

static void map_members(const gmem_packing_t *packing, uint32_t *member_of) {
  for (uint32_t i = 0; i < gmem_problem_buffer_count(packing->problem); ++i)
    member_of[i] = GMEM_NO_BUFFER;
  for (uint32_t i = 0; i < packing->member_count; ++i)
    member_of[packing->members[i].buffer] = i;
}

gmem_status_t gmem_list_extra(gmem_packing_t *packing,
                              gmem_scratch_t *scratch) {
  uint32_t *member_of;
  gmem_order_t *pairs;
  GMEM_TRY_NEW(member_of, scratch, gmem_problem_buffer_count(packing->problem));
  GMEM_TRY_NEW(pairs, scratch,
               4 * gmem_problem_conflict_count(packing->problem));
  map_members(packing, member_of);
  size_t count = list_pairs(packing, member_of, pairs);
  if (count == 0)
    return GMEM_OK;
  gmem_sort_order(pairs, pairs + count, count);
  GMEM_TRY_NEW(packing->extra, &packing->memory, count);
  GMEM_TRY_NEW(packing->extra_pairs, &packing->memory, count);
  GMEM_TRY_NEW(packing->pair_starts, &packing->memory, count + 1);
  GMEM_TRY_ZEROS(packing->extra_starts, &packing->memory,
                 (size_t)packing->count + 1);
  write_extra(packing, member_of, pairs, count);
  return GMEM_OK;
}
