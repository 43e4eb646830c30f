// workbuffers.c - see workbuffers.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "workbuffers.h"

#include <assert.h>
#include <stdio.h>

#include "attribute_codec.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "op_models.h"
#include "scopes.h"

// Limits of plan images.
enum { MAX_THREADS = 1024, MAX_ALIGNMENT = 1 << 30 }; // bytes

typedef struct reader_s {
  const gmem_program_t *program;
  gmem_bump_t *arena;
  gmem_workbuffers_t *out;
  size_t room, stale_room;
  uint32_t step; // op of the program in which the current op runs
  gmem_status_t status;
  gmem_diag_t *diag;
} reader_t;

void gmem_workbuffer_describe(const gmem_op_workbuffer_t *workbuffer,
                              char *text, size_t size) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(workbuffer->op));
  snprintf(text, size, "workbuffer #%u of '%.*s'", workbuffer->number,
           (int)name.length, name.data);
}

gmem_status_t gmem_workbuffer_error(const gmem_op_workbuffer_t *workbuffer,
                                    const char *what, gmem_diag_t *diag) {
  return gmem_reject(diag, workbuffer->op,
                     "gmem.workbuffers: workbuffer #%u %s", workbuffer->number,
                     what);
}

//===--- one dictionary ---------------------------------------------------===//

static gmem_status_t read_pools(const gmem_field_reader_t *reader,
                                MlirAttribute value) {
  bool is_good =
      gmem_is_string_list(value, -1) && mlirArrayAttrGetNumElements(value) != 0;
  for (intptr_t i = 0; is_good && i < mlirArrayAttrGetNumElements(value); ++i)
    is_good =
        mlirStringAttrGetValue(mlirArrayAttrGetElement(value, i)).length != 0;
  ((gmem_op_workbuffer_t *)reader->out)->pools = value;
  return is_good ? GMEM_OK : GMEM_ERR_INVALID_ARGUMENT;
}

static const char *const kinds[] = {"mutable", "immutable", NULL};
static const gmem_field_t fields[] = {
    {GMEM_FIELD("size", gmem_op_workbuffer_t, thread_size, NUMBER, REQUIRED),
     .problem = "has an invalid size: expected an i64 of at least 0"},
    {GMEM_FIELD("kind", gmem_op_workbuffer_t, immutable, WORD, OPTIONAL),
     .words = kinds,
     .problem = "has an invalid kind: expected \"mutable\" or \"immutable\""},
    {GMEM_FIELD("threads", gmem_op_workbuffer_t, threads, NUMBER, OPTIONAL),
     .least = 1, .most = MAX_THREADS,
     .problem = "has invalid threads: expected an i64 from 1 to 1024"},
    {GMEM_FIELD("alignment", gmem_op_workbuffer_t, alignment, POWER, OPTIONAL),
     .absent = 1, .most = MAX_ALIGNMENT,
     .problem = "has an invalid alignment: expected an i64, a power of two up "
                "to 2^30"},
    {GMEM_FIELD("pools", gmem_op_workbuffer_t, pools, OTHER, OPTIONAL),
     .read = read_pools,
     .problem = "has invalid pools: expected a non-empty array of names"}};
static const gmem_schema_t schema = {
    .fields = fields,
    .count = sizeof fields / sizeof *fields,
    .size = sizeof(gmem_op_workbuffer_t),
    .unknown = "has an unknown entry: expected size, kind, threads, alignment "
               "or pools",
    .incomplete = "has no size",
    .no_dictionary = "is not a dictionary"};

// Computes the bytes of all threads; false on overflow.
static bool find_size(gmem_op_workbuffer_t *workbuffer) {
  uint64_t part = workbuffer->thread_size;
  uint64_t apart = workbuffer->alignment > GMEM_THREAD_ALIGNMENT
                       ? workbuffer->alignment
                       : GMEM_THREAD_ALIGNMENT;
  if (workbuffer->threads > 1) // both are below 2^63
    part = (part + (apart - 1)) & ~(apart - 1);
  if (part > GMEM_MAX_ADDRESS / workbuffer->threads)
    return false;
  workbuffer->size = part * workbuffer->threads;
  return true;
}

// Reads workbuffer |number| of |op| into |out|.
static gmem_status_t read_workbuffer(MlirOperation op, uint32_t number,
                                     MlirAttribute dictionary,
                                     gmem_op_workbuffer_t *out,
                                     gmem_diag_t *diag) {
  gmem_malformed_t problem;
  *out = (gmem_op_workbuffer_t){.op = op, .number = number};
  if (gmem_dictionary_read(&schema, dictionary, NULL, out, &problem) != GMEM_OK)
    return gmem_workbuffer_error(out, problem.text, diag);
  out->is_per_thread = out->threads != 0;
  if (!out->is_per_thread)
    out->threads = 1;
  if (out->immutable && out->is_per_thread)
    return gmem_workbuffer_error(
        out, "is immutable and cannot have threads: all threads share it",
        diag);
  return find_size(out)
             ? GMEM_OK
             : gmem_op_error(diag, GMEM_ERR_OUT_OF_RANGE, op,
                             "gmem.workbuffers: the size of workbuffer #%u "
                             "does not fit in 63 bits",
                             number);
}

gmem_status_t gmem_workbuffer_check(MlirOperation op, uint32_t number,
                                    MlirAttribute dictionary,
                                    gmem_diag_t *diag) {
  gmem_op_workbuffer_t ignored;
  return read_workbuffer(op, number, dictionary, &ignored, diag);
}

//===--- concurrency ------------------------------------------------------===//

// Sets *out if an op that encloses the current one, up to the opaque op whose
// body it is in, runs its regions concurrently.
static gmem_status_t is_parallel_inside(const reader_t *reader,
                                        MlirOperation op, bool *out) {
  MlirOperation holder = reader->program->ops[reader->step].op;
  *out = false;
  while (!*out && !mlirOperationEqual(op, holder)) {
    const gmem_op_model_t *model;
    op = mlirOperationGetParentOperation(op);
    GMEM_TRY(gmem_op_models_of_op(reader->program->models, op, reader->arena,
                                  &model, reader->diag));
    *out = model->kind == GMEM_OP_PARALLEL ||
           model->kind == GMEM_OP_SCALAR_BODY || gmem_is_function(op);
  }
  return GMEM_OK;
}

// Sets *out if the op may run concurrently with itself, so that one buffer is
// not enough. Functions that may do so are found later, from their callers.
static gmem_status_t is_concurrent(const reader_t *reader, MlirOperation op,
                                   bool *out) {
  const gmem_program_op_t *step = &reader->program->ops[reader->step];
  *out = step->deferred || (step->parent != GMEM_NO_INDEX &&
                            reader->program->ops[step->parent].parallel);
  return *out ? GMEM_OK : is_parallel_inside(reader, op, out);
}

static gmem_status_t check_concurrency(const reader_t *reader,
                                       const gmem_op_workbuffer_t *workbuffer) {
  bool concurrent;
  if (workbuffer->immutable || workbuffer->is_per_thread || !workbuffer->size)
    return GMEM_OK;
  GMEM_TRY(is_concurrent(reader, workbuffer->op, &concurrent));
  return concurrent
             ? gmem_workbuffer_error(
                   workbuffer,
                   "is mutable, but its op may run concurrently with itself: "
                   "set \"threads\" to the number of threads",
                   reader->diag)
             : GMEM_OK;
}

//===--- all ops ----------------------------------------------------------===//

static gmem_status_t add_workbuffer(reader_t *reader, MlirOperation op,
                                    uint32_t number, MlirAttribute dictionary) {
  gmem_workbuffers_t *out = reader->out;
  gmem_op_workbuffer_t workbuffer;
  GMEM_TRY(read_workbuffer(op, number, dictionary, &workbuffer, reader->diag));
  workbuffer.step = reader->step;
  GMEM_TRY(check_concurrency(reader, &workbuffer));
  GMEM_TRY_GROW(reader->arena, out->all, out->count, reader->room,
                reader->diag);
  out->all[out->count++] = workbuffer;
  return GMEM_OK;
}

// Reads the workbuffers of |op|. Without any, its workbuffer offsets are stale.
static gmem_status_t read_op(reader_t *reader, MlirOperation op) {
  gmem_workbuffers_t *out = reader->out;
  MlirAttribute list = gmem_op_annotation(op, GMEM_ATTR_WORKBUFFERS);
  bool is_array = !mlirAttributeIsNull(list) && mlirAttributeIsAArray(list);
  intptr_t count = is_array ? mlirArrayAttrGetNumElements(list) : 0;
  if (!is_array && !mlirAttributeIsNull(list))
    return gmem_reject(reader->diag, op,
                       "gmem.workbuffers must be an array of dictionaries");
  for (intptr_t i = 0; i < count; ++i)
    GMEM_TRY(add_workbuffer(reader, op, (uint32_t)i,
                            mlirArrayAttrGetElement(list, i)));
  if (count ||
      (mlirAttributeIsNull(
           gmem_op_annotation(op, GMEM_ATTR_WORKBUFFER_OFFSET)) &&
       mlirAttributeIsNull(gmem_op_annotation(op, GMEM_ATTR_WORKBUFFER_POOL))))
    return GMEM_OK;
  GMEM_TRY_GROW(reader->arena, out->stale, out->stale_count, reader->stale_room,
                reader->diag);
  out->stale[out->stale_count++] = op;
  return GMEM_OK;
}

static MlirWalkResult read_inner(MlirOperation op, void *user) {
  reader_t *reader = user;
  reader->status = read_op(reader, op);
  return reader->status == GMEM_OK ? MlirWalkResultAdvance
                                   : MlirWalkResultInterrupt;
}

// Reads an op of the program and, if it is opaque, the ops in its body, which
// run at its step. Weights in the body are ops of the program themselves and
// are skipped here.
static gmem_status_t read_step(reader_t *reader, uint32_t index) {
  const gmem_program_op_t *step = &reader->program->ops[index];
  reader->step = index;
  if (step->parent != GMEM_NO_INDEX &&
      reader->program->ops[step->parent].opaque)
    return GMEM_OK;
  if (!step->opaque)
    return step->own & (UINT64_C(1) << GMEM_ATTR_WORKBUFFERS |
                        UINT64_C(1) << GMEM_ATTR_WORKBUFFER_OFFSET |
                        UINT64_C(1) << GMEM_ATTR_WORKBUFFER_POOL)
               ? read_op(reader, step->op)
               : GMEM_OK;
  mlirOperationWalk(step->op, read_inner, reader, MlirWalkPreOrder);
  return reader->status;
}

static gmem_status_t reject(const reader_t *reader, MlirOperation op) {
  if (mlirAttributeIsNull(gmem_op_annotation(op, GMEM_ATTR_WORKBUFFERS)))
    return GMEM_OK;
  return gmem_reject(
      reader->diag, op,
      "gmem.workbuffers: only ops in functions have workbuffers");
}

// Rejects the attribute on ops that do not run: the scope, functions, globals.
static gmem_status_t reject_other_ops(const reader_t *reader) {
  MlirOperation scope = reader->program->scope;
  GMEM_TRY(reject(reader, scope));
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(scope); ++i)
    for (MlirOperation op = gmem_first_op(scope, i); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op))
      GMEM_TRY(reject(reader, op));
  return GMEM_OK;
}

// Lists the workbuffers with a size by kind.
static gmem_status_t list_by_kind(const reader_t *reader) {
  gmem_workbuffers_t *out = reader->out;
  for (size_t i = 1; i < out->count; ++i)
    assert(out->all[i - 1].step <= out->all[i].step); // ordered by op
  GMEM_TRY_ALLOC(out->mutables, reader->arena, out->count, reader->diag);
  GMEM_TRY_ALLOC(out->immutables, reader->arena, out->count, reader->diag);
  for (uint32_t i = 0; i < out->count; ++i) {
    if (!out->all[i].size)
      continue;
    if (out->all[i].immutable)
      out->immutables[out->immutable_count++] = i;
    else
      out->mutables[out->mutable_count++] = i;
  }
  return GMEM_OK;
}

gmem_status_t gmem_workbuffers_read(const gmem_program_t *program,
                                    gmem_bump_t *arena,
                                    gmem_workbuffers_t *out_workbuffers,
                                    gmem_diag_t *diag) {
  *out_workbuffers = (gmem_workbuffers_t){0};
  reader_t reader = {
      .program = program, .arena = arena, .out = out_workbuffers, .diag = diag};
  GMEM_TRY(reject_other_ops(&reader));
  for (uint32_t i = 0; i < program->op_count; ++i)
    GMEM_TRY(read_step(&reader, i));
  return list_by_kind(&reader);
}
