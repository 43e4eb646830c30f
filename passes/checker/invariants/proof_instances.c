// proof_instances.c - see proof_instances.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The op that makes a memory, an allocation or a tensor, runs again in loops
// and whenever its function is called. Each run makes a new instance, at the
// same place. The walk knows memory by its place, so it takes a write to one
// instance for one to the other. This rule keeps them apart: on no way from a
// memref to a use of it, other than through what binds the memref anew, does an
// op run that makes the memory, directly or in a function that it calls.
//
// That is enough. A memref that is used, or passed on, denotes the instance
// that was made last: when it is bound, that is so of what it is bound to, as
// that is used there; and later no other one is made.
//
// Of the values of SSA form, the blocks where one is needed are those from
// which a use is reached without passing its definition (Boissinot et al.,
// "Fast Liveness Checking for SSA-Form Programs", 2008). Regions of a branch
// are looked at one by one; those of any other op run again and again. What a
// call passes is looked at in the callee.

#include "proof_instances.h"

#include <assert.h>
#include <stdlib.h>

#include "csr.h"
#include "diagnostics.h"
#include "partition_point.h"
#include "proof_branches.h"
#include "proof_messages.h"
#include "proof_runs.h"

// Positions in the text: 2 * op is before the op, 2 * op + 1 is at it.
typedef GMEM_LIST(uint32_t) numbers_t;

// Where memory is made: positions, ascending.
typedef struct makers_s {
  const uint32_t *at;
  size_t count;
} makers_t;

// Where a value is needed in a block.
typedef struct live_s {
  uint32_t stamp; // of the search that the rest is of
  uint32_t last;  // position of the last use
  bool is_out;    // up to the end
} live_t;

// The part of a function that a search is in.
typedef struct scope_s {
  uint32_t region;
  uint32_t block; // of the definition, or GMEM_NO_INDEX: it is outside
  uint32_t begin; // position behind the definition
} scope_t;

typedef struct search_s {
  const gmem_proof_program_t *program;
  const gmem_proof_memory_t *memory;
  uint32_t *base;    // by value: what it is a view of, or itself
  gmem_csr_t users;  // by value: ops that use it or views of it
  gmem_csr_t before; // by block: those that branch to it
  gmem_proof_runs_t runs;
  numbers_t **run_at;   // by function: where it runs; NULL: not known yet
  uint32_t *group_last; // by op of a layer group: its last op; NULL: no groups
  live_t *lives;        // by block
  uint32_t stamp;
  uint32_t value; // the current one
  bool of_allocs; // only allocations count
  numbers_t own;  // makers of its memory in its function
  GMEM_LIST(makers_t) makers;
  numbers_t uses, blocks; // stacks of the searches
  uint32_t maker;         // what was found: a position
  gmem_bump_t *arena;
  gmem_diag_t *diag;
} search_t;

static const gmem_proof_op_t *op_at(const search_t *search, uint32_t op) {
  return gmem_proof_op_at(search->program, op);
}

//===--- makers -----------------------------------------------------------===//

// Where |value| is made.
static uint32_t position_of(const search_t *search, uint32_t value) {
  const gmem_proof_value_t *entry = gmem_proof_value_at(search->program, value);
  return entry->op != GMEM_NO_INDEX
             ? 2 * entry->op + 1
             : 2 * search->program->blocks.at[entry->block].first_op;
}

static int compare_numbers(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

static bool is_below(const void *number, const void *limit) {
  return *(const uint32_t *)number < *(const uint32_t *)limit;
}

static size_t first_from(makers_t makers, uint32_t begin) {
  return gmem_partition_point(&begin, makers.at, makers.count,
                              sizeof *makers.at, is_below);
}

// Finds a maker at [begin, end), and sets search->maker.
static bool finds_maker(search_t *search, uint32_t begin, uint32_t end) {
  for (size_t i = 0; i < search->makers.count; ++i) {
    makers_t makers = search->makers.at[i];
    size_t first = first_from(makers, begin);
    if (first == makers.count || makers.at[first] >= end)
      continue;
    search->maker = makers.at[first];
    return true;
  }
  return false;
}

// The op that makes memory at |position|: that around a block, for an argument.
static uint32_t maker_at(const search_t *search, uint32_t position) {
  uint32_t parent = op_at(search, position / 2)->parent;
  return position % 2 || parent == GMEM_NO_INDEX ? position / 2 : parent;
}

// Where |function| runs, by calls of others or not.
static const numbers_t *runs_of(search_t *search, uint32_t function) {
  numbers_t *positions = search->run_at[function];
  if (positions)
    return positions;
  const gmem_proof_run_ops_t *ops = gmem_proof_runs_of(&search->runs, function);
  positions = gmem_bump_alloc(search->arena, 1, sizeof *positions);
  search->run_at[function] = positions;
  for (size_t i = 0; positions && ops && i < ops->count; ++i)
    GMEM_APPEND(search->arena, positions, 2 * ops->at[i] + 1);
  return positions;
}

// Adds where |site| is made, as seen from the function of the current value.
// |is_given|: the value may denote an instance of an earlier run of that.
static void add_maker(search_t *search, uint32_t site, bool is_given) {
  const gmem_proof_program_t *program = search->program;
  const gmem_proof_value_t *owner = gmem_proof_value_at(program, site);
  if (search->of_allocs && !owner->is_memref)
    return;
  uint32_t user = gmem_proof_value_at(program, search->value)->function;
  const gmem_proof_function_t *function = &program->functions.at[user];
  if (owner->function == user) {
    if (is_given || gmem_proof_may_repeat(program, owner->block))
      GMEM_APPEND(search->arena, &search->own, position_of(search, site));
    return;
  }
  const numbers_t *runs = runs_of(search, owner->function);
  if (!runs)
    return;
  makers_t all = {runs->at, runs->count};
  size_t first = first_from(all, 2 * function->first_op);
  size_t end = first_from(all, 2 * function->end_op);
  for (size_t i = 0; i < search->makers.count; ++i)
    if (search->makers.at[i].at == all.at + first)
      return;
  if (first < end)
    GMEM_APPEND(search->arena, &search->makers,
                (makers_t){all.at + first, end - first});
}

// Lists where the memory of the current value is made; |of_allocs|: only that
// of allocations.
static void list_makers(search_t *search, bool of_allocs) {
  const gmem_proof_memory_t *memory = search->memory;
  const gmem_proof_value_t *value =
      gmem_proof_value_at(search->program, search->value);
  gmem_proof_set_t sites = memory->sites[search->value];
  search->makers.count = search->own.count = 0;
  search->of_allocs = of_allocs;
  for (uint32_t i = 0; i < sites.count; ++i) {
    if (sites.at[i] < GMEM_PROOF_ARGUMENT) {
      if (sites.at[i] != search->value)
        add_maker(search, sites.at[i], false);
      continue;
    }
    gmem_proof_row_t row = gmem_proof_arguments(
        search->program, search->program->functions.at[value->function].region);
    gmem_proof_set_t given =
        memory->given[row.first + (sites.at[i] & ~GMEM_PROOF_ARGUMENT)];
    for (uint32_t k = 0; k < given.count; ++k)
      add_maker(search, given.at[k], true);
  }
  if (search->own.count == 0)
    return;
  qsort(search->own.at, search->own.count, sizeof *search->own.at,
        compare_numbers);
  GMEM_APPEND(search->arena, &search->makers,
              (makers_t){search->own.at, search->own.count});
}

//===--- where a value is needed ------------------------------------------===//

// The op of |region| that op |at| is, or is inside of; GMEM_NO_INDEX: none.
static uint32_t lift(const search_t *search, uint32_t at, uint32_t region) {
  const gmem_proof_program_t *program = search->program;
  while (at != GMEM_NO_INDEX &&
         program->blocks.at[op_at(search, at)->block].region != region)
    at = op_at(search, at)->parent;
  return at;
}

static live_t *touch(search_t *search, uint32_t block) {
  live_t *live = &search->lives[block];
  if (live->stamp != search->stamp) {
    *live = (live_t){.stamp = search->stamp};
    GMEM_APPEND(search->arena, &search->blocks, block);
  }
  return live;
}

// Finds the blocks where the value of |scope| is needed, as it has the uses
// from |first| on: those on search->blocks, from search->blocks.count on.
static void find_lives(search_t *search, const scope_t *scope, size_t first) {
  const gmem_proof_program_t *program = search->program;
  size_t next = search->blocks.count;
  ++search->stamp;
  for (size_t i = first; i < search->uses.count; ++i) {
    uint32_t op = lift(search, search->uses.at[i], scope->region);
    if (op == GMEM_NO_INDEX ||
        !program->blocks.at[op_at(search, op)->block].is_reached)
      continue;
    live_t *live = touch(search, op_at(search, op)->block);
    live->last = live->last > 2 * op + 1 ? live->last : 2 * op + 1;
  }
  for (; next < search->blocks.count; ++next) {
    uint32_t block = search->blocks.at[next];
    if (block == scope->block)
      continue;
    GMEM_CSR_EACH (before, &search->before, block)
      if (program->blocks.at[*before].is_reached)
        touch(search, *before)->is_out = true;
  }
}

static uint32_t end_of_block(const search_t *search, uint32_t block) {
  return 2 * op_at(search, search->program->blocks.at[block].last_op)->end;
}

// Whether memory is made in |block| while the value of |scope| is needed there.
static bool is_made_in(search_t *search, const scope_t *scope, uint32_t block) {
  const live_t *live = &search->lives[block];
  uint32_t begin = block == scope->block
                       ? scope->begin
                       : 2 * search->program->blocks.at[block].first_op;
  return finds_maker(search, begin,
                     live->is_out ? end_of_block(search, block) : live->last);
}

static bool is_made_between(search_t *search, const scope_t *scope,
                            size_t first);

// Whether memory is made inside of op |index|, the last one that uses the
// value, while that is used there: by uses from |first| on.
static bool is_made_inside(search_t *search, uint32_t index, size_t first) {
  const gmem_proof_op_t *op = op_at(search, index);
  size_t end = search->uses.count;
  bool is_found = false, is_used = false;
  if (op->flow == GMEM_PROOF_CALL ||
      !finds_maker(search, 2 * index + 1, 2 * op->end))
    return false;
  if (op->flow != GMEM_PROOF_BRANCH) {
    bool is_loop = op->flow == GMEM_PROOF_FOR || op->flow == GMEM_PROOF_WHILE;
    for (size_t i = first; i < end; ++i)
      is_used |=
          search->uses.at[i] >= index + is_loop && search->uses.at[i] < op->end;
    return is_used;
  }
  for (uint32_t r = 0; r < op->region_count && !is_found; ++r) {
    scope_t scope = {op->first_region + r, GMEM_NO_INDEX, 0};
    for (size_t i = first; i < end; ++i)
      if (lift(search, search->uses.at[i], scope.region) != GMEM_NO_INDEX)
        GMEM_APPEND(search->arena, &search->uses, search->uses.at[i]);
    is_found = is_made_between(search, &scope, end);
    search->uses.count = end;
  }
  return is_found;
}

// Whether memory is made between the definition of the value of |scope|, or the
// begin of that, and a use: one of those from |first| on.
static bool is_made_between(search_t *search, const scope_t *scope,
                            size_t first) {
  size_t from = search->blocks.count;
  bool is_found = false;
  find_lives(search, scope, first);
  size_t end = search->blocks.count;
  for (size_t i = from; i < end && !is_found; ++i)
    is_found = is_made_in(search, scope, search->blocks.at[i]);
  // What is below goes on with other stamps.
  size_t count = from;
  for (size_t i = from; i < end; ++i) {
    const live_t *live = &search->lives[search->blocks.at[i]];
    if (!live->is_out)
      search->blocks.at[count++] = live->last / 2;
  }
  search->blocks.count = count;
  for (size_t i = from; i < count && !is_found; ++i)
    is_found = is_made_inside(search, search->blocks.at[i], first);
  search->blocks.count = from;
  return is_found;
}

//===--- code that runs later ---------------------------------------------===//

// Whether |op| goes on when control flow has passed it.
static bool starts_later(const search_t *search, const gmem_proof_op_t *op) {
  return op->starts_later ||
         (op->is_deferred && (op->parent == GMEM_NO_INDEX ||
                              !op_at(search, op->parent)->is_deferred));
}

// The outermost op around op |at| that goes on later and does not have the
// current value inside of it; GMEM_NO_INDEX: there is none.
static uint32_t later_around(const search_t *search, uint32_t at) {
  uint32_t found = GMEM_NO_INDEX;
  uint32_t value = position_of(search, search->value);
  for (; at != GMEM_NO_INDEX; at = op_at(search, at)->parent) {
    if (value > 2 * at + 1 && value < 2 * op_at(search, at)->end)
      return found;
    found = starts_later(search, op_at(search, at)) ? at : found;
  }
  return found;
}

// Whether the current value is used until its function ends.
static bool is_kept(const search_t *search) {
  const gmem_proof_program_t *program = search->program;
  bool is = false;
  GMEM_CSR_EACH (user, &search->users, search->value) {
    uint32_t group = program->group_first[*user];
    is |=
        (group != GMEM_NO_INDEX && op_at(search, group)->is_scattered) ||
        (program->has_deferred && later_around(search, *user) != GMEM_NO_INDEX);
  }
  return is;
}

// Sets [*begin, *end) to the code that may run again around the current value.
static void find_repeated(const search_t *search, uint32_t *begin,
                          uint32_t *end) {
  const gmem_proof_program_t *program = search->program;
  uint32_t block = gmem_proof_value_at(program, search->value)->block;
  *begin = *end = position_of(search, search->value);
  for (uint32_t owner;; block = op_at(search, owner)->block) {
    const gmem_proof_region_t *region =
        &program->regions.at[program->blocks.at[block].region];
    owner = region->owner;
    if (owner == GMEM_NO_INDEX && region->has_loop) {
      const gmem_proof_function_t *function =
          &program->functions
               .at[gmem_proof_value_at(program, search->value)->function];
      *begin = 2 * function->first_op;
      *end = 2 * function->end_op;
    } else if (owner != GMEM_NO_INDEX &&
               (region->has_loop ||
                op_at(search, owner)->flow != GMEM_PROOF_BRANCH)) {
      *begin = 2 * owner + 1;
      *end = 2 * op_at(search, owner)->end;
    }
    if (owner == GMEM_NO_INDEX)
      return;
  }
}

// Whether memory is made while the current value, which is used until its
// function ends, is.
static bool is_made_later(search_t *search, uint32_t begin) {
  const gmem_proof_value_t *value =
      gmem_proof_value_at(search->program, search->value);
  uint32_t first, end;
  find_repeated(search, &first, &end);
  return finds_maker(
             search, begin,
             2 * search->program->functions.at[value->function].end_op) ||
         finds_maker(search, first, end);
}

//===--- values -----------------------------------------------------------===//

// The ops of a graph region run once, in an order that is not known; what it
// makes itself is there before its memrefs are, but for its arguments.
static bool is_made_in_graph(search_t *search,
                             const gmem_proof_region_t *region) {
  const gmem_proof_value_t *value =
      gmem_proof_value_at(search->program, search->value);
  for (uint32_t b = 0; b < region->block_count; ++b) {
    uint32_t block = region->first_block + b;
    const gmem_proof_block_t *entry = &search->program->blocks.at[block];
    for (size_t i = 0;
         i < search->makers.count && entry->last_op != GMEM_NO_INDEX; ++i) {
      makers_t makers = search->makers.at[i];
      for (size_t k = first_from(makers, 2 * entry->first_op);
           k < makers.count && makers.at[k] < end_of_block(search, block); ++k)
        if ((makers.at != search->own.at || value->op == GMEM_NO_INDEX) &&
            makers.at[k] / 2 != value->op) {
          search->maker = makers.at[k];
          return true;
        }
    }
  }
  return false;
}

static bool is_made_in_use(search_t *search) {
  const gmem_proof_program_t *program = search->program;
  const gmem_proof_value_t *value = gmem_proof_value_at(program, search->value);
  const gmem_proof_block_t *block = &program->blocks.at[value->block];
  const gmem_proof_region_t *region = &program->regions.at[block->region];
  scope_t scope = {block->region, value->block,
                   value->op == GMEM_NO_INDEX
                       ? 2 * block->first_op
                       : 2 * op_at(search, value->op)->end};
  if (region->is_graph)
    return is_made_in_graph(search, region);
  search->uses.count = search->blocks.count = 0;
  GMEM_CSR_EACH (user, &search->users, search->value)
    GMEM_APPEND(search->arena, &search->uses,
                search->group_last &&
                        program->group_first[*user] != GMEM_NO_INDEX
                    ? search->group_last[*user]
                    : *user);
  return (is_kept(search) && is_made_later(search, scope.begin)) ||
         is_made_between(search, &scope, 0);
}

// Whether an op whose regions run in any order makes the current value, or
// passes it to them, and an allocation that it denotes is made there: it may be
// an instance of any run.
static bool is_of_any_run(search_t *search) {
  const gmem_proof_program_t *program = search->program;
  const gmem_proof_value_t *value = gmem_proof_value_at(program, search->value);
  uint32_t op = value->op;
  if (op == GMEM_NO_INDEX)
    op = program->regions.at[program->blocks.at[value->block].region].owner;
  if (op == GMEM_NO_INDEX || op_at(search, op)->flow != GMEM_PROOF_ANY ||
      gmem_csr_count(&search->users, search->value) == 0)
    return false;
  list_makers(search, true);
  return finds_maker(search, 2 * op + 1, 2 * op_at(search, op)->end);
}

// Whether an allocation is made while gmem.hold keeps the current value. Of
// tensors, the walk knows which bytes are kept.
static bool is_made_while_held(search_t *search) {
  uint32_t op = gmem_proof_value_at(search->program, search->value)->op;
  if (op == GMEM_NO_INDEX || !op_at(search, op)->is_held)
    return false;
  list_makers(search, true);
  return is_made_later(search, 2 * op_at(search, op)->end);
}

// The memory of the current value that op |maker| makes.
static uint32_t made_by(const search_t *search, uint32_t maker) {
  const gmem_proof_memory_t *memory = search->memory;
  const gmem_proof_program_t *program = search->program;
  const gmem_proof_value_t *value = gmem_proof_value_at(program, search->value);
  gmem_proof_set_t sites = memory->sites[search->value];
  uint32_t first = gmem_proof_arguments(
                       program, program->functions.at[value->function].region)
                       .first;
  uint32_t found = GMEM_NO_INDEX;
  for (uint32_t i = 0; i < sites.count; ++i) {
    gmem_proof_set_t set = {&sites.at[i], 1};
    if (sites.at[i] >= GMEM_PROOF_ARGUMENT)
      set = memory->given[first + (sites.at[i] & ~GMEM_PROOF_ARGUMENT)];
    for (uint32_t k = 0; k < set.count; ++k) {
      bool is_own =
          gmem_proof_value_at(program, set.at[k])->function == value->function;
      if (is_own ? position_of(search, set.at[k]) == maker
                 : op_at(search, maker / 2)->callee_count != 0)
        found = set.at[k];
    }
  }
  assert(found != GMEM_NO_INDEX);
  return found;
}

static gmem_status_t report(const search_t *search) {
  const gmem_proof_program_t *program = search->program;
  const gmem_proof_value_t *value = gmem_proof_value_at(program, search->value);
  const gmem_proof_value_t *site =
      gmem_proof_value_at(program, made_by(search, search->maker));
  uint32_t maker = maker_at(search, search->maker), user = GMEM_NO_INDEX;
  GMEM_CSR_EACH (op, &search->users, search->value)
    user = user == GMEM_NO_INDEX || user <= maker ? *op : user;
  gmem_proof_text_t text = gmem_proof_value_text(program, site);
  gmem_note_t notes[2] = {
      gmem_proof_note(mlirOperationGetLocation(op_at(search, maker)->op),
                      "%s makes an instance",
                      gmem_proof_op_text(program, maker).at),
      gmem_proof_note(mlirValueGetLocation(site->value), "%s has %s", text.at,
                      gmem_proof_bytes_text(program, site->bytes).at)};
  if (user == GMEM_NO_INDEX)
    user = value->op;
  return gmem_error(search->diag, GMEM_ERR_OVERLAP,
                    mlirOperationGetLocation(op_at(search, user)->op), notes, 2,
                    "%s uses %s, which may be an older instance of %s than "
                    "the last one",
                    gmem_proof_op_text(program, user).at,
                    gmem_proof_value_text(program, value).at, text.at);
}

//===--- tables -----------------------------------------------------------===//

// What |value| is a view of, through other views or not.
static uint32_t base_of(search_t *search, uint32_t value) {
  uint32_t *base = search->base;
  while (base[value] != value)
    value = base[value] = base[base[value]];
  return value;
}

static bool is_view(const gmem_proof_op_t *op) {
  return (op->model->kind == GMEM_OP_VIEW ||
          op->model->kind == GMEM_OP_RESHAPE) &&
         op->operand_count && op->operands[0] != GMEM_NO_INDEX;
}

static void find_bases(search_t *search) {
  const gmem_proof_program_t *program = search->program;
  for (uint32_t v = 0; v < program->values.count; ++v) {
    uint32_t op = program->values.at[v].op;
    bool is_memory = search->memory->sites[v].count != 0; // and no dimension
    search->base[v] =
        is_memory && op != GMEM_NO_INDEX && is_view(op_at(search, op))
            ? op_at(search, op)->operands[0]
            : v;
  }
}

// Whether |op| may pass a memref on.
static bool passes_on(const search_t *search, const gmem_proof_op_t *op) {
  bool passes = op->is_end || op->flow != GMEM_PROOF_STEP;
  for (uint32_t i = 0; i < op->results.count; ++i)
    passes |= search->program->values.at[op->results.first + i].is_memref;
  return passes;
}

// Whether |op| uses the memory of memref |number| itself, and not what it makes
// of that.
static bool is_user(const search_t *search, const gmem_proof_op_t *op,
                    uint32_t number) {
  bool is_copy = op->results.count &&
                 search->program->values.at[op->results.first].is_placed;
  if (op->model->kind == GMEM_OP_DEALLOC && op->results.count == 0)
    return false;
  return (number != 0 || is_copy || !is_view(op)) &&
         (passes_on(search, op) || !gmem_proof_is_unread(op, number) ||
          !gmem_proof_only_reads(op, number));
}

// The second region of a loop of kind loop, and its results, have what the
// first one is given: the end of that passes it on.
static void add_passed(search_t *search, const gmem_proof_op_t *op,
                       gmem_csr_pairs_t *users) {
  const gmem_proof_program_t *program = search->program;
  gmem_proof_row_t row = gmem_proof_carried(program, op);
  uint32_t block = gmem_proof_entry(program, op->first_region);
  for (uint32_t v = row.first; v < row.first + row.count; ++v)
    if (program->values.at[v].is_memref)
      GMEM_APPEND(search->arena, users,
                  (gmem_csr_pair_t){v, program->blocks.at[block].last_op});
}

static gmem_status_t find_users(search_t *search) {
  const gmem_proof_program_t *program = search->program;
  gmem_csr_pairs_t users = {0};
  find_bases(search);
  for (uint32_t i = 0; i < program->ops.count; ++i) {
    const gmem_proof_op_t *op = &program->ops.at[i];
    if (!program->blocks.at[op->block].is_reached) {
      i = op->end - 1; // nothing runs what is inside of it either
      continue;
    }
    for (uint32_t k = 0; k < op->read_count; ++k) {
      uint32_t base = op->operands[k] == GMEM_NO_INDEX
                          ? GMEM_NO_INDEX
                          : base_of(search, op->operands[k]);
      if (base != GMEM_NO_INDEX && program->values.at[base].is_memref &&
          is_user(search, op, k))
        GMEM_APPEND(search->arena, &users, (gmem_csr_pair_t){base, i});
    }
    if (op->flow == GMEM_PROOF_WHILE && op->model->kind == GMEM_OP_LOOP)
      add_passed(search, op, &users);
  }
  return gmem_csr_build(&users, program->values.count, search->arena,
                        &search->users, search->diag);
}

static gmem_status_t find_branches(search_t *search) {
  const gmem_proof_program_t *program = search->program;
  gmem_csr_pairs_t pairs = {0};
  for (uint32_t b = 0; b < program->blocks.count; ++b) {
    uint32_t last = program->blocks.at[b].last_op;
    if (last == GMEM_NO_INDEX)
      continue;
    const gmem_proof_op_t *op = &program->ops.at[last];
    intptr_t count = mlirOperationGetNumSuccessors(op->op);
    for (uint32_t s = 0; s < (uint32_t)count; ++s) {
      uint32_t to = gmem_proof_successor(program, op, s);
      if (to != GMEM_NO_INDEX)
        GMEM_APPEND(search->arena, &pairs, (gmem_csr_pair_t){to, b});
    }
  }
  return gmem_csr_build(&pairs, program->blocks.count, search->arena,
                        &search->before, search->diag);
}

static gmem_status_t find_groups(search_t *search) {
  const gmem_proof_program_t *program = search->program;
  bool has_groups = false;
  for (size_t i = 0; i < program->ops.count; ++i)
    has_groups |= program->group_first[i] != GMEM_NO_INDEX;
  if (!has_groups)
    return GMEM_OK;
  GMEM_TRY_ALLOC(search->group_last, search->arena, program->ops.count,
                 search->diag);
  for (uint32_t i = (uint32_t)program->ops.count; i-- > 0;) {
    uint32_t next = program->group_next[i];
    search->group_last[i] =
        next == GMEM_NO_INDEX ? i : search->group_last[next];
  }
  return GMEM_OK;
}

gmem_status_t gmem_proof_instances_check(const gmem_proof_program_t *program,
                                         const gmem_proof_memory_t *memory,
                                         gmem_bump_t *arena,
                                         gmem_diag_t *diag) {
  search_t search = {
      .program = program, .memory = memory, .arena = arena, .diag = diag};
  if (!program->has_memrefs)
    return GMEM_OK;
  assert(program->ops.count < UINT32_MAX / 2); // positions fit
  GMEM_TRY_ALLOC(search.base, arena, program->values.count, diag);
  GMEM_TRY(find_users(&search));
  GMEM_TRY(find_branches(&search));
  GMEM_TRY(find_groups(&search));
  GMEM_TRY(gmem_proof_runs_find(program, arena, &search.runs, diag));
  GMEM_TRY_ALLOC(search.run_at, arena, program->functions.count, diag);
  GMEM_TRY_ALLOC(search.lives, arena, program->blocks.count, diag);
  for (uint32_t v = 0; v < program->values.count; ++v) {
    const gmem_proof_value_t *value = gmem_proof_value_at(program, v);
    search.value = v;
    if (!value->is_memref || !program->blocks.at[value->block].is_reached)
      continue;
    list_makers(&search, false);
    if (search.makers.count &&
        ((search.base[v] == v && is_made_in_use(&search)) ||
         is_of_any_run(&search) || is_made_while_held(&search)))
      return report(&search);
  }
  return gmem_bump_status(arena, diag);
}
