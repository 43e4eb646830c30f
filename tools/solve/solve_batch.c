// solve_batch.c - gmem-solve on several problems: one table at the end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Problems are taken in their order by any number of threads. What each thread
// has to say is kept with its problem and printed in order when all are done,
// so the output is the same with any number of threads.

#include "solve_batch.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "batch_files.h"
#include "interrupt.h"
#include "solve_certificate.h"
#include "solve_messages.h"
#include "solve_run.h"
#include "text_table.h"

// What became of one problem.
typedef struct outcome_s {
  gmem_solve_result_t run;
  gmem_status_t status;
  gmem_diag_t diag;
  char *path_to_blame; // owned; NULL: that of the problem
  char *json;          // its line of figures, or NULL
} outcome_t;

typedef struct batch_s {
  gmem_session_t *session;
  const gmem_solve_command_t *command;
  gmem_batch_files_t files;
  outcome_t *outcomes; // by file
  atomic_size_t next;  // the first file that nobody has taken
} batch_t;

//===--- one problem ------------------------------------------------------===//

static void fail(outcome_t *outcome, gmem_status_t status, const char *text) {
  outcome->status = status;
  outcome->diag = (gmem_diag_t){.status = status};
  snprintf(outcome->diag.text, sizeof outcome->diag.text, "%s", text);
}

static void write_plan(const batch_t *batch, const gmem_problem_file_t *file,
                       outcome_t *outcome) {
  char *path =
      gmem_path_join(batch->command->output, gmem_file_name(file->path));
  if (!path) {
    fail(outcome, GMEM_ERR_OUT_OF_MEMORY, "out of memory");
    return;
  }
  outcome->status = gmem_problem_file_write(
      file, outcome->run.plan, &outcome->run.figures, path, &outcome->diag);
  if (outcome->status == GMEM_OK)
    free(path);
  else
    outcome->path_to_blame = path;
}

static void print_line(const gmem_run_line_t *line,
                       const gmem_shortage_t *shortage, outcome_t *outcome) {
  size_t size = 0;
  FILE *stream = open_memstream(&outcome->json, &size);
  if (stream) {
    if (shortage)
      gmem_run_print_json_failure(line, shortage, stream);
    else
      gmem_run_print_json(line, stream);
    if (fclose(stream) == 0)
      return;
    free(outcome->json);
    outcome->json = NULL;
  }
  fail(outcome, GMEM_ERR_OUT_OF_MEMORY, "out of memory");
}

static gmem_run_line_t line_of(const batch_t *batch, const char *name,
                               const gmem_problem_file_t *file,
                               const outcome_t *outcome) {
  return (gmem_run_line_t){.command = batch->command,
                           .run = &outcome->run,
                           .problem = file->problem,
                           .name = name};
}

static void keep_json(const batch_t *batch, const char *name,
                      const gmem_problem_file_t *file, outcome_t *outcome) {
  gmem_run_line_t line = line_of(batch, name, file, outcome);
  gmem_certificate_t certificate = {0};
  if (batch->command->certificate) {
    line.certificate = &certificate;
    outcome->status = gmem_certificate_create(file->problem, outcome->run.plan,
                                              &outcome->run.figures,
                                              &certificate, &outcome->diag);
  }
  if (outcome->status == GMEM_OK)
    print_line(&line, NULL, outcome);
  gmem_certificate_free(&certificate);
}

// The failure stays what it is.
static void keep_shortage(const batch_t *batch, const char *name,
                          const gmem_problem_file_t *file, outcome_t *outcome) {
  gmem_run_line_t line = line_of(batch, name, file, outcome);
  gmem_shortage_t shortage;
  if (gmem_shortage_find(batch->session, file->problem, &shortage, NULL) ==
      GMEM_OK)
    print_line(&line, &shortage, outcome);
  gmem_shortage_free(&shortage);
}

static void plan_file(batch_t *batch, const gmem_batch_file_t *entry,
                      outcome_t *outcome) {
  const gmem_solve_command_t *command = batch->command;
  gmem_problem_file_t file;
  if (gmem_interrupted()) {
    fail(outcome, GMEM_ERR_CANCELLED, "not planned: interrupted");
    return;
  }
  outcome->status = gmem_problem_file_read(&file, entry->path, &command->pools,
                                           false, &outcome->diag);
  if (outcome->status == GMEM_OK)
    outcome->status = gmem_run(batch->session, command->algorithm, &file,
                               &outcome->run, &outcome->diag);
  if (outcome->status == GMEM_OK && command->output)
    write_plan(batch, &file, outcome);
  if (outcome->status == GMEM_OK && command->stats)
    keep_json(batch, entry->name, &file, outcome);
  if (outcome->status == GMEM_ERR_OVER_BUDGET && command->stats &&
      command->certificate)
    keep_shortage(batch, entry->name, &file, outcome);
  gmem_run_free_plan(&outcome->run);
  gmem_problem_file_destroy(&file);
}

//===--- threads ----------------------------------------------------------===//

static void *work(void *argument) {
  batch_t *batch = argument;
  for (;;) {
    size_t index = atomic_fetch_add(&batch->next, 1);
    if (index >= batch->files.count)
      return NULL;
    plan_file(batch, &batch->files.entries[index], &batch->outcomes[index]);
    gmem_progress_bar_advance(&batch->session->bar);
  }
}

// This thread works too; one that cannot be made is no loss but of time.
static void run_threads(batch_t *batch) {
  uint32_t wanted = batch->command->threads - 1, made = 0;
  if (wanted >= batch->files.count)
    wanted = (uint32_t)batch->files.count - 1;
  pthread_t *threads = malloc((wanted + (size_t)1) * sizeof *threads);
  while (threads && made < wanted &&
         pthread_create(&threads[made], NULL, work, batch) == 0)
    ++made;
  work(batch);
  for (uint32_t i = 0; i < made; ++i)
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
  gmem_table_row_t *row = gmem_table_add(table, "problem");
  gmem_table_cell(row, "buffers");
  gmem_table_cell(row, "lower bound");
  gmem_table_cell(row, "peak");
  gmem_table_cell(row, "ratio");
  gmem_table_cell(row, "proved");
  gmem_table_cell(row, "steps");
  if (!batch->command->no_times)
    gmem_table_cell(row, "seconds");
}

static void add_outcome(const batch_t *batch, gmem_table_t *table,
                        const gmem_batch_file_t *entry,
                        const outcome_t *outcome) {
  const gmem_plan_figures_t *figures = &outcome->run.figures;
  gmem_table_row_t *row = gmem_table_add(table, entry->name);
  if (outcome->status != GMEM_OK) {
    gmem_table_note(table, row, "failed");
    return;
  }
  gmem_table_cell(row, "%" PRIu32, outcome->run.buffer_count);
  gmem_table_cell(row, "%" PRIu64, figures->lower_bound);
  gmem_table_cell(row, "%" PRIu64, figures->peak);
  gmem_table_cell(row, "%.4f", gmem_run_shown_ratio(figures));
  gmem_table_cell(row, "%s",
                  figures->optimal     ? "yes"
                  : figures->cancelled ? "cut off"
                                       : "no");
  gmem_table_cell(row, "%" PRIu64, figures->steps);
  if (!batch->command->no_times)
    gmem_table_cell(row, "%.3f", outcome->run.seconds);
}

static void add_totals(const batch_t *batch, gmem_table_t *table,
                       const totals_t *totals) {
  gmem_table_row_t *row = gmem_table_add(table, "all");
  gmem_table_cell(row, "%" PRIu64, totals->buffers);
  gmem_table_cell(row, "%s", "");
  gmem_table_cell(row, "%s", "");
  gmem_table_cell(row, "%s", "");
  gmem_table_cell(row, "%zu of %zu", totals->proved, batch->files.count);
  gmem_table_cell(row, "%" PRIu64, totals->steps);
  if (!batch->command->no_times)
    gmem_table_cell(row, "%.3f", totals->seconds);
}

static int print_table(const batch_t *batch) {
  gmem_table_t table = {0};
  totals_t totals = {0};
  add_head(batch, &table);
  for (size_t i = 0; i < batch->files.count; ++i) {
    const gmem_batch_file_t *entry = &batch->files.entries[i];
    add_outcome(batch, &table, entry, &batch->outcomes[i]);
    if (batch->outcomes[i].status == GMEM_OK)
      add_to_totals(&totals, entry, &batch->outcomes[i].run);
  }
  if (totals.planned)
    add_totals(batch, &table, &totals);
  bool is_whole = gmem_table_print(&table, stdout);
  if (totals.planned)
    printf("mean ratio %.4f, worst %.4f (%s), failed %zu\n",
           totals.ratio_sum / (double)totals.planned, totals.worst,
           totals.worst_name, batch->files.count - totals.planned);
  gmem_table_free(&table);
  return is_whole ? EXIT_SUCCESS : gmem_complain_memory("<stdout>");
}

//===--- the whole --------------------------------------------------------===//

static void print_json(const batch_t *batch) {
  for (size_t i = 0; i < batch->files.count; ++i)
    if (batch->outcomes[i].json)
      fputs(batch->outcomes[i].json, stdout);
}

static int report(const batch_t *batch) {
  int result = EXIT_SUCCESS;
  for (size_t i = 0; i < batch->files.count; ++i) {
    const outcome_t *outcome = &batch->outcomes[i];
    if (outcome->status == GMEM_OK)
      continue;
    result =
        gmem_complain(outcome->path_to_blame ? outcome->path_to_blame
                                             : batch->files.entries[i].path,
                      &outcome->diag);
  }
  if (batch->command->stats)
    print_json(batch);
  else if (print_table(batch) != EXIT_SUCCESS)
    result = GMEM_EXIT_PROBLEM;
  return result;
}

static int compare_names(const void *left, const void *right) {
  const gmem_batch_file_t *const *a = left, *const *b = right;
  return strcmp(gmem_file_name((*a)->path), gmem_file_name((*b)->path));
}

// Two problems of one name would be written to one file.
static int refuse_same_names(const gmem_batch_files_t *files) {
  const gmem_batch_file_t **sorted = malloc(files->count * sizeof *sorted);
  int result = EXIT_SUCCESS;
  if (!sorted)
    return gmem_complain_memory(files->entries[0].path);
  for (size_t i = 0; i < files->count; ++i)
    sorted[i] = &files->entries[i];
  qsort(sorted, files->count, sizeof *sorted, compare_names);
  for (size_t i = 1; i < files->count && result == EXIT_SUCCESS; ++i)
    if (compare_names(&sorted[i - 1], &sorted[i]) == 0)
      result = gmem_complain_text(sorted[i]->path,
                                  "another problem has the same file name, and "
                                  "both plans would go to one file");
  free(sorted);
  return result;
}

static int prepare_output(const batch_t *batch) {
  const char *folder = batch->command->output;
  if (!folder)
    return EXIT_SUCCESS;
  if (mkdir(folder, 0777) != 0 && !gmem_is_folder(folder)) {
    char text[200];
    snprintf(text, sizeof text, "cannot be made a folder: %s", strerror(errno));
    return gmem_complain_text(folder, text);
  }
  return refuse_same_names(&batch->files);
}

static int run(batch_t *batch) {
  if (prepare_output(batch) != EXIT_SUCCESS)
    return GMEM_EXIT_PROBLEM;
  batch->outcomes = calloc(batch->files.count, sizeof *batch->outcomes);
  if (!batch->outcomes)
    return gmem_complain_memory(batch->files.entries[0].path);
  gmem_progress_bar_create(&batch->session->bar, batch->command->progress,
                           (uint32_t)batch->files.count);
  run_threads(batch);
  gmem_progress_bar_destroy(&batch->session->bar);
  int result = report(batch);
  for (size_t i = 0; i < batch->files.count; ++i) {
    free(batch->outcomes[i].path_to_blame);
    free(batch->outcomes[i].json);
  }
  free(batch->outcomes);
  return result;
}

int gmem_solve_batch(gmem_session_t *session) {
  const gmem_solve_command_t *command = session->command;
  batch_t batch = {.session = session, .command = command};
  gmem_diag_t diag = {0};
  const char *where = NULL;
  if (command->certificate && (!command->stats || command->certificate_path)) {
    fputs("gmem-solve: of several problems, --certificate is a part of the "
          "figures: it goes with --stats=json, and takes no file\n",
          stderr);
    return GMEM_EXIT_USAGE;
  }
  if (gmem_batch_files_list(&batch.files, command->paths, command->path_count,
                            &where, &diag) != GMEM_OK)
    return gmem_complain(where, &diag);
  int result = run(&batch);
  gmem_batch_files_free(&batch.files);
  return result;
}
