// gmem-solve.c - plans the buffers of a CSV file, and checks such plans.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <argp.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "files.h"
#include "gmem/planner.h"
#include "gmem/version.h"

enum { EXIT_PROBLEM = 1, EXIT_USAGE = 2 };

const char *argp_program_version = "gmem-solve " GMEM_VERSION_STRING;

typedef struct options_s {
  const char *problem;  // path, or "-"; NULL when none was given
  const char *output;   // path, or NULL: standard output
  const char *solution; // path of a solution to check, or NULL
  const gmem_algorithm_t *algorithm;
  gmem_pool_spec_t pool;
  bool stats;
} options_t;

//===--- command line -----------------------------------------------------===//

enum { OPTION_CHECK = 256, OPTION_LIST, OPTION_STATS };

static const struct argp_option option_table[] = {
    {"algorithm", 'a', "NAME", 0,
     "how to place (default: greedy-by-size, whose time is quadratic in the "
     "number of buffers)",
     0},
    {"capacity", 'c', "BYTES", 0,
     "bytes there are, as 1048576, 1024KiB or 1M (default: no limit)", 0},
    {"alignment", 'A', "BYTES", 0,
     "every offset is a multiple of this power of two (default: 1)", 0},
    {"output", 'o', "FILE", 0,
     "write there, all or nothing, not to standard output", 0},
    {"stats", OPTION_STATS, "json", 0,
     "print figures as one line of JSON: to standard output when -o names a "
     "file, else to standard error",
     0},
    {"check", OPTION_CHECK, "FILE", 0,
     "check the offsets in FILE against PROBLEM.csv (default: against FILE's "
     "own columns) and write nothing",
     0},
    {"list-algorithms", OPTION_LIST, NULL, 0, "list the algorithms", 0},
    {0}};

static const char documentation[] =
    "Gives every buffer of PROBLEM.csv (default: standard input) an offset "
    "such that no two buffers that are live together share bytes, and writes "
    "the same rows with a column `offset'.\v"
    "PROBLEM.csv has a header line with the columns id, lower, upper, size "
    "and, if need be, alignment and gaps: a buffer of `size' bytes is live "
    "at the times lower <= t < upper, but for the gaps (\"5-7 9-12\") inside. "
    "Ids need not be unique: of the same id, the first rows go together in "
    "--check, and so on.\n\n"
    "Example:\n\n"
    "  $ cat net.csv\n"
    "  id,lower,upper,size\n"
    "  a,0,2,64\n"
    "  b,1,3,32\n"
    "  c,2,4,64\n"
    "  $ gmem-solve --capacity=96 net.csv -o plan.csv\n"
    "  $ gmem-solve --check plan.csv net.csv\n"
    "  ok: peak 96, lower bound 96\n\n"
    "Exit status: 0 when all is well, 1 when the problem cannot be read or "
    "solved or the check failed, 2 for a wrong command line.";

static void list_algorithms(void) {
  for (size_t i = 0; i < gmem_algorithm_count(); ++i)
    printf("%-16s %s\n", gmem_algorithm_at(i)->name,
           gmem_algorithm_at(i)->summary);
}

static const gmem_algorithm_t *parse_algorithm(const char *name,
                                               struct argp_state *state) {
  const gmem_algorithm_t *algorithm = gmem_algorithm_find(name);
  if (algorithm)
    return algorithm;
  char known[512] = "";
  for (size_t i = 0, used = 0; i < gmem_algorithm_count(); ++i)
    used += (size_t)snprintf(known + used, sizeof known - used, "%s%s",
                             i ? ", " : "", gmem_algorithm_at(i)->name);
  argp_error(state, "unknown algorithm '%s' (known: %s)", name, known);
  return NULL;
}

// The power of 1024 that a suffix stands for, or -1: K, KiB, M, MiB, ...
static int parse_suffix(const char *suffix) {
  const char *const letters = "KMGT";
  if (*suffix == '\0')
    return 0;
  const char *letter = strchr(letters, *suffix);
  if (!letter || (suffix[1] != '\0' && strcmp(suffix + 1, "iB") != 0))
    return -1;
  return (int)(letter - letters) + 1;
}

static bool parse_bytes(const char *text, uint64_t *out_bytes) {
  uint64_t bytes = 0;
  const char *c = text;
  for (; *c >= '0' && *c <= '9'; ++c) {
    if (bytes > (GMEM_MAX_ADDRESS - (uint64_t)(*c - '0')) / 10)
      return false;
    bytes = bytes * 10 + (uint64_t)(*c - '0');
  }
  int power = parse_suffix(c);
  if (c == text || power < 0 || bytes > GMEM_MAX_ADDRESS >> (10 * power))
    return false;
  *out_bytes = bytes << (10 * power);
  return true;
}

static uint64_t parse_bytes_option(const char *name, const char *text,
                                   struct argp_state *state) {
  uint64_t bytes = 0;
  if (!parse_bytes(text, &bytes) || bytes == 0)
    argp_error(state,
               "--%s: '%s' is not a number of bytes (such as 1048576, 64KiB, "
               "1M)",
               name, text);
  return bytes;
}

static uint64_t parse_alignment(const char *text, struct argp_state *state) {
  uint64_t bytes = parse_bytes_option("alignment", text, state);
  if ((bytes & (bytes - 1)) != 0 || bytes > GMEM_MAX_ALIGNMENT)
    argp_error(state, "--alignment: '%s' is not a power of two up to 1T", text);
  return bytes;
}

// What was printed may still be in a buffer, and the disk full.
static int close_stdout(int result) {
  if ((fflush(stdout) == 0 && !ferror(stdout)) || result != EXIT_SUCCESS)
    return result;
  fprintf(stderr, "gmem-solve: error: <stdout>: cannot be written\n");
  return EXIT_PROBLEM;
}

// A check writes nothing, and places nothing.
static void finish_options(options_t *options, struct argp_state *state) {
  if (options->solution &&
      (options->output || options->stats || options->algorithm))
    argp_error(state, "--check goes with none of --output, --stats and "
                      "--algorithm");
  if (!options->algorithm)
    options->algorithm = gmem_algorithm_find("greedy-by-size");
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
  options_t *options = state->input;
  switch (key) {
  case 'a':
    options->algorithm = parse_algorithm(argument, state);
    return 0;
  case 'c':
    options->pool.capacity = parse_bytes_option("capacity", argument, state);
    return 0;
  case 'A':
    options->pool.alignment = parse_alignment(argument, state);
    return 0;
  case 'o':
    options->output = argument;
    return 0;
  case OPTION_STATS:
    if (strcmp(argument, "json") != 0)
      argp_error(state, "--stats: '%s' is unknown (known: json)", argument);
    options->stats = true;
    return 0;
  case OPTION_CHECK:
    options->solution = argument;
    return 0;
  case OPTION_LIST:
    list_algorithms();
    exit(close_stdout(EXIT_SUCCESS));
  case ARGP_KEY_ARG:
    if (options->problem)
      argp_error(state, "only one problem at a time: '%s'", argument);
    options->problem = argument;
    return 0;
  case ARGP_KEY_END:
    finish_options(options, state);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

//===--- messages ---------------------------------------------------------===//

static int fail(const char *path, const gmem_diag_t *diag) {
  const char *name = strcmp(path, "-") == 0 ? "<stdin>" : path;
  if (diag->line)
    fprintf(stderr, "gmem-solve: error: %s:%" PRIu64 ": %s\n", name, diag->line,
            diag->text);
  else
    fprintf(stderr, "gmem-solve: error: %s: %s\n", name, diag->text);
  return EXIT_PROBLEM;
}

static int fail_id(const char *path, const char *what, const char *id) {
  gmem_diag_t diag = {0};
  snprintf(diag.text, sizeof diag.text, "%s '%.100s'", what, id);
  return fail(path, &diag);
}

static int fail_memory(const char *path) {
  return fail(path, &(gmem_diag_t){.text = "out of memory"});
}

//===--- input ------------------------------------------------------------===//

// A CSV file in memory.
typedef struct table_s {
  const char *path;
  gmem_problem_t *problem;
  gmem_placement_t *plan; // NULL without offsets
} table_t;

static int table_read(table_t *table, const char *path,
                      const gmem_pool_spec_t *pool, bool with_plan) {
  char *text = NULL;
  size_t size = 0;
  gmem_diag_t diag = {0};
  *table = (table_t){.path = path};
  gmem_status_t status = gmem_read_file(path, &text, &size, &diag);
  if (status == GMEM_OK)
    status = gmem_csv_read(text, size, pool, 1, NULL, &table->problem,
                           with_plan ? &table->plan : NULL, &diag);
  free(text);
  return status == GMEM_OK ? EXIT_SUCCESS : fail(path, &diag);
}

static void table_destroy(table_t *table) {
  gmem_plan_free(table->problem, table->plan);
  gmem_problem_destroy(table->problem);
}

//===--- solve ------------------------------------------------------------===//

static int write_solution(const options_t *options, const table_t *table,
                          const gmem_placement_t *plan) {
  const char *path = options->output ? options->output : "-";
  const char *shown = options->output ? path : "<stdout>";
  gmem_output_t *output = NULL;
  gmem_diag_t diag = {0};
  if (gmem_output_open(path, &output, &diag) != GMEM_OK)
    return fail(shown, &diag);
  gmem_status_t status =
      gmem_csv_write(table->problem, plan, 0, gmem_output_write, output, &diag);
  if (status != GMEM_OK && status != GMEM_ERR_IO) {
    gmem_output_abort(output);
    return fail(shown, &diag);
  }
  // A write that failed is reported here, with the reason.
  if (gmem_output_commit(output, &diag) != GMEM_OK)
    return fail(shown, &diag);
  return EXIT_SUCCESS;
}

static void print_stats(const options_t *options, const table_t *table,
                        const gmem_plan_figures_t *figures, double seconds) {
  bool stdout_taken =
      !options->output || gmem_output_is_stdout(options->output);
  fprintf(stdout_taken ? stderr : stdout,
          "{\"buffers\": %" PRIu32 ", \"lower_bound\": %" PRIu64
          ", \"peak\": %" PRIu64 ", \"optimal\": %s, \"algorithm\": \"%s\", "
          "\"steps\": %" PRIu64 ", \"seconds\": %.6f}\n",
          gmem_problem_buffer_count(table->problem), figures->lower_bound,
          figures->peak, figures->optimal ? "true" : "false",
          options->algorithm->name, figures->steps, seconds);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int solve_into(const options_t *options, const table_t *table,
                      gmem_placement_t *plan) {
  gmem_plan_figures_t figures;
  gmem_diag_t diag = {0};
  double start = now();
  if (gmem_solve(table->problem,
                 &(gmem_solve_options_t){.algorithm = options->algorithm}, plan,
                 &figures, &diag) != GMEM_OK)
    return fail(table->path, &diag);
  double seconds = now() - start;
  int result = write_solution(options, table, plan);
  if (result == EXIT_SUCCESS && options->stats)
    print_stats(options, table, &figures, seconds);
  return result;
}

static int solve(const options_t *options) {
  table_t table;
  const char *path = options->problem ? options->problem : "-";
  int result = table_read(&table, path, &options->pool, false);
  if (result == EXIT_SUCCESS) {
    size_t count = gmem_problem_buffer_count(table.problem);
    gmem_placement_t *plan = calloc(count + 1, sizeof *plan);
    result = plan ? solve_into(options, &table, plan) : fail_memory(path);
    free(plan);
  }
  table_destroy(&table);
  return result;
}

//===--- check ------------------------------------------------------------===//

typedef struct row_s {
  const char *id;
  uint32_t buffer;
} row_t;

static int compare_rows(const void *left, const void *right) {
  const row_t *a = left, *b = right;
  int order = strcmp(a->id, b->id);
  return order ? order : (a->buffer > b->buffer) - (a->buffer < b->buffer);
}

// The rows by id; NULL when there is no memory. The caller frees them.
static row_t *sort_rows(const gmem_problem_t *problem) {
  uint32_t count = gmem_problem_buffer_count(problem);
  row_t *rows = malloc((count + (size_t)1) * sizeof *rows);
  if (!rows)
    return NULL;
  for (uint32_t i = 0; i < count; ++i)
    rows[i] = (row_t){gmem_problem_buffer(problem, i)->name, i};
  qsort(rows, count, sizeof *rows, compare_rows);
  return rows;
}

static int compare_row(const table_t *problem, const table_t *solution,
                       const row_t *wanted, const row_t *given) {
  const gmem_buffer_spec_t *a =
      gmem_problem_buffer(problem->problem, wanted->buffer);
  const gmem_buffer_spec_t *b =
      gmem_problem_buffer(solution->problem, given->buffer);
  if (a->ranges[0].begin != b->ranges[0].begin)
    return fail_id(solution->path, "lower is not that of the problem in row",
                   a->name);
  if (a->ranges[a->range_count - 1].end != b->ranges[b->range_count - 1].end)
    return fail_id(solution->path, "upper is not that of the problem in row",
                   a->name);
  if (a->size != b->size)
    return fail_id(solution->path, "size is not that of the problem in row",
                   a->name);
  return EXIT_SUCCESS;
}

// Whether the row before |index| has the same id.
static bool same_id(const row_t *rows, uint32_t index) {
  return index > 0 && strcmp(rows[index - 1].id, rows[index].id) == 0;
}

// Puts the offsets of |solution| into |plan|, in the order of the problem. Rows
// of one id are matched in the order in which they are there.
static int match_rows(const table_t *problem, const table_t *solution,
                      const row_t *wanted, const row_t *given,
                      gmem_placement_t *plan) {
  uint32_t wanted_count = gmem_problem_buffer_count(problem->problem);
  uint32_t given_count = gmem_problem_buffer_count(solution->problem);
  uint32_t i = 0, k = 0;
  while (i < wanted_count || k < given_count) {
    int order = i == wanted_count  ? 1
                : k == given_count ? -1
                                   : strcmp(wanted[i].id, given[k].id);
    if (order < 0)
      return fail_id(solution->path,
                     same_id(wanted, i) ? "there are too few rows with the id"
                                        : "there is no row with the id",
                     wanted[i].id);
    if (order > 0)
      return fail_id(solution->path,
                     same_id(given, k)
                         ? "the problem has fewer rows with the id"
                         : "the problem has no row with the id",
                     given[k].id);
    if (compare_row(problem, solution, &wanted[i], &given[k]) != EXIT_SUCCESS)
      return EXIT_PROBLEM;
    plan[wanted[i++].buffer] = solution->plan[given[k++].buffer];
  }
  return EXIT_SUCCESS;
}

static int match(const table_t *problem, const table_t *solution,
                 gmem_placement_t *plan) {
  row_t *wanted = sort_rows(problem->problem);
  row_t *given = sort_rows(solution->problem);
  int result = EXIT_SUCCESS;
  if (!wanted || !given)
    result = fail_memory(solution->path);
  if (result == EXIT_SUCCESS)
    result = match_rows(problem, solution, wanted, given, plan);
  free(wanted);
  free(given);
  return result;
}

static int prove(const table_t *problem, const table_t *solution,
                 const gmem_placement_t *plan) {
  gmem_diag_t diag = {0};
  uint64_t bound = 0;
  if (gmem_check(problem->problem, plan, NULL, &diag) != GMEM_OK ||
      gmem_lower_bound(problem->problem, &bound, &diag) != GMEM_OK)
    return fail(solution->path, &diag);
  printf("ok: peak %" PRIu64 ", lower bound %" PRIu64 "\n",
         gmem_plan_pool_size(problem->problem, plan, 0), bound);
  return EXIT_SUCCESS;
}

static int check_tables(const table_t *problem, const table_t *solution) {
  if (!solution->plan)
    return fail(solution->path,
                &(gmem_diag_t){.line = 1, .text = "there is no column offset"});
  size_t count = gmem_problem_buffer_count(problem->problem);
  gmem_placement_t *plan = calloc(count + 1, sizeof *plan);
  if (!plan)
    return fail_memory(solution->path);
  int result = match(problem, solution, plan);
  if (result == EXIT_SUCCESS)
    result = prove(problem, solution, plan);
  free(plan);
  return result;
}

static int check(const options_t *options) {
  table_t solution, problem = {0};
  int result = table_read(&solution, options->solution, &options->pool, true);
  if (result == EXIT_SUCCESS && options->problem)
    result = table_read(&problem, options->problem, &options->pool, false);
  if (result == EXIT_SUCCESS)
    result = check_tables(options->problem ? &problem : &solution, &solution);
  table_destroy(&problem);
  table_destroy(&solution);
  return result;
}

int main(int argc, char **argv) {
  signal(SIGXFSZ, SIG_IGN); // a file too large is an error to report
  options_t options = {
      .pool = {.name = "memory", .capacity = GMEM_UNLIMITED, .alignment = 1}};
  const struct argp parser = {option_table,  parse_option, "[PROBLEM.csv]",
                              documentation, NULL,         NULL,
                              NULL};
  argp_err_exit_status = EXIT_USAGE;
  if (argp_parse(&parser, argc, argv, 0, NULL, &options) != 0)
    return EXIT_USAGE;
  return close_stdout(options.solution ? check(&options) : solve(&options));
}
