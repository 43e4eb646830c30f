// offset_group.h - groups of buffers at fixed distances from each other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_OFFSET_GROUP_H_
#define GMEM_PLANNER_OFFSET_GROUP_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gmem_offset_link_s {
  uint32_t up;      // itself: the root of its group
  uint32_t count;   // of a root: members of its group
  int64_t distance; // bytes from |up| to here
} gmem_offset_link_t;

// What a group needs; distances are bytes from its root.
typedef struct gmem_offset_group_s {
  int64_t low, high;   // its bytes are [low, high)
  int64_t fixed;       // offset of the root in the pool, when |is_fixed|
  uint64_t alignment;  // the address of root + anchor is a multiple of it:
  uint64_t anchor;     //   then every member has its own alignment
  uint64_t candidates; // bit i: pools[i] of |pools_of| suits all members
  uint32_t pools_of;   // a member; the order of its candidates counts
  bool is_fixed;
} gmem_offset_group_t;

typedef struct gmem_offset_groups_s {
  gmem_offset_link_t *at;      // by buffer
  gmem_offset_group_t *groups; // by root
  size_t count, at_capacity, group_capacity;
} gmem_offset_groups_t;

// Why two buffers cannot be tied.
typedef enum gmem_untied_e {
  GMEM_TIED = 0,
  GMEM_UNTIED_ELSEWHERE, // they are tied already, with another distance
  GMEM_UNTIED_RANGE,     // together they are larger than every pool
  GMEM_UNTIED_ALIGNMENT,
  GMEM_UNTIED_POOLS, // they have no candidate pool in common
  GMEM_UNTIED_FIXED, // fixed offsets are in the way
} gmem_untied_t;

// How to take a join back, the last one first.
typedef struct gmem_join_s {
  uint32_t lower, upper;     // roots before; the same: nothing was joined
  gmem_offset_group_t group; // of |upper|, before
} gmem_join_t;

#endif // GMEM_PLANNER_OFFSET_GROUP_H_
