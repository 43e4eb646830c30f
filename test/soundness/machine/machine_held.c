// machine_held.c - what gmem.hold keeps: the tensors that a result is, or that
// a list stands for, from the end of the op on until they are made again, and
// when the function returns.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "machine_run.h"

// The value with which |value| is made again: itself, or what it is a view of.
static uint32_t made_with(const machine_t *machine, uint32_t value) {
  const program_t *program = machine->program;
  for (;;) {
    const value_t *entry = &program->values[value];
    const op_t *op = entry->op == NONE ? NULL : &program->ops[entry->op];
    if (!op || op->does.does != DOES_VIEW || op->operand_count == 0 ||
        op->operands[0] == NONE)
      return value;
    uint32_t viewed = machine_seen(machine, op->operands[0]);
    if (entry->pool != NONE && program->values[viewed].pool == NONE)
      return value; // a copy of what has no place
    value = viewed;
  }
}

static void add_held(machine_t *machine, frame_t *frame, held_t held) {
  for (size_t i = 0; i < frame->held_count; ++i)
    if (frame->held[i].value == held.value &&
        frame->held[i].shown == held.shown)
      return;
  *(held_t *)machine_push(&machine->arena, &frame->held, &frame->held_count,
                          &frame->held_room, sizeof held) = held;
}

void frame_hold(machine_t *machine, frame_t *frame, uint32_t value) {
  const list_t *list = frame_list(frame, value);
  for (size_t i = 0; i < list->count; ++i)
    add_held(machine, frame, (held_t){list->at[i]->value, list->at[i]});
  if (machine->program->values[value].wants_place)
    add_held(machine, frame, (held_t){value, NULL});
}

static void check(machine_t *machine, frame_t *frame, uint32_t op,
                  const char *what, const held_t *held) {
  if (held->shown)
    machine_check_shown(machine, frame, op, what, held->shown);
  else
    machine_check(machine, frame, op, what, held->value);
}

void machine_end_holds(machine_t *machine, frame_t *frame, uint32_t op,
                       uint32_t first, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < frame->held_count; ++i) {
    held_t held = frame->held[i];
    uint32_t made = made_with(machine, held.value);
    if (made >= first && made - first < count)
      check(machine, frame, op, "held from before, its own", &held);
    else
      frame->held[kept++] = held;
  }
  frame->held_count = kept;
}

void machine_check_held(machine_t *machine, frame_t *frame, uint32_t end) {
  for (size_t i = 0; i < frame->held_count; ++i)
    check(machine, frame, end, "held", &frame->held[i]);
}
