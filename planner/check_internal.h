// check_internal.h - what the files of the checker share. None of it is shared
// with the algorithms.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_CHECK_INTERNAL_H_
#define GMEM_PLANNER_CHECK_INTERNAL_H_

#include "planner_memory.h"

// A number and what it belongs to.
typedef struct gmem_check_entry_s {
  uint64_t key;
  uint32_t index;
} gmem_check_entry_t;

// The bytes of a buffer that is well placed by itself and not empty.
typedef struct gmem_check_block_s {
  uint64_t begin, end; // bytes from the start of the pool
  uint32_t pool, buffer;
} gmem_check_block_t;

// A live range of a block; its begin is an entry of |begins|.
typedef struct gmem_check_range_s {
  uint64_t end;   // key of the time
  uint64_t top;   // the end of the block, in bytes
  uint32_t block; // its number in |blocks|
  uint32_t slot;  // check_sweep.c: the same for all blocks that begin at one
                  //   address
} gmem_check_range_t;

// One check.
typedef struct gmem_checker_s {
  const gmem_problem_t *problem;
  const gmem_placement_t *plan;
  const gmem_allocator_t *allocator;
  uint32_t buffer_count;
  gmem_check_block_t *blocks; // by buffer, until they are ranked
  size_t block_count;
  gmem_check_entry_t *order; // index: the blocks by (pool, offset, buffer)
  gmem_check_entry_t *scratch;
  gmem_check_range_t *ranges;
  gmem_check_entry_t *begins; // of live ranges: key: time, index: in |ranges|
  size_t range_count, range_room, begin_room;
  gmem_check_result_t first; // of the violations that were found
  bool has_branches;         // some buffer has
  // Relations; all NULL in a problem that has none.
  bool *has_block;           // by buffer
  bool *is_inside;           // by buffer: the alignment of the pool does not
                             //   count, because it begins inside of another
  uint32_t *storage;         // by buffer: the same for views of one storage
  gmem_check_entry_t *pairs; // optional children that lie in their parent:
                             //   key (lower, higher index), sorted; scratch
  size_t pair_count, pair_room;
} gmem_checker_t;

// Times as numbers in their order.
static inline uint64_t gmem_check_key(int64_t time) {
  return (uint64_t)time + (UINT64_C(1) << 63);
}
static inline int64_t gmem_check_time(uint64_t key) {
  return (int64_t)(key - (UINT64_C(1) << 63));
}

// check_sort.c: sorts by key; equal keys keep their order.
void gmem_check_sort(gmem_check_entry_t *entries, gmem_check_entry_t *scratch,
                     size_t count);

// check.c: keeps |found| when it comes before what was found so far: by time,
// then first, then second buffer, then kind.
void gmem_check_found(gmem_checker_t *checker,
                      const gmem_check_result_t *found);

// check.c: puts the blocks into |order|.
void gmem_check_order_blocks(gmem_checker_t *checker);

// check_sweep.c: looks for two blocks that are live together and overlap, when
// there are no relations. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_check_sweep(gmem_checker_t *checker, gmem_diag_t *diag);

// check_relations.c: finds which buffers begin inside of others, which are
// views of one storage and which optional aliases hold. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_check_find_relations(gmem_checker_t *checker,
                                        gmem_diag_t *diag);
void gmem_check_free_relations(gmem_checker_t *checker);
// Looks for aliases, blocks and conflicts that do not hold.
void gmem_check_ties(gmem_checker_t *checker);
// As gmem_check_sweep, when some buffers may overlap. The blocks must be in
// their order.
gmem_status_t gmem_check_sweep_relations(gmem_checker_t *checker,
                                         gmem_diag_t *diag);

#endif // GMEM_PLANNER_CHECK_INTERNAL_H_
