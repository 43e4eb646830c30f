// buffer_constraint.c - the leader of buffers that share one offset.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "buffer_constraint.h"

uint32_t gmem_offset_leader(const gmem_buffer_constraint_t *sets,
                            uint32_t set) {
  while (sets[set].tied_to != set)
    set = sets[set].tied_to;
  return set;
}
