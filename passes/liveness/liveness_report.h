// liveness_report.h - reasons why values are not planned, and the remarks that
// report them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_LIVENESS_REPORT_H_
#define GMEM_PASSES_LIVENESS_REPORT_H_

#include "liveness.h"

// The reason why |value| is not planned, as a clause ("its shape is dynamic").
// NULL if it is planned or needs no memory, and for memrefs: see
// allocation_sites.h.
const char *gmem_unplanned_reason(const gmem_liveness_t *liveness,
                                  uint32_t value);

// What would help to plan |value|, a value or an allocation site: options,
// attributes, passes. NULL: nothing that is known.
const char *gmem_unplanned_help(const gmem_liveness_t *liveness,
                                uint32_t value);

// Emits one remark per function and reason, at the first value that is not
// planned for this reason.
void gmem_liveness_report(const gmem_liveness_t *liveness);

#endif // GMEM_PASSES_LIVENESS_REPORT_H_
