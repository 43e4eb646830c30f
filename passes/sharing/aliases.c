// aliases.c - see aliases.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "aliases.h"

#include "diagnostics.h"
#include "interference.h"
#include "ir_reading.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "op_models.h"
#include "sharing_finder.h"
#include "subtensor_boxes.h"
#include "subtensor_views.h"
#include "vocabulary.h"

//===--- the list ---------------------------------------------------------===//

//===--- which operands are read element by element -----------------------===//

static bool same_layout(MlirValue left, MlirValue right) {
  gmem_layout_t a, b;
  return gmem_layout_of(mlirValueGetType(left), &a) &&
         gmem_layout_of(mlirValueGetType(right), &b) &&
         gmem_layout_same(&a, &b);
}

// Whether operand and result |number| are indexed alike, each element once:
// then an element is read for the last time where it is written.
static bool same_map(MlirOperation op, intptr_t operand, intptr_t result) {
  MlirAttribute maps = gmem_op_attribute(op, "indexing_maps");
  intptr_t operands = mlirOperationGetNumOperands(op);
  intptr_t output = operands - mlirOperationGetNumResults(op) + result;
  if (mlirAttributeIsNull(maps) || !mlirAttributeIsAArray(maps) ||
      mlirArrayAttrGetNumElements(maps) != operands || output < 0)
    return false;
  MlirAttribute read = mlirArrayAttrGetElement(maps, operand);
  MlirAttribute written = mlirArrayAttrGetElement(maps, output);
  return mlirAttributeEqual(read, written) &&
         mlirAttributeIsAAffineMap(written) &&
         mlirAffineMapIsPermutation(mlirAffineMapAttrGetValue(written));
}

// Whether |result| may be written while |operand| is read, element by element.
static bool is_elementwise(const gmem_op_t *step, intptr_t operand,
                           intptr_t result) {
  const gmem_op_model_t *model = step->model;
  bool is_named =
      result == 0 && (model->inplace == UINT64_MAX ||
                      (operand < 64 && model->inplace >> operand & 1));
  if (!is_named &&
      !(model->inplace_by_map && same_map(step->op, operand, result)))
    return false;
  return same_layout(mlirOperationGetOperand(step->op, operand),
                     mlirOperationGetResult(step->op, result));
}

//===--- who else reads the memory ----------------------------------------===//

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
    uint32_t value =
        gmem_finder_tensor(walk->finder, mlirOperationGetOperand(op, i));
    walk->found |= value != GMEM_NO_INDEX &&
                   gmem_finder_set_of(walk->finder, value) == walk->set;
  }
  return walk->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

// Whether the regions of |op| read the class by themselves, in an order that
// nobody knows.
static bool is_captured(const gmem_sharing_finder_t *finder, MlirOperation op,
                        uint32_t set) {
  capture_walk_t walk = {finder, op, set, false};
  if (mlirOperationGetNumRegions(op) != 0)
    mlirOperationWalk(op, look_for_set, &walk, MlirWalkPreOrder);
  return walk.found;
}

static bool is_unread(const gmem_op_t *step, intptr_t operand) {
  return operand < 64 && step->model->unread >> operand & 1;
}

static void count_reads(gmem_sharing_finder_t *finder, uint32_t index) {
  const gmem_op_t *step = &finder->program->ops[index];
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(step->op); ++i) {
    uint32_t value =
        gmem_finder_tensor(finder, mlirOperationGetOperand(step->op, i));
    if (value != GMEM_NO_INDEX && !is_unread(step, i))
      ++gmem_finder_reads(finder, index, gmem_finder_set_of(finder, value))
            ->count;
  }
}

// Whether writing |result| over operand |number| leaves alone what is read of
// that memory through other operands.
static bool others_allow(gmem_sharing_finder_t *finder, uint32_t index,
                         intptr_t number, intptr_t result, uint32_t set) {
  const gmem_op_t *step = &finder->program->ops[index];
  uint32_t reads = gmem_finder_reads(finder, index, set)->count;
  bool has_others = reads > !is_unread(step, number);
  intptr_t count = has_others ? mlirOperationGetNumOperands(step->op) : 0;
  for (intptr_t i = 0; i < count; ++i) {
    uint32_t value =
        gmem_finder_tensor(finder, mlirOperationGetOperand(step->op, i));
    if (i != number && value != GMEM_NO_INDEX && !is_unread(step, i) &&
        gmem_finder_set_of(finder, value) == set &&
        !is_elementwise(step, i, result))
      return false;
  }
  return !is_captured(finder, step->op, set);
}

//===--- results over operands --------------------------------------------===//

// Adds that |result| lies over operand |number|, if nothing forbids it; the op
// itself allows it.
static gmem_status_t add_over(gmem_sharing_finder_t *finder,
                              gmem_sharing_t kind, uint32_t index,
                              intptr_t number, intptr_t result) {
  const gmem_op_t *step = &finder->program->ops[index];
  const gmem_value_t *values = finder->program->values;
  uint32_t operand =
      gmem_finder_tensor(finder, mlirOperationGetOperand(step->op, number));
  uint32_t written =
      gmem_finder_tensor(finder, mlirOperationGetResult(step->op, result));
  if (operand == GMEM_NO_INDEX || written == GMEM_NO_INDEX ||
      values[operand].size != values[written].size)
    return GMEM_OK;
  uint32_t set = gmem_finder_set_of(finder, operand);
  if (set == gmem_finder_set_of(finder, written) ||
      gmem_op_model_writes(step->model, step->op, number) ||
      !others_allow(finder, index, number, result, set))
    return GMEM_OK;
  gmem_alias_t alias = {.kind = kind,
                        .op = index,
                        .operand = (uint32_t)number,
                        .result = (uint32_t)result,
                        .child = written,
                        .parent = operand,
                        .begin = step->begin,
                        .end = step->end};
  return gmem_finder_add(finder, &alias);
}

// The operand in whose memory |result| is written, or -1.
static intptr_t destination_of(const gmem_op_t *step, intptr_t result) {
  intptr_t operands = mlirOperationGetNumOperands(step->op);
  intptr_t number = -1;
  if (step->model->destination == GMEM_DESTINATION_TRAILING)
    number = operands - mlirOperationGetNumResults(step->op) + result;
  else if (step->model->destination == GMEM_DESTINATION_OPERAND && result == 0)
    number = step->model->destination_operand;
  if (number < 0 || number >= operands ||
      !gmem_op_model_is_destination(step->model, step->op, number))
    return -1;
  MlirValue operand = mlirOperationGetOperand(step->op, number);
  MlirValue written = mlirOperationGetResult(step->op, result);
  return mlirTypeEqual(mlirValueGetType(operand), mlirValueGetType(written)) ||
                 same_layout(operand, written)
             ? number
             : -1;
}

static gmem_status_t find_destinations(gmem_sharing_finder_t *finder,
                                       uint32_t index) {
  const gmem_op_t *step = &finder->program->ops[index];
  gmem_status_t status = GMEM_OK;
  for (intptr_t i = 0;
       i < mlirOperationGetNumResults(step->op) && status == GMEM_OK; ++i) {
    intptr_t number = destination_of(step, i);
    if (number >= 0)
      status = add_over(finder, GMEM_SHARE_DESTINATION, index, number, i);
  }
  return status;
}

// Whether an operand before is the same memory, and has been looked at: what is
// true of one that is read element by element is true of all of its class.
static bool is_repeated(gmem_sharing_finder_t *finder, uint32_t index,
                        intptr_t number) {
  MlirOperation op = finder->program->ops[index].op;
  uint32_t value =
      gmem_finder_tensor(finder, mlirOperationGetOperand(op, number));
  if (value == GMEM_NO_INDEX)
    return true;
  gmem_alias_set_reads_t *reads =
      gmem_finder_reads(finder, index, gmem_finder_set_of(finder, value));
  bool was_met = reads->has_inplace;
  reads->has_inplace = true;
  return was_met;
}

static gmem_status_t find_inplace(gmem_sharing_finder_t *finder,
                                  uint32_t index) {
  const gmem_op_t *step = &finder->program->ops[index];
  gmem_status_t status = GMEM_OK;
  intptr_t results = mlirOperationGetNumResults(step->op);
  if (!step->model->inplace_by_map && results > 1)
    results = 1;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(step->op); ++i)
    for (intptr_t k = 0; k < results && status == GMEM_OK; ++k)
      if (is_elementwise(step, i, k) &&
          !(results == 1 && is_repeated(finder, index, i)))
        status = add_over(finder, GMEM_SHARE_INPLACE, index, i, k);
  return status;
}

//===--- what control flow hands on ---------------------------------------===//

// Of one of several transfers the source may be read after another of them,
// which would have written over it.
static gmem_status_t add_transfer(gmem_sharing_finder_t *finder,
                                  const gmem_transfer_t *transfer) {
  uint32_t from = transfer->from, to = transfer->to;
  if (transfer->is_one_of_several ||
      gmem_finder_set_of(finder, from) == GMEM_NO_INDEX ||
      gmem_finder_set_of(finder, to) == GMEM_NO_INDEX ||
      gmem_finder_set_of(finder, from) == gmem_finder_set_of(finder, to) ||
      finder->program->values[from].size == 0 ||
      finder->program->values[from].size != finder->program->values[to].size)
    return GMEM_OK;
  gmem_alias_t alias = {.kind = GMEM_SHARE_TRANSFER,
                        .op = transfer->op,
                        .operand = GMEM_NO_INDEX,
                        .result = GMEM_NO_INDEX,
                        .child = from,
                        .parent = to,
                        .begin = transfer->time,
                        .end = transfer->time + 1};
  return gmem_finder_add(finder, &alias);
}

//===--- all --------------------------------------------------------------===//

// Whether the op runs once, here and whole, so that what its model says of
// memory can be used. A layer group reads and writes slice by slice.
static bool runs_as_modelled(const gmem_op_t *step) {
  if (step->group != GMEM_NO_GROUP || step->parallel || step->late)
    return false;
  return !step->opaque ||
         (step->kind == GMEM_OP_SCALAR_BODY &&
          mlirAttributeIsNull(mlirOperationGetDiscardableAttributeByName(
              step->op, gmem_attr_name(GMEM_ATTR_LAYER_GROUP))));
}

static gmem_status_t find_at_op(gmem_sharing_finder_t *finder, uint32_t index) {
  const gmem_op_t *step = &finder->program->ops[index];
  const gmem_op_model_t *model = step->model;
  gmem_status_t status = GMEM_OK;
  if (model->kind == GMEM_OP_UNKNOWN || !runs_as_modelled(step))
    return GMEM_OK;
  if (model->slice_operand != GMEM_NO_OPERAND || model->concat ||
      model->insert_operand != GMEM_NO_OPERAND || model->tuple ||
      model->tuple_element)
    status = gmem_find_parts(finder, index);
  if (model->destination != GMEM_DESTINATION_NONE || model->inplace != 0 ||
      model->inplace_by_map)
    count_reads(finder, index);
  if (status == GMEM_OK && model->destination != GMEM_DESTINATION_NONE)
    status = find_destinations(finder, index);
  if (status == GMEM_OK && (model->inplace != 0 || model->inplace_by_map))
    status = find_inplace(finder, index);
  return status;
}

gmem_status_t gmem_aliases_find(const gmem_liveness_t *liveness,
                                const gmem_op_models_t *models,
                                const gmem_model_options_t *options,
                                gmem_bump_t *arena, gmem_aliases_t *out_aliases,
                                gmem_diag_t *diag) {
  *out_aliases = (gmem_aliases_t){.view_alignment = options->view_alignment};
  if (options->sharing == 0)
    return GMEM_OK;
  size_t sets = liveness->set_count;
  gmem_sharing_finder_t finder = {
      .liveness = liveness,
      .program = liveness->program,
      .models = models,
      .options = options,
      .arena = arena,
      .wholes = gmem_bump_alloc(arena, sets, sizeof(gmem_kin_list_t)),
      .parts = gmem_bump_alloc(arena, sets, sizeof(gmem_kin_list_t)),
      .reads = gmem_bump_alloc(arena, sets, sizeof(gmem_alias_set_reads_t)),
      .aliases = out_aliases,
      .diag = diag};
  if (!finder.wholes || !finder.parts || !finder.reads)
    return gmem_out_of_memory(diag);
  size_t transfer = 0;
  gmem_status_t status = GMEM_OK;
  for (uint32_t i = 0; i < finder.program->op_count && status == GMEM_OK; ++i) {
    finder.first_of_op = out_aliases->count;
    status = find_at_op(&finder, i);
    for (; transfer < liveness->transfer_count && status == GMEM_OK &&
           liveness->transfers[transfer].op <= i;
         ++transfer)
      status = add_transfer(&finder, &liveness->transfers[transfer]);
  }
  return status == GMEM_OK ? gmem_refuse_other_meetings(&finder) : status;
}
