// scope_memories.h - the memories that a scope may use, as its gmem.memories
// says, and the options that write that.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_SCOPE_MEMORIES_H_
#define GMEM_PASSES_SCOPE_MEMORIES_H_

#include "bump.h"
#include "gmem/memories.h"
#include "gmem/passes.h"

// Reads gmem.memories of |scope| or else of the nearest op around it that has
// one; none: no memories. Names and lists are copied into |arena|. Fails with
// OUT_OF_MEMORY or, reported at the op that has it, INVALID_ARGUMENT.
gmem_status_t gmem_scope_memories_read(MlirOperation scope, gmem_bump_t *arena,
                                       const gmem_memory_t **out_memories,
                                       size_t *out_count, gmem_diag_t *diag);

// Writes what the options |pools| and |pool-file| describe into every scope in
// |top|, in place of what was there. Nothing changes when neither is given.
// Fails with INVALID_ARGUMENT, IO or OUT_OF_MEMORY, reported at |top|.
gmem_status_t gmem_scope_memories_add(MlirOperation top,
                                      const gmem_plan_options_t *options,
                                      const gmem_allocator_t *allocator,
                                      gmem_diag_t *diag);

// Writes the memories as gmem.memories of |scope|, in place of what was there.
// Fails with OUT_OF_MEMORY.
gmem_status_t gmem_scope_memories_write(MlirOperation scope,
                                        const gmem_memory_t *memories,
                                        size_t count, gmem_bump_t *arena,
                                        gmem_diag_t *diag);

// Whether |memory| takes memrefs of the memory space whose usual pool is called
// |space| ("memory", "memory.1", ...). A memory lists spaces by that name, or
// by what is behind "memory."; one that lists none takes the default space.
bool gmem_memory_takes_space(const gmem_memory_t *memory, const char *space);

#endif // GMEM_PASSES_SCOPE_MEMORIES_H_
