// requests.c - see requests.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "requests.h"

#include "captures.h"
#include "diagnostics.h"

// Whether |user| waits in |block|.
static gmem_status_t waits_in(const gmem_op_models_t *models,
                              MlirOperation user, MlirBlock block,
                              gmem_bump_t *arena, bool *out,
                              gmem_diag_t *diag) {
  const gmem_op_model_t *model;
  GMEM_TRY(gmem_op_models_of_op(models, user, arena, &model, diag));
  *out = model->waits && mlirBlockEqual(mlirOperationGetBlock(user), block);
  return GMEM_OK;
}

gmem_status_t gmem_request_is_waited_for(const gmem_op_models_t *models,
                                         MlirOperation op, gmem_bump_t *arena,
                                         bool *out, gmem_diag_t *diag) {
  const gmem_op_model_t *model;
  MlirBlock block = mlirOperationGetBlock(op);
  bool is_waited_for = false, is_only_waited_for = true;
  *out = false;
  GMEM_TRY(gmem_op_models_of_op(models, op, arena, &model, diag));
  if (!model->starts)
    return GMEM_OK;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    if (!gmem_can_hold_memref(models, mlirValueGetType(result)))
      continue;
    for (MlirOpOperand use = mlirValueGetFirstUse(result);
         !mlirOpOperandIsNull(use) && is_only_waited_for;
         use = mlirOpOperandGetNextUse(use)) {
      GMEM_TRY(waits_in(models, mlirOpOperandGetOwner(use), block, arena,
                        &is_only_waited_for, diag));
      is_waited_for = true;
    }
  }
  *out = is_waited_for && is_only_waited_for;
  return GMEM_OK;
}

gmem_status_t gmem_request_of(const gmem_op_models_t *models, MlirOperation op,
                              intptr_t number, gmem_bump_t *arena,
                              MlirOperation *out, gmem_diag_t *diag) {
  const gmem_op_model_t *model;
  MlirValue request = mlirOperationGetOperand(op, number);
  *out = (MlirOperation){NULL};
  if (!mlirValueIsAOpResult(request))
    return GMEM_OK;
  GMEM_TRY(gmem_op_models_of_op(models, op, arena, &model, diag));
  if (!model->waits)
    return GMEM_OK;
  MlirOperation starter = mlirOpResultGetOwner(request);
  GMEM_TRY(gmem_op_models_of_op(models, starter, arena, &model, diag));
  if (model->starts)
    *out = starter;
  return GMEM_OK;
}
