// alias_sets.c - see alias_sets.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "alias_sets.h"

#include <assert.h>
#include <string.h>

#include "annotations.h"
#include "attribute_codec.h"
#include "calls.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "scopes.h"
#include "value_rows.h"
#include "vocabulary.h"

// An argument of a function that is a state which functions share.
typedef struct shared_state_s {
  MlirStringRef name;
  uint32_t value;
  size_t first; // of the name, in the list
} shared_state_t;

typedef struct builder_s {
  const gmem_program_facts_t *facts;
  const gmem_program_t *program;
  const gmem_memrefs_t *memrefs;
  const bool *links; // by op: an insert that goes on with a chain
  gmem_live_value_t *live_values;
  bool *is_written;   // by representative, while sets are joined
  gmem_csr_t callers; // calls of each function
  GMEM_LIST(shared_state_t) states;
  bool *is_tied; // by representative: an argument in whose memory a result is
                 //   returned, or such a result
  gmem_csr_t members;  // of tensor alias sets, by representative, ascending
  gmem_ranges_t times; // of the current alias set, on that of call contexts
  gmem_bump_t scratch; // of the members
} builder_t;

//===--- must-alias sets, by union-find ----------------------------------===//

static uint32_t find_root(gmem_live_value_t *live_values, uint32_t value) {
  while (live_values[value].root != value) {
    live_values[value].root =
        live_values[live_values[value].root].root; // path halving
    value = live_values[value].root;
  }
  return value;
}

// Merges the alias sets of two values, if they can occupy the same memory. A
// weight stays the representative: its place is in constant memory.
static void join(builder_t *builder, uint32_t left, uint32_t right) {
  gmem_live_value_t *live_values = builder->live_values;
  if (left == GMEM_NO_INDEX || right == GMEM_NO_INDEX ||
      !gmem_is_same_memory(builder->program, live_values, left, right))
    return;
  left = find_root(live_values, left);
  right = find_root(live_values, right);
  bool left_is_weight = live_values[left].storage == GMEM_STORAGE_WEIGHT;
  bool right_is_weight = live_values[right].storage == GMEM_STORAGE_WEIGHT;
  if (left == right || (left_is_weight && right_is_weight))
    return;
  bool right_is_root = right_is_weight || (!left_is_weight && right < left);
  live_values[right_is_root ? left : right].root = right_is_root ? right : left;
  builder->is_written[left] = builder->is_written[right] =
      builder->is_written[left] || builder->is_written[right];
  builder->is_tied[left] = builder->is_tied[right] =
      builder->is_tied[left] || builder->is_tied[right];
}

// Merges the values of two rows, one by one. With |unless_held|, those of
// |left| that gmem.hold keeps stay alone.
static void join_rows(builder_t *builder, gmem_value_row_t left,
                      gmem_value_row_t right, bool unless_held) {
  assert(left.count <= right.count);
  for (intptr_t i = 0; i < left.count; ++i) {
    uint32_t value = gmem_program_find(builder->program, gmem_row_at(&left, i));
    if (value != GMEM_NO_INDEX &&
        !(unless_held && builder->live_values[value].is_held))
      join(builder, value,
           gmem_program_find(builder->program, gmem_row_at(&right, i)));
  }
}

// Merges operands with the callee's arguments, and results with the values that
// it returns if it has a single return. gmem.hold keeps results while these are
// made again for the next call.
static void join_call(builder_t *builder, const gmem_call_t *call) {
  const gmem_program_t *program = builder->program;
  const gmem_calls_t *calls = &builder->facts->calls;
  const gmem_callee_t *callee = &calls->callees[call->callee];
  MlirOperation op = program->ops[call->op].op;
  join_rows(builder, gmem_operands_of(op),
            gmem_arguments_of(gmem_callee_entry(calls, call)), false);
  if (callee->end_return != callee->first_return + 1)
    return;
  uint32_t end = calls->returns[callee->first_return];
  join_rows(builder, gmem_results_of(op),
            gmem_operands_of(program->ops[end].op), true);
}

// The representative of the first argument that is the same shared state as
// |value|, the representative of a set; |value| if it is no shared state.
static uint32_t shared_by(builder_t *builder, uint32_t value) {
  for (size_t i = 0; i < builder->states.count; ++i) {
    const shared_state_t *state = &builder->states.at[i];
    if (find_root(builder->live_values, state->value) == value)
      return find_root(builder->live_values,
                       builder->states.at[state->first].value);
  }
  return value;
}

// The representative of what all calls of |function|, plain ones, pass as
// argument |number|, or GMEM_NO_INDEX.
static uint32_t passed_by_all(builder_t *builder, uint32_t function,
                              intptr_t number) {
  const gmem_program_t *program = builder->program;
  const gmem_calls_t *calls = &builder->facts->calls;
  uint32_t passed = GMEM_NO_INDEX, count = 0;
  GMEM_CSR_EACH (index, &builder->callers, function) {
    const gmem_call_t *call = &calls->calls[*index];
    uint32_t value =
        gmem_operand_value(program, program->ops[call->op].op, number);
    if (!call->is_plain || value == GMEM_NO_INDEX)
      return GMEM_NO_INDEX;
    uint32_t root = find_root(builder->live_values, value);
    if (builder->is_tied[root])
      return GMEM_NO_INDEX;
    if (count++ && root != passed) {
      root = shared_by(builder, root);
      passed = shared_by(builder, passed);
    }
    if (count > 1 && root != passed)
      return GMEM_NO_INDEX;
    passed = root;
  }
  return count == calls->callees[function].mentions ? passed : GMEM_NO_INDEX;
}

// Marks |value|, if it is one, as modified. Returns whether that is new.
static bool mark_modified(builder_t *builder, uint32_t value) {
  if (value == GMEM_NO_INDEX)
    return false;
  bool *is_written =
      &builder->is_written[find_root(builder->live_values, value)];
  bool is_new = !*is_written;
  *is_written = true;
  return is_new;
}

// Each call of |function| modifies what it passes as argument |number|: of an
// op that is no call, any operand may be that. Returns whether that is new.
static bool mark_passed(builder_t *builder, uint32_t function,
                        intptr_t number) {
  const gmem_program_t *program = builder->program;
  bool is_new = false;
  GMEM_CSR_EACH (index, &builder->callers, function) {
    const gmem_call_t *call = &builder->facts->calls.calls[*index];
    MlirOperation op = program->ops[call->op].op;
    bool is_known =
        call->is_direct || gmem_is_call_of(op, program->functions[function].op);
    intptr_t end = is_known ? number + 1 : mlirOperationGetNumOperands(op);
    for (intptr_t i = is_known ? number : 0; i < end; ++i)
      is_new |= mark_modified(builder, gmem_operand_value(program, op, i));
  }
  return is_new;
}

// Merges the arguments that |function| modifies with what its calls pass, if
// that is one tensor: a call could not modify it where it is otherwise. Returns
// whether some set has changed.
static bool join_modified(builder_t *builder, uint32_t function,
                          bool may_join) {
  const gmem_program_t *program = builder->program;
  gmem_live_value_t *live_values = builder->live_values;
  gmem_value_row_t arguments =
      gmem_arguments_of(gmem_entry_block(program->functions[function].op));
  bool is_changed = false;
  for (intptr_t i = 0; i < arguments.count; ++i) {
    uint32_t argument = gmem_program_find(program, gmem_row_at(&arguments, i));
    if (argument == GMEM_NO_INDEX ||
        !builder->is_written[find_root(live_values, argument)])
      continue;
    is_changed |= mark_passed(builder, function, i);
    uint32_t passed =
        may_join ? passed_by_all(builder, function, i) : GMEM_NO_INDEX;
    if (passed == GMEM_NO_INDEX || builder->is_tied[passed] ||
        builder->is_tied[find_root(live_values, argument)] ||
        live_values[passed].storage != GMEM_STORAGE_TENSOR ||
        passed == find_root(live_values, argument))
      continue;
    join(builder, argument, passed);
    is_changed |=
        find_root(live_values, argument) == find_root(live_values, passed);
  }
  return is_changed;
}

// Callees first: a caller of one modifies what it passes on. A result in the
// memory of an argument must not be live with it, so that the argument is to
// end early, in copies of it; ops in streams may run in another order.
static void join_all_modified(builder_t *builder) {
  const gmem_calls_t *calls = &builder->facts->calls;
  bool may_join = !builder->facts->streams.count;
  bool is_changed = true;
  while (is_changed) {
    is_changed = false;
    for (size_t i = 0; i < builder->program->function_count; ++i)
      if (calls->callees[calls->order[i]].mentions)
        is_changed |= join_modified(builder, calls->order[i], may_join);
  }
}

static void join_all(builder_t *builder) {
  const gmem_program_t *program = builder->program;
  for (size_t i = 0; i < program->op_count; ++i) {
    uint32_t operand, result;
    if (gmem_is_view(program, i, &operand, &result))
      join(builder, operand, result);
    if (builder->links[i])
      join(builder,
           gmem_operand_value(program, program->ops[i].op,
                              program->ops[i].model->destination_operand),
           gmem_result_value(program, program->ops[i].op, 0));
  }
  const gmem_calls_t *calls = &builder->facts->calls;
  for (size_t i = 0; i < calls->count; ++i)
    if (calls->calls[i].by_reference)
      join_call(builder, &calls->calls[i]);
  join_all_modified(builder);
  for (uint32_t i = 0; i < program->value_count; ++i) {
    uint32_t root = find_root(builder->live_values, i);
    assert(builder->live_values[root].root == root);
    builder->live_values[i].root = root;
    builder->live_values[i].is_changed = builder->is_written[root];
    // All members have the storage of the representative: a reshaped weight is
    // a weight.
    if (gmem_live_value_is_planned(&builder->live_values[i]))
      builder->live_values[i].storage = builder->live_values[root].storage;
  }
}

//===--- live ranges of alias sets ---------------------------------------===//

static bool any_may_refer_to_memory(const gmem_op_models_t *models,
                                    gmem_value_row_t row) {
  for (intptr_t i = 0; i < row.count; ++i) {
    MlirType type = mlirValueGetType(gmem_row_at(&row, i));
    if (gmem_is_memref_type(type) || gmem_is_handle_type(models, type))
      return true;
  }
  return false;
}

// Whether a returned value may be a handle to memory.
static bool returns_handles(const builder_t *builder, uint32_t function) {
  const gmem_calls_t *calls = &builder->facts->calls;
  const gmem_callee_t *callee = &calls->callees[function];
  for (uint32_t r = callee->first_return; r < callee->end_return; ++r)
    if (any_may_refer_to_memory(
            builder->program->models,
            gmem_operands_of(builder->program->ops[calls->returns[r]].op)))
      return true;
  return false;
}

// Whether the value may be live after its function has returned.
static bool outlives_call(const builder_t *builder, uint32_t value) {
  uint32_t function = gmem_value_function(builder->program, value);
  return builder->live_values[value].is_escaping &&
         builder->facts->calls.callees[function].mentions != 0 &&
         returns_handles(builder, function);
}

// Adds steps [begin, end) of a value of function |home|.
static void add_range(builder_t *builder, uint32_t home, int64_t begin,
                      int64_t end) {
  gmem_contexts_add_range_of(builder->facts->contexts, home, begin, end,
                             &builder->times);
}

// An input that is |written|, through any member of the set, belongs to a
// caller who reads the new contents, so it stays live until the function ends.
static void add_ranges_of(builder_t *builder, uint32_t value, bool written) {
  const gmem_program_t *program = builder->program;
  const gmem_live_value_t *live = &builder->live_values[value];
  uint32_t function = gmem_value_function(program, value);
  if (builder->facts->calls.callees[function].escapes ||
      outlives_call(builder, value)) {
    gmem_ranges_add(&builder->times, 0,
                    gmem_call_contexts_length(builder->facts->contexts));
    return;
  }
  for (size_t i = 0; i < live->range_count; ++i)
    add_range(builder, function, live->ranges[i].begin, live->ranges[i].end);
  if (written && live->input)
    add_range(builder, function, program->functions[function].begin,
              program->functions[function].end);
}

static void list_state(builder_t *builder, uint32_t function, intptr_t number) {
  MlirOperation op = builder->program->functions[function].op;
  MlirAttribute said = gmem_argument_annotation(op, number, GMEM_ATTR_STATE);
  shared_state_t state = {
      .value = gmem_program_find(
          builder->program, mlirBlockGetArgument(gmem_entry_block(op), number)),
      .first = builder->states.count};
  if (!gmem_attribute_is(said, mlirAttributeIsAString) ||
      state.value == GMEM_NO_INDEX)
    return;
  state.name = mlirStringAttrGetValue(said);
  for (size_t i = builder->states.count; i-- > 0;)
    if (mlirStringRefEqual(builder->states.at[i].name, state.name))
      state.first = i;
  GMEM_APPEND(&builder->scratch, &builder->states, state);
}

static void mark_value(builder_t *builder, MlirValue value) {
  uint32_t number = gmem_program_find(builder->program, value);
  if (number != GMEM_NO_INDEX)
    builder->is_tied[number] = true;
}

// Marks what return |end| of |function| returns in the memory of arguments, and
// these.
static void mark_tied(builder_t *builder, MlirOperation function,
                      MlirOperation end) {
  MlirBlock entry = gmem_entry_block(function);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(end); ++i) {
    int64_t argument;
    MlirAttribute said =
        gmem_function_result_annotation(function, i, GMEM_ATTR_SAME_AS);
    if (mlirAttributeIsNull(said) || !gmem_i64_get(said, &argument) ||
        argument < 0 || argument >= mlirBlockGetNumArguments(entry))
      continue;
    mark_value(builder, mlirOperationGetOperand(end, i));
    mark_value(builder, mlirBlockGetArgument(entry, argument));
  }
}

// Lists what functions say of their arguments and results.
static void list_annotations(builder_t *builder) {
  const gmem_program_t *program = builder->program;
  for (uint32_t f = 0; f < program->function_count; ++f) {
    MlirOperation op = program->functions[f].op;
    const gmem_callee_t *callee = &builder->facts->calls.callees[f];
    intptr_t count = gmem_has_argument_attributes(op)
                         ? mlirBlockGetNumArguments(gmem_entry_block(op))
                         : 0;
    for (intptr_t i = 0; i < count; ++i)
      list_state(builder, f, i);
    for (uint32_t i = callee->first_return; i < callee->end_return; ++i)
      mark_tied(builder, op, program->ops[builder->facts->calls.returns[i]].op);
  }
}

// Lists the calls of each function, and what ops modify.
static gmem_status_t prepare_joins(builder_t *builder, gmem_diag_t *diag) {
  const gmem_program_t *program = builder->program;
  const gmem_calls_t *calls = &builder->facts->calls;
  gmem_csr_pairs_t pairs = {0};
  GMEM_TRY_ALLOC(builder->is_written, &builder->scratch, program->value_count,
                 diag);
  GMEM_TRY_ALLOC(builder->is_tied, &builder->scratch, program->value_count,
                 diag);
  for (uint32_t i = 0; i < program->value_count; ++i)
    builder->is_written[i] = builder->live_values[i].is_written;
  GMEM_TRY_ALLOC(pairs.at, &builder->scratch, calls->count, diag);
  for (uint32_t i = 0; i < calls->count; ++i)
    pairs.at[pairs.count++] = (gmem_csr_pair_t){calls->calls[i].callee, i};
  list_annotations(builder);
  GMEM_TRY(gmem_bump_status(&builder->scratch, diag));
  return gmem_csr_build(&pairs, program->function_count, &builder->scratch,
                        &builder->callers, diag);
}

static gmem_status_t list_members(builder_t *builder, gmem_diag_t *diag) {
  size_t values = builder->program->value_count;
  gmem_csr_pairs_t pairs = {0};
  GMEM_TRY_ALLOC(pairs.at, &builder->scratch, values, diag);
  for (uint32_t i = 0; i < values; ++i)
    if (builder->live_values[i].storage == GMEM_STORAGE_TENSOR)
      pairs.at[pairs.count++] =
          (gmem_csr_pair_t){builder->live_values[i].root, i};
  return gmem_csr_build(&pairs, values, &builder->scratch, &builder->members,
                        diag);
}

// Adds the allocation site |value| to the current alias set.
static void add_memref(builder_t *builder, uint32_t value,
                       gmem_alias_set_t *set) {
  const gmem_allocation_site_t *site =
      gmem_allocation_site_of(builder->memrefs, value);
  assert(site && site->reason == GMEM_MEMREF_PLANNED);
  gmem_ranges_add_all(&builder->times, site->ranges, site->range_count);
  set->is_written = true;
  set->uses += site->uses;
}

// Finds the alias set with representative |root|.
static gmem_alias_set_t find_set(builder_t *builder, uint32_t root) {
  gmem_alias_set_t set = {.root = root, .uses = 1}; // the definition
  assert(builder->live_values[root].storage == GMEM_STORAGE_TENSOR);
  builder->times.count = 0;
  GMEM_CSR_EACH (member, &builder->members, root)
    set.is_written |= builder->live_values[*member].is_written;
  GMEM_CSR_EACH (member, &builder->members, root) {
    if (gmem_is_memref_root(builder->program, *member)) {
      add_memref(builder, *member, &set);
      continue;
    }
    add_ranges_of(builder, *member, set.is_written);
    set.uses += builder->live_values[*member].uses;
  }
  gmem_ranges_normalise(&builder->times);
  const gmem_live_value_t *alone = &builder->live_values[root];
  set.range_count = builder->times.count;
  // Most sets are one value, of a function that runs once.
  set.ranges = set.range_count && set.range_count == alone->range_count &&
                       memcmp(alone->ranges, builder->times.data,
                              set.range_count * sizeof *set.ranges) == 0
                   ? alone->ranges
                   : gmem_ranges_copy(&builder->times);
  return set;
}

static gmem_status_t find_sets(builder_t *builder, gmem_alias_sets_t *sets,
                               gmem_diag_t *diag) {
  gmem_bump_t *arena = builder->times.arena;
  size_t values = builder->program->value_count;
  GMEM_TRY(list_members(builder, diag));
  sets->count = 0;
  GMEM_TRY_ALLOC(sets->at, arena, values, diag);
  GMEM_TRY_ALLOC(sets->of, arena, values, diag);
  for (uint32_t i = 0; i < values; ++i)
    sets->of[i] = GMEM_NO_INDEX;
  for (uint32_t root = 0; root < values; ++root) {
    GMEM_CSR_EACH (member, &builder->members, root)
      sets->of[*member] = (uint32_t)sets->count;
    if (gmem_csr_count(&builder->members, root))
      sets->at[sets->count++] = find_set(builder, root);
  }
  return gmem_bump_status(arena, diag);
}

gmem_status_t
gmem_alias_sets_build(const gmem_program_facts_t *facts,
                      const gmem_memrefs_t *memrefs, const bool *links,
                      gmem_live_value_t *live_values, gmem_bump_t *arena,
                      gmem_alias_sets_t *out_sets, gmem_diag_t *diag) {
  builder_t builder = {.facts = facts,
                       .program = facts->program,
                       .memrefs = memrefs,
                       .links = links,
                       .live_values = live_values,
                       .times = {.arena = arena}};
  gmem_bump_init(&builder.scratch, &arena->allocator);
  gmem_status_t status = prepare_joins(&builder, diag);
  if (status == GMEM_OK) {
    join_all(&builder);
    status = find_sets(&builder, out_sets, diag);
  }
  gmem_bump_destroy(&builder.scratch);
  return status;
}
