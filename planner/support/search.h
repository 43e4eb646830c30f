// search.h - the state of one call of gmem_solve: work done, limits, progress.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_SEARCH_H_
#define GMEM_PLANNER_SEARCH_H_

#include "gmem/planner.h"

struct gmem_search_s {
  gmem_effort_t effort;
  uint64_t steps;         // units of work done in total
  uint64_t step_limit;    // limit of |steps|
  bool has_own_limit;     // the caller's, not that of the effort
  bool has_fewer_aliases; // gmem_solve_options_t
  bool is_start;          // the plan is the start of another search
  uint64_t stage_start;   // |steps| when the stage began
  uint64_t stage_limit;   // |steps| at which the stage ends
  uint64_t searches; // exact searches so far: seeds the random numbers of each
  uint64_t next_report; // |steps| at which |progress| is called again
  gmem_progress_fn progress;
  void *progress_user;
  const char *stage;
  uint64_t peak, lower_bound; // for progress reports, in bytes
  // |lower_bound| is unknown until the only pool's packing has been created.
  bool takes_bound;
  // A placement found now is not a complete plan: it covers one of several
  // pools or parts, or depends on a choice that may be reverted.
  bool is_partial;
  bool cancelled;
  // Set by an engine: no placement of its packing has a lower peak than the one
  // it returns. After a complete algorithm: no plan has a lower peak.
  bool proved;
};

// Copies |options| (NULL: the defaults), of the size that they state. Fails
// with INVALID_ARGUMENT if that is not known, or for an unknown objective.
gmem_status_t gmem_solve_options_copy(const gmem_solve_options_t *options,
                                      gmem_solve_options_t *out_options,
                                      gmem_diag_t *diag);

// Starts the search of one call of gmem_solve; |stage| is its first stage.
gmem_search_t gmem_search_start(const gmem_solve_options_t *options,
                                const char *stage, uint64_t lower_bound);

// The one of three numbers that belongs to |effort|.
static inline uint64_t gmem_by_effort(gmem_effort_t effort, uint64_t fast,
                                      uint64_t normal, uint64_t exhaustive) {
  return effort == GMEM_EFFORT_FAST     ? fast
         : effort == GMEM_EFFORT_NORMAL ? normal
                                        : exhaustive;
}

// Bytes above the lower bound up to which a plan gains little by more work.
static inline uint64_t gmem_search_enough(const gmem_search_t *search) {
  return search->is_start ? 0 : search->lower_bound / 1024;
}

// The work left in all stages.
static inline uint64_t gmem_search_left(const gmem_search_t *search) {
  return search->steps < search->step_limit ? search->step_limit - search->steps
                                            : 0;
}

// Units of work that the effort allows.
uint64_t gmem_steps_of_effort(gmem_effort_t effort);

// Ends the stage after at most |steps| more. Returns the old limit, which the
// caller restores.
static inline uint64_t gmem_search_limit_stage(gmem_search_t *search,
                                               uint64_t steps) {
  uint64_t old = search->stage_limit, limit = search->steps + steps;
  search->stage_limit = limit < old ? limit : old;
  return old;
}

// Starts a stage of at most |steps| units of work. Names are not copied.
void gmem_search_begin_stage(gmem_search_t *search, const char *stage,
                             uint64_t steps);

// Records the peak of a placement for progress reports, unless it is partial.
void gmem_search_found(gmem_search_t *search, uint64_t peak);

#endif // GMEM_PLANNER_SEARCH_H_
