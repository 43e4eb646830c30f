// memory_accesses.h - which ops touch a value, and which memories these ops
// reach.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An op runs on the target that gmem.target names on it, or else on the nearest
// op around it that has the attribute. A target reaches the memories that name
// it, and those that name none; an op without a target reaches all.
//
// All ops touch a value that make it or have it as an operand, those in bodies
// that are not planned too; the function does whose input or output it is. What
// only gives it another shape does not, nor what frees it, nor a plain call of
// a function that is here: unless it copies, the ops of the callee count.

#ifndef GMEM_PASSES_MEMORY_ACCESSES_H_
#define GMEM_PASSES_MEMORY_ACCESSES_H_

#include "call_graph.h"
#include "program.h"

// Sets of memories: bit i is memory i of the schedule.
typedef struct gmem_memory_accesses_s {
  const gmem_program_t *program;
  uint64_t all;             // all memories
  bool matter;              // some memory names targets
  const void **plain_calls; // the ops, sorted
  size_t plain_call_count;
} gmem_memory_accesses_t;

// |calls| may be NULL: then all calls touch their operands. Lives in |arena|.
// Fails with OUT_OF_MEMORY.
gmem_status_t gmem_memory_accesses_begin(const gmem_program_t *program,
                                         const gmem_calls_t *calls,
                                         gmem_bump_t *arena,
                                         gmem_memory_accesses_t *out_targets,
                                         gmem_diag_t *diag);

// The target that |op| runs on; of length 0 when nothing says one. Fails with
// INVALID_ARGUMENT, reported at the op with the attribute.
gmem_status_t gmem_target_of(MlirOperation op, MlirStringRef *out_target,
                             gmem_diag_t *diag);

// The memories that |op| reaches. Fails as gmem_target_of.
gmem_status_t gmem_target_reach(const gmem_memory_accesses_t *targets,
                                MlirOperation op, uint64_t *out_memories,
                                gmem_diag_t *diag);

typedef gmem_status_t (*gmem_touch_fn)(MlirOperation op, void *user,
                                       gmem_diag_t *diag);

// Calls |visit| for every op that touches |value| of the schedule, as an SSA
// value alone. Stops at the first status other than GMEM_OK and returns it.
gmem_status_t gmem_each_touch(const gmem_memory_accesses_t *targets,
                              uint32_t value, gmem_touch_fn visit, void *user,
                              gmem_diag_t *diag);

// The memories that all ops reach that touch |value|.
gmem_status_t gmem_value_reach(const gmem_memory_accesses_t *targets,
                               uint32_t value, uint64_t *out_memories,
                               gmem_diag_t *diag);

#endif // GMEM_PASSES_MEMORY_ACCESSES_H_
