// show.h - writes a plan as a picture, a trace or a page.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions return the first failure of |write|, or OUT_OF_MEMORY. The same
// plan gives the same bytes.

#ifndef GMEM_TOOLS_SHOW_H_
#define GMEM_TOOLS_SHOW_H_

#include "gmem/planner/output.h"
#include "shown_plan.h"

// A picture (docs/show.md): SVG 1.1 with CSS.
GMEM_MUST_USE gmem_status_t gmem_show_svg(const gmem_shown_plan_t *plan,
                                          gmem_write_fn write, void *user,
                                          gmem_diag_t *diag);

// Trace events as JSON, for Perfetto and chrome://tracing (docs/show.md).
GMEM_MUST_USE gmem_status_t gmem_show_trace(const gmem_shown_plan_t *plan,
                                            gmem_write_fn write, void *user,
                                            gmem_diag_t *diag);

// A page of HTML that needs nothing else (docs/show.md), of one plan, or of two
// that are compared: the older one first. |report|, or NULL, is a report of the
// last one as JSON (docs/report.md), of one line.
GMEM_MUST_USE gmem_status_t gmem_show_page(
    const gmem_shown_plan_t *const *plans, size_t count, const char *report,
    gmem_write_fn write, void *user, gmem_diag_t *diag);

#endif // GMEM_TOOLS_SHOW_H_
