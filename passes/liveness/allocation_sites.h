// allocation_sites.h - allocation sites of memrefs and the reasons why a site
// is not planned.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_ALLOCATION_SITES_H_
#define GMEM_PASSES_ALLOCATION_SITES_H_

#include "points_to.h"

// Why an allocation site is not planned. The texts are in allocation_sites.c.
typedef enum gmem_unplanned_e {
  GMEM_MEMREF_PLANNED,
  GMEM_MEMREF_UNWANTED, // option memrefs=false
  GMEM_MEMREF_DYNAMIC,  // dynamic size without a known bound
  GMEM_MEMREF_LAYOUT,   // layout without static strides
  GMEM_MEMREF_ELEMENT,  // element type of unknown size
  GMEM_MEMREF_STACK,    // an alloca, without option allocas=true
  GMEM_MEMREF_RETURNED, // returned to unknown callers
  GMEM_MEMREF_STORED,   // stored in memory
  GMEM_MEMREF_CALLED,   // passed to an unknown function
  GMEM_MEMREF_HANDLE,   // escapes through a value that is not a memref: a
                        // pointer, a tensor, a token
  GMEM_MEMREF_KEPT,     // an op without results may access it later
  GMEM_MEMREF_CARRIED,  // several instances may be live at once
  GMEM_MEMREF_LAPPED,   // a stream may still access the previous instance
  GMEM_MEMREF_FUNCTION, // in a function other than func.func
  GMEM_MEMREF_PARALLEL, // in code that may run concurrently with itself
  GMEM_MEMREF_FREED,    // deallocated together with unplanned memory
  GMEM_UNPLANNED_COUNT,
} gmem_unplanned_t;

typedef struct gmem_allocation_site_s {
  uint32_t value; // value of the program
  gmem_unplanned_t reason;
  uint32_t cause; // op to name in the diagnostic, or GMEM_NO_INDEX
  // Values that may point to the site: the site itself first, the others in no
  // particular order. When the exact points-to sets become too large, several
  // sites share one list, the union of their sets; the site is then not first.
  const uint32_t *aliases;
  size_t alias_count;
  bool is_shared; // the list is
  // The same values with the call contexts in which they point to the site.
  // Empty if |is_shared|: then all contexts.
  const gmem_site_value_t *site_values;
  size_t site_value_count;
  // Live ranges of a planned site, on the timeline of the call contexts, and
  // the number of uses.
  const gmem_live_range_t *ranges;
  size_t range_count;
  uint64_t uses;
} gmem_allocation_site_t;

typedef struct gmem_memrefs_s {
  gmem_allocation_site_t *sites; // ordered by value
  size_t site_count;
} gmem_memrefs_t;

// The reason as a clause: "it is returned", "it is stored in memory", ...;
// never NULL.
const char *gmem_unplanned_text(gmem_unplanned_t reason);

// The text of the note at |cause|: "returned here"; never NULL, may be empty.
const char *gmem_unplanned_cause_text(gmem_unplanned_t reason);

// What would help: options, attributes, passes. NULL: nothing that is known.
const char *gmem_unplanned_help_text(gmem_unplanned_t reason);

// The allocation site with this value, or NULL.
const gmem_allocation_site_t *
gmem_allocation_site_of(const gmem_memrefs_t *memrefs, uint32_t value);

#endif // GMEM_PASSES_ALLOCATION_SITES_H_
