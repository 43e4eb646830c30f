// gmem-machine.c - executes planned IR on an abstract memory, and says where a
// value is read whose bytes are not there any more. A test tool.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine_claims.h"
#include "machine_reference.h"
#include "machine_run.h"
#include "mlir-c/IR.h"
#include "mlir-c/RegisterEverything.h"

typedef struct options_s {
  const char *path;
  unsigned long runs; // of each entry function
  unsigned long seed;
  bool prints; // what the program does
} options_t;

typedef struct count_s {
  const options_t *options;
  size_t scopes, functions, runs, violations;
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

static void report(count_t *count, const char *message) {
  puts(message);
  ++count->violations;
}

static void print_text(MlirStringRef text, void *user) {
  fwrite(text.data, 1, text.length, user);
}

// A plan that cannot be read.
static void report_plan(count_t *count, const program_t *program,
                        const char *wrong) {
  MlirAttribute name = attribute_of(program->scope, "sym_name");
  mlirLocationPrint(
      program->wrong_value < program->value_count
          ? mlirValueGetLocation(program->values[program->wrong_value].value)
          : mlirOperationGetLocation(program->scope),
      print_text, stdout);
  fputs(": ", stdout);
  if (!mlirAttributeIsNull(name)) {
    mlirAttributePrint(name, print_text, stdout);
    fputs(": ", stdout);
  }
  printf("the plan has %s\n", wrong);
  ++count->violations;
}

static void run_entry(count_t *count, machine_t *machine, uint32_t function) {
  ++count->functions;
  for (unsigned long i = 0; i < count->options->runs; ++i) {
    ++count->runs;
    if (!machine_run(machine, function, count->options->seed + i)) {
      report(count, machine->message);
      return;
    }
    if (!machine->used_random)
      return; // there is one way alone
  }
}

static void run_program(count_t *count, program_t *program) {
  char message[MESSAGE_SIZE];
  machine_t machine;
  for (size_t i = 0; find_false_claim(program, &i, message);)
    report(count, message);
  if (!machine_start(&machine, program, message)) {
    report(count, message);
  } else {
    for (uint32_t i = 0; i < program->function_count; ++i)
      if (!program->functions[i].called)
        run_entry(count, &machine, i);
  }
  machine_end(&machine);
  for (size_t i = 0; i < program->pool_count; ++i)
    pool_free(&program->pools[i]);
}

static bool holds_functions(MlirOperation op) {
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

static MlirWalkResult visit(MlirOperation op, void *user) {
  count_t *count = user;
  if (program_is_function(op))
    return MlirWalkResultSkip;
  if (!holds_functions(op))
    return MlirWalkResultAdvance;
  machine_arena_t arena = {0};
  program_t program;
  const char *wrong = program_read(&program, op, &arena);
  ++count->scopes;
  if (wrong)
    report_plan(count, &program, wrong);
  else if (count->options->prints)
    reference_print(&program);
  else
    run_program(count, &program);
  machine_arena_free(&arena);
  return MlirWalkResultAdvance;
}

static char *read_file(const char *path, size_t *size) {
  FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
  size_t room = 1 << 16;
  char *text = malloc(room);
  *size = 0;
  while (file && text) {
    *size += fread(text + *size, 1, room - *size, file);
    if (*size < room)
      break;
    room *= 2;
    char *larger = realloc(text, room);
    if (!larger)
      free(text);
    text = larger;
  }
  if (!file || !text || ferror(file)) {
    fprintf(stderr, "gmem-machine: error: cannot read %s\n", path);
    exit(2);
  }
  if (file != stdin)
    fclose(file);
  return text;
}

static MlirContext make_context(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  MlirContext context =
      mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  mlirDialectRegistryDestroy(registry);
  mlirContextSetAllowUnregisteredDialects(context, true);
  return context;
}

int main(int argc, char **argv) {
  options_t options = parse(argc, argv);
  size_t size;
  char *text = read_file(options.path, &size);
  MlirContext context = make_context();
  MlirOperation top =
      mlirOperationCreateParse(context, mlirStringRefCreate(text, size),
                               mlirStringRefCreateFromCString(options.path));
  free(text);
  if (mlirOperationIsNull(top))
    return 2;
  count_t count = {.options = &options};
  mlirOperationWalk(top, visit, &count, MlirWalkPreOrder);
  mlirOperationDestroy(top);
  mlirContextDestroy(context);
  if (options.prints)
    return count.violations || !count.scopes ? 1 : 0;
  printf("%zu scopes, %zu functions, %zu runs, %zu violations\n", count.scopes,
         count.functions, count.runs, count.violations);
  return count.violations || !count.scopes ? 1 : 0;
}
