// text.h - a growing text buffer, allocated in a bump allocator.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_TEXT_H_
#define GMEM_PASSES_TEXT_H_

#include <stdbool.h>
#include <stdint.h>

#include "bump.h"
#include "diagnostics.h"
#include "mlir-c/IR.h"

typedef struct gmem_text_s {
  gmem_bump_t *arena; // set by the owner, all else zero
  char *bytes;        // NUL-terminated; NULL until something is appended
  size_t length, room;
  bool out_of_memory; // the text is truncated, later appends are ignored
} gmem_text_t;

void gmem_text_append(gmem_text_t *text, const char *bytes, size_t length);

// Callback for MLIR's printers; |text| is a gmem_text_t.
void gmem_text_piece(MlirStringRef piece, void *text);

// Appends formatted text, as printf.
void gmem_text_print(gmem_text_t *text, const char *format, ...)
    GMEM_PRINTF(2, 3);

// Appends |number| with commas between groups of three digits.
void gmem_text_number(gmem_text_t *text, uint64_t number);

// Appends |location|: "path/n.mlir:3:5", without the folder if |is_short|; the
// name of a name location; the printed form of other locations. A fused
// location stands for its first part, a call site for its callee.
void gmem_text_place(gmem_text_t *text, MlirLocation location, bool is_short);

// The name of |location|, or of its first part, as in gmem_text_place; empty
// for a location without one. Allocates in |arena|.
MlirStringRef gmem_location_name(MlirLocation location, gmem_bump_t *arena);

// Returns the text, "" when empty, or NULL when an allocation failed.
const char *gmem_text_get(const gmem_text_t *text);

#endif // GMEM_PASSES_TEXT_H_
