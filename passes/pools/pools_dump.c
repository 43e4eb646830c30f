// pools_dump.c - see pools_dump.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pools_dump.h"

#include <inttypes.h>

static void dump_set(const gmem_buffer_constraint_t *sets, uint32_t set,
                     gmem_text_t *text) {
  const gmem_buffer_constraint_t *own = &sets[set];
  gmem_text_print(text, "alias set %u: pools", set);
  for (uint32_t i = 0; i < own->pool_count; ++i)
    gmem_text_print(text, " %u", own->pools[i]);
  if (own->alignment_code)
    gmem_text_print(text, ", alignment %" PRIu64,
                    gmem_constraint_alignment(own));
  if (own->is_fixed)
    gmem_text_print(text, ", fixed at %" PRIu64, own->offset);
  if (own->tied_to != set)
    gmem_text_print(text, ", at the offset of alias set %u", own->tied_to);
  gmem_text_print(text, "\n");
}

void gmem_pools_dump(const gmem_placement_constraints_t *constraints,
                     size_t set_count, gmem_text_t *text) {
  const gmem_candidate_pools_t *pools = &constraints->pools;
  for (uint32_t i = 0; i < pools->count; ++i)
    gmem_text_print(text, "pool %u: '%s', alignment %" PRIu64 "\n", i,
                    pools->all[i].name, pools->all[i].alignment);
  for (uint32_t i = 0; i < set_count; ++i)
    dump_set(constraints->sets, i, text);
}
