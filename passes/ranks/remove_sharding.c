// remove_sharding.c - gmem-remove-sharding.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: a program with shardings, before MLIR's shard-partition.
// produces: the program of one rank: without shard.shard, shard.sharding and
//           shard.grid, which compute nothing.
// fails:    when another op uses a sharding or a grid.

#include "rank_passes.h"

#include "diagnostics.h"
#include "ir_reading.h"

typedef struct remover_s {
  MlirOperation user; // of a sharding, that stays; or null
  const char *name;   // of the ops that are removed now
} remover_t;

// Removes |op|, or its uses first.
static void remove_op(remover_t *remover, MlirOperation op) {
  if (!gmem_op_is(op, remover->name))
    return;
  if (gmem_op_is(op, "shard.shard"))
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0),
                                  mlirOperationGetOperand(op, 0));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, i));
    if (!mlirOpOperandIsNull(use)) {
      remover->user = mlirOpOperandGetOwner(use);
      return;
    }
  }
  mlirOperationDestroy(op);
}

static MlirWalkResult visit(MlirOperation op, void *user) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
      MlirOperation at = mlirBlockGetFirstOperation(block), next;
      for (; !mlirOperationIsNull(at); at = next) {
        next = mlirOperationGetNextInBlock(at);
        remove_op(user, at);
      }
    }
  return MlirWalkResultAdvance;
}

static MlirWalkResult find_grid_user(MlirOperation op, void *user) {
  remover_t *remover = user;
  if (!gmem_op_is(op, "shard.grid") &&
      !mlirAttributeIsNull(gmem_op_attribute(op, "grid")))
    remover->user = op;
  return mlirOperationIsNull(remover->user) ? MlirWalkResultAdvance
                                            : MlirWalkResultInterrupt;
}

gmem_status_t gmem_remove_sharding(MlirOperation top,
                                   const gmem_plan_options_t *options,
                                   const gmem_allocator_t *allocator,
                                   gmem_diag_t *diag) {
  (void)options, (void)allocator;
  static const char *const names[] = {"shard.shard", "shard.sharding", NULL};
  remover_t remover = {{NULL}, NULL};
  for (size_t i = 0; names[i] && mlirOperationIsNull(remover.user); ++i) {
    remover.name = names[i];
    mlirOperationWalk(top, visit, &remover, MlirWalkPostOrder);
  }
  if (mlirOperationIsNull(remover.user))
    mlirOperationWalk(top, find_grid_user, &remover, MlirWalkPreOrder);
  if (!mlirOperationIsNull(remover.user))
    return gmem_reject(diag, remover.user,
                       "this op uses a sharding or a grid: the program is "
                       "partitioned already");
  remover.name = "shard.grid";
  mlirOperationWalk(top, visit, &remover, MlirWalkPostOrder);
  return GMEM_OK;
}
