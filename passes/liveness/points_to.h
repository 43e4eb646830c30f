// points_to.h - context-sensitive points-to analysis: all values that may
// denote an allocation site, and in which call contexts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An argument of a function that is called in several places is a different
// memref in each call. The traversal therefore records the call by which it
// enters a function and leaves the function by this call only. In
//
//   func @f() { %a = alloc; call @g(%a); %b = alloc; call @g(%b) }
//   func @g(%x) { ... }
//
// %x is %a in the first context of @g and %b in the second, so that %a and %b
// do not interfere. The traversal leaves a function that has one context for
// all its calls (call_contexts.h) by every call.

#ifndef GMEM_PASSES_POINTS_TO_H_
#define GMEM_PASSES_POINTS_TO_H_

#include "memref_flow.h"

// The site may be |value| in context |context|, which is |base| or inside of
// it. |base| is the first context of the function in which the call string
// begins; the same holds in the corresponding context inside every other
// context of that function.
typedef struct gmem_site_value_s {
  uint32_t value;
  uint32_t context, base;
} gmem_site_value_t;

typedef struct gmem_points_to_s gmem_points_to_t;

// The analysis and all results are allocated in |arena|. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_points_to_begin(const gmem_program_facts_t *facts,
                                   const gmem_memref_flow_t *flow,
                                   gmem_bump_t *arena,
                                   gmem_points_to_t **out_analysis,
                                   gmem_diag_t *diag);

typedef struct gmem_site_values_s {
  const uint32_t *values; // without duplicates
  size_t value_count;
  const gmem_site_value_t *site_values; // one per value and context
  size_t site_value_count;
} gmem_site_values_t;

// Finds all values that may denote the site |site|. Returns false, with an
// empty |*out_values|, if out of memory or over budget: all traversals together
// may cost at most a constant times the number of edges and uses.
bool gmem_points_to_from(gmem_points_to_t *analysis, uint32_t site,
                         gmem_site_values_t *out_values);

// Finds all values that may denote any of |sites|, context-insensitively:
// |site_values| is empty. Linear in the flow graph. Returns false if out of
// memory.
bool gmem_points_to_together(gmem_points_to_t *analysis, const uint32_t *sites,
                             size_t count, gmem_site_values_t *out_values);

#endif // GMEM_PASSES_POINTS_TO_H_
