// proof_repeats.c - see proof_walk.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the walk of a callee does to the state depends on the names that the
// call gives it, each intact, lost or neither, and on where their memories are.
// These are the facts of the call. Memories are numbered as they are given, and
// of one with no byte that the callee writes it is not a fact where it is.
//
// Of the names of a memory that are the same before the walk, all are the same
// behind it: only writes change them, by rules that ask for the memory.
// So one of each kind says what becomes of the others. What else the caller
// knows is never read in there; it is lost to the callee's footprint, and to
// what the callee has written of the memory that it is given.
//
// Calls are walked if it is a fact of the call alone that two names never exist
// at a time, or that an allocation begins anew: if memories that they give
// share bytes, or belong to functions that the callee may run.

#include "proof_walk.h"

#include <string.h>

enum { MOST_NAMES = 64 }; // each is compared with each
enum { NEITHER, INTACT, LOST, STATES };

typedef struct facts_s {
  GMEM_LIST(uint64_t) words; // equal: the effect is the same
  GMEM_LIST(uint32_t) names; // that are given
  GMEM_LIST(uint32_t) sites; // of these, each once
} facts_t;

// The names of a result for one memory.
typedef struct result_s {
  uint32_t result; // number
  uint32_t number; // of facts.sites, or GMEM_NO_INDEX: one of the callee
  uint32_t site;
  gmem_walk_status_t status;
} result_t;

struct gmem_walk_effect_s {
  const gmem_walk_effect_t *next; // of those with the same hash
  uint32_t callee;
  facts_t facts;
  // By number of a site, and what a name of it was before: a name that was, or
  // GMEM_NO_INDEX, and what it is.
  gmem_walk_status_t *after;
  GMEM_LIST(uint32_t) written; // numbers of names, then of sites
  GMEM_LIST(result_t) results;
  size_t first_write; // in walk->calls.written
  bool returns;
};

static uint32_t number_in(const uint32_t *list, size_t count, uint32_t wanted) {
  for (size_t i = 0; i < count; ++i)
    if (list[i] == wanted)
      return (uint32_t)i;
  return GMEM_NO_INDEX;
}

static uint32_t number_of_site(const facts_t *facts, uint32_t site) {
  return number_in(facts->sites.at, facts->sites.count, site);
}

static int state_of(const gmem_walk_status_t *status) {
  return status->is_lost ? LOST : status->is_intact ? INTACT : NEITHER;
}

static const gmem_proof_value_t *owner_of(const gmem_walk_t *walk,
                                          uint32_t site) {
  return gmem_walk_value(walk, gmem_proof_site(&walk->memory, site));
}

// Whether |callee| may run |function|.
static bool may_run(const gmem_walk_t *walk, uint32_t callee,
                    uint32_t function) {
  return walk->calls.rank[function] <= walk->calls.rank[callee];
}

//===--- facts ------------------------------------------------------------===//

static void add_word(gmem_walk_t *walk, facts_t *facts, uint64_t word) {
  GMEM_APPEND(walk->arena, &facts->words, word);
}

// Whether neither |callee|, nor what it runs, writes any of |bytes|, and no
// argument of it has them.
static bool is_apart(const gmem_walk_t *walk, uint32_t callee,
                     gmem_proof_range_t bytes) {
  const gmem_proof_program_t *program = walk->program;
  gmem_proof_row_t row =
      gmem_proof_arguments(program, program->functions.at[callee].region);
  gmem_proof_range_t common;
  for (uint32_t v = row.first; v < row.first + row.count; ++v)
    if (gmem_walk_value(walk, v)->is_placed &&
        gmem_proof_do_meet(gmem_proof_extent(gmem_walk_value(walk, v)), bytes))
      return false;
  return bytes.begin >= bytes.end ||
         !gmem_proof_area_meets(walk->footprints.of[callee], bytes, &common);
}

// Adds where site |number| is. Returns false if the effect may depend on more.
static bool add_place(gmem_walk_t *walk, uint32_t callee, facts_t *facts,
                      uint32_t number) {
  uint32_t site = facts->sites.at[number];
  const gmem_proof_value_t *owner = owner_of(walk, site);
  gmem_proof_range_t extent = gmem_proof_extent(owner);
  if (!owner->is_memref || owner->is_constant ||
      gmem_proof_columns_of(walk->program, owner).pitch ||
      may_run(walk, callee, owner->function))
    return false;
  for (uint32_t i = 0; i < number; ++i)
    if (gmem_proof_do_meet(
            extent, gmem_proof_extent(owner_of(walk, facts->sites.at[i]))))
      return false;
  bool is_free = is_apart(walk, callee, extent);
  add_word(walk, facts, gmem_walk_is_known(walk, site) * 2U + is_free);
  if (is_free)
    return true;
  add_word(walk, facts, owner->bytes.begin);
  add_word(walk, facts, owner->bytes.end);
  add_word(walk, facts, extent.begin);
  add_word(walk, facts, extent.end);
  return true;
}

// Adds the names that |operand|, a memref, denotes.
static void add_given(gmem_walk_t *walk, facts_t *facts, uint32_t operand) {
  add_word(walk, facts, 1U + gmem_walk_is_whole(walk, operand));
  gmem_walk_list_ids(walk, operand);
  add_word(walk, facts, walk->now.ids.count);
  for (size_t i = 0;
       i < walk->now.ids.count && facts->names.count <= MOST_NAMES; ++i) {
    uint32_t name = walk->now.ids.at[i];
    uint32_t site = gmem_proof_site(&walk->memory, name);
    gmem_walk_status_t status = gmem_walk_status_of(walk, name);
    if (number_of_site(facts, site) == GMEM_NO_INDEX)
      GMEM_APPEND(walk->arena, &facts->sites, site);
    add_word(walk, facts,
             number_of_site(facts, site) * (uint64_t)STATES +
                 (uint64_t)state_of(&status));
    GMEM_APPEND(walk->arena, &facts->names, name);
  }
}

static bool find_facts(gmem_walk_t *walk, uint32_t index, facts_t *facts) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  uint32_t callee = walk->program->callees.at[op->first_callee];
  if (walk->program->functions.at[callee].is_recursive)
    return false;
  add_word(walk, facts, walk->is_checked);
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    if (op->operands[i] == GMEM_NO_INDEX ||
        !gmem_walk_value(walk, op->operands[i])->is_memref)
      add_word(walk, facts, 0);
    else
      add_given(walk, facts, op->operands[i]);
    if (facts->names.count > MOST_NAMES)
      return false;
  }
  for (uint32_t i = 0; i < facts->sites.count; ++i)
    if (!add_place(walk, callee, facts, i))
      return false;
  return true;
}

static size_t bucket_of(const gmem_walk_t *walk, uint32_t callee,
                        const facts_t *facts) {
  uint64_t hash = callee;
  for (size_t i = 0; i < facts->words.count; ++i)
    hash = ((hash ^ facts->words.at[i]) * UINT64_C(0x9E3779B97F4A7C15)) ^
           (hash >> 29);
  return (size_t)(hash >> 32) & walk->calls.mask;
}

static bool has_facts(const gmem_walk_effect_t *effect, uint32_t callee,
                      const facts_t *facts) {
  return effect->callee == callee &&
         effect->facts.words.count == facts->words.count &&
         memcmp(effect->facts.words.at, facts->words.at,
                facts->words.count * sizeof *facts->words.at) == 0;
}

//===--- names of a memory ------------------------------------------------===//

// Whether |name| counts when the callee of |call| returns: those of its own
// values do not, and those of its results are new.
static bool counts(const gmem_walk_t *walk, uint32_t call, uint32_t callee,
                   uint32_t name) {
  const gmem_proof_name_t *bound = gmem_proof_name_at(&walk->memory, name);
  if (!bound)
    return true;
  const gmem_proof_value_t *value = gmem_walk_value(walk, bound->value);
  return value->op != call && !may_run(walk, callee, value->function) &&
         gmem_walk_is_in_scope(walk, name);
}

// Lists in now.ids the names of |site| that count.
static void list_names(gmem_walk_t *walk, uint32_t call, uint32_t callee,
                       uint32_t site) {
  walk->now.ids.count = 0;
  GMEM_APPEND(walk->arena, &walk->now.ids, site);
  GMEM_CSR_EACH (name, &walk->memory.names_of, site)
    if (counts(walk, call, callee, *name))
      GMEM_APPEND(walk->arena, &walk->now.ids, *name);
}

//===--- a call that is walked --------------------------------------------===//

// Notes a name of each kind before the walk.
static gmem_status_t begin_effect(gmem_walk_t *walk, uint32_t call,
                                  gmem_walk_effect_t *effect) {
  size_t sites = effect->facts.sites.count;
  GMEM_TRY_ALLOC(effect->after, walk->arena, sites * STATES, walk->diag);
  for (size_t i = 0; i < sites * STATES; ++i)
    effect->after[i].name = GMEM_NO_INDEX;
  for (size_t i = 0; i < sites; ++i) {
    list_names(walk, call, effect->callee, effect->facts.sites.at[i]);
    for (size_t k = 0; k < walk->now.ids.count; ++k) {
      gmem_walk_status_t status =
          gmem_walk_status_of(walk, walk->now.ids.at[k]);
      effect->after[i * STATES + (size_t)state_of(&status)].name = status.name;
    }
  }
  effect->first_write = walk->calls.written.count;
  return GMEM_OK;
}

static void take_writes(gmem_walk_t *walk, gmem_walk_effect_t *effect) {
  const facts_t *facts = &effect->facts;
  size_t first = effect->first_write;
  for (size_t i = first; i < walk->calls.written.count; ++i) {
    uint32_t id = walk->calls.written.at[i];
    uint32_t site = number_of_site(facts, gmem_proof_site(&walk->memory, id));
    uint32_t name = number_in(facts->names.at, facts->names.count, id);
    if (site == GMEM_NO_INDEX)
      continue;
    if (name == GMEM_NO_INDEX)
      name = (uint32_t)facts->names.count + site;
    if (number_in(effect->written.at, effect->written.count, name) ==
        GMEM_NO_INDEX)
      GMEM_APPEND(walk->arena, &effect->written, name);
  }
}

// Whether |name| is one of a result that control flow binds.
static bool is_bound(const gmem_walk_t *walk, uint32_t name) {
  return gmem_proof_name_at(&walk->memory, name) != NULL;
}

static void take_result(gmem_walk_t *walk, gmem_walk_effect_t *effect,
                        uint32_t number, gmem_proof_set_t names) {
  for (uint32_t k = 0; k < names.count; ++k) {
    if (!is_bound(walk, names.at[k]))
      continue;
    uint32_t site = gmem_proof_site(&walk->memory, names.at[k]);
    result_t result = {number, number_of_site(&effect->facts, site), site,
                       gmem_walk_status_of(walk, names.at[k])};
    GMEM_APPEND(walk->arena, &effect->results, result);
  }
}

void gmem_walk_end_effect(gmem_walk_t *walk, uint32_t call,
                          gmem_walk_effect_t *effect) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, call);
  effect->returns = walk->state.is_reached;
  for (size_t i = 0; i < effect->facts.sites.count * STATES; ++i)
    if (effect->after[i].name != GMEM_NO_INDEX)
      effect->after[i] = gmem_walk_status_of(walk, effect->after[i].name);
  take_writes(walk, effect);
  for (uint32_t i = 0; i < op->results.count; ++i)
    take_result(walk, effect, i, walk->memory.of[op->results.first + i]);
  if (walk->frame.depth == 0)
    walk->calls.written.count = 0;
  size_t bucket = bucket_of(walk, effect->callee, &effect->facts);
  effect->next = walk->calls.effects[bucket];
  walk->calls.effects[bucket] = effect;
}

//===--- a call that is not -----------------------------------------------===//

// Adds to now.statuses what becomes of the names of site |number|.
static bool add_after(gmem_walk_t *walk, uint32_t call,
                      const gmem_walk_effect_t *effect, const facts_t *facts,
                      uint32_t number) {
  uint32_t site = facts->sites.at[number];
  bool is_free =
      is_apart(walk, effect->callee, gmem_proof_extent(owner_of(walk, site)));
  list_names(walk, call, effect->callee, site);
  for (size_t i = 0; i < walk->now.ids.count; ++i) {
    gmem_walk_status_t before = gmem_walk_status_of(walk, walk->now.ids.at[i]);
    gmem_walk_status_t after =
        effect->after[number * (size_t)STATES + (size_t)state_of(&before)];
    if (after.name == GMEM_NO_INDEX)
      return false;
    if (is_free && state_of(&before) == state_of(&after))
      continue; // nothing that the callee writes has lost it
    if (before.is_lost && after.is_lost)
      after = before;
    after.name = before.name;
    GMEM_APPEND(walk->arena, &walk->now.statuses, after);
  }
  return true;
}

// The same for |name| of result |number|.
static bool add_result(gmem_walk_t *walk, const gmem_walk_effect_t *effect,
                       const facts_t *facts, uint32_t number, uint32_t name) {
  uint32_t site = gmem_proof_site(&walk->memory, name);
  uint32_t given = number_of_site(facts, site);
  gmem_walk_status_t status = {.name = name};
  bool is_found =
      given == GMEM_NO_INDEX &&
      !may_run(walk, effect->callee, owner_of(walk, site)->function);
  for (size_t i = 0; i < effect->results.count && !is_found; ++i) {
    const result_t *result = &effect->results.at[i];
    is_found = result->result == number && result->number == given &&
               (given != GMEM_NO_INDEX || result->site == site);
    if (is_found)
      status = result->status;
  }
  status.name = name;
  GMEM_APPEND(walk->arena, &walk->now.statuses, status);
  return is_found;
}

// Lists in now.statuses what becomes of all names. Returns false if one was
// never seen.
static bool list_after(gmem_walk_t *walk, uint32_t call,
                       const gmem_walk_effect_t *effect, const facts_t *facts) {
  gmem_proof_row_t row = gmem_walk_op(walk, call)->results;
  bool is_found = true;
  walk->now.statuses.count = 0;
  for (uint32_t i = 0; i < facts->sites.count && is_found; ++i)
    is_found = add_after(walk, call, effect, facts, i);
  for (uint32_t i = 0; i < row.count; ++i) {
    gmem_proof_set_t names = walk->memory.of[row.first + i];
    for (uint32_t k = 0; k < names.count && is_found; ++k)
      if (is_bound(walk, names.at[k]))
        is_found = add_result(walk, effect, facts, i, names.at[k]);
  }
  return is_found;
}

// Makes the writes of |effect| to what |facts| give.
static gmem_status_t write_given(gmem_walk_t *walk, uint32_t call,
                                 const gmem_walk_effect_t *effect,
                                 const facts_t *facts) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, call);
  size_t names = facts->names.count;
  walk->now.writes.count = 0;
  for (size_t i = 0; i < effect->written.count; ++i) {
    uint32_t number = effect->written.at[i];
    gmem_walk_add_write(walk, number < names ? facts->names.at[number]
                                             : facts->sites.at[number - names]);
  }
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (op->operands[i] != GMEM_NO_INDEX &&
        gmem_walk_value(walk, op->operands[i])->is_memref)
      gmem_walk_add_padding(walk, op->operands[i]);
  gmem_status_t status = GMEM_OK;
  walk->is_in_callee = true;
  for (size_t i = 0; i < walk->now.writes.count && status == GMEM_OK; ++i)
    status = gmem_walk_write(walk, call, &walk->now.writes.at[i]);
  walk->is_in_callee = false;
  return status;
}

static gmem_status_t repeat(gmem_walk_t *walk, uint32_t call,
                            const gmem_walk_effect_t *effect,
                            const facts_t *facts) {
  GMEM_TRY(write_given(walk, call, effect, facts));
  GMEM_TRY(gmem_walk_run_callees(walk, call));
  gmem_walk_set_statuses(walk);
  walk->state.is_reached = effect->returns;
  return GMEM_OK;
}

gmem_status_t gmem_walk_repeat(gmem_walk_t *walk, uint32_t call,
                               gmem_walk_effect_t **out_effect,
                               bool *out_is_made) {
  uint32_t callee =
      walk->program->callees.at[gmem_walk_op(walk, call)->first_callee];
  facts_t facts = {0};
  *out_effect = NULL;
  *out_is_made = false;
  if (!find_facts(walk, call, &facts))
    return GMEM_OK;
  for (const gmem_walk_effect_t *effect =
           walk->calls.effects[bucket_of(walk, callee, &facts)];
       effect; effect = effect->next)
    if (has_facts(effect, callee, &facts) &&
        list_after(walk, call, effect, &facts)) {
      *out_is_made = true;
      return repeat(walk, call, effect, &facts);
    }
  walk->now.statuses.count = 0;
  GMEM_TRY_ALLOC(*out_effect, walk->arena, 1, walk->diag);
  **out_effect = (gmem_walk_effect_t){.callee = callee, .facts = facts};
  return begin_effect(walk, call, *out_effect);
}

gmem_status_t gmem_walk_begin_effects(gmem_walk_t *walk) {
  const gmem_proof_program_t *program = walk->program;
  size_t buckets = 64;
  while (buckets < program->ops.count)
    buckets *= 2;
  walk->calls.mask = buckets - 1;
  GMEM_TRY_ALLOC(walk->calls.effects, walk->arena, buckets, walk->diag);
  GMEM_TRY_ALLOC(walk->calls.rank, walk->arena, program->functions.count,
                 walk->diag);
  for (uint32_t i = 0; i < program->functions.count; ++i)
    walk->calls.rank[program->order[i]] = i;
  return GMEM_OK;
}
