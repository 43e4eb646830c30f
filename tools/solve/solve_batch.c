// solve_batch.c - gmem-solve on several problems.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Worker threads take the problems in order. Messages and statistics are stored
// with each problem and printed in order when all are done, so the output does
// not depend on the number of threads.

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "batch_files.h"
#include "diag.h"
#include "files.h"
#include "interrupt.h"
#include "solve_certificate.h"
#include "solve_messages.h"
#include "solve_modes.h"
#include "text_table.h"

// The result of one problem.
typedef struct result_s {
  gmem_solve_result_t run;
  gmem_status_t status;
  gmem_diag_t diag;
  char *error_path; // owned; NULL: the path of the problem
  char *json;       // --json line, or NULL
} result_t;

typedef struct batch_s {
  gmem_session_t *session;
  const gmem_solve_command_t *command;
  gmem_batch_files_t files;
  result_t *results;  // by file
  atomic_size_t next; // index of the next unassigned file
} batch_t;

//===--- one problem ------------------------------------------------------===//

static gmem_status_t write_plan(const batch_t *batch,
                                const gmem_problem_file_t *file,
                                result_t *result) {
  result->error_path =
      gmem_path_join(batch->command->output, gmem_file_name(file->path));
  if (!result->error_path)
    return gmem_out_of_memory(&result->diag);
  GMEM_TRY(gmem_problem_file_write(file, result->run.plan, &result->run.figures,
                                   result->error_path, &result->diag));
  free(result->error_path);
  result->error_path = NULL;
  return GMEM_OK;
}

static gmem_status_t keep_line(const gmem_run_line_t *line, result_t *result) {
  size_t size = 0;
  FILE *stream = open_memstream(&result->json, &size);
  if (!stream)
    return gmem_out_of_memory(&result->diag);
  gmem_run_print_json(line, stream);
  if (fclose(stream) == 0)
    return GMEM_OK;
  free(result->json);
  result->json = NULL;
  return gmem_out_of_memory(&result->diag);
}

static gmem_status_t keep_certificate(gmem_run_line_t *line, result_t *result) {
  gmem_certificate_t certificate;
  gmem_status_t status = gmem_certificate_create(
      line->problem, result->run.plan, &result->run.figures, &certificate,
      &result->diag);
  line->certificate = &certificate;
  if (status == GMEM_OK)
    status = keep_line(line, result);
  gmem_certificate_free(&certificate);
  return status;
}

// Returns OVER_BUDGET, the status of the run, or OUT_OF_MEMORY.
static gmem_status_t keep_shortage(gmem_session_t *session,
                                   gmem_run_line_t *line, result_t *result) {
  gmem_shortage_t shortage;
  gmem_status_t status = GMEM_OK;
  line->shortage = &shortage;
  if (gmem_shortage_find(line->problem, &session->search, &shortage, NULL) ==
      GMEM_OK)
    status = keep_line(line, result);
  gmem_shortage_free(&shortage);
  return status == GMEM_OK ? GMEM_ERR_OVER_BUDGET : status;
}

static gmem_status_t plan(batch_t *batch, const char *name,
                          const gmem_problem_file_t *file, result_t *result) {
  const gmem_solve_command_t *command = batch->command;
  gmem_run_line_t line = {.command = command,
                          .run = &result->run,
                          .problem = file->problem,
                          .name = name};
  gmem_status_t status = gmem_run(batch->session, command->search.algorithm,
                                  file, &result->run, &result->diag);
  if (status == GMEM_ERR_OVER_BUDGET && command->stats && command->certificate)
    return keep_shortage(batch->session, &line, result);
  GMEM_TRY(status);
  if (command->output)
    GMEM_TRY(write_plan(batch, file, result));
  if (!command->stats)
    return GMEM_OK;
  return command->certificate ? keep_certificate(&line, result)
                              : keep_line(&line, result);
}

static void plan_file(batch_t *batch, const gmem_batch_file_t *entry,
                      result_t *result) {
  gmem_problem_file_t file = {0};
  result->status =
      gmem_interrupted()
          ? gmem_fail(&result->diag, GMEM_ERR_CANCELLED,
                      "not planned: interrupted")
          : gmem_problem_file_read(&file, entry->path, &batch->command->pools,
                                   false, &result->diag);
  if (result->status == GMEM_OK)
    result->status = plan(batch, entry->name, &file, result);
  gmem_plan_free(file.problem, result->run.plan);
  gmem_problem_file_destroy(&file);
}

//===--- threads ----------------------------------------------------------===//

static void *work(void *argument) {
  batch_t *batch = argument;
  size_t index;
  while ((index = atomic_fetch_add(&batch->next, 1)) < batch->files.count) {
    plan_file(batch, &batch->files.entries[index], &batch->results[index]);
    gmem_progress_bar_advance(&batch->session->bar);
  }
  return NULL;
}

// The calling thread works too. A thread that cannot be created is not an
// error; the others do its work.
static void run_threads(batch_t *batch) {
  assert(batch->command->threads && batch->files.count);
  uint32_t count = batch->command->threads - 1, started = 0;
  if (count >= batch->files.count)
    count = (uint32_t)batch->files.count - 1;
  pthread_t *threads = malloc((count + (size_t)1) * sizeof *threads);
  while (threads && started < count &&
         pthread_create(&threads[started], NULL, work, batch) == 0)
    ++started;
  work(batch);
  for (uint32_t i = 0; i < started; ++i)
    pthread_join(threads[i], NULL);
  free(threads);
}

//===--- the table --------------------------------------------------------===//

typedef struct totals_s {
  uint64_t buffers, steps;
  size_t planned, proved;
  double seconds, ratio_sum, worst;
  const char *worst_name;
} totals_t;

static void add_to_totals(totals_t *totals, const gmem_batch_file_t *entry,
                          const gmem_solve_result_t *run) {
  double ratio = gmem_run_ratio(&run->figures);
  totals->buffers += run->buffer_count;
  totals->steps += run->figures.steps;
  totals->planned += 1;
  totals->proved += run->figures.optimal;
  totals->seconds += run->seconds;
  totals->ratio_sum += ratio;
  if (!totals->worst_name || ratio > totals->worst) {
    totals->worst = ratio;
    totals->worst_name = entry->name;
  }
}

static void add_head(const batch_t *batch, gmem_table_t *table) {
  static const char *const heads[] = {
      "buffers", "lower bound", "peak", "ratio", "proved", "steps", "seconds"};
  gmem_table_row_t *row = gmem_table_add(table, "problem");
  size_t count = sizeof heads / sizeof *heads - batch->command->no_times;
  for (size_t i = 0; i < count; ++i)
    gmem_table_cell(row, "%s", heads[i]);
}

static void add_result(const batch_t *batch, gmem_table_t *table,
                       const gmem_batch_file_t *entry, const result_t *result) {
  const gmem_plan_figures_t *figures = &result->run.figures;
  gmem_table_row_t *row = gmem_table_add(table, entry->name);
  if (result->status != GMEM_OK) {
    gmem_table_note(table, row, "failed");
    return;
  }
  gmem_table_cell(row, "%" PRIu32, result->run.buffer_count);
  gmem_table_cell(row, "%" PRIu64, figures->lower_bound);
  gmem_table_cell(row, "%" PRIu64, figures->peak);
  gmem_table_cell(row, "%.4f", gmem_run_shown_ratio(figures));
  gmem_table_cell(row, "%s",
                  figures->optimal     ? "yes"
                  : figures->cancelled ? "cut off"
                                       : "no");
  gmem_table_cell(row, "%" PRIu64, figures->steps);
  if (!batch->command->no_times)
    gmem_table_cell(row, "%.3f", result->run.seconds);
}

static void add_totals(const batch_t *batch, gmem_table_t *table,
                       const totals_t *totals) {
  assert(totals->proved <= totals->planned);
  gmem_table_row_t *row = gmem_table_add(table, "all");
  gmem_table_cell(row, "%" PRIu64, totals->buffers);
  for (int i = 0; i < 3; ++i) // lower bound, peak and ratio
    gmem_table_cell(row, "%s", "");
  gmem_table_cell(row, "%zu of %zu", totals->proved, batch->files.count);
  gmem_table_cell(row, "%" PRIu64, totals->steps);
  if (!batch->command->no_times)
    gmem_table_cell(row, "%.3f", totals->seconds);
}

static gmem_status_t print_table(const batch_t *batch) {
  gmem_table_t table = {0};
  totals_t totals = {0};
  add_head(batch, &table);
  for (size_t i = 0; i < batch->files.count; ++i) {
    const gmem_batch_file_t *entry = &batch->files.entries[i];
    add_result(batch, &table, entry, &batch->results[i]);
    if (batch->results[i].status == GMEM_OK)
      add_to_totals(&totals, entry, &batch->results[i].run);
  }
  if (totals.planned)
    add_totals(batch, &table, &totals);
  bool is_whole = gmem_table_print(&table);
  if (totals.planned)
    printf("mean ratio %.4f, worst %.4f (%s), failed %zu\n",
           totals.ratio_sum / (double)totals.planned, totals.worst,
           totals.worst_name, batch->files.count - totals.planned);
  batch->session->path = "<stdout>";
  return is_whole ? GMEM_OK : gmem_out_of_memory(&batch->session->diag);
}

//===--- the batch --------------------------------------------------------===//

// Errors of problems are printed, others are in the session.
static gmem_status_t report(const batch_t *batch) {
  gmem_status_t worst = GMEM_OK;
  for (size_t i = 0; i < batch->files.count; ++i) {
    const result_t *result = &batch->results[i];
    if (result->status == GMEM_OK)
      continue;
    worst = result->status;
    gmem_complain(result->error_path ? result->error_path
                                     : batch->files.entries[i].path,
                  &result->diag);
  }
  for (size_t i = 0; i < batch->files.count; ++i)
    if (batch->results[i].json)
      fputs(batch->results[i].json, stdout);
  if (!batch->command->stats)
    GMEM_TRY(print_table(batch));
  return worst;
}

static int compare_names(const void *left, const void *right) {
  const gmem_batch_file_t *const *a = left, *const *b = right;
  return strcmp(gmem_file_name((*a)->path), gmem_file_name((*b)->path));
}

// Rejects problems of equal file name, whose plans would overwrite each other.
static gmem_status_t reject_same_names(const batch_t *batch) {
  const gmem_batch_files_t *files = &batch->files;
  gmem_session_t *session = batch->session;
  const gmem_batch_file_t **sorted = malloc(files->count * sizeof *sorted);
  size_t i = 1;
  if (!sorted)
    return gmem_out_of_memory(&session->diag);
  for (size_t k = 0; k < files->count; ++k)
    sorted[k] = &files->entries[k];
  qsort(sorted, files->count, sizeof *sorted, compare_names);
  while (i < files->count && compare_names(&sorted[i - 1], &sorted[i]) != 0)
    ++i;
  bool has_same = i < files->count;
  if (has_same)
    session->path = sorted[i]->path;
  free(sorted);
  return has_same ? gmem_fail(&session->diag, GMEM_ERR_INVALID_ARGUMENT,
                              "another problem has the same file name, so both "
                              "plans would be written to the same file")
                  : GMEM_OK;
}

static gmem_status_t prepare_output(const batch_t *batch) {
  gmem_session_t *session = batch->session;
  if (!batch->command->output)
    return GMEM_OK;
  session->path = batch->command->output;
  if (!gmem_make_folders(session->path) ||
      (mkdir(session->path, 0777) != 0 && !gmem_is_folder(session->path)))
    return gmem_fail(&session->diag, GMEM_ERR_IO,
                     "cannot create the directory: %s", strerror(errno));
  return reject_same_names(batch);
}

static gmem_status_t run(batch_t *batch) {
  GMEM_TRY(prepare_output(batch));
  batch->results = calloc(batch->files.count, sizeof *batch->results);
  if (!batch->results)
    return gmem_out_of_memory(&batch->session->diag);
  gmem_progress_bar_create(&batch->session->bar, batch->command->progress,
                           (uint32_t)batch->files.count);
  run_threads(batch);
  gmem_progress_bar_destroy(&batch->session->bar);
  gmem_status_t status = report(batch);
  for (size_t i = 0; i < batch->files.count; ++i) {
    free(batch->results[i].error_path);
    free(batch->results[i].json);
  }
  free(batch->results);
  return status;
}

gmem_status_t gmem_solve_batch(gmem_session_t *session) {
  const gmem_solve_command_t *command = session->command;
  batch_t batch = {.session = session, .command = command};
  GMEM_TRY(gmem_batch_files_list(&batch.files, command->paths,
                                 command->path_count, &session->path,
                                 &session->diag));
  gmem_status_t status = run(&batch);
  gmem_session_complain(session, status); // its path is one of the files
  gmem_batch_files_free(&batch.files);
  return status;
}
