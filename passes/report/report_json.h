// report_json.h - a report as JSON (docs/report.md).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_REPORT_JSON_H_
#define GMEM_PASSES_REPORT_JSON_H_

#include "report_facts.h"
#include "text.h"

// Appends the report to |text|; text->out_of_memory is set on failure.
void gmem_report_to_json(const gmem_report_t *report, gmem_text_t *text);

#endif // GMEM_PASSES_REPORT_JSON_H_
