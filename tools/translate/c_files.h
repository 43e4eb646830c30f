// c_files.h - writes the C files of a planned network, atomically.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_C_FILES_H_
#define GMEM_TOOLS_C_FILES_H_

#include "c_model.h"

// Writes <model>.h and <model>.c to options->folder, and the constants whose
// bytes are known: with parameters=given to <model>_data.c, with extern the
// bytes of each pool to <model>_<pool>.bin. |module| is the one named by
// --compiled, or null. On failure *out_path is the file that cannot be written,
// or NULL if the error concerns the plan; the caller frees it. *out_unknown is
// the number of constants whose bytes are not known.
GMEM_MUST_USE gmem_status_t gmem_c_write(const gmem_planned_t *planned,
                                         const gmem_c_options_t *options,
                                         MlirModule module, char **out_path,
                                         uint32_t *out_unknown,
                                         gmem_diag_t *diag);

#endif // GMEM_TOOLS_C_FILES_H_
