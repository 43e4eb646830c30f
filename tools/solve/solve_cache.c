// solve_cache.c - the plan cache of gmem-solve (--plan-cache).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE // tdestroy

#include "solve_cache.h"

#include <assert.h>
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "batch_files.h"
#include "diag.h"
#include "files.h"
#include "sha256.h"

//===--- the directory ----------------------------------------------------===//

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

gmem_status_t gmem_solve_cache_open(gmem_solve_cache_t *cache,
                                    const char *folder, gmem_diag_t *diag) {
  struct stat info;
  *cache = (gmem_solve_cache_t){.folder = folder};
  pthread_mutex_init(&cache->mutex, NULL);
  if (stat(folder, &info) == 0 && !S_ISDIR(info.st_mode))
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT, "%s", kind_of(folder));
  return GMEM_OK;
}

gmem_status_t gmem_solve_cache_close(gmem_solve_cache_t *cache,
                                     gmem_diag_t *diag) {
  tdestroy(cache->added, free);
  pthread_mutex_destroy(&cache->mutex);
  *diag = cache->diag;
  return diag->status;
}

// The file of one problem.
typedef struct file_s {
  uint8_t digest[GMEM_SHA256_SIZE];
  char *path;
  char *text; // "" if there is no such file
  size_t length;
} file_t;

// Call close_file even after a failure.
static gmem_status_t open_file(const gmem_solve_cache_t *cache,
                               const gmem_problem_t *problem, file_t *file,
                               gmem_diag_t *diag) {
  char name[GMEM_SHA256_TEXT + 8];
  *file = (file_t){.path = NULL};
  GMEM_TRY(gmem_problem_digest(problem, file->digest, diag));
  gmem_sha256_text(file->digest, name);
  strcat(name, ".plan");
  file->path = gmem_path_join(cache->folder, name);
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

static int compare_digests(const void *a, const void *b) {
  return memcmp(a, b, GMEM_SHA256_SIZE);
}

static bool was_added(gmem_solve_cache_t *cache, const file_t *file) {
  pthread_mutex_lock(&cache->mutex);
  bool result = tfind(file->digest, &cache->added, compare_digests) != NULL;
  pthread_mutex_unlock(&cache->mutex);
  return result;
}

static int rank_of(gmem_effort_t effort) {
  static const int ranks[] = {[GMEM_EFFORT_FAST] = 0,
                              [GMEM_EFFORT_NORMAL] = 1,
                              [GMEM_EFFORT_EXHAUSTIVE] = 2};
  assert(effort < sizeof ranks / sizeof *ranks);
  return ranks[effort];
}

bool gmem_solve_cache_find(gmem_solve_cache_t *cache,
                           const gmem_problem_t *problem,
                           const gmem_cached_plan_t *wanted, bool any_algorithm,
                           gmem_placement_t *plan,
                           gmem_plan_figures_t *out_figures) {
  gmem_cached_plan_t found;
  gmem_diag_t diag;
  file_t file;
  // A file that was read before an addition of this run is still in the tree
  // when it is looked up after that.
  bool is_found = open_file(cache, problem, &file, &diag) == GMEM_OK &&
                  !was_added(cache, &file) &&
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

static gmem_status_t note_added(gmem_solve_cache_t *cache, const file_t *file,
                                gmem_diag_t *diag) {
  if (!cache->added && mkdir(cache->folder, 0777) != 0 && errno != EEXIST)
    return gmem_fail(diag, GMEM_ERR_IO, "cannot be created: %s",
                     strerror(errno));
  uint8_t *digest = malloc(sizeof file->digest);
  if (!digest)
    return gmem_out_of_memory(diag);
  memcpy(digest, file->digest, sizeof file->digest);
  uint8_t **node = tsearch(digest, &cache->added, compare_digests);
  if (!node || *node != digest)
    free(digest);
  return node ? GMEM_OK : gmem_out_of_memory(diag);
}

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

void gmem_solve_cache_add(gmem_solve_cache_t *cache,
                          const gmem_problem_t *problem,
                          const gmem_placement_t *plan,
                          const gmem_cached_plan_t *about) {
  file_t file;
  gmem_diag_t diag;
  // Reading and writing in one step keeps the better of two plans.
  pthread_mutex_lock(&cache->mutex);
  gmem_status_t status = open_file(cache, problem, &file, &diag);
  if (status == GMEM_OK)
    status = note_added(cache, &file, &diag);
  if (status == GMEM_OK)
    status = write_file(&file, problem, plan, about, &diag);
  if (status != GMEM_OK && cache->diag.status == GMEM_OK)
    cache->diag = diag;
  pthread_mutex_unlock(&cache->mutex);
  close_file(&file);
}
