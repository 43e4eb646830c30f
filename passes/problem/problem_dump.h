// problem_dump.h - the planner's problem as text: debug=problem.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PROBLEM_DUMP_H_
#define GMEM_PASSES_PROBLEM_DUMP_H_

#include "problem_part.h"
#include "text.h"

// Builds the problem of |part| with these |pools| and appends its pools,
// buffers, aliases and conflicts, or why it cannot be built.
void gmem_problem_dump(const gmem_problem_part_t *part,
                       const gmem_pool_spec_t *pools, gmem_text_t *text);

#endif // GMEM_PASSES_PROBLEM_DUMP_H_
