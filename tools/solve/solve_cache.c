// solve_cache.c - the plan cache file of gmem-solve (--plan-cache).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "solve_cache.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"

static gmem_status_t set_error(gmem_diag_t *diag, gmem_status_t status,
                               const char *text) {
  *diag = (gmem_diag_t){.status = status};
  snprintf(diag->text, sizeof diag->text, "%s", text);
  return status;
}

// Prevents overwriting a file that is not a plan cache.
static bool is_cache(const char *text, size_t length) {
  static const char begin[] = "gmem-plan ";
  return length == 0 || (length >= sizeof begin - 1 &&
                         memcmp(text, begin, sizeof begin - 1) == 0);
}

gmem_status_t gmem_solve_cache_open(gmem_solve_cache_t *cache, const char *path,
                                    gmem_diag_t *diag) {
  *cache = (gmem_solve_cache_t){.path = path};
  pthread_mutex_init(&cache->mutex, NULL);
  gmem_status_t status =
      gmem_read_file(path, &cache->text, &cache->length, diag);
  if (status == GMEM_ERR_IO && diag->os_error == ENOENT)
    return GMEM_OK;
  if (status == GMEM_OK && !is_cache(cache->text, cache->length))
    return set_error(diag, GMEM_ERR_CORRUPT, "the file is not a plan cache");
  return status;
}

gmem_status_t gmem_solve_cache_save(gmem_solve_cache_t *cache,
                                    gmem_diag_t *diag) {
  gmem_output_t *output = NULL;
  if (!cache->grown || (cache->grown_length == cache->length &&
                        memcmp(cache->grown, cache->text, cache->length) == 0))
    return GMEM_OK;
  GMEM_TRY(gmem_output_open(cache->path, &output, diag));
  // The commit also reports write errors.
  gmem_output_write(output, cache->grown, cache->grown_length);
  return gmem_output_commit(output, diag);
}

void gmem_solve_cache_close(gmem_solve_cache_t *cache) {
  free(cache->text);
  free(cache->grown);
  pthread_mutex_destroy(&cache->mutex);
}

static int rank_of(gmem_effort_t effort) {
  static const int ranks[] = {[GMEM_EFFORT_FAST] = 0,
                              [GMEM_EFFORT_NORMAL] = 1,
                              [GMEM_EFFORT_EXHAUSTIVE] = 2};
  return ranks[effort];
}

static bool is_good_enough(const gmem_cached_plan_t *found,
                           const gmem_cached_plan_t *request,
                           bool any_algorithm) {
  if (any_algorithm && found->figures.optimal)
    return true;
  return strcmp(found->algorithm, request->algorithm) == 0 &&
         rank_of(found->effort) >= rank_of(request->effort);
}

bool gmem_solve_cache_find(const gmem_solve_cache_t *cache,
                           const gmem_problem_t *problem,
                           const gmem_cached_plan_t *request,
                           bool any_algorithm, gmem_placement_t *plan,
                           gmem_plan_figures_t *out_figures) {
  gmem_cached_plan_t found;
  // A malformed cache is treated as a miss.
  if (gmem_plan_cache_find(problem, cache->text ? cache->text : "",
                           cache->length, plan, &found, NULL) != GMEM_OK ||
      !is_good_enough(&found, request, any_algorithm))
    return false;
  *out_figures = found.figures;
  return true;
}

static gmem_status_t write_to(void *user, const char *bytes, size_t length) {
  return fwrite(bytes, 1, length, user) == length ? GMEM_OK
                                                  : GMEM_ERR_OUT_OF_MEMORY;
}

static gmem_status_t add(gmem_solve_cache_t *cache,
                         const gmem_problem_t *problem,
                         const gmem_placement_t *plan,
                         const gmem_cached_plan_t *about, gmem_diag_t *diag) {
  char *text = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&text, &length);
  if (!stream)
    return set_error(diag, GMEM_ERR_OUT_OF_MEMORY, "out of memory");
  const char *old = cache->grown ? cache->grown : cache->text;
  gmem_status_t status =
      gmem_plan_cache_add(problem, plan, about, old ? old : "",
                          cache->grown ? cache->grown_length : cache->length,
                          write_to, stream, diag);
  if (fclose(stream) != 0 || status == GMEM_ERR_OUT_OF_MEMORY)
    status = set_error(diag, GMEM_ERR_OUT_OF_MEMORY, "out of memory");
  if (status != GMEM_OK) {
    free(text);
    return status;
  }
  free(cache->grown);
  cache->grown = text;
  cache->grown_length = length;
  return GMEM_OK;
}

gmem_status_t gmem_solve_cache_add(gmem_solve_cache_t *cache,
                                   const gmem_problem_t *problem,
                                   const gmem_placement_t *plan,
                                   const gmem_cached_plan_t *about,
                                   gmem_diag_t *diag) {
  pthread_mutex_lock(&cache->mutex);
  gmem_status_t status = add(cache, problem, plan, about, diag);
  pthread_mutex_unlock(&cache->mutex);
  return status;
}
