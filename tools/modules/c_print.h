// c_print.h - prints C in the LLVM style of clang-format.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_C_PRINT_H_
#define GMEM_TOOLS_C_PRINT_H_

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "c_names.h"
#include "gmem/status.h"

// A file of C whose identifiers begin with a name.
typedef struct gmem_c_text_s {
  FILE *file;                 // owned
  const char *name;           // stands for '@' in formats
  char capitals[GMEM_C_NAME]; // of the name; stands for '$'
  char *line;                 // the line so far; owned
  size_t length, room;        // bytes of |line|
} gmem_c_text_t;

// Starts a text that is written to |file|.
gmem_c_text_t gmem_c_text_begin(FILE *file, const char *name);

// printf with two additions. '@' and '$' in |format| (not in the arguments) are
// replaced by the name and by the name in capitals. A line that begins with '^'
// is wrapped at 80 columns: a comment between words; a macro before its value;
// any other line in the list of its first bracket, whose continuation lines are
// aligned with the first element. The stream records write errors.
void gmem_c_print(gmem_c_text_t *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Prints |before|, |name| in quotes and |after|, for a comment: replaces
// characters of |name| that could end the comment or form a trigraph.
void gmem_c_print_name(gmem_c_text_t *out, const char *before, const char *name,
                       const char *after);
// Prints |text| as a string literal.
void gmem_c_print_string(gmem_c_text_t *out, const char *text);

// Defines the macro of that name as a number of bytes, UINT32_C or UINT64_C.
void gmem_c_define_bytes(gmem_c_text_t *out, uint64_t bytes, const char *format,
                         ...) __attribute__((format(printf, 3, 4)));

// Closes the file.
void gmem_c_text_end(gmem_c_text_t *out);

#endif // GMEM_TOOLS_C_PRINT_H_
