// verify_plan.c - gmem-verify-plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: gmem-assign-weights and gmem-assign-tensors, or a file that they
//           have produced.
// produces: nothing. Proves from the IR alone that every global value has a
//           placement of its size and every workbuffer has one, in a pool of
//           the right kind; that values that must alias have the same
//           placement; that no two buffers that are live at one time overlap;
//           that gmem.alias and gmem.copies state what the placements imply;
//           and that alignments, capacities and figures are correct. Uses the
//           liveness analysis and the planner's checker, but no placement code.
// fails:    at the first violation; an overlap is reported at the op at which
//           both values are live, with notes on both.

#include "verify_plan.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alias_attributes.h"
#include "contents.h"
#include "control_copies.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "plan_passes.h"
#include "planner_problem.h"
#include "pool_bases.h"
#include "scopes.h"
#include "stale_figures.h"
#include "vocabulary.h"

typedef struct verifier_s {
  gmem_scope_plan_t *plan;         // its figures become those of the program
  const gmem_analysis_t *analysis; // of the plan
  gmem_stale_figures_t *stale;
  gmem_diag_t *diag;
  // The problem of the constants or of the tensors, and the pools of its
  // placements.
  gmem_problem_part_t part;
  gmem_problem_t *problem;
  uint32_t *entries;       // by pool: index of the table
  gmem_pool_spec_t *specs; // by pool
} verifier_t;

//===--- single placements ------------------------------------------------===//

static gmem_status_t value_error(const verifier_t *verifier, uint32_t value,
                                 const char *what) {
  return gmem_value_error(&verifier->analysis->program, value, GMEM_ERR_CORRUPT,
                          what, verifier->diag);
}

// Why a placement in a constant or workspace pool is wrong; NULL if it is not.
// |mismatches|: for the wrong kind of pool, a workspace or a constant one.
static const char *place_problem(const verifier_t *verifier,
                                 const gmem_value_place_t *place, bool constant,
                                 const char *const mismatches[2]) {
  const gmem_pool_table_t *pools = &verifier->plan->pools;
  if (!gmem_has_place(place) || place->offset < 0)
    return "needs memory but has no offset";
  if (place->pool >= pools->count)
    return "is in a pool that gmem.pool_table does not list";
  bool is_constant = pools->entries[place->pool].constant;
  return is_constant == constant ? NULL : mismatches[is_constant];
}

// Whether the placement has the size of the value and no padding; padded values
// are checked by check_paddings.
static bool has_own_size(const verifier_t *verifier, uint32_t value) {
  const gmem_analysis_t *analysis = verifier->analysis;
  const gmem_value_place_t *place = &verifier->plan->places[value];
  uint32_t set = analysis->liveness.set_of[value];
  if (set != GMEM_NO_INDEX && gmem_is_padded(analysis->paddings[set]))
    return true;
  return (uint64_t)place->size == analysis->program.values[value].size;
}

// Reports |problem| of a value without a placement, with a note if its op has
// none at all.
static gmem_status_t report_missing(const verifier_t *verifier, uint32_t value,
                                    const char *problem) {
  const gmem_program_t *program = &verifier->analysis->program;
  uint32_t op = program->values[value].op;
  MlirLocation location = gmem_value_location(program, value);
  gmem_note_t note = {.location = location,
                      .text = "a pass may have created or replaced this op "
                              "after the program was planned"};
  char name[128];
  gmem_value_describe(program, value, name, sizeof name);
  bool is_new = op != GMEM_NO_INDEX &&
                mlirAttributeIsNull(
                    gmem_op_annotation(program->ops[op].op, GMEM_ATTR_OFFSET));
  return gmem_error(verifier->diag, GMEM_ERR_CORRUPT, location, &note,
                    is_new ? 1 : 0, "%s %s", name, problem);
}

// Reports that the placement is not that of the value which it must alias.
static gmem_status_t report_root(const verifier_t *verifier, uint32_t value) {
  const gmem_analysis_t *analysis = verifier->analysis;
  uint32_t root = analysis->liveness.live_values[value].root;
  char name[128], what[256];
  gmem_value_describe(&analysis->program, root, name, sizeof name);
  snprintf(what, sizeof what,
           "has a different placement than %s, which it must alias", name);
  return value_error(verifier, value, what);
}

// Reports a gmem.size that is not the size of the value.
static gmem_status_t report_size(const verifier_t *verifier, uint32_t value) {
  char what[128];
  snprintf(what, sizeof what,
           "has a gmem.size of %lld bytes but a type of %llu bytes",
           (long long)verifier->plan->places[value].size,
           (unsigned long long)verifier->analysis->program.values[value].size);
  return value_error(verifier, value, what);
}

// Verifies size and pool of the placement of one value.
static gmem_status_t verify_place(const verifier_t *verifier, uint32_t value) {
  static const char *const mismatches[] = {
      "is a constant but is in a workspace pool",
      "is not a constant but is in a constant pool"};
  const gmem_live_value_t *live =
      &verifier->analysis->liveness.live_values[value];
  const gmem_value_place_t *place = &verifier->plan->places[value];
  const gmem_value_place_t *root = &verifier->plan->places[live->root];
  const char *problem = place_problem(
      verifier, place, live->storage == GMEM_STORAGE_WEIGHT, mismatches);
  if (problem)
    return gmem_has_place(place) ? value_error(verifier, value, problem)
                                 : report_missing(verifier, value, problem);
  if (!has_own_size(verifier, value))
    return report_size(verifier, value);
  return place->pool == root->pool && place->offset == root->offset &&
                 place->size == root->size && place->payload == root->payload
             ? GMEM_OK
             : report_root(verifier, value);
}

// Verifies the pool of the placement of one workbuffer. A workbuffer of 0 bytes
// has no placement.
static gmem_status_t verify_work_place(const verifier_t *verifier,
                                       uint32_t index) {
  static const char *const mismatches[] = {
      "is immutable but is in a workspace pool",
      "is mutable but is in a constant pool"};
  const gmem_op_workbuffer_t *workbuffer =
      &verifier->analysis->workbuffers.all[index];
  const gmem_value_place_t *place = &verifier->plan->work_places[index];
  const char *problem = NULL;
  if (workbuffer->size)
    problem = place_problem(verifier, place, workbuffer->immutable, mismatches);
  else if (place->offset != -1 || gmem_has_place(place))
    problem = "needs no memory but has an offset";
  if (!problem)
    return GMEM_OK;
  char name[128];
  gmem_workbuffer_describe(workbuffer, name, sizeof name);
  return gmem_op_error(verifier->diag, GMEM_ERR_CORRUPT, workbuffer->op,
                       "%s %s", name, problem);
}

// A value that was planned and needs no memory any more, such as an alloc that
// has become an alloca.
static void add_stale_place(const verifier_t *verifier, uint32_t value) {
  const gmem_program_t *program = &verifier->analysis->program;
  char name[128];
  gmem_value_describe(program, value, name, sizeof name);
  gmem_stale_figures_add(verifier->stale, gmem_value_location(program, value),
                         "%s has an offset but is not planned any more", name);
}

static gmem_status_t verify_places(const verifier_t *verifier) {
  const gmem_analysis_t *analysis = verifier->analysis;
  for (uint32_t i = 0; i < analysis->program.value_count; ++i)
    if (gmem_live_value_is_planned(&analysis->liveness.live_values[i]))
      GMEM_TRY(verify_place(verifier, i));
    else if (gmem_has_place(&verifier->plan->places[i]))
      add_stale_place(verifier, i);
  for (uint32_t i = 0; i < analysis->workbuffers.count; ++i)
    GMEM_TRY(verify_work_place(verifier, i));
  return GMEM_OK;
}

//===--- violations that the planner's checker finds ----------------------===//

static const gmem_value_place_t *place_of(const verifier_t *verifier,
                                          uint32_t buffer) {
  const gmem_problem_part_t *part = &verifier->part;
  uint32_t value = gmem_part_value(part, buffer);
  return value == GMEM_NO_INDEX
             ? &verifier->plan->work_places[gmem_part_workbuffer(part, buffer)]
             : &verifier->plan->places[value];
}

// A buffer of the problem.
typedef struct subject_s {
  MlirLocation location;
  char name[128]; // "result #0 of 'npu.conv'"
} subject_t;

static subject_t subject_of(const verifier_t *verifier, uint32_t buffer) {
  subject_t subject = {.location = gmem_part_location(&verifier->part, buffer)};
  gmem_part_describe(&verifier->part, buffer, subject.name,
                     sizeof subject.name);
  return subject;
}

static gmem_status_t buffer_error(const verifier_t *verifier, uint32_t buffer,
                                  gmem_status_t status, const char *what) {
  subject_t subject = subject_of(verifier, buffer);
  return gmem_error_at(verifier->diag, status, subject.location, "%s %s",
                       subject.name, what);
}

// The two subjects of a violation, with a note on each.
typedef struct pair_s {
  subject_t first, second;
  gmem_note_t notes[2];
} pair_t;

static gmem_note_t note(const subject_t *subject,
                        const gmem_value_place_t *place) {
  gmem_note_t made = {.location = subject->location};
  snprintf(made.text, sizeof made.text, "%s has bytes [%lld, %lld)",
           subject->name, (long long)place->offset,
           (long long)place->offset + (long long)place->size);
  return made;
}

static pair_t pair_of(const verifier_t *verifier, uint32_t first,
                      uint32_t second) {
  pair_t pair = {.first = subject_of(verifier, first),
                 .second = subject_of(verifier, second)};
  pair.notes[0] = note(&pair.first, place_of(verifier, first));
  pair.notes[1] = note(&pair.second, place_of(verifier, second));
  return pair;
}

// Reports at |location| that the pair shares bytes, followed by |what|.
static gmem_status_t report_sharing(const verifier_t *verifier,
                                    const pair_t *pair,
                                    const gmem_check_result_t *found,
                                    MlirLocation location, const char *what) {
  return gmem_error(
      verifier->diag, GMEM_ERR_OVERLAP, location, pair->notes, 2,
      "%s and %s share bytes [%llu, %llu) of pool '%s'%s", pair->first.name,
      pair->second.name, (unsigned long long)found->begin,
      (unsigned long long)found->end,
      gmem_problem_pool(verifier->problem, found->pool)->name, what);
}

static gmem_status_t report_overlap(const verifier_t *verifier,
                                    const gmem_check_result_t *found) {
  const gmem_call_contexts_t *contexts = verifier->analysis->liveness.contexts;
  pair_t pair = pair_of(verifier, found->first, found->second);
  return verifier->part.constant
             ? report_sharing(verifier, &pair, found, pair.second.location,
                              " while both are constants")
             : report_sharing(verifier, &pair, found,
                              mlirOperationGetLocation(
                                  gmem_contexts_op_at(contexts, found->time)),
                              " while both are live at this op");
}

// "'npu.conv' in stream 1".
static void describe_use(const verifier_t *verifier,
                         const gmem_stream_use_t *use, char *text,
                         size_t size) {
  const gmem_analysis_t *analysis = verifier->analysis;
  MlirStringRef name = mlirIdentifierStr(
      mlirOperationGetName(analysis->program.ops[use->op].op));
  char stream[48];
  gmem_stream_describe(analysis->liveness.order.streams, use->stream, stream,
                       sizeof stream);
  snprintf(text, size, "'%.*s' in %s", (int)name.length, name.data, stream);
}

// Reports unordered uses by different streams.
static gmem_status_t report_conflict(const verifier_t *verifier,
                                     const gmem_check_result_t *found) {
  const gmem_analysis_t *analysis = verifier->analysis;
  const gmem_stream_pair_t *uses = gmem_stream_pair_of(
      &analysis->liveness.order, found->first, found->second);
  assert(uses && uses->low < uses->high);
  pair_t pair = pair_of(verifier, uses->low, uses->high);
  uint32_t low = uses->use_of_low.op, high = uses->use_of_high.op;
  char texts[2][192], what[448];
  describe_use(verifier, &uses->use_of_low, texts[0], sizeof texts[0]);
  describe_use(verifier, &uses->use_of_high, texts[1], sizeof texts[1]);
  snprintf(what, sizeof what,
           ", but their uses are not synchronised: %s and %s", texts[0],
           texts[1]);
  MlirOperation later = analysis->program.ops[low > high ? low : high].op;
  return report_sharing(verifier, &pair, found, mlirOperationGetLocation(later),
                        what);
}

// Reports that |first| is not at its offset in |second|.
static gmem_status_t report_alias(const verifier_t *verifier,
                                  const gmem_check_result_t *found) {
  pair_t pair = pair_of(verifier, found->first, found->second);
  return gmem_error(
      verifier->diag, GMEM_ERR_CORRUPT, pair.first.location, pair.notes, 2,
      "%s is not in the memory of %s, which gmem.same_as requires",
      pair.first.name, pair.second.name);
}

// Reports that |buffer| is not in one of its candidate pools.
static gmem_status_t report_pool(const verifier_t *verifier, uint32_t buffer) {
  const gmem_buffer_spec_t *spec =
      gmem_problem_buffer(verifier->problem, buffer);
  uint32_t entry = place_of(verifier, buffer)->pool;
  MlirStringRef pool = verifier->plan->pools.entries[entry].name;
  char text[256];
  size_t length = (size_t)snprintf(
      text, sizeof text, "is in pool '%.*s' but may only be in",
      (int)(pool.length < 96 ? pool.length : 96), pool.data);
  size_t count = spec->has_fixed_offset ? 1 : spec->pool_count;
  for (size_t i = 0; i < count && length < sizeof text; ++i)
    length += (size_t)snprintf(
        text + length, sizeof text - length, "%s '%s'", i ? "," : "",
        gmem_problem_pool(verifier->problem, spec->pools[i])->name);
  return buffer_error(verifier, buffer, GMEM_ERR_CORRUPT, text);
}

// Reports the checker's result in terms of the IR.
static gmem_status_t report(const verifier_t *verifier, gmem_status_t status,
                            const gmem_check_result_t *found) {
  const char *what = "does not fit in its pool";
  switch (found->violation) {
  case GMEM_VIOLATION_OVERLAP:
    return report_overlap(verifier, found);
  case GMEM_VIOLATION_CONFLICT:
    return report_conflict(verifier, found);
  case GMEM_VIOLATION_POOL:
    return report_pool(verifier, found->first);
  case GMEM_VIOLATION_ALIAS:
    return report_alias(verifier, found);
  case GMEM_VIOLATION_FIXED:
    what = "is not at its gmem.fixed offset";
    break;
  case GMEM_VIOLATION_ALIGNMENT:
    what = "is not aligned as its pool requires";
    break;
  default:
    break;
  }
  return buffer_error(verifier, found->first, status, what);
}

//===--- figures and pools ------------------------------------------------===//

// A possible error. Lists of them end with {0}.
typedef struct figure_s {
  bool is_wrong;
  const char *what;
  const char *why; // of a pool
} figure_t;

// Reports the first of |figures| that is wrong as "WHAT", or, if |pool| is not
// NULL, as "gmem.pool_table WHAT 'name'WHY".
static gmem_status_t check_all(const verifier_t *verifier,
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
static void add_stale(const verifier_t *verifier,
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
static gmem_status_t check_entry(const verifier_t *verifier, uint32_t index,
                                 gmem_pool_entry_t *entry) {
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
static gmem_status_t set_pool(verifier_t *verifier, uint32_t index) {
  const gmem_pool_table_t *table = &verifier->plan->pools;
  const gmem_candidate_pools_t *pools = verifier->part.pools;
  bool constant = verifier->part.constant;
  MlirStringRef name = gmem_string(pools->all[index].name);
  uint32_t found = gmem_pool_table_find(table, name);
  gmem_pool_entry_t unlisted = {
      .name = name, .alignment = 1, .base = GMEM_NO_BASE};
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
static void drop_pool(const verifier_t *verifier, gmem_pool_entry_t *entry) {
  MlirOperation scope = verifier->analysis->program.scope;
  gmem_stale_figures_add(verifier->stale, mlirOperationGetLocation(scope),
                         "gmem.pool_table lists pool '%.*s', which this module "
                         "does not use",
                         (int)entry->name.length, entry->name.data);
  entry->size = entry->lower_bound = 0;
}

// Matches the pools of the part with the table.
static gmem_status_t set_pools(verifier_t *verifier) {
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
static gmem_status_t check_bases(const verifier_t *verifier) {
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
static gmem_status_t check_shared_memory(const verifier_t *verifier) {
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
static gmem_status_t check_addresses(const verifier_t *verifier) {
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

//===--- placements -------------------------------------------------------===//

// Notes that pool |index| has |size| bytes, at the buffer that ends there.
static void add_stale_size(const verifier_t *verifier,
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

static gmem_status_t check_pool(const verifier_t *verifier,
                                const gmem_placement_t *plan, uint32_t index) {
  const gmem_problem_t *problem = verifier->problem;
  if (verifier->entries[index] == GMEM_NO_INDEX)
    return GMEM_OK;
  gmem_pool_entry_t *pool =
      &verifier->plan->pools.entries[verifier->entries[index]];
  const gmem_pool_entry_t stated = *pool;
  uint64_t size = gmem_plan_pool_size(problem, plan, index), bound;
  GMEM_TRY(gmem_lower_bound_of_pool(problem, index, &bound, verifier->diag));
  const figure_t figures[] = {
      {size > pool->size, "the size of a pool is less than the space in use",
       NULL},
      {pool->size > pool->capacity, "a pool is larger than its capacity", NULL},
      {0}};
  GMEM_TRY(check_all(verifier, figures, NULL));
  if (update(&pool->size, size))
    add_stale_size(verifier, plan, index, size, stated.size);
  if (update(&pool->lower_bound, bound))
    add_stale(verifier, pool, "lower_bound", bound, stated.lower_bound);
  return GMEM_OK;
}

// Checks the placements of the problem and the figures of its pools. A
// placement in a pool that is not one of the problem has the number of pools.
static gmem_status_t check_plan(const verifier_t *verifier) {
  const gmem_problem_part_t *part = &verifier->part;
  uint32_t pools = part->pools->count;
  gmem_check_result_t found = {.violation = GMEM_VIOLATION_NONE};
  gmem_placement_t *plan;
  GMEM_TRY_ALLOC(plan, verifier->analysis->arena, part->count, verifier->diag);
  for (uint32_t i = 0; i < part->count; ++i) {
    const gmem_value_place_t *place = place_of(verifier, i);
    plan[i].offset = (uint64_t)place->offset;
    while (plan[i].pool < pools &&
           verifier->entries[plan[i].pool] != place->pool)
      ++plan[i].pool;
  }
  gmem_status_t status =
      gmem_check(verifier->problem, plan, &found, verifier->diag);
  if (found.violation != GMEM_VIOLATION_NONE)
    return report(verifier, status, &found);
  GMEM_TRY(status);
  for (uint32_t i = 0; i < pools; ++i)
    GMEM_TRY(check_pool(verifier, plan, i));
  return GMEM_OK;
}

// Checks that equal constants that share memory have one placement, and that
// constants have no padding.
static gmem_status_t check_constants(const verifier_t *verifier) {
  const gmem_constants_t *weights = &verifier->analysis->constants;
  const gmem_value_place_t *places = verifier->plan->places;
  for (size_t i = 0; i < weights->count; ++i) {
    uint32_t value = weights->weights[i].value;
    const gmem_value_place_t *own = &places[value];
    const gmem_value_place_t *source = &places[weights->weights[i].source];
    if (own->pool != source->pool || own->offset != source->offset)
      return value_error(verifier, value,
                         "must share the memory of an equal constant but has a "
                         "different placement");
    if (own->payload != own->offset)
      return value_error(verifier, value,
                         "has a gmem.payload_offset but no padding");
  }
  return GMEM_OK;
}

// Checks the padded size and payload offset of every alias set; verify_place
// has checked that all its values have one placement.
static gmem_status_t check_paddings(const verifier_t *verifier) {
  const gmem_analysis_t *analysis = verifier->analysis;
  for (uint32_t i = 0; i < analysis->liveness.set_count; ++i) {
    uint32_t root = analysis->liveness.sets[i].root;
    const gmem_value_place_t *place = &verifier->plan->places[root];
    if ((uint64_t)place->size != gmem_padded_size(analysis, verifier->specs, i))
      return value_error(verifier, root,
                         "has a gmem.size that differs from the size of its "
                         "type plus padding");
    if (place->payload < place->offset ||
        (uint64_t)(place->payload - place->offset) !=
            gmem_padding_in_buffer(analysis, verifier->specs, i).before)
      return value_error(verifier, root,
                         "has a gmem.payload_offset that differs from "
                         "gmem.offset plus the leading padding");
  }
  return GMEM_OK;
}

// Updates gmem.plan. The sizes of the pools are up to date.
static gmem_status_t check_figures(const verifier_t *verifier) {
  uint64_t peak = 0, bound;
  gmem_figures_entry_t *figures = &verifier->plan->figures;
  const gmem_figures_entry_t stated = *figures;
  const gmem_pool_table_t *table = &verifier->plan->pools;
  MlirOperation scope = verifier->analysis->program.scope;
  for (uint32_t i = 0; i < table->count && peak <= GMEM_MAX_ADDRESS; ++i)
    if (!table->entries[i].constant)
      peak += table->entries[i].size; // no overflow: both have at most 63 bits
  GMEM_TRY(gmem_lower_bound(verifier->problem, &bound, verifier->diag));
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

// Checks the placements of the constants or tensors after their problem has
// been built.
static gmem_status_t check_part(const verifier_t *verifier) {
  if (verifier->part.constant)
    return check_plan(verifier);
  GMEM_TRY(check_paddings(verifier));
  GMEM_TRY(check_plan(verifier));
  return check_figures(verifier);
}

static gmem_status_t verify_part(verifier_t *verifier, bool constant) {
  gmem_diag_t *diag = verifier->diag;
  GMEM_TRY(gmem_problem_part_find(verifier->analysis, constant, &verifier->part,
                                  diag));
  GMEM_TRY(set_pools(verifier));
  if (constant)
    GMEM_TRY(check_constants(verifier));
  gmem_status_t status = gmem_planner_problem(&verifier->part, verifier->specs,
                                              &verifier->problem, diag);
  if (status != GMEM_OK) // of a pool or buffer that the planner rejects
    return gmem_planner_error(verifier->analysis, status, diag);
  status = check_part(verifier);
  gmem_problem_destroy(verifier->problem);
  return status;
}

// Verifies the placements and updates the figures.
static gmem_status_t verify(gmem_scope_plan_t *plan,
                            gmem_stale_figures_t *stale, gmem_diag_t *diag) {
  const gmem_analysis_t *analysis = &plan->analysis;
  verifier_t verifier = {
      .plan = plan, .analysis = analysis, .stale = stale, .diag = diag};
  GMEM_TRY(verify_places(&verifier));
  GMEM_TRY(check_bases(&verifier));
  GMEM_TRY(check_addresses(&verifier));
  GMEM_TRY(check_shared_memory(&verifier));
  GMEM_TRY(verify_part(&verifier, true));
  GMEM_TRY(verify_part(&verifier, false));
  GMEM_TRY(gmem_aliases_verify(&analysis->program,
                               &analysis->constraints.aliases, plan->places,
                               analysis->arena, diag));
  return gmem_control_copies_verify(analysis, &plan->pools, plan->places, diag);
}

static gmem_status_t no_plan(MlirOperation scope, gmem_diag_t *diag) {
  bool was_planned =
      !mlirAttributeIsNull(gmem_op_annotation(scope, GMEM_ATTR_ARENAS));
  return gmem_op_error(
      diag, GMEM_ERR_CORRUPT, scope,
      was_planned ? "there is no plan here any more: gmem-materialize has "
                    "already applied it"
                  : "there is no plan here: run gmem-plan first");
}

//===--- entry points -----------------------------------------------------===//

typedef struct visitor_s {
  const gmem_plan_visit_t *visit;
  size_t scopes;
} visitor_t;

// Runs the check of contents alone: it needs no analysis.
static gmem_status_t check_contents(MlirOperation scope,
                                    const gmem_op_models_t *models,
                                    gmem_bump_t *arena, gmem_diag_t *diag) {
  gmem_figures_entry_t figures;
  gmem_status_t status = gmem_figures_read(scope, arena, &figures, diag);
  if (status == GMEM_ERR_NOT_FOUND)
    return no_plan(scope, diag);
  GMEM_TRY(status);
  return gmem_contents_check(scope, models, &figures.model, arena, diag);
}

// Runs the checks.
static gmem_status_t verify_scope(gmem_scope_plan_t *plan,
                                  const gmem_op_models_t *models,
                                  const gmem_plan_visit_t *visit,
                                  gmem_stale_figures_t *stale,
                                  gmem_diag_t *diag) {
  if (visit->is_verified)
    return GMEM_OK;
  GMEM_TRY(verify(plan, stale, diag));
  return visit->only == GMEM_VERIFY_PLACEMENT
             ? GMEM_OK
             : gmem_contents_check(plan->analysis.program.scope, models,
                                   &plan->figures.model, plan->analysis.arena,
                                   diag);
}

// Advises to plan again if the plan is refused, and returns |status|.
static gmem_status_t advise(MlirOperation scope, gmem_status_t status) {
  if (status != GMEM_ERR_OUT_OF_MEMORY && status != GMEM_ERR_INVALID_ARGUMENT)
    gmem_remark(mlirOperationGetLocation(scope),
                "this plan is not valid for the program as it is now: if the "
                "program has changed since it was planned, plan it again");
  return status;
}

static gmem_status_t visit_scope(MlirOperation scope,
                                 const gmem_op_models_t *models,
                                 gmem_bump_t *arena, void *user,
                                 gmem_diag_t *diag) {
  visitor_t *visitor = user;
  const gmem_plan_visit_t *visit = visitor->visit;
  gmem_scope_plan_t plan;
  gmem_stale_figures_t stale = {.arena = arena};
  ++visitor->scopes;
  assert(!visit->use || visit->only != GMEM_VERIFY_CONTENTS);
  if (visit->only == GMEM_VERIFY_CONTENTS)
    return check_contents(scope, models, arena, diag);
  gmem_status_t status =
      gmem_scope_plan_read(scope, models, arena, &plan, diag);
  if (status == GMEM_ERR_NOT_FOUND)
    return no_plan(scope, diag);
  if (status == GMEM_OK)
    status = verify_scope(&plan, models, visit, &stale, diag);
  if (status != GMEM_OK)
    return advise(scope, status);
  // Only now is the plan known to be sound.
  GMEM_TRY(
      gmem_stale_figures_report(&stale, scope, visit->strict_figures, diag));
  return visit->use ? visit->use(&plan, models, visit->user, diag) : GMEM_OK;
}

gmem_status_t gmem_for_each_plan_in(MlirOperation top,
                                    const gmem_plan_visit_t *visit,
                                    const gmem_allocator_t *allocator,
                                    gmem_diag_t *diag) {
  visitor_t visitor = {visit, 0};
  GMEM_TRY(gmem_for_each_scope_in(top, allocator, visit_scope, &visitor, diag));
  if (visitor.scopes == 0 && !visit->is_verified)
    gmem_remark(mlirOperationGetLocation(top),
                "there is no function here, so there is nothing to verify");
  return GMEM_OK;
}

gmem_status_t gmem_verify_plan(MlirOperation top,
                               const gmem_plan_options_t *options,
                               const gmem_allocator_t *allocator,
                               gmem_diag_t *diag) {
  return gmem_for_each_plan_in(
      top,
      &(gmem_plan_visit_t){.only = options->verify_only,
                           .strict_figures = options->strict_figures},
      allocator, diag);
}

gmem_status_t gmem_verify_module(MlirOperation top,
                                 const gmem_allocator_t *allocator,
                                 gmem_diag_t *diag) {
  return gmem_for_each_plan_in(top, &(gmem_plan_visit_t){.use = NULL},
                               allocator, diag);
}
