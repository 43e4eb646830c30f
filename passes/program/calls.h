// calls.h - who may call whom inside one planning scope.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_CALLS_H_
#define GMEM_PASSES_CALLS_H_

#include "call_graph.h"

// Whether |op| ends the function that it is directly in.
bool gmem_is_return(const gmem_program_t *program, uint32_t op);

// Finds the calls of |program|. Everything lives in |arena|. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_calls_find(const gmem_program_t *program, gmem_bump_t *arena,
                              gmem_calls_t *out_calls, gmem_diag_t *diag);

// The first call of |function| at or after |step|, or its last and one more.
uint32_t gmem_first_call_from(const gmem_program_t *program,
                              const gmem_calls_t *calls, uint32_t function,
                              int64_t step);

#endif // GMEM_PASSES_CALLS_H_
