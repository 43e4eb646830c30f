// problem_file.c - problems and plans in files, whatever their format.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "problem_file.h"

#include <stdlib.h>
#include <string.h>

#include "files.h"

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text), tail = strlen(end);
  return length > tail && strcmp(text + length - tail, end) == 0;
}

bool gmem_is_problem_name(const char *name) {
  return name[0] != '.' && ends_with(name, ".csv");
}

gmem_status_t gmem_problem_file_read(gmem_problem_file_t *file,
                                     const char *path,
                                     const gmem_pool_list_t *pools,
                                     bool with_plan, gmem_diag_t *diag) {
  char *text = NULL;
  size_t size = 0;
  *file = (gmem_problem_file_t){.path = path};
  gmem_status_t status = gmem_read_file(path, &text, &size, diag);
  if (status == GMEM_OK)
    status =
        gmem_csv_read(text, size, pools->specs, pools->count, NULL,
                      &file->problem, with_plan ? &file->plan : NULL, diag);
  free(text);
  return status;
}

void gmem_problem_file_destroy(gmem_problem_file_t *file) {
  gmem_plan_free(file->problem, file->plan);
  gmem_problem_destroy(file->problem);
  *file = (gmem_problem_file_t){0};
}

gmem_status_t gmem_problem_file_write(const gmem_problem_file_t *file,
                                      const gmem_placement_t *plan,
                                      const char *path, gmem_diag_t *diag) {
  gmem_output_t *output = NULL;
  gmem_status_t status = gmem_output_open(path, &output, diag);
  if (status != GMEM_OK)
    return status;
  status = gmem_csv_write(file->problem, plan, GMEM_ALL_POOLS,
                          gmem_output_write, output, diag);
  if (status != GMEM_OK && status != GMEM_ERR_IO) {
    gmem_output_abort(output);
    return status;
  }
  // A write that failed is reported here, with the reason.
  return gmem_output_commit(output, diag);
}
