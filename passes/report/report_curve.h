// report_curve.h - how many bytes of a pool are live at each step.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_REPORT_CURVE_H_
#define GMEM_PASSES_REPORT_CURVE_H_

#include "report_facts.h"

// Measures the buffers of every pool: report->pools, with their curves. Fails
// with OUT_OF_MEMORY.
gmem_status_t gmem_report_measure(gmem_report_t *report, gmem_diag_t *diag);

// Steps [begin, end), each with more live bytes than a budget; |bytes| at
// |step|, the first of those with most.
typedef struct gmem_report_excess_s {
  int64_t begin, end, step;
  uint64_t bytes;
} gmem_report_excess_t;

// The next such steps of |figures| from segment *at on, which moves behind
// them. Returns whether there are any.
bool gmem_report_next_excess(const gmem_report_pool_t *figures, uint64_t budget,
                             size_t *at, gmem_report_excess_t *out_excess);

#endif // GMEM_PASSES_REPORT_CURVE_H_
