// problem_json.h - problems and plans as JSON (docs/problem-json.md). For the
// tools: the planner itself depends on libc alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_PROBLEM_JSON_H_
#define GMEM_TOOLS_PROBLEM_JSON_H_

#include "gmem/planner.h"

#define GMEM_PROBLEM_JSON_FORMAT "gmem-problem"
#define GMEM_PROBLEM_JSON_VERSION 1

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

// Writes a problem, with |plan| when it is not NULL, and its |figures| when
// they are not. The same problem is always the same bytes; what says nothing
// (no conflicts, any pool) is left out. Fails with what |write| returns,
// INVALID_ARGUMENT (a name that is not UTF-8), OUT_OF_RANGE (uses or an offset
// of 2^63 or more) or OUT_OF_MEMORY; a part may have been written then.
GMEM_MUST_USE gmem_status_t gmem_problem_json_write(
    const gmem_problem_t *problem, const gmem_placement_t *plan,
    const gmem_plan_figures_t *figures, gmem_write_fn write, void *user,
    gmem_diag_t *diag);

#endif // GMEM_TOOLS_PROBLEM_JSON_H_
