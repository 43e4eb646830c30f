// lower_messages.c - gmem-lower-messages.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: that MLIR's convert-to-llvm is registered.
// produces: ops of the mpi dialect as calls of an MPI library, by MLIR's
//           conversion. The entry "MPI:Implementation" of the module's dlti.map
//           says which ("MPICH", the default, or "OpenMPI"), and is removed,
//           as is shard.grid, which no translation knows.
// fails:    when the conversion does not know an op, such as mpi.wait in MLIR
//           22, or is not registered.

#include "rank_passes.h"

#include <string.h>

#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Pass.h"

const char *const gmem_message_dialects[] = {"dlti", "llvm", NULL};

static const char map_name[] = "dlti.map";

static bool is_message(MlirOperation op) {
  static const char dialect[] = "mpi.";
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  return name.length >= sizeof dialect - 1 &&
         memcmp(name.data, dialect, sizeof dialect - 1) == 0;
}

static MlirWalkResult find_message(MlirOperation op, void *user) {
  MlirOperation *found = user;
  if (!is_message(op))
    return MlirWalkResultAdvance;
  *found = op;
  return MlirWalkResultInterrupt;
}

static MlirOperation first_message(MlirOperation top) {
  MlirOperation found = {NULL};
  mlirOperationWalk(top, find_message, &found, MlirWalkPreOrder);
  return found;
}

// No translation knows a grid.
static void remove_grids(MlirOperation top) {
  MlirOperation op = gmem_first_op(top, 0), next;
  for (; !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (gmem_op_is(op, "shard.grid"))
      mlirOperationDestroy(op);
  }
}

static gmem_status_t convert(MlirOperation top, gmem_diag_t *diag) {
  MlirPassManager manager = mlirPassManagerCreate(mlirOperationGetContext(top));
  char text[256] = "";
  gmem_printed_t printed = {text, sizeof text, 0, false};
  bool is_known = mlirLogicalResultIsSuccess(mlirParsePassPipeline(
      mlirPassManagerGetAsOpPassManager(manager),
      gmem_string("builtin.module(convert-to-llvm{filter-dialects=mpi})"),
      gmem_print_into, &printed));
  bool is_good = is_known && mlirLogicalResultIsSuccess(
                                 mlirPassManagerRunOnOp(manager, top));
  mlirPassManagerDestroy(manager);
  MlirOperation left = first_message(top);
  if (!is_known)
    return gmem_op_error(diag, GMEM_ERR_STATE, top,
                         "convert-to-llvm is not registered");
  if (!mlirOperationIsNull(left))
    return gmem_reject(diag, left,
                       "this op has no conversion to calls of an MPI library "
                       "in this version of MLIR");
  return is_good ? GMEM_OK
                 : gmem_op_error(diag, GMEM_ERR_INVALID_ARGUMENT, top,
                                 "ops of the mpi dialect cannot be lowered");
}

gmem_status_t gmem_lower_messages(MlirOperation top,
                                  const gmem_plan_options_t *options,
                                  const gmem_allocator_t *allocator,
                                  gmem_diag_t *diag) {
  (void)options, (void)allocator;
  MlirContext context = mlirOperationGetContext(top);
  remove_grids(top);
  if (mlirOperationIsNull(first_message(top)))
    return GMEM_OK;
  if (mlirAttributeIsNull(gmem_op_attribute(top, map_name)))
    mlirOperationSetDiscardableAttributeByName(
        top, gmem_string(map_name),
        mlirAttributeParseGet(
            context,
            gmem_string("#dlti.map<\"MPI:Implementation\" = \"MPICH\">")));
  gmem_status_t status = convert(top, diag);
  mlirOperationRemoveDiscardableAttributeByName(top, gmem_string(map_name));
  return status;
}
