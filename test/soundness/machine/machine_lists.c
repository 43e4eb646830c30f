// machine_lists.c - lists and handles, which stand for tensors: whoever uses a
// list finds these where they were when it was made.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "machine_run.h"

// Adds |shown| to |list|, once.
static void add_shown(machine_t *machine, list_t *list, shown_t *shown) {
  for (size_t i = 0; i < list->count; ++i)
    if (list->at[i] == shown)
      return;
  *(shown_t **)machine_push(&machine->arena, &list->at, &list->count,
                            &list->room, sizeof(shown_t *)) = shown;
}

static void add_list(machine_t *machine, list_t *list, list_t more) {
  for (size_t i = 0; i < more.count; ++i)
    add_shown(machine, list, more.at[i]);
}

list_t *frame_list(const frame_t *frame, uint32_t value) {
  return &frame->lists[value - frame->function->first_value];
}

list_t *machine_gather(machine_t *machine, frame_t *frame, uint32_t index) {
  const op_t *op = &machine->program->ops[index];
  list_t *loose = &frame->loose[index - frame->function->first_op];
  for (uint32_t i = 0; i < op->operand_count + op->capture_count; ++i) {
    uint32_t value = i < op->operand_count
                         ? op->operands[i]
                         : op->captures[i - op->operand_count];
    if (value == NONE)
      continue;
    add_list(machine, loose, *frame_list(frame, value));
    uint32_t seen = machine_seen(machine, value);
    shown_t **shown = &frame->shown[seen - frame->function->first_value];
    if (!machine->program->values[seen].wants_place ||
        op->does.does == DOES_JUMP)
      continue;
    if (!*shown) {
      *shown = machine_alloc(&machine->arena, 1, sizeof **shown);
      **shown = (shown_t){seen, frame_known(machine, frame, seen)};
    }
    add_shown(machine, loose, *shown);
  }
  return loose;
}

list_t *machine_gather_anew(machine_t *machine, frame_t *frame, uint32_t op) {
  frame->loose[op - frame->function->first_op] = (list_t){0};
  return machine_gather(machine, frame, op);
}

void machine_gather_parcels(machine_t *machine, frame_t *frame, uint32_t index,
                            const parcel_t *parcels, size_t count) {
  list_t *loose = machine_gather(machine, frame, index);
  for (size_t i = 0; i < count; ++i)
    add_list(machine, loose, parcels[i].list);
}

// Whether |value|, made in a layer group, should have a place for its list: not
// where it may be made again while that is used, nor in functions that may be
// called again or have no places.
static bool should_be_somewhere(const machine_t *machine, const frame_t *frame,
                                const value_t *value) {
  const program_t *program = machine->program;
  const op_t *op = &program->ops[value->op];
  const region_t *region = &program->regions[program->blocks[op->block].region];
  return value->may_be_local && !frame->function->unplanned &&
         !frame->function->called && op->parent == NONE &&
         region->blocks[0] == op->block;
}

void machine_check_shown(machine_t *machine, const frame_t *frame, uint32_t op,
                         const char *what, const shown_t *shown) {
  const program_t *program = machine->program;
  const value_t *entry = &program->values[shown->value];
  if (entry->pool != NONE)
    machine_check_content(machine, op, what, shown->value, shown->content);
  else if (entry->op != NONE &&
           program->ops[op].function == program->ops[entry->op].function &&
           program->ops[op].group != program->ops[entry->op].group &&
           should_be_somewhere(machine, frame, entry))
    machine_fail(machine, op, "reads a list of #%u, which has no place",
                 entry->number);
}

void machine_check_list(machine_t *machine, const frame_t *frame, uint32_t op,
                        const char *what, uint32_t value) {
  const list_t *list = frame_list(frame, value);
  for (size_t i = 0; i < list->count; ++i)
    machine_check_shown(machine, frame, op, what, list->at[i]);
}
