// ties.h - buffers that lie at fixed distances from each other: groups that
// aliases and blocks make.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A union-find forest with weights: each buffer knows its distance from the one
// above it, the root of a group knows what the whole group needs. Empty buffers
// have no bytes, so nothing ties them.

#ifndef GMEM_PLANNER_TIES_H_
#define GMEM_PLANNER_TIES_H_

#include "planner_internal.h"

typedef struct gmem_tie_s {
  uint32_t up;      // itself: the root of its group
  uint32_t count;   // of a root: members of its group
  int64_t distance; // bytes from |up| to here
} gmem_tie_t;

// What a group needs; distances are bytes from its root.
typedef struct gmem_group_s {
  int64_t low, high;   // its bytes are [low, high)
  int64_t fixed;       // offset of the root in the pool, when |is_fixed|
  uint64_t alignment;  // the address of root + anchor is a multiple of it:
  uint64_t anchor;     //   then every member has its own alignment
  uint64_t candidates; // bit i: pools[i] of |pools_of| suits all members
  uint32_t pools_of;   // a member; the order of its candidates counts
  bool is_fixed;
} gmem_group_t;

typedef struct gmem_ties_s {
  gmem_tie_t *at;       // by buffer
  gmem_group_t *groups; // by root
  size_t count, at_capacity, group_capacity;
} gmem_ties_t;

// Why two buffers cannot be tied.
typedef enum gmem_untied_e {
  GMEM_TIED = 0,
  GMEM_UNTIED_ELSEWHERE, // they are tied already, with another distance
  GMEM_UNTIED_RANGE,     // together they are larger than every pool
  GMEM_UNTIED_ALIGNMENT,
  GMEM_UNTIED_POOLS, // they have no candidate pool in common
  GMEM_UNTIED_FIXED, // fixed offsets are in the way
} gmem_untied_t;

// Makes room for all buffers of |problem|. False when there is no memory.
bool gmem_ties_extend(gmem_ties_t *ties, const gmem_problem_t *problem);
// The same, for those of |from| (NULL: none). *to is zero, or an earlier copy,
// whose memory is used again; it is to be destroyed in any case.
bool gmem_ties_copy(const gmem_ties_t *from, const gmem_problem_t *problem,
                    gmem_ties_t *to);
void gmem_ties_destroy(gmem_ties_t *ties, const gmem_problem_t *problem);

// The root of the group of |buffer|; *distance: bytes from there to |buffer|.
uint32_t gmem_ties_root(const gmem_ties_t *ties, uint32_t buffer,
                        int64_t *distance);

// How to take a join back, the last one first.
typedef struct gmem_join_s {
  uint32_t lower, upper; // roots before; the same: nothing was joined
  gmem_group_t group;    // of |upper|, before
} gmem_join_t;

// Says that |child| lies |distance| bytes above |parent|. Changes nothing
// unless it returns GMEM_TIED. |out_join| may be NULL. O(log n).
gmem_untied_t gmem_ties_join(gmem_ties_t *ties, const gmem_problem_t *problem,
                             uint32_t child, uint32_t parent, uint64_t distance,
                             gmem_join_t *out_join);
void gmem_ties_undo(gmem_ties_t *ties, const gmem_join_t *join);

// The ties of the aliases and blocks of |problem| that are not optional; NULL:
// there are none.
const gmem_ties_t *gmem_problem_ties(const gmem_problem_t *problem);

// What the group of |buffer| needs, |ties| may be NULL.
gmem_group_t gmem_ties_group(const gmem_ties_t *ties,
                             const gmem_problem_t *problem, uint32_t buffer);

// Where the buffers of a block lie: bytes from the start of the first, each at
// the first multiple of its own alignment behind the one before. Empty ones
// are passed over. Returns the distance of the next, or false when that is
// above every address.
bool gmem_block_next(const gmem_problem_t *problem, uint32_t buffer,
                     uint64_t *end, uint64_t *distance);

#endif // GMEM_PLANNER_TIES_H_
