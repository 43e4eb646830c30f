// c_compiled.h - generated C that calls a network compiled ahead of time,
// through MLIR's C interface (llvm.emit_c_interface): each memref argument is a
// pointer to its descriptor.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_C_COMPILED_H_
#define GMEM_TOOLS_C_COMPILED_H_

#include "c_model.h"

// Writes the descriptor types and the declaration of the entry.
void gmem_c_write_descriptors(const gmem_c_model_t *model, FILE *out);

// Writes the call of the entry, as part of run.
void gmem_c_write_compiled_call(const gmem_c_model_t *model, FILE *out);

#endif // GMEM_TOOLS_C_COMPILED_H_
