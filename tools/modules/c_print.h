// c_print.h - prints C in the LLVM style of clang-format.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_C_PRINT_H_
#define GMEM_TOOLS_C_PRINT_H_

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// fprintf; the stream records write errors.
void gmem_c_print(FILE *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Prints |text| as a comment indented by |indent| columns, wrapped at 80
// columns.
void gmem_c_comment(FILE *out, size_t indent, const char *text);

// Prints "#define NAME value", with the value on a second line if necessary.
// |name| may have parameters.
void gmem_c_define(FILE *out, const char *name, const char *value);
// The same for a number of bytes, as UINT32_C or UINT64_C.
void gmem_c_define_bytes(FILE *out, uint64_t bytes, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// A bracketed list "HEAD(PART, PART)TAIL", wrapped such that continuation lines
// are aligned with the first part. The head ends with the opening bracket and
// starts at column |indent|; the tail contains the closing bracket.
typedef struct gmem_c_list_s {
  FILE *out;
  size_t indent;
  char head[512];
  char parts[24][512];
  size_t count;
} gmem_c_list_t;
void gmem_c_list_begin(gmem_c_list_t *list, FILE *out, size_t indent,
                       const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void gmem_c_list_add(gmem_c_list_t *list, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void gmem_c_list_end(gmem_c_list_t *list, const char *tail);

// Prints |name| in quotes for a comment; replaces characters that could end the
// comment or form a trigraph.
void gmem_c_print_name(FILE *out, const char *name);
// Writes |text| to |out| as a string literal, truncated to |room| bytes.
void gmem_c_quote(char *out, size_t room, const char *text);

#endif // GMEM_TOOLS_C_PRINT_H_
