// check.c - the independent proof of a plan. Uses the public view of a problem
// and nothing else: no sum, sort or search of the algorithms.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Two steps. First every buffer is looked at alone: its pool, its fixed offset,
// its alignment, its end. Then time is swept over all buffers that are well
// placed by themselves, with the set of those that are live, in the order of
// their addresses. While nothing overlaps the set is a row of disjoint blocks,
// so a block that becomes live has to be compared with its two neighbours only:
//
//      |### a ###|     |## b ##|          a.end <= new.begin
//                 |new|                   new.end <= b.begin
//
// All offsets are known beforehand, so the set needs no balanced tree: buffers
// are numbered by (pool, offset, index), and the set is one bit per number with
// a summary bit per 64 bits, and so on upwards. Insertion, removal and both
// neighbours cost one step per level: four levels for a million buffers.
//
// The sweep stops at the first time at which two blocks overlap; which two is
// then found by a walk over all that are live at that time.

#include <inttypes.h>
#include <string.h>

#include "planner_memory.h"

typedef struct item_s {
  uint64_t major, minor;
  uint32_t index;
} item_t;

enum { MAX_LEVELS = 6, WORD_BITS = 64, NO_RANK = -1 };

typedef struct live_set_s {
  uint64_t *levels[MAX_LEVELS]; // [0]: one bit per rank
  int level_count;
} live_set_t;

typedef struct block_s {
  uint64_t begin, end; // bytes from the start of the pool
  uint32_t pool, buffer;
} block_t;

typedef struct sweep_s {
  const gmem_problem_t *problem;
  const gmem_placement_t *plan;
  block_t *blocks;       // by rank: (pool, offset, index)
  item_t *begins, *ends; // major: time, index: rank
  item_t *scratch;
  uint64_t *words; // of the live set
  size_t block_count, range_count, word_count;
  live_set_t live;
} sweep_t;

//===--- sorting ----------------------------------------------------------===//

static bool goes_before(const item_t *a, const item_t *b) {
  if (a->major != b->major)
    return a->major < b->major;
  if (a->minor != b->minor)
    return a->minor < b->minor;
  return a->index < b->index;
}

static void merge(const item_t *left, const item_t *right, const item_t *end,
                  item_t *to) {
  const item_t *a = left, *b = right;
  while (a < right && b < end)
    *to++ = goes_before(b, a) ? *b++ : *a++;
  while (a < right)
    *to++ = *a++;
  while (b < end)
    *to++ = *b++;
}

// Merge sort, bottom up. |scratch| has room for |count| items.
static void sort_items(item_t *items, item_t *scratch, size_t count) {
  item_t *from = items, *to = scratch;
  for (size_t width = 1; width < count; width *= 2) {
    for (size_t i = 0; i < count; i += 2 * width) {
      size_t middle = count - i > width ? i + width : count;
      size_t end = count - i > 2 * width ? i + 2 * width : count;
      merge(from + i, from + middle, from + end, to + i);
    }
    item_t *swap = from;
    from = to;
    to = swap;
  }
  if (from != items)
    memcpy(items, from, count * sizeof *items);
}

static uint64_t time_in_order(int64_t time) {
  return (uint64_t)time + (UINT64_C(1) << 63);
}

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

//===--- every buffer alone -----------------------------------------------===//

static bool is_candidate(const gmem_buffer_spec_t *spec, uint32_t pool) {
  // A fixed offset is one in the first candidate.
  size_t count = spec->has_fixed_offset ? 1 : spec->pool_count;
  for (size_t i = 0; i < count; ++i)
    if (spec->pools[i] == pool)
      return true;
  return false;
}

static bool is_aligned(const gmem_buffer_spec_t *spec,
                       const gmem_pool_spec_t *pool, uint64_t offset) {
  uint64_t address = pool->base + offset; // wraps only above every limit
  return address % spec->alignment == 0 && address % pool->alignment == 0;
}

static bool is_inside(const gmem_buffer_spec_t *spec,
                      const gmem_pool_spec_t *pool, uint64_t offset) {
  uint64_t room = GMEM_MAX_ADDRESS - pool->base;
  if (pool->capacity < room)
    room = pool->capacity;
  return offset <= room && spec->size <= room - offset;
}

static gmem_violation_t violation_of(const gmem_problem_t *problem,
                                     const gmem_placement_t *plan,
                                     uint32_t buffer) {
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, buffer);
  const gmem_placement_t *placement = &plan[buffer];
  if (!is_candidate(spec, placement->pool))
    return GMEM_VIOLATION_POOL;
  if (spec->has_fixed_offset && spec->fixed_offset != placement->offset)
    return GMEM_VIOLATION_FIXED;
  const gmem_pool_spec_t *pool = gmem_problem_pool(problem, placement->pool);
  if (!is_aligned(spec, pool, placement->offset))
    return GMEM_VIOLATION_ALIGNMENT;
  if (!is_inside(spec, pool, placement->offset))
    return GMEM_VIOLATION_CAPACITY;
  return GMEM_VIOLATION_NONE;
}

// The misplaced buffer that becomes live first, ties by index.
static gmem_check_result_t find_misplaced(const gmem_problem_t *problem,
                                          const gmem_placement_t *plan) {
  gmem_check_result_t first = {.first = GMEM_NO_BUFFER,
                               .second = GMEM_NO_BUFFER};
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i) {
    gmem_violation_t violation = violation_of(problem, plan, i);
    int64_t time = gmem_problem_buffer(problem, i)->ranges[0].begin;
    if (violation == GMEM_VIOLATION_NONE ||
        (first.violation != GMEM_VIOLATION_NONE && first.time <= time))
      continue;
    first.violation = violation;
    first.first = i;
    first.pool = plan[i].pool;
    first.time = time;
  }
  return first;
}

//===--- all buffers over time --------------------------------------------===//

static bool takes_part(const sweep_t *sweep, uint32_t buffer) {
  return gmem_problem_buffer(sweep->problem, buffer)->size > 0 &&
         violation_of(sweep->problem, sweep->plan, buffer) ==
             GMEM_VIOLATION_NONE;
}

static void count_blocks(sweep_t *sweep) {
  for (uint32_t i = 0; i < gmem_problem_buffer_count(sweep->problem); ++i) {
    if (!takes_part(sweep, i))
      continue;
    ++sweep->block_count;
    sweep->range_count += gmem_problem_buffer(sweep->problem, i)->range_count;
  }
}

// Numbers the blocks by (pool, offset, index).
static void rank_blocks(sweep_t *sweep) {
  size_t count = 0;
  item_t *order = sweep->begins; // every block has a range: there is room
  for (uint32_t i = 0; i < gmem_problem_buffer_count(sweep->problem); ++i)
    if (takes_part(sweep, i))
      order[count++] = (item_t){sweep->plan[i].pool, sweep->plan[i].offset, i};
  sort_items(order, sweep->scratch, count);
  for (size_t rank = 0; rank < count; ++rank) {
    uint32_t i = order[rank].index;
    uint64_t begin = sweep->plan[i].offset;
    uint64_t end = begin + gmem_problem_buffer(sweep->problem, i)->size;
    sweep->blocks[rank] = (block_t){begin, end, sweep->plan[i].pool, i};
  }
}

static void list_events(sweep_t *sweep) {
  size_t count = 0;
  for (size_t rank = 0; rank < sweep->block_count; ++rank) {
    const gmem_buffer_spec_t *spec =
        gmem_problem_buffer(sweep->problem, sweep->blocks[rank].buffer);
    for (size_t k = 0; k < spec->range_count; ++k, ++count) {
      sweep->begins[count] =
          (item_t){time_in_order(spec->ranges[k].begin), 0, (uint32_t)rank};
      sweep->ends[count] =
          (item_t){time_in_order(spec->ranges[k].end), 0, (uint32_t)rank};
    }
  }
  sort_items(sweep->begins, sweep->scratch, count);
  sort_items(sweep->ends, sweep->scratch, count);
}

static bool blocks_overlap(const block_t *a, const block_t *b) {
  return a->pool == b->pool && a->begin < b->end && b->begin < a->end;
}

static bool hits_neighbour(const sweep_t *sweep, size_t rank) {
  int64_t below = live_set_below(&sweep->live, rank);
  int64_t above = live_set_above(&sweep->live, rank);
  const block_t *block = &sweep->blocks[rank];
  return (below != NO_RANK && blocks_overlap(&sweep->blocks[below], block)) ||
         (above != NO_RANK && blocks_overlap(block, &sweep->blocks[above]));
}

// Sets *out_time to the first time at which two blocks overlap.
static bool find_overlap_time(sweep_t *sweep, int64_t *out_time) {
  const item_t *end = sweep->ends;
  for (size_t i = 0; i < sweep->range_count; ++i) {
    const item_t *begin = &sweep->begins[i];
    for (; end->major <= begin->major; ++end)
      live_set_remove(&sweep->live, end->index);
    if (hits_neighbour(sweep, begin->index)) {
      *out_time = (int64_t)(begin->major - (UINT64_C(1) << 63));
      return true;
    }
    live_set_add(&sweep->live, begin->index);
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

// Keeps the blocks that are live at |time|, in their order.
static void keep_live(sweep_t *sweep, int64_t time) {
  size_t kept = 0;
  for (size_t rank = 0; rank < sweep->block_count; ++rank) {
    block_t block = sweep->blocks[rank];
    if (is_live_at(gmem_problem_buffer(sweep->problem, block.buffer), time))
      sweep->blocks[kept++] = block;
  }
  sweep->block_count = kept;
}

// The block with the lowest index that overlaps another. In the order of
// offsets, a block overlaps one before it exactly when it overlaps the one of
// those that ends last; and one after it exactly when it overlaps the next.
static const block_t *lowest_in_conflict(const sweep_t *sweep) {
  const block_t *lowest = NULL, *longest = NULL;
  for (size_t i = 0; i < sweep->block_count; ++i) {
    const block_t *block = &sweep->blocks[i];
    bool conflict = longest && blocks_overlap(longest, block);
    if (i + 1 < sweep->block_count)
      conflict = conflict || blocks_overlap(block, block + 1);
    if (conflict && (!lowest || block->buffer < lowest->buffer))
      lowest = block;
    if (!longest || longest->pool != block->pool || longest->end < block->end)
      longest = block;
  }
  return lowest;
}

static const block_t *lowest_that_hits(const sweep_t *sweep,
                                       const block_t *first) {
  const block_t *lowest = NULL;
  for (size_t i = 0; i < sweep->block_count; ++i) {
    const block_t *block = &sweep->blocks[i];
    if (block != first && blocks_overlap(block, first) &&
        (!lowest || block->buffer < lowest->buffer))
      lowest = block;
  }
  return lowest;
}

static void name_overlap(sweep_t *sweep, int64_t time,
                         gmem_check_result_t *result) {
  keep_live(sweep, time);
  const block_t *first = lowest_in_conflict(sweep);
  const block_t *second = lowest_that_hits(sweep, first);
  *result = (gmem_check_result_t){
      .violation = GMEM_VIOLATION_OVERLAP,
      .first = first->buffer,
      .second = second->buffer,
      .pool = first->pool,
      .time = time,
      .begin = first->begin > second->begin ? first->begin : second->begin,
      .end = first->end < second->end ? first->end : second->end,
  };
}

//===--- set-up -----------------------------------------------------------===//

static bool sweep_alloc(sweep_t *sweep) {
  const gmem_allocator_t *allocator = gmem_problem_allocator(sweep->problem);
  sweep->word_count = live_set_words(sweep->block_count);
  sweep->blocks =
      gmem_planner_alloc(allocator, sweep->block_count, sizeof(block_t));
  sweep->begins =
      gmem_planner_alloc(allocator, sweep->range_count, sizeof(item_t));
  sweep->ends =
      gmem_planner_alloc(allocator, sweep->range_count, sizeof(item_t));
  sweep->scratch =
      gmem_planner_alloc(allocator, sweep->range_count, sizeof(item_t));
  sweep->words =
      gmem_planner_alloc(allocator, sweep->word_count, sizeof(uint64_t));
  return sweep->blocks && sweep->begins && sweep->ends && sweep->scratch &&
         sweep->words;
}

static void sweep_free(sweep_t *sweep, size_t block_count) {
  const gmem_allocator_t *allocator = gmem_problem_allocator(sweep->problem);
  gmem_planner_free(allocator, sweep->blocks, block_count, sizeof(block_t));
  gmem_planner_free(allocator, sweep->begins, sweep->range_count,
                    sizeof(item_t));
  gmem_planner_free(allocator, sweep->ends, sweep->range_count, sizeof(item_t));
  gmem_planner_free(allocator, sweep->scratch, sweep->range_count,
                    sizeof(item_t));
  gmem_planner_free(allocator, sweep->words, sweep->word_count,
                    sizeof(uint64_t));
}

// Replaces |result| by an overlap that comes before it.
static gmem_status_t find_overlap(const gmem_problem_t *problem,
                                  const gmem_placement_t *plan,
                                  gmem_check_result_t *result,
                                  gmem_diag_t *diag) {
  sweep_t sweep = {.problem = problem, .plan = plan};
  count_blocks(&sweep);
  size_t block_count = sweep.block_count;
  if (block_count < 2)
    return GMEM_OK;
  if (!sweep_alloc(&sweep)) {
    sweep_free(&sweep, block_count);
    return gmem_planner_out_of_memory(diag);
  }
  rank_blocks(&sweep);
  list_events(&sweep);
  live_set_init(&sweep.live, sweep.words, block_count);
  int64_t time = 0;
  gmem_check_result_t overlap;
  if (find_overlap_time(&sweep, &time)) {
    name_overlap(&sweep, time, &overlap);
    if (result->violation == GMEM_VIOLATION_NONE || time < result->time ||
        (time == result->time && overlap.first < result->first))
      *result = overlap;
  }
  sweep_free(&sweep, block_count);
  return GMEM_OK;
}

//===--- report -----------------------------------------------------------===//

static gmem_status_t report_misplaced(const gmem_problem_t *problem,
                                      const gmem_placement_t *plan,
                                      const gmem_check_result_t *result,
                                      gmem_diag_t *diag) {
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, result->first);
  uint64_t offset = plan[result->first].offset;
  gmem_status_t status = GMEM_ERR_INVALID_ARGUMENT;
  const char *what = "is in a pool that is no candidate of it";
  if (result->violation == GMEM_VIOLATION_FIXED)
    what = "is not at its fixed offset";
  if (result->violation == GMEM_VIOLATION_ALIGNMENT) {
    what = "is misaligned";
    status = GMEM_ERR_ALIGNMENT;
  }
  if (result->violation == GMEM_VIOLATION_CAPACITY) {
    what = "ends after its pool";
    status = GMEM_ERR_OVER_BUDGET;
  }
  return gmem_planner_fail(diag, status, result->first,
                           "buffer '%.60s' of %" PRIu64
                           " bytes at offset %" PRIu64 " of pool %" PRIu32
                           " %s",
                           spec->name, spec->size, offset, result->pool, what);
}

static gmem_status_t report(const gmem_problem_t *problem,
                            const gmem_placement_t *plan,
                            const gmem_check_result_t *result,
                            gmem_diag_t *diag) {
  if (result->violation == GMEM_VIOLATION_NONE)
    return GMEM_OK;
  if (result->violation != GMEM_VIOLATION_OVERLAP)
    return report_misplaced(problem, plan, result, diag);
  return gmem_planner_fail(
      diag, GMEM_ERR_OVERLAP, result->first,
      "buffers '%.60s' and '%.60s' share the bytes [%" PRIu64 ", %" PRIu64
      ") of pool '%.40s' at time %" PRId64,
      gmem_problem_buffer(problem, result->first)->name,
      gmem_problem_buffer(problem, result->second)->name, result->begin,
      result->end, gmem_problem_pool(problem, result->pool)->name,
      result->time);
}

gmem_status_t gmem_check(const gmem_problem_t *problem,
                         const gmem_placement_t *plan,
                         gmem_check_result_t *out_result, gmem_diag_t *diag) {
  gmem_check_result_t result = find_misplaced(problem, plan);
  gmem_status_t status = find_overlap(problem, plan, &result, diag);
  if (status != GMEM_OK)
    return status;
  if (out_result)
    *out_result = result;
  return report(problem, plan, &result, diag);
}
