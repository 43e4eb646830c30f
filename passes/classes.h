// classes.h - which values are one piece of memory, and how long it is wanted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_CLASSES_H_
#define GMEM_PASSES_CLASSES_H_

#include "liveness.h"

// Whether two values of which one is the other (a reshape and its operand, an
// argument and what is passed for it) can be one piece of memory: both are
// planned and of one size.
bool gmem_is_same_memory(const gmem_schedule_t *schedule,
                         const gmem_life_t *lives, uint32_t left,
                         uint32_t right);

// Sets the roots of |lives| and lists the classes of tensors in |*out_classes|,
// in the order of their roots, with lives on the timeline of |contexts|.
// Everything lives in |arena|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_classes_build(const gmem_call_contexts_t *contexts,
                                 const gmem_schedule_t *schedule,
                                 const gmem_calls_t *calls,
                                 const gmem_memrefs_t *memrefs,
                                 gmem_life_t *lives, gmem_arena_t *arena,
                                 gmem_class_t **out_classes, size_t *out_count,
                                 gmem_diag_t *diag);

#endif // GMEM_PASSES_CLASSES_H_
