// problem_file.c - problems and plans in files, whatever their format.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "problem_file.h"

#include <stdio.h>
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

static gmem_status_t copy_buffers(gmem_problem_t *to,
                                  const gmem_problem_t *from,
                                  gmem_diag_t *diag) {
  gmem_status_t status = GMEM_OK;
  uint32_t count = gmem_problem_buffer_count(from), index;
  for (uint32_t i = 0; i < count && status == GMEM_OK; ++i) {
    gmem_buffer_spec_t spec = *gmem_problem_buffer(from, i);
    spec.pools = NULL;
    spec.pool_count = 0;
    status = gmem_problem_add_buffer(to, &spec, &index, diag);
  }
  return status;
}

// Makes |*problem| one whose buffers may lie in all pools.
static gmem_status_t spread(gmem_problem_t **problem,
                            const gmem_pool_list_t *pools, gmem_diag_t *diag) {
  gmem_problem_t *wide = NULL;
  uint32_t index;
  gmem_status_t status = gmem_problem_create(NULL, &wide, diag);
  for (uint32_t i = 0; i < pools->count && status == GMEM_OK; ++i)
    status = gmem_problem_add_pool(wide, &pools->specs[i], &index, diag);
  if (status == GMEM_OK)
    status = copy_buffers(wide, *problem, diag);
  if (status != GMEM_OK) {
    gmem_problem_destroy(wide);
    return status;
  }
  gmem_problem_destroy(*problem);
  *problem = wide;
  return GMEM_OK;
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
    status = gmem_csv_read(text, size, &pools->specs[0], NULL, &file->problem,
                           with_plan ? &file->plan : NULL, diag);
  free(text);
  if (status == GMEM_OK && pools->count > 1)
    status = spread(&file->problem, pools, diag);
  return status;
}

void gmem_problem_file_destroy(gmem_problem_file_t *file) {
  gmem_plan_free(file->problem, file->plan);
  gmem_problem_destroy(file->problem);
  *file = (gmem_problem_file_t){0};
}

static gmem_status_t fail_pools(gmem_diag_t *diag) {
  *diag = (gmem_diag_t){.status = GMEM_ERR_UNSUPPORTED};
  snprintf(diag->text, sizeof diag->text,
           "plans with several pools cannot be written as CSV");
  return diag->status;
}

gmem_status_t gmem_problem_file_write(const gmem_problem_file_t *file,
                                      const gmem_placement_t *plan,
                                      const char *path, gmem_diag_t *diag) {
  gmem_output_t *output = NULL;
  if (gmem_problem_pool_count(file->problem) > 1)
    return fail_pools(diag);
  gmem_status_t status = gmem_output_open(path, &output, diag);
  if (status != GMEM_OK)
    return status;
  status =
      gmem_csv_write(file->problem, plan, 0, gmem_output_write, output, diag);
  if (status != GMEM_OK && status != GMEM_ERR_IO) {
    gmem_output_abort(output);
    return status;
  }
  // A write that failed is reported here, with the reason.
  return gmem_output_commit(output, diag);
}
