// checker.h - state shared by all parts of the plan checker.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_CHECKER_H_
#define GMEM_PLANNER_CHECKER_H_

#include "check_sort.h"
#include "planner_memory.h"
#include "scratch.h"

// The bytes of a non-empty buffer whose own placement is valid.
typedef struct gmem_check_block_s {
  uint64_t begin, end; // bytes from the start of the pool
  uint32_t pool, buffer;
} gmem_check_block_t;

// A live range of a block; its begin is an entry of |begins|.
typedef struct gmem_check_range_s {
  uint64_t end;   // key of the time
  uint64_t top;   // the end of the block, in bytes
  uint32_t block; // index in |blocks|
  uint32_t slot;  // check_sweep.c: one number per address at which blocks begin
} gmem_check_range_t;

// One check.
typedef struct gmem_checker_s {
  const gmem_problem_t *problem;
  const gmem_placement_t *plan;
  gmem_scratch_t memory;
  uint32_t buffer_count;
  gmem_check_block_t *blocks; // by buffer, until they are sorted
  size_t block_count;
  gmem_check_entry_t *order; // index: the blocks by (pool, offset, buffer)
  gmem_check_entry_t *scratch;
  gmem_check_range_t *ranges;
  gmem_check_entry_t *begins; // of live ranges: key: time, index: in |ranges|
  size_t range_count, range_room, begin_room;
  gmem_check_result_t first; // the first violation found so far
  bool has_branches;         // some buffer has branches
  // Relations; all NULL in a problem without any.
  bool *has_block;   // by buffer
  bool *is_inside;   // by buffer: it starts inside another, and the pool's
                     // alignment does not apply
  uint32_t *storage; // by buffer: equal for views of one storage
  gmem_check_entry_t *pairs; // used optional aliases: key (lower, higher
                             // index), sorted; scratch
  size_t pair_count;
} gmem_checker_t;

// Maps a time to a key that sorts in the order of time.
static inline uint64_t gmem_check_key(int64_t time) {
  return (uint64_t)time + (UINT64_C(1) << 63);
}

static inline int64_t gmem_check_time(uint64_t key) {
  return (int64_t)(key - (UINT64_C(1) << 63));
}

// check.c: keeps |found| when it precedes the current first violation: by time,
// then first buffer, second buffer, kind.
void gmem_check_found(gmem_checker_t *checker,
                      const gmem_check_result_t *found);

// The same for the bytes that two blocks share at |time|.
void gmem_check_found_overlap(gmem_checker_t *checker,
                              const gmem_check_block_t *a,
                              const gmem_check_block_t *b, int64_t time);

// check.c: sorts the blocks into |order|.
void gmem_check_order_blocks(gmem_checker_t *checker);

//===--- stages, each in the file that is named ---------------------------===//

// check_relations.c: computes which buffers start inside others, which are
// views of one storage, and which optional aliases are used. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_check_find_relations(gmem_checker_t *checker);

// check_relations.c: checks aliases, blocks and conflicts.
void gmem_check_ties(gmem_checker_t *checker);

// check_constraints.c: checks the hard constraints of a plan without other
// violations.
void gmem_check_constraints(gmem_checker_t *checker);

// check_relations.c: replaces gmem_check_sweep when some buffers may overlap.
// The blocks must be sorted.
gmem_status_t gmem_check_sweep_relations(gmem_checker_t *checker);

// check_sweep.c: finds two live blocks that overlap, in a problem without
// relations. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_check_sweep(gmem_checker_t *checker);

#endif // GMEM_PLANNER_CHECKER_H_
