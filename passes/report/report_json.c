// report_json.c - a report as JSON (docs/report.md).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "report_json.h"

#include "json_writer.h"
#include "report_facts.h"
#include "text.h"

enum { FORMAT_VERSION = 1 };

typedef struct writer_s {
  gmem_json_t json;
  const gmem_report_t *report;
  bool out_of_memory; // a location is missing
} writer_t;

static void put_location(writer_t *writer, MlirLocation location) {
  gmem_text_t place = {.arena = writer->report->arena};
  gmem_text_place(&place, location, false);
  writer->out_of_memory |= place.out_of_memory;
  gmem_json_text(&writer->json, "location", gmem_text_get(&place));
}

static void put_op(writer_t *writer, const char *key, MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  gmem_json_open(&writer->json, key, '{');
  gmem_json_bytes(&writer->json, "op", name.data, name.length);
  put_location(writer, mlirOperationGetLocation(op));
  gmem_json_close(&writer->json);
}

//===--- pools ------------------------------------------------------------===//

static void put_peak(writer_t *writer, uint32_t pool) {
  const gmem_report_t *report = writer->report;
  const gmem_report_pool_t *figures = &report->pools[pool];
  gmem_json_t *json = &writer->json;
  if (figures->peak_step < 0) {
    gmem_json_null(json, "peak");
    return;
  }
  gmem_json_open(json, "peak", '{');
  gmem_json_number(json, "bytes", figures->peak_live);
  gmem_json_signed(json, "step", figures->peak_step);
  gmem_json_signed(json, "steps", figures->peak_steps);
  put_op(writer, "at", report->ops[figures->peak_step]);
  gmem_json_open(json, "buffers", '[');
  for (uint32_t i = 0; i < report->buffer_count; ++i) {
    const gmem_planned_buffer_t *buffer =
        gmem_planned_buffer(report->planned, i);
    if (gmem_report_is_listed(buffer, pool) &&
        gmem_report_owns_at(buffer, figures->peak_step))
      gmem_json_text(json, NULL, buffer->name);
  }
  gmem_json_close(json);
  gmem_json_close(json);
}

static void put_pool(writer_t *writer, uint32_t index) {
  const gmem_planned_pool_t *pool =
      gmem_planned_pool(writer->report->planned, index);
  const gmem_report_pool_t *figures = &writer->report->pools[index];
  gmem_json_t *json = &writer->json;
  gmem_json_text(json, "name", pool->name);
  gmem_json_text(json, "kind", pool->constant ? "constant" : "workspace");
  gmem_json_number_or_null(json, "base", pool->base, GMEM_NO_BASE);
  gmem_json_number(json, "size", pool->size);
  gmem_json_number(json, "lower_bound", pool->lower_bound);
  gmem_json_number(json, "alignment", pool->alignment);
  gmem_json_number_or_null(json, "capacity", pool->capacity, GMEM_UNLIMITED);
  gmem_json_number_or_null(json, "size_hint", pool->size_hint, GMEM_UNLIMITED);
  gmem_json_number_or_null(json, "speed", pool->speed, 0);
  gmem_json_number(json, "spilled", pool->spilled);
  gmem_json_number(json, "spilled_bytes", pool->spilled_bytes);
  gmem_json_number(json, "buffers", figures->buffers);
  gmem_json_number(json, "views", figures->views);
  gmem_json_number(json, "sum", figures->sum);
  put_peak(writer, index);
}

//===--- buffers ----------------------------------------------------------===//

static void put_liveness(gmem_json_t *json,
                         const gmem_planned_buffer_t *buffer) {
  gmem_json_signed(json, "begin", gmem_report_begin(buffer));
  gmem_json_signed(json, "end", gmem_report_end(buffer));
  gmem_json_open(json, "ranges", '[');
  for (size_t i = 0; i < buffer->range_count; ++i)
    gmem_json_pair(json, NULL, buffer->ranges[i].begin, buffer->ranges[i].end);
  gmem_json_close(json);
}

static void put_buffer(writer_t *writer, uint32_t index) {
  const gmem_report_t *report = writer->report;
  const gmem_planned_t *planned = report->planned;
  const gmem_planned_buffer_t *buffer = gmem_planned_buffer(planned, index);
  const gmem_planned_pool_t *pool = gmem_planned_pool(planned, buffer->pool);
  bool is_view = buffer->alias_of != GMEM_NO_BUFFER;
  gmem_json_t *json = &writer->json;
  gmem_json_text(json, "name", buffer->name);
  gmem_json_text(json, "op", buffer->op);
  gmem_json_text(json, "function", buffer->function);
  put_location(writer, report->locations[index]);
  gmem_json_text(json, "pool", pool->name);
  gmem_json_number(json, "offset", buffer->offset);
  gmem_json_number(json, "size", buffer->size);
  gmem_json_number(json, "alignment", buffer->alignment);
  gmem_json_text(json, "alias_of",
                 is_view ? gmem_planned_buffer(planned, buffer->alias_of)->name
                         : NULL);
  gmem_json_bool(json, "input", buffer->flags & GMEM_PLANNED_INPUT);
  gmem_json_bool(json, "output", buffer->flags & GMEM_PLANNED_OUTPUT);
  put_liveness(json, buffer);
  if (pool->constant) {
    gmem_json_null(json, "first");
    gmem_json_null(json, "last");
  } else {
    put_op(writer, "first", report->ops[gmem_report_begin(buffer)]);
    put_op(writer, "last", report->ops[gmem_report_end(buffer) - 1]);
  }
}

static void put_alias(writer_t *writer, uint32_t index) {
  const gmem_planned_t *planned = writer->report->planned;
  const gmem_planned_alias_t *alias = gmem_planned_alias(planned, index);
  gmem_json_t *json = &writer->json;
  gmem_json_text(json, "kind", gmem_sharing_name(alias->kind));
  gmem_json_text(json, "child",
                 gmem_planned_buffer(planned, alias->child)->name);
  gmem_json_text(json, "parent",
                 gmem_planned_buffer(planned, alias->parent)->name);
  gmem_json_number(json, "offset", alias->offset);
}

static void put_unplanned(writer_t *writer, uint32_t index) {
  const gmem_report_unplanned_t *value = &writer->report->unplanned[index];
  gmem_json_text(&writer->json, "value", value->value);
  gmem_json_text(&writer->json, "function", value->function);
  put_location(writer, value->location);
  gmem_json_text(&writer->json, "reason", value->reason);
  if (mlirOperationIsNull(value->cause))
    gmem_json_null(&writer->json, "cause");
  else
    put_op(writer, "cause", value->cause);
}

//===--- the whole --------------------------------------------------------===//

// An array of objects, one a line.
static void put_list(writer_t *writer, const char *key, size_t count,
                     void (*put)(writer_t *writer, uint32_t index)) {
  gmem_json_line(&writer->json, 1);
  gmem_json_open(&writer->json, key, '[');
  for (size_t i = 0; i < count; ++i) {
    gmem_json_line(&writer->json, 2);
    gmem_json_open(&writer->json, NULL, '{');
    put(writer, (uint32_t)i);
    gmem_json_close(&writer->json);
  }
  gmem_json_close(&writer->json);
}

static void put_ops(writer_t *writer) {
  gmem_json_line(&writer->json, 1);
  gmem_json_open(&writer->json, "ops", '[');
  for (int64_t i = 0; i < writer->report->step_count; ++i) {
    gmem_json_line(&writer->json, 2);
    put_op(writer, NULL, writer->report->ops[i]);
  }
  gmem_json_close(&writer->json);
}

gmem_status_t gmem_report_to_json(const gmem_report_t *report,
                                  gmem_write_fn write, void *user,
                                  gmem_diag_t *diag) {
  const gmem_planned_t *planned = report->planned;
  const gmem_planned_figures_t *figures = gmem_planned_figures(planned);
  writer_t writer = {.report = report};
  gmem_json_t *json = &writer.json;
  gmem_json_start(json, write, user);
  gmem_json_open(json, NULL, '{');
  gmem_json_number(json, "version", FORMAT_VERSION);
  gmem_json_text(json, "algorithm", figures->algorithm);
  gmem_json_number(json, "peak", figures->peak);
  gmem_json_number(json, "lower_bound", figures->lower_bound);
  gmem_json_signed(json, "steps", figures->step_count);
  put_list(&writer, "pools", gmem_planned_pool_count(planned), put_pool);
  put_list(&writer, "buffers", report->buffer_count, put_buffer);
  put_list(&writer, "aliases", gmem_planned_alias_count(planned), put_alias);
  put_list(&writer, "left_alone", report->unplanned_count, put_unplanned);
  put_ops(&writer);
  gmem_json_close(json);
  GMEM_TRY(gmem_json_end(json, "the report", diag));
  return writer.out_of_memory ? gmem_out_of_memory(diag) : GMEM_OK;
}
