// c_files.h - writing the C of a planned network: all of its files, or none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_C_FILES_H_
#define GMEM_TOOLS_C_FILES_H_

#include "c_model.h"

// Writes <model>.h and <model>.c to the folder of |options|, and constants that
// are known: with parameters=given to <model>_data.c, with extern the bytes of
// each pool to <model>_<pool>.bin. |module| is the one that --compiled names,
// or null. On failure |diag| says why, and *out_path, if it is not NULL, is the
// file that cannot be written, for free(); else it is about the plan.
// *out_unknown: how many constants there are whose bytes nobody knows.
GMEM_MUST_USE gmem_status_t gmem_c_write(const gmem_planned_t *planned,
                                         const gmem_c_options_t *options,
                                         MlirModule module, char **out_path,
                                         uint32_t *out_unknown,
                                         gmem_diag_t *diag);

#endif // GMEM_TOOLS_C_FILES_H_
