// page_report.h - the parts of a report of gmem-report that a page shows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_PAGE_REPORT_H_
#define GMEM_TOOLS_PAGE_REPORT_H_

#include "shown_plan.h"

// Reads the report |path| (docs/report.md), which must be of |plan|, and sets
// *out_json to the parts of it that the page shows, as JSON of one line that
// the caller frees. Fails with IO, PARSE, INVALID_ARGUMENT (the report is of
// another plan) or OUT_OF_MEMORY.
GMEM_MUST_USE gmem_status_t gmem_page_report_read(const char *path,
                                                  const gmem_shown_plan_t *plan,
                                                  char **out_json,
                                                  gmem_diag_t *diag);

#endif // GMEM_TOOLS_PAGE_REPORT_H_
