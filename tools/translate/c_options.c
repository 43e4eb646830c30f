// c_options.c - the options of --gmem-to-c.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "translate_options.h"

#include <string.h>

#include "numbers.h"

enum {
  OPTION_NAME = 512, // above the keys of gmem-translate
  OPTION_WORKSPACES,
  OPTION_PARAMETERS,
  OPTION_IO,
  OPTION_ENTRY,
  OPTION_FUNCTION,
  OPTION_COMPILED,
  OPTION_OUTPUTS,
  OPTION_NAMES
};

static const struct argp_option option_table[] = {
    {"name", OPTION_NAME, "MODEL", 0,
     "name of the model: the prefix of all files, macros, types and functions",
     0},
    {"workspaces", OPTION_WORKSPACES, "OWNER", 0,
     "static (default): workspaces are arrays of the model, which is not "
     "reentrant; given: the caller of run passes them",
     0},
    {"parameters", OPTION_PARAMETERS, "OWNER", 0,
     "static (default): constants are arrays of the model; given: the caller "
     "passes them, for example the arrays of MODEL_data.c; extern: the arrays "
     "are declared but defined elsewhere, and their bytes are written to "
     "MODEL_POOL.bin",
     0},
    {"io", OPTION_IO, "WHERE", 0,
     "caller (default): inputs and outputs are in the caller's memory and are "
     "copied to and from their planned offsets; workspace: the caller accesses "
     "them at their planned offsets",
     0},
    {"entry", OPTION_ENTRY, "WHAT", 0,
     "what run calls: operators (default): one user-defined function per kind "
     "of op; compiled: the network, compiled ahead of time (--compiled); none: "
     "no run function is generated",
     0},
    {"function", OPTION_FUNCTION, "NAME", 0,
     "function to run (default: the only one that no other function calls; for "
     "a compiled module, the only public one)",
     0},
    {"compiled", OPTION_COMPILED, "MODULE.mlir", 0,
     "for --entry=compiled: the module that is compiled, after "
     "gmem-materialize{arena-mode=arg}",
     0},
    {"outputs", OPTION_OUTPUTS, "COUNT", 0,
     "for --entry=compiled: the last COUNT arguments that are not arenas are "
     "outputs (default: the arguments marked bufferize.result)",
     0},
    {"names", OPTION_NAMES, "HOW", 0,
     "names of tensors: plan (default): as in the plan; numbers: t0, t1...", 0},
    {0}};

int gmem_choose_word(const char *option, const char *text, const char *words,
                     struct argp_state *state) {
  size_t length = strlen(text);
  for (int i = 0;; ++i) {
    size_t size = strcspn(words, " ");
    if (size == length && memcmp(words, text, length) == 0)
      return i;
    if (!words[size])
      break;
    words += size + 1;
  }
  argp_error(state, "--%s: unknown value '%s'", option, text);
  return 0;
}

static int parse_count(const char *text, struct argp_state *state) {
  uint64_t count = 0;
  if (!gmem_parse_count(text, 0, 1000000, &count))
    argp_error(state, "--outputs: '%s' is not a number of arguments", text);
  return (int)count;
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
  gmem_c_options_t *options = state->input;
  options->count += key >= OPTION_NAME && key <= OPTION_NAMES;
  switch (key) {
  case OPTION_NAME:
    options->name = argument;
    return 0;
  case OPTION_WORKSPACES:
    options->workspaces = (gmem_c_workspaces_t)gmem_choose_word(
        "workspaces", argument, "static given", state);
    return 0;
  case OPTION_PARAMETERS:
    options->parameters = (gmem_c_parameters_t)gmem_choose_word(
        "parameters", argument, "static given extern", state);
    return 0;
  case OPTION_IO:
    options->io = (gmem_c_io_t)gmem_choose_word("io", argument,
                                                "caller workspace", state);
    return 0;
  case OPTION_ENTRY:
    options->entry = (gmem_c_entry_kind_t)gmem_choose_word(
        "entry", argument, "operators compiled none", state);
    return 0;
  case OPTION_FUNCTION:
    options->function = argument;
    return 0;
  case OPTION_COMPILED:
    options->compiled = argument;
    return 0;
  case OPTION_OUTPUTS:
    options->outputs = parse_count(argument, state);
    return 0;
  case OPTION_NAMES:
    options->numbers =
        gmem_choose_word("names", argument, "plan numbers", state) == 1;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

const struct argp gmem_c_argp = {option_table, parse_option, NULL, NULL,
                                 NULL,         NULL,         NULL};

void gmem_c_check_options(gmem_c_options_t *options, struct argp_state *state) {
  bool is_compiled = options->entry == GMEM_C_ENTRY_COMPILED;
  if (!options->name)
    argp_error(state, "--gmem-to-c requires --name");
  if (is_compiled != (options->compiled != NULL))
    argp_error(
        state,
        "--entry=compiled and --compiled=MODULE.mlir require each other");
  if (options->outputs >= 0 && !is_compiled)
    argp_error(state, "--outputs requires --entry=compiled");
  if (options->io == GMEM_C_IO_WORKSPACE &&
      options->entry != GMEM_C_ENTRY_OPERATORS)
    argp_error(state, "--io=workspace requires --entry=operators");
  // Without run, the generated code uses no arrays.
  if (options->entry != GMEM_C_ENTRY_NONE)
    return;
  options->workspaces = GMEM_C_WORKSPACES_GIVEN;
  if (options->parameters == GMEM_C_PARAMETERS_STATIC)
    options->parameters = GMEM_C_PARAMETERS_GIVEN;
}
