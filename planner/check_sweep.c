// check_sweep.c - whether buffers that are live together share bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Time is swept from begin to begin, with the blocks that were put into memory
// last, in the order of their addresses. A block that becomes live takes the
// bytes of those that are there; each of them must have ended by then:
//
//      |### a ###|     |## b ##|          a.until <= now
//            |  new  |                    b stays
//
// What stays is a row of disjoint blocks again. So all that overlap the new one
// are the last that begins below it, and those above it up to its end; and as
// every block is put in once for each live range and goes once, time is
// O(log n) for each.
//
// All offsets are known beforehand, so the set needs no balanced tree: it is
// one bit per rank with a summary bit per 64 bits, and so on upwards.
// Insertion, removal and both neighbours cost one step per level: four levels
// for a million blocks.
//
// The sweep stops at the first time at which two blocks overlap; which two is
// then found by a walk over all that are live at that time.

#include <string.h>

#include "check_internal.h"

enum { MAX_LEVELS = 6, WORD_BITS = 64, NO_RANK = -1 };

typedef struct live_set_s {
  uint64_t *levels[MAX_LEVELS]; // [0]: one bit per rank
  int level_count;
} live_set_t;

//===--- the set of live blocks -------------------------------------------===//

static size_t words_for(size_t bits) {
  return bits / WORD_BITS + (bits % WORD_BITS != 0);
}

// Words of all levels of a set of |ranks| numbers.
static size_t live_set_words(size_t ranks) {
  size_t total = 0, words = ranks;
  do {
    words = words_for(words);
    total += words;
  } while (words > 1);
  return total;
}

static void live_set_init(live_set_t *set, uint64_t *words, size_t ranks) {
  size_t count = ranks;
  set->level_count = 0;
  do {
    count = words_for(count);
    set->levels[set->level_count++] = words;
    memset(words, 0, count * sizeof *words);
    words += count;
  } while (count > 1);
}

static void live_set_add(live_set_t *set, size_t rank) {
  for (int level = 0; level < set->level_count; ++level, rank /= WORD_BITS)
    set->levels[level][rank / WORD_BITS] |= UINT64_C(1) << rank % WORD_BITS;
}

static void live_set_remove(live_set_t *set, size_t rank) {
  for (int level = 0; level < set->level_count; ++level, rank /= WORD_BITS) {
    uint64_t *word = &set->levels[level][rank / WORD_BITS];
    *word &= ~(UINT64_C(1) << rank % WORD_BITS);
    if (*word)
      return;
  }
}

static int highest_bit(uint64_t word) { return 63 - __builtin_clzll(word); }
static int lowest_bit(uint64_t word) { return __builtin_ctzll(word); }

// The largest number in the set below |rank|, or NO_RANK.
static int64_t live_set_below(const live_set_t *set, size_t rank) {
  for (int level = 0; level < set->level_count; ++level, rank /= WORD_BITS) {
    uint64_t word = set->levels[level][rank / WORD_BITS];
    word &= (UINT64_C(1) << rank % WORD_BITS) - 1;
    if (!word)
      continue;
    rank = rank / WORD_BITS * WORD_BITS + (size_t)highest_bit(word);
    while (level-- > 0)
      rank = rank * WORD_BITS + (size_t)highest_bit(set->levels[level][rank]);
    return (int64_t)rank;
  }
  return NO_RANK;
}

// The smallest number in the set above |rank|, or NO_RANK.
static int64_t live_set_above(const live_set_t *set, size_t rank) {
  for (int level = 0; level < set->level_count; ++level, rank /= WORD_BITS) {
    uint64_t word = set->levels[level][rank / WORD_BITS];
    word &= ~((UINT64_C(2) << rank % WORD_BITS) - 1); // 2 << 63 is 0: no bits
    if (!word)
      continue;
    rank = rank / WORD_BITS * WORD_BITS + (size_t)lowest_bit(word);
    while (level-- > 0)
      rank = rank * WORD_BITS + (size_t)lowest_bit(set->levels[level][rank]);
    return (int64_t)rank;
  }
  return NO_RANK;
}

//===--- the sweep --------------------------------------------------------===//

static bool blocks_overlap(const gmem_check_block_t *a,
                           const gmem_check_block_t *b) {
  return a->pool == b->pool && a->begin < b->end && b->begin < a->end;
}

// Removes what overlaps the block of |rank|, which becomes live |now|, from the
// set. False when some of it has not ended.
static bool make_room(const gmem_checker_t *checker, live_set_t *set,
                      size_t rank, uint64_t now) {
  const gmem_check_block_t *blocks = checker->blocks, *block = &blocks[rank];
  int64_t other = live_set_below(set, rank);
  if (other != NO_RANK && blocks_overlap(&blocks[other], block)) {
    if (blocks[other].until > now)
      return false;
    live_set_remove(set, (size_t)other);
  }
  other = live_set_above(set, rank);
  while (other != NO_RANK && blocks_overlap(block, &blocks[other])) {
    if (blocks[other].until > now)
      return false;
    live_set_remove(set, (size_t)other);
    other = live_set_above(set, rank);
  }
  return true;
}

// The ranges and blocks of a few begins further on are fetched ahead: they may
// be anywhere, and the set is soon asked for their neighbours.
static void look_ahead(const gmem_checker_t *checker, size_t i) {
  enum { FAR = 16, NEAR = 8 };
  if (i + FAR >= checker->range_count)
    return;
  const gmem_check_entry_t *begin = checker->begins + i;
  __builtin_prefetch(&checker->ranges[begin[FAR].index]);
  __builtin_prefetch(&checker->blocks[checker->ranges[begin[NEAR].index].rank]);
}

// Sets *out_time to the first time at which two blocks overlap.
static bool find_overlap_time(gmem_checker_t *checker, live_set_t *set,
                              int64_t *out_time) {
  for (size_t i = 0; i < checker->range_count; ++i) {
    const gmem_check_entry_t *begin = &checker->begins[i];
    const gmem_check_range_t *range = &checker->ranges[begin->index];
    look_ahead(checker, i);
    if (!make_room(checker, set, range->rank, begin->key)) {
      *out_time = gmem_check_time(begin->key);
      return true;
    }
    checker->blocks[range->rank].until = range->end;
    live_set_add(set, range->rank);
  }
  return false;
}

//===--- which two --------------------------------------------------------===//

static bool is_live_at(const gmem_buffer_spec_t *spec, int64_t time) {
  for (size_t i = 0; i < spec->range_count; ++i)
    if (spec->ranges[i].begin <= time && time < spec->ranges[i].end)
      return true;
  return false;
}

// Keeps the blocks that are live at |time|, in their order. Returns how many.
static size_t keep_live(gmem_checker_t *checker, int64_t time) {
  size_t kept = 0;
  for (size_t rank = 0; rank < checker->block_count; ++rank) {
    gmem_check_block_t block = checker->blocks[rank];
    if (is_live_at(gmem_problem_buffer(checker->problem, block.buffer), time))
      checker->blocks[kept++] = block;
  }
  return kept;
}

// The block with the lowest index that overlaps another. In the order of
// offsets, a block overlaps one before it exactly when it overlaps the one of
// those that ends last; and one after it exactly when it overlaps the next.
static const gmem_check_block_t *
lowest_in_conflict(const gmem_checker_t *checker) {
  const gmem_check_block_t *lowest = NULL, *longest = NULL;
  for (size_t i = 0; i < checker->block_count; ++i) {
    const gmem_check_block_t *block = &checker->blocks[i];
    bool conflict = longest && blocks_overlap(longest, block);
    if (i + 1 < checker->block_count)
      conflict = conflict || blocks_overlap(block, block + 1);
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
  size_t count = checker->block_count;
  checker->block_count = keep_live(checker, time);
  const gmem_check_block_t *first = lowest_in_conflict(checker);
  const gmem_check_block_t *second = lowest_that_hits(checker, first);
  gmem_check_result_t overlap = {
      .violation = GMEM_VIOLATION_OVERLAP,
      .first = first->buffer,
      .second = second->buffer,
      .pool = first->pool,
      .time = time,
      .begin = first->begin > second->begin ? first->begin : second->begin,
      .end = first->end < second->end ? first->end : second->end,
  };
  checker->block_count = count;
  gmem_check_found(checker, &overlap);
}

gmem_status_t gmem_check_sweep(gmem_checker_t *checker, gmem_diag_t *diag) {
  size_t word_count = live_set_words(checker->block_count);
  uint64_t *words =
      gmem_planner_alloc(checker->allocator, word_count, sizeof *words);
  if (!words)
    return gmem_planner_out_of_memory(diag);
  live_set_t live;
  int64_t time;
  live_set_init(&live, words, checker->block_count);
  if (find_overlap_time(checker, &live, &time))
    name_overlap(checker, time);
  gmem_planner_free(checker->allocator, words, word_count, sizeof *words);
  return GMEM_OK;
}
