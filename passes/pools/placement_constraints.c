// placement_constraints.c - see placement_constraints.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "placement_constraints.h"

#include <assert.h>
#include <stdio.h>

#include "memory_candidates.h"
#include "pool_names.h"
#include "same_as.h"
#include "scope_memories.h"
#include "value_requests.h"
#include "workbuffer_liveness.h"

// State of the search in one scope.
typedef struct chooser_s {
  const gmem_liveness_t *liveness;
  const gmem_model_options_t *options;
  gmem_memory_spaces_t spaces;
  bool *is_io;       // by leader: a value of its alias sets is an input or an
                     // output, and has no pool of its own
  uint32_t *pool_of; // by alias set; GMEM_NO_INDEX: any memory
  gmem_bump_t *arena, *scratch;
  gmem_placement_constraints_t *constraints;
  gmem_candidate_pools_t *pools; // of |constraints|
  gmem_diag_t *diag;
} chooser_t;

//===--- fixed offsets ----------------------------------------------------===//

// Why the value cannot have a fixed offset, or NULL.
static const char *why_not_fixed(const gmem_liveness_t *liveness,
                                 uint32_t value) {
  const gmem_live_value_t *live = &liveness->live_values[value];
  if (live->storage == GMEM_STORAGE_WEIGHT)
    return live->root == value ? NULL
                               : "shares the memory of a constant: set "
                                 "gmem.fixed on the constant";
  return liveness->set_of[value] == GMEM_NO_INDEX ? "has no planned memory"
                                                  : NULL;
}

// Reads gmem.fixed of one value; |fixed_by| is, by alias set, the value with
// the attribute.
static gmem_status_t fix_value(const chooser_t *chooser, uint32_t *fixed_by,
                               uint32_t value) {
  const gmem_program_t *program = chooser->liveness->program;
  uint32_t set = chooser->liveness->set_of[value];
  int64_t offset;
  GMEM_TRY(gmem_fixed_offset(program, value, &offset, chooser->diag));
  if (offset < 0)
    return GMEM_OK;
  MlirLocation location = gmem_value_location(program, value);
  char name[128], other[128];
  gmem_value_describe(program, value, name, sizeof name);
  const char *why = why_not_fixed(chooser->liveness, value);
  if (why)
    return gmem_error_at(chooser->diag, GMEM_ERR_INVALID_ARGUMENT, location,
                         "gmem.fixed: %s %s", name, why);
  if (set == GMEM_NO_INDEX)
    return GMEM_OK; // a constant
  gmem_buffer_constraint_t *constraint = &chooser->constraints->sets[set];
  if (constraint->is_fixed && constraint->offset != (uint64_t)offset) {
    gmem_value_describe(program, fixed_by[set], other, sizeof other);
    return gmem_error_at(
        chooser->diag, GMEM_ERR_INVALID_ARGUMENT, location,
        "gmem.fixed: %s and %s share memory but are fixed at offsets "
        "%lld and %llu",
        name, other, (long long)offset, (unsigned long long)constraint->offset);
  }
  fixed_by[set] = value;
  constraint->is_fixed = true;
  constraint->offset = (uint64_t)offset;
  return GMEM_OK;
}

static gmem_status_t fix_all(const chooser_t *chooser) {
  const gmem_liveness_t *liveness = chooser->liveness;
  uint32_t *fixed_by;
  GMEM_TRY_ALLOC(fixed_by, chooser->scratch, liveness->set_count,
                 chooser->diag);
  for (uint32_t i = 0; i < liveness->program->value_count; ++i)
    GMEM_TRY(fix_value(chooser, fixed_by, i));
  return GMEM_OK;
}

//===--- pools ------------------------------------------------------------===//

// Memrefs do not count: their pool is that of their memory space.
static void find_io(chooser_t *chooser) {
  const gmem_liveness_t *liveness = chooser->liveness;
  for (uint32_t i = 0; i < liveness->program->value_count; ++i) {
    const gmem_live_value_t *live = &liveness->live_values[i];
    uint32_t set = liveness->set_of[i];
    if ((live->input || live->output) && set != GMEM_NO_INDEX &&
        chooser->spaces.of_set[set] == GMEM_NO_INDEX)
      chooser->is_io[gmem_offset_leader(chooser->constraints->sets, set)] =
          true;
  }
}

static gmem_status_t add_pool(chooser_t *chooser, const char *name,
                              gmem_pool_kind_t kind, uint64_t alignment,
                              uint32_t *out_pool) {
  return gmem_candidate_pool_add(
      chooser->pools,
      (gmem_candidate_pool_t){
          .name = name, .kind = kind, .alignment = alignment},
      chooser->arena, out_pool, chooser->diag);
}

// Adds the pools "io.0", "io.1", ... and assigns them to the largest leaders.
static gmem_status_t tag_largest(chooser_t *chooser) {
  const gmem_liveness_t *liveness = chooser->liveness;
  for (uint32_t tag = 0; tag < chooser->options->io_tags; ++tag) {
    uint32_t largest = GMEM_NO_INDEX;
    uint64_t most = 0;
    for (uint32_t i = 0; i < liveness->set_count; ++i) {
      uint64_t size = liveness->program->values[liveness->sets[i].root].size;
      if (!chooser->is_io[i] || (largest != GMEM_NO_INDEX && size <= most))
        continue;
      largest = i;
      most = size;
    }
    if (largest == GMEM_NO_INDEX)
      return GMEM_OK;
    chooser->is_io[largest] = false; // has its own pool
    char text[16];
    int length = snprintf(text, sizeof text, GMEM_POOL_IO ".%u", tag);
    const char *name = gmem_bump_string(chooser->arena, text, (size_t)length);
    if (!name)
      return gmem_out_of_memory(chooser->diag);
    GMEM_TRY(add_pool(chooser, name, GMEM_POOL_KIND_TAG, 0,
                      &chooser->pool_of[largest]));
  }
  return GMEM_OK;
}

// Adds the pools of tensors, before those of memory spaces. With gmem.memories,
// only its memories have base addresses.
// Whether the set is used by a function with gmem.init.
static bool is_init(const chooser_t *chooser, uint32_t set) {
  const gmem_program_t *program = chooser->liveness->program;
  uint32_t root = chooser->liveness->sets[set].root;
  return program->functions[gmem_value_function(program, root)].is_init;
}

// The memory of an initialisation is not needed afterwards.
static gmem_status_t separate_init(chooser_t *chooser) {
  uint32_t pool = GMEM_NO_INDEX;
  for (uint32_t i = 0; i < chooser->liveness->set_count; ++i) {
    if (!is_init(chooser, i) || chooser->spaces.of_set[i] != GMEM_NO_INDEX)
      continue;
    if (pool == GMEM_NO_INDEX) {
      GMEM_TRY(add_pool(chooser, GMEM_POOL_INIT, GMEM_POOL_KIND_TAG, 0, &pool));
      chooser->pools->all[pool].is_init = true;
    }
    chooser->pool_of[i] = pool;
    chooser->is_io[i] = false;
  }
  return GMEM_OK;
}

static gmem_status_t choose_tensor_pools(chooser_t *chooser) {
  const gmem_buffer_constraint_t *sets = chooser->constraints->sets;
  size_t count = chooser->liveness->set_count;
  bool has_memories = chooser->pools->count != 0;
  uint32_t usual = GMEM_NO_INDEX, io;
  if (!has_memories)
    GMEM_TRY(add_pool(chooser, GMEM_POOL_TENSORS, GMEM_POOL_KIND_TENSORS, 0,
                      &usual));
  for (size_t i = 0; i < count; ++i)
    chooser->pool_of[i] = usual;
  if (!has_memories)
    GMEM_TRY(separate_init(chooser));
  if (chooser->options->io == GMEM_IO_TAGGED)
    GMEM_TRY(tag_largest(chooser));
  if (chooser->options->io == GMEM_IO_SEPARATE) {
    GMEM_TRY(add_pool(chooser, GMEM_POOL_IO,
                      has_memories ? GMEM_POOL_KIND_TAG : GMEM_POOL_KIND_IO, 0,
                      &io));
    for (size_t i = 0; i < count; ++i)
      if (chooser->is_io[i])
        chooser->pool_of[i] = io;
  }
  for (uint32_t i = 0; i < count; ++i)
    chooser->pool_of[i] = chooser->pool_of[gmem_offset_leader(sets, i)];
  return GMEM_OK;
}

static bool is_taken(const gmem_candidate_pools_t *pools, const char *space) {
  for (uint32_t i = 0; i < pools->memory_count; ++i)
    if (gmem_memory_takes_space(pools->all[i].memory, space))
      return true;
  return false;
}

// The same for memrefs of the default memory space.
static gmem_status_t separate_init_memrefs(chooser_t *chooser) {
  const gmem_memory_spaces_t *spaces = &chooser->spaces;
  uint32_t pool = GMEM_NO_INDEX;
  for (uint32_t i = 0; i < chooser->liveness->set_count; ++i) {
    uint32_t space = spaces->of_set[i];
    if (space == GMEM_NO_INDEX || !is_init(chooser, i) ||
        chooser->pool_of[i] == GMEM_NO_INDEX ||
        !mlirAttributeIsNull(spaces->spaces[space].attribute))
      continue;
    if (pool == GMEM_NO_INDEX) {
      GMEM_TRY(add_pool(chooser, GMEM_POOL_INIT_MEMORY, GMEM_POOL_KIND_SPACE,
                        spaces->spaces[space].alignment, &pool));
      chooser->pools->all[pool].is_init = true;
    }
    chooser->pool_of[i] = pool;
  }
  return GMEM_OK;
}

// Memory spaces that no memory accepts have separate pools.
static gmem_status_t add_spaces(chooser_t *chooser) {
  const gmem_memory_spaces_t *spaces = &chooser->spaces;
  const gmem_program_t *program = chooser->liveness->program;
  uint32_t *pools;
  GMEM_TRY_ALLOC(pools, chooser->scratch, spaces->count, chooser->diag);
  for (uint32_t i = 0; i < spaces->count; ++i) {
    const char *name = spaces->spaces[i].name;
    pools[i] = GMEM_NO_INDEX;
    if (is_taken(chooser->pools, name))
      continue;
    if (gmem_memories_find(program->memories, program->memory_count, name))
      return gmem_reject(chooser->diag, program->scope,
                         "gmem.memories: memory '%s' has the name of a memory "
                         "space that no memory accepts",
                         name);
    GMEM_TRY(add_pool(chooser, name, GMEM_POOL_KIND_SPACE,
                      spaces->spaces[i].alignment, &pools[i]));
  }
  for (size_t i = 0; i < chooser->liveness->set_count; ++i) {
    if (spaces->of_set[i] == GMEM_NO_INDEX)
      continue;
    chooser->pool_of[i] = pools[spaces->of_set[i]];
    gmem_constraint_set_alignment(&chooser->constraints->sets[i],
                                  spaces->alignments[i]);
  }
  return separate_init_memrefs(chooser);
}

// Programs that use only memrefs have no pools of tensors. Pools of memories
// are kept even if they are not used.
static gmem_status_t drop_empty_pools(chooser_t *chooser) {
  gmem_candidate_pools_t *pools = chooser->pools;
  size_t sets = chooser->liveness->set_count;
  uint32_t *numbers, kept = 0;
  GMEM_TRY_ALLOC(numbers, chooser->scratch, pools->count, chooser->diag);
  for (size_t i = 0; i < sets; ++i)
    if (chooser->pool_of[i] != GMEM_NO_INDEX)
      numbers[chooser->pool_of[i]] = 1; // is used
  for (uint32_t i = 0; i < pools->count; ++i) {
    bool is_kept = numbers[i] || pools->all[i].memory;
    numbers[i] = kept;
    if (is_kept)
      pools->all[kept++] = pools->all[i];
  }
  pools->count = kept;
  for (size_t i = 0; i < sets; ++i)
    if (chooser->pool_of[i] != GMEM_NO_INDEX)
      chooser->pool_of[i] = numbers[chooser->pool_of[i]];
  return GMEM_OK;
}

//===--- candidates -------------------------------------------------------===//

// Sets the candidate pools of every alias set. Those of a set with a choice
// record what the set requires.
static gmem_status_t list_pools(chooser_t *chooser) {
  gmem_buffer_constraint_t *sets = chooser->constraints->sets;
  gmem_candidate_pools_t *pools = chooser->pools;
  gmem_memory_candidates_t *candidates = NULL;
  uint32_t *all;
  GMEM_TRY_ALLOC(all, chooser->arena, pools->count, chooser->diag);
  for (uint32_t i = 0; i < pools->count; ++i)
    all[i] = i;
  if (pools->memory_count)
    GMEM_TRY(gmem_memory_candidates_find(
        &(gmem_candidate_options_t){chooser->liveness, pools, sets,
                                    &chooser->spaces, chooser->pool_of},
        chooser->arena, &candidates, chooser->diag));
  for (uint32_t i = 0; i < chooser->liveness->set_count; ++i) {
    bool is_single = chooser->pool_of[i] != GMEM_NO_INDEX;
    gmem_memory_candidates_t own =
        is_single ? (gmem_memory_candidates_t){&all[chooser->pool_of[i]], 1}
                  : candidates[gmem_offset_leader(sets, i)];
    if (sets[i].is_fixed)
      own.count = 1;
    assert(gmem_candidates_check(pools, own));
    gmem_constraint_set_pools(&sets[i], own);
    if (is_single)
      continue;
    gmem_candidate_pools_align(pools, own, gmem_constraint_alignment(&sets[i]));
    for (uint32_t k = 0; k < own.count; ++k)
      pools->all[own.pools[k]].has_tensors |= sets[i].alignment_code == 0;
  }
  return GMEM_OK;
}

static gmem_status_t choose_pools(chooser_t *chooser) {
  const gmem_liveness_t *liveness = chooser->liveness;
  uint64_t alignment = chooser->options->memref_alignment;
  gmem_bump_t *arena = chooser->arena, *scratch = chooser->scratch;
  gmem_diag_t *diag = chooser->diag;
  GMEM_TRY_ALLOC(chooser->pool_of, scratch, liveness->set_count, diag);
  GMEM_TRY_ALLOC(chooser->is_io, scratch, liveness->set_count, diag);
  GMEM_TRY(gmem_memory_spaces_find(liveness, alignment, scratch, arena,
                                   &chooser->spaces, diag));
  GMEM_TRY(gmem_candidate_pools_begin(liveness->program, false, arena,
                                      chooser->pools, diag));
  chooser->pools->memref_alignment = alignment;
  find_io(chooser);
  GMEM_TRY(choose_tensor_pools(chooser));
  GMEM_TRY(add_spaces(chooser));
  if (chooser->spaces.count)
    GMEM_TRY(drop_empty_pools(chooser));
  return list_pools(chooser);
}

//===--- entry point ------------------------------------------------------===//

static gmem_status_t find(chooser_t *chooser,
                          const gmem_placement_inputs_t *inputs) {
  const gmem_liveness_t *liveness = chooser->liveness;
  gmem_placement_constraints_t *constraints = chooser->constraints;
  gmem_bump_t *arena = chooser->arena;
  gmem_diag_t *diag = chooser->diag;
  GMEM_TRY_ALLOC(constraints->sets, arena, liveness->set_count, diag);
  for (uint32_t i = 0; i < liveness->set_count; ++i)
    constraints->sets[i].tied_to = i;
  GMEM_TRY(fix_all(chooser));
  GMEM_TRY(gmem_same_as_tie(inputs, arena, chooser->scratch,
                            &constraints->aliases, constraints->sets, diag));
  GMEM_TRY(choose_pools(chooser));
  GMEM_TRY(gmem_workbuffer_demands_find(liveness, inputs->workbuffers, arena,
                                        chooser->pools, &constraints->work,
                                        diag));
  assert(gmem_candidate_pools_check(chooser->pools));
  return gmem_set_constraints_find(liveness, chooser->pools, arena,
                                   &constraints->rules, diag);
}

gmem_status_t gmem_placement_constraints_find(
    const gmem_placement_inputs_t *inputs, gmem_bump_t *arena,
    gmem_placement_constraints_t *out_constraints, gmem_diag_t *diag) {
  gmem_bump_t scratch;
  chooser_t chooser = {.liveness = inputs->liveness,
                       .options = inputs->options,
                       .arena = arena,
                       .scratch = &scratch,
                       .constraints = out_constraints,
                       .pools = &out_constraints->pools,
                       .diag = diag};
  *out_constraints = (gmem_placement_constraints_t){.sets = NULL};
  gmem_bump_init(&scratch, &arena->allocator);
  gmem_status_t status = find(&chooser, inputs);
  gmem_bump_destroy(&scratch);
  return status;
}
