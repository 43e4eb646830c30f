// memref_analysis.h - what the files that look for plannable memrefs share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_MEMREF_ANALYSIS_H_
#define GMEM_PASSES_MEMREF_ANALYSIS_H_

#include "gmem/passes.h"
#include "loop_hazards.h"
#include "memref_escapes.h"
#include "memref_flow.h"
#include "uses.h"
#include "value_liveness.h"

struct gmem_memref_analysis_s {
  const gmem_call_contexts_t *contexts;
  const gmem_program_t *program;
  const gmem_calls_t *calls;
  const gmem_control_flow_t *control;
  const gmem_uses_t *uses;
  const gmem_loop_hazards_t *hazards;
  const gmem_model_options_t *options;
  gmem_bump_t *arena;
  gmem_memrefs_t *memrefs;
  gmem_memref_flow_t flow;
  gmem_memref_escape_t *escapes;
  uint32_t *parallel; // by function: op that runs it several times at once, or
                      //   GMEM_NO_INDEX
  const gmem_live_value_t *live_values;
  uint32_t *first_region; // by op: of the regions it owns, or GMEM_NO_INDEX
  uint32_t *next_region;  // by region: of the same owner, or GMEM_NO_INDEX
  gmem_ranges_t ranges;   // of the root at hand, on the timeline
  gmem_ranges_t wanted;   // of these, what is left in the end
  gmem_ranges_t cuts;     // steps at which nothing is in its memory yet
  bool has_touches;       // those of the root at hand are marked
  uint32_t stamp;         // of the root at hand: what is marked with another
  uint32_t *touched;      //   one is not marked, by block
  uint32_t *first_touch;  // by block: the first op in it, or around what is in
                          //   it, that touches the root
  uint32_t *touches_itself; // by op: marked if not only what is in it does
  uint32_t *touches;        // by op: marked if it does, or what is in it
  uint32_t *blocks;         // a stack
  // The roots whose lists are shared all share one: when it is wanted, but for
  // by the names of roots.
  const gmem_live_range_t *shared_ranges;
  size_t shared_count;
  gmem_diag_t *diag;
};

typedef struct gmem_memref_analysis_s gmem_memref_analysis_t;

// Leaves the root alone, unless there is a reason for that already.
static inline void gmem_memref_leave(gmem_allocation_site_t *root,
                                     gmem_unplanned_t reason, uint32_t cause) {
  if (root->reason != GMEM_MEMREF_PLANNED || reason == GMEM_MEMREF_PLANNED)
    return;
  root->reason = reason;
  root->cause = cause;
}

#endif // GMEM_PASSES_MEMREF_ANALYSIS_H_
