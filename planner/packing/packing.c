// packing.c - converts the buffers of one pool to the form that algorithms use.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "packing.h"

#include <assert.h>
#include <string.h>

#include "finer_bounds.h"
#include "offset_groups.h"
#include "packing_builder.h"
#include "packing_query.h"
#include "problem_store.h"

typedef gmem_packing_builder_t builder_t;

//===--- members ----------------------------------------------------------===//

static bool is_member(const builder_t *builder, uint32_t buffer) {
  const gmem_packing_t *packing = builder->packing;
  if (gmem_problem_buffer(packing->problem, buffer)->size == 0)
    return false;
  if (builder->pool_of)
    return builder->pool_of[buffer] == packing->pool;
  return (!builder->only || builder->only[buffer]) &&
         (packing->pool == GMEM_NO_POOL ||
          gmem_group_is_only_in(builder->groups, packing->problem, buffer,
                                packing->pool)) &&
         gmem_ranges_of(builder, buffer).count > 0;
}

static gmem_status_t list_members(builder_t *builder) {
  gmem_packing_t *packing = builder->packing;
  uint32_t buffers = gmem_problem_buffer_count(packing->problem), next = 0;
  GMEM_TRY_NEW(packing->members, &packing->memory, buffers);
  for (uint32_t i = 0; i < buffers; ++i) {
    if (!is_member(builder, i))
      continue;
    packing->members[next] = (gmem_member_t){.buffer = i};
    builder->has_branches |=
        gmem_member_spec(packing, next++)->branch_count > 0;
  }
  packing->member_count = next;
  return GMEM_OK;
}

//===--- items ------------------------------------------------------------===//

static void list_single_items(builder_t *builder) {
  gmem_packing_t *packing = builder->packing;
  bool any_pool = packing->pool == GMEM_NO_POOL;
  packing->count = packing->member_count;
  for (uint32_t i = 0; i < packing->count; ++i) {
    const gmem_buffer_spec_t *spec = gmem_member_spec(packing, i);
    assert(spec->size > 0);
    packing->items[i] = (gmem_item_t){
        .size = spec->size,
        .alignment = gmem_alignment_of(builder, packing->members[i].buffer),
        .fixed_offset = spec->has_fixed_offset && !any_pool ? spec->fixed_offset
                                                            : GMEM_NOT_FIXED,
        .member = i,
        .member_count = 1,
    };
  }
}

// Sets the duration, without gaps for now, and the order by begin. Numbers the
// live ranges of the members from |range_count| on.
static void find_times(builder_t *builder, uint32_t index) {
  const gmem_packing_t *packing = builder->packing;
  uint64_t first = UINT64_MAX, last = 0;
  for (uint32_t i = packing->items[index].member;
       i < gmem_members_end(packing, index); ++i) {
    gmem_range_list_t ranges =
        gmem_ranges_of(builder, packing->members[i].buffer);
    uint64_t begin = gmem_time_key(ranges.at[0].begin);
    uint64_t end = gmem_time_key(ranges.at[ranges.count - 1].end);
    first = begin < first ? begin : first;
    last = end > last ? end : last;
    builder->first_range[i] = (uint32_t)builder->range_count;
    for (size_t k = 0; k < ranges.count; ++k)
      builder->range_count += !gmem_touches_last(ranges, k);
  }
  assert(first < last);
  packing->items[index].duration = last - first;
  if (builder->pool_of)
    builder->order[index] = (gmem_order_t){first, index};
  if (first < builder->first_time)
    builder->first_time = first;
  if (last > builder->last_time)
    builder->last_time = last;
}

// Lists the items in any order.
static gmem_status_t list_items(builder_t *builder, gmem_diag_t *diag) {
  gmem_packing_t *packing = builder->packing;
  size_t most = packing->member_count;
  GMEM_TRY_NEW(packing->items, &packing->memory, most);
  if (builder->pool_of) // a bound does not depend on the order
    GMEM_TRY_NEW(builder->order, &builder->memory, 2 * most);
  GMEM_TRY_NEW(builder->first_range, &builder->memory, most + 1);
  builder->first_time = UINT64_MAX;
  if (builder->groups)
    GMEM_TRY(gmem_list_composite_items(builder, diag));
  else
    list_single_items(builder);
  packing->granule = GMEM_MAX_ALIGNMENT;
  for (uint32_t i = 0; i < packing->count; ++i) {
    uint64_t alignment = packing->items[i].alignment;
    packing->granule =
        alignment < packing->granule ? alignment : packing->granule;
    find_times(builder, i);
  }
  builder->first_range[packing->member_count] = (uint32_t)builder->range_count;
  return builder->range_count < UINT32_MAX ? GMEM_OK
                                           : gmem_planner_out_of_memory(diag);
}

//===--- sections ---------------------------------------------------------===//

// A section begins at the first begin after an end. Sorts all begins and ends.
static gmem_status_t number_by_sorting(builder_t *builder) {
  gmem_packing_t *packing = builder->packing;
  gmem_order_t *order_of_items = builder->order;
  GMEM_TRY_NEW(builder->order, &builder->memory, 3 * builder->range_count);
  size_t count = gmem_list_events(builder, 0, packing->member_count);
  const gmem_order_t *begins = builder->order, *ends = begins + count;
  uint32_t section = 0;
  bool ended = false;
  for (size_t begin = 0, end = 0; end < count;) {
    if (begin < count && begins[begin].key < ends[end].key) {
      section += ended;
      ended = false;
      builder->sections[begins[begin++].index].begin = section;
    } else {
      builder->sections[ends[end++].index].end = section + 1;
      ended = true;
    }
  }
  packing->section_count = count ? section + 1 : 0;
  gmem_scratch_drop(&builder->memory, builder->order);
  builder->order = order_of_items;
  return GMEM_OK;
}

// Sets the sections to times after the first one.
static void list_times(const builder_t *builder) {
  const gmem_packing_t *packing = builder->packing;
  gmem_span_t *next = builder->sections;
  for (uint32_t i = 0; i < packing->member_count; ++i) {
    gmem_range_list_t ranges =
        gmem_ranges_of(builder, packing->members[i].buffer);
    for (size_t k = 0; k < ranges.count; ++k) {
      if (!gmem_touches_last(ranges, k))
        next++->begin =
            (uint32_t)(gmem_time_key(ranges.at[k].begin) - builder->first_time);
      next[-1].end =
          (uint32_t)(gmem_time_key(ranges.at[k].end) - builder->first_time);
    }
  }
  assert(next == builder->sections + builder->range_count);
}

// The same without a sort, for times that span |length|: marks the begins and
// ends at each time, then replaces the marks by the number of the section
// before that time.
static gmem_status_t number_by_time(builder_t *builder, size_t length) {
  enum { BEGINS = 1, ENDS = 2 };
  gmem_span_t *sections = builder->sections;
  uint32_t *clock, section = 0;
  bool ended = false;
  GMEM_TRY_ZEROS(clock, &builder->memory, length);
  list_times(builder);
  for (size_t i = 0; i < builder->range_count; ++i) {
    clock[sections[i].begin] |= BEGINS;
    clock[sections[i].end] |= ENDS;
  }
  for (size_t i = 0; i < length; ++i) {
    uint32_t marks = clock[i];
    clock[i] = section;
    ended |= (marks & ENDS) != 0;
    if (marks & BEGINS) {
      section += ended;
      ended = false;
    }
  }
  for (size_t i = 0; i < builder->range_count; ++i)
    sections[i] =
        (gmem_span_t){clock[sections[i].begin + 1], clock[sections[i].end] + 1};
  builder->packing->section_count = section + 1;
  gmem_scratch_drop(&builder->memory, clock);
  return GMEM_OK;
}

static void find_hull(const builder_t *builder, gmem_item_t *item) {
  item->begin = UINT32_MAX;
  size_t last = builder->first_range[item->member + item->member_count];
  for (size_t i = builder->first_range[item->member]; i < last; ++i) {
    gmem_span_t span = builder->sections[i];
    item->begin = span.begin < item->begin ? span.begin : item->begin;
    item->end = span.end > item->end ? span.end : item->end;
  }
}

// Numbers the sections, and sets those of the items. Before the items are
// ordered: so all is read and written as it lies in memory.
static gmem_status_t find_sections(builder_t *builder) {
  gmem_packing_t *packing = builder->packing;
  uint64_t length = builder->last_time - builder->first_time;
  GMEM_TRY_NEW(builder->sections, &builder->memory, builder->range_count);
  if (builder->range_count && length < UINT32_MAX &&
      length <= 4 * (uint64_t)builder->range_count)
    GMEM_TRY(number_by_time(builder, (size_t)length + 1));
  else
    GMEM_TRY(number_by_sorting(builder));
  for (uint32_t i = 0; i < packing->count; ++i)
    find_hull(builder, &packing->items[i]);
  return GMEM_OK;
}

//===--- canonical order --------------------------------------------------===//

enum { SMALL_GROUP = 32, SORT_KEYS = 4 };

// The keys of items with the same begin, the last one compared first.
static uint64_t key_of(const gmem_item_t *item, int key) {
  const uint64_t keys[SORT_KEYS] = {item->fixed_offset, item->alignment,
                                    item->size, item->duration};
  return keys[key];
}

static int compare_keys(const gmem_item_t *a, const gmem_item_t *b) {
  int order = 0;
  for (int key = SORT_KEYS; order == 0 && key-- > 0;)
    order = gmem_compare_numbers(key_of(a, key), key_of(b, key));
  return order;
}

// Compares two members of items that are otherwise equal.
static int compare_members(const gmem_packing_t *packing, uint32_t left,
                           uint32_t right) {
  const gmem_buffer_spec_t *a = gmem_member_spec(packing, left);
  const gmem_buffer_spec_t *b = gmem_member_spec(packing, right);
  int order = gmem_compare_numbers(a->range_count, b->range_count);
  for (size_t i = 0; order == 0 && i < a->range_count; ++i) {
    order = gmem_compare_numbers(gmem_time_key(a->ranges[i].begin),
                                 gmem_time_key(b->ranges[i].begin));
    if (order == 0)
      order = gmem_compare_numbers(gmem_time_key(a->ranges[i].end),
                                   gmem_time_key(b->ranges[i].end));
  }
  return order || gmem_problem_traits(packing->problem).is_canonical
             ? order
             : strcmp(a->name, b->name);
}

// Compares two items with the same begin.
static int compare_items(const gmem_packing_t *packing, uint32_t left,
                         uint32_t right) {
  const gmem_item_t *a = &packing->items[left], *b = &packing->items[right];
  int order = compare_keys(a, b);
  if (order == 0)
    order = gmem_compare_numbers(a->member_count, b->member_count);
  for (uint32_t i = 0; order == 0 && i < a->member_count; ++i)
    order = compare_members(packing, a->member + i, b->member + i);
  return order ? order
               : gmem_compare_numbers(packing->members[a->member].buffer,
                                      packing->members[b->member].buffer);
}

static void sift_down(const gmem_packing_t *packing, gmem_order_t *heap,
                      size_t node, size_t count) {
  for (size_t child; (child = 2 * node + 1) < count; node = child) {
    if (child + 1 < count &&
        compare_items(packing, heap[child].index, heap[child + 1].index) < 0)
      ++child;
    if (compare_items(packing, heap[node].index, heap[child].index) >= 0)
      return;
    gmem_order_t swap = heap[node];
    heap[node] = heap[child];
    heap[child] = swap;
  }
}

static void sort_few(const gmem_packing_t *packing, gmem_order_t *few,
                     size_t count) {
  if (count == 2 && compare_items(packing, few[0].index, few[1].index) <= 0)
    return;
  for (size_t node = count / 2; node-- > 0;)
    sift_down(packing, few, node, count);
  for (size_t last = count; last-- > 1;) {
    gmem_order_t swap = few[0];
    few[0] = few[last];
    few[last] = swap;
    sift_down(packing, few, 0, last);
  }
}

// Sorts |count| items with the same begin. Most groups are small: comparisons
// cost less than radix passes over all items for every key.
static void sort_group(const gmem_packing_t *packing, gmem_order_t *group,
                       gmem_order_t *scratch, size_t count) {
  const gmem_item_t *items = packing->items;
  for (int key = 0; key < SORT_KEYS && count > SMALL_GROUP; ++key) {
    for (size_t i = 0; i < count; ++i)
      group[i].key = key_of(&items[group[i].index], key);
    gmem_sort_order(group, scratch, count);
  }
  for (size_t first = 0, last; first < count; first = last) {
    for (last = count <= SMALL_GROUP ? count : first + 1;
         last < count && compare_keys(&items[group[first].index],
                                      &items[group[last].index]) == 0;)
      ++last;
    sort_few(packing, group + first, last - first);
  }
}

static void sort_items(builder_t *builder) {
  gmem_order_t *order = builder->order;
  size_t count = builder->packing->count;
  gmem_sort_order(order, order + count, count);
  for (size_t first = 0, last; first < count; first = last) {
    for (last = first + 1; last < count && order[last].key == order[first].key;)
      ++last;
    if (last - first > 1)
      sort_group(builder->packing, order + first, order + count, last - first);
  }
}

// An item that ends close to GMEM_MAX_ADDRESS has no valid offset above it.
static uint64_t extent_of(const gmem_packing_t *packing, uint64_t size) {
  uint64_t extent;
  return gmem_align_offset(0, size, packing->granule, &extent) ? extent : size;
}

// Puts the items in canonical order, in place.
static void order_items(builder_t *builder) {
  gmem_packing_t *packing = builder->packing;
  gmem_item_t *items = packing->items;
  gmem_order_t *order = builder->order;
  if (!order)
    return;
  sort_items(builder);
  for (uint32_t i = 0; i < packing->count; ++i) {
    gmem_item_t moved = items[i];
    uint32_t to = i;
    for (uint32_t from; (from = order[to].index) != i; to = from) {
      items[to] = items[from];
      order[to].index = to;
    }
    items[to] = moved;
    order[to].index = to;
  }
  gmem_scratch_drop(&builder->memory, order);
  builder->order = NULL;
}

// Tells the members their items.
static void number_items(builder_t *builder) {
  gmem_packing_t *packing = builder->packing;
  gmem_item_t *items = packing->items;
  for (uint32_t i = 0; i < packing->count; ++i) {
    items[i].extent = extent_of(packing, items[i].size);
    for (uint32_t k = items[i].member; k < gmem_members_end(packing, i); ++k)
      packing->members[k].item = i;
  }
}

//===--- live ranges of the items -----------------------------------------===//

static void find_branches(gmem_packing_t *packing, gmem_item_t *item) {
  const gmem_buffer_spec_t *first = gmem_member_spec(packing, item->member);
  bool any = false, same = true;
  for (uint32_t i = 0; i < item->member_count; ++i) {
    const gmem_buffer_spec_t *spec =
        gmem_member_spec(packing, item->member + i);
    any = any || spec->branch_count > 0;
    same = same && gmem_compare_branches(first, spec) == 0;
  }
  item->has_branches = any && same;
  packing->has_choices = packing->has_choices || item->has_branches;
  packing->is_exact = packing->is_exact && same;
}

// Whether all or none of its bytes are live in a section.
static bool is_whole(const gmem_packing_t *packing, const gmem_item_t *item) {
  if (item->part_count != 1)
    return item->part_count == 0;
  const gmem_part_t *part = &packing->parts[item->part];
  return part->begin == 0 && part->end == item->size;
}

static gmem_status_t describe_items(builder_t *builder) {
  gmem_packing_t *packing = builder->packing;
  packing->is_whole = packing->is_simple = true;
  packing->is_plain = (packing->base & (packing->granule - 1)) == 0;
  packing->is_exact = true;
  if (builder->range_count > packing->count) // some item has several
    GMEM_TRY_NEW(builder->order, &builder->memory, 3 * builder->range_count);
  for (uint32_t i = 0; i < packing->count; ++i) {
    gmem_item_t *item = &packing->items[i];
    if (builder->has_branches)
      find_branches(packing, item);
    if (builder->first_range[gmem_members_end(packing, i)] -
            builder->first_range[item->member] >
        1)
      GMEM_TRY(gmem_describe_parts(builder, i));
    packing->is_exact &= item->part_count < 2;
    packing->is_whole &= is_whole(packing, item) && !item->has_branches;
    packing->is_simple &= packing->is_whole && !item->part_count;
    packing->is_plain &= !gmem_is_fixed(item) && packing->is_simple &&
                         item->alignment == packing->granule;
  }
  return GMEM_OK;
}

//===--- creation ---------------------------------------------------------===//

static gmem_status_t join_chosen(builder_t *builder, gmem_diag_t *diag) {
  const gmem_problem_t *problem = builder->packing->problem;
  GMEM_TRY(gmem_offset_groups_copy(builder->groups, problem, &builder->memory,
                                   &builder->own_groups));
  builder->groups = &builder->own_groups;
  for (size_t i = 0; i < gmem_problem_alias_count(problem); ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(problem, i);
    if (builder->chosen[i] &&
        gmem_offset_groups_join(&builder->own_groups, problem, alias->child,
                                alias->parent, alias->offset,
                                NULL) != GMEM_TIED)
      return gmem_planner_fail(
          diag, GMEM_ERR_INVALID_ARGUMENT, alias->child,
          "the selected optional aliases contradict each other");
  }
  return GMEM_OK;
}

// When the buffers with optional aliases count for a bound.
static gmem_status_t find_uncovered(builder_t *builder) {
  bool found;
  GMEM_TRY_ZEROS(builder->uncovered, &builder->memory,
                 gmem_problem_buffer_count(builder->packing->problem));
  GMEM_TRY(gmem_find_independent(builder, &found));
  return found ? GMEM_OK : gmem_find_uncovered(builder);
}

static gmem_status_t find_relations(builder_t *builder, gmem_diag_t *diag) {
  const gmem_problem_t *problem = builder->packing->problem;
  bool are_given = builder->groups != NULL;
  if (!are_given)
    builder->groups = gmem_problem_offset_groups(problem);
  if (builder->chosen && !are_given)
    GMEM_TRY(join_chosen(builder, diag));
  if ((gmem_problem_alias_count(problem) || gmem_problem_block_count(problem)))
    GMEM_TRY(gmem_find_inner(builder));
  if (!builder->pool_of && gmem_problem_traits(problem).has_optional)
    GMEM_TRY(find_uncovered(builder));
  return GMEM_OK;
}

static gmem_status_t build(builder_t *builder, gmem_diag_t *diag) {
  gmem_packing_t *packing = builder->packing;
  GMEM_TRY(find_relations(builder, diag));
  GMEM_TRY(list_members(builder));
  GMEM_TRY(list_items(builder, diag));
  GMEM_TRY(find_sections(builder));
  order_items(builder);
  number_items(builder);
  GMEM_TRY(describe_items(builder));
  if (gmem_problem_conflict_count(packing->problem))
    GMEM_TRY(gmem_list_extra(packing, &builder->memory));
  return GMEM_OK;
}

bool gmem_check_packing(const gmem_packing_t *packing) {
  for (uint32_t i = 0; i < packing->count; ++i) {
    const gmem_item_t *item = &packing->items[i];
    if (item->begin >= item->end || item->begin < packing->first_section ||
        item->end - packing->first_section > packing->section_count ||
        item->size > item->extent || item->member_count == 0 ||
        gmem_members_end(packing, i) > packing->member_count ||
        packing->members[item->member].item != i ||
        !gmem_is_power_of_two(item->alignment))
      return false;
    for (uint32_t k = 0; k < item->part_count; ++k) {
      const gmem_part_t *part = &packing->parts[item->part + k];
      const gmem_span_t *spans = &packing->spans[part->span];
      if (part->begin >= part->end || part->end > item->size ||
          (k && part[-1].end > part->begin))
        return false;
      for (uint32_t s = 0; s < part->span_count; ++s)
        if (spans[s].begin >= spans[s].end || spans[s].end > item->end ||
            spans[s].begin < (s ? spans[s - 1].end + 1 : item->begin))
          return false;
    }
  }
  return true;
}

static gmem_status_t make(builder_t *builder, const gmem_problem_t *problem,
                          uint32_t pool, gmem_diag_t *diag) {
  gmem_packing_t *packing = builder->packing;
  const gmem_allocator_t *allocator = gmem_problem_allocator(problem);
  *packing = (gmem_packing_t){.allocator = allocator,
                              .problem = problem,
                              .memory = {.allocator = allocator, .diag = diag},
                              .pool = pool,
                              .limit = GMEM_MAX_ADDRESS,
                              .misfit = GMEM_NO_BUFFER};
  builder->memory = packing->memory;
  if (pool != GMEM_NO_POOL) {
    const gmem_pool_spec_t *spec = gmem_problem_pool(problem, pool);
    packing->base = spec->base;
    packing->limit = gmem_pool_limit(spec);
  }
  gmem_status_t status = build(builder, diag);
  gmem_scratch_free(&builder->memory);
  if (status != GMEM_OK) {
    packing->count = 0;
    return status;
  }
  assert(gmem_check_packing(packing));
  if (packing->extra || packing->has_choices)
    packing->is_plain = packing->is_simple = packing->is_whole = false;
  GMEM_TRY(gmem_packing_pressure(packing, NULL, &packing->bound, diag));
  GMEM_TRY(gmem_raise_bound_by_cliques(packing, diag));
  GMEM_TRY(gmem_raise_bound_by_stacks(packing, diag));
  packing->goal = packing->bound;
  return GMEM_OK;
}

gmem_status_t gmem_pack(gmem_pack_t *algorithm, const gmem_packing_t *packing,
                        gmem_search_t *search, uint64_t *offsets,
                        gmem_diag_t *diag) {
  gmem_scratch_t memory = {.allocator = packing->allocator, .diag = diag};
  gmem_status_t status =
      algorithm(&(gmem_task_t){packing, search, offsets, &memory});
  gmem_scratch_free(&memory);
  return status;
}

gmem_status_t gmem_packing_create(const gmem_problem_t *problem, uint32_t pool,
                                  const uint32_t *pool_of, const bool *chosen,
                                  const gmem_offset_groups_t *groups,
                                  gmem_packing_t *packing, gmem_diag_t *diag) {
  builder_t builder = {.packing = packing,
                       .pool_of = pool_of,
                       .chosen = chosen,
                       .groups = chosen ? groups : NULL};
  return make(&builder, problem, pool, diag);
}

gmem_status_t gmem_packing_create_for_bound(const gmem_problem_t *problem,
                                            uint32_t pool, const bool *only,
                                            gmem_packing_t *packing,
                                            gmem_diag_t *diag) {
  builder_t builder = {.packing = packing, .only = only};
  return make(&builder, problem, pool, diag);
}
