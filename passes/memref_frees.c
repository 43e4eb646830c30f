// memref_frees.c - what frees of memory are good for once roots have places.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memref_finder.h"

typedef struct frees_s {
  uint32_t *first; // by value: where its own begin, and those of the next
  uint32_t *ops;   //   end: deallocs that free it by this name
} frees_t;

// The memref that op |index| frees, if that is all it does.
static uint32_t freed_by(const gmem_schedule_t *schedule, uint32_t index) {
  const gmem_step_t *op = &schedule->ops[index];
  return op->kind == GMEM_OP_DEALLOC && !op->opaque &&
                 mlirOperationGetNumResults(op->op) == 0 &&
                 mlirOperationGetNumOperands(op->op) != 0
             ? gmem_memref_of(schedule, mlirOperationGetOperand(op->op, 0))
             : GMEM_NO_INDEX;
}

static bool list_frees(gmem_memref_finder_t *finder, frees_t *frees) {
  const gmem_schedule_t *schedule = finder->schedule;
  size_t values = schedule->value_count, count = 0;
  frees->first = gmem_arena_alloc(finder->arena, values + 1, sizeof(uint32_t));
  if (!frees->first)
    return false;
  for (uint32_t i = 0; i < schedule->op_count; ++i) {
    uint32_t value = freed_by(schedule, i);
    if (value == GMEM_NO_INDEX)
      continue;
    ++frees->first[value];
    ++count;
  }
  frees->ops = gmem_arena_alloc(finder->arena, count, sizeof *frees->ops);
  if (!frees->ops)
    return false;
  uint32_t total = 0;
  for (size_t i = 0; i <= values; ++i)
    frees->first[i] = total += frees->first[i];
  for (uint32_t i = (uint32_t)schedule->op_count; i-- > 0;) {
    uint32_t value = freed_by(schedule, i);
    if (value != GMEM_NO_INDEX)
      frees->ops[--frees->first[value]] = i;
  }
  return true;
}

// Calls |visit| with the frees of the root.
static void for_each_free(const gmem_memref_root_t *root, const frees_t *frees,
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
    const gmem_memref_root_t *root = &memrefs->roots[i];
    if ((root->fate == GMEM_MEMREF_PLANNED) != is_planned ||
        (root->is_shared && is_done))
      continue;
    for_each_free(root, frees, visit, user);
    is_done |= root->is_shared;
  }
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

typedef struct search_s {
  const bool *is_kept;
  uint32_t found; // op, or GMEM_NO_INDEX
} search_t;

static void look_for_kept(uint32_t op, void *user) {
  search_t *search = user;
  if (search->is_kept[op] && op < search->found)
    search->found = op;
}

// The first free of the root that stays. Roots that share a list, of which
// |shared| keeps what was found in this round, all have the same.
static uint32_t first_kept(const gmem_memref_root_t *root, const frees_t *frees,
                           const spread_t *spread, search_t *shared) {
  search_t search = {spread->is_kept, GMEM_NO_INDEX};
  if (root->is_shared && shared->is_kept)
    return shared->found;
  for_each_free(root, frees, look_for_kept, &search);
  if (root->is_shared)
    *shared = search;
  return search.found;
}

// A free of memory that is left alone stays, so all that it may free is left
// alone. Rounds go on while that leaves more alone; each looks at all roots, of
// which few are of this kind.
static void spread_kept(gmem_memref_finder_t *finder, const frees_t *frees,
                        spread_t *spread) {
  gmem_memrefs_t *memrefs = finder->memrefs;
  bool is_changed = true;
  while (is_changed) {
    search_t shared = {NULL, GMEM_NO_INDEX};
    bool is_shared_kept = false;
    is_changed = false;
    for (size_t i = 0; i < memrefs->root_count; ++i) {
      gmem_memref_root_t *root = &memrefs->roots[i];
      if (root->fate != GMEM_MEMREF_PLANNED)
        continue;
      uint32_t kept = first_kept(root, frees, spread, &shared);
      if (kept == GMEM_NO_INDEX)
        continue;
      gmem_memref_leave(root, GMEM_MEMREF_FREED, kept);
      if (!root->is_shared || !is_shared_kept)
        for_each_free(root, frees, keep_free, spread);
      is_shared_kept |= root->is_shared;
      is_changed = true;
    }
  }
}

static void list_idle(uint32_t op, void *user) {
  bool *is_idle = user;
  is_idle[op] = true;
}

// Lists the frees that have planned roots for all that they may free.
static bool list_deallocs(gmem_memref_finder_t *finder, const frees_t *frees,
                          const spread_t *spread) {
  gmem_memrefs_t *memrefs = finder->memrefs;
  size_t count = finder->schedule->op_count;
  bool *is_idle = gmem_arena_alloc(finder->arena, count, sizeof *is_idle);
  memrefs->deallocs = gmem_arena_alloc(
      finder->arena, frees->first[finder->schedule->value_count],
      sizeof *memrefs->deallocs);
  if (!is_idle || !memrefs->deallocs)
    return false;
  for_each_free_of_all(memrefs, true, frees, list_idle, is_idle);
  for (uint32_t i = 0; i < count; ++i)
    if (is_idle[i] && !spread->is_kept[i])
      memrefs->deallocs[memrefs->dealloc_count++] = i;
  return true;
}

bool gmem_memref_settle_frees(gmem_memref_finder_t *finder) {
  const gmem_schedule_t *schedule = finder->schedule;
  frees_t frees = {0};
  spread_t spread = {
      gmem_arena_alloc(finder->arena, schedule->op_count, sizeof(bool)),
      gmem_arena_alloc(finder->arena, schedule->op_count, sizeof(uint32_t)), 0};
  if (!spread.is_kept || !spread.new_kept || !list_frees(finder, &frees))
    return false;
  for (uint32_t i = 0; i < schedule->op_count; ++i) {
    uint32_t value = freed_by(schedule, i);
    if (value != GMEM_NO_INDEX && finder->flow.is_foreign[value])
      spread.is_kept[i] = true;
  }
  for_each_free_of_all(finder->memrefs, false, &frees, keep_free, &spread);
  spread_kept(finder, &frees, &spread);
  return list_deallocs(finder, &frees, &spread);
}
