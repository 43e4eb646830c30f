// change_list.c - see change_list.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "change_list.h"

#include <string.h>

#include "annotations.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir_seam.h"
#include "pointer_map.h"
#include "vocabulary.h"

enum {
  LONGEST_CHAIN = 4, // ops of a layer group
  MOST_BETWEEN = 8,  // ops of a block between two of a chain: constants
};

typedef struct lister_s {
  const gmem_plan_options_t *options;
  const gmem_numbered_ops_t *ops;
  const gmem_peak_ops_t *peak;
  gmem_pointer_map_t number_of;
  bool *is_taken; // by op: in a group of the change that is being made
  gmem_bump_t *arena;
  gmem_changes_t *changes;
} lister_t;

static void add(lister_t *lister, gmem_change_t change) {
  for (size_t i = 0; i < lister->changes->count; ++i) {
    const gmem_change_t *other = &lister->changes->at[i];
    if (other->kind == change.kind && other->op_count == change.op_count &&
        other->per_place == change.per_place &&
        other->behind == change.behind &&
        memcmp(other->ops, change.ops, change.op_count * sizeof *change.ops) ==
            0)
      return;
  }
  GMEM_APPEND(lister->arena, lister->changes, change);
}

//===--- options ----------------------------------------------------------===//

static void add_options(lister_t *lister) {
  static const uint32_t none[1];
  const gmem_plan_options_t *options = lister->options;
  const bool is_useful[] = {
      [GMEM_CHANGE_NONE] = false, // it is tried first
      [GMEM_CHANGE_ORDER] = options->order == GMEM_ORDER_GIVEN,
      [GMEM_CHANGE_CONSTANTS] = options->constants == GMEM_CONSTANTS_KEEP,
      [GMEM_CHANGE_ALIGNMENT] = options->alignment > 64,
      [GMEM_CHANGE_SHARING] = options->model.sharing != GMEM_SHARE_ALL,
      [GMEM_CHANGE_INPUTS] = options->model.keep_inputs,
      [GMEM_CHANGE_IO] = options->model.io != GMEM_IO_SHARED,
      [GMEM_CHANGE_BOUND] = options->model.dynamic_bound > 1};
  for (size_t kind = 0; kind < sizeof is_useful / sizeof *is_useful; ++kind)
    if (is_useful[kind])
      add(lister, (gmem_change_t){.kind = (gmem_change_kind_t)kind,
                                  .ops = none,
                                  .per_place = 1});
}

//===--- chains of ops ----------------------------------------------------===//

static bool is_in_group(MlirOperation op) {
  return !mlirAttributeIsNull(gmem_op_annotation(op, GMEM_ATTR_LAYER_GROUP));
}

// Whether |user| follows |op| in its block, with few ops between them.
static bool is_near(MlirOperation op, MlirOperation user) {
  for (int i = 0; i <= MOST_BETWEEN && !mlirOperationIsNull(op); ++i) {
    op = mlirOperationGetNextInBlock(op);
    if (mlirOperationEqual(op, user))
      return true;
  }
  return false;
}

// The only user of the only tensor that |op| makes, if it is near and is not
// the end of the block; else null.
static MlirOperation next_of(MlirOperation op) {
  MlirOperation none = {NULL};
  if (mlirOperationGetNumResults(op) != 1 || is_in_group(op) ||
      mlirOperationGetNumOperands(op) == 0 ||
      mlirOperationGetNumRegions(op) > 1)
    return none;
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirOpOperand use = mlirValueGetFirstUse(result);
  if (mlirOpOperandIsNull(use) ||
      !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)) ||
      !mlirTypeIsATensor(mlirValueGetType(result)))
    return none;
  MlirOperation user = mlirOpOperandGetOwner(use);
  return mlirOperationGetNumResults(user) == 1 && !is_in_group(user) &&
                 is_near(op, user)
             ? user
             : none;
}

// The first operand's maker whose only user is |op|, or null.
static MlirOperation previous_of(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (!mlirValueIsAOpResult(operand))
      continue;
    MlirOperation maker = mlirOpResultGetOwner(operand);
    if (mlirOperationEqual(next_of(maker), op))
      return maker;
  }
  return (MlirOperation){NULL};
}

static bool has_name_of(MlirOperation op, MlirOperation other) {
  return mlirIdentifierEqual(mlirOperationGetName(op),
                             mlirOperationGetName(other));
}

// A chain of ops that others may look like.
typedef struct pattern_s {
  const MlirOperation *ops;
  uint32_t length;
  bool has_any_head; // the first op of others may have any name
} pattern_t;

// Whether a chain like |pattern| begins at |op|; marks it.
static bool match(lister_t *lister, MlirOperation op, const pattern_t *pattern,
                  uint32_t *numbers) {
  uint32_t length = pattern->length;
  for (uint32_t i = 0; i < length; ++i) {
    bool is_free = i == 0 && pattern->has_any_head;
    if (mlirOperationIsNull(op) ||
        (!is_free && !has_name_of(op, pattern->ops[i])))
      return false;
    numbers[i] = gmem_pointer_map_find(&lister->number_of, op.ptr);
    if (numbers[i] == GMEM_NO_INDEX || lister->is_taken[numbers[i]])
      return false;
    if (i + 1 < length)
      op = next_of(op);
  }
  for (uint32_t i = 0; i < length; ++i)
    lister->is_taken[numbers[i]] = true;
  return true;
}

// Groups at all places that look like |pattern|.
static gmem_status_t add_groups(lister_t *lister, const pattern_t *pattern,
                                gmem_diag_t *diag) {
  const gmem_numbered_ops_t *ops = lister->ops;
  uint32_t *numbers, count = 0;
  GMEM_TRY_ALLOC(numbers, lister->arena, (size_t)ops->count + pattern->length,
                 diag);
  memset(lister->is_taken, 0, ops->count * sizeof *lister->is_taken);
  for (uint32_t i = 0; i < ops->count; ++i)
    if (match(lister, ops->at[i], pattern, numbers + count))
      count += pattern->length;
  if (count > pattern->length)
    add(lister, (gmem_change_t){.kind = GMEM_CHANGE_GROUP,
                                .ops = numbers,
                                .op_count = count,
                                .per_place = pattern->length,
                                .has_any_head = pattern->has_any_head});
  return GMEM_OK;
}

// The group of the ops of |pattern| alone.
static gmem_status_t add_group(lister_t *lister, const pattern_t *pattern,
                               gmem_diag_t *diag) {
  uint32_t *here;
  GMEM_TRY_ALLOC(here, lister->arena, pattern->length, diag);
  for (uint32_t i = 0; i < pattern->length; ++i)
    here[i] = gmem_pointer_map_find(&lister->number_of, pattern->ops[i].ptr);
  add(lister, (gmem_change_t){.kind = GMEM_CHANGE_GROUP,
                              .ops = here,
                              .op_count = pattern->length,
                              .per_place = pattern->length});
  return GMEM_OK;
}

static gmem_status_t add_groups_like(lister_t *lister, const MlirOperation *ops,
                                     uint32_t length, gmem_diag_t *diag) {
  pattern_t pattern = {ops, length, true};
  GMEM_TRY(add_groups(lister, &pattern, diag));
  pattern.has_any_head = false;
  GMEM_TRY(add_groups(lister, &pattern, diag));
  return add_group(lister, &pattern, diag);
}

// Layer groups of a few ops of which |op| is one.
static gmem_status_t add_groups_with(lister_t *lister, MlirOperation op,
                                     gmem_diag_t *diag) {
  enum { ROOM = 2 * LONGEST_CHAIN };
  MlirOperation chain[ROOM];
  uint32_t first = LONGEST_CHAIN - 1, end = LONGEST_CHAIN;
  chain[first] = op;
  for (MlirOperation at = previous_of(op);
       first > 0 && !mlirOperationIsNull(at); at = previous_of(at))
    chain[--first] = at;
  for (MlirOperation at = next_of(op);
       end < ROOM - 1 && !mlirOperationIsNull(at); at = next_of(at))
    chain[end++] = at;
  for (uint32_t length = LONGEST_CHAIN; length >= 2; --length)
    for (uint32_t begin = first; begin + length <= end; ++begin)
      if (begin < LONGEST_CHAIN && begin + length >= LONGEST_CHAIN)
        GMEM_TRY(add_groups_like(lister, chain + begin, length, diag));
  return GMEM_OK;
}

//===--- single ops -------------------------------------------------------===//

bool gmem_op_is_plain(const gmem_program_op_t *op) {
  const gmem_op_model_t *model = op->model;
  const gmem_op_moves_t *moves = &model->moves;
  bool is_computed = op->kind == GMEM_OP_UNKNOWN || op->kind == GMEM_OP_COMPUTE;
  bool is_moved = moves->permutes || moves->swaps || moves->broadcasts ||
                  model->slice.operand != GMEM_NO_OPERAND ||
                  model->insert.operand != GMEM_NO_OPERAND ||
                  model->concat.axis || model->tuple || model->tuple_element;
  return is_computed && !is_moved && !model->writes && !model->escapes &&
         !model->starts && !model->waits;
}

static bool may_overwrite(const lister_t *lister, uint32_t op) {
  return lister->peak->is_plain[op] &&
         gmem_overwritable_operand(lister->ops->at[op]) >= 0;
}

// At |op|, and at all ops of its name.
static gmem_status_t add_in_place(lister_t *lister, MlirOperation op,
                                  gmem_diag_t *diag) {
  const gmem_numbered_ops_t *ops = lister->ops;
  uint32_t *numbers, *here, count = 0;
  uint32_t number = gmem_pointer_map_find(&lister->number_of, op.ptr);
  if (!may_overwrite(lister, number))
    return GMEM_OK;
  GMEM_TRY_ALLOC(numbers, lister->arena, ops->count, diag);
  GMEM_TRY_ALLOC(here, lister->arena, 1, diag);
  for (uint32_t i = 0; i < ops->count; ++i)
    if (has_name_of(ops->at[i], op) && may_overwrite(lister, i))
      numbers[count++] = i;
  *here = number;
  gmem_change_t change = {.kind = GMEM_CHANGE_IN_PLACE,
                          .ops = numbers,
                          .op_count = count,
                          .per_place = 1};
  if (count > 1)
    add(lister, change);
  change.ops = here;
  change.op_count = 1;
  add(lister, change);
  return GMEM_OK;
}

// Whether the value of |op|, which runs before the peak, is used behind it.
static bool is_used_late(MlirOperation op, MlirOperation at) {
  if (!mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(at)) ||
      !mlirOperationIsBeforeInBlock(op, at))
    return false;
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r)
    for (MlirOpOperand use =
             mlirValueGetFirstUse(mlirOperationGetResult(op, r));
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation user = mlirOpOperandGetOwner(use);
      if (mlirBlockEqual(mlirOperationGetBlock(user),
                         mlirOperationGetBlock(at)) &&
          mlirOperationIsBeforeInBlock(at, user))
        return true;
    }
  return false;
}

static gmem_status_t add_recompute(lister_t *lister, uint32_t number,
                                   gmem_diag_t *diag) {
  MlirOperation op = lister->ops->at[number];
  uint32_t *here;
  if (lister->peak->at == GMEM_NO_INDEX || !gmem_is_registered(op) ||
      !gmem_has_no_effects(op) || mlirOperationGetNumOperands(op) == 0 ||
      !is_used_late(op, lister->ops->at[lister->peak->at]))
    return GMEM_OK;
  GMEM_TRY_ALLOC(here, lister->arena, 1, diag);
  *here = number;
  add(lister, (gmem_change_t){.kind = GMEM_CHANGE_RECOMPUTE,
                              .ops = here,
                              .op_count = 1,
                              .per_place = 1,
                              .behind = lister->peak->at});
  return GMEM_OK;
}

//===--- all --------------------------------------------------------------===//

static gmem_status_t add_ops(lister_t *lister, gmem_diag_t *diag) {
  const gmem_peak_ops_t *peak = lister->peak;
  const gmem_numbered_ops_t *ops = lister->ops;
  if (peak->at != GMEM_NO_INDEX) {
    GMEM_TRY(add_groups_with(lister, ops->at[peak->at], diag));
    GMEM_TRY(add_in_place(lister, ops->at[peak->at], diag));
  }
  for (size_t i = 0; i < peak->maker_count; ++i) {
    MlirOperation maker = ops->at[peak->makers[i]];
    GMEM_TRY(add_groups_with(lister, maker, diag));
    GMEM_TRY(add_in_place(lister, maker, diag));
    GMEM_TRY(add_recompute(lister, peak->makers[i], diag));
  }
  return gmem_bump_status(lister->arena, diag);
}

gmem_status_t gmem_changes_list(const gmem_plan_options_t *options,
                                const gmem_numbered_ops_t *ops,
                                const gmem_peak_ops_t *peak, gmem_bump_t *arena,
                                gmem_changes_t *out_changes,
                                gmem_diag_t *diag) {
  lister_t lister = {.options = options,
                     .ops = ops,
                     .peak = peak,
                     .arena = arena,
                     .changes = out_changes};
  *out_changes = (gmem_changes_t){0};
  GMEM_TRY(gmem_pointer_map_make(&lister.number_of, ops->count, arena, diag));
  GMEM_TRY_ALLOC(lister.is_taken, arena, ops->count, diag);
  for (uint32_t i = 0; i < ops->count; ++i)
    gmem_pointer_map_add(&lister.number_of, ops->at[i].ptr, i);
  add_options(&lister);
  return add_ops(&lister, diag);
}
