// sharing_finder.c - collects optional aliases without duplicates per op.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sharing_finder.h"

#include <assert.h>

#include "vocabulary.h"

bool gmem_runs_as_modelled(const gmem_program_op_t *entry) {
  if (entry->group != GMEM_NO_GROUP || entry->parallel || entry->deferred)
    return false;
  return !entry->opaque ||
         (entry->kind == GMEM_OP_SCALAR_BODY &&
          mlirAttributeIsNull(mlirOperationGetDiscardableAttributeByName(
              entry->op, gmem_attr_name(GMEM_ATTR_LAYER_GROUP))));
}

uint32_t gmem_finder_tensor(const gmem_sharing_finder_t *finder,
                            MlirValue value) {
  uint32_t found = gmem_program_find(finder->program, value);
  return found != GMEM_NO_INDEX &&
                 finder->liveness->live_values[found].storage ==
                     GMEM_STORAGE_TENSOR &&
                 finder->liveness->set_of[found] != GMEM_NO_INDEX &&
                 finder->program->values[found].size != 0
             ? found
             : GMEM_NO_INDEX;
}

uint32_t gmem_finder_set(const gmem_sharing_finder_t *finder, MlirValue value) {
  uint32_t found = gmem_finder_tensor(finder, value);
  return found == GMEM_NO_INDEX ? found : gmem_finder_set_of(finder, found);
}

gmem_alias_set_reads_t *gmem_finder_reads(gmem_sharing_finder_t *finder,
                                          uint32_t op, uint32_t set) {
  assert(set < finder->liveness->set_count);
  gmem_alias_set_reads_t *reads = &finder->reads[set];
  if (reads->op != op + 1)
    *reads = (gmem_alias_set_reads_t){.op = op + 1};
  return reads;
}

static bool is_same(const gmem_sharing_finder_t *finder, const gmem_alias_t *a,
                    const gmem_alias_t *b) {
  return gmem_finder_set_of(finder, a->child) ==
             gmem_finder_set_of(finder, b->child) &&
         gmem_finder_set_of(finder, a->parent) ==
             gmem_finder_set_of(finder, b->parent) &&
         a->offset == b->offset;
}

// The table entry of this alias of the current op, or a free entry for it.
// Entries of other ops count as free.
static uint32_t *place_in_table(const gmem_sharing_finder_t *finder,
                                const gmem_alias_t *alias) {
  const gmem_aliases_t *list = finder->aliases;
  uint64_t hash = (uint64_t)gmem_finder_set_of(finder, alias->child) << 32 |
                  gmem_finder_set_of(finder, alias->parent);
  hash = (hash ^ alias->offset * UINT64_C(0x9e3779b97f4a7c15)) *
         UINT64_C(0xff51afd7ed558ccd);
  for (size_t i = hash >> 32;; ++i) {
    uint32_t *place = &finder->table[i & finder->table_mask];
    if (*place < finder->first_of_op || *place >= list->count ||
        is_same(finder, &list->aliases[*place], alias))
      return place;
  }
}

// Grows the table to at least twice the number of aliases of the op.
static bool make_room_in_table(gmem_sharing_finder_t *finder) {
  enum { LEAST = 64 };
  const gmem_aliases_t *list = finder->aliases;
  size_t size = finder->table ? finder->table_mask + 1 : 0;
  if (2 * (list->count - finder->first_of_op) < size)
    return true;
  size = size ? 2 * size : LEAST;
  uint32_t *table = gmem_bump_alloc(finder->arena, size, sizeof *table);
  if (!table)
    return false;
  for (size_t i = 0; i < size; ++i)
    table[i] = GMEM_NO_INDEX;
  finder->table = table;
  finder->table_mask = size - 1;
  assert(2 * (list->count - finder->first_of_op) < size);
  for (size_t i = finder->first_of_op; i < list->count; ++i)
    *place_in_table(finder, &list->aliases[i]) = (uint32_t)i;
  return true;
}

void gmem_finder_add(gmem_sharing_finder_t *finder, const gmem_alias_t *alias) {
  gmem_aliases_t *list = finder->aliases;
  assert(gmem_finder_set_of(finder, alias->child) !=
         gmem_finder_set_of(finder, alias->parent));
  if (!(finder->options->sharing & alias->kind) || !make_room_in_table(finder))
    return;
  uint32_t *place = place_in_table(finder, alias);
  if (*place >= finder->first_of_op && *place < list->count)
    return;
  if (!gmem_bump_grow(finder->arena, &list->aliases, list->count, &list->room,
                      sizeof *alias))
    return;
  *place = (uint32_t)list->count;
  list->aliases[list->count++] = *alias;
}

bool gmem_aliases_check(const gmem_aliases_t *aliases,
                        const gmem_liveness_t *liveness) {
  const gmem_value_t *values = liveness->program->values;
  for (size_t i = 0; i < aliases->count; ++i) {
    const gmem_alias_t *alias = &aliases->aliases[i];
    if ((i && aliases->aliases[i - 1].op > alias->op) ||
        liveness->set_of[alias->child] == liveness->set_of[alias->parent] ||
        alias->offset % aliases->view_alignment ||
        alias->offset + values[alias->child].size > values[alias->parent].size)
      return false;
  }
  return true;
}
