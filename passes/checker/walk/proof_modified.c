// proof_modified.c - see proof_walk.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An argument that is modified is the caller's operand (docs/op-models.md): the
// call modifies the operand if that is where the argument is. Else the callee
// modifies a copy, and the operand is out of date.

#include "proof_walk.h"

#include "proof_messages.h"
#include "scopes.h"

static bool is_direct(const gmem_proof_op_t *op) {
  return op->flow == GMEM_PROOF_CALL || op->is_direct;
}

// The memory of |operand| if it is where |argument| is, or GMEM_NO_INDEX.
static uint32_t find_in_place(gmem_walk_t *walk, uint32_t operand,
                              uint32_t argument) {
  gmem_proof_range_t bytes = gmem_walk_value(walk, argument)->bytes;
  gmem_walk_list_ids(walk, operand);
  if (walk->now.ids.count != 1)
    return GMEM_NO_INDEX;
  gmem_proof_range_t own = gmem_walk_bytes(walk, walk->now.ids.at[0]);
  return own.begin == bytes.begin && own.end == bytes.end ? walk->now.ids.at[0]
                                                          : GMEM_NO_INDEX;
}

// Op |op| runs a function that modifies |argument|, its argument |number|, or
// GMEM_NO_INDEX: which operand that is, is not known.
static void list_change(gmem_walk_t *walk, const gmem_proof_op_t *op,
                        uint32_t number, uint32_t argument) {
  uint32_t first = number == GMEM_NO_INDEX ? 0 : number;
  uint32_t end = number == GMEM_NO_INDEX ? op->operand_count : number + 1;
  for (uint32_t i = first; i < end; ++i) {
    uint32_t value = op->operands[i];
    if (value == GMEM_NO_INDEX || gmem_walk_value(walk, value)->is_memref)
      continue;
    uint32_t id =
        is_direct(op) ? find_in_place(walk, value, argument) : GMEM_NO_INDEX;
    GMEM_APPEND(walk->arena, &walk->now.changes,
                (gmem_walk_change_t){argument, i, id});
  }
}

// Lists what |op| changes that runs |callee|. One of which several runs exist
// at once has no places: what it modifies is a copy.
static void list_changes_by(gmem_walk_t *walk, const gmem_proof_op_t *op,
                            const gmem_proof_function_t *callee) {
  gmem_proof_row_t row = gmem_proof_arguments(walk->program, callee->region);
  bool has_instances = gmem_proof_has_instances(callee);
  bool is_known =
      is_direct(op) || (has_instances && op->operand_count == row.count &&
                        gmem_is_call_of(op->op, callee->op));
  for (uint32_t i = 0; i < row.count; ++i)
    if (walk->is_modified[row.first + i] ||
        (has_instances && walk->contents.is_modified[row.first + i]))
      list_change(walk, op, is_known ? i : GMEM_NO_INDEX, row.first + i);
}

static void list_changes(gmem_walk_t *walk, const gmem_proof_op_t *op) {
  const gmem_proof_program_t *program = walk->program;
  walk->now.changes.count = 0;
  for (uint32_t c = 0; c < op->callee_count; ++c) {
    uint32_t callee = program->callees.at[op->first_callee + c];
    list_changes_by(walk, op, &program->functions.at[callee]);
  }
  if (op->runs_unknown && walk->taken != GMEM_NO_INDEX)
    list_change(walk, op, is_direct(op) ? 0 : GMEM_NO_INDEX, walk->taken);
}

static gmem_walk_write_t write_of(const gmem_walk_t *walk, uint32_t value,
                                  uint32_t id) {
  return (gmem_walk_write_t){.bytes = gmem_walk_value(walk, value)->bytes,
                             .id = id,
                             .from = GMEM_NO_INDEX};
}

// Lists a write to a copy of |operand|, whether or not that had contents.
static void list_to_copy(gmem_walk_t *walk, uint32_t operand) {
  gmem_walk_write_t to_copy = write_of(walk, operand, GMEM_NO_INDEX);
  to_copy.is_to_copy = true;
  GMEM_APPEND(walk->arena, &walk->now.writes, to_copy);
  gmem_walk_list_ids(walk, operand);
  for (size_t i = 0; i < walk->now.ids.count; ++i)
    gmem_walk_add_write(walk, walk->now.ids.at[i]);
}

void gmem_walk_list_modified(gmem_walk_t *walk, uint32_t index) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  list_changes(walk, op);
  walk->now.writes.count = 0;
  for (size_t i = 0; i < walk->now.changes.count; ++i) {
    const gmem_walk_change_t *change = &walk->now.changes.at[i];
    if (gmem_walk_value(walk, change->argument)->is_placed)
      GMEM_APPEND(walk->arena, &walk->now.writes,
                  write_of(walk, change->argument, change->id));
    if (change->id == GMEM_NO_INDEX)
      list_to_copy(walk, op->operands[change->operand]);
  }
}

static bool denotes(gmem_walk_t *walk, uint32_t value, uint32_t site) {
  bool is_same = false;
  gmem_walk_list_ids(walk, value);
  for (size_t i = 0; i < walk->now.ids.count; ++i)
    is_same |= gmem_proof_site(&walk->memory, walk->now.ids.at[i]) == site;
  return is_same;
}

// The callee of |change| must not know what it modifies by two names, of which
// one is a copy.
static gmem_status_t check_names(gmem_walk_t *walk, uint32_t index,
                                 const gmem_walk_change_t *change) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  gmem_proof_row_t row = gmem_proof_arguments(
      walk->program, gmem_proof_callee(walk->program, op)->region);
  gmem_walk_list_ids(walk, op->operands[change->operand]);
  if (!walk->is_checked || walk->now.ids.count != 1)
    return GMEM_OK;
  uint32_t site = gmem_proof_site(&walk->memory, walk->now.ids.at[0]);
  for (uint32_t k = 0; k < op->operand_count; ++k) {
    uint32_t value = op->operands[k], argument = row.first + k;
    if (k == change->operand || value == GMEM_NO_INDEX ||
        !denotes(walk, value, site))
      continue;
    bool is_copied =
        gmem_walk_value(walk, value)->is_memref
            ? change->id == GMEM_NO_INDEX
            : gmem_walk_value(walk, argument)->is_placed &&
                  (change->id == GMEM_NO_INDEX ||
                   find_in_place(walk, value, argument) == GMEM_NO_INDEX);
    if (is_copied)
      return gmem_error_at(
          walk->diag, GMEM_ERR_OVERLAP, gmem_walk_location(walk, index),
          "%s passes what its callee modifies as operands #%u "
          "and #%u, of which one is a copy: inline the call",
          gmem_proof_op_text(walk->program, index).at, change->operand, k);
  }
  return GMEM_OK;
}

gmem_status_t gmem_walk_modify_operands(gmem_walk_t *walk, uint32_t index) {
  list_changes(walk, gmem_walk_op(walk, index));
  for (size_t i = 0; i < walk->now.changes.count; ++i) {
    const gmem_walk_change_t *change = &walk->now.changes.at[i];
    gmem_walk_write_t write = write_of(walk, change->argument, change->id);
    GMEM_TRY(check_names(walk, index, change));
    if (change->id != GMEM_NO_INDEX) {
      GMEM_TRY(gmem_walk_write(walk, index, &write));
      gmem_walk_define_names(walk, change->id, index);
    }
    gmem_walk_pin_inputs(walk,
                         gmem_walk_op(walk, index)->operands[change->operand]);
  }
  return GMEM_OK;
}

bool gmem_walk_is_used_once(const gmem_walk_t *walk, uint32_t value,
                            uint32_t op) {
  const gmem_proof_value_t *entry = gmem_walk_value(walk, value);
  MlirOpOperand use = mlirValueGetFirstUse(entry->value);
  return gmem_walk_op(walk, op)->block == entry->block &&
         !mlirOpOperandIsNull(use) &&
         mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

// Whether op |index| is all that uses |value|, and what it is a reshape of.
static bool is_last_use(const gmem_walk_t *walk, uint32_t value,
                        uint32_t index) {
  while (value != GMEM_NO_INDEX) {
    const gmem_proof_value_t *entry = gmem_walk_value(walk, value);
    if (!gmem_walk_is_used_once(walk, value, index))
      return false;
    const gmem_proof_op_t *op = gmem_walk_op(walk, entry->op);
    value = op->model->kind == GMEM_OP_RESHAPE && op->operand_count
                ? op->operands[0]
                : GMEM_NO_INDEX;
    index = entry->op;
  }
  return true;
}

// The memory that |name| denotes is out of date.
static void lose_name(gmem_walk_t *walk, uint32_t index, uint32_t name) {
  gmem_proof_range_t bytes = gmem_walk_bytes(walk, name);
  gmem_proof_entry_t entry = {bytes.begin, bytes.end, .id = name};
  if (gmem_proof_is_intact(&walk->state, bytes, name))
    gmem_proof_lose(&walk->store, &walk->state, &entry, GMEM_WALK_COPIED,
                    index);
}

// Operand |operand| of op |index|, which passes a copy of it to a function that
// modifies that, is out of date, by each of its names.
static gmem_status_t lose_operand(gmem_walk_t *walk, uint32_t index,
                                  uint32_t operand) {
  uint32_t value = gmem_walk_op(walk, index)->operands[operand];
  if (gmem_walk_value(walk, value)->is_constant && walk->is_checked)
    return gmem_error_at(walk->diag, GMEM_ERR_OVERLAP,
                         gmem_walk_location(walk, index),
                         "%s passes operand #%u, a constant, to a function "
                         "that modifies it: what is changed from run to run is "
                         "an argument with gmem.state",
                         gmem_proof_op_text(walk->program, index).at, operand);
  if (walk->is_checked &&
      gmem_proof_is_undefined(walk->program, &walk->memory, value) &&
      !is_last_use(walk, value, index))
    return gmem_error_at(
        walk->diag, GMEM_ERR_CORRUPT, gmem_walk_location(walk, index),
        "%s passes %s, which has no place in the plan, to a function that "
        "modifies it, and other ops use it",
        gmem_proof_op_text(walk->program, index).at,
        gmem_proof_value_text(walk->program, gmem_walk_value(walk, value)).at);
  gmem_walk_list_ids(walk, value);
  for (size_t i = 0; i < walk->now.ids.count; ++i) {
    uint32_t site = gmem_proof_site(&walk->memory, walk->now.ids.at[i]);
    // The callee gives it contents if it had none: to read it is an error, too.
    gmem_walk_define_names(walk, site, index);
    lose_name(walk, index, site);
    GMEM_CSR_EACH (name, &walk->memory.names_of, site)
      lose_name(walk, index, *name);
    // Its function modifies an argument that is out of date when it returns.
    if (gmem_proof_is_argument(walk->program, gmem_walk_value(walk, site)))
      gmem_walk_pin_input(walk, site);
  }
  return GMEM_OK;
}

gmem_status_t gmem_walk_lose_copied(gmem_walk_t *walk, uint32_t index) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, index);
  list_changes(walk, op);
  for (size_t i = 0; i < walk->now.changes.count; ++i) {
    const gmem_walk_change_t *change = &walk->now.changes.at[i];
    gmem_walk_write_t write = write_of(walk, change->argument, GMEM_NO_INDEX);
    if (change->id != GMEM_NO_INDEX)
      continue;
    GMEM_TRY(lose_operand(walk, index, change->operand));
    // Nothing copies an operand without contents: the callee is the first that
    // writes the argument.
    if (gmem_walk_value(walk, change->argument)->is_placed &&
        gmem_proof_is_undefined(walk->program, &walk->memory,
                                op->operands[change->operand]))
      GMEM_TRY(gmem_walk_write(walk, index, &write));
  }
  return GMEM_OK;
}

//===--- arguments that a callee returns ----------------------------------===//

// The argument that |end|, of its function, returns as result |number|, as far
// as the plan has it where that is; or GMEM_NO_INDEX.
static uint32_t returned_argument(const gmem_walk_t *walk,
                                  const gmem_proof_op_t *end, uint32_t number) {
  const gmem_proof_program_t *program = walk->program;
  gmem_proof_set_t set = end->operands[number] == GMEM_NO_INDEX
                             ? (gmem_proof_set_t){0}
                             : walk->memory.of[end->operands[number]];
  if (set.count != 1 || set.at[0] >= program->values.count)
    return GMEM_NO_INDEX;
  uint32_t origin = gmem_walk_origin(walk, set.at[0]);
  const gmem_proof_value_t *value = gmem_walk_value(walk, origin);
  return gmem_proof_is_argument(program, value) &&
                 value->function == end->function
             ? origin
             : GMEM_NO_INDEX;
}

// The argument that all returns of |callee| return as result |number|, or
// GMEM_NO_INDEX.
static uint32_t common_argument(const gmem_walk_t *walk,
                                const gmem_proof_function_t *callee,
                                uint32_t number) {
  const gmem_proof_region_t *body = &walk->program->regions.at[callee->region];
  uint32_t common = GMEM_NO_INDEX;
  for (uint32_t b = 0; b < body->block_count; ++b) {
    const gmem_proof_op_t *end =
        gmem_proof_exit(walk->program, body->first_block + b);
    uint32_t argument = end ? returned_argument(walk, end, number) : common;
    if (end && (argument == GMEM_NO_INDEX ||
                (common != GMEM_NO_INDEX && argument != common)))
      return GMEM_NO_INDEX;
    common = argument;
  }
  return common;
}

void gmem_walk_find_origins(gmem_walk_t *walk, uint32_t call) {
  const gmem_proof_op_t *op = gmem_walk_op(walk, call);
  const gmem_proof_function_t *callee = gmem_proof_callee(walk->program, op);
  for (uint32_t i = 0; i < op->results.count; ++i) {
    uint32_t argument = common_argument(walk, callee, i);
    if (argument == GMEM_NO_INDEX)
      continue;
    uint32_t number = gmem_walk_value(walk, argument)->number;
    uint32_t id = find_in_place(walk, op->operands[number], argument);
    uint32_t result = op->results.first + i;
    if (id != GMEM_NO_INDEX &&
        gmem_proof_is_at(walk->program, result,
                         gmem_walk_bytes(walk, id).begin))
      walk->origin[result] =
          gmem_walk_origin(walk, gmem_proof_site(&walk->memory, id)) + 1;
  }
}
