// c_reference.h - runs a program on one piece of memory per value, with ops
// that do nothing but mix the bytes they are given: the opinion of somebody who
// knows no plan. The tables are those that gmem-machine --reference prints.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef C_REFERENCE_H
#define C_REFERENCE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REF_NONE UINT32_MAX

enum {
  REF_COMPUTE, // writes a mix of its operands to its results
  REF_WEIGHT,  // the results are constants
  REF_VIEW,    // result 0 is operand 0
  REF_SLICE,   // result 0 is bytes of operand |part|
  REF_JOIN,    // result 0 is operands from |part| on, one behind the other
  REF_INSERT,  // result 0 is operand |destination| with operand |part| in it
  REF_EMPTY,
  REF_NOTHING,
  REF_INPUT,
  REF_END,
  REF_CALL,
  REF_OTHER
};

typedef struct ref_value_s {
  uint64_t size;   // bytes; 0: it has no place
  int64_t pool;    // or -1
  uint64_t offset; // bytes from the start of the pool
  int is_weight;
} ref_value_t;

// Bytes [begin, end) of a tuple, which hold nothing.
typedef struct ref_gap_s {
  uint32_t value; // REF_NONE: behind the last gap
  uint64_t begin, end;
} ref_gap_t;

typedef struct ref_op_s {
  int does, part, destination;
  uint64_t offset, alignment;
  uint64_t unread; // bit i: operand i is not looked at
  uint64_t writes; // bit i: operand i has new contents afterwards
  size_t first;    // operands, results, captured values: of ref_lists
  uint32_t operand_count, result_count;
  size_t capture_count;
  uint32_t callee; // function
} ref_op_t;

typedef struct ref_function_s {
  const char *name;
  size_t first_op, end_op;
  uint32_t first_argument, argument_count; // values
  int is_called;
} ref_function_t;

#include "reference_tables.h"

enum { REF_VALUES = sizeof ref_values / sizeof *ref_values };

static uint8_t *ref_data[REF_VALUES]; // by value
static const uint8_t *ref_pool_bytes[sizeof ref_pools / sizeof *ref_pools];

//===--- what ops compute -------------------------------------------------===//

static uint64_t ref_mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
  return hash ^ hash >> 29;
}

static uint64_t ref_hash_bytes(uint64_t hash, const uint8_t *bytes,
                               size_t size) {
  for (; size >= 8; bytes += 8, size -= 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    hash = ref_mix(hash, word);
  }
  while (size--)
    hash = ref_mix(hash, *bytes++);
  return hash;
}

// The next bytes [*begin, *end) of |value|, which has |size|, that hold
// something, from *begin on. |*gap| begins at 0.
static int ref_next(uint32_t value, size_t size, size_t *gap, size_t *begin,
                    size_t *end) {
  if (*begin >= size)
    return 0;
  while (ref_gaps[*gap].value != value && ref_gaps[*gap].value != REF_NONE)
    ++*gap;
  *end = ref_gaps[*gap].value == REF_NONE ? size : (size_t)ref_gaps[*gap].begin;
  return 1;
}

// Goes on behind the gap.
static size_t ref_behind(size_t *gap, size_t size) {
  return ref_gaps[*gap].value == REF_NONE ? size
                                          : (size_t)ref_gaps[(*gap)++].end;
}

static uint64_t ref_hash(uint32_t value, const uint8_t *bytes, size_t size) {
  uint64_t hash = size;
  size_t gap = 0, begin = 0, end;
  for (; ref_next(value, size, &gap, &begin, &end);
       begin = ref_behind(&gap, size))
    hash = ref_hash_bytes(hash, bytes + begin, end - begin);
  return hash;
}

// Whether two contents of |value| differ in a byte that holds something.
static int ref_differs(uint32_t value, const uint8_t *left,
                       const uint8_t *right) {
  size_t size = (size_t)ref_values[value].size, gap = 0, begin = 0, end;
  for (; ref_next(value, size, &gap, &begin, &end);
       begin = ref_behind(&gap, size))
    if (memcmp(left + begin, right + begin, end - begin) != 0)
      return 1;
  return 0;
}

static void ref_fill(uint8_t *bytes, size_t size, uint64_t seed) {
  for (size_t i = 0; i < size; ++i) {
    if (i % 8 == 0)
      seed = ref_mix(seed, i + 1);
    bytes[i] = (uint8_t)(seed >> 8 * (i % 8));
  }
}

// The seed of what op |number| computes from these operands; those that are
// captured have no order.
static uint64_t ref_seed(size_t number, size_t count,
                         const uint8_t *const *data, const size_t *sizes) {
  const ref_op_t *op = &ref_ops[number];
  uint64_t seed = number, captured = 0;
  for (size_t i = 0; i < count; ++i) {
    int is_operand = i < op->operand_count;
    if (is_operand && (ref_lists[op->first + i] == REF_NONE ||
                       (i < 64 && op->unread >> i & 1)))
      continue;
    if (sizes[i] && is_operand)
      seed = ref_mix(seed + i,
                     ref_hash(ref_lists[op->first + i], data[i], sizes[i]));
    else if (sizes[i])
      captured += ref_hash(REF_NONE, data[i], sizes[i]);
  }
  return ref_mix(seed, captured);
}

//===--- the run ----------------------------------------------------------===//

static uint8_t *ref_new(uint32_t value) {
  ref_data[value] = calloc(1, (size_t)ref_values[value].size + 1);
  if (!ref_data[value])
    abort();
  return ref_data[value];
}

static uint8_t *ref_get(uint32_t value) {
  return value == REF_NONE || !ref_data[value] ? NULL : ref_data[value];
}

static void ref_compute(size_t number) {
  const ref_op_t *op = &ref_ops[number];
  const uint32_t *operands = &ref_lists[op->first];
  const uint32_t *results = operands + op->operand_count;
  const uint32_t *captured = results + op->result_count;
  size_t count = op->operand_count + op->capture_count;
  const uint8_t **data = calloc(count + 1, sizeof *data);
  size_t *sizes = calloc(count + 1, sizeof *sizes);
  for (size_t i = 0; i < count; ++i) {
    uint32_t value =
        i < op->operand_count ? operands[i] : captured[i - op->operand_count];
    data[i] = ref_get(value);
    sizes[i] = data[i] ? (size_t)ref_values[value].size : 0;
  }
  uint64_t seed = ref_seed(number, count, data, sizes);
  for (uint32_t i = 0; i < op->operand_count && i < 64; ++i)
    if (op->writes >> i & 1 && ref_get(operands[i]))
      ref_fill(ref_data[operands[i]], (size_t)ref_values[operands[i]].size,
               seed + 1000 + i);
  for (uint32_t i = 0; i < op->result_count; ++i)
    ref_fill(ref_new(results[i]), (size_t)ref_values[results[i]].size,
             seed + i);
  free(data);
  free(sizes);
}

static void ref_copy(uint8_t *to, uint32_t from, uint64_t size) {
  if (ref_get(from))
    memcpy(to, ref_data[from], (size_t)size);
}

// Ops that move bytes; |result| is there, all zero.
static void ref_move(const ref_op_t *op, uint8_t *result, uint64_t size) {
  const uint32_t *operands = &ref_lists[op->first];
  uint64_t at = 0;
  switch (op->does) {
  case REF_SLICE:
    if (ref_get(operands[op->part]))
      memcpy(result, ref_data[operands[op->part]] + op->offset, (size_t)size);
    return;
  case REF_INSERT:
    ref_copy(result, operands[op->destination], size);
    ref_copy(result + op->offset, operands[op->part],
             ref_values[operands[op->part]].size);
    return;
  default:
    for (uint32_t i = (uint32_t)op->part; i < op->operand_count; ++i) {
      at = (at + op->alignment - 1) / op->alignment * op->alignment;
      if (operands[i] == REF_NONE)
        continue;
      ref_copy(result + at, operands[i], ref_values[operands[i]].size);
      at += ref_values[operands[i]].size;
    }
  }
}

static void ref_run(size_t function);

// The arguments are the caller's values, and the results those of the callee.
static void ref_call(const ref_op_t *op) {
  const ref_function_t *callee = &ref_functions[op->callee];
  const uint32_t *operands = &ref_lists[op->first];
  for (uint32_t i = 0; i < op->operand_count; ++i)
    ref_data[callee->first_argument + i] = ref_get(operands[i]);
  ref_run(op->callee);
  const ref_op_t *end = &ref_ops[callee->end_op - 1];
  for (uint32_t i = 0; i < op->result_count; ++i)
    ref_data[operands[op->operand_count + i]] =
        ref_get(ref_lists[end->first + i]);
}

static void ref_step(size_t number) {
  const ref_op_t *op = &ref_ops[number];
  const uint32_t *operands = &ref_lists[op->first];
  const uint32_t *results = operands + op->operand_count;
  switch (op->does) {
  case REF_COMPUTE:
    ref_compute(number);
    return;
  case REF_VIEW:
    ref_data[results[0]] = ref_get(operands[0]);
    return;
  case REF_SLICE:
  case REF_JOIN:
  case REF_INSERT:
    ref_move(op, ref_new(results[0]), ref_values[results[0]].size);
    return;
  case REF_EMPTY:
    for (uint32_t i = 0; i < op->result_count; ++i)
      ref_new(results[i]);
    return;
  case REF_CALL:
    ref_call(op);
    return;
  case REF_OTHER:
    fprintf(stderr, "op %zu is not known to the reference\n", number);
    exit(3);
  default:
    return;
  }
}

static void ref_run(size_t function) {
  for (size_t i = ref_functions[function].first_op;
       i < ref_functions[function].end_op; ++i)
    ref_step(i);
}

// The function that the others do not call.
static size_t ref_entry(void) {
  size_t entry = 0;
  while (ref_functions[entry].is_called)
    ++entry;
  return entry;
}

// Lists the inputs: arguments with a place, and what input ops bring.
static size_t ref_inputs(uint32_t *out_values) {
  const ref_function_t *entry = &ref_functions[ref_entry()];
  size_t count = 0;
  for (uint32_t i = 0; i < entry->argument_count; ++i) {
    uint32_t value = entry->first_argument + i;
    if (ref_values[value].pool >= 0 && !ref_values[value].is_weight)
      out_values[count++] = value;
  }
  for (size_t i = entry->first_op; i < entry->end_op; ++i)
    if (ref_ops[i].does == REF_INPUT)
      for (uint32_t r = 0; r < ref_ops[i].result_count; ++r)
        out_values[count++] =
            ref_lists[ref_ops[i].first + ref_ops[i].operand_count + r];
  return count;
}

// Lists what is returned, each once.
static size_t ref_outputs(uint32_t *out_values) {
  const ref_op_t *end = &ref_ops[ref_functions[ref_entry()].end_op - 1];
  size_t count = 0;
  for (uint32_t i = 0; i < end->operand_count; ++i) {
    size_t same = 0;
    while (same < count && out_values[same] != ref_lists[end->first + i])
      ++same;
    if (same == count)
      out_values[count++] = ref_lists[end->first + i];
  }
  return count;
}

static void ref_start(void) {
  static uint32_t inputs[REF_VALUES];
  size_t count = ref_inputs(inputs);
  for (size_t i = 0; i < REF_VALUES; ++i) {
    const ref_value_t *value = &ref_values[i];
    if (value->is_weight)
      memcpy(ref_new((uint32_t)i), ref_pool_bytes[value->pool] + value->offset,
             (size_t)value->size);
  }
  for (size_t i = 0; i < count; ++i)
    ref_fill(ref_new(inputs[i]), (size_t)ref_values[inputs[i]].size, 7 + i);
}

#endif // C_REFERENCE_H
