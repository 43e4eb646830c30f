// run_report.h - what a run has shown, for people and as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_RUN_REPORT_H_
#define GMEM_TOOLS_RUN_REPORT_H_

#include "run_jobs.h"

// Prints the outputs of all requests in their order, and the times. Returns 0,
// or GMEM_RUN_PROBLEM when a request failed or its outputs differ between the
// programs; that is printed, too.
int gmem_run_report(const gmem_jobs_t *jobs, double seconds);

#endif // GMEM_TOOLS_RUN_REPORT_H_
