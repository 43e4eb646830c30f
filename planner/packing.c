// packing.c - the buffers of one pool in the form that the algorithms work on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <string.h>

#include "packing.h"

// While a packing is made: one entry per live range.
typedef struct builder_s {
  gmem_packing_t *packing;
  bool for_bound; // items need no order
  const gmem_allocator_t *allocator;
  gmem_order_t *order; // scratch: 3 * range_count entries
  size_t range_count;
  gmem_span_t *sections; // of each live range
  size_t *first_range;   // of each member, and one more
} builder_t;

//===--- members ----------------------------------------------------------===//

// |pool_of| NULL: the buffers that can go nowhere else.
static bool is_member(const gmem_packing_t *packing, uint32_t buffer,
                      const uint32_t *pool_of) {
  const gmem_buffer_spec_t *spec =
      gmem_problem_buffer(packing->problem, buffer);
  if (spec->size == 0)
    return false;
  if (pool_of)
    return pool_of[buffer] == packing->pool;
  return packing->pool == GMEM_NO_POOL ||
         (spec->pools[0] == packing->pool &&
          (spec->pool_count == 1 || spec->has_fixed_offset));
}

static gmem_status_t list_members(gmem_packing_t *packing,
                                  const uint32_t *pool_of, gmem_diag_t *diag) {
  uint32_t buffers = gmem_problem_buffer_count(packing->problem);
  for (uint32_t i = 0; i < buffers; ++i)
    packing->count += is_member(packing, i, pool_of);
  packing->member_count = packing->count;
  packing->members = gmem_planner_alloc(
      packing->allocator, packing->member_count, sizeof *packing->members);
  packing->items = gmem_planner_alloc(packing->allocator, packing->count,
                                      sizeof *packing->items);
  if (!packing->members || !packing->items)
    return gmem_planner_out_of_memory(diag);
  uint32_t next = 0;
  for (uint32_t i = 0; i < buffers; ++i)
    if (is_member(packing, i, pool_of))
      packing->members[next++] = (gmem_member_t){.buffer = i};
  return GMEM_OK;
}

static const gmem_buffer_spec_t *member_spec(const gmem_packing_t *packing,
                                             uint32_t member) {
  return gmem_problem_buffer(packing->problem, packing->members[member].buffer);
}

//===--- canonical order --------------------------------------------------===//

static int compare_numbers(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

typedef enum sort_key_e {
  BY_FIXED,
  BY_ALIGNMENT,
  BY_SIZE,
  BY_END,
  BY_BEGIN
} sort_key_t;

enum { SMALL_GROUP = 32 };

static uint64_t key_of(const gmem_buffer_spec_t *spec, sort_key_t key) {
  switch (key) {
  case BY_FIXED:
    return spec->has_fixed_offset ? spec->fixed_offset : GMEM_NOT_FIXED;
  case BY_ALIGNMENT:
    return spec->alignment;
  case BY_SIZE:
    return spec->size;
  case BY_END:
    return gmem_time_key(spec->ranges[spec->range_count - 1].end);
  case BY_BEGIN:
    break;
  }
  return gmem_time_key(spec->ranges[0].begin);
}

// Of two buffers with the same begin.
static int compare_members(const gmem_packing_t *packing, uint32_t left,
                           uint32_t right) {
  const gmem_buffer_spec_t *a = gmem_problem_buffer(packing->problem, left);
  const gmem_buffer_spec_t *b = gmem_problem_buffer(packing->problem, right);
  int order = 0;
  for (int key = BY_END; order == 0 && key >= BY_FIXED; --key)
    order =
        compare_numbers(key_of(a, (sort_key_t)key), key_of(b, (sort_key_t)key));
  if (order == 0)
    order = compare_numbers(a->range_count, b->range_count);
  for (size_t i = 0; order == 0 && i < a->range_count; ++i) {
    order = compare_numbers(gmem_time_key(a->ranges[i].begin),
                            gmem_time_key(b->ranges[i].begin));
    if (order == 0)
      order = compare_numbers(gmem_time_key(a->ranges[i].end),
                              gmem_time_key(b->ranges[i].end));
  }
  if (order == 0)
    order = strcmp(a->name, b->name);
  return order ? order : compare_numbers(left, right);
}

static void sift_down(const gmem_packing_t *packing, gmem_order_t *heap,
                      size_t node, size_t count) {
  for (size_t child; (child = 2 * node + 1) < count; node = child) {
    if (child + 1 < count &&
        compare_members(packing, heap[child].index, heap[child + 1].index) < 0)
      ++child;
    if (compare_members(packing, heap[node].index, heap[child].index) >= 0)
      return;
    gmem_order_t swap = heap[node];
    heap[node] = heap[child];
    heap[child] = swap;
  }
}

static void sort_ties(const gmem_packing_t *packing, gmem_order_t *tied,
                      size_t count) {
  for (size_t node = count / 2; node-- > 0;)
    sift_down(packing, tied, node, count);
  for (size_t last = count; last-- > 1;) {
    gmem_order_t swap = tied[0];
    tied[0] = tied[last];
    tied[last] = swap;
    sift_down(packing, tied, 0, last);
  }
}

static bool is_tied(const gmem_packing_t *packing, uint32_t left,
                    uint32_t right) {
  const gmem_buffer_spec_t *a = gmem_problem_buffer(packing->problem, left);
  const gmem_buffer_spec_t *b = gmem_problem_buffer(packing->problem, right);
  for (int key = BY_FIXED; key <= BY_BEGIN; ++key)
    if (key_of(a, (sort_key_t)key) != key_of(b, (sort_key_t)key))
      return false;
  return true;
}

// Sorts |count| members of one begin. Groups are mostly small: sorting them by
// comparisons costs less than passes over all members for every key.
static void sort_group(const gmem_packing_t *packing, gmem_order_t *group,
                       gmem_order_t *scratch, size_t count) {
  if (count <= SMALL_GROUP) {
    sort_ties(packing, group, count);
    return;
  }
  for (int key = BY_FIXED; key < BY_BEGIN; ++key) {
    for (size_t i = 0; i < count; ++i)
      group[i].key =
          key_of(gmem_problem_buffer(packing->problem, group[i].index),
                 (sort_key_t)key);
    gmem_order_sort(group, scratch, count);
  }
  for (size_t first = 0, last; first < count; first = last) {
    for (last = first + 1; last < count && is_tied(packing, group[first].index,
                                                   group[last].index);)
      ++last;
    sort_ties(packing, group + first, last - first);
  }
}

static void sort_members(builder_t *builder) {
  gmem_packing_t *packing = builder->packing;
  gmem_order_t *order = builder->order;
  size_t count = packing->member_count;
  for (size_t i = 0; i < count; ++i) {
    uint32_t buffer = packing->members[i].buffer;
    order[i] = (gmem_order_t){
        key_of(gmem_problem_buffer(packing->problem, buffer), BY_BEGIN),
        buffer};
  }
  gmem_order_sort(order, order + count, count);
  for (size_t first = 0, last; first < count; first = last) {
    uint64_t begin = order[first].key;
    for (last = first + 1; last < count && order[last].key == begin;)
      ++last;
    if (last - first > 1)
      sort_group(packing, order + first, order + count, last - first);
  }
  for (size_t i = 0; i < count; ++i)
    packing->members[i] =
        (gmem_member_t){.buffer = order[i].index, .item = (uint32_t)i};
}

//===--- sections ---------------------------------------------------------===//

static bool touches_last(const gmem_buffer_spec_t *spec, size_t range) {
  return range > 0 && spec->ranges[range - 1].end == spec->ranges[range].begin;
}

// Ranges that touch are one.
static size_t count_ranges(const gmem_packing_t *packing) {
  size_t count = 0;
  for (uint32_t i = 0; i < packing->member_count; ++i) {
    const gmem_buffer_spec_t *spec = member_spec(packing, i);
    for (size_t k = 0; k < spec->range_count; ++k)
      count += !touches_last(spec, k);
  }
  return count;
}

static void list_events(builder_t *builder, gmem_order_t *begins,
                        gmem_order_t *ends) {
  uint32_t next = 0;
  for (uint32_t i = 0; i < builder->packing->member_count; ++i) {
    const gmem_buffer_spec_t *spec = member_spec(builder->packing, i);
    builder->first_range[i] = next;
    for (size_t k = 0; k < spec->range_count; ++k) {
      if (!touches_last(spec, k)) {
        begins[next] =
            (gmem_order_t){gmem_time_key(spec->ranges[k].begin), next};
        ++next;
      }
      ends[next - 1] =
          (gmem_order_t){gmem_time_key(spec->ranges[k].end), next - 1};
    }
  }
  builder->first_range[builder->packing->member_count] = next;
}

// A section begins where something begins after something has ended.
static void number_sections(builder_t *builder) {
  size_t count = builder->range_count;
  gmem_order_t *begins = builder->order, *ends = begins + count;
  list_events(builder, begins, ends);
  gmem_order_sort(begins, ends + count, count);
  gmem_order_sort(ends, ends + count, count);
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

//===--- items ------------------------------------------------------------===//

// Addresses of different pools share no alignment.
static uint64_t alignment_of(const gmem_packing_t *packing,
                             const gmem_buffer_spec_t *spec) {
  if (packing->pool == GMEM_NO_POOL)
    return 1;
  return gmem_alignment_in(spec,
                           gmem_problem_pool(packing->problem, packing->pool));
}

static void choose_granule(gmem_packing_t *packing) {
  packing->granule = GMEM_MAX_ALIGNMENT;
  for (uint32_t i = 0; i < packing->member_count; ++i) {
    uint64_t alignment = alignment_of(packing, member_spec(packing, i));
    if (alignment < packing->granule)
      packing->granule = alignment;
  }
}

static uint64_t duration_of(const gmem_buffer_spec_t *spec) {
  uint64_t duration = 0;
  for (size_t i = 0; i < spec->range_count; ++i) {
    uint64_t length =
        (uint64_t)spec->ranges[i].end - (uint64_t)spec->ranges[i].begin;
    duration = length > UINT64_MAX - duration ? UINT64_MAX : duration + length;
  }
  return duration;
}

static gmem_item_t describe(const gmem_packing_t *packing,
                            const gmem_buffer_spec_t *spec) {
  return (gmem_item_t){
      .size = spec->size,
      .extent = (spec->size + packing->granule - 1) & ~(packing->granule - 1),
      .alignment = alignment_of(packing, spec),
      .fixed_offset = spec->has_fixed_offset && packing->pool != GMEM_NO_POOL
                          ? spec->fixed_offset
                          : GMEM_NOT_FIXED,
      .duration = duration_of(spec),
  };
}

// Gives |item| one part with the sections of several live ranges.
static void add_part(builder_t *builder, gmem_item_t *item, size_t first,
                     size_t last) {
  gmem_packing_t *packing = builder->packing;
  item->part = packing->part_count++;
  item->part_count = 1;
  gmem_part_t *part = &packing->parts[item->part];
  *part = (gmem_part_t){.end = item->size, .span = packing->span_count};
  for (size_t i = first; i < last; ++i) {
    gmem_span_t span = builder->sections[i];
    gmem_span_t *before = packing->spans + packing->span_count - 1;
    if (i > first && before->end == span.begin) {
      before->end = span.end;
      continue;
    }
    packing->spans[packing->span_count++] = span;
    ++part->span_count;
  }
}

static gmem_status_t list_items(builder_t *builder, gmem_diag_t *diag) {
  gmem_packing_t *packing = builder->packing;
  size_t extra = builder->range_count - packing->count;
  packing->part_capacity = (uint32_t)extra;
  packing->span_capacity = (uint32_t)(2 * extra);
  packing->parts = gmem_planner_alloc(
      packing->allocator, packing->part_capacity, sizeof *packing->parts);
  packing->spans = gmem_planner_alloc(
      packing->allocator, packing->span_capacity, sizeof *packing->spans);
  if (!packing->parts || !packing->spans)
    return gmem_planner_out_of_memory(diag);
  packing->is_plain = (packing->base & (packing->granule - 1)) == 0;
  for (uint32_t i = 0; i < packing->count; ++i) {
    gmem_item_t *item = &packing->items[i];
    *item = describe(packing, member_spec(packing, i));
    item->member = packing->members[i].item = i;
    size_t first = builder->first_range[i], last = builder->first_range[i + 1];
    item->begin = builder->sections[first].begin;
    item->end = builder->sections[last - 1].end;
    if (last - first > 1)
      add_part(builder, item, first, last);
    if (item->part_count || item->fixed_offset != GMEM_NOT_FIXED ||
        item->alignment != packing->granule)
      packing->is_plain = false;
  }
  return GMEM_OK;
}

static gmem_status_t build(builder_t *builder, gmem_diag_t *diag) {
  gmem_packing_t *packing = builder->packing;
  const gmem_allocator_t *allocator = builder->allocator;
  size_t ranges = builder->range_count, members = packing->member_count;
  builder->order =
      gmem_planner_alloc(allocator, 3 * ranges, sizeof *builder->order);
  builder->sections =
      gmem_planner_alloc(allocator, ranges, sizeof *builder->sections);
  builder->first_range =
      gmem_planner_alloc(allocator, members + 1, sizeof *builder->first_range);
  gmem_status_t status = GMEM_OK;
  if (builder->order && builder->sections && builder->first_range) {
    if (!builder->for_bound)
      sort_members(builder);
    number_sections(builder);
    status = list_items(builder, diag);
  } else {
    status = gmem_planner_out_of_memory(diag);
  }
  gmem_planner_free(allocator, builder->order, 3 * ranges,
                    sizeof *builder->order);
  gmem_planner_free(allocator, builder->sections, ranges,
                    sizeof *builder->sections);
  gmem_planner_free(allocator, builder->first_range, members + 1,
                    sizeof *builder->first_range);
  return status;
}

// Fills |packing|, whose pool is set.
static gmem_status_t make(gmem_packing_t *packing, const uint32_t *pool_of,
                          bool for_bound, gmem_diag_t *diag) {
  gmem_status_t status = list_members(packing, pool_of, diag);
  if (status != GMEM_OK)
    return status;
  choose_granule(packing);
  builder_t builder = {.packing = packing,
                       .allocator = packing->allocator,
                       .for_bound = for_bound,
                       .range_count = count_ranges(packing)};
  status = build(&builder, diag);
  if (status == GMEM_OK)
    status = gmem_packing_load(packing, NULL, &packing->bound, diag);
  packing->goal = packing->bound;
  return status;
}

static gmem_packing_t start(const gmem_problem_t *problem, uint32_t pool) {
  gmem_packing_t packing = {.allocator = gmem_problem_allocator(problem),
                            .problem = problem,
                            .pool = pool,
                            .limit = GMEM_MAX_ADDRESS};
  if (pool != GMEM_NO_POOL) {
    const gmem_pool_spec_t *spec = gmem_problem_pool(problem, pool);
    packing.base = spec->base;
    packing.limit = gmem_pool_limit(spec);
  }
  return packing;
}

gmem_status_t gmem_packing_create(const gmem_problem_t *problem, uint32_t pool,
                                  const uint32_t *pool_of, const bool *chosen,
                                  gmem_packing_t *packing, gmem_diag_t *diag) {
  (void)chosen;
  *packing = start(problem, pool);
  return make(packing, pool_of, false, diag);
}

gmem_status_t gmem_packing_create_for_bound(const gmem_problem_t *problem,
                                            uint32_t pool,
                                            gmem_packing_t *packing,
                                            gmem_diag_t *diag) {
  *packing = start(problem, pool);
  return make(packing, NULL, true, diag);
}

void gmem_packing_destroy(gmem_packing_t *packing) {
  const gmem_allocator_t *allocator = packing->allocator;
  if (packing->is_view)
    return;
  gmem_planner_free(allocator, packing->items, packing->count,
                    sizeof *packing->items);
  gmem_planner_free(allocator, packing->members, packing->member_count,
                    sizeof *packing->members);
  gmem_planner_free(allocator, packing->parts, packing->part_capacity,
                    sizeof *packing->parts);
  gmem_planner_free(allocator, packing->spans, packing->span_capacity,
                    sizeof *packing->spans);
}

//===--- queries ----------------------------------------------------------===//

static bool spans_meet(const gmem_span_t *a, uint32_t a_count,
                       const gmem_span_t *b, uint32_t b_count) {
  for (uint32_t i = 0, k = 0; i < a_count && k < b_count;) {
    if (a[i].end <= b[k].begin)
      ++i;
    else if (b[k].end <= a[i].begin)
      ++k;
    else
      return true;
  }
  return false;
}

// The spans of |item|, which has at most one part.
static const gmem_span_t *spans_of(const gmem_packing_t *packing,
                                   const gmem_item_t *item, gmem_span_t *whole,
                                   uint32_t *count) {
  *whole = (gmem_span_t){item->begin, item->end};
  *count = 1;
  if (!item->part_count)
    return whole;
  *count = packing->parts[item->part].span_count;
  return packing->spans + packing->parts[item->part].span;
}

bool gmem_items_conflict(const gmem_packing_t *packing, uint32_t a,
                         uint32_t b) {
  const gmem_item_t *left = &packing->items[a], *right = &packing->items[b];
  if (left->end <= right->begin || right->end <= left->begin)
    return false;
  if (!left->part_count && !right->part_count)
    return true;
  gmem_span_t left_whole, right_whole;
  uint32_t left_count, right_count;
  const gmem_span_t *left_spans =
      spans_of(packing, left, &left_whole, &left_count);
  const gmem_span_t *right_spans =
      spans_of(packing, right, &right_whole, &right_count);
  return spans_meet(left_spans, left_count, right_spans, right_count);
}

int64_t gmem_clearance(const gmem_packing_t *packing, uint32_t lower,
                       uint32_t upper) {
  (void)upper;
  return (int64_t)packing->items[lower].extent;
}

uint32_t gmem_first_buffer(const gmem_packing_t *packing, uint32_t item) {
  uint32_t first = GMEM_NO_BUFFER;
  for (uint32_t i = packing->items[item].member;
       i < gmem_members_end(packing, item); ++i)
    if (packing->members[i].buffer < first)
      first = packing->members[i].buffer;
  return first;
}

gmem_status_t gmem_no_address(const gmem_packing_t *packing, uint32_t item,
                              gmem_diag_t *diag) {
  return gmem_fail_without_room(
      packing->problem, gmem_first_buffer(packing, item), packing->pool, diag);
}

uint64_t gmem_packing_peak(const gmem_packing_t *packing,
                           const uint64_t *offsets) {
  uint64_t peak = 0;
  for (uint32_t i = 0; i < packing->count; ++i) {
    uint64_t end = offsets[i] + packing->items[i].size;
    peak = end > peak ? end : peak;
  }
  return peak;
}
