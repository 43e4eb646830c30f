// page_report.c - see page_report.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "page_report.h"

#include <inttypes.h>
#include <jansson.h>

#include "diag.h"

// The keys of a report that the page shows.
static const char *const shown_keys[] = {"order",      "by_op",    "by_dialect",
                                         "left_alone", "what_ifs", "measured"};

static bool is_number(const json_t *report, const char *key, int64_t number) {
  const json_t *value = json_object_get(report, key);
  return json_is_integer(value) && json_integer_value(value) == number;
}

// A report of the same program with another plan would be read as if it were of
// this one.
static gmem_status_t check_plan(const char *path, const json_t *report,
                                const gmem_shown_plan_t *plan,
                                gmem_diag_t *diag) {
  const json_t *pools = json_object_get(report, "pools");
  bool is_same =
      is_number(report, "peak", (int64_t)plan->peak) &&
      json_array_size(pools) == plan->pool_count &&
      json_array_size(json_object_get(report, "buffers")) == plan->buffer_count;
  for (uint32_t i = 0; is_same && i < plan->pool_count; ++i)
    is_same = is_number(json_array_get(pools, i), "size",
                        (int64_t)plan->pools[i].size);
  return is_same ? GMEM_OK
                 : gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                             "%s: not a report of this plan", path);
}

static void copy(const json_t *from, const char *key, json_t *to) {
  json_t *value = json_object_get(from, key);
  if (value)
    json_object_set(to, key, value);
}

// The facts about pools that the plan itself lacks.
static json_t *pools_of(const json_t *report) {
  json_t *pools = json_array();
  const json_t *pool;
  size_t i;
  json_array_foreach(json_object_get(report, "pools"), i, pool) {
    json_t *parts = json_object();
    copy(pool, "capacity", parts);
    copy(pool, "over_budget", parts);
    json_array_append_new(pools, parts);
  }
  return pools;
}

static char *select_parts(const json_t *report) {
  json_t *parts = json_object();
  json_object_set_new(parts, "pools", pools_of(report));
  for (size_t i = 0; i < sizeof shown_keys / sizeof *shown_keys; ++i)
    copy(report, shown_keys[i], parts);
  char *text = json_dumps(parts, JSON_COMPACT);
  json_decref(parts);
  return text;
}

gmem_status_t gmem_page_report_read(const char *path,
                                    const gmem_shown_plan_t *plan,
                                    char **out_json, gmem_diag_t *diag) {
  json_error_t error;
  json_t *report = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
  if (!report && error.line > 0)
    return gmem_fail(diag, GMEM_ERR_PARSE, "%s:%d:%d: %s", path, error.line,
                     error.column, error.text);
  if (!report)
    return gmem_fail(diag, GMEM_ERR_IO, "%s", error.text);
  gmem_status_t status = check_plan(path, report, plan, diag);
  if (status == GMEM_OK) {
    *out_json = select_parts(report);
    status = *out_json ? GMEM_OK : gmem_out_of_memory(diag);
  }
  json_decref(report);
  return status;
}
