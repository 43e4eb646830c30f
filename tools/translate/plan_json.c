// plan_json.c - writes a plan as JSON (docs/plan-json.md).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <assert.h>

#include "formats.h"
#include "json_writer.h"
#include "layout_json.h"

static void put_pool(gmem_json_t *json, const gmem_planned_pool_t *pool) {
  gmem_json_open(json, NULL, '{');
  gmem_json_text(json, "name", pool->name);
  gmem_json_text(json, "kind", pool->constant ? "constant" : "workspace");
  gmem_json_number_or_null(json, "base", pool->base, GMEM_NO_BASE);
  gmem_json_number(json, "size", pool->size);
  gmem_json_number(json, "lower_bound", pool->lower_bound);
  gmem_json_number_or_null(json, "capacity", pool->capacity, GMEM_UNLIMITED);
  gmem_json_number(json, "alignment", pool->alignment);
  gmem_json_number_or_null(json, "size_hint", pool->size_hint, GMEM_UNLIMITED);
  gmem_json_number_or_null(json, "speed", pool->speed, 0);
  gmem_json_number(json, "spilled", pool->spilled);
  gmem_json_number(json, "spilled_bytes", pool->spilled_bytes);
  if (pool->shared_size)
    gmem_json_number(json, "shared_offset", pool->shared_offset);
  else
    gmem_json_null(json, "shared_offset");
  gmem_json_number_or_null(json, "shared_size", pool->shared_size, 0);
  gmem_json_close(json);
}

static void put_liveness(gmem_json_t *json,
                         const gmem_planned_buffer_t *buffer) {
  const gmem_live_range_t *ranges = buffer->ranges;
  assert(buffer->range_count && "every buffer is live at some step");
  gmem_json_signed(json, "begin", ranges[0].begin);
  gmem_json_signed(json, "end", ranges[buffer->range_count - 1].end);
  gmem_json_open(json, "ranges", '[');
  for (size_t i = 0; i < buffer->range_count; ++i)
    gmem_json_pair(json, NULL, ranges[i].begin, ranges[i].end);
  gmem_json_close(json);
}

static const char *name_of(const gmem_planned_t *planned, uint32_t buffer) {
  return gmem_planned_buffer(planned, buffer)->name;
}

static void put_buffer(gmem_json_t *json, const gmem_planned_t *planned,
                       uint32_t index) {
  const gmem_planned_buffer_t *buffer = gmem_planned_buffer(planned, index);
  bool is_view = buffer->alias_of != GMEM_NO_BUFFER;
  gmem_json_open(json, NULL, '{');
  gmem_json_text(json, "name", buffer->name);
  gmem_json_text(json, "op", buffer->op);
  gmem_json_text(json, "function", buffer->function);
  gmem_json_text(json, "location", buffer->location);
  gmem_json_text(json, "pool", gmem_planned_pool(planned, buffer->pool)->name);
  gmem_json_number(json, "offset", buffer->offset);
  gmem_json_number(json, "size", buffer->size);
  gmem_json_number(json, "alignment", buffer->alignment);
  put_liveness(json, buffer);
  gmem_json_text(json, "alias_of",
                 is_view ? name_of(planned, buffer->alias_of) : NULL);
  gmem_json_bool(json, "input", buffer->flags & GMEM_PLANNED_INPUT);
  gmem_json_bool(json, "output", buffer->flags & GMEM_PLANNED_OUTPUT);
  gmem_json_number(json, "payload_offset", buffer->payload_offset);
  gmem_json_number(json, "payload_size", buffer->payload_size);
  gmem_json_bool(json, "state", buffer->flags & GMEM_PLANNED_STATE);
  gmem_json_bool(json, "sensitive", buffer->flags & GMEM_PLANNED_SENSITIVE);
  gmem_json_text(json, "group", buffer->group);
  gmem_layout_json_put(json, buffer->layout);
  gmem_json_close(json);
}

static void put_alias(gmem_json_t *json, const gmem_planned_t *planned,
                      size_t index) {
  const gmem_planned_alias_t *alias = gmem_planned_alias(planned, index);
  gmem_json_open(json, NULL, '{');
  gmem_json_text(json, "kind", gmem_sharing_name(alias->kind));
  gmem_json_text(json, "child", name_of(planned, alias->child));
  gmem_json_text(json, "parent", name_of(planned, alias->parent));
  gmem_json_number(json, "offset", alias->offset);
  gmem_json_close(json);
}

static void put_workbuffer(gmem_json_t *json, const gmem_planned_t *planned,
                           size_t index) {
  const gmem_planned_workbuffer_t *workbuffer =
      gmem_planned_workbuffer(planned, index);
  gmem_json_open(json, NULL, '{');
  gmem_json_text(json, "buffer", name_of(planned, workbuffer->buffer));
  gmem_json_number(json, "number", workbuffer->number);
  gmem_json_text(json, "kind", workbuffer->immutable ? "immutable" : "mutable");
  gmem_json_number(json, "threads", workbuffer->threads);
  gmem_json_number(json, "thread_size", workbuffer->thread_size);
  gmem_json_number(json, "thread_stride", workbuffer->thread_stride);
  gmem_json_open(json, "steps", '[');
  for (size_t i = 0; i < workbuffer->step_count; ++i)
    gmem_json_signed(json, NULL, workbuffer->steps[i]);
  gmem_json_close(json);
  gmem_json_close(json);
}

static void put_copy(gmem_json_t *json, const gmem_planned_t *planned,
                     size_t index) {
  const gmem_planned_flow_copy_t *copy = gmem_planned_flow_copy(planned, index);
  gmem_json_open(json, NULL, '{');
  gmem_json_text(json, "op", copy->op);
  gmem_json_text(json, "function", copy->function);
  gmem_json_text(json, "location", copy->location);
  gmem_json_text(json, "edge", gmem_copy_edge_name(copy->edge));
  gmem_json_number(json, "number", copy->number);
  gmem_json_bool(json, "cycle", copy->cycle);
  gmem_json_text(json, "from", name_of(planned, copy->from_buffer));
  gmem_json_text(json, "from_pool",
                 gmem_planned_pool(planned, copy->from_pool)->name);
  gmem_json_number(json, "from_offset", copy->from);
  gmem_json_text(json, "to", name_of(planned, copy->to_buffer));
  gmem_json_text(json, "to_pool",
                 gmem_planned_pool(planned, copy->to_pool)->name);
  gmem_json_number(json, "to_offset", copy->to);
  gmem_json_number(json, "size", copy->size);
  gmem_json_open(json, "steps", '[');
  for (size_t i = 0; i < copy->step_count; ++i)
    gmem_json_signed(json, NULL, copy->steps[i]);
  gmem_json_close(json);
  gmem_json_close(json);
}

static void put_op(gmem_json_t *json, const gmem_planned_t *planned,
                   size_t index) {
  const gmem_planned_span_t *span = gmem_planned_span(planned, index);
  gmem_json_open(json, NULL, '{');
  gmem_json_text(json, "name", span->name);
  gmem_json_text(json, "op", span->op);
  gmem_json_text(json, "function", span->function);
  gmem_json_text(json, "location", span->location);
  gmem_json_signed(json, "begin", span->begin);
  gmem_json_signed(json, "end", span->end);
  gmem_json_bool(json, "grouped", span->is_grouped);
  gmem_json_close(json);
}

static void put_transform(gmem_json_t *json, const gmem_planned_t *planned,
                          size_t index) {
  const gmem_planned_transform_t *step = gmem_planned_transform(planned, index);
  gmem_json_open(json, NULL, '{');
  gmem_json_text(json, "buffer", name_of(planned, step->buffer));
  gmem_json_text(json, "name", step->name);
  gmem_json_number(json, "size", step->size);
  gmem_json_close(json);
}

static void put_relocation(gmem_json_t *json, const gmem_planned_t *planned,
                           size_t index) {
  const gmem_planned_relocation_t *relocation =
      gmem_planned_relocation(planned, index);
  gmem_json_open(json, NULL, '{');
  gmem_json_text(json, "op", relocation->op);
  gmem_json_text(json, "location", relocation->location);
  gmem_json_number(json, "stream", relocation->stream);
  gmem_json_number(json, "where", relocation->where);
  gmem_json_text(json, "kind", gmem_relocation_kind_name(relocation->kind));
  gmem_json_text(json, "buffer", name_of(planned, relocation->buffer));
  gmem_json_number(json, "addend", relocation->addend);
  gmem_json_close(json);
}

static void put_figures(gmem_json_t *json,
                        const gmem_planned_figures_t *figures) {
  gmem_json_number(json, "version", 1);
  gmem_json_text(json, "algorithm", figures->algorithm);
  gmem_json_number(json, "peak", figures->peak);
  gmem_json_number(json, "lower_bound", figures->lower_bound);
  gmem_json_bool(json, "optimal", figures->optimal);
  gmem_json_signed(json, "steps", figures->step_count);
}

gmem_status_t gmem_write_json(gmem_translation_t *translation,
                              gmem_diag_t *diag) {
  const gmem_planned_t *planned = translation->planned;
  gmem_json_t json;
  gmem_json_start(&json, gmem_output_write,
                  gmem_output_files_last(&translation->files));
  json.is_indented = true;
  gmem_json_open(&json, NULL, '{');
  put_figures(&json, gmem_planned_figures(planned));
  gmem_json_open(&json, "pools", '[');
  for (uint32_t i = 0; i < gmem_planned_pool_count(planned); ++i)
    put_pool(&json, gmem_planned_pool(planned, i));
  gmem_json_close(&json);
  gmem_json_open(&json, "buffers", '[');
  for (uint32_t i = 0; i < gmem_planned_buffer_count(planned); ++i)
    put_buffer(&json, planned, i);
  gmem_json_close(&json);
  gmem_json_open(&json, "aliases", '[');
  for (size_t i = 0; i < gmem_planned_alias_count(planned); ++i)
    put_alias(&json, planned, i);
  gmem_json_close(&json);
  gmem_json_open(&json, "workbuffers", '[');
  for (size_t i = 0; i < gmem_planned_workbuffer_count(planned); ++i)
    put_workbuffer(&json, planned, i);
  gmem_json_close(&json);
  gmem_json_open(&json, "copies", '[');
  for (size_t i = 0; i < gmem_planned_flow_copy_count(planned); ++i)
    put_copy(&json, planned, i);
  gmem_json_close(&json);
  gmem_json_open(&json, "ops", '[');
  for (size_t i = 0; i < gmem_planned_span_count(planned); ++i)
    put_op(&json, planned, i);
  gmem_json_close(&json);
  gmem_json_open(&json, "relocations", '[');
  for (size_t i = 0; i < gmem_planned_relocation_count(planned); ++i)
    put_relocation(&json, planned, i);
  gmem_json_close(&json);
  gmem_json_open(&json, "transforms", '[');
  for (size_t i = 0; i < gmem_planned_transform_count(planned); ++i)
    put_transform(&json, planned, i);
  gmem_json_close(&json);
  gmem_json_close(&json);
  // The output records write errors; the commit reports them.
  (void)gmem_json_end(&json, "the plan", diag);
  return GMEM_OK;
}
