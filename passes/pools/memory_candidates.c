// memory_candidates.c - see memory_candidates.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memory_candidates.h"

#include <stdio.h>
#include <string.h>

#include "annotations.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "memory_accesses.h"
#include "mlir-c/BuiltinAttributes.h"
#include "scope_memories.h"

//===--- gmem.pools -------------------------------------------------------===//

static bool is_name_list(MlirAttribute list) {
  if (!mlirAttributeIsAArray(list) || mlirArrayAttrGetNumElements(list) == 0)
    return false;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(list); ++i)
    if (!mlirAttributeIsAString(mlirArrayAttrGetElement(list, i)))
      return false;
  return true;
}

gmem_status_t gmem_pools_asked_of(MlirOperation op, intptr_t number,
                                  MlirAttribute *out_names, gmem_diag_t *diag) {
  MlirAttribute said = mlirOperationGetDiscardableAttributeByName(
      op, gmem_attr_name(GMEM_ATTR_POOLS));
  *out_names = mlirAttributeGetNull();
  if (mlirAttributeIsNull(said))
    return GMEM_OK;
  if (is_name_list(said))
    return *out_names = said, GMEM_OK;
  bool is_good =
      mlirAttributeIsAArray(said) &&
      mlirArrayAttrGetNumElements(said) == mlirOperationGetNumResults(op);
  MlirAttribute own = is_good ? mlirArrayAttrGetElement(said, number) : said;
  bool is_silent = is_good && mlirAttributeIsAArray(own) &&
                   mlirArrayAttrGetNumElements(own) == 0;
  if (!is_silent && (!is_good || !is_name_list(own)))
    return gmem_bad_annotation(
        mlirOperationGetLocation(op), GMEM_ATTR_POOLS,
        "an array of names of pools, or one such array per result", diag);
  if (!is_silent)
    *out_names = own;
  return GMEM_OK;
}

gmem_status_t gmem_pools_asked(const gmem_program_t *program, uint32_t value,
                               MlirAttribute *out_names, gmem_diag_t *diag) {
  const gmem_value_t *entry = &program->values[value];
  *out_names = mlirAttributeGetNull();
  if (entry->op != GMEM_NO_INDEX)
    return gmem_pools_asked_of(program->ops[entry->op].op, entry->number,
                               out_names, diag);
  if (!gmem_is_entry_block(program, entry->block))
    return GMEM_OK;
  uint32_t function = gmem_value_function(program, value);
  MlirAttribute said = gmem_argument_annotation(program->functions[function].op,
                                                entry->number, GMEM_ATTR_POOLS);
  if (mlirAttributeIsNull(said))
    return GMEM_OK;
  if (!is_name_list(said))
    return gmem_bad_annotation(
        gmem_value_location(program, value), GMEM_ATTR_POOLS,
        "an array of names of pools on an argument", diag);
  *out_names = said;
  return GMEM_OK;
}

//===--- candidate lists --------------------------------------------------===//

// The candidates of all alias sets with one leader, while they are computed.
typedef struct place_s {
  uint64_t pools; // bit i: all accessing ops reach pool i, and it accepts the
                  //   memory space
  uint32_t *list; // from gmem.pools, best first; NULL: no gmem.pools
  uint32_t list_count;
  uint32_t asked_by; // value with gmem.pools
} place_t;

typedef struct finder_s {
  const gmem_candidate_options_t *options;
  const gmem_program_t *program;
  const gmem_workspaces_t *workspaces;
  gmem_memory_accesses_t targets;
  gmem_bump_t *arena;
  place_t *places; // by alias set, valid for leaders
  gmem_diag_t *diag;
} finder_t;

// Converts a set of memories of the program to a set of pools.
static uint64_t as_pools(const gmem_workspaces_t *workspaces,
                         uint64_t memories) {
  uint64_t pools = 0;
  for (uint32_t i = 0; i < workspaces->count; ++i)
    pools |= (memories >> workspaces->numbers[i] & 1) << i;
  return pools;
}

static uint32_t find_pool(const gmem_workspaces_t *workspaces,
                          MlirStringRef name) {
  for (uint32_t i = 0; i < workspaces->count; ++i)
    if (mlirStringRefEqual(gmem_string(workspaces->memories[i]->name), name))
      return i;
  return GMEM_NO_INDEX;
}

// Lists the pools of |set| that are in |list|, or all in default order if it is
// NULL.
static gmem_status_t make_list(const gmem_workspaces_t *workspaces,
                               const uint32_t *list, uint32_t list_count,
                               uint64_t set, gmem_bump_t *arena,
                               gmem_memory_candidates_t *out,
                               gmem_diag_t *diag) {
  uint32_t count = list ? list_count : workspaces->count;
  uint32_t *pools = gmem_bump_alloc(arena, count, sizeof *pools);
  *out = (gmem_memory_candidates_t){pools, 0};
  if (!pools)
    return gmem_out_of_memory(diag);
  list = list ? list : workspaces->order;
  for (uint32_t i = 0; i < count; ++i)
    if (set >> list[i] & 1)
      pools[out->count++] = list[i];
  return GMEM_OK;
}

// Reads the numbers of the pools in |names|, without duplicates.
static gmem_status_t read_names(const gmem_workspaces_t *workspaces,
                                MlirAttribute names, MlirLocation location,
                                gmem_bump_t *arena, uint32_t **out_list,
                                uint32_t *out_count, gmem_diag_t *diag) {
  intptr_t count = mlirArrayAttrGetNumElements(names);
  uint64_t seen = 0;
  *out_count = 0;
  GMEM_TRY_ALLOC(*out_list, arena, (size_t)count, diag);
  for (intptr_t i = 0; i < count; ++i) {
    MlirStringRef name =
        mlirStringAttrGetValue(mlirArrayAttrGetElement(names, i));
    uint32_t pool = find_pool(workspaces, name);
    bool is_unknown = pool == GMEM_NO_INDEX;
    if (is_unknown || seen >> pool & 1)
      return gmem_error(
          diag, GMEM_ERR_INVALID_ARGUMENT, location, NULL, 0,
          is_unknown
              ? "gmem.pools lists '%.*s', which is not a workspace memory"
              : "gmem.pools lists memory '%.*s' twice",
          (int)name.length, name.data);
    seen |= UINT64_C(1) << pool;
    (*out_list)[(*out_count)++] = pool;
  }
  return GMEM_OK;
}

//===--- values with one leader -------------------------------------------===//

// Calls |visit| for every value of the alias sets with leader |leader|, or, if
// it is GMEM_NO_INDEX, with any selected leader.
typedef gmem_status_t (*visit_fn)(finder_t *finder, uint32_t value,
                                  uint32_t leader, void *user);

static gmem_status_t visit_root(finder_t *finder, uint32_t value,
                                uint32_t leader, visit_fn visit, void *user) {
  const gmem_allocation_site_t *root =
      gmem_allocation_site_of(&finder->options->liveness->memrefs, value);
  GMEM_TRY(visit(finder, value, leader, user));
  for (size_t i = 0; root && i < root->seen_count; ++i)
    if (root->seen_as[i] != value)
      GMEM_TRY(visit(finder, root->seen_as[i], leader, user));
  return GMEM_OK;
}

static gmem_status_t visit_all(finder_t *finder, uint32_t leader,
                               visit_fn visit, void *user) {
  const gmem_liveness_t *liveness = finder->options->liveness;
  for (uint32_t i = 0; i < finder->program->value_count; ++i) {
    uint32_t set = liveness->set_of[i];
    if (set == GMEM_NO_INDEX)
      continue;
    uint32_t at = finder->options->leaders[set];
    if (leader == GMEM_NO_INDEX ? finder->options->is_selected[at]
                                : at == leader)
      GMEM_TRY(visit_root(finder, i, at, visit, user));
  }
  return GMEM_OK;
}

// A function accesses its inputs and outputs.
static MlirOperation owner_of_io(const finder_t *finder, uint32_t value) {
  const gmem_live_value_t *live =
      &finder->options->liveness->live_values[value];
  uint32_t function = gmem_value_function(finder->program, value);
  return live->input || live->output ? finder->program->functions[function].op
                                     : (MlirOperation){NULL};
}

static gmem_status_t each_access(finder_t *finder, uint32_t value,
                                 gmem_access_fn visit, void *user) {
  MlirOperation owner = owner_of_io(finder, value);
  GMEM_TRY(mlirOperationIsNull(owner) ? GMEM_OK
                                      : visit(owner, user, finder->diag));
  return gmem_each_access(&finder->targets, value, visit, user, finder->diag);
}

//===--- reachability -----------------------------------------------------===//

typedef struct narrowing_s {
  finder_t *finder;
  uint64_t memories;
} narrowing_t;

static gmem_status_t narrow_by_op(MlirOperation op, void *user,
                                  gmem_diag_t *diag) {
  narrowing_t *narrowing = user;
  uint64_t memories;
  gmem_status_t status =
      gmem_target_reach(&narrowing->finder->targets, op, &memories, diag);
  narrowing->memories &= memories;
  return status;
}

// By value: the memories that all accessing ops reach; a cache, as memrefs are
// visited once per alias.
typedef struct reaches_s {
  uint64_t *memories;
  bool *is_known;
} reaches_t;

static gmem_status_t narrow_place(finder_t *finder, uint32_t value,
                                  uint32_t leader, void *user) {
  reaches_t *reaches = user;
  if (!reaches->is_known[value]) {
    narrowing_t narrowing = {finder, finder->targets.all};
    GMEM_TRY(each_access(finder, value, narrow_by_op, &narrowing));
    reaches->memories[value] = narrowing.memories;
    reaches->is_known[value] = true;
  }
  finder->places[leader].pools &=
      as_pools(finder->workspaces, reaches->memories[value]);
  return GMEM_OK;
}

// A copy on a control flow edge is an access by the op that transfers control.
static gmem_status_t narrow_transfers(finder_t *finder) {
  const gmem_liveness_t *liveness = finder->options->liveness;
  for (size_t i = 0; i < liveness->transfer_count; ++i) {
    const gmem_transfer_t *transfer = &liveness->transfers[i];
    const uint32_t values[] = {transfer->from, transfer->to};
    uint64_t memories;
    GMEM_TRY(gmem_target_reach(&finder->targets,
                               finder->program->ops[transfer->op].op, &memories,
                               finder->diag));
    for (size_t k = 0; k < 2; ++k)
      if (liveness->set_of[values[k]] != GMEM_NO_INDEX)
        finder->places[finder->options->leaders[liveness->set_of[values[k]]]]
            .pools &= as_pools(finder->workspaces, memories);
  }
  return GMEM_OK;
}

static gmem_status_t narrow_by_targets(finder_t *finder) {
  size_t count = finder->program->value_count;
  reaches_t reaches = {
      gmem_bump_alloc(finder->arena, count, sizeof *reaches.memories),
      gmem_bump_alloc(finder->arena, count, sizeof *reaches.is_known)};
  if (!reaches.memories || !reaches.is_known)
    return gmem_out_of_memory(finder->diag);
  if (!finder->targets.matter)
    return GMEM_OK;
  GMEM_TRY(visit_all(finder, GMEM_NO_INDEX, narrow_place, &reaches));
  return narrow_transfers(finder);
}

// The memories that accept the memory space of the alias set; all for a tensor.
static uint64_t pools_of_space(const finder_t *finder, size_t set) {
  const char *space = finder->options->spaces[set];
  uint64_t pools = 0;
  for (uint32_t i = 0; i < finder->workspaces->count; ++i)
    if (!space ||
        gmem_memory_takes_space(finder->workspaces->memories[i], space))
      pools |= UINT64_C(1) << i;
  return pools;
}

static void narrow_by_spaces(finder_t *finder) {
  size_t count = finder->options->liveness->set_count;
  for (size_t i = 0; i < count; ++i)
    finder->places[i].pools = UINT64_MAX;
  for (size_t i = 0; i < count; ++i)
    finder->places[finder->options->leaders[i]].pools &=
        pools_of_space(finder, i);
}

//===--- ops that restrict the candidates ---------------------------------===//

enum { MOST_NOTES = 4 };

// Ops whose targets do not reach all of |required|, one per target.
typedef struct blocking_ops_s {
  finder_t *finder;
  uint64_t required; // pools
  MlirStringRef targets[MOST_NOTES];
  gmem_note_t notes[MOST_NOTES];
  size_t count;
} blocking_ops_t;

static void name_pools(const gmem_workspaces_t *workspaces, uint64_t pools,
                       char *text, size_t size) {
  size_t length = 0;
  text[0] = '\0';
  for (uint32_t i = 0; i < workspaces->count && length < size; ++i)
    if (pools >> i & 1)
      length +=
          (size_t)snprintf(text + length, size - length, "%s%s",
                           length ? ", " : "", workspaces->memories[i]->name);
  if (!pools)
    snprintf(text, size, "none");
}

static gmem_status_t note_blocking_op(MlirOperation op, void *user,
                                      gmem_diag_t *diag) {
  blocking_ops_t *cause = user;
  const gmem_workspaces_t *workspaces = cause->finder->workspaces;
  MlirStringRef target;
  uint64_t memories;
  GMEM_TRY(gmem_target_of(op, &target, diag));
  GMEM_TRY(gmem_target_reach(&cause->finder->targets, op, &memories, diag));
  if (cause->count == MOST_NOTES ||
      (as_pools(workspaces, memories) & cause->required) == cause->required)
    return GMEM_OK;
  for (size_t i = 0; i < cause->count; ++i)
    if (mlirStringRefEqual(cause->targets[i], target))
      return GMEM_OK;
  char reached[120];
  name_pools(workspaces, as_pools(workspaces, memories), reached,
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

static gmem_status_t note_blocking_value(finder_t *finder, uint32_t value,
                                         uint32_t leader, void *user) {
  (void)leader;
  return each_access(finder, value, note_blocking_op, user);
}

static gmem_status_t note_blocking_transfers(blocking_ops_t *cause,
                                             uint32_t leader) {
  const finder_t *finder = cause->finder;
  const gmem_liveness_t *liveness = finder->options->liveness;
  for (size_t i = 0; i < liveness->transfer_count; ++i) {
    const gmem_transfer_t *transfer = &liveness->transfers[i];
    const uint32_t sets[] = {liveness->set_of[transfer->from],
                             liveness->set_of[transfer->to]};
    for (size_t k = 0; k < 2; ++k)
      if (sets[k] != GMEM_NO_INDEX &&
          finder->options->leaders[sets[k]] == leader)
        GMEM_TRY(note_blocking_op(finder->program->ops[transfer->op].op, cause,
                                  finder->diag));
  }
  return GMEM_OK;
}

static void find_blocking_ops(finder_t *finder, uint32_t leader,
                              uint64_t required, blocking_ops_t *out) {
  *out = (blocking_ops_t){.finder = finder, .required = required};
  // Cannot fail: all targets have been read before.
  if (visit_all(finder, leader, note_blocking_value, out) == GMEM_OK)
    (void)note_blocking_transfers(out, leader);
}

static gmem_status_t report_error(const finder_t *finder, uint32_t value,
                                  const blocking_ops_t *cause,
                                  const char *text) {
  char name[128];
  gmem_value_describe(finder->program, value, name, sizeof name);
  return gmem_error(finder->diag, GMEM_ERR_INVALID_ARGUMENT,
                    gmem_value_location(finder->program, value),
                    cause ? cause->notes : NULL, cause ? cause->count : 0,
                    "%s %s", name, text);
}

static gmem_status_t report_unplaceable(finder_t *finder, uint32_t leader) {
  const gmem_liveness_t *liveness = finder->options->liveness;
  blocking_ops_t cause;
  char text[256];
  uint64_t all = pools_of_space(finder, leader);
  find_blocking_ops(finder, leader, all, &cause);
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
static gmem_status_t check_asked(finder_t *finder, uint32_t value,
                                 uint32_t leader, uint32_t pool) {
  const char *name = finder->workspaces->memories[pool]->name;
  char text[256];
  blocking_ops_t cause;
  if (finder->places[leader].pools >> pool & 1)
    return GMEM_OK;
  find_blocking_ops(finder, leader, UINT64_C(1) << pool, &cause);
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

// Restricts the list of |place| to the pools in |list|.
static void intersect(place_t *place, const uint32_t *list, uint32_t count) {
  uint64_t set = 0;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; ++i)
    set |= UINT64_C(1) << list[i];
  for (uint32_t i = 0; i < place->list_count; ++i)
    if (set >> place->list[i] & 1)
      place->list[kept++] = place->list[i];
  place->list_count = kept;
}

static gmem_status_t take_pools(finder_t *finder, uint32_t value,
                                uint32_t leader) {
  place_t *place = &finder->places[leader];
  MlirAttribute names;
  GMEM_TRY(gmem_pools_asked(finder->program, value, &names, finder->diag));
  if (mlirAttributeIsNull(names))
    return GMEM_OK;
  uint32_t *list, count;
  GMEM_TRY(read_names(finder->workspaces, names,
                      gmem_value_location(finder->program, value),
                      finder->arena, &list, &count, finder->diag));
  for (uint32_t i = 0; i < count; ++i)
    GMEM_TRY(check_asked(finder, value, leader, list[i]));
  if (!place->list) {
    *place = (place_t){place->pools, list, count, value};
    return GMEM_OK;
  }
  intersect(place, list, count);
  return place->list_count
             ? GMEM_OK
             : report_disjoint_pools(finder, value, place->asked_by);
}

static gmem_status_t take_wishes(finder_t *finder) {
  const gmem_candidate_options_t *options = finder->options;
  for (uint32_t i = 0; i < finder->program->value_count; ++i) {
    uint32_t set = options->liveness->set_of[i];
    if (set != GMEM_NO_INDEX && options->is_selected[options->leaders[set]])
      GMEM_TRY(take_pools(finder, i, options->leaders[set]));
  }
  return GMEM_OK;
}

//===--- entry points -----------------------------------------------------===//

static gmem_status_t list_all(finder_t *finder,
                              gmem_memory_candidates_t *candidates) {
  const gmem_candidate_options_t *options = finder->options;
  for (uint32_t i = 0; i < options->liveness->set_count; ++i)
    if (options->leaders[i] == i && options->is_selected[i])
      GMEM_TRY(make_list(finder->workspaces, finder->places[i].list,
                         finder->places[i].list_count, finder->places[i].pools,
                         finder->arena, &candidates[i], finder->diag));
  return GMEM_OK;
}

gmem_status_t gmem_memory_candidates_find(
    const gmem_candidate_options_t *options,
    const gmem_workspaces_t *workspaces, gmem_bump_t *arena,
    gmem_memory_candidates_t **out_candidates, gmem_diag_t *diag) {
  size_t count = options->liveness->set_count;
  finder_t finder = {.options = options,
                     .program = options->liveness->program,
                     .workspaces = workspaces,
                     .arena = arena,
                     .places = gmem_bump_alloc(arena, count, sizeof(place_t)),
                     .diag = diag};
  *out_candidates = gmem_bump_alloc(arena, count, sizeof **out_candidates);
  if (!finder.places || !*out_candidates)
    return gmem_out_of_memory(diag);
  GMEM_TRY(gmem_memory_accesses_begin(finder.program, options->calls, arena,
                                      &finder.targets, diag));
  narrow_by_spaces(&finder);
  GMEM_TRY(narrow_by_targets(&finder));
  for (uint32_t i = 0; i < count; ++i)
    if (options->leaders[i] == i && options->is_selected[i] &&
        !finder.places[i].pools)
      GMEM_TRY(report_unplaceable(&finder, i));
  GMEM_TRY(take_wishes(&finder));
  return list_all(&finder, *out_candidates);
}

gmem_status_t gmem_memory_candidates_of_op(
    const gmem_program_t *program, const gmem_workspaces_t *workspaces,
    MlirOperation op, MlirAttribute asked, gmem_bump_t *arena,
    gmem_memory_candidates_t *out_candidates, gmem_diag_t *diag) {
  gmem_memory_accesses_t targets;
  uint64_t memories;
  uint32_t *list = NULL, count = 0;
  MlirLocation location = mlirOperationGetLocation(op);
  gmem_status_t status =
      gmem_memory_accesses_begin(program, NULL, arena, &targets, diag);
  if (status == GMEM_OK)
    status = gmem_target_reach(&targets, op, &memories, diag);
  if (status == GMEM_OK && !mlirAttributeIsNull(asked))
    status = is_name_list(asked)
                 ? read_names(workspaces, asked, location, arena, &list, &count,
                              diag)
                 : gmem_bad_annotation(location, GMEM_ATTR_POOLS,
                                       "an array of names of pools", diag);
  if (status != GMEM_OK)
    return status;
  uint64_t pools = as_pools(workspaces, memories);
  for (uint32_t i = 0; i < count; ++i)
    if (!(pools >> list[i] & 1))
      return gmem_error(diag, GMEM_ERR_INVALID_ARGUMENT, location, NULL, 0,
                        "gmem.pools: the target of this op does not reach "
                        "'%s'",
                        workspaces->memories[list[i]]->name);
  status =
      make_list(workspaces, list, count, pools, arena, out_candidates, diag);
  return status == GMEM_OK && !out_candidates->count
             ? gmem_error(diag, GMEM_ERR_INVALID_ARGUMENT, location, NULL, 0,
                          "the target of this op reaches no workspace memory")
             : status;
}
