// noalias_attributes.c - removes assertions about memory that no longer hold
// once buffers are parts of an arena.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// llvm.noalias asserts that, while a function runs, memory accessed through the
// argument is accessed through no other pointer. The plan may place a callee's
// own buffer over an argument that is dead after its last use, so the assertion
// fails. Functions without callers in the scope take no buffers of an arena as
// arguments, so theirs stay.
//
// llvm.readnone holds for a function that accesses only its own memory, for
// example on the stack. An arena also contains bytes of the callers.
//
// memref.distinct_objects becomes an LLVM assumption about whole allocations:
// two parts of one arena would be assumed not to be in the same allocation.

#include "materialization.h"

#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"

static bool is_noalias(MlirAttribute entry) {
  return !mlirAttributeIsNull(entry) && mlirAttributeIsADictionary(entry) &&
         !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(
             entry, gmem_string("llvm.noalias")));
}

// Returns |entry|, which has llvm.noalias, without it; |named| has room for all
// others.
static MlirAttribute without_noalias(MlirAttribute entry,
                                     MlirNamedAttribute *named) {
  intptr_t kept = 0;
  for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(entry); ++i) {
    MlirNamedAttribute at = mlirDictionaryAttrGetElement(entry, i);
    if (!gmem_string_is(mlirIdentifierStr(at.name), "llvm.noalias"))
      named[kept++] = at;
  }
  return mlirDictionaryAttrGet(mlirAttributeGetContext(entry), kept, named);
}

// Lists |op| if its arg_attrs contain llvm.noalias.
static gmem_status_t add(gmem_materialization_t *job, MlirOperation op) {
  MlirAttribute old = gmem_op_attribute(op, "arg_attrs");
  bool is_changed = false;
  if (mlirAttributeIsNull(old) || !mlirAttributeIsAArray(old))
    return GMEM_OK;
  intptr_t count = mlirArrayAttrGetNumElements(old);
  MlirAttribute *entries;
  GMEM_TRY_ALLOC(entries, job->arena, (size_t)count, job->diag);
  for (intptr_t i = 0; i < count; ++i) {
    MlirNamedAttribute *named;
    entries[i] = mlirArrayAttrGetElement(old, i);
    if (!is_noalias(entries[i]))
      continue;
    is_changed = true;
    GMEM_TRY_ALLOC(named, job->arena,
                   (size_t)mlirDictionaryAttrGetNumElements(entries[i]),
                   job->diag);
    entries[i] = without_noalias(entries[i], named);
  }
  if (is_changed)
    GMEM_APPEND(job->arena, &job->noalias,
                (gmem_noalias_attribute_t){
                    op, mlirArrayAttrGet(mlirAttributeGetContext(old), count,
                                         entries)});
  return GMEM_OK;
}

static bool has_workspace(const gmem_materialization_t *job) {
  for (size_t i = 0; i < job->arenas.count; ++i)
    if (!job->arenas.at[i].constant)
      return true;
  return false;
}

gmem_status_t gmem_noalias_attributes_find(gmem_materialization_t *job,
                                           const gmem_analysis_t *analysis) {
  const gmem_calls_t *calls = &analysis->facts.calls;
  if (!has_workspace(job))
    return GMEM_OK;
  for (size_t i = 0; i < job->function_count; ++i)
    if (calls->callees[i].mentions != 0)
      GMEM_TRY(add(job, job->functions[i].op));
  for (size_t i = 0; i < calls->count; ++i)
    GMEM_TRY(add(job, analysis->program.ops[calls->calls[i].op].op));
  return GMEM_OK;
}

static MlirWalkResult remove_distinct_objects(MlirOperation op, void *user) {
  (void)user;
  if (!gmem_op_is(op, "memref.distinct_objects"))
    return MlirWalkResultAdvance;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i),
                                  mlirOperationGetOperand(op, i));
  mlirOperationDestroy(op);
  return MlirWalkResultAdvance;
}

void gmem_noalias_attributes_remove(const gmem_materialization_t *job) {
  for (size_t i = 0; i < job->noalias.count; ++i)
    mlirOperationSetAttributeByName(job->noalias.at[i].op,
                                    gmem_string("arg_attrs"),
                                    job->noalias.at[i].arg_attrs);
  for (size_t i = 0; i < job->function_count && has_workspace(job); ++i) {
    MlirOperation op = job->functions[i].op;
    mlirOperationRemoveDiscardableAttributeByName(op,
                                                  gmem_string("llvm.readnone"));
    mlirOperationWalk(op, remove_distinct_objects, NULL, MlirWalkPostOrder);
  }
}
