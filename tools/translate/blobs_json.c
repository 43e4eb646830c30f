// blobs_json.c - writes a plan as a list of blobs, as JSON (docs/blobs.md).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdlib.h>

#include "diag.h"
#include "formats.h"
#include "json_writer.h"

// One pool as a problem of the planner: buffers that share bytes are tied to
// each other as the plan has them.
typedef struct pool_s {
  const gmem_planned_t *planned;
  uint32_t number;
  gmem_problem_t *problem;
  uint32_t *ids;          // by buffer of the plan, or GMEM_NO_BUFFER
  gmem_placement_t *plan; // by buffer of the problem
  gmem_blob_t *blobs;
  uint32_t *blob_of; // by buffer of the problem
  gmem_blobs_t sums;
} pool_t;

static void *allocate(size_t count, size_t size) {
  return calloc(count + 1, size);
}

static gmem_status_t create(pool_t *pool, gmem_diag_t *diag) {
  uint32_t count = gmem_planned_buffer_count(pool->planned);
  pool->ids = allocate(count, sizeof *pool->ids);
  pool->plan = allocate(count, sizeof *pool->plan);
  pool->blobs = allocate(count, sizeof *pool->blobs);
  pool->blob_of = allocate(count, sizeof *pool->blob_of);
  if (!pool->ids || !pool->plan || !pool->blobs || !pool->blob_of)
    return gmem_out_of_memory(diag);
  return gmem_problem_create(NULL, &pool->problem, diag);
}

static void destroy(pool_t *pool) {
  gmem_problem_destroy(pool->problem);
  free(pool->ids);
  free(pool->plan);
  free(pool->blobs);
  free(pool->blob_of);
}

static gmem_status_t add_buffers(pool_t *pool, gmem_diag_t *diag) {
  for (uint32_t i = 0; i < gmem_planned_buffer_count(pool->planned); ++i) {
    const gmem_planned_buffer_t *buffer = gmem_planned_buffer(pool->planned, i);
    pool->ids[i] = GMEM_NO_BUFFER;
    if (buffer->pool != pool->number || buffer->alias_of != GMEM_NO_BUFFER)
      continue;
    gmem_buffer_spec_t spec = {.name = buffer->name,
                               .size = buffer->size,
                               .alignment = buffer->alignment,
                               .ranges = buffer->ranges,
                               .range_count = buffer->range_count};
    GMEM_TRY(
        gmem_problem_add_buffer(pool->problem, &spec, &pool->ids[i], diag));
    pool->plan[pool->ids[i]] = (gmem_placement_t){.offset = buffer->offset};
  }
  return GMEM_OK;
}

static gmem_status_t add_aliases(pool_t *pool, gmem_diag_t *diag) {
  for (size_t i = 0; i < gmem_planned_alias_count(pool->planned); ++i) {
    const gmem_planned_alias_t *alias = gmem_planned_alias(pool->planned, i);
    gmem_alias_spec_t spec = {.child = pool->ids[alias->child],
                              .parent = pool->ids[alias->parent],
                              .offset = alias->offset};
    if (spec.child != GMEM_NO_BUFFER && spec.parent != GMEM_NO_BUFFER)
      GMEM_TRY(gmem_problem_add_alias(pool->problem, &spec, diag));
  }
  return GMEM_OK;
}

static gmem_status_t find_blobs(pool_t *pool, gmem_diag_t *diag) {
  gmem_pool_spec_t spec = {
      .name = gmem_planned_pool(pool->planned, pool->number)->name,
      .capacity = GMEM_UNLIMITED,
      .alignment = 1};
  uint32_t ignored;
  GMEM_TRY(create(pool, diag));
  GMEM_TRY(gmem_problem_add_pool(pool->problem, &spec, &ignored, diag));
  GMEM_TRY(add_buffers(pool, diag));
  GMEM_TRY(add_aliases(pool, diag));
  GMEM_TRY(gmem_check(pool->problem, pool->plan, NULL, diag));
  gmem_diag_t why = {0};
  gmem_status_t status =
      gmem_find_blobs(pool->problem, pool->plan, 0, pool->blobs, pool->blob_of,
                      &pool->sums, &why);
  if (status == GMEM_ERR_INVALID_ARGUMENT)
    return gmem_fail(
        diag, status,
        "'%s' begins within the memory of other buffers of pool '%s': make the "
        "plan with algorithm=blobs",
        gmem_problem_buffer(pool->problem, (uint32_t)why.object)->name,
        spec.name);
  return status == GMEM_OK ? status : gmem_fail(diag, status, "%s", why.text);
}

//===--- JSON -------------------------------------------------------------===//

static void put_buffer(gmem_json_t *json, const pool_t *pool, uint32_t index) {
  const gmem_planned_buffer_t *buffer =
      gmem_planned_buffer(pool->planned, index);
  uint32_t leader =
      buffer->alias_of == GMEM_NO_BUFFER ? index : buffer->alias_of;
  uint32_t blob = pool->blob_of[pool->ids[leader]];
  gmem_json_open(json, NULL, '{');
  gmem_json_text(json, "name", buffer->name);
  if (blob == GMEM_NO_BUFFER)
    gmem_json_null(json, "blob"); // it has no bytes
  else
    gmem_json_number(json, "blob", blob);
  gmem_json_number(
      json, "offset",
      blob == GMEM_NO_BUFFER ? 0 : buffer->offset - pool->blobs[blob].offset);
  gmem_json_number(json, "size", buffer->size);
  gmem_json_open(json, "ranges", '[');
  for (size_t i = 0; i < buffer->range_count; ++i)
    gmem_json_pair(json, NULL, buffer->ranges[i].begin, buffer->ranges[i].end);
  gmem_json_close(json);
  gmem_json_close(json);
}

static void put_pool(gmem_json_t *json, const pool_t *pool) {
  const gmem_planned_pool_t *planned =
      gmem_planned_pool(pool->planned, pool->number);
  gmem_json_open(json, NULL, '{');
  gmem_json_text(json, "name", planned->name);
  gmem_json_number(json, "bytes", pool->sums.bytes);
  gmem_json_number(json, "lower_bound", pool->sums.lower_bound);
  gmem_json_bool(json, "optimal", pool->sums.bytes == pool->sums.lower_bound);
  gmem_json_number(json, "offset_lower_bound", planned->lower_bound);
  gmem_json_open(json, "blobs", '[');
  for (size_t i = 0; i < pool->sums.count; ++i) {
    gmem_json_open(json, NULL, '{');
    gmem_json_number(json, "size", pool->blobs[i].size);
    gmem_json_number(json, "alignment", pool->blobs[i].alignment);
    gmem_json_number(json, "pool_offset", pool->blobs[i].offset);
    gmem_json_close(json);
  }
  gmem_json_close(json);
  gmem_json_open(json, "buffers", '[');
  for (uint32_t i = 0; i < gmem_planned_buffer_count(pool->planned); ++i)
    if (gmem_planned_buffer(pool->planned, i)->pool == pool->number)
      put_buffer(json, pool, i);
  gmem_json_close(json);
  gmem_json_close(json);
}

static gmem_status_t write_pools(gmem_json_t *json,
                                 const gmem_planned_t *planned,
                                 gmem_diag_t *diag) {
  for (uint32_t i = 0; i < gmem_planned_pool_count(planned); ++i) {
    if (gmem_planned_pool(planned, i)->constant)
      continue;
    pool_t pool = {.planned = planned, .number = i};
    gmem_status_t status = find_blobs(&pool, diag);
    if (status == GMEM_OK)
      put_pool(json, &pool);
    destroy(&pool);
    GMEM_TRY(status);
  }
  return GMEM_OK;
}

gmem_status_t gmem_write_blobs(gmem_translation_t *translation,
                               gmem_diag_t *diag) {
  gmem_json_t json;
  gmem_json_start(&json, gmem_output_write,
                  gmem_output_files_last(&translation->files));
  gmem_json_open(&json, NULL, '{');
  gmem_json_text(&json, "format", "gmem-blobs");
  gmem_json_number(&json, "version", 1);
  gmem_json_open(&json, "pools", '[');
  GMEM_TRY(write_pools(&json, translation->planned, diag));
  gmem_json_close(&json);
  gmem_json_close(&json);
  (void)gmem_json_end(&json, "the blobs", diag); // the commit reports it
  return GMEM_OK;
}
