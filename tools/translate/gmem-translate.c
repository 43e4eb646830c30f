// gmem-translate.c - writes a plan as JSON, plan image, CSV or C.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <argp.h>
#include <inttypes.h>
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
#include "numbers.h"
#include "plan_csv.h"
#include "plan_json.h"
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

//===--- formats ----------------------------------------------------------===//

static gmem_status_t to_json(const gmem_planned_t *planned,
                             gmem_output_t *output, const options_t *options,
                             gmem_diag_t *diag) {
  (void)options;
  return gmem_plan_to_json(planned, output, diag);
}

static gmem_status_t to_csv(const gmem_planned_t *planned,
                            gmem_output_t *output, const options_t *options,
                            gmem_diag_t *diag) {
  return gmem_plan_to_csv(planned, options->pool, output, diag);
}

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
  uint64_t seed = 1;
  if (text && !gmem_parse_count(text, 0, UINT64_MAX, &seed))
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
