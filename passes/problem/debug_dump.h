// debug_dump.h - prints the results of the analyses as text, for the option
// debug= and for --gmem-debug= of gmem-opt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_DEBUG_DUMP_H_
#define GMEM_PASSES_DEBUG_DUMP_H_

#include "problem_part.h"

// Prints the results of |phases|, a set of gmem_debug_t, for the tensors of a
// scope, |part|, whose problem has these |pools|, to standard error. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_debug_dump(const gmem_problem_part_t *part,
                              const gmem_pool_spec_t *pools, uint32_t phases,
                              gmem_diag_t *diag);

#endif // GMEM_PASSES_DEBUG_DUMP_H_
