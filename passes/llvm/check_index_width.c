// check_index_width.c - gmem-check-index-width.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: nothing. The lowering begins and ends with this pass.
// produces: no change. Plans and images assume 8 bytes for an element of type
//           index, so a program that is lowered with a narrower index would
//           read the wrong elements; it is rejected. So are conversion casts
//           that the lowering leaves behind because upstream converts some ops
//           only with a 64-bit index.
// fails:    when index-bitwidth is not 64 and an arena of gmem-materialize
//           contains elements of type index, reported at the first view of
//           them, or a conversion cast remains in an LLVM function, reported at
//           the cast.

#include "llvm_passes.h"

#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinTypes.h"
#include "vocabulary.h"

typedef struct checker_s {
  MlirOperation top;
  uint32_t bits;
  gmem_diag_t *diag;
} checker_t;

// Also true for vectors of index.
static bool has_index_elements(MlirType memref) {
  MlirType element = mlirShapedTypeGetElementType(memref);
  if (mlirTypeIsAVector(element))
    element = mlirShapedTypeGetElementType(element);
  return mlirTypeIsAIndex(element);
}

// Whether |op| or an ancestor of it, up to |top|, is a scope with arenas.
static bool has_arenas_around(MlirOperation op, MlirOperation top) {
  while (!mlirOperationIsNull(op)) {
    if (!mlirAttributeIsNull(gmem_op_annotation(op, GMEM_ATTR_ARENAS)))
      return true;
    if (mlirOperationEqual(op, top))
      return false;
    op = mlirOperationGetParentOperation(op);
  }
  return false;
}

static bool views_index_elements(const checker_t *checker, MlirOperation op) {
  return gmem_op_is(op, "memref.view") &&
         has_index_elements(mlirValueGetType(mlirOperationGetResult(op, 0))) &&
         has_arenas_around(op, checker->top);
}

static bool is_left_over(MlirOperation op) {
  if (!gmem_op_is(op, "builtin.unrealized_conversion_cast"))
    return false;
  MlirOperation parent = mlirOperationGetParentOperation(op);
  return !mlirOperationIsNull(parent) && gmem_op_is(parent, "llvm.func");
}

static gmem_status_t visit(MlirOperation op, void *user) {
  const checker_t *checker = user;
  uint32_t bits = checker->bits;
  if (views_index_elements(checker, op))
    return gmem_op_error(checker->diag, GMEM_ERR_UNSUPPORTED, op,
                         "an element of type index takes 64 bits in an arena, "
                         "but index-bitwidth is %u: use i%u instead",
                         bits, bits);
  if (is_left_over(op))
    return gmem_op_error(
        checker->diag, GMEM_ERR_UNSUPPORTED, op,
        "a user of this cast, such as an op of the vector dialect, cannot be "
        "lowered with index-bitwidth=%u",
        bits);
  return GMEM_OK;
}

gmem_status_t gmem_check_index_width(MlirOperation top,
                                     const gmem_plan_options_t *options,
                                     const gmem_allocator_t *allocator,
                                     gmem_diag_t *diag) {
  checker_t checker = {top, options ? options->index_bits : 64, diag};
  (void)allocator;
  return checker.bits == 64 ? GMEM_OK : gmem_walk(top, visit, &checker);
}
