// load_report.c - the report of simulated requests, as text or JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "load_report.h"

#include <inttypes.h>
#include <stdio.h>

#include "json_writer.h"
#include "messages.h"
#include "run_load.h"
#include "standard_streams.h"
#include "text_table.h"

static const char *const ends[] = {"done", "timed out", "failed"};

static double per_second(const gmem_stress_result_t *result) {
  return result->seconds > 0
             ? (double)result->ended[GMEM_REQUEST_DONE] / result->seconds
             : 0;
}

static double microseconds(const gmem_latency_t *latency, unsigned per_mille) {
  return (double)gmem_latency_quantile(latency, per_mille) / 1e3;
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

static gmem_status_t print_figures(const gmem_stress_t *stress,
                                   const gmem_stress_result_t *result) {
  const uint64_t *ended = result->ended;
  const gmem_latency_t *latency = &result->latency;
  const uint64_t shared_bytes = gmem_plan_shared_size(stress->memory->plan);
  const struct {
    const char *name;
    double value;
    int digits;
  } rows[] = {{"requests done", (double)ended[GMEM_REQUEST_DONE], 0},
              {"requests timed out", (double)ended[GMEM_REQUEST_TIMED_OUT], 0},
              {"requests failed", (double)ended[GMEM_REQUEST_FAILED], 0},
              {"threads", stress->options->threads, 0},
              {"requests per second", per_second(result), 1},
              {"latency us, median", microseconds(latency, 500), 1},
              {"latency us, 90 %", microseconds(latency, 900), 1},
              {"latency us, 99 %", microseconds(latency, 990), 1},
              {"latency us, longest", (double)latency->longest / 1e3, 1},
              {"slots", result->pool.slots, 0},
              {"slots added", (double)result->pool.grows, 0},
              {"waits for a slot", (double)result->pool.waits, 0},
              {"bytes of slots", (double)result->pool.bytes_committed, 0},
              {"bytes leased at once", (double)result->pool.bytes_peak, 0},
              {"bytes shared by slots", (double)shared_bytes, 0},
              {"resident shared bytes", (double)result->shared.resident, 0},
              {"also in other processes", (double)result->shared.shared, 0},
              {"peak resident bytes", (double)gmem_resident_peak(), 0},
              {"page faults", (double)result->page_faults, 0}};
  gmem_table_t table = {0};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    gmem_table_cell(gmem_table_add(&table, rows[i].name), "%.*f",
                    rows[i].digits, rows[i].value);
  return gmem_table_print(&table) ? GMEM_OK : gmem_tool_error("out of memory");
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

static void put_latency(gmem_json_t *json, const gmem_latency_t *latency) {
  gmem_json_open(json, "latency_microseconds", '{');
  gmem_json_real(json, "median", microseconds(latency, 500), -1);
  gmem_json_real(json, "p90", microseconds(latency, 900), -1);
  gmem_json_real(json, "p99", microseconds(latency, 990), -1);
  gmem_json_real(json, "longest", (double)latency->longest / 1e3, -1);
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
  gmem_json_number(json, "done", result->ended[GMEM_REQUEST_DONE]);
  gmem_json_number(json, "timed_out", result->ended[GMEM_REQUEST_TIMED_OUT]);
  gmem_json_number(json, "failed", result->ended[GMEM_REQUEST_FAILED]);
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
             : gmem_tool_flush();
}

gmem_status_t gmem_stress_report(const gmem_stress_t *stress,
                                 const gmem_stress_result_t *result,
                                 bool good) {
  if (stress->options->json)
    return print_json(stress, result, good);
  print_requests(result);
  return stress->options->quiet ? GMEM_OK : print_figures(stress, result);
}
