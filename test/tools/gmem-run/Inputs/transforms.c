// transforms.c - functions that make constants, for --library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <string.h>

#include "gmem/transforms.h"

gmem_status_t negate(void *user, const void *source, uint64_t source_size,
                     void *dst, uint64_t size, gmem_diag_t *diag) {
  (void)user, (void)diag;
  if (source_size != size)
    return GMEM_ERR_INVALID_ARGUMENT;
  for (uint64_t i = 0; i < size; ++i)
    ((int8_t *)dst)[i] = (int8_t) - ((const int8_t *)source)[i];
  return GMEM_OK;
}

gmem_status_t widen(void *user, const void *source, uint64_t source_size,
                    void *dst, uint64_t size, gmem_diag_t *diag) {
  (void)user, (void)diag;
  if (4 * source_size != size)
    return GMEM_ERR_INVALID_ARGUMENT;
  for (uint64_t i = 0; i < source_size; ++i) {
    float value = ((const int8_t *)source)[i];
    memcpy((char *)dst + 4 * i, &value, 4);
  }
  return GMEM_OK;
}

gmem_status_t refuse(void *user, const void *source, uint64_t source_size,
                     void *dst, uint64_t size, gmem_diag_t *diag) {
  (void)user, (void)source, (void)source_size, (void)dst, (void)size;
  (void)diag;
  return GMEM_ERR_CORRUPT;
}
