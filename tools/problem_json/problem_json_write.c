// problem_json_write.c - writes a problem, with or without a plan, as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "problem_json.h"

#include <assert.h>
#include <inttypes.h>

#include "diag.h"
#include "json_writer.h"

typedef struct writer_s {
  gmem_json_t json;
  const gmem_problem_t *problem;
  const gmem_placement_t *plan;
  gmem_diag_t *diag;
} writer_t;

static gmem_status_t fail_object(const writer_t *writer, gmem_status_t status,
                                 const char *what, uint64_t object,
                                 const char *problem) {
  gmem_fail(writer->diag, status, "%s %" PRIu64 " %s", what, object, problem);
  if (writer->diag)
    writer->diag->object = object;
  return status;
}

// A replaced byte would change which pool or buffer a name refers to.
static gmem_status_t put_name(writer_t *writer, const char *key,
                              const char *name, const char *what,
                              uint64_t object) {
  if (!gmem_is_utf8(name))
    return fail_object(writer, GMEM_ERR_INVALID_ARGUMENT, what, object,
                       "has a name that is not UTF-8");
  gmem_json_text(&writer->json, key, name);
  return GMEM_OK;
}

static gmem_status_t put_pool_name(writer_t *writer, const char *key,
                                   uint32_t pool) {
  return put_name(writer, key, gmem_problem_pool(writer->problem, pool)->name,
                  "pool", pool);
}

//===--- elements ---------------------------------------------------------===//

typedef gmem_status_t (*element_fn)(writer_t *writer, size_t index);

static gmem_status_t put_pool(writer_t *writer, size_t index) {
  const gmem_pool_spec_t *pool =
      gmem_problem_pool(writer->problem, (uint32_t)index);
  gmem_json_t *json = &writer->json;
  gmem_json_open(json, NULL, '{');
  GMEM_TRY(put_pool_name(writer, "name", (uint32_t)index));
  gmem_json_number_or_null(json, "capacity", pool->capacity, GMEM_UNLIMITED);
  gmem_json_number(json, "alignment", pool->alignment);
  gmem_json_number(json, "base", pool->base);
  if (pool->speed)
    gmem_json_number(json, "speed", pool->speed);
  gmem_json_close(json);
  return GMEM_OK;
}

static bool may_go_anywhere(const gmem_problem_t *problem,
                            const gmem_buffer_spec_t *spec) {
  for (size_t i = 0; i < spec->pool_count; ++i)
    if (spec->pools[i] != i)
      return false;
  return spec->pool_count == gmem_problem_pool_count(problem);
}

static gmem_status_t put_candidates(writer_t *writer,
                                    const gmem_buffer_spec_t *spec) {
  if (may_go_anywhere(writer->problem, spec))
    return GMEM_OK;
  gmem_json_open(&writer->json, "pools", '[');
  for (size_t i = 0; i < spec->pool_count; ++i)
    GMEM_TRY(put_pool_name(writer, NULL, spec->pools[i]));
  gmem_json_close(&writer->json);
  return GMEM_OK;
}

static void put_lives(gmem_json_t *json, const gmem_buffer_spec_t *spec) {
  gmem_json_open(json, "lives", '[');
  for (size_t i = 0; i < spec->range_count; ++i)
    gmem_json_pair(json, NULL, spec->ranges[i].begin, spec->ranges[i].end);
  gmem_json_close(json);
}

static void put_branches(gmem_json_t *json, const gmem_buffer_spec_t *spec) {
  gmem_json_open(json, "branches", '[');
  for (size_t i = 0; i < spec->branch_count; ++i)
    gmem_json_pair(json, NULL, spec->branches[i].choice, spec->branches[i].arm);
  gmem_json_close(json);
}

static gmem_status_t put_buffer(writer_t *writer, size_t index) {
  const gmem_buffer_spec_t *spec =
      gmem_problem_buffer(writer->problem, (uint32_t)index);
  gmem_json_t *json = &writer->json;
  if (spec->uses > INT64_MAX)
    return fail_object(writer, GMEM_ERR_OUT_OF_RANGE, "buffer", index,
                       "has more than 9223372036854775807 uses");
  gmem_json_open(json, NULL, '{');
  if (*spec->name)
    GMEM_TRY(put_name(writer, "name", spec->name, "buffer", index));
  gmem_json_number(json, "size", spec->size);
  gmem_json_number(json, "alignment", spec->alignment);
  put_lives(json, spec);
  GMEM_TRY(put_candidates(writer, spec));
  if (spec->has_fixed_offset)
    gmem_json_number(json, "fixed", spec->fixed_offset);
  if (spec->uses)
    gmem_json_number(json, "uses", spec->uses);
  if (spec->branch_count)
    put_branches(json, spec);
  gmem_json_close(json);
  return GMEM_OK;
}

static gmem_status_t put_conflict(writer_t *writer, size_t index) {
  uint32_t first, second;
  gmem_problem_conflict(writer->problem, index, &first, &second);
  gmem_json_pair(&writer->json, NULL, first, second);
  return GMEM_OK;
}

static gmem_status_t put_alias(writer_t *writer, size_t index) {
  const gmem_alias_spec_t *alias = gmem_problem_alias(writer->problem, index);
  gmem_json_t *json = &writer->json;
  gmem_json_open(json, NULL, '{');
  gmem_json_number(json, "child", alias->child);
  gmem_json_number(json, "parent", alias->parent);
  gmem_json_number(json, "offset", alias->offset);
  if (alias->is_optional)
    gmem_json_bool(json, "optional", true);
  if (alias->kind)
    gmem_json_number(json, "kind", alias->kind);
  gmem_json_close(json);
  return GMEM_OK;
}

static gmem_status_t put_block(writer_t *writer, size_t index) {
  const gmem_block_spec_t *block = gmem_problem_block(writer->problem, index);
  gmem_json_open(&writer->json, NULL, '[');
  for (size_t i = 0; i < block->count; ++i)
    gmem_json_number(&writer->json, NULL, block->buffers[i]);
  gmem_json_close(&writer->json);
  return GMEM_OK;
}

static gmem_status_t put_constraint(writer_t *writer, size_t index) {
  const gmem_constraint_t *spec =
      gmem_problem_constraint(writer->problem, index);
  gmem_json_t *json = &writer->json;
  gmem_json_open(json, NULL, '{');
  gmem_json_text(json, "kind", gmem_constraint_kind_name(spec->kind));
  gmem_json_number(json, "first", spec->first);
  if (spec->kind != GMEM_BOUNDARY && spec->kind != GMEM_AT)
    gmem_json_number(json, "second", spec->second);
  if (spec->kind == GMEM_AT)
    GMEM_TRY(put_pool_name(writer, "pool", spec->pool));
  if (spec->kind != GMEM_APART)
    gmem_json_number(json, "bytes", spec->bytes);
  if (spec->kind == GMEM_BANKS)
    gmem_json_number(json, "banks", spec->banks);
  if (spec->penalty != GMEM_HARD)
    gmem_json_number(json, "penalty", spec->penalty);
  gmem_json_close(json);
  return GMEM_OK;
}

static gmem_status_t put_placement(writer_t *writer, size_t index) {
  const gmem_placement_t *placement = &writer->plan[index];
  assert(index < gmem_problem_buffer_count(writer->problem));
  if (placement->offset > INT64_MAX)
    return fail_object(writer, GMEM_ERR_OUT_OF_RANGE, "buffer", index,
                       "has an offset greater than 9223372036854775807");
  gmem_json_open(&writer->json, NULL, '{');
  GMEM_TRY(put_pool_name(writer, "pool", placement->pool));
  gmem_json_number(&writer->json, "offset", placement->offset);
  gmem_json_close(&writer->json);
  return GMEM_OK;
}

//===--- document ---------------------------------------------------------===//

// An array with one element a line; omitted if it is empty, unless |is_needed|.
static gmem_status_t put_list(writer_t *writer, const char *key, bool is_needed,
                              size_t count, element_fn put) {
  if (!count && !is_needed)
    return GMEM_OK;
  gmem_json_line(&writer->json, 0);
  gmem_json_open(&writer->json, key, '[');
  for (size_t i = 0; i < count && writer->json.out.status == GMEM_OK; ++i) {
    gmem_json_line(&writer->json, 2);
    GMEM_TRY(put(writer, i));
  }
  gmem_json_line(&writer->json, 0);
  gmem_json_close(&writer->json);
  return GMEM_OK;
}

static void put_figures(gmem_json_t *json, const gmem_plan_figures_t *figures) {
  gmem_json_line(json, 0);
  gmem_json_open(json, "figures", '{');
  gmem_json_number(json, "peak", figures->peak);
  gmem_json_number(json, "lower_bound", figures->lower_bound);
  gmem_json_number(json, "steps", figures->steps);
  gmem_json_bool(json, "optimal", figures->optimal);
  gmem_json_bool(json, "cancelled", figures->cancelled);
  gmem_json_close(json);
}

static gmem_status_t put_plan(writer_t *writer,
                              const gmem_plan_figures_t *figures) {
  gmem_json_line(&writer->json, 0);
  gmem_json_open(&writer->json, "plan", '{');
  if (figures)
    put_figures(&writer->json, figures);
  GMEM_TRY(put_list(writer, "placements", true,
                    gmem_problem_buffer_count(writer->problem), put_placement));
  gmem_json_line(&writer->json, 0);
  gmem_json_close(&writer->json);
  return GMEM_OK;
}

static gmem_status_t put_problem(writer_t *writer) {
  const gmem_problem_t *problem = writer->problem;
  gmem_json_line(&writer->json, 0);
  gmem_json_text(&writer->json, "format", GMEM_PROBLEM_JSON_FORMAT);
  gmem_json_line(&writer->json, 0);
  gmem_json_number(&writer->json, "version", GMEM_PROBLEM_JSON_VERSION);
  GMEM_TRY(put_list(writer, "pools", true, gmem_problem_pool_count(problem),
                    put_pool));
  GMEM_TRY(put_list(writer, "buffers", true, gmem_problem_buffer_count(problem),
                    put_buffer));
  GMEM_TRY(put_list(writer, "conflicts", false,
                    gmem_problem_conflict_count(problem), put_conflict));
  GMEM_TRY(put_list(writer, "aliases", false, gmem_problem_alias_count(problem),
                    put_alias));
  GMEM_TRY(put_list(writer, "blocks", false, gmem_problem_block_count(problem),
                    put_block));
  return put_list(writer, "constraints", false,
                  gmem_problem_constraint_count(problem), put_constraint);
}

gmem_status_t gmem_problem_json_write(const gmem_problem_t *problem,
                                      const gmem_placement_t *plan,
                                      const gmem_plan_figures_t *figures,
                                      gmem_write_fn write, void *user,
                                      gmem_diag_t *diag) {
  writer_t writer = {.problem = problem, .plan = plan, .diag = diag};
  gmem_json_start(&writer.json, write, user);
  gmem_json_open(&writer.json, NULL, '{');
  GMEM_TRY(put_problem(&writer));
  if (plan)
    GMEM_TRY(put_plan(&writer, figures));
  gmem_json_line(&writer.json, 0);
  gmem_json_close(&writer.json);
  return gmem_json_end(&writer.json, "the JSON text", diag);
}
