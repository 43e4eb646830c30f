// gmem-run.c - maps plan images onto memory, simulates requests to them, and
// runs planned programs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <argp.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gmem/version.h"
#include "run_image.h"
#include "run_messages.h"
#include "run_modes.h"
#include "run_module.h"

// Overrides a variable of libc, which must see it.
__attribute__((visibility("default"))) const char *argp_program_version =
    "gmem-run " GMEM_VERSION_STRING;

enum {
  OPTION_DIGEST = 256,
  OPTION_HOST,
  OPTION_ENTRY,
  OPTION_THREADS,
  OPTION_REQUESTS,
  OPTION_REPEATS,
  OPTION_COMPARE,
  OPTION_CHECK,
  OPTION_UNPLANNED,
  OPTION_SAME_INPUTS,
  OPTION_RANDOM_WEIGHTS,
  OPTION_JSON,
  OPTION_QUIET,
  OPTION_SEED,
  OPTION_LEVEL,
  OPTION_PIPELINE,
  OPTION_PLAN_OPTIONS,
  OPTION_ARENA_MODE,
  OPTION_WEIGHTS,
  OPTION_SAVE,
  OPTION_LIBRARY,
  OPTION_INPUT,
  OPTION_SHAPE,
  OPTION_SLOTS,
  OPTION_MAX_SLOTS,
  OPTION_TIMEOUT,
  OPTION_IMPORT,
  OPTION_HOLD,
  OPTION_IMAGE,
};

// The option groups: options of one mode are errors in the other.
enum { FOR_IMAGE = 1, FOR_BOTH = 2, FOR_MODULE = 3 };

static const struct argp_option option_table[] = {
    {NULL, 0, NULL, 0, "Plan image (IMAGE):", 1},
    {"find", 'f', "NAME", 0, "print only the line of the buffer NAME", 1},
    {"limit", 'n', "LINES", 0,
     "print at most LINES lines (default: all lines of the table; 16 requests)",
     1},
    {"digest", OPTION_DIGEST, NULL, 0,
     "print the SHA-256 digest that identifies the plan, without mapping it",
     1},
    {"host", OPTION_HOST, NULL, 0,
     "print addresses of this process instead of offsets in the region", 1},
    {"max-slots", OPTION_MAX_SLOTS, "S", 0,
     "let the slot pool grow to at most S slots (default: no growth)", 1},
    {"timeout", OPTION_TIMEOUT, "MS", 0,
     "abandon a request that has waited MS milliseconds for a slot (default: "
     "wait indefinitely)",
     1},
    {"import", OPTION_IMPORT, "NAME", 0,
     "place the buffer NAME, or with `all' every importable buffer, in memory "
     "outside the slot; may be repeated",
     1},
    {"hold", OPTION_HOLD, NULL, 0,
     "keep the image mapped until standard input ends", 1},
    {NULL, 0, NULL, 0,
     "Requests (simulated for an IMAGE, executed for a MODULE):", 2},
    {"requests", OPTION_REQUESTS, "N", 0, "run N requests (default: 1)", 2},
    {"threads", OPTION_THREADS, "T", 0, "use T threads (default: 1)", 2},
    {"pool-slots", OPTION_SLOTS, "S", 0,
     "map S slots (default: one per thread); requests beyond S wait", 2},
    {"seed", OPTION_SEED, "S", 0,
     "seed of the pseudo-random inputs (default: 1); request K uses S + K", 2},
    {"check", OPTION_CHECK, "WHAT,...", 0,
     "verify the run. IMAGE: life (no write to bytes that no buffer owns), "
     "unshared (same results if no buffers share bytes), zero (slots are "
     "zeroed), weights (their digests match), broken-kernel (the life check "
     "detects injected wrong writes). MODULE: broken-plan (the outputs change "
     "if two live buffers are made to overlap), zero (zeroed arenas do not "
     "change the outputs)",
     2},
    {"quiet", OPTION_QUIET, NULL, 0, "print results only, no statistics", 2},
    {"json", OPTION_JSON, NULL, 0, "print the report as JSON", 2},
#ifdef GMEM_HAS_MLIR
    {NULL, 0, NULL, 0, "Program (MODULE):", 3},
    {"entry", OPTION_ENTRY, "FUNCTION", 0, "run FUNCTION of the module", 3},
    {"plan-options", OPTION_PLAN_OPTIONS, "OPTIONS", 0,
     "options of gmem-plan, which runs if the module has no plan, for example "
     "'algorithm=first-fit effort=fast'",
     3},
    {"arena-mode", OPTION_ARENA_MODE, "MODE", 0,
     "how the program obtains its arenas: arg (default: gmem-run passes them), "
     "alloc or global",
     3},
    {"weights", OPTION_WEIGHTS, "WHERE", 0,
     "where constants reside: keep (default: in the program) or image (mapped "
     "by gmem-run)",
     3},
    {"image", OPTION_IMAGE, "FILE", 0,
     "map the constants from FILE, a plan image of the module written by "
     "gmem-translate; implies --weights=image",
     3},
    {"unplanned", OPTION_UNPLANNED, NULL, 0, "run the program without a plan",
     3},
    {"pipeline", OPTION_PIPELINE, "PASSES", 0,
     "lower the program with PASSES (default: gmem-lower-to-llvm)", 3},
    {"opt-level", OPTION_LEVEL, "N", 0,
     "optimisation level, 0 to 3 (default: 3)", 3},
    {"library", OPTION_LIBRARY, "FILE", 0,
     "load a shared library with functions that the program calls; may be "
     "repeated",
     3},
    {"repeats", OPTION_REPEATS, "R", 0,
     "run each request R times (default: 1; 5 with --compare)", 3},
    {"same-inputs", OPTION_SAME_INPUTS, NULL, 0,
     "use the inputs of the first request for all requests", 3},
    {"input", OPTION_INPUT, "K=FILE", 0,
     "read argument K from a .npy file; for a scalar, K=NUMBER", 3},
    {"shape", OPTION_SHAPE, "K=SHAPE", 0,
     "shape of argument K if it is dynamic, for example 0=2x3", 3},
    {"random-weights", OPTION_RANDOM_WEIGHTS, "SEED", OPTION_ARG_OPTIONAL,
     "replace constants whose elements are all equal, and constants without "
     "values, by pseudo-random values near them",
     3},
    {"compare", OPTION_COMPARE, NULL, 0,
     "also run the unplanned program and require bitwise equal outputs", 3},
    {"save", OPTION_SAVE, "PREFIX", 0,
     "write the outputs of the first request to PREFIXresult0.npy, "
     "PREFIXargument1.npy, ...",
     3},
#endif
    {NULL, 0, NULL, 0, "Help:", -1},
    {0}};

static const char documentation[] =
    "Opens a plan IMAGE, verifies that no two buffers that are live at the "
    "same time overlap, maps its regions, writes and reads back the first and "
    "last byte of every buffer (constants are read-only and only read), and "
    "prints a table of the buffers and their addresses."
    "\n\nWith request options: simulates requests. Each request leases a slot "
    "of the pool, writes every buffer at the start of its live range, reads it "
    "at the end, and checks that no other write changed it."
#ifdef GMEM_HAS_MLIR
    "\n\nWith --entry: plans an MLIR MODULE (linalg or TOSA on tensors, or "
    "memrefs), materializes the plan, compiles the program, maps its arenas "
    "and runs the function, each request on its own memory."
#endif
    "\v"
    "The table is sorted by region and offset; aliases are indented below the "
    "buffer that contains them. LIFE lists the half-open ranges of steps at "
    "which the buffer owns its bytes; a view owns none.\n\n"
    "For simulated requests, the output has one line for each of the first "
    "requests. It depends only on the plan, the weights and the seed.\n\n"
    "  $ gmem-run network.gmem --requests 10000 --threads 4 --pool-slots 2\n"
    "  $ gmem-run network.gmem --check=life,unshared,weights\n\n"
#ifdef GMEM_HAS_MLIR
    "For a program, the output has one line for each result and for each "
    "argument that the program has written: its type, the SHA-256 digest of "
    "type, shape and elements, and the first elements. Crashes and calls of "
    "exit are caught and reported; there is no time limit.\n\n"
    "  $ gmem-run network.mlir --entry main --random-weights --compare\n"
    "  $ gmem-run network.mlir --entry main --requests 16 --threads 4\n\n"
#endif
    "Exit status: 0 on success; 1 if a file cannot be opened or mapped, a "
    "program cannot be compiled or run, or a check or comparison fails; 2 if "
    "the command line is invalid.";

//===--- option values ----------------------------------------------------===//

static uint64_t parse_number(const char *option, const char *text, uint64_t low,
                             uint64_t high, struct argp_state *state) {
  char *end = NULL;
  errno = 0;
  unsigned long long number = strtoull(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno || number < low ||
      number > high) {
    argp_error(state, "--%s: '%s' is not a number from %llu to %llu", option,
               text, (unsigned long long)low, (unsigned long long)high);
    return low;
  }
  return number;
}

static uint64_t parse_limit(const char *text, struct argp_state *state) {
  char *end = NULL;
  unsigned long long lines = strtoull(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end != '\0')
    argp_error(state, "--limit: '%s' is not a number of lines", text);
  return lines;
}

static const char *parse_choice(const char *option, const char *text,
                                const char *const *choices,
                                struct argp_state *state) {
  for (; *choices; ++choices)
    if (strcmp(text, *choices) == 0)
      return text;
  argp_error(state, "--%s: unknown value '%s'", option, text);
  return text;
}

static void parse_argument_option(const char *option, const char *text,
                                  gmem_run_argument_t *entries, uint32_t *count,
                                  struct argp_state *state) {
  char *end = NULL;
  errno = 0;
  unsigned long number = strtoul(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end != '=' || errno ||
      number >= UINT32_MAX)
    argp_error(state,
               "--%s: '%s' does not begin with an argument number and '='",
               option, text);
  else if (*count == GMEM_RUN_ARGUMENTS)
    argp_error(state, "--%s: given more than %d times", option,
               GMEM_RUN_ARGUMENTS);
  else
    entries[(*count)++] = (gmem_run_argument_t){(uint32_t)number, end + 1};
}

//===--- options ----------------------------------------------------------===//

static error_t parse_image_option(int key, char *argument,
                                  struct argp_state *state) {
  gmem_run_options_t *options = state->input;
  switch (key) {
  case 'f':
    options->find = argument;
    return 0;
  case 'n':
    options->limit = parse_limit(argument, state);
    return 0;
  case OPTION_DIGEST:
    options->digest = true;
    return 0;
  case OPTION_HOST:
    options->host = true;
    return 0;
  case OPTION_MAX_SLOTS:
    options->max_slots =
        (uint32_t)parse_number("max-slots", argument, 1, 4096, state);
    break;
  case OPTION_TIMEOUT:
    options->timeout_ns = (int64_t)parse_number("timeout", argument, 0,
                                                INT64_C(1000000000), state) *
                          1000000;
    break;
  case OPTION_IMPORT:
    if (options->import_count == GMEM_RUN_IMPORTS)
      argp_error(state, "--import: given more than %d times", GMEM_RUN_IMPORTS);
    else
      options->imports[options->import_count++] = argument;
    break;
  case OPTION_HOLD:
    options->hold = true;
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  options->simulates = true;
  return 0;
}

static error_t parse_program_option(int key, char *argument,
                                    struct argp_state *state) {
  static const char *const modes[] = {"arg", "alloc", "global", NULL};
  static const char *const wheres[] = {"keep", "image", NULL};
  gmem_run_options_t *options = state->input;
  switch (key) {
  case OPTION_ENTRY:
    options->entry = argument;
    return 0;
  case OPTION_PLAN_OPTIONS:
    options->plan_options = argument;
    return 0;
  case OPTION_ARENA_MODE:
    options->arena_mode = parse_choice("arena-mode", argument, modes, state);
    return 0;
  case OPTION_WEIGHTS:
    options->weights = parse_choice("weights", argument, wheres, state);
    return 0;
  case OPTION_IMAGE:
    options->image = argument;
    return 0;
  case OPTION_UNPLANNED:
    options->unplanned = true;
    return 0;
  case OPTION_PIPELINE:
    options->pipeline = argument;
    return 0;
  case OPTION_LEVEL:
    options->level = (int)parse_number("opt-level", argument, 0, 3, state);
    return 0;
  case OPTION_LIBRARY:
    if (options->libraries_count == GMEM_RUN_LIBRARIES)
      argp_error(state, "--library: given more than %d times",
                 GMEM_RUN_LIBRARIES);
    else
      options->libraries[options->libraries_count++] = argument;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static uint32_t find_check(const char *name, size_t length) {
  static const char *const names[] = {
      "life", "unshared", "zero", "weights", "broken-kernel", "broken-plan"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (strlen(names[i]) == length && strncmp(name, names[i], length) == 0)
      return UINT32_C(1) << i;
  return 0;
}

// An empty name is an error, since an empty list would check nothing.
static void parse_checks(const char *text, gmem_run_options_t *options,
                         struct argp_state *state) {
  for (const char *name = text, *end; name; name = *end ? end + 1 : NULL) {
    end = name + strcspn(name, ",");
    uint32_t check = find_check(name, (size_t)(end - name));
    if (!check)
      argp_error(state, "--check: unknown check '%.*s'", (int)(end - name),
                 name);
    options->checks |= check;
  }
}

static error_t parse_common_option(int key, char *argument,
                                   struct argp_state *state) {
  gmem_run_options_t *options = state->input;
  switch (key) {
  case OPTION_REQUESTS:
    options->requests =
        (uint32_t)parse_number("requests", argument, 1, 1000000000, state);
    break;
  case OPTION_THREADS:
    options->threads =
        (uint32_t)parse_number("threads", argument, 1, 1024, state);
    break;
  case OPTION_SLOTS:
    options->pool_slots =
        (uint32_t)parse_number("pool-slots", argument, 1, 4096, state);
    break;
  case OPTION_SEED:
    options->seed = parse_number("seed", argument, 0, UINT64_MAX, state);
    break;
  case OPTION_CHECK:
    parse_checks(argument, options, state);
    break;
  case OPTION_QUIET:
    options->quiet = true;
    break;
  case OPTION_JSON:
    options->json = true;
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  options->simulates = true;
  return 0;
}

static error_t parse_request_option(int key, char *argument,
                                    struct argp_state *state) {
  gmem_run_options_t *options = state->input;
  switch (key) {
  case OPTION_REPEATS:
    options->repeats =
        (uint32_t)parse_number("repeats", argument, 1, 1000000, state);
    return 0;
  case OPTION_SAME_INPUTS:
    options->same_inputs = true;
    return 0;
  case OPTION_INPUT:
    parse_argument_option("input", argument, options->inputs,
                          &options->input_count, state);
    return 0;
  case OPTION_SHAPE:
    parse_argument_option("shape", argument, options->shapes,
                          &options->shape_count, state);
    return 0;
  case OPTION_RANDOM_WEIGHTS:
    options->randomize = true;
    if (argument)
      options->weight_seed =
          parse_number("random-weights", argument, 0, UINT64_MAX, state);
    return 0;
  case OPTION_COMPARE:
    options->compare = true;
    return 0;
  case OPTION_SAVE:
    options->save = argument;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

//===--- combinations of options ------------------------------------------===//

static void check_image_options(const gmem_run_options_t *options,
                                struct argp_state *state) {
  if (options->of_module)
    argp_error(state, "--%s requires a module and --entry", options->of_module);
  if (options->checks & GMEM_RUN_CHECK_BROKEN_PLAN)
    argp_error(state, "--check=broken-plan requires a module and --entry");
  if (!(~options->checks & (GMEM_RUN_CHECK_LIFE | GMEM_RUN_CHECK_ZERO)))
    argp_error(state, "--check: life and zero cannot be combined: dead bytes "
                      "either hold a pattern or are zero");
  if (options->simulates && (options->find || options->host || options->digest))
    argp_error(
        state,
        "--find, --host and --digest cannot be combined with request options");
}

static void check_module_options(const gmem_run_options_t *options,
                                 struct argp_state *state) {
  enum { MOST_REQUESTS = 1000000 };
  const uint32_t checks = GMEM_RUN_CHECK_BROKEN_PLAN | GMEM_RUN_CHECK_ZERO;
  bool is_arg = strcmp(options->arena_mode, "arg") == 0;
  if (options->of_image)
    argp_error(
        state,
        "--%s applies to a plan image and cannot be combined with --entry",
        options->of_image);
  if (options->checks & ~checks)
    argp_error(state, "--check: only broken-plan and zero apply to a module");
  if (options->requests > MOST_REQUESTS)
    argp_error(state, "--requests: at most %d for a module", MOST_REQUESTS);
  if (options->unplanned && (options->compare || options->checks))
    argp_error(state,
               "--unplanned cannot be combined with --compare or --check");
  if (options->threads > 1 && strcmp(options->arena_mode, "global") == 0)
    argp_error(state, "--arena-mode=global: all requests share one arena, so "
                      "only one thread is allowed");
  if ((options->pool_slots || (options->checks & GMEM_RUN_CHECK_ZERO)) &&
      (options->unplanned || !is_arg))
    argp_error(state,
               "--%s requires arenas mapped by gmem-run (--arena-mode=arg, "
               "without --unplanned)",
               options->pool_slots ? "pool-slots" : "check=zero");
  if (options->image && options->unplanned)
    argp_error(state, "--image cannot be combined with --unplanned");
}

// Returns the table entry of |key|, or NULL if it is not an option.
static const struct argp_option *find_option(int key) {
  for (size_t i = 0; i + 1 < sizeof option_table / sizeof option_table[0]; ++i)
    if (option_table[i].key == key && option_table[i].name)
      return &option_table[i];
  return NULL;
}

// Records which mode the option belongs to.
static void note_option(int key, gmem_run_options_t *options) {
  const struct argp_option *option = find_option(key);
  if (option && option->group == FOR_IMAGE)
    options->of_image = option->name;
  if (option && option->group == FOR_MODULE)
    options->of_module = option->name;
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
  static error_t (*const parsers[])(int, char *, struct argp_state *) = {
      parse_image_option, parse_common_option, parse_program_option,
      parse_request_option};
  gmem_run_options_t *options = state->input;
  switch (key) {
  case ARGP_KEY_ARG:
    if (options->path)
      argp_error(state, "expected a single file");
    options->path = argument;
    return 0;
  case ARGP_KEY_NO_ARGS:
    argp_error(state, "missing IMAGE");
    return 0;
  case ARGP_KEY_END:
    if (options->entry)
      check_module_options(options, state);
    else
      check_image_options(options, state);
    return 0;
  default:
    for (size_t i = 0; i < sizeof parsers / sizeof parsers[0]; ++i)
      if (parsers[i](key, argument, state) == 0) {
        note_option(key, options);
        return 0;
      }
    return ARGP_ERR_UNKNOWN;
  }
}

//===--- main -------------------------------------------------------------===//

static int run(const gmem_run_options_t *options) {
#ifdef GMEM_HAS_MLIR
  if (options->entry)
    return gmem_run_module(options);
#endif
  return gmem_run_image(options);
}

int main(int argc, char **argv) {
  signal(SIGXFSZ, SIG_IGN); // writing past the file size limit returns EFBIG
  gmem_run_options_t *options = calloc(1, sizeof *options);
  if (!options)
    return gmem_run_error("out of memory");
  options->limit = UINT64_MAX;
  options->threads = options->requests = 1;
  options->seed = options->weight_seed = 1;
  options->timeout_ns = INT64_MAX;
  options->level = 3;
  options->plan_options = "";
  options->arena_mode = "arg";
  options->weights = "keep";
  const struct argp parser = {.options = option_table,
                              .parser = parse_option,
#ifdef GMEM_HAS_MLIR
                              .args_doc = "IMAGE\nMODULE --entry=FUNCTION",
#else
                              .args_doc = "IMAGE",
#endif
                              .doc = documentation};
  argp_err_exit_status = GMEM_RUN_USAGE;
  int result = argp_parse(&parser, argc, argv, 0, NULL, options) == 0
                   ? run(options)
                   : gmem_run_error("out of memory");
  free(options);
  if (fflush(stdout) != 0 || ferror(stdout))
    return gmem_run_error("<stdout>: cannot be written");
  return result;
}
