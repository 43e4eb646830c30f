// run_report.h - the report of a run of a module, as text or JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_RUN_REPORT_H_
#define GMEM_TOOLS_RUN_REPORT_H_

#include "run_jobs.h"

// Prints the outputs of all requests in order, and the times. Prints messages
// and fails if a request failed or the outputs of the programs differ.
gmem_status_t gmem_run_report(const gmem_jobs_t *jobs, double seconds);

#endif // GMEM_TOOLS_RUN_REPORT_H_
