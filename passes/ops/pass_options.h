// pass_options.h - pass options: those that the IR stores as text, flags, and
// a check of their size. gmem/passes.h declares the parser of all options.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PASS_OPTIONS_H_
#define GMEM_PASSES_PASS_OPTIONS_H_

#include "gmem/passes.h"

#ifdef __cplusplus
extern "C" {
#endif

// Fails with INVALID_ARGUMENT if |options| has another size than this
// library's.
gmem_status_t gmem_plan_options_check(const gmem_plan_options_t *options,
                                      gmem_diag_t *diag);

// The name of one phase, as in debug=.
const char *gmem_debug_name(gmem_debug_t phase);

// Reads one POOL=BYTES of a comma-separated list and advances |*at| past it;
// returns false when malformed. The name points into the list.
bool gmem_space_capacity_next(const char **at, MlirStringRef *out_name,
                              uint64_t *out_bytes);

// Reads one number of a comma-separated list of numbers of ranks and advances
// |*at| past it; returns false when malformed.
enum { GMEM_MAX_RANKS = 65536 };
bool gmem_ranks_next(const char **at, uint32_t *out_ranks);

const char *gmem_arena_mode_name(gmem_arena_mode_t mode);

// Writes the options that gmem.plan records to |out_entries|; returns their
// number. Those with default values are left out, except keep_inputs.
enum { GMEM_MAX_MODEL_OPTIONS = 16 };
size_t gmem_model_options_write(
    const gmem_model_options_t *model, MlirContext context,
    MlirNamedAttribute out_entries[GMEM_MAX_MODEL_OPTIONS]);

// Reads the options in |dictionary|, gmem.plan; the others get their defaults.
// Returns false for invalid ones.
bool gmem_model_options_read(MlirAttribute dictionary,
                             gmem_model_options_t *out_model);

// Parses the value of a flag: "", "true" or "1"; "false" or "0". Returns false,
// with *out_flag unchanged, for any other text.
bool gmem_flag_find(const char *text, bool *out_flag);

#ifdef __cplusplus
}
#endif

#endif // GMEM_PASSES_PASS_OPTIONS_H_
