// report.c - gmem-report.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: nothing.
// produces: no change to the IR, but with apply=. Verifies its plan, or with
// replan=true, and
//           where there is none, makes one of a copy; reports the plan's
//           buffers, the unplanned values and the reasons: as remarks, or as
//           text or JSON in a file. A plan that exceeds a capacity is
//           reported, too. With what-if=true also changes that need less
//           memory, each planned and verified on a copy; with apply=N the
//           program gets the Nth.
// fails:    when the plan is invalid or cannot be made, when it exceeds a
//           capacity, and when the file cannot be written.

#include "report.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assign_passes.h"
#include "diag.h"
#include "diagnostics.h"
#include "files.h"
#include "hoist_constants.h"
#include "ir_reading.h"
#include "liveness_report.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Diagnostics.h"
#include "mlir_seam.h"
#include "pass_options.h"
#include "plan_reading.h"
#include "pointer_map.h"
#include "program_copy.h"
#include "report_curve.h"
#include "report_facts.h"
#include "report_measured.h"
#include "scopes.h"
#include "vocabulary.h"

//===--- facts outside of the plan ----------------------------------------===//

// The reason why |value| is not planned, or NULL.
static const char *find_reason(const gmem_liveness_t *liveness, uint32_t value,
                               MlirOperation *out_cause) {
  const gmem_allocation_site_t *root =
      gmem_allocation_site_of(&liveness->memrefs, value);
  *out_cause = (MlirOperation){NULL};
  if (!root)
    return gmem_unplanned_reason(liveness, value);
  if (root->reason == GMEM_MEMREF_PLANNED)
    return NULL;
  if (root->cause != GMEM_NO_INDEX)
    *out_cause = liveness->program->ops[root->cause].op;
  return gmem_unplanned_text(root->reason);
}

static void add_unplanned(gmem_report_t *report, const gmem_program_t *program,
                          uint32_t value, const char *reason, const char *help,
                          MlirOperation cause) {
  char text[256];
  gmem_value_describe(program, value, text, sizeof text);
  MlirStringRef function =
      program->functions[gmem_value_function(program, value)].name;
  GMEM_APPEND(report->arena, &report->unplanned,
              (gmem_report_unplanned_t){
                  .value = gmem_bump_string(report->arena, text, strlen(text)),
                  .function = gmem_bump_string(report->arena, function.data,
                                               function.length),
                  .reason = reason,
                  .help = help,
                  .location = gmem_value_location(program, value),
                  .cause = cause});
}

// Collects the locations of the buffers, which are numbered in the order of
// their values, and the values that are not planned although they may need
// memory.
static void collect_values(gmem_report_t *report,
                           const gmem_liveness_t *liveness) {
  const gmem_program_t *program = liveness->program;
  for (uint32_t i = 0; i < program->value_count; ++i) {
    MlirOperation cause;
    const char *reason = find_reason(liveness, i, &cause);
    if (gmem_live_value_is_planned(&liveness->live_values[i])) {
      GMEM_APPEND(report->arena, &report->locations,
                  gmem_value_location(program, i));
      GMEM_APPEND(report->arena, &report->values, program->values[i].value);
    } else if (reason)
      add_unplanned(report, program, i, reason,
                    gmem_unplanned_help(liveness, i), cause);
  }
}

static gmem_status_t collect_unmodelled(gmem_report_t *report,
                                        const gmem_program_t *program,
                                        gmem_diag_t *diag) {
  gmem_unmodelled_t *list;
  size_t count;
  GMEM_TRY(gmem_unmodelled_find(program, report->arena, &list, &count, diag));
  for (size_t i = 0; i < count; ++i)
    GMEM_APPEND(report->arena, &report->unmodelled, list[i]);
  return GMEM_OK;
}

static gmem_status_t collect_scope(gmem_scope_plan_t *plan,
                                   const gmem_op_models_t *models, void *user,
                                   gmem_diag_t *diag) {
  (void)models;
  gmem_report_t *report = user;
  const gmem_analysis_t *analysis = &plan->analysis;
  const gmem_call_contexts_t *contexts = analysis->liveness.contexts;
  int64_t length = gmem_call_contexts_length(contexts);
  for (int64_t step = 0; step < length; ++step)
    GMEM_APPEND(report->arena, &report->ops,
                gmem_contexts_op_at(contexts, step));
  collect_values(report, &analysis->liveness);
  GMEM_TRY(collect_unmodelled(report, &analysis->program, diag));
  // Workbuffers are numbered after the values of their scope.
  for (size_t i = 0; i < analysis->workbuffers.count; ++i) {
    GMEM_APPEND(report->arena, &report->locations,
                mlirOperationGetLocation(analysis->workbuffers.all[i].op));
    GMEM_APPEND(report->arena, &report->values, (MlirValue){NULL});
  }
  for (size_t i = 0; i < analysis->program.op_count; ++i)
    if (gmem_op_is_plain(&analysis->program.ops[i]))
      GMEM_APPEND(report->arena, &report->plain, analysis->program.ops[i].op);
  return gmem_bump_status(report->arena, diag);
}

//===--- capacities -------------------------------------------------------===//

static void set_capacities(gmem_report_t *report,
                           const gmem_plan_options_t *options) {
  for (uint32_t i = 0; i < gmem_planned_pool_count(report->planned); ++i) {
    const gmem_planned_pool_t *pool = gmem_planned_pool(report->planned, i);
    uint64_t capacity = gmem_stated_capacity(options, pool);
    report->pools[i].capacity = capacity;
    report->pools[i].over = pool->size > capacity ? pool->size - capacity : 0;
  }
}

// Fails if a pool exceeds its capacity: an error with a note for each further
// pool.
static gmem_status_t check_capacities(gmem_report_t *report,
                                      gmem_diag_t *diag) {
  uint32_t count = gmem_planned_pool_count(report->planned);
  gmem_note_t *notes;
  size_t over = 0;
  GMEM_TRY_ALLOC(notes, report->arena, count, diag);
  for (uint32_t i = 0; i < count; ++i)
    if (report->pools[i].over) {
      const gmem_planned_pool_t *pool = gmem_planned_pool(report->planned, i);
      gmem_note_t *note = &notes[over++];
      note->location = report->location;
      snprintf(note->text, sizeof note->text,
               "pool '%.64s' needs %" PRIu64 " bytes, has %" PRIu64
               ": over by %" PRIu64,
               pool->name, pool->size, report->pools[i].capacity,
               report->pools[i].over);
    }
  return over ? gmem_error(diag, GMEM_ERR_OVER_BUDGET, report->location,
                           notes + 1, over - 1, "%s", notes[0].text)
              : GMEM_OK;
}

//===--- what-ifs ---------------------------------------------------------===//

// The workspace pool with most bytes, or GMEM_NO_INDEX.
static uint32_t largest_pool(const gmem_report_t *report) {
  uint32_t largest = GMEM_NO_INDEX;
  for (uint32_t i = 0; i < gmem_planned_pool_count(report->planned); ++i) {
    const gmem_planned_pool_t *pool = gmem_planned_pool(report->planned, i);
    if (!pool->constant && report->pools[i].peak_step >= 0 &&
        (largest == GMEM_NO_INDEX ||
         pool->size > gmem_planned_pool(report->planned, largest)->size))
      largest = i;
  }
  return largest;
}

typedef struct maker_s {
  uint64_t size;
  uint32_t op;
} maker_t;

// The ops of the copy by their numbers before it was planned.
typedef struct numbers_s {
  gmem_pointer_map_t of;
  size_t count;
} numbers_t;

static int largest_first(const void *a, const void *b) {
  const maker_t *left = a, *right = b;
  if (left->size != right->size)
    return left->size < right->size ? 1 : -1;
  return (left->op > right->op) - (left->op < right->op);
}

// Finds the op at the peak of |pool| and those that made what is live there, by
// their numbers before the copy was planned.
static gmem_status_t find_peak_ops(const gmem_report_t *report, uint32_t pool,
                                   const gmem_pointer_map_t *number_of,
                                   gmem_peak_ops_t *out_peak,
                                   gmem_diag_t *diag) {
  enum { MOST_MAKERS = 10 };
  int64_t step = report->pools[pool].peak_step;
  size_t count = 0;
  maker_t *makers;
  uint32_t *numbers;
  GMEM_TRY_ALLOC(makers, report->arena, report->values.count, diag);
  GMEM_TRY_ALLOC(numbers, report->arena, MOST_MAKERS, diag);
  for (uint32_t i = 0; i < report->values.count; ++i) {
    const gmem_planned_buffer_t *buffer =
        gmem_planned_buffer(report->planned, i);
    MlirValue value = report->values.at[i];
    if (buffer->pool != pool || mlirValueIsNull(value) ||
        !mlirValueIsAOpResult(value) || !gmem_report_owns_at(buffer, step))
      continue;
    uint32_t op =
        gmem_pointer_map_find(number_of, mlirOpResultGetOwner(value).ptr);
    if (op != GMEM_NO_INDEX)
      makers[count++] = (maker_t){buffer->size, op};
  }
  if (count)
    qsort(makers, count, sizeof *makers, largest_first);
  count = count < MOST_MAKERS ? count : MOST_MAKERS;
  for (size_t i = 0; i < count; ++i)
    numbers[i] = makers[i].op;
  out_peak->at = gmem_pointer_map_find(number_of, report->ops.at[step].ptr);
  out_peak->makers = numbers;
  out_peak->maker_count = count;
  return GMEM_OK;
}

static gmem_status_t find_what_ifs(gmem_report_t *report, MlirOperation top,
                                   const gmem_plan_options_t *options,
                                   const numbers_t *numbers, bool is_old,
                                   gmem_diag_t *diag) {
  gmem_peak_ops_t peak = {.at = GMEM_NO_INDEX};
  uint32_t pool = largest_pool(report);
  bool *is_plain;
  GMEM_TRY_ALLOC(is_plain, report->arena, numbers->count, diag);
  for (size_t i = 0; i < report->plain.count; ++i) {
    uint32_t op = gmem_pointer_map_find(&numbers->of, report->plain.at[i].ptr);
    if (op != GMEM_NO_INDEX)
      is_plain[op] = true;
  }
  peak.is_plain = is_plain;
  if (pool != GMEM_NO_INDEX)
    GMEM_TRY(find_peak_ops(report, pool, &numbers->of, &peak, diag));
  report->has_what_ifs = true;
  return gmem_what_ifs_find(top, options, &peak, report->planned, is_old,
                            report->arena, &report->what_ifs, diag);
}

// Numbers the ops of |copy| before passes move or replace them.
static gmem_status_t number_ops(MlirOperation copy, gmem_bump_t *arena,
                                numbers_t *numbers, gmem_diag_t *diag) {
  gmem_numbered_ops_t ops;
  GMEM_TRY(gmem_number_ops(copy, arena, &ops, diag));
  GMEM_TRY(gmem_pointer_map_make(&numbers->of, ops.count, arena, diag));
  for (uint32_t i = 0; i < ops.count; ++i)
    gmem_pointer_map_add(&numbers->of, ops.at[i].ptr, i);
  numbers->count = ops.count;
  return GMEM_OK;
}

//===--- reporting --------------------------------------------------------===//

static gmem_status_t write_report(const gmem_report_t *report,
                                  gmem_report_format_t format,
                                  gmem_write_fn write, void *user,
                                  gmem_diag_t *diag) {
  gmem_text_t text = {.arena = report->arena};
  if (format == GMEM_REPORT_REMARKS)
    return gmem_report_to_remarks(report), GMEM_OK;
  if (format == GMEM_REPORT_JSON)
    return gmem_report_to_json(report, write, user, diag);
  gmem_report_to_text(report, &text);
  GMEM_TRY(gmem_bump_status(report->arena, diag));
  return write(user, gmem_text_get(&text), text.length);
}

static MlirWalkResult find_plan(MlirOperation op, void *user) {
  bool *has_plan = user;
  *has_plan = !mlirAttributeIsNull(gmem_op_annotation(op, GMEM_ATTR_PLAN));
  return *has_plan ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool has_plan(MlirOperation top) {
  bool found = false;
  mlirOperationWalk(top, find_plan, &found, MlirWalkPreOrder);
  return found;
}

// Makes the stated what-if to |top|. Fails if there are not so many.
static gmem_status_t apply_what_if(const gmem_report_t *report,
                                   MlirOperation top,
                                   const gmem_plan_options_t *options,
                                   gmem_diag_t *diag) {
  const gmem_what_ifs_t *ifs = &report->what_ifs;
  if (options->apply_what_if > ifs->count)
    return gmem_reject(diag, top, "apply=%" PRIu32 ": there %s %zu what-if%s",
                       options->apply_what_if, ifs->count == 1 ? "is" : "are",
                       ifs->count, ifs->count == 1 ? "" : "s");
  return gmem_what_if_apply(top, has_plan(top),
                            &ifs->at[options->apply_what_if - 1], options,
                            &report->arena->allocator, diag);
}

// A report to be made: of what, by which options, to where.
typedef struct request_s {
  MlirOperation top;
  const gmem_plan_options_t *options;
  gmem_write_fn write;
  void *user;
  const gmem_allocator_t *allocator;
  bool has_colours;
  bool applies; // makes a what-if to |top|
  bool advises; // remarks on what would fit, in place of a report
} request_t;

// Reports at |report| that memory is out, if it is, and returns |status|.
static gmem_status_t tell_memory(const gmem_report_t *report,
                                 gmem_status_t status, gmem_diag_t *diag) {
  return status == GMEM_ERR_OUT_OF_MEMORY
             ? gmem_error_at(diag, status, report->location, "out of memory")
             : status;
}

// Makes the change that is asked for, if one is, and checks the capacities of
// what is then the program.
static gmem_status_t finish(gmem_report_t *report, const request_t *request,
                            gmem_diag_t *diag) {
  uint32_t number = request->applies ? request->options->apply_what_if : 0;
  if (number)
    GMEM_TRY(apply_what_if(report, request->top, request->options, diag));
  return number && report->what_ifs.at[number - 1].over == 0
             ? GMEM_OK
             : tell_memory(report, check_capacities(report, diag), diag);
}

// Plans |copy|. What is computed from constants is in no part of the report: a
// remark says it.
static gmem_status_t make_plan(MlirOperation copy, const request_t *request,
                               gmem_diag_t *diag) {
  gmem_plan_options_t options = *request->options;
  options.quiet = options.quiet || request->advises;
  GMEM_TRY(gmem_hoist_constants(copy, &options, request->allocator, diag));
  options.constants = GMEM_CONSTANTS_KEEP;
  options.quiet = true;
  options.over_capacity = true;
  return gmem_plan_unverified(copy, &options, request->allocator, diag);
}

// Plans |copy| if need be, reads its plan and collects what else is known of
// it.
static gmem_status_t plan(MlirOperation copy, const request_t *request,
                          gmem_report_t *report, gmem_diag_t *diag) {
  bool is_planned = !request->options->report_replans && has_plan(copy);
  const gmem_plan_visit_t visit = {.use = collect_scope,
                                   .user = report,
                                   .strict_figures = !is_planned,
                                   .over_capacity = !is_planned};
  if (!is_planned)
    GMEM_TRY(make_plan(copy, request, diag));
  return gmem_planned_read_with(copy, &visit, request->allocator,
                                &report->planned, diag);
}

// Measures the plan, looks for changes and writes the report of both.
static gmem_status_t write_all(gmem_report_t *report, const request_t *request,
                               const numbers_t *numbers, bool is_old,
                               gmem_diag_t *diag) {
  const gmem_plan_options_t *options = request->options;
  GMEM_TRY(gmem_report_measure(report, diag));
  set_capacities(report, options);
  if (options->report_measured[0])
    GMEM_TRY(gmem_report_read_measured(report, options->report_measured, diag));
  if (numbers->count)
    GMEM_TRY(
        find_what_ifs(report, request->top, options, numbers, is_old, diag));
  if (request->advises)
    return gmem_report_advise(report), GMEM_OK;
  return write_report(report, options->report_format, request->write,
                      request->user, diag);
}

static gmem_status_t report_copy(MlirOperation copy, const request_t *request,
                                 gmem_report_t *report, gmem_diag_t *diag) {
  const gmem_plan_options_t *options = request->options;
  bool is_old = has_plan(copy) && !options->report_replans;
  numbers_t numbers = {.count = 0};
  if (options->what_if || options->apply_what_if)
    GMEM_TRY(tell_memory(
        report, number_ops(copy, report->arena, &numbers, diag), diag));
  GMEM_TRY(plan(copy, request, report, diag));
  GMEM_TRY(tell_memory(
      report, write_all(report, request, &numbers, is_old, diag), diag));
  return request->advises ? GMEM_OK : finish(report, request, diag);
}

static gmem_status_t make_report(const request_t *request, gmem_diag_t *diag) {
  gmem_diag_t own;
  gmem_bump_t arena;
  gmem_bump_init(&arena, request->allocator);
  gmem_report_t report = {.arena = &arena,
                          .location = mlirOperationGetLocation(request->top)};
  MlirOperation around;
  report.budget = request->options->report_budget;
  report.has_details = request->options->report_details;
  report.has_colours = request->has_colours;
  diag = diag ? diag : &own;
  if (gmem_count_scopes(request->top) == 0) {
    gmem_remark(report.location, "no function found: nothing to report");
    return gmem_fail(diag, GMEM_ERR_NOT_FOUND, "no function found");
  }
  GMEM_TRY(gmem_plan_options_check(request->options, diag));
  MlirOperation copy = gmem_program_copy(request->top, &around);
  gmem_status_t status = report_copy(copy, request, &report, diag);
  gmem_planned_destroy(report.planned);
  mlirOperationDestroy(around);
  gmem_bump_destroy(&arena);
  return status;
}

gmem_status_t gmem_report_module(MlirOperation top,
                                 const gmem_plan_options_t *options,
                                 gmem_write_fn write, void *user,
                                 const gmem_allocator_t *allocator,
                                 gmem_diag_t *diag) {
  GMEM_NEED(top.ptr && options && write, diag);
  const request_t request = {.top = top,
                             .options = options,
                             .write = write,
                             .user = user,
                             .allocator = allocator};
  return make_report(&request, diag);
}

// Swallows errors: the caller has told them.
static MlirLogicalResult drop_errors(MlirDiagnostic diagnostic, void *user) {
  (void)user;
  return mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError
             ? mlirLogicalResultSuccess()
             : mlirLogicalResultFailure();
}

gmem_status_t gmem_report_fitting(MlirOperation top,
                                  const gmem_plan_options_t *options,
                                  const gmem_allocator_t *allocator) {
  gmem_plan_options_t how = *options;
  how.what_if = true;
  how.report_replans = true;
  how.effort = GMEM_EFFORT_FAST;
  const request_t request = {
      .top = top, .options = &how, .allocator = allocator, .advises = true};
  MlirContext context = mlirOperationGetContext(top);
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(context, drop_errors, NULL, NULL);
  gmem_status_t status = make_report(&request, NULL);
  mlirContextDetachDiagnosticHandler(context, handler);
  return status;
}

//===--- the pass ---------------------------------------------------------===//

// Whether the report is read on a terminal that shows colours
// (https://no-color.org).
static bool is_terminal(const gmem_plan_options_t *options) {
  const char *refused = getenv("NO_COLOR"), *kind = getenv("TERM");
  return strcmp(options->report_output, "-") == 0 && isatty(STDERR_FILENO) &&
         !(refused && *refused) && kind && strcmp(kind, "dumb") != 0;
}

static gmem_status_t report_and_apply(MlirOperation top,
                                      const gmem_plan_options_t *options,
                                      gmem_write_fn write, void *user,
                                      const gmem_allocator_t *allocator,
                                      gmem_diag_t *diag) {
  const request_t request = {.top = top,
                             .options = options,
                             .write = write,
                             .user = user,
                             .allocator = allocator,
                             .has_colours = is_terminal(options),
                             .applies = true};
  return make_report(&request, diag);
}

static gmem_status_t print(void *user, const char *bytes, size_t length) {
  (void)user;
  gmem_print(bytes, length);
  return GMEM_OK;
}

typedef struct file_s {
  gmem_output_t *output;
  bool is_written;
} file_t;

static gmem_status_t write_later(void *user, const char *bytes, size_t length) {
  file_t *file = user;
  file->is_written = true;
  (void)gmem_output_write(file->output, bytes, length); // the commit reports it
  return GMEM_OK;
}

static gmem_status_t report_to_file(MlirOperation top,
                                    const gmem_plan_options_t *options,
                                    gmem_report_fn make,
                                    const gmem_allocator_t *allocator,
                                    gmem_diag_t *diag) {
  const char *path = options->report_output;
  file_t file = {0};
  gmem_status_t made = GMEM_OK;
  gmem_status_t status = gmem_output_open(path, &file.output, diag);
  if (status == GMEM_OK) {
    made = make(top, options, write_later, &file, allocator, diag);
    // The report of a plan that does not fit is whole.
    bool is_whole =
        made == GMEM_OK || (made == GMEM_ERR_OVER_BUDGET && file.is_written);
    if (!is_whole) {
      gmem_output_abort(file.output);
      return made;
    }
    status = gmem_output_commit(file.output, diag);
  }
  return status == GMEM_OK
             ? made
             : gmem_error(NULL, status, mlirOperationGetLocation(top), NULL, 0,
                          "output: %s: %s", path, diag->text);
}

gmem_status_t gmem_report_write(MlirOperation top,
                                const gmem_plan_options_t *options,
                                gmem_report_fn make,
                                const gmem_allocator_t *allocator,
                                gmem_diag_t *diag) {
  gmem_diag_t own;
  diag = diag ? diag : &own;
  return strcmp(options->report_output, "-") != 0
             ? report_to_file(top, options, make, allocator, diag)
             : make(top, options, print, NULL, allocator, diag);
}

gmem_status_t gmem_report(MlirOperation top, const gmem_plan_options_t *options,
                          const gmem_allocator_t *allocator,
                          gmem_diag_t *diag) {
  if (strcmp(options->report_output, "-") != 0 &&
      options->report_format == GMEM_REPORT_REMARKS)
    return gmem_error(diag, GMEM_ERR_INVALID_ARGUMENT,
                      mlirOperationGetLocation(top), NULL, 0,
                      "output='%s' has no effect with format=remarks, which "
                      "emits diagnostics: remove it",
                      options->report_output);
  gmem_status_t status =
      gmem_report_write(top, options, report_and_apply, allocator, diag);
  // A module without functions is not an error for the pass.
  return status == GMEM_ERR_NOT_FOUND ? GMEM_OK : status;
}
