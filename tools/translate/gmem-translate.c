// gmem-translate.c - writes a plan as JSON, plan image, CSV or C.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"
#include "gmem/version.h"
#include "mlir_files.h"
#include "numbers.h"
#include "random_weights.h"
#include "translate_options.h"

enum { EXIT_INPUT = 1, EXIT_USAGE = 2 };

// Overrides a variable of libc, which must see it.
__attribute__((visibility("default"))) const char *argp_program_version =
    "gmem-translate " GMEM_VERSION_STRING;

typedef struct format_s {
  gmem_format_fn write;
  const char *option, *help;
  unsigned takes;
} format_t;

static const format_t formats[] = {
#define FORMAT(function, option, takes, help) {function, option, help, takes},
    GMEM_FORMATS(FORMAT)
#undef FORMAT
};

enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

// Input of the parser.
typedef struct command_s {
  gmem_translate_options_t options;
  const format_t *format;
} command_t;

//===--- command line -----------------------------------------------------===//

enum {
  OPTION_POOL = 256,
  OPTION_WEIGHTS,
  OPTION_RANDOM_WEIGHTS,
  OPTION_ALLOW,
  OPTION_FORMAT, // and following: of |formats|; below those of gmem_c_argp
};

static const struct argp_option option_table[] = {
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

static uint64_t parse_seed(const char *text, struct argp_state *state) {
  uint64_t seed = 1;
  if (text && !gmem_parse_count(text, 0, UINT64_MAX, &seed))
    argp_error(state, "--random-weights: '%s' is not a number", text);
  return seed;
}

static const format_t *choose_format(const command_t *command, int key,
                                     struct argp_state *state) {
  if (command->format)
    argp_error(state, "expected a single --gmem-to-... option");
  return &formats[key - OPTION_FORMAT];
}

// "no output format given: use --gmem-to-json, --gmem-to-image or ...".
static void refuse_no_format(struct argp_state *state) {
  char list[512] = "";
  for (int i = 0; i < FORMAT_COUNT; ++i)
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s--%s",
             i == 0                 ? ""
             : i < FORMAT_COUNT - 1 ? ", "
                                    : " or ",
             formats[i].option);
  argp_error(state, "no output format given: use %s", list);
}

// The option of the format that takes |what|.
static const char *format_that_takes(unsigned what) {
  const format_t *format = formats;
  while (!(format->takes & what))
    ++format;
  return format->option;
}

static void check_command(command_t *command, struct argp_state *state) {
  gmem_translate_options_t *options = &command->options;
  if (!command->format) {
    refuse_no_format(state);
    return;
  }
  unsigned takes = command->format->takes;
  if (options->weights && !(takes & GMEM_TAKES_WEIGHTS))
    argp_error(state, "--weights requires --%s",
               format_that_takes(GMEM_TAKES_WEIGHTS));
  if (options->c.count && !(takes & GMEM_TAKES_C_OPTIONS))
    argp_error(state, "options for C require --%s",
               format_that_takes(GMEM_TAKES_C_OPTIONS));
  if (takes & GMEM_TAKES_C_OPTIONS)
    gmem_c_check_options(&options->c, state);
  if (!options->output)
    options->output = takes & GMEM_IN_FOLDER ? "." : "-";
  if ((takes & GMEM_IN_FOLDER) && strcmp(options->output, "-") == 0)
    argp_error(state, "--%s writes several files: -o must name a directory",
               command->format->option);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
  command_t *command = state->input;
  gmem_translate_options_t *options = &command->options;
  switch (key) {
  case OPTION_POOL:
    options->pool = argument;
    return 0;
  case OPTION_WEIGHTS:
    options->weights = (gmem_image_weights_mode_t)gmem_choose_word(
        "weights", argument, "none digests known all", state);
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
    check_command(command, state);
    return 0;
  default:
    if (key < OPTION_FORMAT || key >= OPTION_FORMAT + FORMAT_COUNT)
      return ARGP_ERR_UNKNOWN;
    command->format = choose_format(command, key, state);
    return 0;
  }
}

// Parses the command line, whose options are |formats| and |option_table|.
static error_t parse(int argc, char **argv, command_t *command) {
  static const struct argp_child children[] = {
      {&gmem_c_argp, 0, "Options for --gmem-to-c:", 1}, {0}};
  struct argp_option
      options[FORMAT_COUNT + sizeof option_table / sizeof *option_table];
  for (int i = 0; i < FORMAT_COUNT; ++i)
    options[i] = (struct argp_option){.name = formats[i].option,
                                      .key = OPTION_FORMAT + i,
                                      .doc = formats[i].help};
  memcpy(options + FORMAT_COUNT, option_table, sizeof option_table);
  struct argp parser = {options,       parse_option, "[PLANNED.mlir]",
                        documentation, children,     NULL,
                        NULL};
  argp_err_exit_status = EXIT_USAGE;
  return argp_parse(&parser, argc, argv, 0, NULL, command);
}

//===--- translation ------------------------------------------------------===//

static gmem_status_t write_output(const format_t *format,
                                  gmem_translation_t *translation,
                                  gmem_diag_t *diag) {
  gmem_output_files_t *files = &translation->files;
  if (!(format->takes & GMEM_IN_FOLDER))
    GMEM_TRY(
        gmem_output_files_add(files, diag, "%s", translation->options->output));
  GMEM_TRY(format->write(translation, diag));
  GMEM_TRY(gmem_output_files_prepare(files, diag));
  return gmem_output_files_commit(files, diag);
}

static gmem_status_t translate_plan(const command_t *command,
                                    const gmem_planned_t *planned,
                                    MlirContext context) {
  gmem_translation_t translation = {
      .options = &command->options, .planned = planned, .context = context};
  gmem_diag_t diag = {0};
  gmem_status_t status = write_output(command->format, &translation, &diag);
  const char *input = command->options.input;
  const char *failed = translation.files.failed;
  const char *text = translation.message ? translation.message : diag.text;
  if (status != GMEM_OK && *text)
    fprintf(stderr, "gmem-translate: error: %s: %s\n", failed ? failed : input,
            text);
  if (status == GMEM_OK && translation.unknown)
    fprintf(stderr,
            "gmem-translate: remark: %s: the module does not contain the bytes "
            "of %" PRIu32 " constants\n",
            input, translation.unknown);
  gmem_output_files_free(&translation.files);
  free(translation.message);
  return status;
}

// MLIR's parser and the plan reader report their own errors, with locations.
static gmem_status_t translate(const command_t *command, MlirContext context) {
  const gmem_translate_options_t *options = &command->options;
  MlirModule module =
      gmem_module_parse(context, "gmem-translate", options->input);
  if (mlirModuleIsNull(module))
    return GMEM_ERR_PARSE;
  if (options->randomize)
    (void)gmem_randomize_constants(module, options->seed);
  gmem_planned_t *planned;
  gmem_status_t status =
      gmem_planned_read(mlirModuleGetOperation(module), NULL, &planned, NULL);
  if (status == GMEM_OK) {
    status = translate_plan(command, planned, context);
    gmem_planned_destroy(planned);
  }
  mlirModuleDestroy(module);
  return status;
}

int main(int argc, char **argv) {
  signal(SIGXFSZ, SIG_IGN); // writing past the file size limit returns EFBIG
  command_t command = {.options = {.input = "-", .c.outputs = -1}};
  if (parse(argc, argv, &command))
    return EXIT_USAGE;
  MlirContext context = gmem_context_create("gmem-translate");
  gmem_status_t status = translate(&command, context);
  mlirContextDestroy(context);
  return status == GMEM_OK ? 0 : EXIT_INPUT;
}
