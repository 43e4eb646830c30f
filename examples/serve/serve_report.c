// serve_report.c - see serve_report.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "serve_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const outcome_names[OUTCOMES] = {
    "done", "wrong", "failed", "late", "refused", "cancelled"};

static double mib(uint64_t bytes) { return (double)bytes / 1048576; }

static double per_second(const serve_figures_t *figures) {
  return (double)figures->load.tally.both.count / figures->load.seconds;
}

// What the network needs by its plan.
static uint64_t planned_bytes(const serve_figures_t *figures) {
  return figures->shared_bytes + figures->pool.slots * figures->slot_bytes;
}

// What it has. Less than before cannot be: then others gave memory back.
static uint64_t had_bytes(const serve_figures_t *figures) {
  return figures->resident > figures->resident_before
             ? figures->resident - figures->resident_before
             : 0;
}

bool serve_figures_are_good(const serve_figures_t *figures) {
  const uint64_t *outcomes = figures->load.tally.outcomes;
  return outcomes[OUTCOME_WRONG] == 0 && outcomes[OUTCOME_FAILED] == 0 &&
         (outcomes[OUTCOME_DONE] > 0 || figures->was_interrupted);
}

//===--- text -------------------------------------------------------------===//

static void print_times(const char *name, const times_t *times) {
  printf("%-12s %9.3f %9.3f %9.3f %9.3f %9.3f\n", name,
         times_quantile_ms(times, 500), times_quantile_ms(times, 900),
         times_quantile_ms(times, 990), times_quantile_ms(times, 999),
         (double)times->longest / 1e6);
}

static void print_memory(const serve_figures_t *figures, bool is_pool) {
  printf("resident MiB %.2f, at most %.2f; since the network was opened %.2f\n",
         mib(figures->resident), mib(figures->resident_peak),
         mib(had_bytes(figures)));
  printf("plan MiB     ");
  if (is_pool)
    printf("%.2f: %.2f shared, %" PRIu32 " slots of %.2f\n",
           mib(planned_bytes(figures)), mib(figures->shared_bytes),
           figures->pool.slots, mib(figures->slot_bytes));
  else
    printf("%.2f shared, and %.2f for each request\n",
           mib(figures->shared_bytes), mib(figures->slot_bytes));
  printf("arrays MiB   %.2f, of cases and workers\n",
         mib(figures->array_bytes));
  printf("page faults  %" PRIu64 "\n", figures->load.page_faults);
}

static void print_text(const serve_options_t *options,
                       const serve_figures_t *figures) {
  const tally_t *tally = &figures->load.tally;
  printf("%s, %" PRIu32 " workers, ", memory_kind_name(options->network.memory),
         options->workers);
  if (options->load.rate > 0)
    printf("%g requests per second%s\n", options->load.rate,
           figures->was_interrupted ? ", interrupted" : "");
  else
    printf("%" PRIu32 " clients%s\n", options->load.clients,
           figures->was_interrupted ? ", interrupted" : "");
  printf("requests    ");
  for (int i = 0; i < OUTCOMES; ++i)
    printf("%s %" PRIu64 " %s", i ? "," : "", tally->outcomes[i],
           outcome_names[i]);
  printf("\nthroughput   %.1f requests per second, %.2f seconds\n",
         per_second(figures), figures->load.seconds);
  printf("milliseconds    median       p90       p99     p99.9   longest\n");
  print_times("queueing", &tally->queueing);
  print_times("service", &tally->service);
  print_times("both", &tally->both);
  print_memory(figures, options->network.memory == MEMORY_POOL);
  if (options->network.memory == MEMORY_POOL)
    printf("pool         %" PRIu64 " leases, %" PRIu64 " waited, %" PRIu64
           " timed out, %" PRIu64 " slots added\n",
           figures->pool.acquires, figures->pool.waits, figures->pool.timeouts,
           figures->pool.grows);
}

//===--- JSON -------------------------------------------------------------===//

static void print_times_json(const char *name, const times_t *times) {
  printf("  \"%s_milliseconds\": {\"median\": %.3f, \"p90\": %.3f, \"p99\": "
         "%.3f, \"p99_9\": %.3f, \"longest\": %.3f},\n",
         name, times_quantile_ms(times, 500), times_quantile_ms(times, 900),
         times_quantile_ms(times, 990), times_quantile_ms(times, 999),
         (double)times->longest / 1e6);
}

static void print_json(const serve_options_t *options,
                       const serve_figures_t *figures) {
  const tally_t *tally = &figures->load.tally;
  const gmem_pool_stats_t *pool = &figures->pool;
  printf("{\n  \"memory\": \"%s\",\n  \"workers\": %" PRIu32 ",\n",
         memory_kind_name(options->network.memory), options->workers);
  for (int i = 0; i < OUTCOMES; ++i)
    printf("  \"%s\": %" PRIu64 ",\n", outcome_names[i], tally->outcomes[i]);
  printf("  \"seconds\": %.6f,\n  \"requests_per_second\": %.3f,\n",
         figures->load.seconds, per_second(figures));
  print_times_json("queueing", &tally->queueing);
  print_times_json("service", &tally->service);
  print_times_json("both", &tally->both);
  printf("  \"resident_bytes\": {\"before\": %" PRIu64 ", \"now\": %" PRIu64
         ", \"peak\": %" PRIu64 "},\n",
         figures->resident_before, figures->resident, figures->resident_peak);
  printf("  \"planned_bytes\": {\"shared\": %" PRIu64 ", \"slot\": %" PRIu64
         ", \"all\": %" PRIu64 "},\n",
         figures->shared_bytes, figures->slot_bytes, planned_bytes(figures));
  printf("  \"array_bytes\": %" PRIu64 ",\n", figures->array_bytes);
  printf("  \"cpu_seconds\": %.6f,\n", figures->load.cpu_seconds);
  printf("  \"page_faults\": %" PRIu64 ",\n", figures->load.page_faults);
  printf("  \"pool\": {\"slots\": %" PRIu32 ", \"leases\": %" PRIu64
         ", \"waits\": %" PRIu64 ", \"timeouts\": %" PRIu64
         ", \"cancels\": %" PRIu64 ", \"grows\": %" PRIu64 "},\n",
         pool->slots, pool->acquires, pool->waits, pool->timeouts,
         pool->cancels, pool->grows);
  printf("  \"interrupted\": %s,\n  \"good\": %s\n}\n",
         figures->was_interrupted ? "true" : "false",
         serve_figures_are_good(figures) ? "true" : "false");
}

void serve_report(const serve_options_t *options,
                  const serve_figures_t *figures) {
  (options->json ? print_json : print_text)(options, figures);
}

//===--- comparison -------------------------------------------------------===//

// The figures that are compared.
static double throughput(const serve_figures_t *figures) {
  return per_second(figures);
}
static double service_median(const serve_figures_t *figures) {
  return times_quantile_ms(&figures->load.tally.service, 500);
}
static double service_p99(const serve_figures_t *figures) {
  return times_quantile_ms(&figures->load.tally.service, 990);
}
static double faults(const serve_figures_t *figures) {
  uint64_t count = figures->load.tally.both.count;
  return (double)figures->load.page_faults / (double)(count ? count : 1);
}
static double cpu(const serve_figures_t *figures) {
  uint64_t count = figures->load.tally.both.count;
  return figures->load.cpu_seconds * 1e3 / (double)(count ? count : 1);
}
static double peak(const serve_figures_t *figures) {
  return mib(figures->resident_peak);
}

static const struct {
  const char *name, *key;
  double (*get)(const serve_figures_t *);
} compared[] = {{"requests/s", "requests_per_second", throughput},
                {"service ms", "service_median_milliseconds", service_median},
                {"service p99 ms", "service_p99_milliseconds", service_p99},
                {"cpu ms/request", "cpu_milliseconds_per_request", cpu},
                {"faults/request", "page_faults_per_request", faults},
                {"resident MiB", "resident_peak_mebibytes", peak}};
enum { COMPARED = sizeof compared / sizeof *compared, MOST_ROUNDS = 99 };

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(const serve_figures_t *figures, uint32_t rounds,
                     memory_kind_t kind,
                     double (*get)(const serve_figures_t *)) {
  double values[MOST_ROUNDS];
  for (uint32_t i = 0; i < rounds; ++i)
    values[i] = get(&figures[i * MEMORY_KINDS + kind]);
  qsort(values, rounds, sizeof *values, by_value);
  return (values[(rounds - 1) / 2] + values[rounds / 2]) / 2;
}

static void print_compared(const double medians[MEMORY_KINDS], int row,
                           bool json) {
  double pool = medians[MEMORY_POOL];
  if (json) {
    printf("  \"%s\": {", compared[row].key);
    for (int kind = 0; kind < MEMORY_KINDS; ++kind)
      printf("%s\"%s\": %.4f", kind ? ", " : "",
             memory_kind_name((memory_kind_t)kind), medians[kind]);
    printf("}%s\n", row + 1 < COMPARED ? "," : "");
    return;
  }
  printf("%-16s", compared[row].name);
  for (int kind = 0; kind < MEMORY_KINDS; ++kind)
    printf(" %11.3f", medians[kind]);
  for (int kind = MEMORY_POOL + 1; kind < MEMORY_KINDS && pool > 0; ++kind)
    printf(" %11.2f", medians[kind] / pool);
  printf("\n");
}

void serve_report_comparison(const serve_options_t *options,
                             const serve_figures_t *figures) {
  if (options->json)
    printf("{\n  \"rounds\": %" PRIu32 ",\n", options->rounds);
  else
    printf("%-16s %11s %11s %11s %11s %11s\n", "", "pool", "malloc", "mmap",
           "malloc/pool", "mmap/pool");
  for (int row = 0; row < COMPARED; ++row) {
    double medians[MEMORY_KINDS];
    for (int kind = 0; kind < MEMORY_KINDS; ++kind)
      medians[kind] = median(figures, options->rounds, (memory_kind_t)kind,
                             compared[row].get);
    print_compared(medians, row, options->json);
  }
  if (options->json)
    printf("}\n");
}
