// proof_memory.c - see proof_memory.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proof_memory.h"

#include <assert.h>
#include <stdlib.h>

#include "captures.h"
#include "ir_reading.h"
#include "proof_branches.h"
#include "proof_private.h"
#include "proof_solver.h"
#include "proof_untracked.h"
#include "type_size.h"
#include "value_rows.h"

// Sites that calls give to an argument; if there are more, no names are made.
enum { MOST_GIVEN = 64 };

typedef gmem_proof_solver_t finder_t;

static void add_copy(finder_t *finder, uint32_t to, uint32_t from) {
  gmem_proof_link(finder, from,
                  (gmem_proof_link_t){to, GMEM_NO_INDEX, 0, GMEM_LINK_ALL});
}

static bool is_view(const gmem_proof_op_t *op) {
  return op->model->kind == GMEM_OP_RESHAPE || op->model->kind == GMEM_OP_VIEW;
}

// Whether result |to| of |op|, a view, has memory of its own, as its operand
// has none.
static bool is_copy(const finder_t *finder, const gmem_proof_op_t *op,
                    uint32_t to) {
  const gmem_proof_value_t *value = &finder->program->values.at[to];
  uint32_t from = op->operand_count ? op->operands[0] : GMEM_NO_INDEX;
  return value->is_placed && !value->is_memref &&
         (from == GMEM_NO_INDEX || finder->of[from].count == 0);
}

static int compare_numbers(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

static void sort_set(gmem_proof_set_t set) {
  bool is_sorted = true;
  for (uint32_t i = 1; i < set.count; ++i)
    is_sorted &= set.at[i - 1] < set.at[i];
  if (!is_sorted)
    qsort((uint32_t *)set.at, set.count, sizeof *set.at, compare_numbers);
}

// Finds what all values denote.
static gmem_status_t solve(finder_t *finder, gmem_diag_t *diag) {
  const gmem_proof_program_t *program = finder->program;
  size_t count = program->values.count;
  gmem_proof_flow_on(finder);
  // In the order of the text: a view of a copy is not one itself.
  for (uint32_t i = 0; i < program->ops.count; ++i) {
    const gmem_proof_op_t *op = &program->ops.at[i];
    if (!is_view(op))
      continue;
    for (uint32_t k = 0; k < op->results.count; ++k)
      if (is_copy(finder, op, op->results.first + k))
        gmem_proof_denote(finder, op->results.first + k, op->results.first + k);
    gmem_proof_flow_on(finder);
  }
  for (uint32_t v = 0; v < count; ++v)
    sort_set(finder->of[v]);
  GMEM_TRY(gmem_bump_status(finder->scratch, diag));
  return gmem_bump_status(finder->arena, diag);
}

//===--- control flow -----------------------------------------------------===//

static bool is_tracked(const finder_t *finder, uint32_t value) {
  return finder->program->values.at[value].is_memref;
}

// Whether control flow may pass |from| to |to|, a memref or handle: it makes no
// lists of tensors. Of two values of one type of which |from| alone has a size,
// |to| has memory of its own.
static bool may_be(const finder_t *finder, uint32_t to, uint32_t from) {
  MlirType type = mlirValueGetType(finder->program->values.at[to].value);
  return gmem_is_memref_type(type) || from == GMEM_NO_INDEX ||
         is_tracked(finder, from);
}

// Sets flow along edge |number| of op |op| from now on.
static void take_edge(finder_t *finder, uint32_t op, uint32_t number) {
  uint32_t hash = (op * 8 + number) * UINT32_C(0x9E3779B1);
  finder->edge = UINT64_C(1) << (hash >> 26);
}

// The last |row.count| of |count| values flow to the row.
static void add_row(finder_t *finder, gmem_proof_row_t row,
                    const uint32_t *values, uint32_t count) {
  for (uint32_t i = 0; i < row.count; ++i)
    if (is_tracked(finder, row.first + i) && row.count - i <= count &&
        may_be(finder, row.first + i, values[count - (row.count - i)]))
      add_copy(finder, row.first + i, values[count - (row.count - i)]);
}

// The edges that bind the names of |from| bind those of |to|.
static void bind_as(finder_t *finder, uint32_t to, uint32_t from) {
  const gmem_proof_memory_t *memory = finder->bound;
  gmem_proof_set_t names = memory->of[from];
  for (uint32_t i = 0; i < names.count; ++i) {
    const gmem_proof_name_t *name = gmem_proof_name_at(memory, names.at[i]);
    if (!name)
      continue;
    finder->edge = name->value == from ? name->edges : UINT64_MAX;
    finder->from = from;
    finder->number = name->site;
    gmem_proof_bind(finder, to, name->site);
  }
}

// A row flows to another one, at once.
static void add_rows(finder_t *finder, gmem_proof_row_t to,
                     gmem_proof_row_t from) {
  for (uint32_t i = 0; i < to.count; ++i) {
    uint32_t source = from.first + from.count - (to.count - i);
    if (!is_tracked(finder, to.first + i) || to.count - i > from.count)
      continue;
    if (finder->bound)
      bind_as(finder, to.first + i, source);
    else
      add_copy(finder, to.first + i, source);
  }
}

static void add_branch(finder_t *finder, uint32_t index) {
  const gmem_proof_program_t *program = finder->program;
  const gmem_proof_op_t *op = &program->ops.at[index];
  for (intptr_t s = 0; s < mlirOperationGetNumSuccessors(op->op); ++s) {
    uint32_t to = gmem_proof_successor(program, op, (uint32_t)s), first = 0;
    if (to == GMEM_NO_INDEX)
      continue;
    gmem_proof_row_t row = program->blocks.at[to].arguments;
    bool is_known = gmem_proof_branch_operands(op, (uint32_t)s, &first);
    take_edge(finder, index, (uint32_t)s);
    finder->edge = is_known ? finder->edge : UINT64_MAX;
    for (uint32_t i = 0; i < row.count; ++i) {
      if (!is_tracked(finder, row.first + i))
        continue;
      if (!is_known)
        gmem_proof_mark_unplaced(finder, row.first + i, GMEM_UNPLACED_MADE);
      uint32_t end = is_known ? first + i + 1 : op->operand_count;
      for (uint32_t k = is_known ? first + i : 0; k < end; ++k)
        if (may_be(finder, row.first + i, op->operands[k]))
          add_copy(finder, row.first + i, op->operands[k]);
    }
  }
}

// A call returns what the function makes, and of what that is given only what
// this call gives: no plan is refused for a mixture that does not exist. An
// argument may have no place if one call gives it such memory: a deallocation
// of it then stays for all.
static void add_call(finder_t *finder, uint32_t index) {
  const gmem_proof_program_t *program = finder->program;
  const gmem_proof_op_t *op = &program->ops.at[index];
  const gmem_proof_region_t *body =
      &program->regions.at[gmem_proof_callee(program, op)->region];
  for (uint32_t b = 0; b < body->block_count; ++b) {
    const gmem_proof_op_t *end =
        gmem_proof_exit(program, body->first_block + b);
    take_edge(finder, b, 0);
    for (uint32_t i = 0; end && i < op->results.count; ++i)
      if (is_tracked(finder, op->results.first + i) &&
          may_be(finder, op->results.first + i, end->operands[i]))
        gmem_proof_link(finder, end->operands[i],
                        (gmem_proof_link_t){op->results.first + i, index, 0,
                                            GMEM_LINK_RETURNED});
  }
  gmem_proof_row_t arguments =
      gmem_proof_arguments(program, gmem_proof_callee(program, op)->region);
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (op->operands[i] != GMEM_NO_INDEX &&
        is_tracked(finder, arguments.first + i) &&
        may_be(finder, arguments.first + i, op->operands[i]))
      gmem_proof_link(finder, op->operands[i],
                      (gmem_proof_link_t){arguments.first + i, GMEM_NO_INDEX, 0,
                                          GMEM_LINK_GIVEN});
}

// Whether memrefs that the op returns are among its operands.
static bool returns_operands(const gmem_proof_op_t *op) {
  gmem_value_row_t operands = gmem_operands_of(op->op);
  return op->model->kind == GMEM_OP_COMPUTE && !op->is_opaque &&
         !op->region_count && !op->callee_count &&
         gmem_row_any(operands, gmem_is_memref_type) &&
         !gmem_row_any(operands, gmem_holds_memrefs);
}

// What a terminator yields flows to |to|, a result of the op around it or an
// argument of its blocks: that of a later run has what an earlier one has made.
static void add_yielded(finder_t *finder, uint32_t to, uint32_t from) {
  bool is_argument = finder->program->values.at[to].op == GMEM_NO_INDEX;
  if (!is_argument || may_be(finder, to, from))
    add_copy(finder, to, from);
}

// Any operand of the op, or of a terminator inside of it, may flow to any
// result and to any argument of its blocks.
static void add_anything(finder_t *finder, uint32_t index) {
  const gmem_proof_program_t *program = finder->program;
  const gmem_proof_op_t *op = &program->ops.at[index];
  uint32_t v = op->results.first;
  uint32_t end_value = op->end < program->ops.count
                           ? program->ops.at[op->end].results.first
                           : (uint32_t)program->values.count;
  if (!op->region_count)
    end_value = v + op->results.count;
  for (; v < end_value; ++v) {
    const gmem_proof_value_t *value = &program->values.at[v];
    bool is_own =
        value->op == index ||
        (value->op == GMEM_NO_INDEX &&
         program->blocks.at[value->block].region >= op->first_region &&
         program->blocks.at[value->block].region <
             op->first_region + op->region_count);
    // Other handles of an op with a model stand for work or shapes.
    if (!is_own || !value->is_memref ||
        (op->model->kind != GMEM_OP_UNKNOWN && value->op == index &&
         !gmem_is_memref_type(mlirValueGetType(value->value))))
      continue;
    bool is_first =
        value->op == index ||
        value->block ==
            gmem_proof_entry(program, program->blocks.at[value->block].region);
    if (is_first && !returns_operands(op))
      gmem_proof_mark_unplaced(finder, v, GMEM_UNPLACED_MADE);
    for (uint32_t i = 0; i < op->read_count; ++i)
      add_copy(finder, v, op->operands[i]);
    for (uint32_t k = index + 1; k < op->end && op->region_count; ++k) {
      const gmem_proof_op_t *end = &program->ops.at[k];
      if (end->next == GMEM_NO_INDEX && end->results.count == 0)
        for (uint32_t i = 0; i < end->operand_count; ++i)
          add_yielded(finder, v, end->operands[i]);
    }
  }
}

//===--- ops --------------------------------------------------------------===//

static void add_view(finder_t *finder, const gmem_proof_op_t *op) {
  const gmem_proof_program_t *program = finder->program;
  uint32_t from = op->operand_count ? op->operands[0] : GMEM_NO_INDEX;
  for (uint32_t i = 0; i < op->results.count; ++i) {
    uint32_t to = op->results.first + i;
    const gmem_proof_value_t *view = &program->values.at[to];
    if (op->model->kind == GMEM_OP_VIEW && !view->is_memref)
      continue; // a dimension
    if (from == GMEM_NO_INDEX ||
        !gmem_is_memref_type(mlirValueGetType(program->values.at[from].value)))
      gmem_proof_mark_unplaced(finder, to, GMEM_UNPLACED_MADE);
    if (from != GMEM_NO_INDEX)
      add_copy(finder, to, from);
  }
}

// The operands at the ends of a region flow to the row.
static void add_exits(finder_t *finder, uint32_t region, gmem_proof_row_t row) {
  const gmem_proof_region_t *body = &finder->program->regions.at[region];
  for (uint32_t b = 0; b < body->block_count; ++b) {
    const gmem_proof_op_t *end =
        gmem_proof_exit(finder->program, body->first_block + b);
    take_edge(finder, body->first_block + b, 1);
    if (end)
      add_row(finder, row, end->operands, end->operand_count);
  }
}

static void add_loop(finder_t *finder, uint32_t index) {
  const gmem_proof_program_t *program = finder->program;
  const gmem_proof_op_t *op = &program->ops.at[index];
  bool is_for = op->flow == GMEM_PROOF_FOR;
  gmem_proof_row_t carried = gmem_proof_carried(program, op);
  take_edge(finder, index, 0);
  add_row(finder, carried, op->operands, op->operand_count);
  add_exits(finder, op->first_region + (is_for ? 0 : 1), carried);
  if (is_for || op->model->kind == GMEM_OP_LOOP)
    add_rows(finder, op->results, carried);
  else
    add_exits(finder, op->first_region, op->results);
  if (is_for)
    return;
  gmem_proof_row_t second = gmem_proof_arguments(program, op->first_region + 1);
  if (op->model->kind == GMEM_OP_LOOP)
    add_rows(finder, second, carried);
  else
    add_exits(finder, op->first_region, second);
}

static void add_arms(finder_t *finder, const gmem_proof_op_t *op) {
  for (uint32_t r = op->first_region; r < op->first_region + op->region_count;
       ++r) {
    finder->edge = UINT64_MAX; // the only one
    add_row(finder, gmem_proof_arguments(finder->program, r), op->operands,
            op->operand_count);
    add_exits(finder, r, op->results);
  }
}

static void add_op(finder_t *finder, uint32_t index) {
  const gmem_proof_op_t *op = &finder->program->ops.at[index];
  finder->edge = UINT64_MAX;
  if (op->flow == GMEM_PROOF_CALL)
    add_call(finder, index);
  else if (op->flow == GMEM_PROOF_BRANCH)
    add_arms(finder, op);
  else if (op->flow == GMEM_PROOF_FOR || op->flow == GMEM_PROOF_WHILE)
    add_loop(finder, index);
  else if (is_view(op))
    add_view(finder, op);
  else if (op->model->kind != GMEM_OP_ALLOC &&
           op->model->kind != GMEM_OP_GLOBAL)
    add_anything(finder, index);
  if (op->next == GMEM_NO_INDEX && mlirOperationGetNumSuccessors(op->op))
    add_branch(finder, index);
}

// Before anything flows, a value that owns memory denotes itself.
static void add_owners(finder_t *finder) {
  const gmem_proof_program_t *program = finder->program;
  for (uint32_t i = 0; i < program->values.count; ++i) {
    const gmem_proof_value_t *value = &program->values.at[i];
    const gmem_proof_op_t *op =
        value->op == GMEM_NO_INDEX ? NULL : &program->ops.at[value->op];
    uint32_t argument = GMEM_PROOF_ARGUMENT + value->number;
    bool is_argument = gmem_proof_is_argument(program, value);
    bool is_alloc = op && op->model->kind == GMEM_OP_ALLOC;
    if ((is_alloc && !value->is_placed) ||
        (op && op->model->kind == GMEM_OP_GLOBAL))
      gmem_proof_mark_unplaced(finder, i, GMEM_UNPLACED_MADE);
    if (is_argument &&
        program->functions.at[value->function].has_unknown_callers)
      gmem_proof_mark_unplaced(finder, i, GMEM_UNPLACED_GIVEN);
    if (value->is_memref && is_argument)
      gmem_proof_denote(finder, i, argument);
    else if (value->is_placed && !value->is_constant &&
             (!value->is_memref || is_alloc) &&
             !(op && op->model->kind == GMEM_OP_RESHAPE))
      gmem_proof_denote(finder, i, i);
  }
}

//===--- what calls give --------------------------------------------------===//

// Argument |number| of the function of |value|.
static uint32_t argument_of(const gmem_proof_program_t *program, uint32_t value,
                            uint32_t number) {
  uint32_t function = program->values.at[value].function;
  gmem_proof_row_t row =
      gmem_proof_arguments(program, program->functions.at[function].region);
  assert(number < row.count);
  return row.first + number;
}

typedef GMEM_LIST(uint32_t) numbers_t;

typedef struct giver_s {
  const finder_t *finder;
  gmem_proof_memory_t *memory;
  numbers_t *lists; // by value, an argument of a function: sites
} giver_t;

// Lists the sites of |operand| as given to |argument|.
static void give(giver_t *giver, uint32_t argument, uint32_t operand) {
  const gmem_proof_memory_t *memory = giver->memory;
  gmem_bump_t *arena = giver->finder->arena;
  gmem_proof_set_t set =
      operand == GMEM_NO_INDEX ? (gmem_proof_set_t){0} : memory->sites[operand];
  for (uint32_t i = 0; i < set.count; ++i) {
    uint32_t number = set.at[i] & ~GMEM_PROOF_ARGUMENT;
    if (set.at[i] < GMEM_PROOF_ARGUMENT) {
      GMEM_APPEND(arena, &giver->lists[argument], set.at[i]);
      continue;
    }
    gmem_proof_set_t own =
        memory->given[argument_of(giver->finder->program, operand, number)];
    for (uint32_t k = 0; k < own.count; ++k)
      GMEM_APPEND(arena, &giver->lists[argument], own.at[k]);
  }
}

// Makes a set of what is listed for |argument|. Returns whether it is larger
// than before.
static bool take_given(giver_t *giver, uint32_t argument) {
  gmem_proof_set_t *given = &giver->memory->given[argument];
  numbers_t *list = &giver->lists[argument];
  uint32_t before = given->count, kept = 0;
  if (list->count)
    qsort(list->at, list->count, sizeof *list->at, compare_numbers);
  for (size_t i = 0; i < list->count; ++i)
    if (i == 0 || list->at[i] != list->at[kept - 1])
      list->at[kept++] = list->at[i];
  list->count = kept;
  *given = (gmem_proof_set_t){list->at, kept};
  return kept > before;
}

// Takes what |function| is given, and gives it to the functions that it calls.
// Returns whether that is more than before.
static bool give_on(giver_t *giver, const gmem_proof_function_t *function) {
  const gmem_proof_program_t *program = giver->finder->program;
  gmem_proof_row_t row = gmem_proof_arguments(program, function->region);
  bool is_more = false;
  for (uint32_t v = row.first; v < row.first + row.count; ++v)
    is_more |= take_given(giver, v);
  for (uint32_t i = function->first_op; i < function->end_op; ++i) {
    const gmem_proof_op_t *op = &program->ops.at[i];
    if (op->flow != GMEM_PROOF_CALL)
      continue;
    uint32_t first =
        gmem_proof_arguments(program, gmem_proof_callee(program, op)->region)
            .first;
    for (uint32_t k = 0; k < op->operand_count; ++k)
      if (is_tracked(giver->finder, first + k))
        give(giver, first + k, op->operands[k]);
  }
  return is_more;
}

// Finds memory->given. Callers come before their callees, except in functions
// that call themselves.
static gmem_status_t find_given(finder_t *finder, gmem_proof_memory_t *memory,
                                gmem_diag_t *diag) {
  const gmem_proof_program_t *program = finder->program;
  bool is_more = true, is_recursive = false;
  giver_t giver = {finder, memory, NULL};
  GMEM_TRY_ALLOC(giver.lists, finder->scratch, program->values.count, diag);
  GMEM_TRY_ALLOC(memory->given, finder->arena, program->values.count, diag);
  for (size_t f = 0; f < program->functions.count; ++f)
    is_recursive |= program->functions.at[f].is_recursive;
  for (bool is_first = true; is_first || (is_recursive && is_more);
       is_first = false) {
    is_more = false;
    for (size_t f = program->functions.count; f-- > 0;)
      is_more |= give_on(&giver, &program->functions.at[program->order[f]]);
    GMEM_TRY(gmem_bump_status(finder->arena, diag));
  }
  return GMEM_OK;
}

//===--- names ------------------------------------------------------------===//

// Whether control flow passes |value| on: its names are of it alone.
static bool is_passed_on(const finder_t *finder, uint32_t index) {
  const gmem_proof_program_t *program = finder->program;
  const gmem_proof_value_t *value = &program->values.at[index];
  if (!value->is_memref)
    return false;
  if (value->op != GMEM_NO_INDEX)
    return program->ops.at[value->op].region_count != 0 ||
           program->ops.at[value->op].flow == GMEM_PROOF_CALL;
  return !gmem_proof_is_argument(program, value);
}

// The memories that |site|, one that |value| denotes, may be: itself, or what
// calls give.
static gmem_proof_set_t given_as(const finder_t *finder,
                                 const gmem_proof_memory_t *memory,
                                 uint32_t value, const uint32_t *site) {
  if (*site < GMEM_PROOF_ARGUMENT)
    return (gmem_proof_set_t){site, 1};
  return memory->given[argument_of(finder->program, value,
                                   *site & ~GMEM_PROOF_ARGUMENT)];
}

// How many names |value| has at most.
static size_t most_names(const finder_t *finder,
                         const gmem_proof_memory_t *memory, uint32_t value) {
  gmem_proof_set_t sites = memory->sites[value];
  size_t count = 0;
  for (uint32_t i = 0; i < sites.count; ++i)
    if (!gmem_proof_is_private(memory, sites.at[i]))
      count += given_as(finder, memory, value, &sites.at[i]).count;
  return count;
}

// Private sites come first, then names, in the order of the others; arguments
// that are not named behind them.
static void add_names(finder_t *finder, gmem_proof_memory_t *memory,
                      uint32_t value) {
  gmem_proof_set_t sites = memory->sites[value];
  size_t most = most_names(finder, memory, value);
  uint32_t *names =
      gmem_bump_alloc(finder->arena, sites.count + most, sizeof *names);
  uint32_t end = 0;
  for (uint32_t i = 0; i < sites.count && names; ++i)
    if (gmem_proof_is_private(memory, sites.at[i]))
      names[end++] = sites.at[i];
  for (uint32_t i = 0; i < sites.count && names; ++i) {
    uint32_t number = sites.at[i] & ~GMEM_PROOF_ARGUMENT;
    gmem_proof_set_t given = given_as(finder, memory, value, &sites.at[i]);
    if (gmem_proof_is_private(memory, sites.at[i]))
      continue;
    for (uint32_t k = 0; k < given.count && given.count <= MOST_GIVEN; ++k) {
      gmem_proof_name_t name = {value, given.at[k], GMEM_NO_INDEX, 0};
      if (sites.at[i] >= GMEM_PROOF_ARGUMENT)
        name.argument = number;
      names[end++] = memory->value_count + (uint32_t)memory->names.count;
      GMEM_APPEND(finder->arena, &memory->names, name);
    }
  }
  for (uint32_t i = 0; i < sites.count && names; ++i)
    if (given_as(finder, memory, value, &sites.at[i]).count > MOST_GIVEN)
      names[end++] = sites.at[i];
  finder->of[value] = (gmem_proof_set_t){names, end};
  gmem_proof_enqueue(finder, value);
}

// Whether |value| is a tensor that its op makes anew in each walk of its block,
// which is not all of a loop or function.
static bool is_made_anew(const gmem_proof_program_t *program,
                         const gmem_proof_value_t *value) {
  const gmem_proof_block_t *block = &program->blocks.at[value->block];
  const gmem_proof_region_t *region = &program->regions.at[block->region];
  bool is_branch = region->owner != GMEM_NO_INDEX &&
                   program->ops.at[region->owner].flow == GMEM_PROOF_BRANCH;
  return value->is_placed && !value->is_constant && !value->is_memref &&
         block->is_reached && !region->is_graph &&
         (block->position > 0 || (is_branch && value->op != GMEM_NO_INDEX)) &&
         (value->op == GMEM_NO_INDEX ||
          program->ops.at[value->op].model->kind != GMEM_OP_INPUT);
}

// The value that |name| stands for, which may be of its block.
static uint32_t named(const gmem_proof_memory_t *memory, uint32_t name) {
  const gmem_proof_name_t *bound = gmem_proof_name_at(memory, name);
  return bound                        ? bound->value
         : name < memory->value_count ? name
                                      : GMEM_NO_INDEX;
}

// Finds the values that may be forgotten at the end of their block. What enters
// and leaves a region is bound by the op around it, so that this is not for
// memrefs of the first block, nor for tensors that leave one.
static gmem_status_t find_values_of_blocks(const finder_t *finder,
                                           gmem_proof_memory_t *memory,
                                           gmem_diag_t *diag) {
  const gmem_proof_program_t *program = finder->program;
  GMEM_TRY_ALLOC(memory->is_of_block, finder->arena, memory->value_count, diag);
  bool has_any = memory->names.count != 0;
  for (uint32_t v = 0; v < memory->value_count; ++v) {
    memory->is_of_block[v] = is_made_anew(program, &program->values.at[v]);
    has_any |= memory->is_of_block[v];
  }
  for (size_t i = 0; i < memory->names.count; ++i) {
    uint32_t value = memory->names.at[i].value;
    const gmem_proof_block_t *block =
        &program->blocks.at[program->values.at[value].block];
    memory->is_of_block[value] = block->is_reached && block->position > 0;
  }
  memory->has_values_of_blocks = has_any;
  uint32_t later = 0; // the end of code that is used until its function ends
  for (uint32_t i = 0; i < program->ops.count && has_any; ++i) {
    const gmem_proof_op_t *op = &program->ops.at[i];
    if (op->flow == GMEM_PROOF_LATER && op->end > later)
      later = op->end;
    bool is_exit = gmem_proof_exit(program, op->block) == op;
    for (uint32_t k = 0; k < op->read_count; ++k) {
      gmem_proof_set_t names = op->operands[k] == GMEM_NO_INDEX
                                   ? (gmem_proof_set_t){0}
                                   : memory->of[op->operands[k]];
      uint32_t last = GMEM_NO_INDEX;
      for (uint32_t n = 0; n < names.count; ++n) {
        uint32_t value = named(memory, names.at[n]);
        if (value == GMEM_NO_INDEX || value == last)
          continue;
        last = value;
        const gmem_proof_value_t *of = &program->values.at[value];
        if (memory->is_of_block[value] &&
            (i < later || !gmem_proof_is_within(program, i, of->block) ||
             (is_exit && !of->is_memref && of->block == op->block)))
          memory->is_of_block[value] = false;
      }
    }
  }
  return GMEM_OK;
}

// Nothing denotes anything but what owns memory, and nothing flows.
static gmem_status_t begin(finder_t *finder, gmem_diag_t *diag) {
  size_t count = finder->program->values.count;
  gmem_bump_destroy(finder->scratch);
  finder->links.at = NULL;
  finder->links.count = finder->links.room = 0;
  finder->head = finder->held_count = finder->mask = 0;
  finder->held = NULL;
  GMEM_TRY_ALLOC(finder->of, finder->arena, count, diag);
  GMEM_TRY_ALLOC(finder->firsts, finder->arena, count, diag);
  GMEM_TRY_ALLOC(finder->first, finder->scratch, count, diag);
  GMEM_TRY_ALLOC(finder->passed, finder->scratch, count, diag);
  GMEM_TRY_ALLOC(finder->is_queued, finder->scratch, count, diag);
  GMEM_TRY_ALLOC(finder->queue, finder->scratch, count, diag);
  add_owners(finder);
  return GMEM_OK;
}

static gmem_status_t find_sites(finder_t *finder, gmem_diag_t *diag) {
  GMEM_TRY(begin(finder, diag));
  for (uint32_t i = 0; i < finder->program->ops.count; ++i)
    add_op(finder, i);
  return solve(finder, diag);
}

static gmem_status_t find_names(finder_t *finder, gmem_proof_memory_t *memory,
                                gmem_diag_t *diag) {
  const gmem_proof_program_t *program = finder->program;
  size_t most = 0;
  memory->of = memory->sites = finder->of;
  GMEM_TRY(find_given(finder, memory, diag));
  gmem_proof_find_private(program, memory);
  if (!program->has_memrefs) // control flow passes nothing that has names
    return find_values_of_blocks(finder, memory, diag);
  GMEM_TRY(begin(finder, diag));
  memory->of = finder->of;
  for (uint32_t i = 0; i < program->values.count; ++i)
    most += is_passed_on(finder, i) ? most_names(finder, memory, i) : 0;
  GMEM_TRY_ALLOC(memory->names.at, finder->arena, most, diag);
  memory->names.room = most;
  for (uint32_t i = 0; i < program->values.count; ++i)
    if (is_passed_on(finder, i))
      add_names(finder, memory, i);
  for (uint32_t i = 0; i < program->ops.count; ++i)
    if (program->ops.at[i].region_count == 0 &&
        program->ops.at[i].flow != GMEM_PROOF_CALL &&
        mlirOperationGetNumSuccessors(program->ops.at[i].op) == 0)
      add_op(finder, i);
  GMEM_TRY(solve(finder, diag));
  return find_values_of_blocks(finder, memory, diag);
}

// Finds the edges that bind names, and the names of each site.
static gmem_status_t bind_names(finder_t *finder, gmem_proof_memory_t *memory,
                                gmem_diag_t *diag) {
  const gmem_proof_program_t *program = finder->program;
  gmem_csr_pairs_t pairs = {.room = memory->names.count};
  GMEM_TRY_ALLOC(pairs.at, finder->scratch, pairs.room, diag);
  finder->of = memory->sites;
  finder->bound = memory;
  for (uint32_t i = 0; i < program->ops.count && memory->names.count; ++i)
    add_op(finder, i);
  for (uint32_t i = 0; i < memory->names.count; ++i) {
    assert(memory->names.at[i].edges != 0);
    GMEM_APPEND(
        finder->scratch, &pairs,
        (gmem_csr_pair_t){memory->names.at[i].site, memory->value_count + i});
  }
  GMEM_TRY(gmem_csr_build(&pairs, memory->value_count, finder->arena,
                          &memory->names_of, diag));
  return gmem_csr_build(&finder->sources, memory->names.count, finder->arena,
                        &memory->sources_of, diag);
}

// Finds the functions of which some code runs at any time.
static gmem_status_t find_deferred(const finder_t *finder,
                                   gmem_proof_memory_t *memory,
                                   gmem_diag_t *diag) {
  const gmem_proof_program_t *program = finder->program;
  GMEM_TRY_ALLOC(memory->has_deferred, finder->arena, program->functions.count,
                 diag);
  for (size_t i = 0; i < program->ops.count && program->has_deferred; ++i) {
    const gmem_proof_op_t *op = &program->ops.at[i];
    memory->has_deferred[op->function] |=
        op->is_deferred || op->starts_later || op->flow == GMEM_PROOF_LATER;
  }
  return GMEM_OK;
}

static gmem_status_t find(finder_t *finder, gmem_proof_memory_t *memory,
                          gmem_diag_t *diag) {
  const gmem_proof_program_t *program = finder->program;
  gmem_bump_t *arena = finder->arena;
  GMEM_TRY_ALLOC(finder->unplaced, arena, program->values.count, diag);
  *memory =
      (gmem_proof_memory_t){.value_count = (uint32_t)program->values.count,
                            .unplaced = finder->unplaced};
  GMEM_TRY(find_deferred(finder, memory, diag));
  GMEM_TRY(
      gmem_proof_find_apart(program, memory, arena, finder->scratch, diag));
  GMEM_TRY(
      gmem_proof_find_untracked(program, memory, arena, finder->scratch, diag));
  finder->is_untracked = memory->is_untracked;
  GMEM_TRY(find_sites(finder, diag));
  GMEM_TRY(find_names(finder, memory, diag));
  return bind_names(finder, memory, diag);
}

gmem_status_t gmem_proof_memory_find(const gmem_proof_program_t *program,
                                     gmem_bump_t *arena,
                                     gmem_proof_memory_t *out_memory,
                                     gmem_diag_t *diag) {
  gmem_bump_t scratch;
  finder_t finder = {.program = program, .arena = arena, .scratch = &scratch};
  gmem_bump_init(&scratch, &arena->allocator);
  gmem_status_t status = find(&finder, out_memory, diag);
  gmem_bump_destroy(&scratch);
  return status;
}

bool gmem_proof_is_undefined(const gmem_proof_program_t *program,
                             const gmem_proof_memory_t *memory,
                             uint32_t value) {
  while (value != GMEM_NO_INDEX &&
         !gmem_proof_value_at(program, value)->is_placed &&
         memory->of[value].count == 0) {
    uint32_t index = gmem_proof_value_at(program, value)->op;
    const gmem_proof_op_t *op =
        index == GMEM_NO_INDEX ? NULL : gmem_proof_op_at(program, index);
    if (!op || op->model->kind != GMEM_OP_RESHAPE || op->operand_count == 0)
      return op && (op->model->kind == GMEM_OP_EMPTY ||
                    op->model->kind == GMEM_OP_NONE);
    value = op->operands[0];
  }
  return false;
}
