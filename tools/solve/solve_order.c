// solve_order.c - gmem-solve --order: the order of ops with the least peak.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "batch_files.h"
#include "clock.h"
#include "diag.h"
#include "files.h"
#include "interrupt.h"
#include "json_writer.h"
#include "order_json.h"
#include "solve_messages.h"
#include "solve_modes.h"
#include "text_table.h"

// One graph and one algorithm.
typedef struct order_run_s {
  const char *name; // of the graph, or NULL: the only one
  const gmem_order_graph_t *graph;
  const gmem_order_algorithm_t *algorithm;
  gmem_order_figures_t figures;
  double seconds;
} order_run_t;

//===--- files ------------------------------------------------------------===//

static gmem_status_t read_graph(const char *path, gmem_order_graph_t **graph,
                                gmem_diag_t *diag) {
  char *text = NULL;
  size_t size = 0;
  *graph = NULL;
  GMEM_TRY(gmem_read_file(path, &text, &size, diag));
#ifdef GMEM_HAS_JSON
  gmem_status_t status = gmem_graph_json_read(text, size, NULL, graph, diag);
#else
  gmem_status_t status =
      gmem_fail(diag, GMEM_ERR_UNSUPPORTED,
                "this gmem-solve was built without JSON support");
#endif
  free(text);
  return status;
}

static gmem_status_t write_order(const order_run_t *run, const uint32_t *order,
                                 const char *path, gmem_diag_t *diag) {
  gmem_output_t *output = NULL;
  GMEM_TRY(gmem_output_open(path, &output, diag));
  gmem_status_t status = gmem_order_json_write(run->graph, order, &run->figures,
                                               gmem_output_write, output, diag);
  if (status != GMEM_OK && status != GMEM_ERR_IO) {
    gmem_output_abort(output);
    return status;
  }
  return gmem_output_commit(output, diag);
}

//===--- statistics -------------------------------------------------------===//

static void print_json(const gmem_solve_command_t *command,
                       const order_run_t *run, FILE *output) {
  const gmem_order_figures_t *figures = &run->figures;
  gmem_json_t json;
  gmem_json_start(&json, gmem_write_to_stream, output);
  gmem_json_open(&json, NULL, '{');
  if (run->name)
    gmem_json_text(&json, "graph", run->name);
  gmem_json_number(&json, "ops", gmem_order_op_count(run->graph));
  gmem_json_number(&json, "tensors", gmem_order_tensor_count(run->graph));
  gmem_json_number(&json, "given_peak", figures->given_peak);
  gmem_json_number(&json, "lower_bound", figures->lower_bound);
  gmem_json_number(&json, "peak", figures->peak);
  gmem_json_bool(&json, "proved", figures->proved);
  gmem_json_text(&json, "gave_up", figures->gave_up);
  gmem_json_text(&json, "algorithm", run->algorithm->name);
  gmem_json_text(&json, "effort", gmem_effort_name(command->search.effort));
  gmem_json_number(&json, "steps", figures->steps);
  gmem_json_bool(&json, "cancelled", figures->cancelled);
  if (!command->no_times)
    gmem_json_real(&json, "seconds", run->seconds, 6);
  gmem_json_close(&json);
  (void)gmem_json_end(&json, "", NULL); // the stream records the failure
}

static void add_head(const gmem_solve_command_t *command, const char *first,
                     gmem_table_t *table) {
  static const char *const heads[] = {"ops",    "given", "lower bound", "peak",
                                      "proved", "steps", "seconds"};
  gmem_table_row_t *row = gmem_table_add(table, first);
  size_t count = sizeof heads / sizeof *heads - command->no_times;
  for (size_t i = 0; i < count; ++i)
    gmem_table_cell(row, "%s", heads[i]);
}

static void add_row(const gmem_solve_command_t *command, const char *first,
                    const order_run_t *run, gmem_table_t *table) {
  const gmem_order_figures_t *figures = &run->figures;
  gmem_table_row_t *row = gmem_table_add(table, first);
  gmem_table_cell(row, "%" PRIu32, gmem_order_op_count(run->graph));
  gmem_table_cell(row, "%" PRIu64, figures->given_peak);
  gmem_table_cell(row, "%" PRIu64, figures->lower_bound);
  gmem_table_cell(row, "%" PRIu64, figures->peak);
  gmem_table_cell(row, "%s",
                  figures->proved      ? "yes"
                  : figures->cancelled ? "cut off"
                                       : "no");
  gmem_table_cell(row, "%" PRIu64, figures->steps);
  if (!command->no_times)
    gmem_table_cell(row, "%.3f", run->seconds);
}

//===--- one graph --------------------------------------------------------===//

static gmem_status_t solve(gmem_session_t *session, order_run_t *run,
                           uint32_t **out_order) {
  gmem_order_options_t options = {.algorithm = run->algorithm,
                                  .effort = session->search.effort,
                                  .step_limit = session->search.step_limit,
                                  .progress = session->search.progress,
                                  .progress_user =
                                      session->search.progress_user};
  *out_order = malloc((gmem_order_op_count(run->graph) + (size_t)1) *
                      sizeof **out_order);
  if (!*out_order)
    return gmem_out_of_memory(&session->diag);
  double start = gmem_seconds();
  gmem_status_t status = gmem_order_solve(run->graph, &options, *out_order,
                                          &run->figures, &session->diag);
  run->seconds = gmem_seconds() - start;
  return status;
}

// Where the order of |run| is written, or NULL: nowhere. Freed by the caller.
static char *output_path(const gmem_solve_command_t *command,
                         const order_run_t *run, const char *path) {
  if (run->name)
    return command->output
               ? gmem_path_join(command->output, gmem_file_name(path))
               : NULL;
  return strdup(command->output ? command->output : "-");
}

static gmem_status_t order_one(gmem_session_t *session, order_run_t *run,
                               const char *path) {
  const gmem_solve_command_t *command = session->command;
  uint32_t *order = NULL;
  gmem_status_t status = solve(session, run, &order);
  gmem_progress_bar_erase(&session->bar);
  char *output = output_path(command, run, path);
  if (status == GMEM_OK && output) {
    status = write_order(run, order, output, &session->diag);
    if (status != GMEM_OK)
      fprintf(stderr, "gmem-solve: cannot write '%s'\n", output);
  }
  bool stdout_taken =
      !run->name && (!command->output || gmem_output_is_stdout(output));
  if (status == GMEM_OK && command->stats)
    print_json(command, run, stdout_taken ? stderr : stdout);
  free(output);
  free(order);
  return status;
}

// A bound that one algorithm proves holds for the orders of all.
static gmem_status_t print_comparison(gmem_session_t *session,
                                      order_run_t *runs, size_t count) {
  const gmem_solve_command_t *command = session->command;
  gmem_table_t table = {0};
  uint64_t bound = 0;
  for (size_t i = 0; i < count; ++i)
    if (runs[i].figures.lower_bound > bound)
      bound = runs[i].figures.lower_bound;
  add_head(command, "algorithm", &table);
  for (size_t i = 0; i < count; ++i) {
    runs[i].figures.lower_bound = bound;
    runs[i].figures.proved = runs[i].figures.peak == bound;
    add_row(command, runs[i].algorithm->name, &runs[i], &table);
  }
  printf("%s: %" PRIu32 " ops, %" PRIu32 " tensors\n", runs->name,
         gmem_order_op_count(runs->graph),
         gmem_order_tensor_count(runs->graph));
  return gmem_table_print(&table) ? GMEM_OK
                                  : gmem_out_of_memory(&session->diag);
}

static gmem_status_t compare_all(gmem_session_t *session,
                                 const order_run_t *first) {
  size_t count = gmem_order_algorithm_count();
  gmem_status_t status = GMEM_OK;
  order_run_t *runs = calloc(count, sizeof *runs);
  if (!runs)
    return gmem_out_of_memory(&session->diag);
  for (size_t i = 0; i < count && status == GMEM_OK; ++i) {
    uint32_t *order = NULL;
    runs[i] = *first;
    runs[i].algorithm = gmem_order_algorithm_at(i);
    status = solve(session, &runs[i], &order);
    free(order);
    if (status == GMEM_OK && session->command->stats)
      print_json(session->command, &runs[i], stdout);
  }
  gmem_progress_bar_erase(&session->bar);
  if (status == GMEM_OK && !session->command->stats)
    status = print_comparison(session, runs, count);
  free(runs);
  return status;
}

//===--- several graphs ---------------------------------------------------===//

static gmem_status_t order_file(gmem_session_t *session,
                                const gmem_batch_file_t *file, bool is_only,
                                gmem_table_t *table) {
  const gmem_solve_command_t *command = session->command;
  const char *path = session->path = file->path;
  gmem_order_graph_t *graph;
  GMEM_TRY(gmem_interrupted() ? gmem_fail(&session->diag, GMEM_ERR_CANCELLED,
                                          "not ordered: interrupted")
                              : GMEM_OK);
  GMEM_TRY(read_graph(path, &graph, &session->diag));
  const char *name = strcmp(path, "-") ? file->name : "<stdin>";
  order_run_t run = {.name = is_only && !command->compare ? NULL : name,
                     .graph = graph,
                     .algorithm = command->order_algorithm
                                      ? command->order_algorithm
                                      : gmem_order_algorithm_at(0)};
  gmem_status_t status = command->compare ? compare_all(session, &run)
                                          : order_one(session, &run, path);
  if (status == GMEM_OK && table)
    add_row(command, name, &run, table);
  gmem_order_graph_destroy(graph);
  return status;
}

static gmem_status_t order_files(gmem_session_t *session,
                                 const gmem_batch_files_t *files,
                                 bool is_only) {
  const gmem_solve_command_t *command = session->command;
  bool has_table = !is_only && !command->compare && !command->stats;
  gmem_status_t worst = GMEM_OK;
  gmem_table_t table = {0};
  if (has_table)
    add_head(command, "graph", &table);
  for (size_t i = 0; i < files->count; ++i) {
    session->diag = (gmem_diag_t){0};
    if (i > 0 && command->compare && !command->stats)
      putchar('\n');
    gmem_status_t status = order_file(session, &files->entries[i], is_only,
                                      has_table ? &table : NULL);
    gmem_session_complain(session, status);
    worst = status == GMEM_OK ? worst : status;
  }
  if (has_table && !gmem_table_print(&table))
    return gmem_out_of_memory(&session->diag);
  return worst;
}

gmem_status_t gmem_solve_order(gmem_session_t *session) {
  const gmem_solve_command_t *command = session->command;
  bool is_only = command->path_count == 1 && !gmem_is_folder(command->paths[0]);
  gmem_batch_files_t files;
  gmem_interrupt_catch();
  GMEM_TRY(gmem_batch_files_list(&files, command->paths, command->path_count,
                                 &session->path, &session->diag));
  gmem_status_t status = GMEM_OK;
  if (command->output && !is_only && mkdir(command->output, 0777) != 0 &&
      !gmem_is_folder(command->output)) {
    session->path = command->output;
    status = gmem_fail(&session->diag, GMEM_ERR_IO,
                       "cannot create the directory: %s", strerror(errno));
  }
  if (status == GMEM_OK) {
    gmem_progress_bar_create(&session->bar, command->progress, 1);
    status = order_files(session, &files, is_only);
    gmem_progress_bar_destroy(&session->bar);
  } else {
    gmem_session_complain(session, status);
  }
  gmem_batch_files_free(&files);
  return status;
}
