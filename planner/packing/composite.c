// composite.c - items made of several buffers or several live ranges.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// An offset group becomes one item. It starts at its lowest member, or slightly
// below, so that aligning the item aligns all members:
//      item                                   aligned to the largest alignment
//      |   |###### parent ######|###### next in the block ######|
//               |## view ##|    aligned to this much, as it happens
//
// The bytes of the item are cut where members begin and end; a slice is live
// when any member that covers it is live. Adjacent slices with equal live
// ranges form one part; a slice without members forms none. Where this gives
// many more parts and spans than there are live ranges, gaps in the live ranges
// of slices are dropped.

#include "composite.h"

#include <string.h>

#include "offset_groups.h"
#include "packing_builder.h"
#include "planner_memory.h"
#include "reach.h"
#include "slice_painter.h"
#include "sort.h"

typedef gmem_packing_builder_t builder_t;

//===--- groups -----------------------------------------------------------===//

// The start of a group's item, relative to the root of the group.
typedef struct frame_s {
  int64_t low, high;
  uint64_t alignment, anchor; // address of root + anchor is a multiple
} frame_t;

static int64_t distance_of(const builder_t *builder, uint32_t buffer) {
  int64_t distance;
  gmem_offset_groups_root(builder->groups, buffer, &distance);
  return distance;
}

// Sorts the members by root, distance from it, index.
static gmem_status_t sort_members(builder_t *builder, gmem_diag_t *diag) {
  gmem_packing_t *packing = builder->packing;
  size_t count = packing->member_count;
  gmem_order_t *order =
      gmem_planner_alloc(packing->allocator, 2 * count, sizeof *order);
  if (!order)
    return gmem_planner_out_of_memory(diag);
  for (size_t i = 0; i < count; ++i) {
    uint32_t buffer = packing->members[i].buffer;
    order[i] =
        (gmem_order_t){gmem_time_key(distance_of(builder, buffer)), buffer};
  }
  gmem_sort_order(order, order + count, count);
  int64_t distance;
  for (size_t i = 0; i < count; ++i)
    order[i].key =
        gmem_offset_groups_root(builder->groups, order[i].index, &distance);
  gmem_sort_order(order, order + count, count);
  for (size_t i = 0; i < count; ++i)
    packing->members[i] = (gmem_member_t){.buffer = order[i].index};
  gmem_planner_free(packing->allocator, order, 2 * count, sizeof *order);
  return GMEM_OK;
}

// The end of the members with the same root as |first|.
static uint32_t group_end(const builder_t *builder, uint32_t first) {
  const gmem_packing_t *packing = builder->packing;
  int64_t distance;
  uint32_t root = gmem_offset_groups_root(
      builder->groups, packing->members[first].buffer, &distance);
  uint32_t end = first + 1;
  while (end < packing->member_count &&
         gmem_offset_groups_root(builder->groups, packing->members[end].buffer,
                                 &distance) == root)
    ++end;
  return end;
}

// A total order of branches.
static bool branches_before(const gmem_buffer_spec_t *a,
                            const gmem_buffer_spec_t *b) {
  for (size_t i = 0; i < a->branch_count && i < b->branch_count; ++i) {
    if (a->branches[i].choice != b->branches[i].choice)
      return a->branches[i].choice < b->branches[i].choice;
    if (a->branches[i].arm != b->branches[i].arm)
      return a->branches[i].arm < b->branches[i].arm;
  }
  return a->branch_count < b->branch_count;
}

// The largest member; ties by a canonical order, so that the bound does not
// depend on the order of additions.
static const gmem_buffer_spec_t *largest_member(const gmem_packing_t *packing,
                                                uint32_t first, uint32_t end) {
  const gmem_buffer_spec_t *largest = gmem_member_spec(packing, first);
  for (uint32_t i = first + 1; i < end; ++i) {
    const gmem_buffer_spec_t *spec = gmem_member_spec(packing, i);
    if (spec->size > largest->size ||
        (spec->size == largest->size && branches_before(spec, largest)))
      largest = spec;
  }
  return largest;
}

// For a bound, members in other branches than the largest are dropped: the
// branches of the rest then apply to the whole item.
static uint32_t drop_other_branches(builder_t *builder, uint32_t first,
                                    uint32_t end) {
  gmem_packing_t *packing = builder->packing;
  const gmem_buffer_spec_t *largest = largest_member(packing, first, end);
  uint32_t kept = first;
  for (uint32_t i = first; i < end; ++i)
    if (gmem_same_branches(largest, gmem_member_spec(packing, i)))
      packing->members[kept++] = packing->members[i];
  return kept;
}

//===--- frames -----------------------------------------------------------===//

static bool align_frame(frame_t *frame, uint64_t alignment, int64_t distance) {
  uint64_t anchor = (uint64_t)distance & (alignment - 1);
  uint64_t shared = alignment < frame->alignment ? alignment : frame->alignment;
  if ((anchor ^ frame->anchor) & (shared - 1))
    return false;
  if (alignment > frame->alignment) {
    frame->alignment = alignment;
    frame->anchor = anchor;
  }
  return true;
}

static gmem_status_t fail_alignment(const builder_t *builder, uint32_t buffer,
                                    gmem_diag_t *diag) {
  const gmem_problem_t *problem = builder->packing->problem;
  builder->packing->misfit = buffer;
  return gmem_planner_fail(
      diag, GMEM_ERR_INVALID_ARGUMENT, buffer,
      "buffer '%.60s' is misaligned in pool '%.60s' at every offset that "
      "its aliases and blocks allow",
      gmem_problem_buffer(problem, buffer)->name,
      gmem_problem_pool(problem, builder->packing->pool)->name);
}

static gmem_status_t frame_members(const builder_t *builder, uint32_t first,
                                   uint32_t end, frame_t *frame,
                                   gmem_diag_t *diag) {
  const gmem_packing_t *packing = builder->packing;
  *frame = (frame_t){.low = INT64_MAX, .high = INT64_MIN, .alignment = 1};
  for (uint32_t i = first; i < end; ++i) {
    uint32_t buffer = packing->members[i].buffer;
    int64_t distance = distance_of(builder, buffer);
    int64_t last = distance + (int64_t)gmem_member_spec(packing, i)->size;
    frame->low = distance < frame->low ? distance : frame->low;
    frame->high = last > frame->high ? last : frame->high;
    if (!align_frame(frame, gmem_alignment_of(builder, buffer), distance))
      return fail_alignment(builder, buffer, diag);
  }
  return GMEM_OK;
}

// Aligns a fixed group: its offset is given. False when that misaligns a
// member.
static bool fix_unit(const builder_t *builder, gmem_unit_t *unit,
                     const frame_t *frame, uint32_t buffer) {
  const gmem_packing_t *packing = builder->packing;
  gmem_offset_group_t group =
      gmem_offset_groups_group(builder->groups, packing->problem, buffer);
  unit->fixed_offset = GMEM_NOT_FIXED;
  if (!group.is_fixed || packing->pool == GMEM_NO_POOL)
    return true;
  unit->fixed_offset = (uint64_t)(group.fixed + frame->low);
  uint64_t address = packing->base + unit->fixed_offset;
  uint64_t natural = address & (0 - address);
  if (address && natural < unit->alignment)
    unit->alignment = natural;
  uint64_t anchor = packing->base + (uint64_t)group.fixed + frame->anchor;
  return (anchor & (frame->alignment - 1)) == 0;
}

static void find_times(const builder_t *builder, gmem_unit_t *unit) {
  const gmem_packing_t *packing = builder->packing;
  unit->begin = UINT64_MAX;
  unit->end = 0;
  for (uint32_t i = 0; i < unit->member_count; ++i) {
    gmem_range_list_t ranges =
        gmem_ranges_of(builder, packing->members[unit->member + i].buffer);
    uint64_t begin = gmem_time_key(ranges.at[0].begin);
    uint64_t end = gmem_time_key(ranges.at[ranges.count - 1].end);
    unit->begin = begin < unit->begin ? begin : unit->begin;
    unit->end = end > unit->end ? end : unit->end;
  }
}

static gmem_status_t make_unit(builder_t *builder, gmem_unit_t *unit,
                               gmem_diag_t *diag) {
  gmem_packing_t *packing = builder->packing;
  uint32_t end = unit->member + unit->member_count;
  frame_t frame;
  GMEM_TRY(frame_members(builder, unit->member, end, &frame, diag));
  uint32_t first = packing->members[unit->member].buffer;
  unit->alignment = frame.alignment;
  if (!fix_unit(builder, unit, &frame, first))
    return fail_alignment(builder, first, diag);
  uint64_t padding = 0;
  if (unit->fixed_offset == GMEM_NOT_FIXED)
    padding = ((uint64_t)frame.low - frame.anchor) & (frame.alignment - 1);
  unit->size = (uint64_t)(frame.high - frame.low) + padding;
  if (unit->size > GMEM_MAX_ADDRESS)
    return gmem_planner_fail(
        diag, GMEM_ERR_OUT_OF_RANGE, first,
        "buffer '%.60s' and its aliases and blocks are "
        "larger than every pool",
        gmem_problem_buffer(packing->problem, first)->name);
  for (uint32_t i = unit->member; i < end; ++i) {
    int64_t distance = distance_of(builder, packing->members[i].buffer);
    packing->members[i].offset = (uint64_t)(distance - frame.low) + padding;
    builder->has_branches =
        builder->has_branches || gmem_member_spec(packing, i)->branch_count > 0;
  }
  find_times(builder, unit);
  return GMEM_OK;
}

gmem_status_t gmem_list_composite_units(builder_t *builder, gmem_diag_t *diag) {
  gmem_packing_t *packing = builder->packing;
  gmem_status_t status = sort_members(builder, diag);
  uint32_t listed = 0; // members that are kept
  for (uint32_t first = 0, end;
       status == GMEM_OK && first < packing->member_count; first = end) {
    end = group_end(builder, first);
    uint32_t kept =
        builder->pool_of ? end : drop_other_branches(builder, first, end);
    memmove(packing->members + listed, packing->members + first,
            (kept - first) * sizeof *packing->members);
    gmem_unit_t *unit = &builder->units[packing->count++];
    *unit = (gmem_unit_t){.member = listed, .member_count = kept - first};
    listed += kept - first;
    status = make_unit(builder, unit, diag);
  }
  packing->member_count = listed;
  return status;
}

//===--- times ------------------------------------------------------------===//

enum { FEW = 32 };

// Sorts by key. Most items have few members.
static void sort_keys(gmem_order_t *keys, gmem_order_t *scratch, size_t count) {
  if (count > FEW) {
    gmem_sort_order(keys, scratch, count);
    return;
  }
  for (size_t i = 1; i < count; ++i) {
    gmem_order_t key = keys[i];
    size_t at = i;
    for (; at > 0 && keys[at - 1].key > key.key; --at)
      keys[at] = keys[at - 1];
    keys[at] = key;
  }
}

// Sorts |count| spans, as keys (begin << 32 | end), and merges those that meet
// or touch. Returns the number left.
static size_t unite(gmem_order_t *spans, gmem_order_t *scratch, size_t count) {
  sort_keys(spans, scratch, count);
  size_t united = 0;
  for (size_t i = 0; i < count; ++i) {
    uint64_t end = spans[i].key & UINT32_MAX;
    if (united &&
        (spans[i].key >> 32) <= (spans[united - 1].key & UINT32_MAX)) {
      uint64_t last = spans[united - 1].key & UINT32_MAX;
      spans[united - 1].key += end > last ? end - last : 0;
      continue;
    }
    spans[united++].key = spans[i].key;
  }
  return united;
}

// The time in which any member of |item| is live: walks begins and ends in
// order and counts open ranges.
static uint64_t duration_of(const builder_t *builder, const gmem_item_t *item) {
  const gmem_packing_t *packing = builder->packing;
  size_t first = builder->first_range[item->member];
  size_t count =
      builder->first_range[item->member + item->member_count] - first;
  gmem_order_t *begins = builder->order, *ends = begins + count;
  size_t begun = 0, ended = 0;
  for (uint32_t i = 0; i < item->member_count; ++i) {
    gmem_range_list_t ranges =
        gmem_ranges_of(builder, packing->members[item->member + i].buffer);
    for (size_t k = 0; k < ranges.count; ++k) {
      if (k == 0 || ranges.at[k - 1].end != ranges.at[k].begin)
        begins[begun++].key = gmem_time_key(ranges.at[k].begin);
      if (k + 1 == ranges.count || ranges.at[k].end != ranges.at[k + 1].begin)
        ends[ended++].key = gmem_time_key(ranges.at[k].end);
    }
  }
  sort_keys(begins, ends + count, count);
  sort_keys(ends, ends + count, count);
  uint64_t duration = 0, since = 0;
  for (size_t i = 0, k = 0; k < count; ++k) {
    for (; i < count && begins[i].key < ends[k].key; ++i)
      since = i == k ? begins[i].key : since;
    if (i == k + 1)
      duration += ends[k].key - since;
  }
  return duration;
}

//===--- parts ------------------------------------------------------------===//

static bool same_spans(const gmem_packing_t *packing, const gmem_part_t *part,
                       const gmem_order_t *spans, size_t count) {
  if (part->span_count != count)
    return false;
  for (size_t i = 0; i < count; ++i) {
    gmem_span_t span = packing->spans[part->span + i];
    if (((uint64_t)span.begin << 32 | span.end) != spans[i].key)
      return false;
  }
  return true;
}

static bool add_spans(gmem_packing_t *packing, const gmem_order_t *spans,
                      size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (!gmem_planner_grow(packing->allocator, (void **)&packing->spans,
                           packing->span_count, &packing->span_capacity,
                           sizeof *packing->spans))
      return false;
    packing->spans[packing->span_count++] =
        (gmem_span_t){(uint32_t)(spans[i].key >> 32), (uint32_t)spans[i].key};
  }
  return true;
}

// Adds bytes [begin, end), live in |count| spans.
static bool add_part(builder_t *builder, gmem_item_t *item, uint64_t begin,
                     uint64_t end, const gmem_order_t *spans, size_t count) {
  gmem_packing_t *packing = builder->packing;
  if (item->part_count) {
    gmem_part_t *last = &packing->parts[packing->part_count - 1];
    if (last->end == begin && same_spans(packing, last, spans, count)) {
      last->end = end;
      return true;
    }
  }
  if (!gmem_planner_grow(packing->allocator, (void **)&packing->parts,
                         packing->part_count, &packing->part_capacity,
                         sizeof *packing->parts))
    return false;
  packing->parts[packing->part_count++] =
      (gmem_part_t){begin, end, (uint32_t)packing->span_count, (uint32_t)count};
  ++item->part_count;
  return add_spans(packing, spans, count);
}

//===--- slices -----------------------------------------------------------===//

typedef struct slices_s {
  builder_t *builder;
  gmem_item_t *item;
  gmem_order_t *cuts; // keys, in order, each once; and scratch
  size_t cut_count, cut_room;
  gmem_order_t *spans; // of the members: key: begin and end, index: member; in
  size_t span_count;   //   order; and scratch
  gmem_slice_painter_t painter;
} slices_t;

static uint64_t key_of(gmem_span_t span) {
  return (uint64_t)span.begin << 32 | span.end;
}

static gmem_span_t span_of(uint64_t key) {
  return (gmem_span_t){(uint32_t)(key >> 32), (uint32_t)key};
}

static void list_cuts(slices_t *slices) {
  const gmem_packing_t *packing = slices->builder->packing;
  const gmem_item_t *item = slices->item;
  size_t count = 0, distinct = 0;
  for (uint32_t i = item->member; i < item->member + item->member_count; ++i) {
    uint64_t begin = packing->members[i].offset;
    slices->cuts[count++].key = begin;
    slices->cuts[count++].key = begin + gmem_member_spec(packing, i)->size;
  }
  sort_keys(slices->cuts, slices->cuts + count, count);
  for (size_t i = 0; i < count; ++i)
    if (i == 0 || slices->cuts[i].key != slices->cuts[distinct - 1].key)
      slices->cuts[distinct++].key = slices->cuts[i].key;
  slices->cut_count = distinct;
}

static void list_spans(slices_t *slices) {
  const builder_t *builder = slices->builder;
  const gmem_item_t *item = slices->item;
  size_t count = 0;
  for (uint32_t i = item->member; i < item->member + item->member_count; ++i)
    for (size_t k = builder->first_range[i]; k < builder->first_range[i + 1];
         ++k)
      slices->spans[count++] = (gmem_order_t){key_of(builder->sections[k]), i};
  slices->span_count = count;
  sort_keys(slices->spans, slices->spans + count, count);
}

// The slice that begins at |offset|.
static uint32_t slice_at(const slices_t *slices, uint64_t offset) {
  size_t low = 0, high = slices->cut_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (slices->cuts[middle].key < offset)
      low = middle + 1;
    else
      high = middle;
  }
  return (uint32_t)low;
}

// Paints the spans of all members. Sets *too_many above the limit of strokes.
// False when out of memory.
static bool paint(slices_t *slices, bool bridges, bool *too_many) {
  enum { STROKES = 4096, STROKES_PER_SPAN = 16 };
  const gmem_packing_t *packing = slices->builder->packing;
  gmem_slice_painter_t *painter = &slices->painter;
  size_t most = STROKES + STROKES_PER_SPAN * slices->span_count;
  *too_many = false;
  if (!gmem_slice_painter_create(painter, packing->allocator,
                                 (uint32_t)slices->cut_count - 1, bridges))
    return false;
  for (size_t i = 0; i < slices->span_count; ++i) {
    const gmem_member_t *member = &packing->members[slices->spans[i].index];
    uint64_t size = gmem_member_spec(packing, slices->spans[i].index)->size;
    if (!gmem_slice_painter_add(painter, span_of(slices->spans[i].key),
                                slice_at(slices, member->offset),
                                slice_at(slices, member->offset + size)))
      return false;
    if (painter->stroke_count > most)
      return *too_many = true;
  }
  return gmem_slice_painter_finish(painter);
}

// Converts the strokes to parts, slice by slice.
static bool add_strokes(slices_t *slices) {
  const gmem_slice_painter_t *painter = &slices->painter;
  size_t count = painter->stroke_count;
  const gmem_allocator_t *allocator = painter->allocator;
  gmem_order_t *order = gmem_planner_alloc(allocator, 2 * count, sizeof *order);
  for (size_t i = 0; order && i < count; ++i)
    order[i] = (gmem_order_t){painter->strokes[i].slice, (uint32_t)i};
  bool is_ready = order != NULL;
  if (is_ready)
    sort_keys(order, order + count, count);
  for (size_t first = 0, last; is_ready && first < count; first = last) {
    uint64_t slice = order[first].key;
    for (last = first; last < count && order[last].key == slice; ++last)
      order[last].key = key_of(painter->strokes[order[last].index].span);
    is_ready =
        add_part(slices->builder, slices->item, slices->cuts[slice].key,
                 slices->cuts[slice + 1].key, order + first, last - first);
  }
  gmem_planner_free(allocator, order, 2 * count, sizeof *order);
  return is_ready;
}

static bool paint_and_add(slices_t *slices) {
  bool too_many, is_ready = paint(slices, false, &too_many);
  if (is_ready && too_many) {
    gmem_slice_painter_destroy(&slices->painter);
    slices->builder->packing->is_exact = false;
    is_ready = paint(slices, true, &too_many);
  }
  is_ready = is_ready && add_strokes(slices);
  gmem_slice_painter_destroy(&slices->painter);
  return is_ready;
}

// Cuts the item where members begin and end.
static bool add_slices(builder_t *builder, gmem_item_t *item) {
  const gmem_allocator_t *allocator = builder->packing->allocator;
  size_t room = 4 * (size_t)item->member_count;
  slices_t slices = {.builder = builder, .item = item, .spans = builder->order};
  slices.cuts = gmem_planner_alloc(allocator, room, sizeof *slices.cuts);
  bool is_ready = slices.cuts != NULL;
  if (is_ready) {
    list_cuts(&slices);
    list_spans(&slices);
    is_ready = paint_and_add(&slices);
  }
  gmem_planner_free(allocator, slices.cuts, room, sizeof *slices.cuts);
  return is_ready;
}

//===--- whole items ------------------------------------------------------===//

// Makes one part of an item with one member.
static bool add_whole(builder_t *builder, gmem_item_t *item) {
  gmem_order_t *order = builder->order;
  size_t first = builder->first_range[item->member], count = 0;
  size_t last = builder->first_range[item->member + item->member_count];
  for (size_t i = first; i < last; ++i)
    order[count++].key =
        (uint64_t)builder->sections[i].begin << 32 | builder->sections[i].end;
  count = unite(order, order + count, count);
  return add_part(builder, item, 0, item->size, order, count);
}

// Removes the only part of an item when it covers the whole item.
static void drop_whole(gmem_packing_t *packing, gmem_item_t *item) {
  if (item->part_count != 1)
    return;
  const gmem_part_t *part = &packing->parts[item->part];
  gmem_span_t span = packing->spans[part->span];
  if (part->begin != 0 || part->end != item->size || part->span_count != 1 ||
      span.begin != item->begin || span.end != item->end)
    return;
  item->part_count = 0;
  --packing->part_count;
  --packing->span_count;
}

gmem_status_t gmem_describe_parts(builder_t *builder, uint32_t index,
                                  gmem_diag_t *diag) {
  gmem_packing_t *packing = builder->packing;
  gmem_item_t *item = &packing->items[index];
  item->duration = duration_of(builder, item);
  item->part = (uint32_t)packing->part_count;
  if (!(item->member_count > 1 ? add_slices(builder, item)
                               : add_whole(builder, item)))
    return gmem_planner_out_of_memory(diag);
  drop_whole(packing, item);
  return gmem_describe_reach(packing, item, diag);
}
