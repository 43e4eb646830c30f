// plan_csv.c - writes one pool of a plan as a CSV problem with its solution.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "formats.h"

// Returns the pool of that name, or the first workspace pool if |name| is NULL.
static uint32_t choose_pool(const gmem_planned_t *planned, const char *name) {
  for (uint32_t i = 0; i < gmem_planned_pool_count(planned); ++i) {
    const gmem_planned_pool_t *pool = gmem_planned_pool(planned, i);
    if (name ? strcmp(pool->name, name) == 0 : !pool->constant)
      return i;
  }
  return UINT32_MAX;
}

// Adds the buffers of the pool that own bytes, live while they own them, and
// their placements: CSV cannot express aliases.
static gmem_status_t fill_problem(const gmem_planned_t *planned, uint32_t pool,
                                  gmem_problem_t *problem,
                                  gmem_placement_t *plan, gmem_diag_t *diag) {
  for (uint32_t i = 0; i < gmem_planned_buffer_count(planned); ++i) {
    const gmem_planned_buffer_t *buffer = gmem_planned_buffer(planned, i);
    if (buffer->pool != pool || buffer->alias_of != GMEM_NO_BUFFER ||
        buffer->owned_count == 0)
      continue;
    uint32_t id;
    gmem_buffer_spec_t spec = {.name = buffer->name,
                               .size = buffer->size,
                               .alignment = buffer->alignment,
                               .ranges = buffer->owned,
                               .range_count = buffer->owned_count};
    GMEM_TRY(gmem_problem_add_buffer(problem, &spec, &id, diag));
    plan[id] = (gmem_placement_t){.offset = buffer->offset, .pool = 0};
  }
  return GMEM_OK;
}

// |problem| is empty; |plan| has room for all buffers.
static gmem_status_t write_problem(const gmem_translation_t *translation,
                                   gmem_problem_t *problem,
                                   gmem_placement_t *plan, gmem_diag_t *diag) {
  const gmem_planned_t *planned = translation->planned;
  uint32_t pool = choose_pool(planned, translation->options->pool), ignored;
  if (pool == UINT32_MAX)
    return gmem_fail(diag, GMEM_ERR_NOT_FOUND,
                     "the plan has no pool of this name");
  gmem_pool_spec_t spec = {.name = gmem_planned_pool(planned, pool)->name,
                           .capacity = GMEM_UNLIMITED,
                           .alignment = 1};
  GMEM_TRY(gmem_problem_add_pool(problem, &spec, &ignored, diag));
  GMEM_TRY(fill_problem(planned, pool, problem, plan, diag));
  return gmem_csv_write(problem, plan, 0, gmem_output_write,
                        gmem_output_files_last(&translation->files), diag);
}

// CSV has no aliases, so a row is live while its buffer owns its bytes.
gmem_status_t gmem_write_csv(gmem_translation_t *translation,
                             gmem_diag_t *diag) {
  gmem_problem_t *problem;
  GMEM_TRY(gmem_problem_create(NULL, &problem, diag));
  gmem_placement_t *plan = calloc(
      gmem_planned_buffer_count(translation->planned) + 1u, sizeof *plan);
  gmem_status_t status = plan ? write_problem(translation, problem, plan, diag)
                              : gmem_out_of_memory(diag);
  gmem_problem_destroy(problem);
  free(plan);
  return status;
}
