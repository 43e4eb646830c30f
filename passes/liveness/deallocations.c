// deallocations.c - allocations that deallocations keep from being planned.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A deallocation that may free unplanned memory must stay in the program, so
// every site that it may free must stay unplanned, and therefore every
// deallocation of these sites must stay, too. The transitive closure is
// computed with a work list; each op and each site enters it once.

#include <assert.h>

#include "memref_analysis.h"

typedef struct closure_s {
  gmem_memref_analysis_t *analysis;
  gmem_csr_t ops_of;   // by site: deallocations that may free it
  gmem_csr_t sites_of; // by op: sites that it may free
  bool *is_kept;       // by op: it may free unplanned memory and stays
  bool *is_excluded;   // by site: because of such an op
  uint32_t *new_kept;  // work list of such ops
  size_t count;
} closure_t;

static void keep(closure_t *closure, uint32_t op) {
  if (!closure->is_kept[op])
    closure->new_kept[closure->count++] = op;
  closure->is_kept[op] = true;
}

// Lists the deallocations by the value that they free, and keeps those that may
// free memory from outside of the program. Ops with other effects do not count.
static gmem_status_t list_frees(closure_t *closure, gmem_csr_t *out_frees) {
  const gmem_memref_analysis_t *analysis = closure->analysis;
  const gmem_program_t *program = analysis->program;
  gmem_csr_pairs_t pairs = {0};
  for (uint32_t i = 0; i < program->op_count; ++i) {
    const gmem_program_op_t *op = &program->ops[i];
    if (op->kind != GMEM_OP_DEALLOC || op->opaque ||
        mlirOperationGetNumResults(op->op) != 0)
      continue;
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(op->op); ++k) {
      uint32_t value =
          gmem_memref_of(program, mlirOperationGetOperand(op->op, k));
      if (value == GMEM_NO_INDEX)
        continue;
      GMEM_APPEND(analysis->arena, &pairs, (gmem_csr_pair_t){value, i});
      if (analysis->flow.is_foreign[value])
        keep(closure, i);
    }
  }
  return gmem_csr_build(&pairs, program->value_count, analysis->arena,
                        out_frees, analysis->diag);
}

// Whether the site shares its points-to set with the one before. The sites that
// share one are the last ones.
static bool is_repeated(const gmem_memrefs_t *memrefs, size_t i) {
  return i > 0 && memrefs->sites[i].is_shared &&
         memrefs->sites[i - 1].is_shared;
}

// Lists which ops may free which sites. Of sites with a shared points-to set
// only the first is listed.
static gmem_status_t list_targets(closure_t *closure, const gmem_csr_t *frees) {
  gmem_memref_analysis_t *analysis = closure->analysis;
  const gmem_memrefs_t *memrefs = analysis->memrefs;
  gmem_csr_pairs_t by_op = {0}, by_site = {0};
  for (uint32_t i = 0; i < memrefs->site_count; ++i) {
    const gmem_allocation_site_t *site = &memrefs->sites[i];
    for (size_t k = 0; k < site->alias_count && !is_repeated(memrefs, i); ++k)
      GMEM_CSR_EACH (op, frees, site->aliases[k]) {
        GMEM_APPEND(analysis->arena, &by_op, (gmem_csr_pair_t){*op, i});
        GMEM_APPEND(analysis->arena, &by_site, (gmem_csr_pair_t){i, *op});
      }
  }
  GMEM_TRY(gmem_csr_build(&by_op, analysis->program->op_count, analysis->arena,
                          &closure->sites_of, analysis->diag));
  return gmem_csr_build(&by_site, memrefs->site_count, analysis->arena,
                        &closure->ops_of, analysis->diag);
}

// Keeps all deallocations of sites that are not planned.
static void keep_of_unplanned(closure_t *closure) {
  const gmem_memrefs_t *memrefs = closure->analysis->memrefs;
  size_t listed = 0, last = SIZE_MAX;
  for (size_t i = 0; i < memrefs->site_count; ++i) {
    listed = is_repeated(memrefs, i) ? listed : i;
    if (memrefs->sites[i].reason == GMEM_MEMREF_PLANNED || listed == last)
      continue;
    last = listed;
    GMEM_CSR_EACH (op, &closure->ops_of, listed)
      keep(closure, *op);
  }
}

// Marks site |first| as not planned, and those that share its points-to set.
// Returns whether one of them was planned before.
static bool exclude_all(gmem_memrefs_t *memrefs, size_t first, uint32_t op) {
  bool is_new = false;
  for (size_t i = first;
       i < memrefs->site_count && (i == first || is_repeated(memrefs, i));
       ++i) {
    is_new |= memrefs->sites[i].reason == GMEM_MEMREF_PLANNED;
    gmem_memref_exclude(&memrefs->sites[i], GMEM_MEMREF_FREED, op);
  }
  return is_new;
}

// Propagates from deallocations that stay to sites and back, to a fixed point.
static void close_over_kept(closure_t *closure) {
  while (closure->count) {
    uint32_t op = closure->new_kept[--closure->count];
    GMEM_CSR_EACH (site, &closure->sites_of, op) {
      if (closure->is_excluded[*site])
        continue;
      closure->is_excluded[*site] = true;
      if (exclude_all(closure->analysis->memrefs, *site, op))
        GMEM_CSR_EACH (other, &closure->ops_of, *site)
          keep(closure, *other);
    }
  }
}

gmem_status_t gmem_memref_find_deallocations(gmem_memref_analysis_t *analysis) {
  gmem_memrefs_t *memrefs = analysis->memrefs;
  gmem_bump_t *arena = analysis->arena;
  size_t ops = analysis->program->op_count;
  gmem_csr_t frees;
  closure_t closure = {.analysis = analysis};
  GMEM_TRY_ALLOC(closure.is_kept, arena, ops, analysis->diag);
  GMEM_TRY_ALLOC(closure.new_kept, arena, ops, analysis->diag);
  GMEM_TRY_ALLOC(closure.is_excluded, arena, memrefs->site_count,
                 analysis->diag);
  GMEM_TRY(list_frees(&closure, &frees));
  GMEM_TRY(list_targets(&closure, &frees));
  assert(gmem_csr_check(&frees, analysis->program->value_count, ops));
  assert(gmem_csr_check(&closure.sites_of, ops, memrefs->site_count));
  assert(gmem_csr_check(&closure.ops_of, memrefs->site_count, ops));
  keep_of_unplanned(&closure);
  close_over_kept(&closure);
  return GMEM_OK;
}
