// strided_views.c - see strided_views.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "strided_views.h"

#include <string.h>

#include "annotations.h"
#include "diagnostics.h"
#include "mlir-c/BuiltinTypes.h"
#include "subtensor_boxes.h"
#include "vocabulary.h"

//===--- boxes ------------------------------------------------------------===//

// A tensor, where its elements are, and a box of them.
typedef struct boxed_s {
  gmem_layout_t layout;
  int64_t strides[GMEM_MAX_RANK]; // elements
  int64_t begin[GMEM_MAX_RANK], size[GMEM_MAX_RANK];
} boxed_t;

static bool read_whole(MlirValue whole, boxed_t *out) {
  gmem_padded_layout_t padded;
  int64_t stride = 1;
  gmem_layout_kind_t kind = gmem_padded_layout_of(whole, &padded);
  if (!gmem_layout_of(mlirValueGetType(whole), &out->layout) ||
      out->layout.element_bits % 8 != 0 ||
      (kind != GMEM_LAYOUT_DENSE && kind != GMEM_LAYOUT_PADDED))
    return false;
  for (int i = out->layout.rank; i-- > 0;
       stride *= out->layout.dims[i]) { // bytes of tensors are checked to fit
    out->strides[i] = kind == GMEM_LAYOUT_PADDED ? padded.strides[i] : stride;
    out->begin[i] = 0;
    out->size[i] = out->layout.dims[i];
  }
  return true;
}

// The innermost axis behind |rows| along which elements are left out between
// two that belong to the box; |rows| if there is none.
static int gap_axis(const boxed_t *box, int rows) {
  for (int i = box->layout.rank; i-- > rows + 1;)
    if (box->size[i] != box->layout.dims[i])
      return i;
  for (int i = box->layout.rank; i-- > rows + 1;)
    if (box->strides[i - 1] != box->layout.dims[i] * box->strides[i])
      return i;
  return rows;
}

// The first axis with several indices: those before it only move the box.
static int row_axis(const boxed_t *box) {
  int i = 0;
  while (i < box->layout.rank && box->size[i] == 1)
    ++i;
  return i;
}

// Sets the strides of the axes of |part|, which are those of the box but for
// axes of one element.
static bool set_strides(const boxed_t *box, const gmem_layout_t *part,
                        gmem_strides_t *out) {
  int at = box->layout.rank;
  out->rank = (uint32_t)part->rank;
  for (int i = part->rank; i-- > 0;) {
    out->strides[i] = i + 1 < part->rank ? out->strides[i + 1] : 1;
    if (part->dims[i] == 1)
      continue;
    do
      --at;
    while (at >= 0 && box->size[at] == 1);
    if (at < 0 || box->size[at] != part->dims[i])
      return false;
    out->strides[i] = box->strides[at];
  }
  return true;
}

// Whether |part| has gaps in the tensor, in rows along one axis. Sets its
// strides, and the bytes from the tensor's first element to its buffer.
static bool find_gaps(const boxed_t *box, const gmem_layout_t *part,
                      gmem_strides_t *out, uint64_t *out_offset) {
  int rank = box->layout.rank, rows = row_axis(box);
  int axis = rows < rank ? gap_axis(box, rows) : rows;
  int64_t element = (int64_t)(box->layout.element_bits / 8);
  int64_t offset = 0, last = 0, width = 1;
  if (axis == rows)
    return false;
  for (int i = rows + 1; i < axis; ++i)
    if (box->size[i] != box->layout.dims[i])
      return false;
  for (int i = 0; i < rank; ++i) {
    offset += i <= rows ? box->begin[i] * box->strides[i] : 0;
    last += ((i <= rows ? box->size[i] : box->layout.dims[i]) - 1) *
            box->strides[i];
    width += i >= axis ? (box->size[i] - 1) * box->strides[i] : 0;
  }
  memset(out, 0, sizeof *out);
  out->first = box->begin[axis] * box->strides[axis];
  out->width = width;
  out->pitch = box->strides[axis - 1];
  out->size = last + 1;
  *out_offset = (uint64_t)(offset * element);
  return set_strides(box, part, out);
}

//===--- ops --------------------------------------------------------------===//

static uint32_t tensor_of(const gmem_liveness_t *liveness, MlirValue value) {
  const gmem_sharing_finder_t finder = {.liveness = liveness,
                                        .program = liveness->program};
  return gmem_finder_tensor(&finder, value);
}

static void add(const gmem_liveness_t *liveness, const boxed_t *box,
                MlirValue part, MlirValue whole, gmem_strided_part_t *found,
                gmem_bump_t *arena, gmem_strided_parts_t *parts) {
  gmem_layout_t layout;
  found->alias.child = tensor_of(liveness, part);
  found->alias.parent = tensor_of(liveness, whole);
  if (found->alias.child != GMEM_NO_INDEX &&
      found->alias.parent != GMEM_NO_INDEX &&
      gmem_layout_of(mlirValueGetType(part), &layout) &&
      gmem_layout_copies(&layout, &box->layout) &&
      find_gaps(box, &layout, &found->strides, &found->alias.offset))
    GMEM_APPEND(arena, parts, *found);
}

static void find_slice(const gmem_liveness_t *liveness, uint32_t index,
                       gmem_bump_t *arena, gmem_strided_parts_t *parts) {
  const gmem_program_op_t *entry = &liveness->program->ops[index];
  const gmem_op_box_t *model = &entry->model->slice;
  if (model->operand < 0 ||
      model->operand >= mlirOperationGetNumOperands(entry->op))
    return;
  MlirValue whole = mlirOperationGetOperand(entry->op, model->operand);
  MlirValue part = mlirOperationGetResult(entry->op, 0);
  gmem_subtensor_t slice = {.op = entry->op, .model = model};
  gmem_strided_part_t found = {.alias = {.kind = GMEM_SHARE_SLICE,
                                         .op = index,
                                         .operand = (uint32_t)model->operand}};
  boxed_t box;
  if (!read_whole(whole, &box) ||
      !gmem_layout_of(mlirValueGetType(part), &slice.part))
    return;
  slice.whole = box.layout;
  if (gmem_subtensor_box(&slice, liveness->program->models, arena, box.begin,
                         box.size))
    add(liveness, &box, part, whole, &found, arena, parts);
}

static void find_pieces(const gmem_liveness_t *liveness, uint32_t index,
                        gmem_bump_t *arena, gmem_strided_parts_t *parts) {
  const gmem_program_op_t *entry = &liveness->program->ops[index];
  MlirValue whole = mlirOperationGetResult(entry->op, 0);
  intptr_t count = mlirOperationGetNumOperands(entry->op);
  boxed_t box;
  if (!read_whole(whole, &box))
    return;
  int axis = gmem_concat_axis(entry->op, entry->model, &box.layout);
  if (axis < 0 || !gmem_pieces_fit(entry->op, entry->model, &box.layout, axis))
    return;
  int64_t at = 0;
  for (intptr_t i = entry->model->concat.first; i < count; ++i) {
    MlirValue part = mlirOperationGetOperand(entry->op, i);
    gmem_layout_t layout;
    if (!mlirTypeIsAShaped(mlirValueGetType(part)) ||
        !gmem_layout_of(mlirValueGetType(part), &layout))
      continue;
    gmem_strided_part_t found = {.alias = {.kind = GMEM_SHARE_CONCAT,
                                           .op = index,
                                           .operand = (uint32_t)i}};
    box.begin[axis] = at;
    box.size[axis] = layout.dims[axis];
    at += layout.dims[axis];
    if (layout.dims[axis] > 0)
      add(liveness, &box, part, whole, &found, arena, parts);
  }
}

void gmem_strided_parts_at(const gmem_liveness_t *liveness, uint32_t op,
                           gmem_bump_t *arena, gmem_strided_parts_t *parts) {
  const gmem_program_op_t *entry = &liveness->program->ops[op];
  if (mlirOperationGetNumResults(entry->op) == 0 ||
      !gmem_runs_as_modelled(entry))
    return;
  if (entry->model->slice.operand != GMEM_NO_OPERAND)
    find_slice(liveness, op, arena, parts);
  if (entry->model->concat.axis && entry->model->concat.first >= 0)
    find_pieces(liveness, op, arena, parts);
}

//===--- values -----------------------------------------------------------===//

typedef struct finder_s {
  const gmem_liveness_t *liveness;
  uint32_t *uses;           // by value: those by ops that take strides
  uint32_t *members;        // by alias set
  bool *is_part, *is_whole; // by alias set
} finder_t;

static bool takes_strides(const gmem_program_op_t *entry, uint32_t operand) {
  return operand < 64 && entry->model->strided_operands >> operand & 1 &&
         gmem_runs_as_modelled(entry);
}

static uint32_t set_of(const finder_t *finder, uint32_t value) {
  return finder->liveness->set_of[value];
}

static void count_uses(finder_t *finder) {
  const gmem_program_t *program = finder->liveness->program;
  for (uint32_t v = 0; v < program->value_count; ++v)
    if (set_of(finder, v) != GMEM_NO_INDEX)
      ++finder->members[set_of(finder, v)];
  for (uint32_t i = 0; i < program->op_count; ++i) {
    const gmem_program_op_t *entry = &program->ops[i];
    intptr_t count = mlirOperationGetNumOperands(entry->op);
    for (intptr_t k = 0; entry->model->strided_operands && k < count; ++k) {
      uint32_t value = gmem_operand_value(program, entry->op, k);
      if (value != GMEM_NO_INDEX && takes_strides(entry, (uint32_t)k) &&
          program->values[value].block == entry->block)
        ++finder->uses[value];
    }
  }
}

// Whether the op states something of its results that views cannot have.
static bool has_wishes(MlirOperation op) {
  static const gmem_attr_t wishes[] = {
      GMEM_ATTR_PADDING, GMEM_ATTR_FIXED,        GMEM_ATTR_SAME_AS,
      GMEM_ATTR_HOLD,    GMEM_ATTR_MEMORY_GROUP, GMEM_ATTR_SENSITIVE};
  bool has_any = false;
  for (size_t i = 0; i < sizeof wishes / sizeof *wishes; ++i)
    has_any |= !mlirAttributeIsNull(gmem_op_annotation(op, wishes[i]));
  return has_any;
}

// Whether all ops that make or read the part take strides; the op that makes it
// a part does. All are in one block: no value is written again in between.
static bool is_used_with_strides(const finder_t *finder,
                                 const gmem_alias_t *alias) {
  const gmem_program_t *program = finder->liveness->program;
  const gmem_program_op_t *op = &program->ops[alias->op];
  const gmem_value_t *part = &program->values[alias->child];
  const gmem_program_op_t *made = gmem_defining_op(program, alias->child);
  bool is_concat = alias->kind == GMEM_SHARE_CONCAT;
  uint32_t good = finder->uses[alias->child] +
                  (is_concat && !takes_strides(op, alias->operand));
  for (MlirOpOperand use = mlirValueGetFirstUse(part->value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (good-- == 0)
      return false;
  return good == 0 && made && made->block == op->block &&
         gmem_runs_as_modelled(made) && !has_wishes(made->op) &&
         (!is_concat || (part->number < 64 &&
                         made->model->strided_results >> part->number & 1));
}

static bool can_be_view(const finder_t *finder, const gmem_alias_t *alias) {
  const gmem_liveness_t *liveness = finder->liveness;
  uint32_t part = set_of(finder, alias->child);
  uint32_t whole = set_of(finder, alias->parent);
  const gmem_program_op_t *op = &liveness->program->ops[alias->op];
  uint32_t result =
      alias->kind == GMEM_SHARE_SLICE ? alias->child : alias->parent;
  return part != whole && finder->members[part] == 1 &&
         !finder->is_part[part] && !finder->is_whole[part] &&
         !finder->is_part[whole] && !liveness->sets[part].is_written &&
         !liveness->sets[whole].is_written &&
         // Not in a graph region, where the order of ops is unknown.
         liveness->live_values[result].ranges[0].begin == op->begin &&
         is_used_with_strides(finder, alias);
}

static gmem_status_t begin(finder_t *finder, gmem_bump_t *arena,
                           gmem_diag_t *diag) {
  size_t sets = finder->liveness->set_count;
  GMEM_TRY_ALLOC(finder->uses, arena, finder->liveness->program->value_count,
                 diag);
  GMEM_TRY_ALLOC(finder->members, arena, sets, diag);
  GMEM_TRY_ALLOC(finder->is_part, arena, sets, diag);
  GMEM_TRY_ALLOC(finder->is_whole, arena, sets, diag);
  count_uses(finder);
  return GMEM_OK;
}

// Whether an op of the program takes strides, so that there may be views.
static bool has_takers(const gmem_program_t *program) {
  for (uint32_t i = 0; i < program->op_count; ++i)
    if (program->ops[i].model->strided_operands ||
        program->ops[i].model->strided_results)
      return true;
  return false;
}

static MlirValue part_of(const gmem_liveness_t *liveness,
                         const gmem_strided_part_t *part) {
  return liveness->program->values[part->alias.child].value;
}

bool gmem_strided_part_is_stated(const gmem_liveness_t *liveness,
                                 const gmem_strided_part_t *part) {
  gmem_padded_layout_t layout;
  return gmem_padded_layout_of(part_of(liveness, part), &layout) ==
             GMEM_LAYOUT_STRIDED &&
         gmem_strides_equal(&layout.view, &part->strides);
}

static bool is_allowed(const gmem_liveness_t *liveness,
                       const gmem_strided_part_t *part,
                       const gmem_model_options_t *options) {
  MlirType type = mlirValueGetType(part_of(liveness, part));
  uint64_t element = gmem_element_bits(mlirShapedTypeGetElementType(type)) / 8;
  return options->sharing & part->alias.kind &&
         part->alias.offset % options->view_alignment == 0 &&
         (uint64_t)part->strides.first * element % options->view_alignment == 0;
}

// As gmem_strided_views_find; NULL |options|: only those that gmem.strides
// states.
static gmem_status_t find(const gmem_liveness_t *liveness,
                          const gmem_model_options_t *options,
                          gmem_bump_t *arena, gmem_strided_parts_t *out_parts,
                          gmem_diag_t *diag) {
  finder_t finder = {.liveness = liveness};
  gmem_strided_parts_t at_op = {0};
  *out_parts = (gmem_strided_parts_t){0};
  if (liveness->order.is_pending_at_exit || !has_takers(liveness->program))
    return GMEM_OK; // with streams bytes have no single order of uses
  GMEM_TRY(begin(&finder, arena, diag));
  for (uint32_t i = 0; i < liveness->program->op_count; ++i) {
    at_op.count = 0;
    gmem_strided_parts_at(liveness, i, arena, &at_op);
    for (size_t k = 0; k < at_op.count; ++k) {
      const gmem_strided_part_t *part = &at_op.at[k];
      bool is_wanted = options ? is_allowed(liveness, part, options)
                               : gmem_strided_part_is_stated(liveness, part);
      if (!is_wanted || !can_be_view(&finder, &part->alias))
        continue;
      finder.is_part[set_of(&finder, part->alias.child)] = true;
      finder.is_whole[set_of(&finder, part->alias.parent)] = true;
      GMEM_APPEND(arena, out_parts, *part);
    }
  }
  return gmem_bump_status(arena, diag);
}

gmem_status_t gmem_strided_views_find(const gmem_liveness_t *liveness,
                                      const gmem_model_options_t *options,
                                      gmem_bump_t *arena,
                                      gmem_strided_parts_t *out_parts,
                                      gmem_diag_t *diag) {
  return find(liveness, options, arena, out_parts, diag);
}

// Sets |*out_is_view|, by value, to whether gmem.strides makes it a view.
static gmem_status_t find_stated(const gmem_liveness_t *liveness,
                                 gmem_bump_t *arena, bool **out_is_view,
                                 gmem_diag_t *diag) {
  gmem_strided_parts_t parts;
  GMEM_TRY_ALLOC(*out_is_view, arena, liveness->program->value_count, diag);
  GMEM_TRY(find(liveness, NULL, arena, &parts, diag));
  for (size_t i = 0; i < parts.count; ++i)
    (*out_is_view)[parts.at[i].alias.child] = true;
  return GMEM_OK;
}

gmem_status_t gmem_strided_views_check(const gmem_liveness_t *liveness,
                                       gmem_bump_t *arena, gmem_diag_t *diag) {
  const gmem_program_t *program = liveness->program;
  bool *is_view = NULL;
  for (uint32_t i = 0; i < program->value_count; ++i) {
    gmem_padded_layout_t layout;
    MlirValue value = program->values[i].value;
    const gmem_program_op_t *op = gmem_defining_op(program, i);
    if (!op || !(op->own >> GMEM_ATTR_STRIDES & 1))
      continue;
    gmem_layout_kind_t kind = gmem_padded_layout_of(value, &layout);
    if (kind == GMEM_LAYOUT_DENSE)
      continue;
    if (!is_view)
      GMEM_TRY(find_stated(liveness, arena, &is_view, diag));
    if (!is_view[i])
      return gmem_reject(
          diag, mlirOpResultGetOwner(value),
          "gmem.strides: result #%u is no such part of a tensor, "
          "or an op that uses it does not take strides; plan "
          "again",
          program->values[i].number);
  }
  return GMEM_OK;
}
