// hoist_constants.c - gmem-hoist-constants.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: nothing. It runs before the passes that place values: it drops the
//           places of what it moves.
// produces: with constants=hoist, for every scope with values that are
//           computed from constants and are worth keeping, a function with
//           gmem.init that computes them, and a memref.global with gmem.init
//           for each; what is read from there instead. A remark that says what
//           was hoisted, and what not and why. With constants=keep only a
//           remark, if hoisting would make requests smaller.
// fails:    on malformed input attributes.

#include "hoist_constants.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "diagnostics.h"
#include "hoist.h"
#include "ir_reading.h"
#include "op_model_files.h"
#include "program_build.h"
#include "scope_memories.h"
#include "scopes.h"

//===--- remarks ----------------------------------------------------------===//

enum { MAX_NOTES = 8 };

// An op with something to say about.
typedef struct item_s {
  uint64_t bytes;
  uint32_t op;
} item_t;

static int by_bytes(const void *a, const void *b) {
  const item_t *left = a, *right = b;
  if (left->bytes != right->bytes)
    return left->bytes > right->bytes ? -1 : 1;
  return (left->op > right->op) - (left->op < right->op);
}

// Lists the ops that are hoisted or, if not |is_hoisted|, those that are not
// although they are computed from constants; the largest first.
static gmem_status_t list_items(const gmem_hoisting_t *choice, bool is_hoisted,
                                gmem_bump_t *arena, item_t **out_items,
                                size_t *out_count, gmem_diag_t *diag) {
  const gmem_analysis_t *analysis = choice->derivation->analysis;
  GMEM_LIST(item_t) items = {0};
  for (uint32_t i = 0; i < analysis->program.op_count; ++i) {
    item_t item = {gmem_choice_bytes(analysis, i), i};
    bool is_listed =
        is_hoisted ? choice->hoisted[i]
                   : choice->derivation->origin[i] == GMEM_ORIGIN_DERIVED &&
                         !choice->leaves[i] &&
                         choice->stays[i] != GMEM_STAY_NO && item.bytes;
    if (is_listed)
      GMEM_APPEND(arena, &items, item);
  }
  if (items.count)
    qsort(items.at, items.count, sizeof *items.at, by_bytes);
  *out_items = items.at;
  *out_count = items.count;
  return gmem_bump_status(arena, diag);
}

static void add_note(const gmem_hoisting_t *choice, const item_t *item,
                     gmem_note_t *note) {
  MlirOperation op = choice->derivation->analysis->program.ops[item->op].op;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  bool is_hoisted = choice->hoisted[item->op];
  note->location = mlirOperationGetLocation(op);
  snprintf(note->text, sizeof note->text, "%.*s, %llu bytes, %s%s",
           (int)(name.length < 96 ? name.length : 96), name.data,
           (unsigned long long)item->bytes,
           is_hoisted ? "is computed once" : "stays: ",
           is_hoisted ? "" : gmem_stay_text(choice->stays[item->op]));
}

// The largest ops that are hoisted, then the largest that stay.
static gmem_status_t make_notes(const gmem_hoisting_t *choice,
                                gmem_bump_t *arena, gmem_note_t *notes,
                                size_t *out_count, gmem_diag_t *diag) {
  size_t taken = 0;
  for (int is_hoisted = 1; is_hoisted >= 0; --is_hoisted) {
    item_t *items;
    size_t count, most = is_hoisted ? MAX_NOTES / 2 : MAX_NOTES;
    GMEM_TRY(list_items(choice, is_hoisted, arena, &items, &count, diag));
    for (size_t i = 0; i < count && taken < most; ++i)
      add_note(choice, &items[i], &notes[taken++]);
  }
  *out_count = taken;
  return GMEM_OK;
}

// The part of the remark between "N values" and the figures.
static void describe(const gmem_hoisting_t *choice, char *text, size_t size) {
  const gmem_footprint_t *before = &choice->before, *after = &choice->after;
  snprintf(text, size,
           "values live at once %llu -> %llu bytes, constants that requests "
           "read %llu -> %llu bytes",
           (unsigned long long)before->peak, (unsigned long long)after->peak,
           (unsigned long long)before->constants,
           (unsigned long long)after->constants);
}

static void remark(const gmem_hoisting_t *choice, const char *name,
                   const gmem_note_t *notes, size_t count) {
  MlirLocation location =
      mlirOperationGetLocation(choice->derivation->analysis->program.scope);
  char figures[192];
  describe(choice, figures, sizeof figures);
  if (name)
    gmem_remark_with_notes(
        location, notes, count,
        "@%s computes %zu value%s of %llu bytes from constants, once: %s; %llu "
        "bytes of constants are read only there",
        name, choice->count, choice->count == 1 ? "" : "s",
        (unsigned long long)choice->made, figures,
        (unsigned long long)choice->dropped);
  else
    gmem_remark_with_notes(
        location, notes, count,
        "every request computes %zu value%s of %llu bytes from constants; with "
        "constants=hoist this is done once: %s",
        choice->count, choice->count == 1 ? "" : "s",
        (unsigned long long)choice->made, figures);
}

//===--- scopes -----------------------------------------------------------===//

// Whether a call passes a constant.
static bool passes_constants(const gmem_program_t *program) {
  for (uint32_t i = 0; i < program->op_count; ++i) {
    MlirOperation op = program->ops[i].op;
    if (mlirAttributeIsNull(gmem_op_attribute(op, "callee")))
      continue;
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k) {
      uint32_t value = gmem_operand_value(program, op, k);
      if (value != GMEM_NO_INDEX && gmem_value_is_weight(program, value))
        return true;
    }
  }
  return false;
}

// Says what would be hoisted if the functions were inlined.
static gmem_status_t remark_calls(const gmem_derivation_t *derivation,
                                  const gmem_plan_options_t *options,
                                  gmem_bump_t *arena, gmem_diag_t *diag) {
  const gmem_analysis_t *analysis = derivation->analysis;
  gmem_derivation_t behind;
  size_t count = 0;
  uint64_t bytes = 0;
  gmem_note_t note = {.text = ""};
  if (options->quiet || !passes_constants(&analysis->program))
    return GMEM_OK;
  GMEM_TRY(gmem_derivation_find(analysis, true, arena, &behind, diag));
  for (uint32_t i = 0; i < analysis->program.op_count; ++i) {
    MlirOperation op = analysis->program.ops[i].op;
    uint64_t size = gmem_choice_bytes(analysis, i);
    if (behind.origin[i] != GMEM_ORIGIN_DERIVED || behind.generates[i] ||
        derivation->origin[i] == GMEM_ORIGIN_DERIVED || size == 0)
      continue;
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
    if (count++ == 0) {
      note.location = mlirOperationGetLocation(op);
      snprintf(note.text, sizeof note.text, "%.*s, %llu bytes",
               (int)(name.length < 96 ? name.length : 96), name.data,
               (unsigned long long)size);
    }
    bytes += size;
  }
  if (count)
    gmem_remark_with_notes(
        mlirOperationGetLocation(analysis->program.scope), &note, 1,
        "called functions compute %zu value%s of %llu bytes from constants "
        "that their calls pass; inline these functions (--inline) so that "
        "constants=hoist can do this once",
        count, count == 1 ? "" : "s", (unsigned long long)bytes);
  return GMEM_OK;
}

// Whether the scope has a derived op that might be worth hoisting, so that the
// rest of the analysis is, too. Uses the numbered program alone.
static gmem_status_t has_candidates(MlirOperation scope,
                                    const gmem_op_models_t *models,
                                    const gmem_plan_options_t *options,
                                    gmem_bump_t *arena, bool *out,
                                    gmem_diag_t *diag) {
  gmem_analysis_t analysis = {.arena = arena};
  gmem_derivation_t derivation;
  bool has_constants = false;
  *out = false;
  GMEM_TRY(gmem_program_build(scope, models, &options->model, arena,
                              &analysis.program, diag));
  for (uint32_t i = 0; i < analysis.program.value_count; ++i)
    has_constants |= gmem_value_is_weight(&analysis.program, i);
  if (!has_constants)
    return GMEM_OK;
  GMEM_TRY(gmem_derivation_find(&analysis, passes_constants(&analysis.program),
                                arena, &derivation, diag));
  for (uint32_t i = 0; i < analysis.program.op_count; ++i)
    *out |= derivation.origin[i] == GMEM_ORIGIN_DERIVED &&
            !derivation.generates[i] &&
            analysis.program.ops[i].kind != GMEM_OP_RESHAPE &&
            analysis.program.ops[i].kind != GMEM_OP_NONE;
  return GMEM_OK;
}

static gmem_status_t use_choice(const gmem_hoisting_t *choice,
                                const gmem_plan_options_t *options,
                                gmem_bump_t *arena, gmem_diag_t *diag) {
  gmem_note_t notes[MAX_NOTES];
  size_t count;
  const char *name = NULL;
  bool is_hoisted = options->constants == GMEM_CONSTANTS_HOIST;
  bool saves = choice->after.peak < choice->before.peak;
  if (choice->count == 0 || (!is_hoisted && !saves))
    return GMEM_OK;
  GMEM_TRY(make_notes(choice, arena, notes, &count, diag));
  if (is_hoisted)
    GMEM_TRY(gmem_hoist(choice, arena, &name, diag));
  if (!options->quiet)
    remark(choice, name, notes, count);
  return GMEM_OK;
}

static gmem_status_t hoist_scope(MlirOperation scope,
                                 const gmem_op_models_t *models,
                                 gmem_bump_t *arena, void *user,
                                 gmem_diag_t *diag) {
  const gmem_plan_options_t *options = user;
  gmem_analysis_t analysis;
  gmem_derivation_t derivation;
  gmem_hoisting_t choice;
  bool has_any;
  GMEM_TRY(has_candidates(scope, models, options, arena, &has_any, diag));
  if (!has_any)
    return GMEM_OK;
  GMEM_TRY(
      gmem_analyse(scope, models, &options->model, arena, &analysis, diag));
  GMEM_TRY(gmem_analyse_constants(&analysis, options->weight_order,
                                  options->model.share_weights, diag));
  GMEM_TRY(gmem_derivation_find(&analysis, false, arena, &derivation, diag));
  GMEM_TRY(remark_calls(&derivation, options, arena, diag));
  GMEM_TRY(gmem_choice_make(&derivation, options, arena, &choice, diag));
  return use_choice(&choice, options, arena, diag);
}

static gmem_status_t load_dialects(MlirOperation top, gmem_diag_t *diag) {
  MlirContext context = mlirOperationGetContext(top);
  for (const char *const *name = gmem_hoist_dialects; *name; ++name)
    if (mlirDialectIsNull(
            mlirContextGetOrLoadDialect(context, gmem_string(*name))))
      return gmem_op_error(diag, GMEM_ERR_STATE, top,
                           "constants=hoist creates ops of the dialect %s, "
                           "which is not registered",
                           *name);
  return GMEM_OK;
}

gmem_status_t gmem_hoist_constants(MlirOperation top,
                                   const gmem_plan_options_t *options,
                                   const gmem_allocator_t *allocator,
                                   gmem_diag_t *diag) {
  gmem_plan_options_t copy = *options;
  if (options->constants == GMEM_CONSTANTS_KEEP && options->quiet)
    return GMEM_OK;
  if (options->constants == GMEM_CONSTANTS_HOIST)
    GMEM_TRY(load_dialects(top, diag));
  GMEM_TRY(gmem_op_models_add_files(top, options, allocator, diag));
  GMEM_TRY(gmem_scope_memories_add(top, options, allocator, diag));
  return gmem_for_each_scope_in(top, allocator, hoist_scope, &copy, diag);
}
