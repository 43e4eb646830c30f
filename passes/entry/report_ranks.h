// report_ranks.h - the pass gmem-report, with ranks= also for programs with
// shardings; its contract is at the top of report_ranks.c and of
// report/report.c.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_REPORT_RANKS_H_
#define GMEM_PASSES_REPORT_RANKS_H_

#include "gmem/passes.h"

gmem_pass_fn gmem_report_all;

// Loaded when ranks= is stated.
extern const char *const gmem_report_ranks_dialects[];

#endif // GMEM_PASSES_REPORT_RANKS_H_
