// subtensor_views.c - values that are parts of others: slices, concatenations,
// insertions and tuple elements.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A part has the same contents as its place in the whole while both are live:
// both are SSA values, and neither is live where an operand of the op that
// relates them is redefined. Containment is therefore transitive, and two parts
// of one whole that contain each other may share bytes, too. All these implied
// pairs are listed, because the planner takes permission to share for pairs of
// buffers only.
//
// Cost: at most MAX_RELATED related sets are recorded per alias set, so an
// alias implies at most about MAX_RELATED squared others.

#include <assert.h>

#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "padded_layout.h"
#include "sharing_finder.h"
#include "strided_views.h"
#include "subtensor_boxes.h"

// The maximal number of recorded related sets per alias set. In longer chains
// of values that are all live at once, not every pair is known to share.
enum { MAX_RELATED = 32 };

static uint64_t size_of(const gmem_sharing_finder_t *finder, uint32_t set) {
  return finder->program->values[finder->liveness->sets[set].root].size;
}

//===--- containment ------------------------------------------------------===//

static bool contains_set(const gmem_containment_list_t *list, uint32_t set) {
  for (size_t i = 0; i < list->count; ++i)
    if (list->at[i].set == set)
      return true;
  return false;
}

static void record(gmem_sharing_finder_t *finder, gmem_containment_list_t *list,
                   gmem_containment_t related) {
  // A chain through a whole that is no longer recorded may come twice.
  if (list->count < MAX_RELATED && !contains_set(list, related.set))
    GMEM_APPEND(finder->arena, list, related);
}

// Adds an alias implied by others: |part| is contained in |whole|; |like| is
// the alias that completes the chain.
static void add_implied(gmem_sharing_finder_t *finder, const gmem_alias_t *like,
                        uint32_t part, uint32_t whole, uint64_t offset) {
  gmem_finder_add(finder,
                  &(gmem_alias_t){.kind = like->kind,
                                  .op = like->op,
                                  .operand = GMEM_NO_INDEX,
                                  .result = GMEM_NO_INDEX,
                                  .child = finder->liveness->sets[part].root,
                                  .parent = finder->liveness->sets[whole].root,
                                  .offset = offset});
}

static uint32_t function_of(const gmem_sharing_finder_t *finder,
                            const gmem_alias_t *alias) {
  return finder->program->ops[alias->op].function;
}

// Records that |part| (the alias's child or a part of it) is contained in
// |whole| (the parent or one of its wholes), by ops of one function: all that a
// function knows of another is which bytes that writes, not that it writes what
// is there.
static void relate(gmem_sharing_finder_t *finder, const gmem_alias_t *alias,
                   gmem_containment_t part, gmem_containment_t whole) {
  uint64_t offset = part.offset + alias->offset + whole.offset;
  bool is_direct = part.set == gmem_finder_set_of(finder, alias->child) &&
                   whole.set == gmem_finder_set_of(finder, alias->parent);
  uint32_t function = function_of(finder, alias);
  if (part.set == whole.set || part.function != function ||
      whole.function != function ||
      contains_set(&finder->wholes[part.set], whole.set) ||
      (!is_direct &&
       !gmem_alias_sets_meet(finder->liveness, part.set, whole.set)))
    return;
  record(finder, &finder->wholes[part.set],
         (gmem_containment_t){whole.set, offset, function});
  record(finder, &finder->parts[whole.set],
         (gmem_containment_t){part.set, offset, function});
  if (!is_direct)
    add_implied(finder, alias, part.set, whole.set, offset);
}

// Relates the child to the other parts of its parent that contain it or are
// contained in it.
static void relate_siblings(gmem_sharing_finder_t *finder,
                            const gmem_alias_t *alias) {
  uint32_t child = gmem_finder_set_of(finder, alias->child);
  uint64_t begin = alias->offset, end = begin + size_of(finder, child);
  const gmem_containment_list_t *parts =
      &finder->parts[gmem_finder_set_of(finder, alias->parent)];
  for (size_t i = 0; i < parts->count; ++i) {
    gmem_containment_t other = parts->at[i];
    uint64_t other_end = other.offset + size_of(finder, other.set);
    if (other.set == child || other.function != function_of(finder, alias) ||
        end <= other.offset || other_end <= begin ||
        contains_set(&finder->wholes[child], other.set) ||
        contains_set(&finder->parts[child], other.set) ||
        !gmem_alias_sets_meet(finder->liveness, child, other.set))
      continue;
    if (other.offset <= begin && end <= other_end)
      add_implied(finder, alias, child, other.set, begin - other.offset);
    else if (begin <= other.offset && other_end <= end)
      add_implied(finder, alias, other.set, child, other.offset - begin);
  }
}

// Whether an op modifies the alias set in place. That would modify every part
// of its memory, so it can have none.
static bool is_written(const gmem_sharing_finder_t *finder, uint32_t set) {
  return finder->liveness->sets[set].is_written;
}

// Adds an alias of a part and the aliases that it implies. It implies none
// where two values have the same contents only because of what a call passes or
// returns: neither side of the call can know that.
static void add_part(gmem_sharing_finder_t *finder, const gmem_alias_t *alias) {
  uint32_t child = gmem_finder_set_of(finder, alias->child);
  uint32_t parent = gmem_finder_set_of(finder, alias->parent);
  if (child == parent || is_written(finder, child) ||
      is_written(finder, parent) ||
      alias->offset % finder->options->view_alignment ||
      !(finder->options->sharing & alias->kind))
    return;
  gmem_finder_add(finder, alias);
  if (finder->is_repeated[child] || finder->is_repeated[parent])
    return;
  uint32_t function = function_of(finder, alias);
  gmem_containment_list_t below = finder->parts[child];
  gmem_containment_list_t above = finder->wholes[parent];
  assert(below.count <= MAX_RELATED && above.count <= MAX_RELATED);
  for (size_t i = 0; i <= below.count; ++i)
    for (size_t k = 0; k <= above.count; ++k)
      relate(finder, alias,
             i ? below.at[i - 1] : (gmem_containment_t){child, 0, function},
             k ? above.at[k - 1] : (gmem_containment_t){parent, 0, function});
  relate_siblings(finder, alias);
}

//===--- slices and insertions --------------------------------------------===//

// Whether the part covers whole bytes. Otherwise writing it would modify its
// neighbours, and its contents would not be its own bytes.
static bool fills_bytes(const gmem_layout_t *layout) {
  return gmem_layout_elements(layout) * layout->element_bits % 8 == 0;
}

// Adds the alias of operand |number| and result 0, one of which is a box of the
// other: the result if |kind| is GMEM_SHARE_SLICE, else the operand.
static void find_box(gmem_sharing_finder_t *finder, uint32_t index,
                     gmem_sharing_t kind, int32_t number,
                     const gmem_op_box_t *model) {
  MlirOperation op = finder->program->ops[index].op;
  if (number < 0 || number >= mlirOperationGetNumOperands(op))
    return;
  MlirValue operand = mlirOperationGetOperand(op, number);
  MlirValue result = mlirOperationGetResult(op, 0);
  bool is_slice = kind == GMEM_SHARE_SLICE;
  MlirValue part = is_slice ? result : operand;
  MlirValue whole = is_slice ? operand : result;
  gmem_subtensor_t box = {.op = op, .model = model};
  gmem_alias_t alias = {.kind = kind,
                        .op = index,
                        .operand = (uint32_t)number,
                        .child = gmem_finder_tensor(finder, part),
                        .parent = gmem_finder_tensor(finder, whole)};
  if (alias.child != GMEM_NO_INDEX && alias.parent != GMEM_NO_INDEX &&
      gmem_layout_of(mlirValueGetType(part), &box.part) &&
      gmem_layout_of(mlirValueGetType(whole), &box.whole) &&
      fills_bytes(&box.part) &&
      gmem_subtensor_offset(&box, finder->program->models, finder->arena,
                            &alias.offset))
    add_part(finder, &alias);
}

//===--- concatenation ----------------------------------------------------===//

// Whether the pieces are contiguous in the result.
static bool is_outermost(const gmem_layout_t *whole, int axis) {
  for (int i = 0; i < axis; ++i)
    if (whole->dims[i] != 1)
      return false;
  return true;
}

// Whether an earlier operand has the memory of |operand|, which is then no part
// once more. Records this operand for the next call.
static bool is_repeated_part(gmem_sharing_finder_t *finder, uint32_t op,
                             MlirValue operand) {
  uint32_t set = gmem_finder_set(finder, operand);
  if (set == GMEM_NO_INDEX)
    return false;
  gmem_alias_set_reads_t *reads = gmem_finder_reads(finder, op, set);
  bool is_repeated = reads->has_part;
  reads->has_part = true;
  return is_repeated;
}

static void find_concat(gmem_sharing_finder_t *finder, uint32_t index) {
  const gmem_program_op_t *entry = &finder->program->ops[index];
  const gmem_op_model_t *model = entry->model;
  MlirValue result = mlirOperationGetResult(entry->op, 0);
  gmem_layout_t layout, part;
  if (model->concat.first < 0 ||
      !gmem_layout_of(mlirValueGetType(result), &layout))
    return;
  int axis = gmem_concat_axis(entry->op, model, &layout);
  if (axis < 0 || !is_outermost(&layout, axis) ||
      !gmem_pieces_fit(entry->op, model, &layout, axis))
    return;
  uint64_t elements = 0; // of the parts before this one
  intptr_t count = mlirOperationGetNumOperands(entry->op);
  for (intptr_t i = model->concat.first; i < count; ++i) {
    MlirValue operand = mlirOperationGetOperand(entry->op, i);
    if (!mlirTypeIsAShaped(mlirValueGetType(operand)) ||
        !gmem_layout_of(mlirValueGetType(operand), &part))
      continue;
    gmem_alias_t alias = {.kind = GMEM_SHARE_CONCAT,
                          .op = index,
                          .operand = (uint32_t)i,
                          .child = gmem_finder_tensor(finder, operand),
                          .parent = gmem_finder_tensor(finder, result)};
    bool is_aligned = gmem_layout_offset(&layout, elements, &alias.offset);
    elements += gmem_layout_elements(&part);
    assert(elements <= gmem_layout_elements(&layout));
    bool is_last = elements == gmem_layout_elements(&layout);
    if (!is_repeated_part(finder, index, operand) && is_aligned &&
        alias.child != GMEM_NO_INDEX && (fills_bytes(&part) || is_last))
      add_part(finder, &alias);
  }
}

//===--- tuples -----------------------------------------------------------===//

// Adds an alias of |part|, an operand or a result, with element |element| of
// |tuple|.
static void add_element(gmem_sharing_finder_t *finder, gmem_alias_t *alias,
                        MlirValue part, MlirValue tuple, intptr_t element) {
  MlirType type = mlirValueGetType(tuple);
  alias->child = gmem_finder_tensor(finder, part);
  alias->parent = gmem_finder_tensor(finder, tuple);
  if (alias->child == GMEM_NO_INDEX || alias->parent == GMEM_NO_INDEX ||
      !mlirTypeIsATuple(type) || gmem_type_is_dynamic(type) || element < 0 ||
      element >= mlirTupleTypeGetNumTypes(type) ||
      !mlirTypeEqual(mlirTupleTypeGetType(type, element),
                     mlirValueGetType(part)) ||
      !gmem_tuple_element_offset(type, element, NULL, &alias->offset))
    return;
  add_part(finder, alias);
}

static void find_tuple(gmem_sharing_finder_t *finder, uint32_t index) {
  MlirOperation op = finder->program->ops[index].op;
  MlirValue result = mlirOperationGetResult(op, 0);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    gmem_alias_t alias = {
        .kind = GMEM_SHARE_CONCAT, .op = index, .operand = (uint32_t)i};
    if (!is_repeated_part(finder, index, operand))
      add_element(finder, &alias, operand, result, i);
  }
}

static void find_tuple_element(gmem_sharing_finder_t *finder, uint32_t index) {
  const gmem_program_op_t *entry = &finder->program->ops[index];
  MlirAttribute number =
      gmem_op_attribute(entry->op, entry->model->tuple_element);
  gmem_alias_t alias = {.kind = GMEM_SHARE_SLICE, .op = index};
  int64_t element;
  if (mlirAttributeIsNull(number) || !gmem_integer_get(number, &element) ||
      mlirOperationGetNumOperands(entry->op) == 0)
    return;
  add_element(finder, &alias, mlirOperationGetResult(entry->op, 0),
              mlirOperationGetOperand(entry->op, 0), element);
}

// Whether the elements of an operand, or of the result, are not without gaps.
static bool has_padded_layout(MlirOperation op) {
  gmem_padded_layout_t layout;
  bool has_any = gmem_padded_layout_of(mlirOperationGetResult(op, 0),
                                       &layout) != GMEM_LAYOUT_DENSE;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    has_any |= gmem_padded_layout_of(mlirOperationGetOperand(op, i), &layout) !=
               GMEM_LAYOUT_DENSE;
  return has_any;
}

// Adds the parts with gaps that have been laid out as such.
static void find_strided(gmem_sharing_finder_t *finder, uint32_t op) {
  gmem_strided_parts_t parts = {0};
  gmem_strided_parts_at(finder->liveness, op, finder->arena, &parts);
  for (size_t i = 0; i < parts.count; ++i) {
    MlirValue part = finder->program->values[parts.at[i].alias.child].value;
    if (gmem_strided_part_is_stated(finder->liveness, &parts.at[i]) &&
        !is_repeated_part(finder, op, part))
      add_part(finder, &parts.at[i].alias);
  }
}

void gmem_find_subtensor_views(gmem_sharing_finder_t *finder, uint32_t op) {
  const gmem_program_op_t *entry = &finder->program->ops[op];
  const gmem_op_model_t *model = entry->model;
  if (mlirOperationGetNumResults(entry->op) == 0)
    return;
  // A result that is live before its op is in a graph region, where execution
  // order is unknown: a part may then be computed from the whole that contains
  // it. Or gmem.hold keeps it, by itself or by a view, from an earlier round.
  uint32_t result =
      gmem_finder_tensor(finder, mlirOperationGetResult(entry->op, 0));
  if (result == GMEM_NO_INDEX ||
      finder->liveness->live_values[result].is_held ||
      finder->liveness->live_values[result].ranges[0].begin != entry->begin)
    return;
  if (gmem_has_layouts(finder->program) && has_padded_layout(entry->op)) {
    find_strided(finder, op);
    return;
  }
  if (model->slice.operand != GMEM_NO_OPERAND)
    find_box(finder, op, GMEM_SHARE_SLICE, model->slice.operand, &model->slice);
  if (model->insert.operand != GMEM_NO_OPERAND)
    find_box(finder, op, GMEM_SHARE_CONCAT, model->insert.operand,
             &model->insert);
  if (model->concat.axis)
    find_concat(finder, op);
  if (model->tuple)
    find_tuple(finder, op);
  if (model->tuple_element)
    find_tuple_element(finder, op);
}
