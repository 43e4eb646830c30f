// packing.c - converts the buffers of one pool to the form that algorithms use.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "packing.h"

#include <assert.h>
#include <string.h>

#include "offset_groups.h"
#include "packing_builder.h"
#include "packing_query.h"
#include "pressure.h"
#include "problem_store.h"

typedef gmem_packing_builder_t builder_t;

//===--- members ----------------------------------------------------------===//

// Whether the pool of the packing is the only candidate of |buffer|.
static bool has_one_candidate(const builder_t *builder, uint32_t buffer) {
  const gmem_packing_t *packing = builder->packing;
  uint32_t position = 0, pool;
  if (packing->pool == GMEM_NO_POOL)
    return true;
  if (!gmem_group_candidate(builder->groups, packing->problem, buffer,
                            &position, &pool) ||
      pool != packing->pool)
    return false;
  ++position;
  return !gmem_group_candidate(builder->groups, packing->problem, buffer,
                               &position, &pool);
}

static bool is_member(const builder_t *builder, uint32_t buffer) {
  if (gmem_problem_buffer(builder->packing->problem, buffer)->size == 0)
    return false;
  if (builder->pool_of)
    return builder->pool_of[buffer] == builder->packing->pool;
  return (!builder->only || builder->only[buffer]) &&
         has_one_candidate(builder, buffer) &&
         gmem_ranges_of(builder, buffer).count > 0;
}

// Allocates the exact number of members.
static uint32_t count_candidates(const builder_t *builder) {
  uint32_t buffers = gmem_problem_buffer_count(builder->packing->problem);
  if (!builder->pool_of ||
      gmem_problem_pool_count(builder->packing->problem) == 1)
    return buffers;
  uint32_t count = 0;
  for (uint32_t i = 0; i < buffers; ++i)
    count += builder->pool_of[i] == builder->packing->pool;
  return count;
}

static gmem_status_t list_members(builder_t *builder) {
  gmem_packing_t *packing = builder->packing;
  uint32_t buffers = gmem_problem_buffer_count(packing->problem), next = 0;
  GMEM_TRY_NEW(packing->members, &builder->memory, count_candidates(builder));
  for (uint32_t i = 0; i < buffers; ++i)
    if (is_member(builder, i))
      packing->members[next++] = (gmem_member_t){.buffer = i};
  packing->member_count = next;
  return GMEM_OK;
}

//===--- units ------------------------------------------------------------===//

static void list_single_units(builder_t *builder) {
  gmem_packing_t *packing = builder->packing;
  bool any_pool = packing->pool == GMEM_NO_POOL;
  builder->is_single = true;
  for (uint32_t i = 0; i < packing->member_count; ++i) {
    uint32_t buffer = packing->members[i].buffer;
    const gmem_buffer_spec_t *spec = gmem_member_spec(packing, i);
    gmem_range_list_t ranges = gmem_ranges_of(builder, buffer);
    builder->units[i] = (gmem_unit_t){
        .begin = gmem_time_key(ranges.at[0].begin),
        .end = gmem_time_key(ranges.at[ranges.count - 1].end),
        .size = spec->size,
        .alignment = gmem_alignment_of(builder, buffer),
        .fixed_offset = spec->has_fixed_offset && !any_pool ? spec->fixed_offset
                                                            : GMEM_NOT_FIXED,
        .member = i,
        .member_count = 1,
    };
    builder->has_branches = builder->has_branches || spec->branch_count;
    builder->is_single = builder->is_single && ranges.count == 1;
  }
  packing->count = packing->member_count;
}

static gmem_status_t list_units(builder_t *builder, gmem_diag_t *diag) {
  GMEM_TRY_NEW(builder->units, &builder->memory,
               builder->packing->member_count);
  if (builder->groups)
    return gmem_list_composite_units(builder, diag);
  list_single_units(builder);
  return GMEM_OK;
}

static void choose_granule(builder_t *builder) {
  gmem_packing_t *packing = builder->packing;
  packing->granule = GMEM_MAX_ALIGNMENT;
  for (uint32_t i = 0; i < packing->count; ++i) {
    const gmem_unit_t *unit = &builder->units[i];
    if (unit->alignment < packing->granule)
      packing->granule = unit->alignment;
    if (unit->alignment > builder->most_alignment)
      builder->most_alignment = unit->alignment;
    if (unit->fixed_offset != GMEM_NOT_FIXED)
      builder->has_fixed = true;
  }
}

//===--- canonical order --------------------------------------------------===//

enum { SMALL_GROUP = 32 };

typedef enum sort_key_e { BY_FIXED, BY_ALIGNMENT, BY_SIZE, BY_END } sort_key_t;

static uint64_t key_of(const gmem_unit_t *unit, int key) {
  switch ((sort_key_t)key) {
  case BY_FIXED:
    return unit->fixed_offset;
  case BY_ALIGNMENT:
    return unit->alignment;
  case BY_SIZE:
    return unit->size;
  case BY_END:
    break;
  }
  return unit->end;
}

static int compare_numbers(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

// Compares two members of units that are otherwise equal.
static int compare_members(const gmem_packing_t *packing, uint32_t left,
                           uint32_t right) {
  const gmem_buffer_spec_t *a = gmem_member_spec(packing, left);
  const gmem_buffer_spec_t *b = gmem_member_spec(packing, right);
  int order = compare_numbers(a->range_count, b->range_count);
  for (size_t i = 0; order == 0 && i < a->range_count; ++i) {
    order = compare_numbers(gmem_time_key(a->ranges[i].begin),
                            gmem_time_key(b->ranges[i].begin));
    if (order == 0)
      order = compare_numbers(gmem_time_key(a->ranges[i].end),
                              gmem_time_key(b->ranges[i].end));
  }
  return order ? order : strcmp(a->name, b->name);
}

// Compares two units with the same begin.
static int compare_units(const builder_t *builder, uint32_t left,
                         uint32_t right) {
  const gmem_packing_t *packing = builder->packing;
  const gmem_unit_t *a = &builder->units[left], *b = &builder->units[right];
  int order = 0;
  for (int key = BY_END; order == 0 && key >= BY_FIXED; --key)
    order = compare_numbers(key_of(a, key), key_of(b, key));
  if (order == 0)
    order = compare_numbers(a->member_count, b->member_count);
  for (uint32_t i = 0; order == 0 && i < a->member_count; ++i)
    order = compare_members(packing, a->member + i, b->member + i);
  return order ? order
               : compare_numbers(packing->members[a->member].buffer,
                                 packing->members[b->member].buffer);
}

static void sift_down(const builder_t *builder, gmem_order_t *heap, size_t node,
                      size_t count) {
  for (size_t child; (child = 2 * node + 1) < count; node = child) {
    if (child + 1 < count &&
        compare_units(builder, heap[child].index, heap[child + 1].index) < 0)
      ++child;
    if (compare_units(builder, heap[node].index, heap[child].index) >= 0)
      return;
    gmem_order_t swap = heap[node];
    heap[node] = heap[child];
    heap[child] = swap;
  }
}

static void sort_few(const builder_t *builder, gmem_order_t *few,
                     size_t count) {
  if (count == 2 && compare_units(builder, few[0].index, few[1].index) <= 0)
    return;
  for (size_t node = count / 2; node-- > 0;)
    sift_down(builder, few, node, count);
  for (size_t last = count; last-- > 1;) {
    gmem_order_t swap = few[0];
    few[0] = few[last];
    few[last] = swap;
    sift_down(builder, few, 0, last);
  }
}

static bool are_equal_units(const builder_t *builder, uint32_t left,
                            uint32_t right) {
  const gmem_unit_t *a = &builder->units[left], *b = &builder->units[right];
  for (int key = BY_FIXED; key <= BY_END; ++key)
    if (key_of(a, key) != key_of(b, key))
      return false;
  return true;
}

// Sorts |count| units with the same begin. Most groups are small: comparisons
// cost less than radix passes over all units for every key.
static void sort_group(const builder_t *builder, gmem_order_t *group,
                       gmem_order_t *scratch, size_t count) {
  if (count <= SMALL_GROUP) {
    sort_few(builder, group, count);
    return;
  }
  for (int key = BY_FIXED; key <= BY_END; ++key) {
    for (size_t i = 0; i < count; ++i)
      group[i].key = key_of(&builder->units[group[i].index], key);
    gmem_sort_order(group, scratch, count);
  }
  for (size_t first = 0, last; first < count; first = last) {
    for (last = first + 1;
         last < count &&
         are_equal_units(builder, group[first].index, group[last].index);)
      ++last;
    sort_few(builder, group + first, last - first);
  }
}

static void sort_units(builder_t *builder) {
  gmem_order_t *order = builder->order;
  size_t count = builder->packing->count;
  for (size_t i = 0; i < count; ++i)
    order[i] = (gmem_order_t){builder->units[i].begin, (uint32_t)i};
  if (!builder->pool_of) // a bound does not depend on the order
    return;
  gmem_sort_order(order, order + count, count);
  for (size_t first = 0, last; first < count; first = last) {
    for (last = first + 1; last < count && order[last].key == order[first].key;)
      ++last;
    if (last - first > 1)
      sort_group(builder, order + first, order + count, last - first);
  }
}

// An item that ends close to GMEM_MAX_ADDRESS has no valid offset above it.
static uint64_t extent_of(const gmem_packing_t *packing, uint64_t size) {
  uint64_t extent;
  return gmem_align_offset(0, size, packing->granule, &extent) ? extent : size;
}

static gmem_item_t item_of(const builder_t *builder, const gmem_unit_t *unit,
                           uint32_t first_member) {
  gmem_item_t item = {.size = unit->size,
                      .extent = extent_of(builder->packing, unit->size),
                      .alignment = unit->alignment,
                      .fixed_offset = unit->fixed_offset,
                      .duration = unit->end - unit->begin,
                      .member = first_member,
                      .member_count = unit->member_count};
  if (builder->is_single) {
    item.begin = builder->sections[unit->member].begin;
    item.end = builder->sections[unit->member].end;
  }
  return item;
}

// Converts the units to items, in order, and moves the members to them.
static gmem_status_t list_items(builder_t *builder) {
  gmem_packing_t *packing = builder->packing;
  gmem_member_t *members;
  uint32_t next = 0;
  GMEM_TRY_NEW(members, &packing->memory, packing->member_count);
  GMEM_TRY_NEW(packing->items, &packing->memory, packing->count);
  for (uint32_t i = 0; i < packing->count; ++i) {
    const gmem_unit_t *unit = &builder->units[builder->order[i].index];
    packing->items[i] = item_of(builder, unit, next);
    for (uint32_t k = 0; k < unit->member_count; ++k, ++next) {
      members[next] = packing->members[unit->member + k];
      members[next].item = i;
    }
  }
  assert(next == packing->member_count);
  gmem_scratch_drop(&builder->memory, packing->members);
  packing->members = members;
  return GMEM_OK;
}

//===--- sections ---------------------------------------------------------===//

static bool touches_last(gmem_range_list_t ranges, size_t range) {
  return range > 0 && ranges.at[range - 1].end == ranges.at[range].begin;
}

// Merges ranges that touch.
static size_t count_ranges(const builder_t *builder) {
  const gmem_packing_t *packing = builder->packing;
  if (builder->is_single)
    return packing->count;
  size_t count = 0;
  for (uint32_t i = 0; i < packing->member_count; ++i) {
    gmem_range_list_t ranges =
        gmem_ranges_of(builder, packing->members[i].buffer);
    for (size_t k = 0; k < ranges.count; ++k)
      count += !touches_last(ranges, k);
  }
  return count;
}

static void list_events(builder_t *builder, gmem_order_t *begins,
                        gmem_order_t *ends) {
  const gmem_packing_t *packing = builder->packing;
  uint32_t next = 0;
  for (uint32_t i = 0; i < packing->member_count; ++i) {
    gmem_range_list_t ranges =
        gmem_ranges_of(builder, packing->members[i].buffer);
    builder->first_range[i] = next;
    for (size_t k = 0; k < ranges.count; ++k) {
      if (!touches_last(ranges, k)) {
        begins[next] = (gmem_order_t){gmem_time_key(ranges.at[k].begin), next};
        ++next;
      }
      ends[next - 1] =
          (gmem_order_t){gmem_time_key(ranges.at[k].end), next - 1};
    }
  }
  builder->first_range[packing->member_count] = next;
}

// A section begins at the first begin after an end.
static void number_by_sorting(builder_t *builder) {
  size_t count = builder->range_count;
  gmem_order_t *begins = builder->order, *ends = begins + count;
  list_events(builder, begins, ends);
  gmem_sort_order(begins, ends + count, count);
  gmem_sort_order(ends, ends + count, count);
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
  builder->packing->section_count = count ? section + 1 : 0;
}

// Marks the events at each time from |first| on, then replaces the marks by the
// number of the section before that time.
static uint32_t fill_clock(const builder_t *builder, uint32_t *clock,
                           size_t length, uint64_t first) {
  enum { BEGINS = 1, ENDS = 2 };
  memset(clock, 0, length * sizeof *clock);
  for (uint32_t i = 0; i < builder->packing->count; ++i) {
    clock[builder->units[i].begin - first] |= BEGINS;
    clock[builder->units[i].end - first] |= ENDS;
  }
  uint32_t section = 0;
  bool ended = false;
  for (size_t i = 0; i < length; ++i) {
    uint32_t marks = clock[i];
    clock[i] = section;
    ended = ended || (marks & ENDS);
    if (marks & BEGINS) {
      section += ended;
      ended = false;
    }
  }
  return section;
}

// Single units whose times span a short interval need no sort. Fails with
// OUT_OF_MEMORY.
static gmem_status_t number_single(builder_t *builder) {
  gmem_packing_t *packing = builder->packing;
  uint64_t first = UINT64_MAX, last = 0;
  for (uint32_t i = 0; i < packing->count; ++i) {
    const gmem_unit_t *unit = &builder->units[i];
    first = unit->begin < first ? unit->begin : first;
    last = unit->end > last ? unit->end : last;
  }
  if (packing->count == 0 || last - first > UINT64_C(4) * packing->count) {
    number_by_sorting(builder);
    return GMEM_OK;
  }
  size_t length = (size_t)(last - first) + 1;
  uint32_t *clock;
  GMEM_TRY_NEW(clock, &builder->memory, length);
  packing->section_count = fill_clock(builder, clock, length, first) + 1;
  for (uint32_t i = 0; i < packing->count; ++i) {
    const gmem_unit_t *unit = &builder->units[i];
    builder->sections[i] = (gmem_span_t){clock[unit->begin - first + 1],
                                         clock[unit->end - first] + 1};
  }
  gmem_scratch_drop(&builder->memory, clock);
  return GMEM_OK;
}

//===--- live ranges of the items -----------------------------------------===//

static void find_hull(const builder_t *builder, gmem_item_t *item) {
  item->begin = UINT32_MAX;
  size_t last = builder->first_range[item->member + item->member_count];
  for (size_t i = builder->first_range[item->member]; i < last; ++i) {
    gmem_span_t span = builder->sections[i];
    item->begin = span.begin < item->begin ? span.begin : item->begin;
    item->end = span.end > item->end ? span.end : item->end;
  }
}

static void find_branches(gmem_packing_t *packing, gmem_item_t *item) {
  const gmem_buffer_spec_t *first = gmem_member_spec(packing, item->member);
  bool any = false, same = true;
  for (uint32_t i = 0; i < item->member_count; ++i) {
    const gmem_buffer_spec_t *spec =
        gmem_member_spec(packing, item->member + i);
    any = any || spec->branch_count > 0;
    same = same && gmem_same_branches(first, spec);
  }
  item->has_branches = any && same;
  packing->has_choices = packing->has_choices || item->has_branches;
  packing->is_exact = packing->is_exact && same;
}

static gmem_status_t describe_items(builder_t *builder) {
  gmem_packing_t *packing = builder->packing;
  packing->is_plain = (packing->base & (packing->granule - 1)) == 0;
  packing->is_exact = true;
  if (builder->has_fixed || builder->most_alignment > packing->granule)
    packing->is_plain = false;
  if (builder->is_single && !builder->has_branches)
    return GMEM_OK;
  for (uint32_t i = 0; i < packing->count; ++i) {
    gmem_item_t *item = &packing->items[i];
    if (builder->has_branches)
      find_branches(packing, item);
    if (builder->is_single) {
      packing->is_plain = packing->is_plain && !item->has_branches;
      continue;
    }
    find_hull(builder, item);
    size_t first = builder->first_range[item->member];
    size_t last = builder->first_range[item->member + item->member_count];
    if (last - first > 1)
      GMEM_TRY(gmem_describe_parts(builder, i));
    if (item->part_count || item->has_branches)
      packing->is_plain = false;
    packing->is_exact = packing->is_exact && item->part_count < 2;
  }
  return GMEM_OK;
}

//===--- creation ---------------------------------------------------------===//

static gmem_status_t alloc_ranges(builder_t *builder) {
  builder->range_count = count_ranges(builder);
  GMEM_TRY_NEW(builder->order, &builder->memory, 3 * builder->range_count);
  GMEM_TRY_NEW(builder->sections, &builder->memory, builder->range_count);
  GMEM_TRY_NEW(builder->first_range, &builder->memory,
               (size_t)builder->packing->member_count + 1);
  return GMEM_OK;
}

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

static gmem_status_t find_relations(builder_t *builder, gmem_diag_t *diag) {
  const gmem_problem_t *problem = builder->packing->problem;
  builder->groups = gmem_problem_offset_groups(problem);
  if (builder->chosen)
    GMEM_TRY(join_chosen(builder, diag));
  if ((gmem_problem_alias_count(problem) || gmem_problem_block_count(problem)))
    GMEM_TRY(gmem_find_inner(builder));
  if (!builder->pool_of && gmem_problem_traits(problem).has_optional)
    GMEM_TRY(gmem_find_uncovered(builder));
  return GMEM_OK;
}

static gmem_status_t build(builder_t *builder, gmem_diag_t *diag) {
  gmem_packing_t *packing = builder->packing;
  GMEM_TRY(find_relations(builder, diag));
  GMEM_TRY(list_members(builder));
  GMEM_TRY(list_units(builder, diag));
  GMEM_TRY(alloc_ranges(builder));
  choose_granule(builder);
  if (builder->is_single)
    GMEM_TRY(number_single(builder));
  sort_units(builder);
  GMEM_TRY(list_items(builder));
  if (!builder->is_single)
    number_by_sorting(builder);
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
    packing->is_plain = false;
  GMEM_TRY(gmem_packing_pressure(packing, NULL, &packing->bound, diag));
  packing->goal = packing->bound;
  return GMEM_OK;
}

gmem_status_t gmem_pack(gmem_pack_t *algorithm, const gmem_packing_t *packing,
                        gmem_search_t *search, uint64_t *offsets,
                        gmem_diag_t *diag) {
  gmem_scratch_t memory = {.allocator = packing->allocator, .diag = diag};
  gmem_status_t status = algorithm(packing, search, offsets, &memory);
  gmem_scratch_free(&memory);
  return status;
}

gmem_status_t gmem_packing_create(const gmem_problem_t *problem, uint32_t pool,
                                  const uint32_t *pool_of, const bool *chosen,
                                  gmem_packing_t *packing, gmem_diag_t *diag) {
  builder_t builder = {
      .packing = packing, .pool_of = pool_of, .chosen = chosen};
  return make(&builder, problem, pool, diag);
}

gmem_status_t gmem_packing_create_for_bound(const gmem_problem_t *problem,
                                            uint32_t pool, const bool *only,
                                            gmem_packing_t *packing,
                                            gmem_diag_t *diag) {
  builder_t builder = {.packing = packing, .only = only};
  return make(&builder, problem, pool, diag);
}
