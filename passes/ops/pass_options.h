// pass_options.h - options that are written in the IR too, as text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PASS_OPTIONS_H_
#define GMEM_PASSES_PASS_OPTIONS_H_

#include "gmem/passes.h"

#ifdef __cplusplus
extern "C" {
#endif

// The defaults; gmem_plan_options_init sets them too.
void gmem_model_options_init(gmem_model_options_t *options);

// Ways of sharing from the |length| bytes at |text|: "all", "none", or words
// with '+' or ',' between them. False, and *out_sharing unchanged, when it is
// none of these.
bool gmem_sharing_find(const char *text, size_t length, uint32_t *out_sharing);

// The text that gmem_sharing_find reads as |sharing|; room for all of it:
#define GMEM_SHARING_TEXT_SIZE 64
void gmem_sharing_write(uint32_t sharing, char *text, size_t size);

// Reads one POOL=BYTES of a list with commas between them, and moves |*at|
// behind it; false when it is none. The name is in the list.
bool gmem_space_capacity_next(const char **at, MlirStringRef *out_name,
                              uint64_t *out_bytes);

const char *gmem_arena_mode_name(gmem_arena_mode_t mode);

const char *gmem_io_name(gmem_io_t io);
bool gmem_io_find(const char *text, size_t length, gmem_io_t *out_io);

// A flag's value as passes take it: "", "true" and "1", or "false" and "0".
// False, and *out_flag unchanged, when it is none of these.
bool gmem_flag_find(const char *text, bool *out_flag);

#ifdef __cplusplus
}
#endif

#endif // GMEM_PASSES_PASS_OPTIONS_H_
