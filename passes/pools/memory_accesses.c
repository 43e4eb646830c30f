// memory_accesses.c - see memory_accesses.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memory_accesses.h"

#include <stdlib.h>
#include <string.h>

#include "annotations.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "op_models.h"
#include "program.h"

//===--- targets ----------------------------------------------------------===//

static bool names(const gmem_memory_t *memory, MlirStringRef target) {
  for (size_t i = 0; i < memory->target_count; ++i)
    if (mlirStringRefEqual(gmem_string(memory->targets[i]), target))
      return true;
  return false;
}

gmem_status_t gmem_target_of(MlirOperation op, MlirStringRef *out_target,
                             gmem_diag_t *diag) {
  MlirStringRef name = gmem_attr_name(GMEM_ATTR_TARGET);
  *out_target = (MlirStringRef){NULL, 0};
  for (; !mlirOperationIsNull(op); op = mlirOperationGetParentOperation(op)) {
    MlirAttribute said = mlirOperationGetDiscardableAttributeByName(op, name);
    if (mlirAttributeIsNull(said))
      continue;
    if (mlirAttributeIsAString(said))
      *out_target = mlirStringAttrGetValue(said);
    return out_target->length
               ? GMEM_OK
               : gmem_bad_annotation(mlirOperationGetLocation(op),
                                     GMEM_ATTR_TARGET, "the name of a target",
                                     diag);
  }
  return GMEM_OK;
}

gmem_status_t gmem_target_reach(const gmem_memory_accesses_t *targets,
                                MlirOperation op, uint64_t *out_memories,
                                gmem_diag_t *diag) {
  const gmem_program_t *program = targets->program;
  MlirStringRef target;
  *out_memories = targets->all;
  GMEM_TRY(gmem_target_of(op, &target, diag));
  if (!target.length)
    return GMEM_OK;
  for (size_t i = 0; i < program->memory_count; ++i)
    if (program->memories[i].target_count &&
        !names(&program->memories[i], target))
      *out_memories &= ~(UINT64_C(1) << i);
  return GMEM_OK;
}

//===--- accesses ---------------------------------------------------------===//

static int compare_pointers(const void *a, const void *b) {
  uintptr_t left = (uintptr_t) * (const void *const *)a;
  uintptr_t right = (uintptr_t) * (const void *const *)b;
  return (left > right) - (left < right);
}

static bool is_plain_call(const gmem_memory_accesses_t *targets,
                          MlirOperation op) {
  return bsearch(&op.ptr, targets->plain_calls, targets->plain_call_count,
                 sizeof *targets->plain_calls, compare_pointers);
}

// The kind of the op as far as it matters here. An op with results that are not
// values of the program is not a no-op.
static gmem_op_kind_t kind_of(const gmem_program_t *program, MlirOperation op) {
  if (mlirOperationGetNumResults(op) == 0)
    return gmem_op_models_find(program->models, op)->kind == GMEM_OP_DEALLOC
               ? GMEM_OP_DEALLOC
               : GMEM_OP_UNKNOWN;
  uint32_t value = gmem_program_find(program, mlirOperationGetResult(op, 0));
  return value == GMEM_NO_INDEX || program->values[value].op == GMEM_NO_INDEX
             ? GMEM_OP_UNKNOWN
             : program->ops[program->values[value].op].kind;
}

static bool is_access(const gmem_memory_accesses_t *targets, MlirOperation op) {
  gmem_op_kind_t kind = kind_of(targets->program, op);
  return kind != GMEM_OP_RESHAPE && kind != GMEM_OP_VIEW &&
         kind != GMEM_OP_DEALLOC && kind != GMEM_OP_ALLOC &&
         kind != GMEM_OP_EMPTY && !is_plain_call(targets, op);
}

// The op that defines the value; null for an argument of a function.
static MlirOperation definition_of(const gmem_program_t *program,
                                   uint32_t value) {
  const gmem_value_t *entry = &program->values[value];
  uint32_t op = entry->op;
  if (op == GMEM_NO_INDEX)
    op = program->regions[program->blocks[entry->block].region].owner;
  return op == GMEM_NO_INDEX ? (MlirOperation){NULL} : program->ops[op].op;
}

gmem_status_t gmem_each_access(const gmem_memory_accesses_t *targets,
                               uint32_t value, gmem_access_fn visit, void *user,
                               gmem_diag_t *diag) {
  const gmem_program_t *program = targets->program;
  MlirOperation definition = definition_of(program, value);
  if (!mlirOperationIsNull(definition) && is_access(targets, definition))
    GMEM_TRY(visit(definition, user, diag));
  MlirOpOperand use = mlirValueGetFirstUse(program->values[value].value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (is_access(targets, op))
      GMEM_TRY(visit(op, user, diag));
  }
  return GMEM_OK;
}

typedef struct reach_s {
  const gmem_memory_accesses_t *targets;
  uint64_t memories;
} reach_t;

static gmem_status_t narrow(MlirOperation op, void *user, gmem_diag_t *diag) {
  reach_t *reach = user;
  uint64_t memories;
  gmem_status_t status = gmem_target_reach(reach->targets, op, &memories, diag);
  reach->memories &= memories;
  return status;
}

gmem_status_t gmem_value_reach(const gmem_memory_accesses_t *targets,
                               uint32_t value, uint64_t *out_memories,
                               gmem_diag_t *diag) {
  reach_t reach = {targets, targets->all};
  if (targets->matter)
    GMEM_TRY(gmem_each_access(targets, value, narrow, &reach, diag));
  *out_memories = reach.memories;
  return GMEM_OK;
}

//===--- set-up -----------------------------------------------------------===//

gmem_status_t gmem_memory_accesses_begin(const gmem_program_t *program,
                                         const gmem_calls_t *calls,
                                         gmem_bump_t *arena,
                                         gmem_memory_accesses_t *out_targets,
                                         gmem_diag_t *diag) {
  size_t count = program->memory_count, call_count = calls ? calls->count : 0;
  *out_targets = (gmem_memory_accesses_t){
      .program = program,
      .all = count == 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1,
      .plain_calls = gmem_bump_alloc(arena, call_count, sizeof(const void *))};
  if (!out_targets->plain_calls)
    return gmem_out_of_memory(diag);
  for (size_t i = 0; i < count; ++i)
    out_targets->matter |= program->memories[i].target_count != 0;
  for (size_t i = 0; i < call_count; ++i)
    if (calls->calls[i].is_plain)
      out_targets->plain_calls[out_targets->plain_call_count++] =
          program->ops[calls->calls[i].op].op.ptr;
  qsort(out_targets->plain_calls, out_targets->plain_call_count,
        sizeof(const void *), compare_pointers);
  return GMEM_OK;
}
