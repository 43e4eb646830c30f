// plan_folder.c - see plan_folder.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "plan_folder.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "diag.h"
#include "files.h"
#include "sha256.h"

//===--- the folder -------------------------------------------------------===//

static const char *kind_of(const char *path) {
  static const char old[] = "gmem-plan ";
  char *text = NULL;
  size_t size = 0;
  bool is_old = gmem_read_file(path, &text, &size, NULL) == GMEM_OK &&
                strncmp(text, old, sizeof old - 1) == 0;
  free(text);
  return is_old ? "is a plan cache of an earlier version, which was a single "
                  "file: delete it, or name a directory"
                : "is not a directory";
}

gmem_status_t gmem_plan_folder_check(const char *folder, gmem_diag_t *diag) {
  struct stat info;
  if (stat(folder, &info) == 0 && !S_ISDIR(info.st_mode))
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT, "%s", kind_of(folder));
  return GMEM_OK;
}

// The file of one problem.
typedef struct file_s {
  char *path;
  char *text; // "" if there is no such file
  size_t length;
} file_t;

// Call close_file even after a failure.
static gmem_status_t open_file(const char *folder, const uint8_t digest[32],
                               file_t *file, gmem_diag_t *diag) {
  char name[GMEM_SHA256_TEXT + 8];
  *file = (file_t){.path = NULL};
  gmem_sha256_text(digest, name);
  strcat(name, ".plan");
  file->path = gmem_path_join(folder, name);
  if (!file->path)
    return gmem_out_of_memory(diag);
  gmem_status_t status =
      gmem_read_file(file->path, &file->text, &file->length, diag);
  return status == GMEM_ERR_IO && diag->os_error == ENOENT ? GMEM_OK : status;
}

static void close_file(file_t *file) {
  free(file->path);
  free(file->text);
}

//===--- finding ----------------------------------------------------------===//

static int rank_of(gmem_effort_t effort) {
  static const int ranks[] = {[GMEM_EFFORT_FAST] = 0,
                              [GMEM_EFFORT_NORMAL] = 1,
                              [GMEM_EFFORT_EXHAUSTIVE] = 2};
  assert(effort < sizeof ranks / sizeof *ranks);
  return ranks[effort];
}

bool gmem_plan_folder_find(const char *folder, const gmem_problem_t *problem,
                           const uint8_t digest[32],
                           const gmem_cached_plan_t *wanted, bool any_algorithm,
                           gmem_placement_t *plan,
                           gmem_plan_figures_t *out_figures) {
  gmem_cached_plan_t found;
  gmem_diag_t diag;
  file_t file;
  bool is_found = open_file(folder, digest, &file, &diag) == GMEM_OK &&
                  gmem_plan_cache_find(problem, file.text, file.length, plan,
                                       &found, NULL) == GMEM_OK &&
                  ((any_algorithm && found.figures.optimal) ||
                   (strcmp(found.algorithm, wanted->algorithm) == 0 &&
                    rank_of(found.effort) >= rank_of(wanted->effort)));
  close_file(&file);
  if (is_found)
    *out_figures = found.figures;
  return is_found;
}

//===--- adding -----------------------------------------------------------===//

static gmem_status_t write_file(const file_t *file,
                                const gmem_problem_t *problem,
                                const gmem_placement_t *plan,
                                const gmem_cached_plan_t *about,
                                gmem_diag_t *diag) {
  gmem_output_t *output;
  GMEM_TRY(gmem_output_open(file->path, &output, diag));
  gmem_status_t status =
      gmem_plan_cache_add(problem, plan, about, file->text, file->length,
                          gmem_output_write, output, diag);
  if (status == GMEM_OK || status == GMEM_ERR_IO) // which the commit reports
    return gmem_output_commit(output, diag);
  gmem_output_abort(output);
  return status;
}

gmem_status_t
gmem_plan_folder_add(const char *folder, const gmem_problem_t *problem,
                     const uint8_t digest[32], const gmem_placement_t *plan,
                     const gmem_cached_plan_t *about, gmem_diag_t *diag) {
  file_t file;
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
    int error = errno;
    gmem_fail(diag, GMEM_ERR_IO, "cannot be created: %s", strerror(error));
    diag->os_error = error;
    return GMEM_ERR_IO;
  }
  gmem_status_t status = open_file(folder, digest, &file, diag);
  if (status == GMEM_OK)
    status = write_file(&file, problem, plan, about, diag);
  close_file(&file);
  return status;
}
