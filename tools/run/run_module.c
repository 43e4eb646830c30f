// run_module.c - plans, materializes, compiles and runs a module.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "broken_plan.h"
#include "clock.h"
#include "init_digest.h"
#include "ir_reading.h"
#include "made_constants.h"
#include "messages.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/RegisterEverything.h"
#include "mlir_files.h"
#include "mpi_library.h"
#include "op_marks.h"
#include "random_weights.h"
#include "run_init.h"
#include "run_report.h"
#include "vocabulary.h"

enum { TEXT = 8192, TRIES = 30, LIMIT = 60 };

// State of one run. Modules and programs are null until created.
typedef struct session_s {
  const gmem_run_options_t *options;
  MlirModule module;       // with the plan in attributes
  MlirModule requests;     // the same without what only initialises constants
  MlirModule kept;         // the program before that was separated, or null
  MlirModule materialized; // with arenas, before lowering
  gmem_planned_t *planned; // the plan of |requests|
  gmem_mapped_plan_t memory;
  gmem_init_memory_t computed;     // if constants are mapped
  gmem_weight_exchange_t exchange; // with a weight store
  gmem_compiled_program_t program, reference;
  gmem_mpi_t mpi;             // if this process is a rank
  gmem_run_options_t of_rank; // the options with its names of files
  char *entry;                // name of the function that runs
  bool crashed;               // some program has crashed
} session_t;

static MlirModule clone(MlirModule module) {
  return mlirModuleFromOperation(
      mlirOperationClone(mlirModuleGetOperation(module)));
}

static bool has_attribute(MlirModule module, gmem_attr_t name) {
  return !mlirAttributeIsNull(
      gmem_op_annotation(mlirModuleGetOperation(module), name));
}

//===--- before lowering --------------------------------------------------===//

static gmem_status_t read_module(session_t *session, MlirContext context) {
  const gmem_run_program_options_t *options = &session->options->program;
  const char *path = session->options->path;
  session->module = gmem_module_parse(context, path);
  if (mlirModuleIsNull(session->module))
    return GMEM_TOLD;
  GMEM_TRY(gmem_entry_choose(session->module, options->entry, &session->entry));
  session->of_rank.program.entry = session->entry;
  if (mlirOperationIsNull(
          gmem_first_op(gmem_entry_find(session->module, session->entry), 0)))
    return gmem_tool_error("the function @%s has no body", session->entry);
  if (has_attribute(session->module, GMEM_ATTR_ARENAS))
    return gmem_tool_error("%s: the module is already materialized: use the "
                           "module from before gmem-materialize",
                           path);
  if (session->mpi.is_openmpi)
    mlirOperationSetDiscardableAttributeByName(
        mlirModuleGetOperation(session->module), gmem_string("dlti.map"),
        mlirAttributeParseGet(
            context,
            gmem_string("#dlti.map<\"MPI:Implementation\" = \"OpenMPI\">")));
  if (options->weights.given)
    (void)gmem_randomize_constants(session->module, options->weights.number);
  return GMEM_OK;
}

static gmem_status_t materialized(bool good) {
  return good ? GMEM_OK : gmem_tool_error("cannot materialize the plan");
}

static bool has_weight_arguments(MlirOperation entry) {
  bool has_any = false;
  intptr_t count = mlirBlockGetNumArguments(gmem_entry_block(entry));
  for (intptr_t i = 0; i < count; ++i) {
    MlirAttribute all = gmem_entry_attributes(entry, "arg_attrs", i);
    has_any |= !mlirAttributeIsNull(all) &&
               !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(
                   all, gmem_attr_name(GMEM_ATTR_WEIGHT)));
  }
  return has_any;
}

// Values that are computed from constants are computed once, unless the options
// say otherwise, constants come from a file, which is of a plan that exists
// already, or are arguments, which differ from request to request.
static bool hoists(const gmem_run_program_options_t *options,
                   MlirModule module) {
  return !options->unplanned && !options->image &&
         !strstr(options->plan_options, "constants=") &&
         !has_weight_arguments(gmem_entry_find(module, options->entry));
}

// Swallows remarks: those that the other program has caused, too.
static MlirLogicalResult drop_remark(MlirDiagnostic diagnostic, void *user) {
  (void)user;
  return mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticRemark
             ? mlirLogicalResultSuccess()
             : mlirLogicalResultFailure();
}

// Bufferizes the program that another one is compared with as well.
static gmem_status_t keep_constants(session_t *session, const char *pass) {
  static const char hoisted[] = "constants=hoist", kept[] = "constants=keep ";
  const char *options = session->options->program.plan_options;
  const char *given = strstr(options, hoisted);
  size_t before = given ? (size_t)(given - options) : 0;
  char text[TEXT];
  int length =
      snprintf(text, sizeof text, "%s{%.*s%s%s}", pass, (int)before, options,
               kept, given ? given + sizeof hoisted - 1 : options);
  if (length >= TEXT)
    return gmem_tool_error("the options of %s are too long", pass);
  session->kept = clone(session->module);
  MlirContext context = mlirModuleGetContext(session->kept);
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(context, drop_remark, NULL, NULL);
  gmem_status_t status = gmem_module_run_passes(session->kept, text);
  mlirContextDetachDiagnosticHandler(context, handler);
  return status;
}

static MlirWalkResult find_tensors(MlirOperation op, void *user) {
  bool *has_tensors = user;
  MlirAttribute type = gmem_op_attribute(op, "function_type");
  *has_tensors = gmem_attribute_is(type, mlirAttributeIsAType) &&
                 mlirTypeIsAFunction(mlirTypeAttrGetValue(type)) &&
                 gmem_entry_has_tensors(op);
  return *has_tensors ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

// Whether a function of |module| takes or returns tensors: the program is
// compiled as a whole, whichever function is the entry.
static bool has_tensors_in(MlirModule module) {
  bool has_tensors = false;
  mlirOperationWalk(mlirModuleGetOperation(module), find_tensors, &has_tensors,
                    MlirWalkPreOrder);
  return has_tensors;
}

// Plans the program, or verifies the plan that it has. A program of tensors is
// bufferized first, also if it is to run unplanned, so that both programs can
// be compared.
static gmem_status_t plan(session_t *session) {
  const gmem_run_program_options_t *options = &session->options->program;
  MlirModule module = session->module;
  bool has_tensors = has_tensors_in(module);
  const char *pass = has_tensors ? "gmem-bufferize-and-plan" : "gmem-plan";
  char text[TEXT];
  if (options->unplanned && !has_tensors)
    return GMEM_OK;
  if (has_attribute(module, GMEM_ATTR_PLAN) && !has_tensors)
    return materialized(gmem_verify_module(mlirModuleGetOperation(module), NULL,
                                           NULL) == GMEM_OK);
  bool is_hoisted = has_tensors && hoists(options, module);
  bool is_compared = options->compare ||
                     (session->options->checks & GMEM_RUN_CHECK_BROKEN_PLAN);
  if (is_compared && !options->unplanned && has_tensors &&
      (is_hoisted || strstr(options->plan_options, "constants=hoist")))
    GMEM_TRY(keep_constants(session, pass));
  int length =
      snprintf(text, sizeof text, "%s{%s%s}", pass,
               is_hoisted ? "constants=hoist " : "", options->plan_options);
  return length < TEXT
             ? gmem_module_run_passes(module, text) // verifies the plan
             : gmem_tool_error("the options of %s are too long", pass);
}

// Remarks concern the choice of the passes that follow, which are fixed here.
static bool use_arenas(MlirOperation top, const gmem_plan_options_t *how) {
  MlirContext context = mlirOperationGetContext(top);
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(context, drop_remark, NULL, NULL);
  gmem_status_t status =
      gmem_pass_find("gmem-materialize")->run(top, how, NULL, NULL);
  mlirContextDetachDiagnosticHandler(context, handler);
  return status == GMEM_OK && mlirOperationVerify(top);
}

// The plan is verified once, by the time it is made or read from a file.
static gmem_status_t materialize(session_t *session) {
  const gmem_run_program_options_t *options = &session->options->program;
  gmem_plan_options_t how;
  gmem_plan_options_init(&how);
  how.arena_mode = (gmem_arena_mode_t)options->arena_mode;
  how.weight_image = options->weight_image || options->image ||
                     options->weight_store ||
                     gmem_has_made_constants(session->module);
  how.verified = true;
  if (options->high_water)
    gmem_op_marks_number(session->module);
  session->materialized = clone(session->module);
  MlirOperation top = mlirModuleGetOperation(session->materialized);
  GMEM_TRY(materialized(use_arenas(top, &how)));
  session->requests = clone(session->module);
  GMEM_TRY(materialized(
      gmem_planned_drop_init(mlirModuleGetOperation(session->requests), NULL,
                             NULL) == GMEM_OK));
  if (!how.weight_image || !gmem_init_is_needed(session->module))
    return GMEM_OK;
  GMEM_TRY(gmem_init_memory_read(session->module, &options->libraries,
                                 &session->computed));
  if (options->weight_store)
    session->computed.has_digest = gmem_init_digest(
        mlirModuleGetOperation(session->module), session->computed.digest);
  return GMEM_OK;
}

//===--- compiling --------------------------------------------------------===//

static gmem_status_t compute_constants(void *user, gmem_init_memory_t *memory) {
  session_t *session = user;
  gmem_jit_t *jit = &session->program.jit;
  return gmem_init_run(session->materialized, jit->engine, memory,
                       &jit->init_seconds);
}

// Compiles a copy of |module|, and computes its constants; with a weight store
// not before it is known that no other process has.
static gmem_status_t compile(session_t *session, MlirModule module,
                             gmem_compiled_program_t *program) {
  const gmem_run_program_options_t *options = &session->options->program;
  GMEM_TRY(gmem_signature_read(gmem_entry_find(module, options->entry),
                               &program->signature));
  MlirModule lowered = clone(module);
  gmem_status_t status = gmem_jit_create(lowered, options, &program->jit);
  mlirModuleDestroy(lowered);
  if (options->weight_store && program == &session->program &&
      session->computed.planned) {
    session->computed.compute = compute_constants;
    session->computed.user = session;
    return status;
  }
  return status == GMEM_OK
             ? gmem_init_run(module, program->jit.engine,
                             session->computed.planned ? &session->computed
                                                       : NULL,
                             &program->jit.init_seconds)
             : status;
}

static void destroy_program(gmem_compiled_program_t *program) {
  gmem_jit_destroy(&program->jit);
  gmem_signature_destroy(&program->signature);
}

// Compiles the program that is compared, which has all constants itself.
static gmem_status_t compile_reference(session_t *session) {
  MlirModule module =
      mlirModuleIsNull(session->kept) ? session->module : session->kept;
  if (!gmem_has_made_constants(module))
    return compile(session, module, &session->reference);
  module = clone(module);
  gmem_status_t status =
      gmem_made_constants_store(module, session->planned, session->requests,
                                &session->options->program.libraries);
  if (status == GMEM_OK)
    status = compile(session, module, &session->reference);
  mlirModuleDestroy(module);
  return status;
}

// In mode "arg", gmem-run passes the arenas; in others, the program provides
// them.
static gmem_status_t compile_all(session_t *session) {
  const gmem_run_options_t *options = session->options;
  if (options->program.unplanned)
    return compile(session, session->module, &session->program);
  GMEM_TRY(compile(session, session->materialized, &session->program));
  GMEM_TRY(gmem_planned_memory_map(session->requests, options,
                                   &session->computed, &session->exchange,
                                   &session->planned, &session->memory));
  gmem_init_memory_clear(&session->computed);
  session->program.imported_bytes = session->exchange.imported;
  if (options->program.arena_mode == GMEM_RUN_ARENA_ARG)
    session->program.memory = &session->memory;
  return options->program.compare ||
                 (options->checks & GMEM_RUN_CHECK_BROKEN_PLAN)
             ? compile_reference(session)
             : GMEM_OK;
}

//===--- running ----------------------------------------------------------===//

// Runs |jobs| and records crashes.
static gmem_status_t run_jobs(session_t *session, gmem_jobs_t *jobs) {
  gmem_status_t status = gmem_jobs_run(jobs);
  for (uint32_t i = 0; jobs->jobs && i < jobs->options->requests; ++i)
    for (uint32_t p = 0; p < jobs->program_count; ++p)
      session->crashed |= jobs->jobs[i].first[p].failed;
  return status;
}

static gmem_status_t run_requests(session_t *session) {
  const gmem_run_options_t *options = session->options;
  bool compare = options->program.compare;
  uint32_t repeats = options->program.repeats;
  gmem_jobs_t jobs = {.programs = {&session->program, &session->reference},
                      .program_count = compare ? 2 : 1,
                      .options = options,
                      .repeats = repeats   ? repeats
                                 : compare ? 5
                                           : 1};
  double begin = gmem_seconds();
  gmem_status_t status = run_jobs(session, &jobs);
  if (status == GMEM_OK)
    status = gmem_run_report(&jobs, gmem_seconds() - begin);
  gmem_jobs_destroy(&jobs);
  return status;
}

// Runs the first |requests| requests on two programs and counts those whose
// results are equal before the first ones that differ.
static gmem_status_t count_equal(session_t *session, uint32_t requests,
                                 unsigned limit,
                                 const gmem_compiled_program_t *a,
                                 const gmem_compiled_program_t *b,
                                 uint32_t *out_count) {
  gmem_run_options_t options = *session->options;
  options.requests = requests;
  options.threads = requests < options.threads ? requests : options.threads;
  options.program.save = NULL;
  gmem_jobs_t jobs = {.programs = {a, b},
                      .program_count = 2,
                      .options = &options,
                      .repeats = 1,
                      .limit = limit};
  gmem_status_t status = run_jobs(session, &jobs);
  *out_count = 0;
  while (status == GMEM_OK && *out_count < requests &&
         jobs.jobs[*out_count].unequal == 0)
    ++*out_count;
  gmem_jobs_destroy(&jobs);
  return status;
}

//===--- zeroed arenas ----------------------------------------------------===//

// Runs all requests on reused arenas and on zeroed ones: results that differ
// reveal a program that reads uninitialized memory.
static gmem_status_t check_zeroed(session_t *session) {
  const gmem_run_options_t *options = session->options;
  gmem_mapped_plan_t memory;
  gmem_compiled_program_t zeroed = session->program;
  uint32_t equal;
  zeroed.memory = &memory;
  GMEM_TRY(gmem_planned_memory_zeroed(&session->memory, gmem_run_slots(options),
                                      &memory));
  gmem_status_t status = count_equal(session, options->requests, 0,
                                     &session->program, &zeroed, &equal);
  gmem_pool_release(memory.pool);
  GMEM_TRY(status);
  if (equal < options->requests)
    return gmem_tool_error("request %" PRIu32
                           ": the results differ if the arenas are zeroed: the "
                           "program reads uninitialized memory",
                           equal);
  if (!options->json)
    printf("zero: zeroed arenas do not change the results\n");
  return GMEM_OK;
}

//===--- broken plans -----------------------------------------------------===//

// Whether the results of the first request on |program| differ from the
// reference.
static gmem_status_t try_program(session_t *session,
                                 const gmem_compiled_program_t *program,
                                 bool *out_differs) {
  uint32_t equal;
  GMEM_TRY(
      count_equal(session, 1, LIMIT, program, &session->reference, &equal));
  // All ranks go on, or none.
  *out_differs = gmem_mpi_any(&session->mpi, equal == 0);
  return GMEM_OK;
}

static gmem_status_t try_break(session_t *session, const gmem_break_t *breaking,
                               bool *out_differs) {
  gmem_compiled_program_t program = {.memory = session->program.memory};
  MlirModule broken = clone(session->materialized);
  gmem_break_apply(broken, breaking);
  gmem_status_t status = compile(session, broken, &program);
  if (status == GMEM_OK)
    status = try_program(session, &program, out_differs);
  destroy_program(&program);
  mlirModuleDestroy(broken);
  return status;
}

static gmem_status_t try_breaks(session_t *session, const gmem_break_t *breaks,
                                uint32_t count) {
  uint32_t tries = 0;
  bool differs = false;
  GMEM_TRY(try_program(session, &session->program, &differs));
  if (differs)
    return gmem_tool_error(
        "broken-plan: the outputs differ even with the correct plan");
  if (count == 0)
    return gmem_tool_error("broken-plan: nothing to test, since no two planned "
                           "buffers are live at the same time");
  while (!differs && tries < count && tries < TRIES)
    GMEM_TRY(try_break(session, &breaks[tries++], &differs));
  if (!differs)
    return gmem_tool_error("broken-plan: %" PRIu32
                           " broken plans did not change the outputs, so "
                           "comparing outputs proves nothing",
                           tries);
  const gmem_break_t *last = &breaks[tries - 1];
  if (!session->options->json)
    printf("broken plan %" PRIu32 " of %" PRIu32 ": moving buffer %" PRIu32
           " onto buffer %" PRIu32 " (%" PRIu64 " bytes) changes the outputs\n",
           tries, count, last->moved, last->onto, last->bytes);
  return GMEM_OK;
}

static gmem_status_t check_broken(session_t *session) {
  gmem_break_t *breaks;
  uint32_t count =
      gmem_breaks_find(session->planned, session->materialized, &breaks);
  gmem_status_t status = try_breaks(session, breaks, count);
  free(breaks);
  return status;
}

//===--- written bytes ----------------------------------------------------===//

// Runs the first request on |program|, whose memory is full of |pattern|
// before; its results must be those of the plain run |expected|.
static gmem_status_t run_measured(const session_t *session,
                                  const gmem_compiled_program_t *program,
                                  gmem_request_t *request,
                                  gmem_result_t *expected) {
  gmem_result_t result;
  gmem_request_run(program, request, &result);
  bool is_equal = gmem_results_equal(&result, expected);
  gmem_status_t status =
      result.failed ? gmem_tool_error("--high-water: the program failed: %s",
                                      result.reason)
      : is_equal
          ? GMEM_OK
          : gmem_tool_error("--high-water: the results of @%s depend on bytes "
                            "that it has not written",
                            session->entry);
  gmem_result_destroy(&result);
  return status;
}

static gmem_status_t measure_request(session_t *session,
                                     const gmem_compiled_program_t *marked,
                                     gmem_request_t *request) {
  enum { PATTERN = 0xa5 };
  gmem_result_t plain;
  gmem_high_water_t *water = request->water;
  request->water = NULL;
  gmem_request_run(&session->program, request, &plain);
  request->water = water;
  gmem_status_t status = GMEM_OK;
  for (int run = 0; run < 2 && status == GMEM_OK; ++run) {
    request->pattern = (uint8_t)(run ? ~PATTERN : PATTERN);
    status = run_measured(session, marked, request, &plain);
  }
  gmem_result_destroy(&plain);
  return status;
}

static gmem_status_t measure_on(session_t *session,
                                const gmem_compiled_program_t *marked) {
  const gmem_run_options_t *options = session->options;
  gmem_jit_heap_t heap = {0};
  gmem_inputs_t inputs;
  GMEM_TRY(gmem_inputs_create(&marked->signature, &options->program,
                              options->seed, &inputs));
  gmem_request_t request = {
      .inputs = &inputs,
      .heap = &heap,
      .water = gmem_high_water_create(session->planned, &session->memory)};
  void *stack = gmem_guard_begin();
  gmem_status_t status = measure_request(session, marked, &request);
  gmem_guard_end(stack);
  gmem_jit_heap_destroy(&heap);
  gmem_inputs_destroy(&inputs);
  if (status == GMEM_OK && !options->json && !options->quiet)
    gmem_high_water_print(request.water);
  if (status == GMEM_OK)
    status = gmem_high_water_write(request.water, options->program.high_water);
  gmem_high_water_destroy(request.water);
  return status;
}

// Measures on a copy of the program that reports which op runs.
static gmem_status_t measure(session_t *session) {
  gmem_compiled_program_t marked = {.memory = &session->memory};
  MlirModule copy = clone(session->materialized);
  gmem_op_marks_insert(copy);
  gmem_status_t status = compile(session, copy, &marked);
  if (status == GMEM_OK)
    status = measure_on(session, &marked);
  destroy_program(&marked);
  mlirModuleDestroy(copy);
  return status;
}

//===--- the session ------------------------------------------------------===//

static gmem_status_t run_session(session_t *session, MlirContext context) {
  const gmem_run_options_t *options = session->options;
  GMEM_TRY(read_module(session, context));
  GMEM_TRY(plan(session));
  if (!options->program.unplanned)
    GMEM_TRY(materialize(session));
  GMEM_TRY(compile_all(session));
  GMEM_TRY(run_requests(session));
  if (options->hold)
    gmem_run_hold();
  if (options->checks & GMEM_RUN_CHECK_ZERO)
    GMEM_TRY(check_zeroed(session));
  if (options->checks & GMEM_RUN_CHECK_BROKEN_PLAN)
    GMEM_TRY(check_broken(session));
  return options->program.high_water ? measure(session) : GMEM_OK;
}

static void destroy_module(MlirModule module) {
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
}

// Becomes a rank, whose names of files are its own. Only the first one prints.
static gmem_status_t begin_rank(session_t *session) {
  gmem_run_program_options_t *own = &session->of_rank.program;
  if (!own->mpi)
    return GMEM_OK;
  GMEM_TRY(gmem_mpi_begin(own->mpi, &session->mpi));
  if (session->mpi.rank && !freopen("/dev/null", "w", stdout))
    return gmem_tool_error("/dev/null: cannot open the file");
  for (uint32_t i = 0; i < own->inputs.count; ++i)
    own->inputs.at[i].text =
        gmem_mpi_name(&session->mpi, own->inputs.at[i].text);
  if (own->save)
    own->save = gmem_mpi_name(&session->mpi, own->save);
  return GMEM_OK;
}

static void free_names(const session_t *session) {
  const gmem_run_program_options_t *own = &session->of_rank.program;
  if (!session->mpi.library)
    return;
  for (uint32_t i = 0; i < own->inputs.count; ++i)
    free((char *)(uintptr_t)own->inputs.at[i].text);
  free((char *)(uintptr_t)own->save);
}

gmem_status_t gmem_run_module(const gmem_run_options_t *options) {
  session_t session = {.of_rank = *options};
  session.options = &session.of_rank;
  mlirRegisterAllPasses();
  gmem_register_passes();
  gmem_guard_install();
  MlirContext context = gmem_context_create();
  mlirRegisterAllLLVMTranslations(context);
  gmem_status_t status = begin_rank(&session);
  if (status == GMEM_OK)
    status = run_session(&session, context);
  gmem_mpi_end(&session.mpi, status == GMEM_OK);
  if (session.crashed) { // its memory may be corrupt: skip the cleanup
    fflush(stdout);
    _Exit(status == GMEM_OK ? 0 : GMEM_EXIT_PROBLEM);
  }
  destroy_program(&session.program);
  destroy_program(&session.reference);
  gmem_mapped_plan_close(&session.memory);
  gmem_weight_exchange_close(&session.exchange);
  gmem_init_memory_free(&session.computed);
  gmem_planned_destroy(session.planned);
  destroy_module(session.materialized);
  destroy_module(session.requests);
  destroy_module(session.kept);
  destroy_module(session.module);
  mlirContextDestroy(context);
  free_names(&session);
  free(session.entry);
  return status;
}
