// deallocations.c - what frees of memory are good for once roots have places.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "deallocations.h"

#include "memref_analysis.h"

typedef struct frees_s {
  uint32_t *first; // by value: where its own begin, and those of the next
  uint32_t *ops;   //   end: deallocs that free it by this name
} frees_t;

// How many operands of op |index| it may free, if that is all it does.
static intptr_t count_freed(const gmem_program_t *program, uint32_t index) {
  const gmem_op_t *op = &program->ops[index];
  return op->kind == GMEM_OP_DEALLOC && !op->opaque &&
                 mlirOperationGetNumResults(op->op) == 0
             ? mlirOperationGetNumOperands(op->op)
             : 0;
}

// Operand |i| of op |index|, if that is a memref; or GMEM_NO_INDEX.
static uint32_t freed_by(const gmem_program_t *program, uint32_t index,
                         intptr_t i) {
  return gmem_memref_of(program,
                        mlirOperationGetOperand(program->ops[index].op, i));
}

static bool list_frees(gmem_memref_analysis_t *finder, frees_t *frees) {
  const gmem_program_t *program = finder->program;
  size_t values = program->value_count, count = 0;
  frees->first = gmem_bump_alloc(finder->arena, values + 1, sizeof(uint32_t));
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
  frees->ops = gmem_bump_alloc(finder->arena, count, sizeof *frees->ops);
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

// Calls |visit| with the frees of the root.
static void for_each_free(const gmem_allocation_site_t *root,
                          const frees_t *frees,
                          void (*visit)(uint32_t op, void *user), void *user) {
  for (size_t i = 0; i < root->seen_count; ++i)
    for (uint32_t f = frees->first[root->seen_as[i]];
         f < frees->first[root->seen_as[i] + 1]; ++f)
      visit(frees->ops[f], user);
}

// The same for all roots that are planned, or for those that are not. A list
// that roots share is looked at once.
static void for_each_free_of_all(const gmem_memrefs_t *memrefs, bool is_planned,
                                 const frees_t *frees,
                                 void (*visit)(uint32_t op, void *user),
                                 void *user) {
  bool is_done = false; // the shared list
  for (size_t i = 0; i < memrefs->root_count; ++i) {
    const gmem_allocation_site_t *root = &memrefs->roots[i];
    if ((root->reason == GMEM_MEMREF_PLANNED) != is_planned ||
        (root->is_shared && is_done))
      continue;
    for_each_free(root, frees, visit, user);
    is_done |= root->is_shared;
  }
}

// Whether the root shares its list with the one before. Those that share one
// are the last of all roots.
static bool is_repeated(const gmem_memrefs_t *memrefs, size_t i) {
  return i > 0 && memrefs->roots[i].is_shared &&
         memrefs->roots[i - 1].is_shared;
}

typedef struct spread_s {
  bool *is_kept;      // by op: it may free what is not planned
  uint32_t *new_kept; // those of which that has just been found
  size_t count;
} spread_t;

static void keep_free(uint32_t op, void *user) {
  spread_t *spread = user;
  if (!spread->is_kept[op])
    spread->new_kept[spread->count++] = op;
  spread->is_kept[op] = true;
}

typedef struct targets_s {
  uint32_t *first; // by op: where its own begin, and those of the next end
  uint32_t *roots; // indices
  uint32_t root;   // at hand
} targets_t;

static void count_target(uint32_t op, void *user) {
  targets_t *targets = user;
  ++targets->first[op];
}

static void add_target(uint32_t op, void *user) {
  targets_t *targets = user;
  targets->roots[--targets->first[op]] = targets->root;
}

// The roots that each op may free, by op: those of one that is kept are left
// alone. Of roots that share a list only the first is there.
static bool list_targets(gmem_memref_analysis_t *finder, const frees_t *frees,
                         targets_t *targets) {
  const gmem_memrefs_t *memrefs = finder->memrefs;
  size_t ops = finder->program->op_count;
  targets->first = gmem_bump_alloc(finder->arena, ops + 1, sizeof(uint32_t));
  if (!targets->first)
    return false;
  for (size_t i = 0; i < memrefs->root_count; ++i)
    if (!is_repeated(memrefs, i))
      for_each_free(&memrefs->roots[i], frees, count_target, targets);
  uint32_t total = 0;
  for (size_t i = 0; i <= ops; ++i)
    targets->first[i] = total += targets->first[i];
  targets->roots = gmem_bump_alloc(finder->arena, total, sizeof(uint32_t));
  if (!targets->roots)
    return false;
  for (targets->root = (uint32_t)memrefs->root_count; targets->root-- > 0;)
    if (!is_repeated(memrefs, targets->root))
      for_each_free(&memrefs->roots[targets->root], frees, add_target, targets);
  return true;
}

// Leaves root |first| alone, and those that share its list. Returns whether
// one of them was not.
static bool leave_all(gmem_memrefs_t *memrefs, size_t first, uint32_t op) {
  bool is_new = false;
  for (size_t i = first;
       i < memrefs->root_count && (i == first || is_repeated(memrefs, i));
       ++i) {
    is_new |= memrefs->roots[i].reason == GMEM_MEMREF_PLANNED;
    gmem_memref_leave(&memrefs->roots[i], GMEM_MEMREF_FREED, op);
  }
  return is_new;
}

// A free of memory that is left alone stays, so all that it may free is left
// alone, and with that all frees of it.
static void spread_kept(gmem_memref_analysis_t *finder, const frees_t *frees,
                        const targets_t *targets, spread_t *spread) {
  gmem_memrefs_t *memrefs = finder->memrefs;
  bool are_shared_left = false;
  while (spread->count) {
    uint32_t op = spread->new_kept[--spread->count];
    for (uint32_t t = targets->first[op]; t < targets->first[op + 1]; ++t) {
      const gmem_allocation_site_t *root = &memrefs->roots[targets->roots[t]];
      if (root->is_shared && are_shared_left)
        continue;
      are_shared_left |= root->is_shared;
      if (leave_all(memrefs, targets->roots[t], op))
        for_each_free(root, frees, keep_free, spread);
    }
  }
}

static void list_idle(uint32_t op, void *user) {
  bool *is_idle = user;
  is_idle[op] = true;
}

// Lists the frees that have planned roots for all that they may free.
static bool list_deallocs(gmem_memref_analysis_t *finder, const frees_t *frees,
                          const spread_t *spread) {
  gmem_memrefs_t *memrefs = finder->memrefs;
  size_t count = finder->program->op_count;
  bool *is_idle = gmem_bump_alloc(finder->arena, count, sizeof *is_idle);
  memrefs->deallocs =
      gmem_bump_alloc(finder->arena, frees->first[finder->program->value_count],
                      sizeof *memrefs->deallocs);
  if (!is_idle || !memrefs->deallocs)
    return false;
  for_each_free_of_all(memrefs, true, frees, list_idle, is_idle);
  for (uint32_t i = 0; i < count; ++i)
    if (is_idle[i] && !spread->is_kept[i])
      memrefs->deallocs[memrefs->dealloc_count++] = i;
  return true;
}

static void keep_foreign(const gmem_memref_analysis_t *finder,
                         spread_t *spread) {
  const gmem_program_t *program = finder->program;
  for (uint32_t op = 0; op < program->op_count; ++op)
    for (intptr_t i = 0; i < count_freed(program, op); ++i) {
      uint32_t value = freed_by(program, op, i);
      if (value != GMEM_NO_INDEX && finder->flow.is_foreign[value])
        keep_free(op, spread);
    }
}

bool gmem_memref_settle_deallocations(gmem_memref_analysis_t *finder) {
  const gmem_program_t *program = finder->program;
  frees_t frees = {0};
  targets_t targets = {0};
  spread_t spread = {
      gmem_bump_alloc(finder->arena, program->op_count, sizeof(bool)),
      gmem_bump_alloc(finder->arena, program->op_count, sizeof(uint32_t)), 0};
  if (!spread.is_kept || !spread.new_kept || !list_frees(finder, &frees) ||
      !list_targets(finder, &frees, &targets))
    return false;
  keep_foreign(finder, &spread);
  for_each_free_of_all(finder->memrefs, false, &frees, keep_free, &spread);
  spread_kept(finder, &frees, &targets, &spread);
  return list_deallocs(finder, &frees, &spread);
}
