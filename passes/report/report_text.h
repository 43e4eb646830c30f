// report_text.h - a report as human-readable text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_REPORT_TEXT_H_
#define GMEM_PASSES_REPORT_TEXT_H_

#include "report_facts.h"
#include "text.h"

// Appends the report to |text|; text->out_of_memory is set on failure.
void gmem_report_to_text(const gmem_report_t *report, gmem_text_t *text);

#endif // GMEM_PASSES_REPORT_TEXT_H_
