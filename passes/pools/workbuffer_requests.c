// workbuffer_requests.c - sets gmem.workbuffers as toolchains request it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "attribute_codec.h"
#include "diag.h"
#include "gmem/passes.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "scopes.h"
#include "workbuffers.h"

//===--- one op -----------------------------------------------------------===//

static const char *const kinds[] = {"mutable", "immutable", NULL};
static const gmem_field_t fields[] = {
    {GMEM_FIELD("size", gmem_workbuffer_request_t, size, NUMBER, STATED)},
    {GMEM_FIELD("alignment", gmem_workbuffer_request_t, alignment, NUMBER,
                OPTIONAL)},
    {GMEM_FIELD("threads", gmem_workbuffer_request_t, threads, NUMBER,
                OPTIONAL)},
    {GMEM_FIELD("kind", gmem_workbuffer_request_t, immutable, WORD, OPTIONAL),
     .words = kinds},
    {GMEM_FIELD("pools", gmem_workbuffer_request_t, pools, TEXTS, OPTIONAL)}};
static const gmem_schema_t schema = {.fields = fields,
                                     .count = sizeof fields / sizeof *fields};

static gmem_status_t set_in(MlirOperation op,
                            const gmem_workbuffer_request_t *requests,
                            size_t count, gmem_bump_t *arena,
                            gmem_diag_t *diag) {
  MlirContext context = mlirOperationGetContext(op);
  MlirAttribute *list;
  GMEM_TRY_ALLOC(list, arena, count, diag);
  for (size_t i = 0; i < count; ++i) {
    list[i] = gmem_dictionary_write(&schema, context, &requests[i], arena);
    if (mlirAttributeIsNull(list[i]))
      return gmem_out_of_memory(diag);
    GMEM_TRY(gmem_workbuffer_check(op, (uint32_t)i, list[i], diag));
  }
  gmem_op_annotate(op, GMEM_ATTR_WORKBUFFERS,
                   count ? mlirArrayAttrGet(context, (intptr_t)count, list)
                         : mlirAttributeGetNull());
  return GMEM_OK;
}

gmem_status_t gmem_workbuffers_set(MlirOperation op,
                                   const gmem_workbuffer_request_t *requests,
                                   size_t count, gmem_diag_t *diag) {
  GMEM_NEED(op.ptr, diag);
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
  gmem_diag_t *diag;
} query_t;

static gmem_status_t ask_op(MlirOperation function, MlirOperation op,
                            void *user) {
  const query_t *query = user;
  const gmem_workbuffer_request_t *requests = NULL;
  size_t count = 0;
  if (mlirOperationEqual(op, function))
    return GMEM_OK;
  GMEM_TRY(query->ask(query->user, op, &requests, &count, query->diag));
  return gmem_workbuffers_set(op, requests, count, query->diag);
}

gmem_status_t gmem_workbuffers_query(MlirOperation top,
                                     gmem_workbuffers_fn query, void *user,
                                     gmem_diag_t *diag) {
  GMEM_NEED(top.ptr && query, diag);
  gmem_diag_t unread;
  query_t state = {.ask = query, .user = user, .diag = diag ? diag : &unread};
  return gmem_for_each_op_of_functions(top, ask_op, &state);
}
