// section_blocks.c - the bytes of each section that only fixed items can use.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "section_blocks.h"

enum { MOST_BLOCKS = 1 << 20 };

// Items in branches may share the bytes of fixed ones.
static bool blocks_bytes(const gmem_item_t *item) {
  return gmem_is_fixed(item) && !item->has_branches;
}

// Sets least[s] to the smallest size of an item of section s that is not fixed,
// and starts[s + 1] to the number of fixed items in it.
static void measure(const gmem_packing_t *packing, uint64_t *least,
                    size_t *starts) {
  uint32_t first = packing->first_section;
  for (uint32_t s = 0; s < packing->section_count; ++s) {
    least[s] = UINT64_MAX;
    starts[s + 1] = 0;
  }
  for (uint32_t i = 0; i < packing->count; ++i) {
    const gmem_item_t *item = &packing->items[i];
    for (gmem_live_part_t live = {0}; gmem_next_live(packing, item, &live);)
      for (uint32_t s = live.span.begin - first; s < live.span.end - first; ++s)
        if (blocks_bytes(item))
          ++starts[s + 1];
        else if (!gmem_is_fixed(item) && item->size < least[s])
          least[s] = item->size;
  }
}

// Adds the bytes of a fixed item, which is above those of the section so far.
static void add_block(gmem_section_blocks_t *blocks, uint32_t section,
                      const gmem_item_t *item, uint64_t least) {
  size_t *end = &blocks->ends[section];
  bool is_first = *end == blocks->starts[section];
  gmem_blocked_bytes_t block = {item->fixed_offset,
                                item->fixed_offset + item->extent};
  uint64_t below = is_first ? 0 : blocks->blocks[*end - 1].end;
  bool touches = block.begin < below || block.begin - below < least;
  if (!touches || is_first)
    blocks->blocks[(*end)++] =
        (gmem_blocked_bytes_t){touches ? below : block.begin, block.end};
  else if (block.end > below)
    blocks->blocks[*end - 1].end = block.end;
}

gmem_status_t gmem_section_blocks_create(const gmem_packing_t *packing,
                                         gmem_scratch_t *memory,
                                         gmem_section_blocks_t *blocks) {
  size_t sections = packing->section_count, count = 0;
  uint64_t *least;
  gmem_order_t *order;
  *blocks = (gmem_section_blocks_t){.starts = NULL};
  GMEM_TRY_NEW(order, memory, 2 * (size_t)packing->count);
  for (uint32_t i = 0; i < packing->count; ++i)
    if (blocks_bytes(&packing->items[i]))
      order[count++] = (gmem_order_t){packing->items[i].fixed_offset, i};
  if (count == 0 || count * sections > MOST_BLOCKS)
    return GMEM_OK;
  gmem_sort_order(order, order + packing->count, count);
  GMEM_TRY_NEW(least, memory, sections);
  GMEM_TRY_NEW(blocks->starts, memory, sections + 1);
  GMEM_TRY_NEW(blocks->ends, memory, sections);
  measure(packing, least, blocks->starts);
  blocks->starts[0] = 0;
  for (size_t s = 0; s < sections; ++s) {
    blocks->starts[s + 1] += blocks->starts[s];
    blocks->ends[s] = blocks->starts[s];
  }
  GMEM_TRY_NEW(blocks->blocks, memory, blocks->starts[sections]);
  for (size_t i = 0; i < count; ++i) {
    const gmem_item_t *item = &packing->items[order[i].index];
    for (gmem_live_part_t live = {0}; gmem_next_live(packing, item, &live);)
      for (uint32_t s = live.span.begin; s < live.span.end; ++s)
        add_block(blocks, s - packing->first_section, item,
                  least[s - packing->first_section]);
  }
  return GMEM_OK;
}
