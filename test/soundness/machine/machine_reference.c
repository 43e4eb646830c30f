// machine_reference.c - a planned program as tables of C.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "machine_reference.h"

#include <inttypes.h>
#include <stdio.h>

#include "mlir-c/BuiltinTypes.h"

static const char *const names[] = {
    [DOES_COMPUTE] = "REF_COMPUTE", [DOES_WEIGHT] = "REF_WEIGHT",
    [DOES_VIEW] = "REF_VIEW",       [DOES_SLICE] = "REF_SLICE",
    [DOES_JOIN] = "REF_JOIN",       [DOES_INSERT] = "REF_INSERT",
    [DOES_EMPTY] = "REF_EMPTY",     [DOES_NOTHING] = "REF_NOTHING",
    [DOES_INPUT] = "REF_INPUT",     [DOES_END] = "REF_END",
    [DOES_CALL] = "REF_CALL"};

// Whether nothing can be known of what is in the value: an op makes a place.
static bool is_undefined(const program_t *program, uint32_t value) {
  for (;;) {
    const op_t *op = program->values[value].op == NONE
                         ? NULL
                         : &program->ops[program->values[value].op];
    if (!op || (op->does.does != DOES_VIEW && op->does.does != DOES_EMPTY))
      return false;
    if (op->does.does == DOES_EMPTY)
      return true;
    if (op->operand_count == 0 || op->operands[0] == NONE)
      return false;
    value = op->operands[0];
  }
}

static void print_values(const program_t *program) {
  printf("static const ref_value_t ref_values[] = {\n");
  for (size_t i = 0; i < program->value_count; ++i) {
    const value_t *value = &program->values[i];
    bool is_there = value->pool != NONE;
    printf("  {%" PRIu64 "u, %" PRId64 ", %" PRIu64 "u, %d},\n",
           is_there ? value->size : 0, is_there ? (int64_t)value->pool : -1,
           value->offset, value->is_weight);
  }
  printf("  {0, -1, 0, 0}};\n");
}

// Bytes of |value|, whose type or an element of it at byte |start| is a tuple,
// that lie between the elements: they hold nothing.
static void print_gaps_of(size_t value, MlirType type, uint64_t start) {
  uint64_t end = 0, size = 0;
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i) {
    MlirType element = mlirTupleTypeGetType(type, i);
    uint64_t begin =
        (end + TUPLE_ALIGNMENT - 1) / TUPLE_ALIGNMENT * TUPLE_ALIGNMENT;
    if (begin > end)
      printf("  {%zu, %" PRIu64 "u, %" PRIu64 "u},\n", value, start + end,
             start + begin);
    if (mlirTypeIsATuple(element))
      print_gaps_of(value, element, start + begin);
    end = type_bytes(element, &size) ? begin + size : begin;
  }
}

static void print_gaps(const program_t *program) {
  printf("static const ref_gap_t ref_gaps[] = {\n");
  for (size_t i = 0; i < program->value_count; ++i) {
    MlirType type = mlirValueGetType(program->values[i].value);
    if (program->values[i].pool != NONE && mlirTypeIsATuple(type))
      print_gaps_of(i, type, 0);
  }
  printf("  {REF_NONE, 0, 0}};\n");
}

// Whether capture |number| is an operand, too, or was captured before.
static bool is_repeated(const op_t *op, size_t number) {
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (op->operands[i] == op->captures[number])
      return true;
  for (size_t i = 0; i < number; ++i)
    if (op->captures[i] == op->captures[number])
      return true;
  return false;
}

// Operands, results, then what is captured: at ref_lists + first.
static void print_lists(const program_t *program) {
  printf("static const uint32_t ref_lists[] = {\n");
  for (size_t i = 0; i < program->op_count; ++i) {
    const op_t *op = &program->ops[i];
    if (op->parent != NONE)
      continue;
    for (uint32_t j = 0; j < op->operand_count; ++j) {
      bool is_unread =
          op->operands[j] != NONE && is_undefined(program, op->operands[j]);
      printf("%" PRIu32 "u,", is_unread ? NONE : op->operands[j]);
    }
    for (uint32_t j = 0; j < op->result_count; ++j)
      printf("%" PRIu32 "u,", op->first_result + j);
    for (size_t j = 0; j < op->capture_count; ++j)
      printf("%" PRIu32 "u,", is_repeated(op, j) ? NONE : op->captures[j]);
    printf("\n");
  }
  printf("  0};\n");
}

static void print_ops(const program_t *program) {
  size_t first = 0;
  printf("static const ref_op_t ref_ops[] = {\n");
  for (size_t i = 0; i < program->op_count; ++i) {
    const op_t *op = &program->ops[i];
    if (op->parent != NONE)
      continue;
    bool is_known =
        op->does.does < sizeof names / sizeof *names && names[op->does.does];
    printf("  {%s, %d, %d, %" PRIu64 "u, %" PRIu64 "u, 0x%" PRIx64
           "u, 0x%" PRIx64 "u, %zu, %" PRIu32 ", %" PRIu32 ", %zu, %" PRIu32
           "},\n",
           is_known ? names[op->does.does] : "REF_OTHER", op->does.part,
           op->does.destination, op->does.offset, op->does.alignment,
           op->does.unread, op->does.writes, first, op->operand_count,
           op->result_count, op->capture_count,
           op->callee_count == 1 ? op->callees[0] : NONE);
    first += op->operand_count + op->result_count + op->capture_count;
  }
  printf("  {REF_OTHER, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}};\n");
}

// Ops by their number among those that are printed.
static void print_functions(const program_t *program) {
  printf("static const ref_function_t ref_functions[] = {\n");
  size_t number = 0;
  for (size_t f = 0; f < program->function_count; ++f) {
    const function_t *function = &program->functions[f];
    const region_t *region = &program->regions[function->region];
    const block_t *body = &program->blocks[region->blocks[0]];
    size_t first = number;
    for (uint32_t i = function->first_op; i < function->end_op; ++i)
      number += program->ops[i].parent == NONE;
    printf("  {\"%.*s\", %zu, %zu, %" PRIu32 "u, %" PRIu32 "u, %d},\n",
           (int)function->name.length, function->name.data, first, number,
           body->first_argument, body->argument_count, function->called);
  }
  printf("  {\"\", 0, 0, 0, 0, 1}};\n");
}

void reference_print(const program_t *program) {
  printf("static const char *const ref_pools[] = {");
  for (size_t i = 0; i < program->pool_count; ++i)
    printf("\"%.*s\",", (int)program->pools[i].name_length,
           program->pools[i].name);
  printf("\"\"};\n");
  print_values(program);
  print_gaps(program);
  print_lists(program);
  print_ops(program);
  print_functions(program);
}
