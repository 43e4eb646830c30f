// alias_changes.h - selections that are made from others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_ALIAS_CHANGES_H_
#define GMEM_PLANNER_ALIAS_CHANGES_H_

#include "alias_trial.h"

// The limits for trying all subsets of the aliases.
enum { GMEM_FEW_ALIASES = 10, GMEM_FEW_BUFFERS = 64 };

// All end when the search has reached |until| units of work, and fail with
// OUT_OF_MEMORY.

// Steps 2. and 3. of the search (alias_search.c), after all aliases have been
// tried: those that lower the pressure first, and needed ones only.
gmem_status_t gmem_try_starts(gmem_trial_t *trial, uint64_t until);

// Where the pressure is as high as this, a plan at the bound has little room
// for fragments.
uint64_t gmem_below_bound(const gmem_search_t *search);

// Marks the aliases that are needed for a peak of |bytes|, of those in |order|.
void gmem_mark_needed(gmem_trial_t *trial, uint64_t bytes);

// Step 5.: single changes of the best selection, as long as one helps.
gmem_status_t gmem_try_changes(gmem_trial_t *trial, uint64_t until);

// Step 6.: a random walk from the best selection.
gmem_status_t gmem_walk_selections(gmem_trial_t *trial, uint64_t until);

// All subsets of the aliases in |order|, at most GMEM_FEW_ALIASES with a child
// that has bytes.
gmem_status_t gmem_try_subsets(gmem_trial_t *trial, uint64_t until);

#endif // GMEM_PLANNER_ALIAS_CHANGES_H_
