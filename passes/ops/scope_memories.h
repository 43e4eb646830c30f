// scope_memories.h - the memories of a scope (gmem.memories) and the options
// that define them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_SCOPE_MEMORIES_H_
#define GMEM_PASSES_SCOPE_MEMORIES_H_

#include "bump.h"
#include "gmem/memories.h"
#include "gmem/passes.h"

// Reads gmem.memories of |scope| or of its nearest ancestor that has the
// attribute; without one, *out_count is 0. Names and lists are copied into
// |arena|. Fails with OUT_OF_MEMORY or, reported at the op that has the
// attribute, INVALID_ARGUMENT.
gmem_status_t gmem_scope_memories_read(MlirOperation scope, gmem_bump_t *arena,
                                       const gmem_memory_t **out_memories,
                                       size_t *out_count, gmem_diag_t *diag);

// Writes the memories described by the options |pools| or |pool-file| to every
// scope in |top|, replacing existing ones. Does nothing when neither is given.
// Fails with INVALID_ARGUMENT, IO or OUT_OF_MEMORY, reported at |top|.
gmem_status_t gmem_scope_memories_add(MlirOperation top,
                                      const gmem_plan_options_t *options,
                                      const gmem_allocator_t *allocator,
                                      gmem_diag_t *diag);

// Writes the memories as gmem.memories of |scope|, replacing existing ones.
// Fails with OUT_OF_MEMORY.
gmem_status_t gmem_scope_memories_write(MlirOperation scope,
                                        const gmem_memory_t *memories,
                                        size_t count, gmem_bump_t *arena,
                                        gmem_diag_t *diag);

// Whether |memory| accepts memrefs of the memory space whose default pool is
// |space| ("memory", "memory.1", ...). A memory lists spaces by that name or by
// the part after "memory."; a memory that lists none accepts the default space.
bool gmem_memory_takes_space(const gmem_memory_t *memory, const char *space);

#endif // GMEM_PASSES_SCOPE_MEMORIES_H_
