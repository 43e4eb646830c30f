// deallocations.c - deallocations that the plan makes superfluous.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A deallocation that may free unplanned memory must stay in the program, so
// every site that it may free must stay unplanned, and therefore every
// deallocation of these sites must stay, too. The transitive closure is
// computed with a work list; each op and each site enters it once.

#include "deallocations.h"

#include "memref_analysis.h"

typedef struct frees_s {
  uint32_t *first; // by value: index of its first deallocation in |ops|; the
                   // next entry is the end
  uint32_t *ops;   //   end: deallocs that free it by this name
} frees_t;

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

static bool list_frees(gmem_memref_analysis_t *analysis, frees_t *frees) {
  const gmem_program_t *program = analysis->program;
  size_t values = program->value_count, count = 0;
  frees->first = gmem_bump_alloc(analysis->arena, values + 1, sizeof(uint32_t));
  if (!frees->first)
    return false;
  for (uint32_t op = 0; op < program->op_count; ++op)
    for (intptr_t i = 0; i < count_freed(program, op); ++i) {
      uint32_t value = freed_by(program, op, i);
      if (value == GMEM_NO_INDEX)
        continue;
      ++frees->first[value];
      ++count;
    }
  frees->ops = gmem_bump_alloc(analysis->arena, count, sizeof *frees->ops);
  if (!frees->ops)
    return false;
  uint32_t total = 0;
  for (size_t i = 0; i <= values; ++i)
    frees->first[i] = total += frees->first[i];
  for (uint32_t op = (uint32_t)program->op_count; op-- > 0;)
    for (intptr_t i = 0; i < count_freed(program, op); ++i) {
      uint32_t value = freed_by(program, op, i);
      if (value != GMEM_NO_INDEX)
        frees->ops[--frees->first[value]] = op;
    }
  return true;
}

// Calls |visit| for each deallocation of the site.
static void for_each_free(const gmem_allocation_site_t *site,
                          const frees_t *frees,
                          void (*visit)(uint32_t op, void *user), void *user) {
  for (size_t i = 0; i < site->seen_count; ++i)
    for (uint32_t f = frees->first[site->seen_as[i]];
         f < frees->first[site->seen_as[i] + 1]; ++f)
      visit(frees->ops[f], user);
}

// The same for all sites that are planned, or for all that are not. A points-to
// set that several sites share is visited once.
static void for_each_free_of_all(const gmem_memrefs_t *memrefs, bool is_planned,
                                 const frees_t *frees,
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

typedef struct targets_s {
  uint32_t *first; // by op: index of its first site in |sites|; the next entry
                   // is the end
  uint32_t *sites; // indices
  uint32_t site;   // at hand
} targets_t;

static void count_site(uint32_t op, void *user) {
  targets_t *targets = user;
  ++targets->first[op];
}

static void add_site(uint32_t op, void *user) {
  targets_t *targets = user;
  targets->sites[--targets->first[op]] = targets->site;
}

// Lists the sites that each op may free. Of sites with a shared points-to set
// only the first is listed.
static bool list_targets(gmem_memref_analysis_t *analysis, const frees_t *frees,
                         targets_t *targets) {
  const gmem_memrefs_t *memrefs = analysis->memrefs;
  size_t ops = analysis->program->op_count;
  targets->first = gmem_bump_alloc(analysis->arena, ops + 1, sizeof(uint32_t));
  if (!targets->first)
    return false;
  for (size_t i = 0; i < memrefs->site_count; ++i)
    if (!is_repeated(memrefs, i))
      for_each_free(&memrefs->sites[i], frees, count_site, targets);
  uint32_t total = 0;
  for (size_t i = 0; i <= ops; ++i)
    targets->first[i] = total += targets->first[i];
  targets->sites = gmem_bump_alloc(analysis->arena, total, sizeof(uint32_t));
  if (!targets->sites)
    return false;
  for (targets->site = (uint32_t)memrefs->site_count; targets->site-- > 0;)
    if (!is_repeated(memrefs, targets->site))
      for_each_free(&memrefs->sites[targets->site], frees, add_site, targets);
  return true;
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
                            const frees_t *frees, const targets_t *targets,
                            closure_t *closure) {
  gmem_memrefs_t *memrefs = analysis->memrefs;
  bool are_shared_excluded = false;
  while (closure->count) {
    uint32_t op = closure->new_kept[--closure->count];
    for (uint32_t t = targets->first[op]; t < targets->first[op + 1]; ++t) {
      const gmem_allocation_site_t *site = &memrefs->sites[targets->sites[t]];
      if (site->is_shared && are_shared_excluded)
        continue;
      are_shared_excluded |= site->is_shared;
      if (exclude_all(memrefs, targets->sites[t], op))
        for_each_free(site, frees, keep_free, closure);
    }
  }
}

static void mark_superfluous(uint32_t op, void *user) {
  bool *is_superfluous = user;
  is_superfluous[op] = true;
}

// Lists the deallocations that free only planned sites.
static bool list_deallocs(gmem_memref_analysis_t *analysis,
                          const frees_t *frees, const closure_t *closure) {
  gmem_memrefs_t *memrefs = analysis->memrefs;
  size_t count = analysis->program->op_count;
  bool *is_superfluous =
      gmem_bump_alloc(analysis->arena, count, sizeof *is_superfluous);
  memrefs->deallocs = gmem_bump_alloc(
      analysis->arena, frees->first[analysis->program->value_count],
      sizeof *memrefs->deallocs);
  if (!is_superfluous || !memrefs->deallocs)
    return false;
  for_each_free_of_all(memrefs, true, frees, mark_superfluous, is_superfluous);
  for (uint32_t i = 0; i < count; ++i)
    if (is_superfluous[i] && !closure->is_kept[i])
      memrefs->deallocs[memrefs->dealloc_count++] = i;
  return true;
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

bool gmem_memref_find_deallocations(gmem_memref_analysis_t *analysis) {
  const gmem_program_t *program = analysis->program;
  frees_t frees = {0};
  targets_t targets = {0};
  closure_t closure = {
      gmem_bump_alloc(analysis->arena, program->op_count, sizeof(bool)),
      gmem_bump_alloc(analysis->arena, program->op_count, sizeof(uint32_t)), 0};
  if (!closure.is_kept || !closure.new_kept || !list_frees(analysis, &frees) ||
      !list_targets(analysis, &frees, &targets))
    return false;
  keep_external(analysis, &closure);
  for_each_free_of_all(analysis->memrefs, false, &frees, keep_free, &closure);
  close_over_kept(analysis, &frees, &targets, &closure);
  return list_deallocs(analysis, &frees, &closure);
}
