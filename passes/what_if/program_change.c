// program_change.c - see program_change.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program_change.h"

#include <assert.h>
#include <inttypes.h>

#include "annotations.h"
#include "ir_builder.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir_seam.h"
#include "type_size.h"
#include "vocabulary.h"

enum { SMALL_ALIGNMENT = 64 };

static const struct {
  bool keeps_bits, is_of_program;
  const char *means;
} kinds[] = {
    [GMEM_CHANGE_NONE] = {true, true, "replan=true"},
    [GMEM_CHANGE_ORDER] = {true, true, "order=best"},
    [GMEM_CHANGE_CONSTANTS] = {true, false, "constants=hoist"},
    [GMEM_CHANGE_ALIGNMENT] = {false, false, "alignment="},
    [GMEM_CHANGE_SHARING] = {false, false, "sharing=all"},
    [GMEM_CHANGE_INPUTS] = {false, false, "keep-inputs=false"},
    [GMEM_CHANGE_IO] = {false, false, "io=shared"},
    [GMEM_CHANGE_BOUND] = {false, false, "dynamic-bound="},
    [GMEM_CHANGE_GROUP] = {false, true, "gmem.layer_group"},
    [GMEM_CHANGE_IN_PLACE] = {false, true, "gmem.op_model"},
    [GMEM_CHANGE_RECOMPUTE] = {true, true, ""},
};

bool gmem_change_keeps_bits(gmem_change_kind_t kind) {
  return kinds[kind].keeps_bits;
}

bool gmem_change_is_of_program(gmem_change_kind_t kind) {
  return kinds[kind].is_of_program;
}

void gmem_change_means(const gmem_change_t *change,
                       const gmem_plan_options_t *options, gmem_text_t *text) {
  gmem_text_print(text, "%s", kinds[change->kind].means);
  if (change->kind == GMEM_CHANGE_ALIGNMENT)
    gmem_text_print(text, "%d", SMALL_ALIGNMENT);
  if (change->kind == GMEM_CHANGE_BOUND)
    gmem_text_print(text, "%" PRIu64, options->model.dynamic_bound / 2);
}

//===--- ops --------------------------------------------------------------===//

static gmem_status_t count_op(MlirOperation op, void *user) {
  (void)op;
  ++((gmem_numbered_ops_t *)user)->count;
  return GMEM_OK;
}

static gmem_status_t number_op(MlirOperation op, void *user) {
  gmem_numbered_ops_t *ops = user;
  ops->at[ops->count++] = op;
  return GMEM_OK;
}

gmem_status_t gmem_number_ops(MlirOperation top, gmem_bump_t *arena,
                              gmem_numbered_ops_t *out_ops, gmem_diag_t *diag) {
  *out_ops = (gmem_numbered_ops_t){NULL, 0};
  GMEM_TRY(gmem_walk(top, count_op, out_ops));
  GMEM_TRY_ALLOC(out_ops->at, arena, out_ops->count, diag);
  out_ops->count = 0;
  return gmem_walk(top, number_op, out_ops);
}

static bool has_one_use(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  return !mlirOpOperandIsNull(use) &&
         mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

intptr_t gmem_overwritable_operand(MlirOperation op) {
  uint64_t bytes, size;
  if (mlirOperationGetNumResults(op) != 1 ||
      mlirOperationGetNumRegions(op) != 0 ||
      !mlirAttributeIsNull(gmem_op_annotation(op, GMEM_ATTR_OP_MODEL)))
    return -1;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (!mlirTypeIsATensor(type) ||
      gmem_type_size(type, &bytes) != GMEM_TYPE_SIZED)
    return -1;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    MlirType other = mlirValueGetType(operand);
    if (mlirTypeIsATensor(other) &&
        gmem_type_size(other, &size) == GMEM_TYPE_SIZED && size == bytes &&
        has_one_use(operand))
      return i;
  }
  return -1;
}

//===--- making the change ------------------------------------------------===//

void gmem_change_options(const gmem_change_t *change,
                         gmem_plan_options_t *options) {
  switch (change->kind) {
  case GMEM_CHANGE_ORDER:
    options->order = GMEM_ORDER_BEST;
    break;
  case GMEM_CHANGE_CONSTANTS:
    options->constants = GMEM_CONSTANTS_HOIST;
    break;
  case GMEM_CHANGE_ALIGNMENT:
    options->alignment = SMALL_ALIGNMENT;
    break;
  case GMEM_CHANGE_SHARING:
    options->model.sharing = GMEM_SHARE_ALL;
    break;
  case GMEM_CHANGE_INPUTS:
    options->model.keep_inputs = false;
    break;
  case GMEM_CHANGE_IO:
    options->model.io = GMEM_IO_SHARED;
    break;
  case GMEM_CHANGE_BOUND:
    options->model.dynamic_bound /= 2;
    break;
  case GMEM_CHANGE_NONE:
  case GMEM_CHANGE_GROUP:
  case GMEM_CHANGE_IN_PLACE:
  case GMEM_CHANGE_RECOMPUTE:
    break;
  }
}

// A number that no layer group of the program has.
static int64_t free_group(const gmem_numbered_ops_t *ops) {
  int64_t number = 0;
  for (uint32_t i = 0; i < ops->count; ++i) {
    MlirAttribute group = gmem_op_annotation(ops->at[i], GMEM_ATTR_LAYER_GROUP);
    if (!mlirAttributeIsNull(group) && mlirAttributeIsAInteger(group) &&
        mlirIntegerAttrGetValueInt(group) >= number)
      number = mlirIntegerAttrGetValueInt(group) + 1;
  }
  return number;
}

static void make_groups(const gmem_change_t *change,
                        const gmem_numbered_ops_t *ops) {
  int64_t first = free_group(ops);
  for (uint32_t i = 0; i < change->op_count; ++i) {
    MlirOperation op = ops->at[change->ops[i]];
    gmem_op_annotate(op, GMEM_ATTR_LAYER_GROUP,
                     gmem_i64_attribute(mlirOperationGetContext(op),
                                        first + i / change->per_place));
  }
}

static void overwrite(MlirOperation op) {
  MlirContext context = mlirOperationGetContext(op);
  const int64_t operand = gmem_overwritable_operand(op);
  assert(operand >= 0);
  const gmem_named_t model[] = {
      {"inplace", mlirDenseI64ArrayGet(context, 1, &operand)}, {NULL, {NULL}}};
  gmem_op_annotate(op, GMEM_ATTR_OP_MODEL, gmem_dictionary(context, model));
}

// Whether |use| is one of an op behind |behind|, in its block.
static bool is_late(MlirOpOperand use, MlirOperation behind) {
  MlirOperation user = mlirOpOperandGetOwner(use);
  return mlirBlockEqual(mlirOperationGetBlock(user),
                        mlirOperationGetBlock(behind)) &&
         mlirOperationIsBeforeInBlock(behind, user);
}

// The first late user of |value| if it is before |first|, which may be null.
static MlirOperation first_late_user(MlirValue value, MlirOperation behind,
                                     MlirOperation first) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (is_late(use, behind) && (mlirOperationIsNull(first) ||
                                 mlirOperationIsBeforeInBlock(user, first)))
      first = user;
  }
  return first;
}

// Has the users of |op| behind another op of its block use a copy of it.
static void recompute(MlirOperation op, MlirOperation behind) {
  MlirOperation first = {NULL}, copy = mlirOperationClone(op);
  intptr_t results = mlirOperationGetNumResults(op);
  for (intptr_t r = 0; r < results; ++r)
    first = first_late_user(mlirOperationGetResult(op, r), behind, first);
  assert(!mlirOperationIsNull(first));
  gmem_op_annotate(copy, GMEM_ATTR_NAME, (MlirAttribute){NULL}); // is unique
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(first), first,
                                      copy);
  for (intptr_t r = 0; r < results; ++r) {
    MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, r));
    while (!mlirOpOperandIsNull(use)) {
      MlirOpOperand next = mlirOpOperandGetNextUse(use);
      if (is_late(use, behind))
        mlirOperationSetOperand(mlirOpOperandGetOwner(use),
                                mlirOpOperandGetOperandNumber(use),
                                mlirOperationGetResult(copy, r));
      use = next;
    }
  }
}

void gmem_change_ops(const gmem_change_t *change,
                     const gmem_numbered_ops_t *ops) {
  if (change->kind == GMEM_CHANGE_GROUP)
    make_groups(change, ops);
  for (uint32_t i = 0; i < change->op_count; ++i) {
    MlirOperation op = ops->at[change->ops[i]];
    if (change->kind == GMEM_CHANGE_IN_PLACE)
      overwrite(op);
    else if (change->kind == GMEM_CHANGE_RECOMPUTE)
      recompute(op, ops->at[change->behind]);
  }
}

//===--- words ------------------------------------------------------------===//

static void add_op_name(gmem_text_t *text, MlirOperation op) {
  gmem_text_piece(mlirIdentifierStr(mlirOperationGetName(op)), text);
}

static void add_place(gmem_text_t *text, MlirOperation op) {
  gmem_text_print(text, " (");
  gmem_text_place(text, mlirOperationGetLocation(op), true);
  gmem_text_print(text, ")");
}

static void add_ops(gmem_text_t *text, const gmem_change_t *change,
                    const gmem_numbered_ops_t *ops) {
  for (uint32_t i = 0; i < change->per_place; ++i) {
    gmem_text_print(text, "%s", i ? " + " : "");
    if (i == 0 && change->has_any_head)
      gmem_text_print(text, "any op");
    else
      add_op_name(text, ops->at[change->ops[i]]);
  }
  if (change->op_count == change->per_place)
    add_place(text, ops->at[change->ops[0]]);
  else
    gmem_text_print(text, ", %" PRIu32 " places",
                    change->op_count / change->per_place);
}

void gmem_change_describe(const gmem_change_t *change,
                          const gmem_plan_options_t *options,
                          const gmem_numbered_ops_t *ops, gmem_text_t *text) {
  switch (change->kind) {
  case GMEM_CHANGE_NONE:
    gmem_text_print(text, "a new plan, nothing changed");
    break;
  case GMEM_CHANGE_ORDER:
    gmem_text_print(text, "another order of the ops");
    break;
  case GMEM_CHANGE_CONSTANTS:
    gmem_text_print(text, "values computed from constants become constants");
    break;
  case GMEM_CHANGE_ALIGNMENT:
    gmem_text_print(text, "tensors aligned to %d bytes instead of ",
                    SMALL_ALIGNMENT);
    gmem_text_number(text, options->alignment);
    break;
  case GMEM_CHANGE_SHARING:
    gmem_text_print(text, "all kinds of sharing");
    break;
  case GMEM_CHANGE_INPUTS:
    gmem_text_print(text, "inputs may be overwritten after their last use");
    break;
  case GMEM_CHANGE_IO:
    gmem_text_print(text, "inputs and outputs share memory with the others");
    break;
  case GMEM_CHANGE_BOUND:
    gmem_text_print(text, "dynamic dimensions of at most %" PRIu64,
                    options->model.dynamic_bound / 2);
    break;
  case GMEM_CHANGE_GROUP:
    gmem_text_print(text, "one layer group: ");
    add_ops(text, change, ops);
    break;
  case GMEM_CHANGE_IN_PLACE:
    gmem_text_print(text, "in place: ");
    add_ops(text, change, ops);
    break;
  case GMEM_CHANGE_RECOMPUTE:
    gmem_text_print(text, "computed again: ");
    add_ops(text, change, ops);
    gmem_text_print(text, " behind ");
    add_op_name(text, ops->at[change->behind]);
    add_place(text, ops->at[change->behind]);
    break;
  }
}
