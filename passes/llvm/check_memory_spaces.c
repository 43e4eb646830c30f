// check_memory_spaces.c - gmem-check-memory-spaces.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: nothing. The lowering runs it after that of memrefs.
// produces: no change. Upstream does not lower memrefs in memory spaces that
// are
//           not integers: it prints an error without a location, leaves the ops
//           as they are, and succeeds.
// fails:    when an op on memrefs of such a memory space remains in a function,
//           reported at the op. Kernels are left alone: other passes lower
//           them.

#include "diagnostics.h"
#include "ir_reading.h"
#include "llvm_passes.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

// Whether |type| is a memref in a memory space that is not an integer.
static bool has_named_space(MlirType type) {
  if (!mlirTypeIsAMemRef(type) && !mlirTypeIsAUnrankedMemRef(type))
    return false;
  MlirAttribute space = mlirTypeIsAMemRef(type)
                            ? mlirMemRefTypeGetMemorySpace(type)
                            : mlirUnrankedMemrefGetMemorySpace(type);
  if (mlirAttributeIsNull(space))
    return false;
  return !mlirAttributeIsAInteger(space) ||
         !mlirIntegerTypeIsSignless(mlirAttributeGetType(space));
}

// The memref of |op| that could not be lowered because of its memory space.
static MlirType left_memref(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (has_named_space(type))
      return type;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    if (has_named_space(type))
      return type;
  }
  return (MlirType){NULL};
}

static gmem_status_t refuse_space(gmem_diag_t *diag, MlirOperation op,
                                  MlirType memref) {
  char text[256] = "";
  gmem_printed_t printed = {text, sizeof text, 0, false};
  mlirTypePrint(memref, gmem_print_into, &printed);
  return gmem_op_error(
      diag, GMEM_ERR_UNSUPPORTED, op,
      "%s cannot be lowered: its memory space is not an address space of LLVM; "
      "convert it to an integer such as 1 : i64 before the lowering",
      text);
}

static gmem_status_t visit(MlirOperation op, void *user) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  if (mlirOperationIsNull(parent) ||
      !(gmem_op_is(parent, "llvm.func") || gmem_op_is(parent, "func.func")))
    return GMEM_OK;
  MlirType left = left_memref(op);
  return mlirTypeIsNull(left) ? GMEM_OK : refuse_space(user, op, left);
}

gmem_status_t gmem_check_memory_spaces(MlirOperation top,
                                       const gmem_plan_options_t *options,
                                       const gmem_allocator_t *allocator,
                                       gmem_diag_t *diag) {
  (void)options, (void)allocator;
  return gmem_walk(top, visit, diag);
}
