// report.h - the pass gmem-report; its contract is at the top of its source
// file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_REPORT_H_
#define GMEM_PASSES_REPORT_H_

#include "gmem/passes.h"

gmem_pass_fn gmem_report;

#endif // GMEM_PASSES_REPORT_H_
