// deallocations.c - deallocations that the plan makes superfluous.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A deallocation that may free unplanned memory must stay in the program, so
// every site that it may free must stay unplanned, and therefore every
// deallocation of these sites must stay, too. The transitive closure is
// computed with a work list; each op and each site enters it once.

#include "deallocations.h"

#include <assert.h>

#include "memref_analysis.h"

// The number of operands that op |index| may deallocate; 0 if it has other
// effects.
static intptr_t count_freed(const gmem_program_t *program, uint32_t index) {
  const gmem_program_op_t *op = &program->ops[index];
  return op->kind == GMEM_OP_DEALLOC && !op->opaque &&
                 mlirOperationGetNumResults(op->op) == 0
             ? mlirOperationGetNumOperands(op->op)
             : 0;
}

// Operand |i| of op |index| if it is a memref, else GMEM_NO_INDEX.
static uint32_t freed_by(const gmem_program_t *program, uint32_t index,
                         intptr_t i) {
  return gmem_memref_of(program,
                        mlirOperationGetOperand(program->ops[index].op, i));
}

// Lists the deallocations by the value that they free.
static gmem_status_t list_frees(gmem_memref_analysis_t *analysis,
                                gmem_csr_t *out_frees) {
  const gmem_program_t *program = analysis->program;
  gmem_csr_pairs_t pairs = {0};
  for (uint32_t op = 0; op < program->op_count; ++op)
    for (intptr_t i = 0; i < count_freed(program, op); ++i) {
      uint32_t value = freed_by(program, op, i);
      if (value != GMEM_NO_INDEX)
        GMEM_APPEND(analysis->arena, &pairs, (gmem_csr_pair_t){value, op});
    }
  return gmem_csr_build(&pairs, program->value_count, analysis->arena,
                        out_frees, analysis->diag);
}

// Calls |visit| for each deallocation of the site.
static void for_each_free(const gmem_allocation_site_t *site,
                          const gmem_csr_t *frees,
                          void (*visit)(uint32_t op, void *user), void *user) {
  for (size_t i = 0; i < site->seen_count; ++i)
    GMEM_CSR_EACH (op, frees, site->seen_as[i])
      visit(*op, user);
}

// Whether the site shares its points-to set with the one before. The sites that
// share one are the last ones.
static bool is_repeated(const gmem_memrefs_t *memrefs, size_t i) {
  return i > 0 && memrefs->sites[i].is_shared &&
         memrefs->sites[i - 1].is_shared;
}

typedef struct closure_s {
  bool *is_kept;      // by op: it may free unplanned memory and stays
  uint32_t *new_kept; // work list of such ops
  size_t count;
} closure_t;

static void keep_free(uint32_t op, void *user) {
  closure_t *closure = user;
  if (!closure->is_kept[op])
    closure->new_kept[closure->count++] = op;
  closure->is_kept[op] = true;
}

// Calls |visit| for each deallocation of the sites that are planned, or of
// those that are not. A points-to set that several sites share is visited once.
static void for_each_free_of_all(const gmem_memrefs_t *memrefs, bool is_planned,
                                 const gmem_csr_t *frees,
                                 void (*visit)(uint32_t op, void *user),
                                 void *user) {
  bool is_done = false; // the shared points-to set
  for (size_t i = 0; i < memrefs->site_count; ++i) {
    const gmem_allocation_site_t *site = &memrefs->sites[i];
    if ((site->reason == GMEM_MEMREF_PLANNED) != is_planned ||
        (site->is_shared && is_done))
      continue;
    for_each_free(site, frees, visit, user);
    is_done |= site->is_shared;
  }
}

typedef struct targets_s {
  gmem_bump_t *arena;
  gmem_csr_pairs_t pairs;
  uint32_t site; // at hand
} targets_t;

static void add_site(uint32_t op, void *user) {
  targets_t *targets = user;
  GMEM_APPEND(targets->arena, &targets->pairs,
              (gmem_csr_pair_t){op, targets->site});
}

// Lists the sites that each op may free. Of sites with a shared points-to set
// only the first is listed.
static gmem_status_t list_targets(gmem_memref_analysis_t *analysis,
                                  const gmem_csr_t *frees,
                                  gmem_csr_t *out_sites) {
  const gmem_memrefs_t *memrefs = analysis->memrefs;
  targets_t targets = {.arena = analysis->arena};
  for (; targets.site < memrefs->site_count; ++targets.site)
    if (!is_repeated(memrefs, targets.site))
      for_each_free(&memrefs->sites[targets.site], frees, add_site, &targets);
  return gmem_csr_build(&targets.pairs, analysis->program->op_count,
                        analysis->arena, out_sites, analysis->diag);
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
static void close_over_kept(gmem_memref_analysis_t *analysis,
                            const gmem_csr_t *frees, const gmem_csr_t *targets,
                            closure_t *closure) {
  gmem_memrefs_t *memrefs = analysis->memrefs;
  bool are_shared_excluded = false;
  while (closure->count) {
    uint32_t op = closure->new_kept[--closure->count];
    GMEM_CSR_EACH (target, targets, op) {
      const gmem_allocation_site_t *site = &memrefs->sites[*target];
      if (site->is_shared && are_shared_excluded)
        continue;
      are_shared_excluded |= site->is_shared;
      if (exclude_all(memrefs, *target, op))
        for_each_free(site, frees, keep_free, closure);
    }
  }
}

static void mark_superfluous(uint32_t op, void *user) {
  bool *is_superfluous = user;
  is_superfluous[op] = true;
}

// Lists the deallocations that free only planned sites.
static gmem_status_t list_deallocs(gmem_memref_analysis_t *analysis,
                                   const gmem_csr_t *frees,
                                   const closure_t *closure) {
  gmem_memrefs_t *memrefs = analysis->memrefs;
  size_t count = analysis->program->op_count;
  bool *is_superfluous;
  GMEM_TRY_ALLOC(is_superfluous, analysis->arena, count, analysis->diag);
  GMEM_TRY_ALLOC(memrefs->deallocs, analysis->arena,
                 frees->first[analysis->program->value_count], analysis->diag);
  for_each_free_of_all(memrefs, true, frees, mark_superfluous, is_superfluous);
  for (uint32_t i = 0; i < count; ++i)
    if (is_superfluous[i] && !closure->is_kept[i])
      memrefs->deallocs[memrefs->dealloc_count++] = i;
  return GMEM_OK;
}

static void keep_external(const gmem_memref_analysis_t *analysis,
                          closure_t *closure) {
  const gmem_program_t *program = analysis->program;
  for (uint32_t op = 0; op < program->op_count; ++op)
    for (intptr_t i = 0; i < count_freed(program, op); ++i) {
      uint32_t value = freed_by(program, op, i);
      if (value != GMEM_NO_INDEX && analysis->flow.is_foreign[value])
        keep_free(op, closure);
    }
}

gmem_status_t gmem_memref_find_deallocations(gmem_memref_analysis_t *analysis) {
  size_t ops = analysis->program->op_count;
  gmem_csr_t frees, targets;
  closure_t closure = {0};
  GMEM_TRY_ALLOC(closure.is_kept, analysis->arena, ops, analysis->diag);
  GMEM_TRY_ALLOC(closure.new_kept, analysis->arena, ops, analysis->diag);
  GMEM_TRY(list_frees(analysis, &frees));
  GMEM_TRY(list_targets(analysis, &frees, &targets));
  assert(gmem_csr_check(&frees, analysis->program->value_count, ops));
  assert(gmem_csr_check(&targets, ops, analysis->memrefs->site_count));
  keep_external(analysis, &closure);
  for_each_free_of_all(analysis->memrefs, false, &frees, keep_free, &closure);
  close_over_kept(analysis, &frees, &targets, &closure);
  assert(closure.count == 0);
  return list_deallocs(analysis, &frees, &closure);
}
