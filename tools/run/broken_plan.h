// broken_plan.h - plans that are wrong on purpose: a comparison that does not
// notice them proves nothing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_BROKEN_PLAN_H_
#define GMEM_TOOLS_BROKEN_PLAN_H_

#include <stdint.h>

#include "mlir-c/IR.h"

// A buffer that is moved onto another one, by their number among all views of
// arenas in a materialised module.
typedef struct gmem_break_s {
  uint32_t moved, onto;
  uint64_t bytes; // that they then share
} gmem_break_t;

// Lists pairs of buffers that live together by the plan of |planned| and can be
// moved onto one another in |materialized|, which was made of it: those that
// live together longest first. *out_breaks is freed with free(). Returns how
// many there are, 0 too when there is no memory.
uint32_t gmem_breaks_find(MlirModule planned, MlirModule materialized,
                          gmem_break_t **out_breaks);

// Does so in |materialized|.
void gmem_break_apply(MlirModule materialized, const gmem_break_t *breaking);

#endif // GMEM_TOOLS_BROKEN_PLAN_H_
