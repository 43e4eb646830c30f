// memory_spaces.h - the memory spaces that planned memrefs are in: a pool each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires lives and classes. Each space is a memory of its own, in which only
// offsets count: "memory" is the default one, "memory.1" the space 1, and
// "memory.gpu.address_space.workgroup" is #gpu.address_space<workgroup>. Names
// are made of letters, digits, '_' and single dots, and no two spaces of a
// scope share one.

#ifndef GMEM_PASSES_MEMORY_SPACES_H_
#define GMEM_PASSES_MEMORY_SPACES_H_

#include "liveness.h"

typedef struct gmem_memory_space_s {
  MlirAttribute attribute; // null: the default space
  const char *name;        // of its pool
  uint64_t alignment;      // bytes: the most that one of its buffers asks for
} gmem_memory_space_t;

typedef struct gmem_memory_spaces_s {
  gmem_memory_space_t *spaces; // in the order of their first classes
  uint32_t count;
  uint32_t *of_set;     // by class: its space; GMEM_NO_INDEX: it is no memref
  uint64_t *alignments; // by class: bytes, of a memref
} gmem_memory_spaces_t;

// Lists the spaces of all classes whose root is a memref. A buffer is aligned
// to |alignment|, to what its elements need and to what its op's attribute
// "alignment" says. Everything lives in |arena|. Fails with OUT_OF_MEMORY or,
// reported at the op, INVALID_ARGUMENT (an alignment that is none).
gmem_status_t gmem_memory_spaces_find(const gmem_liveness_t *liveness,
                                      uint64_t alignment, gmem_bump_t *arena,
                                      gmem_memory_spaces_t *out_spaces,
                                      gmem_diag_t *diag);

// Whether the name is one that a memory space may have.
bool gmem_is_memory_name(MlirStringRef name);

#endif // GMEM_PASSES_MEMORY_SPACES_H_
