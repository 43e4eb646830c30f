// check_index_width.c - gmem-check-index-width.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: nothing.
// produces: nothing. Plans and images count 8 bytes for an element of type
//           index. A program that is lowered with narrower ones would read
//           others than were written for it, so it is refused.
// fails:    when an arena of gmem-materialize has such elements, and
//           index-bitwidth is not 64; reported at the first op that views them.

#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinTypes.h"
#include "pass_table.h"
#include "vocabulary.h"

typedef struct checker_s {
  MlirOperation top;
  uint32_t bits;
  gmem_status_t status;
  gmem_diag_t *diag;
} checker_t;

// Of vectors, it is their elements that count.
static bool has_index_elements(MlirType memref) {
  MlirType element = mlirShapedTypeGetElementType(memref);
  if (mlirTypeIsAVector(element))
    element = mlirShapedTypeGetElementType(element);
  return mlirTypeIsAIndex(element);
}

// Whether |op| or one around it, up to |top|, is a scope with arenas.
static bool has_arenas_around(MlirOperation op, MlirOperation top) {
  while (!mlirOperationIsNull(op)) {
    if (!mlirAttributeIsNull(mlirOperationGetDiscardableAttributeByName(
            op, gmem_attr_name(GMEM_ATTR_ARENAS))))
      return true;
    if (mlirOperationEqual(op, top))
      return false;
    op = mlirOperationGetParentOperation(op);
  }
  return false;
}

static MlirWalkResult visit(MlirOperation op, void *user) {
  checker_t *checker = user;
  if (!gmem_op_is(op, "memref.view") ||
      !has_index_elements(mlirValueGetType(mlirOperationGetResult(op, 0))) ||
      !has_arenas_around(op, checker->top))
    return MlirWalkResultAdvance;
  checker->status = gmem_error(
      checker->diag, GMEM_ERR_UNSUPPORTED, mlirOperationGetLocation(op), NULL,
      0,
      "elements of type index in an arena have 64 bits, and this program's "
      "have %u: use i%u",
      checker->bits, checker->bits);
  return MlirWalkResultInterrupt;
}

gmem_status_t gmem_check_index_width(MlirOperation top,
                                     const gmem_plan_options_t *options,
                                     const gmem_allocator_t *allocator,
                                     gmem_diag_t *diag) {
  checker_t checker = {top, options ? options->index_bits : 64, GMEM_OK, diag};
  (void)allocator;
  if (checker.bits != 64)
    mlirOperationWalk(top, visit, &checker, MlirWalkPreOrder);
  return checker.status;
}
