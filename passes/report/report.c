// report.c - gmem-report.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: nothing; an existing plan is ignored.
// produces: no change to the IR. Plans a copy of it, verifies that plan and
//           reports its buffers, the unplanned values and the reasons: as
//           remarks, or as text or JSON in a file.
// fails:    when gmem-plan fails, and when the file cannot be written.

#include "report.h"

#include <stdlib.h>
#include <string.h>

#include "diagnostics.h"
#include "files.h"
#include "liveness_report.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir_seam.h"
#include "pass_options.h"
#include "plan_module.h"
#include "plan_reading.h"
#include "report_facts.h"
#include "report_json.h"
#include "report_remarks.h"
#include "report_text.h"
#include "scopes.h"
#include "vocabulary.h"

//===--- errors -----------------------------------------------------------===//

// The report's own allocations have no op to report a failure at.
static gmem_status_t no_memory(const gmem_report_t *report, gmem_diag_t *diag) {
  return gmem_error(diag, GMEM_ERR_OUT_OF_MEMORY, report->location, NULL, 0,
                    "out of memory");
}

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
  for (uint32_t i = 0; i < report->buffer_count; ++i) {
    const gmem_planned_buffer_t *buffer =
        gmem_planned_buffer(report->planned, i);
    if (buffer->pool != pool)
      continue;
    if (buffer->alias_of != GMEM_NO_BUFFER) {
      ++figures->views;
      continue;
    }
    ++figures->buffers;
    figures->sum += buffer->size;
    for (size_t k = 0; k < buffer->owned_count; ++k) {
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
  for (uint32_t i = 0; i < report->buffer_count; ++i)
    room += 2 * gmem_planned_buffer(report->planned, i)->owned_count;
  change_t *changes = gmem_bump_alloc(report->arena, room, sizeof *changes);
  report->pools =
      gmem_bump_alloc(report->arena, pool_count, sizeof *report->pools);
  if (!changes || !report->pools)
    return no_memory(report, diag);
  for (uint32_t i = 0; i < pool_count; ++i)
    find_peak(&report->pools[i], changes, list_changes(report, i, changes));
  return GMEM_OK;
}

//===--- facts outside of the plan ----------------------------------------===//

typedef struct collector_s {
  gmem_report_t *report;
  size_t buffer_room, step_room;
} collector_t;

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

static gmem_status_t add_unplanned(gmem_report_t *report,
                                   const gmem_program_t *program,
                                   uint32_t value, const char *reason,
                                   MlirOperation cause, gmem_diag_t *diag) {
  char text[256];
  gmem_value_describe(program, value, text, sizeof text);
  MlirStringRef function =
      program->functions[gmem_value_function(program, value)].name;
  gmem_report_unplanned_t entry = {
      .value = gmem_bump_string(report->arena, text, strlen(text)),
      .function =
          gmem_bump_string(report->arena, function.data, function.length),
      .reason = reason,
      .location = gmem_value_location(program, value),
      .cause = cause};
  if (!entry.value || !entry.function ||
      !gmem_bump_grow(report->arena, &report->unplanned,
                      report->unplanned_count, &report->unplanned_room,
                      sizeof entry))
    return gmem_out_of_memory(diag);
  report->unplanned[report->unplanned_count++] = entry;
  return GMEM_OK;
}

static gmem_status_t add_location(collector_t *collector, MlirLocation location,
                                  gmem_diag_t *diag) {
  gmem_report_t *report = collector->report;
  GMEM_TRY_GROW(report->arena, report->locations, report->buffer_count,
                collector->buffer_room, diag);
  report->locations[report->buffer_count++] = location;
  return GMEM_OK;
}

// Collects the locations of the buffers, which are numbered in the order of
// their values, and the values that are not planned although they may need
// memory.
static gmem_status_t collect_values(collector_t *collector,
                                    const gmem_liveness_t *liveness,
                                    gmem_diag_t *diag) {
  const gmem_program_t *program = liveness->program;
  gmem_report_t *report = collector->report;
  for (uint32_t i = 0; i < program->value_count; ++i) {
    gmem_storage_t storage = liveness->live_values[i].storage;
    MlirOperation cause;
    const char *reason = find_reason(liveness, i, &cause);
    if (storage == GMEM_STORAGE_TENSOR || storage == GMEM_STORAGE_WEIGHT)
      GMEM_TRY(add_location(collector, gmem_value_location(program, i), diag));
    else if (reason)
      GMEM_TRY(add_unplanned(report, program, i, reason, cause, diag));
  }
  return GMEM_OK;
}

static gmem_status_t collect_scope(gmem_scope_plan_t *plan,
                                   const gmem_op_models_t *models, void *user,
                                   gmem_diag_t *diag) {
  (void)models;
  collector_t *collector = user;
  gmem_report_t *report = collector->report;
  const gmem_analysis_t *analysis = &plan->analysis;
  const gmem_call_contexts_t *contexts = analysis->liveness.contexts;
  int64_t length = gmem_call_contexts_length(contexts);
  for (int64_t step = 0; step < length; ++step) {
    GMEM_TRY_GROW(report->arena, report->ops, (size_t)report->step_count,
                  collector->step_room, diag);
    report->ops[report->step_count++] = gmem_contexts_op_at(contexts, step);
  }
  GMEM_TRY(collect_values(collector, &analysis->liveness, diag));
  // Workbuffers are numbered after the values of their scope.
  for (size_t i = 0; i < analysis->workbuffers.count; ++i)
    GMEM_TRY(add_location(
        collector, mlirOperationGetLocation(analysis->workbuffers.all[i].op),
        diag));
  return GMEM_OK;
}

//===--- the copy ---------------------------------------------------------===//

// Attributes of an op that apply to everything nested in it.
static const gmem_attr_t inherited[] = {GMEM_ATTR_OP_MODELS, GMEM_ATTR_MEMORIES,
                                        GMEM_ATTR_TARGET};
enum { INHERITED = sizeof inherited / sizeof *inherited };

// Copies the inherited attributes of |from| to |to|, which may be null. Returns
// whether there are any.
static bool inherit(MlirOperation from, MlirOperation to) {
  bool has_any = false;
  for (size_t i = 0; i < INHERITED; ++i) {
    MlirStringRef name = gmem_attr_name(inherited[i]);
    MlirAttribute attribute =
        mlirOperationGetDiscardableAttributeByName(from, name);
    if (mlirAttributeIsNull(attribute))
      continue;
    has_any = true;
    if (!mlirOperationIsNull(to))
      mlirOperationSetDiscardableAttributeByName(to, name, attribute);
  }
  return has_any;
}

// Clones |top|, nested in modules that carry the inherited attributes of its
// ancestors. *out_around is the outermost of them; the caller destroys it.
static MlirOperation copy_with_surroundings(MlirOperation top,
                                            MlirOperation *out_around) {
  MlirOperation copy = mlirOperationClone(top);
  *out_around = copy;
  for (MlirOperation op = mlirOperationGetParentOperation(top);
       !mlirOperationIsNull(op); op = mlirOperationGetParentOperation(op)) {
    if (!inherit(op, (MlirOperation){NULL}))
      continue;
    MlirModule around = mlirModuleCreateEmpty(mlirOperationGetLocation(op));
    mlirBlockAppendOwnedOperation(mlirModuleGetBody(around), *out_around);
    *out_around = mlirModuleGetOperation(around);
    (void)inherit(op, *out_around);
  }
  return copy;
}

//===--- reporting --------------------------------------------------------===//

static gmem_status_t emit_report(const gmem_report_t *report,
                                 gmem_report_format_t format,
                                 gmem_write_fn write, void *user,
                                 gmem_diag_t *diag) {
  gmem_text_t text = {.arena = report->arena};
  if (format == GMEM_REPORT_REMARKS)
    return gmem_report_to_remarks(report), GMEM_OK;
  if (format == GMEM_REPORT_JSON)
    return gmem_report_to_json(report, write, user, diag);
  gmem_report_to_text(report, &text);
  return gmem_text_get(&text) ? write(user, gmem_text_get(&text), text.length)
                              : no_memory(report, diag);
}

// Plans |copy|, reads its plan and collects what else is known of it.
static gmem_status_t plan(MlirOperation copy,
                          const gmem_plan_options_t *options,
                          const gmem_allocator_t *allocator,
                          gmem_report_t *report, gmem_planned_t **out_planned,
                          gmem_diag_t *diag) {
  gmem_plan_options_t quietly = *options;
  collector_t collector = {.report = report};
  quietly.quiet = true;
  GMEM_TRY(gmem_plan_unverified(copy, &quietly, allocator, diag));
  GMEM_TRY(gmem_planned_read_with(
      copy, &(gmem_plan_visit_t){.use = collect_scope, .user = &collector},
      allocator, out_planned, diag));
  report->planned = *out_planned;
  return measure_pools(report, diag);
}

static gmem_status_t count_scope(MlirOperation scope, void *user) {
  (void)scope;
  ++*(size_t *)user;
  return GMEM_OK;
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
  gmem_planned_t *planned = NULL;
  MlirOperation around;
  diag = diag ? diag : &own;
  size_t scopes = 0;
  (void)gmem_for_each_scope(top, count_scope, &scopes);
  if (scopes == 0) {
    gmem_remark(report.location, "no function found: nothing to report");
    return gmem_fail(diag, GMEM_ERR_NOT_FOUND, "no function found");
  }
  gmem_status_t status = gmem_plan_options_check(options, diag);
  if (status != GMEM_OK)
    return status;
  MlirOperation copy = copy_with_surroundings(top, &around);
  status = plan(copy, options, allocator, &report, &planned, diag);
  if (status == GMEM_OK)
    status = emit_report(&report, options->report_format, write, user, diag);
  gmem_planned_destroy(planned);
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

static gmem_status_t write_later(void *output, const char *bytes,
                                 size_t length) {
  (void)gmem_output_write(output, bytes, length); // the commit reports it
  return GMEM_OK;
}

static gmem_status_t report_to_file(MlirOperation top,
                                    const gmem_plan_options_t *options,
                                    const gmem_allocator_t *allocator,
                                    gmem_diag_t *diag) {
  const char *path = options->report_output;
  gmem_output_t *output;
  gmem_status_t status = gmem_output_open(path, &output, diag);
  if (status == GMEM_OK) {
    status =
        gmem_report_module(top, options, write_later, output, allocator, diag);
    if (status != GMEM_OK) {
      gmem_output_abort(output);
      return status;
    }
    status = gmem_output_commit(output, diag);
  }
  return status == GMEM_OK
             ? status
             : gmem_error(NULL, status, mlirOperationGetLocation(top), NULL, 0,
                          "output: %s: %s", path, diag->text);
}

gmem_status_t gmem_report(MlirOperation top, const gmem_plan_options_t *options,
                          const gmem_allocator_t *allocator,
                          gmem_diag_t *diag) {
  gmem_diag_t own;
  diag = diag ? diag : &own;
  bool to_file = strcmp(options->report_output, "-") != 0;
  if (to_file && options->report_format == GMEM_REPORT_REMARKS)
    return gmem_error(diag, GMEM_ERR_INVALID_ARGUMENT,
                      mlirOperationGetLocation(top), NULL, 0,
                      "output='%s' has no effect with format=remarks, which "
                      "emits diagnostics: remove it",
                      options->report_output);
  gmem_status_t status =
      to_file ? report_to_file(top, options, allocator, diag)
              : gmem_report_module(top, options, print, NULL, allocator, diag);
  // A module without functions is not an error for the pass.
  return status == GMEM_ERR_NOT_FOUND ? GMEM_OK : status;
}
