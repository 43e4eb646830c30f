// noalias_attributes.c - what is said of memory and does not hold once
// buffers are parts of an arena.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// llvm.noalias says that while a function runs nobody else touches what it
// touches by this argument. A callee's own buffer may lie where one that it was
// given lay, from the last use of that on: so says the plan. Functions that
// nothing in the scope calls are given no part of an arena.
//
// llvm.readnone is right for a function whose memory is its own alone, on the
// stack for example. In an arena that has bytes of its callers', too.
//
// memref.distinct_objects becomes an assumption of LLVM's about whole
// allocations: of two parts of one arena it would say that the arena shares no
// byte with itself.

#include "noalias_attributes.h"

#include "diagnostics.h"
#include "ir_reading.h"
#include "materialization.h"
#include "mlir-c/BuiltinAttributes.h"

static bool is_noalias(MlirAttribute entry) {
  return !mlirAttributeIsNull(entry) && mlirAttributeIsADictionary(entry) &&
         !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(
             entry, gmem_string("llvm.noalias")));
}

// The entry of an argument, without llvm.noalias; null when memory is out.
static MlirAttribute without_noalias(MlirAttribute entry, gmem_bump_t *arena) {
  if (!is_noalias(entry))
    return entry;
  intptr_t count = mlirDictionaryAttrGetNumElements(entry), kept = 0;
  MlirNamedAttribute *named =
      gmem_bump_alloc(arena, (size_t)count, sizeof *named);
  if (!named)
    return mlirAttributeGetNull();
  for (intptr_t i = 0; i < count; ++i) {
    MlirNamedAttribute at = mlirDictionaryAttrGetElement(entry, i);
    if (!mlirStringRefEqual(mlirIdentifierStr(at.name),
                            gmem_string("llvm.noalias")))
      named[kept++] = at;
  }
  return mlirDictionaryAttrGet(mlirAttributeGetContext(entry), kept, named);
}

// Lists |op| when its arg_attrs promise too much. False when memory is out.
static bool add(gmem_materialization_t *job, MlirOperation op,
                gmem_bump_t *arena) {
  MlirAttribute old = gmem_op_attribute(op, "arg_attrs");
  bool is_promise = false;
  if (mlirAttributeIsNull(old) || !mlirAttributeIsAArray(old))
    return true;
  intptr_t count = mlirArrayAttrGetNumElements(old);
  MlirAttribute *entries =
      gmem_bump_alloc(arena, (size_t)count, sizeof *entries);
  for (intptr_t i = 0; i < count && entries; ++i) {
    MlirAttribute entry = mlirArrayAttrGetElement(old, i);
    is_promise |= is_noalias(entry);
    entries[i] = without_noalias(entry, arena);
    if (mlirAttributeIsNull(entries[i]))
      return false;
  }
  if (is_promise && entries)
    job->promises[job->promise_count++] = (gmem_noalias_attribute_t){
        op, mlirArrayAttrGet(mlirAttributeGetContext(old), count, entries)};
  return entries != NULL;
}

static bool has_workspace(const gmem_materialization_t *job) {
  for (size_t i = 0; i < job->arena_count; ++i)
    if (!job->arenas[i].constant)
      return true;
  return false;
}

gmem_status_t gmem_noalias_attributes_find(gmem_materialization_t *job,
                                           const gmem_analysis_t *analysis,
                                           gmem_bump_t *arena,
                                           gmem_diag_t *diag) {
  const gmem_calls_t *calls = &analysis->calls;
  if (!has_workspace(job))
    return GMEM_OK;
  job->promises = gmem_bump_alloc(arena, job->function_count + calls->count,
                                  sizeof *job->promises);
  if (!job->promises)
    return gmem_out_of_memory(diag);
  for (size_t i = 0; i < job->function_count; ++i)
    if (calls->callees[i].mentions != 0 &&
        !add(job, job->functions[i].op, arena))
      return gmem_out_of_memory(diag);
  for (size_t i = 0; i < calls->count; ++i)
    if (!add(job, analysis->program.ops[calls->calls[i].op].op, arena))
      return gmem_out_of_memory(diag);
  return GMEM_OK;
}

static MlirWalkResult forget_distinct(MlirOperation op, void *user) {
  (void)user;
  if (!gmem_op_is(op, "memref.distinct_objects"))
    return MlirWalkResultAdvance;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i),
                                  mlirOperationGetOperand(op, i));
  mlirOperationDestroy(op);
  return MlirWalkResultAdvance;
}

void gmem_noalias_attributes_forget(const gmem_materialization_t *job) {
  for (size_t i = 0; i < job->promise_count; ++i)
    mlirOperationSetAttributeByName(job->promises[i].op,
                                    gmem_string("arg_attrs"),
                                    job->promises[i].arg_attrs);
  for (size_t i = 0; i < job->function_count && has_workspace(job); ++i) {
    mlirOperationRemoveDiscardableAttributeByName(job->functions[i].op,
                                                  gmem_string("llvm.readnone"));
    mlirOperationWalk(job->functions[i].op, forget_distinct, NULL,
                      MlirWalkPostOrder);
  }
}
