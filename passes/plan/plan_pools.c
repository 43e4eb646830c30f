// plan_pools.c - gmem.pool_table and gmem.plan against the program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <assert.h>
#include <stdlib.h>

#include "diagnostics.h"
#include "ir_reading.h"
#include "plan_verifier.h"
#include "pool_bases.h"
#include "scope_bound.h"

// A possible error. Lists of them end with {0}.
typedef struct figure_s {
  bool is_wrong;
  const char *what;
  const char *why; // of a pool
} figure_t;

// Reports the first of |figures| that is wrong as "WHAT", or, if |pool| is not
// NULL, as "gmem.pool_table WHAT 'name'WHY".
static gmem_status_t check_all(const gmem_plan_verifier_t *verifier,
                               const figure_t *figures,
                               const MlirStringRef *pool) {
  MlirOperation scope = verifier->analysis->program.scope;
  while (figures->what && !figures->is_wrong)
    ++figures;
  if (!figures->what)
    return GMEM_OK;
  if (!pool)
    return gmem_op_error(verifier->diag, GMEM_ERR_CORRUPT, scope,
                         "the plan's figures are wrong: %s", figures->what);
  return gmem_op_error(
      verifier->diag, GMEM_ERR_CORRUPT, scope,
      "the plan's figures are wrong: gmem.pool_table %s '%.*s'%s",
      figures->what, (int)pool->length, pool->data, figures->why);
}

// Replaces the stated |*figure| by that of the program, |now|. Returns whether
// they differ.
static bool update(uint64_t *figure, uint64_t now) {
  bool is_stale = *figure != now;
  *figure = now;
  return is_stale;
}

// Notes at the scope that figure |key| of a pool is |now|.
static void add_stale(const gmem_plan_verifier_t *verifier,
                      const gmem_pool_entry_t *entry, const char *key,
                      uint64_t now, uint64_t stated) {
  MlirOperation scope = verifier->analysis->program.scope;
  gmem_stale_figures_add(
      verifier->stale, mlirOperationGetLocation(scope),
      "pool '%.*s' has %s %llu, not %llu as in gmem.pool_table",
      (int)entry->name.length, entry->name.data, key, (unsigned long long)now,
      (unsigned long long)stated);
}

// Checks the table's entry of a pool. In a memory space each buffer has its own
// alignment; the pool has the largest.
static gmem_status_t check_entry(const gmem_plan_verifier_t *verifier,
                                 uint32_t index, gmem_pool_entry_t *entry) {
  const gmem_candidate_pools_t *pools = verifier->part.pools;
  const gmem_candidate_pool_t *pool = &pools->all[index];
  const gmem_memory_t *memory = pool->memory;
  bool constant = verifier->part.constant;
  const char *gives = memory ? "gives memory" : "gives memory space";
  uint64_t required =
      gmem_candidate_pool_alignment(pools, index, entry->alignment);
  uint64_t stated = entry->hint, hint = stated;
  if (memory)
    hint = memory->size == GMEM_UNLIMITED ? 0 : memory->size;
  const figure_t figures[] = {
      {constant && entry->alignment < pool->alignment, "aligns constant pool",
       " less than a constant in it requires"},
      {constant && memory && entry->alignment < memory->alignment,
       "aligns memory", " less than gmem.memories"},
      {!constant && pool->kind == GMEM_POOL_KIND_SPACE &&
           entry->base != GMEM_NO_BASE,
       gives, " an address"},
      {!constant && entry->alignment < required, gives,
       " a smaller alignment than its buffers require"},
      {memory && entry->capacity > memory->capacity, gives,
       " a larger capacity than gmem.memories"},
      {entry->is_init && !pool->is_init, "takes for one of initialisation pool",
       ""},
      {pool->is_init && !entry->is_init,
       "does not take for one of initialisation pool", ""},
      {0}};
  GMEM_TRY(check_all(verifier, figures, &entry->name));
  if (!constant && entry->alignment > required) // more than it needs to be
    add_stale(verifier, entry, "alignment", required, entry->alignment);
  if (update(&entry->hint, hint))
    add_stale(verifier, entry, "size_hint", hint, stated);
  return GMEM_OK;
}

// Finds the table's entry of a pool and checks it. The size in the table is the
// limit of the check. A pool that the table does not list is empty: no buffer
// has a placement in it.
static gmem_status_t set_pool(gmem_plan_verifier_t *verifier, uint32_t index) {
  const gmem_pool_table_t *table = &verifier->plan->pools;
  const gmem_candidate_pools_t *pools = verifier->part.pools;
  bool constant = verifier->part.constant;
  MlirStringRef name = gmem_string(pools->all[index].name);
  uint32_t found = gmem_pool_table_find(table, name);
  gmem_pool_entry_t unlisted = {.name = name,
                                .alignment = 1,
                                .base = GMEM_NO_BASE,
                                .is_init = pools->all[index].is_init};
  gmem_pool_entry_t *entry =
      found == GMEM_NO_INDEX ? &unlisted : &table->entries[found];
  const figure_t figures[] = {
      {entry != &unlisted && entry->constant != constant,
       constant ? "lists no constant pool" : "lists no workspace pool", ""},
      {0}};
  GMEM_TRY(check_all(verifier, figures, &name));
  if (entry != &unlisted)
    GMEM_TRY(check_entry(verifier, index, entry));
  else if (pools->all[index].memory)
    gmem_stale_figures_add(
        verifier->stale,
        mlirOperationGetLocation(verifier->analysis->program.scope),
        "gmem.pool_table does not list memory '%.*s'", (int)name.length,
        name.data);
  verifier->entries[index] = found;
  verifier->specs[index] = (gmem_pool_spec_t){
      .name = pools->all[index].name,
      .capacity = entry->size ? entry->size : 1,
      .alignment =
          constant ? entry->alignment
                   : gmem_candidate_pool_unit(pools, index, entry->alignment),
      .base = entry->base == GMEM_NO_BASE ? 0 : entry->base};
  return GMEM_OK;
}

// A pool that the program no longer uses.
static void drop_pool(const gmem_plan_verifier_t *verifier,
                      gmem_pool_entry_t *entry) {
  MlirOperation scope = verifier->analysis->program.scope;
  gmem_stale_figures_add(verifier->stale, mlirOperationGetLocation(scope),
                         "gmem.pool_table lists pool '%.*s', which this module "
                         "does not use",
                         (int)entry->name.length, entry->name.data);
  entry->size = entry->lower_bound = 0;
}

gmem_status_t gmem_verifier_set_pools(gmem_plan_verifier_t *verifier) {
  const gmem_pool_table_t *table = &verifier->plan->pools;
  const gmem_candidate_pools_t *pools = verifier->part.pools;
  gmem_bump_t *arena = verifier->analysis->arena;
  assert(gmem_candidate_pools_check(pools));
  GMEM_TRY_ALLOC(verifier->entries, arena, pools->count, verifier->diag);
  GMEM_TRY_ALLOC(verifier->specs, arena, pools->count, verifier->diag);
  for (uint32_t i = 0; i < pools->count; ++i)
    GMEM_TRY(set_pool(verifier, i));
  for (uint32_t i = 0; i < table->count; ++i)
    if (table->entries[i].constant == verifier->part.constant &&
        gmem_candidate_pool_find(pools, table->entries[i].name) ==
            GMEM_NO_INDEX)
      drop_pool(verifier, &table->entries[i]);
  return GMEM_OK;
}

// Checks base addresses against gmem.memories.
static gmem_status_t check_bases(const gmem_plan_verifier_t *verifier) {
  const gmem_pool_table_t *table = &verifier->plan->pools;
  uint64_t *bases;
  GMEM_TRY_ALLOC(bases, verifier->analysis->arena, table->count,
                 verifier->diag);
  gmem_pool_bases_find(&verifier->analysis->program, table, bases);
  for (uint32_t i = 0; i < table->count; ++i) {
    const figure_t figures[] = {{table->entries[i].base != bases[i],
                                 "gives memory",
                                 " a different base than gmem.memories"},
                                {0}};
    GMEM_TRY(check_all(verifier, figures, &table->entries[i].name));
  }
  return GMEM_OK;
}

// Checks that pools are inside the memory that they share with other modules,
// at an aligned offset.
static gmem_status_t check_shared_memory(const gmem_plan_verifier_t *verifier) {
  const gmem_pool_table_t *table = &verifier->plan->pools;
  for (uint32_t i = 0; i < table->count; ++i) {
    const gmem_pool_entry_t *entry = &table->entries[i];
    uint64_t offset = entry->shared_offset, size = entry->shared_size;
    const figure_t figures[] = {
        {offset > size || entry->size > size - offset, "extends pool",
         " past the end of the memory that it shares"},
        {size > entry->capacity, "gives pool",
         " a shared_size larger than its capacity"},
        {(offset & (entry->alignment - 1)) != 0, "gives pool",
         " a shared_offset that is not aligned"},
        {0}};
    if (size || offset)
      GMEM_TRY(check_all(verifier, figures, &entry->name));
  }
  return GMEM_OK;
}

static int by_base(const void *a, const void *b) {
  const gmem_pool_entry_t *left = *(const gmem_pool_entry_t *const *)a;
  const gmem_pool_entry_t *right = *(const gmem_pool_entry_t *const *)b;
  if (left->base != right->base)
    return left->base < right->base ? -1 : 1;
  return (left > right) - (left < right); // in table order
}

// Checks that the address ranges of pools do not overlap.
static gmem_status_t check_overlaps(const gmem_plan_verifier_t *verifier) {
  const gmem_pool_table_t *table = &verifier->plan->pools;
  const gmem_pool_entry_t **sorted;
  size_t count = 0;
  GMEM_TRY_ALLOC(sorted, verifier->analysis->arena, table->count,
                 verifier->diag);
  for (uint32_t i = 0; i < table->count; ++i)
    if (table->entries[i].size && table->entries[i].base != GMEM_NO_BASE)
      sorted[count++] = &table->entries[i];
  qsort(sorted, count, sizeof(void *), by_base);
  for (size_t i = 1; i < count; ++i) {
    const gmem_pool_entry_t *low = sorted[i - 1], *high = sorted[i];
    if (low->size <= high->base - low->base)
      continue;
    MlirStringRef first = low < high ? low->name : high->name; // in the table
    MlirStringRef second = low < high ? high->name : low->name;
    return gmem_op_error(
        verifier->diag, GMEM_ERR_OVERLAP, verifier->analysis->program.scope,
        "pools '%.*s' and '%.*s' share addresses: change the %s",
        (int)first.length, first.data, (int)second.length, second.data,
        verifier->analysis->program.memory_count
            ? "base of one of them or place it after the other"
            : "option tensor-base, or omit it to plan the tensors in a "
              "separate memory");
  }
  return GMEM_OK;
}

gmem_status_t
gmem_verifier_check_addresses(const gmem_plan_verifier_t *verifier) {
  GMEM_TRY(check_bases(verifier));
  GMEM_TRY(check_overlaps(verifier));
  return check_shared_memory(verifier);
}

//===--- sizes and figures ------------------------------------------------===//

// Notes that pool |index| has |size| bytes, at the buffer that ends there.
static void add_stale_size(const gmem_plan_verifier_t *verifier,
                           const gmem_placement_t *plan, uint32_t index,
                           uint64_t size, uint64_t stated) {
  const gmem_problem_t *problem = verifier->problem;
  MlirLocation location =
      mlirOperationGetLocation(verifier->analysis->program.scope);
  char name[128] = "";
  for (uint32_t i = 0; i < verifier->part.count && !*name; ++i)
    if (plan[i].pool == index &&
        plan[i].offset + gmem_problem_buffer(problem, i)->size == size) {
      gmem_part_describe(&verifier->part, i, name, sizeof name);
      location = gmem_part_location(&verifier->part, i);
    }
  gmem_stale_figures_add(
      verifier->stale, location,
      "pool '%.64s' has size %llu, not %llu as in gmem.pool_table: it %s%s",
      gmem_problem_pool(problem, index)->name, (unsigned long long)size,
      (unsigned long long)stated, *name ? "ends with " : "is empty", name);
}

// Sets *bound to |stated| if that can be proved, otherwise to the bound that is
// quick to compute.
static gmem_status_t find_bound(const gmem_plan_verifier_t *verifier,
                                uint32_t pool, uint64_t size, uint64_t stated,
                                uint64_t *bound) {
  const gmem_problem_t *problem = verifier->problem;
  uint64_t raised = 0;
  GMEM_TRY(gmem_lower_bound_of_pool(problem, pool, bound, verifier->diag));
  if (stated > *bound && stated <= size &&
      gmem_problem_pool_count(problem) == 1)
    GMEM_TRY(gmem_lower_bound_below(problem, size, &raised, verifier->diag));
  if (stated <= raised)
    *bound = stated;
  return GMEM_OK;
}

gmem_status_t gmem_verifier_check_pool(const gmem_plan_verifier_t *verifier,
                                       const gmem_placement_t *plan,
                                       uint32_t index) {
  const gmem_problem_t *problem = verifier->problem;
  if (verifier->entries[index] == GMEM_NO_INDEX)
    return GMEM_OK;
  gmem_pool_entry_t *pool =
      &verifier->plan->pools.entries[verifier->entries[index]];
  const gmem_pool_entry_t stated = *pool;
  uint64_t size = gmem_plan_pool_size(problem, plan, index), bound;
  GMEM_TRY(find_bound(verifier, index, size, stated.lower_bound, &bound));
  const figure_t figures[] = {
      {size > pool->size, "the size of a pool is less than the space in use",
       NULL},
      {pool->size > pool->capacity && !verifier->over_capacity,
       "a pool is larger than its capacity", NULL},
      {0}};
  GMEM_TRY(check_all(verifier, figures, NULL));
  if (update(&pool->size, size))
    add_stale_size(verifier, plan, index, size, stated.size);
  if (update(&pool->lower_bound, bound))
    add_stale(verifier, pool, "lower_bound", bound, stated.lower_bound);
  return GMEM_OK;
}

// Forgets the bound over all orders if that was of another program.
static gmem_status_t update_order_bound(const gmem_plan_verifier_t *verifier) {
  gmem_figures_entry_t *figures = &verifier->plan->figures;
  uint64_t print;
  if (figures->order_bound == GMEM_UNLIMITED)
    return GMEM_OK;
  GMEM_TRY(gmem_scope_bound_print(verifier->analysis, &figures->model,
                                  verifier->specs, &print, verifier->diag));
  if (print == figures->order_print)
    return GMEM_OK;
  figures->order_bound = figures->order_print = GMEM_UNLIMITED;
  figures->order_gave_up = (MlirStringRef){NULL, 0};
  gmem_stale_figures_add(
      verifier->stale,
      mlirOperationGetLocation(verifier->analysis->program.scope),
      "order_bound in gmem.plan is of other ops or tensors, or another order");
  return GMEM_OK;
}

void gmem_verifier_update_penalty(const gmem_plan_verifier_t *verifier,
                                  const gmem_placement_t *plan) {
  gmem_figures_entry_t *figures = &verifier->plan->figures;
  bool has_any = gmem_problem_constraint_count(verifier->problem) != 0;
  uint64_t stated = figures->penalty;
  figures->penalty =
      has_any ? gmem_plan_penalty(verifier->problem, plan) : GMEM_UNLIMITED;
  if (stated == figures->penalty)
    return;
  if (!has_any || stated == GMEM_UNLIMITED)
    gmem_stale_figures_add(
        verifier->stale,
        mlirOperationGetLocation(verifier->analysis->program.scope),
        has_any ? "gmem.plan has no penalty, but there are gmem.constraints"
                : "gmem.plan has a penalty, but there are no gmem.constraints");
  else
    gmem_stale_figures_add(
        verifier->stale,
        mlirOperationGetLocation(verifier->analysis->program.scope),
        "the plan has penalty %llu, not penalty %llu as in gmem.plan",
        (unsigned long long)figures->penalty, (unsigned long long)stated);
}

gmem_status_t
gmem_verifier_update_figures(const gmem_plan_verifier_t *verifier) {
  uint64_t peak, bound;
  gmem_figures_entry_t *figures = &verifier->plan->figures;
  const gmem_figures_entry_t stated = *figures;
  const gmem_pool_table_t *table = &verifier->plan->pools;
  MlirOperation scope = verifier->analysis->program.scope;
  if (gmem_problem_pool_count(verifier->problem) == 1 &&
      verifier->entries[0] != GMEM_NO_INDEX) // gmem_verifier_check_pool
    bound = table->entries[verifier->entries[0]].lower_bound;
  else
    GMEM_TRY(gmem_lower_bound(verifier->problem, &bound, verifier->diag));
  gmem_pool_table_figures(table, &peak, &bound);
  GMEM_TRY(update_order_bound(verifier));
  const figure_t claims[] = {
      {figures->order_bound != GMEM_UNLIMITED && figures->order_bound > peak,
       "gmem.plan says that no order of the ops needs as few bytes as this one",
       NULL},
      {0}};
  GMEM_TRY(check_all(verifier, claims, NULL));
  bool is_stale = update(&figures->peak, peak);
  is_stale |= update(&figures->lower_bound, bound);
  figures->optimal = peak == bound;
  if (is_stale || stated.optimal != figures->optimal)
    gmem_stale_figures_add(
        verifier->stale, mlirOperationGetLocation(scope),
        "the plan has peak %llu, lower_bound %llu and is%s optimal, not peak "
        "%llu, lower_bound %llu and%s optimal as in gmem.plan",
        (unsigned long long)peak, (unsigned long long)bound,
        figures->optimal ? "" : " not", (unsigned long long)stated.peak,
        (unsigned long long)stated.lower_bound, stated.optimal ? "" : " not");
  return GMEM_OK;
}
