// alias_sets.h - must-alias sets: values that always occupy the same memory,
// with the live ranges of each set.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_ALIAS_SETS_H_
#define GMEM_PASSES_ALIAS_SETS_H_

#include "allocation_sites.h"
#include "value_liveness.h"

// One alias set. The planner places it as one buffer.
typedef struct gmem_alias_set_s {
  uint32_t root; // representative value; its storage is GMEM_STORAGE_TENSOR
  uint32_t range_count;
  const gmem_live_range_t *ranges; // on the timeline, sorted, disjoint
  uint32_t
      uses; // reads and writes in the program text, the definition included
  bool is_written; // an op modifies the contents in place
} gmem_alias_set_t;

typedef struct gmem_alias_sets_s {
  gmem_alias_set_t *at; // ordered by representative
  size_t count;
  uint32_t *of; // by value: index of its set, or GMEM_NO_INDEX
} gmem_alias_sets_t;

// Sets the representative of each value in |live_values| and stores the alias
// sets of tensors, with live ranges on the timeline. |links|: by op, see
// insert_chains.h. All results are allocated in |arena|. Returns OUT_OF_MEMORY
// on allocation failure.
gmem_status_t
gmem_alias_sets_build(const gmem_program_facts_t *facts,
                      const gmem_memrefs_t *memrefs, const bool *links,
                      gmem_live_value_t *live_values, gmem_bump_t *arena,
                      gmem_alias_sets_t *out_sets, gmem_diag_t *diag);

#endif // GMEM_PASSES_ALIAS_SETS_H_
