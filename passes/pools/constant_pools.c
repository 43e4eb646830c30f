// constant_pools.c - see constant_pools.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "constant_pools.h"

#include <stdio.h>
#include <string.h>

#include "diagnostics.h"
#include "ir_reading.h"
#include "memory_candidates.h"
#include "mlir-c/BuiltinAttributes.h"
#include "placement_constraints.h"
#include "pool_names.h"

// The op that defines a constant; null for an argument.
static MlirOperation op_of(const gmem_program_t *program, uint32_t value) {
  uint32_t op = program->values[value].op;
  return op == GMEM_NO_INDEX ? (MlirOperation){NULL} : program->ops[op].op;
}

// The constant global that the op gets; null if there is none.
static MlirOperation global_of(const gmem_program_t *program, uint32_t value) {
  uint32_t op = program->values[value].op;
  return op == GMEM_NO_INDEX ? (MlirOperation){NULL} : program->ops[op].global;
}

//===--- pools ------------------------------------------------------------===//

bool gmem_has_constant_memories(const gmem_program_t *program) {
  for (size_t i = 0; i < program->memory_count; ++i)
    if (program->memories[i].is_constant)
      return true;
  return false;
}

static gmem_status_t add_pool(gmem_constant_pools_t *pools, MlirStringRef name,
                              const gmem_memory_t *memory, gmem_diag_t *diag) {
  if (!gmem_bump_grow(pools->arena, &pools->names, pools->count,
                      &pools->name_room, sizeof name) ||
      !gmem_bump_grow(pools->arena, &pools->memories, pools->count,
                      &pools->memory_room, sizeof memory))
    return gmem_out_of_memory(diag);
  pools->names[pools->count] = name;
  pools->memories[pools->count++] = memory;
  return GMEM_OK;
}

// Inserts the new pool |number| after all pools that are at least as fast.
static void insert_by_speed(gmem_constant_pools_t *pools, uint32_t number) {
  uint32_t at = number;
  for (; at && pools->memories[pools->order[at - 1]]->speed <
                   pools->memories[number]->speed;
       --at)
    pools->order[at] = pools->order[at - 1];
  pools->order[at] = number;
}

static gmem_status_t add_described(gmem_constant_pools_t *pools,
                                   gmem_diag_t *diag) {
  const gmem_program_t *program = pools->program;
  for (uint32_t i = 0; i < program->memory_count; ++i) {
    const gmem_memory_t *memory = &program->memories[i];
    if (!memory->is_constant)
      continue;
    pools->numbers[pools->count] = i;
    pools->all |= UINT64_C(1) << pools->count;
    GMEM_TRY(add_pool(pools, gmem_string(memory->name), memory, diag));
    insert_by_speed(pools, pools->described++);
  }
  return GMEM_OK;
}

static uint32_t find_pool(const gmem_constant_pools_t *pools,
                          MlirStringRef name) {
  for (uint32_t i = 0; i < pools->count; ++i)
    if (mlirStringRefEqual(pools->names[i], name))
      return i;
  return GMEM_NO_INDEX;
}

//===--- reachability -----------------------------------------------------===//

// Converts a set of memories of the program to a set of pools.
static uint64_t as_pools(const gmem_constant_pools_t *pools,
                         uint64_t memories) {
  uint64_t set = 0;
  for (uint32_t i = 0; i < pools->described; ++i)
    set |= (memories >> pools->numbers[i] & 1) << i;
  return set;
}

typedef struct narrowing_s {
  const gmem_constant_pools_t *pools;
  MlirOperation definition; // defines the constant: not an access
  uint64_t set;
} narrowing_t;

static gmem_status_t narrow(MlirOperation op, void *user, gmem_diag_t *diag) {
  narrowing_t *narrowing = user;
  uint64_t memories;
  if (op.ptr == narrowing->definition.ptr)
    return GMEM_OK;
  gmem_status_t status =
      gmem_target_reach(&narrowing->pools->targets, op, &memories, diag);
  narrowing->set &= as_pools(narrowing->pools, memories);
  return status;
}

// The constant of which the value is an alias, or GMEM_NO_INDEX.
static uint32_t constant_of(const gmem_constant_pools_t *pools,
                            uint32_t value) {
  const gmem_live_value_t *live_values = pools->liveness->live_values;
  uint32_t root = live_values[value].root;
  return live_values[root].storage == GMEM_STORAGE_WEIGHT ? root
                                                          : GMEM_NO_INDEX;
}

static gmem_status_t narrow_by_values(gmem_constant_pools_t *pools,
                                      gmem_diag_t *diag) {
  gmem_status_t status = GMEM_OK;
  for (uint32_t i = 0; i < pools->program->value_count && status == GMEM_OK;
       ++i) {
    uint32_t constant = constant_of(pools, i);
    if (constant == GMEM_NO_INDEX)
      continue;
    narrowing_t narrowing = {
        pools, constant == i ? op_of(pools->program, i) : (MlirOperation){NULL},
        pools->all};
    status = gmem_each_access(&pools->targets, i, narrow, &narrowing, diag);
    pools->reach[constant] &= narrowing.set;
  }
  return status;
}

// A copy on a control flow edge is a read by the op that transfers control.
static gmem_status_t narrow_by_transfers(gmem_constant_pools_t *pools,
                                         gmem_diag_t *diag) {
  const gmem_liveness_t *liveness = pools->liveness;
  gmem_status_t status = GMEM_OK;
  for (size_t i = 0; i < liveness->transfer_count && status == GMEM_OK; ++i) {
    const gmem_transfer_t *transfer = &liveness->transfers[i];
    uint32_t constant = constant_of(pools, transfer->from);
    narrowing_t narrowing = {pools, {NULL}, pools->all};
    if (constant == GMEM_NO_INDEX)
      continue;
    status = narrow(pools->program->ops[transfer->op].op, &narrowing, diag);
    pools->reach[constant] &= narrowing.set;
  }
  return status;
}

static gmem_status_t find_reach(gmem_constant_pools_t *pools,
                                gmem_diag_t *diag) {
  GMEM_TRY(gmem_memory_accesses_begin(
      pools->program, pools->liveness ? pools->liveness->calls : NULL,
      pools->arena, &pools->targets, diag));
  if (!pools->targets.matter || !pools->liveness)
    return GMEM_OK;
  size_t count = pools->program->value_count;
  GMEM_TRY_ALLOC(pools->reach, pools->arena, count, diag);
  for (size_t i = 0; i < count; ++i)
    pools->reach[i] = pools->all;
  GMEM_TRY(narrow_by_values(pools, diag));
  return narrow_by_transfers(pools, diag);
}

gmem_status_t gmem_constant_pools_begin(const gmem_program_t *program,
                                        const gmem_liveness_t *liveness,
                                        gmem_bump_t *arena,
                                        gmem_constant_pools_t *out_pools,
                                        gmem_diag_t *diag) {
  size_t count = program->memory_count;
  *out_pools = (gmem_constant_pools_t){
      .program = program,
      .arena = arena,
      .order = gmem_bump_alloc(arena, count, sizeof(uint32_t)),
      .numbers = gmem_bump_alloc(arena, count, sizeof(uint32_t)),
      .liveness = liveness};
  if (!out_pools->order || !out_pools->numbers)
    return gmem_out_of_memory(diag);
  if (!gmem_has_constant_memories(program))
    return add_pool(out_pools, gmem_string(GMEM_POOL_WEIGHTS), NULL, diag);
  GMEM_TRY(add_described(out_pools, diag));
  return find_reach(out_pools, diag);
}

//===--- ops that restrict the candidates ---------------------------------===//

enum { MOST_NOTES = 4 };

// Ops that cannot reach all pools, one per target.
typedef struct blocking_ops_s {
  const gmem_constant_pools_t *pools;
  MlirOperation definition;
  MlirStringRef targets[MOST_NOTES];
  gmem_note_t notes[MOST_NOTES];
  size_t count;
} blocking_ops_t;

static void name_pools(const gmem_constant_pools_t *pools, uint64_t set,
                       char *text, size_t size) {
  size_t length = 0;
  snprintf(text, size, "none");
  for (uint32_t i = 0; i < pools->described && length < size; ++i)
    if (set >> i & 1)
      length += (size_t)snprintf(text + length, size - length, "%s%s",
                                 length ? ", " : "", pools->memories[i]->name);
}

static gmem_status_t note_blocking_op(MlirOperation op, void *user,
                                      gmem_diag_t *diag) {
  blocking_ops_t *cause = user;
  MlirStringRef target;
  uint64_t memories;
  GMEM_TRY(gmem_target_of(op, &target, diag));
  GMEM_TRY(gmem_target_reach(&cause->pools->targets, op, &memories, diag));
  if (cause->count == MOST_NOTES || op.ptr == cause->definition.ptr ||
      as_pools(cause->pools, memories) == cause->pools->all)
    return GMEM_OK;
  for (size_t i = 0; i < cause->count; ++i)
    if (mlirStringRefEqual(cause->targets[i], target))
      return GMEM_OK;
  char reached[120];
  name_pools(cause->pools, as_pools(cause->pools, memories), reached,
             sizeof reached);
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  gmem_note_t *note = &cause->notes[cause->count];
  cause->targets[cause->count++] = target;
  note->location = mlirOperationGetLocation(op);
  snprintf(note->text, sizeof note->text,
           "'%.*s' runs on target '%.*s', which reaches %s", (int)name.length,
           name.data, (int)target.length, target.data, reached);
  return GMEM_OK;
}

// Whether both use the same memory: aliases of one constant, or of one global.
static bool is_same_memory(const gmem_constant_pools_t *pools,
                           uint32_t constant, uint32_t value) {
  uint32_t other = constant_of(pools, value);
  if (other == GMEM_NO_INDEX || other == constant)
    return other == constant;
  MlirOperation global = global_of(pools->program, constant);
  return global.ptr && global_of(pools->program, other).ptr == global.ptr;
}

static void find_blocking_ops(const gmem_constant_pools_t *pools,
                              uint32_t constant, blocking_ops_t *out) {
  *out = (blocking_ops_t){.pools = pools};
  gmem_status_t status = GMEM_OK; // cannot fail: narrow() has read all targets
  for (uint32_t i = 0;
       pools->reach && i < pools->program->value_count && status == GMEM_OK;
       ++i) {
    if (!is_same_memory(pools, constant, i))
      continue;
    out->definition = pools->liveness->live_values[i].root == i
                          ? op_of(pools->program, i)
                          : (MlirOperation){NULL};
    status = gmem_each_access(&pools->targets, i, note_blocking_op, out, NULL);
  }
}

//===--- gmem.pools -------------------------------------------------------===//

gmem_status_t gmem_constant_pools_asked(const gmem_constant_pools_t *pools,
                                        uint32_t value,
                                        MlirAttribute *out_names,
                                        gmem_diag_t *diag) {
  MlirOperation global = global_of(pools->program, value);
  gmem_status_t status =
      gmem_pools_asked(pools->program, value, out_names, diag);
  return status == GMEM_OK && mlirAttributeIsNull(*out_names) && global.ptr
             ? gmem_pools_asked_of(global, 0, out_names, diag)
             : status;
}

// The subject of a candidate list, for error messages.
typedef struct subject_s {
  const gmem_constant_pools_t *pools;
  MlirLocation location;
  const char *name;
  uint32_t constant; // value, or GMEM_NO_INDEX: a workbuffer
} subject_t;

static gmem_status_t report_unplaceable(const subject_t *subject,
                                        const char *what, gmem_diag_t *diag) {
  blocking_ops_t cause = {.count = 0};
  if (subject->constant != GMEM_NO_INDEX)
    find_blocking_ops(subject->pools, subject->constant, &cause);
  return gmem_error(diag, GMEM_ERR_INVALID_ARGUMENT, subject->location,
                    cause.notes, cause.count, "%s %s", subject->name, what);
}

static gmem_status_t report_bad_pool(const subject_t *subject,
                                     MlirStringRef name, const char *why,
                                     gmem_diag_t *diag) {
  char text[256];
  snprintf(text, sizeof text,
           "cannot be placed in pool '%.*s' of gmem.pools: %s",
           (int)(name.length < 96 ? name.length : 96), name.data, why);
  return report_unplaceable(subject, text, diag);
}

// Finds the pool |name| of gmem.pools. It is created if the program has no
// memories for constants.
static gmem_status_t resolve_name(gmem_constant_pools_t *pools,
                                  const subject_t *subject, uint64_t reach,
                                  MlirStringRef name, uint32_t *out_pool,
                                  gmem_diag_t *diag) {
  const gmem_program_t *program = pools->program;
  *out_pool = find_pool(pools, name);
  if (*out_pool < pools->described)
    return reach >> *out_pool & 1
               ? GMEM_OK
               : report_bad_pool(
                     subject, name,
                     "not every op that reads it can reach this memory", diag);
  if (*out_pool != GMEM_NO_INDEX)
    return GMEM_OK;
  for (size_t i = 0; i < program->memory_count; ++i)
    if (mlirStringRefEqual(gmem_string(program->memories[i].name), name))
      return report_bad_pool(subject, name, "it is a workspace pool", diag);
  if (!name.length)
    return report_bad_pool(subject, name, "the name is empty", diag);
  if (gmem_is_workspace_name(name))
    return report_bad_pool(subject, name, "it is a workspace pool", diag);
  if (pools->described)
    return report_bad_pool(subject, name,
                           "gmem.memories has no memory of that name", diag);
  *out_pool = pools->count;
  return add_pool(pools, name, NULL, diag);
}

//===--- candidate lists --------------------------------------------------===//

// Returns the number of the list of these pools and adds new ones.
static gmem_status_t number_list(gmem_constant_pools_t *pools,
                                 gmem_memory_candidates_t list,
                                 uint32_t *out_list, gmem_diag_t *diag) {
  for (*out_list = 0; *out_list < pools->list_count; ++*out_list) {
    const gmem_memory_candidates_t *known = &pools->lists[*out_list];
    if (known->count == list.count &&
        memcmp(known->pools, list.pools, list.count * sizeof *list.pools) == 0)
      return GMEM_OK;
  }
  if (!gmem_bump_grow(pools->arena, &pools->lists, pools->list_count,
                      &pools->list_room, sizeof list))
    return gmem_out_of_memory(diag);
  pools->lists[pools->list_count++] = list;
  return GMEM_OK;
}

static gmem_status_t list_named(gmem_constant_pools_t *pools,
                                const subject_t *subject, uint64_t reach,
                                MlirAttribute names, uint32_t *out_list,
                                gmem_diag_t *diag) {
  intptr_t count = mlirArrayAttrGetNumElements(names);
  uint32_t *list = gmem_bump_alloc(pools->arena, (size_t)count, sizeof *list);
  uint32_t kept = 0;
  gmem_status_t status = list ? GMEM_OK : gmem_out_of_memory(diag);
  for (intptr_t i = 0; i < count && status == GMEM_OK; ++i) {
    MlirStringRef name =
        mlirStringAttrGetValue(mlirArrayAttrGetElement(names, i));
    uint32_t pool, k = 0;
    status = resolve_name(pools, subject, reach, name, &pool, diag);
    while (status == GMEM_OK && k < kept && list[k] != pool)
      ++k;
    if (status == GMEM_OK && k == kept) // skip duplicates
      list[kept++] = pool;
  }
  return status == GMEM_OK
             ? number_list(pools, (gmem_memory_candidates_t){list, kept},
                           out_list, diag)
             : status;
}

// All pools in |reach|, fastest first, or the default pool.
static gmem_status_t list_default(gmem_constant_pools_t *pools,
                                  const subject_t *subject, uint64_t reach,
                                  uint32_t *out_list, gmem_diag_t *diag) {
  uint32_t *list;
  GMEM_TRY_ALLOC(list, pools->arena, pools->described ? pools->described : 1,
                 diag);
  uint32_t count = 0;
  for (uint32_t i = 0; i < pools->described; ++i)
    if (reach >> pools->order[i] & 1)
      list[count++] = pools->order[i];
  if (!pools->described)
    list[count++] = 0;
  return count ? number_list(pools, (gmem_memory_candidates_t){list, count},
                             out_list, diag)
               : report_unplaceable(
                     subject,
                     "cannot be placed: no memory for constants can be reached "
                     "by every op that reads it",
                     diag);
}

static gmem_status_t make_list(gmem_constant_pools_t *pools,
                               const subject_t *subject, uint64_t reach,
                               MlirAttribute names, uint32_t *out_list,
                               gmem_diag_t *diag) {
  return mlirAttributeIsNull(names)
             ? list_default(pools, subject, reach, out_list, diag)
             : list_named(pools, subject, reach, names, out_list, diag);
}

gmem_status_t gmem_constant_pools_list(gmem_constant_pools_t *pools,
                                       uint32_t value, uint64_t reach,
                                       MlirAttribute names, uint32_t *out_list,
                                       gmem_diag_t *diag) {
  char name[128];
  gmem_value_describe(pools->program, value, name, sizeof name);
  subject_t subject = {pools, gmem_value_location(pools->program, value), name,
                       value};
  return make_list(pools, &subject, reach, names, out_list, diag);
}

gmem_status_t gmem_constant_pools_list_of_op(gmem_constant_pools_t *pools,
                                             MlirOperation op,
                                             MlirAttribute names,
                                             uint32_t *out_list,
                                             gmem_diag_t *diag) {
  uint64_t memories = 0;
  subject_t subject = {pools, mlirOperationGetLocation(op),
                       "an immutable workbuffer of this op", GMEM_NO_INDEX};
  if (pools->described)
    GMEM_TRY(gmem_target_reach(&pools->targets, op, &memories, diag));
  return make_list(pools, &subject, as_pools(pools, memories), names, out_list,
                   diag);
}
