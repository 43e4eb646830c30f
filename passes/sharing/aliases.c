// aliases.c - see aliases.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "aliases.h"

#include <assert.h>

#include "mapped_operands.h"
#include "memref_writes.h"
#include "mlir-c/BuiltinTypes.h"
#include "op_models.h"
#include "padded_layout.h"
#include "subtensor_boxes.h"
#include "type_models.h"
#include "vocabulary.h"

//===--- elementwise operands ---------------------------------------------===//

static bool same_layout(MlirValue left, MlirValue right) {
  MlirType first = mlirValueGetType(left), second = mlirValueGetType(right);
  gmem_layout_t a, b;
  if (gmem_is_same_form(first, second))
    return true;
  return gmem_layout_of(first, &a) &&
         (mlirTypeEqual(first, second) ||
          (gmem_layout_of(second, &b) && gmem_layout_same(&a, &b)));
}

// Whether |result| may be written while |operand| is read, element by element.
static bool is_elementwise(const gmem_program_op_t *entry, intptr_t operand,
                           intptr_t result) {
  const gmem_op_model_t *model = entry->model;
  // Row by row is as good: the rows, too, are at one place in both.
  uint64_t operands = model->inplace.operands | model->rowwise;
  bool is_named = result == 0 && (model->inplace.operands == UINT64_MAX ||
                                  (operand < 64 && operands >> operand & 1));
  intptr_t output = mlirOperationGetNumOperands(entry->op) -
                    mlirOperationGetNumResults(entry->op) + result;
  if (!is_named && !(model->inplace.by_map &&
                     gmem_is_mapped_alike(entry->op, operand, output)))
    return false;
  return same_layout(mlirOperationGetOperand(entry->op, operand),
                     mlirOperationGetResult(entry->op, result));
}

//===--- other reads of the operand's memory ------------------------------===//

typedef struct capture_walk_s {
  const gmem_sharing_finder_t *finder;
  MlirOperation op;
  uint32_t set;
  bool found;
} capture_walk_t;

static MlirWalkResult look_for_set(MlirOperation op, void *user) {
  capture_walk_t *walk = user;
  if (mlirOperationEqual(op, walk->op))
    return MlirWalkResultAdvance;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    walk->found |= gmem_finder_set(walk->finder,
                                   mlirOperationGetOperand(op, i)) == walk->set;
  }
  return walk->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

// Whether the regions of |op| read the alias set directly, and hence in unknown
// order.
static bool is_captured(const gmem_sharing_finder_t *finder, MlirOperation op,
                        uint32_t set) {
  capture_walk_t walk = {finder, op, set, false};
  if (mlirOperationGetNumRegions(op) != 0)
    mlirOperationWalk(op, look_for_set, &walk, MlirWalkPreOrder);
  return walk.found;
}

// The most operands that are looked at behind a handle.
enum { MOST_BEHIND_HANDLE = 256 };

// Whether |value| is a handle, such as a list of tensors, that may stand for a
// tensor of the set. |*left|: operands to look at; with none left, it may.
static bool may_stand_for(const gmem_sharing_finder_t *finder, MlirValue value,
                          uint32_t set, int *left) {
  const gmem_program_t *program = finder->program;
  uint32_t index = gmem_program_find(program, value);
  const gmem_program_op_t *op =
      index == GMEM_NO_INDEX ? NULL : gmem_defining_op(program, index);
  if (!op || (program->values[index].type != GMEM_TYPE_NO_MEMORY &&
              program->values[index].type != GMEM_TYPE_MEMREF))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op->op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op->op, i);
    if (--*left < 0 || gmem_finder_set(finder, operand) == set ||
        may_stand_for(finder, operand, set, left))
      return true;
  }
  return false;
}

static bool is_unread(const gmem_program_op_t *entry, intptr_t operand) {
  return operand < 64 && entry->model->unread >> operand & 1;
}

// Lists the tensors that op |index| has as operands.
static void list_operands(gmem_sharing_finder_t *finder, uint32_t index) {
  MlirOperation op = finder->program->ops[index].op;
  finder->operands.count = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    GMEM_APPEND(finder->arena, &finder->operands,
                gmem_finder_tensor(finder, mlirOperationGetOperand(op, i)));
}

// The alias set of operand |number| of the op whose operands are listed, or
// GMEM_NO_INDEX.
static uint32_t set_of_operand(const gmem_sharing_finder_t *finder,
                               intptr_t number) {
  uint32_t tensor = finder->operands.at[number];
  return tensor == GMEM_NO_INDEX ? tensor : gmem_finder_set_of(finder, tensor);
}

static void count_reads(gmem_sharing_finder_t *finder, uint32_t index) {
  const gmem_program_op_t *entry = &finder->program->ops[index];
  for (size_t i = 0; i < finder->operands.count; ++i) {
    uint32_t set = set_of_operand(finder, (intptr_t)i);
    if (set != GMEM_NO_INDEX && !is_unread(entry, (intptr_t)i))
      ++gmem_finder_reads(finder, index, set)->count;
  }
}

// Whether all other operands in the same memory, and the regions of the op,
// permit to write |result| over operand |number|.
static bool other_reads_allow(gmem_sharing_finder_t *finder, uint32_t index,
                              intptr_t number, intptr_t result, uint32_t set) {
  const gmem_program_op_t *entry = &finder->program->ops[index];
  uint32_t reads = gmem_finder_reads(finder, index, set)->count;
  bool has_others = reads > !is_unread(entry, number);
  int left = MOST_BEHIND_HANDLE;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(entry->op); ++i)
    if (i != number && !is_unread(entry, i) &&
        (finder->operands.at[i] == GMEM_NO_INDEX
             ? may_stand_for(finder, mlirOperationGetOperand(entry->op, i), set,
                             &left)
             : has_others && set_of_operand(finder, i) == set &&
                   !is_elementwise(entry, i, result)))
      return false;
  return !is_captured(finder, entry->op, set);
}

//===--- results over operands --------------------------------------------===//

// Adds an alias of |result| with operand |number|, which the op permits, unless
// another operand or region forbids it.
static void add_overwrite(gmem_sharing_finder_t *finder, gmem_sharing_t kind,
                          uint32_t index, intptr_t number, intptr_t result) {
  const gmem_program_op_t *entry = &finder->program->ops[index];
  const gmem_value_t *values = finder->program->values;
  uint32_t operand = finder->operands.at[number];
  uint32_t written =
      gmem_finder_tensor(finder, mlirOperationGetResult(entry->op, result));
  if (operand == GMEM_NO_INDEX || written == GMEM_NO_INDEX ||
      values[operand].size != values[written].size ||
      (gmem_has_layouts(finder->program) &&
       !gmem_padded_layouts_equal(values[operand].value,
                                  values[written].value)))
    return;
  uint32_t set = gmem_finder_set_of(finder, operand);
  assert(set < finder->liveness->set_count);
  if (set == gmem_finder_set_of(finder, written) ||
      gmem_op_model_writes(entry->model, entry->op, number) ||
      !other_reads_allow(finder, index, number, result, set))
    return;
  gmem_finder_add(finder, &(gmem_alias_t){.kind = kind,
                                          .op = index,
                                          .operand = (uint32_t)number,
                                          .result = (uint32_t)result,
                                          .child = written,
                                          .parent = operand,
                                          .begin = entry->begin,
                                          .end = entry->end});
}

// The destination operand of |result|, or -1.
static intptr_t destination_of(const gmem_program_op_t *entry,
                               intptr_t result) {
  intptr_t operands = mlirOperationGetNumOperands(entry->op);
  intptr_t number = -1;
  if (entry->model->destination == GMEM_DESTINATION_TRAILING)
    number = operands - mlirOperationGetNumResults(entry->op) + result;
  else if (entry->model->destination == GMEM_DESTINATION_OPERAND && result == 0)
    number = entry->model->destination_operand;
  if (number < 0 || number >= operands ||
      !gmem_op_model_is_destination(entry->model, entry->op, number))
    return -1;
  MlirValue operand = mlirOperationGetOperand(entry->op, number);
  MlirValue written = mlirOperationGetResult(entry->op, result);
  return mlirTypeEqual(mlirValueGetType(operand), mlirValueGetType(written)) ||
                 same_layout(operand, written)
             ? number
             : -1;
}

static void find_destinations(gmem_sharing_finder_t *finder, uint32_t index) {
  const gmem_program_op_t *entry = &finder->program->ops[index];
  for (intptr_t i = 0; i < mlirOperationGetNumResults(entry->op); ++i) {
    intptr_t number = destination_of(entry, i);
    if (number >= 0)
      add_overwrite(finder, GMEM_SHARE_DESTINATION, index, number, i);
  }
}

// Whether an earlier operand of the same alias set has been considered. The
// result is the same for all elementwise operands of one set.
static bool is_repeated(gmem_sharing_finder_t *finder, uint32_t index,
                        intptr_t number) {
  uint32_t set = set_of_operand(finder, number);
  if (set == GMEM_NO_INDEX)
    return true;
  gmem_alias_set_reads_t *reads = gmem_finder_reads(finder, index, set);
  bool was_considered = reads->has_inplace;
  reads->has_inplace = true;
  return was_considered;
}

static void find_inplace(gmem_sharing_finder_t *finder, uint32_t index) {
  const gmem_program_op_t *entry = &finder->program->ops[index];
  intptr_t results = mlirOperationGetNumResults(entry->op);
  if (!entry->model->inplace.by_map && results > 1)
    results = 1;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(entry->op); ++i)
    for (intptr_t k = 0; k < results; ++k)
      if (is_elementwise(entry, i, k) &&
          !(results == 1 && is_repeated(finder, index, i)))
        add_overwrite(finder, GMEM_SHARE_INPLACE, index, i, k);
}

//===--- control-flow transfers -------------------------------------------===//

// If several transfers have the same target, the source of one may be read
// after another one has overwritten the target, so none of them is an alias.
static void add_transfer(gmem_sharing_finder_t *finder,
                         const gmem_transfer_t *transfer) {
  uint32_t from = transfer->from, to = transfer->to;
  if (transfer->is_one_of_several ||
      gmem_finder_set_of(finder, from) == GMEM_NO_INDEX ||
      gmem_finder_set_of(finder, to) == GMEM_NO_INDEX ||
      gmem_finder_set_of(finder, from) == gmem_finder_set_of(finder, to) ||
      finder->program->values[from].size == 0 ||
      finder->program->values[from].size != finder->program->values[to].size)
    return;
  gmem_finder_add(finder, &(gmem_alias_t){.kind = GMEM_SHARE_TRANSFER,
                                          .op = transfer->op,
                                          .operand = GMEM_NO_INDEX,
                                          .result = GMEM_NO_INDEX,
                                          .child = from,
                                          .parent = to,
                                          .begin = (int32_t)transfer->time,
                                          .end = (int32_t)transfer->time + 1});
}

//===--- all ops ----------------------------------------------------------===//

static void find_at_op(gmem_sharing_finder_t *finder, uint32_t index) {
  const gmem_program_op_t *entry = &finder->program->ops[index];
  const gmem_op_model_t *model = entry->model;
  bool may_be_inplace = model->inplace.operands != 0 || model->rowwise != 0 ||
                        model->inplace.by_map;
  if (model->kind == GMEM_OP_UNKNOWN || !gmem_runs_as_modelled(entry))
    return;
  gmem_find_subtensor_views(finder, index);
  if (may_be_inplace && mlirOperationGetNumResults(entry->op) == 0)
    gmem_find_memref_writes(finder, index);
  if (model->destination == GMEM_DESTINATION_NONE && !may_be_inplace)
    return;
  list_operands(finder, index);
  if (finder->arena->out_of_memory)
    return;
  count_reads(finder, index);
  if (model->destination != GMEM_DESTINATION_NONE)
    find_destinations(finder, index);
  if (may_be_inplace)
    find_inplace(finder, index);
}

// Marks the alias sets that a call names several times: what it passes twice,
// or passes and returns.
static void mark_repeated(gmem_sharing_finder_t *finder, uint32_t *last_call) {
  const gmem_calls_t *calls = finder->liveness->calls;
  for (uint32_t i = 0; i < calls->count; ++i) {
    if (!calls->calls[i].by_reference)
      continue;
    MlirOperation op = finder->program->ops[calls->calls[i].op].op;
    intptr_t operands = mlirOperationGetNumOperands(op);
    intptr_t count = operands + mlirOperationGetNumResults(op);
    for (intptr_t k = 0; k < count; ++k) {
      uint32_t set = gmem_finder_set(
          finder, k < operands ? mlirOperationGetOperand(op, k)
                               : mlirOperationGetResult(op, k - operands));
      if (set == GMEM_NO_INDEX)
        continue;
      finder->is_repeated[set] |= last_call[set] == i + 1;
      last_call[set] = i + 1;
    }
  }
}

// Lists what the ops allow, with a finder that it sets up.
static gmem_status_t list_all(gmem_sharing_finder_t *finder,
                              const gmem_liveness_t *liveness,
                              const gmem_model_options_t *options,
                              gmem_bump_t *arena, gmem_aliases_t *out_aliases,
                              gmem_diag_t *diag) {
  uint32_t *last_call; // by alias set: 1 + the last call that names it
  *finder = (gmem_sharing_finder_t){.liveness = liveness,
                                    .program = liveness->program,
                                    .options = options,
                                    .arena = arena,
                                    .aliases = out_aliases,
                                    .diag = diag};
  GMEM_TRY_ALLOC(finder->wholes, arena, liveness->set_count, diag);
  GMEM_TRY_ALLOC(finder->parts, arena, liveness->set_count, diag);
  GMEM_TRY_ALLOC(finder->reads, arena, liveness->set_count, diag);
  GMEM_TRY_ALLOC(finder->is_repeated, arena, liveness->set_count, diag);
  GMEM_TRY_ALLOC(last_call, arena, liveness->set_count, diag);
  mark_repeated(finder, last_call);
  size_t transfer = 0;
  for (uint32_t i = 0; i < finder->program->op_count; ++i) {
    finder->first_of_op = out_aliases->count;
    find_at_op(finder, i);
    for (; transfer < liveness->transfer_count &&
           liveness->transfers[transfer].op <= i;
         ++transfer)
      add_transfer(finder, &liveness->transfers[transfer]);
  }
  GMEM_TRY(gmem_bump_status(arena, diag));
  assert(gmem_aliases_check(out_aliases, liveness));
  return GMEM_OK;
}

gmem_status_t gmem_aliases_list(const gmem_liveness_t *liveness,
                                const gmem_model_options_t *options,
                                gmem_bump_t *arena, gmem_aliases_t *out_aliases,
                                gmem_diag_t *diag) {
  gmem_sharing_finder_t finder;
  *out_aliases = (gmem_aliases_t){.view_alignment = options->view_alignment};
  return options->sharing
             ? list_all(&finder, liveness, options, arena, out_aliases, diag)
             : GMEM_OK;
}

// Copies a list into |arena|.
static gmem_status_t keep(const gmem_aliases_t *list, gmem_bump_t *arena,
                          gmem_aliases_t *out_list, gmem_diag_t *diag) {
  out_list->count = out_list->room = list->count;
  out_list->aliases =
      gmem_bump_copy(arena, list->aliases, list->count, sizeof *list->aliases);
  return gmem_bump_status(arena, diag);
}

gmem_status_t gmem_aliases_find(const gmem_liveness_t *liveness,
                                const gmem_model_options_t *options,
                                gmem_bump_t *arena, gmem_aliases_t *out_aliases,
                                gmem_diag_t *diag) {
  gmem_aliases_t listed = {.view_alignment = options->view_alignment};
  gmem_sharing_finder_t finder;
  gmem_bump_t scratch;
  *out_aliases = listed;
  if (options->sharing == 0)
    return GMEM_OK;
  gmem_bump_init(&scratch, &arena->allocator);
  gmem_status_t status =
      list_all(&finder, liveness, options, &scratch, &listed, diag);
  if (status == GMEM_OK)
    status = gmem_remove_interfering_aliases(&finder);
  if (status == GMEM_OK)
    status = keep(&listed, arena, out_aliases, diag);
  gmem_bump_destroy(&scratch);
  return status;
}
