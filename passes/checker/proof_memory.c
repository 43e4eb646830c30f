// proof_memory.c - see proof_memory.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proof_memory.h"

#include <assert.h>
#include <stdlib.h>

#include "captures.h"
#include "ir_reading.h"
#include "type_size.h"
#include "value_rows.h"

// Sites that calls give to an argument; if there are more, no names are made.
enum { MOST_GIVEN = 64 };

typedef GMEM_LIST(uint32_t) numbers_t;

typedef struct finder_s {
  const gmem_proof_program_t *program;
  gmem_proof_set_t *of;
  bool *is_aged, *is_unplaced;
  bool is_changed;
  numbers_t *given;   // by value, an argument of a function: sites
  uint32_t *in_loop;  // by block: the last loop of blocks that it was found in
  uint32_t *called;   // by function: the last search that found it
  uint32_t loop;      // loops of blocks that have been marked
  uint32_t search;    // searches for what a loop calls
  uint32_t called_by; // the loop of the last one
  // Not NULL: names are not found any more, but the edges that bind them.
  gmem_proof_memory_t *bound;
  uint64_t edge; // along which sets flow, as a bit; all: not known
  GMEM_LIST(uint32_t) stack;
  GMEM_LIST(uint32_t) sum;
  gmem_bump_t *arena;
} finder_t;

//===--- sets -------------------------------------------------------------===//

static gmem_proof_name_t *name_at(const gmem_proof_memory_t *memory,
                                  uint32_t name) {
  return name < 2 * memory->value_count || name >= GMEM_PROOF_ARGUMENT
             ? NULL
             : &memory->names.at[name - 2 * memory->value_count];
}

// The current edge binds |value| to the sites.
static void bind(finder_t *finder, uint32_t value, const uint32_t *numbers,
                 uint32_t count) {
  gmem_proof_set_t names = finder->bound->of[value];
  for (uint32_t i = 0; i < names.count; ++i) {
    gmem_proof_name_t *name = name_at(finder->bound, names.at[i]);
    for (uint32_t k = 0; k < count && name && name->value == value; ++k)
      if (name->site == numbers[k] ||
          (numbers[k] >= GMEM_PROOF_ARGUMENT &&
           name->argument == numbers[k] - GMEM_PROOF_ARGUMENT))
        name->edges |= finder->edge;
  }
}

// Adds |count| numbers, ascending, to what |value| denotes.
static void add(finder_t *finder, uint32_t value, const uint32_t *numbers,
                uint32_t count) {
  gmem_proof_set_t *set = &finder->of[value];
  uint32_t i = 0, k = 0;
  if (finder->bound) {
    bind(finder, value, numbers, count);
    return;
  }
  finder->sum.count = 0;
  while (i < set->count || k < count) {
    bool from_set = k == count || (i < set->count && set->at[i] <= numbers[k]);
    uint32_t next = from_set ? set->at[i] : numbers[k];
    i += i < set->count && set->at[i] == next;
    k += k < count && numbers[k] == next;
    GMEM_APPEND(finder->arena, &finder->sum, next);
  }
  if (finder->sum.count <= set->count)
    return;
  uint32_t *copy =
      gmem_bump_alloc(finder->arena, finder->sum.count, sizeof *copy);
  if (!copy)
    return;
  for (size_t n = 0; n < finder->sum.count; ++n)
    copy[n] = finder->sum.at[n];
  *set = (gmem_proof_set_t){copy, (uint32_t)finder->sum.count};
  finder->is_changed = true;
}

// |value| may denote memory without a place, if it is a memref.
static void mark(finder_t *finder, uint32_t value) {
  const gmem_proof_value_t *entry = gmem_proof_value_at(finder->program, value);
  if (finder->is_unplaced[value] ||
      !gmem_is_memref_type(mlirValueGetType(entry->value)))
    return;
  finder->is_unplaced[value] = true;
  finder->is_changed = true;
}

static void add_all(finder_t *finder, uint32_t to, uint32_t from) {
  if (from == GMEM_NO_INDEX || finder->is_unplaced[from])
    mark(finder, to);
  if (from != GMEM_NO_INDEX)
    add(finder, to, finder->of[from].at, finder->of[from].count);
}

// Whether op |at| is in the loop that |closer| is, or closes as a branch whose
// loop has been marked.
static bool is_inside(const finder_t *finder, uint32_t at, uint32_t closer) {
  const gmem_proof_op_t *ops = finder->program->ops.at;
  if (ops[closer].region_count)
    return at > closer && at < ops[closer].end;
  while (ops[at].parent != GMEM_NO_INDEX &&
         finder->in_loop[ops[at].block] != finder->loop)
    at = ops[at].parent;
  return finder->in_loop[ops[at].block] == finder->loop;
}

// Marks the functions that the loop may run.
static void mark_called(finder_t *finder, uint32_t closer) {
  const gmem_proof_program_t *program = finder->program;
  const gmem_proof_function_t *function =
      &program->functions.at[program->ops.at[closer].function];
  uint32_t first = function->first_op, end = function->end_op;
  finder->stack.count = 0;
  finder->called_by = closer;
  ++finder->search;
  for (bool is_own = true;; is_own = false) {
    for (uint32_t i = first; i < end; ++i) {
      const gmem_proof_op_t *op = &program->ops.at[i];
      bool runs = op->callee_count && (!is_own || is_inside(finder, i, closer));
      for (uint32_t c = 0; c < op->callee_count && runs; ++c) {
        uint32_t callee = program->callees.at[op->first_callee + c];
        if (finder->called[callee] == finder->search)
          continue;
        finder->called[callee] = finder->search;
        GMEM_APPEND(finder->arena, &finder->stack, callee);
      }
    }
    if (finder->stack.count == 0)
      return;
    function = &program->functions.at[finder->stack.at[--finder->stack.count]];
    first = function->first_op;
    end = function->end_op;
  }
}

// Whether |number| is an allocation that the loop may execute.
static bool is_new_in(finder_t *finder, uint32_t number, uint32_t closer) {
  const gmem_proof_program_t *program = finder->program;
  uint32_t op = number < program->values.count ? program->values.at[number].op
                                               : GMEM_NO_INDEX;
  if (op == GMEM_NO_INDEX || program->ops.at[op].model->kind != GMEM_OP_ALLOC)
    return false;
  if (program->ops.at[op].function == program->ops.at[closer].function)
    return is_inside(finder, op, closer);
  if (finder->called_by != closer)
    mark_called(finder, closer);
  return finder->called[program->ops.at[op].function] == finder->search;
}

// What |from| denotes in the next iteration of the loop.
static void add_aged(finder_t *finder, uint32_t to, uint32_t from,
                     uint32_t closer) {
  gmem_proof_set_t set =
      from == GMEM_NO_INDEX ? (gmem_proof_set_t){0} : finder->of[from];
  if (from == GMEM_NO_INDEX || finder->is_unplaced[from])
    mark(finder, to);
  for (uint32_t i = 0; i < set.count; ++i) {
    uint32_t number = set.at[i];
    if (is_new_in(finder, number, closer)) {
      number += (uint32_t)finder->program->values.count;
      finder->is_aged[closer] = true;
    }
    add(finder, to, &number, 1);
  }
}

//===--- control flow -----------------------------------------------------===//

static bool is_tracked(const finder_t *finder, uint32_t value) {
  return finder->program->values.at[value].is_memref;
}

// Sets flow along edge |number| of op |op| from now on.
static void take_edge(finder_t *finder, uint32_t op, uint32_t number) {
  uint32_t hash = (op * 8 + number) * UINT32_C(0x9E3779B1);
  finder->edge = UINT64_C(1) << (hash >> 26);
}

// The last |row.count| of |count| values flow to the row.
static void add_row(finder_t *finder, gmem_proof_row_t row,
                    const uint32_t *values, uint32_t count, uint32_t loop) {
  for (uint32_t i = 0; i < row.count; ++i)
    if (is_tracked(finder, row.first + i) && row.count - i <= count) {
      uint32_t from = values[count - (row.count - i)];
      if (loop == GMEM_NO_INDEX)
        add_all(finder, row.first + i, from);
      else
        add_aged(finder, row.first + i, from, loop);
    }
}

// What is known of the edges that bind |from| holds for |to|.
static void bind_as(finder_t *finder, uint32_t to, uint32_t from) {
  gmem_proof_set_t names = finder->bound->of[from];
  for (uint32_t i = 0; i < names.count; ++i) {
    const gmem_proof_name_t *name = name_at(finder->bound, names.at[i]);
    finder->edge = name && name->value == from ? name->edges : UINT64_MAX;
    if (name)
      bind(finder, to, &name->site, 1);
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
      add_all(finder, to.first + i, source);
  }
}

uint32_t gmem_proof_successor(const gmem_proof_program_t *program,
                              const gmem_proof_op_t *op, uint32_t number) {
  return gmem_pointer_map_find(&program->block_of,
                               mlirOperationGetSuccessor(op->op, number).ptr);
}

bool gmem_proof_branch_operands(const gmem_proof_op_t *op, uint32_t number,
                                uint32_t *out_first) {
  uint32_t total = 0, first = 0;
  intptr_t count = mlirOperationGetNumSuccessors(op->op);
  bool is_known = mlirContextIsRegisteredOperation(
                      mlirOperationGetContext(op->op),
                      mlirIdentifierStr(mlirOperationGetName(op->op))) &&
                  op->region_count == 0;
  for (intptr_t i = 0; i < count && is_known; ++i)
    total += (uint32_t)mlirBlockGetNumArguments(
        mlirOperationGetSuccessor(op->op, i));
  if (!is_known || total > op->operand_count)
    return false;
  first = op->operand_count - total;
  for (intptr_t i = 0; i < count; ++i) {
    MlirBlock to = mlirOperationGetSuccessor(op->op, i);
    if (i == (intptr_t)number)
      *out_first = first;
    for (intptr_t k = 0; k < mlirBlockGetNumArguments(to); ++k, ++first)
      if (!mlirTypeEqual(
              mlirValueGetType(mlirBlockGetArgument(to, k)),
              mlirValueGetType(mlirOperationGetOperand(op->op, first))))
        return false;
  }
  return true;
}

// Marks the blocks from which |from| is reached without passing |head|: with
// these two they are the loop that a branch closes.
static void mark_loop(finder_t *finder, uint32_t from, uint32_t head) {
  const gmem_proof_program_t *program = finder->program;
  finder->stack.count = 0;
  finder->called_by = GMEM_NO_INDEX;
  ++finder->loop;
  finder->in_loop[head] = finder->loop;
  if (from != head)
    GMEM_APPEND(finder->arena, &finder->stack, from);
  finder->in_loop[from] = finder->loop;
  while (finder->stack.count) {
    MlirBlock block =
        program->blocks.at[finder->stack.at[--finder->stack.count]].block;
    for (intptr_t i = 0; i < mlirBlockGetNumPredecessors(block); ++i) {
      uint32_t before = gmem_pointer_map_find(
          &program->block_of, mlirBlockGetPredecessor(block, i).ptr);
      // Blocks above the head are in no loop through it that has a single
      // entry; of others, the branch back to such a block closes one.
      if (before == GMEM_NO_INDEX || finder->in_loop[before] == finder->loop ||
          program->blocks.at[before].position <
              program->blocks.at[head].position)
        continue;
      finder->in_loop[before] = finder->loop;
      GMEM_APPEND(finder->arena, &finder->stack, before);
    }
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
    bool is_marked = false;
    take_edge(finder, index, (uint32_t)s);
    finder->edge = is_known ? finder->edge : UINT64_MAX;
    for (uint32_t i = 0; i < row.count; ++i) {
      if (!is_tracked(finder, row.first + i))
        continue;
      bool is_back = program->blocks.at[to].position <=
                     program->blocks.at[op->block].position;
      if (is_back && !is_marked)
        mark_loop(finder, op->block, to);
      is_marked = true;
      if (!is_known)
        mark(finder, row.first + i);
      uint32_t end = is_known ? first + i + 1 : op->operand_count;
      for (uint32_t k = is_known ? first + i : 0; k < end; ++k)
        if (is_back)
          add_aged(finder, row.first + i, op->operands[k], index);
        else
          add_all(finder, row.first + i, op->operands[k]);
    }
  }
}

// What the callee of |call| denotes by |set| is what |to| denotes. Whether that
// has places does not count: what one call passes is not what another one does,
// so that no plan is refused for a mixture that does not exist.
static void add_given(finder_t *finder, const gmem_proof_op_t *call,
                      gmem_proof_set_t set, uint32_t to) {
  for (uint32_t i = 0; i < set.count; ++i) {
    uint32_t from = set.at[i] < GMEM_PROOF_ARGUMENT
                        ? GMEM_NO_INDEX
                        : call->operands[set.at[i] & ~GMEM_PROOF_ARGUMENT];
    if (from != GMEM_NO_INDEX)
      add(finder, to, finder->of[from].at, finder->of[from].count);
    else if (set.at[i] < GMEM_PROOF_ARGUMENT)
      add(finder, to, &set.at[i], 1);
  }
}

static void add_call(finder_t *finder, const gmem_proof_op_t *op) {
  const gmem_proof_program_t *program = finder->program;
  const gmem_proof_region_t *body =
      &program->regions.at[gmem_proof_callee(program, op)->region];
  for (uint32_t b = 0; b < body->block_count; ++b) {
    const gmem_proof_op_t *end =
        gmem_proof_exit(program, body->first_block + b);
    take_edge(finder, b, 0);
    for (uint32_t i = 0; end && i < op->results.count; ++i)
      if (is_tracked(finder, op->results.first + i))
        add_given(finder, op, finder->of[end->operands[i]],
                  op->results.first + i);
  }
}

// Whether memrefs that the op returns are among its operands.
static bool returns_operands(const gmem_proof_op_t *op) {
  gmem_value_row_t operands = gmem_operands_of(op->op);
  return op->model->kind == GMEM_OP_COMPUTE && !op->is_opaque &&
         !op->region_count && !op->callee_count &&
         gmem_row_any(operands, gmem_is_memref_type) &&
         !gmem_row_any(operands, gmem_holds_memrefs);
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
      mark(finder, v);
    for (uint32_t i = 0; i < op->read_count; ++i)
      add_all(finder, v, op->operands[i]);
    for (uint32_t k = index + 1; k < op->end && op->region_count; ++k) {
      const gmem_proof_op_t *end = &program->ops.at[k];
      if (end->next == GMEM_NO_INDEX && end->results.count == 0)
        for (uint32_t i = 0; i < end->operand_count; ++i)
          add_all(finder, v, end->operands[i]);
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
      mark(finder, to);
    bool is_copy = view->is_placed && !view->is_memref &&
                   (from == GMEM_NO_INDEX || finder->of[from].count == 0);
    if (is_copy)
      add(finder, to, &to, 1);
    else
      add_all(finder, to, from);
  }
}

// What the ends of a region pass on flows to the row.
static void add_exits(finder_t *finder, uint32_t region, gmem_proof_row_t row,
                      uint32_t loop) {
  const gmem_proof_region_t *body = &finder->program->regions.at[region];
  for (uint32_t b = 0; b < body->block_count; ++b) {
    const gmem_proof_op_t *end =
        gmem_proof_exit(finder->program, body->first_block + b);
    take_edge(finder, body->first_block + b, 1);
    if (end)
      add_row(finder, row, end->operands, end->operand_count, loop);
  }
}

static void add_loop(finder_t *finder, uint32_t index) {
  const gmem_proof_program_t *program = finder->program;
  const gmem_proof_op_t *op = &program->ops.at[index];
  bool is_for = op->flow == GMEM_PROOF_FOR;
  gmem_proof_row_t carried = gmem_proof_arguments(program, op->first_region);
  if (is_for) {
    carried.first += carried.count - op->results.count;
    carried.count = op->results.count;
  }
  take_edge(finder, index, 0);
  add_row(finder, carried, op->operands, op->operand_count, GMEM_NO_INDEX);
  add_exits(finder, op->first_region + (is_for ? 0 : 1), carried, index);
  if (is_for || op->model->kind == GMEM_OP_LOOP)
    add_rows(finder, op->results, carried);
  else
    add_exits(finder, op->first_region, op->results, GMEM_NO_INDEX);
  if (is_for)
    return;
  gmem_proof_row_t second = gmem_proof_arguments(program, op->first_region + 1);
  if (op->model->kind == GMEM_OP_LOOP)
    add_rows(finder, second, carried);
  else
    add_exits(finder, op->first_region, second, GMEM_NO_INDEX);
}

static void add_arms(finder_t *finder, const gmem_proof_op_t *op) {
  for (uint32_t r = op->first_region; r < op->first_region + op->region_count;
       ++r) {
    finder->edge = UINT64_MAX; // the only one
    add_row(finder, gmem_proof_arguments(finder->program, r), op->operands,
            op->operand_count, GMEM_NO_INDEX);
    add_exits(finder, r, op->results, GMEM_NO_INDEX);
  }
}

static void add_op(finder_t *finder, uint32_t index) {
  const gmem_proof_op_t *op = &finder->program->ops.at[index];
  finder->edge = UINT64_MAX;
  if (op->flow == GMEM_PROOF_CALL)
    add_call(finder, op);
  else if (op->flow == GMEM_PROOF_BRANCH)
    add_arms(finder, op);
  else if (op->flow == GMEM_PROOF_FOR || op->flow == GMEM_PROOF_WHILE)
    add_loop(finder, index);
  else if (op->model->kind == GMEM_OP_RESHAPE ||
           op->model->kind == GMEM_OP_VIEW)
    add_view(finder, op);
  else if (op->model->kind != GMEM_OP_ALLOC &&
           op->model->kind != GMEM_OP_GLOBAL)
    add_anything(finder, index);
  if (mlirOperationGetNumSuccessors(op->op))
    add_branch(finder, index);
}

// What values denote before anything flows: themselves, if they own memory.
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
        (op && op->model->kind == GMEM_OP_GLOBAL) ||
        (is_argument &&
         program->functions.at[value->function].has_unknown_callers))
      mark(finder, i);
    if (value->is_memref && is_argument)
      add(finder, i, &argument, 1);
    else if (value->is_placed && !value->is_constant &&
             (!value->is_memref || is_alloc) &&
             !(op && op->model->kind == GMEM_OP_RESHAPE))
      add(finder, i, &i, 1);
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

// Lists the sites of |operand| as given to |argument|.
static void give(finder_t *finder, const gmem_proof_memory_t *memory,
                 uint32_t argument, uint32_t operand) {
  gmem_proof_set_t set =
      operand == GMEM_NO_INDEX ? (gmem_proof_set_t){0} : memory->sites[operand];
  for (uint32_t i = 0; i < set.count; ++i) {
    uint32_t number = set.at[i] & ~GMEM_PROOF_ARGUMENT;
    if (set.at[i] < GMEM_PROOF_ARGUMENT) {
      GMEM_APPEND(finder->arena, &finder->given[argument], set.at[i]);
      continue;
    }
    gmem_proof_set_t own =
        memory->given[argument_of(finder->program, operand, number)];
    for (uint32_t k = 0; k < own.count; ++k)
      GMEM_APPEND(finder->arena, &finder->given[argument], own.at[k]);
  }
}

static int compare_numbers(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

// Makes a set of what is listed for |argument|. Returns whether it is larger
// than before.
static bool take_given(finder_t *finder, gmem_proof_memory_t *memory,
                       uint32_t argument) {
  numbers_t *list = &finder->given[argument];
  uint32_t before = memory->given[argument].count, kept = 0;
  if (list->count)
    qsort(list->at, list->count, sizeof *list->at, compare_numbers);
  for (size_t i = 0; i < list->count; ++i)
    if (i == 0 || list->at[i] != list->at[kept - 1])
      list->at[kept++] = list->at[i];
  list->count = kept;
  memory->given[argument] = (gmem_proof_set_t){list->at, kept};
  return kept > before;
}

// Takes what |function| is given, and gives it to the functions that it calls.
// Returns whether that is more than before.
static bool give_on(finder_t *finder, gmem_proof_memory_t *memory,
                    const gmem_proof_function_t *function) {
  const gmem_proof_program_t *program = finder->program;
  gmem_proof_row_t row = gmem_proof_arguments(program, function->region);
  bool is_more = false;
  for (uint32_t v = row.first; v < row.first + row.count; ++v)
    is_more |= take_given(finder, memory, v);
  for (uint32_t i = function->first_op; i < function->end_op; ++i) {
    const gmem_proof_op_t *op = &program->ops.at[i];
    if (op->flow != GMEM_PROOF_CALL)
      continue;
    uint32_t first =
        gmem_proof_arguments(program, gmem_proof_callee(program, op)->region)
            .first;
    for (uint32_t k = 0; k < op->operand_count; ++k)
      if (is_tracked(finder, first + k))
        give(finder, memory, first + k, op->operands[k]);
  }
  return is_more;
}

// Finds memory->given. Callers come before their callees, except in functions
// that call themselves.
static gmem_status_t find_given(finder_t *finder, gmem_proof_memory_t *memory,
                                gmem_diag_t *diag) {
  const gmem_proof_program_t *program = finder->program;
  bool is_more = true, is_recursive = false;
  GMEM_TRY_ALLOC(finder->given, finder->arena, program->values.count, diag);
  GMEM_TRY_ALLOC(memory->given, finder->arena, program->values.count, diag);
  for (size_t f = 0; f < program->functions.count; ++f)
    is_recursive |= program->functions.at[f].is_recursive;
  for (bool is_first = true; is_first || (is_recursive && is_more);
       is_first = false) {
    is_more = false;
    for (size_t f = program->functions.count; f-- > 0;)
      is_more |=
          give_on(finder, memory, &program->functions.at[program->order[f]]);
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

static void add_name(finder_t *finder, gmem_proof_memory_t *memory,
                     gmem_proof_name_t entry) {
  uint32_t name = 2 * memory->value_count + (uint32_t)memory->names.count;
  GMEM_APPEND(finder->arena, &memory->names, entry);
  add(finder, entry.value, &name, 1);
}

static void add_names(finder_t *finder, gmem_proof_memory_t *memory,
                      uint32_t value) {
  gmem_proof_set_t sites = memory->sites[value];
  for (uint32_t i = 0; i < sites.count; ++i) {
    uint32_t site = sites.at[i], number = site & ~GMEM_PROOF_ARGUMENT;
    if (site < GMEM_PROOF_ARGUMENT) {
      add_name(finder, memory,
               (gmem_proof_name_t){value, site, GMEM_NO_INDEX, 0});
      continue;
    }
    uint32_t argument = argument_of(finder->program, value, number);
    gmem_proof_set_t given = memory->given[argument];
    for (uint32_t k = 0; k < given.count && given.count <= MOST_GIVEN; ++k)
      add_name(finder, memory,
               (gmem_proof_name_t){value, given.at[k], number, 0});
    if (given.count > MOST_GIVEN)
      add(finder, value, &site, 1);
  }
}

// Whether op |index| is in |block|, or in a region of an op in it.
static bool is_within(const gmem_proof_program_t *program, uint32_t index,
                      uint32_t block) {
  while (index != GMEM_NO_INDEX && program->ops.at[index].block != block)
    index = program->ops.at[index].parent;
  return index != GMEM_NO_INDEX;
}

// Finds the values whose names may be forgotten at the end of their block. What
// enters and leaves a region is bound by the op around it, so that this is not
// for the first block.
static gmem_status_t find_own_names(const finder_t *finder,
                                    gmem_proof_memory_t *memory,
                                    gmem_diag_t *diag) {
  const gmem_proof_program_t *program = finder->program;
  GMEM_TRY_ALLOC(memory->is_of_block, finder->arena, memory->value_count, diag);
  for (size_t i = 0; i < memory->names.count; ++i) {
    uint32_t value = memory->names.at[i].value;
    const gmem_proof_block_t *block =
        &program->blocks.at[program->values.at[value].block];
    memory->is_of_block[value] = block->is_reached && block->position > 0;
  }
  for (uint32_t i = 0; i < program->ops.count; ++i)
    for (uint32_t k = 0; k < program->ops.at[i].operand_count; ++k) {
      uint32_t operand = program->ops.at[i].operands[k];
      gmem_proof_set_t names = operand == GMEM_NO_INDEX ? (gmem_proof_set_t){0}
                                                        : memory->of[operand];
      uint32_t last = GMEM_NO_INDEX;
      for (uint32_t n = 0; n < names.count; ++n) {
        const gmem_proof_name_t *name = name_at(memory, names.at[n]);
        if (!name || name->value == last)
          continue;
        last = name->value;
        if (memory->is_of_block[last] &&
            !is_within(program, i, program->values.at[last].block))
          memory->is_of_block[last] = false;
      }
    }
  return GMEM_OK;
}

static gmem_status_t find_names(finder_t *finder, gmem_proof_memory_t *memory,
                                gmem_diag_t *diag) {
  const gmem_proof_program_t *program = finder->program;
  gmem_csr_pairs_t pairs = {0};
  memory->sites = finder->of;
  GMEM_TRY(find_given(finder, memory, diag));
  GMEM_TRY_ALLOC(finder->of, finder->arena, program->values.count, diag);
  memory->of = finder->of;
  add_owners(finder);
  for (uint32_t i = 0; i < program->values.count; ++i)
    if (is_passed_on(finder, i))
      add_names(finder, memory, i);
  do {
    finder->is_changed = false;
    for (uint32_t i = 0; i < program->ops.count; ++i)
      if (program->ops.at[i].region_count == 0 &&
          program->ops.at[i].flow != GMEM_PROOF_CALL &&
          mlirOperationGetNumSuccessors(program->ops.at[i].op) == 0)
        add_op(finder, i);
    GMEM_TRY(gmem_bump_status(finder->arena, diag));
  } while (finder->is_changed);
  GMEM_TRY(find_own_names(finder, memory, diag));
  finder->of = memory->sites;
  finder->bound = memory;
  for (uint32_t i = 0; i < program->ops.count && memory->names.count; ++i)
    add_op(finder, i);
  for (uint32_t i = 0; i < memory->names.count; ++i) {
    assert(memory->names.at[i].edges != 0);
    GMEM_APPEND(finder->arena, &pairs,
                (gmem_csr_pair_t){memory->names.at[i].site,
                                  2 * memory->value_count + i});
  }
  return gmem_csr_build(&pairs, 2 * (size_t)memory->value_count, finder->arena,
                        &memory->names_of, diag);
}

bool gmem_proof_may_coexist(const gmem_proof_program_t *program,
                            const gmem_proof_memory_t *memory, uint32_t left,
                            uint32_t right) {
  const gmem_proof_name_t *one = name_at(memory, left);
  const gmem_proof_name_t *other = name_at(memory, right);
  if (!one || !other)
    return true;
  const gmem_proof_value_t *from = gmem_proof_value_at(program, one->value);
  const gmem_proof_value_t *to = gmem_proof_value_at(program, other->value);
  bool is_one_row = from->op == to->op &&
                    (from->op != GMEM_NO_INDEX || from->block == to->block);
  return one->value != other->value &&
         !(is_one_row && (one->edges & other->edges) == 0);
}

gmem_status_t gmem_proof_memory_find(const gmem_proof_program_t *program,
                                     gmem_bump_t *arena,
                                     gmem_proof_memory_t *out_memory,
                                     gmem_diag_t *diag) {
  finder_t finder = {
      .program = program, .called_by = GMEM_NO_INDEX, .arena = arena};
  GMEM_TRY_ALLOC(finder.of, arena, program->values.count, diag);
  GMEM_TRY_ALLOC(finder.is_aged, arena, program->ops.count, diag);
  GMEM_TRY_ALLOC(finder.is_unplaced, arena, program->values.count, diag);
  GMEM_TRY_ALLOC(finder.in_loop, arena, program->blocks.count, diag);
  GMEM_TRY_ALLOC(finder.called, arena, program->functions.count, diag);
  *out_memory =
      (gmem_proof_memory_t){.value_count = (uint32_t)program->values.count,
                            .is_aged = finder.is_aged,
                            .is_unplaced = finder.is_unplaced};
  add_owners(&finder);
  do {
    finder.is_changed = false;
    for (uint32_t i = 0; i < program->ops.count; ++i)
      add_op(&finder, i);
    GMEM_TRY(gmem_bump_status(arena, diag));
  } while (finder.is_changed);
  return find_names(&finder, out_memory, diag);
}
