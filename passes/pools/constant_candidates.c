// constant_candidates.c - see constant_candidates.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "constant_candidates.h"

#include <assert.h>
#include <stdio.h>

#include "ir_reading.h"
#include "memory_candidates.h"
#include "mlir-c/BuiltinAttributes.h"
#include "pool_names.h"
#include "value_requests.h"

MlirOperation gmem_constant_op(const gmem_program_t *program, uint32_t value) {
  uint32_t op = program->values[value].op;
  return op == GMEM_NO_INDEX ? (MlirOperation){NULL} : program->ops[op].op;
}

MlirOperation gmem_constant_global(const gmem_program_t *program,
                                   uint32_t value) {
  uint32_t op = program->values[value].op;
  return op == GMEM_NO_INDEX ? (MlirOperation){NULL}
                             : gmem_global_of(program, &program->ops[op]);
}

//===--- pools and reachability -------------------------------------------===//

static gmem_status_t add_pool(const gmem_constant_finder_t *finder,
                              const char *name, uint32_t *out_pool) {
  return gmem_candidate_pool_add(
      finder->pools,
      (gmem_candidate_pool_t){
          .name = name, .kind = GMEM_POOL_KIND_CONSTANT, .alignment = 1},
      finder->arena, out_pool, finder->diag);
}

// Finds the memories that every reader can reach.
static gmem_status_t find_reach(gmem_constant_finder_t *finder) {
  const gmem_liveness_t *liveness = finder->liveness;
  size_t count = finder->program->value_count;
  uint32_t *owners; // by value: the first constant with the memory of which it
                    // is a part
  assert(liveness);
  GMEM_TRY_ALLOC(owners, finder->arena, count, finder->diag);
  GMEM_TRY_ALLOC(finder->reach, finder->arena, count, finder->diag);
  for (size_t i = 0; i < count; ++i) {
    uint32_t root = liveness->live_values[i].root;
    owners[i] = liveness->live_values[root].storage == GMEM_STORAGE_WEIGHT
                    ? finder->sources[root]
                    : GMEM_NO_INDEX;
    finder->reach[i] = gmem_pools_with_memory(finder->pools);
  }
  finder->accesses = (gmem_memory_accesses_t){.liveness = liveness,
                                              .pools = finder->pools,
                                              .of_constants = true,
                                              .owners = owners};
  GMEM_TRY(gmem_memory_accesses_begin(&finder->accesses, finder->arena,
                                      finder->diag));
  return gmem_memory_accesses_narrow(&finder->accesses, finder->arena,
                                     finder->reach, finder->diag);
}

// The pools of a program without memories for constants.
static gmem_status_t add_usual_pools(gmem_constant_finder_t *finder) {
  uint32_t pool;
  GMEM_TRY(add_pool(finder, GMEM_POOL_WEIGHTS, &pool));
  for (size_t i = 0; i < finder->program->value_count; ++i)
    if (finder->sources[i] == i && !finder->needed[i]) {
      GMEM_TRY(add_pool(finder, GMEM_POOL_INIT_WEIGHTS, &pool));
      finder->pools->all[pool].is_init = true;
      return GMEM_OK;
    }
  return GMEM_OK;
}

gmem_status_t gmem_constant_finder_begin(gmem_constant_finder_t *finder) {
  GMEM_TRY(gmem_candidate_pools_begin(finder->program, true, finder->arena,
                                      finder->pools, finder->diag));
  return finder->pools->count ? find_reach(finder) : add_usual_pools(finder);
}

//===--- gmem.pools -------------------------------------------------------===//

gmem_status_t gmem_constant_pools_asked(const gmem_program_t *program,
                                        uint32_t value,
                                        MlirAttribute *out_names,
                                        gmem_diag_t *diag) {
  MlirOperation global = gmem_constant_global(program, value);
  GMEM_TRY(gmem_pools_asked(program, value, out_names, diag));
  return mlirAttributeIsNull(*out_names) && global.ptr
             ? gmem_pools_asked_of(global, 0, out_names, diag)
             : GMEM_OK;
}

// The subject of a candidate list.
typedef struct subject_s {
  MlirLocation location;
  const char *name;
  uint32_t source; // of a constant, or GMEM_NO_INDEX: a workbuffer
  uint64_t reach;  // pools with a memory
} subject_t;

static gmem_status_t report_unplaceable(const gmem_constant_finder_t *finder,
                                        const subject_t *subject,
                                        const char *what) {
  gmem_blocking_ops_t cause = {.count = 0};
  if (subject->source != GMEM_NO_INDEX && finder->reach)
    gmem_blocking_ops_find(&finder->accesses, subject->source,
                           gmem_pools_with_memory(finder->pools), &cause);
  return gmem_error(finder->diag, GMEM_ERR_INVALID_ARGUMENT, subject->location,
                    cause.notes, cause.count, "%s %s", subject->name, what);
}

// Why the subject cannot be placed in pool |name| of gmem.pools, which has the
// number |pool| if it is known; NULL if it can.
static const char *why_not(const gmem_constant_finder_t *finder,
                           const subject_t *subject, MlirStringRef name,
                           uint32_t pool) {
  const gmem_program_t *program = finder->program;
  if (pool < finder->pools->memory_count)
    return subject->reach >> pool & 1
               ? NULL
               : "not every op that reads it can reach this memory";
  if (pool != GMEM_NO_INDEX)
    return NULL;
  for (size_t i = 0; i < program->memory_count; ++i)
    if (mlirStringRefEqual(gmem_string(program->memories[i].name), name))
      return "it is a workspace pool";
  if (!name.length)
    return "the name is empty";
  if (gmem_is_workspace_name(name))
    return "it is a workspace pool";
  return finder->pools->memory_count
             ? "gmem.memories has no memory of that name"
             : NULL;
}

// Finds the pool |name| of gmem.pools. It is created if the program has no
// memories for constants.
static gmem_status_t resolve_name(const gmem_constant_finder_t *finder,
                                  const subject_t *subject, MlirStringRef name,
                                  uint32_t *out_pool) {
  *out_pool = gmem_candidate_pool_find(finder->pools, name);
  const char *why = why_not(finder, subject, name, *out_pool);
  if (why) {
    char text[256];
    snprintf(text, sizeof text,
             "cannot be placed in pool '%.*s' of gmem.pools: %s",
             (int)(name.length < 96 ? name.length : 96), name.data, why);
    return report_unplaceable(finder, subject, text);
  }
  if (*out_pool != GMEM_NO_INDEX)
    return GMEM_OK;
  const char *copy = gmem_bump_string(finder->arena, name.data, name.length);
  return copy ? add_pool(finder, copy, out_pool)
              : gmem_out_of_memory(finder->diag);
}

//===--- candidate lists --------------------------------------------------===//

static gmem_status_t list_named(const gmem_constant_finder_t *finder,
                                const subject_t *subject, MlirAttribute names,
                                gmem_memory_candidates_t *out) {
  intptr_t count = mlirArrayAttrGetNumElements(names);
  uint32_t *list;
  GMEM_TRY_ALLOC(list, finder->arena, (size_t)count, finder->diag);
  *out = (gmem_memory_candidates_t){list, 0};
  for (intptr_t i = 0; i < count; ++i) {
    MlirStringRef name =
        mlirStringAttrGetValue(mlirArrayAttrGetElement(names, i));
    uint32_t pool;
    GMEM_TRY(resolve_name(finder, subject, name, &pool));
    if (!gmem_is_candidate(*out, pool)) // skip duplicates
      list[out->count++] = pool;
  }
  return GMEM_OK;
}

// Without gmem.pools: all pools in reach, fastest first, or the default pool.
static gmem_status_t make_list(const gmem_constant_finder_t *finder,
                               const subject_t *subject, MlirAttribute names,
                               gmem_memory_candidates_t *out) {
  static const uint32_t weights = 0, init = 1; // as add_usual_pools adds them
  if (!mlirAttributeIsNull(names))
    return list_named(finder, subject, names, out);
  if (!finder->pools->memory_count) {
    bool is_needed =
        subject->source == GMEM_NO_INDEX || finder->needed[subject->source];
    *out = (gmem_memory_candidates_t){is_needed ? &weights : &init, 1};
    return GMEM_OK;
  }
  GMEM_TRY(gmem_memory_candidates_by_speed(finder->pools, subject->reach,
                                           finder->arena, out, finder->diag));
  return out->count ? GMEM_OK
                    : report_unplaceable(
                          finder, subject,
                          "cannot be placed: no memory for constants can be "
                          "reached by every op that reads it");
}

gmem_status_t
gmem_constant_candidates_of(const gmem_constant_finder_t *finder,
                            uint32_t value, MlirAttribute names,
                            gmem_memory_candidates_t *out_candidates) {
  char name[128];
  uint32_t source = finder->sources[value];
  gmem_value_describe(finder->program, value, name, sizeof name);
  return make_list(finder,
                   &(subject_t){gmem_value_location(finder->program, value),
                                name, source,
                                finder->reach ? finder->reach[source] : 0},
                   names, out_candidates);
}

gmem_status_t
gmem_constant_candidates_of_op(const gmem_constant_finder_t *finder,
                               MlirOperation op, MlirAttribute names,
                               gmem_memory_candidates_t *out_candidates) {
  subject_t subject = {mlirOperationGetLocation(op),
                       "an immutable workbuffer of this op", GMEM_NO_INDEX, 0};
  if (finder->pools->memory_count)
    GMEM_TRY(
        gmem_reachable_pools(finder->pools, op, &subject.reach, finder->diag));
  return make_list(finder, &subject, names, out_candidates);
}
