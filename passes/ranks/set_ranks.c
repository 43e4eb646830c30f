// set_ranks.c - see set_ranks.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "set_ranks.h"

#include <inttypes.h>

#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir_seam.h"

enum { MAX_AXES = 16 };

typedef struct setter_s {
  int64_t count;
  bool has_grid;
  gmem_diag_t *diag;
} setter_t;

static gmem_status_t set_grid(MlirOperation op, void *user) {
  setter_t *setter = user;
  int64_t sizes[MAX_AXES], others = 1;
  MlirAttribute shape = gmem_op_attribute(op, "shape");
  if (!gmem_op_is(op, "shard.grid") ||
      !gmem_attribute_is(shape, mlirAttributeIsADenseI64Array))
    return GMEM_OK;
  setter->has_grid = true;
  intptr_t axes = mlirDenseArrayGetNumElements(shape);
  if (axes < 1 || axes > MAX_AXES)
    return gmem_reject(setter->diag, op,
                       "a grid of %" PRIdPTR " axes: expected 1 to %d", axes,
                       MAX_AXES);
  for (intptr_t i = 1; i < axes; ++i) {
    sizes[i] = mlirDenseI64ArrayGetElement(shape, i);
    // Also larger than |count|, unknown (negative) or 0.
    if (sizes[i] < 1 || sizes[i] > setter->count / others)
      others = setter->count + 1;
    else
      others *= sizes[i];
  }
  if (setter->count % others != 0)
    return gmem_reject(setter->diag, op,
                       "the axes of the grid after the first one do not divide "
                       "%" PRId64 " ranks",
                       setter->count);
  sizes[0] = setter->count / others;
  mlirOperationSetAttributeByName(
      op, gmem_string("shape"),
      mlirDenseI64ArrayGet(mlirOperationGetContext(op), axes, sizes));
  return GMEM_OK;
}

gmem_status_t gmem_set_ranks(MlirOperation top, uint32_t count,
                             gmem_diag_t *diag) {
  setter_t setter = {.count = count, .diag = diag};
  GMEM_TRY(gmem_walk(top, set_grid, &setter));
  return setter.has_grid ? GMEM_OK
                         : gmem_op_error(diag, GMEM_ERR_NOT_FOUND, top,
                                         "the module has no shard.grid");
}
