// solve_options.c - the command line of gmem-solve, and its --help.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "solve_options.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "gmem/memories.h"
#include "gmem/version.h"
#include "numbers.h"
#include "solve_messages.h"

enum { MAX_THREADS = 256 };

// Overrides a variable of libc, which must see it.
__attribute__((visibility("default"))) const char *argp_program_version =
    "gmem-solve " GMEM_VERSION_STRING;

typedef struct parsed_s {
  gmem_solve_command_t *command;
  gmem_pool_spec_t single; // from --capacity and --alignment
  bool single_given;
  const char *algorithm; // --algorithm, or NULL
  bool list;             // --list-algorithms
} parsed_t;

enum {
  OPTION_CERTIFICATE = 256,
  OPTION_CHECK,
  OPTION_COMPARE,
  OPTION_EFFORT,
  OPTION_LIST,
  OPTION_LOAD,
  OPTION_NO_TIMES,
  OPTION_PLAN_CACHE,
  OPTION_POOL,
  OPTION_PROGRESS,
  OPTION_STATS,
  OPTION_STEPS,
  OPTION_THREADS
};

static const struct argp_option option_table[] = {
    {NULL, 0, NULL, 0, "Planning:", 1},
    {"algorithm", 'a', "NAME", 0,
     "placement algorithm (see --list-algorithms; default: auto)", 0},
    {"effort", OPTION_EFFORT, "LEVEL", 0,
     "fast: about as long as reading the file; normal (default): up to about a "
     "second for a hard problem; exhaustive: until the plan is proved optimal, "
     "or many seconds. Effort is counted in units of work, not in seconds, so "
     "the plan is the same on every machine",
     0},
    {"steps", OPTION_STEPS, "N", 0,
     "stop the search after N units of work, overriding the limit of --effort; "
     "one unit is one buffer or gap examined, some nanoseconds",
     0},
    {"plan-cache", OPTION_PLAN_CACHE, "DIRECTORY", 0,
     "reuse plans from DIRECTORY that were made with at least this effort or "
     "are proved optimal, and add new plans to it, one file per problem; it is "
     "created if it does not exist",
     0},
    {"load-algorithm", OPTION_LOAD, "FILE[:NAME]", 0,
     "load the algorithms of a shared library; with NAME, load only that "
     "algorithm and make it the default",
     0},
    {"list-algorithms", OPTION_LIST, NULL, 0, "list the algorithms and exit",
     0},

    {NULL, 0, NULL, 0, "Memory (CSV problems):", 2},
    {"capacity", 'c', "BYTES", 0,
     "capacity of the pool, for example 1048576, 1024KiB or 1M (default: "
     "unlimited)",
     0},
    {"alignment", 'A', "BYTES", 0,
     "alignment of offsets, a power of two (default: 1)", 0},
    {"pool", OPTION_POOL, "NAME[:KEY=VALUE,...]", 0,
     "define a pool; may be repeated. Keys: capacity, alignment and base (the "
     "address of offset 0) in bytes, and speed (relative benefit of one use of "
     "one byte). A buffer is placed in the first pool, in the order given, in "
     "which it fits",
     0},

    {NULL, 0, NULL, 0, "Output:", 3},
    {"output", 'o', "FILE", 0,
     "write the plan to FILE, atomically (default: standard output); for "
     "several problems, write the plans to the directory FILE",
     0},
    {"stats", OPTION_STATS, "json", 0,
     "print one line of JSON with statistics per plan, to standard output if "
     "-o names a file or there are several problems, else to standard error",
     0},
    {"certificate", OPTION_CERTIFICATE, "FILE", OPTION_ARG_OPTIONAL,
     "print, for each pool, the buffers that are live at its peak and the "
     "proof that no plan needs less; if the problem is infeasible, print a set "
     "of buffers that do not fit together. Written to FILE (default: where "
     "--stats goes); with --stats=json and no FILE, part of the JSON",
     0},
    {"compare", OPTION_COMPARE, NULL, 0,
     "run every algorithm and print a table of the results; write no plan", 0},
    {"check", OPTION_CHECK, "FILE", 0,
     "check the offsets in FILE against PROBLEM (default: against FILE's own "
     "columns); write no plan",
     0},
    {"no-times", OPTION_NO_TIMES, NULL, 0,
     "omit times from tables and statistics, so that the output is "
     "reproducible",
     0},

    {NULL, 0, NULL, 0, "Execution:", 4},
    {"progress", OPTION_PROGRESS, "WHEN", OPTION_ARG_OPTIONAL,
     "show the progress of the search on standard error: always, never or auto "
     "(default: only if standard error is a terminal)",
     0},
    {"threads", OPTION_THREADS, "N", 0,
     "plan N problems concurrently (default: 1); the output does not depend on "
     "N",
     0},

    {NULL, 0, NULL, 0, "Help:", -1},
    {0}};

static const char documentation[] =
    "Assigns an offset to every buffer of PROBLEM (CSV or JSON; default: "
    "standard input) such that no two buffers that are live at the same time "
    "overlap, and writes the problem's rows with an added column `offset'.\v"
    "A CSV problem has a header line with the columns id, lower, upper, size "
    "and, optionally, alignment and gaps: a buffer of `size' bytes is live at "
    "times t with lower <= t < upper, except in the gaps (\"5-7 9-12\"). Ids "
    "need not be unique; --check matches rows of equal id in order. A JSON "
    "problem can also have pools, conflicts, aliases, blocks and branches. The "
    "plan has the format of the problem unless the name of the output ends in "
    ".csv or .json.\n\n"
    "Example:\n\n"
    "  $ cat net.csv\n"
    "  id,lower,upper,size\n"
    "  a,0,2,64\n"
    "  b,1,3,32\n"
    "  c,2,4,64\n"
    "  $ gmem-solve --capacity=96 net.csv -o plan.csv\n"
    "  $ gmem-solve --check plan.csv net.csv\n"
    "  ok: peak 96, lower bound 96\n\n"
    "Given several problems, or a directory of *.csv and *.json files, "
    "gmem-solve plans each of them, in the order of their names, and prints a "
    "table: lower bound (no plan needs less), peak, ratio (peak / lower "
    "bound), proved (whether the peak is proved minimal). A problem that fails "
    "does not stop the others.\n\n"
    "  $ gmem-solve --threads=2 problems/ -o plans/\n\n"
    "The first interrupt (Ctrl-C) stops the search and writes the best plan "
    "found so far; the second one ends the process without writing.\n\n"
    "If an option other than --pool is repeated, the last occurrence "
    "counts.\n\n"
    "Exit status: 0 on success; 1 if a problem cannot be read or solved or a "
    "check fails; 2 if the command line is invalid.";

static const char *const when_names[] = {[GMEM_WHEN_AUTO] = "auto",
                                         [GMEM_WHEN_ALWAYS] = "always",
                                         [GMEM_WHEN_NEVER] = "never"};

//===--- values -----------------------------------------------------------===//

static void list_algorithms(const gmem_loaded_t *loaded) {
  int width = 0;
  const gmem_algorithm_t *algorithm;
  for (size_t i = 0; (algorithm = gmem_loaded_at(loaded, i)); ++i) {
    int length = (int)strlen(algorithm->name);
    width = length > width ? length : width;
  }
  for (size_t i = 0; (algorithm = gmem_loaded_at(loaded, i)); ++i)
    printf("%-*s %s\n", width, algorithm->name, algorithm->summary);
}

static const gmem_algorithm_t *find_algorithm(const gmem_loaded_t *loaded,
                                              const char *name,
                                              struct argp_state *state) {
  const gmem_algorithm_t *algorithm = gmem_loaded_find(loaded, name);
  if (algorithm)
    return algorithm;
  char known[512] = "";
  size_t used = 0;
  for (size_t i = 0; used < sizeof known && gmem_loaded_at(loaded, i); ++i)
    used += (size_t)snprintf(known + used, sizeof known - used, "%s%s",
                             i ? ", " : "", gmem_loaded_at(loaded, i)->name);
  argp_error(state, "unknown algorithm '%s' (known: %s)", name, known);
  return NULL;
}

static void load_algorithm(gmem_loaded_t *loaded, const char *text,
                           struct argp_state *state) {
  gmem_diag_t message;
  if (!gmem_loaded_add(loaded, text, &message))
    argp_error(state, "--load-algorithm: %s", message.text);
}

// Must run after all --load-algorithm options.
static void choose_algorithm(const parsed_t *parsed, struct argp_state *state) {
  gmem_solve_command_t *command = parsed->command;
  const gmem_algorithm_t *chosen = command->loaded.chosen;
  command->algorithm_given = parsed->algorithm || chosen;
  if (parsed->algorithm)
    chosen = find_algorithm(&command->loaded, parsed->algorithm, state);
  command->algorithm = chosen ? chosen : gmem_algorithm_at(0);
}

static gmem_effort_t parse_effort(const char *text, struct argp_state *state) {
  gmem_effort_t effort = GMEM_EFFORT_NORMAL;
  if (!gmem_effort_find(text, &effort))
    argp_error(state,
               "--effort: unknown level '%s' (known: normal, fast, exhaustive)",
               text);
  return effort;
}

static gmem_when_t parse_progress(const char *text, struct argp_state *state) {
  for (int i = 0; i < 3; ++i)
    if (strcmp(text, when_names[i]) == 0)
      return (gmem_when_t)i;
  argp_error(state, "--progress: unknown value '%s' (known: %s, %s, %s)", text,
             when_names[0], when_names[1], when_names[2]);
  return GMEM_WHEN_AUTO;
}

static uint64_t parse_bytes(const char *name, const char *text,
                            struct argp_state *state) {
  uint64_t bytes = 0;
  if (!gmem_parse_bytes(text, &bytes) || bytes == 0)
    argp_error(state,
               "--%s: '%s' is not a positive number of bytes (such as 1048576, "
               "64KiB or 1M)",
               name, text);
  return bytes;
}

static uint64_t parse_alignment(const char *text, struct argp_state *state) {
  uint64_t bytes = parse_bytes("alignment", text, state);
  if ((bytes & (bytes - 1)) != 0 || bytes > GMEM_MAX_ALIGNMENT)
    argp_error(state, "--alignment: '%s' is not a power of two up to 1T", text);
  return bytes;
}

static uint64_t parse_count(const char *name, const char *text, uint64_t most,
                            struct argp_state *state) {
  uint64_t count = 1;
  if (!gmem_parse_count(text, 1, most, &count))
    argp_error(state, "--%s: '%s' is not a number from 1 to %llu", name, text,
               (unsigned long long)most);
  return count;
}

static void add_pool(gmem_pool_list_t *pools, char *text,
                     struct argp_state *state) {
  const char *problem = gmem_pool_list_add(pools, text);
  if (problem)
    argp_error(state, "--pool: '%s' %s", text, problem);
}

static void add_path(gmem_solve_command_t *command, char *path,
                     struct argp_state *state) {
  char **grown = realloc(command->paths,
                         (command->path_count + (size_t)1) * sizeof *grown);
  if (!grown)
    argp_failure(state, GMEM_EXIT_PROBLEM, 0, "out of memory");
  command->paths = grown;
  command->paths[command->path_count++] = path;
}

//===--- the whole --------------------------------------------------------===//

static void reject_empty(const char *name, const char *what,
                         struct argp_state *state) {
  if (name && *name == '\0')
    argp_error(state, "%s: the file name is empty", what);
}

static void reject_empty_names(const gmem_solve_command_t *command,
                               struct argp_state *state) {
  reject_empty(command->output, "--output", state);
  reject_empty(command->solution, "--check", state);
  reject_empty(command->plan_cache, "--plan-cache", state);
  reject_empty(command->certificate_path, "--certificate", state);
  for (uint32_t i = 0; i < command->path_count; ++i)
    reject_empty(command->paths[i], "PROBLEM", state);
}

static void reject_certificate(const gmem_solve_command_t *command,
                               struct argp_state *state) {
  const char *path = command->certificate_path;
  if (command->certificate && command->compare)
    argp_error(state, "--certificate cannot be combined with --compare");
  if (!path)
    return;
  bool is_stdout = gmem_output_is_stdout(path);
  bool plan_is_stdout =
      !command->solution &&
      (!command->output || gmem_output_is_stdout(command->output));
  if ((is_stdout && plan_is_stdout) ||
      (command->output && strcmp(path, command->output) == 0))
    argp_error(state, "--certificate: '%s' is already the output of the plan",
               path);
}

static void reject_contradictions(const gmem_solve_command_t *command,
                                  struct argp_state *state) {
  // --check neither places nor writes.
  if (command->solution &&
      (command->output || command->stats || command->algorithm_given ||
       command->compare || command->plan_cache))
    argp_error(state, "--check cannot be combined with --output, --stats, "
                      "--algorithm, --compare or --plan-cache");
  if (command->solution && command->path_count > 1)
    argp_error(state, "--check takes a single problem; unexpected '%s'",
               command->paths[1]);
  if (command->compare &&
      (command->output || command->algorithm_given || command->plan_cache))
    argp_error(state, "--compare cannot be combined with --output, --algorithm "
                      "or --plan-cache");
  reject_certificate(command, state);
  for (uint32_t i = 0; i < command->path_count && command->path_count > 1; ++i)
    if (strcmp(command->paths[i], "-") == 0)
      argp_error(state,
                 "'-' (standard input) cannot be one of several problems");
}

static void finish(parsed_t *parsed, struct argp_state *state) {
  gmem_solve_command_t *command = parsed->command;
  if (parsed->list) {
    list_algorithms(&command->loaded);
    exit(gmem_finish_stdout(EXIT_SUCCESS));
  }
  choose_algorithm(parsed, state);
  if (parsed->single_given && command->pools.count)
    argp_error(state,
               "--pool cannot be combined with --capacity or --alignment");
  reject_empty_names(command, state);
  reject_contradictions(command, state);
  static char name[] = "memory";
  if (command->pools.count == 0) {
    add_pool(&command->pools, name, state);
    parsed->single.name = command->pools.specs[0].name;
    command->pools.specs[0] = parsed->single;
    command->pools.is_default = !parsed->single_given;
  }
  command->path_given = command->path_count > 0;
  if (!command->path_given) {
    static char standard_input[] = "-";
    add_path(command, standard_input, state);
  }
}

static void parse_memory(int key, char *argument, parsed_t *parsed,
                         struct argp_state *state) {
  if (key == OPTION_POOL) {
    add_pool(&parsed->command->pools, argument, state);
    return;
  }
  parsed->single_given = true;
  if (key == 'c')
    parsed->single.capacity = parse_bytes("capacity", argument, state);
  else
    parsed->single.alignment = parse_alignment(argument, state);
}

static void parse_search(int key, const char *argument,
                         gmem_solve_command_t *command,
                         struct argp_state *state) {
  if (key == OPTION_EFFORT)
    command->effort = parse_effort(argument, state);
  else if (key == OPTION_STEPS)
    command->step_limit = parse_count("steps", argument, INT64_MAX, state);
  else if (key == OPTION_THREADS)
    command->threads =
        (uint32_t)parse_count("threads", argument, MAX_THREADS, state);
  else
    command->progress = parse_progress(argument ? argument : "always", state);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
  parsed_t *parsed = state->input;
  gmem_solve_command_t *command = parsed->command;
  switch (key) {
  case 'a':
    parsed->algorithm = argument;
    return 0;
  case 'c':
  case 'A':
  case OPTION_POOL:
    parse_memory(key, argument, parsed, state);
    return 0;
  case OPTION_EFFORT:
  case OPTION_STEPS:
  case OPTION_THREADS:
  case OPTION_PROGRESS:
    parse_search(key, argument, command, state);
    return 0;
  case 'o':
    command->output = argument;
    return 0;
  case OPTION_STATS:
    if (strcmp(argument, "json") != 0)
      argp_error(state, "--stats: unknown format '%s' (known: json)", argument);
    command->stats = true;
    return 0;
  case OPTION_CERTIFICATE:
    command->certificate = true;
    command->certificate_path = argument;
    return 0;
  case OPTION_COMPARE:
    command->compare = true;
    return 0;
  case OPTION_NO_TIMES:
    command->no_times = true;
    return 0;
  case OPTION_PLAN_CACHE:
    command->plan_cache = argument;
    return 0;
  case OPTION_CHECK:
    command->solution = argument;
    return 0;
  case OPTION_LIST:
    parsed->list = true;
    return 0;
  case OPTION_LOAD:
    load_algorithm(&command->loaded, argument, state);
    return 0;
  case ARGP_KEY_ARG:
    add_path(command, argument, state);
    return 0;
  case ARGP_KEY_END:
    finish(parsed, state);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

void gmem_solve_command_parse(gmem_solve_command_t *command, int argc,
                              char **argv) {
  *command = (gmem_solve_command_t){.threads = 1};
  parsed_t parsed = {.command = command,
                     .single = {.capacity = GMEM_UNLIMITED, .alignment = 1}};
  const struct argp parser = {option_table,  parse_option, "[PROBLEM...]",
                              documentation, NULL,         NULL,
                              NULL};
  argp_err_exit_status = GMEM_EXIT_USAGE;
  static char self[] = "gmem-solve"; // getopt prints argv[0] in its messages
  if (argc > 0)
    argv[0] = self;
  if (argp_parse(&parser, argc, argv, 0, NULL, &parsed) != 0)
    exit(GMEM_EXIT_USAGE);
}

void gmem_solve_command_free(gmem_solve_command_t *command) {
  free(command->paths);
  gmem_pool_list_free(&command->pools);
  gmem_loaded_free(&command->loaded);
}
