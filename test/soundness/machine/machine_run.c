// machine_run.c - see machine_run.h: reading, writing and failing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "machine_run.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

//===--- words ------------------------------------------------------------===//

typedef struct text_s {
  char *at;
  size_t used, room;
} text_t;

static void add_text(MlirStringRef part, void *user) {
  text_t *text = user;
  size_t length = part.length;
  if (length > text->room - 1 - text->used)
    length = text->room - 1 - text->used;
  memcpy(text->at + text->used, part.data, length);
  text->used += length;
  text->at[text->used] = '\0';
}

static void add_string(text_t *text, const char *string) {
  add_text(mlirStringRefCreateFromCString(string), text);
}

static void __attribute__((format(printf, 2, 3)))
add_format(text_t *text, const char *format, ...) {
  char line[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  add_string(text, line);
}

static void add_op_name(text_t *text, const op_t *op) {
  add_string(text, "'");
  add_text(mlirIdentifierStr(mlirOperationGetName(op->op)), text);
  add_string(text, "'");
}

static void add_value(text_t *text, const program_t *program, uint32_t index) {
  const value_t *value = &program->values[index];
  if (value->op == NONE) {
    add_format(text, "argument #%u", value->number);
  } else {
    add_format(text, "result #%u of ", value->number);
    add_op_name(text, &program->ops[value->op]);
  }
  add_string(text, " at ");
  mlirLocationPrint(mlirValueGetLocation(value->value), add_text, text);
}

static void add_where(text_t *text, const program_t *program, uint32_t op) {
  MlirAttribute name = mlirOperationGetAttributeByName(
      program->scope, mlirStringRefCreateFromCString("sym_name"));
  if (op == NONE) {
    mlirLocationPrint(mlirOperationGetLocation(program->scope), add_text, text);
    add_string(text, ": ");
    return;
  }
  mlirLocationPrint(mlirOperationGetLocation(program->ops[op].op), add_text,
                    text);
  add_string(text, ": ");
  if (!mlirAttributeIsNull(name)) {
    mlirAttributePrint(name, add_text, text);
    add_string(text, ": ");
  }
  add_string(text, "@");
  add_text(program->functions[program->ops[op].function].name, text);
  add_string(text, ": ");
  add_op_name(text, &program->ops[op]);
  add_string(text, " ");
}

_Noreturn void machine_fail(machine_t *machine, uint32_t op, const char *format,
                            ...) {
  text_t text = {machine->message, 0, MESSAGE_SIZE};
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  add_where(&text, machine->program, op);
  add_string(&text, line);
  longjmp(machine->stop, 2);
}

_Noreturn void machine_give_up(machine_t *machine) {
  longjmp(machine->stop, 1);
}

static void add_bytes(text_t *text, const machine_t *machine, uint64_t tag,
                      uint64_t start) {
  if (tag == TAG_NOTHING) {
    add_string(text, "what was never written");
    return;
  }
  const origin_t *origin = &machine->origins[tag - TAG_FIRST];
  if (origin->value == NONE) {
    add_format(text, "byte %" PRIu64 " of a workbuffer", start);
    return;
  }
  add_format(text, "byte %" PRIu64 " of %s", start,
             origin->garbage ? "whatever is written to " : "");
  add_value(text, machine->program, origin->value);
}

static _Noreturn void fail_read(machine_t *machine, uint32_t op,
                                const char *what, uint32_t value,
                                const fault_t *fault) {
  text_t text = {machine->message, 0, MESSAGE_SIZE};
  add_where(&text, machine->program, op);
  add_format(&text, "reads %s ", what);
  add_value(&text, machine->program, value);
  add_format(&text, ", finds at its byte %" PRIu64 " ", fault->byte);
  add_bytes(&text, machine, fault->found, fault->found_start);
  const origin_t *wanted = &machine->origins[fault->tag - TAG_FIRST];
  if (wanted->value != value || fault->found == fault->tag) {
    add_string(&text, ", not ");
    add_bytes(&text, machine, fault->tag, fault->start);
  } else if (fault->found >= TAG_FIRST &&
             machine->origins[fault->found - TAG_FIRST].value == value) {
    add_string(&text, " of another time");
  }
  longjmp(machine->stop, 2);
}

//===--- chance -----------------------------------------------------------===//

uint32_t machine_choose(machine_t *machine, uint32_t count) {
  if (count < 2)
    return 0;
  machine->used_random = true;
  machine->random ^= machine->random << 13;
  machine->random ^= machine->random >> 7;
  machine->random ^= machine->random << 17;
  return (uint32_t)((machine->random >> 20) % count);
}

//===--- contents ---------------------------------------------------------===//

static content_t new_bytes(machine_t *machine, uint32_t value, bool garbage,
                           uint64_t size) {
  origin_t *origin =
      machine_push(&machine->arena, &machine->origins, &machine->origin_count,
                   &machine->origin_room, sizeof *origin);
  *origin = (origin_t){value, garbage};
  return content_of_tag(&machine->arena, TAG_FIRST + machine->origin_count - 1,
                        size);
}

static content_t new_content(machine_t *machine, uint32_t value, bool garbage) {
  return new_bytes(machine, value, garbage,
                   machine->program->values[value].size);
}

content_t machine_fresh(machine_t *machine, uint32_t value) {
  return new_content(machine, value, false);
}

content_t machine_garbage(machine_t *machine, uint32_t value) {
  return new_content(machine, value, true);
}

content_t frame_known(machine_t *machine, const frame_t *frame,
                      uint32_t value) {
  uint32_t index = value - frame->function->first_value;
  if (frame->is_known[index])
    return frame->known[index];
  return content_of_tag(&machine->arena, TAG_ANY,
                        machine->program->values[value].size);
}

void frame_learn(machine_t *machine, frame_t *frame, uint32_t value,
                 content_t content) {
  uint32_t index = value - frame->function->first_value;
  uint64_t size = machine->program->values[value].size;
  frame->is_known[index] = true;
  frame->shown[index] = NULL;
  frame->known[index] = content.size == size
                            ? content
                            : content_cut(&machine->arena, content, 0, size);
}

//===--- memory -----------------------------------------------------------===//

uint32_t machine_seen(const machine_t *machine, uint32_t value) {
  const program_t *program = machine->program;
  for (;;) {
    const value_t *entry = &program->values[value];
    const op_t *op = entry->op == NONE ? NULL : &program->ops[entry->op];
    if (entry->pool != NONE || !op || op->does.does != DOES_VIEW ||
        op->operand_count == 0 || op->operands[0] == NONE)
      return value;
    value = op->operands[0];
  }
}

//===--- values with others between their elements ------------------------===//

// Where element |number|, in row-major order, of |shape| is, in bytes from the
// first one.
uint64_t element_at(const shape_t *shape, uint64_t number) {
  uint64_t at = 0;
  for (int64_t i = shape->rank; i-- > 0;) {
    at += number % (uint64_t)shape->dims[i] * (uint64_t)shape->at[i];
    number /= (uint64_t)shape->dims[i];
  }
  return at * shape->element;
}

static void write_content(machine_t *machine, const value_t *value,
                          content_t content) {
  pool_t *pool = &machine->program->pools[value->pool];
  if (!value->strided) {
    pool_write(pool, value->offset, content);
    return;
  }
  uint64_t size = value->strided->element;
  for (uint64_t i = 0; i < value->size / size; ++i)
    pool_write(pool, value->offset + element_at(value->strided, i),
               content_cut(&machine->arena, content, i * size, size));
}

// Whether bytes [begin, ...) of the value are |content|.
static bool holds_content(machine_t *machine, const value_t *value,
                          uint64_t begin, content_t content, fault_t *fault) {
  const pool_t *pool = &machine->program->pools[value->pool];
  if (!value->strided)
    return pool_holds(pool, value->offset + begin, content, fault);
  uint64_t size = value->strided->element;
  for (uint64_t at = 0; at < content.size; at += size)
    if (!pool_holds(pool,
                    value->offset +
                        element_at(value->strided, (begin + at) / size),
                    content_cut(&machine->arena, content, at, size), fault)) {
      fault->byte += at;
      return false;
    }
  return true;
}

bool is_same_place(const value_t *a, const value_t *b) {
  if (a->strided || b->strided)
    return a->strided && b->strided && a->pool != NONE && a->pool == b->pool &&
           a->offset == b->offset &&
           memcmp(a->strided, b->strided, sizeof *a->strided) == 0;
  return a->pool != NONE && a->pool == b->pool && a->offset == b->offset &&
         a->size == b->size && a->layout == b->layout;
}

bool is_overlapping(const value_t *a, const value_t *b) {
  return a->pool != NONE && a->pool == b->pool && a->size && b->size &&
         a->offset < b->offset + b->size && b->offset < a->offset + a->size;
}

// Whether a value may be without a place although its type has a size.
static bool may_be_nowhere(const program_t *program, const value_t *value) {
  if (!value->wants_place || value->may_be_local || value->is_shown ||
      value->size == 0)
    return true;
  const op_t *op = value->op == NONE ? NULL : &program->ops[value->op];
  return op && (op->does.does == DOES_EMPTY || op->does.does == DOES_NOTHING);
}

void machine_check_part(machine_t *machine, frame_t *frame, uint32_t op,
                        const char *what, uint32_t index, uint64_t begin,
                        uint64_t size) {
  fault_t fault;
  index = machine_seen(machine, index);
  const value_t *value = &machine->program->values[index];
  if (value->pool == NONE) {
    if (!may_be_nowhere(machine->program, value) &&
        !machine->program->functions[machine->program->ops[op].function]
             .unplanned)
      machine_fail(machine, op, "reads %s #%u, which has no place", what,
                   value->number);
    return;
  }
  content_t content = frame_known(machine, frame, index);
  if (begin != 0 || size != content.size)
    content = content_cut(&machine->arena, content, begin, size);
  if (holds_content(machine, value, begin, content, &fault))
    return;
  fault.byte += begin;
  fail_read(machine, op, what, index, &fault);
}

void machine_check_content(machine_t *machine, uint32_t op, const char *what,
                           uint32_t index, content_t content) {
  fault_t fault;
  const value_t *value = &machine->program->values[index];
  if (!holds_content(machine, value, 0, content, &fault))
    fail_read(machine, op, what, index, &fault);
}

void machine_check(machine_t *machine, frame_t *frame, uint32_t op,
                   const char *what, uint32_t value) {
  machine_check_list(machine, frame, op, what, value);
  value = machine_seen(machine, value);
  machine_check_part(machine, frame, op, what, value, 0,
                     machine->program->values[value].size);
}

void machine_check_operands(machine_t *machine, frame_t *frame, uint32_t index,
                            const char *what, uint64_t skip) {
  const op_t *op = &machine->program->ops[index];
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (op->operands[i] != NONE && !(i < 64 && skip >> i & 1))
      machine_check(machine, frame, index, what, op->operands[i]);
  for (size_t i = 0; i < op->capture_count; ++i)
    machine_check(machine, frame, index, "captured", op->captures[i]);
}

void machine_write(machine_t *machine, uint32_t op, uint32_t index,
                   content_t content) {
  const value_t *value = &machine->program->values[index];
  if (value->pool == NONE)
    return;
  pool_t *pool = &machine->program->pools[value->pool];
  if (pool->constant && value->size)
    machine_fail(machine, op, "writes value #%u to constant memory",
                 value->number);
  write_content(machine, value, content);
}

void machine_scribble(machine_t *machine, uint32_t index) {
  index = machine_seen(machine, index);
  const value_t *value = &machine->program->values[index];
  if (value->pool == NONE || machine->program->pools[value->pool].constant)
    return;
  pool_t *pool = &machine->program->pools[value->pool];
  if (value->before)
    pool_write(pool, value->offset - value->before,
               new_bytes(machine, index, true, value->before));
  if (value->after)
    pool_write(pool, value->offset + value->size,
               new_bytes(machine, index, true, value->after));
}

void machine_scribble_all(machine_t *machine, const uint32_t *values,
                          size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (values[i] != NONE)
      machine_scribble(machine, values[i]);
}

parcel_t machine_take(machine_t *machine, frame_t *frame, uint32_t op,
                      uint32_t index) {
  list_t list = *frame_list(frame, index);
  index = machine_seen(machine, index);
  const value_t *value = &machine->program->values[index];
  content_t meant = frame_known(machine, frame, index);
  if (value->strided)
    machine_fail(machine, op, "passes on a value with strides");
  if (value->pool != NONE)
    return (parcel_t){meant,
                      pool_read(&machine->program->pools[value->pool],
                                &machine->arena, value->offset, value->size),
                      list,
                      true,
                      value->pool,
                      value->offset};
  if (may_be_nowhere(machine->program, value) ||
      machine->program->functions[machine->program->ops[op].function].unplanned)
    return (parcel_t){.meant = meant, .found = meant, .list = list};
  // It has no place, though it should: whatever that is, it is not the value.
  return (parcel_t){
      .meant = meant,
      .found = content_of_tag(&machine->arena, TAG_NOTHING, value->size)};
}

// What is neither in memory nor looked at again: only that it was right once.
static void check_unplaced(machine_t *machine, uint32_t op, uint32_t index,
                           const parcel_t *parcel) {
  pool_t pool = {0};
  fault_t fault;
  pool_write(&pool, 0, parcel->found);
  bool is_right = pool_holds(&pool, 0, parcel->meant, &fault);
  pool_free(&pool);
  if (!is_right)
    fail_read(machine, op, "what it hands to", index, &fault);
}

// Whether |parcel| gets to |value| by itself.
static bool is_handed(const parcel_t *parcel, bool is_known) {
  return !is_known || !parcel->in_memory;
}

static void hand_one(machine_t *machine, uint32_t op, uint32_t index,
                     const parcel_t *parcel, bool is_known) {
  const value_t *value = &machine->program->values[index];
  fault_t fault;
  content_t found = parcel->found;
  if (found.size != value->size)
    found = content_cut(&machine->arena, found, 0, value->size);
  if (value->pool == NONE && !may_be_nowhere(machine->program, value))
    return; // whoever reads it will complain
  if (value->pool == NONE)
    check_unplaced(machine, op, index, parcel);
  else if (is_handed(parcel, is_known) &&
           !pool_holds(&machine->program->pools[value->pool], value->offset,
                       found, &fault))
    machine_write(machine, op, index, found);
}

void machine_hand_over(machine_t *machine, frame_t *frame, uint32_t op,
                       const uint32_t *values, const parcel_t *parcels,
                       size_t count, bool is_known) {
  for (size_t i = 0; i < count; ++i) {
    frame_learn(machine, frame, values[i], parcels[i].meant);
    *frame_list(frame, values[i]) = parcels[i].list;
    hand_one(machine, op, values[i], &parcels[i], is_known);
  }
  // One of them may have been put on another.
  for (size_t i = 0; i < count; ++i) {
    const value_t *value = &machine->program->values[values[i]];
    fault_t fault;
    content_t found =
        content_cut(&machine->arena, parcels[i].found, 0, value->size);
    if (value->pool != NONE && is_handed(&parcels[i], is_known) &&
        !pool_holds(&machine->program->pools[value->pool], value->offset, found,
                    &fault))
      fail_read(machine, op, "after it has handed on, its", values[i], &fault);
  }
}

//===--- runs -------------------------------------------------------------===//

static void load_weight(machine_t *machine, uint32_t index) {
  const program_t *program = machine->program;
  const value_t *value = &program->values[index];
  // The earlier one comes first in the text, too.
  content_t content = value->same_weight == NONE
                          ? machine_fresh(machine, index)
                          : machine->preloaded[value->same_weight];
  machine->preloaded[index] = content;
  pool_write(&program->pools[value->pool], value->offset, content);
}

bool machine_start(machine_t *machine, program_t *program, char *message) {
  *machine = (machine_t){.program = program, .message = message, .random = 1};
  machine->preloaded = machine_alloc(program->arena, program->value_count,
                                     sizeof *machine->preloaded);
  machine->active = machine_alloc(program->arena, program->function_count,
                                  sizeof *machine->active);
  for (uint32_t i = 0; i < program->value_count; ++i)
    if (program->values[i].is_weight)
      load_weight(machine, i);
  // Weights stay in memory and keep their tags from run to run.
  machine->weight_arena = machine->arena;
  machine->weight_origins = machine->origins;
  machine->weight_origin_count = machine->origin_count;
  machine->arena = (machine_arena_t){0};
  if (setjmp(machine->stop))
    return false;
  for (uint32_t i = 0; i < program->value_count; ++i) {
    fault_t fault;
    const value_t *value = &program->values[i];
    if (value->is_weight &&
        !pool_holds(&program->pools[value->pool], value->offset,
                    machine->preloaded[i], &fault))
      fail_read(machine, value->op, "its own", i, &fault);
  }
  return true;
}

void machine_end(machine_t *machine) {
  machine_arena_free(&machine->arena);
  machine_arena_free(&machine->weight_arena);
}

static void start_run(machine_t *machine, uint64_t seed) {
  const program_t *program = machine->program;
  machine_arena_free(&machine->arena);
  machine->origins = NULL;
  machine->origin_count = machine->origin_room = 0;
  for (size_t i = 0; i < machine->weight_origin_count; ++i)
    *(origin_t *)machine_push(&machine->arena, &machine->origins,
                              &machine->origin_count, &machine->origin_room,
                              sizeof(origin_t)) = machine->weight_origins[i];
  for (size_t i = 0; i < program->pool_count; ++i)
    if (!program->pools[i].constant)
      pool_clear(&program->pools[i]);
  memset(machine->active, 0, program->function_count * sizeof(uint32_t));
  machine->random = (seed + 1) * UINT64_C(0x9E3779B97F4A7C15) | 1;
  machine->used_random = false;
  machine->steps = machine->calls = 0;
  machine->step_limit = 20000 + 4 * program->op_count;
  machine->in_background = false;
}

static void run_with_states(machine_t *machine, uint32_t function) {
  content_t *states = machine_put_states(machine, function);
  run_on_anything(machine, function);
  machine_expect_states(machine, states);
}

bool machine_run(machine_t *machine, uint32_t function, uint64_t seed) {
  start_run(machine, seed);
  switch (setjmp(machine->stop)) {
  case 0:
    machine->entry = function;
    run_with_states(machine, function);
    return true;
  case 1:
    return true; // long enough: no verdict on what would come after
  default:
    return false;
  }
}
