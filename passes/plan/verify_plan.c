// verify_plan.c - gmem-verify-plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: gmem-assign-weights and gmem-assign-tensors, or a file that they
//           have produced.
// produces: nothing. Proves from the IR alone that every global value has a
//           placement of its size and every workbuffer has one, in a pool of
//           the right kind; that no allocation has one that the analysis
//           cannot plan, as that of which several instances may be live at
//           once; that values that must alias have the same placement; that no
//           two buffers that are live at one time overlap; that gmem.alias
//           states what the placements imply, and gmem.copies all copies that
//           they imply; that gmem.valid_region is what the op models imply; and
//           that alignments, capacities and figures are correct. Uses the
//           liveness analysis and the planner's checker, but no placement code.
// fails:    at the first violation; an overlap is reported at the op at which
//           both values are live, with notes on both.

#include "verify_plan.h"

#include <assert.h>
#include <stdio.h>

#include "alias_attributes.h"
#include "contents.h"
#include "control_copies.h"
#include "diag.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "plan_verifier.h"
#include "region_marks.h"
#include "scopes.h"
#include "vocabulary.h"

//===--- single placements ------------------------------------------------===//

static gmem_status_t value_error(const gmem_plan_verifier_t *verifier,
                                 uint32_t value, const char *what) {
  return gmem_value_error(&verifier->analysis->program, value, GMEM_ERR_CORRUPT,
                          what, verifier->diag);
}

// Why a placement in a constant or workspace pool is wrong; NULL if it is not.
// |mismatches|: for the wrong kind of pool, a workspace or a constant one.
static const char *place_problem(const gmem_plan_verifier_t *verifier,
                                 const gmem_value_place_t *place, bool constant,
                                 const char *const mismatches[2]) {
  const gmem_pool_table_t *pools = &verifier->plan->pools;
  if (!gmem_has_place(place) || place->offset < 0)
    return "needs memory but has no offset";
  if (place->pool >= pools->count)
    return "is in a pool that gmem.pool_table does not list";
  bool is_constant = pools->entries[place->pool].constant;
  return is_constant == constant ? NULL : mismatches[is_constant];
}

// Whether the placement has the size of the value and no padding; padded values
// are checked by check_paddings.
static bool has_own_size(const gmem_plan_verifier_t *verifier, uint32_t value) {
  const gmem_analysis_t *analysis = verifier->analysis;
  const gmem_value_place_t *place = &verifier->plan->places[value];
  uint32_t set = analysis->liveness.set_of[value];
  if (set != GMEM_NO_INDEX && gmem_is_padded(gmem_set_padding(analysis, set)))
    return true;
  return (uint64_t)place->size == analysis->program.values[value].size;
}

// Reports |problem| of a value without a placement, with a note if its op has
// none at all.
static gmem_status_t report_missing(const gmem_plan_verifier_t *verifier,
                                    uint32_t value, const char *problem) {
  const gmem_program_t *program = &verifier->analysis->program;
  uint32_t op = program->values[value].op;
  MlirLocation location = gmem_value_location(program, value);
  gmem_note_t note = {.location = location,
                      .text = "a pass may have created or replaced this op "
                              "after the program was planned"};
  char name[128];
  gmem_value_describe(program, value, name, sizeof name);
  bool is_new = op != GMEM_NO_INDEX &&
                mlirAttributeIsNull(
                    gmem_op_annotation(program->ops[op].op, GMEM_ATTR_OFFSET));
  return gmem_error(verifier->diag, GMEM_ERR_CORRUPT, location, &note,
                    is_new ? 1 : 0, "%s %s", name, problem);
}

// Reports that the placement is not that of the value which it must alias.
static gmem_status_t report_root(const gmem_plan_verifier_t *verifier,
                                 uint32_t value) {
  const gmem_analysis_t *analysis = verifier->analysis;
  uint32_t root = analysis->liveness.live_values[value].root;
  char name[128], what[256];
  gmem_value_describe(&analysis->program, root, name, sizeof name);
  snprintf(what, sizeof what,
           "has a different placement than %s, which it must alias", name);
  return value_error(verifier, value, what);
}

// Reports a gmem.size that is not the size of the value.
static gmem_status_t report_size(const gmem_plan_verifier_t *verifier,
                                 uint32_t value) {
  char what[128];
  snprintf(what, sizeof what,
           "has a gmem.size of %lld bytes but a type of %llu bytes",
           (long long)verifier->plan->places[value].size,
           (unsigned long long)verifier->analysis->program.values[value].size);
  return value_error(verifier, value, what);
}

// Verifies size and pool of the placement of one value.
static gmem_status_t verify_place(const gmem_plan_verifier_t *verifier,
                                  uint32_t value) {
  static const char *const mismatches[] = {
      "is a constant but is in a workspace pool",
      "is not a constant but is in a constant pool"};
  const gmem_live_value_t *live =
      &verifier->analysis->liveness.live_values[value];
  const gmem_value_place_t *place = &verifier->plan->places[value];
  const gmem_value_place_t *root = &verifier->plan->places[live->root];
  const char *problem = place_problem(
      verifier, place, live->storage == GMEM_STORAGE_WEIGHT, mismatches);
  if (problem)
    return gmem_has_place(place) ? value_error(verifier, value, problem)
                                 : report_missing(verifier, value, problem);
  if (!has_own_size(verifier, value))
    return report_size(verifier, value);
  return place->pool == root->pool && place->offset == root->offset &&
                 place->size == root->size && place->payload == root->payload
             ? GMEM_OK
             : report_root(verifier, value);
}

// Verifies the pool of the placement of one workbuffer. A workbuffer of 0 bytes
// has no placement.
static gmem_status_t verify_work_place(const gmem_plan_verifier_t *verifier,
                                       uint32_t index) {
  static const char *const mismatches[] = {
      "is immutable but is in a workspace pool",
      "is mutable but is in a constant pool"};
  const gmem_op_workbuffer_t *workbuffer =
      &verifier->analysis->workbuffers.all[index];
  const gmem_value_place_t *place = &verifier->plan->work_places[index];
  const char *problem = NULL;
  if (workbuffer->size)
    problem = place_problem(verifier, place, workbuffer->immutable, mismatches);
  else if (place->offset != -1 || gmem_has_place(place))
    problem = "needs no memory but has an offset";
  if (!problem)
    return GMEM_OK;
  char name[128];
  gmem_workbuffer_describe(workbuffer, name, sizeof name);
  return gmem_op_error(verifier->diag, GMEM_ERR_CORRUPT, workbuffer->op,
                       "%s %s", name, problem);
}

// Reports the place of an allocation that cannot be planned.
static gmem_status_t report_misplaced(const gmem_plan_verifier_t *verifier,
                                      const gmem_allocation_site_t *site) {
  const gmem_program_t *program = &verifier->analysis->program;
  bool has_cause = site->cause != GMEM_NO_INDEX;
  gmem_note_t note = {.text = ""};
  char name[128];
  gmem_value_describe(program, site->value, name, sizeof name);
  if (has_cause) {
    note.location = mlirOperationGetLocation(program->ops[site->cause].op);
    snprintf(note.text, sizeof note.text, "%s",
             gmem_unplanned_cause_text(site->reason));
  }
  return gmem_error(verifier->diag, GMEM_ERR_CORRUPT,
                    gmem_value_location(program, site->value), &note, has_cause,
                    "%s has a place, but %s", name,
                    gmem_unplanned_text(site->reason));
}

// Verifies that each allocation that has a place can be planned.
static gmem_status_t verify_sites(const gmem_plan_verifier_t *verifier) {
  const gmem_memrefs_t *memrefs = &verifier->analysis->liveness.memrefs;
  for (size_t i = 0; i < memrefs->site_count; ++i) {
    const gmem_allocation_site_t *site =
        gmem_misplaced_site(verifier->plan, memrefs->sites[i].value);
    if (site)
      return report_misplaced(verifier, site);
  }
  return GMEM_OK;
}

static gmem_status_t verify_places(const gmem_plan_verifier_t *verifier) {
  const gmem_analysis_t *analysis = verifier->analysis;
  GMEM_TRY(verify_sites(verifier));
  for (uint32_t i = 0; i < analysis->program.value_count; ++i)
    if (gmem_live_value_is_planned(&analysis->liveness.live_values[i]))
      GMEM_TRY(verify_place(verifier, i));
  for (uint32_t i = 0; i < analysis->workbuffers.count; ++i)
    GMEM_TRY(verify_work_place(verifier, i));
  return GMEM_OK;
}

//===--- placements -------------------------------------------------------===//

// Whether nothing reads the constraints of the analysis once the problem is
// made of them: the bound over all orders does.
static bool may_drop(const gmem_plan_verifier_t *verifier) {
  return verifier->is_last &&
         verifier->plan->figures.order_bound == GMEM_UNLIMITED;
}

// Checks gmem.alias, and frees the aliases before the bounds are computed.
static gmem_status_t check_aliases(const gmem_plan_verifier_t *verifier) {
  gmem_analysis_t *analysis = &verifier->plan->analysis;
  gmem_aliases_t *aliases = &analysis->constraints.aliases;
  GMEM_TRY(gmem_aliases_verify(&analysis->liveness, aliases,
                               verifier->plan->places, analysis->arena,
                               verifier->diag));
  if (!may_drop(verifier))
    return GMEM_OK;
  gmem_bump_drop(analysis->arena, aliases->aliases);
  aliases->aliases = NULL;
  aliases->count = aliases->room = 0;
  return GMEM_OK;
}

// Checks the placements of the problem and the figures of its pools. A
// placement in a pool that is not one of the problem has the number of pools.
static gmem_status_t check_plan(const gmem_plan_verifier_t *verifier) {
  const gmem_problem_part_t *part = &verifier->part;
  uint32_t pools = part->pools->count;
  gmem_check_result_t found = {.violation = GMEM_VIOLATION_NONE};
  gmem_placement_t *plan;
  GMEM_TRY_ALLOC(plan, verifier->analysis->arena, part->count, verifier->diag);
  for (uint32_t i = 0; i < part->count; ++i) {
    const gmem_value_place_t *place = gmem_verifier_place(verifier, i);
    plan[i].offset = (uint64_t)place->offset;
    while (plan[i].pool < pools &&
           verifier->entries[plan[i].pool] != place->pool)
      ++plan[i].pool;
  }
  gmem_status_t status =
      gmem_check(verifier->problem, plan, &found, verifier->diag);
  if (found.violation != GMEM_VIOLATION_NONE)
    return gmem_verifier_report(verifier, status, &found);
  GMEM_TRY(status);
  if (!part->constant) {
    gmem_verifier_update_penalty(verifier, plan);
    GMEM_TRY(check_aliases(verifier));
  }
  for (uint32_t i = 0; i < pools; ++i)
    GMEM_TRY(gmem_verifier_check_pool(verifier, plan, i));
  return GMEM_OK;
}

// Checks that equal constants that share memory have one placement, and that
// constants have no padding.
static gmem_status_t check_constants(const gmem_plan_verifier_t *verifier) {
  const gmem_constants_t *weights = &verifier->analysis->constants;
  const gmem_value_place_t *places = verifier->plan->places;
  for (size_t i = 0; i < weights->count; ++i) {
    uint32_t value = weights->weights[i].value;
    const gmem_value_place_t *own = &places[value];
    const gmem_value_place_t *source = &places[weights->weights[i].source];
    if (own->pool != source->pool || own->offset != source->offset)
      return value_error(verifier, value,
                         "must share the memory of an equal constant but has a "
                         "different placement");
    if (own->payload != own->offset)
      return value_error(verifier, value,
                         "has a gmem.payload_offset but no padding");
  }
  return GMEM_OK;
}

// Checks the padded size and payload offset of every alias set; verify_place
// has checked that all its values have one placement.
static gmem_status_t check_paddings(const gmem_plan_verifier_t *verifier) {
  const gmem_analysis_t *analysis = verifier->analysis;
  for (uint32_t i = 0; i < analysis->liveness.set_count; ++i) {
    uint32_t root = analysis->liveness.sets[i].root;
    const gmem_value_place_t *place = &verifier->plan->places[root];
    if ((uint64_t)place->size != gmem_padded_size(analysis, verifier->specs, i))
      return value_error(verifier, root,
                         "has a gmem.size that differs from the size of its "
                         "type plus padding");
    if (place->payload < place->offset ||
        (uint64_t)(place->payload - place->offset) !=
            gmem_padding_in_buffer(analysis, verifier->specs, i).before)
      return value_error(verifier, root,
                         "has a gmem.payload_offset that differs from "
                         "gmem.offset plus the leading padding");
  }
  return GMEM_OK;
}

// Checks the placements of the constants or tensors after their problem has
// been built.
static gmem_status_t check_part(const gmem_plan_verifier_t *verifier) {
  if (verifier->part.constant)
    return check_plan(verifier);
  GMEM_TRY(check_paddings(verifier));
  if (may_drop(verifier)) {
    gmem_analysis_t *analysis = &verifier->plan->analysis;
    gmem_bump_drop(analysis->arena, analysis->constraints.sets);
    analysis->constraints.sets = NULL;
    gmem_analysis_drop_users(analysis);
  }
  GMEM_TRY(check_plan(verifier));
  return gmem_verifier_update_figures(verifier);
}

static gmem_status_t verify_part(gmem_plan_verifier_t *verifier,
                                 bool constant) {
  gmem_diag_t *diag = verifier->diag;
  GMEM_TRY(gmem_problem_part_find(verifier->analysis, constant, &verifier->part,
                                  diag));
  GMEM_TRY(gmem_verifier_set_pools(verifier));
  if (constant)
    GMEM_TRY(check_constants(verifier));
  gmem_status_t status = gmem_planner_problem(&verifier->part, verifier->specs,
                                              &verifier->problem, diag);
  if (status != GMEM_OK) // of a pool or buffer that the planner rejects
    return gmem_planner_error(verifier->analysis, status, diag);
  status = check_part(verifier);
  gmem_problem_destroy(verifier->problem);
  return status;
}

// Verifies the placements and updates the figures.
static gmem_status_t verify(gmem_scope_plan_t *plan,
                            const gmem_plan_visit_t *visit, gmem_diag_t *diag) {
  const gmem_analysis_t *analysis = &plan->analysis;
  gmem_plan_verifier_t verifier = {.plan = plan,
                                   .analysis = analysis,
                                   .stale = &plan->stale,
                                   .over_capacity = visit->over_capacity,
                                   .is_last = !visit->use,
                                   .diag = diag};
  GMEM_TRY(verify_places(&verifier));
  GMEM_TRY(gmem_verifier_check_addresses(&verifier));
  GMEM_TRY(verify_part(&verifier, true));
  GMEM_TRY(verify_part(&verifier, false));
  GMEM_TRY(
      gmem_region_marks_verify(&analysis->liveness, analysis->arena, diag));
  return gmem_control_copies_verify(plan, diag);
}

static gmem_status_t no_plan(MlirOperation scope, gmem_diag_t *diag) {
  bool was_planned =
      !mlirAttributeIsNull(gmem_op_annotation(scope, GMEM_ATTR_ARENAS));
  return gmem_op_error(
      diag, GMEM_ERR_CORRUPT, scope,
      was_planned ? "there is no plan here any more: gmem-materialize has "
                    "already applied it"
                  : "there is no plan here: run gmem-plan first");
}

//===--- entry points -----------------------------------------------------===//

typedef struct visitor_s {
  const gmem_plan_visit_t *visit;
  size_t scopes;
} visitor_t;

// Runs the check of contents alone: it needs no analysis.
static gmem_status_t check_contents(MlirOperation scope,
                                    const gmem_op_models_t *models,
                                    gmem_bump_t *arena, gmem_diag_t *diag) {
  gmem_figures_entry_t figures;
  gmem_status_t status = gmem_figures_read(scope, arena, &figures, diag);
  if (status == GMEM_ERR_NOT_FOUND)
    return no_plan(scope, diag);
  GMEM_TRY(status);
  return gmem_contents_check(scope, models, &figures.model, arena, diag);
}

// Runs the checks. The memory of the analysis is freed between them if nothing
// reads it afterwards; |arena| is another.
static gmem_status_t verify_scope(gmem_scope_plan_t *plan,
                                  const gmem_op_models_t *models,
                                  const gmem_plan_visit_t *visit,
                                  gmem_bump_t *arena, gmem_diag_t *diag) {
  if (visit->is_verified)
    return GMEM_OK;
  GMEM_TRY(verify(plan, visit, diag));
  if (visit->only == GMEM_VERIFY_PLACEMENT)
    return GMEM_OK;
  if (!visit->use && !plan->stale.count)
    gmem_bump_destroy(plan->analysis.arena);
  return gmem_contents_check(plan->analysis.program.scope, models,
                             &plan->figures.model, arena, diag);
}

// Advises to plan again if the plan is refused, and returns |status|. Not for
// gmem-plan itself, which has just planned the program.
static gmem_status_t advise(MlirOperation scope, gmem_status_t status) {
  if (status != GMEM_ERR_OUT_OF_MEMORY && status != GMEM_ERR_INVALID_ARGUMENT)
    gmem_remark(mlirOperationGetLocation(scope),
                "this plan is not valid for the program as it is now: if the "
                "program has changed since it was planned, plan it again");
  return status;
}

// Reads and verifies the plan of a scope, with its analysis in |memory|.
static gmem_status_t visit_plan(MlirOperation scope,
                                const gmem_op_models_t *models,
                                const gmem_plan_visit_t *visit,
                                gmem_bump_t *memory, gmem_bump_t *arena,
                                gmem_diag_t *diag) {
  gmem_scope_plan_t plan;
  gmem_status_t status =
      gmem_scope_plan_read(scope, models, memory, &plan, diag);
  if (status == GMEM_ERR_NOT_FOUND)
    return no_plan(scope, diag);
  if (status == GMEM_OK)
    status = verify_scope(&plan, models, visit, arena, diag);
  if (status != GMEM_OK)
    return visit->strict_figures ? status : advise(scope, status);
  if (visit->is_verified) // and this was reported
    plan.stale.count = 0;
  // Only now is the plan known to be sound.
  GMEM_TRY(gmem_stale_figures_report(&plan.stale, scope, visit->strict_figures,
                                     diag));
  return visit->use ? visit->use(&plan, models, visit->user, diag) : GMEM_OK;
}

static gmem_status_t visit_scope(MlirOperation scope,
                                 const gmem_op_models_t *models,
                                 gmem_bump_t *arena, void *user,
                                 gmem_diag_t *diag) {
  visitor_t *visitor = user;
  const gmem_plan_visit_t *visit = visitor->visit;
  gmem_bump_t memory;
  ++visitor->scopes;
  assert(!visit->use || visit->only != GMEM_VERIFY_CONTENTS);
  if (visit->only == GMEM_VERIFY_CONTENTS)
    return check_contents(scope, models, arena, diag);
  gmem_bump_init(&memory, &arena->allocator);
  gmem_status_t status = visit_plan(scope, models, visit, &memory, arena, diag);
  gmem_bump_destroy(&memory);
  return status;
}

gmem_status_t gmem_for_each_plan_in(MlirOperation top,
                                    const gmem_plan_visit_t *visit,
                                    const gmem_allocator_t *allocator,
                                    gmem_diag_t *diag) {
  visitor_t visitor = {visit, 0};
  GMEM_TRY(gmem_for_each_scope_in(top, allocator, visit_scope, &visitor, diag));
  if (visitor.scopes == 0 && !visit->is_verified)
    gmem_remark(mlirOperationGetLocation(top),
                "there is no function here, so there is nothing to plan or "
                "verify: a function has a symbol name, a function type and a "
                "body");
  return GMEM_OK;
}

gmem_status_t gmem_verify_plan(MlirOperation top,
                               const gmem_plan_options_t *options,
                               const gmem_allocator_t *allocator,
                               gmem_diag_t *diag) {
  return gmem_for_each_plan_in(
      top,
      &(gmem_plan_visit_t){.only = options->verify_only,
                           .strict_figures = options->strict_figures},
      allocator, diag);
}

gmem_status_t gmem_verify_module(MlirOperation top,
                                 const gmem_allocator_t *allocator,
                                 gmem_diag_t *diag) {
  GMEM_NEED(top.ptr, diag);
  return gmem_for_each_plan_in(top, &(gmem_plan_visit_t){.use = NULL},
                               allocator, diag);
}
