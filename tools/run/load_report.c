// load_report.c - the report of simulated requests, as text or JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <inttypes.h>
#include <stdio.h>
#ifdef GMEM_HAS_JSON
#include <jansson.h>
#endif

#include "load_report.h"

#include "run_load.h"
#include "run_messages.h"
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

static int print_figures(const gmem_stress_t *stress,
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
            gmem_plan_shared_size(stress->plan));
  add_count(&table, "resident shared bytes", result->shared.resident);
  add_count(&table, "also in other processes", result->shared.shared);
  add_count(&table, "peak resident bytes", gmem_resident_peak());
  add_count(&table, "page faults", result->page_faults);
  bool is_whole = gmem_table_print(&table, stdout);
  gmem_table_free(&table);
  return is_whole ? 0 : gmem_run_error("out of memory");
}

//===--- JSON -------------------------------------------------------------===//

#ifdef GMEM_HAS_JSON

static json_t *json_number(uint64_t number) {
  return json_integer((json_int_t)number);
}

static json_t *json_sum(uint64_t sum) {
  char text[24];
  snprintf(text, sizeof text, "%016" PRIx64, sum);
  return json_string(text);
}

// Returns NULL if out of memory, never a partial list.
static json_t *json_requests(const gmem_stress_result_t *result) {
  json_t *requests = json_array();
  for (uint32_t i = 0; i < result->kept_count && requests; ++i)
    if (json_array_append_new(
            requests, json_pack("{s:s, s:o}", "end", ends[result->kept[i].end],
                                "sum", json_sum(result->kept[i].sum))) != 0) {
      json_decref(requests);
      requests = NULL;
    }
  return requests;
}

static json_t *json_latency(const gmem_latency_t *latency) {
  return json_pack("{s:f, s:f, s:f, s:f}", "median",
                   (double)gmem_latency_quantile(latency, 500) / 1e3, "p90",
                   (double)gmem_latency_quantile(latency, 900) / 1e3, "p99",
                   (double)gmem_latency_quantile(latency, 990) / 1e3, "longest",
                   (double)latency->longest / 1e3);
}

static json_t *json_pool(const gmem_pool_stats_t *pool) {
  return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "slots",
                   json_number(pool->slots), "grows", json_number(pool->grows),
                   "failures", json_number(pool->failures), "acquires",
                   json_number(pool->acquires), "waits",
                   json_number(pool->waits), "timeouts",
                   json_number(pool->timeouts), "bytes_committed",
                   json_number(pool->bytes_committed), "bytes_peak",
                   json_number(pool->bytes_peak));
}

static json_t *json_shared(const gmem_stress_t *stress,
                           const gmem_resident_t *shared) {
  return json_pack("{s:o, s:o, s:o, s:o}", "bytes",
                   json_number(gmem_plan_shared_size(stress->plan)), "resident",
                   json_number(shared->resident), "shared",
                   json_number(shared->shared), "proportional",
                   json_number(shared->proportional));
}

static int print_json(const gmem_stress_t *stress,
                      const gmem_stress_result_t *result, bool good) {
  const gmem_run_options_t *options = stress->options;
  json_t *report = json_pack(
      "{s:i, s:o, s:o, s:o, s:o, s:o, s:f, s:f, s:o, s:o, s:o, s:o, s:o, s:o, "
      "s:o, s:b, s:b}",
      "version", 1, "requests", json_number(options->requests), "done",
      json_number(result->done), "timed_out", json_number(result->timed_out),
      "failed", json_number(result->failed), "threads",
      json_number(options->threads), "seconds", result->seconds,
      "requests_per_second", per_second(result), "latency_microseconds",
      json_latency(&result->latency), "pool", json_pool(&result->pool),
      "shared", json_shared(stress, &result->shared), "peak_resident_bytes",
      json_number(gmem_resident_peak()), "page_faults",
      json_number(result->page_faults), "sum", json_sum(result->total), "first",
      json_requests(result), "interrupted", result->begun < options->requests,
      "good", good);
  int code = 0;
  if (!report || json_dumpf(report, stdout, JSON_INDENT(2)) != 0)
    code = gmem_run_error("<stdout>: cannot be written");
  putchar('\n');
  json_decref(report);
  return code;
}

#else

static int print_json(const gmem_stress_t *stress,
                      const gmem_stress_result_t *result, bool good) {
  (void)stress, (void)result, (void)good;
  return gmem_run_error("--json: this gmem-run was built without JSON");
}

#endif

int gmem_stress_report(const gmem_stress_t *stress,
                       const gmem_stress_result_t *result, bool good) {
  if (stress->options->json)
    return print_json(stress, result, good);
  print_requests(result);
  return stress->options->quiet ? 0 : print_figures(stress, result);
}
