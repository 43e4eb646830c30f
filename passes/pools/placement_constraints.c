// placement_constraints.c - see placement_constraints.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "placement_constraints.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnostics.h"
#include "fixed_offsets.h"
#include "ir_reading.h"
#include "memory_candidates.h"
#include "memory_spaces.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "pool_names.h"
#include "same_as.h"
#include "scope_memories.h"

//===--- fixed offsets ----------------------------------------------------===//

// Why the value cannot have a fixed offset, or NULL.
static const char *why_not_fixed(const gmem_liveness_t *liveness,
                                 uint32_t value) {
  const gmem_live_value_t *live = &liveness->live_values[value];
  if (live->storage == GMEM_STORAGE_WEIGHT)
    return live->root == value ? NULL
                               : "shares the memory of a constant: set "
                                 "gmem.fixed on the constant";
  return live->storage == GMEM_STORAGE_TENSOR &&
                 liveness->set_of[value] != GMEM_NO_INDEX
             ? NULL
             : "has no planned memory";
}

// Reads gmem.fixed of one value; |fixed_by| is, by alias set, the value with
// the attribute.
static gmem_status_t fix_value(const gmem_liveness_t *liveness,
                               gmem_placement_constraints_t *constraints,
                               uint32_t *fixed_by, uint32_t value,
                               gmem_diag_t *diag) {
  const gmem_program_t *program = liveness->program;
  int64_t offset;
  GMEM_TRY(gmem_fixed_offset(program, value, &offset, diag));
  if (offset < 0)
    return GMEM_OK;
  char name[128], other[128];
  gmem_value_describe(program, value, name, sizeof name);
  const char *why = why_not_fixed(liveness, value);
  if (why)
    return gmem_error(diag, GMEM_ERR_INVALID_ARGUMENT,
                      gmem_value_location(program, value), NULL, 0,
                      "gmem.fixed: %s %s", name, why);
  uint32_t set = liveness->set_of[value];
  if (set == GMEM_NO_INDEX)
    return GMEM_OK; // a constant
  gmem_buffer_constraint_t *constraint = &constraints->sets[set];
  if (constraint->is_fixed && constraint->offset != (uint64_t)offset) {
    gmem_value_describe(program, fixed_by[set], other, sizeof other);
    return gmem_error(
        diag, GMEM_ERR_INVALID_ARGUMENT, gmem_value_location(program, value),
        NULL, 0,
        "gmem.fixed: %s and %s share memory but are fixed at offsets "
        "%lld and %llu",
        name, other, (long long)offset, (unsigned long long)constraint->offset);
  }
  fixed_by[set] = value;
  constraint->is_fixed = true;
  constraint->offset = (uint64_t)offset;
  return GMEM_OK;
}

static gmem_status_t fix_all(const gmem_liveness_t *liveness,
                             gmem_bump_t *arena,
                             gmem_placement_constraints_t *constraints,
                             gmem_diag_t *diag) {
  uint32_t *fixed_by;
  GMEM_TRY_ALLOC(fixed_by, arena, liveness->set_count, diag);
  for (uint32_t i = 0; i < liveness->program->value_count; ++i)
    GMEM_TRY(fix_value(liveness, constraints, fixed_by, i, diag));
  return GMEM_OK;
}

//===--- pools ------------------------------------------------------------===//

bool gmem_workspace_is_based(const gmem_workspace_pool_t *pool) {
  return pool->kind == GMEM_WORKSPACE_TENSORS ||
         pool->kind == GMEM_WORKSPACE_IO;
}

bool gmem_is_workspace_name(MlirStringRef name) {
  return gmem_is_memory_name(name) ||
         mlirStringRefEqual(name, gmem_string(GMEM_POOL_TENSORS)) ||
         mlirStringRefEqual(name, gmem_string(GMEM_POOL_IO)) ||
         (name.length > strlen(GMEM_POOL_IO ".") &&
          strncmp(name.data, GMEM_POOL_IO ".", strlen(GMEM_POOL_IO ".")) == 0);
}

// By leader: whether a value of its alias sets is an input or an output.
// Memrefs do not count: their pool is that of their memory space.
static bool *find_io(const gmem_liveness_t *liveness,
                     const gmem_placement_constraints_t *constraints,
                     const gmem_memory_spaces_t *spaces, gmem_bump_t *arena) {
  bool *is_io = gmem_bump_alloc(arena, liveness->set_count, sizeof *is_io);
  for (uint32_t i = 0; is_io && i < liveness->program->value_count; ++i) {
    uint32_t set = liveness->set_of[i];
    if (set != GMEM_NO_INDEX && spaces->of_set[set] == GMEM_NO_INDEX &&
        (liveness->live_values[i].input || liveness->live_values[i].output))
      is_io[gmem_offset_leader(constraints->sets, set)] = true;
  }
  return is_io;
}

typedef struct candidate_s {
  uint64_t size;
  uint32_t set;
} candidate_t;

static int largest_first(const void *a, const void *b) {
  const candidate_t *left = a, *right = b;
  if (left->size != right->size)
    return left->size > right->size ? -1 : 1;
  return (left->set > right->set) - (left->set < right->set);
}

// State of the choice of pools in one scope.
typedef struct chooser_s {
  const gmem_liveness_t *liveness;
  const gmem_model_options_t *options;
  gmem_workspaces_t workspaces;
  gmem_memory_spaces_t spaces;
  const bool *is_io; // by leader
  uint32_t *pool_of; // by alias set; GMEM_NO_INDEX: any memory
  gmem_bump_t *arena;
  gmem_placement_constraints_t *constraints;
  gmem_diag_t *diag;
} chooser_t;

static uint32_t add_pool(chooser_t *chooser, const char *name,
                         gmem_workspace_kind_t kind, uint64_t alignment) {
  gmem_placement_constraints_t *constraints = chooser->constraints;
  constraints->pools[constraints->pool_count] = (gmem_workspace_pool_t){
      .name = name, .kind = kind, .alignment = alignment};
  return constraints->pool_count++;
}

// Adds the pools "io.0", "io.1", ... and assigns them to the largest leaders.
static bool tag_largest(chooser_t *chooser) {
  const gmem_liveness_t *liveness = chooser->liveness;
  candidate_t *candidates =
      gmem_bump_alloc(chooser->arena, liveness->set_count, sizeof *candidates);
  size_t count = 0;
  if (!candidates)
    return false;
  for (uint32_t i = 0; i < liveness->set_count; ++i)
    if (chooser->is_io[i])
      candidates[count++] = (candidate_t){
          liveness->program->values[liveness->sets[i].root].size, i};
  qsort(candidates, count, sizeof *candidates, largest_first);
  for (uint32_t i = 0; i < count && i < chooser->options->io_tags; ++i) {
    char text[16];
    int length = snprintf(text, sizeof text, GMEM_POOL_IO ".%u", i);
    const char *name = gmem_bump_string(chooser->arena, text, (size_t)length);
    if (!name)
      return false;
    chooser->pool_of[candidates[i].set] =
        add_pool(chooser, name, GMEM_WORKSPACE_TAG, 0);
  }
  return true;
}

// Adds the memories of gmem.memories, or else the pool of all tensors.
static void add_default(chooser_t *chooser) {
  const gmem_workspaces_t *workspaces = &chooser->workspaces;
  for (uint32_t i = 0; i < workspaces->count; ++i) {
    uint32_t pool = add_pool(chooser, workspaces->memories[i]->name,
                             GMEM_WORKSPACE_DESCRIBED, 1);
    chooser->constraints->pools[pool].memory = workspaces->memories[i];
  }
  uint32_t usual = workspaces->count ? GMEM_NO_INDEX
                                     : add_pool(chooser, GMEM_POOL_TENSORS,
                                                GMEM_WORKSPACE_TENSORS, 0);
  for (uint32_t i = 0; i < chooser->liveness->set_count; ++i)
    chooser->pool_of[i] = usual;
}

// Adds the pools of tensors, before those of memory spaces. With gmem.memories,
// only its memories have base addresses.
static bool choose_tensor_pools(chooser_t *chooser) {
  const gmem_buffer_constraint_t *sets = chooser->constraints->sets;
  size_t count = chooser->liveness->set_count;
  add_default(chooser);
  if (chooser->options->io == GMEM_IO_SEPARATE) {
    uint32_t pool = add_pool(
        chooser, GMEM_POOL_IO,
        chooser->workspaces.count ? GMEM_WORKSPACE_TAG : GMEM_WORKSPACE_IO, 0);
    for (uint32_t i = 0; i < count; ++i)
      if (chooser->is_io[i])
        chooser->pool_of[i] = pool;
  } else if (chooser->options->io == GMEM_IO_TAGGED && !tag_largest(chooser)) {
    return false;
  }
  for (uint32_t i = 0; i < count; ++i)
    chooser->pool_of[i] = chooser->pool_of[gmem_offset_leader(sets, i)];
  return true;
}

static bool is_taken(const gmem_workspaces_t *workspaces, const char *space) {
  for (uint32_t i = 0; i < workspaces->count; ++i)
    if (gmem_memory_takes_space(workspaces->memories[i], space))
      return true;
  return false;
}

// Memory spaces that no memory accepts have separate pools.
static gmem_status_t add_spaces(chooser_t *chooser) {
  const gmem_memory_spaces_t *spaces = &chooser->spaces;
  const gmem_program_t *program = chooser->liveness->program;
  gmem_placement_constraints_t *constraints = chooser->constraints;
  uint32_t *pools;
  GMEM_TRY_ALLOC(pools, chooser->arena, spaces->count, chooser->diag);
  for (uint32_t i = 0; i < spaces->count; ++i) {
    const char *name = spaces->spaces[i].name;
    pools[i] = GMEM_NO_INDEX;
    if (is_taken(&chooser->workspaces, name))
      continue;
    if (gmem_memories_find(program->memories, program->memory_count, name))
      return gmem_error(chooser->diag, GMEM_ERR_INVALID_ARGUMENT,
                        mlirOperationGetLocation(program->scope), NULL, 0,
                        "gmem.memories: memory '%s' has the name of a memory "
                        "space that no memory accepts",
                        name);
    pools[i] = add_pool(chooser, name, GMEM_WORKSPACE_MEMORY,
                        spaces->spaces[i].alignment);
  }
  for (size_t i = 0; i < chooser->liveness->set_count; ++i) {
    if (spaces->of_set[i] == GMEM_NO_INDEX)
      continue;
    chooser->pool_of[i] = pools[spaces->of_set[i]];
    constraints->sets[i].alignment = spaces->alignments[i];
  }
  return GMEM_OK;
}

// Programs that use only memrefs have no pools of tensors. Pools of memories
// are kept even if they are not used.
static bool drop_empty_pools(chooser_t *chooser) {
  gmem_placement_constraints_t *constraints = chooser->constraints;
  size_t sets = chooser->liveness->set_count;
  uint32_t count = constraints->pool_count;
  bool *is_used = gmem_bump_alloc(chooser->arena, count, sizeof *is_used);
  uint32_t *numbers = gmem_bump_alloc(chooser->arena, count, sizeof *numbers);
  if (!is_used || !numbers)
    return false;
  for (size_t i = 0; i < sets; ++i)
    if (chooser->pool_of[i] != GMEM_NO_INDEX)
      is_used[chooser->pool_of[i]] = true;
  constraints->pool_count = 0;
  for (uint32_t i = 0; i < count; ++i) {
    numbers[i] = constraints->pool_count;
    if (is_used[i] || constraints->pools[i].memory)
      constraints->pools[constraints->pool_count++] = constraints->pools[i];
  }
  for (size_t i = 0; i < sets; ++i)
    if (chooser->pool_of[i] != GMEM_NO_INDEX)
      chooser->pool_of[i] = numbers[chooser->pool_of[i]];
  return true;
}

//===--- candidates -------------------------------------------------------===//

// Records the alias set in the pools where it may be placed.
static void note_set(chooser_t *chooser, size_t set) {
  const gmem_buffer_constraint_t *constraint = &chooser->constraints->sets[set];
  for (uint32_t i = 0; i < constraint->pool_count; ++i) {
    gmem_workspace_pool_t *pool =
        &chooser->constraints->pools[constraint->pools[i]];
    pool->has_tensors |= constraint->alignment == 0;
    if (pool->alignment < constraint->alignment)
      pool->alignment = constraint->alignment;
  }
}

static gmem_status_t find_candidates(chooser_t *chooser,
                                     gmem_memory_candidates_t **out) {
  size_t count = chooser->liveness->set_count;
  uint32_t *leaders;
  GMEM_TRY_ALLOC(leaders, chooser->arena, count, chooser->diag);
  bool *is_selected;
  GMEM_TRY_ALLOC(is_selected, chooser->arena, count, chooser->diag);
  const char **spaces;
  GMEM_TRY_ALLOC(spaces, chooser->arena, count, chooser->diag);
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t space = chooser->spaces.of_set[i];
    leaders[i] = gmem_offset_leader(chooser->constraints->sets, i);
    is_selected[i] = chooser->pool_of[i] == GMEM_NO_INDEX;
    spaces[i] =
        space == GMEM_NO_INDEX ? NULL : chooser->spaces.spaces[space].name;
  }
  gmem_candidate_options_t options = {chooser->liveness,
                                      chooser->liveness->calls, leaders, spaces,
                                      is_selected};
  return gmem_memory_candidates_find(&options, &chooser->workspaces,
                                     chooser->arena, out, chooser->diag);
}

// Sets the candidate pools of every alias set.
static gmem_status_t list_pools(chooser_t *chooser) {
  gmem_placement_constraints_t *constraints = chooser->constraints;
  gmem_memory_candidates_t *candidates = NULL;
  uint32_t *all =
      gmem_bump_alloc(chooser->arena, constraints->pool_count, sizeof *all);
  gmem_status_t status = all ? GMEM_OK : gmem_out_of_memory(chooser->diag);
  for (uint32_t i = 0; all && i < constraints->pool_count; ++i)
    all[i] = i;
  if (status == GMEM_OK && chooser->workspaces.count)
    status = find_candidates(chooser, &candidates);
  for (uint32_t i = 0; i < chooser->liveness->set_count && status == GMEM_OK;
       ++i) {
    gmem_buffer_constraint_t *constraint = &constraints->sets[i];
    uint32_t leader = gmem_offset_leader(constraints->sets, i);
    bool is_single = chooser->pool_of[i] != GMEM_NO_INDEX;
    constraint->pools =
        is_single ? &all[chooser->pool_of[i]] : candidates[leader].pools;
    constraint->pool_count = is_single ? 1 : candidates[leader].count;
    if (constraint->is_fixed)
      constraint->pool_count = 1;
    if (!is_single)
      note_set(chooser, i);
  }
  return status;
}

static gmem_status_t choose_pools(const gmem_liveness_t *liveness,
                                  const gmem_model_options_t *options,
                                  gmem_bump_t *arena,
                                  gmem_placement_constraints_t *constraints,
                                  gmem_diag_t *diag) {
  chooser_t chooser = {
      .liveness = liveness,
      .options = options,
      .pool_of = gmem_bump_alloc(arena, liveness->set_count, sizeof(uint32_t)),
      .arena = arena,
      .constraints = constraints,
      .diag = diag};
  GMEM_TRY(gmem_memory_spaces_find(liveness, options->memref_alignment, arena,
                                   &chooser.spaces, diag));
  gmem_workspaces_find(liveness->program, &chooser.workspaces);
  constraints->memref_alignment = options->memref_alignment;
  constraints->pools =
      gmem_bump_alloc(arena,
                      GMEM_MAX_IO_TAGS + 2 + (size_t)chooser.spaces.count +
                          chooser.workspaces.count,
                      sizeof *constraints->pools);
  chooser.is_io = find_io(liveness, constraints, &chooser.spaces, arena);
  if (!chooser.is_io || !chooser.pool_of || !constraints->pools ||
      !choose_tensor_pools(&chooser))
    return gmem_out_of_memory(diag);
  GMEM_TRY(add_spaces(&chooser));
  if (chooser.spaces.count && !drop_empty_pools(&chooser))
    return gmem_out_of_memory(diag);
  return list_pools(&chooser);
}

//===--- alignments -------------------------------------------------------===//

static uint64_t larger(uint64_t left, uint64_t right) {
  return left > right ? left : right;
}

uint64_t gmem_workspace_unit(const gmem_placement_constraints_t *constraints,
                             uint32_t pool, uint64_t usual) {
  const gmem_workspace_pool_t *entry = &constraints->pools[pool];
  if (entry->kind == GMEM_WORKSPACE_MEMORY)
    return constraints->memref_alignment;
  if (!entry->memory) // as aligned as its most aligned workbuffer
    return larger(usual, entry->alignment);
  if (entry->memory->alignment)
    return entry->memory->alignment;
  // gmem.pool_table has one alignment per pool, for tensors and memrefs.
  return entry->has_tensors ? larger(usual, entry->alignment)
                            : constraints->memref_alignment;
}

uint64_t
gmem_workspace_alignment(const gmem_placement_constraints_t *constraints,
                         uint32_t pool, uint64_t usual) {
  const gmem_workspace_pool_t *entry = &constraints->pools[pool];
  uint64_t unit = gmem_workspace_unit(constraints, pool, usual);
  return entry->kind == GMEM_WORKSPACE_MEMORY ? entry->alignment
                                              : larger(unit, entry->alignment);
}

//===--- entry point ------------------------------------------------------===//

gmem_status_t gmem_placement_constraints_find(
    const gmem_liveness_t *liveness, const gmem_op_models_t *models,
    const gmem_model_options_t *options, gmem_bump_t *arena,
    gmem_aliases_t *aliases, gmem_placement_constraints_t *out_boundaries,
    gmem_diag_t *diag) {
  *out_boundaries = (gmem_placement_constraints_t){
      .sets = gmem_bump_alloc(arena, liveness->set_count,
                              sizeof *out_boundaries->sets)};
  if (!out_boundaries->sets)
    return gmem_out_of_memory(diag);
  for (uint32_t i = 0; i < liveness->set_count; ++i)
    out_boundaries->sets[i].tied_to = i;
  GMEM_TRY(fix_all(liveness, arena, out_boundaries, diag));
  GMEM_TRY(gmem_same_as_tie(liveness, models, options, arena, aliases,
                            out_boundaries->sets, diag));
  return choose_pools(liveness, options, arena, out_boundaries, diag);
}
