// problem_file.h - reads and writes problems and plans as CSV or JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_PROBLEM_FILE_H_
#define GMEM_TOOLS_PROBLEM_FILE_H_

#include "gmem/planner.h"
#include "pool_option.h"

typedef struct gmem_problem_file_s {
  const char *path; // not owned
  gmem_problem_t *problem;
  gmem_placement_t *plan; // from the file's own offsets; may be NULL
  bool is_json;
} gmem_problem_file_t;

// Reads |path| ("-": standard input) as JSON if the name ends in .json or the
// text begins with a brace, else as CSV. For CSV, |pools| are the memory
// candidates in order of preference; JSON defines its own pools, so |pools|
// must be the default. Without |with_plan|, offsets in the file are ignored.
// Call gmem_problem_file_destroy even after a failure.
GMEM_MUST_USE gmem_status_t gmem_problem_file_read(
    gmem_problem_file_t *file, const char *path, const gmem_pool_list_t *pools,
    bool with_plan, gmem_diag_t *diag);
void gmem_problem_file_destroy(gmem_problem_file_t *file);

// Writes |plan| to |path| ("-": standard output) atomically, in the format
// given by the file extension, else in that of the problem.
GMEM_MUST_USE gmem_status_t gmem_problem_file_write(
    const gmem_problem_file_t *file, const gmem_placement_t *plan,
    const gmem_plan_figures_t *figures, const char *path, gmem_diag_t *diag);

// Whether a directory entry of this name is a problem (*.csv, *.json).
bool gmem_is_problem_name(const char *name);

#endif // GMEM_TOOLS_PROBLEM_FILE_H_
