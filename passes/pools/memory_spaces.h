// memory_spaces.h - the memory spaces of planned memrefs, each with its own
// pool.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: liveness with alias sets. Each memory space has a separate pool
// without a base address. The default space is "memory", space 1 is "memory.1",
// and #gpu.address_space<workgroup> is "memory.gpu.address_space.workgroup".
// Names consist of letters, digits, '_' and single dots, and are unique in a
// scope.

#ifndef GMEM_PASSES_MEMORY_SPACES_H_
#define GMEM_PASSES_MEMORY_SPACES_H_

#include "liveness.h"

typedef struct gmem_memory_space_s {
  MlirAttribute attribute; // null: the default space
  const char *name;        // of its pool
  uint64_t alignment;      // bytes: the largest alignment of its buffers
} gmem_memory_space_t;

typedef struct gmem_memory_spaces_s {
  gmem_memory_space_t *spaces; // ordered by first use
  uint32_t count;
  uint32_t *of_set;     // by alias set: its space; GMEM_NO_INDEX: not a memref
  uint64_t *alignments; // by alias set: bytes, of a memref
} gmem_memory_spaces_t;

// Lists the memory spaces of all alias sets of memrefs. The alignment of a set
// is the largest of |alignment|, the alignment of its elements and the
// attribute "alignment" of the allocating op. Allocates in |arena|, and names
// of pools in |names|. Fails with OUT_OF_MEMORY or, reported at the op,
// INVALID_ARGUMENT (an invalid alignment).
gmem_status_t gmem_memory_spaces_find(const gmem_liveness_t *liveness,
                                      uint64_t alignment, gmem_bump_t *arena,
                                      gmem_bump_t *names,
                                      gmem_memory_spaces_t *out_spaces,
                                      gmem_diag_t *diag);

// Returns whether |name| is a valid pool name of a memory space.
bool gmem_is_memory_name(MlirStringRef name);

#endif // GMEM_PASSES_MEMORY_SPACES_H_
