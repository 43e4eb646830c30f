// report_remarks.h - a report as remarks at the ops that define the buffers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_REPORT_REMARKS_H_
#define GMEM_PASSES_REPORT_REMARKS_H_

#include "report_facts.h"

// Emits one remark per pool, buffer and unplanned value.
void gmem_report_to_remarks(const gmem_report_t *report);

#endif // GMEM_PASSES_REPORT_REMARKS_H_
