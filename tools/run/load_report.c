// load_report.c - the report of simulated requests, as text or JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "load_report.h"

#include <inttypes.h>
#include <stdio.h>

#include "json_writer.h"
#include "messages.h"
#include "run_load.h"
#include "text_table.h"

static const char *const ends[] = {"done", "timed out", "failed"};

static double per_second(const gmem_stress_result_t *result) {
  return result->seconds > 0 ? (double)result->done / result->seconds : 0;
}

//===--- text -------------------------------------------------------------===//

static void print_requests(const gmem_stress_result_t *result) {
  for (uint32_t i = 0; i < result->kept_count; ++i)
    if (result->kept[i].end == GMEM_REQUEST_DONE)
      printf("request %" PRIu32 "  %016" PRIx64 "\n", i, result->kept[i].sum);
    else
      printf("request %" PRIu32 "  %s\n", i, ends[result->kept[i].end]);
  if (result->kept_count < result->begun)
    printf("(%" PRIu32 " more)\n", result->begun - result->kept_count);
  printf("all requests  %016" PRIx64 "\n", result->total);
}

static void add_count(gmem_table_t *table, const char *name, uint64_t count) {
  gmem_table_cell(gmem_table_add(table, name), "%" PRIu64, count);
}

static void add_latency(gmem_table_t *table, const char *name,
                        uint64_t nanoseconds) {
  gmem_table_cell(gmem_table_add(table, name), "%.1f",
                  (double)nanoseconds / 1e3);
}

static gmem_status_t print_figures(const gmem_stress_t *stress,
                                   const gmem_stress_result_t *result) {
  gmem_table_t table = {0};
  add_count(&table, "requests done", result->done);
  add_count(&table, "requests timed out", result->timed_out);
  add_count(&table, "requests failed", result->failed);
  add_count(&table, "threads", stress->options->threads);
  gmem_table_cell(gmem_table_add(&table, "requests per second"), "%.1f",
                  per_second(result));
  add_latency(&table, "latency us, median",
              gmem_latency_quantile(&result->latency, 500));
  add_latency(&table, "latency us, 90 %",
              gmem_latency_quantile(&result->latency, 900));
  add_latency(&table, "latency us, 99 %",
              gmem_latency_quantile(&result->latency, 990));
  add_latency(&table, "latency us, longest", result->latency.longest);
  add_count(&table, "slots", result->pool.slots);
  add_count(&table, "slots added", result->pool.grows);
  add_count(&table, "waits for a slot", result->pool.waits);
  add_count(&table, "bytes of slots", result->pool.bytes_committed);
  add_count(&table, "bytes leased at once", result->pool.bytes_peak);
  add_count(&table, "bytes shared by slots",
            gmem_plan_shared_size(stress->memory->plan));
  add_count(&table, "resident shared bytes", result->shared.resident);
  add_count(&table, "also in other processes", result->shared.shared);
  add_count(&table, "peak resident bytes", gmem_resident_peak());
  add_count(&table, "page faults", result->page_faults);
  bool is_whole = gmem_table_print(&table, stdout);
  gmem_table_free(&table);
  return is_whole ? GMEM_OK : gmem_tool_error("out of memory");
}

//===--- JSON -------------------------------------------------------------===//

static void put_sum(gmem_json_t *json, uint64_t sum) {
  char text[24];
  snprintf(text, sizeof text, "%016" PRIx64, sum);
  gmem_json_text(json, "sum", text);
}

static void put_requests(gmem_json_t *json,
                         const gmem_stress_result_t *result) {
  gmem_json_open(json, "first", '[');
  for (uint32_t i = 0; i < result->kept_count; ++i) {
    gmem_json_open(json, NULL, '{');
    gmem_json_text(json, "end", ends[result->kept[i].end]);
    put_sum(json, result->kept[i].sum);
    gmem_json_close(json);
  }
  gmem_json_close(json);
}

static void put_microseconds(gmem_json_t *json, const char *key,
                             uint64_t nanoseconds) {
  gmem_json_real(json, key, (double)nanoseconds / 1e3, -1);
}

static void put_latency(gmem_json_t *json, const gmem_latency_t *latency) {
  gmem_json_open(json, "latency_microseconds", '{');
  put_microseconds(json, "median", gmem_latency_quantile(latency, 500));
  put_microseconds(json, "p90", gmem_latency_quantile(latency, 900));
  put_microseconds(json, "p99", gmem_latency_quantile(latency, 990));
  put_microseconds(json, "longest", latency->longest);
  gmem_json_close(json);
}

static void put_pool(gmem_json_t *json, const gmem_pool_stats_t *pool) {
  gmem_json_open(json, "pool", '{');
  gmem_json_number(json, "slots", pool->slots);
  gmem_json_number(json, "grows", pool->grows);
  gmem_json_number(json, "failures", pool->failures);
  gmem_json_number(json, "acquires", pool->acquires);
  gmem_json_number(json, "waits", pool->waits);
  gmem_json_number(json, "timeouts", pool->timeouts);
  gmem_json_number(json, "bytes_committed", pool->bytes_committed);
  gmem_json_number(json, "bytes_peak", pool->bytes_peak);
  gmem_json_close(json);
}

static void put_shared(gmem_json_t *json, const gmem_stress_t *stress,
                       const gmem_resident_t *shared) {
  gmem_json_open(json, "shared", '{');
  gmem_json_number(json, "bytes", gmem_plan_shared_size(stress->memory->plan));
  gmem_json_number(json, "resident", shared->resident);
  gmem_json_number(json, "shared", shared->shared);
  gmem_json_number(json, "proportional", shared->proportional);
  gmem_json_close(json);
}

static void put_counts(gmem_json_t *json, const gmem_run_options_t *options,
                       const gmem_stress_result_t *result) {
  gmem_json_number(json, "version", 1);
  gmem_json_number(json, "requests", options->requests);
  gmem_json_number(json, "done", result->done);
  gmem_json_number(json, "timed_out", result->timed_out);
  gmem_json_number(json, "failed", result->failed);
  gmem_json_number(json, "threads", options->threads);
  gmem_json_real(json, "seconds", result->seconds, -1);
  gmem_json_real(json, "requests_per_second", per_second(result), -1);
}

static gmem_status_t print_json(const gmem_stress_t *stress,
                                const gmem_stress_result_t *result, bool good) {
  gmem_json_t json;
  gmem_json_start(&json, gmem_write_to_stream, stdout);
  json.is_indented = true;
  gmem_json_open(&json, NULL, '{');
  put_counts(&json, stress->options, result);
  put_latency(&json, &result->latency);
  put_pool(&json, &result->pool);
  put_shared(&json, stress, &result->shared);
  gmem_json_number(&json, "peak_resident_bytes", gmem_resident_peak());
  gmem_json_number(&json, "page_faults", result->page_faults);
  put_sum(&json, result->total);
  put_requests(&json, result);
  gmem_json_bool(&json, "interrupted",
                 result->begun < stress->options->requests);
  gmem_json_bool(&json, "good", good);
  gmem_json_close(&json);
  return gmem_json_end(&json, "the report", NULL) == GMEM_OK
             ? GMEM_OK
             : gmem_tool_error("<stdout>: cannot be written");
}

gmem_status_t gmem_stress_report(const gmem_stress_t *stress,
                                 const gmem_stress_result_t *result,
                                 bool good) {
  if (stress->options->json)
    return print_json(stress, result, good);
  print_requests(result);
  return stress->options->quiet ? GMEM_OK : print_figures(stress, result);
}
