// gap_index.c - the blocks that are live at one time, by address, and the gaps
// between them, by size.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gap_index.h"

#include <assert.h>
#include <string.h>

#include "items.h"
#include "planner_internal.h"

// The number of gaps of one size class that are compared: enough to find the
// smallest in short lists, and a constant bound for long ones.
enum { MAX_COMPARED = 12 };

static unsigned highest_bit(uint64_t value) {
  return 63u - (unsigned)__builtin_clzll(value);
}

//===--- size classes -----------------------------------------------------===//

// Sizes below 8 granules have a class each; above, the three bits below the
// highest one select one of eight classes per power of two.
static unsigned class_of(const gmem_gap_index_t *index, uint64_t bytes) {
  uint64_t size = bytes >> index->granule_shift;
  if (size < 8)
    return (unsigned)size;
  unsigned high = highest_bit(size);
  return (high - 2) * 8 + (unsigned)((size >> (high - 3)) & 7);
}

// The first non-empty class >= |class|, or GMEM_GAP_CLASSES.
static unsigned next_class(const gmem_gap_index_t *index, unsigned class) {
  if (class >= GMEM_GAP_CLASSES)
    return GMEM_GAP_CLASSES;
  unsigned word = class / 64;
  uint64_t bits = index->used[word] >> (class % 64);
  if (bits)
    return class + (unsigned)__builtin_ctzll(bits);
  uint64_t words = index->words >> word >> 1;
  if (!words)
    return GMEM_GAP_CLASSES;
  word += 1 + (unsigned)__builtin_ctzll(words);
  return word * 64 + (unsigned)__builtin_ctzll(index->used[word]);
}

static uint64_t gap_above(gmem_gap_index_t *index,
                          const gmem_gap_node_t *node) {
  assert(index->nodes[node->above].offset >= node->top);
  return index->nodes[node->above].offset - node->top;
}

// Inserts the gap above |block|, which is not the topmost, in its list.
static void list_gap(gmem_gap_index_t *index, uint32_t block) {
  gmem_gap_node_t *node = &index->nodes[block];
  uint64_t gap = gap_above(index, node);
  node->before = node->after = GMEM_NO_ITEM;
  if (gap == 0)
    return;
  unsigned class = class_of(index, gap);
  node->after = index->heads[class];
  if (node->after != GMEM_NO_ITEM)
    index->nodes[node->after].before = block;
  index->heads[class] = block;
  index->used[class / 64] |= UINT64_C(1) << (class % 64);
  index->words |= UINT64_C(1) << (class / 64);
}

static void unlist_gap(gmem_gap_index_t *index, uint32_t block) {
  gmem_gap_node_t *node = &index->nodes[block];
  uint64_t gap = gap_above(index, node);
  if (gap == 0)
    return;
  if (node->after != GMEM_NO_ITEM)
    index->nodes[node->after].before = node->before;
  if (node->before != GMEM_NO_ITEM) {
    index->nodes[node->before].after = node->after;
    return;
  }
  unsigned class = class_of(index, gap);
  index->heads[class] = node->after;
  if (node->after != GMEM_NO_ITEM)
    return;
  index->used[class / 64] &= ~(UINT64_C(1) << (class % 64));
  if (!index->used[class / 64])
    index->words &= ~(UINT64_C(1) << (class / 64));
}

//===--- blocks -----------------------------------------------------------===//

gmem_status_t gmem_gap_index_create(gmem_gap_index_t *index,
                                    gmem_scratch_t *memory, uint64_t base,
                                    uint64_t granule, uint32_t count) {
  *index = (gmem_gap_index_t){
      .base = base, .granule_shift = highest_bit(granule), .count = count};
  GMEM_TRY_NEW(index->nodes, memory, (size_t)count + 1);
  return GMEM_OK;
}

void gmem_gap_index_clear(gmem_gap_index_t *index) {
  index->words = 0;
  memset(index->used, 0, sizeof index->used);
  for (unsigned i = 0; i < GMEM_GAP_CLASSES; ++i)
    index->heads[i] = GMEM_NO_ITEM;
  index->topmost = index->count;
  index->nodes[index->count] = (gmem_gap_node_t){
      .below = GMEM_NO_ITEM, .above = GMEM_NO_ITEM, .leaves = UINT32_MAX};
}

static void add_between(gmem_gap_index_t *index, uint32_t block, uint32_t below,
                        uint64_t offset, uint64_t top, uint32_t leaves) {
  gmem_gap_node_t *node = &index->nodes[block];
  uint32_t above = index->nodes[below].above;
  if (above != GMEM_NO_ITEM)
    unlist_gap(index, below);
  *node = (gmem_gap_node_t){.offset = offset,
                            .top = top,
                            .below = below,
                            .above = above,
                            .leaves = leaves};
  index->nodes[below].above = block;
  list_gap(index, below);
  if (above == GMEM_NO_ITEM) {
    index->topmost = block;
    return;
  }
  index->nodes[above].below = block;
  list_gap(index, block);
}

void gmem_gap_index_push(gmem_gap_index_t *index, uint32_t block,
                         uint64_t offset, uint64_t top, uint32_t leaves) {
  assert(offset >= index->nodes[index->topmost].top && offset <= top);
  add_between(index, block, index->topmost, offset, top, leaves);
}

void gmem_gap_index_remove(gmem_gap_index_t *index, uint32_t block) {
  gmem_gap_node_t *node = &index->nodes[block];
  uint32_t below = node->below, above = node->above;
  unlist_gap(index, below);
  if (above != GMEM_NO_ITEM)
    unlist_gap(index, block);
  index->nodes[below].above = above;
  if (above == GMEM_NO_ITEM) {
    index->topmost = below;
    return;
  }
  index->nodes[above].below = below;
  list_gap(index, below);
}

//===--- search for a gap -------------------------------------------------===//

static bool fits_above(gmem_gap_index_t *index, uint32_t block,
                       const gmem_gap_need_t *need) {
  const gmem_gap_node_t *node = &index->nodes[block];
  uint64_t end = index->nodes[node->above].offset, offset = 0;
  return gmem_align_offset(index->base, node->top, need->alignment, &offset) &&
         offset <= end && end - offset >= need->extent;
}

// The block below the smallest of the first gaps of |class| that |need| fits
// in, or GMEM_NO_ITEM.
static uint32_t best_of_class(gmem_gap_index_t *index, unsigned class,
                              const gmem_gap_need_t *need) {
  uint32_t best = GMEM_NO_ITEM;
  uint64_t least = UINT64_MAX;
  int compared = 0;
  for (uint32_t block = index->heads[class];
       block != GMEM_NO_ITEM && compared < MAX_COMPARED; ++compared) {
    const gmem_gap_node_t *node = &index->nodes[block];
    uint64_t gap = gap_above(index, node);
    if (gap < least && fits_above(index, block, need)) {
      best = block;
      least = gap;
    }
    block = node->after;
  }
  index->steps += (uint64_t)compared;
  return best;
}

static uint32_t find_best(gmem_gap_index_t *index,
                          const gmem_gap_need_t *need) {
  unsigned class = next_class(index, class_of(index, need->extent));
  for (; class < GMEM_GAP_CLASSES; class = next_class(index, class + 1)) {
    uint32_t block = best_of_class(index, class, need);
    if (block != GMEM_NO_ITEM)
      return block;
  }
  return GMEM_NO_ITEM;
}

static uint32_t find_lowest(gmem_gap_index_t *index,
                            const gmem_gap_need_t *need) {
  uint32_t block = index->count;
  for (; block != index->topmost; block = index->nodes[block].above) {
    ++index->steps;
    if (fits_above(index, block, need))
      return block;
  }
  return GMEM_NO_ITEM;
}

static uint32_t distance(uint32_t a, uint32_t b) {
  return a < b ? b - a : a - b;
}

// Whether the block above the gap ends nearer in time to |need| than the one
// below it.
static bool prefers_above(gmem_gap_index_t *index, uint32_t below,
                          const gmem_gap_need_t *need) {
  const gmem_gap_node_t *node = &index->nodes[below];
  return distance(index->nodes[node->above].leaves, need->leaves) <
         distance(node->leaves, need->leaves);
}

bool gmem_gap_index_place(gmem_gap_index_t *index, uint32_t block,
                          const gmem_gap_need_t *need, gmem_gap_rule_t rule,
                          uint64_t *out_offset) {
  uint32_t below = rule == GMEM_GAP_LOWEST ? find_lowest(index, need)
                                           : find_best(index, need);
  bool is_open = below == GMEM_NO_ITEM;
  below = is_open ? index->topmost : below;
  const gmem_gap_node_t *node = &index->nodes[below];
  uint64_t offset = 0, top = 0;
  ++index->steps;
  if (rule == GMEM_GAP_BESIDE && !is_open &&
      prefers_above(index, below, need)) {
    offset = index->nodes[node->above].offset - need->extent;
    offset -= (index->base + offset) & (need->alignment - 1);
  } else if (!gmem_align_offset(index->base, node->top, need->alignment,
                                &offset)) {
    return false;
  }
  if (!gmem_add_bytes(offset, need->extent, &top))
    return false;
  add_between(index, block, below, offset, top, need->leaves);
  *out_offset = offset;
  return true;
}
