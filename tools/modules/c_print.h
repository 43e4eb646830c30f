// c_print.h - printing C as clang-format leaves it in the style of LLVM.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_C_PRINT_H_
#define GMEM_TOOLS_C_PRINT_H_

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// As fprintf; what cannot be written is remembered by the stream.
void gmem_c_print(FILE *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// |text| as a comment, |indent| columns from the left, as wide as lines are.
void gmem_c_comment(FILE *out, size_t indent, const char *text);

// "#define NAME value", the value on a line of its own if that is too long.
// |name| may have arguments.
void gmem_c_define(FILE *out, const char *name, const char *value);
// The same for a number of bytes, with as many bits as it needs.
void gmem_c_define_bytes(FILE *out, uint64_t bytes, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// A list in brackets, "HEAD(PART, PART)TAIL": as many parts in a line as fit,
// the next ones below the first. The head, with its bracket, begins |indent|
// columns from the left; the tail brings the other bracket; the line ends
// behind it.
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

// |name| in quotes for a comment: no byte of it ends the comment, or looks like
// something else to a preprocessor.
void gmem_c_print_name(FILE *out, const char *name);
// Writes |text| to |out| as a string literal, cut off where there is no room.
void gmem_c_quote(char *out, size_t room, const char *text);

#endif // GMEM_TOOLS_C_PRINT_H_
