// problem_file.c - reads and writes problems and plans as CSV or JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "problem_file.h"

#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "files.h"
#include "problem_json.h"

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text), tail = strlen(end);
  return length > tail && strcmp(text + length - tail, end) == 0;
}

bool gmem_is_problem_name(const char *name) {
  return name[0] != '.' &&
         (ends_with(name, ".csv") || ends_with(name, ".json"));
}

//===--- dispatch on the format -------------------------------------------===//

// A CSV header cannot begin with a brace, since no column name does.
static bool is_json(const char *path, const char *text) {
  return ends_with(path, ".json") || text[strspn(text, " \t\r\n")] == '{';
}

static gmem_status_t parse(gmem_problem_file_t *file, const char *text,
                           size_t size, const gmem_pool_list_t *pools,
                           bool with_plan, gmem_diag_t *diag) {
  file->is_json = is_json(file->path, text);
  if (!file->is_json)
    return gmem_csv_read(text, size, pools->specs, pools->count, NULL,
                         &file->problem, with_plan ? &file->plan : NULL, diag);
  if (!pools->is_default)
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "a JSON problem defines its own pools; --pool, --capacity "
                     "and --alignment apply to CSV only");
#ifdef GMEM_HAS_JSON
  return gmem_problem_json_read(text, size, NULL, &file->problem,
                                with_plan ? &file->plan : NULL, diag);
#else
  return gmem_fail(diag, GMEM_ERR_UNSUPPORTED,
                   "this gmem-solve was built without JSON support");
#endif
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
    status = parse(file, text, size, pools, with_plan, diag);
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
                                      const gmem_plan_figures_t *figures,
                                      const char *path, gmem_diag_t *diag) {
  gmem_output_t *output = NULL;
  bool as_json =
      file->is_json ? !ends_with(path, ".csv") : ends_with(path, ".json");
  GMEM_TRY(gmem_output_open(path, &output, diag));
  gmem_status_t status =
      as_json ? gmem_problem_json_write(file->problem, plan, figures,
                                        gmem_output_write, output, diag)
              : gmem_csv_write(file->problem, plan, GMEM_ALL_POOLS,
                               gmem_output_write, output, diag);
  if (status != GMEM_OK && status != GMEM_ERR_IO) {
    gmem_output_abort(output);
    return status;
  }
  // The commit also reports write errors.
  return gmem_output_commit(output, diag);
}
