// status_name.c - names of the status codes, and the library's version.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gmem/plan.h"
#include "gmem/version.h"

const char *gmem_status_name(gmem_status_t status) {
  static const char *const names[] = {
      [GMEM_OK] = "GMEM_OK",
      [GMEM_ERR_INVALID_ARGUMENT] = "GMEM_ERR_INVALID_ARGUMENT",
      [GMEM_ERR_OUT_OF_MEMORY] = "GMEM_ERR_OUT_OF_MEMORY",
      [GMEM_ERR_OVER_BUDGET] = "GMEM_ERR_OVER_BUDGET",
      [GMEM_ERR_OUT_OF_RANGE] = "GMEM_ERR_OUT_OF_RANGE",
      [GMEM_ERR_ALIGNMENT] = "GMEM_ERR_ALIGNMENT",
      [GMEM_ERR_TOO_SMALL] = "GMEM_ERR_TOO_SMALL",
      [GMEM_ERR_OVERLAP] = "GMEM_ERR_OVERLAP",
      [GMEM_ERR_STATE] = "GMEM_ERR_STATE",
      [GMEM_ERR_BUSY] = "GMEM_ERR_BUSY",
      [GMEM_ERR_TIMEOUT] = "GMEM_ERR_TIMEOUT",
      [GMEM_ERR_CANCELLED] = "GMEM_ERR_CANCELLED",
      [GMEM_ERR_NOT_FOUND] = "GMEM_ERR_NOT_FOUND",
      [GMEM_ERR_CORRUPT] = "GMEM_ERR_CORRUPT",
      [GMEM_ERR_VERSION] = "GMEM_ERR_VERSION",
      [GMEM_ERR_IO] = "GMEM_ERR_IO",
      [GMEM_ERR_UNSUPPORTED] = "GMEM_ERR_UNSUPPORTED",
      [GMEM_ERR_PARSE] = "GMEM_ERR_PARSE",
  };
  size_t index = (size_t)status;
  if (index >= sizeof names / sizeof names[0])
    return "GMEM_ERR_UNKNOWN";
  return names[index];
}

uint32_t gmem_version(void) {
  return GMEM_VERSION_MAJOR << 16 | GMEM_VERSION_MINOR << 8 |
         GMEM_VERSION_PATCH;
}
