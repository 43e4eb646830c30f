// proof_contents.c - see proof_contents.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proof_contents.h"

#include "scopes.h"

// A value with more spans is its own origin. All values together have at most
// so many, and MOST_SPANS_PER_VALUE for each value: chains of concatenations
// would have a quadratic number.
enum { MOST_SPANS = 1024, MOST_SPANS_PER_VALUE = 16 };

// Of more gaps of a value the last ones are forgotten.
enum { MOST_GAPS = 32 };

// Results of more are not compared with each other.
enum { MOST_RESULTS = 32 };

typedef struct finder_s {
  const gmem_proof_program_t *program;
  const gmem_proof_memory_t *memory;
  gmem_proof_contents_t *contents;
  bool *is_modified; // by value: in place, so that it has no contents for good
  GMEM_LIST(gmem_proof_span_t) spans; // of the current value
  size_t span_count, most_spans;      // of all values
  gmem_bump_t *arena;
} finder_t;

static uint64_t size_of(const finder_t *finder, uint32_t value) {
  const gmem_proof_value_t *entry = &finder->program->values.at[value];
  return entry->bytes.end - entry->bytes.begin;
}

// A position in the bytes of a value.
typedef struct cursor_s {
  const struct gmem_proof_spans_s *spans;
  uint32_t next;          // span
  gmem_proof_span_t rest; // of the current one
} cursor_t;

static void advance(cursor_t *cursor, uint64_t size) {
  while (size >= cursor->rest.size && cursor->next < cursor->spans->count) {
    size -= cursor->rest.size;
    cursor->rest = cursor->spans->at[cursor->next++];
  }
  cursor->rest.offset += size;
  cursor->rest.size -= size;
}

static cursor_t seek(const gmem_proof_contents_t *contents, uint32_t value,
                     uint64_t at) {
  cursor_t cursor = {&contents->of[value], 0, {value, 0, UINT64_MAX}};
  if (cursor.spans->count)
    cursor.rest = cursor.spans->at[cursor.next++];
  advance(&cursor, at);
  return cursor;
}

bool gmem_proof_is_equal(const gmem_proof_contents_t *contents, uint32_t left,
                         uint64_t left_at, uint32_t right, uint64_t right_at,
                         uint64_t size) {
  cursor_t a = seek(contents, left, left_at);
  cursor_t b = seek(contents, right, right_at);
  while (size) {
    uint64_t step = a.rest.size < b.rest.size ? a.rest.size : b.rest.size;
    if (a.rest.origin != b.rest.origin || a.rest.offset != b.rest.offset)
      return false;
    step = step < size ? step : size;
    size -= step;
    advance(&a, step);
    advance(&b, step);
  }
  return true;
}

bool gmem_proof_is_gap(const gmem_proof_contents_t *contents, uint32_t value,
                       gmem_proof_range_t bytes) {
  const struct gmem_proof_gaps_s *gaps = &contents->gaps[value];
  for (uint32_t i = 0; i < gaps->count; ++i)
    if (gaps->at[i].begin <= bytes.begin && bytes.end <= gaps->at[i].end)
      return true;
  return false;
}

// Appends |size| bytes of |value| from |at| on; GMEM_NO_INDEX and values that
// are modified in place count as bytes of |own|.
static void append(finder_t *finder, uint32_t own, uint64_t own_at,
                   uint32_t value, uint64_t at, uint64_t size) {
  if (value == GMEM_NO_INDEX || finder->is_modified[value]) {
    value = own;
    at = own_at;
  }
  cursor_t cursor = seek(finder->contents, value, at);
  while (size && finder->spans.count <= MOST_SPANS) {
    gmem_proof_span_t span = cursor.rest;
    span.size = span.size < size ? span.size : size;
    GMEM_APPEND(finder->arena, &finder->spans, span);
    size -= span.size;
    advance(&cursor, span.size);
  }
}

static void append_parts(finder_t *finder, const gmem_proof_op_t *op,
                         const gmem_proof_parts_t *parts) {
  uint32_t own = op->results.first, rest = gmem_proof_rest(op, parts);
  uint64_t at = 0, size = size_of(finder, own);
  if (parts->shape == GMEM_PROOF_SLICES) {
    append(finder, own, 0, op->operands[parts->first], parts->offsets[0], size);
    return;
  }
  for (uint32_t i = parts->first; i < parts->end; ++i) {
    uint64_t offset = parts->offsets[i - parts->first];
    uint32_t part = op->operands[i];
    if (offset == GMEM_PROOF_NO_PART || part == GMEM_NO_INDEX || offset < at)
      continue;
    append(finder, own, at, rest, at, offset - at);
    append(finder, own, offset, part, 0, size_of(finder, part));
    at = offset + size_of(finder, part);
  }
  if (at < size)
    append(finder, own, at, rest, at, size - at);
}

// Makes the current spans those of |value|.
static void keep_spans(finder_t *finder, uint32_t value) {
  size_t count = finder->spans.count;
  if (count == 0 || count > MOST_SPANS ||
      (count > 1 && finder->span_count + count > finder->most_spans))
    return;
  finder->span_count += count;
  gmem_proof_span_t *copy = gmem_bump_alloc(finder->arena, count, sizeof *copy);
  for (size_t i = 0; copy && i < count; ++i)
    copy[i] = finder->spans.at[i];
  finder->contents->of[value].at = copy;
  finder->contents->of[value].count = copy ? (uint32_t)count : 0;
}

static void find_spans(finder_t *finder, uint32_t index) {
  const gmem_proof_op_t *op = &finder->program->ops.at[index];
  const gmem_proof_parts_t *parts = &finder->contents->parts[index];
  finder->spans.count = 0;
  if (op->results.count == 0 || finder->is_modified[op->results.first])
    return;
  if (op->model->kind == GMEM_OP_RESHAPE && op->operand_count)
    append(finder, op->results.first, 0, op->operands[0], 0,
           size_of(finder, op->results.first));
  else if (parts->shape == GMEM_PROOF_SLICES ||
           (parts->shape != GMEM_PROOF_COMPUTES && !parts->rows))
    append_parts(finder, op, parts);
  keep_spans(finder, op->results.first);
}

// What an insert leaves of the gaps of its destination.
static void find_gaps(finder_t *finder, uint32_t index) {
  const gmem_proof_op_t *op = &finder->program->ops.at[index];
  const gmem_proof_parts_t *parts = &finder->contents->parts[index];
  uint32_t rest = gmem_proof_rest(op, parts), result = op->results.first;
  gmem_proof_range_t whole, *left;
  uint32_t count = 0;
  if (rest == GMEM_NO_INDEX || parts->rows || finder->is_modified[result] ||
      op->operands[parts->first] == GMEM_NO_INDEX)
    return;
  struct gmem_proof_gaps_s gaps = finder->contents->gaps[rest];
  if (gmem_proof_is_undefined(finder->program, finder->memory, rest)) {
    whole = (gmem_proof_range_t){0, size_of(finder, result)};
    gaps = (struct gmem_proof_gaps_s){&whole, 1};
  }
  if (gaps.count == 0)
    return;
  left = gmem_bump_alloc(finder->arena, gaps.count + 1, sizeof *left);
  uint64_t begin = parts->offsets[0];
  uint64_t end = begin + size_of(finder, op->operands[parts->first]);
  for (uint32_t i = 0; left && i < gaps.count; ++i) {
    gmem_proof_range_t before = gaps.at[i], behind = gaps.at[i];
    before.end = before.end < begin ? before.end : begin;
    behind.begin = behind.begin > end ? behind.begin : end;
    if (before.begin < before.end && count < MOST_GAPS)
      left[count++] = before;
    if (behind.begin < behind.end && count < MOST_GAPS)
      left[count++] = behind;
  }
  finder->contents->gaps[result] = (struct gmem_proof_gaps_s){left, count};
}

// The op that returns from |function| at the end of block |number| of it, if
// that is one with |count| operands; null otherwise.
static const gmem_proof_op_t *return_at(const gmem_proof_program_t *program,
                                        const gmem_proof_function_t *function,
                                        uint32_t number, uint32_t count) {
  const gmem_proof_region_t *region = &program->regions.at[function->region];
  uint32_t last = program->blocks.at[region->order[number]].last_op;
  const gmem_proof_op_t *op =
      last == GMEM_NO_INDEX ? NULL : &program->ops.at[last];
  return op && mlirOperationGetNumSuccessors(op->op) == 0 &&
                 op->operand_count == count
             ? op
             : NULL;
}

// Whether |function| returns one value as results |one| and |other|, whichever
// way it ends.
static bool returns_twice(const gmem_proof_program_t *program,
                          const gmem_proof_function_t *function, uint32_t count,
                          uint32_t one, uint32_t other) {
  uint32_t returns = 0;
  for (uint32_t i = 0; i < program->regions.at[function->region].reached; ++i) {
    const gmem_proof_op_t *op = return_at(program, function, i, count);
    if (op && (op->operands[one] != op->operands[other] ||
               op->operands[one] == GMEM_NO_INDEX))
      return false;
    returns += op != NULL;
  }
  return returns > 0;
}

// Results of a call that are one value in the function.
static void find_twins(finder_t *finder, uint32_t index) {
  const gmem_proof_program_t *program = finder->program;
  const gmem_proof_op_t *op = &program->ops.at[index];
  uint32_t count = op->results.count;
  if (op->flow != GMEM_PROOF_CALL || count < 2 || count > MOST_RESULTS)
    return;
  const gmem_proof_function_t *function = gmem_proof_callee(program, op);
  for (uint32_t k = 1; k < count; ++k)
    for (uint32_t m = 0; m < k; ++m) {
      uint32_t own = op->results.first + k;
      if (finder->is_modified[own] ||
          !returns_twice(program, function, count, m, k))
        continue;
      finder->spans.count = 0;
      append(finder, own, 0, op->results.first + m, 0, size_of(finder, own));
      keep_spans(finder, own);
      break;
    }
}

// Whether |op| passes operand |number| to an argument that its callee modifies.
static bool callee_modifies(const finder_t *finder, const gmem_proof_op_t *op,
                            uint32_t number) {
  const gmem_proof_program_t *program = finder->program;
  if (op->callee_count != 1)
    return false;
  const gmem_proof_function_t *callee = gmem_proof_callee(program, op);
  gmem_proof_row_t row = gmem_proof_arguments(program, callee->region);
  bool is_passed = op->is_direct || (gmem_proof_has_instances(callee) &&
                                     gmem_is_call_of(op->op, callee->op));
  return is_passed && number < row.count &&
         finder->is_modified[row.first + number];
}

// Marks |value|. Returns whether that is new.
static bool mark(finder_t *finder, uint32_t value) {
  bool is_new = !finder->is_modified[value];
  finder->is_modified[value] = true;
  return is_new;
}

// The value that |value| is a view of, or GMEM_NO_INDEX.
static uint32_t viewed(const gmem_proof_program_t *program, uint32_t value) {
  uint32_t index = program->values.at[value].op;
  const gmem_proof_op_t *op =
      index == GMEM_NO_INDEX ? NULL : &program->ops.at[index];
  return op && op->operand_count &&
                 (op->model->kind == GMEM_OP_RESHAPE ||
                  op->model->kind == GMEM_OP_VIEW)
             ? op->operands[0]
             : GMEM_NO_INDEX;
}

// Marks operand |number| of |op|, a value, if it is modified in place, with
// what it is a view of, or if it is a memref. Returns whether that is new.
static bool mark_operand(finder_t *finder, const gmem_proof_op_t *op,
                         uint32_t number) {
  const gmem_proof_program_t *program = finder->program;
  uint32_t value = op->operands[number];
  bool is_new = false, is_memref = gmem_is_memref_type(
                           mlirValueGetType(program->values.at[value].value));
  bool is_modified = gmem_op_model_writes(op->model, op->op, number) ||
                     callee_modifies(finder, op, number) ||
                     (is_memref && gmem_may_write_operand(op->op, number));
  gmem_proof_set_t sites = is_modified || is_memref
                               ? finder->memory->sites[value]
                               : (gmem_proof_set_t){0};
  for (uint32_t n = 0; n < sites.count; ++n)
    if (sites.at[n] < program->values.count)
      is_new |= mark(finder, sites.at[n]);
  if (is_memref)
    is_new |= mark(finder, value);
  for (; is_modified && value != GMEM_NO_INDEX; value = viewed(program, value))
    is_new |= mark(finder, value);
  return is_new;
}

// Marks what ops of |function| modify in place, and what memrefs lead to.
// Returns whether some of it is new.
static bool mark_function(finder_t *finder,
                          const gmem_proof_function_t *function) {
  const gmem_proof_program_t *program = finder->program;
  bool is_new = false;
  for (uint32_t i = function->first_op; i < function->end_op; ++i) {
    const gmem_proof_op_t *op = &program->ops.at[i];
    bool may_write =
        op->model->writes || program->has_memrefs || op->callee_count;
    for (uint32_t k = 0; k < op->operand_count && may_write; ++k)
      is_new |= op->operands[k] != GMEM_NO_INDEX && mark_operand(finder, op, k);
  }
  return is_new;
}

// Callees come first, but for those of recursive functions.
static void mark_modified(finder_t *finder) {
  bool is_new = true;
  while (is_new) {
    is_new = false;
    for (size_t i = 0; i < finder->program->functions.count; ++i)
      is_new |= mark_function(
          finder, &finder->program->functions.at[finder->program->order[i]]);
  }
}

gmem_status_t gmem_proof_contents_find(const gmem_proof_program_t *program,
                                       const gmem_proof_memory_t *memory,
                                       gmem_bump_t *arena,
                                       gmem_proof_contents_t *out_contents,
                                       gmem_diag_t *diag) {
  gmem_proof_parts_t *parts;
  finder_t finder = {.program = program,
                     .memory = memory,
                     .contents = out_contents,
                     .most_spans = MOST_SPANS +
                                   program->values.count * MOST_SPANS_PER_VALUE,
                     .arena = arena};
  GMEM_TRY_ALLOC(parts, arena, program->ops.count, diag);
  GMEM_TRY_ALLOC(out_contents->of, arena, program->values.count, diag);
  GMEM_TRY_ALLOC(out_contents->gaps, arena, program->values.count, diag);
  GMEM_TRY_ALLOC(finder.is_modified, arena, program->values.count, diag);
  out_contents->parts = parts;
  out_contents->is_modified = finder.is_modified;
  for (uint32_t i = 0; i < program->ops.count; ++i)
    gmem_proof_parts_find(program, &program->ops.at[i], arena, &parts[i]);
  mark_modified(&finder);
  for (uint32_t i = 0; i < program->ops.count; ++i) {
    find_spans(&finder, i);
    find_twins(&finder, i);
    find_gaps(&finder, i);
  }
  return gmem_bump_status(arena, diag);
}
