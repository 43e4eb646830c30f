// run_report.c - the report of a run of a module, as text or JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "run_report.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run_messages.h"
#include "text_table.h"

// Figures of one program.
typedef struct figures_s {
  double lower, compile;       // seconds
  double first;                // milliseconds of the first run
  double median;               // milliseconds of the other runs
  double cpu;                  // median CPU milliseconds of the other runs
  uint64_t faults;             // mean page faults per run
  uint64_t allocations, bytes; // in the last run of the first request
  uint64_t arena;              // bytes of a slot
} figures_t;

static const char *name_of(const gmem_jobs_t *jobs, uint32_t program) {
  if (program == 1)
    return "unplanned";
  return jobs->options->unplanned ? "unplanned" : "planned";
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
      .lower = what->jit.lower_seconds,
      .compile = what->jit.compile_seconds,
      .first = job->seconds[program][0] * 1e3,
      .median = median_of(jobs, program, false) * 1e3,
      .cpu = median_of(jobs, program, true) * 1e3,
      .faults = mean_faults(jobs, program),
      .allocations = last->allocations,
      .bytes = last->bytes,
      .arena = what->memory ? gmem_plan_slot_size(what->memory->plan) : 0};
}

//===--- text -------------------------------------------------------------===//

static void digest_text(const uint8_t digest[32], char text[65]) {
  for (int i = 0; i < 32; ++i)
    snprintf(text + 2 * i, 3, "%02x", digest[i]);
}

static void print_outputs(uint32_t request, const gmem_result_t *result) {
  for (uint32_t i = 0; i < result->output_count; ++i) {
    const gmem_run_output_t *output = &result->outputs[i];
    char digest[65];
    digest_text(output->digest, digest);
    printf("request %" PRIu32 " %s %" PRIu32 "  %s  %s  %s\n", request,
           output->is_result ? "result" : "argument", output->number,
           output->type, digest, output->values);
    if (output->not_finite)
      gmem_run_warning("request %" PRIu32 ": %" PRId64
                       " elements of %s %" PRIu32 " are not finite",
                       request, output->not_finite,
                       output->is_result ? "result" : "argument",
                       output->number);
  }
}

static void add_row(gmem_table_t *table, const char *name, const double *values,
                    uint32_t count, int digits) {
  gmem_table_row_t *row = gmem_table_add(table, name);
  for (uint32_t i = 0; i < count; ++i)
    gmem_table_cell(row, "%.*f", digits, values[i]);
  if (count == 2 && values[1] > 0)
    gmem_table_cell(row, "%.2f", values[0] / values[1]);
}

static void print_figures(const gmem_jobs_t *jobs) {
  static const struct {
    const char *name;
    size_t offset;
    int digits;
    bool is_count;
  } rows[] = {
      {"run ms", offsetof(figures_t, median), 3, false},
      {"cpu ms", offsetof(figures_t, cpu), 3, false},
      {"first run ms", offsetof(figures_t, first), 3, false},
      {"lower s", offsetof(figures_t, lower), 3, false},
      {"compile s", offsetof(figures_t, compile), 3, false},
      {"page faults", offsetof(figures_t, faults), 0, true},
      {"malloc calls", offsetof(figures_t, allocations), 0, true},
      {"malloc bytes", offsetof(figures_t, bytes), 0, true},
      {"arena bytes", offsetof(figures_t, arena), 0, true},
  };
  gmem_table_t table = {0};
  figures_t figures[GMEM_RUN_PROGRAMS];
  gmem_table_row_t *head = gmem_table_add(&table, "");
  for (uint32_t p = 0; p < jobs->program_count; ++p) {
    figures[p] = figures_of(jobs, p);
    gmem_table_cell(head, "%s", name_of(jobs, p));
  }
  if (jobs->program_count == 2)
    gmem_table_cell(head, "ratio");
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    double values[GMEM_RUN_PROGRAMS];
    for (uint32_t p = 0; p < jobs->program_count; ++p) {
      const char *at = (const char *)&figures[p] + rows[i].offset;
      values[p] = rows[i].is_count ? (double)*(const uint64_t *)at
                                   : *(const double *)at;
    }
    add_row(&table, rows[i].name, values, jobs->program_count, rows[i].digits);
  }
  (void)gmem_table_print(&table, stdout);
  gmem_table_free(&table);
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
    gmem_run_error(
        "request %" PRIu32
        ": the planned and the unplanned program write to different arguments",
        request);
    return;
  }
  bool found = false;
  for (uint32_t i = 0; i < a->output_count; ++i) {
    const gmem_run_output_t *x = &a->outputs[i], *y = &b->outputs[i];
    if (x->is_result == y->is_result && x->number == y->number &&
        memcmp(x->digest, y->digest, sizeof x->digest) == 0)
      continue;
    found = true;
    gmem_run_error("request %" PRIu32 ": %s %" PRIu32
                   " differs: planned %s (%s), unplanned %s (%s)",
                   request, x->is_result ? "result" : "argument", x->number,
                   x->values, x->type, y->values, y->type);
  }
  if (!found)
    gmem_run_error("request %" PRIu32 ": the outputs of a repeated run differ",
                   request);
}

// Reports failures first, since they explain missing outputs.
static int check(const gmem_jobs_t *jobs) {
  int code = 0;
  for (uint32_t i = 0; i < jobs->options->requests; ++i) {
    for (uint32_t p = 0; p < jobs->program_count; ++p)
      if (jobs->jobs[i].first[p].failed)
        code =
            gmem_run_error("request %" PRIu32 ": the %s program failed: %s", i,
                           name_of(jobs, p), jobs->jobs[i].first[p].reason);
    if (jobs->jobs[i].unequal > 0) {
      print_difference(jobs, i);
      code = GMEM_RUN_PROBLEM;
    }
  }
  return code;
}

//===--- JSON -------------------------------------------------------------===//

static json_t *json_outputs(const gmem_result_t *result) {
  json_t *outputs = json_array();
  for (uint32_t i = 0; i < result->output_count; ++i) {
    const gmem_run_output_t *output = &result->outputs[i];
    char digest[65];
    digest_text(output->digest, digest);
    json_array_append_new(
        outputs, json_pack("{s:s, s:I, s:s, s:s, s:s, s:I}", "kind",
                           output->is_result ? "result" : "argument", "number",
                           (json_int_t)output->number, "type", output->type,
                           "sha256", digest, "values", output->values,
                           "not_finite", (json_int_t)output->not_finite));
  }
  return outputs;
}

static json_t *json_program(const gmem_jobs_t *jobs, uint32_t program) {
  figures_t figures = figures_of(jobs, program);
  return json_pack(
      "{s:s, s:f, s:f, s:f, s:f, s:f, s:I, s:I, s:I, s:I}", "name",
      name_of(jobs, program), "lower_seconds", figures.lower, "compile_seconds",
      figures.compile, "first_run_milliseconds", figures.first,
      "run_milliseconds", figures.median, "cpu_milliseconds", figures.cpu,
      "page_faults", (json_int_t)figures.faults, "malloc_calls",
      (json_int_t)figures.allocations, "malloc_bytes",
      (json_int_t)figures.bytes, "arena_bytes", (json_int_t)figures.arena);
}

// Null if the program provides its own arenas.
static json_t *json_pool(const gmem_jobs_t *jobs) {
  gmem_pool_stats_t stats;
  if (!jobs->programs[0]->memory)
    return json_null();
  gmem_pool_stats(jobs->programs[0]->memory->pool, &stats);
  return json_pack("{s:I, s:I, s:I, s:I, s:I}", "slots",
                   (json_int_t)stats.slots, "acquires",
                   (json_int_t)stats.acquires, "waits", (json_int_t)stats.waits,
                   "bytes_committed", (json_int_t)stats.bytes_committed,
                   "bytes_peak", (json_int_t)stats.bytes_peak);
}

static json_t *json_report(const gmem_jobs_t *jobs, double seconds, bool good) {
  json_t *requests = json_array(), *programs = json_array();
  for (uint32_t i = 0; i < jobs->options->requests; ++i)
    json_array_append_new(requests, json_outputs(&jobs->jobs[i].first[0]));
  for (uint32_t p = 0; p < jobs->program_count; ++p)
    json_array_append_new(programs, json_program(jobs, p));
  return json_pack(
      "{s:i, s:s, s:I, s:I, s:f, s:o, s:o, s:o, s:o}", "version", 1, "entry",
      jobs->options->entry, "threads", (json_int_t)jobs->options->threads,
      "repeats", (json_int_t)jobs->repeats, "seconds", seconds, "programs",
      programs, "pool", json_pool(jobs), "requests", requests,
      jobs->program_count == 2 ? "equal" : "good", json_boolean(good));
}

int gmem_run_report(const gmem_jobs_t *jobs, double seconds) {
  if (jobs->options->json) {
    int code = check(jobs);
    json_t *report = json_report(jobs, seconds, code == 0);
    if (!report || json_dumpf(report, stdout, JSON_INDENT(2)) != 0)
      code = gmem_run_error("<stdout>: cannot be written");
    putchar('\n');
    json_decref(report);
    return code;
  }
  for (uint32_t i = 0; i < jobs->options->requests; ++i)
    print_outputs(i, &jobs->jobs[i].first[0]);
  int code = check(jobs);
  if (code == 0 && jobs->program_count == 2)
    printf("equal: the planned and unplanned outputs are bitwise equal\n");
  if (!jobs->options->quiet) {
    print_figures(jobs);
    print_total(jobs, seconds);
  }
  return code;
}
