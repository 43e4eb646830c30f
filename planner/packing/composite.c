// composite.c - items made of several buffers or several live ranges.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// An offset group becomes one item (frame.h). The bytes of the item are cut
// where members begin and end; a slice is live when any member that covers it
// is live. Adjacent slices with equal live ranges form one part; a slice
// without members forms none. Where this gives many more parts and spans than
// there are live ranges, gaps in the live ranges of slices are dropped.

#include <assert.h>
#include <string.h>

#include "frame.h"
#include "offset_groups.h"
#include "packing_query.h"
#include "slice_painter.h"

typedef gmem_packing_builder_t builder_t;

//===--- groups -----------------------------------------------------------===//

// Sorts the members by root, distance from it, index; |item| is the root until
// there are items.
static gmem_status_t sort_members(builder_t *builder) {
  gmem_packing_t *packing = builder->packing;
  size_t count = packing->member_count;
  gmem_order_t *order;
  int64_t distance;
  GMEM_TRY_NEW(order, &builder->memory, 2 * count);
  for (size_t i = 0; i < count; ++i) {
    uint32_t buffer = packing->members[i].buffer;
    gmem_offset_groups_root(builder->groups, buffer, &distance);
    order[i] = (gmem_order_t){gmem_time_key(distance), buffer};
  }
  gmem_sort_order(order, order + count, count);
  for (size_t i = 0; i < count; ++i)
    order[i].key =
        gmem_offset_groups_root(builder->groups, order[i].index, NULL);
  gmem_sort_order(order, order + count, count);
  for (size_t i = 0; i < count; ++i)
    packing->members[i] = (gmem_member_t){.buffer = order[i].index,
                                          .item = (uint32_t)order[i].key};
  gmem_scratch_drop(&builder->memory, order);
  return GMEM_OK;
}

// For a bound, members in other branches than the largest are dropped: the
// branches of the rest then apply to the whole item. Ties are decided by a
// canonical order, so that the bound does not depend on the order of additions.
static uint32_t drop_other_branches(builder_t *builder, uint32_t first,
                                    uint32_t end) {
  gmem_packing_t *packing = builder->packing;
  const gmem_buffer_spec_t *largest = gmem_member_spec(packing, first);
  uint32_t kept = first;
  for (uint32_t i = first + 1; i < end; ++i) {
    const gmem_buffer_spec_t *spec = gmem_member_spec(packing, i);
    if (spec->size > largest->size ||
        (spec->size == largest->size &&
         gmem_compare_branches(spec, largest) < 0))
      largest = spec;
  }
  for (uint32_t i = first; i < end; ++i)
    if (gmem_compare_branches(largest, gmem_member_spec(packing, i)) == 0)
      packing->members[kept++] = packing->members[i];
  return kept;
}

//===--- items ------------------------------------------------------------===//

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

// Aligns a fixed group: its offset is given. False when that misaligns a
// member.
static bool fix_item(const builder_t *builder, gmem_item_t *item,
                     const gmem_frame_t *frame, uint32_t buffer) {
  const gmem_packing_t *packing = builder->packing;
  gmem_offset_group_t group =
      gmem_offset_groups_group(builder->groups, packing->problem, buffer);
  item->fixed_offset = GMEM_NOT_FIXED;
  if (!group.is_fixed || packing->pool == GMEM_NO_POOL)
    return true;
  item->fixed_offset = (uint64_t)(group.fixed + frame->low);
  uint64_t address = packing->base + item->fixed_offset;
  uint64_t natural = address & (0 - address);
  if (address && natural < item->alignment)
    item->alignment = natural;
  return gmem_frame_is_aligned(frame, packing->base + (uint64_t)group.fixed);
}

static gmem_status_t make_item(const builder_t *builder, gmem_item_t *item,
                               gmem_diag_t *diag) {
  gmem_packing_t *packing = builder->packing;
  uint32_t end = item->member + item->member_count;
  uint32_t first = packing->members[item->member].buffer;
  gmem_frame_t frame;
  if (!gmem_frame_members(builder, item->member, end, &frame))
    return fail_alignment(builder, packing->misfit, diag);
  item->alignment = frame.alignment.bytes;
  if (!fix_item(builder, item, &frame, first))
    return fail_alignment(builder, first, diag);
  item->size =
      gmem_frame_place(builder, item->member, end, &frame, gmem_is_fixed(item));
  if (item->size > GMEM_MAX_ADDRESS)
    return gmem_planner_fail(
        diag, GMEM_ERR_OUT_OF_RANGE, first,
        "buffer '%.60s' and its aliases and blocks are "
        "larger than every pool",
        gmem_problem_buffer(packing->problem, first)->name);
  return GMEM_OK;
}

gmem_status_t gmem_list_composite_items(builder_t *builder, gmem_diag_t *diag) {
  gmem_packing_t *packing = builder->packing;
  gmem_member_t *members = packing->members;
  uint32_t listed = 0; // members that are kept
  GMEM_TRY(sort_members(builder));
  for (uint32_t first = 0, end; first < packing->member_count; first = end) {
    for (end = first + 1; end < packing->member_count &&
                          members[end].item == members[first].item;)
      ++end;
    uint32_t kept =
        builder->pool_of ? end : drop_other_branches(builder, first, end);
    assert(listed <= first && first < kept && kept <= end);
    memmove(members + listed, members + first,
            (kept - first) * sizeof *members);
    gmem_item_t *item = &packing->items[packing->count++];
    *item = (gmem_item_t){.member = listed, .member_count = kept - first};
    listed += kept - first;
    GMEM_TRY(make_item(builder, item, diag));
  }
  packing->member_count = listed;
  return GMEM_OK;
}

//===--- times ------------------------------------------------------------===//

static uint64_t key_of(gmem_span_t span) {
  return (uint64_t)span.begin << 32 | span.end;
}

static gmem_span_t span_of(uint64_t key) {
  return (gmem_span_t){(uint32_t)(key >> 32), (uint32_t)key};
}

// The time in which any member of |item| is live: walks begins and ends in
// order and counts open ranges.
static uint64_t duration_of(const builder_t *builder, const gmem_item_t *item) {
  size_t count = gmem_list_events(builder, item->member,
                                  item->member + item->member_count);
  const gmem_order_t *begins = builder->order, *ends = begins + count;
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
  for (size_t i = 0; i < count; ++i)
    if (key_of(packing->spans[part->span + i]) != spans[i].key)
      return false;
  return true;
}

// Adds |part|, which is live in |spans|.
static gmem_status_t add_part(builder_t *builder, gmem_item_t *item,
                              gmem_part_t part, const gmem_order_t *spans) {
  gmem_packing_t *packing = builder->packing;
  gmem_scratch_t *memory = &packing->memory;
  assert(part.begin < part.end && part.end <= item->size);
  if (item->part_count) {
    gmem_part_t *last = &packing->parts[packing->part_count - 1];
    assert(last->end <= part.begin);
    if (last->end == part.begin &&
        same_spans(packing, last, spans, part.span_count)) {
      last->end = part.end;
      return GMEM_OK;
    }
  }
  part.span = (uint32_t)packing->span_count;
  GMEM_TRY_ROOM(packing->parts, memory, packing->part_count,
                packing->part_capacity);
  packing->parts[packing->part_count++] = part;
  ++item->part_count;
  for (uint32_t i = 0; i < part.span_count; ++i) {
    GMEM_TRY_ROOM(packing->spans, memory, packing->span_count,
                  packing->span_capacity);
    packing->spans[packing->span_count++] = span_of(spans[i].key);
  }
  return GMEM_OK;
}

//===--- slices -----------------------------------------------------------===//

typedef struct slices_s {
  builder_t *builder;
  gmem_item_t *item;
  gmem_scratch_t memory;
  gmem_order_t *cuts; // keys, in order, each once
  size_t cut_count, cut_room;
  gmem_order_t *spans; // of the members: key: begin and end, index: member; in
  size_t span_count;   //   order; and scratch
  gmem_slice_painter_t painter;
} slices_t;

static gmem_status_t add_cut(slices_t *slices, uint64_t key) {
  GMEM_TRY_ROOM(slices->cuts, &slices->memory, slices->cut_count,
                slices->cut_room);
  slices->cuts[slices->cut_count++].key = key;
  return GMEM_OK;
}

// Lists where the members begin and end. Members that are written over one
// another follow one another.
static gmem_status_t list_cuts(slices_t *slices) {
  const gmem_packing_t *packing = slices->builder->packing;
  const gmem_item_t *item = slices->item;
  uint64_t last_begin = 0, last_size = 0;
  gmem_order_t *scratch;
  for (uint32_t i = item->member; i < item->member + item->member_count; ++i) {
    uint64_t begin = packing->members[i].offset;
    uint64_t size = gmem_member_spec(packing, i)->size;
    if (begin == last_begin && size == last_size)
      continue;
    GMEM_TRY(add_cut(slices, begin));
    GMEM_TRY(add_cut(slices, begin + size));
    last_begin = begin;
    last_size = size;
  }
  GMEM_TRY_NEW(scratch, &slices->memory, slices->cut_count);
  slices->cut_count =
      gmem_sort_distinct(slices->cuts, scratch, slices->cut_count);
  gmem_scratch_drop(&slices->memory, scratch);
  return GMEM_OK;
}

// Lists when the members are live.
static void list_spans(slices_t *slices) {
  const builder_t *builder = slices->builder;
  const gmem_item_t *item = slices->item;
  size_t spans = 0;
  for (uint32_t i = item->member; i < item->member + item->member_count; ++i)
    for (size_t k = builder->first_range[i]; k < builder->first_range[i + 1];
         ++k)
      slices->spans[spans++] = (gmem_order_t){key_of(builder->sections[k]), i};
  slices->span_count = spans;
  gmem_sort_order(slices->spans, slices->spans + spans, spans);
}

// The slice that begins at |offset|.
static uint32_t slice_at(const slices_t *slices, uint64_t offset) {
  size_t slice = gmem_find_key(slices->cuts, slices->cut_count, offset);
  assert(slice < slices->cut_count && slices->cuts[slice].key == offset);
  return (uint32_t)slice;
}

// Paints the spans of all members. Sets *too_many above the limit of strokes.
static gmem_status_t paint(slices_t *slices, bool bridges, bool *too_many) {
  enum { STROKES = 4096, STROKES_PER_SPAN = 16 };
  const gmem_packing_t *packing = slices->builder->packing;
  gmem_slice_painter_t *painter = &slices->painter;
  size_t most = STROKES + STROKES_PER_SPAN * slices->span_count;
  *too_many = false;
  GMEM_TRY(gmem_slice_painter_create(painter, &slices->memory,
                                     (uint32_t)slices->cut_count - 1, bridges));
  for (size_t i = 0; i < slices->span_count; ++i) {
    const gmem_member_t *member = &packing->members[slices->spans[i].index];
    uint64_t size = gmem_member_spec(packing, slices->spans[i].index)->size;
    GMEM_TRY(gmem_slice_painter_add(painter, span_of(slices->spans[i].key),
                                    slice_at(slices, member->offset),
                                    slice_at(slices, member->offset + size)));
    if ((*too_many = painter->stroke_count > most))
      return GMEM_OK;
  }
  return gmem_slice_painter_finish(painter);
}

// Converts the strokes to parts, slice by slice.
static gmem_status_t add_strokes(slices_t *slices) {
  const gmem_slice_painter_t *painter = &slices->painter;
  size_t count = painter->stroke_count;
  gmem_order_t *order;
  GMEM_TRY_NEW(order, &slices->memory, 2 * count);
  for (size_t i = 0; i < count; ++i)
    order[i] = (gmem_order_t){painter->strokes[i].slice, (uint32_t)i};
  gmem_sort_order(order, order + count, count);
  for (size_t first = 0, last; first < count; first = last) {
    uint64_t slice = order[first].key;
    for (last = first; last < count && order[last].key == slice; ++last)
      order[last].key = key_of(painter->strokes[order[last].index].span);
    gmem_part_t part = {.begin = slices->cuts[slice].key,
                        .end = slices->cuts[slice + 1].key,
                        .span_count = (uint32_t)(last - first)};
    GMEM_TRY(add_part(slices->builder, slices->item, part, order + first));
  }
  return GMEM_OK;
}

// Cuts the item where members begin and end.
static gmem_status_t cut_and_paint(slices_t *slices) {
  bool too_many;
  GMEM_TRY(list_cuts(slices));
  list_spans(slices);
  GMEM_TRY(paint(slices, false, &too_many));
  if (too_many) {
    slices->builder->packing->is_exact = false;
    GMEM_TRY(paint(slices, true, &too_many));
  }
  return add_strokes(slices);
}

static gmem_status_t add_slices(builder_t *builder, gmem_item_t *item) {
  slices_t slices = {.builder = builder,
                     .item = item,
                     .memory = {.allocator = builder->packing->allocator,
                                .diag = builder->memory.diag},
                     .spans = builder->order};
  gmem_status_t status = cut_and_paint(&slices);
  gmem_scratch_free(&slices.memory);
  return status;
}

//===--- one item ------------------------------------------------------===//

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

gmem_status_t gmem_describe_parts(builder_t *builder, uint32_t index) {
  gmem_packing_t *packing = builder->packing;
  gmem_item_t *item = &packing->items[index];
  item->duration = duration_of(builder, item);
  item->part = (uint32_t)packing->part_count;
  GMEM_TRY(add_slices(builder, item));
  drop_whole(packing, item);
  return gmem_describe_reach(packing, item, &builder->memory);
}
