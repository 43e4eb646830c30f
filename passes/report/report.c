// report.c - gmem-report.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: nothing.
// produces: no change to the IR. Verifies its plan, or with replan=true, and
//           where there is none, makes one of a copy; reports the plan's
//           buffers, the unplanned values and the reasons: as remarks, or as
//           text or JSON in a file. A plan that exceeds a capacity is
//           reported, too.
// fails:    when the plan is invalid or cannot be made, when it exceeds a
//           capacity, and when the file cannot be written.

#include "report.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnostics.h"
#include "files.h"
#include "ir_reading.h"
#include "liveness_report.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir_seam.h"
#include "pass_options.h"
#include "plan_reading.h"
#include "pool_names.h"
#include "report_facts.h"
#include "scopes.h"
#include "vocabulary.h"

//===--- pool statistics --------------------------------------------------===//

typedef struct change_s {
  int64_t step;
  uint64_t begun, ended; // bytes that become live or dead; one of them is 0
} change_t;

static int by_step(const void *a, const void *b) {
  const change_t *left = a, *right = b;
  return (left->step > right->step) - (left->step < right->step);
}

// Counts the buffers of |pool| and lists the ends of their live ranges.
static size_t list_changes(gmem_report_t *report, uint32_t pool,
                           change_t *changes) {
  gmem_report_pool_t *figures = &report->pools[pool];
  size_t count = 0;
  for (uint32_t i = 0; i < report->locations.count; ++i) {
    const gmem_planned_buffer_t *buffer =
        gmem_planned_buffer(report->planned, i);
    bool is_listed = gmem_report_is_listed(buffer, pool);
    figures->views += buffer->pool == pool && !is_listed;
    figures->buffers += is_listed;
    figures->sum += is_listed ? buffer->size : 0;
    for (size_t k = 0; k < buffer->owned_count && is_listed; ++k) {
      changes[count++] = (change_t){buffer->owned[k].begin, buffer->size, 0};
      changes[count++] = (change_t){buffer->owned[k].end, 0, buffer->size};
    }
  }
  return count;
}

// Finds the peak liveness of a pool and the steps at which it occurs.
static void find_peak(gmem_report_pool_t *figures, change_t *changes,
                      size_t count) {
  uint64_t live = 0;
  figures->peak_step = -1;
  qsort(changes, count, sizeof *changes, by_step);
  for (size_t i = 0; i < count;) {
    int64_t step = changes[i].step;
    uint64_t ended = 0;
    for (; i < count && changes[i].step == step; ++i) {
      live += changes[i].begun;
      ended += changes[i].ended;
    }
    assert(ended <= live);
    live -= ended;
    int64_t until = i < count ? changes[i].step : step;
    if (live > figures->peak_live) {
      figures->peak_live = live;
      figures->peak_step = step;
      figures->peak_steps = 0;
    }
    if (live == figures->peak_live)
      figures->peak_steps += until - step;
  }
}

static gmem_status_t measure_pools(gmem_report_t *report, gmem_diag_t *diag) {
  uint32_t pool_count = gmem_planned_pool_count(report->planned);
  size_t room = 0;
  for (uint32_t i = 0; i < report->locations.count; ++i)
    room += 2 * gmem_planned_buffer(report->planned, i)->owned_count;
  change_t *changes;
  GMEM_TRY_ALLOC(changes, report->arena, room, diag);
  GMEM_TRY_ALLOC(report->pools, report->arena, pool_count, diag);
  for (uint32_t i = 0; i < pool_count; ++i)
    find_peak(&report->pools[i], changes, list_changes(report, i, changes));
  return GMEM_OK;
}

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
                          uint32_t value, const char *reason,
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
    if (gmem_live_value_is_planned(&liveness->live_values[i]))
      GMEM_APPEND(report->arena, &report->locations,
                  gmem_value_location(program, i));
    else if (reason)
      add_unplanned(report, program, i, reason, cause);
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
  for (size_t i = 0; i < analysis->workbuffers.count; ++i)
    GMEM_APPEND(report->arena, &report->locations,
                mlirOperationGetLocation(analysis->workbuffers.all[i].op));
  return gmem_bump_status(report->arena, diag);
}

//===--- the copy ---------------------------------------------------------===//

// Attributes of an op that apply to everything nested in it.
static const gmem_attr_t inherited[] = {GMEM_ATTR_OP_MODELS, GMEM_ATTR_MEMORIES,
                                        GMEM_ATTR_TARGET};

// Clones |top|, nested in modules that carry the inherited attributes of its
// ancestors. *out_around is the outermost of them; the caller destroys it.
static MlirOperation copy_with_surroundings(MlirOperation top,
                                            MlirOperation *out_around) {
  MlirOperation copy = mlirOperationClone(top);
  *out_around = copy;
  for (MlirOperation op = mlirOperationGetParentOperation(top);
       !mlirOperationIsNull(op); op = mlirOperationGetParentOperation(op)) {
    MlirModule around = {NULL}; // until there is an attribute
    for (size_t i = 0; i < sizeof inherited / sizeof *inherited; ++i) {
      MlirAttribute attribute = gmem_op_annotation(op, inherited[i]);
      if (mlirAttributeIsNull(attribute))
        continue;
      if (mlirModuleIsNull(around)) {
        around = mlirModuleCreateEmpty(mlirOperationGetLocation(op));
        mlirBlockAppendOwnedOperation(mlirModuleGetBody(around), *out_around);
        *out_around = mlirModuleGetOperation(around);
      }
      gmem_op_annotate(*out_around, inherited[i], attribute);
    }
  }
  return copy;
}

//===--- capacities -------------------------------------------------------===//

// The capacity of a pool, or that of the options if it is smaller: a plan that
// is there was made without them.
static uint64_t capacity_of(const gmem_plan_options_t *options,
                            const gmem_planned_pool_t *pool) {
  uint64_t capacity = pool->capacity, bytes;
  MlirStringRef name;
  if (strcmp(pool->name, GMEM_POOL_TENSORS) == 0 &&
      options->capacity < capacity)
    capacity = options->capacity;
  for (const char *at = options->space_capacity;
       *at && gmem_space_capacity_next(&at, &name, &bytes);)
    if (gmem_string_is(name, pool->name) && bytes < capacity)
      capacity = bytes;
  return capacity;
}

static void set_capacities(gmem_report_t *report,
                           const gmem_plan_options_t *options) {
  for (uint32_t i = 0; i < gmem_planned_pool_count(report->planned); ++i) {
    const gmem_planned_pool_t *pool = gmem_planned_pool(report->planned, i);
    uint64_t capacity = capacity_of(options, pool);
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

static gmem_status_t emit_report(gmem_report_t *report,
                                 const gmem_plan_options_t *options,
                                 gmem_write_fn write, void *user,
                                 gmem_diag_t *diag) {
  GMEM_TRY(measure_pools(report, diag));
  set_capacities(report, options);
  GMEM_TRY(write_report(report, options->report_format, write, user, diag));
  return check_capacities(report, diag);
}

static MlirWalkResult find_plan(MlirOperation op, void *user) {
  bool *has_plan = user;
  *has_plan = !mlirAttributeIsNull(gmem_op_annotation(op, GMEM_ATTR_PLAN));
  return *has_plan ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

// Plans |copy| if need be, reads its plan and collects what else is known of
// it.
static gmem_status_t plan(MlirOperation copy,
                          const gmem_plan_options_t *options,
                          const gmem_allocator_t *allocator,
                          gmem_report_t *report, gmem_diag_t *diag) {
  gmem_plan_options_t quietly = *options;
  bool has_plan = false;
  if (!options->report_replans)
    mlirOperationWalk(copy, find_plan, &has_plan, MlirWalkPreOrder);
  const gmem_plan_visit_t visit = {.use = collect_scope,
                                   .user = report,
                                   .strict_figures = !has_plan,
                                   .over_capacity = !has_plan};
  quietly.quiet = true;
  quietly.over_capacity = true;
  if (!has_plan)
    GMEM_TRY(gmem_plan_unverified(copy, &quietly, allocator, diag));
  return gmem_planned_read_with(copy, &visit, allocator, &report->planned,
                                diag);
}

gmem_status_t gmem_report_module(MlirOperation top,
                                 const gmem_plan_options_t *options,
                                 gmem_write_fn write, void *user,
                                 const gmem_allocator_t *allocator,
                                 gmem_diag_t *diag) {
  gmem_diag_t own;
  gmem_bump_t arena;
  gmem_bump_init(&arena, allocator);
  gmem_report_t report = {.arena = &arena,
                          .location = mlirOperationGetLocation(top)};
  MlirOperation around;
  diag = diag ? diag : &own;
  if (gmem_count_scopes(top) == 0) {
    gmem_remark(report.location, "no function found: nothing to report");
    return gmem_fail(diag, GMEM_ERR_NOT_FOUND, "no function found");
  }
  GMEM_TRY(gmem_plan_options_check(options, diag));
  MlirOperation copy = copy_with_surroundings(top, &around);
  gmem_status_t status = plan(copy, options, allocator, &report, diag);
  if (status == GMEM_OK) {
    status = emit_report(&report, options, write, user, diag);
    if (status == GMEM_ERR_OUT_OF_MEMORY) // has no op to be reported at
      gmem_error_at(diag, status, report.location, "out of memory");
  }
  gmem_planned_destroy(report.planned);
  mlirOperationDestroy(around);
  gmem_bump_destroy(&arena);
  return status;
}

//===--- the pass ---------------------------------------------------------===//

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
      gmem_report_write(top, options, gmem_report_module, allocator, diag);
  // A module without functions is not an error for the pass.
  return status == GMEM_ERR_NOT_FOUND ? GMEM_OK : status;
}
