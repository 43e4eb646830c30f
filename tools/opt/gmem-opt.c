// gmem-opt.c - mlir-opt with the gmem passes and dialect.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "command_line.h"
#include "dialect.h"
#include "files.h"
#include "gmem/passes.h"
#include "load_algorithm.h"
#include "messages.h"
#include "mlir-c/RegisterEverything.h"
#include "opt_main.h"
#include "plan_file.h"
#include "standard_streams.h"

// Appends to the output, which the first piece opens and a piece without bytes
// completes.
static int write_output(void *user, const char *path, const char *bytes,
                        size_t size) {
  gmem_output_t **output = user;
  gmem_diag_t diag;
  gmem_status_t status = GMEM_OK;
  if (!*output)
    status = gmem_output_open(path, output, &diag);
  if (status == GMEM_OK && size) {
    (void)gmem_output_write(*output, bytes, size); // commit reports errors
  } else if (status == GMEM_OK) {
    status = gmem_output_commit(*output, &diag);
    *output = NULL;
  }
  return gmem_tool_check(status, &diag, "%s", path) != GMEM_OK;
}

// Prints the gmem part of --help; MLIR prints the rest.
static void print_passes(void) {
  puts("gmem-opt: mlir-opt with the gmem passes, which assign addresses in\n"
       "accelerator memory to the tensors of a network and offsets in an arena "
       "to\n"
       "the memrefs of a program.\n\n"
       "EXAMPLES:\n"
       "  gmem-opt --gmem-plan network.mlir -o planned.mlir\n"
       "  gmem-opt --gmem-plan='algorithm=ref-count keep-inputs=true' n.mlir\n"
       "  gmem-opt --pass-pipeline='builtin.module(cse,gmem-plan)' n.mlir\n"
       "  gmem-opt --gmem-verify-plan planned.mlir -o /dev/null\n"
       "  gmem-opt --gmem-bufferize-and-plan --gmem-materialize linalg.mlir\n"
       "  gmem-opt --gmem-report network.mlir -o /dev/null\n"
       "  gmem-opt --gmem-list-op-models > known.mlir\n"
       "  gmem-opt --allow-unregistered-dialect \\\n"
       "    --gmem-plan=op-models=my.mlir n.mlir  (docs/own-dialect.md)\n\n"
       "ADDITIONAL OPTIONS:\n"
       "  --load-algorithm=FILE[:NAME]\n"
       "        load the placement algorithms of a shared library for "
       "algorithm=;\n"
       "        with NAME, load only that algorithm and make it the default\n"
       "  --gmem-debug=PHASES\n"
       "        print the results of phases of the analysis on standard error: "
       "a list,\n"
       "        separated by +, of program, liveness, sharing, pools, problem "
       "and plan\n"
       "  --gmem-list-op-models\n"
       "        print the built-in op models and exit\n\n"
       "GMEM PASSES AND THEIR OPTIONS:");
  for (size_t i = 0; i < gmem_pass_count(); ++i) {
    const gmem_pass_descriptor_t *pass = gmem_pass_at(i);
    printf("  --%s\n        %s\n", pass->name, pass->summary);
    for (size_t j = 0; j < pass->option_count; ++j)
      printf("      %s=%s\n          %s\n", pass->options[j].name,
             pass->options[j].default_value, pass->options[j].help);
  }
  puts("\nOPTIONS OF MLIR-OPT:");
  fflush(stdout);
}

// Prints the built-in model files, concatenated to one model file.
static int list_op_models(void) {
  for (size_t i = 0; i < gmem_model_text_count; ++i) {
    if (i)
      putchar('\n');
    fwrite(gmem_model_texts[i].bytes, 1, gmem_model_texts[i].length, stdout);
  }
  return gmem_tool_flush() != GMEM_OK;
}

// Returns the value of the option |name| if argv[i] is that option, else NULL.
// *out_used is the number of arguments that the option occupies.
static const char *value_of(const char *name, int argc, char **argv, int i,
                            int *out_used) {
  const char *text = argv[i];
  size_t length = strlen(name);
  if (*text++ != '-')
    return NULL;
  text += *text == '-';
  if (strncmp(text, name, length) != 0)
    return NULL;
  *out_used = text[length] == '=' ? 1 : 2;
  if (text[length] == '=')
    return text + length + 1;
  return text[length] == '\0' ? (i + 1 < argc ? argv[i + 1] : "") : NULL;
}

// Processes the --load-algorithm options and removes them from |argv|: the
// algorithms must be known before MLIR parses pass options.
static gmem_status_t load_algorithms(gmem_loaded_t *loaded, int *argc,
                                     char **argv) {
  int kept = 1, used = 1;
  for (int i = 1; i < *argc; i += used) {
    used = 1;
    const char *value = value_of("load-algorithm", *argc, argv, i, &used);
    gmem_diag_t message;
    if (!value) {
      argv[kept++] = argv[i];
      continue;
    }
    GMEM_TRY(gmem_tool_check(gmem_loaded_add(loaded, value, &message), &message,
                             "--load-algorithm"));
  }
  assert(kept <= *argc || *argc == 0);
  if (*argc > 0)
    argv[ *argc = kept] = NULL;
  return GMEM_OK;
}

// Whether an argument is |name| after one dash or two, as LLVM reads them.
static bool is_given(const char *name, int argc, char **argv) {
  for (int i = 1; i < argc; ++i)
    if (argv[i][0] == '-' &&
        strcmp(argv[i] + 1 + (argv[i][1] == '-'), name) == 0)
      return true;
  return false;
}

int main(int argc, char **argv) {
  gmem_tool_begin();
  if (is_given("help", argc, argv) || is_given("h", argc, argv) ||
      is_given("help-hidden", argc, argv))
    print_passes();
  if (is_given("version", argc, argv) || is_given("V", argc, argv)) {
    gmem_print_version(GMEM_MLIR_VERSION);
    return gmem_tool_flush() != GMEM_OK;
  }
  if (is_given("gmem-list-op-models", argc, argv))
    return list_op_models();
  gmem_loaded_t loaded = {0};
  if (load_algorithms(&loaded, &argc, argv) != GMEM_OK) {
    gmem_loaded_free(&loaded);
    return GMEM_EXIT_USAGE;
  }
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirRegisterAllPasses();
  const gmem_more_algorithms_t more = {loaded.at, loaded.count, loaded.chosen};
  gmem_register_passes_with(&more);
  gmem_register_plan_reader(gmem_plan_file_read);
  gmem_output_t *output = NULL;
  int code = gmem_opt_main(argc, argv, registry, write_output, &output,
                           GMEM_EXIT_USAGE);
  gmem_output_abort(output);
  mlirDialectRegistryDestroy(registry);
  gmem_loaded_free(&loaded);
  return code;
}
