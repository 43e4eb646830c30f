// workbuffer_requests.c - sets gmem.workbuffers as toolchains request it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdlib.h>

#include "bump.h"
#include "diagnostics.h"
#include "gmem/passes.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "scopes.h"
#include "vocabulary.h"
#include "workbuffers.h"

//===--- one op -----------------------------------------------------------===//

static MlirNamedAttribute named(MlirContext context, const char *name,
                                MlirAttribute value) {
  return mlirNamedAttributeGet(mlirIdentifierGet(context, gmem_string(name)),
                               value);
}

static MlirAttribute number(MlirContext context, uint64_t value) {
  return mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), (int64_t)value);
}

static MlirAttribute names(MlirContext context,
                           const gmem_workbuffer_request_t *request,
                           gmem_bump_t *arena) {
  MlirAttribute *list =
      gmem_bump_alloc(arena, request->pool_count, sizeof *list);
  for (size_t i = 0; list && i < request->pool_count; ++i)
    list[i] = mlirStringAttrGet(context, gmem_string(request->pools[i]));
  return list ? mlirArrayAttrGet(context, (intptr_t)request->pool_count, list)
              : mlirAttributeGetNull();
}

// Returns null if out of memory.
static MlirAttribute describe(MlirContext context,
                              const gmem_workbuffer_request_t *request,
                              gmem_bump_t *arena) {
  MlirNamedAttribute entries[5];
  intptr_t count = 0;
  entries[count++] = named(context, "size", number(context, request->size));
  if (request->alignment)
    entries[count++] =
        named(context, "alignment", number(context, request->alignment));
  if (request->threads)
    entries[count++] =
        named(context, "threads", number(context, request->threads));
  if (request->immutable)
    entries[count++] = named(
        context, "kind", mlirStringAttrGet(context, gmem_string("immutable")));
  if (request->pool_count) {
    MlirAttribute pools = names(context, request, arena);
    if (mlirAttributeIsNull(pools))
      return pools;
    entries[count++] = named(context, "pools", pools);
  }
  return mlirDictionaryAttrGet(context, count, entries);
}

static gmem_status_t set_in(MlirOperation op,
                            const gmem_workbuffer_request_t *requests,
                            size_t count, gmem_bump_t *arena,
                            gmem_diag_t *diag) {
  MlirContext context = mlirOperationGetContext(op);
  MlirStringRef name = gmem_attr_name(GMEM_ATTR_WORKBUFFERS);
  MlirAttribute *list;
  GMEM_TRY_ALLOC(list, arena, count, diag);
  for (size_t i = 0; i < count; ++i) {
    list[i] = describe(context, &requests[i], arena);
    if (mlirAttributeIsNull(list[i]))
      return gmem_out_of_memory(diag);
    GMEM_TRY(gmem_workbuffer_check(op, (uint32_t)i, list[i], diag));
  }
  if (count)
    mlirOperationSetDiscardableAttributeByName(
        op, name, mlirArrayAttrGet(context, (intptr_t)count, list));
  else
    mlirOperationRemoveDiscardableAttributeByName(op, name);
  return GMEM_OK;
}

gmem_status_t gmem_workbuffers_set(MlirOperation op,
                                   const gmem_workbuffer_request_t *requests,
                                   size_t count, gmem_diag_t *diag) {
  gmem_diag_t unread;
  gmem_bump_t arena;
  gmem_bump_init(&arena, NULL);
  gmem_status_t status =
      set_in(op, requests, count, &arena, diag ? diag : &unread);
  gmem_bump_destroy(&arena);
  return status;
}

//===--- all ops ----------------------------------------------------------===//

typedef struct query_s {
  gmem_workbuffers_fn ask;
  void *user;
  MlirOperation function; // the current one
  gmem_status_t status;
  gmem_diag_t *diag;
} query_t;

static MlirWalkResult ask_op(MlirOperation op, void *user) {
  query_t *query = user;
  const gmem_workbuffer_request_t *requests = NULL;
  size_t count = 0;
  if (mlirOperationEqual(op, query->function))
    return MlirWalkResultAdvance;
  query->status = query->ask(query->user, op, &requests, &count, query->diag);
  if (query->status == GMEM_OK)
    query->status = gmem_workbuffers_set(op, requests, count, query->diag);
  return query->status == GMEM_OK ? MlirWalkResultAdvance
                                  : MlirWalkResultInterrupt;
}

static gmem_status_t ask_scope(MlirOperation scope, void *user) {
  query_t *query = user;
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(scope); ++i)
    for (MlirOperation op = gmem_first_op(scope, i);
         query->status == GMEM_OK && !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
      query->function = op;
      if (gmem_is_function(op))
        mlirOperationWalk(op, ask_op, query, MlirWalkPreOrder);
    }
  return query->status;
}

gmem_status_t gmem_workbuffers_query(MlirOperation top,
                                     gmem_workbuffers_fn query, void *user,
                                     gmem_diag_t *diag) {
  gmem_diag_t unread;
  query_t state = {.ask = query, .user = user, .diag = diag ? diag : &unread};
  return gmem_for_each_scope(top, ask_scope, &state);
}
