// alias_kinds.h - selections of some kinds of aliases only.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_ALIAS_KINDS_H_
#define GMEM_PLANNER_ALIAS_KINDS_H_

#include "alias_trial.h"

// Step 4. of the search (alias_search.c): tries the aliases of every
// combination of kinds, few kinds first, with work by |effort|. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_try_kinds(gmem_trial_t *trial, gmem_effort_t effort);

// Marks the aliases to change: those of the best selection, and needed ones of
// the same kinds. So a search among many kinds goes on as one among those few
// would. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_mark_changeable(gmem_trial_t *trial);

// Step 9.: where the plan is not near its bound, searches with each combination
// of kinds alone, at fast effort and with work by |effort|; *out_found: there
// is a better plan. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_search_other_kinds(gmem_trial_t *trial, gmem_effort_t effort,
                                      bool *out_found);

#endif // GMEM_PLANNER_ALIAS_KINDS_H_
