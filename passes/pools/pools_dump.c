// pools_dump.c - see pools_dump.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pools_dump.h"

#include <inttypes.h>

static const char *const kind_names[] = {
    [GMEM_POOL_KIND_CONSTANT] = "constants",
    [GMEM_POOL_KIND_TENSORS] = "tensors",
    [GMEM_POOL_KIND_IO] = "inputs and outputs",
    [GMEM_POOL_KIND_TAG] = "one input or output",
    [GMEM_POOL_KIND_SPACE] = "memory space",
    [GMEM_POOL_KIND_MEMORY] = "memory",
};

static void dump_candidates(gmem_memory_candidates_t candidates,
                            gmem_text_t *text) {
  gmem_text_print(text, "pools");
  for (uint32_t i = 0; i < candidates.count; ++i)
    gmem_text_print(text, " %u", candidates.pools[i]);
}

static void dump_set(const gmem_buffer_constraint_t *sets, uint32_t set,
                     gmem_text_t *text) {
  const gmem_buffer_constraint_t *own = &sets[set];
  gmem_text_print(text, "alias set %u: ", set);
  dump_candidates(own->candidates, text);
  if (own->alignment)
    gmem_text_print(text, ", alignment %" PRIu64, own->alignment);
  if (own->is_fixed)
    gmem_text_print(text, ", fixed at %" PRIu64, own->offset);
  if (own->tied_to != set)
    gmem_text_print(text, ", at the offset of alias set %u", own->tied_to);
  gmem_text_print(text, "\n");
}

void gmem_pools_dump(const gmem_liveness_t *liveness,
                     const gmem_workbuffers_t *workbuffers,
                     const gmem_placement_constraints_t *constraints,
                     gmem_text_t *text) {
  const gmem_candidate_pools_t *pools = &constraints->pools;
  for (uint32_t i = 0; i < pools->count; ++i)
    gmem_text_print(text, "pool %u: '%s', %s, alignment %" PRIu64 "\n", i,
                    pools->all[i].name, kind_names[pools->all[i].kind],
                    pools->all[i].alignment);
  for (uint32_t i = 0; i < liveness->set_count; ++i)
    dump_set(constraints->sets, i, text);
  for (size_t i = 0; i < workbuffers->mutable_count; ++i) {
    char name[128];
    uint32_t index = workbuffers->mutables[i];
    gmem_workbuffer_describe(&workbuffers->all[index], name, sizeof name);
    gmem_text_print(text, "%s: ", name);
    dump_candidates(constraints->work[index].candidates, text);
    gmem_text_print(text, "\n");
  }
}
