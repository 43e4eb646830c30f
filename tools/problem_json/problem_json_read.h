// problem_json_read.h - a problem, and a plan if there is one, from JSON
// text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_PROBLEM_JSON_READ_H_
#define GMEM_TOOLS_PROBLEM_JSON_READ_H_

#include "gmem/planner.h"

// Reads a problem. When |out_plan| is not NULL, *out_plan becomes the plan in
// the text (freed by gmem_plan_free), or NULL when there is none; the plan is
// not checked. The texts of diagnostics name the member ("buffers[3].size") and
// the buffer; |line| is set when the text is no JSON. |allocator| is that of
// the problem and of what is needed while it is read, but for the tree of the
// JSON text, which is jansson's.
// Fails with PARSE, OUT_OF_RANGE, VERSION (of the format) or OUT_OF_MEMORY (for
// which jansson, where it has none for a token, also says PARSE);
// *out_problem and *out_plan are then NULL.
GMEM_MUST_USE gmem_status_t gmem_problem_json_read(
    const char *text, size_t length, const gmem_allocator_t *allocator,
    gmem_problem_t **out_problem, gmem_placement_t **out_plan,
    gmem_diag_t *diag);

#endif // GMEM_TOOLS_PROBLEM_JSON_READ_H_
