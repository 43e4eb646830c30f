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
//           deallocations are erased, as are copies from a buffer to another
//           one at the same bytes; dynamic sizes are asserted not to exceed
//           the bounds that the plan assumes. With weights=image planned
//           constants become views of an arena, too. gmem.arenas describes the
//           arenas, gmem.arena marks them. The attributes of the plan are
//           removed, except gmem.workbuffer_pool and gmem.workbuffer_offset,
//           which locate workbuffers in the arenas of their functions.
// fails:    when there is no plan or it is invalid, when it contains a tensor,
//           when an immutable workbuffer could not be initialised or a constant
//           with gmem.transform not be made, when an
//           arena cannot be passed to a function, or when a caller that
//           accesses inputs and outputs in an arena (gmem.inputs) does not
//           provide it (mode "arg"); the IR is then unchanged.

#include "materialize.h"

#include <assert.h>
#include <string.h>

#include "constant_globals.h"
#include "contents.h"
#include "diagnostics.h"
#include "ir_builder.h"
#include "ir_reading.h"
#include "materialization.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
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
  const gmem_program_t *program; // of the plan
  const gmem_op_models_t *models;
  const gmem_plan_options_t *options;
  gmem_materialization_t *job;
} reader_t;

//===--- pools ------------------------------------------------------------===//

// The index of the arena of pool |index|. If there is none yet, adds one in
// memory space |space|.
static uint32_t arena_of(const reader_t *reader, uint32_t index,
                         MlirAttribute space) {
  gmem_materialization_t *job = reader->job;
  const gmem_pool_entry_t *pool = &reader->plan->pools.entries[index];
  int64_t size = (int64_t)pool->size;
  MlirType byte = mlirIntegerTypeGet(mlirOperationGetContext(job->scope), 8);
  uint32_t i = 0;
  while (i < job->arenas.count &&
         !mlirStringRefEqual(job->arenas.at[i].pool, pool->name))
    ++i;
  if (i == job->arenas.count)
    GMEM_APPEND(job->arena, &job->arenas,
                (gmem_pool_arena_t){
                    .pool = pool->name,
                    .size = pool->size,
                    .alignment = pool->alignment,
                    .constant = pool->constant,
                    .is_init = pool->is_init,
                    .type = mlirMemRefTypeGet(byte, 1, &size,
                                              mlirAttributeGetNull(), space)});
  return i;
}

// Records that |function| contains buffers in |arena|.
static gmem_status_t use_arena(const reader_t *reader, uint32_t function,
                               uint32_t arena) {
  gmem_materialization_t *job = reader->job;
  GMEM_TRY(gmem_bump_status(job->arena, job->diag));
  assert(arena < job->arenas.count && function < job->function_count);
  job->functions[function].uses[arena] = true;
  return GMEM_OK;
}

//===--- parts ------------------------------------------------------------===//

static gmem_status_t add_part(const reader_t *reader, uint32_t value) {
  gmem_materialization_t *job = reader->job;
  const gmem_program_op_t *op = gmem_defining_op(reader->program, value);
  const gmem_value_place_t *place = &reader->plan->places[value];
  MlirAttribute space = mlirMemRefTypeGetMemorySpace(
      mlirValueGetType(reader->program->values[value].value));
  gmem_arena_part_t part = {.op = op->op,
                            .function = op->function,
                            .arena = arena_of(reader, place->pool, space),
                            .offset = place->payload};
  assert(part.offset >= 0);
  GMEM_TRY(use_arena(reader, part.function, part.arena));
  const gmem_pool_arena_t *arena = &job->arenas.at[part.arena];
  if (!mlirAttributeEqual(mlirMemRefTypeGetMemorySpace(arena->type), space))
    return gmem_error_at(
        job->diag, GMEM_ERR_INVALID_ARGUMENT,
        gmem_value_location(reader->program, value),
        "pool '%.*s' contains memrefs of different memory spaces",
        (int)arena->pool.length, arena->pool.data);
  GMEM_TRY(
      gmem_part_check(job, &part, reader->plan->figures.model.dynamic_bound));
  GMEM_APPEND(job->arena, &job->parts, part);
  return GMEM_OK;
}

static gmem_status_t add_value(const reader_t *reader, uint32_t value) {
  const gmem_program_op_t *op = gmem_defining_op(reader->program, value);
  MlirType type = mlirValueGetType(reader->program->values[value].value);
  if (!gmem_has_place(&reader->plan->places[value]))
    return GMEM_OK;
  if (!mlirTypeIsAMemRef(type) || !op ||
      (op->kind != GMEM_OP_ALLOC && op->kind != GMEM_OP_GLOBAL))
    return gmem_value_error(
        reader->program, value, GMEM_ERR_INVALID_ARGUMENT,
        "is planned but is not a memref: bufferize before gmem-plan",
        reader->job->diag);
  // Memory that the program itself contains has no initialiser.
  if (gmem_transformed_op(reader->program, op).ptr &&
      (!reader->options->weight_image ||
       reader->options->arena_mode != GMEM_ARENA_ARG))
    return gmem_value_error(
        reader->program, value, GMEM_ERR_INVALID_ARGUMENT,
        "is made by functions from outside the program (gmem.transform): use "
        "weights=image and arena-mode=arg",
        reader->job->diag);
  if (op->kind == GMEM_OP_ALLOC || reader->options->weight_image)
    return add_part(reader, value);
  GMEM_APPEND(reader->job->arena, &reader->job->kept, op->op);
  return GMEM_OK;
}

// An op keeps gmem.workbuffer_pool and gmem.workbuffer_offset, which locate its
// workbuffers in the arenas of these pools; its function must have the arenas.
static gmem_status_t add_workbuffer(const reader_t *reader, size_t index) {
  const gmem_op_workbuffer_t *workbuffer =
      &reader->plan->analysis.workbuffers.all[index];
  const gmem_plan_options_t *options = reader->options;
  if (!workbuffer->size)
    return GMEM_OK;
  // Memory that the program itself contains or allocates has no initialiser.
  if (workbuffer->immutable &&
      (!options->weight_image || options->arena_mode != GMEM_ARENA_ARG))
    return gmem_reject(
        reader->job->diag, workbuffer->op,
        "workbuffer #%u is immutable and must be initialised from outside the "
        "program: use weights=image and arena-mode=arg",
        workbuffer->number);
  // The arenas of other memory spaces have been added for memrefs already.
  uint32_t arena = arena_of(reader, reader->plan->work_places[index].pool,
                            mlirAttributeGetNull());
  return use_arena(reader, reader->program->ops[workbuffer->step].function,
                   arena);
}

// Deallocations of planned memory are erased: they would free a part of an
// arena. The check of contents lists them.
static gmem_status_t add_deallocs(const reader_t *reader) {
  const gmem_program_t *program = reader->program;
  gmem_materialization_t *job = reader->job;
  gmem_contents_frees_t frees = {0};
  bool has_any = false;
  for (uint32_t i = 0; i < program->op_count && !has_any; ++i)
    has_any = program->ops[i].kind == GMEM_OP_DEALLOC;
  if (has_any)
    GMEM_TRY(gmem_contents_frees(job->scope, reader->models,
                                 &reader->plan->figures.model, job->arena,
                                 &frees, job->diag));
  for (size_t i = 0; i < frees.count; ++i)
    GMEM_APPEND(job->arena, &job->erased, frees.at[i]);
  return GMEM_OK;
}

// The place of operand |number|, if it is all of a planned allocation.
static const gmem_value_place_t *
place_of(const reader_t *reader, const gmem_program_op_t *op, intptr_t number) {
  uint32_t site =
      gmem_whole_site(reader->program, mlirOperationGetOperand(op->op, number));
  return site != GMEM_NO_INDEX && gmem_has_place(&reader->plan->places[site])
             ? &reader->plan->places[site]
             : NULL;
}

// Copies of bytes to where they are already are erased: the source dies there,
// and the plan has given its bytes to the target.
static void add_copy(const reader_t *reader, const gmem_program_op_t *op) {
  if ((!gmem_op_is(op->op, "memref.copy") &&
       !gmem_op_is(op->op, "linalg.copy")) ||
      mlirOperationGetNumOperands(op->op) != 2 ||
      mlirOperationGetNumResults(op->op) != 0)
    return;
  MlirType from = mlirValueGetType(mlirOperationGetOperand(op->op, 0)),
           to = mlirValueGetType(mlirOperationGetOperand(op->op, 1));
  const gmem_value_place_t *source = place_of(reader, op, 0),
                           *target = place_of(reader, op, 1);
  if (source && target && source->pool == target->pool &&
      source->payload == target->payload &&
      mlirTypeEqual(mlirShapedTypeGetElementType(from),
                    mlirShapedTypeGetElementType(to)))
    GMEM_APPEND(reader->job->arena, &reader->job->erased, op->op);
}

// The caller writes inputs and reads outputs in an arena only if it has it.
static gmem_status_t check_io(const reader_t *reader,
                              const gmem_program_op_t *op) {
  static const char *const names[] = {"gmem.inputs", "gmem.outputs", NULL};
  if (!gmem_op_is_any(op->op, names) ||
      reader->options->arena_mode == GMEM_ARENA_ARG)
    return GMEM_OK;
  return gmem_reject(reader->job->diag, op->op,
                     "the caller accesses memory of this function, so that it "
                     "must provide it: use arena-mode=arg");
}

static gmem_status_t make_functions(const reader_t *reader) {
  gmem_materialization_t *job = reader->job;
  size_t arenas = reader->plan->pools.count;
  job->function_count = reader->program->function_count;
  GMEM_TRY_ALLOC(job->functions, job->arena, job->function_count, job->diag);
  for (size_t i = 0; i < job->function_count; ++i) {
    gmem_arena_function_t *function = &job->functions[i];
    function->op = reader->program->functions[i].op;
    GMEM_TRY_ALLOC(function->needs, job->arena, arenas, job->diag);
    GMEM_TRY_ALLOC(function->uses, job->arena, arenas, job->diag);
    GMEM_TRY_ALLOC(function->arenas, job->arena, arenas, job->diag);
  }
  return GMEM_OK;
}

// Lists what the plan says of the scope.
static gmem_status_t list_changes(const reader_t *reader) {
  GMEM_TRY(make_functions(reader));
  for (uint32_t i = 0; i < reader->program->value_count; ++i)
    GMEM_TRY(add_value(reader, i));
  for (size_t i = 0; i < reader->plan->analysis.workbuffers.count; ++i)
    GMEM_TRY(add_workbuffer(reader, i));
  for (uint32_t i = 0; i < reader->program->op_count; ++i) {
    GMEM_TRY(check_io(reader, &reader->program->ops[i]));
    add_copy(reader, &reader->program->ops[i]);
  }
  return add_deallocs(reader);
}

static gmem_status_t make_scratch(gmem_materialization_t *job) {
  gmem_op_scratch_t *scratch = &job->scratch;
  scratch->width += job->arenas.count + job->parts.count;
  GMEM_TRY_ALLOC(scratch->values, job->arena, scratch->width, job->diag);
  GMEM_TRY_ALLOC(scratch->types, job->arena, scratch->width, job->diag);
  GMEM_TRY_ALLOC(scratch->attributes, job->arena, scratch->width, job->diag);
  GMEM_TRY_ALLOC(scratch->sizes, job->arena, scratch->width, job->diag);
  return GMEM_OK;
}

static gmem_status_t analyse_scope(gmem_scope_plan_t *plan,
                                   const gmem_op_models_t *models, void *user,
                                   gmem_diag_t *diag) {
  materializer_t *materializer = user;
  const gmem_analysis_t *analysis = &plan->analysis;
  gmem_materialization_t *job;
  GMEM_TRY_ALLOC(job, materializer->arena, 1, diag);
  *job = (gmem_materialization_t){.scope = analysis->program.scope,
                                  .mode = materializer->options->arena_mode,
                                  .arena = materializer->arena,
                                  .diag = diag};
  const reader_t reader = {plan, &analysis->program, models,
                           materializer->options, job};
  GMEM_TRY(list_changes(&reader));
  GMEM_TRY(gmem_arena_passing_find(job, analysis));
  GMEM_TRY(gmem_noalias_attributes_find(job, analysis));
  GMEM_TRY(gmem_arena_globals_find(job));
  GMEM_TRY(gmem_arena_images_fill(job, analysis->arena));
  GMEM_TRY(make_scratch(job));
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
      {"init",
       arena->is_init ? mlirUnitAttrGet(context) : mlirAttributeGetNull()},
      {"mode", gmem_text_attribute(context, mode)},
      {"symbol", arena->symbol ? gmem_symbol_attribute(context, arena->symbol)
                               : mlirAttributeGetNull()},
      {0}};
  return gmem_dictionary(context, entries);
}

// Replaces the plan, which no longer describes the program, by gmem.arenas.
static void replace_plan(const gmem_materialization_t *job) {
  static const gmem_attr_t of_op[] = {GMEM_ATTR_POOL, GMEM_ATTR_OFFSET,
                                      GMEM_ATTR_SIZE, GMEM_ATTR_PAYLOAD_OFFSET};
  const MlirAttribute none = {NULL};
  gmem_op_annotate(job->scope, GMEM_ATTR_PLAN, none);
  gmem_op_annotate(job->scope, GMEM_ATTR_POOL_TABLE, none);
  for (size_t i = 0; i < job->kept.count; ++i)
    for (size_t j = 0; j < sizeof of_op / sizeof *of_op; ++j)
      gmem_op_annotate(job->kept.at[i], of_op[j], none);
  for (size_t i = 0; i < job->arenas.count; ++i)
    job->scratch.attributes[i] = describe_arena(job, &job->arenas.at[i]);
  gmem_op_annotate(job->scope, GMEM_ATTR_ARENAS,
                   mlirArrayAttrGet(mlirOperationGetContext(job->scope),
                                    (intptr_t)job->arenas.count,
                                    job->scratch.attributes));
}

// Whether |op| is, or may become, a loop that passes on affine loops transform.
static MlirWalkResult find_loop(MlirOperation op, void *user) {
  static const char affine[] = "affine.", linalg[] = "linalg.";
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  bool *is_found = user;
  *is_found = name.length >= sizeof affine &&
              (memcmp(name.data, affine, sizeof affine - 1) == 0 ||
               memcmp(name.data, linalg, sizeof linalg - 1) == 0);
  return *is_found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

// Passes on affine loops would see disjoint memory where bytes are shared. Says
// so if there is, or may be, something for them to transform.
static void remark_order(const gmem_materialization_t *job) {
  bool is_shared = false, has_loops = false;
  for (size_t i = 1; i < job->parts.count; ++i)
    is_shared |= job->parts.at[i].arena == job->parts.at[0].arena;
  if (is_shared)
    mlirOperationWalk(job->scope, find_loop, &has_loops, MlirWalkPreOrder);
  if (has_loops)
    gmem_remark(mlirOperationGetLocation(job->scope),
                "different memrefs may share bytes of an arena now: passes "
                "that take them for different memory, such as "
                "affine-loop-fusion, must run before gmem-plan "
                "(docs/memrefs.md, order of passes)");
}

static void rewrite_scope(const gmem_materialization_t *job) {
  for (size_t i = 0; i < job->erased.count; ++i)
    mlirOperationDestroy(job->erased.at[i]);
  gmem_noalias_attributes_remove(job);
  gmem_arenas_build(job);
  for (size_t i = 0; i < job->parts.count; ++i)
    gmem_part_build(job, &job->parts.at[i]);
  gmem_arena_globals_settle(job);
  replace_plan(job);
  remark_order(job);
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
      &(gmem_plan_visit_t){.use = analyse_scope,
                           .user = &materializer,
                           .is_verified = options->verified},
      allocator, diag);
  if (status == GMEM_OK)
    status = load_dialects(top, diag);
  for (const gmem_materialization_t *job = materializer.first;
       job && status == GMEM_OK; job = job->next)
    rewrite_scope(job);
  gmem_bump_destroy(&arena);
  return status;
}
