// memref_analysis.h - state and steps of the analysis of memrefs, which
// memrefs.c drives.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_MEMREF_ANALYSIS_H_
#define GMEM_PASSES_MEMREF_ANALYSIS_H_

#include "gmem/passes.h"
#include "memref_escapes.h"
#include "value_liveness.h"

// The ops that access the current site. Entries of the arrays are valid if
// equal to |stamp|, which is unique per site, so that they need not be cleared.
typedef struct gmem_site_accesses_s {
  bool are_known; // for the current site
  uint32_t stamp;
  uint32_t *in_block; // by block: stamp
  uint32_t *first;    // by block: first op that accesses the site itself or in
                      // its regions
  uint32_t *directly; // by op: stamp; not only in its regions
  uint32_t *by_op;    // by op: stamp; itself or in its regions
  // Those of |by_op|: their functions' positions, and under them UINT32_MAX
  // minus the op.
  GMEM_LIST(uint64_t) ops;
  uint32_t *through;   // by op of |directly|: the value; GMEM_NO_INDEX: several
  uint32_t *arguments; // by function: the same of its arguments; valid if
  uint32_t *in_function; // by function: stamp; an argument may denote the site
  uint32_t top;          // block of the allocation
  bool is_enclosed; // ops of its function that do are behind the allocation and
                    //   in its block
  bool is_simple;   // none of them uses the site longer than it runs
  GMEM_LIST(uint32_t) calls; // ops: without contents that are read before
} gmem_site_accesses_t;

// The effect of code on the contents that a memref has before it (bits).
typedef enum gmem_contents_effect_e {
  GMEM_CONTENTS_READ = 1,  // some may be read before they are overwritten
  GMEM_CONTENTS_KEPT = 2,  // some may be there behind it
  GMEM_CONTENTS_SHOWN = 4, // it is where gaps count
} gmem_contents_effect_t;

// Of a block and the current site.
typedef struct gmem_block_contents_s {
  uint32_t stamp, entered; // |effect| is valid; the others are
  uint8_t effect;     // of its ops that have been looked at, last ones first
  bool is_live;       // the contents are read behind the current op
  bool may_have_gaps; // gaps in it are gaps of the site
  int64_t next; // step of the last access that was looked at, or of the end
} gmem_block_contents_t;

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
  gmem_site_accesses_t accesses;
  uint8_t *effects;                // by op that accesses the site
  gmem_block_contents_t *contents; // by block
  uint32_t *positions; // by function, in the order of the calls: callees first
  // Of the current site, on the timeline:
  gmem_ranges_t ranges;
  gmem_ranges_t live;        // |ranges| without |cuts|
  gmem_ranges_t cuts;        // steps and times without contents
  gmem_ranges_t callee_gaps; // the same of its callees, in their steps
  // Live ranges of the common list of all sites with |is_shared|, computed
  // once; without those of the sites' own values.
  gmem_ranges_t shared;
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

// The first op of |block| that accesses the current site, itself or in its
// regions, or GMEM_NO_INDEX.
static inline uint32_t
gmem_memref_first_access(const gmem_memref_analysis_t *analysis,
                         uint32_t block) {
  const gmem_site_accesses_t *accesses = &analysis->accesses;
  assert(accesses->are_known && block < analysis->program->block_count);
  return accesses->in_block[block] == accesses->stamp ? accesses->first[block]
                                                      : GMEM_NO_INDEX;
}

// The steps below leave it to the caller to find that memory is out, except for
// the deallocations, which fail with OUT_OF_MEMORY.

// Marks the site as not planned if an instance may still be live, or in use,
// when the next iteration or call executes the allocation again: the instances
// then cannot share one address.
void gmem_memref_check_loop_carried(gmem_memref_analysis_t *analysis,
                                    gmem_allocation_site_t *site);

// Marks every site as not planned (GMEM_MEMREF_FREED) that a deallocation may
// free together with unplanned memory.
gmem_status_t gmem_memref_find_deallocations(gmem_memref_analysis_t *analysis);

// If the first access to the site is a call, sets |cuts| to the times, on the
// timeline, from the call to the first access in the callee; otherwise to
// nothing. Call after the accesses of the site are recorded.
void gmem_memref_find_first_use(gmem_memref_analysis_t *analysis,
                                const gmem_allocation_site_t *site);

// Adds to |cuts| the steps, of the function of the allocation, between an
// access and one that overwrites the site without reading it, on each path.
// Lists the calls that begin in such a gap. Call after the accesses are
// recorded.
void gmem_memref_find_gaps(gmem_memref_analysis_t *analysis,
                           const gmem_allocation_site_t *site);

// Adds to |cuts|, which are times, those gaps that are in callees.
void gmem_memref_cut_callees(gmem_memref_analysis_t *analysis,
                             const gmem_allocation_site_t *site);

// Sets the live ranges and uses of a planned site.
void gmem_memref_find_live_ranges(gmem_memref_analysis_t *analysis,
                                  gmem_allocation_site_t *site);

#endif // GMEM_PASSES_MEMREF_ANALYSIS_H_
