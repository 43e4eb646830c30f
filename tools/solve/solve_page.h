// solve_page.h - gmem-solve --html: a problem and its plan as a page.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_SOLVE_PAGE_H_
#define GMEM_TOOLS_SOLVE_PAGE_H_

#include "solve_run.h"

// Writes the page of a plan that has passed gmem_check to |path|, atomically.
GMEM_MUST_USE gmem_status_t gmem_solve_page_write(
    const gmem_problem_file_t *file, const gmem_solve_result_t *run,
    const char *path, gmem_diag_t *diag);

#endif // GMEM_TOOLS_SOLVE_PAGE_H_
