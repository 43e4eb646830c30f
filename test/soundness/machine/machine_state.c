// machine_state.c - states: arguments whose memory is kept between runs
// (gmem.state).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "machine_run.h"

#include "mlir-c/BuiltinAttributes.h"

// gmem.state of the argument, or null.
static MlirAttribute state_of(const function_t *function, uint32_t number) {
  MlirAttribute all = attribute_of(function->op, "arg_attrs");
  return !mlirAttributeIsNull(all) && mlirAttributeIsAArray(all) &&
                 number < mlirArrayAttrGetNumElements(all)
             ? mlirDictionaryAttrGetElementByName(
                   mlirArrayAttrGetElement(all, number),
                   mlirStringRefCreateFromCString("gmem.state"))
             : (MlirAttribute){NULL};
}

static bool is_state(const function_t *function, uint32_t number) {
  return !mlirAttributeIsNull(state_of(function, number));
}

// Whether a result is the state after the run.
static bool is_followed(const function_t *function, uint32_t number) {
  MlirAttribute all = attribute_of(function->op, "res_attrs");
  if (mlirAttributeIsNull(all) || !mlirAttributeIsAArray(all))
    return false;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(all); ++i) {
    MlirAttribute same = mlirDictionaryAttrGetElementByName(
        mlirArrayAttrGetElement(all, i),
        mlirStringRefCreateFromCString("gmem.same_as"));
    if (!mlirAttributeIsNull(same) && mlirAttributeIsAInteger(same) &&
        mlirIntegerAttrGetValueInt(same) == (int64_t)number)
      return true;
  }
  return false;
}

static const block_t *first_block_of(const machine_t *machine,
                                     const function_t *function) {
  const region_t *region = &machine->program->regions[function->region];
  return region->count ? &machine->program->blocks[region->blocks[0]] : NULL;
}

void machine_check_states(machine_t *machine, frame_t *frame, uint32_t end) {
  const block_t *entry = first_block_of(machine, frame->function);
  for (uint32_t i = 0; entry && i < entry->argument_count; ++i)
    if (is_state(frame->function, i) && !is_followed(frame->function, i) &&
        machine->program->values[entry->first_argument + i].pool != NONE)
      machine_check(machine, frame, end, "kept state",
                    entry->first_argument + i);
}

// The argument of |function| that is the same state as argument |number| of
// |other|; NONE if there is none.
static uint32_t find_shared(const machine_t *machine, uint32_t function,
                            const function_t *other, uint32_t number) {
  const function_t *own = &machine->program->functions[function];
  const block_t *entry = first_block_of(machine, own);
  MlirAttribute name = state_of(other, number);
  for (uint32_t i = 0;
       entry && mlirAttributeIsAString(name) && i < entry->argument_count; ++i)
    if (mlirAttributeEqual(state_of(own, i), name))
      return entry->first_argument + i;
  return NONE;
}

// The last op of the function that runs, or NONE.
static uint32_t last_op(const machine_t *machine) {
  const function_t *function = &machine->program->functions[machine->entry];
  return function->end_op > function->first_op ? function->end_op - 1 : NONE;
}

// Functions that share a state have it at one place.
static void check_place(machine_t *machine, uint32_t left, uint32_t right) {
  const value_t *a = &machine->program->values[left];
  const value_t *b = &machine->program->values[right];
  if (a->pool != b->pool || a->offset != b->offset)
    machine_fail(machine, last_op(machine),
                 "runs with a state of two functions at two places");
}

// Whether a function before |other|, or |function|, which runs, has state
// |number| of |other|, too.
static bool is_put(machine_t *machine, uint32_t function, uint32_t other,
                   uint32_t number) {
  const function_t *functions = machine->program->functions;
  uint32_t index =
      first_block_of(machine, &functions[other])->first_argument + number;
  bool is_found = false;
  for (uint32_t i = 0; i <= other; ++i) {
    uint32_t f = i < other ? i : function;
    uint32_t shared = find_shared(machine, f, &functions[other], number);
    if (shared == NONE || functions[f].called)
      continue;
    check_place(machine, shared, index);
    is_found = true;
  }
  return is_found;
}

content_t *machine_put_states(machine_t *machine, uint32_t function) {
  const program_t *program = machine->program;
  content_t *states =
      machine_alloc(&machine->arena, program->value_count, sizeof *states);
  for (uint32_t f = 0; f < program->function_count; ++f) {
    const function_t *other = &program->functions[f];
    const block_t *entry = first_block_of(machine, other);
    for (uint32_t i = 0; entry && i < entry->argument_count; ++i) {
      uint32_t index = entry->first_argument + i;
      const value_t *value = &program->values[index];
      if (f == function || other->called || !is_state(other, i) ||
          value->pool == NONE || is_put(machine, function, f, i))
        continue;
      states[index] = machine_fresh(machine, index);
      pool_write(&program->pools[value->pool], value->offset, states[index]);
    }
  }
  return states;
}

void machine_expect_states(machine_t *machine, const content_t *states) {
  const program_t *program = machine->program;
  fault_t fault;
  for (uint32_t i = 0; i < program->value_count; ++i) {
    const value_t *value = &program->values[i];
    if (states[i].size && !pool_holds(&program->pools[value->pool],
                                      value->offset, states[i], &fault))
      machine_fail(machine, last_op(machine),
                   "leaves another byte %llu of a state of another function",
                   (unsigned long long)fault.byte);
  }
}
