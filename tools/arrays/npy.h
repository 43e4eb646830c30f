// npy.h - reads and writes .npy files (NumPy's NEP 1): versions 1 to 3,
// either byte order, C and Fortran order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_NPY_H_
#define GMEM_TOOLS_NPY_H_

#include "array.h"
#include "gmem/status.h"

// Reads the file |path|. *out_data is the memory of the array, which the caller
// frees with free(). NumPy's type V2 is read as BFLOAT, as written by bfloat16
// extensions of NumPy. Fails with IO, PARSE, UNSUPPORTED (unknown element type)
// or OUT_OF_MEMORY; *out_data is then NULL. diag->text does not contain the
// path.
GMEM_MUST_USE gmem_status_t gmem_npy_read(const char *path,
                                          gmem_array_t *out_array,
                                          void **out_data, gmem_diag_t *diag);

// The same for the |size| bytes at |file|, which are modified and become the
// memory of the array.
GMEM_MUST_USE gmem_status_t gmem_npy_parse(char *file, size_t size,
                                           gmem_array_t *out_array,
                                           gmem_diag_t *diag);

// Writes |array| to the file |path|, atomically. Fails with IO or
// OUT_OF_MEMORY.
GMEM_MUST_USE gmem_status_t gmem_npy_write(const char *path,
                                           const gmem_array_t *array,
                                           gmem_diag_t *diag);

#endif // GMEM_TOOLS_NPY_H_
