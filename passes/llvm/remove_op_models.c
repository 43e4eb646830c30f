// remove_op_models.c - gmem-remove-op-models.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: nothing. The lowering begins with this pass.
// produces: the program without ops of the gmem dialect (gmem.op_model and the
//           like), which say something of other ops and compute nothing. No
//           conversion knows them, and as ops of a dialect that is defined at
//           run time they cannot be translated.
// fails:    never.

#include "llvm_passes.h"

#include <string.h>

#include "ir_reading.h"

static bool is_own(MlirOperation op) {
  static const char dialect[] = "gmem.";
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  return name.length >= sizeof dialect - 1 &&
         memcmp(name.data, dialect, sizeof dialect - 1) == 0;
}

// Removes them from |block|.
static void remove_from(MlirBlock block) {
  MlirOperation op = mlirBlockGetFirstOperation(block), next;
  for (; !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (is_own(op))
      mlirOperationDestroy(op);
  }
}

// After the ops in its regions, |op| is removed as part of its block.
static MlirWalkResult visit(MlirOperation op, void *user) {
  (void)user;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      remove_from(block);
  return MlirWalkResultAdvance;
}

gmem_status_t gmem_remove_op_models(MlirOperation top,
                                    const gmem_plan_options_t *options,
                                    const gmem_allocator_t *allocator,
                                    gmem_diag_t *diag) {
  (void)options, (void)allocator, (void)diag;
  mlirOperationWalk(top, visit, NULL, MlirWalkPostOrder);
  return GMEM_OK;
}
