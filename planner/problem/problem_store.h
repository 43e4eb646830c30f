// problem_store.h - the representation of a problem.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_PROBLEM_STORE_H_
#define GMEM_PLANNER_PROBLEM_STORE_H_

#include "offset_group.h"
#include "planner_internal.h"
#include "planner_memory.h"
#include "scratch.h"

typedef struct gmem_problem_conflict_s {
  uint32_t first, second;
} gmem_problem_conflict_t;

enum { GMEM_RECENT_NAMES = 64 };

struct gmem_problem_s {
  gmem_allocator_t allocator;
  gmem_scratch_t memory; // of everything below
  bool borrows;          // the arrays of specs instead of copying them
  // By hash: many buffers have the same name.
  const char *recent_names[GMEM_RECENT_NAMES];
  const char *last_name; // NULL: none yet
  // The rest of the newest block of small copies (names, ranges, candidate
  // lists): views never move, and a million buffers need a few hundred
  // allocations.
  char *room;
  size_t room_left; // bytes
  gmem_pool_spec_t *pools;
  size_t pool_count, pool_capacity;
  gmem_buffer_spec_t *buffers;
  size_t buffer_count, buffer_capacity;
  gmem_traits_t traits; // of the buffers
  uint32_t *all_pools;  // 0, 1, ...: the candidates of a buffer without any
  size_t all_pools_capacity;
  gmem_problem_conflict_t *conflicts;
  size_t conflict_count, conflict_capacity;
  gmem_alias_spec_t *aliases;
  size_t alias_count, alias_capacity;
  gmem_block_spec_t *sets; // the lists of gmem_problem_add_block
  size_t set_count, set_capacity;
  gmem_constraint_t *constraints;
  size_t constraint_count, constraint_capacity;
  uint64_t penalties; // sum of those of the soft constraints
  gmem_offset_groups_t
      groups; // of the aliases that are not optional and the blocks
};

// The offset groups of the non-optional aliases and blocks of |problem|; NULL:
// there are none.
const gmem_offset_groups_t *
gmem_problem_offset_groups(const gmem_problem_t *problem);

gmem_traits_t gmem_problem_traits(const gmem_problem_t *problem);

// The allocator that |problem| was created with.
const gmem_allocator_t *gmem_problem_allocator(const gmem_problem_t *problem);

#endif // GMEM_PLANNER_PROBLEM_STORE_H_
