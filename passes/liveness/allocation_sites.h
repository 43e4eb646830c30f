// allocation_sites.h - allocation sites of memrefs, and why one is not planned.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_ALLOCATION_SITES_H_
#define GMEM_PASSES_ALLOCATION_SITES_H_

#include "gmem/planner.h"
#include "points_to.h"

// Why a root is left alone. Texts are in memrefs.c.
typedef enum gmem_unplanned_e {
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
} gmem_unplanned_t;

typedef struct gmem_allocation_site_s {
  uint32_t value; // of the schedule
  // The value of the first of those roots that are at one place, as there is
  // never more than one of them at a time; or its own.
  uint32_t place;
  gmem_unplanned_t reason;
  uint32_t cause; // op that is the reason, or GMEM_NO_INDEX
  // The values that may be it, itself first, then in no order that means
  // anything. Where there would be too many, roots share a list of all that
  // any of them may be, themselves not first.
  const uint32_t *seen_as;
  size_t seen_count;
  bool is_shared; // the list is
  // In which calls it is seen as them; none when the list is shared: in all.
  const gmem_site_value_t *site_values;
  size_t sight_count;
  // When a planned root is wanted, on the timeline of the contexts of calls,
  // and how often it is used.
  const gmem_live_range_t *ranges;
  size_t range_count;
  uint64_t uses;
} gmem_allocation_site_t;

typedef struct gmem_memrefs_s {
  gmem_allocation_site_t *roots; // in the order of their values
  size_t root_count;
  // Ops of the schedule that free nothing but planned roots: once these have
  // their places, nothing is left for them to do.
  uint32_t *deallocs;
  size_t dealloc_count;
} gmem_memrefs_t;

// "it is returned", "it is stored in memory", ...; never NULL.
const char *gmem_unplanned_text(gmem_unplanned_t reason);

// What is to be said at the culprit: "returned here"; never NULL.
const char *gmem_unplanned_cause_text(gmem_unplanned_t reason);

// The root that |value| is, or NULL.
const gmem_allocation_site_t *
gmem_allocation_site_of(const gmem_memrefs_t *memrefs, uint32_t value);

// The index of the first root from |value| on, or the number of roots.
size_t gmem_allocation_sites_from(const gmem_memrefs_t *memrefs,
                                  uint32_t value);

#endif // GMEM_PASSES_ALLOCATION_SITES_H_
