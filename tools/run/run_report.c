// run_report.c - the report of a run of a module, as text or JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "run_report.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_writer.h"
#include "messages.h"
#include "sha256.h"
#include "standard_streams.h"
#include "text_table.h"

// The figures of one program, in the order of the JSON.
enum { LOWER, COMPILE, FIRST, MEDIAN, CPU, FAULTS, CALLS, BYTES, ARENA, ROWS };

static const struct {
  const char *key;  // of the JSON
  const char *name; // of the table
  bool is_count;
} rows[ROWS] = {{"lower_seconds", "lower s", false},
                {"compile_seconds", "compile s", false},
                {"first_run_milliseconds", "first run ms", false},
                {"run_milliseconds", "run ms", false}, // median of the others
                {"cpu_milliseconds", "cpu ms", false}, // the same
                {"page_faults", "page faults", true},  // mean per run
                // In the last run of the first request.
                {"malloc_calls", "malloc calls", true},
                {"malloc_bytes", "malloc bytes", true},
                {"arena_bytes", "arena bytes", true}}; // of a slot

typedef struct figures_s {
  double at[ROWS];
} figures_t;

static const char *name_of(const gmem_jobs_t *jobs, uint32_t program) {
  if (program == 1)
    return "unplanned";
  return jobs->options->program.unplanned ? "unplanned" : "planned";
}

//===--- figures ----------------------------------------------------------===//

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// The median over all runs of |program| except the first of each request, or
// over the first runs if there are no others. |cpu|: of CPU times, else wall
// times.
static double median_of(const gmem_jobs_t *jobs, uint32_t program, bool cpu) {
  uint32_t requests = jobs->options->requests;
  uint32_t from = jobs->repeats > 1 ? 1 : 0;
  size_t count = (size_t)requests * (jobs->repeats - from), at = 0;
  assert(program < jobs->program_count && count > 0);
  double *all = malloc(count * sizeof *all);
  if (!all)
    return jobs->jobs[0].seconds[program][0];
  for (uint32_t i = 0; i < requests; ++i)
    for (uint32_t r = from; r < jobs->repeats; ++r)
      all[at++] = jobs->jobs[i].seconds[program][cpu ? jobs->repeats + r : r];
  qsort(all, count, sizeof *all, compare_doubles);
  double median = (all[(count - 1) / 2] + all[count / 2]) / 2;
  free(all);
  return median;
}

// The mean over all runs, rounded up such that 0 means none.
static uint64_t mean_faults(const gmem_jobs_t *jobs, uint32_t program) {
  uint64_t faults = 0, runs = (uint64_t)jobs->options->requests * jobs->repeats;
  for (uint32_t i = 0; i < jobs->options->requests; ++i)
    faults += jobs->jobs[i].faults[program];
  return (faults + runs - 1) / runs;
}

static figures_t figures_of(const gmem_jobs_t *jobs, uint32_t program) {
  const gmem_job_t *job = &jobs->jobs[0];
  const gmem_compiled_program_t *what = jobs->programs[program];
  const gmem_result_t *last = &job->last[program];
  return (figures_t){
      {[LOWER] = what->jit.lower_seconds,
       [COMPILE] = what->jit.compile_seconds,
       [FIRST] = job->seconds[program][0] * 1e3,
       [MEDIAN] = median_of(jobs, program, false) * 1e3,
       [CPU] = median_of(jobs, program, true) * 1e3,
       [FAULTS] = (double)mean_faults(jobs, program),
       [CALLS] = (double)last->allocations,
       [BYTES] = (double)last->bytes,
       [ARENA] =
           what->memory ? (double)gmem_plan_slot_size(what->memory->plan) : 0}};
}

//===--- text -------------------------------------------------------------===//

static void print_outputs(uint32_t request, const gmem_result_t *result) {
  for (uint32_t i = 0; i < result->output_count; ++i) {
    const gmem_run_output_t *output = &result->outputs[i];
    char digest[GMEM_SHA256_TEXT];
    gmem_sha256_text(output->digest, digest);
    printf("request %" PRIu32 " %s %" PRIu32 "  %s  %s  %s\n", request,
           output->kind, output->number, output->type, digest, output->values);
    if (output->not_finite)
      gmem_tool_warning("request %" PRIu32 ": %" PRId64
                        " elements of %s %" PRIu32 " are not finite",
                        request, output->not_finite, output->kind,
                        output->number);
  }
}

static void print_figures(const gmem_jobs_t *jobs) {
  static const int order[ROWS] = {MEDIAN, CPU,   FIRST, LOWER, COMPILE,
                                  FAULTS, CALLS, BYTES, ARENA};
  gmem_table_t table = {0};
  figures_t figures[GMEM_RUN_PROGRAMS];
  gmem_table_row_t *head = gmem_table_add(&table, "");
  for (uint32_t p = 0; p < jobs->program_count; ++p) {
    figures[p] = figures_of(jobs, p);
    gmem_table_cell(head, "%s", name_of(jobs, p));
  }
  if (jobs->program_count == 2)
    gmem_table_cell(head, "ratio");
  for (int i = 0; i < ROWS; ++i) {
    int which = order[i];
    gmem_table_row_t *row = gmem_table_add(&table, rows[which].name);
    for (uint32_t p = 0; p < jobs->program_count; ++p)
      gmem_table_cell(row, "%.*f", rows[which].is_count ? 0 : 3,
                      figures[p].at[which]);
    if (jobs->program_count == 2 && figures[1].at[which] > 0)
      gmem_table_cell(row, "%.2f", figures[0].at[which] / figures[1].at[which]);
  }
  (void)gmem_table_print(&table);
  if (jobs->programs[0]->imported_bytes)
    printf("%" PRIu64 " bytes of constants are in memory of another process\n",
           jobs->programs[0]->imported_bytes);
  if (jobs->programs[0]->jit.init_seconds > 0)
    printf("constants were computed once, in %.3f ms\n",
           jobs->programs[0]->jit.init_seconds * 1e3);
}

static void print_total(const gmem_jobs_t *jobs, double seconds) {
  uint32_t requests = jobs->options->requests;
  if (requests > 1)
    printf("%" PRIu32 " requests on %" PRIu32 " threads in %.3f s\n", requests,
           jobs->options->threads, seconds);
  if (requests > 1 && jobs->programs[0]->memory) {
    gmem_pool_stats_t stats;
    gmem_pool_stats(jobs->programs[0]->memory->pool, &stats);
    printf("%" PRIu32 " slots of %" PRIu64 " bytes: %" PRIu64
           " leases, %" PRIu64 " waits, at most %" PRIu64
           " bytes leased at once\n",
           stats.slots, stats.bytes_committed / stats.slots, stats.acquires,
           stats.waits, stats.bytes_peak);
  }
}

//===--- differences ------------------------------------------------------===//

// Prints which outputs of a request differ.
static void print_difference(const gmem_jobs_t *jobs, uint32_t request) {
  const gmem_result_t *a = &jobs->jobs[request].first[0];
  const gmem_result_t *b = &jobs->jobs[request].first[1];
  if (a->failed || b->failed)
    return; // check() has printed it
  if (a->output_count != b->output_count) {
    gmem_tool_error(
        "request %" PRIu32
        ": the planned and the unplanned program write to different arguments",
        request);
    return;
  }
  bool found = false;
  for (uint32_t i = 0; i < a->output_count; ++i) {
    const gmem_run_output_t *x = &a->outputs[i], *y = &b->outputs[i];
    if (gmem_outputs_equal(x, y))
      continue;
    found = true;
    gmem_tool_error("request %" PRIu32 ": %s %" PRIu32
                    " differs: planned %s (%s), unplanned %s (%s)",
                    request, x->kind, x->number, x->values, x->type, y->values,
                    y->type);
  }
  if (!found)
    gmem_tool_error("request %" PRIu32 ": the outputs of a repeated run differ",
                    request);
}

// Reports failures first, since they explain missing outputs.
static gmem_status_t check(const gmem_jobs_t *jobs) {
  gmem_status_t status = GMEM_OK;
  for (uint32_t i = 0; i < jobs->options->requests; ++i) {
    for (uint32_t p = 0; p < jobs->program_count; ++p)
      if (jobs->jobs[i].first[p].failed)
        status =
            gmem_tool_error("request %" PRIu32 ": the %s program failed: %s", i,
                            name_of(jobs, p), jobs->jobs[i].first[p].reason);
    if (jobs->jobs[i].unequal > 0) {
      print_difference(jobs, i);
      status = GMEM_TOLD;
    }
  }
  return status;
}

//===--- JSON -------------------------------------------------------------===//

static void put_outputs(gmem_json_t *json, const gmem_result_t *result) {
  gmem_json_open(json, NULL, '[');
  for (uint32_t i = 0; i < result->output_count; ++i) {
    const gmem_run_output_t *output = &result->outputs[i];
    char digest[GMEM_SHA256_TEXT];
    gmem_sha256_text(output->digest, digest);
    gmem_json_open(json, NULL, '{');
    gmem_json_text(json, "kind", output->kind);
    gmem_json_number(json, "number", output->number);
    gmem_json_text(json, "type", output->type);
    gmem_json_text(json, "sha256", digest);
    gmem_json_text(json, "values", output->values);
    gmem_json_signed(json, "not_finite", output->not_finite);
    gmem_json_close(json);
  }
  gmem_json_close(json);
}

static void put_program(gmem_json_t *json, const gmem_jobs_t *jobs,
                        uint32_t program) {
  figures_t figures = figures_of(jobs, program);
  gmem_json_open(json, NULL, '{');
  gmem_json_text(json, "name", name_of(jobs, program));
  for (int i = 0; i < ROWS; ++i)
    if (rows[i].is_count)
      gmem_json_number(json, rows[i].key, (uint64_t)figures.at[i]);
    else
      gmem_json_real(json, rows[i].key, figures.at[i], -1);
  if (jobs->programs[program]->jit.init_seconds > 0)
    gmem_json_real(json, "init_milliseconds",
                   jobs->programs[program]->jit.init_seconds * 1e3, -1);
  if (jobs->programs[program]->imported_bytes)
    gmem_json_number(json, "imported_bytes",
                     jobs->programs[program]->imported_bytes);
  gmem_json_close(json);
}

// Null if the program provides its own arenas.
static void put_pool(gmem_json_t *json, const gmem_jobs_t *jobs) {
  gmem_pool_stats_t stats;
  if (!jobs->programs[0]->memory) {
    gmem_json_null(json, "pool");
    return;
  }
  gmem_pool_stats(jobs->programs[0]->memory->pool, &stats);
  gmem_json_open(json, "pool", '{');
  gmem_json_number(json, "slots", stats.slots);
  gmem_json_number(json, "acquires", stats.acquires);
  gmem_json_number(json, "waits", stats.waits);
  gmem_json_number(json, "bytes_committed", stats.bytes_committed);
  gmem_json_number(json, "bytes_peak", stats.bytes_peak);
  gmem_json_close(json);
}

static gmem_status_t print_json(const gmem_jobs_t *jobs, double seconds,
                                bool good) {
  gmem_json_t json;
  gmem_json_start(&json, gmem_write_to_stream, stdout);
  json.is_indented = true;
  gmem_json_open(&json, NULL, '{');
  gmem_json_number(&json, "version", 1);
  gmem_json_text(&json, "entry", jobs->options->program.entry);
  gmem_json_number(&json, "threads", jobs->options->threads);
  gmem_json_number(&json, "repeats", jobs->repeats);
  gmem_json_real(&json, "seconds", seconds, -1);
  gmem_json_open(&json, "programs", '[');
  for (uint32_t p = 0; p < jobs->program_count; ++p)
    put_program(&json, jobs, p);
  gmem_json_close(&json);
  put_pool(&json, jobs);
  gmem_json_open(&json, "requests", '[');
  for (uint32_t i = 0; i < jobs->options->requests; ++i)
    put_outputs(&json, &jobs->jobs[i].first[0]);
  gmem_json_close(&json);
  gmem_json_bool(&json, jobs->program_count == 2 ? "equal" : "good", good);
  gmem_json_close(&json);
  return gmem_json_end(&json, "the report", NULL);
}

gmem_status_t gmem_run_report(const gmem_jobs_t *jobs, double seconds) {
  if (jobs->options->json) {
    gmem_status_t status = check(jobs);
    if (print_json(jobs, seconds, status == GMEM_OK) != GMEM_OK)
      status = gmem_tool_flush();
    return status;
  }
  for (uint32_t i = 0; i < jobs->options->requests; ++i)
    print_outputs(i, &jobs->jobs[i].first[0]);
  gmem_status_t status = check(jobs);
  if (status == GMEM_OK && jobs->program_count == 2)
    printf("equal: the planned and unplanned outputs are bitwise equal\n");
  if (!jobs->options->quiet) {
    print_figures(jobs);
    print_total(jobs, seconds);
  }
  return status;
}
