// run_module.c - plans, materializes, compiles and runs a module.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "run_module.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "broken_plan.h"
#include "clock.h"
#include "gmem/passes.h"
#include "ir_reading.h"
#include "mlir-c/RegisterEverything.h"
#include "mlir_files.h"
#include "random_weights.h"
#include "run_messages.h"
#include "run_report.h"

enum { TEXT = 8192, TRIES = 30, LIMIT = 60 };

// State of one run. Modules and programs are null until created.
typedef struct session_s {
  const gmem_run_options_t *options;
  MlirModule planned;      // with the plan in attributes
  MlirModule materialized; // with arenas, before lowering
  gmem_planned_memory_t memory;
  gmem_compiled_program_t program, reference;
  bool crashed; // some program has crashed
} session_t;

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
    return gmem_run_error("the module has no function @%s", name);
  if (mlirRegionIsNull(mlirOperationGetRegion(entry, 0)) ||
      mlirBlockIsNull(
          mlirRegionGetFirstBlock(mlirOperationGetRegion(entry, 0))))
    return gmem_run_error("the function @%s has no body", name);
  return 0;
}

static int read_module(session_t *session, MlirContext context) {
  const gmem_run_options_t *options = session->options;
  session->planned = gmem_module_parse(context, "gmem-run", options->path);
  if (mlirModuleIsNull(session->planned))
    return GMEM_RUN_PROBLEM;
  int code = check_entry(session->planned, options->entry);
  if (code)
    return code;
  if (has_attribute(session->planned, "gmem.arenas"))
    return gmem_run_error("%s: the module is already materialized: use the "
                          "module from before gmem-materialize",
                          options->path);
  if (options->randomize)
    (void)gmem_randomize_constants(session->planned, options->weight_seed);
  return 0;
}

// Bufferizes a program of tensors and plans it. An unplanned program is
// bufferized in the same way, so that both can be compared.
static int plan(session_t *session) {
  const gmem_run_options_t *options = session->options;
  MlirModule module = session->planned;
  if (gmem_entry_has_tensors(gmem_entry_find(module, options->entry)))
    return run_pass(module, "gmem-bufferize-and-plan", options->plan_options);
  if (options->unplanned || has_attribute(module, "gmem.plan"))
    return 0;
  return run_pass(module, "gmem-plan", options->plan_options);
}

static uint32_t slots_of(const gmem_run_options_t *options) {
  return options->pool_slots ? options->pool_slots : options->threads;
}

static int materialize(session_t *session) {
  const gmem_run_options_t *options = session->options;
  char text[64];
  snprintf(text, sizeof text, "arena-mode=%s weights=%s", options->arena_mode,
           options->image ? "image" : options->weights);
  session->materialized = clone(session->planned);
  int code = run_pass(session->materialized, "gmem-materialize", text);
  if (code)
    return gmem_run_error("cannot materialize the plan");
  gmem_planned_memory_options_t memory = {.slots = slots_of(options),
                                          .image = options->image};
  return gmem_planned_memory_create(session->planned, &memory,
                                    &session->memory);
}

//===--- compiling --------------------------------------------------------===//

// Compiles a copy of |module|.
static int compile(const session_t *session, MlirModule module,
                   gmem_compiled_program_t *program) {
  const gmem_run_options_t *options = session->options;
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

// In mode "arg", gmem-run passes the arenas; in others, the program provides
// them.
static int compile_all(session_t *session) {
  const gmem_run_options_t *options = session->options;
  if (options->unplanned)
    return compile(session, session->planned, &session->program);
  int code = compile(session, session->materialized, &session->program);
  if (strcmp(options->arena_mode, "arg") == 0)
    session->program.memory = &session->memory;
  if (code == 0 &&
      (options->compare || (options->checks & GMEM_RUN_CHECK_BROKEN_PLAN)))
    code = compile(session, session->planned, &session->reference);
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

static int run_requests(session_t *session) {
  const gmem_run_options_t *options = session->options;
  gmem_jobs_t jobs = {.programs = {&session->program, &session->reference},
                      .program_count = options->compare ? 2 : 1,
                      .options = options,
                      .repeats = options->repeats   ? options->repeats
                                 : options->compare ? 5
                                                    : 1};
  double begin = gmem_seconds();
  int code = gmem_jobs_run(&jobs);
  if (code == 0)
    code = gmem_run_report(&jobs, gmem_seconds() - begin);
  session->crashed = has_crashed(&jobs);
  gmem_jobs_destroy(&jobs);
  return code;
}

//===--- zeroed arenas ----------------------------------------------------===//

// The first request whose results differ; |count| if there is none.
static uint32_t first_unequal(const gmem_jobs_t *jobs, uint32_t count) {
  uint32_t i = 0;
  while (i < count && jobs->jobs[i].unequal == 0)
    ++i;
  return i;
}

// Runs all requests on reused arenas and on zeroed ones: results that differ
// reveal a program that reads uninitialized memory.
static int check_zeroed(session_t *session) {
  gmem_run_options_t options = *session->options;
  gmem_planned_memory_t memory;
  gmem_compiled_program_t zeroed = session->program;
  zeroed.memory = &memory;
  options.save = NULL;
  int code =
      gmem_planned_memory_zeroed(&session->memory, slots_of(&options), &memory);
  if (code)
    return code;
  gmem_jobs_t jobs = {.programs = {&session->program, &zeroed},
                      .program_count = 2,
                      .options = &options,
                      .repeats = 1};
  code = gmem_jobs_run(&jobs);
  uint32_t unequal = code ? 0 : first_unequal(&jobs, options.requests);
  if (code == 0 && unequal < options.requests)
    code = gmem_run_error("request %" PRIu32
                          ": the results differ if the arenas are zeroed: the "
                          "program reads uninitialized memory",
                          unequal);
  else if (code == 0 && !options.json)
    printf("zero: zeroed arenas do not change the results\n");
  session->crashed |= has_crashed(&jobs);
  gmem_jobs_destroy(&jobs);
  gmem_pool_release(memory.pool);
  return code;
}

//===--- broken plans -----------------------------------------------------===//

// Whether the results of the first request on |program| differ from the
// reference.
static int try_program(session_t *session,
                       const gmem_compiled_program_t *program,
                       bool *out_differs) {
  gmem_run_options_t options = *session->options;
  options.requests = options.threads = 1;
  options.save = NULL;
  gmem_jobs_t jobs = {.programs = {program, &session->reference},
                      .program_count = 2,
                      .options = &options,
                      .repeats = 1,
                      .limit = LIMIT};
  int code = gmem_jobs_run(&jobs);
  if (code == 0)
    *out_differs = jobs.jobs[0].unequal > 0;
  session->crashed |= has_crashed(&jobs);
  gmem_jobs_destroy(&jobs);
  return code;
}

static int try_break(session_t *session, const gmem_break_t *breaking,
                     bool *out_differs) {
  gmem_compiled_program_t program = {.memory = session->program.memory};
  MlirModule broken = clone(session->materialized);
  gmem_break_apply(broken, breaking);
  int code = compile(session, broken, &program);
  if (code == 0)
    code = try_program(session, &program, out_differs);
  destroy_program(&program);
  mlirModuleDestroy(broken);
  return code;
}

static int check_broken(session_t *session) {
  gmem_break_t *breaks;
  uint32_t count =
      gmem_breaks_find(session->planned, session->materialized, &breaks);
  bool differs = false;
  int code = try_program(session, &session->program, &differs);
  if (code == 0 && differs)
    code = gmem_run_error(
        "broken-plan: the outputs differ even with the correct plan");
  uint32_t tries = 0;
  while (code == 0 && !differs && tries < count && tries < TRIES)
    code = try_break(session, &breaks[tries++], &differs);
  if (code == 0 && count == 0)
    code = gmem_run_error("broken-plan: nothing to test, since no two planned "
                          "buffers are live at the same time");
  else if (code == 0 && !differs)
    code = gmem_run_error("broken-plan: %" PRIu32
                          " broken plans did not change the outputs, so "
                          "comparing outputs proves nothing",
                          tries);
  else if (code == 0 && !session->options->json)
    printf("broken plan %" PRIu32 " of %" PRIu32 ": moving buffer %" PRIu32
           " onto buffer %" PRIu32 " (%" PRIu64 " bytes) changes the outputs\n",
           tries, count, breaks[tries - 1].moved, breaks[tries - 1].onto,
           breaks[tries - 1].bytes);
  free(breaks);
  return code;
}

//===--- the session ------------------------------------------------------===//

static int run_session(session_t *session, MlirContext context) {
  const gmem_run_options_t *options = session->options;
  int code = read_module(session, context);
  if (code == 0)
    code = plan(session);
  if (code == 0 && !options->unplanned)
    code = materialize(session);
  if (code == 0)
    code = compile_all(session);
  if (code == 0)
    code = run_requests(session);
  if (code == 0 && (options->checks & GMEM_RUN_CHECK_ZERO))
    code = check_zeroed(session);
  if (code == 0 && (options->checks & GMEM_RUN_CHECK_BROKEN_PLAN))
    code = check_broken(session);
  return code;
}

static void destroy_module(MlirModule module) {
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
}

int gmem_run_module(const gmem_run_options_t *options) {
  session_t session = {.options = options};
  mlirRegisterAllPasses();
  gmem_register_passes();
  gmem_guard_install();
  MlirContext context = gmem_context_create("gmem-run");
  mlirRegisterAllLLVMTranslations(context);
  int code = run_session(&session, context);
  if (session.crashed) { // its memory may be corrupt: skip the cleanup
    fflush(stdout);
    _Exit(code);
  }
  destroy_program(&session.program);
  destroy_program(&session.reference);
  gmem_planned_memory_destroy(&session.memory);
  destroy_module(session.materialized);
  destroy_module(session.planned);
  mlirContextDestroy(context);
  return code;
}
