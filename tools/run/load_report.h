// load_report.h - the report of simulated requests, as text or JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_LOAD_REPORT_H_
#define GMEM_TOOLS_LOAD_REPORT_H_

#include "run_load.h"

// Prints the report, or a message on failure. |good|: whether all requests
// succeeded.
gmem_status_t gmem_stress_report(const gmem_stress_t *stress,
                                 const gmem_stress_result_t *result, bool good);

#endif // GMEM_TOOLS_LOAD_REPORT_H_
