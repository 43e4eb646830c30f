// memory_candidates.c - see memory_candidates.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memory_candidates.h"

#include <stdio.h>

#include "memory_accesses.h"
#include "mlir-c/BuiltinAttributes.h"
#include "scope_memories.h"
#include "value_requests.h"

//===--- candidate lists --------------------------------------------------===//

// The candidates of all alias sets with one leader, while they are computed.
typedef struct place_s {
  gmem_memory_candidates_t asked; // from gmem.pools; pools NULL: no gmem.pools
  uint32_t asked_by;              // value with gmem.pools
} place_t;

typedef struct finder_s {
  const gmem_candidate_options_t *options;
  const gmem_program_t *program;
  gmem_memory_accesses_t accesses;
  uint64_t *reach; // by leader: all accessing ops reach the pools, and they
                   //   accept the memory space
  place_t *places; // by leader
  gmem_bump_t *arena;
  gmem_diag_t *diag;
} finder_t;

// Lists the pools of |list| that are in |set|.
static gmem_status_t list_pools(const uint32_t *list, uint32_t count,
                                uint64_t set, gmem_bump_t *arena,
                                gmem_memory_candidates_t *out,
                                gmem_diag_t *diag) {
  uint32_t *pools;
  GMEM_TRY_ALLOC(pools, arena, count, diag);
  *out = (gmem_memory_candidates_t){pools, 0};
  for (uint32_t i = 0; i < count; ++i)
    if (set >> list[i] & 1)
      pools[out->count++] = list[i];
  return GMEM_OK;
}

gmem_status_t gmem_memory_candidates_by_speed(
    const gmem_candidate_pools_t *pools, uint64_t set, gmem_bump_t *arena,
    gmem_memory_candidates_t *out_candidates, gmem_diag_t *diag) {
  return list_pools(pools->order, pools->memory_count, set, arena,
                    out_candidates, diag);
}

// Reads the pools in |names|, which must be different ones with a memory.
static gmem_status_t read_names(const gmem_candidate_pools_t *pools,
                                MlirAttribute names, MlirLocation location,
                                gmem_bump_t *arena,
                                gmem_memory_candidates_t *out,
                                gmem_diag_t *diag) {
  intptr_t count = mlirArrayAttrGetNumElements(names);
  uint32_t *list;
  GMEM_TRY_ALLOC(list, arena, (size_t)count, diag);
  *out = (gmem_memory_candidates_t){list, 0};
  for (intptr_t i = 0; i < count; ++i) {
    MlirStringRef name =
        mlirStringAttrGetValue(mlirArrayAttrGetElement(names, i));
    uint32_t pool = gmem_candidate_pool_find(pools, name);
    bool is_unknown = pool >= pools->memory_count;
    if (is_unknown || gmem_is_candidate(*out, pool))
      return gmem_error_at(
          diag, GMEM_ERR_INVALID_ARGUMENT, location,
          is_unknown
              ? "gmem.pools lists '%.*s', which is not a workspace memory"
              : "gmem.pools lists memory '%.*s' twice",
          (int)name.length, name.data);
    list[out->count++] = pool;
  }
  return GMEM_OK;
}

// The memories that accept the memory space of the alias set; all for a tensor.
static uint64_t pools_of_space(const finder_t *finder, size_t set) {
  const gmem_candidate_pools_t *all = finder->options->pools;
  const gmem_memory_spaces_t *spaces = finder->options->spaces;
  uint32_t number = spaces->of_set[set];
  const char *space =
      number == GMEM_NO_INDEX ? NULL : spaces->spaces[number].name;
  uint64_t pools = 0;
  for (uint32_t i = 0; i < all->memory_count; ++i)
    if (!space || gmem_memory_takes_space(all->all[i].memory, space))
      pools |= UINT64_C(1) << i;
  return pools;
}

// The leader of alias set |set|, if its pool is not decided, else
// GMEM_NO_INDEX.
static uint32_t leader_of(const finder_t *finder, uint32_t set) {
  return set == GMEM_NO_INDEX || finder->options->pool_of[set] != GMEM_NO_INDEX
             ? GMEM_NO_INDEX
             : gmem_offset_leader(finder->options->sets, set);
}

static void narrow_by_spaces(finder_t *finder) {
  size_t count = finder->options->liveness->set_count;
  for (size_t i = 0; i < count; ++i)
    finder->reach[i] = UINT64_MAX;
  for (uint32_t i = 0; i < count; ++i)
    finder->reach[gmem_offset_leader(finder->options->sets, i)] &=
        pools_of_space(finder, i);
}

//===--- errors -----------------------------------------------------------===//

static gmem_status_t report_error(const finder_t *finder, uint32_t value,
                                  const gmem_blocking_ops_t *cause,
                                  const char *text) {
  char name[128];
  gmem_value_describe(finder->program, value, name, sizeof name);
  return gmem_error(finder->diag, GMEM_ERR_INVALID_ARGUMENT,
                    gmem_value_location(finder->program, value),
                    cause ? cause->notes : NULL, cause ? cause->count : 0,
                    "%s %s", name, text);
}

static gmem_status_t report_unplaceable(const finder_t *finder,
                                        uint32_t leader) {
  const gmem_liveness_t *liveness = finder->options->liveness;
  gmem_blocking_ops_t cause;
  char text[256];
  gmem_blocking_ops_find(&finder->accesses, leader,
                         pools_of_space(finder, leader), &cause);
  if (cause.count > 1)
    snprintf(text, sizeof text,
             "cannot be placed: targets '%.*s' and '%.*s' access it, and no "
             "memory can be reached by both",
             (int)cause.targets[0].length, cause.targets[0].data,
             (int)cause.targets[1].length, cause.targets[1].data);
  else if (cause.count)
    snprintf(
        text, sizeof text,
        "cannot be placed: target '%.*s' accesses it and reaches no memory",
        (int)cause.targets[0].length, cause.targets[0].data);
  else
    snprintf(text, sizeof text,
             "cannot be placed: no memory in gmem.memories accepts its memory "
             "space");
  return report_error(finder, liveness->sets[leader].root, &cause, text);
}

//===--- gmem.pools of values ---------------------------------------------===//

// Every pool in gmem.pools must be a candidate.
static gmem_status_t check_asked(const finder_t *finder, uint32_t value,
                                 uint32_t leader, uint32_t pool) {
  const char *name = finder->options->pools->all[pool].name;
  char text[256];
  gmem_blocking_ops_t cause;
  if (finder->reach[leader] >> pool & 1)
    return GMEM_OK;
  gmem_blocking_ops_find(&finder->accesses, leader, UINT64_C(1) << pool,
                         &cause);
  snprintf(text, sizeof text,
           cause.count ? "cannot be placed in pool '%.96s' of gmem.pools: not "
                         "every op that accesses it can reach this memory"
                       : "cannot be placed in pool '%.96s' of gmem.pools: "
                         "this memory does not accept its memory space",
           name);
  return report_error(finder, value, &cause, text);
}

static gmem_status_t report_disjoint_pools(const finder_t *finder,
                                           uint32_t value, uint32_t other) {
  char text[256], name[128];
  gmem_value_describe(finder->program, other, name, sizeof name);
  snprintf(text, sizeof text,
           "shares memory with %s, but their gmem.pools have no pool in common",
           name);
  return report_error(finder, value, NULL, text);
}

static gmem_status_t take_pools(finder_t *finder, uint32_t value,
                                uint32_t leader) {
  place_t *place = &finder->places[leader];
  MlirAttribute names;
  GMEM_TRY(gmem_pools_asked(finder->program, value, &names, finder->diag));
  if (mlirAttributeIsNull(names))
    return GMEM_OK;
  gmem_memory_candidates_t asked;
  uint64_t set = 0;
  GMEM_TRY(read_names(finder->options->pools, names,
                      gmem_value_location(finder->program, value),
                      finder->arena, &asked, finder->diag));
  for (uint32_t i = 0; i < asked.count; ++i) {
    GMEM_TRY(check_asked(finder, value, leader, asked.pools[i]));
    set |= UINT64_C(1) << asked.pools[i];
  }
  if (!place->asked.pools) {
    *place = (place_t){asked, value};
    return GMEM_OK;
  }
  GMEM_TRY(list_pools(place->asked.pools, place->asked.count, set,
                      finder->arena, &place->asked, finder->diag));
  return place->asked.count
             ? GMEM_OK
             : report_disjoint_pools(finder, value, place->asked_by);
}

//===--- entry points -----------------------------------------------------===//

gmem_status_t gmem_memory_candidates_find(
    const gmem_candidate_options_t *options, gmem_bump_t *arena,
    gmem_memory_candidates_t **out_candidates, gmem_diag_t *diag) {
  const gmem_liveness_t *liveness = options->liveness;
  const gmem_program_t *program = liveness->program;
  size_t count = liveness->set_count;
  finder_t finder = {
      .options = options, .program = program, .arena = arena, .diag = diag};
  gmem_memory_candidates_t *candidates;
  uint32_t *owners; // by value: its leader, if not decided
  GMEM_TRY_ALLOC(candidates, arena, count, diag);
  GMEM_TRY_ALLOC(finder.places, arena, count, diag);
  GMEM_TRY_ALLOC(finder.reach, arena, count, diag);
  GMEM_TRY_ALLOC(owners, arena, program->value_count, diag);
  for (size_t i = 0; i < program->value_count; ++i)
    owners[i] = leader_of(&finder, liveness->set_of[i]);
  finder.accesses = (gmem_memory_accesses_t){
      .liveness = liveness, .pools = options->pools, .owners = owners};
  GMEM_TRY(gmem_memory_accesses_begin(&finder.accesses, arena, diag));
  narrow_by_spaces(&finder);
  GMEM_TRY(
      gmem_memory_accesses_narrow(&finder.accesses, arena, finder.reach, diag));
  for (uint32_t i = 0; i < count; ++i)
    if (leader_of(&finder, i) == i && !finder.reach[i])
      return report_unplaceable(&finder, i);
  for (uint32_t i = 0; i < program->value_count; ++i)
    if (owners[i] != GMEM_NO_INDEX)
      GMEM_TRY(take_pools(&finder, i, owners[i]));
  for (uint32_t i = 0; i < count; ++i) {
    candidates[i] = finder.places[i].asked;
    if (leader_of(&finder, i) == i && !candidates[i].pools)
      GMEM_TRY(gmem_memory_candidates_by_speed(options->pools, finder.reach[i],
                                               arena, &candidates[i], diag));
  }
  *out_candidates = candidates;
  return GMEM_OK;
}

gmem_status_t gmem_memory_candidates_of_op(
    const gmem_candidate_pools_t *pools, MlirOperation op, MlirAttribute asked,
    gmem_bump_t *arena, gmem_memory_candidates_t *out_candidates,
    gmem_diag_t *diag) {
  MlirLocation location = mlirOperationGetLocation(op);
  uint64_t reach;
  GMEM_TRY(gmem_reachable_pools(pools, op, &reach, diag));
  if (mlirAttributeIsNull(asked)) {
    GMEM_TRY(gmem_memory_candidates_by_speed(pools, reach, arena,
                                             out_candidates, diag));
    return out_candidates->count
               ? GMEM_OK
               : gmem_error_at(diag, GMEM_ERR_INVALID_ARGUMENT, location,
                               "the target of this op reaches no workspace "
                               "memory");
  }
  GMEM_TRY(read_names(pools, asked, location, arena, out_candidates, diag));
  for (uint32_t i = 0; i < out_candidates->count; ++i)
    if (!(reach >> out_candidates->pools[i] & 1))
      return gmem_error_at(
          diag, GMEM_ERR_INVALID_ARGUMENT, location,
          "gmem.pools: the target of this op does not reach '%s'",
          pools->all[out_candidates->pools[i]].name);
  return GMEM_OK;
}
