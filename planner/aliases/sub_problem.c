// sub_problem.c - a problem of some buffers of another one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sub_problem.h"

#include "problem_store.h"

static bool is_large(const gmem_problem_t *problem, uint32_t buffer,
                     uint64_t least) {
  return gmem_problem_buffer(problem, buffer)->size >= least;
}

static gmem_status_t copy_aliases(const gmem_problem_t *problem, uint64_t least,
                                  gmem_problem_t *to, const uint32_t *ids,
                                  gmem_diag_t *diag) {
  for (size_t i = 0; i < gmem_problem_alias_count(problem); ++i) {
    gmem_alias_spec_t alias = *gmem_problem_alias(problem, i);
    if (!is_large(problem, alias.child, least) ||
        !is_large(problem, alias.parent, least))
      continue;
    alias.child = ids[alias.child];
    alias.parent = ids[alias.parent];
    GMEM_TRY(gmem_problem_add_alias(to, &alias, diag));
  }
  return GMEM_OK;
}

static gmem_status_t copy_conflicts(const gmem_problem_t *problem,
                                    uint64_t least, gmem_problem_t *to,
                                    const uint32_t *ids, gmem_diag_t *diag) {
  for (size_t i = 0; i < gmem_problem_conflict_count(problem); ++i) {
    uint32_t a, b;
    gmem_problem_conflict(problem, i, &a, &b);
    if (is_large(problem, a, least) && is_large(problem, b, least))
      GMEM_TRY(gmem_problem_add_conflict(to, ids[a], ids[b], diag));
  }
  return GMEM_OK;
}

static gmem_status_t copy_buffers(const gmem_problem_t *problem, uint64_t least,
                                  uint64_t alignment, gmem_problem_t *to,
                                  uint32_t *ids, gmem_diag_t *diag) {
  gmem_pool_spec_t pool = *gmem_problem_pool(problem, 0);
  uint32_t id;
  pool.capacity = GMEM_UNLIMITED;
  pool.alignment = alignment;
  GMEM_TRY(gmem_problem_add_pool(to, &pool, &id, diag));
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i)
    if (is_large(problem, i, least))
      GMEM_TRY(gmem_problem_add_buffer(to, gmem_problem_buffer(problem, i),
                                       &ids[i], diag));
  return GMEM_OK;
}

gmem_status_t gmem_copy_large(const gmem_problem_t *problem, uint64_t least,
                              uint64_t alignment, gmem_problem_t *to,
                              uint32_t *ids, gmem_diag_t *diag) {
  GMEM_TRY(copy_buffers(problem, least, alignment, to, ids, diag));
  GMEM_TRY(copy_aliases(problem, least, to, ids, diag));
  return copy_conflicts(problem, least, to, ids, diag);
}

static gmem_status_t copy_states(const gmem_problem_t *problem,
                                 const uint8_t *states, gmem_problem_t *to,
                                 gmem_diag_t *diag) {
  for (size_t i = 0; i < gmem_problem_alias_count(problem); ++i) {
    gmem_alias_spec_t alias = *gmem_problem_alias(problem, i);
    alias.is_optional &= states[i] != GMEM_ALIAS_IN_PLACE;
    if (states[i] != GMEM_ALIAS_ELSEWHERE)
      GMEM_TRY(gmem_problem_add_alias(to, &alias, diag));
  }
  return GMEM_OK;
}

gmem_status_t gmem_copy_decided(const gmem_problem_t *problem,
                                const uint8_t *states, uint32_t *ids,
                                gmem_problem_t *to, gmem_diag_t *diag) {
  GMEM_TRY(copy_buffers(problem, 0, gmem_problem_pool(problem, 0)->alignment,
                        to, ids, diag));
  GMEM_TRY(copy_states(problem, states, to, diag));
  return copy_conflicts(problem, 0, to, ids, diag);
}
