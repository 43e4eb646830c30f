// subtensor_views.c - values that are parts of others: slices,
// concatenations and insertions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A part has the same contents as its place in the whole for as long as both
// are live: both are SSA values, and neither is live where an operand of the op
// that relates them is defined again. So a part of a part is a part of the
// whole, too, and two parts that lie in each other may share bytes: all of them
// are listed, since leave to share is given to two buffers at a time.

#include "subtensor_views.h"

#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sharing_finder.h"
#include "subtensor_boxes.h"
#include "type_size.h"

// How many relatives of a class are remembered: longer chains of values that
// are all live at once are not known to share.
enum { MOST_KIN = 32 };

static uint64_t size_of(const gmem_sharing_finder_t *finder, uint32_t set) {
  return finder->program->values[finder->liveness->sets[set].root].size;
}

//===--- relatives --------------------------------------------------------===//

static bool are_live_together(const gmem_sharing_finder_t *finder, uint32_t a,
                              uint32_t b) {
  return gmem_alias_sets_meet(finder->liveness, a, b);
}

static bool knows(const gmem_kin_list_t *list, uint32_t set) {
  for (size_t i = 0; i < list->count; ++i)
    if (list->at[i].set == set)
      return true;
  return false;
}

static gmem_status_t remember(gmem_sharing_finder_t *finder,
                              gmem_kin_list_t *list, uint32_t set,
                              uint64_t offset) {
  if (list->count >= MOST_KIN)
    return GMEM_OK;
  if (!gmem_bump_grow(finder->arena, &list->at, list->count, &list->room,
                      sizeof *list->at))
    return gmem_out_of_memory(finder->diag);
  list->at[list->count++] = (gmem_kin_t){set, offset};
  return GMEM_OK;
}

// Two classes of which one is a part of the other by what is known of third
// ones; |like| is the alias by which that became known.
static gmem_status_t add_implied(gmem_sharing_finder_t *finder,
                                 const gmem_alias_t *like, uint32_t part,
                                 uint32_t whole, uint64_t offset) {
  gmem_alias_t alias = {.kind = like->kind,
                        .op = like->op,
                        .operand = GMEM_NO_INDEX,
                        .result = GMEM_NO_INDEX,
                        .child = finder->liveness->sets[part].root,
                        .parent = finder->liveness->sets[whole].root,
                        .offset = offset};
  return gmem_finder_add(finder, &alias);
}

// |part| (itself, or a part of the alias's child) and |whole| (the parent, or
// what that is a part of) are relatives now.
static gmem_status_t relate(gmem_sharing_finder_t *finder,
                            const gmem_alias_t *alias, gmem_kin_t part,
                            gmem_kin_t whole) {
  uint64_t offset = part.offset + alias->offset + whole.offset;
  bool is_direct = part.set == gmem_finder_set_of(finder, alias->child) &&
                   whole.set == gmem_finder_set_of(finder, alias->parent);
  if (part.set == whole.set || knows(&finder->wholes[part.set], whole.set) ||
      (!is_direct && !are_live_together(finder, part.set, whole.set)))
    return GMEM_OK;
  gmem_status_t status =
      remember(finder, &finder->wholes[part.set], whole.set, offset);
  if (status == GMEM_OK)
    status = remember(finder, &finder->parts[whole.set], part.set, offset);
  if (status == GMEM_OK && !is_direct)
    status = add_implied(finder, alias, part.set, whole.set, offset);
  return status;
}

// The child may lie in other parts of its parent, and they in it.
static gmem_status_t relate_siblings(gmem_sharing_finder_t *finder,
                                     const gmem_alias_t *alias) {
  uint32_t child = gmem_finder_set_of(finder, alias->child);
  uint64_t begin = alias->offset, end = begin + size_of(finder, child);
  const gmem_kin_list_t *parts =
      &finder->parts[gmem_finder_set_of(finder, alias->parent)];
  gmem_status_t status = GMEM_OK;
  for (size_t i = 0; i < parts->count && status == GMEM_OK; ++i) {
    gmem_kin_t other = parts->at[i];
    uint64_t other_end = other.offset + size_of(finder, other.set);
    if (other.set == child || end <= other.offset || other_end <= begin ||
        knows(&finder->wholes[child], other.set) ||
        knows(&finder->parts[child], other.set) ||
        !are_live_together(finder, child, other.set))
      continue;
    if (other.offset <= begin && end <= other_end)
      status =
          add_implied(finder, alias, child, other.set, begin - other.offset);
    else if (begin <= other.offset && other_end <= end)
      status =
          add_implied(finder, alias, other.set, child, other.offset - begin);
  }
  return status;
}

// Whether an op changes what the class holds, where it is: then it changes what
// every part of that memory holds, so it has none.
static bool is_written(const gmem_sharing_finder_t *finder, uint32_t set) {
  return finder->liveness->sets[set].is_written;
}

// Adds an alias of a part, and those that follow from it.
static gmem_status_t add_part(gmem_sharing_finder_t *finder,
                              const gmem_alias_t *alias) {
  uint32_t child = gmem_finder_set_of(finder, alias->child);
  uint32_t parent = gmem_finder_set_of(finder, alias->parent);
  if (child == parent || is_written(finder, child) ||
      is_written(finder, parent) ||
      alias->offset % finder->options->view_alignment ||
      !(finder->options->sharing & alias->kind))
    return GMEM_OK;
  gmem_status_t status = gmem_finder_add(finder, alias);
  gmem_kin_list_t below = finder->parts[child];
  gmem_kin_list_t above = finder->wholes[parent];
  for (size_t i = 0; i <= below.count; ++i)
    for (size_t k = 0; k <= above.count && status == GMEM_OK; ++k)
      status =
          relate(finder, alias, i ? below.at[i - 1] : (gmem_kin_t){child, 0},
                 k ? above.at[k - 1] : (gmem_kin_t){parent, 0});
  return status == GMEM_OK ? relate_siblings(finder, alias) : status;
}

//===--- the three kinds --------------------------------------------------===//

static gmem_status_t list_status(const gmem_sharing_finder_t *finder,
                                 gmem_list_t found) {
  return found == GMEM_LIST_OUT_OF_MEMORY ? gmem_out_of_memory(finder->diag)
                                          : GMEM_OK;
}

// Operand |number| and result 0 as values and layouts; false when one of them
// is not what can share memory.
typedef struct ends_s {
  uint32_t operand, result;
  gmem_layout_t operand_layout, result_layout;
} ends_t;

static bool get_ends(const gmem_sharing_finder_t *finder, MlirOperation op,
                     int32_t number, ends_t *ends) {
  if (number < 0 || number >= mlirOperationGetNumOperands(op))
    return false;
  MlirValue operand = mlirOperationGetOperand(op, number);
  MlirValue result = mlirOperationGetResult(op, 0);
  ends->operand = gmem_finder_tensor(finder, operand);
  ends->result = gmem_finder_tensor(finder, result);
  return ends->operand != GMEM_NO_INDEX && ends->result != GMEM_NO_INDEX &&
         gmem_layout_of(mlirValueGetType(operand), &ends->operand_layout) &&
         gmem_layout_of(mlirValueGetType(result), &ends->result_layout);
}

// A part must fill its bytes: one that is written would change what is beside
// it, and one that is read could not be told from it byte by byte.
static bool fills_bytes(const gmem_layout_t *layout) {
  uint64_t bits = layout->element_bits;
  for (int i = 0; i < layout->rank && bits % 8; ++i)
    bits = bits % 8 * ((uint64_t)layout->dims[i] % 8);
  return bits % 8 == 0;
}

static gmem_status_t find_slice(gmem_sharing_finder_t *finder, uint32_t index) {
  const gmem_op_t *step = &finder->program->ops[index];
  const gmem_op_model_t *model = step->model;
  ends_t ends;
  gmem_box_t box;
  if (!get_ends(finder, step->op, model->slice_operand, &ends))
    return GMEM_OK;
  gmem_list_t found =
      gmem_box_read(step->op, &model->slice, finder->models, finder->arena,
                    &ends.operand_layout, &ends.result_layout, &box);
  gmem_alias_t alias = {.kind = GMEM_SHARE_SLICE,
                        .op = index,
                        .operand = (uint32_t)model->slice_operand,
                        .child = ends.result,
                        .parent = ends.operand};
  if (found != GMEM_LIST_KNOWN || !fills_bytes(&ends.result_layout) ||
      !gmem_box_bytes(&ends.operand_layout, &box, &alias.offset))
    return list_status(finder, found);
  return add_part(finder, &alias);
}

static gmem_status_t find_insert(gmem_sharing_finder_t *finder,
                                 uint32_t index) {
  const gmem_op_t *step = &finder->program->ops[index];
  const gmem_op_model_t *model = step->model;
  ends_t ends;
  gmem_box_t box;
  if (!get_ends(finder, step->op, model->insert_operand, &ends))
    return GMEM_OK;
  gmem_list_t found =
      gmem_box_read(step->op, &model->insert, finder->models, finder->arena,
                    &ends.result_layout, &ends.operand_layout, &box);
  gmem_alias_t alias = {.kind = GMEM_SHARE_CONCAT,
                        .op = index,
                        .operand = (uint32_t)model->insert_operand,
                        .child = ends.operand,
                        .parent = ends.result};
  if (found != GMEM_LIST_KNOWN || !fills_bytes(&ends.operand_layout) ||
      !gmem_box_bytes(&ends.result_layout, &box, &alias.offset))
    return list_status(finder, found);
  return add_part(finder, &alias);
}

//===--- concatenation ----------------------------------------------------===//

// The axis along which |op| concatenates, or -1.
static int concat_axis(MlirOperation op, const gmem_op_model_t *model,
                       const gmem_layout_t *whole) {
  int64_t axis = 0;
  MlirAttribute named = mlirAttributeGetNull();
  if (model->concat_axis)
    named = gmem_op_attribute(op, model->concat_axis);
  if (!mlirAttributeIsNull(named)) {
    if (!mlirAttributeIsAInteger(named))
      return -1;
    MlirType type = mlirAttributeGetType(named);
    axis = mlirTypeIsAInteger(type) && mlirIntegerTypeIsSigned(type)
               ? mlirIntegerAttrGetValueSInt(named)
           : mlirTypeIsAInteger(type) && mlirIntegerTypeIsUnsigned(type)
               ? (int64_t)mlirIntegerAttrGetValueUInt(named)
               : mlirIntegerAttrGetValueInt(named);
  }
  axis += axis < 0 ? whole->rank : 0;
  return axis < 0 || axis >= whole->rank ? -1 : (int)axis;
}

// Whether |part| is a piece of |whole| along |axis|.
static bool is_piece(const gmem_layout_t *whole, const gmem_layout_t *part,
                     int axis) {
  if (part->rank != whole->rank || part->element_bits != whole->element_bits)
    return false;
  for (int i = 0; i < whole->rank; ++i)
    if (i != axis && part->dims[i] != whole->dims[i])
      return false;
  return true;
}

// The pieces make up the whole, one behind the other.
static bool pieces_fit(MlirOperation op, const gmem_op_model_t *model,
                       const gmem_layout_t *whole, int axis) {
  int64_t sum = 0;
  for (int i = 0; i < axis; ++i)
    if (whole->dims[i] != 1)
      return false;
  for (intptr_t i = model->concat_first; i < mlirOperationGetNumOperands(op);
       ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    gmem_layout_t part;
    if (!mlirTypeIsAShaped(type))
      continue;
    if (!gmem_layout_of(type, &part) || !is_piece(whole, &part, axis) ||
        part.dims[axis] > whole->dims[axis] - sum)
      return false;
    sum += part.dims[axis];
  }
  return sum == whole->dims[axis];
}

// Whether an operand before this one is the same memory; it counts for the
// next.
static bool came_before(gmem_sharing_finder_t *finder, uint32_t op,
                        uint32_t value) {
  if (value == GMEM_NO_INDEX)
    return false;
  gmem_alias_set_reads_t *reads =
      gmem_finder_reads(finder, op, gmem_finder_set_of(finder, value));
  bool came = reads->has_part;
  reads->has_part = true;
  return came;
}

static gmem_status_t find_concat(gmem_sharing_finder_t *finder,
                                 uint32_t index) {
  const gmem_op_t *step = &finder->program->ops[index];
  const gmem_op_model_t *model = step->model;
  MlirValue result = mlirOperationGetResult(step->op, 0);
  uint32_t whole = gmem_finder_tensor(finder, result);
  gmem_layout_t layout, part;
  if (whole == GMEM_NO_INDEX || model->concat_first < 0 ||
      !gmem_layout_of(mlirValueGetType(result), &layout))
    return GMEM_OK;
  int axis = concat_axis(step->op, model, &layout);
  if (axis < 0 || !pieces_fit(step->op, model, &layout, axis))
    return GMEM_OK;
  gmem_box_t box = {.begin = {0}};
  for (int i = 0; i < layout.rank; ++i)
    box.size[i] = layout.dims[i];
  gmem_status_t status = GMEM_OK;
  intptr_t count = mlirOperationGetNumOperands(step->op);
  for (intptr_t i = model->concat_first; i < count && status == GMEM_OK; ++i) {
    MlirValue operand = mlirOperationGetOperand(step->op, i);
    if (!mlirTypeIsAShaped(mlirValueGetType(operand)) ||
        !gmem_layout_of(mlirValueGetType(operand), &part))
      continue;
    gmem_alias_t alias = {.kind = GMEM_SHARE_CONCAT,
                          .op = index,
                          .operand = (uint32_t)i,
                          .child = gmem_finder_tensor(finder, operand),
                          .parent = whole};
    box.size[axis] = part.dims[axis];
    bool came = came_before(finder, index, alias.child);
    if (alias.child != GMEM_NO_INDEX && !came &&
        (fills_bytes(&part) ||
         box.begin[axis] + box.size[axis] == layout.dims[axis]) &&
        gmem_box_bytes(&layout, &box, &alias.offset))
      status = add_part(finder, &alias);
    box.begin[axis] += part.dims[axis];
  }
  return status;
}

//===--- tuples -----------------------------------------------------------===//

// Adds that |part|, an operand or a result, is element |element| of |tuple|.
static gmem_status_t add_element(gmem_sharing_finder_t *finder,
                                 gmem_alias_t *alias, MlirValue part,
                                 MlirValue tuple, intptr_t element) {
  MlirType type = mlirValueGetType(tuple);
  alias->child = gmem_finder_tensor(finder, part);
  alias->parent = gmem_finder_tensor(finder, tuple);
  if (alias->child == GMEM_NO_INDEX || alias->parent == GMEM_NO_INDEX ||
      !mlirTypeIsATuple(type) || gmem_type_is_dynamic(type) || element < 0 ||
      element >= mlirTupleTypeGetNumTypes(type) ||
      !mlirTypeEqual(mlirTupleTypeGetType(type, element),
                     mlirValueGetType(part)) ||
      !gmem_tuple_element_offset(type, element, NULL, &alias->offset))
    return GMEM_OK;
  return add_part(finder, alias);
}

static gmem_status_t find_tuple(gmem_sharing_finder_t *finder, uint32_t index) {
  MlirOperation op = finder->program->ops[index].op;
  MlirValue result = mlirOperationGetResult(op, 0);
  gmem_status_t status = GMEM_OK;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && status == GMEM_OK;
       ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    uint32_t value = gmem_finder_tensor(finder, operand);
    gmem_alias_t alias = {
        .kind = GMEM_SHARE_CONCAT, .op = index, .operand = (uint32_t)i};
    if (value != GMEM_NO_INDEX && !came_before(finder, index, value))
      status = add_element(finder, &alias, operand, result, i);
  }
  return status;
}

static gmem_status_t find_tuple_element(gmem_sharing_finder_t *finder,
                                        uint32_t index) {
  const gmem_op_t *step = &finder->program->ops[index];
  MlirAttribute number =
      gmem_op_attribute(step->op, step->model->tuple_element);
  gmem_alias_t alias = {.kind = GMEM_SHARE_SLICE, .op = index};
  if (mlirAttributeIsNull(number) || !mlirAttributeIsAInteger(number) ||
      mlirOperationGetNumOperands(step->op) == 0)
    return GMEM_OK;
  return add_element(finder, &alias, mlirOperationGetResult(step->op, 0),
                     mlirOperationGetOperand(step->op, 0),
                     mlirIntegerAttrGetValueInt(number));
}

gmem_status_t gmem_find_parts(gmem_sharing_finder_t *finder, uint32_t op) {
  const gmem_op_t *step = &finder->program->ops[op];
  if (mlirOperationGetNumResults(step->op) == 0)
    return GMEM_OK;
  // Live before it is made: the ops around it run in an order of their own, and
  // a part may then be made of what is made of it.
  uint32_t result =
      gmem_finder_tensor(finder, mlirOperationGetResult(step->op, 0));
  if (result == GMEM_NO_INDEX ||
      finder->liveness->live_values[result].ranges[0].begin != step->begin)
    return GMEM_OK;
  gmem_status_t status = GMEM_OK;
  if (step->model->slice_operand != GMEM_NO_OPERAND)
    status = find_slice(finder, op);
  if (status == GMEM_OK && step->model->insert_operand != GMEM_NO_OPERAND)
    status = find_insert(finder, op);
  if (status == GMEM_OK && step->model->concat)
    status = find_concat(finder, op);
  if (status == GMEM_OK && step->model->tuple)
    status = find_tuple(finder, op);
  if (status == GMEM_OK && step->model->tuple_element)
    status = find_tuple_element(finder, op);
  return status;
}
