// report_json.c - a report as JSON (docs/report.md).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "report_facts.h"

#include "json_writer.h"
#include "report_curve.h"
#include "report_sums.h"
#include "text.h"

enum { FORMAT_VERSION = 1 };

typedef struct writer_s {
  gmem_json_t json;
  const gmem_report_t *report;
} writer_t;

static void put_location(writer_t *writer, MlirLocation location) {
  gmem_text_t place = {.arena = writer->report->arena};
  gmem_text_place(&place, location, false);
  gmem_json_text(&writer->json, "location", gmem_text_get(&place));
}

static void put_members(writer_t *writer, MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  gmem_json_bytes(&writer->json, "op", name.data, name.length);
  put_location(writer, mlirOperationGetLocation(op));
}

// An op, or null.
static void put_op(writer_t *writer, const char *key, MlirOperation op) {
  if (mlirOperationIsNull(op)) {
    gmem_json_null(&writer->json, key);
    return;
  }
  gmem_json_open(&writer->json, key, '{');
  put_members(writer, op);
  gmem_json_close(&writer->json);
}

static void put_step(writer_t *writer, uint32_t step) {
  put_members(writer, writer->report->ops.at[step]);
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
  put_op(writer, "at", report->ops.at[figures->peak_step]);
  gmem_json_open(json, "buffers", '[');
  for (uint32_t i = 0; i < report->locations.count; ++i) {
    const gmem_planned_buffer_t *buffer =
        gmem_planned_buffer(report->planned, i);
    if (gmem_report_is_listed(buffer, pool) &&
        gmem_report_owns_at(buffer, figures->peak_step))
      gmem_json_text(json, NULL, buffer->name);
  }
  gmem_json_close(json);
  gmem_json_close(json);
}

static void put_excess(writer_t *writer, uint32_t pool) {
  const gmem_report_t *report = writer->report;
  gmem_json_t *json = &writer->json;
  gmem_report_excess_t excess;
  if (report->budget == GMEM_UNLIMITED ||
      gmem_planned_pool(report->planned, pool)->constant) {
    gmem_json_null(json, "over_budget");
    return;
  }
  gmem_json_open(json, "over_budget", '[');
  for (size_t at = 0; gmem_report_next_excess(&report->pools[pool],
                                              report->budget, &at, &excess);) {
    gmem_json_open(json, NULL, '{');
    gmem_json_signed(json, "begin", excess.begin);
    gmem_json_signed(json, "end", excess.end);
    gmem_json_number(json, "bytes", excess.bytes);
    gmem_json_signed(json, "step", excess.step);
    gmem_json_close(json);
  }
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
  gmem_json_number_or_null(json, "capacity", figures->capacity, GMEM_UNLIMITED);
  gmem_json_number(json, "over", figures->over);
  gmem_json_number_or_null(json, "size_hint", pool->size_hint, GMEM_UNLIMITED);
  gmem_json_number_or_null(json, "speed", pool->speed, 0);
  gmem_json_number(json, "spilled", pool->spilled);
  gmem_json_number(json, "spilled_bytes", pool->spilled_bytes);
  gmem_json_number(json, "buffers", figures->buffers);
  gmem_json_number(json, "views", figures->views);
  gmem_json_number(json, "sum", figures->sum);
  gmem_json_number(json, "padding", gmem_report_padding(pool, figures));
  put_peak(writer, index);
  put_excess(writer, index);
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
  put_location(writer, report->locations.at[index]);
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
  MlirOperation first = {NULL}, last = first;
  if (!pool->constant) {
    first = report->ops.at[gmem_report_begin(buffer)];
    last = report->ops.at[gmem_report_end(buffer) - 1];
  }
  put_op(writer, "first", first);
  put_op(writer, "last", last);
}

static void put_name(writer_t *writer, const char *key, uint32_t buffer) {
  const gmem_planned_t *planned = writer->report->planned;
  gmem_json_text(&writer->json, key,
                 gmem_planned_buffer(planned, buffer)->name);
}

static void put_alias(writer_t *writer, uint32_t index) {
  const gmem_planned_alias_t *alias =
      gmem_planned_alias(writer->report->planned, index);
  gmem_json_text(&writer->json, "kind", gmem_sharing_name(alias->kind));
  put_name(writer, "child", alias->child);
  put_name(writer, "parent", alias->parent);
  gmem_json_number(&writer->json, "offset", alias->offset);
  gmem_json_number(&writer->json, "at_peak",
                   gmem_report_alias_saves(writer->report, index));
}

static void put_unplanned(writer_t *writer, uint32_t index) {
  const gmem_report_unplanned_t *value = &writer->report->unplanned.at[index];
  gmem_json_text(&writer->json, "value", value->value);
  gmem_json_text(&writer->json, "function", value->function);
  put_location(writer, value->location);
  gmem_json_text(&writer->json, "reason", value->reason);
  gmem_json_text(&writer->json, "help", value->help);
  put_op(writer, "cause", value->cause);
}

static void put_unmodelled(writer_t *writer, uint32_t index) {
  const gmem_unmodelled_t *entry = &writer->report->unmodelled.at[index];
  gmem_json_t *json = &writer->json;
  gmem_json_bytes(json, "op", entry->name.data, entry->name.length);
  gmem_json_number(json, "count", entry->count);
  gmem_json_number(json, "bytes", entry->bytes);
  gmem_json_bool(json, "operands", entry->has_operands);
  gmem_json_bool(json, "regions", entry->has_regions);
  put_location(writer, mlirOperationGetLocation(entry->first));
}

//===--- sums -------------------------------------------------------------===//

static gmem_status_t put_sums(writer_t *writer, const char *key,
                              bool by_dialect, gmem_diag_t *diag) {
  gmem_json_t *json = &writer->json;
  gmem_report_sums_t sums;
  GMEM_TRY(gmem_report_sum_ops(writer->report, by_dialect, &sums, diag));
  gmem_json_line(json, 1);
  gmem_json_open(json, key, '[');
  for (size_t i = 0; i < sums.count; ++i) {
    gmem_json_line(json, 2);
    gmem_json_open(json, NULL, '{');
    gmem_json_bytes(json, "name", sums.at[i].name, sums.at[i].length);
    gmem_json_number(json, "buffers", sums.at[i].buffers);
    gmem_json_number(json, "bytes", sums.at[i].bytes);
    gmem_json_number(json, "at_peak", sums.at[i].at_peak);
    gmem_json_close(json);
  }
  gmem_json_close(json);
  return GMEM_OK;
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

static void put_order(gmem_json_t *json,
                      const gmem_planned_figures_t *figures) {
  if (figures->order_bound == GMEM_UNLIMITED) {
    gmem_json_null(json, "order");
    return;
  }
  gmem_json_open(json, "order", '{');
  gmem_json_number(json, "lower_bound", figures->order_bound);
  gmem_json_bool(json, "proved", figures->order_bound == figures->peak);
  gmem_json_text(json, "gave_up", figures->order_gave_up);
  gmem_json_close(json);
}

static void put_what_if(writer_t *writer, uint32_t index) {
  const gmem_what_if_t *what_if = &writer->report->what_ifs.at[index];
  gmem_change_kind_t kind = what_if->change.kind;
  gmem_json_t *json = &writer->json;
  gmem_json_number(json, "number", index + 1);
  gmem_json_text(json, "change", what_if->text);
  gmem_json_text(json, "means", *what_if->means ? what_if->means : NULL);
  gmem_json_bool(json, "same_bits", gmem_change_keeps_bits(kind));
  gmem_json_bool(json, "applies", gmem_change_is_of_program(kind));
  gmem_json_number(json, "peak", what_if->peak);
  gmem_json_number(json, "over", what_if->over);
  gmem_json_number(json, "constants", what_if->constants);
}

static void put_what_ifs(writer_t *writer) {
  const gmem_report_t *report = writer->report;
  if (report->has_what_ifs)
    put_list(writer, "what_ifs", report->what_ifs.count, put_what_if);
  else {
    gmem_json_line(&writer->json, 1);
    gmem_json_null(&writer->json, "what_ifs");
  }
}

static void put_measured_pools(writer_t *writer) {
  const gmem_report_t *report = writer->report;
  gmem_json_t *json = &writer->json;
  gmem_json_open(json, "pools", '[');
  for (uint32_t i = 0; i < gmem_planned_pool_count(report->planned); ++i) {
    const gmem_planned_pool_t *pool = gmem_planned_pool(report->planned, i);
    const gmem_report_measured_pool_t *measured = &report->measured.pools[i];
    if (!measured->is_known)
      continue;
    gmem_json_line(json, 3);
    gmem_json_open(json, NULL, '{');
    gmem_json_text(json, "name", pool->name);
    gmem_json_number(json, "size", pool->size);
    gmem_json_number(json, "written", measured->written);
    gmem_json_number(json, "high_water", measured->high_water);
    gmem_json_close(json);
  }
  gmem_json_close(json);
}

static void put_measured(writer_t *writer) {
  const gmem_report_t *report = writer->report;
  gmem_json_t *json = &writer->json;
  gmem_json_line(json, 1);
  if (!report->has_measured) {
    gmem_json_null(json, "measured");
    return;
  }
  gmem_json_open(json, "measured", '{');
  put_measured_pools(writer);
  gmem_json_open(json, "buffers", '[');
  for (uint32_t i = 0; i < gmem_planned_buffer_count(report->planned); ++i) {
    if (report->measured.written[i] == GMEM_UNLIMITED)
      continue;
    gmem_json_line(json, 3);
    gmem_json_open(json, NULL, '{');
    gmem_json_text(json, "name", gmem_planned_buffer(report->planned, i)->name);
    gmem_json_number(json, "written", report->measured.written[i]);
    gmem_json_close(json);
  }
  gmem_json_close(json);
  gmem_json_close(json);
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
  put_order(json, figures);
  if (figures->penalty != GMEM_UNLIMITED)
    gmem_json_number(json, "penalty", figures->penalty);
  gmem_json_signed(json, "steps", figures->step_count);
  put_list(&writer, "pools", gmem_planned_pool_count(planned), put_pool);
  put_list(&writer, "buffers", report->locations.count, put_buffer);
  put_list(&writer, "aliases", gmem_planned_alias_count(planned), put_alias);
  GMEM_TRY(put_sums(&writer, "by_op", false, diag));
  GMEM_TRY(put_sums(&writer, "by_dialect", true, diag));
  put_list(&writer, "left_alone", report->unplanned.count, put_unplanned);
  put_list(&writer, "without_model", report->unmodelled.count, put_unmodelled);
  put_list(&writer, "ops", report->ops.count, put_step);
  put_what_ifs(&writer);
  put_measured(&writer);
  gmem_json_close(json);
  GMEM_TRY(gmem_json_end(json, "the report", diag));
  return gmem_bump_status(report->arena, diag); // else a location is missing
}
