// materialize.c - gmem-materialize.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: a valid plan (gmem-verify-plan) of memrefs only, without tensors.
// produces: one arena per pool, a memref<SIZExi8> in the pool's memory space.
//           Mode "alloc": functions with callers outside of the scope allocate
//           it and free it where they return. Mode "arg": it is a trailing
//           argument of these functions. Mode "global": it is a memref.global.
//           Other functions take the arenas that they need as arguments.
//           Planned allocations become views of their arenas, and their
//           deallocations are erased; dynamic sizes are asserted not to exceed
//           the bounds that the plan assumes. With weights=image planned
//           constants become views of an arena, too. gmem.arenas describes the
//           arenas, gmem.arena marks them. The attributes of the plan are
//           removed, except gmem.workbuffer_pool and gmem.workbuffer_offset,
//           which locate workbuffers in the arenas of their functions.
// fails:    when there is no plan or it is invalid, when it contains a tensor,
//           when an immutable workbuffer could not be initialised, or when an
//           arena cannot be passed to a function; the IR is then unchanged.

#include "materialize.h"

#include <assert.h>

#include "arena_passing.h"
#include "diagnostics.h"
#include "ir_builder.h"
#include "ir_reading.h"
#include "materialization.h"
#include "materialize_arenas.h"
#include "materialize_views.h"
#include "materialize_weights.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "noalias_attributes.h"
#include "pass_options.h"
#include "verify_plan.h"
#include "vocabulary.h"

// The changes to all scopes, applied only if all scopes can be changed.
typedef struct materializer_s {
  const gmem_plan_options_t *options;
  gmem_bump_t *arena;
  gmem_materialization_t *first;
  gmem_materialization_t **end;
} materializer_t;

// State of the analysis of one scope.
typedef struct reader_s {
  const gmem_scope_plan_t *plan;
  gmem_materialization_t *job;
  gmem_bump_t *arena; // of the pass
  gmem_diag_t *diag;
} reader_t;

//===--- pools ------------------------------------------------------------===//

// The index of the arena of |pool|, or arena_count if there is none yet.
static uint32_t arena_of(const gmem_materialization_t *job,
                         MlirStringRef pool) {
  uint32_t i = 0;
  while (i < job->arena_count && !mlirStringRefEqual(job->arenas[i].pool, pool))
    ++i;
  return i;
}

// Adds the arena of pool |index| in memory space |space|.
static void add_arena(reader_t *reader, uint32_t index, MlirAttribute space) {
  gmem_materialization_t *job = reader->job;
  const gmem_pool_entry_t *pool = &reader->plan->pools.entries[index];
  int64_t size = (int64_t)pool->size;
  MlirType byte = mlirIntegerTypeGet(mlirOperationGetContext(job->scope), 8);
  job->arenas[job->arena_count++] = (gmem_pool_arena_t){
      .pool = pool->name,
      .size = pool->size,
      .alignment = pool->alignment,
      .constant = pool->constant,
      .type = mlirMemRefTypeGet(byte, 1, &size, mlirAttributeGetNull(), space)};
}

// Finds or adds the arena of the pool of |value|.
static gmem_status_t find_arena(reader_t *reader, uint32_t value,
                                uint32_t *out) {
  gmem_materialization_t *job = reader->job;
  const gmem_value_place_t *place = &reader->plan->places[value];
  MlirType type =
      mlirValueGetType(reader->plan->analysis.program.values[value].value);
  MlirAttribute space = mlirMemRefTypeGetMemorySpace(type);
  MlirStringRef pool = reader->plan->pools.entries[place->pool].name;
  *out = arena_of(job, pool);
  if (*out == job->arena_count)
    return add_arena(reader, place->pool, space), GMEM_OK;
  return mlirAttributeEqual(
             mlirMemRefTypeGetMemorySpace(job->arenas[*out].type), space)
             ? GMEM_OK
             : gmem_error_at(
                   reader->diag, GMEM_ERR_INVALID_ARGUMENT,
                   gmem_value_location(&reader->plan->analysis.program, value),
                   "pool '%.*s' contains memrefs of different memory spaces",
                   (int)pool.length, pool.data);
}

//===--- parts ------------------------------------------------------------===//

static gmem_status_t add_part(reader_t *reader, uint32_t value) {
  gmem_materialization_t *job = reader->job;
  const gmem_program_t *program = &reader->plan->analysis.program;
  uint32_t op = program->values[value].op;
  gmem_arena_part_t *part = &job->parts[job->part_count++];
  part->op = program->ops[op].op;
  part->function = program->ops[op].function;
  part->offset = reader->plan->places[value].payload;
  GMEM_TRY(find_arena(reader, value, &part->arena));
  assert(part->function < job->function_count && part->offset >= 0);
  job->functions[part->function].uses[part->arena] = true;
  return gmem_part_check(job, part, reader->plan->figures.model.dynamic_bound,
                         reader->arena, reader->diag);
}

static gmem_status_t refuse_tensor(const reader_t *reader, uint32_t value) {
  const gmem_program_t *program = &reader->plan->analysis.program;
  char name[128];
  gmem_value_describe(program, value, name, sizeof name);
  return gmem_error_at(reader->diag, GMEM_ERR_INVALID_ARGUMENT,
                       gmem_value_location(program, value),
                       "%s is planned but is not a memref: bufferize before "
                       "gmem-plan",
                       name);
}

static gmem_status_t add_value(reader_t *reader, uint32_t value,
                               bool weight_image) {
  const gmem_program_t *program = &reader->plan->analysis.program;
  uint32_t op = program->values[value].op;
  if (!gmem_has_place(&reader->plan->places[value]))
    return GMEM_OK;
  gmem_op_kind_t kind =
      op == GMEM_NO_INDEX ? GMEM_OP_UNKNOWN : program->ops[op].kind;
  if (!mlirTypeIsAMemRef(mlirValueGetType(program->values[value].value)) ||
      (kind != GMEM_OP_ALLOC && kind != GMEM_OP_GLOBAL))
    return refuse_tensor(reader, value);
  if (kind == GMEM_OP_ALLOC || weight_image)
    return add_part(reader, value);
  assert(weight_image || kind == GMEM_OP_GLOBAL);
  reader->job->kept[reader->job->kept_count++] = program->ops[op].op;
  return GMEM_OK;
}

// An op keeps gmem.workbuffer_pool and gmem.workbuffer_offset, which locate its
// workbuffers in the arenas of these pools; its function must have the arenas.
static gmem_status_t add_workbuffer(reader_t *reader, size_t index,
                                    bool weight_image) {
  gmem_materialization_t *job = reader->job;
  const gmem_op_workbuffer_t *workbuffer =
      &reader->plan->analysis.workbuffers.all[index];
  uint32_t function =
      reader->plan->analysis.program.ops[workbuffer->step].function;
  uint32_t pool = reader->plan->work_places[index].pool;
  if (!workbuffer->size)
    return GMEM_OK;
  // Memory that the program itself contains or allocates has no initialiser.
  if (workbuffer->immutable && (!weight_image || job->mode != GMEM_ARENA_ARG))
    return gmem_reject(
        reader->diag, workbuffer->op,
        "workbuffer #%u is immutable and must be initialised from outside the "
        "program: use weights=image and arena-mode=arg",
        workbuffer->number);
  // The arenas of other memory spaces have been added for memrefs already.
  uint32_t arena = arena_of(job, reader->plan->pools.entries[pool].name);
  if (arena == job->arena_count)
    add_arena(reader, pool, mlirAttributeGetNull());
  assert(arena < job->arena_count && function < job->function_count);
  job->functions[function].uses[arena] = true;
  return GMEM_OK;
}

// Deallocations of planned memory are erased: they would free a part of an
// arena.
static gmem_status_t add_deallocs(reader_t *reader) {
  const gmem_memrefs_t *memrefs = &reader->plan->analysis.liveness.memrefs;
  gmem_materialization_t *job = reader->job;
  for (size_t i = 0; i < memrefs->dealloc_count; ++i) {
    MlirOperation op =
        reader->plan->analysis.program.ops[memrefs->deallocs[i]].op;
    if (mlirOperationGetNumResults(op) > 0)
      return gmem_reject(reader->diag, op,
                         "this op frees planned memory, but cannot be removed "
                         "because it has results");
    job->deallocs[job->dealloc_count++] = op;
  }
  return GMEM_OK;
}

static gmem_status_t make_functions(reader_t *reader) {
  gmem_materialization_t *job = reader->job;
  const gmem_program_t *program = &reader->plan->analysis.program;
  gmem_bump_t *arena = reader->arena;
  size_t arenas = reader->plan->pools.count;
  job->function_count = program->function_count;
  GMEM_TRY_ALLOC(job->functions, arena, job->function_count, reader->diag);
  for (size_t i = 0; i < job->function_count; ++i) {
    gmem_arena_function_t *function = &job->functions[i];
    function->op = program->functions[i].op;
    GMEM_TRY_ALLOC(function->needs, arena, arenas, reader->diag);
    GMEM_TRY_ALLOC(function->uses, arena, arenas, reader->diag);
    GMEM_TRY_ALLOC(function->arenas, arena, arenas, reader->diag);
  }
  return GMEM_OK;
}

static gmem_status_t make_lists(reader_t *reader) {
  gmem_materialization_t *job = reader->job;
  const gmem_analysis_t *analysis = &reader->plan->analysis;
  size_t values = 0;
  for (size_t i = 0; i < analysis->program.value_count; ++i)
    values += gmem_has_place(&reader->plan->places[i]);
  GMEM_TRY_ALLOC(job->arenas, reader->arena, reader->plan->pools.count,
                 reader->diag);
  GMEM_TRY_ALLOC(job->parts, reader->arena, values, reader->diag);
  GMEM_TRY_ALLOC(job->kept, reader->arena, values, reader->diag);
  GMEM_TRY_ALLOC(job->deallocs, reader->arena,
                 analysis->liveness.memrefs.dealloc_count, reader->diag);
  return make_functions(reader);
}

static gmem_status_t make_room(gmem_materialization_t *job, gmem_bump_t *arena,
                               gmem_diag_t *diag) {
  size_t width = job->width + job->arena_count + job->part_count;
  GMEM_TRY_ALLOC(job->values, arena, width, diag);
  GMEM_TRY_ALLOC(job->types, arena, width, diag);
  GMEM_TRY_ALLOC(job->attributes, arena, width, diag);
  GMEM_TRY_ALLOC(job->sizes, arena, width, diag);
  return GMEM_OK;
}

static gmem_status_t analyse_scope(gmem_scope_plan_t *plan,
                                   const gmem_op_models_t *models, void *user,
                                   gmem_diag_t *diag) {
  (void)models;
  materializer_t *materializer = user;
  gmem_materialization_t *job;
  GMEM_TRY_ALLOC(job, materializer->arena, 1, diag);
  reader_t reader = {
      .plan = plan, .job = job, .arena = materializer->arena, .diag = diag};
  job->scope = plan->analysis.program.scope;
  job->mode = materializer->options->arena_mode;
  GMEM_TRY(make_lists(&reader));
  uint32_t count = (uint32_t)plan->analysis.program.value_count;
  for (uint32_t i = 0; i < count; ++i)
    GMEM_TRY(add_value(&reader, i, materializer->options->weight_image));
  size_t workbuffers = plan->analysis.workbuffers.count;
  for (size_t i = 0; i < workbuffers; ++i)
    GMEM_TRY(add_workbuffer(&reader, i, materializer->options->weight_image));
  GMEM_TRY(add_deallocs(&reader));
  GMEM_TRY(
      gmem_arena_passing_find(job, &plan->analysis, materializer->arena, diag));
  GMEM_TRY(gmem_noalias_attributes_find(job, &plan->analysis,
                                        materializer->arena, diag));
  GMEM_TRY(gmem_arena_globals_find(job, materializer->arena, diag));
  GMEM_TRY(gmem_arena_images_fill(job, plan->analysis.arena, diag));
  GMEM_TRY(make_room(job, materializer->arena, diag));
  *materializer->end = job;
  materializer->end = &job->next;
  return GMEM_OK;
}

//===--- rewriting --------------------------------------------------------===//

static MlirAttribute describe_arena(const gmem_materialization_t *job,
                                    const gmem_pool_arena_t *arena) {
  MlirContext context = mlirOperationGetContext(job->scope);
  const char *mode = arena->symbol ? "global" : gmem_arena_mode_name(job->mode);
  gmem_named_t entries[] = {
      {"pool", mlirStringAttrGet(context, arena->pool)},
      {"kind", gmem_text_attribute(context,
                                   arena->constant ? "constant" : "workspace")},
      {"size", gmem_i64_attribute(context, (int64_t)arena->size)},
      {"alignment", gmem_i64_attribute(context, (int64_t)arena->alignment)},
      {"mode", gmem_text_attribute(context, mode)},
      {"symbol", arena->symbol ? gmem_symbol_attribute(context, arena->symbol)
                               : mlirAttributeGetNull()},
      {0}};
  return gmem_dictionary(context, entries);
}

// Replaces the plan, which no longer describes the program, by gmem.arenas.
static void replace_plan(const gmem_materialization_t *job) {
  static const gmem_attr_t of_scope[] = {GMEM_ATTR_PLAN, GMEM_ATTR_POOL_TABLE};
  static const gmem_attr_t of_op[] = {GMEM_ATTR_POOL, GMEM_ATTR_OFFSET,
                                      GMEM_ATTR_SIZE, GMEM_ATTR_PAYLOAD_OFFSET};
  for (size_t i = 0; i < sizeof of_scope / sizeof *of_scope; ++i)
    mlirOperationRemoveDiscardableAttributeByName(job->scope,
                                                  gmem_attr_name(of_scope[i]));
  for (size_t i = 0; i < job->kept_count; ++i)
    for (size_t j = 0; j < sizeof of_op / sizeof *of_op; ++j)
      mlirOperationRemoveDiscardableAttributeByName(job->kept[i],
                                                    gmem_attr_name(of_op[j]));
  for (size_t i = 0; i < job->arena_count; ++i)
    job->attributes[i] = describe_arena(job, &job->arenas[i]);
  gmem_op_annotate(job->scope, GMEM_ATTR_ARENAS,
                   mlirArrayAttrGet(mlirOperationGetContext(job->scope),
                                    (intptr_t)job->arena_count,
                                    job->attributes));
}

static void rewrite_scope(const gmem_materialization_t *job) {
  for (size_t i = 0; i < job->dealloc_count; ++i)
    mlirOperationDestroy(job->deallocs[i]);
  gmem_noalias_attributes_remove(job);
  gmem_arenas_build(job);
  for (size_t i = 0; i < job->part_count; ++i)
    gmem_part_build(job, &job->parts[i]);
  gmem_arena_globals_settle(job);
  replace_plan(job);
}

const char *const gmem_materialize_dialects[] = {"arith", "cf", "func",
                                                 "memref", NULL};

// Has no effect under a pass manager, which has loaded them already.
static gmem_status_t load_dialects(MlirOperation top, gmem_diag_t *diag) {
  const char *const *name = gmem_materialize_dialects;
  MlirContext context = mlirOperationGetContext(top);
  for (; *name; ++name)
    if (mlirDialectIsNull(
            mlirContextGetOrLoadDialect(context, gmem_string(*name))))
      return gmem_op_error(diag, GMEM_ERR_STATE, top,
                           "dialect '%s' is not registered in the context",
                           *name);
  return GMEM_OK;
}

gmem_status_t gmem_materialize(MlirOperation top,
                               const gmem_plan_options_t *options,
                               const gmem_allocator_t *allocator,
                               gmem_diag_t *diag) {
  gmem_bump_t arena;
  gmem_bump_init(&arena, allocator);
  materializer_t materializer = {.options = options, .arena = &arena};
  materializer.end = &materializer.first;
  gmem_status_t status = gmem_for_each_plan_in(
      top,
      &(gmem_plan_visit_t){analyse_scope, &materializer, options->verified},
      allocator, diag);
  if (status == GMEM_OK)
    status = load_dialects(top, diag);
  for (const gmem_materialization_t *job = materializer.first;
       job && status == GMEM_OK; job = job->next)
    rewrite_scope(job);
  gmem_bump_destroy(&arena);
  return status;
}
