// bytes_query.c - sets gmem.bytes as toolchains state it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "annotations.h"
#include "bump.h"
#include "diag.h"
#include "diagnostics.h"
#include "gmem/passes.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "scopes.h"
#include "type_models.h"
#include "vocabulary.h"

typedef struct query_s {
  gmem_value_bytes_fn ask;
  void *user;
  gmem_bump_t arena;
  gmem_diag_t *diag;
} query_t;

// Asks for the bytes of |value|; -1 for those that need no answer.
static gmem_status_t ask_value(query_t *query, MlirValue value,
                               int64_t *out_bytes) {
  uint64_t bytes = UINT64_MAX;
  *out_bytes = -1;
  if (!gmem_needs_bytes(mlirValueGetType(value)))
    return GMEM_OK;
  GMEM_TRY(query->ask(query->user, value, &bytes, query->diag));
  if (bytes == UINT64_MAX)
    return GMEM_OK;
  if (bytes > INT64_MAX)
    return gmem_error_at(query->diag, GMEM_ERR_INVALID_ARGUMENT,
                         mlirValueGetLocation(value),
                         "the size of this value does not fit in 63 bits");
  *out_bytes = (int64_t)bytes;
  return GMEM_OK;
}

static gmem_status_t ask_results(query_t *query, MlirOperation op) {
  intptr_t count = mlirOperationGetNumResults(op);
  int64_t *bytes;
  bool any = false;
  GMEM_TRY_ALLOC(bytes, &query->arena, (size_t)count, query->diag);
  for (intptr_t i = 0; i < count; ++i) {
    GMEM_TRY(ask_value(query, mlirOperationGetResult(op, i), &bytes[i]));
    any |= bytes[i] >= 0;
  }
  if (any)
    gmem_op_annotate(
        op, GMEM_ATTR_BYTES,
        mlirDenseI64ArrayGet(mlirOperationGetContext(op), count, bytes));
  return GMEM_OK;
}

static gmem_status_t ask_arguments(query_t *query, MlirOperation function) {
  MlirBlock entry = gmem_entry_block(function);
  MlirType wide = mlirIntegerTypeGet(mlirOperationGetContext(function), 64);
  intptr_t count = mlirBlockGetNumArguments(entry);
  MlirAttribute *list;
  if (!gmem_has_argument_attributes(function))
    return GMEM_OK;
  GMEM_TRY_ALLOC(list, &query->arena, (size_t)count, query->diag);
  for (intptr_t i = 0; i < count; ++i) {
    int64_t bytes;
    GMEM_TRY(ask_value(query, mlirBlockGetArgument(entry, i), &bytes));
    list[i] = bytes < 0 ? gmem_argument_annotation(function, i, GMEM_ATTR_BYTES)
                        : mlirIntegerAttrGet(wide, bytes);
  }
  return gmem_arguments_annotate(function, GMEM_ATTR_BYTES, list, &query->arena,
                                 query->diag);
}

static gmem_status_t ask_op(MlirOperation function, MlirOperation op,
                            void *user) {
  return mlirOperationEqual(op, function) ? ask_arguments(user, op)
                                          : ask_results(user, op);
}

gmem_status_t gmem_value_bytes_query(MlirOperation top,
                                     gmem_value_bytes_fn query, void *user,
                                     gmem_diag_t *diag) {
  GMEM_NEED(top.ptr && query, diag);
  gmem_diag_t unread;
  query_t state = {.ask = query, .user = user, .diag = diag ? diag : &unread};
  gmem_bump_init(&state.arena, NULL);
  gmem_status_t status = gmem_for_each_op_of_functions(top, ask_op, &state);
  gmem_bump_destroy(&state.arena);
  return status;
}
