// what_if.c - see what_if.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "what_if.h"

#include <stdlib.h>
#include <string.h>

#include "assign_passes.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/Diagnostics.h"
#include "pass_options.h"
#include "plan_reading.h"
#include "pool_names.h"
#include "program_copy.h"

uint64_t gmem_stated_capacity(const gmem_plan_options_t *options,
                              const gmem_planned_pool_t *pool) {
  uint64_t capacity = pool->capacity, bytes;
  MlirStringRef name;
  if (strcmp(pool->name, GMEM_POOL_TENSORS) == 0 &&
      options->capacity < capacity)
    capacity = options->capacity;
  for (const char *at = options->space_capacity;
       *at && gmem_space_capacity_next(&at, &name, &bytes);)
    if (gmem_string_is(name, pool->name) && bytes < capacity)
      capacity = bytes;
  return capacity;
}

//===--- plans ------------------------------------------------------------===//

static void measure(const gmem_planned_t *planned,
                    const gmem_plan_options_t *options,
                    gmem_what_if_t *what_if) {
  what_if->peak = gmem_planned_figures(planned)->peak;
  what_if->over = what_if->constants = 0;
  for (uint32_t i = 0; i < gmem_planned_pool_count(planned); ++i) {
    const gmem_planned_pool_t *pool = gmem_planned_pool(planned, i);
    uint64_t capacity = gmem_stated_capacity(options, pool);
    what_if->constants += pool->constant ? pool->size : 0;
    what_if->over += pool->size > capacity ? pool->size - capacity : 0;
  }
}

// Plans |top| and verifies the plan.
static gmem_status_t plan(MlirOperation top, const gmem_plan_options_t *options,
                          const gmem_plan_options_t *given,
                          const gmem_allocator_t *allocator,
                          gmem_what_if_t *what_if, gmem_diag_t *diag) {
  const gmem_plan_visit_t visit = {.strict_figures = true,
                                   .over_capacity = true};
  gmem_planned_t *planned = NULL;
  GMEM_TRY(gmem_plan_unverified(top, options, allocator, diag));
  GMEM_TRY(gmem_planned_read_with(top, &visit, allocator, &planned, diag));
  measure(planned, given, what_if);
  gmem_planned_destroy(planned);
  return GMEM_OK;
}

static gmem_status_t try_change(MlirOperation top,
                                const gmem_plan_options_t *options,
                                const gmem_allocator_t *allocator,
                                gmem_what_if_t *what_if, gmem_diag_t *diag) {
  gmem_plan_options_t changed = *options;
  gmem_numbered_ops_t ops;
  gmem_bump_t arena;
  MlirOperation around, copy = gmem_program_copy(top, &around);
  gmem_bump_init(&arena, allocator);
  changed.quiet = changed.over_capacity = true;
  changed.certify = false;
  changed.plan_cache[0] = '\0';
  gmem_change_options(&what_if->change, &changed);
  gmem_status_t status = gmem_number_ops(copy, &arena, &ops, diag);
  if (status == GMEM_OK) {
    gmem_change_ops(&what_if->change, &ops);
    status = plan(copy, &changed, options, allocator, what_if, diag);
  }
  mlirOperationDestroy(around);
  gmem_bump_destroy(&arena);
  return status;
}

static MlirLogicalResult drop(MlirDiagnostic diagnostic, void *user) {
  (void)diagnostic;
  (void)user;
  return mlirLogicalResultSuccess();
}

typedef struct search_s {
  MlirOperation top;
  const gmem_plan_options_t *options;
  const gmem_numbered_ops_t *ops;
  gmem_bump_t *arena;
  gmem_what_ifs_t *ifs;
  gmem_diag_t *diag;
} search_t;

//===--- the best ---------------------------------------------------------===//

static bool needs_less(const gmem_what_if_t *a, const gmem_what_if_t *b) {
  return a->over != b->over ? a->over < b->over : a->peak < b->peak;
}

// Whether two changes have the same effect.
static bool is_equal(const gmem_what_if_t *a, const gmem_what_if_t *b) {
  return a->over == b->over && a->peak == b->peak &&
         a->constants == b->constants &&
         gmem_change_keeps_bits(a->change.kind) ==
             gmem_change_keeps_bits(b->change.kind);
}

// Inserts it behind all that need as much; the last one goes if there are too
// many. Of those with the same effect, the one with the fewest ops stays.
static void keep(gmem_what_ifs_t *ifs, gmem_what_if_t what_if) {
  size_t at = ifs->count;
  for (size_t i = 0; i < ifs->count; ++i)
    if (is_equal(&what_if, &ifs->at[i])) {
      if (what_if.change.op_count < ifs->at[i].change.op_count)
        ifs->at[i] = what_if;
      return;
    }
  while (at > 0 && needs_less(&what_if, &ifs->at[at - 1]))
    --at;
  if (at == GMEM_MOST_WHAT_IFS)
    return;
  size_t moved = ifs->count < GMEM_MOST_WHAT_IFS ? ifs->count - at
                                                 : GMEM_MOST_WHAT_IFS - 1 - at;
  memmove(&ifs->at[at + 1], &ifs->at[at], moved * sizeof what_if);
  ifs->at[at] = what_if;
  ifs->count = at + moved + 1;
}

static void put_bits_first(gmem_what_ifs_t *ifs) {
  gmem_what_ifs_t sorted = {.count = 0};
  for (int keeps = 1; keeps >= 0; --keeps)
    for (size_t i = 0; i < ifs->count; ++i)
      if (gmem_change_keeps_bits(ifs->at[i].change.kind) == keeps)
        sorted.at[sorted.count++] = ifs->at[i];
  memcpy(ifs->at, sorted.at, sizeof sorted.at);
}

// How many changes are planned: their number, and the ops of all copies, are
// limited, but a few are always tried.
static size_t limit_of(gmem_effort_t effort, uint32_t ops) {
  static const struct {
    size_t changes, ops;
  } limits[] = {[GMEM_EFFORT_NORMAL] = {60, 1000000},
                [GMEM_EFFORT_FAST] = {16, 100000},
                [GMEM_EFFORT_EXHAUSTIVE] = {1000, 100000000}};
  enum { FEWEST = 4 };
  size_t by_ops = limits[effort].ops / (ops ? ops : 1);
  size_t most = by_ops < FEWEST ? FEWEST : by_ops;
  return most < limits[effort].changes ? most : limits[effort].changes;
}

// Tries |change| and keeps it if it needs less than |*least|, which a change of
// nothing lowers.
static gmem_status_t try_one(const search_t *search,
                             const gmem_change_t *change,
                             gmem_what_if_t *least) {
  gmem_what_if_t what_if = {.change = *change};
  gmem_text_t text = {.arena = search->arena}, means = text;
  gmem_diag_t own;
  gmem_status_t status = try_change(search->top, search->options,
                                    &search->arena->allocator, &what_if, &own);
  ++search->ifs->tried;
  if (status == GMEM_ERR_OUT_OF_MEMORY)
    return gmem_out_of_memory(search->diag);
  if (status != GMEM_OK || !needs_less(&what_if, least))
    return GMEM_OK;
  gmem_change_describe(change, search->options, search->ops, &text);
  gmem_change_means(change, search->options, &means);
  what_if.text = gmem_text_get(&text);
  what_if.means = gmem_text_get(&means);
  GMEM_TRY(gmem_bump_status(search->arena, search->diag));
  keep(search->ifs, what_if);
  if (change->kind == GMEM_CHANGE_NONE)
    *least = what_if;
  return GMEM_OK;
}

static gmem_status_t try_all(const search_t *search,
                             const gmem_changes_t *changes, bool is_old,
                             gmem_what_if_t least) {
  static const uint32_t no_ops[1];
  const gmem_change_t none = {
      .kind = GMEM_CHANGE_NONE, .ops = no_ops, .per_place = 1};
  size_t limit = limit_of(search->options->effort, search->ops->count);
  search->ifs->listed = changes->count + is_old;
  if (is_old)
    GMEM_TRY(try_one(search, &none, &least));
  for (size_t i = 0; i < changes->count && search->ifs->tried < limit; ++i)
    GMEM_TRY(try_one(search, &changes->at[i], &least));
  return GMEM_OK;
}

gmem_status_t gmem_what_ifs_find(MlirOperation top,
                                 const gmem_plan_options_t *options,
                                 const gmem_peak_ops_t *peak,
                                 const gmem_planned_t *given, bool is_old,
                                 gmem_bump_t *arena, gmem_what_ifs_t *out_ifs,
                                 gmem_diag_t *diag) {
  gmem_numbered_ops_t ops;
  gmem_changes_t changes;
  gmem_what_if_t as_it_is;
  *out_ifs = (gmem_what_ifs_t){.count = 0};
  measure(given, options, &as_it_is);
  GMEM_TRY(gmem_number_ops(top, arena, &ops, diag));
  GMEM_TRY(gmem_changes_list(options, &ops, peak, arena, &changes, diag));
  // That a change has no plan is no fault of the program.
  MlirContext context = mlirOperationGetContext(top);
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(context, drop, NULL, NULL);
  const search_t search = {top, options, &ops, arena, out_ifs, diag};
  gmem_status_t status = try_all(&search, &changes, is_old, as_it_is);
  mlirContextDetachDiagnosticHandler(context, handler);
  put_bits_first(out_ifs);
  return status;
}

gmem_status_t gmem_what_if_apply(MlirOperation top, bool has_plan,
                                 const gmem_what_if_t *what_if,
                                 const gmem_plan_options_t *options,
                                 const gmem_allocator_t *allocator,
                                 gmem_diag_t *diag) {
  gmem_change_kind_t kind = what_if->change.kind;
  gmem_plan_options_t changed = *options, again = *options;
  gmem_numbered_ops_t ops;
  gmem_bump_t arena;
  if (!gmem_change_is_of_program(kind))
    return gmem_reject(diag, top,
                       "apply: %s: the program stays as it is; state %s for "
                       "gmem-plan",
                       what_if->text, what_if->means);
  changed.quiet = again.quiet = true;
  if (kind == GMEM_CHANGE_ORDER) {
    gmem_change_options(&what_if->change, &changed);
    GMEM_TRY(gmem_order_ops(top, &changed, allocator, diag));
  }
  gmem_bump_init(&arena, allocator);
  gmem_status_t status = gmem_number_ops(top, &arena, &ops, diag);
  if (status == GMEM_OK)
    gmem_change_ops(&what_if->change, &ops);
  gmem_bump_destroy(&arena);
  return status == GMEM_OK && has_plan
             ? gmem_plan_module(top, &again, allocator, diag)
             : status;
}
