// memory_accesses.h - which ops access a value, and which memories these ops
// can reach.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An op runs on the target that gmem.target on it names, or else on the target
// of the nearest enclosing op with the attribute. A target reaches the memories
// that list it and those that list no targets. An op without a target reaches
// all memories.
//
// A value is accessed by the op that defines it, by every op with it as an
// operand, also in bodies that are not planned, and by the function of which it
// is an input or output. Views and deallocations do not access it. Nor do
// direct calls to functions of this module: unless the call copies the value,
// the ops of the callee count instead.

#ifndef GMEM_PASSES_MEMORY_ACCESSES_H_
#define GMEM_PASSES_MEMORY_ACCESSES_H_

#include "call_graph.h"
#include "program.h"

// Bit sets of memories: bit i is memory i of the program.
typedef struct gmem_memory_accesses_s {
  const gmem_program_t *program;
  uint64_t all;             // all memories
  bool matter;              // some memory lists targets
  const void **plain_calls; // ops of direct calls, sorted
  size_t plain_call_count;
} gmem_memory_accesses_t;

// Prepares the queries below. |calls| may be NULL: then all calls access their
// operands. Allocates in |arena|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_memory_accesses_begin(const gmem_program_t *program,
                                         const gmem_calls_t *calls,
                                         gmem_bump_t *arena,
                                         gmem_memory_accesses_t *out_targets,
                                         gmem_diag_t *diag);

// Finds the target that |op| runs on; length 0 if it has none. Fails with
// INVALID_ARGUMENT, reported at the op with the attribute.
gmem_status_t gmem_target_of(MlirOperation op, MlirStringRef *out_target,
                             gmem_diag_t *diag);

// Finds the memories that |op| can reach. Fails like gmem_target_of.
gmem_status_t gmem_target_reach(const gmem_memory_accesses_t *targets,
                                MlirOperation op, uint64_t *out_memories,
                                gmem_diag_t *diag);

typedef gmem_status_t (*gmem_access_fn)(MlirOperation op, void *user,
                                        gmem_diag_t *diag);

// Calls |visit| for every op that accesses |value| of the program; aliases of
// the value are not followed. Stops at the first status other than GMEM_OK and
// returns it.
gmem_status_t gmem_each_access(const gmem_memory_accesses_t *targets,
                               uint32_t value, gmem_access_fn visit, void *user,
                               gmem_diag_t *diag);

// Finds the memories that every op that accesses |value| can reach.
gmem_status_t gmem_value_reach(const gmem_memory_accesses_t *targets,
                               uint32_t value, uint64_t *out_memories,
                               gmem_diag_t *diag);

#endif // GMEM_PASSES_MEMORY_ACCESSES_H_
