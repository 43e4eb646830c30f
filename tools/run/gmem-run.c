// gmem-run.c - maps a plan image onto real memory and shows what is where; runs
// planned programs.
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

const char *argp_program_version = "gmem-run " GMEM_VERSION_STRING;

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

// What an option is for: its group in the list of them.
enum { FOR_IMAGE = 1, FOR_BOTH = 2, FOR_MODULE = 3 };

static const struct argp_option option_table[] = {
    {NULL, 0, NULL, 0, "A plan IMAGE:", 1},
    {"find", 'f', "NAME", 0, "print the line of this buffer only", 1},
    {"limit", 'n', "LINES", 0,
     "print no more lines than this (default: all of the table; of requests, "
     "16)",
     1},
    {"digest", OPTION_DIGEST, NULL, 0,
     "print the SHA-256 that identifies the plan, and map nothing", 1},
    {"host", OPTION_HOST, NULL, 0,
     "show the addresses of this run, not relative to their region", 1},
    {"max-slots", OPTION_MAX_SLOTS, "S", 0,
     "let the pool grow up to so many slots (default: as many as at the start)",
     1},
    {"timeout", OPTION_TIMEOUT, "MS", 0,
     "give a request up that has waited so many milliseconds for a slot "
     "(default: none is)",
     1},
    {"import", OPTION_IMPORT, "NAME", 0,
     "put this buffer, or all that the plan allows, into memory that is not "
     "the "
     "slot's",
     1},
    {"hold", OPTION_HOLD, NULL, 0,
     "keep everything mapped until standard input ends", 1},
    {NULL, 0, NULL, 0, "Requests, simulated to an IMAGE, real to a MODULE:", 2},
    {"requests", OPTION_REQUESTS, "N", 0, "run so many requests (default: 1)",
     2},
    {"threads", OPTION_THREADS, "T", 0, "on so many threads (default: 1)", 2},
    {"pool-slots", OPTION_SLOTS, "S", 0,
     "map memory for so many requests at once (default: one per thread); "
     "others "
     "wait",
     2},
    {"seed", OPTION_SEED, "S", 0,
     "of pseudo-random inputs (default: 1); request K has S + K", 2},
    {"check", OPTION_CHECK, "WHAT", 0,
     "of requests to an IMAGE. life: that nothing is written where no buffer "
     "is "
     "live. unshared: that the same comes out when no buffers share bytes. "
     "zero: that slots are zeroed. weights: their digests. broken-kernel: that "
     "the check of lives notices wrong writes. Of a MODULE. broken-plan: that "
     "the outputs change when live buffers are put onto one another. zero: "
     "that "
     "they do not when arenas are zeroed",
     2},
    {"quiet", OPTION_QUIET, NULL, 0, "print what comes out only, no figures",
     2},
    {"json", OPTION_JSON, NULL, 0, "print everything as JSON", 2},
#ifdef GMEM_HAS_MLIR
    {NULL, 0, NULL, 0, "A MODULE:", 3},
    {"entry", OPTION_ENTRY, "FUNCTION", 0, "run this function", 3},
    {"plan-options", OPTION_PLAN_OPTIONS, "OPTIONS", 0,
     "options of gmem-plan, which runs when the module has no plan: "
     "'algorithm=first-fit effort=fast'",
     3},
    {"arena-mode", OPTION_ARENA_MODE, "MODE", 0,
     "how the program gets its arenas: arg (from here, the default), alloc or "
     "global",
     3},
    {"weights", OPTION_WEIGHTS, "WHERE", 0,
     "keep (the default: constants stay in the program) or image (they are "
     "mapped from here)",
     3},
    {"image", OPTION_IMAGE, "FILE", 0,
     "map the constants from this plan image of the module, which "
     "gmem-translate has written; says --weights=image",
     3},
    {"unplanned", OPTION_UNPLANNED, NULL, 0, "run the program without a plan",
     3},
    {"pipeline", OPTION_PIPELINE, "PASSES", 0,
     "lower with these passes (default: gmem-lower-to-llvm)", 3},
    {"opt-level", OPTION_LEVEL, "N", 0, "0 to 3 (default: 3)", 3},
    {"library", OPTION_LIBRARY, "FILE", 0,
     "a shared library with functions that the program calls", 3},
    {"repeats", OPTION_REPEATS, "R", 0,
     "run each request so many times (default: 1; 5 with --compare)", 3},
    {"same-inputs", OPTION_SAME_INPUTS, NULL, 0,
     "give all requests the inputs of the first", 3},
    {"input", OPTION_INPUT, "K=FILE", 0,
     "argument K is what this .npy file holds; of a number, K=NUMBER", 3},
    {"shape", OPTION_SHAPE, "K=SHAPE", 0,
     "the shape of an argument that has none, for example 0=2x3", 3},
    {"random-weights", OPTION_RANDOM_WEIGHTS, "SEED", OPTION_ARG_OPTIONAL,
     "give constants of equal elements, and such without values, "
     "pseudo-random ones near to them",
     3},
    {"compare", OPTION_COMPARE, NULL, 0,
     "run the unplanned program, too: its outputs must have the same bits", 3},
    {"save", OPTION_SAVE, "PREFIX", 0,
     "write the first request's outputs to PREFIXresult0.npy, "
     "PREFIXargument1.npy...",
     3},
#endif
    {NULL, 0, NULL, 0, "Help:", -1},
    {0}};

static const char documentation[] =
    "Loads the plan IMAGE, proves that no two buffers that are live together "
    "share bytes, maps its regions onto memory, writes and reads back the "
    "first and last byte of every buffer (weights are sealed, and only read), "
    "and prints where everything is."
    "\n\nWith options for requests: runs simulated ones. Each has a slot of a "
    "pool, "
    "writes every buffer when its life begins, reads it when it ends, and sees "
    "that nobody else has written to it."
#ifdef GMEM_HAS_MLIR
    "\n\nWith --entry: plans the MLIR MODULE (linalg or TOSA on tensors, or "
    "memrefs), makes its buffers parts of arenas, compiles it, maps the arenas "
    "and runs the function, each request on memory of its own."
#endif
    "\v"
    "Lines are sorted by region and offset; aliases follow the buffer they "
    "alias, indented. LIFE is the steps at which the buffer owns its bytes, as "
    "half-open intervals; a view lies in the bytes of others.\n\n"
    "Of simulated requests there is a line for each of the first, which "
    "depends "
    "on plan, weights and seed alone.\n\n"
    "  $ gmem-run network.gmem --requests 10000 --threads 4 --pool-slots 2\n"
    "  $ gmem-run network.gmem --check=life,unshared,weights\n\n"
#ifdef GMEM_HAS_MLIR
    "Of a run there is one line for each result, and each argument that the "
    "program has written to: its type, SHA-256 of type, shape and elements, "
    "and first elements. A program that crashes or ends itself is reported; "
    "one "
    "that "
    "never ends runs until somebody ends it.\n\n"
    "  $ gmem-run network.mlir --entry main --random-weights --compare\n"
    "  $ gmem-run network.mlir --entry main --requests 16 --threads 4\n\n"
#endif
    "Exit status: 0 when all is well, 1 when something cannot be loaded, "
    "mapped, found, compiled or run, or outputs differ that should not, 2 for "
    "a wrong command line.";

//===--- option values ----------------------------------------------------===//

static uint64_t parse_number(const char *option, const char *text, uint64_t low,
                             uint64_t high, struct argp_state *state) {
  char *end = NULL;
  errno = 0;
  unsigned long long number = strtoull(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno || number < low ||
      number > high) {
    argp_error(state, "--%s: '%s' is not a number of %llu to %llu", option,
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
  argp_error(state, "--%s: there is no '%s'", option, text);
  return text;
}

static void parse_given(const char *option, const char *text,
                        gmem_run_given_t *givens, uint32_t *count,
                        struct argp_state *state) {
  char *end = NULL;
  errno = 0;
  unsigned long number = strtoul(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end != '=' || errno ||
      number >= UINT32_MAX)
    argp_error(state,
               "--%s: '%s' does not begin with the number of an "
               "argument and '='",
               option, text);
  else if (*count == GMEM_RUN_GIVENS)
    argp_error(state, "--%s: too many of them", option);
  else
    givens[(*count)++] = (gmem_run_given_t){(uint32_t)number, end + 1};
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
      argp_error(state, "--import: too many of them");
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
      argp_error(state, "--library: too many of them");
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

// An empty name is an error, too: a list of no checks would check nothing.
static void parse_checks(const char *text, gmem_run_options_t *options,
                         struct argp_state *state) {
  for (const char *name = text, *end; name; name = *end ? end + 1 : NULL) {
    end = name + strcspn(name, ",");
    uint32_t check = find_check(name, (size_t)(end - name));
    if (!check)
      argp_error(state, "--check: there is no '%.*s'", (int)(end - name), name);
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
    parse_given("input", argument, options->inputs, &options->input_count,
                state);
    return 0;
  case OPTION_SHAPE:
    parse_given("shape", argument, options->shapes, &options->shape_count,
                state);
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

//===--- what goes with what ----------------------------------------------===//

static void check_image_options(const gmem_run_options_t *options,
                                struct argp_state *state) {
  if (options->of_module)
    argp_error(state, "--%s is for a module, and that needs --entry",
               options->of_module);
  if (options->checks & GMEM_RUN_CHECK_BROKEN_PLAN)
    argp_error(state, "--check=broken-plan is for a module, and that needs "
                      "--entry");
  if (!(~options->checks & (GMEM_RUN_CHECK_LIFE | GMEM_RUN_CHECK_ZERO)))
    argp_error(state, "--check: life and zero are not for one run: dead bytes "
                      "hold a pattern, or are zero");
  if (options->simulates && (options->find || options->host || options->digest))
    argp_error(state, "--find, --host and --digest run no requests");
}

static void check_module_options(const gmem_run_options_t *options,
                                 struct argp_state *state) {
  enum { MOST_REQUESTS = 1000000 };
  const uint32_t checks = GMEM_RUN_CHECK_BROKEN_PLAN | GMEM_RUN_CHECK_ZERO;
  bool is_given = strcmp(options->arena_mode, "arg") == 0;
  if (options->of_image)
    argp_error(state, "--%s is for a plan image, --entry for a module",
               options->of_image);
  if (options->checks & ~checks)
    argp_error(state, "--check: of a module there are broken-plan and zero");
  if (options->requests > MOST_REQUESTS)
    argp_error(state, "--requests: to a module no more than %d", MOST_REQUESTS);
  if (options->unplanned && (options->compare || options->checks))
    argp_error(state, "--unplanned leaves nothing to compare or to check");
  if (options->threads > 1 && strcmp(options->arena_mode, "global") == 0)
    argp_error(state, "--arena-mode=global: one arena for all, so no more than "
                      "one thread");
  if ((options->pool_slots || (options->checks & GMEM_RUN_CHECK_ZERO)) &&
      (options->unplanned || !is_given))
    argp_error(state, "--%s: the program's arenas do not come from here",
               options->pool_slots ? "pool-slots" : "check=zero");
  if (options->image && options->unplanned)
    argp_error(state, "--image: the program is to run without a plan");
}

// The entry of the table; NULL for keys that are no options.
static const struct argp_option *find_option(int key) {
  for (size_t i = 0; i + 1 < sizeof option_table / sizeof option_table[0]; ++i)
    if (option_table[i].key == key && option_table[i].name)
      return &option_table[i];
  return NULL;
}

// Remembers what the option is for.
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
      argp_error(state, "more than one file");
    options->path = argument;
    return 0;
  case ARGP_KEY_NO_ARGS:
    argp_error(state, "IMAGE is missing");
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
  signal(SIGXFSZ, SIG_IGN); // a file too large is an error to report
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
    return gmem_run_error("standard output: cannot write");
  return result;
}
