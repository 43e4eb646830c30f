// report.h - the pass gmem-report; its contract is at the top of its source
// file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_REPORT_H_
#define GMEM_PASSES_REPORT_H_

#include "gmem/passes.h"

gmem_status_t gmem_report(MlirOperation top, const gmem_plan_options_t *options,
                          const gmem_allocator_t *allocator, gmem_diag_t *diag);

#endif // GMEM_PASSES_REPORT_H_
