// plan_json.c - writes a plan as JSON (docs/plan-json.md).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "plan_json.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

// Strings of the IR may contain any bytes; JSON requires UTF-8.
static json_t *json_text(const char *text) {
  json_t *string = json_string(text);
  if (string)
    return string;
  char *clean = strdup(text);
  for (char *c = clean; c && *c; ++c)
    if (*c < ' ' || *c > '~')
      *c = '?';
  string = clean ? json_string(clean) : NULL;
  free(clean);
  return string;
}

static json_t *json_bytes(uint64_t bytes) {
  return json_integer((json_int_t)bytes);
}

// |bytes|, or null when it is |missing|.
static json_t *json_bytes_or_null(uint64_t bytes, uint64_t missing) {
  return bytes == missing ? json_null() : json_bytes(bytes);
}

static json_t *json_pool(const gmem_planned_pool_t *pool) {
  return json_pack(
      "{s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
      "name", json_text(pool->name), "kind",
      pool->constant ? "constant" : "workspace", "base",
      json_bytes_or_null(pool->base, GMEM_NO_BASE), "size",
      json_bytes(pool->size), "lower_bound", json_bytes(pool->lower_bound),
      "capacity", json_bytes_or_null(pool->capacity, GMEM_UNLIMITED),
      "alignment", json_bytes(pool->alignment), "size_hint",
      json_bytes_or_null(pool->size_hint, GMEM_UNLIMITED), "speed",
      json_bytes_or_null(pool->speed, 0), "spilled", json_bytes(pool->spilled),
      "spilled_bytes", json_bytes(pool->spilled_bytes), "shared_offset",
      pool->shared_size ? json_bytes(pool->shared_offset) : json_null(),
      "shared_size", json_bytes_or_null(pool->shared_size, 0));
}

static json_t *json_ranges(const gmem_planned_buffer_t *buffer) {
  json_t *ranges = json_array();
  for (size_t i = 0; i < buffer->range_count; ++i)
    json_array_append_new(ranges, json_pack("[I,I]",
                                            (json_int_t)buffer->ranges[i].begin,
                                            (json_int_t)buffer->ranges[i].end));
  return ranges;
}

static json_t *json_buffer(const gmem_planned_t *planned, uint32_t index) {
  const gmem_planned_buffer_t *buffer = gmem_planned_buffer(planned, index);
  const gmem_planned_pool_t *pool = gmem_planned_pool(planned, buffer->pool);
  const gmem_live_range_t *ranges = buffer->ranges;
  json_t *alias_of =
      buffer->alias_of == GMEM_NO_BUFFER
          ? json_null()
          : json_text(gmem_planned_buffer(planned, buffer->alias_of)->name);
  return json_pack(
      "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:o, s:o, s:b, s:b, "
      "s:o, s:o}",
      "name", json_text(buffer->name), "op", json_text(buffer->op), "function",
      json_text(buffer->function), "location", json_text(buffer->location),
      "pool", json_text(pool->name), "offset", json_bytes(buffer->offset),
      "size", json_bytes(buffer->size), "alignment",
      json_bytes(buffer->alignment), "begin", (json_int_t)ranges[0].begin,
      "end", (json_int_t)ranges[buffer->range_count - 1].end, "ranges",
      json_ranges(buffer), "alias_of", alias_of, "input",
      (buffer->flags & GMEM_PLANNED_INPUT) != 0, "output",
      (buffer->flags & GMEM_PLANNED_OUTPUT) != 0, "payload_offset",
      json_bytes(buffer->payload_offset), "payload_size",
      json_bytes(buffer->payload_size));
}

static json_t *json_alias(const gmem_planned_t *planned, size_t index) {
  const gmem_planned_alias_t *alias = gmem_planned_alias(planned, index);
  return json_pack(
      "{s:s, s:o, s:o, s:o}", "kind", gmem_sharing_name(alias->kind), "child",
      json_text(gmem_planned_buffer(planned, alias->child)->name), "parent",
      json_text(gmem_planned_buffer(planned, alias->parent)->name), "offset",
      json_bytes(alias->offset));
}

static json_t *json_workbuffer(const gmem_planned_t *planned, size_t index) {
  const gmem_planned_workbuffer_t *workbuffer =
      gmem_planned_workbuffer(planned, index);
  json_t *steps = json_array();
  for (size_t i = 0; i < workbuffer->step_count; ++i)
    json_array_append_new(steps,
                          json_integer((json_int_t)workbuffer->steps[i]));
  return json_pack(
      "{s:o, s:I, s:s, s:I, s:o, s:o, s:o}", "buffer",
      json_text(gmem_planned_buffer(planned, workbuffer->buffer)->name),
      "number", (json_int_t)workbuffer->number, "kind",
      workbuffer->immutable ? "immutable" : "mutable", "threads",
      (json_int_t)workbuffer->threads, "thread_size",
      json_bytes(workbuffer->thread_size), "thread_stride",
      json_bytes(workbuffer->thread_stride), "steps", steps);
}

static json_t *json_plan(const gmem_planned_t *planned) {
  const gmem_planned_figures_t *figures = gmem_planned_figures(planned);
  json_t *pools = json_array(), *buffers = json_array();
  json_t *aliases = json_array(), *workbuffers = json_array();
  for (uint32_t i = 0; i < gmem_planned_pool_count(planned); ++i)
    json_array_append_new(pools, json_pool(gmem_planned_pool(planned, i)));
  for (uint32_t i = 0; i < gmem_planned_buffer_count(planned); ++i)
    json_array_append_new(buffers, json_buffer(planned, i));
  for (size_t i = 0; i < gmem_planned_alias_count(planned); ++i)
    json_array_append_new(aliases, json_alias(planned, i));
  for (size_t i = 0; i < gmem_planned_workbuffer_count(planned); ++i)
    json_array_append_new(workbuffers, json_workbuffer(planned, i));
  return json_pack("{s:i, s:o, s:o, s:o, s:b, s:I, s:o, s:o, s:o, s:o}",
                   "version", 1, "algorithm", json_text(figures->algorithm),
                   "peak", json_bytes(figures->peak), "lower_bound",
                   json_bytes(figures->lower_bound), "optimal",
                   figures->optimal, "steps", (json_int_t)figures->step_count,
                   "pools", pools, "buffers", buffers, "aliases", aliases,
                   "workbuffers", workbuffers);
}

static int write_json(const char *bytes, size_t length, void *output) {
  return gmem_output_write(output, bytes, length) == GMEM_OK ? 0 : -1;
}

gmem_status_t gmem_plan_to_json(const gmem_planned_t *planned,
                                gmem_output_t *output, gmem_diag_t *diag) {
  json_t *plan = json_plan(planned);
  if (!plan) {
    *diag = (gmem_diag_t){.status = GMEM_ERR_OUT_OF_MEMORY,
                          .text = "out of memory"};
    return diag->status;
  }
  // The output records write errors; the commit reports them.
  (void)json_dump_callback(plan, write_json, output, JSON_INDENT(2));
  (void)gmem_output_write(output, "\n", 1);
  json_decref(plan);
  return GMEM_OK;
}
