// search.h - the state of one call of gmem_solve: work done, limits, progress.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_SEARCH_H_
#define GMEM_PLANNER_SEARCH_H_

#include "gmem/planner.h"

struct gmem_search_s {
  gmem_effort_t effort;
  uint64_t steps;       // done in all
  uint64_t step_limit;  // in all
  uint64_t stage_start; // |steps| when the stage began
  uint64_t stage_limit; // |steps| at which the stage ends
  uint64_t searches;    // exact ones so far: each has random numbers of its own
  uint64_t next_report; // |steps| at which |progress| is called again
  gmem_progress_fn progress;
  void *progress_user;
  const char *stage;
  uint64_t peak, lower_bound; // for reports
  // |lower_bound| is not known yet: it is that of the packing of the one pool.
  bool takes_bound;
  // What is found now is no plan of the whole: it is one of several pools or
  // parts, or one of several choices that may not hold.
  bool is_partial;
  bool cancelled;
  // Set by an engine: no placement of the packing it was given has a lower peak
  // than the one it returns. After a whole algorithm: no plan has.
  bool proved;
};

// The search of one call, |stage| its first stage.
gmem_search_t gmem_search_start(const gmem_solve_options_t *options,
                                const char *stage, uint64_t lower_bound);

// Starts a stage that may take |steps| at most. Names are not copied.
void gmem_search_begin_stage(gmem_search_t *search, const char *stage,
                             uint64_t steps);

// Tells the reports what a placement needs that was found, unless it is
// partial.
void gmem_search_found(gmem_search_t *search, uint64_t peak);

#endif // GMEM_PLANNER_SEARCH_H_
