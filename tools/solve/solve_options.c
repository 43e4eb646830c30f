// solve_options.c - the command line of gmem-solve, and its --help.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "solve_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_line.h"
#include "files.h"
#include "gmem/memories.h"
#include "solve_messages.h"

enum { MAX_THREADS = 256 };

typedef struct parsed_s {
  gmem_solve_command_t command;
  uint64_t capacity, alignment; // of a single pool; 0: not given
  const char *algorithm;        // --algorithm, or NULL
  bool list;                    // --list-algorithms
} parsed_t;

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

static const char *const efforts[] = {[GMEM_EFFORT_NORMAL] = "normal",
                                      [GMEM_EFFORT_FAST] = "fast",
                                      [GMEM_EFFORT_EXHAUSTIVE] = "exhaustive",
                                      NULL};
static const char *const objectives[] = {[GMEM_OBJECTIVE_PEAK] = "peak",
                                         [GMEM_OBJECTIVE_WEIGHTED] = "weighted",
                                         [GMEM_OBJECTIVE_PENALTY] = "penalty",
                                         NULL};
static const char *const whens[] = {[GMEM_WHEN_AUTO] = "auto",
                                    [GMEM_WHEN_ALWAYS] = "always",
                                    [GMEM_WHEN_NEVER] = "never",
                                    NULL};

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

static void list_order_algorithms(void) {
  const gmem_order_algorithm_t *algorithm;
  for (size_t i = 0; (algorithm = gmem_order_algorithm_at(i)); ++i)
    printf("%-12s %s\n", algorithm->name, algorithm->summary);
}

static const gmem_order_algorithm_t *
find_order_algorithm(const char *name, struct argp_state *state) {
  const gmem_order_algorithm_t *algorithm = gmem_order_algorithm_find(name);
  char known[256] = "";
  size_t used = 0;
  for (size_t i = 0; used < sizeof known && gmem_order_algorithm_at(i); ++i)
    used += (size_t)snprintf(known + used, sizeof known - used, "%s%s",
                             i ? ", " : "", gmem_order_algorithm_at(i)->name);
  if (!algorithm)
    argp_error(state, "unknown algorithm '%s' (known with --order: %s)", name,
               known);
  return algorithm;
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

static void load_algorithm(const gmem_option_t *option, void *loaded,
                           const char *text, struct argp_state *state) {
  gmem_diag_t message;
  if (gmem_loaded_add(loaded, text, &message) != GMEM_OK)
    argp_error(state, "--%s: %s", option->name, message.text);
}

static void parse_alignment(const gmem_option_t *option, void *target,
                            const char *text, struct argp_state *state) {
  uint64_t bytes = gmem_option_bytes(option, text, state);
  *(uint64_t *)target = bytes;
  if ((bytes & (bytes - 1)) != 0 || bytes > GMEM_MAX_ALIGNMENT)
    argp_error(state, "--alignment: '%s' is not a power of two up to 1T", text);
}

static void add_pool(const gmem_option_t *option, void *pools, const char *text,
                     struct argp_state *state) {
  // The list splits the text, which argp takes from |argv|, in place.
  const char *problem = gmem_pool_list_add(pools, (char *)text);
  if (problem)
    argp_error(state, "--%s: '%s' %s", option->name, text, problem);
}

static void parse_stats(const gmem_option_t *option, void *stats,
                        const char *text, struct argp_state *state) {
  if (strcmp(text, "json") != 0)
    argp_error(state, "--%s: unknown format '%s' (known: json)", option->name,
               text);
  *(bool *)stats = true;
}

static void reject_empty(const char *path, const char *dashes, const char *what,
                         struct argp_state *state) {
  if (*path == '\0')
    argp_error(state, "%s%s: the file name is empty", dashes, what);
}

static void parse_path(const gmem_option_t *option, void *path,
                       const char *text, struct argp_state *state) {
  reject_empty(text, "--", option->name, state);
  *(const char **)path = text;
}

static void parse_certificate(const gmem_option_t *option, void *target,
                              const char *path, struct argp_state *state) {
  gmem_solve_command_t *command = target;
  if (path)
    reject_empty(path, "--", option->name, state);
  command->certificate = true;
  command->certificate_path = path;
}

static void add_path(void *target, char *path, struct argp_state *state) {
  gmem_solve_command_t *command = &((parsed_t *)target)->command;
  reject_empty(path, "", "PROBLEM", state);
  char **grown = realloc(command->paths,
                         (command->path_count + (size_t)1) * sizeof *grown);
  if (!grown)
    argp_failure(state, GMEM_EXIT_PROBLEM, 0, "out of memory");
  command->paths = grown;
  command->paths[command->path_count++] = path;
}

//===--- the whole --------------------------------------------------------===//

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

static void reject_with_order(const parsed_t *parsed,
                              struct argp_state *state) {
  const gmem_solve_command_t *command = &parsed->command;
  if (command->solution || command->certificate || command->plan_cache ||
      command->pools.count || parsed->capacity || parsed->alignment)
    argp_error(state, "--order cannot be combined with --check, --certificate, "
                      "--plan-cache, --pool, --capacity or --alignment");
  if (command->compare && (command->output || parsed->algorithm))
    argp_error(state,
               "--compare cannot be combined with --output or --algorithm");
}

static void reject_html(const gmem_solve_command_t *command,
                        struct argp_state *state) {
  const char *path = command->html;
  if (!path)
    return;
  if (command->solution || command->compare || command->order)
    argp_error(state,
               "--html cannot be combined with --check, --compare or --order");
  bool is_stdout = gmem_output_is_stdout(path);
  bool is_taken = command->output ? strcmp(path, command->output) == 0 ||
                                        (is_stdout &&
                                         gmem_output_is_stdout(command->output))
                                  : is_stdout;
  if (is_taken || (command->certificate_path &&
                   strcmp(path, command->certificate_path) == 0))
    argp_error(state, "--html: '%s' is already another output", path);
}

static void reject_contradictions(const gmem_solve_command_t *command,
                                  struct argp_state *state) {
  // --check neither places nor writes.
  if (command->solution &&
      (command->output || command->stats || command->search.algorithm ||
       command->compare || command->plan_cache))
    argp_error(state, "--check cannot be combined with --output, --json, "
                      "--algorithm, --compare or --plan-cache");
  if (command->solution && command->path_count > 1)
    argp_error(state, "--check takes a single problem; unexpected '%s'",
               command->paths[1]);
  if (command->compare &&
      (command->output || command->search.algorithm || command->plan_cache))
    argp_error(state, "--compare cannot be combined with --output, --algorithm "
                      "or --plan-cache");
  if (command->previous && (command->solution || command->compare ||
                            command->order || command->path_count > 1))
    argp_error(state, "--previous cannot be combined with --check, --compare, "
                      "--order or several problems");
  const gmem_solve_options_t *search = &command->search;
  bool is_weighted = search->objective == GMEM_OBJECTIVE_WEIGHTED;
  if (is_weighted != (search->penalty_bytes > 0))
    argp_error(state, "--objective=weighted and --penalty-bytes need each "
                      "other");
  if (search->peak_slack && search->objective != GMEM_OBJECTIVE_PEAK)
    argp_error(state, "--peak-slack needs --objective=peak");
  reject_certificate(command, state);
  reject_html(command, state);
  for (uint32_t i = 0; i < command->path_count && command->path_count > 1; ++i)
    if (strcmp(command->paths[i], "-") == 0)
      argp_error(state,
                 "'-' (standard input) cannot be one of several problems");
}

static void finish(void *target, struct argp_state *state) {
  parsed_t *parsed = target;
  gmem_solve_command_t *command = &parsed->command;
  if (parsed->list) {
    if (command->order)
      list_order_algorithms();
    else
      list_algorithms(&command->loaded);
    exit(gmem_finish_stdout(EXIT_SUCCESS));
  }
  if (command->order) {
    reject_with_order(parsed, state);
    if (parsed->algorithm)
      command->order_algorithm = find_order_algorithm(parsed->algorithm, state);
  } else {
    command->search.algorithm =
        parsed->algorithm
            ? find_algorithm(&command->loaded, parsed->algorithm, state)
            : command->loaded.chosen;
  }
  bool has_single = parsed->capacity || parsed->alignment;
  if (has_single && command->pools.count)
    argp_error(state,
               "--pool cannot be combined with --capacity or --alignment");
  reject_contradictions(command, state);
  if (command->pools.count == 0) {
    static char name[] = "memory";
    if (gmem_pool_list_add(&command->pools, name))
      argp_failure(state, GMEM_EXIT_PROBLEM, 0, "out of memory");
    if (parsed->capacity)
      command->pools.specs->capacity = parsed->capacity;
    if (parsed->alignment)
      command->pools.specs->alignment = parsed->alignment;
    command->pools.is_default = !has_single;
  }
  command->path_given = command->path_count > 0;
  if (!command->path_given) {
    static char standard_input[] = "-";
    add_path(parsed, standard_input, state);
  }
}

//===--- the command line -------------------------------------------------===//

// The groups of --help.
enum { PLANNING = 1, MEMORY, OUTPUT, EXECUTION, HELP = -1 };

#define AT(member) .offset = offsetof(parsed_t, member)
#define FLAG(member) .kind = GMEM_OPTION_FLAG, AT(member)
#define CHOICE(names, kind_of_name, member)                                    \
  .kind = GMEM_OPTION_CHOICE, .choices = (names), .expected = (kind_of_name),  \
  AT(member)
#define OTHER(function, member)                                                \
  .kind = GMEM_OPTION_OTHER, .parse = (function), AT(member)

static const gmem_option_t option_table[] = {
    {.doc = "Planning:", .group = PLANNING},
    {"algorithm", 'a', "NAME",
     "placement algorithm (see --list-algorithms; default: auto)", PLANNING,
     .kind = GMEM_OPTION_TEXT, AT(algorithm)},
    {"effort", 0, "LEVEL",
     "fast: about as long as reading the file; normal (default): up to about a "
     "second for a hard problem; exhaustive: until the plan is proved optimal, "
     "or many seconds. Effort is counted in units of work, not in seconds, so "
     "the plan is the same on every machine",
     PLANNING, CHOICE(efforts, "level", command.search.effort)},
    {"steps", 0, "N",
     "stop the search after N units of work, overriding the limit of --effort; "
     "one unit is one buffer or gap examined, some nanoseconds",
     PLANNING, .kind = GMEM_OPTION_UINT64, .least = 1, .most = INT64_MAX,
     AT(command.search.step_limit)},
    {"objective", 0, "NAME",
     "of problems with constraints: peak (default): the peak, then the "
     "penalty; "
     "weighted: peak + penalty x --penalty-bytes; penalty: the penalty within "
     "the capacities, then the peak",
     PLANNING, CHOICE(objectives, "name", command.search.objective)},
    {"peak-slack", 0, "BYTES",
     "let each pool grow by BYTES to lower the penalty (default: 0)", PLANNING,
     .kind = GMEM_OPTION_BYTES, .least = 0, AT(command.search.peak_slack)},
    {"penalty-bytes", 0, "BYTES",
     "bytes that a penalty of 1 is worth (--objective=weighted)", PLANNING,
     .kind = GMEM_OPTION_BYTES, .least = 1, AT(command.search.penalty_bytes)},
    {"previous", 0, "FILE",
     "keep the offsets of the plan in FILE (CSV or JSON) for buffers of the "
     "same name, size and pool, as far as the peak allows it; --peak-slack may "
     "allow more. What moves is listed",
     PLANNING, OTHER(parse_path, command.previous)},
    {"plan-cache", 0, "DIRECTORY",
     "reuse plans from DIRECTORY that were made with at least this effort or "
     "are proved optimal, and add new plans to it, one file per problem; it is "
     "created if it does not exist",
     PLANNING, OTHER(parse_path, command.plan_cache)},
    {"load-algorithm", 0, "FILE[:NAME]",
     "load the algorithms of a shared library; with NAME, load only that "
     "algorithm and make it the default",
     PLANNING, OTHER(load_algorithm, command.loaded)},
    {"list-algorithms", 0, NULL, "list the algorithms and exit", PLANNING,
     FLAG(list)},
    {.doc = "Memory (CSV problems):", .group = MEMORY},
    {"capacity", 'c', "BYTES",
     "capacity of the pool, such as 1024KiB or 1M (default: unlimited)", MEMORY,
     .kind = GMEM_OPTION_BYTES, .least = 1, AT(capacity)},
    {"alignment", 'A', "BYTES",
     "alignment of offsets, a power of two (default: 1)", MEMORY, .least = 1,
     OTHER(parse_alignment, alignment)},
    {"pool", 0, "POOL",
     "define a pool, NAME[:KEY=VALUE,...]; may be repeated. Keys: capacity, "
     "alignment and base (the "
     "address of offset 0) in bytes, and speed (relative benefit of one use of "
     "one byte). A buffer is placed in the first pool, in the order given, in "
     "which it fits",
     MEMORY, OTHER(add_pool, command.pools)},
    {.doc = "Output:", .group = OUTPUT},
    {"output", 'o', "FILE",
     "write the plan to FILE, atomically (default: standard output); for "
     "several problems, write the plans to the directory FILE",
     OUTPUT, OTHER(parse_path, command.output)},
    {"json", 0, NULL,
     "print one line of JSON with statistics per plan, to standard output if "
     "-o names a file or there are several problems, else to standard error",
     OUTPUT, FLAG(command.stats)},
    {"stats", 0, "json", "--json", OUTPUT, OTHER(parse_stats, command.stats),
     .is_hidden = true},
    {"certificate", 0, "FILE",
     "print, for each pool, the buffers that are live at its peak and the "
     "proof that no plan needs less; if the problem is infeasible, print a set "
     "of buffers that do not fit together. Written to FILE (default: where "
     "--json goes); with --json and no FILE, part of the JSON",
     OUTPUT, OTHER(parse_certificate, command), .is_optional = true},
    {"html", 0, "FILE",
     "also write a page on which the plan can be explored, atomically", OUTPUT,
     OTHER(parse_path, command.html)},
    {"compare", 0, NULL,
     "run every algorithm and print a table of the results; write no plan",
     OUTPUT, FLAG(command.compare)},
    {"order", 0, NULL,
     "each PROBLEM is a graph of operators (JSON): find the order of its "
     "operators with the least peak of live bytes, and write it as JSON",
     PLANNING, FLAG(command.order)},
    {"check", 0, "FILE",
     "check the offsets in FILE against PROBLEM (default: against FILE's own "
     "columns); write no plan",
     OUTPUT, OTHER(parse_path, command.solution)},
    {"no-times", 0, NULL,
     "omit times from tables and statistics, so that the output is "
     "reproducible",
     OUTPUT, FLAG(command.no_times)},
    {.doc = "Execution:", .group = EXECUTION},
    {"progress", 0, "WHEN",
     "show the progress of the search on standard error: always, never or auto "
     "(default: only if standard error is a terminal)",
     EXECUTION, CHOICE(whens, "value", command.progress), .is_optional = true,
     .least = GMEM_WHEN_ALWAYS},
    {"threads", 0, "N",
     "plan N problems concurrently (default: 1); the output does not depend on "
     "N",
     EXECUTION, .kind = GMEM_OPTION_UINT32, .least = 1, .most = MAX_THREADS,
     AT(command.threads)},
    {.doc = "Help:", .group = HELP},
    {0}};

void gmem_solve_command_parse(gmem_solve_command_t *command, int argc,
                              char **argv) {
  parsed_t parsed = {.command = {.threads = 1}};
  const gmem_command_line_t line = {.options = option_table,
                                    .arguments = "[PROBLEM...]",
                                    .description = documentation,
                                    .add_argument = add_path,
                                    .finish = finish};
  static char self[] = "gmem-solve"; // getopt prints argv[0] in its messages
  if (argc > 0)
    argv[0] = self;
  if (!gmem_command_line_parse(&line, argc, argv, &parsed))
    exit(GMEM_EXIT_USAGE);
  *command = parsed.command;
}

void gmem_solve_command_free(gmem_solve_command_t *command) {
  free(command->paths);
  gmem_pool_list_free(&command->pools);
  gmem_loaded_free(&command->loaded);
}
