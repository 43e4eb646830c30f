// gmem-machine.c - executes planned IR on an abstract memory, and says where a
// value is read whose bytes are not there any more. A test tool.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine_examine.h"
#include "machine_input.h"
#include "machine_reference.h"

typedef struct options_s {
  const char *path;
  unsigned long runs; // of each entry function
  unsigned long seed;
  bool prints; // what the program does
} options_t;

typedef struct count_s {
  const options_t *options;
  machine_examination_t made;
  size_t violations;
} count_t;

static void usage(void) {
  fputs("usage: gmem-machine [--runs=N] [--seed=N] [--reference] PLANNED.mlir\n"
        "Executes every function that no other calls on the memory that its\n"
        "plan lays out, N times (6) on random ways. Exits with 1 when a value\n"
        "is read that is not there, with one line for each.\n"
        "With --reference it prints tables of C that say what the ops do.\n",
        stderr);
  exit(2);
}

static unsigned long number_of(const char *text) {
  char *end;
  unsigned long number = strtoul(text, &end, 10);
  if (!*text || *end)
    usage();
  return number;
}

static options_t parse(int argc, char **argv) {
  options_t options = {.runs = 6};
  for (int i = 1; i < argc; ++i) {
    if (strncmp(argv[i], "--runs=", 7) == 0)
      options.runs = number_of(argv[i] + 7);
    else if (strncmp(argv[i], "--seed=", 7) == 0)
      options.seed = number_of(argv[i] + 7);
    else if (strcmp(argv[i], "--reference") == 0)
      options.prints = true;
    else if (!options.path && (argv[i][0] != '-' || !argv[i][1]))
      options.path = argv[i];
    else
      usage();
  }
  if (!options.path)
    usage();
  return options;
}

static void report(void *user, machine_finding_t finding, const char *message) {
  count_t *count = user;
  (void)finding;
  puts(message);
  ++count->violations;
}

// Prints what the ops of |scope| do.
static void print_scope(count_t *count, MlirOperation scope) {
  machine_arena_t arena = {0};
  program_t program;
  const char *wrong = program_read(&program, scope, &arena);
  ++count->made.scopes;
  if (wrong)
    report(count, MACHINE_MALFORMED, wrong);
  else
    reference_print(&program);
  machine_arena_free(&arena);
}

static MlirWalkResult visit(MlirOperation op, void *user) {
  count_t *count = user;
  if (program_is_function(op))
    return MlirWalkResultSkip;
  if (!machine_is_scope(op))
    return MlirWalkResultAdvance;
  if (count->options->prints)
    print_scope(count, op);
  else
    machine_examine(op, &count->made);
  return MlirWalkResultAdvance;
}

int main(int argc, char **argv) {
  options_t options = parse(argc, argv);
  size_t size;
  char *text = machine_read_file(options.path, &size);
  MlirContext context = machine_make_context();
  MlirOperation top =
      mlirOperationCreateParse(context, mlirStringRefCreate(text, size),
                               mlirStringRefCreateFromCString(options.path));
  free(text);
  if (mlirOperationIsNull(top))
    return 2;
  count_t count = {.options = &options,
                   .made = {.runs = options.runs,
                            .seed = options.seed,
                            .report = report,
                            .user = &count}};
  mlirOperationWalk(top, visit, &count, MlirWalkPreOrder);
  mlirOperationDestroy(top);
  mlirContextDestroy(context);
  if (options.prints)
    return count.violations || !count.made.scopes ? 1 : 0;
  printf("%zu scopes, %zu functions, %zu runs, %zu violations\n",
         count.made.scopes, count.made.functions, count.made.runs_made,
         count.violations);
  return count.violations || !count.made.scopes ? 1 : 0;
}
