// add_constants.c - functions that make the constants of transform_globals.py.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gmem/transforms.h"

#ifndef STEP
#define STEP 977
#endif

gmem_status_t add0(void *user, const void *source, uint64_t source_size,
                   void *dst, uint64_t size, gmem_diag_t *diag) {
  (void)user, (void)diag;
  for (uint64_t i = 0; i < size / 4; ++i)
    ((int32_t *)dst)[i] = ((const int32_t *)source)[i];
  return source_size == size ? GMEM_OK : GMEM_ERR_INVALID_ARGUMENT;
}

gmem_status_t add977(void *user, const void *source, uint64_t source_size,
                     void *dst, uint64_t size, gmem_diag_t *diag) {
  gmem_status_t status = add0(user, source, source_size, dst, size, diag);
  for (uint64_t i = 0; i < size / 4; ++i)
    ((int32_t *)dst)[i] += STEP;
  return status;
}
