// check_sweep.c - checks that buffers that are live together share no bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sweeps over the begins of live ranges. Every address at which blocks begin
// has a slot, which holds the block most recently inserted there. A block that
// becomes live replaces the blocks in its bytes; each of them must have ended
// by then:
//
//      |### a ###|     |## b ##|          a.until <= now
//            |  new  |                    b stays
//
// The remaining blocks are again disjoint. So the blocks that overlap the new
// one are the last one that begins below it, the one in its slot, and those
// above it up to its end. Each block is inserted and removed once per live
// range: O(log n) for each.
//
// All addresses are known in advance, so the set of used slots needs no
// balanced tree. It is a bit per slot with a summary bit per 64 bits,
// recursively. Insertion, removal and both neighbours cost one operation per
// level: four levels for a million slots.
//
// The sweep stops at the first time at which two blocks overlap; a scan of all
// blocks live at that time then identifies the pair.

#include "checker.h"

#include <assert.h>
#include <string.h>

enum { MAX_LEVELS = 6, WORD_BITS = 64, NO_SLOT = -1 };

// The block most recently inserted at an address.
typedef struct slot_s {
  uint64_t begin, end; // bytes from the start of the pool
  uint64_t until;      // key of the time at which its live range ends
  uint32_t pool;
} slot_t;

typedef struct live_set_s {
  uint64_t *levels[MAX_LEVELS]; // [0]: one bit per slot
  int level_count;
} live_set_t;

//===--- the set of slots in use ------------------------------------------===//

static size_t words_for(size_t bits) {
  return bits / WORD_BITS + (bits % WORD_BITS != 0);
}

// Words of all levels of a set of |slots| bits.
static size_t live_set_words(size_t slots) {
  size_t total = 0, words = slots;
  do {
    words = words_for(words);
    total += words;
  } while (words > 1);
  return total;
}

static void live_set_init(live_set_t *set, uint64_t *words, size_t slots) {
  size_t count = slots;
  set->level_count = 0;
  do {
    count = words_for(count);
    set->levels[set->level_count++] = words;
    memset(words, 0, count * sizeof *words);
    words += count;
  } while (count > 1);
  assert(set->level_count <= MAX_LEVELS);
}

static void live_set_add(live_set_t *set, size_t slot) {
  for (int level = 0; level < set->level_count; ++level, slot /= WORD_BITS)
    set->levels[level][slot / WORD_BITS] |= UINT64_C(1) << slot % WORD_BITS;
}

static void live_set_remove(live_set_t *set, size_t slot) {
  for (int level = 0; level < set->level_count; ++level, slot /= WORD_BITS) {
    uint64_t *word = &set->levels[level][slot / WORD_BITS];
    *word &= ~(UINT64_C(1) << slot % WORD_BITS);
    if (*word)
      return;
  }
}

static int highest_bit(uint64_t word) { return 63 - __builtin_clzll(word); }
static int lowest_bit(uint64_t word) { return __builtin_ctzll(word); }

// The largest member of the set below |slot|, or NO_SLOT.
static int64_t live_set_below(const live_set_t *set, size_t slot) {
  for (int level = 0; level < set->level_count; ++level, slot /= WORD_BITS) {
    uint64_t word = set->levels[level][slot / WORD_BITS];
    word &= (UINT64_C(1) << slot % WORD_BITS) - 1;
    if (!word)
      continue;
    slot = slot / WORD_BITS * WORD_BITS + (size_t)highest_bit(word);
    while (level-- > 0)
      slot = slot * WORD_BITS + (size_t)highest_bit(set->levels[level][slot]);
    return (int64_t)slot;
  }
  return NO_SLOT;
}

// The smallest member of the set above |slot|, or NO_SLOT.
static int64_t live_set_above(const live_set_t *set, size_t slot) {
  for (int level = 0; level < set->level_count; ++level, slot /= WORD_BITS) {
    uint64_t word = set->levels[level][slot / WORD_BITS];
    word &= ~((UINT64_C(2) << slot % WORD_BITS) - 1); // 2 << 63 is 0: no bits
    if (!word)
      continue;
    slot = slot / WORD_BITS * WORD_BITS + (size_t)lowest_bit(word);
    while (level-- > 0)
      slot = slot * WORD_BITS + (size_t)lowest_bit(set->levels[level][slot]);
    return (int64_t)slot;
  }
  return NO_SLOT;
}

//===--- the sweep --------------------------------------------------------===//

static bool blocks_overlap(const gmem_check_block_t *a,
                           const gmem_check_block_t *b) {
  return a->pool == b->pool && a->begin < b->end && b->begin < a->end;
}

// Removes blocks that overlap |range|, which becomes live |now|. False when one
// of them has not ended.
static bool make_room(live_set_t *set, const slot_t *slots,
                      const gmem_check_range_t *range, uint64_t now) {
  const slot_t *slot = &slots[range->slot];
  if (slot->until > now)
    return false;
  int64_t below = live_set_below(set, range->slot);
  if (below != NO_SLOT && slots[below].pool == slot->pool &&
      slots[below].end > slot->begin) {
    if (slots[below].until > now)
      return false;
    live_set_remove(set, (size_t)below);
  }
  int64_t above = live_set_above(set, range->slot);
  while (above != NO_SLOT && slots[above].pool == slot->pool &&
         slots[above].begin < range->top) {
    if (slots[above].until > now)
      return false;
    live_set_remove(set, (size_t)above);
    above = live_set_above(set, range->slot);
  }
  return true;
}

// Prefetches the ranges and slots of the next begins: they may be anywhere in
// memory.
static void look_ahead(const gmem_checker_t *checker, const slot_t *slots,
                       size_t i) {
  enum { FAR = 24, NEAR = 12 };
  if (i + FAR >= checker->range_count)
    return;
  const gmem_check_entry_t *begin = checker->begins + i;
  __builtin_prefetch(&checker->ranges[begin[FAR].index]);
  __builtin_prefetch(&slots[checker->ranges[begin[NEAR].index].slot]);
}

// Sets *out_time to the first time at which two blocks overlap.
static bool find_overlap_time(const gmem_checker_t *checker, live_set_t *set,
                              slot_t *slots, int64_t *out_time) {
  for (size_t i = 0; i < checker->range_count; ++i) {
    const gmem_check_entry_t *begin = &checker->begins[i];
    const gmem_check_range_t *range = &checker->ranges[begin->index];
    look_ahead(checker, slots, i);
    if (!make_room(set, slots, range, begin->key)) {
      *out_time = gmem_check_time(begin->key);
      return true;
    }
    slots[range->slot].end = range->top;
    slots[range->slot].until = range->end;
    live_set_add(set, range->slot);
  }
  return false;
}

//===--- the overlapping pair ---------------------------------------------===//

static bool is_live_at(const gmem_buffer_spec_t *spec, int64_t time) {
  for (size_t i = 0; i < spec->range_count; ++i)
    if (spec->ranges[i].begin <= time && time < spec->ranges[i].end)
      return true;
  return false;
}

// Selects the blocks that are live at |time| and sorts them.
static void keep_live(gmem_checker_t *checker, int64_t time) {
  size_t kept = 0;
  for (size_t i = 0; i < checker->block_count; ++i) {
    gmem_check_block_t block = checker->blocks[i];
    if (is_live_at(gmem_problem_buffer(checker->problem, block.buffer), time))
      checker->blocks[kept++] = block;
  }
  checker->block_count = kept;
  gmem_check_order_blocks(checker);
}

static const gmem_check_block_t *block_at(const gmem_checker_t *checker,
                                          size_t rank) {
  return &checker->blocks[checker->order[rank].index];
}

// The block with the lowest index that overlaps another. In order of offsets, a
// block overlaps a previous one exactly when it overlaps the one with the
// highest end, and a later one exactly when it overlaps the next.
static const gmem_check_block_t *
lowest_in_conflict(const gmem_checker_t *checker) {
  const gmem_check_block_t *lowest = NULL, *longest = NULL;
  for (size_t i = 0; i < checker->block_count; ++i) {
    const gmem_check_block_t *block = block_at(checker, i);
    bool conflict = longest && blocks_overlap(longest, block);
    if (i + 1 < checker->block_count)
      conflict = conflict || blocks_overlap(block, block_at(checker, i + 1));
    if (conflict && (!lowest || block->buffer < lowest->buffer))
      lowest = block;
    if (!longest || longest->pool != block->pool || longest->end < block->end)
      longest = block;
  }
  return lowest;
}

static const gmem_check_block_t *
lowest_that_hits(const gmem_checker_t *checker,
                 const gmem_check_block_t *first) {
  const gmem_check_block_t *lowest = NULL;
  for (size_t i = 0; i < checker->block_count; ++i) {
    const gmem_check_block_t *block = &checker->blocks[i];
    if (block != first && blocks_overlap(block, first) &&
        (!lowest || block->buffer < lowest->buffer))
      lowest = block;
  }
  return lowest;
}

static void name_overlap(gmem_checker_t *checker, int64_t time) {
  keep_live(checker, time);
  const gmem_check_block_t *first = lowest_in_conflict(checker);
  assert(first && "the sweep has found an overlap at that time");
  gmem_check_found_overlap(checker, first, lowest_that_hits(checker, first),
                           time);
}

//===--- entry ------------------------------------------------------------===//

// Numbers the addresses at which blocks begin, in order. |slot_of|: by block.
// Returns their count.
static size_t number_slots(const gmem_checker_t *checker, slot_t *slots,
                           uint32_t *slot_of) {
  bool has_pools = gmem_problem_pool_count(checker->problem) > 1;
  size_t count = 0;
  for (size_t i = 0; i < checker->block_count; ++i) {
    uint32_t number = checker->order[i].index, pool = 0;
    uint64_t begin = checker->order[i].key;
    if (has_pools) {
      begin = checker->blocks[number].begin;
      pool = checker->blocks[number].pool;
    }
    if (count == 0 || slots[count - 1].begin != begin ||
        slots[count - 1].pool != pool)
      slots[count++] = (slot_t){.begin = begin, .pool = pool};
    slot_of[number] = (uint32_t)count - 1;
  }
  for (size_t i = 0; i < checker->range_count; ++i)
    checker->ranges[i].slot = slot_of[checker->ranges[i].block];
  return count;
}

gmem_status_t gmem_check_sweep(gmem_checker_t *checker) {
  gmem_scratch_t *memory = &checker->memory;
  slot_t *slots;
  uint32_t *slot_of;
  uint64_t *words;
  live_set_t set;
  int64_t time;
  GMEM_TRY_NEW(slots, memory, checker->block_count);
  GMEM_TRY_NEW(slot_of, memory, checker->block_count);
  size_t count = number_slots(checker, slots, slot_of);
  GMEM_TRY_NEW(words, memory, live_set_words(count));
  live_set_init(&set, words, count);
  if (find_overlap_time(checker, &set, slots, &time))
    name_overlap(checker, time);
  return GMEM_OK;
}
