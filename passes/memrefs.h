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

#include "memref_walk.h"
#include "schedule.h"

typedef struct gmem_life_s gmem_life_t;
typedef struct gmem_uses_s gmem_uses_t;
typedef struct gmem_memref_finder_s gmem_memref_finder_t;
typedef struct gmem_stream_laps_s gmem_stream_laps_t;

// Why a root is left alone. Texts are in memrefs.c.
typedef enum gmem_memref_fate_e {
  GMEM_MEMREF_PLANNED,
  GMEM_MEMREF_UNWANTED, // memrefs are not to be planned
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
  GMEM_MEMREF_LAPPED,   // a stream may still use it when it is allocated again
  GMEM_MEMREF_FUNCTION, // in a function that is no func.func
  GMEM_MEMREF_PARALLEL, // in code that runs several times at once
  GMEM_MEMREF_FREED,    // together with memory that is left alone
  GMEM_MEMREF_FATE_COUNT,
} gmem_memref_fate_t;

typedef struct gmem_memref_root_s {
  uint32_t value; // of the schedule
  // The value of the first of those roots that are at one place, as there is
  // never more than one of them at a time; or its own.
  uint32_t place;
  gmem_memref_fate_t fate;
  uint32_t culprit; // op that is the reason, or GMEM_NO_INDEX
  // The values that may be it, itself first, then in no order that means
  // anything. Where there would be too many, roots share a list of all that
  // any of them may be, themselves not first.
  const uint32_t *seen_as;
  size_t seen_count;
  bool is_shared; // the list is
  // In which calls it is seen as them; none when the list is shared: in all.
  const gmem_memref_sight_t *sights;
  size_t sight_count;
  // When a planned root is wanted, on the timeline of the contexts of calls,
  // and how often it is used.
  const gmem_live_range_t *ranges;
  size_t range_count;
  uint64_t uses;
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

// What is to be said at the culprit: "returned here"; never NULL.
const char *gmem_memref_culprit_text(gmem_memref_fate_t fate);

// The root that |value| is, or NULL.
const gmem_memref_root_t *gmem_memref_root_of(const gmem_memrefs_t *memrefs,
                                              uint32_t value);

// The index of the first root from |value| on, or the number of roots.
size_t gmem_memref_roots_from(const gmem_memrefs_t *memrefs, uint32_t value);

// Lists the roots, where they flow, and what that alone says of their fate. The
// finder is for the call below; everything lives in |arena|. Fails with
// OUT_OF_MEMORY.
gmem_status_t
gmem_memrefs_find(const gmem_call_contexts_t *contexts,
                  const gmem_schedule_t *schedule, const gmem_calls_t *calls,
                  const gmem_control_flow_t *control, const gmem_uses_t *uses,
                  const gmem_stream_laps_t *laps,
                  const gmem_model_options_t *options, gmem_arena_t *arena,
                  gmem_memrefs_t *memrefs, gmem_memref_finder_t **out_finder,
                  gmem_diag_t *diag);

// Settles the fates, lives and frees, from the own ranges of all memrefs. Fails
// with OUT_OF_MEMORY.
gmem_status_t gmem_memrefs_settle(gmem_memref_finder_t *finder,
                                  const gmem_life_t *lives, gmem_diag_t *diag);

#endif // GMEM_PASSES_MEMREFS_H_
