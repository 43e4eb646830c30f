// translate_options.c - the command line of gmem-translate.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>
#include <string.h>

#include "formats.h"

static const gmem_format_t formats[] = {
#define FORMAT(function, option, takes, help) {function, option, takes},
    GMEM_FORMATS(FORMAT)
#undef FORMAT
};

enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

static void parse_format(const gmem_option_t *option, void *member,
                         const char *argument, struct argp_state *state) {
  const gmem_format_t **chosen = member;
  (void)argument;
  if (*chosen)
    argp_error(state, "expected a single --gmem-to-... option");
  for (int i = 0; i < FORMAT_COUNT; ++i)
    if (strcmp(formats[i].option, option->name) == 0)
      *chosen = &formats[i];
}

//===--- options ----------------------------------------------------------===//

enum { FOR_C = 1 }; // group

#define AT(member) .offset = offsetof(gmem_translate_options_t, member)
#define TEXT(member) .kind = GMEM_OPTION_TEXT, AT(member)
#define CHOICE(names, member)                                                  \
  .kind = GMEM_OPTION_CHOICE, .choices = (names), AT(member)
#define OTHER(function) .kind = GMEM_OPTION_OTHER, .parse = (function)

static const char *const weights[] = {"none", "digests", "known", "all", NULL};
static const char *const workspaces[] = {"static", "given", NULL};
static const char *const parameters[] = {"static", "given", "extern", NULL};
static const char *const io[] = {"caller", "workspace", NULL};
static const char *const entries[] = {"operators", "compiled", "none", NULL};
static const char *const names[] = {"plan", "numbers", NULL};

static const gmem_option_t option_table[] = {
    {"pool", 0, "NAME",
     "pool for --gmem-to-csv (default: the first workspace pool)", 0,
     TEXT(pool)},
    {"weights", 0, "WHICH",
     "what --gmem-to-image stores of constants besides their offsets: none "
     "(default); digests (SHA-256 digests of the constants whose bytes the "
     "module contains); known (also the bytes of the constant pools whose "
     "bytes are all in the module; others must be supplied when the image is "
     "opened); all (the bytes of all constants; an error if the module lacks "
     "some)",
     0, CHOICE(weights, weights)},
    {"random-weights", 0, "SEED",
     "replace constants whose elements are all equal, and constants without "
     "values, by the same pseudo-random values as gmem-run --random-weights "
     "(default seed: 1)",
     0, .kind = GMEM_OPTION_SEED, .most = UINT64_MAX, .expected = "a number",
     AT(seed), .is_optional = true},
    {"title", 0, "TEXT",
     "heading of what --gmem-to-html, --gmem-to-svg and --gmem-to-trace write "
     "(default: the name of the input)",
     0, TEXT(title)},
    {"against", 0, "OTHER.mlir",
     "for --gmem-to-html: an older plan to compare with", 0, TEXT(against)},
    {"report", 0, "REPORT.json",
     "for --gmem-to-html: a report of the plan (gmem-report format=json); the "
     "page shows its what-ifs, the values that are not planned, the bytes by "
     "op and the bytes that a run has written",
     0, TEXT(report)},
    {"output", 'o', "FILE",
     "write to FILE, atomically (default: standard output); for --gmem-to-c a "
     "directory (default: the current one)",
     0, TEXT(output)},
    {"allow-unregistered-dialect", 0, NULL,
     "accepted for compatibility with mlir-opt; unregistered dialects are "
     "always allowed",
     0, .kind = GMEM_OPTION_FLAG, AT(allow_unregistered)},
#define FORMAT(function, option, takes, help)                                  \
  {option, 0, NULL, help, 0, OTHER(parse_format), AT(format)},
    GMEM_FORMATS(FORMAT)
#undef FORMAT
        {.doc = "Options for --gmem-to-c:", .group = FOR_C},
    {"name", 0, "MODEL",
     "name of the model: the prefix of all files, macros, types and functions",
     FOR_C, TEXT(c.name)},
    {"workspaces", 0, "OWNER",
     "static (default): workspaces are arrays of the model, which is not "
     "reentrant; given: the caller of run passes them",
     FOR_C, CHOICE(workspaces, c.workspaces)},
    {"parameters", 0, "OWNER",
     "static (default): constants are arrays of the model; given: the caller "
     "passes them, for example the arrays of MODEL_data.c; extern: the arrays "
     "are declared but defined elsewhere, and their bytes are written to "
     "MODEL_POOL.bin",
     FOR_C, CHOICE(parameters, c.parameters)},
    {"io", 0, "WHERE",
     "caller (default): inputs and outputs are in the caller's memory and are "
     "copied to and from their planned offsets; workspace: the caller accesses "
     "them at their planned offsets (with --entry=compiled, the plan of "
     "gmem-bufferize-and-plan{out-params=true workspace-io=true})",
     FOR_C, CHOICE(io, c.io)},
    {"entry", 0, "WHAT",
     "what run calls: operators (default): one user-defined function per kind "
     "of op; compiled: the network, compiled ahead of time (--compiled); none: "
     "no run function is generated",
     FOR_C, CHOICE(entries, c.entry)},
    {"function", 0, "NAME",
     "function to run (default: the only one that no other function calls; for "
     "a compiled module, the only public one)",
     FOR_C, TEXT(c.function)},
    {"compiled", 0, "MODULE.mlir",
     "for --entry=compiled: the module that is compiled, after "
     "gmem-materialize{arena-mode=arg}",
     FOR_C, TEXT(c.compiled)},
    {"outputs", 0, "COUNT",
     "for --entry=compiled: the last COUNT arguments that are not arenas are "
     "outputs (default: the arguments marked bufferize.result)",
     FOR_C, .kind = GMEM_OPTION_UINT32, .most = 1000000, AT(c.outputs),
     .expected = "a number of arguments"},
    {"names", 0, "HOW",
     "names of tensors: plan (default): as in the plan; numbers: t0, t1...",
     FOR_C, CHOICE(names, c.names)},
    {"descriptor", 0, NULL,
     "also define MODEL_model, a constant that describes the model as it does "
     "every other one (gmem/model_desc.h)",
     FOR_C, .kind = GMEM_OPTION_FLAG, AT(c.descriptor)},
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

//===--- combinations -----------------------------------------------------===//

// "no output format given: use --gmem-to-json, --gmem-to-image or ...".
static void refuse_no_format(struct argp_state *state) {
  char list[512] = "";
  for (int i = 0; i < FORMAT_COUNT; ++i) {
    size_t length = strlen(list);
    const char *comma = i == 0 ? "" : i < FORMAT_COUNT - 1 ? ", " : " or ";
    snprintf(list + length, sizeof list - length, "%s--%s", comma,
             formats[i].option);
  }
  argp_error(state, "no output format given: use %s", list);
}

// The option of the format that takes |what|.
static const char *format_that_takes(unsigned what) {
  const gmem_format_t *format = formats;
  while (!(format->takes & what))
    ++format;
  return format->option;
}

static void check_c(gmem_c_options_t *options, struct argp_state *state) {
  bool is_compiled = options->entry == GMEM_C_ENTRY_COMPILED;
  if (!options->name)
    argp_error(state, "--gmem-to-c requires --name");
  if (is_compiled != (options->compiled != NULL))
    argp_error(
        state,
        "--entry=compiled and --compiled=MODULE.mlir require each other");
  if (options->outputs >= 0 && !is_compiled)
    argp_error(state, "--outputs requires --entry=compiled");
  if (options->io == GMEM_C_IO_WORKSPACE && options->entry == GMEM_C_ENTRY_NONE)
    argp_error(state, "--io=workspace requires --entry=operators or compiled");
  if (options->outputs >= 0 && options->io == GMEM_C_IO_WORKSPACE)
    argp_error(state, "--outputs requires --io=caller");
  // Without run, the generated code uses no arrays.
  if (options->entry != GMEM_C_ENTRY_NONE)
    return;
  options->workspaces = GMEM_C_WORKSPACES_GIVEN;
  if (options->parameters == GMEM_C_PARAMETERS_STATIC)
    options->parameters = GMEM_C_PARAMETERS_GIVEN;
}

static void check(void *target, struct argp_state *state) {
  gmem_translate_options_t *options = target;
  unsigned takes = options->format ? options->format->takes : 0;
  if (!options->format)
    refuse_no_format(state);
  if (options->weights && !(takes & GMEM_TAKES_WEIGHTS))
    argp_error(state, "--weights requires --%s",
               format_that_takes(GMEM_TAKES_WEIGHTS));
  if (options->title && !(takes & GMEM_TAKES_TITLE))
    argp_error(state, "--title requires --%s",
               format_that_takes(GMEM_TAKES_TITLE));
  if ((options->against || options->report) &&
      !(takes & GMEM_TAKES_PAGE_OPTIONS))
    argp_error(state, "--%s requires --%s",
               options->against ? "against" : "report",
               format_that_takes(GMEM_TAKES_PAGE_OPTIONS));
  if (options->has_c && !(takes & GMEM_TAKES_C_OPTIONS))
    argp_error(state, "options for C require --%s",
               format_that_takes(GMEM_TAKES_C_OPTIONS));
  if (takes & GMEM_TAKES_C_OPTIONS)
    check_c(&options->c, state);
  if (!options->output)
    options->output = takes & GMEM_IN_FOLDER ? "." : "-";
  if ((takes & GMEM_IN_FOLDER) && strcmp(options->output, "-") == 0)
    argp_error(state, "--%s writes several files: -o must name a directory",
               options->format->option);
}

static void note_option(void *target, const gmem_option_t *option) {
  gmem_translate_options_t *options = target;
  options->has_c |= option->group == FOR_C;
}

static void add_argument(void *target, char *argument,
                         struct argp_state *state) {
  gmem_translate_options_t *options = target;
  if (state->arg_num)
    argp_error(state, "expected a single PLANNED.mlir");
  options->input = argument;
}

bool gmem_translate_options_parse(int argc, char **argv,
                                  gmem_translate_options_t *options) {
  static const gmem_command_line_t line = {
      option_table, "[PLANNED.mlir]", documentation, add_argument, note_option,
      check,        GMEM_MLIR_VERSION};
  return gmem_command_line_parse(&line, argc, argv, options);
}
