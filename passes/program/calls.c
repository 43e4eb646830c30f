// calls.c - see calls.h. Any symbol reference counts as a call, whatever the
// op: a missed call would make the plan wrong, a false one only larger.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "calls.h"

#include <assert.h>
#include <stdlib.h>

#include "attribute_codec.h"
#include "captures.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir_seam.h"
#include "partition_point.h"
#include "program.h"
#include "scopes.h"
#include "value_rows.h"

// A function, or another op of the scope that names symbols, such as a table of
// functions.
typedef struct symbol_s {
  MlirStringRef name;
  uint32_t function;   // GMEM_NO_INDEX: a table
  MlirOperation table; // or null
} symbol_t;

typedef struct symbol_list_s {
  symbol_t *at;
  size_t count, room;
} symbol_list_t;

typedef struct call_list_s {
  gmem_call_t *at;
  size_t count, room;
} call_list_t;

typedef struct finder_s {
  const gmem_program_t *program;
  const gmem_layer_groups_t *groups;
  gmem_bump_t *arena;
  gmem_calls_t *calls;
  call_list_t made;      // in the order of the ops
  symbol_list_t symbols; // sorted by name
  bool table_is_used;    // an op in a function names a table
  bool names_table;      // the current op names one
  bool calls_beside;     // an indirect call may run beside another one
  bool gets_tokens;      // one returns a handle
  uint32_t function;     // whose ops are being read
  uint32_t op; // whose attributes are being read; GMEM_NO_INDEX: a table's
  gmem_plain_seen_t seen;
  gmem_code_types_t code_types;
} finder_t;

//===--- mentions ---------------------------------------------------------===//

static int compare_symbols(const void *a, const void *b) {
  return gmem_string_order(((const symbol_t *)a)->name,
                           ((const symbol_t *)b)->name);
}

static void count_symbol(MlirStringRef name, void *user) {
  (void)name;
  ++*(size_t *)user;
}

static void list_symbols(finder_t *finder) {
  const gmem_program_t *program = finder->program;
  symbol_list_t *list = &finder->symbols;
  for (uint32_t i = 0; i < program->function_count; ++i)
    GMEM_APPEND(finder->arena, list,
                (symbol_t){program->functions[i].name, i, {NULL}});
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(program->scope); ++i)
    for (MlirOperation op = gmem_first_op(program->scope, i);
         !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
      MlirStringRef name;
      size_t named = 0;
      if (gmem_is_function(op) ||
          !gmem_string_get(gmem_op_attribute(op, "sym_name"), &name))
        continue;
      gmem_for_each_symbol_in(op, count_symbol, &named);
      if (named)
        GMEM_APPEND(finder->arena, list, (symbol_t){name, GMEM_NO_INDEX, op});
    }
  if (list->count)
    qsort(list->at, list->count, sizeof *list->at, compare_symbols);
}

static void add_call(finder_t *finder, uint32_t function) {
  gmem_callee_t *callee = &finder->calls->callees[function];
  GMEM_APPEND(finder->arena, &finder->made,
              (gmem_call_t){.op = finder->op, .callee = function});
  ++callee->mentions;
  callee->parallel |= finder->program->ops[finder->op].parallel;
}

static bool symbol_is_less(const void *symbol, const void *key) {
  return compare_symbols(symbol, key) < 0;
}

static void take(finder_t *finder, uint32_t function) {
  finder->calls->callees[function].is_taken = true;
  finder->calls->callees[function].escapes = true;
}

// The reference counts for every symbol of that name: scopes that are not
// symbol tables may have several functions of one name. A nested reference
// names a symbol of another scope.
static void read_symbol(MlirStringRef name, void *user) {
  finder_t *finder = user;
  const symbol_list_t *list = &finder->symbols;
  symbol_t key = {.name = name};
  size_t i = gmem_partition_point(&key, list->at, list->count, sizeof key,
                                  symbol_is_less);
  for (; i < list->count && mlirStringRefEqual(list->at[i].name, name); ++i)
    if (finder->op == GMEM_NO_INDEX) {
      if (list->at[i].function == GMEM_NO_INDEX)
        continue;
      finder->calls->callees[list->at[i].function].in_table = true;
      take(finder, list->at[i].function);
    } else if (list->at[i].function == GMEM_NO_INDEX) {
      finder->names_table = finder->table_is_used = true;
    } else
      add_call(finder, list->at[i].function);
}

// Whether a result of the op may stand for work that goes on. A function does
// not: it runs where it is called.
static bool yields_token(const gmem_op_models_t *models, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    if (gmem_is_handle_type(models, type) && !mlirTypeIsAFunction(type))
      return true;
  }
  return false;
}

// Marks the functions that the op mentions, from |first| on, as escaping if the
// op may run them at other times than its own step: a flat layer group does, as
// a unit, and beside ops between its own.
static void classify_mentions(finder_t *finder, MlirOperation op,
                              size_t first) {
  const gmem_program_t *program = finder->program;
  const call_list_t *made = &finder->made;
  const gmem_program_op_t *step = &program->ops[finder->op];
  bool has_regions = !step->opaque && mlirOperationGetNumRegions(op);
  const gmem_layer_group_t *group = gmem_layer_group_of(finder->groups, step);
  for (size_t i = first; i < made->count; ++i) {
    uint32_t callee = made->at[i].callee;
    if (made->count - first > 1 || has_regions || step->deferred ||
        (group && group->is_mixed) || gmem_may_return_code(program->models, op))
      finder->calls->callees[callee].escapes = true;
    if (step->deferred ||
        (yields_token(program->models, op) && !gmem_op_is(op, "func.call")))
      finder->calls->callees[callee].concurrent = true;
  }
}

bool gmem_is_return(const gmem_program_t *program, uint32_t index) {
  const gmem_program_op_t *op = &program->ops[index];
  return op->parent == GMEM_NO_INDEX &&
         program->blocks[op->block].last_op == index &&
         mlirOperationGetNumSuccessors(op->op) == 0;
}

// Whether the op is a call like func.call, whose results are what the function
// returns.
static bool is_plain_call(const finder_t *finder, MlirOperation op,
                          size_t first) {
  const call_list_t *made = &finder->made;
  return gmem_op_is(op, "func.call") ||
         (made->count == first + 1 && !finder->names_table &&
          gmem_is_call_of(
              op, finder->program->functions[made->at[first].callee].op));
}

// Notes an indirect call in the current op. In parallel or deferred code, and
// in programs with streams, it may run beside other ones.
static void note_indirect_call(finder_t *finder, MlirOperation call) {
  const gmem_program_op_t *op = &finder->program->ops[finder->op];
  finder->calls->callees[finder->function].calls_indirectly = true;
  finder->calls_beside |= op->parallel || op->deferred ||
                          (finder->program->own >> GMEM_ATTR_STREAM & 1);
  finder->gets_tokens |= gmem_yields_handle(finder->program->models, call);
}

static MlirWalkResult read_op(MlirOperation op, void *user) {
  finder_t *finder = user;
  size_t first = finder->made.count;
  finder->names_table = false;
  gmem_for_each_symbol_of_each(op, &finder->seen, read_symbol, finder);
  classify_mentions(finder, op, first);
  if (finder->names_table)
    note_indirect_call(finder, op);
  if ((finder->made.count == first && !finder->names_table) ||
      is_plain_call(finder, op, first))
    return MlirWalkResultAdvance;
  gmem_code_types_add(&finder->code_types, finder->program->models, op);
  if (gmem_may_return_code(finder->program->models, op))
    for (size_t i = first; i < finder->made.count; ++i)
      take(finder, finder->made.at[i].callee);
  return MlirWalkResultAdvance;
}

static void find_mentions(finder_t *finder) {
  const gmem_program_t *program = finder->program;
  for (size_t f = 0; f < program->function_count; ++f) {
    const gmem_function_t *function = &program->functions[f];
    finder->function = (uint32_t)f;
    finder->calls->callees[f].first_call = (uint32_t)finder->made.count;
    for (uint32_t op = function->first_op; op < function->end_op; ++op) {
      finder->op = op;
      if (program->ops[op].opaque)
        mlirOperationWalk(program->ops[op].op, read_op, finder,
                          MlirWalkPreOrder);
      else
        read_op(program->ops[op].op, finder);
    }
    finder->calls->callees[f].end_call = (uint32_t)finder->made.count;
  }
  finder->calls->calls = finder->made.at;
  finder->calls->count = finder->made.count;
}

//===--- indirect calls ---------------------------------------------------===//

static MlirWalkResult read_operands(MlirOperation op, void *user) {
  finder_t *finder = user;
  if (gmem_takes_code(&finder->code_types, finder->program->models, op))
    note_indirect_call(finder, op);
  return MlirWalkResultAdvance;
}

// What an op makes of a function may be one, too.
static MlirWalkResult pass_code_on(MlirOperation op, void *user) {
  finder_t *finder = user;
  gmem_code_types_pass(&finder->code_types, finder->program->models, op);
  return MlirWalkResultAdvance;
}

// Calls |visit| for all ops, also those inside of others, that do not only
// return what they are given.
static void visit_ops(finder_t *finder, MlirOperationWalkCallback visit) {
  const gmem_program_t *program = finder->program;
  for (uint32_t i = 0; i < program->op_count; ++i) {
    finder->op = i;
    finder->function = program->ops[i].function;
    if (program->ops[i].opaque)
      mlirOperationWalk(program->ops[i].op, visit, finder, MlirWalkPreOrder);
    else if (mlirOperationGetNumRegions(program->ops[i].op) ||
             !gmem_is_return(program, i))
      visit(program->ops[i].op, finder);
  }
}

// Finds the functions with ops that are given functions.
static void find_indirect_calls(finder_t *finder) {
  const gmem_program_t *program = finder->program;
  bool any_escapes = false;
  for (size_t f = 0; f < program->function_count; ++f)
    any_escapes |= finder->calls->callees[f].escapes;
  if (!any_escapes)
    return;
  for (size_t before = SIZE_MAX; before != finder->code_types.count;) {
    before = finder->code_types.count;
    visit_ops(finder, pass_code_on);
  }
  visit_ops(finder, read_operands);
}

//===--- tables of functions ----------------------------------------------===//

// Functions in a table that is used may run at any time.
static void read_tables(finder_t *finder) {
  const symbol_list_t *list = &finder->symbols;
  finder->op = GMEM_NO_INDEX;
  for (size_t i = 0; i < list->count && finder->table_is_used; ++i)
    if (list->at[i].function == GMEM_NO_INDEX)
      gmem_for_each_symbol_in(list->at[i].table, read_symbol, finder);
}

//===--- returns ----------------------------------------------------------===//

static gmem_status_t list_returns(finder_t *finder, gmem_diag_t *diag) {
  const gmem_program_t *program = finder->program;
  gmem_calls_t *calls = finder->calls;
  uint32_t count = 0;
  // No block has two.
  GMEM_TRY_ALLOC(calls->returns, finder->arena, program->block_count, diag);
  for (size_t f = 0; f < program->function_count; ++f) {
    const gmem_function_t *function = &program->functions[f];
    calls->callees[f].first_return = count;
    for (uint32_t i = function->first_op; i < function->end_op; ++i)
      if (gmem_is_return(program, i))
        calls->returns[count++] = i;
    calls->callees[f].end_return = count;
  }
  assert(count <= program->block_count);
  return GMEM_OK;
}

//===--- components -------------------------------------------------------===//

// Tarjan's strongly connected components (SIAM J. Comput. 1(2), 1972), with an
// explicit stack. Callees come before their callers.
typedef struct components_s {
  gmem_calls_t *calls;
  uint32_t *number; // of a function in the order of discovery, from 1; 0: none
  uint32_t *low;    // smallest number that is reached and still open
  uint32_t *next_call; // to follow
  uint32_t *path;      // functions from the root of the search to the current
  uint32_t *open;      // functions without a component yet
  bool *is_open;
  uint32_t depth, open_count, ordered, numbers;
} components_t;

static void enter(components_t *state, uint32_t function) {
  state->number[function] = state->low[function] = ++state->numbers;
  state->next_call[function] = state->calls->callees[function].first_call;
  state->path[state->depth++] = function;
  state->open[state->open_count++] = function;
  state->is_open[function] = true;
}

static void lower(uint32_t *low, uint32_t number) {
  if (number < *low)
    *low = number;
}

// All callees of |function| were visited: it is the root of a component if no
// earlier open function is reachable.
static void leave(components_t *state, uint32_t function) {
  --state->depth;
  if (state->depth)
    lower(&state->low[state->path[state->depth - 1]], state->low[function]);
  if (state->low[function] != state->number[function])
    return;
  assert(state->is_open[function]);
  uint32_t member, first = state->ordered;
  do {
    member = state->open[--state->open_count];
    state->is_open[member] = false;
    state->calls->order[state->ordered++] = member;
    state->calls->callees[member].component = first;
  } while (member != function);
}

static void search_from(components_t *state, uint32_t root) {
  enter(state, root);
  while (state->depth) {
    uint32_t function = state->path[state->depth - 1];
    if (state->next_call[function] ==
        state->calls->callees[function].end_call) {
      leave(state, function);
      continue;
    }
    uint32_t callee = state->calls->calls[state->next_call[function]++].callee;
    if (!state->number[callee])
      enter(state, callee);
    else if (state->is_open[callee])
      lower(&state->low[function], state->number[callee]);
  }
}

//===--- properties of components -----------------------------------------===//

static bool calls_itself(const gmem_calls_t *calls, uint32_t function) {
  const gmem_callee_t *callee = &calls->callees[function];
  for (uint32_t c = callee->first_call; c < callee->end_call; ++c)
    if (calls->calls[c].callee == function)
      return true;
  return false;
}

// Whether a function of order[first, end), a component, or a callee of one,
// calls indirectly.
static void gather(gmem_calls_t *calls, size_t first, size_t end) {
  bool calls_indirectly = false;
  for (size_t i = first; i < end; ++i) {
    const gmem_callee_t *member = &calls->callees[calls->order[i]];
    calls_indirectly |= member->calls_indirectly;
    for (uint32_t c = member->first_call; c < member->end_call; ++c)
      calls_indirectly |=
          calls->callees[calls->calls[c].callee].calls_indirectly;
  }
  for (size_t i = first; i < end; ++i)
    calls->callees[calls->order[i]].calls_indirectly = calls_indirectly;
}

// Propagates the properties of the functions order[first, end), a component,
// to all of it and to its callees. What an indirect call runs may be any
// function whose address is taken; what deferred code names runs once where
// that does.
static void spread(gmem_calls_t *calls, size_t first, size_t end) {
  bool taken = false, escapes = false, parallel = false, concurrent = false;
  for (size_t i = first; i < end; ++i)
    concurrent |= calls->callees[calls->order[i]].concurrent;
  for (size_t i = first; i < end; ++i) {
    const gmem_callee_t *member = &calls->callees[calls->order[i]];
    taken |= member->is_taken;
    escapes |= member->escapes;
    parallel |= member->parallel || (concurrent && member->mentions > 1);
  }
  for (size_t i = first; i < end; ++i) {
    gmem_callee_t *member = &calls->callees[calls->order[i]];
    member->is_taken = taken;
    member->escapes = escapes;
    member->parallel = parallel;
    member->recursive = end - first > 1 ||
                        calls_itself(calls, calls->order[i]) ||
                        (taken && member->calls_indirectly);
    for (uint32_t c = member->first_call; c < member->end_call; ++c) {
      calls->callees[calls->calls[c].callee].is_taken |= taken;
      calls->callees[calls->calls[c].callee].escapes |= escapes;
      calls->callees[calls->calls[c].callee].parallel |= parallel;
      calls->callees[calls->calls[c].callee].concurrent |= concurrent;
    }
  }
}

// Whether an indirect call may return a token of what goes on.
static bool starts_indirectly(const finder_t *finder) {
  const gmem_program_t *program = finder->program;
  bool starts = false;
  for (size_t i = 0; i < program->op_count && finder->gets_tokens; ++i)
    starts |= program->ops[i].deferred &&
              finder->calls->callees[program->ops[i].function].is_taken;
  return starts;
}

// Indirect calls that run beside others may run the same function, any that is
// taken; so do the callees of these.
static void mark_beside(finder_t *finder) {
  gmem_calls_t *calls = finder->calls;
  size_t count = finder->program->function_count;
  finder->calls_beside |= starts_indirectly(finder);
  for (size_t f = 0; f < count; ++f)
    finder->calls_beside |=
        calls->callees[f].calls_indirectly &&
        (calls->callees[f].parallel || calls->callees[f].concurrent);
  for (size_t f = 0; f < count; ++f)
    calls->callees[f].parallel |=
        finder->calls_beside && calls->callees[f].is_taken;
}

// Time and memory are linear in the calls.
static gmem_status_t find_components(gmem_calls_t *calls, gmem_bump_t *arena,
                                     gmem_diag_t *diag) {
  size_t count = calls->program->function_count;
  components_t state = {.calls = calls};
  GMEM_TRY_ALLOC(state.number, arena, count, diag);
  GMEM_TRY_ALLOC(state.low, arena, count, diag);
  GMEM_TRY_ALLOC(state.next_call, arena, count, diag);
  GMEM_TRY_ALLOC(state.path, arena, count, diag);
  GMEM_TRY_ALLOC(state.open, arena, count, diag);
  GMEM_TRY_ALLOC(state.is_open, arena, count, diag);
  GMEM_TRY_ALLOC(calls->order, arena, count, diag);
  for (uint32_t f = 0; f < count; ++f)
    if (!state.number[f])
      search_from(&state, f);
  assert(state.ordered == count && state.open_count == 0 && state.depth == 0);
  for (size_t first = 0, end; first < count; first = end) { // callees first
    end = gmem_component_end(calls, first);
    gather(calls, first, end);
  }
  for (size_t end = count; end;) { // callers first
    size_t first = calls->callees[calls->order[end - 1]].component;
    spread(calls, first, end);
    end = first;
  }
  return GMEM_OK;
}

//===--- plain calls ------------------------------------------------------===//

MlirBlock gmem_callee_entry(const gmem_calls_t *calls,
                            const gmem_call_t *call) {
  return mlirRegionGetFirstBlock(
      mlirOperationGetRegion(calls->program->functions[call->callee].op, 0));
}

// Whether the entry arguments and returned values of the function match the
// op's operands and results; for functions of unknown dialects the function
// type alone does not guarantee it.
static bool has_body_for(const finder_t *finder, MlirOperation op,
                         const gmem_call_t *call) {
  const gmem_callee_t *callee = &finder->calls->callees[call->callee];
  gmem_value_row_t operands = gmem_operands_of(op);
  gmem_value_row_t arguments =
      gmem_arguments_of(gmem_callee_entry(finder->calls, call));
  if (!gmem_rows_match(operands, gmem_row_first(arguments, operands.count)))
    return false;
  for (uint32_t r = callee->first_return; r < callee->end_return; ++r) {
    MlirOperation end = finder->program->ops[finder->calls->returns[r]].op;
    if (!gmem_rows_match(gmem_operands_of(end), gmem_results_of(op)))
      return false;
  }
  return true;
}

// Operands of a layer group are read as long as the group runs, and the results
// of an op that defines constants exist before it runs: neither is direct.
static bool is_direct(const finder_t *finder, const gmem_call_t *call) {
  const gmem_callee_t *callee = &finder->calls->callees[call->callee];
  const gmem_program_op_t *op = &finder->program->ops[call->op];
  return !callee->recursive && !callee->parallel && !op->opaque &&
         op->group == GMEM_NO_GROUP && !gmem_makes_weights(op) &&
         !gmem_may_return_code(finder->program->models, op->op) &&
         mlirOperationGetNumRegions(op->op) == 0 &&
         gmem_is_call_of(op->op, finder->program->functions[call->callee].op) &&
         has_body_for(finder, op->op, call);
}

static void classify_calls(finder_t *finder) {
  gmem_calls_t *calls = finder->calls;
  for (size_t i = 0; i < calls->count; ++i) {
    gmem_call_t *call = &calls->calls[i];
    assert(i == 0 || call[-1].op <= call->op); // for binary searches
    const gmem_callee_t *callee = &calls->callees[call->callee];
    bool is_alone = (i == 0 || call[-1].op != call->op) &&
                    (i + 1 == calls->count || call[1].op != call->op);
    call->is_direct = is_alone && is_direct(finder, call);
    call->is_plain = call->is_direct && !callee->escapes &&
                     !finder->program->ops[call->op].deferred;
    call->by_reference =
        call->is_plain && calls->callees[call->callee].mentions == 1;
  }
}

// The memory of an initialisation is given back before the first request.
static gmem_status_t check_initialisers(const gmem_calls_t *calls,
                                        gmem_diag_t *diag) {
  for (size_t i = 0; i < calls->count; ++i) {
    const gmem_function_t *callee =
        &calls->program->functions[calls->calls[i].callee];
    if (callee->is_init)
      return gmem_reject(diag, calls->program->ops[calls->calls[i].op].op,
                         "must not call @%.*s, which computes constants "
                         "(gmem.init): it runs once, before all others",
                         (int)callee->name.length, callee->name.data);
  }
  return GMEM_OK;
}

gmem_status_t gmem_calls_find(const gmem_program_t *program,
                              const gmem_layer_groups_t *groups,
                              gmem_bump_t *arena, gmem_calls_t *out_calls,
                              gmem_diag_t *diag) {
  *out_calls = (gmem_calls_t){.program = program};
  finder_t finder = {
      .program = program, .groups = groups, .arena = arena, .calls = out_calls};
  GMEM_TRY_ALLOC(out_calls->callees, arena, program->function_count, diag);
  GMEM_TRY_ALLOC(finder.made.at, arena, 0, diag); // never NULL
  list_symbols(&finder);
  GMEM_TRY(gmem_bump_status(arena, diag));
  find_mentions(&finder);
  read_tables(&finder);
  find_indirect_calls(&finder);
  GMEM_TRY(gmem_bump_status(arena, diag));
  GMEM_TRY(list_returns(&finder, diag));
  GMEM_TRY(find_components(out_calls, arena, diag));
  mark_beside(&finder);
  classify_calls(&finder);
  return check_initialisers(out_calls, diag);
}

typedef struct step_key_s {
  const gmem_program_t *program;
  int64_t step;
} step_key_t;

static bool call_is_before(const void *element, const void *user) {
  const gmem_call_t *call = element;
  const step_key_t *key = user;
  return key->program->ops[call->op].begin < key->step;
}

uint32_t gmem_first_call_from(const gmem_calls_t *calls, uint32_t function,
                              int64_t step) {
  const gmem_callee_t *caller = &calls->callees[function];
  step_key_t key = {calls->program, step};
  if (caller->first_call == caller->end_call)
    return caller->first_call;
  return caller->first_call +
         (uint32_t)gmem_partition_point(&key, calls->calls + caller->first_call,
                                        caller->end_call - caller->first_call,
                                        sizeof *calls->calls, call_is_before);
}
