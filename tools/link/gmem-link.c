// gmem-link.c - places several models in one memory; models that never run
// concurrently share their workspaces.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_line.h"
#include "link_check.h"
#include "link_header.h"
#include "link_json.h"
#include "link_place.h"
#include "link_write.h"
#include "mlir-c/RegisterEverything.h"
#include "mlir_files.h"
#include "standard_streams.h"
#include "text_table.h"

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

static void parse_list(const gmem_option_t *option, void *member,
                       const char *argument, struct argp_state *state) {
  options_t *options = member;
  (void)state;
  options->lists[options->list_count++] =
      (list_t){argument, option->name[0] == 'r'};
}

#define AT(member) .offset = offsetof(options_t, member)
#define FLAG(member) .kind = GMEM_OPTION_FLAG, AT(member)
#define TEXT(member) .kind = GMEM_OPTION_TEXT, AT(member)
#define LIST .kind = GMEM_OPTION_OTHER, .parse = parse_list

static const gmem_option_t option_table[] = {
    {"output", 'o', "DIR",
     "write the results to the directory DIR, atomically: the planned "
     "modules with their final addresses, link.json (docs/link.md) and a C "
     "header with sizes and offsets",
     0, TEXT(folder)},
    {"prefix", 0, "NAME",
     "name the header NAME_memory.h and begin its macros with NAME in capitals "
     "(default: shared)",
     0, TEXT(prefix)},
    {"concurrent", 0, "NAME,NAME...",
     "these models run concurrently; may be repeated. Models that appear in no "
     "common list must never run concurrently",
     0, LIST},
    {"resident", 0, "NAME,NAME...",
     "these models keep the contents of their workspaces between runs, so "
     "their workspaces are not shared",
     0, LIST},
    {"plan", 0, "PIPELINE",
     "pass pipeline that plans models without a plan (default: gmem-plan)", 0,
     TEXT(plan)},
    {"json", 0, NULL, "print link.json instead of a table", 0, FLAG(json)},
    {"check", 0, "FILE",
     "verify FILE, the link.json of an earlier run, and the modules in its "
     "directory; write nothing",
     0, TEXT(check)},
    {"mlir-print-debuginfo", 0, NULL,
     "write the modules with the locations of ops", 0, FLAG(debug_info)},
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

static void check_options(void *target, struct argp_state *state) {
  const options_t *options = target;
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

static void add_input(void *target, char *argument, struct argp_state *state) {
  options_t *options = target;
  (void)state;
  options->inputs[options->input_count++] = argument;
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

static gmem_status_t print_table(const gmem_link_pools_t *pools) {
  static const char *const titles[] = {"models", "alone", "linked", "bound",
                                       "saved"};
  gmem_table_t table = {0};
  gmem_table_row_t *head = gmem_table_add(&table, "pool");
  for (size_t i = 0; i < sizeof titles / sizeof *titles; ++i)
    gmem_table_cell(head, "%s", titles[i]);
  for (size_t i = 0; i < pools->count; ++i)
    add_row(&table, &pools->at[i]);
  // Files are open: ending the process here would leave them.
  return gmem_table_print(&table) ? GMEM_OK : gmem_tool_error("out of memory");
}

//===--- linking ----------------------------------------------------------===//

static gmem_status_t read_models(MlirContext context, const options_t *options,
                                 gmem_link_models_t *models) {
  gmem_link_models_make(models, options->input_count);
  GMEM_TRY(gmem_link_models_name(models, options->inputs));
  for (size_t i = 0; i < options->list_count; ++i)
    GMEM_TRY(gmem_link_models_mark(models, options->lists[i].names,
                                   options->lists[i].is_resident));
  GMEM_TRY(gmem_link_models_read(models, context, options->plan));
  gmem_link_models_keep_states(models);
  return GMEM_OK;
}

// Files get their names only after all files and standard output were written.
static gmem_status_t write_files(gmem_output_files_t *files,
                                 const gmem_link_result_t *result, bool is_json,
                                 gmem_diag_t *diag) {
  GMEM_TRY(gmem_link_files_write(files, result, diag));
  if (is_json)
    fputs(result->json, stdout);
  else
    GMEM_TRY(print_table(&result->pools));
  GMEM_TRY(gmem_tool_flush());
  return gmem_output_files_commit(files, diag);
}

static gmem_status_t write_all(const options_t *options,
                               const gmem_link_result_t *result) {
  gmem_output_files_t files = {0};
  gmem_diag_t diag = {0};
  gmem_status_t status = write_files(&files, result, options->json, &diag);
  if (status != GMEM_OK && diag.text[0])
    gmem_tool_error("%s%s%s", files.failed ? files.failed : "",
                    files.failed ? ": " : "", diag.text);
  gmem_output_files_free(&files);
  return status;
}

// Checks link.json as it is written.
static gmem_status_t check_text(const char *json,
                                const gmem_link_models_t *models) {
  json_t *link = gmem_need(json_loads(json, 0, NULL));
  gmem_status_t status = gmem_link_check(link, models);
  json_decref(link);
  return status;
}

static gmem_status_t link_all(MlirContext context, const options_t *options,
                              gmem_link_result_t *result) {
  gmem_link_models_t *models = &result->models;
  gmem_link_pools_t *pools = &result->pools;
  GMEM_TRY(read_models(context, options, models));
  GMEM_TRY(gmem_link_pools_gather(models, pools));
  GMEM_TRY(gmem_link_pools_place(pools));
  GMEM_TRY(gmem_link_pools_address(pools));
  GMEM_TRY(gmem_link_pools_apply(models, pools));
  result->json = gmem_link_to_json(models, pools);
  GMEM_TRY(check_text(result->json, models));
  GMEM_TRY(gmem_link_header_check(models, pools, result->prefix));
  return write_all(options, result);
}

static gmem_status_t link_models(MlirContext context,
                                 const options_t *options) {
  gmem_link_result_t result = {.folder = options->folder,
                               .prefix = options->prefix,
                               .debug_info = options->debug_info};
  gmem_status_t status = link_all(context, options, &result);
  free(result.json);
  gmem_link_pools_free(&result.pools);
  gmem_link_models_free(&result.models);
  return status;
}

//===--- checking ---------------------------------------------------------===//

static gmem_status_t check_models(MlirContext context, const json_t *link,
                                  const char *folder,
                                  gmem_link_models_t *models) {
  GMEM_TRY(gmem_link_from_json(link, folder, models));
  for (size_t i = 0; i < models->count; ++i)
    GMEM_TRY(gmem_link_model_reread(&models->at[i], context));
  return gmem_link_check(link, models);
}

static gmem_status_t check_link(MlirContext context, const char *path) {
  json_error_t error;
  json_t *link = strcmp(path, "-") == 0
                     ? json_loadf(stdin, JSON_REJECT_DUPLICATES, &error)
                     : json_load_file(path, JSON_REJECT_DUPLICATES, &error);
  if (!link)
    return gmem_tool_error("%s:%d:%d: %s", path, error.line, error.column,
                           error.text);
  const char *slash = strrchr(path, '/'); // the folder of |path| ends here
  char *folder = strndup(path, slash ? (size_t)(slash - path) + 1 : 0);
  gmem_link_models_t models = {0};
  gmem_status_t status =
      check_models(context, link, gmem_need(folder), &models);
  gmem_link_models_free(&models);
  free(folder);
  json_decref(link);
  return status;
}

int main(int argc, char **argv) {
  gmem_tool_begin();
  static const gmem_command_line_t line = {
      option_table, "[MODEL.mlir...]", documentation,    add_input,
      NULL,         check_options,     GMEM_MLIR_VERSION};
  options_t options = {.plan = "gmem-plan", .prefix = "shared"};
  options.inputs = gmem_need(calloc((size_t)argc, sizeof *options.inputs));
  options.lists = gmem_need(calloc((size_t)argc, sizeof *options.lists));
  if (!gmem_command_line_parse(&line, argc, argv, &options))
    return GMEM_EXIT_USAGE;
  MlirContext context = gmem_context_create();
  mlirRegisterAllPasses();
  gmem_register_passes();
  gmem_status_t status = options.check ? check_link(context, options.check)
                                       : link_models(context, &options);
  mlirContextDestroy(context);
  free(options.inputs);
  free(options.lists);
  return status == GMEM_OK ? 0 : GMEM_EXIT_PROBLEM;
}
