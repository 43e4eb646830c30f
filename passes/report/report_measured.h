// report_measured.h - the bytes of a plan that a run has written.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_REPORT_MEASURED_H_
#define GMEM_PASSES_REPORT_MEASURED_H_

#include "report_facts.h"

// Reads the file that gmem-run --high-water has written (docs/gmem-run.md) to
// report->measured. Fails with IO, PARSE or INVALID_ARGUMENT (it is not of the
// plan of the report), reported at report->location, or OUT_OF_MEMORY.
gmem_status_t gmem_report_read_measured(gmem_report_t *report, const char *path,
                                        gmem_diag_t *diag);

#endif // GMEM_PASSES_REPORT_MEASURED_H_
