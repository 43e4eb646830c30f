// gmem-link.c - places several models in one memory; models that never run
// concurrently share their workspaces.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <argp.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gmem/version.h"
#include "link_check.h"
#include "link_header.h"
#include "link_json.h"
#include "link_place.h"
#include "link_write.h"
#include "mlir-c/RegisterEverything.h"
#include "mlir_files.h"
#include "text_table.h"

enum { EXIT_INPUT = 1, EXIT_USAGE = 2 };

// Overrides a variable of libc, which must see it.
__attribute__((visibility("default"))) const char *argp_program_version =
    "gmem-link " GMEM_VERSION_STRING;

// A --concurrent or --resident option.
typedef struct list_s {
  const char *names;
  bool is_resident;
} list_t;

typedef struct options_s {
  const char **inputs; // has room for all arguments, as has |lists|
  size_t input_count;
  list_t *lists;
  size_t list_count;
  const char *plan;   // pipeline for models without a plan
  const char *folder; // output directory
  const char *prefix; // of the header and its macros
  const char *check;  // link.json, or NULL
  bool json;
  bool debug_info;
} options_t;

//===--- command line -----------------------------------------------------===//

enum {
  OPTION_PLAN = 256,
  OPTION_PREFIX,
  OPTION_CONCURRENT,
  OPTION_RESIDENT,
  OPTION_JSON,
  OPTION_CHECK,
  OPTION_DEBUG_INFO
};

static const struct argp_option option_table[] = {
    {"output", 'o', "DIR", 0,
     "write the results to the existing directory DIR, atomically: the planned "
     "modules with their final addresses, link.json (docs/link.md) and a C "
     "header with sizes and offsets",
     0},
    {"prefix", OPTION_PREFIX, "NAME", 0,
     "name the header NAME_memory.h and begin its macros with NAME in capitals "
     "(default: shared)",
     0},
    {"concurrent", OPTION_CONCURRENT, "NAME,NAME...", 0,
     "these models run concurrently; may be repeated. Models that appear in no "
     "common list must never run concurrently",
     0},
    {"resident", OPTION_RESIDENT, "NAME,NAME...", 0,
     "these models keep the contents of their workspaces between runs, so "
     "their workspaces are not shared",
     0},
    {"plan", OPTION_PLAN, "PIPELINE", 0,
     "pass pipeline that plans models without a plan (default: gmem-plan)", 0},
    {"json", OPTION_JSON, NULL, 0, "print link.json instead of a table", 0},
    {"check", OPTION_CHECK, "FILE", 0,
     "verify FILE, the link.json of an earlier run, and the modules in its "
     "directory; write nothing",
     0},
    {"mlir-print-debuginfo", OPTION_DEBUG_INFO, NULL, 0,
     "write the modules with the locations of ops", 0},
    {0}};

static const char documentation[] =
    "Places the pools of several models in one memory and computes and "
    "verifies the required size of each pool. Workspaces of models that never "
    "run concurrently share bytes; workspaces of concurrent models and "
    "constants do not. A model is named after its file, without .mlir, or by "
    "NAME=FILE.\v"
    "Example:\n\n"
    "  $ gmem-link wake.mlir speech.mlir vision.mlir -o linked \\\n"
    "      --concurrent=wake,speech --concurrent=wake,vision\n\n"
    "Exit status: 0 on success; 1 if a file cannot be read, planned or written "
    "or the models do not fit; 2 if the command line is invalid.";

static void check_options(const options_t *options, struct argp_state *state) {
  if (options->check) {
    if (options->input_count || options->folder || options->list_count)
      argp_error(
          state,
          "--check takes no models, --output, --concurrent or --resident");
    return;
  }
  if (!options->input_count)
    argp_error(state, "no model given");
  if (!options->folder)
    argp_error(state, "no output directory given: use -o DIR");
}

static void add_list(options_t *options, const char *names, bool is_resident) {
  options->lists[options->list_count++] = (list_t){names, is_resident};
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
  options_t *options = state->input;
  switch (key) {
  case 'o':
    options->folder = argument;
    return 0;
  case OPTION_CONCURRENT:
  case OPTION_RESIDENT:
    add_list(options, argument, key == OPTION_RESIDENT);
    return 0;
  case OPTION_PLAN:
    options->plan = argument;
    return 0;
  case OPTION_PREFIX:
    options->prefix = argument;
    return 0;
  case OPTION_JSON:
    options->json = true;
    return 0;
  case OPTION_CHECK:
    options->check = argument;
    return 0;
  case OPTION_DEBUG_INFO:
    options->debug_info = true;
    return 0;
  case ARGP_KEY_ARG:
    options->inputs[options->input_count++] = argument;
    return 0;
  case ARGP_KEY_END:
    check_options(options, state);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

//===--- printing ---------------------------------------------------------===//

static void add_row(gmem_table_t *table, const gmem_link_pool_t *pool) {
  gmem_table_row_t *row = gmem_table_add(table, pool->name);
  gmem_table_cell(row, "%zu", pool->block_count);
  gmem_table_cell(row, "%" PRIu64, pool->sum);
  gmem_table_cell(row, "%" PRIu64, pool->size);
  gmem_table_cell(row, "%" PRIu64, pool->lower_bound);
  gmem_table_cell(row, "%" PRIu64,
                  pool->sum > pool->size ? pool->sum - pool->size : 0);
}

static bool print_table(const gmem_link_pools_t *pools) {
  static const char *const titles[] = {"models", "alone", "linked", "bound",
                                       "saved"};
  gmem_table_t table = {0};
  gmem_table_row_t *head = gmem_table_add(&table, "pool");
  for (size_t i = 0; i < sizeof titles / sizeof *titles; ++i)
    gmem_table_cell(head, "%s", titles[i]);
  for (size_t i = 0; i < pools->count; ++i)
    add_row(&table, &pools->at[i]);
  bool good = gmem_table_print(&table, stdout) || gmem_link_out_of_memory();
  gmem_table_free(&table);
  return good;
}

static bool print_result(const options_t *options,
                         const gmem_link_pools_t *pools, const char *json) {
  if (options->json)
    fputs(json, stdout);
  else if (!print_table(pools))
    return false;
  return (fflush(stdout) == 0 && !ferror(stdout)) ||
         gmem_link_error("<stdout>: cannot be written");
}

//===--- linking ----------------------------------------------------------===//

static bool read_models(MlirContext context, const options_t *options,
                        gmem_link_models_t *models) {
  if (!gmem_link_models_name(models, options->inputs, options->input_count))
    return false;
  for (size_t i = 0; i < options->list_count; ++i) {
    const list_t *list = &options->lists[i];
    if (!(list->is_resident ? gmem_link_models_resident
                            : gmem_link_models_together)(models, list->names))
      return false;
  }
  return gmem_link_models_read(models, context, options->plan);
}

static bool place_pools(gmem_link_models_t *models, gmem_link_pools_t *pools) {
  return gmem_link_pools_gather(models, pools) &&
         gmem_link_pools_place(models, pools) &&
         gmem_link_pools_address(models, pools) &&
         gmem_link_pools_apply(models, pools);
}

// Files get their names only after all files and standard output were written.
static bool write_all(const options_t *options,
                      const gmem_link_result_t *result) {
  gmem_link_files_t files;
  if (gmem_link_files_prepare(&files, result) &&
      print_result(options, result->pools, result->json))
    return gmem_link_files_commit(&files);
  gmem_link_files_abort(&files);
  return false;
}

// Checks link.json as it is written.
static bool check_text(const char *json, const gmem_link_models_t *models) {
  json_t *link = json_loads(json, 0, NULL);
  bool good =
      (link || gmem_link_out_of_memory()) && gmem_link_check(link, models);
  json_decref(link);
  return good;
}

static bool link_models(MlirContext context, const options_t *options) {
  gmem_link_models_t models;
  gmem_link_pools_t pools = {0};
  char *json = NULL;
  bool good =
      read_models(context, options, &models) && place_pools(&models, &pools);
  if (good) {
    json = gmem_link_to_json(&models, &pools);
    good =
        (json || gmem_link_out_of_memory()) && check_text(json, &models) &&
        gmem_link_header_check(&models, &pools, options->prefix) &&
        write_all(options,
                  &(gmem_link_result_t){&models, &pools, json, options->folder,
                                        options->prefix, options->debug_info});
  }
  free(json);
  gmem_link_pools_free(&pools);
  gmem_link_models_free(&models);
  return good;
}

//===--- checking ---------------------------------------------------------===//

// Returns the directory of |path| with a trailing '/', or "". The caller frees
// it.
static char *folder_of(const char *path) {
  char *folder = strdup(path);
  char *slash = folder ? strrchr(folder, '/') : NULL;
  if (folder)
    *(slash ? slash + 1 : folder) = '\0';
  return folder;
}

static bool check_modules(MlirContext context, gmem_link_models_t *models) {
  for (size_t i = 0; i < models->count; ++i) {
    gmem_link_model_t *model = &models->at[i];
    model->module = gmem_module_parse(context, "gmem-link", model->path);
    if (mlirModuleIsNull(model->module) || !gmem_link_model_prove(model))
      return gmem_link_error("%s: the plan is invalid", model->path);
  }
  return true;
}

static bool check_link(MlirContext context, const options_t *options) {
  json_error_t error;
  json_t *link = json_load_file(options->check, JSON_REJECT_DUPLICATES, &error);
  if (!link)
    return gmem_link_error("%s:%d:%d: %s", options->check, error.line,
                           error.column, error.text);
  gmem_link_models_t models = {0};
  char **paths = NULL;
  char *folder = folder_of(options->check);
  bool good = (folder || gmem_link_out_of_memory()) &&
              gmem_link_from_json(link, folder, &models, &paths) &&
              check_modules(context, &models) && gmem_link_check(link, &models);
  gmem_link_models_free(&models);
  gmem_link_paths_free(paths);
  free(folder);
  json_decref(link);
  return good;
}

int main(int argc, char **argv) {
  signal(SIGXFSZ, SIG_IGN); // writing past the file size limit returns EFBIG
  static const struct argp parser = {
      option_table, parse_option, "[MODEL.mlir...]", documentation, NULL,
      NULL,         NULL};
  options_t options = {.plan = "gmem-plan", .prefix = "shared"};
  options.inputs = calloc((size_t)argc + 1, sizeof *options.inputs);
  options.lists = calloc((size_t)argc + 1, sizeof *options.lists);
  argp_err_exit_status = EXIT_USAGE;
  if (!options.inputs || !options.lists)
    return gmem_link_out_of_memory() ? 0 : EXIT_INPUT;
  if (argp_parse(&parser, argc, argv, 0, NULL, &options))
    return EXIT_USAGE;
  MlirContext context = gmem_context_create("gmem-link");
  mlirRegisterAllPasses();
  gmem_register_passes();
  bool good = options.check ? check_link(context, &options)
                            : link_models(context, &options);
  mlirContextDestroy(context);
  free(options.inputs);
  free(options.lists);
  return good ? 0 : EXIT_INPUT;
}
