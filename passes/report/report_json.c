// report_json.c - a report as JSON (docs/report.md).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "report_json.h"

#include <inttypes.h>

#include "report_facts.h"

enum { FORMAT_VERSION = 1 };

// Appends |key|, the text up to the value, and |value| as a JSON string.
static void print_string(gmem_text_t *text, const char *key,
                         const char *value) {
  gmem_text_print(text, "%s", key);
  gmem_text_json(text, value);
}

static void print_or_null(gmem_text_t *text, const char *key, uint64_t value,
                          uint64_t missing) {
  if (value == missing)
    gmem_text_print(text, "%snull", key);
  else
    gmem_text_print(text, "%s%" PRIu64, key, value);
}

static void print_place(gmem_text_t *text, const char *key,
                        MlirLocation location) {
  gmem_text_t place = {.arena = text->arena};
  gmem_text_place(&place, location, false);
  text->out_of_memory |= place.out_of_memory;
  if (!text->out_of_memory)
    print_string(text, key, gmem_text_get(&place));
}

static void print_op(gmem_text_t *text, const char *key, MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  const char *copy = gmem_bump_string(text->arena, name.data, name.length);
  gmem_text_print(text, "%s{\"op\": ", key);
  if (copy)
    gmem_text_json(text, copy);
  text->out_of_memory |= !copy;
  print_place(text, ", \"location\": ", mlirOperationGetLocation(op));
  gmem_text_print(text, "}");
}

//===--- pools ------------------------------------------------------------===//

static void print_peak(const gmem_report_t *report, uint32_t pool,
                       gmem_text_t *text) {
  const gmem_report_pool_t *figures = &report->pools[pool];
  if (figures->peak_step < 0) {
    gmem_text_print(text, ", \"peak\": null}");
    return;
  }
  gmem_text_print(text,
                  ", \"peak\": {\"bytes\": %" PRIu64 ", \"step\": %" PRId64
                  ", \"steps\": %" PRId64,
                  figures->peak_live, figures->peak_step, figures->peak_steps);
  print_op(text, ", \"at\": ", report->ops[figures->peak_step]);
  gmem_text_print(text, ", \"buffers\": [");
  const char *separator = "";
  for (uint32_t i = 0; i < report->buffer_count; ++i) {
    const gmem_planned_buffer_t *buffer =
        gmem_planned_buffer(report->planned, i);
    if (buffer->pool != pool || buffer->alias_of != GMEM_NO_BUFFER ||
        !gmem_report_owns_at(buffer, figures->peak_step))
      continue;
    print_string(text, separator, buffer->name);
    separator = ", ";
  }
  gmem_text_print(text, "]}}");
}

static void print_pool(const gmem_report_t *report, uint32_t index,
                       gmem_text_t *text) {
  const gmem_planned_pool_t *pool = gmem_planned_pool(report->planned, index);
  const gmem_report_pool_t *figures = &report->pools[index];
  print_string(text,
               index ? ",\n  {\"name\": " : "\n  {\"name\": ", pool->name);
  print_string(text, ", \"kind\": ", pool->constant ? "constant" : "workspace");
  print_or_null(text, ", \"base\": ", pool->base, GMEM_NO_BASE);
  gmem_text_print(text,
                  ", \"size\": %" PRIu64 ", \"lower_bound\": %" PRIu64
                  ", \"alignment\": %" PRIu64,
                  pool->size, pool->lower_bound, pool->alignment);
  print_or_null(text, ", \"capacity\": ", pool->capacity, GMEM_UNLIMITED);
  print_or_null(text, ", \"size_hint\": ", pool->size_hint, GMEM_UNLIMITED);
  print_or_null(text, ", \"speed\": ", pool->speed, 0);
  gmem_text_print(text,
                  ", \"spilled\": %" PRIu64 ", \"spilled_bytes\": %" PRIu64,
                  pool->spilled, pool->spilled_bytes);
  gmem_text_print(text, ", \"buffers\": %zu, \"views\": %zu, \"sum\": %" PRIu64,
                  figures->buffers, figures->views, figures->sum);
  print_peak(report, index, text);
}

//===--- buffers ----------------------------------------------------------===//

static void print_liveness(const gmem_planned_buffer_t *buffer,
                           gmem_text_t *text) {
  gmem_text_print(
      text, ", \"begin\": %" PRId64 ", \"end\": %" PRId64 ", \"ranges\": [",
      gmem_report_begin(buffer), gmem_report_end(buffer));
  for (size_t i = 0; i < buffer->range_count; ++i)
    gmem_text_print(text, "%s[%" PRId64 ", %" PRId64 "]", i ? ", " : "",
                    buffer->ranges[i].begin, buffer->ranges[i].end);
  gmem_text_print(text, "]");
}

static void print_buffer(const gmem_report_t *report, uint32_t index,
                         gmem_text_t *text) {
  const gmem_planned_buffer_t *buffer =
      gmem_planned_buffer(report->planned, index);
  print_string(text,
               index ? ",\n  {\"name\": " : "\n  {\"name\": ", buffer->name);
  print_string(text, ", \"op\": ", buffer->op);
  print_string(text, ", \"function\": ", buffer->function);
  print_place(text, ", \"location\": ", report->locations[index]);
  print_string(text, ", \"pool\": ",
               gmem_planned_pool(report->planned, buffer->pool)->name);
  gmem_text_print(text,
                  ", \"offset\": %" PRIu64 ", \"size\": %" PRIu64
                  ", \"alignment\": %" PRIu64,
                  buffer->offset, buffer->size, buffer->alignment);
  if (buffer->alias_of == GMEM_NO_BUFFER)
    gmem_text_print(text, ", \"alias_of\": null");
  else
    print_string(text, ", \"alias_of\": ",
                 gmem_planned_buffer(report->planned, buffer->alias_of)->name);
  gmem_text_print(text, ", \"input\": %s, \"output\": %s",
                  buffer->flags & GMEM_PLANNED_INPUT ? "true" : "false",
                  buffer->flags & GMEM_PLANNED_OUTPUT ? "true" : "false");
  print_liveness(buffer, text);
  if (gmem_planned_pool(report->planned, buffer->pool)->constant) {
    gmem_text_print(text, ", \"first\": null, \"last\": null}");
    return;
  }
  print_op(text, ", \"first\": ", report->ops[gmem_report_begin(buffer)]);
  print_op(text, ", \"last\": ", report->ops[gmem_report_end(buffer) - 1]);
  gmem_text_print(text, "}");
}

static void print_alias(const gmem_report_t *report, size_t index,
                        gmem_text_t *text) {
  const gmem_planned_alias_t *alias =
      gmem_planned_alias(report->planned, index);
  print_string(text, index ? ",\n  {\"kind\": " : "\n  {\"kind\": ",
               gmem_sharing_name(alias->kind));
  print_string(text, ", \"child\": ",
               gmem_planned_buffer(report->planned, alias->child)->name);
  print_string(text, ", \"parent\": ",
               gmem_planned_buffer(report->planned, alias->parent)->name);
  gmem_text_print(text, ", \"offset\": %" PRIu64 "}", alias->offset);
}

static void print_unplanned(const gmem_report_unplanned_t *value, bool is_first,
                            gmem_text_t *text) {
  print_string(
      text, is_first ? "\n  {\"value\": " : ",\n  {\"value\": ", value->value);
  print_string(text, ", \"function\": ", value->function);
  print_place(text, ", \"location\": ", value->location);
  print_string(text, ", \"reason\": ", value->reason);
  if (mlirOperationIsNull(value->cause))
    gmem_text_print(text, ", \"cause\": null}");
  else {
    print_op(text, ", \"cause\": ", value->cause);
    gmem_text_print(text, "}");
  }
}

void gmem_report_to_json(const gmem_report_t *report, gmem_text_t *text) {
  const gmem_planned_t *planned = report->planned;
  const gmem_planned_figures_t *figures = gmem_planned_figures(planned);
  gmem_text_print(text, "{\"version\": %d", FORMAT_VERSION);
  print_string(text, ", \"algorithm\": ", figures->algorithm);
  gmem_text_print(text,
                  ", \"peak\": %" PRIu64 ", \"lower_bound\": %" PRIu64
                  ", \"steps\": %" PRId64 ",\n \"pools\": [",
                  figures->peak, figures->lower_bound, figures->step_count);
  for (uint32_t i = 0; i < gmem_planned_pool_count(planned); ++i)
    print_pool(report, i, text);
  gmem_text_print(text, "],\n \"buffers\": [");
  for (uint32_t i = 0; i < report->buffer_count; ++i)
    print_buffer(report, i, text);
  gmem_text_print(text, "],\n \"aliases\": [");
  for (size_t i = 0; i < gmem_planned_alias_count(planned); ++i)
    print_alias(report, i, text);
  gmem_text_print(text, "],\n \"left_alone\": [");
  for (size_t i = 0; i < report->unplanned_count; ++i)
    print_unplanned(&report->unplanned[i], i == 0, text);
  gmem_text_print(text, "],\n \"ops\": [");
  for (int64_t i = 0; i < report->step_count; ++i)
    print_op(text, i ? ",\n  " : "\n  ", report->ops[i]);
  gmem_text_print(text, "]}\n");
}
