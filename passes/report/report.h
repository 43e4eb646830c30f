// report.h - the pass gmem-report; its contract is at the top of its source
// file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_REPORT_H_
#define GMEM_PASSES_REPORT_H_

#include "gmem/passes.h"

gmem_pass_fn gmem_report;

// Where |top| has no plan within the capacities of |options|: a remark for each
// change with which it has one, at most three of those that effort=fast finds.
// Fails as gmem_report_module.
gmem_status_t gmem_report_fitting(MlirOperation top,
                                  const gmem_plan_options_t *options,
                                  const gmem_allocator_t *allocator);

// Passes a report of |top| to |write|, as gmem_report_module does.
typedef gmem_status_t (*gmem_report_fn)(MlirOperation top,
                                        const gmem_plan_options_t *options,
                                        gmem_write_fn write, void *user,
                                        const gmem_allocator_t *allocator,
                                        gmem_diag_t *diag);

// Writes the report that |make| passes on to options->report_output, all of it
// or nothing. Fails as |make| does and when the file cannot be written,
// reported at |top|.
gmem_status_t gmem_report_write(MlirOperation top,
                                const gmem_plan_options_t *options,
                                gmem_report_fn make,
                                const gmem_allocator_t *allocator,
                                gmem_diag_t *diag);

#endif // GMEM_PASSES_REPORT_H_
