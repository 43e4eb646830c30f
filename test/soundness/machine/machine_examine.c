// machine_examine.c - see machine_examine.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "machine_examine.h"

#include <stdio.h>
#include <string.h>

#include "machine_claims.h"

typedef struct line_s {
  char text[MESSAGE_SIZE];
  size_t length;
} line_t;

static void append_line(MlirStringRef part, void *user) {
  line_t *line = user;
  size_t room = sizeof line->text - 1 - line->length;
  size_t length = part.length < room ? part.length : room;
  memcpy(line->text + line->length, part.data, length);
  line->length += length;
}

static void append_string(line_t *line, const char *text) {
  append_line(mlirStringRefCreateFromCString(text), line);
}

// A plan that cannot be read.
static void report_plan(machine_examination_t *examination,
                        const program_t *program, const char *wrong) {
  MlirAttribute name = attribute_of(program->scope, "sym_name");
  line_t line = {.length = 0};
  mlirLocationPrint(
      program->wrong_value < program->value_count
          ? mlirValueGetLocation(program->values[program->wrong_value].value)
          : mlirOperationGetLocation(program->scope),
      append_line, &line);
  append_string(&line, ": ");
  if (!mlirAttributeIsNull(name)) {
    mlirAttributePrint(name, append_line, &line);
    append_string(&line, ": ");
  }
  append_string(&line, "the plan has ");
  append_string(&line, wrong);
  examination->report(examination->user, MACHINE_MALFORMED, line.text);
}

static void run_entry(machine_examination_t *examination, machine_t *machine,
                      uint32_t function) {
  ++examination->functions;
  for (unsigned long i = 0; i < examination->runs; ++i) {
    ++examination->runs_made;
    if (!machine_run(machine, function, examination->seed + i)) {
      examination->report(examination->user, MACHINE_UNSOUND, machine->message);
      return;
    }
    if (!machine->used_random)
      return; // there is one way alone
  }
}

static void run_program(machine_examination_t *examination,
                        program_t *program) {
  char message[MESSAGE_SIZE];
  machine_t machine;
  for (size_t i = 0; find_false_claim(program, &i, message);)
    examination->report(examination->user, MACHINE_CLAIM, message);
  if (!machine_start(&machine, program, message)) {
    examination->report(examination->user, MACHINE_UNSOUND, message);
  } else {
    for (uint32_t i = 0; i < program->function_count; ++i)
      if (!program->functions[i].called)
        run_entry(examination, &machine, i);
  }
  machine_end(&machine);
  for (size_t i = 0; i < program->pool_count; ++i)
    pool_free(&program->pools[i]);
}

bool machine_is_scope(MlirOperation op) {
  if (program_is_function(op))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
    if (mlirBlockIsNull(block))
      continue;
    for (MlirOperation child = mlirBlockGetFirstOperation(block);
         !mlirOperationIsNull(child);
         child = mlirOperationGetNextInBlock(child))
      if (program_is_function(child))
        return true;
  }
  return false;
}

void machine_examine(MlirOperation scope, machine_examination_t *examination) {
  machine_arena_t arena = {0};
  program_t program;
  const char *wrong = program_read(&program, scope, &arena);
  ++examination->scopes;
  if (wrong)
    report_plan(examination, &program, wrong);
  else
    run_program(examination, &program);
  machine_arena_free(&arena);
}
