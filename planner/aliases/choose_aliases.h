// choose_aliases.h - selects optional aliases that can be used together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_CHOOSE_ALIASES_H_
#define GMEM_PLANNER_CHOOSE_ALIASES_H_

#include "live_boxes.h"
#include "offset_group.h"
#include "planner_internal.h"
#include "planner_memory.h"
#include "scratch.h"

// Of a group: its stays, and the positions of the members that need the
// alignment of the pool.
typedef struct gmem_origin_s {
  uint32_t tree;     // of the stays
  uint32_t count;    // of such members
  uint64_t distance; // bytes from the root to any of them, modulo the alignment
} gmem_origin_t;

// Of each buffer the aliases that it stands for, in some order: those of b are
// at[first[b] .. first[b + 1]).
typedef struct gmem_aliases_by_buffer_s {
  uint32_t *first, *at;
} gmem_aliases_by_buffer_t;

// Entries that are sorted by key.
typedef struct gmem_key_list_s {
  gmem_order_t *at;
  size_t count;
} gmem_key_list_t;

typedef struct gmem_choice_s {
  const gmem_problem_t *problem;
  gmem_scratch_t memory;       // of everything below
  gmem_offset_groups_t groups; // of the used and the non-optional aliases
  bool *chosen;                // by alias: optional and used
  size_t alias_count;
  // Constant data.
  gmem_aliases_by_buffer_t leaves; // optional aliases, by their lower buffer;
                                   //   in order of the other one
  uint32_t leaf_count;
  gmem_aliases_by_buffer_t starts; // aliases at offset 0, by their parent
  gmem_key_list_t conflicts;       // key: a buffer and another
  uint64_t pool_alignment;         // the largest of all pools
  uint32_t *late;                  // scratch, by alias
  // Data of the groups.
  uint32_t *next; // by buffer: the next member of its group, in a ring
  gmem_live_boxes_t stays;
  uint32_t *first_stay; // by buffer, and one more
  bool *is_inner; // by buffer: starts inside another, exempt from the pool's
                  // alignment
  bool *is_child; // by buffer: of a used or non-optional alias
  gmem_origin_t *origins; // by root; like stays.at, while aliases are chosen
  uint32_t *queue;        // scratch, by buffer
} gmem_choice_t;

// Fails with OUT_OF_MEMORY; |choice| may be destroyed even after failure, and
// |diag| is used until then. O(n log n).
gmem_status_t gmem_choice_create(const gmem_problem_t *problem,
                                 gmem_choice_t *choice, gmem_diag_t *diag);
static inline void gmem_choice_destroy(gmem_choice_t *choice) {
  gmem_scratch_free(&choice->memory);
}

// Sets |*position| to the first optional alias of the two buffers in
// |leaves.at|; the others follow it. Returns their number.
uint32_t gmem_choice_find(const gmem_choice_t *choice, uint32_t a, uint32_t b,
                          uint32_t *position);

// Uses, in order, those of the |count| aliases in |order| that are possible
// together with the ones used before; |chosen| then holds the used optional
// aliases. O(n log^2 n). Fails with OUT_OF_MEMORY.
gmem_status_t gmem_choose_aliases(gmem_choice_t *choice, const uint32_t *order,
                                  size_t count);

#endif // GMEM_PLANNER_CHOOSE_ALIASES_H_
