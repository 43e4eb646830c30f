// simplify_partition.c - gmem-simplify-partition.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: a program after MLIR's convert-shard-to-mpi and canonicalize.
// produces: the same results with less memory and fewer communicators. A sum
//           of parts begins with the initial value on the first rank and with
//           zero on the others: where the initial value is zero as well, the
//           branch is removed. A reduction over all ranks uses a communicator
//           that is split off each time that the program runs, and never freed:
//           it uses the world's instead.
// fails:    never.

#include "rank_passes.h"

#include "attribute_codec.h"
#include "ir_reading.h"

// The op that defines |value|, or null.
static MlirOperation definition(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value)
                                     : (MlirOperation){NULL};
}

static bool is_defined_by(MlirValue value, const char *name) {
  MlirOperation op = definition(value);
  return !mlirOperationIsNull(op) && gmem_op_is(op, name);
}

//===--- branches ---------------------------------------------------------===//

// The operand that region |number| of an scf.if with one result yields.
static MlirValue yielded(MlirOperation branch, intptr_t number) {
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(branch, number));
  return mlirOperationGetOperand(mlirBlockGetTerminator(block), 0);
}

// The constant that |value| is filled with, or null.
static MlirAttribute filler(MlirValue value) {
  if (!is_defined_by(value, "linalg.fill"))
    return mlirAttributeGetNull();
  MlirValue number = mlirOperationGetOperand(definition(value), 0);
  return is_defined_by(number, "arith.constant")
             ? gmem_op_attribute(definition(number), "value")
             : mlirAttributeGetNull();
}

// Whether |value| is defined outside of |branch|.
static bool is_outside(MlirValue value, MlirOperation branch) {
  MlirOperation op = definition(value);
  return !mlirOperationIsNull(op) &&
         mlirBlockEqual(mlirOperationGetBlock(op),
                        mlirOperationGetBlock(branch));
}

static void simplify_branch(MlirOperation branch) {
  if (!gmem_op_is(branch, "scf.if") || mlirOperationGetNumResults(branch) != 1)
    return;
  MlirValue left = yielded(branch, 0), right = yielded(branch, 1);
  MlirAttribute with = filler(left);
  if (!is_outside(left, branch) || mlirAttributeIsNull(with) ||
      !mlirAttributeEqual(with, filler(right)))
    return;
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(branch, 0), left);
  mlirOperationDestroy(branch);
}

//===--- communicators ----------------------------------------------------===//

// All ranks are in a communicator of one color. A reduction does not depend on
// their order in it.
static void simplify_split(MlirOperation split) {
  if (!gmem_op_is(split, "mpi.comm_split") ||
      mlirOperationGetNumResults(split) != 1 ||
      !is_defined_by(mlirOperationGetOperand(split, 0), "mpi.comm_world") ||
      !is_defined_by(mlirOperationGetOperand(split, 1), "arith.constant"))
    return;
  MlirValue part = mlirOperationGetResult(split, 0);
  for (MlirOpOperand use = mlirValueGetFirstUse(part);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!gmem_op_is(user, "mpi.allreduce") && !gmem_op_is(user, "mpi.barrier"))
      return;
  }
  mlirValueReplaceAllUsesOfWith(part, mlirOperationGetOperand(split, 0));
  mlirOperationDestroy(split);
}

//===--- the pass ---------------------------------------------------------===//

static MlirWalkResult visit(MlirOperation op, void *user) {
  (void)user;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
      MlirOperation at = mlirBlockGetFirstOperation(block), next;
      for (; !mlirOperationIsNull(at); at = next) {
        next = mlirOperationGetNextInBlock(at);
        if (gmem_op_is(at, "scf.if"))
          simplify_branch(at);
        else
          simplify_split(at);
      }
    }
  return MlirWalkResultAdvance;
}

gmem_status_t gmem_simplify_partition(MlirOperation top,
                                      const gmem_plan_options_t *options,
                                      const gmem_allocator_t *allocator,
                                      gmem_diag_t *diag) {
  (void)options, (void)allocator, (void)diag;
  mlirOperationWalk(top, visit, NULL, MlirWalkPostOrder);
  return GMEM_OK;
}
