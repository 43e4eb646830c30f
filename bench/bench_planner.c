// bench_planner.c - how tight and how fast the planner is on problems that are
// made here, one thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   bench_planner                 all tables but families in their short form:
//                                 some minutes
//   bench_planner scale [N...]    chain, random and train of N buffers each
//   bench_planner tiling [N...]   squares cut into N rectangles
//   bench_planner dense [N...]    problems with some 200 conflicts per buffer,
//                                 beside the rules of other planners
//   bench_planner families [N...] problems of every shape at three efforts,
//                                 beside these rules
//   bench_planner algorithms [N]  every algorithm on the kinds of `scale'
//   bench_planner aliases [N...]  networks of N values that may share bytes
//   --effort=fast|normal|exhaustive, --algorithm=NAME: instead of the defaults;
//   of families: --family=NAME: only that one; --seeds=N: problems for each
//   row;
//   --limit=SECONDS: for each rule and problem; --csv=FOLDER: writes these
//   problems there instead, for other planners

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench_aliases.h"
#include "bench_families.h"
#include "bench_heap.h"
#include "bench_kinds.h"
#include "bench_rules.h"

enum { MAX_COUNTS = 16, TILING_SEEDS = 5 };

typedef struct arguments_s {
  const char *table; // NULL: all
  uint32_t counts[MAX_COUNTS];
  size_t count;
  const gmem_algorithm_t *algorithm; // NULL: the default
  const char *family;                // NULL: all
  uint32_t seeds;                    // 0: the default
  const char *csv;                   // a folder, or NULL: measure
  bool has_effort;
  gmem_effort_t effort;
} arguments_t;

// Of the processor: this process is not alone on it.
static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// What one problem took.
typedef struct measurement_s {
  gmem_plan_figures_t figures;
  double read, solve, check; // seconds; |solve| has a check in it too
  size_t heap_peak;          // bytes, without the text
} measurement_t;

//===--- measuring --------------------------------------------------------===//

typedef struct text_s {
  char *bytes;
  size_t length, capacity;
} text_t;

static gmem_status_t append(void *user, const char *bytes, size_t length) {
  text_t *text = user;
  if (text->capacity - text->length < length) {
    size_t capacity = 2 * text->capacity + length;
    char *grown = realloc(text->bytes, capacity);
    if (!grown)
      return GMEM_ERR_OUT_OF_MEMORY;
    text->bytes = grown;
    text->capacity = capacity;
  }
  memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
  return GMEM_OK;
}

// Reads the problem from CSV in memory: what a user's program does.
static gmem_problem_t *read_again(const bench_kind_t *kind, uint32_t count,
                                  const gmem_allocator_t *allocator,
                                  double *out_seconds) {
  gmem_diag_t diag = {.status = GMEM_OK};
  text_t text = {NULL, 0, 0};
  gmem_problem_t *problem = bench_problem(kind, count, 1, NULL), *read = NULL;
  gmem_pool_spec_t pool = *gmem_problem_pool(problem, 0);
  pool.name = "memory"; // not that of the problem, which goes away
  bench_require(
      gmem_csv_write(problem, NULL, GMEM_ALL_POOLS, append, &text, &diag),
      &diag);
  gmem_problem_destroy(problem);
  double start = now();
  bench_require(gmem_csv_read(text.bytes, text.length, &pool, 1, allocator,
                              &read, NULL, &diag),
                &diag);
  *out_seconds = now() - start;
  free(text.bytes);
  return read;
}

// Returns false if the algorithm gave up.
static bool measure(const gmem_problem_t *problem,
                    const gmem_algorithm_t *algorithm, gmem_effort_t effort,
                    measurement_t *measurement) {
  uint32_t count = gmem_problem_buffer_count(problem);
  gmem_placement_t *plan = malloc(count * sizeof *plan);
  gmem_diag_t diag = {.status = GMEM_OK};
  const gmem_solve_options_t options = {.algorithm = algorithm,
                                        .effort = effort};
  if (!plan)
    exit(1);
  double start = now();
  gmem_status_t status =
      gmem_solve(problem, &options, plan, &measurement->figures, &diag);
  double solved = now();
  if (status != GMEM_ERR_TIMEOUT) {
    bench_require(status, &diag);
    bench_require(gmem_check(problem, plan, NULL, &diag), &diag);
  }
  measurement->check = now() - solved;
  measurement->solve = solved - start;
  free(plan);
  return status == GMEM_OK;
}

// 1.0000 in a table means: at the bound.
static double ratio_of(const gmem_plan_figures_t *figures) {
  double ratio = (double)figures->peak / (double)figures->lower_bound;
  return ratio > 1 && ratio < 1.0001 ? 1.0001 : ratio;
}

//===--- scale ------------------------------------------------------------===//

static void print_scale_head(void) {
  printf("%-7s %8s %-10s %8s %6s %8s %8s %8s %8s %5s %8s %8s %9s\n", "kind",
         "n", "effort", "ratio", "proved", "total s", "read s", "pack s",
         "check s", "CSV%", "RSS MiB", "heap B/n", "ns/nlog2n");
}

static void print_scale_row(const bench_kind_t *kind, uint32_t count,
                            gmem_effort_t effort,
                            const measurement_t *measurement) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const measurement_t *m = measurement;
  double total = m->read + m->solve;
  double pack = m->solve > m->check ? m->solve - m->check : 0;
  printf("%-7s %8" PRIu32 " %-10s %8.4f %6s %8.4f %8.4f %8.4f %8.4f %4.0f%% "
         "%8.1f %8.0f %9.2f\n",
         kind->name, count, gmem_effort_name(effort), ratio_of(&m->figures),
         m->figures.optimal ? "yes" : "no", total, m->read, pack, m->check,
         100 * m->read / total, (double)usage.ru_maxrss / 1024,
         (double)m->heap_peak / count, total * 1e9 / (count * log2(count)));
  fflush(stdout);
}

// In a process of its own: the largest amount of memory a process had can only
// grow.
static void bench_scale(const arguments_t *arguments, const bench_kind_t *kind,
                        uint32_t count, gmem_effort_t effort) {
  fflush(stdout); // or the child would print it once more
  pid_t child = fork();
  if (child == 0) {
    bench_heap_t heap = {0, 0};
    gmem_allocator_t allocator = bench_heap_allocator(&heap);
    measurement_t measurement = {.read = 0};
    gmem_problem_t *problem =
        read_again(kind, count, &allocator, &measurement.read);
    measure(problem, arguments->algorithm, effort, &measurement);
    measurement.heap_peak = heap.peak;
    print_scale_row(kind, count, effort, &measurement);
    gmem_problem_destroy(problem);
    exit(0);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0)
    exit(1);
}

static void print_scale_peers(void) {
  puts("\nplanned elsewhere, n = 1000000 (\"train\" defeats all of these)");
  puts("OmniMalloc first-fit portfolio      chain 1.7 s, random 8 s (1.014)");
  puts("OmniMalloc SuperMalloc              14 to 30 s, or out of memory");
  puts("TVM USMP greedy by size             4 s");
  puts("XLA best of two                     chain 9 s, random 31 s");
  puts("minimalloc, told the capacity       chain 20 s");
  puts("Arm Regor hill climb                chain 1.2 s, else > 60 s");
  puts("LLVM, IREE, TFLite, tpu-mlir, Glow  > 60 s");
}

static void scale_table(const arguments_t *arguments) {
  static const uint32_t counts[] = {1000, 10000, 100000, 1000000};
  static const gmem_effort_t efforts[] = {GMEM_EFFORT_FAST, GMEM_EFFORT_NORMAL};
  bool has_counts = arguments->count > 0;
  size_t count = has_counts ? arguments->count : 4;
  print_scale_head();
  for (size_t k = 0; k < 3; ++k)
    for (size_t e = 0; e < (arguments->has_effort ? 1U : 2U); ++e)
      for (size_t i = 0; i < count; ++i)
        bench_scale(arguments, &bench_scale_kinds[k],
                    has_counts ? arguments->counts[i] : counts[i],
                    arguments->has_effort ? arguments->effort : efforts[e]);
  print_scale_peers();
}

//===--- dense ------------------------------------------------------------===//

// Without figures if it gave up.
static void print_dense(const char *kind, uint32_t count, const char *name,
                        const measurement_t *m) {
  printf("%-7s %8" PRIu32 " %-20s ", kind, count, name);
  if (m)
    printf("%8.4f %6s %10.3f\n", ratio_of(&m->figures),
           m->figures.optimal ? "yes" : "no", m->solve);
  else
    printf("%8s %6s %7s %.0f\n", "-", "no", ">", bench_rule_limit);
  fflush(stdout);
}

static void bench_dense(const bench_kind_t *kind, uint32_t count) {
  static const gmem_effort_t efforts[] = {GMEM_EFFORT_FAST, GMEM_EFFORT_NORMAL};
  gmem_problem_t *problem = bench_problem(kind, count, 1, NULL);
  for (size_t i = 0; i < sizeof efforts / sizeof *efforts; ++i) {
    measurement_t m = {.read = 0};
    measure(problem, NULL, efforts[i], &m);
    print_dense(kind->name, count, gmem_effort_name(efforts[i]), &m);
  }
  for (size_t i = 0; i < BENCH_RULES; ++i) {
    measurement_t m = {.read = 0};
    bool is_done = measure(problem, &bench_rules[i], GMEM_EFFORT_NORMAL, &m);
    print_dense(kind->name, count, bench_rules[i].name, is_done ? &m : NULL);
  }
  gmem_problem_destroy(problem);
}

static void dense_table(const arguments_t *arguments) {
  static const uint32_t counts[] = {10000, 100000, 1000000};
  bool has_counts = arguments->count > 0;
  size_t count = has_counts ? arguments->count : 3;
  printf("%-7s %8s %-20s %8s %6s %10s\n", "kind", "n", "effort or rule",
         "ratio", "proved", "solve s");
  for (size_t k = 0; k < BENCH_DENSE_KINDS; ++k)
    for (size_t i = 0; i < count; ++i)
      bench_dense(&bench_dense_kinds[k],
                  has_counts ? arguments->counts[i] : counts[i]);
}

//===--- families ---------------------------------------------------------===//

enum { FAMILY_SEEDS = 5, EFFORTS = 3, COLUMNS = EFFORTS + BENCH_RULES };

// The means over the seeds.
typedef struct family_row_s {
  double ratio[COLUMNS], seconds[COLUMNS];
  bool is_left_out[COLUMNS];   // not asked for, or over the limit
  unsigned problems, at_bound, // at normal
      above,                   // problems: normal is above one of the rules
      worse;                   // problems: more effort has given a larger plan
} family_row_t;

static void measure_family(const gmem_problem_t *problem, family_row_t *row) {
  static const gmem_effort_t efforts[EFFORTS] = {
      GMEM_EFFORT_FAST, GMEM_EFFORT_NORMAL, GMEM_EFFORT_EXHAUSTIVE};
  uint64_t bound = 0, peaks[COLUMNS];
  bool is_above = false, is_worse = false;
  for (size_t i = 0; i < COLUMNS; ++i) {
    measurement_t m = {.read = 0};
    if (row->is_left_out[i])
      continue;
    row->is_left_out[i] =
        !measure(problem, i < EFFORTS ? NULL : &bench_rules[i - EFFORTS],
                 i < EFFORTS ? efforts[i] : GMEM_EFFORT_NORMAL, &m);
    if (row->is_left_out[i])
      continue;
    peaks[i] = m.figures.peak;
    bound = m.figures.lower_bound > bound ? m.figures.lower_bound : bound;
    row->seconds[i] += m.solve;
    is_worse = is_worse || (i > 0 && i < EFFORTS && peaks[i] > peaks[i - 1]);
    is_above = is_above || (i >= EFFORTS && peaks[1] > peaks[i]);
  }
  for (size_t i = 0; i < COLUMNS; ++i)
    if (!row->is_left_out[i])
      row->ratio[i] += (double)peaks[i] / (double)bound;
  ++row->problems;
  row->at_bound += peaks[1] == bound;
  row->above += is_above;
  row->worse += is_worse;
}

static void print_family(const char *name, uint32_t count,
                         const family_row_t *row) {
  printf("%-15s %8" PRIu32 " %3u/%-3u %5u %5u", name, count, row->at_bound,
         row->problems, row->above, row->worse);
  for (size_t i = 0; i < COLUMNS; ++i)
    if (row->is_left_out[i])
      printf(" %7s %8s", "-", i < EFFORTS ? "-" : "over");
    else
      printf(" %7.4f %8.3f", row->ratio[i] / row->problems,
             row->seconds[i] / row->problems);
  puts("");
  fflush(stdout);
}

static gmem_status_t write_to_file(void *user, const char *bytes,
                                   size_t length) {
  return fwrite(bytes, 1, length, user) == length ? GMEM_OK : GMEM_ERR_IO;
}

static void write_csv(const arguments_t *arguments, const char *family,
                      uint32_t count, uint64_t seed,
                      const gmem_problem_t *problem) {
  char path[4096];
  gmem_diag_t diag = {.text = "cannot write there"};
  snprintf(path, sizeof path, "%s/%s-%" PRIu32 "-%" PRIu64 ".csv",
           arguments->csv, family, count, seed);
  FILE *file = fopen(path, "w");
  bench_require(file ? GMEM_OK : GMEM_ERR_IO, &diag);
  bench_require(
      gmem_csv_write(problem, NULL, GMEM_ALL_POOLS, write_to_file, file, &diag),
      &diag);
  bench_require(fclose(file) == 0 ? GMEM_OK : GMEM_ERR_IO, &diag);
  puts(path);
}

// The effort exhaustive is measured on demand only.
static void bench_family(const arguments_t *arguments,
                         const bench_family_t *family, uint32_t count,
                         family_row_t *total) {
  uint64_t seeds = arguments->seeds ? arguments->seeds
                   : count > 100000 ? 1
                                    : FAMILY_SEEDS;
  family_row_t row = {.problems = 0};
  row.is_left_out[EFFORTS - 1] =
      !arguments->has_effort || arguments->effort != GMEM_EFFORT_EXHAUSTIVE;
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    gmem_problem_t *problem = bench_family_problem(family, count, seed);
    if (arguments->csv)
      write_csv(arguments, family->name, count, seed, problem);
    else
      measure_family(problem, &row);
    gmem_problem_destroy(problem);
  }
  if (arguments->csv)
    return;
  print_family(family->name, count, &row);
  total->problems += row.problems;
  total->at_bound += row.at_bound;
  total->above += row.above;
  total->worse += row.worse;
}

static void print_families_head(void) {
  printf("%-15s %8s %7s %5s %5s %16s %16s %16s %16s %16s %16s\n", "family", "n",
         "proved", "above", "worse", "fast", "normal", "exhaustive",
         "largest first", "longest first", "program order");
}

static void families_table(const arguments_t *arguments) {
  static const uint32_t counts[] = {100, 1000, 10000};
  bool has_counts = arguments->count > 0;
  size_t count = has_counts ? arguments->count : 3;
  family_row_t total = {.problems = 0};
  if (!arguments->csv)
    print_families_head();
  for (size_t k = 0; k < BENCH_FAMILIES; ++k)
    for (size_t i = 0; i < count; ++i) {
      uint32_t buffers = has_counts ? arguments->counts[i] : counts[i];
      const char *only = arguments->family;
      if (buffers <= bench_families[k].most &&
          (!only || strcmp(only, bench_families[k].name) == 0))
        bench_family(arguments, &bench_families[k], buffers, &total);
    }
  if (arguments->csv)
    return;
  printf("%u problems: %u at the bound at normal; %u where a rule is below "
         "normal (above); %u where\nmore effort gives a larger plan (worse). "
         "over: a rule that takes more than %g s\n",
         total.problems, total.at_bound, total.above, total.worse,
         bench_rule_limit);
}

//===--- tiling -----------------------------------------------------------===//

static void bench_tiling(const arguments_t *arguments, const bench_kind_t *kind,
                         uint32_t count, gmem_effort_t effort) {
  unsigned at_bound = 0;
  double sum = 0, worst = 1, seconds = 0;
  for (uint64_t seed = 1; seed <= TILING_SEEDS; ++seed) {
    measurement_t measurement = {.read = 0};
    gmem_problem_t *problem = bench_problem(kind, count, seed, NULL);
    measure(problem, arguments->algorithm, effort, &measurement);
    gmem_problem_destroy(problem);
    double ratio = (double)measurement.figures.peak / (double)BENCH_TILING_SIDE;
    at_bound += measurement.figures.peak == BENCH_TILING_SIDE;
    sum += ratio;
    worst = ratio > worst ? ratio : worst;
    seconds += measurement.solve;
  }
  printf("%-10s %8" PRIu32 " %-10s %6u/%d %8.4f %8.4f %10.4f\n", kind->name,
         count, gmem_effort_name(effort), at_bound, TILING_SEEDS,
         sum / TILING_SEEDS, worst, seconds / TILING_SEEDS);
  fflush(stdout);
}

static void tiling_table(const arguments_t *arguments) {
  static const uint32_t counts[] = {100, 1000};
  static const gmem_effort_t efforts[] = {GMEM_EFFORT_FAST, GMEM_EFFORT_NORMAL};
  bool has_counts = arguments->count > 0;
  size_t count = has_counts ? arguments->count : 2;
  printf("%-10s %8s %-10s %8s %8s %8s %10s\n", "kind", "n", "effort", "at best",
         "mean", "max", "s each");
  for (size_t k = 0; k < 2; ++k)
    for (size_t i = 0; i < count; ++i)
      for (size_t e = 0; e < (arguments->has_effort ? 1U : 2U); ++e)
        bench_tiling(arguments, &bench_tiling_kinds[k],
                     has_counts ? arguments->counts[i] : counts[i],
                     arguments->has_effort ? arguments->effort : efforts[e]);
}

//===--- algorithms -------------------------------------------------------===//

static void algorithms_table(const arguments_t *arguments) {
  uint32_t count = arguments->count ? arguments->counts[0] : 10000;
  printf("%-7s %8s %-20s %8s %6s %10s\n", "kind", "n", "algorithm", "ratio",
         "proved", "solve s");
  for (size_t k = 0; k < 3; ++k) {
    gmem_problem_t *problem =
        bench_problem(&bench_scale_kinds[k], count, 1, NULL);
    for (size_t i = 0; i < gmem_algorithm_count(); ++i) {
      measurement_t m = {.read = 0};
      measure(problem, gmem_algorithm_at(i), arguments->effort, &m);
      printf("%-7s %8" PRIu32 " %-20s %8.4f %6s %10.4f\n",
             bench_scale_kinds[k].name, count, gmem_algorithm_at(i)->name,
             ratio_of(&m.figures), m.figures.optimal ? "yes" : "no", m.solve);
      fflush(stdout);
    }
    gmem_problem_destroy(problem);
  }
}

//===--- aliases ----------------------------------------------------------===//

static void bench_aliases(const arguments_t *arguments,
                          const bench_alias_kind_t *kind, uint32_t count,
                          gmem_effort_t effort) {
  measurement_t with = {.read = 0}, without = {.read = 0};
  double start = now();
  gmem_problem_t *problem = bench_alias_problem(kind, count, true);
  double made = now() - start;
  gmem_problem_t *plain = bench_alias_problem(kind, count, false);
  measure(problem, arguments->algorithm, effort, &with);
  measure(plain, arguments->algorithm, GMEM_EFFORT_FAST, &without);
  uint32_t buffers = gmem_problem_buffer_count(problem);
  printf("%-9s %8" PRIu32 " %8zu %-10s %8.4f %8.4f %8.4f %8.4f %8.4f %8.0f\n",
         kind->name, buffers, gmem_problem_alias_count(problem),
         gmem_effort_name(effort), ratio_of(&with.figures),
         (double)with.figures.peak / (double)without.figures.peak, made,
         with.solve, with.check, with.solve * 1e9 / buffers);
  fflush(stdout);
  gmem_problem_destroy(problem);
  gmem_problem_destroy(plain);
}

static void aliases_table(const arguments_t *arguments) {
  static const uint32_t counts[] = {1000, 10000, 100000, 1000000};
  bool has_counts = arguments->count > 0;
  size_t count = has_counts ? arguments->count : 4;
  printf("%-9s %8s %8s %-10s %8s %8s %8s %8s %8s %8s\n", "kind", "n", "aliases",
         "effort", "ratio", "of none", "make s", "solve s", "check s", "ns/n");
  for (size_t k = 0; k < BENCH_ALIAS_KINDS; ++k)
    for (size_t i = 0; i < count; ++i)
      bench_aliases(arguments, &bench_alias_kinds[k],
                    has_counts ? arguments->counts[i] : counts[i],
                    arguments->has_effort ? arguments->effort
                                          : GMEM_EFFORT_FAST);
}

//===--- command line -----------------------------------------------------===//

static bool parse_effort(arguments_t *arguments, const char *name) {
  arguments->has_effort = gmem_effort_find(name, &arguments->effort);
  return arguments->has_effort;
}

static bool parse_count(arguments_t *arguments, const char *text) {
  char *end;
  long count = strtol(text, &end, 10);
  if (end == text || *end || count < 8 || count > 100000000 ||
      arguments->count == MAX_COUNTS)
    return false;
  arguments->counts[arguments->count++] = (uint32_t)count;
  return true;
}

static bool parse_seeds(arguments_t *arguments, const char *text) {
  arguments->seeds = (uint32_t)strtoul(text, NULL, 10);
  return arguments->seeds > 0;
}

// The tables; without a name all but the families.
static const struct {
  const char *name;
  void (*print)(const arguments_t *arguments);
} tables[] = {{"tiling", tiling_table},   {"algorithms", algorithms_table},
              {"aliases", aliases_table}, {"dense", dense_table},
              {"scale", scale_table},     {"families", families_table}};
enum { TABLES = sizeof tables / sizeof *tables };

static bool parse_table(arguments_t *arguments, const char *text) {
  arguments->table = text;
  for (size_t i = 0; i < TABLES; ++i)
    if (strcmp(text, tables[i].name) == 0)
      return true;
  return false;
}

static bool parse_argument(arguments_t *arguments, const char *text) {
  if (strncmp(text, "--effort=", 9) == 0)
    return parse_effort(arguments, text + 9);
  if (strncmp(text, "--algorithm=", 12) == 0)
    return (arguments->algorithm = gmem_algorithm_find(text + 12)) != NULL;
  if (strncmp(text, "--family=", 9) == 0)
    return (arguments->family = text + 9) != NULL;
  if (strncmp(text, "--seeds=", 8) == 0)
    return parse_seeds(arguments, text + 8);
  if (strncmp(text, "--limit=", 8) == 0)
    return (bench_rule_limit = strtod(text + 8, NULL)) > 0;
  if (strncmp(text, "--csv=", 6) == 0)
    return (arguments->csv = text + 6) != NULL;
  if (arguments->table)
    return parse_count(arguments, text);
  return parse_table(arguments, text);
}

int main(int argc, char **argv) {
  arguments_t arguments = {.table = NULL};
  for (int i = 1; i < argc; ++i)
    if (!parse_argument(&arguments, argv[i])) {
      fprintf(stderr,
              "usage: bench_planner [scale|dense|families|tiling|algorithms"
              "|aliases [N...]] "
              "[--effort=LEVEL] [--algorithm=NAME] [--family=NAME] "
              "[--seeds=N] [--limit=SECONDS] [--csv=FOLDER]\n");
      return 2;
    }
  for (size_t i = 0; i < TABLES; ++i)
    if (arguments.table ? strcmp(arguments.table, tables[i].name) == 0
                        : i + 1 < TABLES) {
      if (i > 0 && !arguments.table)
        puts("");
      tables[i].print(&arguments);
    }
  return 0;
}
