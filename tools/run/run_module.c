// run_module.c - plans, materialises, compiles and runs a module.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "run_module.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "broken_plan.h"
#include "gmem/passes.h"
#include "ir_reading.h"
#include "mlir-c/RegisterEverything.h"
#include "mlir_files.h"
#include "random_weights.h"
#include "run_messages.h"
#include "run_report.h"

enum { TEXT = 8192, TRIES = 30, LIMIT = 60 };

// A run. Modules and programs that do not exist are null.
typedef struct course_s {
  const gmem_run_options_t *options;
  MlirModule planned;      // with the plan in attributes
  MlirModule materialized; // with arenas, before lowering
  gmem_planned_memory_t memory;
  gmem_compiled_program_t program, reference;
  bool crashed; // one of the programs
} course_t;

static MlirModule clone(MlirModule module) {
  return mlirModuleFromOperation(
      mlirOperationClone(mlirModuleGetOperation(module)));
}

static bool has_attribute(MlirModule module, const char *name) {
  return !mlirAttributeIsNull(
      gmem_op_attribute(mlirModuleGetOperation(module), name));
}

// Runs "NAME{OPTIONS}".
static int run_pass(MlirModule module, const char *name, const char *options) {
  char text[TEXT];
  int length = snprintf(text, sizeof text, "%s{%s}", name, options);
  if (length < 0 || length >= TEXT)
    return gmem_run_error("the options of %s are too long", name);
  return gmem_run_passes(module, text);
}

//===--- before lowering --------------------------------------------------===//

static int check_entry(MlirModule module, const char *name) {
  MlirOperation entry = gmem_entry_find(module, name);
  if (mlirOperationIsNull(entry))
    return gmem_run_error("there is no function @%s in the module", name);
  if (mlirRegionIsNull(mlirOperationGetRegion(entry, 0)) ||
      mlirBlockIsNull(
          mlirRegionGetFirstBlock(mlirOperationGetRegion(entry, 0))))
    return gmem_run_error("the function @%s is declared only", name);
  return 0;
}

static int read_module(course_t *course, MlirContext context) {
  const gmem_run_options_t *options = course->options;
  course->planned = gmem_module_parse(context, "gmem-run", options->path);
  if (mlirModuleIsNull(course->planned))
    return GMEM_RUN_PROBLEM;
  int code = check_entry(course->planned, options->entry);
  if (code)
    return code;
  if (has_attribute(course->planned, "gmem.arenas"))
    return gmem_run_error("%s: its buffers are parts of arenas already: give "
                          "the program as it was before gmem-materialize",
                          options->path);
  if (options->randomize)
    (void)gmem_randomize_constants(course->planned, options->weight_seed);
  return 0;
}

// Makes tensors memrefs, and plans these. A program that is not to be planned
// is bufferized in the same way.
static int plan(course_t *course) {
  const gmem_run_options_t *options = course->options;
  MlirModule module = course->planned;
  if (gmem_entry_has_tensors(gmem_entry_find(module, options->entry)))
    return run_pass(module, "gmem-bufferize-and-plan", options->plan_options);
  if (options->unplanned || has_attribute(module, "gmem.plan"))
    return 0;
  return run_pass(module, "gmem-plan", options->plan_options);
}

static uint32_t slots_of(const gmem_run_options_t *options) {
  return options->pool_slots ? options->pool_slots : options->threads;
}

static int materialize(course_t *course) {
  const gmem_run_options_t *options = course->options;
  char text[64];
  snprintf(text, sizeof text, "arena-mode=%s weights=%s", options->arena_mode,
           options->image ? "image" : options->weights);
  course->materialized = clone(course->planned);
  int code = run_pass(course->materialized, "gmem-materialize", text);
  if (code)
    return gmem_run_error("the plan could not be made part of the program");
  gmem_planned_memory_options_t memory = {.slots = slots_of(options),
                                          .image = options->image};
  return gmem_planned_memory_create(course->planned, &memory, &course->memory);
}

//===--- compiling --------------------------------------------------------===//

// Compiles a copy of |module|.
static int compile(const course_t *course, MlirModule module,
                   gmem_compiled_program_t *program) {
  const gmem_run_options_t *options = course->options;
  gmem_jit_options_t jit = {
      .pipeline = options->pipeline ? options->pipeline : "gmem-lower-to-llvm",
      .entry = options->entry,
      .level = options->level,
      .libraries = options->libraries,
      .libraries_count = options->libraries_count};
  int code = gmem_signature_read(gmem_entry_find(module, options->entry),
                                 &program->signature);
  if (code)
    return code;
  MlirModule lowered = clone(module);
  code = gmem_jit_create(lowered, &jit, &program->jit);
  mlirModuleDestroy(lowered);
  return code;
}

static void destroy_program(gmem_compiled_program_t *program) {
  gmem_jit_destroy(&program->jit);
  gmem_signature_destroy(&program->signature);
}

// In mode "arg" the program is given its memory; in others it has its own.
static int compile_all(course_t *course) {
  const gmem_run_options_t *options = course->options;
  if (options->unplanned)
    return compile(course, course->planned, &course->program);
  int code = compile(course, course->materialized, &course->program);
  if (strcmp(options->arena_mode, "arg") == 0)
    course->program.memory = &course->memory;
  if (code == 0 &&
      (options->compare || (options->checks & GMEM_RUN_CHECK_BROKEN_PLAN)))
    code = compile(course, course->planned, &course->reference);
  return code;
}

//===--- running ----------------------------------------------------------===//

static bool has_crashed(const gmem_jobs_t *jobs) {
  bool crashed = false;
  for (uint32_t i = 0; jobs->jobs && i < jobs->options->requests; ++i)
    for (uint32_t p = 0; p < jobs->program_count; ++p)
      crashed |= jobs->jobs[i].first[p].failed;
  return crashed;
}

static int run_requests(course_t *course) {
  const gmem_run_options_t *options = course->options;
  gmem_jobs_t jobs = {.programs = {&course->program, &course->reference},
                      .program_count = options->compare ? 2 : 1,
                      .options = options,
                      .repeats = options->repeats   ? options->repeats
                                 : options->compare ? 5
                                                    : 1};
  double begin = gmem_seconds();
  int code = gmem_jobs_run(&jobs);
  if (code == 0)
    code = gmem_run_report(&jobs, gmem_seconds() - begin);
  course->crashed = has_crashed(&jobs);
  gmem_jobs_destroy(&jobs);
  return code;
}

//===--- zeroed arenas ----------------------------------------------------===//

// The number of the first request that came out in two ways; |count| if none.
static uint32_t first_unequal(const gmem_jobs_t *jobs, uint32_t count) {
  uint32_t i = 0;
  while (i < count && jobs->jobs[i].unequal == 0)
    ++i;
  return i;
}

// Runs all requests on arenas as others left them and on zeroed ones: a program
// that reads what it has not written shows it here.
static int check_zeroed(course_t *course) {
  gmem_run_options_t options = *course->options;
  gmem_planned_memory_t memory;
  gmem_compiled_program_t zeroed = course->program;
  zeroed.memory = &memory;
  options.save = NULL;
  int code =
      gmem_planned_memory_zeroed(&course->memory, slots_of(&options), &memory);
  if (code)
    return code;
  gmem_jobs_t jobs = {.programs = {&course->program, &zeroed},
                      .program_count = 2,
                      .options = &options,
                      .repeats = 1};
  code = gmem_jobs_run(&jobs);
  uint32_t unequal = code ? 0 : first_unequal(&jobs, options.requests);
  if (code == 0 && unequal < options.requests)
    code = gmem_run_error("request %" PRIu32
                          " comes out otherwise when its arenas are zeroed: "
                          "the program reads what it has not written",
                          unequal);
  else if (code == 0 && !options.json)
    printf("zero: zeroed arenas change nothing\n");
  course->crashed |= has_crashed(&jobs);
  gmem_jobs_destroy(&jobs);
  gmem_pool_release(memory.pool);
  return code;
}

//===--- the check that a check can fail ----------------------------------===//

// Whether the first request comes out otherwise on |program|.
static int try_program(course_t *course, const gmem_compiled_program_t *program,
                       bool *out_differs) {
  gmem_run_options_t options = *course->options;
  options.requests = options.threads = 1;
  options.save = NULL;
  gmem_jobs_t jobs = {.programs = {program, &course->reference},
                      .program_count = 2,
                      .options = &options,
                      .repeats = 1,
                      .limit = LIMIT};
  int code = gmem_jobs_run(&jobs);
  if (code == 0)
    *out_differs = jobs.jobs[0].unequal > 0;
  course->crashed |= has_crashed(&jobs);
  gmem_jobs_destroy(&jobs);
  return code;
}

static int try_break(course_t *course, const gmem_break_t *breaking,
                     bool *out_differs) {
  gmem_compiled_program_t program = {.memory = course->program.memory};
  MlirModule broken = clone(course->materialized);
  gmem_break_apply(broken, breaking);
  int code = compile(course, broken, &program);
  if (code == 0)
    code = try_program(course, &program, out_differs);
  destroy_program(&program);
  mlirModuleDestroy(broken);
  return code;
}

static int check_broken(course_t *course) {
  gmem_break_t *breaks;
  uint32_t count =
      gmem_breaks_find(course->planned, course->materialized, &breaks);
  bool differs = false;
  int code = try_program(course, &course->program, &differs);
  if (code == 0 && differs)
    code = gmem_run_error("the outputs differ with the right plan already");
  uint32_t tries = 0;
  while (code == 0 && !differs && tries < count && tries < TRIES)
    code = try_break(course, &breaks[tries++], &differs);
  if (code == 0 && count == 0)
    code = gmem_run_error("the check cannot fail: no two planned buffers live "
                          "together");
  else if (code == 0 && !differs)
    code = gmem_run_error("the check cannot fail: %" PRIu32
                          " broken plans did not change the outputs",
                          tries);
  else if (code == 0 && !course->options->json)
    printf("broken plan %" PRIu32 " of %" PRIu32 ": buffer %" PRIu32
           " put onto buffer %" PRIu32 " (%" PRIu64
           " bytes) changes the outputs\n",
           tries, count, breaks[tries - 1].moved, breaks[tries - 1].onto,
           breaks[tries - 1].bytes);
  free(breaks);
  return code;
}

//===--- the course -------------------------------------------------------===//

static int follow(course_t *course, MlirContext context) {
  const gmem_run_options_t *options = course->options;
  int code = read_module(course, context);
  if (code == 0)
    code = plan(course);
  if (code == 0 && !options->unplanned)
    code = materialize(course);
  if (code == 0)
    code = compile_all(course);
  if (code == 0)
    code = run_requests(course);
  if (code == 0 && (options->checks & GMEM_RUN_CHECK_ZERO))
    code = check_zeroed(course);
  if (code == 0 && (options->checks & GMEM_RUN_CHECK_BROKEN_PLAN))
    code = check_broken(course);
  return code;
}

static void destroy_module(MlirModule module) {
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
}

int gmem_run_module(const gmem_run_options_t *options) {
  course_t course = {.options = options};
  mlirRegisterAllPasses();
  gmem_register_passes();
  gmem_guard_install();
  MlirContext context = gmem_context_create("gmem-run");
  mlirRegisterAllLLVMTranslations(context);
  int code = follow(&course, context);
  if (course.crashed) { // and may have damaged memory of ours: use no more
    fflush(stdout);
    _Exit(code);
  }
  destroy_program(&course.program);
  destroy_program(&course.reference);
  gmem_planned_memory_destroy(&course.memory);
  destroy_module(course.materialized);
  destroy_module(course.planned);
  mlirContextDestroy(context);
  return code;
}
