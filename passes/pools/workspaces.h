// workspaces.h - the workspace memories of a scope, indexed by pool.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_WORKSPACES_H_
#define GMEM_PASSES_WORKSPACES_H_

#include "gmem/memories.h"
#include "program.h"

// The workspace memories of a program, numbered in their order: memory i here
// is pool i.
typedef struct gmem_workspaces_s {
  const gmem_memory_t *memories[GMEM_MAX_MEMORIES];
  uint32_t numbers[GMEM_MAX_MEMORIES]; // index of the program's memory
  uint32_t count;
  uint32_t order[GMEM_MAX_MEMORIES]; // fastest first
} gmem_workspaces_t;

// Candidate pools, best first.
typedef struct gmem_memory_candidates_s {
  const uint32_t *pools;
  uint32_t count;
} gmem_memory_candidates_t;

// Fills |*out|; empty if the program has no memories.
void gmem_workspaces_find(const gmem_program_t *program,
                          gmem_workspaces_t *out);

#endif // GMEM_PASSES_WORKSPACES_H_
