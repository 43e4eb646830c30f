// gmem-run.c - maps plan images onto memory, simulates requests to them, and
// runs planned programs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#ifdef GMEM_HAS_MLIR
#include "ranks.h"
#endif
#include "run_modes.h"
#include "standard_streams.h"

//===--- option values ----------------------------------------------------===//

// An empty name is an error, since an empty list would check nothing.
static void parse_checks(const gmem_option_t *option, void *checks,
                         const char *text, struct argp_state *state) {
  enum { NAMES = 6 };
  static const char *const names[NAMES] = {
      "life", "unshared", "zero", "weights", "broken-kernel", "broken-plan"};
  for (const char *name = text, *end; name; name = *end ? end + 1 : NULL) {
    end = name + strcspn(name, ",");
    size_t length = (size_t)(end - name), i = 0;
    while (i < NAMES &&
           (strlen(names[i]) != length || strncmp(name, names[i], length) != 0))
      ++i;
    if (i == NAMES)
      argp_error(state, "--%s: unknown check '%.*s'", option->name, (int)length,
                 name);
    *(uint32_t *)checks |= UINT32_C(1) << i;
  }
}

#ifdef GMEM_HAS_MLIR

static void parse_argument(const gmem_option_t *option, void *member,
                           const char *text, struct argp_state *state) {
  gmem_run_arguments_t *arguments = member;
  char *end = NULL;
  errno = 0;
  unsigned long number = strtoul(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end != '=' || errno ||
      number >= UINT32_MAX)
    argp_error(state,
               "--%s: '%s' does not begin with an argument number and '='",
               option->name, text);
  if (arguments->count == GMEM_RUN_ARGUMENTS)
    argp_error(state, "--%s: given more than %d times", option->name,
               GMEM_RUN_ARGUMENTS);
  arguments->at[arguments->count].number = (uint32_t)number;
  arguments->at[arguments->count++].text = end + 1;
}

static void parse_tolerance(const gmem_option_t *option, void *member,
                            const char *text, struct argp_state *state) {
  char *end = NULL;
  double value = strtod(text, &end);
  if (end == text || *end || !(value >= 0 && value < 1))
    argp_error(state, "--%s: '%s' is not a number from 0 to 1", option->name,
               text);
  *(double *)member = value;
}

static const char *const arena_modes[] = {"alloc", "arg", "global", NULL};
static const char *const weight_places[] = {"keep", "image", NULL};

#endif

//===--- options ----------------------------------------------------------===//

// The groups: options of one mode are errors in the other.
enum { FOR_IMAGE = 1, FOR_BOTH = 2, FOR_MODULE = 3 };

#define AT(member) .offset = offsetof(gmem_run_options_t, member)
#define FLAG(member) .kind = GMEM_OPTION_FLAG, AT(member)
#define TEXT(member) .kind = GMEM_OPTION_TEXT, AT(member)
#define NUMBER(from, to, member)                                               \
  .kind = GMEM_OPTION_UINT32, .least = (from), .most = (to), AT(member)
#define WIDE_NUMBER(to, member)                                                \
  .kind = GMEM_OPTION_UINT64, .most = (to), AT(member)
#define CHOICE(names, member)                                                  \
  .kind = GMEM_OPTION_CHOICE, .choices = (names), AT(member)
#define LIST(limit, member)                                                    \
  .kind = GMEM_OPTION_LIST, .most = (limit), AT(member)
#define OTHER(function, member)                                                \
  .kind = GMEM_OPTION_OTHER, .parse = (function), AT(member)

static const gmem_option_t option_table[] = {
    {.doc = "Plan image (IMAGE):", .group = FOR_IMAGE},
    {"find", 'f', "NAME", "print only the line of the buffer NAME", FOR_IMAGE,
     TEXT(image.find)},
    {"group", 0, "NAME", "print only the buffers of the memory group NAME",
     FOR_IMAGE, TEXT(image.group)},
    {"limit", 'n', "LINES",
     "print at most LINES lines (default: all lines of the table; 16 requests)",
     FOR_IMAGE, WIDE_NUMBER(UINT64_MAX, image.limit),
     .expected = "a number of lines"},
    {"digest", 0, NULL,
     "print the SHA-256 digest that identifies the plan, without mapping it",
     FOR_IMAGE, FLAG(image.digest)},
    {"ops", 0, NULL,
     "print the steps of every op and its name, without mapping the plan",
     FOR_IMAGE, FLAG(image.ops)},
    {"host", 0, NULL,
     "print addresses of this process instead of offsets in the region",
     FOR_IMAGE, FLAG(image.host)},
    {"max-slots", 0, "S",
     "let the slot pool grow to at most S slots (default: no growth)",
     FOR_IMAGE, NUMBER(1, 4096, image.max_slots)},
    {"timeout", 0, "MS",
     "abandon a request that has waited MS milliseconds for a slot (default: "
     "wait indefinitely)",
     FOR_IMAGE, WIDE_NUMBER(1000000000, image.timeout_ms)},
    {"import", 0, "NAME",
     "place the buffer NAME, or with `all' every importable buffer, in memory "
     "outside the slot; may be repeated",
     FOR_IMAGE, LIST(GMEM_TEXT_LIST, image.imports)},
    {.doc = "Requests (simulated for an IMAGE, executed for a MODULE):",
     .group = FOR_BOTH},
    {"requests", 0, "N", "run N requests (default: 1)", FOR_BOTH,
     NUMBER(1, 1000000000, requests)},
    {"threads", 0, "T", "use T threads (default: 1)", FOR_BOTH,
     NUMBER(1, 1024, threads)},
    {"pool-slots", 0, "S",
     "map S slots (default: one per thread); requests beyond S wait", FOR_BOTH,
     NUMBER(1, 4096, pool_slots)},
    {"seed", 0, "S",
     "seed of the pseudo-random inputs (default: 1); request K uses S + K",
     FOR_BOTH, WIDE_NUMBER(UINT64_MAX, seed)},
    {"check", 0, "WHAT,...",
     "verify the run. IMAGE: life (no write to bytes that no buffer owns), "
     "unshared (same results if no buffers share bytes), zero (slots are "
     "zeroed), weights (their digests match), broken-kernel (the life check "
     "detects injected wrong writes). MODULE: broken-plan (the outputs change "
     "if two live buffers are made to overlap), zero (zeroed arenas do not "
     "change the outputs)",
     FOR_BOTH, OTHER(parse_checks, checks)},
    {"hold", 0, NULL,
     "keep everything mapped after the requests until standard input ends",
     FOR_BOTH, FLAG(hold)},
    {"quiet", 0, NULL, "print results only, no statistics", FOR_BOTH,
     FLAG(quiet)},
    {"json", 0, NULL, "print the report as JSON", FOR_BOTH, FLAG(json)},
#ifdef GMEM_HAS_MLIR
    {.doc = "Program (MODULE):", .group = FOR_MODULE},
    {"entry", 0, "FUNCTION",
     "run FUNCTION of the module (default: the only public one, if the file is "
     "named *.mlir or *.mlirbc)",
     FOR_MODULE, TEXT(program.entry)},
    {"plan-options", 0, "OPTIONS",
     "options of gmem-plan, which runs if the module has no plan, for example "
     "'algorithm=first-fit effort=fast'",
     FOR_MODULE, TEXT(program.plan_options)},
    {"arena-mode", 0, "MODE",
     "how the program obtains its arenas: arg (default: gmem-run passes them), "
     "alloc or global",
     FOR_MODULE, CHOICE(arena_modes, program.arena_mode)},
    {"weights", 0, "WHERE",
     "where constants reside: keep (default: in the program) or image (mapped "
     "by gmem-run)",
     FOR_MODULE, CHOICE(weight_places, program.weight_image)},
    {"image", 0, "FILE",
     "map the constants from FILE, a plan image of the module written by "
     "gmem-translate; implies --weights=image",
     FOR_MODULE, TEXT(program.image)},
    {"weight-store", 0, "SOCKET",
     "share the constants, also those that are computed, with the other "
     "processes that name the same SOCKET; implies --weights=image",
     FOR_MODULE, TEXT(program.weight_store)},
    {"unplanned", 0, NULL, "run the program without a plan", FOR_MODULE,
     FLAG(program.unplanned)},
    {"pipeline", 0, "PASSES",
     "lower the program with PASSES (default: gmem-lower-to-llvm)", FOR_MODULE,
     TEXT(program.pipeline)},
    {"opt-level", 0, "N", "optimisation level, 0 to 3 (default: 3)", FOR_MODULE,
     NUMBER(0, 3, program.level)},
    {"library", 0, "FILE",
     "load a shared library with functions that the program calls, or that "
     "make constants (gmem.transform); may be repeated",
     FOR_MODULE, LIST(GMEM_RUN_LIBRARIES, program.libraries)},
    {"repeats", 0, "R",
     "run each request R times (default: 1; 5 with --compare)", FOR_MODULE,
     NUMBER(1, 1000000, program.repeats)},
    {"same-inputs", 0, NULL,
     "use the inputs of the first request for all requests", FOR_MODULE,
     FLAG(program.same_inputs)},
    {"input", 0, "K=FILE",
     "read argument K from a .npy file; for a scalar, K=NUMBER", FOR_MODULE,
     OTHER(parse_argument, program.inputs)},
    {"shape", 0, "K=SHAPE",
     "shape of argument K if it is dynamic, for example 0=2x3", FOR_MODULE,
     OTHER(parse_argument, program.shapes)},
    {"random-weights", 0, "SEED",
     "replace constants whose elements are all equal, and constants without "
     "values, by pseudo-random values near them",
     FOR_MODULE, .kind = GMEM_OPTION_SEED, .most = UINT64_MAX,
     AT(program.weights), .is_optional = true},
    {"compare", 0, NULL,
     "also run the unplanned program and require bitwise equal outputs",
     FOR_MODULE, FLAG(program.compare)},
    {"save", 0, "PREFIX",
     "write the outputs of the first request to PREFIXresult0.npy, "
     "PREFIXargument1.npy, ...",
     FOR_MODULE, TEXT(program.save)},
    {"high-water", 0, "FILE",
     "run the first request twice more, and write to FILE which bytes of the "
     "pools and buffers it writes, for gmem-report measured=FILE",
     FOR_MODULE, TEXT(program.high_water)},
    {"ranks", 0, "N",
     "run a network that has shardings on N ranks, and require that they "
     "compute what one rank does: integers bitwise, floats within --tolerance",
     FOR_MODULE, NUMBER(1, 4096, program.ranks)},
    {"tolerance", 0, "X",
     "with --ranks: the largest difference of floats, relative to the largest "
     "value of the result (default: 1e-5)",
     FOR_MODULE, OTHER(parse_tolerance, program.tolerance)},
    {"mpi", 0, "LIBRARY",
     "be a rank: load and start the MPI LIBRARY, or with `auto' that of MPICH "
     "or else Open MPI; %r in file names is the rank, and only rank 0 prints "
     "results",
     FOR_MODULE, TEXT(program.mpi)},
    {"mpiexec", 0, "PROGRAM",
     "with --ranks: what starts the ranks (default: mpiexec)", FOR_MODULE,
     TEXT(program.mpiexec)},
#endif
    {.doc = "Help:", .group = -1},
    {0}};

static const char arguments[] = "IMAGE"
#ifdef GMEM_HAS_MLIR
                                "\nMODULE [--entry=FUNCTION]"
#endif
    ;

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
    "  $ gmem-run network.mlir --entry main --requests 16 --threads 4\n"
    "  $ gmem-run sharded.mlir --entry main --ranks 2 --compare\n\n"
#endif
    "Exit status: 0 on success; 1 if a file cannot be opened or mapped, a "
    "program cannot be compiled or run, or a check or comparison fails; 2 if "
    "the command line is invalid.";

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
  if (options->simulates &&
      (options->image.find || options->image.host || options->image.digest ||
       options->image.ops || options->image.group))
    argp_error(state, "--find, --group, --host, --digest and --ops cannot be "
                      "combined with request options");
}

static void check_module_options(const gmem_run_options_t *options,
                                 struct argp_state *state) {
  enum { MOST_REQUESTS = 1000000 };
  const uint32_t checks = GMEM_RUN_CHECK_BROKEN_PLAN | GMEM_RUN_CHECK_ZERO;
  const gmem_run_program_options_t *program = &options->program;
  if (options->of_image)
    argp_error(state, "--%s applies to a plan image, not to a module",
               options->of_image);
  if (options->checks & ~checks)
    argp_error(state, "--check: only broken-plan and zero apply to a module");
  if (options->requests > MOST_REQUESTS)
    argp_error(state, "--requests: at most %d for a module", MOST_REQUESTS);
  if (program->unplanned && (program->compare || options->checks))
    argp_error(state,
               "--unplanned cannot be combined with --compare or --check");
  if (options->threads > 1 && program->arena_mode == GMEM_RUN_ARENA_GLOBAL)
    argp_error(state, "--arena-mode=global: all requests share one arena, so "
                      "only one thread is allowed");
  if ((options->pool_slots || (options->checks & GMEM_RUN_CHECK_ZERO)) &&
      (program->unplanned || program->arena_mode != GMEM_RUN_ARENA_ARG))
    argp_error(state,
               "--%s requires arenas mapped by gmem-run (--arena-mode=arg, "
               "without --unplanned)",
               options->pool_slots ? "pool-slots" : "check=zero");
  if (program->high_water &&
      (program->unplanned || program->arena_mode != GMEM_RUN_ARENA_ARG))
    argp_error(state, "--high-water requires arenas mapped by gmem-run "
                      "(--arena-mode=arg, without --unplanned)");
  if (program->weight_store &&
      (program->unplanned || program->arena_mode != GMEM_RUN_ARENA_ARG))
    argp_error(state, "--weight-store requires constants mapped by gmem-run "
                      "(--arena-mode=arg, without --unplanned)");
  if (program->mpi && !program->ranks && options->threads > 1)
    argp_error(state, "--mpi: a rank has one thread");
  if (program->ranks &&
      (options->json || options->threads > 1 || options->requests > 1 ||
       program->unplanned || program->image || program->weight_store ||
       program->save || program->high_water || options->hold))
    argp_error(state, "--ranks can be combined with --entry, --plan-options, "
                      "--mpi, --mpiexec, --tolerance, --repeats, --compare, "
                      "--seed, --shape, --input, --opt-level, --quiet and "
                      "--check=broken-plan only");
  if (program->image && program->unplanned)
    argp_error(state, "--image cannot be combined with --unplanned");
}

// Records which mode the option belongs to.
static void note_option(void *target, const gmem_option_t *option) {
  gmem_run_options_t *options = target;
  if (option->group == FOR_IMAGE)
    options->of_image = option->name;
  if (option->group == FOR_MODULE)
    options->of_module = option->name;
  options->simulates |= option->group == FOR_BOTH;
}

static void add_argument(void *target, char *argument,
                         struct argp_state *state) {
  gmem_run_options_t *options = target;
  if (options->path)
    argp_error(state, "expected a single file");
  options->path = argument;
}

#ifdef GMEM_HAS_MLIR
// By its name: a plan image may have any other.
static bool is_module(const char *path) {
  const char *end = strrchr(path, '.');
  return end && (strcmp(end, ".mlir") == 0 || strcmp(end, ".mlirbc") == 0);
}
#endif

static void finish(void *target, struct argp_state *state) {
  gmem_run_options_t *options = target;
  const gmem_run_image_options_t *image = &options->image;
  if (!options->path)
    argp_error(state, "missing IMAGE");
#ifdef GMEM_HAS_MLIR
  if (!options->program.entry && is_module(options->path))
    options->program.entry = ""; // the only public function
#endif
  options->simulates |= image->max_slots || image->imports.count ||
                        image->timeout_ms != GMEM_RUN_NO_TIMEOUT;
  if (options->program.entry)
    check_module_options(options, state);
  else
    check_image_options(options, state);
}

//===--- main -------------------------------------------------------------===//

static gmem_status_t run(const gmem_run_options_t *options) {
#ifdef GMEM_HAS_MLIR
  if (options->program.entry && options->program.ranks)
    return gmem_run_ranks(options);
  if (options->program.entry)
    return gmem_run_module(options);
#endif
  return gmem_run_image(options);
}

int main(int argc, char **argv) {
  static const gmem_command_line_t line = {.options = option_table,
                                           .arguments = arguments,
                                           .description = documentation,
                                           .add_argument = add_argument,
                                           .note_option = note_option,
                                           .finish = finish,
#ifdef GMEM_HAS_MLIR
                                           .mlir = GMEM_MLIR_VERSION
#endif
  };
  gmem_tool_begin();
  gmem_run_options_t options = {
      .threads = 1,
      .requests = 1,
      .seed = 1,
      .image = {.limit = UINT64_MAX, .timeout_ms = GMEM_RUN_NO_TIMEOUT},
      .program = {.weights = {.number = 1},
                  .level = 3,
                  .pipeline = "gmem-lower-to-llvm",
                  .plan_options = "",
                  .mpiexec = "mpiexec",
                  .tolerance = 1e-5,
                  .arena_mode = GMEM_RUN_ARENA_ARG}};
  gmem_status_t status = gmem_command_line_parse(&line, argc, argv, &options)
                             ? run(&options)
                             : gmem_tool_error("out of memory");
  bool is_good = gmem_tool_flush() == GMEM_OK && status == GMEM_OK;
  return is_good ? 0 : GMEM_EXIT_PROBLEM;
}
