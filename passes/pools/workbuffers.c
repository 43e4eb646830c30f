// workbuffers.c - see workbuffers.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "workbuffers.h"

#include <stdio.h>

#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "op_models.h"
#include "program.h"
#include "scopes.h"
#include "vocabulary.h"

// Limits of plan images.
enum { MAX_THREADS = 1024 };
static const uint64_t max_alignment = UINT64_C(1) << 30; // bytes

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

static MlirAttribute attribute_of(MlirOperation op, gmem_attr_t name) {
  return gmem_op_annotation(op, name);
}

//===--- one dictionary ---------------------------------------------------===//

// Reads an i64 that is at least |least|.
static bool get_i64(MlirAttribute value, int64_t least, uint64_t *out) {
  if (!mlirAttributeIsAInteger(value) ||
      !mlirTypeEqual(mlirAttributeGetType(value),
                     mlirIntegerTypeGet(mlirAttributeGetContext(value), 64)) ||
      mlirIntegerAttrGetValueInt(value) < least)
    return false;
  *out = (uint64_t)mlirIntegerAttrGetValueInt(value);
  return true;
}

static bool is_list_of_names(MlirAttribute value) {
  if (!mlirAttributeIsAArray(value) || !mlirArrayAttrGetNumElements(value))
    return false;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(value); ++i) {
    MlirAttribute name = mlirArrayAttrGetElement(value, i);
    if (!mlirAttributeIsAString(name) || !mlirStringAttrGetValue(name).length)
      return false;
  }
  return true;
}

static const char *read_kind(MlirAttribute value, gmem_op_workbuffer_t *out) {
  MlirStringRef kind = {"", 0};
  if (mlirAttributeIsAString(value))
    kind = mlirStringAttrGetValue(value);
  out->immutable = gmem_string_is(kind, "immutable");
  return out->immutable || gmem_string_is(kind, "mutable")
             ? NULL
             : "has an invalid kind: expected \"mutable\" or \"immutable\"";
}

static const char *read_threads(MlirAttribute value,
                                gmem_op_workbuffer_t *out) {
  uint64_t threads;
  if (!get_i64(value, 1, &threads) || threads > MAX_THREADS)
    return "has invalid threads: expected an i64 from 1 to 1024";
  out->is_per_thread = true;
  out->threads = (uint32_t)threads;
  return NULL;
}

static const char *read_alignment(MlirAttribute value,
                                  gmem_op_workbuffer_t *out) {
  return get_i64(value, 1, &out->alignment) &&
                 (out->alignment & (out->alignment - 1)) == 0 &&
                 out->alignment <= max_alignment
             ? NULL
             : "has an invalid alignment: expected an i64, a power of two up "
               "to 2^30";
}

// Reads one entry of the dictionary; returns an error text, or NULL.
static const char *read_entry(MlirStringRef name, MlirAttribute value,
                              bool *has_size, gmem_op_workbuffer_t *out) {
  if (gmem_string_is(name, "size")) {
    *has_size = get_i64(value, 0, &out->thread_size);
    return *has_size ? NULL
                     : "has an invalid size: expected an i64 of at least 0";
  }
  if (gmem_string_is(name, "kind"))
    return read_kind(value, out);
  if (gmem_string_is(name, "threads"))
    return read_threads(value, out);
  if (gmem_string_is(name, "alignment"))
    return read_alignment(value, out);
  if (!gmem_string_is(name, "pools"))
    return "has an unknown entry: expected size, kind, threads, alignment or "
           "pools";
  out->pools = value;
  return is_list_of_names(value)
             ? NULL
             : "has invalid pools: expected a non-empty array of names";
}

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

static gmem_status_t read_workbuffer(MlirAttribute dictionary,
                                     gmem_op_workbuffer_t *out,
                                     gmem_diag_t *diag) {
  const char *wrong = NULL;
  bool has_size = false;
  if (!mlirAttributeIsADictionary(dictionary))
    return gmem_workbuffer_error(out, "is not a dictionary", diag);
  for (intptr_t i = 0;
       i < mlirDictionaryAttrGetNumElements(dictionary) && !wrong; ++i) {
    MlirNamedAttribute entry = mlirDictionaryAttrGetElement(dictionary, i);
    wrong = read_entry(mlirIdentifierStr(entry.name), entry.attribute,
                       &has_size, out);
  }
  if (!wrong && !has_size)
    wrong = "has no size";
  if (!wrong && out->immutable && out->is_per_thread)
    wrong = "is immutable and cannot have threads: all threads share it";
  if (wrong)
    return gmem_workbuffer_error(out, wrong, diag);
  if (!find_size(out))
    return gmem_op_error(
        diag, GMEM_ERR_OUT_OF_RANGE, out->op,
        "gmem.workbuffers: the size of workbuffer #%u does not "
        "fit in 63 bits",
        out->number);
  return GMEM_OK;
}

// Default values of workbuffer |number| of |op|.
static gmem_op_workbuffer_t begin_workbuffer(MlirOperation op,
                                             uint32_t number) {
  return (gmem_op_workbuffer_t){
      .op = op, .number = number, .threads = 1, .alignment = 1};
}

gmem_status_t gmem_workbuffer_check(MlirOperation op, uint32_t number,
                                    MlirAttribute dictionary,
                                    gmem_diag_t *diag) {
  gmem_op_workbuffer_t ignored = begin_workbuffer(op, number);
  return read_workbuffer(dictionary, &ignored, diag);
}

//===--- concurrency ------------------------------------------------------===//

// Sets *out if an op that encloses the current one, up to the opaque op whose
// body it is in, runs its regions concurrently.
static gmem_status_t is_parallel_inside(const reader_t *reader,
                                        MlirOperation op, bool *out) {
  MlirOperation holder = reader->program->ops[reader->step].op;
  gmem_status_t status = GMEM_OK;
  *out = false;
  while (status == GMEM_OK && !*out && !mlirOperationEqual(op, holder)) {
    const gmem_op_model_t *model;
    op = mlirOperationGetParentOperation(op);
    status = gmem_op_models_of_op(reader->program->models, op, reader->arena,
                                  &model, reader->diag);
    *out = status == GMEM_OK &&
           (model->kind == GMEM_OP_PARALLEL ||
            model->kind == GMEM_OP_SCALAR_BODY || gmem_is_function(op));
  }
  return status;
}

// Sets *out if the op may run concurrently with itself, so that one buffer is
// not enough. Functions that may do so are found later, from their callers.
static gmem_status_t is_concurrent(const reader_t *reader, MlirOperation op,
                                   bool *out) {
  const gmem_program_op_t *step = &reader->program->ops[reader->step];
  *out = step->late || (step->parent != GMEM_NO_INDEX &&
                        reader->program->ops[step->parent].parallel);
  return *out ? GMEM_OK : is_parallel_inside(reader, op, out);
}

static gmem_status_t check_concurrency(const reader_t *reader,
                                       const gmem_op_workbuffer_t *workbuffer) {
  bool concurrent;
  if (workbuffer->immutable || workbuffer->is_per_thread || !workbuffer->size)
    return GMEM_OK;
  gmem_status_t status = is_concurrent(reader, workbuffer->op, &concurrent);
  return status == GMEM_OK && concurrent
             ? gmem_workbuffer_error(
                   workbuffer,
                   "is mutable, but its op may run concurrently with itself: "
                   "set \"threads\" to the number of threads",
                   reader->diag)
             : status;
}

//===--- all ops ----------------------------------------------------------===//

static gmem_status_t add_stale(reader_t *reader, MlirOperation op) {
  gmem_workbuffers_t *out = reader->out;
  if (!gmem_bump_grow(reader->arena, &out->stale, out->stale_count,
                      &reader->stale_room, sizeof op))
    return gmem_out_of_memory(reader->diag);
  out->stale[out->stale_count++] = op;
  return GMEM_OK;
}

static gmem_status_t add_workbuffer(reader_t *reader, MlirOperation op,
                                    uint32_t number, MlirAttribute dictionary) {
  gmem_workbuffers_t *out = reader->out;
  gmem_op_workbuffer_t workbuffer = begin_workbuffer(op, number);
  workbuffer.step = reader->step;
  GMEM_TRY(read_workbuffer(dictionary, &workbuffer, reader->diag));
  GMEM_TRY(check_concurrency(reader, &workbuffer));
  if (!gmem_bump_grow(reader->arena, &out->all, out->count, &reader->room,
                      sizeof workbuffer))
    return gmem_out_of_memory(reader->diag);
  out->all[out->count++] = workbuffer;
  return GMEM_OK;
}

static gmem_status_t read_op(reader_t *reader, MlirOperation op) {
  MlirAttribute list = attribute_of(op, GMEM_ATTR_WORKBUFFERS);
  if (mlirAttributeIsNull(list) ||
      (mlirAttributeIsAArray(list) && !mlirArrayAttrGetNumElements(list)))
    return mlirAttributeIsNull(attribute_of(op, GMEM_ATTR_WORKBUFFER_OFFSET)) &&
                   mlirAttributeIsNull(
                       attribute_of(op, GMEM_ATTR_WORKBUFFER_POOL))
               ? GMEM_OK
               : add_stale(reader, op);
  if (!mlirAttributeIsAArray(list))
    return gmem_reject(reader->diag, op,
                       "gmem.workbuffers must be an array of dictionaries");
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(list); ++i)
    GMEM_TRY(add_workbuffer(reader, op, (uint32_t)i,
                            mlirArrayAttrGetElement(list, i)));
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
    return read_op(reader, step->op);
  mlirOperationWalk(step->op, read_inner, reader, MlirWalkPreOrder);
  return reader->status;
}

static gmem_status_t reject(const reader_t *reader, MlirOperation op) {
  if (mlirAttributeIsNull(attribute_of(op, GMEM_ATTR_WORKBUFFERS)))
    return GMEM_OK;
  return gmem_reject(
      reader->diag, op,
      "gmem.workbuffers: only ops in functions have workbuffers");
}

// Rejects the attribute on ops that do not run: the scope, functions, globals.
static gmem_status_t reject_other_ops(const reader_t *reader) {
  MlirOperation scope = reader->program->scope;
  gmem_status_t status = reject(reader, scope);
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(scope); ++i)
    for (MlirOperation op = gmem_first_op(scope, i);
         status == GMEM_OK && !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op))
      status = reject(reader, op);
  return status;
}

// Lists the workbuffers with a size by kind.
static gmem_status_t list_by_kind(const reader_t *reader) {
  gmem_workbuffers_t *out = reader->out;
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
