// buffer_constraint.h - constraints on the placement of one buffer, and the
// leader of buffers that share one offset.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_BUFFER_CONSTRAINT_H_
#define GMEM_PASSES_BUFFER_CONSTRAINT_H_

#include <stdbool.h>
#include <stdint.h>

// What is asked of a class of tensors.
typedef struct gmem_buffer_constraint_s {
  const uint32_t *pools; // workspace pools that it may go to, best first; all
  uint32_t pool_count;   //   at one place have the same
  bool is_fixed;         // gmem.fixed
  uint64_t offset;       // bytes from the start of the pool, if it is
  uint64_t alignment;    // bytes: of a memref; 0: as its pool says
  uint32_t tied_to;      // class at the same place (gmem.same_as), or itself
} gmem_buffer_constraint_t;

// The class that stands for all those at one place with |set|.
uint32_t gmem_offset_leader(const gmem_buffer_constraint_t *sets, uint32_t set);

#endif // GMEM_PASSES_BUFFER_CONSTRAINT_H_
