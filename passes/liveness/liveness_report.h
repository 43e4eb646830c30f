// liveness_report.h - why a value is not planned, and the remarks that say
// so.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_LIVENESS_REPORT_H_
#define GMEM_PASSES_LIVENESS_REPORT_H_

#include "liveness.h"

// Why |value| is left alone; NULL when it is not, and when it needs no memory.
const char *gmem_unplanned_reason(const gmem_liveness_t *liveness,
                                  uint32_t value);

// Emits one remark per function and reason for what is not planned.
void gmem_liveness_report(const gmem_liveness_t *liveness);

#endif // GMEM_PASSES_LIVENESS_REPORT_H_
