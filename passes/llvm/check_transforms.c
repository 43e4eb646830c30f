// check_transforms.c - gmem-check-transforms.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: nothing.
// produces: the unchanged program.
// fails:    when an op names a memref.global with gmem.transform: the program
//           would read the bytes before the functions of the user have made
//           them. With gmem-materialize{arena-mode=arg weights=image} it reads
//           them in an arena of the caller.

#include "llvm_passes.h"

#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir_seam.h"
#include "symbol_uses.h"
#include "vocabulary.h"

typedef struct search_s {
  MlirOperation top;
  gmem_diag_t *diag;
} search_t;

static gmem_status_t visit(MlirOperation op, void *user) {
  const search_t *search = user;
  bool is_read;
  if (!gmem_op_is(op, "memref.global") ||
      mlirAttributeIsNull(gmem_op_annotation(op, GMEM_ATTR_TRANSFORM)))
    return GMEM_OK;
  GMEM_TRY(gmem_is_mentioned(search->top, op, &is_read));
  return is_read ? gmem_reject(search->diag, op,
                               "gmem.transform: functions from outside the "
                               "program make this constant, which it reads: "
                               "use gmem-materialize{arena-mode=arg "
                               "weights=image}")
                 : GMEM_OK;
}

gmem_status_t gmem_check_transforms(MlirOperation top,
                                    const gmem_plan_options_t *options,
                                    const gmem_allocator_t *allocator,
                                    gmem_diag_t *diag) {
  (void)options, (void)allocator;
  search_t search = {top, diag};
  return gmem_walk(top, visit, &search);
}
