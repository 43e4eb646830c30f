// memref_analysis.h - state shared by the files that analyse memrefs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_MEMREF_ANALYSIS_H_
#define GMEM_PASSES_MEMREF_ANALYSIS_H_

#include "gmem/passes.h"
#include "memref_escapes.h"
#include "memref_flow.h"
#include "value_liveness.h"

typedef struct gmem_memref_analysis_s {
  const gmem_program_facts_t *facts;
  const gmem_program_t *program;
  const gmem_call_contexts_t *contexts;
  const gmem_model_options_t *options;
  gmem_bump_t *arena;
  gmem_memrefs_t *memrefs;
  gmem_memref_flow_t flow;
  gmem_memref_escape_t *escapes;
  // By function: the op that may run it concurrently with itself, or
  // GMEM_NO_INDEX.
  uint32_t *parallel;
  const gmem_live_value_t *live_values;
  // Of the current site, on the timeline:
  gmem_ranges_t ranges;
  gmem_ranges_t live; // |ranges| without |cuts|
  gmem_ranges_t cuts; // steps and times before the first access
  bool has_accesses;  // the arrays below describe the current site
  // Entries are valid if equal to |stamp|, which is unique per site, so that
  // the arrays need not be cleared.
  uint32_t stamp;
  uint32_t *accessed;          // by block: stamp
  uint32_t *first_access;      // by block: first op that accesses the site
                               // itself or in its regions
  uint32_t *accesses_directly; // by op: stamp; not only in its regions
  uint32_t *accesses;          // by op: stamp; itself or in its regions
  uint32_t *blocks;            // work stack
  // Live ranges of the common list of all sites with |is_shared|, computed
  // once; without those of the sites' own values.
  const gmem_live_range_t *shared_ranges;
  size_t shared_count;
  gmem_diag_t *diag;
} gmem_memref_analysis_t;

// Marks the site as not planned. The first reason is kept.
static inline void gmem_memref_exclude(gmem_allocation_site_t *site,
                                       gmem_unplanned_t reason,
                                       uint32_t cause) {
  if (site->reason != GMEM_MEMREF_PLANNED || reason == GMEM_MEMREF_PLANNED)
    return;
  site->reason = reason;
  site->cause = cause;
}

#endif // GMEM_PASSES_MEMREF_ANALYSIS_H_
