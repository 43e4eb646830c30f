// show_page.c - writes plans as a page: page.html with the plans as JSON in it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "show_page.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "json_writer.h"
#include "show.h"

// Where the JSON is written: "<" ends scripts, and stands only in texts.
typedef struct filter_s {
  gmem_write_fn write;
  void *user;
} filter_t;

static gmem_status_t write_filtered(void *user, const char *bytes,
                                    size_t length) {
  const filter_t *filter = user;
  const char *end = bytes + length, *found;
  while ((found = memchr(bytes, '<', (size_t)(end - bytes)))) {
    GMEM_TRY(filter->write(filter->user, bytes, (size_t)(found - bytes)));
    GMEM_TRY(filter->write(filter->user, "\\u003c", 6));
    bytes = found + 1;
  }
  return filter->write(filter->user, bytes, (size_t)(end - bytes));
}

static void put_ranges(gmem_json_t *json, const gmem_live_range_t *ranges,
                       size_t count) {
  gmem_json_open(json, NULL, '[');
  for (size_t i = 0; i < count; ++i) {
    gmem_json_signed(json, NULL, ranges[i].begin);
    gmem_json_signed(json, NULL, ranges[i].end);
  }
  gmem_json_close(json);
}

static bool owns_all(const gmem_shown_buffer_t *buffer) {
  return buffer->owned_count == buffer->range_count &&
         memcmp(buffer->owned, buffer->ranges,
                buffer->owned_count * sizeof *buffer->owned) == 0;
}

// A row in the order that page.html takes it apart.
static void put_buffer(gmem_json_t *json, const gmem_shown_buffer_t *buffer) {
  bool is_alias = buffer->alias_of != GMEM_NO_BUFFER;
  gmem_json_line(json, 0);
  gmem_json_open(json, NULL, '[');
  gmem_json_text(json, NULL, buffer->name);
  gmem_json_number(json, NULL, (uint64_t)buffer->kind);
  gmem_json_number(json, NULL, buffer->pool);
  gmem_json_signed(json, NULL, is_alias ? (int64_t)buffer->alias_of : -1);
  gmem_json_number(json, NULL, buffer->offset);
  gmem_json_number(json, NULL, buffer->size);
  gmem_json_number(json, NULL, buffer->payload_offset);
  gmem_json_number(json, NULL, buffer->payload_size);
  gmem_json_text(json, NULL, buffer->op);
  gmem_json_text(json, NULL, buffer->function);
  gmem_json_text(json, NULL, buffer->location);
  put_ranges(json, buffer->ranges, buffer->range_count);
  if (owns_all(buffer))
    gmem_json_null(json, NULL);
  else
    put_ranges(json, buffer->owned, buffer->owned_count);
  gmem_json_text(json, NULL, buffer->layout);
  gmem_json_close(json);
}

static gmem_status_t put_pool(gmem_json_t *json, const gmem_shown_plan_t *plan,
                              uint32_t index, gmem_diag_t *diag) {
  const gmem_shown_pool_t *pool = &plan->pools[index];
  gmem_shown_curve_t curve;
  GMEM_TRY(gmem_shown_curve_make(plan, index, &curve, diag));
  gmem_json_line(json, 0);
  gmem_json_open(json, NULL, '{');
  gmem_json_text(json, "name", pool->name);
  gmem_json_bool(json, "constant", pool->constant);
  gmem_json_number(json, "size", pool->size);
  gmem_json_number(json, "lower_bound", pool->lower_bound);
  gmem_json_number_or_null(json, "capacity", pool->capacity, GMEM_UNLIMITED);
  gmem_json_open(json, "curve", '[');
  for (size_t i = 0; i < curve.count; ++i) {
    gmem_json_signed(json, NULL, curve.points[i].step);
    gmem_json_number(json, NULL, curve.points[i].bytes);
  }
  gmem_json_close(json);
  gmem_json_close(json);
  free(curve.points);
  return GMEM_OK;
}

static void put_op(gmem_json_t *json, const gmem_shown_op_t *op) {
  gmem_json_line(json, 0);
  gmem_json_open(json, NULL, '[');
  gmem_json_text(json, NULL, op->name);
  gmem_json_text(json, NULL, op->op);
  gmem_json_text(json, NULL, op->location);
  gmem_json_signed(json, NULL, op->begin);
  gmem_json_signed(json, NULL, op->end);
  gmem_json_text(json, NULL, op->text);
  gmem_json_open(json, NULL, '[');
  for (size_t i = 0; i < op->operand_count; ++i)
    gmem_json_number(json, NULL, op->operands[i]);
  gmem_json_close(json);
  gmem_json_close(json);
}

static void put_lists(gmem_json_t *json, const gmem_shown_plan_t *plan) {
  gmem_json_open(json, "buffers", '[');
  for (uint32_t i = 0; i < plan->buffer_count; ++i)
    put_buffer(json, &plan->buffers[i]);
  gmem_json_close(json);
  gmem_json_open(json, "aliases", '[');
  for (size_t i = 0; i < plan->alias_count; ++i) {
    gmem_json_open(json, NULL, '[');
    gmem_json_number(json, NULL, plan->aliases[i].child);
    gmem_json_number(json, NULL, plan->aliases[i].parent);
    gmem_json_text(json, NULL, plan->aliases[i].kind);
    gmem_json_close(json);
  }
  gmem_json_close(json);
  gmem_json_open(json, "ops", '[');
  for (size_t i = 0; i < plan->op_count; ++i)
    put_op(json, &plan->ops[i]);
  gmem_json_close(json);
}

static gmem_status_t put_plan(gmem_json_t *json, const gmem_shown_plan_t *plan,
                              gmem_diag_t *diag) {
  gmem_json_open(json, NULL, '{');
  gmem_json_text(json, "title", plan->title);
  gmem_json_text(json, "algorithm", plan->algorithm);
  gmem_json_number(json, "peak", plan->peak);
  gmem_json_number(json, "lower_bound", plan->lower_bound);
  gmem_json_bool(json, "optimal", plan->optimal);
  gmem_json_signed(json, "begin", plan->begin);
  gmem_json_signed(json, "end", plan->end);
  gmem_json_open(json, "pools", '[');
  for (uint32_t i = 0; i < plan->pool_count; ++i)
    GMEM_TRY(put_pool(json, plan, i, diag));
  gmem_json_close(json);
  put_lists(json, plan);
  gmem_json_close(json);
  return GMEM_OK;
}

static gmem_status_t put_data(const gmem_shown_plan_t *const *plans,
                              size_t count, const char *report,
                              filter_t *filter, gmem_diag_t *diag) {
  gmem_json_t json;
  gmem_json_start(&json, write_filtered, filter);
  gmem_json_open(&json, NULL, '{');
  gmem_json_number(&json, "version", 1);
  gmem_json_open(&json, "plans", '[');
  for (size_t i = 0; i < count; ++i)
    GMEM_TRY(put_plan(&json, plans[i], diag));
  gmem_json_close(&json);
  if (report)
    gmem_json_verbatim(&json, "report", report);
  gmem_json_close(&json);
  return gmem_json_end(&json, "the page", diag);
}

gmem_status_t gmem_show_page(const gmem_shown_plan_t *const *plans,
                             size_t count, const char *report,
                             gmem_write_fn write, void *user,
                             gmem_diag_t *diag) {
  static const char mark[] = "<!-- DATA -->",
                    before[] = "<script type=\"application/json\" id=\"data\">",
                    after[] = "</script>";
  const char *found = strstr(gmem_page_text, mark);
  assert(found && "page.html has the mark");
  const char *rest = found + strlen(mark);
  filter_t filter = {write, user};
  GMEM_TRY(write(user, gmem_page_text, (size_t)(found - gmem_page_text)));
  GMEM_TRY(write(user, before, strlen(before)));
  GMEM_TRY(put_data(plans, count, report, &filter, diag));
  GMEM_TRY(write(user, after, strlen(after)));
  return write(user, rest, gmem_page_length - (size_t)(rest - gmem_page_text));
}
