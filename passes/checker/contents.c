// contents.c - see contents.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "contents.h"

gmem_status_t gmem_contents_check(MlirOperation scope,
                                  const gmem_op_models_t *models,
                                  const gmem_model_options_t *options,
                                  gmem_bump_t *arena, gmem_diag_t *diag) {
  (void)scope;
  (void)models;
  (void)options;
  (void)arena;
  (void)diag;
  return GMEM_OK;
}
