// c_write.h - the parts of the generated C files. Streams record write errors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_C_WRITE_H_
#define GMEM_TOOLS_C_WRITE_H_

#include "c_model.h"
#include "c_print.h"

//===--- files ------------------------------------------------------------===//

// Write <model>.h, <model>.c and <model>_data.c.
void gmem_c_write_header(const gmem_c_model_t *model, gmem_c_text_t *out);
void gmem_c_write_source(const gmem_c_model_t *model, gmem_c_text_t *out);
void gmem_c_write_data(const gmem_c_model_t *model, gmem_c_text_t *out);

// Whether there is a <model>_data.c: with --parameters=given, the constants
// that the caller may pass.
bool gmem_c_has_data_file(const gmem_c_model_t *model);

//===--- the structs passed to run (c_structs.c) --------------------------===//

// Returns the name of the struct, for example "inputs".
const char *gmem_c_struct_name(gmem_c_struct_t which);

// Prints the address of a buffer in the struct |memory|, "memory." or
// "memory->".
void gmem_c_write_place(const gmem_c_model_t *model, const char *memory,
                        uint32_t buffer, gmem_c_text_t *out);

// Print the first line of a function, up to the closing bracket of its
// parameters, and |end|.
void gmem_c_head_of_check(gmem_c_struct_t which, const char *end,
                          gmem_c_text_t *out);
void gmem_c_head_of_map(const gmem_c_model_t *model, gmem_c_struct_t which,
                        const char *end, gmem_c_text_t *out);
void gmem_c_head_of_run(const gmem_c_model_t *model, const char *end,
                        gmem_c_text_t *out);

//===--- parts of <model>.c -----------------------------------------------===//

// The check functions: they validate the arguments of run.
void gmem_c_write_checks(const gmem_c_model_t *model, gmem_c_text_t *out);

// The functions of the network: static functions that call an operator for each
// op.
void gmem_c_write_operators(const gmem_c_model_t *model, gmem_c_text_t *out);

// A network compiled ahead of time is called through MLIR's C interface
// (llvm.emit_c_interface): each memref argument is a pointer to its descriptor.
// The descriptor types and the declaration of the entry; its call, as part of
// run.
void gmem_c_write_descriptors(const gmem_c_model_t *model, gmem_c_text_t *out);
void gmem_c_write_compiled_call(const gmem_c_model_t *model,
                                gmem_c_text_t *out);

#endif // GMEM_TOOLS_C_WRITE_H_
