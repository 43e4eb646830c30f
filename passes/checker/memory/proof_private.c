// proof_private.c - see proof_private.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names cost a number that is quadratic in that of the blocks if memrefs of all
// blocks reach all of them. They tell on which paths a memory has been lost. An
// allocation that no write can lose needs none, and the walk need not follow
// it: it is *private*. No other value, workbuffer or record of a copy has a
// byte of it, so that it is written through its own memrefs alone, all of them
// in its function. One instance of it is in use at a time
// (invariants/proof_instances.h).

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

//===--- memrefs
//-----------------------------------------------------------===//

static void look_at_users(search_t *search) {
  const gmem_proof_program_t *program = search->program;
  gmem_proof_memory_t *memory = search->memory;
  for (uint32_t v = 0; v < program->values.count; ++v) {
    gmem_proof_set_t given = memory->given[v], sites = memory->sites[v];
    for (uint32_t i = 0; i < given.count; ++i)
      exclude(search, given.at[i]);
    for (uint32_t i = 0; i < sites.count; ++i) {
      if (!gmem_proof_is_private(memory, sites.at[i]))
        continue;
      if (program->values.at[v].function !=
          program->values.at[sites.at[i]].function)
        exclude(search, sites.at[i]);
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

void gmem_proof_find_private(const gmem_proof_program_t *program,
                             gmem_proof_memory_t *memory) {
  search_t search = {.program = program, .memory = memory};
  if (program->has_allocs)
    look_at_users(&search);
  for (size_t v = 0; v < program->values.count; ++v)
    assert(memory->is_private[v] || !memory->is_untracked[v]);
}
