// gmem-translate.c - writes a plan as JSON, plan image, CSV or C.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "c_files.h"
#include "c_options.h"
#include "files.h"
#include "gmem/passes.h"
#include "gmem/plan.h"
#include "gmem/version.h"
#include "mlir_files.h"
#include "planned_image.h"
#include "random_weights.h"

enum { EXIT_INPUT = 1, EXIT_USAGE = 2 };

// Overrides a variable of libc, which must see it.
__attribute__((visibility("default"))) const char *argp_program_version =
    "gmem-translate " GMEM_VERSION_STRING;

typedef struct options_s options_t;

// Writes one kind of artifact.
typedef gmem_status_t (*translate_fn)(const gmem_planned_t *planned,
                                      gmem_output_t *output,
                                      const options_t *options,
                                      gmem_diag_t *diag);

struct options_s {
  const char *input;                 // path, or "-"
  const char *output;                // path, or "-"; for C a directory
  const char *pool;                  // for CSV; NULL: the first workspace pool
  gmem_image_weights_mode_t weights; // for an image
  bool randomize;                    // --random-weights
  uint64_t seed;                     // of |randomize|
  gmem_c_options_t c;                // for C
  bool is_c;
  translate_fn translate;
};

static gmem_status_t set_error(gmem_diag_t *diag, gmem_status_t status,
                               const char *text) {
  *diag = (gmem_diag_t){.status = status};
  snprintf(diag->text, sizeof diag->text, "%s", text);
  return status;
}

//===--- JSON -------------------------------------------------------------===//

// Strings of the IR may contain any bytes; JSON requires UTF-8.
static json_t *json_text(const char *text) {
  json_t *string = json_string(text);
  if (string)
    return string;
  char *clean = strdup(text);
  for (char *c = clean; c && *c; ++c)
    if (*c < ' ' || *c > '~')
      *c = '?';
  string = clean ? json_string(clean) : NULL;
  free(clean);
  return string;
}

static json_t *json_bytes(uint64_t bytes) {
  return json_integer((json_int_t)bytes);
}

// |bytes|, or null when it is |missing|.
static json_t *json_bytes_or_null(uint64_t bytes, uint64_t missing) {
  return bytes == missing ? json_null() : json_bytes(bytes);
}

static json_t *json_pool(const gmem_planned_pool_t *pool) {
  return json_pack(
      "{s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
      "name", json_text(pool->name), "kind",
      pool->constant ? "constant" : "workspace", "base",
      json_bytes_or_null(pool->base, GMEM_NO_BASE), "size",
      json_bytes(pool->size), "lower_bound", json_bytes(pool->lower_bound),
      "capacity", json_bytes_or_null(pool->capacity, GMEM_UNLIMITED),
      "alignment", json_bytes(pool->alignment), "size_hint",
      json_bytes_or_null(pool->size_hint, GMEM_UNLIMITED), "speed",
      json_bytes_or_null(pool->speed, 0), "spilled", json_bytes(pool->spilled),
      "spilled_bytes", json_bytes(pool->spilled_bytes), "shared_offset",
      pool->shared_size ? json_bytes(pool->shared_offset) : json_null(),
      "shared_size", json_bytes_or_null(pool->shared_size, 0));
}

static json_t *json_ranges(const gmem_planned_buffer_t *buffer) {
  json_t *ranges = json_array();
  for (size_t i = 0; i < buffer->range_count; ++i)
    json_array_append_new(ranges, json_pack("[I,I]",
                                            (json_int_t)buffer->ranges[i].begin,
                                            (json_int_t)buffer->ranges[i].end));
  return ranges;
}

static json_t *json_buffer(const gmem_planned_t *planned, uint32_t index) {
  const gmem_planned_buffer_t *buffer = gmem_planned_buffer(planned, index);
  const gmem_planned_pool_t *pool = gmem_planned_pool(planned, buffer->pool);
  const gmem_live_range_t *ranges = buffer->ranges;
  json_t *alias_of =
      buffer->alias_of == GMEM_NO_BUFFER
          ? json_null()
          : json_text(gmem_planned_buffer(planned, buffer->alias_of)->name);
  return json_pack(
      "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:o, s:o, s:b, s:b, "
      "s:o, s:o}",
      "name", json_text(buffer->name), "op", json_text(buffer->op), "function",
      json_text(buffer->function), "location", json_text(buffer->location),
      "pool", json_text(pool->name), "offset", json_bytes(buffer->offset),
      "size", json_bytes(buffer->size), "alignment",
      json_bytes(buffer->alignment), "begin", (json_int_t)ranges[0].begin,
      "end", (json_int_t)ranges[buffer->range_count - 1].end, "ranges",
      json_ranges(buffer), "alias_of", alias_of, "input",
      (buffer->flags & GMEM_PLANNED_INPUT) != 0, "output",
      (buffer->flags & GMEM_PLANNED_OUTPUT) != 0, "payload_offset",
      json_bytes(buffer->payload_offset), "payload_size",
      json_bytes(buffer->payload_size));
}

static json_t *json_alias(const gmem_planned_t *planned, size_t index) {
  const gmem_planned_alias_t *alias = gmem_planned_alias(planned, index);
  return json_pack(
      "{s:s, s:o, s:o, s:o}", "kind", gmem_sharing_name(alias->kind), "child",
      json_text(gmem_planned_buffer(planned, alias->child)->name), "parent",
      json_text(gmem_planned_buffer(planned, alias->parent)->name), "offset",
      json_bytes(alias->offset));
}

static json_t *json_workbuffer(const gmem_planned_t *planned, size_t index) {
  const gmem_planned_workbuffer_t *workbuffer =
      gmem_planned_workbuffer(planned, index);
  json_t *steps = json_array();
  for (size_t i = 0; i < workbuffer->step_count; ++i)
    json_array_append_new(steps,
                          json_integer((json_int_t)workbuffer->steps[i]));
  return json_pack(
      "{s:o, s:I, s:s, s:I, s:o, s:o, s:o}", "buffer",
      json_text(gmem_planned_buffer(planned, workbuffer->buffer)->name),
      "number", (json_int_t)workbuffer->number, "kind",
      workbuffer->immutable ? "immutable" : "mutable", "threads",
      (json_int_t)workbuffer->threads, "thread_size",
      json_bytes(workbuffer->thread_size), "thread_stride",
      json_bytes(workbuffer->thread_stride), "steps", steps);
}

static json_t *json_plan(const gmem_planned_t *planned) {
  const gmem_planned_figures_t *figures = gmem_planned_figures(planned);
  json_t *pools = json_array(), *buffers = json_array();
  json_t *aliases = json_array(), *workbuffers = json_array();
  for (uint32_t i = 0; i < gmem_planned_pool_count(planned); ++i)
    json_array_append_new(pools, json_pool(gmem_planned_pool(planned, i)));
  for (uint32_t i = 0; i < gmem_planned_buffer_count(planned); ++i)
    json_array_append_new(buffers, json_buffer(planned, i));
  for (size_t i = 0; i < gmem_planned_alias_count(planned); ++i)
    json_array_append_new(aliases, json_alias(planned, i));
  for (size_t i = 0; i < gmem_planned_workbuffer_count(planned); ++i)
    json_array_append_new(workbuffers, json_workbuffer(planned, i));
  return json_pack("{s:i, s:o, s:o, s:o, s:b, s:I, s:o, s:o, s:o, s:o}",
                   "version", 1, "algorithm", json_text(figures->algorithm),
                   "peak", json_bytes(figures->peak), "lower_bound",
                   json_bytes(figures->lower_bound), "optimal",
                   figures->optimal, "steps", (json_int_t)figures->step_count,
                   "pools", pools, "buffers", buffers, "aliases", aliases,
                   "workbuffers", workbuffers);
}

static int write_json(const char *bytes, size_t length, void *output) {
  return gmem_output_write(output, bytes, length) == GMEM_OK ? 0 : -1;
}

static gmem_status_t to_json(const gmem_planned_t *planned,
                             gmem_output_t *output, const options_t *options,
                             gmem_diag_t *diag) {
  (void)options;
  json_t *plan = json_plan(planned);
  if (!plan)
    return set_error(diag, GMEM_ERR_OUT_OF_MEMORY, "out of memory");
  // The output records write errors; the commit reports them.
  (void)json_dump_callback(plan, write_json, output, JSON_INDENT(2));
  (void)gmem_output_write(output, "\n", 1);
  json_decref(plan);
  return GMEM_OK;
}

//===--- plan image -------------------------------------------------------===//

// The output records write errors; the commit reports them.
static gmem_status_t write_image(void *output, const void *bytes, size_t size,
                                 gmem_diag_t *diag) {
  (void)diag;
  (void)gmem_output_write(output, bytes, size);
  return GMEM_OK;
}

static void remark_unknown(const options_t *options, uint32_t count) {
  fprintf(stderr,
          "gmem-translate: remark: %s: the module does not contain the bytes "
          "of %" PRIu32 " constants\n",
          options->input, count);
}

static gmem_status_t to_image(const gmem_planned_t *planned,
                              gmem_output_t *output, const options_t *options,
                              gmem_diag_t *diag) {
  gmem_image_weights_t weights;
  gmem_status_t status =
      gmem_image_weights_read(planned, options->weights, &weights, diag);
  if (status == GMEM_OK)
    status =
        gmem_planned_image_write(planned, &weights, write_image, output, diag);
  if (status == GMEM_OK && weights.unknown)
    remark_unknown(options, weights.unknown);
  gmem_image_weights_free(&weights);
  return status;
}

//===--- CSV --------------------------------------------------------------===//

// Returns the pool of that name, or the first workspace pool if |name| is NULL.
static uint32_t choose_pool(const gmem_planned_t *planned, const char *name) {
  for (uint32_t i = 0; i < gmem_planned_pool_count(planned); ++i) {
    const gmem_planned_pool_t *pool = gmem_planned_pool(planned, i);
    if (name ? strcmp(pool->name, name) == 0 : !pool->constant)
      return i;
  }
  return UINT32_MAX;
}

// Adds the buffers of the pool that own bytes, live while they own them, and
// their placements: CSV cannot express aliases.
static gmem_status_t fill_problem(const gmem_planned_t *planned, uint32_t pool,
                                  gmem_problem_t *problem,
                                  gmem_placement_t *plan, gmem_diag_t *diag) {
  gmem_status_t status = GMEM_OK;
  for (uint32_t i = 0;
       i < gmem_planned_buffer_count(planned) && status == GMEM_OK; ++i) {
    const gmem_planned_buffer_t *buffer = gmem_planned_buffer(planned, i);
    if (buffer->pool != pool || buffer->alias_of != GMEM_NO_BUFFER ||
        buffer->owned_count == 0)
      continue;
    uint32_t id;
    gmem_buffer_spec_t spec = {.name = buffer->name,
                               .size = buffer->size,
                               .alignment = buffer->alignment,
                               .ranges = buffer->owned,
                               .range_count = buffer->owned_count};
    status = gmem_problem_add_buffer(problem, &spec, &id, diag);
    if (status == GMEM_OK)
      plan[id] = (gmem_placement_t){.offset = buffer->offset, .pool = 0};
  }
  return status;
}

// Writes one pool as a problem with its solution.
static gmem_status_t to_csv(const gmem_planned_t *planned,
                            gmem_output_t *output, const options_t *options,
                            gmem_diag_t *diag) {
  uint32_t pool = choose_pool(planned, options->pool);
  if (pool == UINT32_MAX)
    return set_error(diag, GMEM_ERR_NOT_FOUND,
                     "the plan has no pool of this name");
  gmem_problem_t *problem = NULL;
  gmem_placement_t *plan =
      calloc(gmem_planned_buffer_count(planned) + 1u, sizeof *plan);
  gmem_pool_spec_t spec = {.name = gmem_planned_pool(planned, pool)->name,
                           .capacity = GMEM_UNLIMITED,
                           .alignment = 1};
  uint32_t ignored;
  gmem_status_t status =
      plan ? gmem_problem_create(NULL, &problem, diag)
           : set_error(diag, GMEM_ERR_OUT_OF_MEMORY, "out of memory");
  if (status == GMEM_OK)
    status = gmem_problem_add_pool(problem, &spec, &ignored, diag);
  if (status == GMEM_OK)
    status = fill_problem(planned, pool, problem, plan, diag);
  if (status == GMEM_OK)
    status = gmem_csv_write(problem, plan, 0, gmem_output_write, output, diag);
  gmem_problem_destroy(problem);
  free(plan);
  return status;
}

//===--- command line -----------------------------------------------------===//

enum {
  OPTION_JSON = 256,
  OPTION_IMAGE,
  OPTION_CSV,
  OPTION_C,
  OPTION_POOL,
  OPTION_WEIGHTS,
  OPTION_RANDOM_WEIGHTS,
  OPTION_ALLOW
};

static const struct argp_option option_table[] = {
    {"gmem-to-json", OPTION_JSON, NULL, 0,
     "write the plan as JSON (docs/plan-json.md)", 0},
    {"gmem-to-image", OPTION_IMAGE, NULL, 0,
     "write a plan image for the runtime (docs/plan-image.md)", 0},
    {"gmem-to-csv", OPTION_CSV, NULL, 0,
     "write one pool as a CSV problem with its solution, for gmem-solve. The "
     "live range of a row is when the tensor owns its bytes; tensors that lie "
     "in others throughout their live range are omitted (docs/problem-csv.md)",
     0},
    {"gmem-to-c", OPTION_C, NULL, 0,
     "write MODEL.h and MODEL.c, which run the network, to the directory given "
     "by -o (docs/generated-c.md)",
     0},
    {"pool", OPTION_POOL, "NAME", 0,
     "pool for --gmem-to-csv (default: the first workspace pool)", 0},
    {"weights", OPTION_WEIGHTS, "WHICH", 0,
     "what --gmem-to-image stores of constants besides their offsets: none "
     "(default); digests (SHA-256 digests of the constants whose bytes the "
     "module contains); known (also the bytes of the constant pools whose "
     "bytes are all in the module; others must be supplied when the image is "
     "opened); all (the bytes of all constants; an error if the module lacks "
     "some)",
     0},
    {"random-weights", OPTION_RANDOM_WEIGHTS, "SEED", OPTION_ARG_OPTIONAL,
     "replace constants whose elements are all equal, and constants without "
     "values, by the same pseudo-random values as gmem-run --random-weights "
     "(default seed: 1)",
     0},
    {"output", 'o', "FILE", 0,
     "write to FILE, atomically (default: standard output); for --gmem-to-c a "
     "directory (default: the current one)",
     0},
    {"allow-unregistered-dialect", OPTION_ALLOW, NULL, 0,
     "accepted for compatibility with mlir-opt; unregistered dialects are "
     "always allowed",
     0},
    {0}};

static const char documentation[] =
    "Verifies the plan in PLANNED.mlir (default: standard input) and writes it "
    "in another format.\v"
    "Example:\n\n"
    "  $ gmem-opt --gmem-plan network.mlir -o planned.mlir\n"
    "  $ gmem-translate --gmem-to-json planned.mlir -o plan.json\n"
    "  $ gmem-translate --gmem-to-image --weights=all planned.mlir "
    "-o network.gmem\n"
    "  $ gmem-translate --gmem-to-c --name=network planned.mlir -o src\n\n"
    "Exit status: 0 on success; 1 if the file cannot be read or its plan is "
    "invalid; 2 if the command line is invalid.";

static void choose(options_t *options, translate_fn translate,
                   struct argp_state *state) {
  if (options->translate || options->is_c)
    argp_error(state, "expected a single --gmem-to-... option");
  options->translate = translate;
}

static gmem_image_weights_mode_t parse_weights(const char *text,
                                               struct argp_state *state) {
  static const char *const names[] = {"none", "digests", "known", "all"};
  for (int i = 0; i < 4; ++i)
    if (strcmp(text, names[i]) == 0)
      return (gmem_image_weights_mode_t)i;
  argp_error(state, "--weights: unknown value '%s'", text);
  return GMEM_IMAGE_WEIGHTS_NONE;
}

static uint64_t parse_seed(const char *text, struct argp_state *state) {
  char *end;
  if (!text)
    return 1;
  errno = 0;
  unsigned long long seed = strtoull(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno)
    argp_error(state, "--random-weights: '%s' is not a number", text);
  return seed;
}

static void check_options(options_t *options, struct argp_state *state) {
  if (!options->translate && !options->is_c)
    argp_error(state, "no output format given: use --gmem-to-json, "
                      "--gmem-to-image, --gmem-to-csv or --gmem-to-c");
  if (options->weights && options->translate != to_image)
    argp_error(state, "--weights requires --gmem-to-image");
  if (gmem_c_has_options(&options->c) && !options->is_c)
    argp_error(state, "options for C require --gmem-to-c");
  if (!options->is_c && !options->output)
    options->output = "-";
  if (!options->is_c)
    return;
  gmem_c_check_options(&options->c, state);
  if (!options->output)
    options->output = ".";
  if (strcmp(options->output, "-") == 0)
    argp_error(state,
               "--gmem-to-c writes several files: -o must name a directory");
  options->c.folder = options->output;
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
  options_t *options = state->input;
  switch (key) {
  case OPTION_JSON:
    choose(options, to_json, state);
    return 0;
  case OPTION_IMAGE:
    choose(options, to_image, state);
    return 0;
  case OPTION_CSV:
    choose(options, to_csv, state);
    return 0;
  case OPTION_C:
    choose(options, NULL, state);
    options->is_c = true;
    return 0;
  case OPTION_POOL:
    options->pool = argument;
    return 0;
  case OPTION_WEIGHTS:
    options->weights = parse_weights(argument, state);
    return 0;
  case OPTION_RANDOM_WEIGHTS:
    options->randomize = true;
    options->seed = parse_seed(argument, state);
    return 0;
  case OPTION_ALLOW:
    return 0;
  case 'o':
    options->output = argument;
    return 0;
  case ARGP_KEY_ARG:
    if (state->arg_num)
      argp_error(state, "expected a single PLANNED.mlir");
    options->input = argument;
    return 0;
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &options->c;
    return 0;
  case ARGP_KEY_END:
    check_options(options, state);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

//===--- translation ------------------------------------------------------===//

static int report(const char *path, const gmem_diag_t *diag) {
  fprintf(stderr, "gmem-translate: error: %s: %s\n", path, diag->text);
  return EXIT_INPUT;
}

static int write_artifact(const gmem_planned_t *planned,
                          const options_t *options) {
  gmem_diag_t diag;
  gmem_output_t *output;
  if (gmem_output_open(options->output, &output, &diag) != GMEM_OK)
    return report(options->output, &diag);
  if (options->translate(planned, output, options, &diag) != GMEM_OK) {
    gmem_output_abort(output);
    return report(options->input, &diag);
  }
  if (gmem_output_commit(output, &diag) != GMEM_OK)
    return report(options->output, &diag);
  return 0;
}

static int write_c(const gmem_planned_t *planned, MlirContext context,
                   const options_t *options) {
  MlirModule module = {NULL};
  if (options->c.compiled) {
    module = gmem_module_parse(context, "gmem-translate", options->c.compiled);
    if (mlirModuleIsNull(module))
      return EXIT_INPUT;
  }
  gmem_diag_t diag;
  char *path;
  uint32_t unknown;
  gmem_status_t status =
      gmem_c_write(planned, &options->c, module, &path, &unknown, &diag);
  if (status != GMEM_OK)
    report(path ? path : options->input, &diag);
  else if (unknown)
    remark_unknown(options, unknown);
  free(path);
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  return status == GMEM_OK ? 0 : EXIT_INPUT;
}

// MLIR's parser and the plan reader report their own errors, with locations.
static int translate(MlirContext context, const options_t *options) {
  MlirModule module =
      gmem_module_parse(context, "gmem-translate", options->input);
  if (mlirModuleIsNull(module))
    return EXIT_INPUT;
  if (options->randomize)
    (void)gmem_randomize_constants(module, options->seed);
  gmem_planned_t *planned;
  int code = EXIT_INPUT;
  if (gmem_planned_read(mlirModuleGetOperation(module), NULL, &planned, NULL) ==
      GMEM_OK) {
    code = options->is_c ? write_c(planned, context, options)
                         : write_artifact(planned, options);
    gmem_planned_destroy(planned);
  }
  mlirModuleDestroy(module);
  return code;
}

int main(int argc, char **argv) {
  signal(SIGXFSZ, SIG_IGN); // writing past the file size limit returns EFBIG
  static const struct argp_child children[] = {
      {&gmem_c_argp, 0, "Options for --gmem-to-c:", 1}, {0}};
  static const struct argp parser = {
      option_table, parse_option, "[PLANNED.mlir]", documentation, children,
      NULL,         NULL};
  options_t options = {.input = "-", .c.outputs = -1};
  argp_err_exit_status = EXIT_USAGE;
  if (argp_parse(&parser, argc, argv, 0, NULL, &options))
    return EXIT_USAGE;
  MlirContext context = gmem_context_create("gmem-translate");
  int code = translate(context, &options);
  mlirContextDestroy(context);
  return code;
}
