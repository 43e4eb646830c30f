// states.h - gmem.state: arguments whose memory is kept between the runs of
// their functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_STATES_H_
#define GMEM_PASSES_STATES_H_

#include "alias_sets.h"

// Extends the live ranges of the alias sets of states to the whole timeline,
// except where a result that is returned in the memory of the state
// (gmem.same_as) is live: the two follow each other, and no other value is in
// their bytes at any time. States that functions share are live one at a time,
// each while its function runs. Allocates in |arena|. Fails with
// INVALID_ARGUMENT (a function that the program calls or that computes
// constants, a constant) or OUT_OF_MEMORY.
gmem_status_t gmem_states_extend(const gmem_program_facts_t *facts,
                                 const gmem_live_value_t *live_values,
                                 gmem_bump_t *arena, gmem_alias_sets_t *sets,
                                 gmem_diag_t *diag);

#endif // GMEM_PASSES_STATES_H_
