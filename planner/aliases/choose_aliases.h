// choose_aliases.h - which optional aliases are taken together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_CHOOSE_ALIASES_H_
#define GMEM_PLANNER_CHOOSE_ALIASES_H_

#include "live_boxes.h"
#include "offset_group.h"
#include "planner_internal.h"

// Of a group: where the members lie that have the alignment of the pool.
typedef struct gmem_origin_s {
  uint32_t count;    // of such members
  uint64_t distance; // bytes from the root to any of them, modulo the alignment
} gmem_origin_t;

typedef struct gmem_choice_s {
  const gmem_problem_t *problem;
  gmem_offset_groups_t groups; // of the chosen, and those that are not optional
  bool *chosen;                // by alias: it is optional and holds
  size_t alias_count, optional_count;
  // What never changes.
  gmem_order_t *leaves;    // optional aliases: key: both buffers, the lower
                           //   first, index: alias; sorted; and scratch
  gmem_order_t *starts;    // aliases at offset 0: key: parent, index: alias;
                           //   sorted; and scratch
  gmem_order_t *conflicts; // key: a buffer and another; sorted; and scratch
  size_t start_count, conflict_count;
  uint64_t pool_alignment; // the largest of all pools
  uint32_t *late;          // scratch, by alias
  // What belongs to the groups.
  uint32_t *next; // by buffer: the next of its group, in a ring
  uint32_t *tree; // by root: of the stays of the group
  gmem_live_boxes_t stays;
  size_t *first_stay; // by buffer, and one more
  size_t stay_count;
  bool *is_inner;         // by buffer: it has not the alignment of the pool
  gmem_origin_t *origins; // by root
  uint32_t *queue;        // scratch, by buffer
  uint64_t look_limit;    // of |stays.looks|: then nothing more is taken
} gmem_choice_t;

// Fails with OUT_OF_MEMORY; |choice| may be destroyed all the same.
// O(n log n).
gmem_status_t gmem_choice_create(const gmem_problem_t *problem,
                                 gmem_choice_t *choice, gmem_diag_t *diag);
void gmem_choice_destroy(gmem_choice_t *choice);

// Takes, in their order, those of the |count| aliases in |order| that are
// possible together with those taken before; then |chosen| says which optional
// aliases hold. O(n log^2 n). Fails with OUT_OF_MEMORY.
gmem_status_t gmem_choose_aliases(gmem_choice_t *choice, const uint32_t *order,
                                  size_t count, gmem_diag_t *diag);

#endif // GMEM_PLANNER_CHOOSE_ALIASES_H_
