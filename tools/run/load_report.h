// load_report.h - what simulated requests have shown, for people and as
// JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_LOAD_REPORT_H_
#define GMEM_TOOLS_LOAD_REPORT_H_

#include "run_load.h"

// Prints what came out. |good|: whether all went well.
int gmem_load_report(const gmem_load_t *load, const gmem_load_result_t *result,
                     bool good);

#endif // GMEM_TOOLS_LOAD_REPORT_H_
