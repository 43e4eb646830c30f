// time_blocks.c - the placed items of a whole packing by time and offset: to
// find gaps without interference lists.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "time_blocks.h"

#include <assert.h>
#include <string.h>

// The limit of entries in all lists, per span.
enum { ENTRIES_PER_SPAN = 3 };

static uint32_t first_block(const gmem_time_blocks_t *blocks,
                            gmem_span_t span) {
  return (span.begin - blocks->packing->first_section) >> blocks->shift;
}

static uint32_t last_block(const gmem_time_blocks_t *blocks, gmem_span_t span) {
  return (span.end - 1 - blocks->packing->first_section) >> blocks->shift;
}

//===--- the length of a block --------------------------------------------===//

// The number of blocks for blocks->shift.
static uint32_t count_blocks(const gmem_time_blocks_t *blocks) {
  uint32_t sections = blocks->packing->section_count;
  return ((sections ? sections - 1 : 0) >> blocks->shift) + 1;
}

// Sets starts[b + 1] to the number of spans in block b. Returns the number of
// entries of all blocks.
static size_t count_entries(gmem_time_blocks_t *blocks) {
  const gmem_packing_t *packing = blocks->packing;
  size_t *starts = blocks->starts, all = 0;
  blocks->count = count_blocks(blocks);
  memset(starts, 0, ((size_t)blocks->count + 2) * sizeof *starts);
  for (uint32_t i = 0; i < packing->count; ++i)
    for (gmem_live_part_t live = {0};
         gmem_next_live(packing, &packing->items[i], &live);) { // modulo 2^64
      ++starts[first_block(blocks, live.span) + 1];
      --starts[last_block(blocks, live.span) + 2];
    }
  for (uint32_t b = 0; b < blocks->count; ++b) {
    starts[b + 1] += b ? starts[b] : 0;
    all += starts[b + 1];
  }
  return all;
}

// The sum of the squares of the lengths: half of them are scanned and moved
// when all items are placed in any order.
static uint64_t sum_squares(const gmem_time_blocks_t *blocks) {
  uint64_t sum = 0;
  for (uint32_t b = 0; b < blocks->count; ++b)
    sum += (uint64_t)blocks->starts[b + 1] * blocks->starts[b + 1];
  return sum;
}

static size_t count_spans(const gmem_packing_t *packing) {
  size_t count = 0;
  for (uint32_t i = 0; i < packing->count; ++i) {
    const gmem_item_t *item = &packing->items[i];
    count += item->part_count ? packing->parts[item->part].span_count : 1;
  }
  return count;
}

static void choose_shift(gmem_time_blocks_t *blocks) {
  uint64_t least = UINT64_MAX;
  uint64_t most = (uint64_t)ENTRIES_PER_SPAN * count_spans(blocks->packing);
  unsigned best = 0;
  for (blocks->shift = 0; blocks->shift < 32; ++blocks->shift) {
    size_t entries = count_entries(blocks);
    uint64_t squares = sum_squares(blocks);
    bool is_small = entries <= most;
    if (is_small && squares < least) {
      least = squares;
      best = blocks->shift;
    }
    if (is_small && (squares > least || blocks->count == 1))
      break;
  }
  blocks->shift = best;
  blocks->work = least;
}

gmem_status_t gmem_time_blocks_create(const gmem_packing_t *packing,
                                      gmem_scratch_t *memory,
                                      gmem_time_blocks_t *blocks) {
  assert(packing->is_whole);
  *blocks = (gmem_time_blocks_t){.packing = packing, .memory = memory};
  GMEM_TRY_NEW(blocks->starts, memory, (size_t)packing->section_count + 3);
  choose_shift(blocks);
  size_t entries = count_entries(blocks);
  blocks->starts[0] = 0;
  for (uint32_t b = 0; b < blocks->count; ++b)
    blocks->starts[b + 1] += blocks->starts[b];
  assert(blocks->starts[blocks->count] == entries);
  GMEM_TRY_NEW(blocks->entries, memory, entries);
  GMEM_TRY_NEW(blocks->lengths, memory, blocks->count);
  gmem_time_blocks_clear(blocks);
  return GMEM_OK;
}

void gmem_time_blocks_clear(gmem_time_blocks_t *blocks) {
  memset(blocks->lengths, 0, blocks->count * sizeof *blocks->lengths);
}

//===--- lists ------------------------------------------------------------===//

// Appends to |merged| those of |block| that meet |span|, and that no block from
// |first| on has listed before.
static gmem_status_t append(gmem_time_blocks_t *blocks, uint32_t block,
                            uint32_t first, gmem_span_t span, size_t *count) {
  const gmem_placed_t *entries = blocks->entries + blocks->starts[block];
  size_t length = blocks->lengths[block], kept = *count;
  while (blocks->merged_room < kept + length)
    GMEM_TRY(gmem_scratch_grow(blocks->memory, &blocks->merged,
                               blocks->merged_room, &blocks->merged_room,
                               sizeof *blocks->merged));
  uint32_t begins = (block << blocks->shift) + blocks->packing->first_section;
  uint32_t least_begin = block > first ? begins : 0;
  for (size_t i = 0; i < length; ++i) { // without branches
    gmem_placed_t entry = entries[i];
    blocks->merged[kept] = entry;
    kept += (entry.begin < span.end) & (entry.end > span.begin) &
            (entry.begin >= least_begin);
  }
  *count = kept;
  return GMEM_OK;
}

static void merge_two(const gmem_placed_t *left, const gmem_placed_t *middle,
                      const gmem_placed_t *end, gmem_placed_t *to) {
  const gmem_placed_t *right = middle;
  while (left < middle && right < end) {
    bool takes_right = right->offset < left->offset;
    *to++ = takes_right ? *right : *left;
    right += takes_right;
    left += !takes_right;
  }
  memcpy(to, left, (size_t)(middle - left) * sizeof *to);
  memcpy(to + (middle - left), right, (size_t)(end - right) * sizeof *to);
}

// Merges |count| sorted runs, run i is merged[runs[i] .. runs[i + 1]), to one.
static gmem_status_t merge_runs(gmem_time_blocks_t *blocks, size_t count) {
  size_t *runs = blocks->runs;
  while (blocks->spare_room < blocks->merged_room)
    GMEM_TRY(gmem_scratch_grow(blocks->memory, &blocks->spare,
                               blocks->spare_room, &blocks->spare_room,
                               sizeof *blocks->spare));
  for (; count > 1; count = (count + 1) / 2) {
    for (size_t i = 0; i < count; i += 2) {
      size_t middle = runs[i + 1], end = i + 2 <= count ? runs[i + 2] : middle;
      merge_two(blocks->merged + runs[i], blocks->merged + middle,
                blocks->merged + end, blocks->spare + runs[i]);
      runs[i / 2 + 1] = end;
    }
    gmem_placed_t *swap = blocks->merged;
    blocks->merged = blocks->spare;
    blocks->spare = swap;
    size_t room = blocks->merged_room;
    blocks->merged_room = blocks->spare_room;
    blocks->spare_room = room;
  }
  return GMEM_OK;
}

// Appends those of all blocks of |span|, a run each.
static gmem_status_t append_span(gmem_time_blocks_t *blocks, gmem_span_t span,
                                 size_t *runs, size_t *count) {
  uint32_t first = first_block(blocks, span), last = last_block(blocks, span);
  for (uint32_t b = first; b <= last; ++b) {
    for (size_t i = *runs; i <= *runs + 1; ++i)
      GMEM_TRY_ROOM(blocks->runs, blocks->memory, i, blocks->runs_room);
    blocks->runs[(*runs)++] = *count;
    GMEM_TRY(append(blocks, b, first, span, count));
    blocks->runs[*runs] = *count;
  }
  return GMEM_OK;
}

gmem_status_t gmem_time_blocks_list(gmem_time_blocks_t *blocks, uint32_t item,
                                    const gmem_placed_t **out_placed,
                                    size_t *out_count) {
  const gmem_packing_t *packing = blocks->packing;
  const gmem_item_t *self = &packing->items[item];
  gmem_span_t hull = {self->begin, self->end};
  uint32_t only = first_block(blocks, hull);
  *out_placed = blocks->entries + blocks->starts[only];
  *out_count = blocks->lengths[only];
  if (self->part_count == 0 && only == last_block(blocks, hull))
    return GMEM_OK;
  size_t count = 0, runs = 0;
  for (gmem_live_part_t live = {0}; gmem_next_live(packing, self, &live);)
    GMEM_TRY(append_span(blocks, live.span, &runs, &count));
  if (count)
    GMEM_TRY(merge_runs(blocks, runs));
  *out_placed = blocks->merged;
  *out_count = count;
  return GMEM_OK;
}

// The first of the sorted |entries| above |offset|.
static size_t find_above(const gmem_placed_t *entries, size_t count,
                         uint64_t offset) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (entries[middle].offset <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void add_span(gmem_time_blocks_t *blocks, gmem_placed_t added) {
  gmem_span_t span = {added.begin, added.end};
  uint32_t last = last_block(blocks, span);
  for (uint32_t b = first_block(blocks, span); b <= last; ++b) {
    gmem_placed_t *entries = blocks->entries + blocks->starts[b];
    size_t length = blocks->lengths[b]++;
    assert(blocks->starts[b] + length < blocks->starts[b + 1]);
    size_t at = find_above(entries, length, added.offset);
    memmove(entries + at + 1, entries + at, (length - at) * sizeof *entries);
    entries[at] = added;
  }
}

void gmem_time_blocks_add(gmem_time_blocks_t *blocks, uint32_t item,
                          uint64_t offset) {
  const gmem_packing_t *packing = blocks->packing;
  const gmem_item_t *self = &packing->items[item];
  for (gmem_live_part_t live = {0}; gmem_next_live(packing, self, &live);)
    add_span(blocks, (gmem_placed_t){offset, offset + self->extent,
                                     live.span.begin, live.span.end});
}
