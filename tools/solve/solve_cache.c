// solve_cache.c - the plan cache of gmem-solve (--plan-cache).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE // tdestroy

#include "solve_cache.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "plan_folder.h"
#include "sha256.h"

gmem_status_t gmem_solve_cache_open(gmem_solve_cache_t *cache,
                                    const char *folder, gmem_diag_t *diag) {
  *cache = (gmem_solve_cache_t){.folder = folder};
  pthread_mutex_init(&cache->mutex, NULL);
  return gmem_plan_folder_check(folder, diag);
}

gmem_status_t gmem_solve_cache_close(gmem_solve_cache_t *cache,
                                     gmem_diag_t *diag) {
  tdestroy(cache->added, free);
  pthread_mutex_destroy(&cache->mutex);
  *diag = cache->diag;
  return diag->status;
}

//===--- finding ----------------------------------------------------------===//

static int compare_digests(const void *a, const void *b) {
  return memcmp(a, b, GMEM_SHA256_SIZE);
}

static bool was_added(gmem_solve_cache_t *cache, const uint8_t *digest) {
  pthread_mutex_lock(&cache->mutex);
  bool result = tfind(digest, &cache->added, compare_digests) != NULL;
  pthread_mutex_unlock(&cache->mutex);
  return result;
}

// A file that was read before an addition of this run is looked up in the tree
// after that.
bool gmem_solve_cache_find(gmem_solve_cache_t *cache,
                           const gmem_problem_t *problem,
                           const gmem_cached_plan_t *wanted, bool any_algorithm,
                           gmem_placement_t *plan,
                           gmem_plan_figures_t *out_figures) {
  uint8_t digest[GMEM_SHA256_SIZE];
  return gmem_problem_digest(problem, digest, NULL) == GMEM_OK &&
         gmem_plan_folder_find(cache->folder, problem, digest, wanted,
                               any_algorithm, plan, out_figures) &&
         !was_added(cache, digest);
}

//===--- adding -----------------------------------------------------------===//

static gmem_status_t note_added(gmem_solve_cache_t *cache,
                                const uint8_t *digest, gmem_diag_t *diag) {
  uint8_t *copy = malloc(GMEM_SHA256_SIZE);
  if (!copy)
    return gmem_out_of_memory(diag);
  memcpy(copy, digest, GMEM_SHA256_SIZE);
  uint8_t **node = tsearch(copy, &cache->added, compare_digests);
  if (!node || *node != copy)
    free(copy);
  return node ? GMEM_OK : gmem_out_of_memory(diag);
}

void gmem_solve_cache_add(gmem_solve_cache_t *cache,
                          const gmem_problem_t *problem,
                          const gmem_placement_t *plan,
                          const gmem_cached_plan_t *about) {
  uint8_t digest[GMEM_SHA256_SIZE];
  gmem_diag_t diag;
  // Reading and writing in one step keeps the better of two plans.
  pthread_mutex_lock(&cache->mutex);
  gmem_status_t status = gmem_problem_digest(problem, digest, &diag);
  if (status == GMEM_OK)
    status = note_added(cache, digest, &diag);
  if (status == GMEM_OK)
    status = gmem_plan_folder_add(cache->folder, problem, digest, plan, about,
                                  &diag);
  if (status != GMEM_OK && cache->diag.status == GMEM_OK)
    cache->diag = diag;
  pthread_mutex_unlock(&cache->mutex);
}
