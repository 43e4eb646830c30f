// plan_blobs.c - see gmem/planner/blobs.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gmem/planner/blobs.h"

#include <inttypes.h>

#include "blob_bound.h"
#include "packing.h"
#include "packing_query.h"
#include "problem_store.h"

typedef struct lister_s {
  const gmem_problem_t *problem;
  const gmem_placement_t *plan;
  uint32_t pool;
  gmem_packing_t packing;
  gmem_scratch_t memory;
  gmem_blob_t *blobs;
  uint32_t *blob_of;
  gmem_blobs_t *sums;
  gmem_diag_t *diag;
} lister_t;

// Optional aliases count where the plan satisfies them.
static gmem_status_t build_packing(lister_t *lister) {
  const gmem_problem_t *problem = lister->problem;
  uint32_t count = gmem_problem_buffer_count(problem);
  size_t alias_count = gmem_problem_alias_count(problem);
  uint32_t *pool_of;
  bool *chosen;
  GMEM_TRY_NEW(pool_of, &lister->memory, count);
  GMEM_TRY_NEW(chosen, &lister->memory, alias_count);
  for (uint32_t i = 0; i < count; ++i) {
    pool_of[i] = lister->plan[i].pool;
    lister->blob_of[i] = GMEM_NO_BUFFER;
  }
  for (size_t i = 0; i < alias_count; ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(problem, i);
    const gmem_placement_t *child = &lister->plan[alias->child];
    const gmem_placement_t *parent = &lister->plan[alias->parent];
    chosen[i] = child->pool == parent->pool &&
                child->offset == parent->offset + alias->offset;
  }
  return gmem_packing_create(problem, lister->pool, pool_of, chosen, NULL,
                             &lister->packing, lister->diag);
}

static uint64_t offset_of(const lister_t *lister, uint32_t item) {
  const gmem_member_t *first =
      &lister->packing.members[lister->packing.items[item].member];
  return lister->plan[first->buffer].offset - first->offset;
}

static gmem_status_t refuse(const lister_t *lister, uint32_t item) {
  uint32_t buffer = gmem_first_buffer(&lister->packing, item);
  return gmem_planner_fail(
      lister->diag, GMEM_ERR_INVALID_ARGUMENT, buffer,
      "buffer %" PRIu32 " (%s) begins within the memory of others: this is no "
      "plan of the algorithm blobs",
      buffer, gmem_problem_buffer(lister->problem, buffer)->name);
}

static void join(const lister_t *lister, uint32_t item) {
  const gmem_packing_t *packing = &lister->packing;
  uint32_t last = (uint32_t)lister->sums->count - 1;
  gmem_blob_t *blob = &lister->blobs[last];
  if (packing->items[item].extent > blob->size)
    blob->size = packing->items[item].extent;
  if (packing->items[item].alignment > blob->alignment)
    blob->alignment = packing->items[item].alignment;
  for (uint32_t i = packing->items[item].member;
       i < gmem_members_end(packing, item); ++i)
    lister->blob_of[packing->members[i].buffer] = last;
}

static gmem_status_t list_blobs(lister_t *lister) {
  const gmem_packing_t *packing = &lister->packing;
  gmem_blobs_t *sums = lister->sums;
  gmem_order_t *order;
  GMEM_TRY_NEW(order, &lister->memory, 2 * (size_t)packing->count);
  for (uint32_t i = 0; i < packing->count; ++i)
    order[i] = (gmem_order_t){offset_of(lister, i), i};
  gmem_sort_order(order, order + packing->count, packing->count);
  for (uint32_t i = 0; i < packing->count; ++i) {
    const gmem_blob_t *last =
        sums->count ? &lister->blobs[sums->count - 1] : NULL;
    if (last && order[i].key > last->offset &&
        order[i].key - last->offset < last->size)
      return refuse(lister, order[i].index);
    if (!last || order[i].key != last->offset)
      lister->blobs[sums->count++] = (gmem_blob_t){.offset = order[i].key};
    join(lister, order[i].index);
  }
  for (size_t i = 0; i < sums->count; ++i)
    if (!gmem_add_bytes(sums->bytes, lister->blobs[i].size, &sums->bytes))
      return gmem_planner_fail(lister->diag, GMEM_ERR_OUT_OF_RANGE, 0,
                               "the sizes of the blobs exceed 63 bits");
  return GMEM_OK;
}

// The bytes that are live together are in blobs, too, where none is fixed.
static gmem_status_t raise_to_pressure(lister_t *lister) {
  uint64_t most;
  for (uint32_t i = 0; i < lister->packing.count; ++i)
    if (gmem_is_fixed(&lister->packing.items[i]))
      return GMEM_OK;
  GMEM_TRY(gmem_packing_pressure(&lister->packing, NULL, &most, lister->diag));
  if (most > lister->sums->lower_bound)
    lister->sums->lower_bound = most;
  return GMEM_OK;
}

static gmem_status_t find(lister_t *lister) {
  gmem_blob_bound_t bound;
  GMEM_TRY(build_packing(lister));
  GMEM_TRY(list_blobs(lister));
  GMEM_TRY(gmem_blob_bound_find(&lister->packing, &lister->memory, &bound));
  for (uint32_t k = 0; k < bound.count; ++k)
    lister->sums->lower_bound += bound.sizes[k];
  return raise_to_pressure(lister);
}

gmem_status_t gmem_find_blobs(const gmem_problem_t *problem,
                              const gmem_placement_t *plan, uint32_t pool,
                              gmem_blob_t *blobs, uint32_t *blob_of,
                              gmem_blobs_t *out_blobs, gmem_diag_t *diag) {
  GMEM_PLANNER_NEED(
      problem && (plan || gmem_problem_buffer_count(problem) == 0) && out_blobs,
      diag);
  lister_t lister = {
      .problem = problem,
      .plan = plan,
      .pool = pool,
      .memory = {.allocator = gmem_problem_allocator(problem), .diag = diag},
      .blobs = blobs,
      .blob_of = blob_of,
      .sums = out_blobs,
      .diag = diag};
  *out_blobs = (gmem_blobs_t){.count = 0};
  if (pool >= gmem_problem_pool_count(problem))
    return gmem_planner_fail(diag, GMEM_ERR_OUT_OF_RANGE, pool, "unknown pool");
  gmem_status_t status = find(&lister);
  gmem_packing_destroy(&lister.packing);
  gmem_scratch_free(&lister.memory);
  return status;
}
