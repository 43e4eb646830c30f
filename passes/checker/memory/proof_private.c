// proof_private.c - see proof_private.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names cost a number that is quadratic in that of the blocks if memrefs of all
// blocks reach all of them. They tell on which paths a memory has been lost. An
// allocation that no write can lose needs none, and the walk need not follow
// it: it is *private*.
//
// No other value, workbuffer or record of a copy has a byte of it, so that it
// is written through its own memrefs alone, all of them in its function. That
// is enough if control flow never passes an older instance of it on. If it
// does, no older one must be used when the allocation is executed: each memref
// that may point to it is used in its own block only, one of the function
// itself, and in the block of the allocation none can point to an older one.
// When that block is entered, the memrefs of all others are out of use: they
// are bound or made anew before the next use. So one instance at a time is in
// use, in bytes that are its own.

#include "proof_private.h"

#include <assert.h>
#include <stdlib.h>

typedef struct extent_s {
  gmem_proof_range_t bytes;
  uint32_t value; // or GMEM_NO_INDEX
} extent_t;

typedef struct search_s {
  const gmem_proof_program_t *program;
  gmem_proof_memory_t *memory;
  GMEM_LIST(extent_t) extents;
  bool *is_far;   // by value: it may be used in other blocks than its own
  bool *is_aged;  // by allocation: control flow passes an older instance on
  bool *may_meet; // by allocation: two instances may be in use at a time
  gmem_bump_t *scratch;
} search_t;

//===--- bytes ------------------------------------------------------------===//

static void add_extent(search_t *search, gmem_proof_range_t bytes,
                       uint32_t value) {
  if (bytes.begin < bytes.end)
    GMEM_APPEND(search->scratch, &search->extents, (extent_t){bytes, value});
}

static void list_extents(search_t *search) {
  const gmem_proof_program_t *program = search->program;
  for (uint32_t v = 0; v < program->values.count; ++v) {
    const gmem_proof_value_t *value = &program->values.at[v];
    if (value->is_placed)
      add_extent(search, gmem_proof_extent(value), v);
  }
  for (size_t i = 0; i < program->ops.count; ++i) {
    const gmem_proof_op_t *op = &program->ops.at[i];
    for (uint32_t k = 0; k < op->planned->workbuffer_count; ++k)
      add_extent(search, op->planned->workbuffers[k], GMEM_NO_INDEX);
    for (uint32_t k = 0; k < op->planned->copy_count; ++k)
      add_extent(search,
                 (gmem_proof_range_t){op->planned->copies[k].to,
                                      op->planned->copies[k].to +
                                          op->planned->copies[k].size},
                 GMEM_NO_INDEX);
  }
}

static int compare_extents(const void *left, const void *right) {
  const extent_t *a = left, *b = right;
  if (a->bytes.begin != b->bytes.begin)
    return a->bytes.begin < b->bytes.begin ? -1 : 1;
  return (a->value > b->value) - (a->value < b->value);
}

static void exclude(search_t *search, uint32_t value) {
  if (value != GMEM_NO_INDEX)
    search->memory->is_private[value] = false;
}

// Excludes what shares a byte with another extent.
static void exclude_shared(search_t *search) {
  const extent_t *at = search->extents.at;
  size_t count = search->extents.count;
  if (count > 1)
    qsort(search->extents.at, count, sizeof *at, compare_extents);
  for (size_t i = 1, last = 0; i < count; ++i) { // last: its end is the highest
    if (at[i].bytes.begin < at[last].bytes.end) {
      exclude(search, at[i].value);
      exclude(search, at[last].value);
    }
    if (at[i].bytes.end > at[last].bytes.end)
      last = i;
  }
}

//===--- instances --------------------------------------------------------===//

static void find_far(search_t *search) {
  const gmem_proof_program_t *program = search->program;
  for (uint32_t i = 0; i < program->ops.count; ++i) {
    const gmem_proof_op_t *op = &program->ops.at[i];
    for (uint32_t k = 0; k < op->read_count; ++k) {
      uint32_t v = op->operands[k];
      // A layer group uses its operands until its last op.
      if (v != GMEM_NO_INDEX && program->values.at[v].is_memref)
        search->is_far[v] |=
            program->group_first[i] != GMEM_NO_INDEX ||
            !gmem_proof_is_within(program, i, program->values.at[v].block);
    }
    for (uint32_t k = 0; k < op->results.count && op->is_held; ++k)
      search->is_far[op->results.first + k] = true;
  }
}

// Whether |user|, which may point to |number|, an instance of the memory that
// |owner| allocates, may be in use while that is executed.
static bool may_survive(const search_t *search, uint32_t user, uint32_t owner,
                        uint32_t number) {
  const gmem_proof_program_t *program = search->program;
  const gmem_proof_value_t *value = &program->values.at[user];
  uint32_t region = program->blocks.at[value->block].region;
  return search->is_far[user] ||
         program->regions.at[region].owner != GMEM_NO_INDEX ||
         !gmem_proof_runs_alone(program, search->memory, value->function) ||
         (value->block == program->values.at[owner].block && number != owner);
}

static void look_at_users(search_t *search) {
  const gmem_proof_program_t *program = search->program;
  gmem_proof_memory_t *memory = search->memory;
  for (uint32_t v = 0; v < program->values.count; ++v) {
    gmem_proof_set_t given = memory->given[v], sites = memory->sites[v];
    for (uint32_t i = 0; i < given.count; ++i)
      exclude(search, gmem_proof_owner(memory, given.at[i]));
    for (uint32_t i = 0; i < sites.count; ++i) {
      if (!gmem_proof_is_private(memory, sites.at[i]))
        continue;
      uint32_t owner = gmem_proof_owner(memory, sites.at[i]);
      if (program->values.at[v].function != program->values.at[owner].function)
        exclude(search, owner);
      search->is_aged[owner] |= sites.at[i] != owner;
      search->may_meet[owner] |= may_survive(search, v, owner, sites.at[i]);
    }
  }
}

gmem_status_t gmem_proof_find_apart(const gmem_proof_program_t *program,
                                    gmem_proof_memory_t *memory,
                                    gmem_bump_t *arena, gmem_bump_t *scratch,
                                    gmem_diag_t *diag) {
  search_t search = {.program = program, .memory = memory, .scratch = scratch};
  size_t count = program->values.count;
  GMEM_TRY_ALLOC(memory->is_private, arena, count, diag);
  if (!program->has_allocs)
    return GMEM_OK;
  for (uint32_t v = 0; v < count; ++v) {
    const gmem_proof_value_t *value = &program->values.at[v];
    memory->is_private[v] =
        value->op != GMEM_NO_INDEX && value->is_memref && value->is_placed &&
        program->ops.at[value->op].model->kind == GMEM_OP_ALLOC;
  }
  list_extents(&search);
  GMEM_TRY(gmem_bump_status(scratch, diag));
  exclude_shared(&search);
  return GMEM_OK;
}

gmem_status_t gmem_proof_find_private(const gmem_proof_program_t *program,
                                      gmem_proof_memory_t *memory,
                                      gmem_bump_t *scratch, gmem_diag_t *diag) {
  search_t search = {.program = program, .memory = memory, .scratch = scratch};
  size_t count = program->values.count;
  if (!program->has_allocs)
    return GMEM_OK;
  GMEM_TRY_ALLOC(search.is_far, scratch, count, diag);
  GMEM_TRY_ALLOC(search.is_aged, scratch, count, diag);
  GMEM_TRY_ALLOC(search.may_meet, scratch, count, diag);
  find_far(&search);
  look_at_users(&search);
  for (uint32_t v = 0; v < count; ++v)
    if (search.is_aged[v] && search.may_meet[v])
      exclude(&search, v);
  for (uint32_t v = 0; v < count; ++v)
    assert(memory->is_private[v] || !memory->is_untracked[v]);
  return GMEM_OK;
}
