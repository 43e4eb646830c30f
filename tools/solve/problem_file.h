// problem_file.h - problems and plans in files, whatever their format.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_PROBLEM_FILE_H_
#define GMEM_TOOLS_PROBLEM_FILE_H_

#include "gmem/planner.h"
#include "pool_option.h"

typedef struct gmem_problem_file_s {
  const char *path; // not owned
  gmem_problem_t *problem;
  gmem_placement_t *plan; // what the file's own offsets say; may be NULL
  bool is_json;
} gmem_problem_file_t;

// Reads |path| ("-": standard input): JSON when its name ends so or it begins
// with a brace, else CSV. The buffers of CSV may lie in all of |pools|, in that
// order; JSON has pools of its own, so |pools| must be the default.
// Without |with_plan| offsets in the file are ignored. On failure |file| may be
// destroyed all the same.
GMEM_MUST_USE gmem_status_t gmem_problem_file_read(
    gmem_problem_file_t *file, const char *path, const gmem_pool_list_t *pools,
    bool with_plan, gmem_diag_t *diag);
void gmem_problem_file_destroy(gmem_problem_file_t *file);

// Writes |plan| of the problem to |path| ("-": standard output), all or
// nothing: as JSON or CSV when its name ends so, else as what was read.
GMEM_MUST_USE gmem_status_t gmem_problem_file_write(
    const gmem_problem_file_t *file, const gmem_placement_t *plan,
    const gmem_plan_figures_t *figures, const char *path, gmem_diag_t *diag);

// Whether a file of a folder of problems is one, by its name.
bool gmem_is_problem_name(const char *name);

#endif // GMEM_TOOLS_PROBLEM_FILE_H_
