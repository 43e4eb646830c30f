// offset_group.h - groups of buffers at fixed relative offsets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_OFFSET_GROUP_H_
#define GMEM_PLANNER_OFFSET_GROUP_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The address of root + anchor is a multiple of |bytes|, a power of two.
typedef struct gmem_alignment_s {
  uint64_t bytes, anchor;
} gmem_alignment_t;

// The joint constraints of a group; distances are in bytes from its root.
typedef struct gmem_offset_group_s {
  int64_t low, high;          // the group occupies [low, high)
  int64_t fixed;              // offset of the root in the pool, when |is_fixed|
  gmem_alignment_t alignment; // then every member has its own alignment
  uint64_t candidates; // bit i: pools[i] of |pools_of| is one of all members
  uint32_t pools_of;   // a member; its order of candidates applies
  bool is_fixed;
} gmem_offset_group_t;

// A node of the union-find forest.
typedef struct gmem_offset_link_s {
  uint32_t up;    // parent; itself: root of its group
  uint32_t count; // of a root: number of members
  union {
    int64_t distance; // bytes from |up| to this buffer, of one that is no root
    uint32_t joint;   // of a root of several: where their constraints are
  };
} gmem_offset_link_t;

typedef struct gmem_offset_groups_s {
  gmem_offset_link_t *at; // by buffer
  size_t count, capacity;
  gmem_offset_group_t *joint; // of groups of several, those that have been
                              //   joined to others included; room for all
  size_t joint_count, joint_capacity;
} gmem_offset_groups_t;

// Why two buffers cannot be joined at a given distance.
typedef enum gmem_untied_e {
  GMEM_TIED = 0,
  GMEM_UNTIED_ELSEWHERE, // already joined, at another distance
  GMEM_UNTIED_RANGE,     // together larger than every pool
  GMEM_UNTIED_ALIGNMENT,
  GMEM_UNTIED_POOLS, // no common candidate pool
  GMEM_UNTIED_FIXED, // incompatible fixed offsets
} gmem_untied_t;

// Undo record of a join. Joins are undone in reverse order.
typedef struct gmem_join_s {
  uint32_t lower, upper;     // roots before the join; equal: no join was needed
  uint32_t joint;            // of |lower|, before the join
  gmem_offset_group_t group; // of |upper|, before the join
} gmem_join_t;

#endif // GMEM_PLANNER_OFFSET_GROUP_H_
