// classes.h - which values are one piece of memory, and how long it is wanted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_CLASSES_H_
#define GMEM_PASSES_CLASSES_H_

#include "call_graph.h"
#include "memref_roots.h"
#include "schedule.h"
#include "value_lives.h"

// The lives of a class as a whole.
typedef struct gmem_class_s {
  uint32_t root;                   // value; GMEM_STORAGE_TENSOR
  const gmem_live_range_t *ranges; // on the timeline, sorted and joined
  size_t range_count;
  uint64_t uses;   // how often it is read or written, in the text
  bool is_written; // an op changes its contents where they are
  bool is_lasting; // it is live for more than one step of a function at a time
} gmem_class_t;

// Sets the roots of |lives| and lists the classes of tensors in |*out_classes|,
// in the order of their roots, with lives on the timeline of |contexts|.
// Everything lives in |arena|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_classes_build(const gmem_call_contexts_t *contexts,
                                 const gmem_program_t *schedule,
                                 const gmem_calls_t *calls,
                                 const gmem_memrefs_t *memrefs,
                                 gmem_life_t *lives, gmem_arena_t *arena,
                                 gmem_class_t **out_classes, size_t *out_count,
                                 gmem_diag_t *diag);

#endif // GMEM_PASSES_CLASSES_H_
