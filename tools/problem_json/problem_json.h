// problem_json.h - the JSON format of problems and plans (docs/problem-
// json.md). Part of the tools, since the planner itself depends on libc
// only.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_PROBLEM_JSON_H_
#define GMEM_TOOLS_PROBLEM_JSON_H_

#include "gmem/planner.h"

#define GMEM_PROBLEM_JSON_FORMAT "gmem-problem"
#define GMEM_PROBLEM_JSON_VERSION 1

// Parses a problem. If |out_plan| is not NULL, *out_plan becomes the plan in
// the text (free with gmem_plan_free), or NULL if there is none; the plan is
// not checked. diag->text names the member ("buffers[3].size") and the buffer;
// diag->line is set if the text is not valid JSON. |allocator| is used for the
// problem and the plan; temporary memory is jansson's. Fails with PARSE,
// OUT_OF_RANGE, VERSION (unknown version of the format) or OUT_OF_MEMORY
// (jansson may report that as PARSE); *out_problem and *out_plan are then NULL.
GMEM_MUST_USE gmem_status_t gmem_problem_json_read(
    const char *text, size_t length, const gmem_allocator_t *allocator,
    gmem_problem_t **out_problem, gmem_placement_t **out_plan,
    gmem_diag_t *diag);

// Writes a problem, with |plan| and |figures| unless they are NULL. The output
// is deterministic; default values (no conflicts, all pools) are omitted. Fails
// with any error of |write|, INVALID_ARGUMENT (a name that is not UTF-8)
// or OUT_OF_RANGE (uses or an offset of 2^63 or more), possibly after partial
// output.
GMEM_MUST_USE gmem_status_t gmem_problem_json_write(
    const gmem_problem_t *problem, const gmem_placement_t *plan,
    const gmem_plan_figures_t *figures, gmem_write_fn write, void *user,
    gmem_diag_t *diag);

#endif // GMEM_TOOLS_PROBLEM_JSON_H_
