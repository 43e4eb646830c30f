// points_to.h - all that a root is seen as, and in which calls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An argument of a function that is called in several places is another memref
// in each of them, so a walk remembers the calls that it came in by, and leaves
// by these alone. In
//
//   func @f() { %a = alloc; call @g(%a); %b = alloc; call @g(%b) }
//   func @g(%x) { ... }
//
// %a is %x in the first context of @g, and %b in the second: they never meet.
// A function that has one context for all calls (call_contexts.h) is left by
// all of them.

#ifndef GMEM_PASSES_POINTS_TO_H_
#define GMEM_PASSES_POINTS_TO_H_

#include "call_contexts.h"
#include "memref_flow.h"

// The root may be |value| in context |context|, and in what that is to context
// |base|, the first one of its function, in what it is to all others of these.
typedef struct gmem_site_value_s {
  uint32_t value;
  uint32_t context, base;
} gmem_site_value_t;

typedef struct gmem_points_to_s gmem_points_to_t;

// |first_user|: of the uses. Everything lives in |arena|. Returns NULL when
// memory is out.
gmem_points_to_t *gmem_points_to_begin(const gmem_program_t *program,
                                       const gmem_calls_t *calls,
                                       const gmem_call_contexts_t *contexts,
                                       const gmem_memref_flow_t *flow,
                                       const uint32_t *first_user,
                                       gmem_bump_t *arena);

typedef struct gmem_site_values_s {
  const uint32_t *values; // each of them once
  size_t value_count;
  const gmem_site_value_t *site_values; // all in all calls
  size_t sight_count;
} gmem_site_values_t;

// Finds all that value |root| is seen as. Returns false when memory is out, or
// all walks together have passed more edges, and seen values with more uses,
// than a constant times what there are. |*out_sights| has no sights then.
bool gmem_points_to_from(gmem_points_to_t *walk, uint32_t root,
                         gmem_site_values_t *out_sights);

// All values that any of |roots| may be, in whatever calls; they are not among
// the sights. Returns whether there was memory.
bool gmem_points_to_together(gmem_points_to_t *walk, const uint32_t *roots,
                             size_t count, gmem_site_values_t *out_sights);

#endif // GMEM_PASSES_POINTS_TO_H_
