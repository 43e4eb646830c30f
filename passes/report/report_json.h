// report_json.h - a report as JSON (docs/report.md).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_REPORT_JSON_H_
#define GMEM_PASSES_REPORT_JSON_H_

#include "report_facts.h"

// Writes the report. Fails with the status of |write| or OUT_OF_MEMORY.
gmem_status_t gmem_report_to_json(const gmem_report_t *report,
                                  gmem_write_fn write, void *user,
                                  gmem_diag_t *diag);

#endif // GMEM_PASSES_REPORT_JSON_H_
