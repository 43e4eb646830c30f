// memory_accesses.c - see memory_accesses.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memory_accesses.h"

#include <assert.h>
#include <stdio.h>

#include "annotations.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "op_models.h"

//===--- targets ----------------------------------------------------------===//

static bool lists(const gmem_memory_t *memory, MlirStringRef target) {
  for (size_t i = 0; i < memory->target_count; ++i)
    if (mlirStringRefEqual(gmem_string(memory->targets[i]), target))
      return true;
  return false;
}

// Finds the target that |op| runs on; length 0 if it has none.
static gmem_status_t find_target(MlirOperation op, MlirStringRef *out_target,
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

gmem_status_t gmem_reachable_pools(const gmem_candidate_pools_t *pools,
                                   MlirOperation op, uint64_t *out_pools,
                                   gmem_diag_t *diag) {
  MlirStringRef target;
  *out_pools = 0;
  GMEM_TRY(find_target(op, &target, diag));
  for (uint32_t i = 0; i < pools->memory_count; ++i) {
    const gmem_memory_t *memory = pools->all[i].memory;
    if (!target.length || !memory->target_count || lists(memory, target))
      *out_pools |= UINT64_C(1) << i;
  }
  return GMEM_OK;
}

//===--- accesses ---------------------------------------------------------===//

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

static bool is_access(const gmem_memory_accesses_t *accesses,
                      MlirOperation op) {
  gmem_op_kind_t kind = kind_of(accesses->liveness->program, op);
  return kind != GMEM_OP_RESHAPE && kind != GMEM_OP_VIEW &&
         kind != GMEM_OP_DEALLOC && kind != GMEM_OP_ALLOC &&
         kind != GMEM_OP_EMPTY &&
         gmem_pointer_map_find(&accesses->plain_calls, op.ptr) == GMEM_NO_INDEX;
}

// The op that defines the value; null for an argument of a function.
static MlirOperation definition_of(const gmem_program_t *program,
                                   uint32_t value) {
  const gmem_value_t *entry = &program->values[value];
  uint32_t op = entry->op == GMEM_NO_INDEX
                    ? gmem_region_of(program, entry->block)->owner
                    : entry->op;
  return op == GMEM_NO_INDEX ? (MlirOperation){NULL} : program->ops[op].op;
}

typedef gmem_status_t (*access_fn)(MlirOperation op, void *user,
                                   gmem_diag_t *diag);

// Calls |visit| for every op that accesses |value|; its aliases are not
// followed.
static gmem_status_t each_access(const gmem_memory_accesses_t *accesses,
                                 uint32_t value, access_fn visit, void *user,
                                 gmem_diag_t *diag) {
  const gmem_liveness_t *liveness = accesses->liveness;
  const gmem_program_t *program = liveness->program;
  const gmem_live_value_t *live = &liveness->live_values[value];
  MlirOperation definition = definition_of(program, value);
  bool is_constant = accesses->of_constants && live->root == value;
  if (!accesses->of_constants && (live->input || live->output))
    GMEM_TRY(visit(program->functions[gmem_value_function(program, value)].op,
                   user, diag));
  if (!is_constant && !mlirOperationIsNull(definition) &&
      is_access(accesses, definition))
    GMEM_TRY(visit(definition, user, diag));
  MlirOpOperand use = mlirValueGetFirstUse(program->values[value].value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (is_access(accesses, op) &&
        !(is_constant && mlirOperationEqual(op, definition)))
      GMEM_TRY(visit(op, user, diag));
  }
  return GMEM_OK;
}

// The values whose accesses are accesses of the memory of |value|: itself, and
// the aliases of a memref, at |index|; GMEM_NO_INDEX after the last.
static uint32_t accessed_as(const gmem_memory_accesses_t *accesses,
                            uint32_t value, size_t index) {
  const gmem_allocation_site_t *site =
      gmem_allocation_site_of(&accesses->liveness->memrefs, value);
  if (index == 0)
    return value;
  return site && index <= site->alias_count ? site->aliases[index - 1]
                                            : GMEM_NO_INDEX;
}

//===--- reachability -----------------------------------------------------===//

typedef struct narrowing_s {
  const gmem_candidate_pools_t *candidates;
  uint64_t pools;
} narrowing_t;

static gmem_status_t narrow(MlirOperation op, void *user, gmem_diag_t *diag) {
  narrowing_t *narrowing = user;
  uint64_t pools;
  GMEM_TRY(gmem_reachable_pools(narrowing->candidates, op, &pools, diag));
  narrowing->pools &= pools;
  return GMEM_OK;
}

static gmem_status_t narrow_transfers(const gmem_memory_accesses_t *accesses,
                                      uint64_t *pools, gmem_diag_t *diag) {
  const gmem_liveness_t *liveness = accesses->liveness;
  for (size_t i = 0; i < liveness->transfer_count; ++i) {
    const gmem_transfer_t *transfer = &liveness->transfers[i];
    const uint32_t owners[] = {accesses->owners[transfer->from],
                               accesses->owners[transfer->to]};
    uint64_t reached;
    GMEM_TRY(gmem_reachable_pools(accesses->pools,
                                  liveness->program->ops[transfer->op].op,
                                  &reached, diag));
    for (size_t k = 0; k < 2; ++k)
      if (owners[k] != GMEM_NO_INDEX)
        pools[owners[k]] &= reached;
  }
  return GMEM_OK;
}

gmem_status_t
gmem_memory_accesses_narrow(const gmem_memory_accesses_t *accesses,
                            gmem_bump_t *arena, uint64_t *pools,
                            gmem_diag_t *diag) {
  size_t count = accesses->liveness->program->value_count;
  if (!accesses->matter)
    return GMEM_OK;
  // Caches, as an alias of a memref is visited once per other alias.
  uint64_t *reached;
  GMEM_TRY_ALLOC(reached, arena, count, diag);
  bool *is_known;
  GMEM_TRY_ALLOC(is_known, arena, count, diag);
  for (uint32_t i = 0; i < count; ++i) {
    if (accesses->owners[i] == GMEM_NO_INDEX)
      continue;
    uint32_t value = i;
    for (size_t k = 0; value != GMEM_NO_INDEX;
         value = accessed_as(accesses, i, ++k)) {
      narrowing_t narrowing = {accesses->pools, UINT64_MAX};
      if (!is_known[value])
        GMEM_TRY(each_access(accesses, value, narrow, &narrowing, diag));
      reached[value] = is_known[value] ? reached[value] : narrowing.pools;
      is_known[value] = true;
      assert(accesses->owners[i] < count);
      pools[accesses->owners[i]] &= reached[value];
    }
  }
  return narrow_transfers(accesses, pools, diag);
}

//===--- ops that restrict the candidates ---------------------------------===//

static void name_pools(const gmem_candidate_pools_t *pools, uint64_t set,
                       char *text, size_t size) {
  size_t length = 0;
  snprintf(text, size, "none");
  for (uint32_t i = 0; i < pools->memory_count && length < size; ++i)
    if (set >> i & 1)
      length += (size_t)snprintf(text + length, size - length, "%s%s",
                                 length ? ", " : "", pools->all[i].name);
}

static gmem_status_t note_blocking_op(MlirOperation op, void *user,
                                      gmem_diag_t *diag) {
  gmem_blocking_ops_t *ops = user;
  MlirStringRef target;
  uint64_t pools;
  GMEM_TRY(find_target(op, &target, diag));
  GMEM_TRY(gmem_reachable_pools(ops->pools, op, &pools, diag));
  if (ops->count == GMEM_MAX_BLOCKING_OPS ||
      (pools & ops->required) == ops->required)
    return GMEM_OK;
  for (size_t i = 0; i < ops->count; ++i)
    if (mlirStringRefEqual(ops->targets[i], target))
      return GMEM_OK;
  char reached[120];
  name_pools(ops->pools, pools, reached, sizeof reached);
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  gmem_note_t *note = &ops->notes[ops->count];
  ops->targets[ops->count++] = target;
  note->location = mlirOperationGetLocation(op);
  snprintf(note->text, sizeof note->text,
           "'%.*s' runs on target '%.*s', which reaches %s", (int)name.length,
           name.data, (int)target.length, target.data, reached);
  return GMEM_OK;
}

static gmem_status_t note_all(const gmem_memory_accesses_t *accesses,
                              uint32_t owner, gmem_blocking_ops_t *out_ops) {
  const gmem_liveness_t *liveness = accesses->liveness;
  for (uint32_t i = 0; i < liveness->program->value_count; ++i) {
    uint32_t value = accesses->owners[i] == owner ? i : GMEM_NO_INDEX;
    for (size_t k = 0; value != GMEM_NO_INDEX;
         value = accessed_as(accesses, i, ++k))
      GMEM_TRY(each_access(accesses, value, note_blocking_op, out_ops, NULL));
  }
  for (size_t i = 0; i < liveness->transfer_count; ++i) {
    const gmem_transfer_t *transfer = &liveness->transfers[i];
    if (accesses->owners[transfer->from] == owner ||
        accesses->owners[transfer->to] == owner)
      GMEM_TRY(note_blocking_op(liveness->program->ops[transfer->op].op,
                                out_ops, NULL));
  }
  return GMEM_OK;
}

void gmem_blocking_ops_find(const gmem_memory_accesses_t *accesses,
                            uint32_t owner, uint64_t required,
                            gmem_blocking_ops_t *out_ops) {
  assert(!(required & ~gmem_pools_with_memory(accesses->pools)));
  *out_ops =
      (gmem_blocking_ops_t){.pools = accesses->pools, .required = required};
  // Cannot fail: gmem_memory_accesses_narrow has read all targets.
  if (accesses->matter)
    (void)note_all(accesses, owner, out_ops);
}

//===--- set-up -----------------------------------------------------------===//

gmem_status_t gmem_memory_accesses_begin(gmem_memory_accesses_t *accesses,
                                         gmem_bump_t *arena,
                                         gmem_diag_t *diag) {
  const gmem_program_t *program = accesses->liveness->program;
  const gmem_calls_t *calls = accesses->liveness->calls;
  gmem_pointer_map_t *plain_calls = &accesses->plain_calls;
  GMEM_TRY(gmem_pointer_map_make(plain_calls, calls->count, arena, diag));
  for (size_t i = 0; i < program->memory_count; ++i)
    accesses->matter |= program->memories[i].target_count != 0;
  for (size_t i = 0; i < calls->count; ++i) {
    const void *op = program->ops[calls->calls[i].op].op.ptr;
    if (calls->calls[i].is_plain &&
        gmem_pointer_map_find(plain_calls, op) == GMEM_NO_INDEX)
      gmem_pointer_map_add(plain_calls, op, (uint32_t)i);
  }
  return GMEM_OK;
}
