// report_map.h - a pool as a picture of characters.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_REPORT_MAP_H_
#define GMEM_PASSES_REPORT_MAP_H_

#include "report_facts.h"

// Appends the live bytes and the addresses of |pool| over the steps, in UTF-8;
// nothing if it is empty.
void gmem_report_map(const gmem_report_t *report, uint32_t pool,
                     gmem_text_t *text);

#endif // GMEM_PASSES_REPORT_MAP_H_
