// simplify_branches.c - gmem-simplify-branches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: that MLIR's sccp is registered.
// produces: functions without branches on constants, without blocks that are
//           never reached, and without cf.cond_br on tensors to one block in
//           both cases: arith.select chooses the tensors. MLIR's canonicalize
//           does not terminate on blocks that it makes unreachable itself (an
//           op there may become its own operand), and its bufferization
//           converts one of two equal successors only.
// fails:    when sccp is not registered.

#include "simplify_branches.h"

#include <assert.h>

#include "attribute_codec.h"
#include "bump.h"
#include "ir_builder.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Pass.h"
#include "mlir_seam.h"

const char *const gmem_simplify_dialects[] = {"arith", "cf", NULL};

typedef struct simplifier_s {
  MlirPassManager manager; // of sccp
  gmem_bump_t arena;
  gmem_diag_t *diag;
} simplifier_t;

//===--- one branch -------------------------------------------------------===//

// The operands of a cf.cond_br for its successors.
typedef struct cases_s {
  intptr_t count[2];
  intptr_t first[2]; // operand
} cases_t;

static bool read_cases(MlirOperation branch, cases_t *out) {
  MlirAttribute sizes = gmem_op_attribute(branch, "operandSegmentSizes");
  if (!gmem_attribute_is(sizes, mlirAttributeIsADenseI32Array) ||
      mlirDenseArrayGetNumElements(sizes) != 3)
    return false;
  for (int i = 0; i < 2; ++i)
    out->count[i] = mlirDenseI32ArrayGetElement(sizes, i + 1);
  out->first[0] = 1;
  out->first[1] = 1 + out->count[0];
  assert(out->first[1] + out->count[1] == mlirOperationGetNumOperands(branch));
  return true;
}

// Which successor the branch always takes: 0 or 1, or -1 if that depends.
static int taken_case(MlirOperation branch) {
  MlirValue condition = mlirOperationGetOperand(branch, 0);
  if (!mlirValueIsAOpResult(condition))
    return -1;
  MlirOperation op = mlirOpResultGetOwner(condition);
  MlirAttribute value = gmem_op_attribute(op, "value");
  return !gmem_op_is(op, "arith.constant") ||
                 !gmem_attribute_is(value, mlirAttributeIsABool)
             ? -1
             : !mlirBoolAttrGetValue(value);
}

// Whether both successors are one block that is passed tensors.
static bool is_one_block(MlirOperation branch, const cases_t *cases) {
  bool has_tensors = false;
  for (intptr_t i = 0; i < cases->count[0]; ++i)
    has_tensors |= mlirTypeIsATensor(
        mlirValueGetType(mlirOperationGetOperand(branch, i + cases->first[0])));
  return has_tensors && mlirBlockEqual(mlirOperationGetSuccessor(branch, 0),
                                       mlirOperationGetSuccessor(branch, 1));
}

// The value that is passed as argument |number| by a branch whose successors
// are one block.
static MlirValue select(MlirOperation branch, const cases_t *cases,
                        intptr_t number) {
  gmem_builder_t at = gmem_build_before(branch);
  MlirValue operands[] = {
      mlirOperationGetOperand(branch, 0),
      mlirOperationGetOperand(branch, cases->first[0] + number),
      mlirOperationGetOperand(branch, cases->first[1] + number)};
  return mlirValueEqual(operands[1], operands[2])
             ? operands[1]
             : gmem_build_value(&at, "arith.select", operands, 3,
                                mlirValueGetType(operands[1]), NULL);
}

// Replaces a cf.cond_br by cf.br where the target, or what is passed, is known.
static gmem_status_t simplify(simplifier_t *simplifier, MlirOperation branch) {
  cases_t cases;
  if (!gmem_op_is(branch, "cf.cond_br") || !read_cases(branch, &cases))
    return GMEM_OK;
  int taken = taken_case(branch);
  if (taken < 0 && !is_one_block(branch, &cases))
    return GMEM_OK;
  MlirBlock target = mlirOperationGetSuccessor(branch, taken > 0);
  intptr_t count = cases.count[taken > 0];
  MlirValue *passed;
  GMEM_TRY_ALLOC(passed, &simplifier->arena, (size_t)count, simplifier->diag);
  for (intptr_t i = 0; i < count; ++i)
    passed[i] = taken < 0
                    ? select(branch, &cases, i)
                    : mlirOperationGetOperand(branch, cases.first[taken] + i);
  MlirOperationState state = mlirOperationStateGet(
      gmem_string("cf.br"), mlirOperationGetLocation(branch));
  mlirOperationStateAddOperands(&state, count, passed);
  mlirOperationStateAddSuccessors(&state, 1, &target);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(branch), branch,
                                      mlirOperationCreate(&state));
  mlirOperationDestroy(branch);
  return GMEM_OK;
}

//===--- functions --------------------------------------------------------===//

static bool has_branches(MlirOperation function) {
  MlirRegion body = mlirOperationGetRegion(function, 0);
  for (MlirBlock block = mlirRegionGetFirstBlock(body); !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block)) {
    MlirOperation last = mlirBlockGetTerminator(block);
    if (!mlirOperationIsNull(last) && gmem_op_is(last, "cf.cond_br"))
      return true;
  }
  return false;
}

static gmem_status_t simplify_function(MlirOperation function, void *user) {
  simplifier_t *simplifier = user;
  if (!gmem_op_is(function, "func.func") || !has_branches(function))
    return GMEM_OK;
  // Blocks that are never reached may hold values that depend on themselves.
  gmem_erase_unreachable_blocks(function);
  if (mlirLogicalResultIsFailure(
          mlirPassManagerRunOnOp(simplifier->manager, function)))
    return gmem_op_error(simplifier->diag, GMEM_ERR_STATE, function,
                         "sccp fails");
  MlirRegion body = mlirOperationGetRegion(function, 0);
  for (MlirBlock block = mlirRegionGetFirstBlock(body); !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block)) {
    MlirOperation last = mlirBlockGetTerminator(block);
    if (!mlirOperationIsNull(last))
      GMEM_TRY(simplify(simplifier, last));
  }
  gmem_erase_unreachable_blocks(function);
  return GMEM_OK;
}

static gmem_status_t simplify_all(simplifier_t *simplifier, MlirOperation top) {
  char text[256] = "";
  gmem_printed_t printed = {text, sizeof text, 0, false};
  if (mlirLogicalResultIsFailure(mlirParsePassPipeline(
          mlirPassManagerGetAsOpPassManager(simplifier->manager),
          gmem_string("func.func(sccp)"), gmem_print_into, &printed)))
    return gmem_op_error(simplifier->diag, GMEM_ERR_STATE, top,
                         "sccp is not registered");
  return gmem_walk(top, simplify_function, simplifier);
}

gmem_status_t gmem_simplify_branches(MlirOperation top,
                                     const gmem_plan_options_t *options,
                                     const gmem_allocator_t *allocator,
                                     gmem_diag_t *diag) {
  (void)options;
  gmem_diag_t unread;
  simplifier_t simplifier = {
      .manager = mlirPassManagerCreateOnOperation(mlirOperationGetContext(top),
                                                  gmem_string("func.func")),
      .diag = diag ? diag : &unread};
  gmem_bump_init(&simplifier.arena, allocator);
  gmem_status_t status = simplify_all(&simplifier, top);
  gmem_bump_destroy(&simplifier.arena);
  mlirPassManagerDestroy(simplifier.manager);
  return status;
}
