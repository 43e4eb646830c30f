// calls.h - finds the calls in one planning scope.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_CALLS_H_
#define GMEM_PASSES_CALLS_H_

#include "call_graph.h"

// Whether |op| is a return of its function.
bool gmem_is_return(const gmem_program_t *program, uint32_t op);

// The block of the arguments that |call| passes.
MlirBlock gmem_callee_entry(const gmem_calls_t *calls, const gmem_call_t *call);

// Finds the calls of |program|. Everything is allocated in |arena|. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_calls_find(const gmem_program_t *program, gmem_bump_t *arena,
                              gmem_calls_t *out_calls, gmem_diag_t *diag);

// The index of the first call in |function| at or after |step|, or the end of
// its calls.
uint32_t gmem_first_call_from(const gmem_calls_t *calls, uint32_t function,
                              int64_t step);

#endif // GMEM_PASSES_CALLS_H_
