// c_compiled.h - generated C that calls a network that was compiled ahead of
// time: the function that MLIR makes for llvm.emit_c_interface takes a
// pointer to a descriptor for each memref.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_C_COMPILED_H_
#define GMEM_TOOLS_C_COMPILED_H_

#include "c_model.h"

void gmem_c_write_descriptors(const gmem_c_model_t *model, FILE *out);

void gmem_c_write_compiled_call(const gmem_c_model_t *model, FILE *out);

#endif // GMEM_TOOLS_C_COMPILED_H_
