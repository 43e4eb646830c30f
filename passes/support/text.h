// text.h - a text that grows, in an arena.
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
  bool out_of_memory; // some of it is missing, and nothing more is appended
} gmem_text_t;

void gmem_text_append(gmem_text_t *text, const char *bytes, size_t length);

// For MLIR's printers; |text| is a gmem_text_t.
void gmem_text_piece(MlirStringRef piece, void *text);

// As printf does it.
void gmem_text_print(gmem_text_t *text, const char *format, ...)
    GMEM_PRINTF(2, 3);

// |number| with a comma between groups of three digits.
void gmem_text_number(gmem_text_t *text, uint64_t number);

// |string| as a JSON string, in quotes. What is no UTF-8 becomes '?'.
void gmem_text_json(gmem_text_t *text, const char *string);

// Where |location| is: "path/n.mlir:3:5", without its folder if |is_short|;
// the name or the text of other locations; of several the first, of a call its
// callee.
void gmem_text_place(gmem_text_t *text, MlirLocation location, bool is_short);

// The bytes, "" when there are none; NULL when memory is out.
const char *gmem_text_get(const gmem_text_t *text);

#endif // GMEM_PASSES_TEXT_H_
