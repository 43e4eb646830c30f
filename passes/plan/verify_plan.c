// verify_plan.c - gmem-verify-plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: gmem-assign-weights and gmem-assign-tensors, or a file that they
//           have produced.
// produces: nothing. Proves from the IR alone that every global value has a
//           placement of its size and every workbuffer has one, in a pool of
//           the right kind; that values that must alias have the same
//           placement; that no two buffers that are live at one time overlap;
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
#include "diagnostics.h"
#include "ir_reading.h"
#include "planner_problem.h"
#include "pool_bases.h"
#include "scopes.h"
#include "vocabulary.h"

typedef struct verifier_s {
  const gmem_scope_plan_t *plan;
  const gmem_analysis_t *analysis; // of the plan
  gmem_diag_t *diag;
} verifier_t;

// A value or workbuffer.
typedef struct subject_s {
  const gmem_value_place_t *place;
  MlirLocation location;
  char name[128]; // "result #0 of 'npu.conv'"
} subject_t;

static subject_t subject_of_value(const verifier_t *verifier, uint32_t value) {
  const gmem_program_t *program = &verifier->analysis->program;
  subject_t subject = {.place = &verifier->plan->places[value],
                       .location = gmem_value_location(program, value)};
  gmem_value_describe(program, value, subject.name, sizeof subject.name);
  return subject;
}

static subject_t subject_of_workbuffer(const verifier_t *verifier,
                                       uint32_t index) {
  const gmem_op_workbuffer_t *workbuffer =
      &verifier->analysis->workbuffers.all[index];
  subject_t subject = {.place = &verifier->plan->work_places[index],
                       .location = mlirOperationGetLocation(workbuffer->op)};
  gmem_workbuffer_describe(workbuffer, subject.name, sizeof subject.name);
  return subject;
}

static gmem_status_t subject_error(const verifier_t *verifier,
                                   const subject_t *subject,
                                   gmem_status_t status, const char *what) {
  return gmem_error_at(verifier->diag, status, subject->location, "%s %s",
                       subject->name, what);
}

static gmem_status_t value_error(const verifier_t *verifier, uint32_t value,
                                 gmem_status_t status, const char *what) {
  subject_t subject = subject_of_value(verifier, value);
  return subject_error(verifier, &subject, status, what);
}

// The pool of a placement, or NULL: the table does not list it.
static const gmem_pool_entry_t *pool_of(const verifier_t *verifier,
                                        const gmem_value_place_t *place) {
  const gmem_pool_table_t *pools = &verifier->plan->pools;
  return place->pool < pools->count ? &pools->entries[place->pool] : NULL;
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

// Verifies size and pool of the placement of one value.
static gmem_status_t verify_place(const verifier_t *verifier, uint32_t value) {
  const gmem_live_value_t *live_values =
      verifier->analysis->liveness.live_values;
  const gmem_value_place_t *place = &verifier->plan->places[value];
  const gmem_value_place_t *root =
      &verifier->plan->places[live_values[value].root];
  if (!gmem_has_place(place) || place->offset < 0)
    return value_error(verifier, value, GMEM_ERR_CORRUPT,
                       "needs memory but has no offset");
  const gmem_pool_entry_t *pool = pool_of(verifier, place);
  if (!pool)
    return value_error(verifier, value, GMEM_ERR_CORRUPT,
                       "is in a pool that gmem.pool_table does not list");
  if (pool->constant != (live_values[value].storage == GMEM_STORAGE_WEIGHT))
    return value_error(verifier, value, GMEM_ERR_CORRUPT,
                       pool->constant
                           ? "is not a constant but is in a constant pool"
                           : "is a constant but is in a workspace pool");
  if (!has_own_size(verifier, value))
    return value_error(
        verifier, value, GMEM_ERR_CORRUPT,
        "has a gmem.size that differs from the size of its type");
  if (place->pool != root->pool || place->offset != root->offset ||
      place->size != root->size || place->payload != root->payload)
    return value_error(verifier, value, GMEM_ERR_CORRUPT,
                       "has a different placement than the value that it "
                       "must alias");
  return GMEM_OK;
}

// Verifies the pool of the placement of one workbuffer. A workbuffer of 0 bytes
// has no placement.
static gmem_status_t verify_work_place(const verifier_t *verifier,
                                       uint32_t index) {
  const gmem_op_workbuffer_t *workbuffer =
      &verifier->analysis->workbuffers.all[index];
  subject_t subject = subject_of_workbuffer(verifier, index);
  bool has_place = gmem_has_place(subject.place);
  if (!workbuffer->size)
    return subject.place->offset == -1 && !has_place
               ? GMEM_OK
               : subject_error(verifier, &subject, GMEM_ERR_CORRUPT,
                               "needs no memory but has an offset");
  if (!has_place || subject.place->offset < 0)
    return subject_error(verifier, &subject, GMEM_ERR_CORRUPT,
                         "needs memory but has no offset");
  const gmem_pool_entry_t *pool = pool_of(verifier, subject.place);
  if (!pool)
    return subject_error(verifier, &subject, GMEM_ERR_CORRUPT,
                         "is in a pool that gmem.pool_table does not list");
  if (pool->constant != workbuffer->immutable)
    return subject_error(verifier, &subject, GMEM_ERR_CORRUPT,
                         pool->constant
                             ? "is mutable but is in a constant pool"
                             : "is immutable but is in a workspace pool");
  return GMEM_OK;
}

static gmem_note_t note(const subject_t *subject) {
  gmem_note_t made = {.location = subject->location};
  snprintf(made.text, sizeof made.text, "%s has bytes [%lld, %lld)",
           subject->name, (long long)subject->place->offset,
           (long long)subject->place->offset + (long long)subject->place->size);
  return made;
}

// A problem and the pools of its placements.
typedef struct proof_s {
  const gmem_problem_part_t *part;
  const gmem_problem_t *problem;
  const uint32_t *entries; // by pool: index of the table
  gmem_pool_spec_t *specs; // by pool
} proof_t;

static subject_t subject_of(const verifier_t *verifier, const proof_t *proof,
                            uint32_t buffer) {
  uint32_t value = gmem_part_value(proof->part, buffer);
  return value == GMEM_NO_INDEX
             ? subject_of_workbuffer(verifier,
                                     gmem_part_workbuffer(proof->part, buffer))
             : subject_of_value(verifier, value);
}

static const gmem_value_place_t *
place_of(const verifier_t *verifier, const proof_t *proof, uint32_t buffer) {
  uint32_t value = gmem_part_value(proof->part, buffer);
  return value == GMEM_NO_INDEX
             ? &verifier->plan
                    ->work_places[gmem_part_workbuffer(proof->part, buffer)]
             : &verifier->plan->places[value];
}

// A violation that concerns one buffer only.
static const char *single_violation(gmem_violation_t violation) {
  switch (violation) {
  case GMEM_VIOLATION_FIXED:
    return "is not at its gmem.fixed offset";
  case GMEM_VIOLATION_ALIGNMENT:
    return "is not aligned as its pool requires";
  default:
    return "does not fit in its pool";
  }
}

static gmem_status_t report_overlap(const verifier_t *verifier,
                                    const proof_t *proof,
                                    const gmem_check_result_t *found) {
  subject_t first = subject_of(verifier, proof, found->first);
  subject_t second = subject_of(verifier, proof, found->second);
  gmem_note_t notes[] = {note(&first), note(&second)};
  return gmem_error(
      verifier->diag, GMEM_ERR_OVERLAP,
      proof->part->constant
          ? second.location
          : mlirOperationGetLocation(gmem_contexts_op_at(
                verifier->analysis->liveness.contexts, found->time)),
      notes, 2, "%s and %s share bytes [%llu, %llu) of pool '%s' while both %s",
      first.name, second.name, (unsigned long long)found->begin,
      (unsigned long long)found->end,
      gmem_problem_pool(proof->problem, found->pool)->name,
      proof->part->constant ? "are constants" : "are live at this op");
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
                                     const proof_t *proof,
                                     const gmem_check_result_t *found) {
  const gmem_analysis_t *analysis = verifier->analysis;
  const gmem_stream_pair_t *pair = gmem_stream_pair_of(
      &analysis->liveness.order, found->first, found->second);
  assert(pair && pair->low < pair->high);
  subject_t first = subject_of(verifier, proof, pair->low);
  subject_t second = subject_of(verifier, proof, pair->high);
  gmem_note_t notes[] = {note(&first), note(&second)};
  uint32_t later = pair->use_of_low.op > pair->use_of_high.op
                       ? pair->use_of_low.op
                       : pair->use_of_high.op;
  char uses[2][192];
  describe_use(verifier, &pair->use_of_low, uses[0], sizeof uses[0]);
  describe_use(verifier, &pair->use_of_high, uses[1], sizeof uses[1]);
  return gmem_error(
      verifier->diag, GMEM_ERR_OVERLAP,
      mlirOperationGetLocation(analysis->program.ops[later].op), notes, 2,
      "%s and %s share bytes [%llu, %llu) of pool '%s', but their uses are not "
      "synchronised: %s and %s",
      first.name, second.name, (unsigned long long)found->begin,
      (unsigned long long)found->end,
      gmem_problem_pool(proof->problem, found->pool)->name, uses[0], uses[1]);
}

// Reports that |first| is not at its offset in |second|.
static gmem_status_t report_alias(const verifier_t *verifier,
                                  const proof_t *proof,
                                  const gmem_check_result_t *found) {
  subject_t first = subject_of(verifier, proof, found->first);
  subject_t second = subject_of(verifier, proof, found->second);
  gmem_note_t notes[] = {note(&first), note(&second)};
  return gmem_error(
      verifier->diag, GMEM_ERR_CORRUPT, first.location, notes, 2,
      "%s is not in the memory of %s, which gmem.same_as requires", first.name,
      second.name);
}

// Reports that |buffer| is not in one of its candidate pools.
static gmem_status_t report_pool(const verifier_t *verifier,
                                 const proof_t *proof, uint32_t buffer) {
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(proof->problem, buffer);
  subject_t subject = subject_of(verifier, proof, buffer);
  MlirStringRef pool = pool_of(verifier, subject.place)->name;
  char text[256];
  size_t length = (size_t)snprintf(
      text, sizeof text, "is in pool '%.*s' but may only be in",
      (int)(pool.length < 96 ? pool.length : 96), pool.data);
  size_t count = spec->has_fixed_offset ? 1 : spec->pool_count;
  for (size_t i = 0; i < count && length < sizeof text; ++i)
    length += (size_t)snprintf(
        text + length, sizeof text - length, "%s '%s'", i ? "," : "",
        gmem_problem_pool(proof->problem, spec->pools[i])->name);
  return subject_error(verifier, &subject, GMEM_ERR_CORRUPT, text);
}

// Reports the checker's result in terms of the IR.
static gmem_status_t report(const verifier_t *verifier, const proof_t *proof,
                            gmem_status_t status,
                            const gmem_check_result_t *found) {
  subject_t first = subject_of(verifier, proof, found->first);
  switch (found->violation) {
  case GMEM_VIOLATION_OVERLAP:
    return report_overlap(verifier, proof, found);
  case GMEM_VIOLATION_CONFLICT:
    return report_conflict(verifier, proof, found);
  case GMEM_VIOLATION_POOL:
    return report_pool(verifier, proof, found->first);
  case GMEM_VIOLATION_ALIAS:
    return report_alias(verifier, proof, found);
  default:
    return subject_error(verifier, &first, status,
                         single_violation(found->violation));
  }
}

static gmem_status_t figure_error(const verifier_t *verifier,
                                  const char *what) {
  MlirOperation scope = verifier->analysis->program.scope;
  return gmem_op_error(verifier->diag, GMEM_ERR_CORRUPT, scope,
                       "the plan's figures are wrong: %s", what);
}

//===--- pools ------------------------------------------------------------===//

// Reports "gmem.pool_table WHAT 'name'WHY".
static gmem_status_t table_error(const verifier_t *verifier, const char *what,
                                 MlirStringRef name, const char *why) {
  return gmem_op_error(
      verifier->diag, GMEM_ERR_CORRUPT, verifier->analysis->program.scope,
      "the plan's figures are wrong: gmem.pool_table %s '%.*s'%s", what,
      (int)name.length, name.data, why);
}

// Checks the alignment of a pool of constants.
static gmem_status_t check_constant(const verifier_t *verifier,
                                    const gmem_pool_entry_t *entry,
                                    const gmem_candidate_pool_t *pool) {
  if (entry->alignment < pool->alignment)
    return table_error(verifier, "aligns constant pool", entry->name,
                       " less than a constant in it requires");
  return pool->memory && entry->alignment < pool->memory->alignment
             ? table_error(verifier, "aligns memory", entry->name,
                           " less than gmem.memories")
             : GMEM_OK;
}

// Checks address and alignment of a workspace pool. In a memory space each
// buffer has its own alignment; the pool has the largest.
static gmem_status_t check_workspace(const verifier_t *verifier,
                                     const gmem_pool_entry_t *entry,
                                     const gmem_candidate_pools_t *pools,
                                     uint32_t index) {
  const char *what =
      pools->all[index].memory ? "gives memory" : "gives memory space";
  if (pools->all[index].kind == GMEM_POOL_KIND_SPACE &&
      entry->base != GMEM_NO_BASE)
    return table_error(verifier, what, entry->name, " an address");
  return entry->alignment !=
                 gmem_candidate_pool_alignment(pools, index, entry->alignment)
             ? table_error(verifier, what, entry->name,
                           " a different alignment than its buffers require")
             : GMEM_OK;
}

// Checks the limits of a memory against gmem.memories.
static gmem_status_t check_memory(const verifier_t *verifier,
                                  const gmem_pool_entry_t *entry,
                                  const gmem_memory_t *memory) {
  uint64_t hint = memory->size == GMEM_UNLIMITED ? 0 : memory->size;
  if (entry->capacity > memory->capacity)
    return table_error(verifier, "gives memory", entry->name,
                       " a larger capacity than gmem.memories");
  if (entry->hint != hint)
    return table_error(verifier, "gives memory", entry->name,
                       " a different size_hint than gmem.memories");
  return GMEM_OK;
}

// Finds the table's entry of a pool and checks it. The size in the table is the
// limit of the check.
static gmem_status_t set_pool(const verifier_t *verifier, proof_t *proof,
                              uint32_t index, uint32_t *out_entry) {
  const gmem_pool_table_t *table = &verifier->plan->pools;
  const gmem_candidate_pools_t *pools = proof->part->pools;
  const gmem_candidate_pool_t *pool = &pools->all[index];
  bool constant = proof->part->constant;
  MlirStringRef name = gmem_string(pool->name);
  *out_entry = gmem_pool_table_find(table, name);
  if (*out_entry == GMEM_NO_INDEX ||
      table->entries[*out_entry].constant != constant)
    return table_error(verifier,
                       constant ? "lists no constant pool"
                                : "lists no workspace pool",
                       name, "");
  const gmem_pool_entry_t *entry = &table->entries[*out_entry];
  GMEM_TRY(constant ? check_constant(verifier, entry, pool)
                    : check_workspace(verifier, entry, pools, index));
  if (pool->memory)
    GMEM_TRY(check_memory(verifier, entry, pool->memory));
  proof->specs[index] = (gmem_pool_spec_t){
      .name = pool->name,
      .capacity = entry->size ? entry->size : 1,
      .alignment =
          constant ? entry->alignment
                   : gmem_candidate_pool_unit(pools, index, entry->alignment),
      .base = entry->base == GMEM_NO_BASE ? 0 : entry->base};
  return GMEM_OK;
}

// Matches the pools of the proof with the table, which may list no others of
// their kind.
static gmem_status_t set_pools(const verifier_t *verifier, proof_t *proof) {
  const gmem_pool_table_t *table = &verifier->plan->pools;
  gmem_bump_t *arena = verifier->analysis->arena;
  uint32_t count = proof->part->pools->count, *entries;
  GMEM_TRY_ALLOC(entries, arena, count, verifier->diag);
  GMEM_TRY_ALLOC(proof->specs, arena, count, verifier->diag);
  for (uint32_t i = 0; i < count; ++i)
    GMEM_TRY(set_pool(verifier, proof, i, &entries[i]));
  for (uint32_t i = 0; i < table->count; ++i) {
    bool is_known = table->entries[i].constant != proof->part->constant;
    for (uint32_t k = 0; k < count && !is_known; ++k)
      is_known = entries[k] == i;
    if (!is_known)
      return table_error(verifier, "lists pool", table->entries[i].name,
                         ", which this module does not use");
  }
  assert(gmem_candidate_pools_check(proof->part->pools));
  proof->entries = entries;
  return GMEM_OK;
}

// Checks base addresses against gmem.memories.
static gmem_status_t check_bases(const verifier_t *verifier) {
  const gmem_program_t *program = &verifier->analysis->program;
  uint64_t *bases;
  const gmem_pool_table_t *table = &verifier->plan->pools;
  GMEM_TRY_ALLOC(bases, verifier->analysis->arena, table->count,
                 verifier->diag);
  gmem_pool_bases_find(program, table, bases);
  for (uint32_t i = 0; i < table->count; ++i)
    if (table->entries[i].base != bases[i])
      return table_error(verifier, "gives memory", table->entries[i].name,
                         " a different base than gmem.memories");
  return GMEM_OK;
}

// Checks that pools are inside the memory that they share with other modules,
// at an aligned offset.
static gmem_status_t check_shared_memory(const verifier_t *verifier) {
  const gmem_pool_table_t *table = &verifier->plan->pools;
  for (uint32_t i = 0; i < table->count; ++i) {
    const gmem_pool_entry_t *entry = &table->entries[i];
    if (!entry->shared_size && !entry->shared_offset)
      continue;
    if (entry->shared_offset > entry->shared_size ||
        entry->size > entry->shared_size - entry->shared_offset)
      return table_error(verifier, "extends pool", entry->name,
                         " past the end of the memory that it shares");
    if (entry->shared_size > entry->capacity)
      return table_error(verifier, "gives pool", entry->name,
                         " a shared_size larger than its capacity");
    if (entry->shared_offset & (entry->alignment - 1))
      return table_error(verifier, "gives pool", entry->name,
                         " a shared_offset that is not aligned");
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
    bool has_memories = verifier->analysis->program.memory_count != 0;
    bool swap = low > high; // as the table lists them
    MlirStringRef first = swap ? high->name : low->name;
    MlirStringRef second = swap ? low->name : high->name;
    return gmem_op_error(
        verifier->diag, GMEM_ERR_OVERLAP, verifier->analysis->program.scope,
        has_memories
            ? "pools '%.*s' and '%.*s' share addresses: change the base "
              "of one of them or place it after the other"
            : "pools '%.*s' and '%.*s' share addresses: change the "
              "option tensor-base, or omit it to plan the tensors in "
              "a separate memory",
        (int)first.length, first.data, (int)second.length, second.data);
  }
  return GMEM_OK;
}

//===--- placements -------------------------------------------------------===//

static gmem_status_t check_pool(const verifier_t *verifier,
                                const proof_t *proof,
                                const gmem_placement_t *plan, uint32_t index) {
  const gmem_pool_entry_t *pool =
      &verifier->plan->pools.entries[proof->entries[index]];
  uint64_t bound;
  GMEM_TRY(
      gmem_lower_bound_of_pool(proof->problem, index, &bound, verifier->diag));
  if (gmem_plan_pool_size(proof->problem, plan, index) != pool->size)
    return figure_error(verifier,
                        "the size of a pool differs from the space in use");
  if (pool->lower_bound != bound)
    return figure_error(
        verifier, "the lower bound of a pool differs from the computed one");
  if (pool->size > pool->capacity)
    return figure_error(verifier, "a pool is larger than its capacity");
  return GMEM_OK;
}

// Checks the placements of one problem and the figures of its pools. A
// placement in a pool that is not one of the problem has the number of pools.
static gmem_status_t check(const verifier_t *verifier, const proof_t *proof) {
  uint32_t count = proof->part->count, pools = proof->part->pools->count;
  gmem_check_result_t found = {.violation = GMEM_VIOLATION_NONE};
  gmem_placement_t *plan;
  GMEM_TRY_ALLOC(plan, verifier->analysis->arena, count, verifier->diag);
  for (uint32_t i = 0; i < count; ++i) {
    const gmem_value_place_t *place = place_of(verifier, proof, i);
    plan[i].offset = (uint64_t)place->offset;
    while (plan[i].pool < pools && proof->entries[plan[i].pool] != place->pool)
      ++plan[i].pool;
  }
  gmem_status_t status =
      gmem_check(proof->problem, plan, &found, verifier->diag);
  if (found.violation != GMEM_VIOLATION_NONE)
    return report(verifier, proof, status, &found);
  GMEM_TRY(status);
  for (uint32_t i = 0; i < pools; ++i)
    GMEM_TRY(check_pool(verifier, proof, plan, i));
  return GMEM_OK;
}

// Reports the planner's error for a pool or buffer that it rejects.
static gmem_status_t problem_error(const verifier_t *verifier,
                                   gmem_status_t status) {
  MlirOperation scope = verifier->analysis->program.scope;
  if (status != GMEM_OK && status != GMEM_ERR_OUT_OF_MEMORY)
    gmem_op_error(NULL, status, scope, "%s", verifier->diag->text);
  return status;
}

// Checks that equal constants that share memory have one placement, and that
// constants have no padding.
static gmem_status_t check_constants(const verifier_t *verifier) {
  const gmem_constants_t *weights = &verifier->analysis->constants;
  const gmem_value_place_t *places = verifier->plan->places;
  for (size_t i = 0; i < weights->count; ++i) {
    const gmem_value_place_t *own = &places[weights->weights[i].value];
    const gmem_value_place_t *source = &places[weights->weights[i].source];
    if (own->pool != source->pool || own->offset != source->offset)
      return value_error(verifier, weights->weights[i].value, GMEM_ERR_CORRUPT,
                         "must share the memory of an equal constant but has a "
                         "different placement");
  }
  for (size_t i = 0; i < weights->count; ++i) {
    const gmem_value_place_t *own = &places[weights->weights[i].value];
    if (own->payload != own->offset)
      return value_error(verifier, weights->weights[i].value, GMEM_ERR_CORRUPT,
                         "has a gmem.payload_offset but no padding");
  }
  return GMEM_OK;
}

// Checks the padded size and payload offset of every alias set; verify_place
// has checked that all its values have one placement.
static gmem_status_t check_paddings(const verifier_t *verifier,
                                    const gmem_pool_spec_t *pools) {
  const gmem_analysis_t *analysis = verifier->analysis;
  for (uint32_t i = 0; i < analysis->liveness.set_count; ++i) {
    uint32_t root = analysis->liveness.sets[i].root;
    const gmem_value_place_t *place = &verifier->plan->places[root];
    if ((uint64_t)place->size != gmem_padded_size(analysis, pools, i))
      return value_error(verifier, root, GMEM_ERR_CORRUPT,
                         "has a gmem.size that differs from the size of its "
                         "type plus padding");
    if (place->payload < place->offset ||
        (uint64_t)(place->payload - place->offset) !=
            gmem_padding_in_buffer(analysis, pools, i).before)
      return value_error(verifier, root, GMEM_ERR_CORRUPT,
                         "has a gmem.payload_offset that differs from "
                         "gmem.offset plus the leading padding");
  }
  return GMEM_OK;
}

static gmem_status_t check_figures(const verifier_t *verifier,
                                   const gmem_problem_t *problem) {
  uint64_t peak = 0, bound;
  const gmem_figures_entry_t *figures = &verifier->plan->figures;
  const gmem_pool_table_t *table = &verifier->plan->pools;
  for (uint32_t i = 0; i < table->count && peak <= GMEM_MAX_ADDRESS; ++i)
    if (!table->entries[i].constant)
      peak += table->entries[i].size; // no overflow: both have at most 63 bits
  GMEM_TRY(gmem_lower_bound(problem, &bound, verifier->diag));
  if (figures->peak != peak)
    return figure_error(
        verifier, "the peak is not the total size of the workspace pools");
  if (figures->lower_bound != bound)
    return figure_error(verifier,
                        "the lower bound differs from the computed one");
  if (figures->optimal != (figures->peak == figures->lower_bound))
    return figure_error(verifier,
                        "optimal must be true if and only if the peak is the "
                        "lower bound");
  return GMEM_OK;
}

// Checks the placements of the constants or tensors after their problem has
// been built.
static gmem_status_t check_part(const verifier_t *verifier,
                                const proof_t *proof) {
  if (!proof->part->constant)
    GMEM_TRY(check_paddings(verifier, proof->specs));
  GMEM_TRY(check(verifier, proof));
  return proof->part->constant ? GMEM_OK
                               : check_figures(verifier, proof->problem);
}

static gmem_status_t verify_part(const verifier_t *verifier, bool constant) {
  gmem_problem_part_t part;
  gmem_problem_t *problem;
  proof_t proof = {.part = &part};
  GMEM_TRY(gmem_problem_part_find(verifier->analysis, constant, &part,
                                  verifier->diag));
  GMEM_TRY(set_pools(verifier, &proof));
  if (constant)
    GMEM_TRY(check_constants(verifier));
  gmem_status_t status =
      gmem_planner_problem(&part, proof.specs, &problem, verifier->diag);
  if (status != GMEM_OK)
    return problem_error(verifier, status);
  proof.problem = problem;
  status = check_part(verifier, &proof);
  gmem_problem_destroy(problem);
  return status;
}

static gmem_status_t verify_values(const verifier_t *verifier) {
  const gmem_live_value_t *live_values =
      verifier->analysis->liveness.live_values;
  for (uint32_t i = 0; i < verifier->analysis->program.value_count; ++i)
    if (live_values[i].storage == GMEM_STORAGE_TENSOR ||
        live_values[i].storage == GMEM_STORAGE_WEIGHT)
      GMEM_TRY(verify_place(verifier, i));
  for (uint32_t i = 0; i < verifier->analysis->workbuffers.count; ++i)
    GMEM_TRY(verify_work_place(verifier, i));
  return GMEM_OK;
}

static gmem_status_t verify(const gmem_scope_plan_t *plan, gmem_diag_t *diag) {
  const gmem_analysis_t *analysis = &plan->analysis;
  const verifier_t verifier = {plan, analysis, diag};
  GMEM_TRY(verify_values(&verifier));
  GMEM_TRY(check_bases(&verifier));
  GMEM_TRY(check_addresses(&verifier));
  GMEM_TRY(check_shared_memory(&verifier));
  GMEM_TRY(verify_part(&verifier, true));
  GMEM_TRY(verify_part(&verifier, false));
  return gmem_aliases_verify(&analysis->program, &analysis->constraints.aliases,
                             plan->places, analysis->arena, diag);
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

static gmem_status_t visit_scope(MlirOperation scope,
                                 const gmem_op_models_t *models,
                                 gmem_bump_t *arena, void *user,
                                 gmem_diag_t *diag) {
  visitor_t *visitor = user;
  const gmem_plan_visit_t *visit = visitor->visit;
  gmem_scope_plan_t plan;
  ++visitor->scopes;
  gmem_status_t status =
      gmem_scope_plan_read(scope, models, arena, &plan, diag);
  if (status == GMEM_ERR_NOT_FOUND)
    return no_plan(scope, diag);
  GMEM_TRY(status);
  if (!visit->is_verified)
    GMEM_TRY(verify(&plan, diag));
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
  (void)options;
  return gmem_verify_module(top, allocator, diag);
}

gmem_status_t gmem_verify_module(MlirOperation top,
                                 const gmem_allocator_t *allocator,
                                 gmem_diag_t *diag) {
  return gmem_for_each_plan_in(top, &(gmem_plan_visit_t){.use = NULL},
                               allocator, diag);
}
