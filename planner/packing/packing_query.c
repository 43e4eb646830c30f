// packing_query.c - queries on the items of a packing, for engines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "packing_query.h"

#include <assert.h>

#include "full_pool.h"
#include "packing_builder.h"

// An item without parts, as one part.
static gmem_part_t part_of(const gmem_packing_t *packing,
                           const gmem_item_t *item, uint32_t index,
                           const gmem_span_t **spans, gmem_span_t *hull) {
  if (item->part_count) {
    gmem_part_t part = packing->parts[item->part + index];
    *spans = packing->spans + part.span;
    return part;
  }
  *hull = (gmem_span_t){item->begin, item->end};
  *spans = hull;
  return (gmem_part_t){.end = item->size, .span_count = 1};
}

static uint32_t parts_in(const gmem_item_t *item) {
  return item->part_count ? item->part_count : 1;
}

// Whether live bytes of the two interfere; *reach: the largest distance by
// which the end of such bytes of |left| exceeds the begin of such bytes of
// |right|, each relative to the start of its item.
static bool parts_meet(const gmem_packing_t *packing, const gmem_item_t *left,
                       const gmem_item_t *right, int64_t *reach) {
  bool met = false;
  if (left->step_count || right->step_count)
    return gmem_reaches_meet(packing, left, right, reach);
  for (uint32_t i = 0; i < parts_in(left); ++i)
    for (uint32_t k = 0; k < parts_in(right); ++k) {
      gmem_span_t left_hull, right_hull;
      const gmem_span_t *a_spans, *b_spans;
      gmem_part_t a = part_of(packing, left, i, &a_spans, &left_hull);
      gmem_part_t b = part_of(packing, right, k, &b_spans, &right_hull);
      int64_t above = (int64_t)a.end - (int64_t)b.begin;
      if ((met && above <= *reach) ||
          !gmem_spans_meet(a_spans, a.span_count, b_spans, b.span_count))
        continue;
      met = true;
      *reach = above;
    }
  return met;
}

// The position of an explicit conflict between the two in |extra|; SIZE_MAX
// when there is none.
static size_t find_extra(const gmem_packing_t *packing, uint32_t a,
                         uint32_t b) {
  if (!packing->extra)
    return SIZE_MAX;
  size_t start = packing->extra_starts[a];
  size_t count = packing->extra_starts[a + 1] - start;
  size_t at = gmem_find_number(packing->extra + start, count, b);
  return at < count && packing->extra[start + at] == b ? start + at : SIZE_MAX;
}

// The pairs of members that explicit conflicts keep apart.
static const gmem_member_pair_t *
list_member_pairs(const gmem_packing_t *packing, uint32_t a, uint32_t b,
                  size_t *out_count) {
  size_t at = find_extra(packing, a, b);
  *out_count = 0;
  if (at == SIZE_MAX)
    return NULL;
  *out_count = packing->pair_starts[at + 1] - packing->pair_starts[at];
  return packing->extra_pairs + packing->pair_starts[at];
}

// The end of the member |lower| above the begin of |upper|, each relative to
// the start of its item.
static int64_t member_reach(const gmem_packing_t *packing, uint32_t lower,
                            uint32_t upper) {
  uint64_t end =
      packing->members[lower].offset + gmem_member_spec(packing, lower)->size;
  return (int64_t)end - (int64_t)packing->members[upper].offset;
}

bool gmem_buffers_exclude(const gmem_buffer_spec_t *a,
                          const gmem_buffer_spec_t *b) {
  for (size_t i = 0, k = 0; i < a->branch_count && k < b->branch_count;) {
    if (a->branches[i].choice < b->branches[k].choice)
      ++i;
    else if (a->branches[i].choice > b->branches[k].choice)
      ++k;
    else if (a->branches[i].arm != b->branches[k].arm)
      return true;
    else
      ++i, ++k;
  }
  return false;
}

int gmem_compare_branches(const gmem_buffer_spec_t *a,
                          const gmem_buffer_spec_t *b) {
  int order = 0;
  for (size_t i = 0; order == 0 && i < a->branch_count && i < b->branch_count;
       ++i) {
    order = gmem_compare_numbers(a->branches[i].choice, b->branches[i].choice);
    if (order == 0)
      order = gmem_compare_numbers(a->branches[i].arm, b->branches[i].arm);
  }
  return order ? order : gmem_compare_numbers(a->branch_count, b->branch_count);
}

// Whether the two never exist together.
static bool exclude_each_other(const gmem_packing_t *packing,
                               const gmem_item_t *left,
                               const gmem_item_t *right) {
  return left->has_branches && right->has_branches &&
         gmem_buffers_exclude(gmem_member_spec(packing, left->member),
                              gmem_member_spec(packing, right->member));
}

bool gmem_items_conflict(const gmem_packing_t *packing, uint32_t a,
                         uint32_t b) {
  const gmem_item_t *left = &packing->items[a], *right = &packing->items[b];
  if (find_extra(packing, a, b) != SIZE_MAX)
    return true;
  if (left->end <= right->begin || right->end <= left->begin)
    return false;
  if (packing->has_choices && exclude_each_other(packing, left, right))
    return false;
  int64_t reach;
  return (!left->part_count && !right->part_count) ||
         parts_meet(packing, left, right, &reach);
}

// Distances between offsets are multiples of the granule: the least multiple
// that is not below |reach|, or |reach| itself when that exceeds every address.
static int64_t round_up(const gmem_packing_t *packing, int64_t reach) {
  int64_t granule = (int64_t)packing->granule;
  int64_t remainder = reach % granule, up;
  if (remainder <= 0)
    return reach - remainder;
  bool is_beyond = __builtin_add_overflow(reach - remainder, granule, &up);
  return is_beyond ? reach : up;
}

// An item of one buffer whose bytes are live together.
static bool is_buffer(const gmem_item_t *item) {
  return item->member_count == 1 && !item->part_count;
}

// As parts_meet, of all bytes of items that are whole; false for items that
// never exist together.
static bool items_meet(const gmem_packing_t *packing, const gmem_item_t *left,
                       const gmem_item_t *right, int64_t *reach) {
  return !exclude_each_other(packing, left, right) &&
         parts_meet(packing, left, right, reach);
}

// The clearance of items with an explicit conflict between |count| pairs of
// members; the reach of what is live together counts, too.
static int64_t extra_clearance(const gmem_packing_t *packing, uint32_t lower,
                               uint32_t upper, const gmem_member_pair_t *pairs,
                               size_t count) {
  int64_t most;
  if (!items_meet(packing, &packing->items[lower], &packing->items[upper],
                  &most))
    most = INT64_MIN;
  for (size_t i = 0; i < count; ++i) {
    int64_t reach = member_reach(packing, pairs[i].first, pairs[i].second);
    most = reach > most ? reach : most;
  }
  return most;
}

int64_t gmem_clearance(const gmem_packing_t *packing, uint32_t lower,
                       uint32_t upper) {
  const gmem_item_t *below = &packing->items[lower];
  const gmem_item_t *above = &packing->items[upper];
  int64_t reach;
  size_t count;
  assert(lower != upper && lower < packing->count && upper < packing->count);
  if (is_buffer(below) && is_buffer(above))
    return (int64_t)below->extent;
  const gmem_member_pair_t *pairs =
      list_member_pairs(packing, lower, upper, &count);
  if (count)
    return round_up(packing,
                    extra_clearance(packing, lower, upper, pairs, count));
  if ((!below->part_count && !above->part_count) ||
      !parts_meet(packing, below, above, &reach))
    return (int64_t)below->extent;
  return round_up(packing, reach);
}

// Bytes [begin, end) of an item.
typedef struct bytes_s {
  uint64_t begin, end;
} bytes_t;

static gmem_clash_t clash_of(const gmem_packing_t *packing, bytes_t there,
                             bytes_t here) {
  return (gmem_clash_t){
      -round_up(packing, (int64_t)here.end - (int64_t)there.begin),
      round_up(packing, (int64_t)there.end - (int64_t)here.begin)};
}

static bytes_t bytes_of_member(const gmem_packing_t *packing, uint32_t member) {
  uint64_t offset = packing->members[member].offset;
  return (bytes_t){offset, offset + gmem_member_spec(packing, member)->size};
}

// As gmem_list_clashes; none where the clearances are exact, or |room| is too
// small.
static uint32_t list_part_clashes(const gmem_packing_t *packing, uint32_t other,
                                  uint32_t item, gmem_clash_t *clashes,
                                  size_t room) {
  const gmem_item_t *there = &packing->items[other];
  const gmem_item_t *here = &packing->items[item];
  uint32_t count = 0;
  size_t pair_count;
  if (is_buffer(there) && is_buffer(here))
    return 0;
  const gmem_member_pair_t *pairs =
      list_member_pairs(packing, other, item, &pair_count);
  if ((there->part_count < 2 && here->part_count < 2 && !pair_count) ||
      (uint64_t)parts_in(there) * parts_in(here) + pair_count > room)
    return 0;
  for (size_t i = 0; i < pair_count; ++i)
    clashes[count++] =
        clash_of(packing, bytes_of_member(packing, pairs[i].first),
                 bytes_of_member(packing, pairs[i].second));
  if (pair_count && exclude_each_other(packing, there, here))
    return count;
  for (uint32_t i = 0; i < parts_in(there); ++i)
    for (uint32_t k = 0; k < parts_in(here); ++k) {
      gmem_span_t there_hull, here_hull;
      const gmem_span_t *a_spans, *b_spans;
      gmem_part_t a = part_of(packing, there, i, &a_spans, &there_hull);
      gmem_part_t b = part_of(packing, here, k, &b_spans, &here_hull);
      if (gmem_spans_meet(a_spans, a.span_count, b_spans, b.span_count))
        clashes[count++] = clash_of(packing, (bytes_t){a.begin, a.end},
                                    (bytes_t){b.begin, b.end});
    }
  return count;
}

uint32_t gmem_list_clashes(const gmem_packing_t *packing, uint32_t other,
                           uint32_t item, gmem_clash_t *clashes, size_t room) {
  assert(room > 0);
  uint32_t count = packing->part_count || packing->extra
                       ? list_part_clashes(packing, other, item, clashes, room)
                       : 0;
  if (count > 0)
    return count;
  clashes[0] = (gmem_clash_t){-gmem_clearance(packing, item, other),
                              gmem_clearance(packing, other, item)};
  return 1;
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
  return gmem_fail_full_pool(packing->problem, gmem_first_buffer(packing, item),
                             packing->pool, diag);
}

void gmem_packing_write(const gmem_packing_t *packing, const uint64_t *offsets,
                        gmem_placement_t *plan) {
  for (uint32_t i = 0; i < packing->member_count; ++i) {
    const gmem_member_t *member = &packing->members[i];
    assert(member->item < packing->count);
    if (offsets[member->item] != GMEM_NOT_FIXED)
      plan[member->buffer] = (gmem_placement_t){
          offsets[member->item] + member->offset, packing->pool};
  }
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
