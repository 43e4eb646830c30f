// npy.h - arrays in .npy files (NumPy's NEP 1): versions 1 to 3, numbers of
// every size, either order of bytes and of dimensions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_NPY_H_
#define GMEM_TOOLS_NPY_H_

#include "array.h"
#include "gmem/status.h"

// Reads the array in the file |path|. *out_data is what it lies in, which the
// caller frees with free(). What NumPy calls V2 is a BFLOAT, as the extensions
// of it write them. Fails with IO, PARSE, UNSUPPORTED (numbers of a type that
// is not known here) or OUT_OF_MEMORY; *out_data is then NULL. The text of
// |diag| does not repeat the path.
GMEM_MUST_USE gmem_status_t gmem_npy_read(const char *path,
                                          gmem_array_t *out_array,
                                          void **out_data, gmem_diag_t *diag);

// The same for the |size| bytes at |file|, which are changed and which the
// array lies in.
GMEM_MUST_USE gmem_status_t gmem_npy_parse(char *file, size_t size,
                                           gmem_array_t *out_array,
                                           gmem_diag_t *diag);

// Writes |array| to the file |path|, all of it or nothing. Fails with IO or
// OUT_OF_MEMORY.
GMEM_MUST_USE gmem_status_t gmem_npy_write(const char *path,
                                           const gmem_array_t *array,
                                           gmem_diag_t *diag);

#endif // GMEM_TOOLS_NPY_H_
