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
void gmem_c_head_of_run(const gmem_c_model_t *model, bool is_init,
                        const char *end, gmem_c_text_t *out);
// Of reset, or of clear if |is_secret|.
void gmem_c_head_of_kept(const gmem_c_model_t *model, bool is_secret,
                         const char *end, gmem_c_text_t *out);

// Whether run, or init, takes the struct.
bool gmem_c_takes(const gmem_c_model_t *model, bool is_init,
                  gmem_c_struct_t which);

// Whether run, or init, takes the pointer that user-defined functions get.
bool gmem_c_takes_user(const gmem_c_model_t *model, bool is_init);

//===--- parts of <model>.c -----------------------------------------------===//

// The check functions: they validate the arguments of run.
void gmem_c_write_checks(const gmem_c_model_t *model, gmem_c_text_t *out);

// The functions of the network: static functions that call an operator for each
// op.
void gmem_c_write_operators(const gmem_c_model_t *model, gmem_c_text_t *out);

// Whether the workspaces are arrays of the model, which allow one run at a
// time.
bool gmem_c_has_guard(const gmem_c_model_t *model);
bool gmem_c_has_init(const gmem_c_model_t *model);
// Whether run can tell that init has not succeeded: the model itself has the
// constants that are computed.
bool gmem_c_has_ready_flag(const gmem_c_model_t *model);

// Whether inputs and outputs have structs although run does not take them: the
// functions that map them return these.
bool gmem_c_has_maps(const gmem_c_model_t *model);

// Defines the variable "memory" with the addresses of all pools that run, or
// init, uses.
void gmem_c_write_addresses(const gmem_c_model_t *model, bool is_init,
                            gmem_c_text_t *out);

// Run and init begin and end alike: the checks of the arguments, the variables
// "status" and "memory", and the guard against a second run.
void gmem_c_write_begin(const gmem_c_model_t *model, bool is_init,
                        gmem_c_text_t *out);
void gmem_c_write_end(const gmem_c_model_t *model, gmem_c_text_t *out);
// The guard alone.
void gmem_c_write_enter(const gmem_c_model_t *model, gmem_c_text_t *out);

// The comment and the declaration of init, which computes constants, and its
// definition, if there is one.
void gmem_c_document_init(const gmem_c_model_t *model, gmem_c_text_t *out);
void gmem_c_write_init(const gmem_c_model_t *model, gmem_c_text_t *out);

// Transforms: the declarations of the functions that make constants, and their
// calls, the first part of init.
void gmem_c_declare_transforms(const gmem_c_model_t *model, gmem_c_text_t *out);
void gmem_c_write_transforms(const gmem_c_model_t *model, gmem_c_text_t *out);

// The function that zeroes memory, if any part of <model>.c calls it.
void gmem_c_write_zero(const gmem_c_model_t *model, gmem_c_text_t *out);

// States and sensitive values (c_kept.c): the function that begins anew, the
// one that ends a request whose inputs and outputs are in the workspace, and
// what ends all others, as a part of run.
bool gmem_c_has_reset(const gmem_c_model_t *model);
bool gmem_c_has_clear(const gmem_c_model_t *model);
// Whether the pool has states, whose contents outlast a run.
bool gmem_c_keeps_states(const gmem_c_model_t *model, const char *pool);
void gmem_c_document_kept(const gmem_c_model_t *model, gmem_c_text_t *out);
void gmem_c_write_kept(const gmem_c_model_t *model, gmem_c_text_t *out);
void gmem_c_write_clear_in_run(const gmem_c_model_t *model, gmem_c_text_t *out);

// The description of the model (--descriptor): what a gmem_model_desc_t says.
void gmem_c_write_descriptor(const gmem_c_model_t *model, gmem_c_text_t *out);

// A network compiled ahead of time is called through MLIR's C interface
// (llvm.emit_c_interface): each memref argument is a pointer to its descriptor.
// The descriptor types and the declarations of the entries; a call, as part of
// run or init. |symbol| is the macro of the entry, without the name of the
// model: "ENTRY".
void gmem_c_write_descriptors(const gmem_c_model_t *model, gmem_c_text_t *out);
void gmem_c_write_compiled_call(const gmem_c_model_t *model,
                                const gmem_c_entry_t *entry, const char *symbol,
                                gmem_c_text_t *out);
// The macro of init function |index|.
enum { GMEM_C_SYMBOL = 32 };
void gmem_c_init_symbol(size_t index, char out[GMEM_C_SYMBOL]);

#endif // GMEM_TOOLS_C_WRITE_H_
