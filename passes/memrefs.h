// memrefs.h - the memory that a program allocates itself: which of it can be
// planned, who sees it, and where it is freed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A *root* is the memref that an op of kind "alloc" makes. Any other memref
// *may be* any number of roots: it flows there from a root by views, control
// flow, calls, and ops that nobody knows. A root is wanted from the first op
// that touches it, by whatever memref it may be seen, to the last; frees do not
// count. No interfaces of ops are needed. Where a memref may go where nobody
// can follow it, its roots are left to the program.

#ifndef GMEM_PASSES_MEMREFS_H_
#define GMEM_PASSES_MEMREFS_H_

#include "calls.h"
#include "schedule.h"

// Why a root is left alone. Texts are in memrefs.c.
typedef enum gmem_memref_fate_e {
  GMEM_MEMREF_PLANNED,
  GMEM_MEMREF_DYNAMIC,  // its size is not known, nor a bound of it
  GMEM_MEMREF_LAYOUT,   // a layout that has no strides, or dynamic ones
  GMEM_MEMREF_ELEMENT,  // of elements of unknown size
  GMEM_MEMREF_STACK,    // an alloca, and those are not asked for
  GMEM_MEMREF_RETURNED, // to callers that nobody knows
  GMEM_MEMREF_STORED,   // in memory
  GMEM_MEMREF_CALLED,   // given to a function that nobody knows
  GMEM_MEMREF_HANDLE,   // something else than a memref stands for it: a
                        //   pointer, a tensor, a token
  GMEM_MEMREF_CARRIED,  // several of it may be wanted at once
  GMEM_MEMREF_PARALLEL, // in code that runs several times at once
  GMEM_MEMREF_FREED,    // together with memory that is left alone
  GMEM_MEMREF_FATE_COUNT,
} gmem_memref_fate_t;

typedef struct gmem_memref_root_s {
  uint32_t value; // of the schedule
  gmem_memref_fate_t fate;
  uint32_t culprit; // op that is the reason, or GMEM_NO_INDEX
} gmem_memref_root_t;

typedef struct gmem_memrefs_s {
  gmem_memref_root_t *roots; // in the order of their values
  size_t root_count;
  // Ops of the schedule that free nothing but planned roots: once these have
  // their places, nothing is left for them to do.
  uint32_t *deallocs;
  size_t dealloc_count;
} gmem_memrefs_t;

// "it is returned", "it is stored in memory", ...; never NULL.
const char *gmem_memref_fate_text(gmem_memref_fate_t fate);

#endif // GMEM_PASSES_MEMREFS_H_
